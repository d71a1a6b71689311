"""How often the edit that undoes a fault in a real tool's grammar is the first one.

    python benchmarks/seeded_edits_tools.py [--mutants N] [--jobs N] [--only LANGUAGE...] [-v]

As `seeded_edits.py`, but the faults are written into the text of a grammar: pycparser's C, which
PLY runs with its lexer and its actions, and grammars of Lark. For every operator N faults are drawn
(`gramspect.grammars.seeding`) from what the user wrote, but not inside of repetitions. Left out are
those that the tool refuses, those that no test of the language's suite (`fixtures`) shows, those
that leave fewer than `FEWEST_PASSING` passing tests, those in rules that are made from templates,
and those with which an action raises an exception: its traceback names the rule.

"first": the tool, given the text with the first of the suggestions (`gramspect.suggest`) made, has
the right verdict on every test. "rule 1" and "rule 5" are about the definition with the fault,
among all definitions of the grammar. "token lost": faults with which a token occurs nowhere in the
grammar any more, so that its lexer or its parser does not know it.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from edit_figures import Found, missed, print_tables, rank_among
from gramspect import Localization, Suggestion, TestSuite, suggest
from gramspect.campaigns.written import as_edit
from gramspect.edits.validation import Status
from gramspect.edits.writing import Unwritable, written
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutant, Mutation, sample
from gramspect.grammars.symbols import Operator
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import Verdict
from gramspect.running.observing import silenced
from gramspect.running.runner import run
from gramspect.suites.suite import Expectation
from ranking import machine

FIXTURES = Path(__file__).parents[1] / "fixtures"
SEED = 1
FEWEST_PASSING = 5
BUDGET = 600.0
"""Seconds for each fault: so many that no search ends before it is done."""
CONFIRMED = 5

_ALONE = '''

class AloneParser(CParser):
    """Tables of its own, which are not kept on disk."""

    def __init__(self):
        from tempfile import TemporaryDirectory

        with TemporaryDirectory() as folder:
            super().__init__(yacc_optimize=False, yacctab="alone_tab", taboutputdir=folder)
'''


def text_of(package: str, file: str) -> str:
    """A file of an installed package."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return (Path(spec.origin).parent / file).read_text()


def c_parser() -> str:
    """pycparser's module as one that can be changed."""
    text = text_of("pycparser", "c_parser.py")
    return text.replace("from .", "from pycparser.").replace("pycparser. ", "pycparser ") + _ALONE


@dataclass(frozen=True)
class Tool:
    """A grammar's text, the file it is in, who runs it and how, and the folder of its suite."""

    adapter: str
    text: Callable[[], str]
    file: str
    attribute: str
    options: LoadOptions
    folder: str

    @property
    def suite(self) -> TestSuite:
        folder = FIXTURES / self.folder
        return TestSuite.load([folder / "accept"], [folder / "reject"])

    def load(self, path: Path) -> Grammar:
        with silenced():
            return adapter(self.adapter).load(f"{path}{self.attribute}", self.options).grammar


LANGUAGES = {
    "C (ply)": Tool("ply", c_parser, "c_parser.py", ":AloneParser", LoadOptions(), "c"),
    "HCL (lark-lalr)": Tool(
        "lark-lalr",
        lambda: text_of("hcl2", "hcl2.lark"),
        "hcl2.lark",
        "",
        LoadOptions(extra={"postlex": "hcl2.postlexer:PostLexer"}),
        "lark_hcl",
    ),
    "Python (lark-lalr)": Tool(
        "lark-lalr",
        lambda: text_of("lark", "grammars/python.lark"),
        "python.lark",
        "",
        LoadOptions("file_input", extra={"postlex": "lark.indenter:PythonIndenter"}),
        "lark_python",
    ),
    "Lark (lark-earley)": Tool(
        "lark-earley",
        lambda: text_of("lark", "grammars/lark.lark"),
        "lark.lark",
        "",
        LoadOptions(),
        "lark_lark",
    ),
}


@cache
def correct(name: str) -> tuple[Grammar, TemporaryDirectory[str]]:
    """The grammar as it should be, and the folder that its file is in."""
    tool, folder = LANGUAGES[name], TemporaryDirectory()
    path = Path(folder.name) / tool.file
    path.write_text(tool.text())
    return tool.load(path), folder


@cache
def faults(name: str, operator: Mutation, count: int) -> list[Mutant]:
    """Faults in what the user wrote, as far as there are so many."""
    grammar, _ = correct(name)
    drawn = sample(grammar, 100 * count, SEED, [operator])
    return [mutant for mutant in drawn if _is_written(mutant)][:count]


def _is_written(mutant: Mutant) -> bool:
    """Whether a fault is one that somebody could write."""
    grammar = mutant.original
    place = grammar.symbols[mutant.nonterminal]
    if place.operator not in (None, Operator.OPTION, Operator.GROUP):
        return False
    if place.operator is not None and mutant.original_rule is None:
        return False
    if place.operator is Operator.OPTION and not grammar.rules[mutant.original_rule or 0].rhs:
        return mutant.operator is Mutation.DELETED_ALTERNATIVE
    if mutant.symbol is None:
        return True
    new = grammar.symbols[mutant.symbol]
    return new.operator is None and not new.name.startswith(("$", "__"))


