"""Which way of ranking finds seeded faults: the measurements after the defaults.

    python benchmarks/seeded_faults.py [--mutants N] [--draws N] [--jobs N]

Single faults are put into the grammars of the toy language, of SIMPL and of C (pycparser's), a
sample of each operator, and looked for with

* `coverage`: a systematic suite of sentences, every rule in every place where it can stand;
* `mixed`: the same and as many non-sentences, one token away from one of them;
* `one file`: one sentence that fails and two to five that pass, drawn again and again. They are
  long: random programs, for C some snippets of `fixtures/c` put together.

The parsers are LALR(1), conflicts resolved as yacc does. Faults that no test shows are left out,
and those that leave fewer than five passing tests. What counts is the rank of the faulty rule
among the rules, by its best position where positions are ranked; members of a tie share the rank
in its middle. Where an alternative was deleted, the best rule of its non-terminal counts. Depths
are read off at most `DEPTH_TESTS` failing tests of a suite. Every operator of every language has
the same weight in a mean. Faults in the first symbol of a rule (position one) are shown apart, as
in Raselimo and Fischer (2024, Section 7)."""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from gramspect.builtin.native import NativeRecognizer, adapter
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutant, Mutation, sample
from gramspect.localization.results import Method as Defaults
from gramspect.recognition.trace import Extraction, Observation
from gramspect.scoring import evidence as evidence_module
from gramspect.scoring.evidence import (
    DEPTH_FLOOR,
    PREDICTED_WEIGHT,
    SPECTRUM_FLOOR,
    Evidence,
    depth_scores,
    scores,
)
from gramspect.scoring.metrics import METRICS
from gramspect.scoring.ranking import Ties, rank, rule_ranking
from gramspect.spectrum.extraction import observe
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import Expectation, TestCase
from languages import LANGUAGES, language
from ranking import machine
from sentences import Sentence, pack

SUITES = ("coverage", "mixed", "one file")
DEPTH_TESTS = 200
FEWEST_PASSING = 5

KINDS = (SpectrumKind.RULE, SpectrumKind.ITEM)
EXTRACTIONS = (Extraction.EXACT, Extraction.ALL)
EVIDENCE = (Evidence.SPECTRUM, Evidence.ERROR, Evidence.BOTH)
WEIGHTS = (0.0, 0.25, 0.5, 1.0)
SPECTRUM_FLOORS = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)
DEPTH_FLOORS = (0.0, 0.05, 0.1, 0.2, 0.5)


class Method(NamedTuple):
    """A way of ranking: the choices of `localize`, and the constants of
    `gramspect.scoring.evidence`."""

    kind: SpectrumKind = Defaults.spectrum
    extraction: Extraction = Defaults.extraction
    evidence: Evidence = Evidence.BOTH
    metric: str = Defaults.metric
    ties: Ties = Defaults.ties
    weight: float = PREDICTED_WEIGHT
    floor: float = SPECTRUM_FLOOR
    depth_floor: float = DEPTH_FLOOR


PAPER = Method(evidence=Evidence.SPECTRUM, metric="ochiai")
"""Raselimo and Fischer's own, with the metric they recommend."""
OURS = Method()


class Found(NamedTuple):
    """Where the fault was, in one experiment: the ranks of its rule and of its position."""

    language: str
    suite: str
    operator: Mutation
    position_one: bool
    method: Method
    rule: float
    of_rules: int
    item: float | None
    of_items: int


def choices() -> Iterator[Method]:
    """The combinations of spectrum, extraction, evidence and metric."""
    for kind in KINDS:
        for extraction in EXTRACTIONS:
            for evidence in EVIDENCE:
                for metric in METRICS if evidence is not Evidence.ERROR else [Defaults.metric]:
                    yield Method(kind, extraction, evidence, metric)


def constants() -> Iterator[Method]:
    """Our own, with one constant changed."""
    yield from (OURS._replace(weight=weight) for weight in WEIGHTS)
    yield from (OURS._replace(floor=floor) for floor in SPECTRUM_FLOORS)
    yield from (OURS._replace(depth_floor=floor) for floor in DEPTH_FLOORS)


def ways_to_resolve_ties() -> Iterator[Method]:
    """The paper's and our own with each way to resolve ties."""
    yield from (method._replace(ties=ties) for method in (PAPER, OURS) for ties in Ties)


METHODS = tuple(dict.fromkeys([*choices(), *constants(), *ways_to_resolve_ties()]))


