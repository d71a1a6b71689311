"""How well real faults of ANTLR grammars are localized.

    python benchmarks/realfaults.py FOLDER [--only NAME...] [--json FILE]

Every folder below FOLDER is a case: ``before/`` holds a faulty grammar, ``accept/`` inputs of which
it rejects some wrongly, ``reject/`` (if there is one) inputs that it should reject, and
``meta.json`` says which rules are to blame (``core_rules``, else ``changed_parser_rules``) and how
to run it (``parser_file``, ``lexer_file``, ``start_rule``, ``case_insensitive``).

Each case is run once; then its parser rules are ranked, by the best element of each, for every
spectrum, extraction, kind of evidence and metric. A rank is that of the best core rule, ties by
mean rank: a core rule that shares the first place with another rule has rank 1.5 and is not first.
*Inspected* is the mean of rank / number of parser rules.

The baseline is what ANTLR's own error message gives: the rule that was active at the error, then
its callers outwards; several failing inputs are merged by distance, and the rules not active at
any error follow in no order.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np

from gramspect.edits.failing import Searched, search_failing
from gramspect.edits.scores import proposals, rank_edits
from gramspect.effort import Effort
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import (
    ChartTrace,
    Extraction,
    Observation,
    Trace,
    Undecided,
    Verdict,
)
from gramspect.scoring.evidence import Evidence, depth_scores
from gramspect.scoring.metrics import metric
from gramspect.scoring.ranking import Ranking, Ties, group_by_nonterminal, rank_spectra
from gramspect.spectrum.extraction import observe
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import Expectation, TestSuite
from gramspect_antlr import adapter
from gramspect_antlr.recognizer import AntlrRecognizer, Rejection

METRICS = ("tarantula", "ochiai", "jaccard", "dstar", "op2", "zoltar")
EXTRACTIONS = (Extraction.EXACT, Extraction.ALL)
BASELINE = ("ANTLR's error and callers",)
BEST = (SpectrumKind.ITEM, Extraction.EXACT, Evidence.EDITS, "ochiai")


Setting = tuple[str, ...]
"""What a rank was found with: spectrum, extraction, evidence, metric."""


@dataclass
class Result:
    """One case: the rank of the best core rule by setting, or why there is none.

    `seconds` are processor time: until the ranking by edits is there, and for the search alone.
    `edits` says for how many elements there is one that makes a failing test pass, `edit` the first
    of the first such element.
    """

    name: str
    rules: int = 0
    tests: int = 0
    seconds: float = 0.0
    seconds_for_edits: float = 0.0
    problem: str = ""
    edits: int = 0
    edit: str = ""
    ranks: dict[Setting, float] = field(default_factory=dict)


def main() -> None:
    arguments = argparse.ArgumentParser(description="Localizes real faults of ANTLR grammars.")
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--only", nargs="+", default=[], help="parts of the names of cases")
    arguments.add_argument("--json", type=Path, help="where to write the rank of every case")
    options = arguments.parse_args()
    results = []
    for folder in sorted(path.parent for path in options.folder.glob("*/meta.json")):
        if not options.only or any(part in folder.name for part in options.only):
            results.append(run_case(folder))
            print(progress(results[-1]), flush=True)
    print()
    print_table(results)
    if options.json:
        options.json.write_text(json.dumps([as_json(result) for result in results], indent=1))


def run_case(folder: Path) -> Result:
    """Load the grammar, run the inputs and rank."""
    result = Result(folder.name)
    begin = time.process_time()
    try:
        meta = json.loads((folder / "meta.json").read_text())
        system = load(folder / "before", meta)
        rejected = [folder / "reject"] if (folder / "reject").is_dir() else []
        suite = TestSuite.load([folder / "accept"], rejected)
        blamed = meta.get("core_rules") or meta["changed_parser_rules"]
        rank_case(system, suite, blamed, result, begin)
    except GramspectError as problem:
        result.problem = str(problem)
    return result


def load(folder: Path, meta: dict[str, Any]) -> AntlrRecognizer:
    """The recognizer of a case."""
    extra = {}
    if meta["lexer_file"]:
        extra["lexer"] = str(folder / meta["lexer_file"])
    if meta["case_insensitive"]:
        extra["case"] = meta["case_insensitive"]
    options = LoadOptions(start=meta["start_rule"], extra=extra)
    return adapter.load(str(folder / meta["parser_file"]), options)


def rank_case(
    system: AntlrRecognizer, suite: TestSuite, core: Sequence[str], result: Result, begin: float
) -> None:
    """The ranks of the best core rule, with every setting."""
    grammar = system.grammar
    wanted = {grammar.symbol(name) for name in core}
    result.rules = sum(symbol.owner is None for symbol in grammar.nonterminals)
    result.tests = len(suite)
    traces = system.traces(suite.tests)
    searched = search_case(system, suite, traces, result)
    for extraction in EXTRACTIONS:
        observations = [observe(trace, extraction) for trace in traces]
        note_problem(observations, suite, result)
        for kind in SpectrumKind:
            evaluate(kind, extraction, grammar, suite, observations, searched, wanted, result)
            if not result.seconds:
                result.seconds = time.process_time() - begin
    result.ranks[BASELINE] = baseline(system, suite, wanted)


def search_case(
    system: AntlrRecognizer, suite: TestSuite, traces: Sequence[Trace], result: Result
) -> tuple[Searched, ...]:
    """The edits for the failing tests."""
    decided = [(n, t) for n, t in enumerate(traces) if not isinstance(t, Undecided)]
    failing, passing = [], []
    for number, trace in decided:
        wanted = suite.tests[number].expectation is Expectation.ACCEPT
        if isinstance(trace, ChartTrace) is wanted:
            failing.append((number, suite.tests[number]))
        else:
            passing.append(suite.tests[number])
    begin = time.process_time()
    searched = search_failing(system, failing, Effort.NORMAL.steps, passing)
    result.seconds_for_edits = time.process_time() - begin
    return searched


def evaluate(
    kind: SpectrumKind,
    extraction: Extraction,
    grammar: Grammar,
    suite: TestSuite,
    observations: Sequence[Observation],
    searched: Sequence[Searched],
    wanted: set[int],
    result: Result,
) -> None:
    """The ranks by every kind of evidence and metric for one kind of spectrum."""
    expectations = [test.expectation for test in suite]
    n_elements = kind.n_elements(grammar)
    matrix = SpectrumMatrix.from_observations(kind, n_elements, observations, expectations)
    depths = depth_scores(kind, grammar, observations, expectations)
    for evidence in Evidence:
        for name in METRICS if evidence is not Evidence.ERROR else ("-",):
            measure = metric(METRICS[0] if name == "-" else name)
            if evidence is Evidence.EDITS:
                ranking = rank_edits(matrix, grammar, measure, Ties.MID, depths, searched)
            else:
                ranking = rank_spectra(
                    matrix, grammar, measure, Ties.MID, evidence=evidence, depths=depths
                )
            ranks = group_by_nonterminal(ranking, grammar)
            if len(ranks):
                best = min(ranks.rank_of(symbol) for symbol in wanted)
                result.ranks[kind, extraction, evidence, name] = best
            if (kind, extraction, evidence, name) == BEST:
                note_edit(ranking, grammar, searched, result)


def note_edit(
    ranking: Ranking, grammar: Grammar, searched: Sequence[Searched], result: Result
) -> None:
    """Say what the first edit of the ranking is."""
    proposed = proposals(searched)
    result.edits = len(proposed)
    item = next((item for item in ranking.elements.tolist() if item in proposed), None)
    if item is not None:
        owner = grammar.user_nonterminal(grammar.rules[grammar.split_item(item)[0]].lhs)
        said = proposed[item][0].edit.describe(grammar)
        result.edit = f"{grammar.symbols[owner].name}: {said}"


def note_problem(observations: Iterable[Observation], suite: TestSuite, result: Result) -> None:
    """Say if inputs were undecided or all were as expected."""
    undecided = [o.reason for o in observations if o.verdict is Verdict.UNDECIDED]
    if undecided:
        result.problem = f"{len(undecided)} of {len(suite)} inputs undecided: {undecided[0]}"


def baseline(system: AntlrRecognizer, suite: TestSuite, wanted: set[int]) -> float:
    """The mid-rank of the best wanted rule, by least distance from an error that ANTLR reports."""
    grammar = system.grammar
    distance: dict[int, int] = {}
    outcomes = system.outcomes([test.text for test in suite])
    for test, outcome in zip(suite, outcomes, strict=True):
        if isinstance(outcome, Rejection) and test.expectation is Expectation.ACCEPT:
            for steps, name in enumerate(dict.fromkeys(outcome.rules)):
                symbol = grammar.symbol(name)
                distance[symbol] = min(steps, distance.get(symbol, steps))
    return min(mid_rank(grammar, distance, symbol) for symbol in wanted)


def mid_rank(grammar: Grammar, distance: dict[int, int], symbol: int) -> float:
    far = len(grammar.symbols)
    own = distance.get(symbol, far)
    all_distances = np.array(
        [distance.get(s.index, far) for s in grammar.nonterminals if s.owner is None]
    )
    return float((all_distances < own).sum() + ((all_distances == own).sum() + 1) / 2)


# --- output --------------------------------------------------------------------------------


def progress(result: Result) -> str:
    ranks = ", ".join(
        f"{label} {result.ranks[setting]:g}"
        for label, setting in (
            ("spectrum", ("item", "exact", "spectrum", "ochiai")),
            ("both", ("item", "exact", "both", "ochiai")),
            ("edits", ("item", "exact", "edits", "ochiai")),
            ("baseline", BASELINE),
        )
        if setting in result.ranks
    )
    head = (
        f"{result.name:28} {result.rules:5} rules {result.tests:4} inputs"
        f" {result.seconds:6.1f} s (edits {result.seconds_for_edits:.1f})"
    )
    return f"{head}  {ranks}  {result.problem}\n    {result.edit}".rstrip()


def print_table(results: Sequence[Result]) -> None:
    """One line for every setting."""
    by_setting: dict[Setting, list[tuple[float, int]]] = defaultdict(list)
    for result in results:
        for setting, rank in result.ranks.items():
            by_setting[setting].append((rank, result.rules))
    titles = ("first", "top 3", "top 5", "top 10", "inspected", "cases")
    print(f"{'spectrum extraction evidence metric':44}", *(f"{title:>9}" for title in titles))
    for setting, found in by_setting.items():
        ranks = [rank for rank, _ in found]
        shares = [sum(rank <= limit for rank in ranks) / len(results) for limit in (1, 3, 5, 10)]
        inspected = mean(rank / rules for rank, rules in found)
        cells = [f"{share:9.1%}" for share in [*shares, inspected]]
        label = " ".join(f"{part:10}" for part in setting) if len(setting) > 1 else setting[0]
        print(f"{label:44}", *cells, f"{len(ranks):9}")
    seconds = [result.seconds for result in results]
    print(f"\n{len(results)} cases; seconds of processor time until a case is ranked:"
          f" median {median(seconds):.1f}, longest {max(seconds):.1f}")  # fmt: skip
    edits = [result.seconds_for_edits for result in results]
    print(f"of these the search for edits: median {median(edits):.1f}, longest {max(edits):.1f}")
    for result in results:
        if result.problem:
            print(f"{result.name}: {result.problem}")


def as_json(result: Result) -> dict[str, Any]:
    ranks = {" ".join(setting): rank for setting, rank in result.ranks.items()}
    return {
        "case": result.name,
        "rules": result.rules,
        "tests": result.tests,
        "seconds": round(result.seconds, 2),
        "seconds_for_edits": round(result.seconds_for_edits, 2),
        "problem": result.problem,
        "edits": result.edits,
        "edit": result.edit,
        "ranks": ranks,
    }


if __name__ == "__main__":
    main()