def experiment(task: tuple[str, Mutation, int, int]) -> Found | str:
    """Write one fault, see what is suggested, and judge it; or why it is left out."""
    name, operator, count, number = task
    mutant = faults(name, operator, count)[number]
    tool = LANGUAGES[name]
    try:
        change = written(mutant.original, as_edit(mutant))
    except Unwritable:
        return "cannot be written"
    with TemporaryDirectory() as folder:
        path = Path(folder) / tool.file
        path.write_bytes(change.changed.encoded())
        try:
            return suggested(name, mutant, f"{path}{tool.attribute}")
        except GramspectError:
            return "refused by the tool"


def suggested(name: str, mutant: Mutant, source: str) -> Found | str:
    tool = LANGUAGES[name]
    suite, how = tool.suite, tool.options
    reason = unsuitable(tool, suite, source)
    if reason:
        return reason
    begin = time.process_time()
    found = suggest(
        source, suite, load=replace(how, adapter=tool.adapter), budget=BUDGET, most=CONFIRMED,
        confirm=CONFIRMED,
    )  # fmt: skip
    seconds = time.process_time() - begin
    mended = [is_mended(one, tool, suite) for one in found.suggestions]
    rank = rank_of_definition(found.localization, mutant)
    best = described(found.suggestions[0]) if found.suggestions else ""
    return Found(name, mutant, any(mended[:1]), any(mended), None, None, rank, None, seconds, best)


def unsuitable(tool: Tool, suite: TestSuite, source: str) -> str:
    """Why a fault is left out, nothing if it is not."""
    right = verdicts(tool, suite, source)
    if None in right:
        return "an action raises an exception"
    if all(right):
        return "shown by no test"
    return "too few tests pass" if sum(map(bool, right)) < FEWEST_PASSING else ""


def verdicts(tool: Tool, suite: TestSuite, source: str) -> list[bool | None]:
    """Whether each test has the right verdict in the tool, None if it is undecided."""
    with silenced():
        recognizer = adapter(tool.adapter).load(source, tool.options)
    return [
        None
        if found.verdict is Verdict.UNDECIDED
        else (found.verdict is Verdict.ACCEPTED) is (test.expectation is Expectation.ACCEPT)
        for test, found in zip(suite, run(recognizer, suite.tests), strict=True)
    ]


def is_mended(one: Suggestion, tool: Tool, suite: TestSuite) -> bool:
    """Whether the tool, given the changed text, has the right verdict on every test."""
    if one.status is not Status.VALIDATED or one.change is None:
        return False
    with TemporaryDirectory() as folder:
        path = Path(folder) / tool.file
        path.write_bytes(one.change.changed.encoded())
        try:
            return all(verdicts(tool, suite, f"{path}{tool.attribute}"))
        except GramspectError:
            return False


def described(one: Suggestion) -> str:
    """A suggestion in words, and what the tool says of it."""
    said = one.confirmation.agreement if one.confirmation else "not confirmed"
    fixed = len(one.effect.fixed)
    return f"in {one.nonterminal}, {one.describe()} ({one.status}, {said}, fixes {fixed})"


def rank_of_definition(result: Localization, mutant: Mutant) -> float:
    """The rank of the definition that has the fault."""
    grammar = result.grammar
    written_ones = [s.index for s in grammar.nonterminals if s.owner is None]
    home = mutant.original.symbols[mutant.original.user_nonterminal(mutant.nonterminal)].name
    wanted = [index for index in written_ones if grammar.symbols[index].name == home]
    assert wanted, f"the grammar has no {home}"
    return rank_among(
        result,
        wanted,
        lambda rule: grammar.user_nonterminal(grammar.rules[rule].lhs),
        len(written_ones),
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures edits that undo faults in tools.")
    arguments.add_argument("--mutants", type=int, default=15, help="per language and operator")
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--only", nargs="+", default=list(LANGUAGES), choices=LANGUAGES)
    arguments.add_argument("-v", "--verbose", action="store_true", help="show what was missed")
    options = arguments.parse_args()
    tasks = [
        (name, operator, options.mutants, number)
        for name in options.only
        for operator in Mutation
        for number in range(len(faults(name, operator, options.mutants)))
    ]
    with ProcessPoolExecutor(options.jobs) as pool:
        results = []
        for each in pool.map(experiment, tasks):
            results.append(each)
            if options.verbose and isinstance(each, Found) and not each.first:
                print(missed(each), flush=True)
    found = [each for each in results if isinstance(each, Found)]
    left_out = Counter(
        (task[0], each) for task, each in zip(tasks, results, strict=True) if isinstance(each, str)
    )
    print(f"{len(tasks)} faults, {len(found)} shown by their suites; {machine()}")
    for (name, reason), count in left_out.items():
        print(f"left out: {name}: {count} {reason}")
    print_tables(found)


if __name__ == "__main__":
    main()