# --- experiments ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Run:
    """What the parser of a mutant did with a suite: for each extraction item bits and failures."""

    recognizer: NativeRecognizer
    sentences: Sequence[Sentence]
    expected: NDArray[np.uint8]
    matrices: dict[Extraction, SpectrumMatrix]

    @classmethod
    def of(
        cls, recognizer: NativeRecognizer, accept: Sequence[Sentence], reject: Sequence[Sentence]
    ) -> Run:
        sentences = [*accept, *reject]
        expected = np.repeat(np.array([0, 1], np.uint8), [len(accept), len(reject)])
        packed = pack(sentences)
        kind = SpectrumKind.ITEM
        matrices = {}
        for extraction in EXTRACTIONS:
            words, verdicts = recognizer.record_tokens(*packed, extraction, kind, compiled=True)
            n_elements = kind.n_elements(recognizer.grammar)
            matrices[extraction] = SpectrumMatrix.from_test_words(
                kind, n_elements, words, verdicts, expected
            )
        return cls(recognizer, sentences, expected, matrices)

    @property
    def verdicts(self) -> SpectrumMatrix:
        return self.matrices[Extraction.EXACT]

    def observation(self, test: int) -> Observation:
        """Depths and all, of one test."""
        names = [symbol.name for symbol in self.recognizer.grammar.symbols]
        tokens = tuple(names[t] for t in self.sentences[test])
        return observe(self.recognizer.trace(TestCase("", Expectation.ACCEPT, "", tokens)))

    def part(self, tests: Sequence[int]) -> dict[Extraction, SpectrumMatrix]:
        """The matrices of some of the tests."""
        return {extraction: _part(matrix, tests) for extraction, matrix in self.matrices.items()}


