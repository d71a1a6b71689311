"""SQLite as a black box: where a grammar of 2014 differs from what is installed today.

After Raselimo and Fischer (2024, Section 9): tests are generated from models of SQLite's
statements, ``sqlite3`` says which it accepts, what is ranked first is mended in a copy of the
grammar, and the tests are run again until none fails. The grammar is
https://github.com/bkiers/sqlite-parser (MIT), ``SQLite.g4``; no copy of it is kept here::

    python benchmarks/sqlite_case.py path/to/SQLite.g4

The deviations that are known are in `DEVIATIONS`: by which elements one would recognize each, and
how it is mended. Ranks are those of the first such element; a tie counts with its mean rank.
"""

from __future__ import annotations

import argparse
import re
import sqlite3
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gramspect import Plan, PythonCallable, SpectrumKind, Ties, Wording, blackbox, rank_spectra
from gramspect.blackboxes.campaign import BlackBox
from gramspect.generation.generate import Generation
from gramspect.generation.sources import read_grammar
from gramspect.scoring.metrics import metric

FOLDER = Path(__file__).parents[1] / "fixtures" / "blackbox" / "sqlite"
MODELS = ("create-table", "trigger", "select", "change", "schema", "names")
WORDING = Wording(
    syntax_errors=(": syntax error$", "unrecognized token|incomplete input"),
    positions=(
        'near "(?P<near>.*)": syntax error',
        "(?P<end>incomplete input)",
        'unrecognized token: "(?P<near>.*)"',
    ),
)
SYSTEM = PythonCallable(f"{FOLDER / 'system.py'}:check", WORDING)


@dataclass(frozen=True)
class Deviation:
    """`labels` are those of rules; what lies in one of them counts, too."""

    name: str
    labels: tuple[str, ...]
    mend: Callable[[str], str]

    def shows_in(self, label: str) -> bool:
        return any(
            label == each or label.startswith((f"{each}:", f"{each}.")) for each in self.labels
        )


def replaced(old: str, new: str) -> Callable[[str], str]:
    """An edit of the grammar's text; white space does not matter in what is replaced."""
    pattern = r"\s+".join(map(re.escape, old.split()))

    def edit(text: str) -> str:
        changed, number = re.subn(pattern, lambda _: new, text)
        if not number:
            raise SystemExit(f"the grammar has no {old!r}; is it the one of 2014?")
        return changed

    return edit


def rule_of(text: str, name: str) -> str:
    """The text of a rule with its name and semicolon."""
    found = re.search(rf"^{name}\s*:.*?^ ;\n", text, re.S | re.M)
    if found is None:
        raise SystemExit(f"the grammar has no rule {name}; is it the one of 2014?")
    return found[0]


def split_select(text: str) -> str:
    """ORDER BY and LIMIT after SELECT only, not after VALUES."""
    select, core = rule_of(text, "select_stmt"), rule_of(text, "select_or_values")
    with_part, after = re.split(r"select_or_values \(.*\n", select.partition(":")[2])
    before = f"{with_part} ( select_or_values compound_operator )*"
    only_select, _, only_values = core.partition(":")[2].rpartition("\n | ")
    for old, new in (
        (
            select,
            f"select_stmt\n : {before} select_only {after[:-3]}\n | {before} values_only\n ;\n",
        ),
        (
            core,
            "select_or_values\n : select_only\n | values_only\n ;\n\n"
            f"select_only\n :{only_select}\n ;\n\nvalues_only\n : {only_values}",
        ),
    ):
        text = text.replace(old, new)
    return text


def own_statements(text: str) -> str:
    """Statements in triggers get rules of their own, without WITH."""
    for name in ("update_stmt", "insert_stmt", "delete_stmt"):
        rule = rule_of(text, name)
        own = rule.replace(name, f"trigger_{name}", 1).replace("with_clause?", "", 1)
        text = text.replace(rule, f"{rule}\n{own}", 1)
    return replaced(
        "( update_stmt | insert_stmt | delete_stmt | select_stmt )",
        "( trigger_update_stmt | trigger_insert_stmt | trigger_delete_stmt | select_stmt )",
    )(text)


def no_default(text: str) -> str:
    """INSERT in a trigger has no DEFAULT VALUES; for that it needs a rule of its own."""
    if "trigger_insert_stmt" not in text:
        text = own_statements(text)
    rule = rule_of(text, "trigger_insert_stmt")
    return text.replace(rule, re.sub(r"\|\s*K_DEFAULT\s+K_VALUES", "", rule), 1)