def _part(matrix: SpectrumMatrix, tests: Sequence[int]) -> SpectrumMatrix:
    """The columns of some tests."""
    flags = np.zeros((len(tests), 32 * -(-matrix.n_elements // 32)), np.uint8)
    for row, test in enumerate(tests):
        flags[row, matrix.elements_of(test)] = 1
    words = np.packbits(flags, axis=1, bitorder="little").view("<u4").astype(np.uint32)
    codes = matrix.verdicts[tests], matrix.expectations[tests]
    return SpectrumMatrix.from_test_words(matrix.kind, matrix.n_elements, words, *codes)


def _of_rules(matrix: SpectrumMatrix, grammar: Grammar) -> SpectrumMatrix:
    """The spectrum of rules in that of items: a rule is executed if its first item is."""
    bits = matrix.bits[list(grammar.item_start[:-1])]
    codes = matrix.verdicts, matrix.expectations
    return SpectrumMatrix(SpectrumKind.RULE, bits, matrix.n_tests, *codes)


def experiments(mutant: Mutant, name: str, draws: int, seed: int) -> Iterator[Found]:
    """All ranks of one seeded fault."""
    spoken = language(name)
    random = Random(seed)
    recognizer = adapter.build(mutant.grammar)
    for suite in SUITES:
        accept = spoken.files if suite == "one file" else spoken.coverage
        run = Run.of(recognizer, accept, spoken.negative if suite == "mixed" else ())
        failing = np.flatnonzero(run.verdicts.failing).tolist()
        passing = np.flatnonzero(run.verdicts.passing).tolist()
        if not failing or len(passing) < FEWEST_PASSING:
            continue
        if suite == "one file":
            chosen = [
                [random.choice(failing), *random.sample(passing, random.randint(2, 5))]
                for _ in range(draws)
            ]
            cases = [(run.part(tests), tests[:1]) for tests in chosen]
        else:
            cases = [(run.matrices, random.sample(failing, min(len(failing), DEPTH_TESTS)))]
        for matrices, located in cases:
            observations = [run.observation(test) for test in located]
            expectations = [list(Expectation)[run.expected[test]] for test in located]
            for method, rule, item in ranks(mutant, matrices, observations, expectations):
                yield Found(
                    name, suite, mutant.operator, mutant.position_one, method,
                    rule, mutant.grammar.n_rules, item, mutant.grammar.n_items,
                )  # fmt: skip


def ranks(
    mutant: Mutant,
    matrices: dict[Extraction, SpectrumMatrix],
    observations: Sequence[Observation],
    expectations: Sequence[Expectation],
) -> Iterator[tuple[Method, float, float | None]]:
    """The ranks of the faulty rule and the faulty position by every method."""
    grammar = mutant.grammar
    wanted = grammar.rules_of[mutant.nonterminal] if mutant.rule is None else [mutant.rule]
    depths = {
        (kind, weight): depth_scores(kind, grammar, observations, expectations, weight)
        for kind in KINDS
        for weight in WEIGHTS
    }
    for method in METHODS:
        matrix = matrices[method.extraction]
        if method.kind is SpectrumKind.RULE:
            matrix = _of_rules(matrix, grammar)
        depth = depths[method.kind, method.weight]
        floors = {"SPECTRUM_FLOOR": method.floor, "DEPTH_FLOOR": method.depth_floor}
        with patch.multiple(evidence_module, **floors):
            found = scores(matrix, METRICS[method.metric], method.evidence, depth)
        ranking = rank(found, grammar, method.kind, method.ties)
        rules = rule_ranking(ranking, grammar)
        by_item = method.kind is SpectrumKind.ITEM and mutant.item is not None
        yield (
            method,
            min(rules.rank_of(rule) for rule in wanted),
            ranking.rank_of(mutant.item) if by_item else None,  # type: ignore[arg-type]
        )


def job(task: tuple[str, Mutant, int, int]) -> list[Found]:
    """The experiments with one mutant, in a worker."""
    name, mutant, draws, seed = task
    return list(experiments(mutant, name, draws, seed))


# --- tables --------------------------------------------------------------------------------


Summary = tuple[float, float, float, float]
"""In per cent: ranks of at most 1, 3 and 5, and the mean share of the elements looked at."""


def summary(found: Iterable[Found], items: bool = False) -> Summary | None:
    """The mean over operators and languages; of the position instead of the rule if `items`."""
    cells: dict[tuple[str, Mutation], list[tuple[bool, bool, bool, float]]] = defaultdict(list)
    for each in found:
        place, size = (each.item, each.of_items) if items else (each.rule, each.of_rules)
        if place is not None:
            row = (place <= 1, place <= 3, place <= 5, place / size)
            cells[each.language, each.operator].append(row)
    if not cells:
        return None
    means = [np.mean(rows, axis=0) for rows in cells.values()]
    first, third, fifth, seen = (100 * np.mean(means, axis=0)).tolist()
    return first, third, fifth, seen


class Tables:
    """Prints tables with a column of four figures for each suite."""

    def __init__(self, found: Sequence[Found]) -> None:
        self._found: dict[tuple[Method, str, bool], list[Found]] = defaultdict(list)
        for each in found:
            self._found[each.method, each.suite, each.position_one].append(each)

    def print(
        self,
        title: str,
        methods: Iterable[Method],
        name: Callable[[Method], str],
        *,
        position_one: bool = False,
        items: bool = False,
        keep: Callable[[Found], bool] = lambda _: True,
    ) -> None:
        """A row for each method; `keep` chooses among the experiments."""
        rows = {}
        for method in dict.fromkeys(methods):
            chosen = (filter(keep, self._found[method, s, position_one]) for s in SUITES)
            rows[name(method)] = [summary(each, items) for each in chosen]
        print_rows(title, rows)


def print_rows(title: str, rows: dict[str, list[Summary | None]]) -> None:
    width = max(map(len, rows))
    print(f"\n{title}\n{'':{width}}" + "".join(f"  | {suite:^23}" for suite in SUITES))
    print(f"{'':{width}}" + f"  | {'first':>5} {'top 3':>5} {'top 5':>5} {'seen':>5}" * len(SUITES))
    for name, cells in rows.items():
        figures = (
            " ".join(f"{value:5.1f}" for value in cell) if cell else f"{'-':>23}" for cell in cells
        )
        print(f"{name:{width}}" + "".join(f"  | {each}" for each in figures))


def choice_name(method: Method) -> str:
    metric = "" if method.evidence is Evidence.ERROR else method.metric
    return f"{method.kind:4}  {method.extraction:5}  {method.evidence:8}  {metric:9}"


def constants_name(method: Method) -> str:
    return f"predicted {method.weight:4}, spectrum {method.floor:4}, depth {method.depth_floor:4}"


def report(found: Sequence[Found]) -> None:
    """All tables."""
    tables = Tables(found)
    tables.print("Rank of the faulty rule", choices(), choice_name)
    tables.print("The same, position-one faults", choices(), choice_name, position_one=True)
    tables.print("Constants of the evidence", constants(), constants_name)
    tables.print("The same, position-one faults", constants(), constants_name, position_one=True)
    tables.print(
        "Rank of the faulty position among all positions, by how ties are resolved",
        ways_to_resolve_ties(),
        lambda method: f"{method.evidence:8}  {method.metric:6}  {method.ties:5}",
        items=True,
    )
    for label, key, values in (
        ("language", "language", LANGUAGES),
        ("operator", "operator", tuple(Mutation)),
    ):
        for value in values:
            tables.print(
                f"Rank of the faulty rule, {label} {value}",
                (PAPER, OURS),
                lambda method: f"{method.evidence:8}  {method.metric:6}",
                keep=lambda each, key=key, value=value: getattr(each, key) == value,  # type: ignore[misc]
            )


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures how seeded faults are ranked.")
    arguments.add_argument("--mutants", type=int, default=40, help="per language and operator")
    arguments.add_argument("--draws", type=int, default=8, help="of single files per mutant")
    arguments.add_argument("--jobs", type=int, default=2)
    options = arguments.parse_args()
    begin = time.perf_counter()
    tasks = [
        (name, mutant, options.draws, number)
        for name in LANGUAGES
        for operator in Mutation
        for number, mutant in enumerate(
            sample(language(name).grammar, options.mutants, 1, [operator])
        )
    ]
    with ProcessPoolExecutor(options.jobs) as pool:
        found = [each for ranks in pool.map(job, tasks, chunksize=4) for each in ranks]
    shown = sum(each.method == OURS and each.suite == "coverage" for each in found)
    print(
        f"{len(tasks)} faults, {shown} of them shown by the coverage suites; "
        f"{options.draws} draws of single files for each; {time.perf_counter() - begin:.0f} s"
    )
    report(found)
    print(f"\n{machine()}")


if __name__ == "__main__":
    main()