DEVIATIONS = (
    Deviation("IN with a bare expression", ("expr:10", "expr:10.1:7"), replaced("| K_IN |", "|")),
    Deviation(
        "VALUES with ORDER BY or LIMIT", ("select_or_values:2", "select_stmt:1"), split_select
    ),
    Deviation(
        "WITH in triggers",
        ("with_clause", "cte_table_name", "update_stmt:1.1", "insert_stmt:1.1", "delete_stmt:1.1"),
        own_statements,
    ),
    Deviation(
        "BETWEEN, OR, AND",
        ("expr:20", "expr:12"),
        replaced("K_BETWEEN expr K_AND", "K_BETWEEN '(' expr ')' K_AND"),
    ),
    Deviation(
        "LIKE with ESCAPE",
        ("expr:17",),
        replaced("expr ( K_ESCAPE expr )?", "( expr | '(' expr ')' K_ESCAPE expr )"),
    ),
    Deviation(
        "DEFAULT VALUES in triggers",
        ("insert_stmt:1.5:3", "trigger_insert_stmt:1.4:3", "trigger_insert_stmt:1.5:3"),
        no_default,
    ),
)


def rank_in(result: BlackBox, deviation: Deviation, kind: SpectrumKind, name: str) -> float:
    """The rank of a deviation's first element."""
    found = result.localization
    ranking = rank_spectra(found.basis.matrices[kind], found.grammar, metric(name), Ties.KMAX)
    for element, rank in zip(ranking.elements.tolist(), ranking.ranks.tolist(), strict=True):
        rule = element if kind is SpectrumKind.RULE else found.grammar.split_item(element)[0]
        if deviation.shows_in(found.grammar.rules[rule].label):
            return float(rank)
    return float("inf")


def campaign(grammar: Path, model: str, plan: Plan, state: Path) -> BlackBox:
    """Run one and say how fast it was."""
    marks: list[float] = []

    def progress(done: int, total: int) -> None:
        if done in (1, total):
            marks.append(time.perf_counter())

    result = blackbox(
        grammar, SYSTEM, plan, model=str(FOLDER / f"{model}.toml"), state=state, rounds=12,
        all_spectra=True, progress=progress,
    )  # fmt: skip
    if len(marks) == 2 and result.asked > 1000:
        rate = f", {(result.asked - 1) / (marks[1] - marks[0]):,.0f} answers/s"
    else:
        rate = ""
    total, failing = len(result.localization.suite), result.localization.n_failing
    print(f"  {failing:,} of {total:,} tests fail, {result.asked:,} asked{rate}", flush=True)
    return result


def generation_rate(grammar: Path, model: str, plan: Plan) -> None:
    """Tests per second: derivations, and with texts that the lexer reads back."""
    loaded, texts = read_grammar(str(grammar), model=str(FOLDER / f"{model}.toml"))
    for what, written in (("derivations", None), ("texts", texts)):
        begin, number = time.perf_counter(), 0
        for test in Generation(loaded, plan, written):
            number += 1
            if written is not None:
                written.text(test.tokens)
        if number:  # without the lexer, texts of a model that have blanks are no tokens
            print(f"  {number / (time.perf_counter() - begin):,.0f} {what}/s", flush=True)


def mended(grammar: Path, model: str, plan: Plan, state: Path) -> None:
    """One deviation after the other: localize, mend, run again."""
    for _ in DEVIATIONS:
        result = campaign(grammar, model, plan, state)
        for found in result.deviations:
            test = min((t.test.text for t in found.explained), key=len)
            message = next(t.error.message if t.error else "accepted" for t in found.explained)
            print(f"    [{found.element.label}, {len(found.explained)} tests] {test}: {message}")
        ranking = result.localization.ranking
        deviation = next(
            (d for e in ranking for d in DEVIATIONS if d.shows_in(e.grammar.rules[e.rule].label)),
            None,
        )
        if deviation is None:
            return
        ranks = ", ".join(
            f"{kind} {name} {rank_in(result, deviation, kind, name):g}"
            for kind in (SpectrumKind.ITEM, SpectrumKind.RULE)
            for name in ("ochiai", "tarantula")
        )
        print(f"  mended: {deviation.name} (rank by {ranks})", flush=True)
        grammar.write_text(deviation.mend(grammar.read_text()))
    campaign(grammar, model, plan, state)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("grammar", type=Path)
    parser.add_argument("--criterion", action="append", help="by default deriv and bfs:2")
    parser.add_argument("--model", action="append", choices=MODELS, help="by default all")
    arguments = parser.parse_args()
    plan = Plan(tuple(arguments.criterion or ("deriv", "bfs:2")))
    print(f"SQLite {sqlite3.sqlite_version}, {', '.join(plan.criteria)}")
    with tempfile.TemporaryDirectory() as folder:
        grammar = Path(folder, "SQLite.g4")
        grammar.write_text(arguments.grammar.read_text())
        for model in arguments.model or MODELS:
            print(f"{model}:", flush=True)
            generation_rate(grammar, model, plan)
            mended(grammar, model, plan, Path(folder, "answers"))


if __name__ == "__main__":
    main()
