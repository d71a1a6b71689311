"""The main job: run a suite through a parser and rank what its failures point at."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar, cast

import numpy as np

from gramspect.chart import parse_chart
from gramspect.diagnostics import diagnose
from gramspect.edits.evidence import (
    Searched,
    proposals,
    rank_edits,
    search_failing,
)
from gramspect.errors import GramspectError
from gramspect.evidence import Caveat, Evidence, depth_scores
from gramspect.grammar import Grammar
from gramspect.metrics import metric as metric_named
from gramspect.ranking import (
    Grouping,
    Ranking,
    Ties,
    group_by_nonterminal,
    rank_spectra,
)
from gramspect.recognizer import (
    LexerKnowing,
    LoadOptions,
    Recognizer,
    Tokenizing,
    adapter_for,
)
from gramspect.results import (
    FailingTest,
    Localization,
    Method,
    Note,
    RankedElement,
    UndecidedTest,
)
from gramspect.runner import Loader, LoadSpec, run, silenced
from gramspect.spectrum import SpectrumKind, SpectrumMatrix
from gramspect.suite import Expectation, TestCase, TestSuite
from gramspect.trace import ErrorKind, Extraction, Observation, Verdict

__all__ = ["Progress", "localize"]

Progress = Callable[[int, int], None]
"""Called with the number of tests that are done and of all."""

SECONDS_FOR_EDITS = 30.0
"""How long edits are searched unless another budget is given."""

_LOOKED_AT = 50
"""How many rejected tests are parsed with the chart, too, where conflicts were resolved."""

_EXPLAINED = 10
"""For how many failing tests it is asked what their lexical errors have to do with."""

_LONGEST = 3000
"""Tokens of the longest test that is."""

_BATCH = 300
"""From this many tests on, a recognizer's own batch form is used if it has one."""


class BatchRecognizer(Recognizer, Protocol):
    """A recognizer that can write the spectra of a whole suite at once."""

    def record(
        self, tests: Sequence[TestCase], extraction: Extraction, kind: SpectrumKind
    ) -> SpectrumMatrix:
        """The spectrum of the tests, undecided ones included."""
        ...


def localize(
    source: str | os.PathLike[str] | Recognizer,
    suite: TestSuite,
    *,
    adapter: str | None = None,
    start: str | None = None,
    actions: bool = True,
    options: Mapping[str, str] | None = None,
    spectrum: str = Method.spectrum,
    extraction: str = Method.extraction,
    evidence: str = Method.evidence,
    metric: str = Method.metric,
    ties: str = Method.ties,
    group: bool = False,
    timeout: float | None = None,
    jobs: int = 1,
    loader: Loader | None = None,
    budget: float = SECONDS_FOR_EDITS,
    progress: Progress | None = None,
) -> Localization:
    """Run the suite and rank the rules or positions of the grammar by how suspicious they are.

    Args:
        source: a grammar or parser as the adapter takes it, or a recognizer.
        suite: the tests.
        adapter: the name of the adapter; by default the first that claims the source.
        start: the start symbol, if not the grammar's own.
        actions: whether the semantic actions of the user's parser run.
        options: options of single adapters by name (`LoadOptions.extra`), such as ``case``.
        spectrum: ``rule``, ``item`` or ``shift`` (`SpectrumKind`).
        extraction: ``exact``, ``all`` or ``stack`` (`Extraction`).
        evidence: ``spectrum``, ``error``, ``both`` or ``edits`` (`Evidence`).
        metric: a name in `gramspect.metrics.METRICS`.
        ties: ``mid``, ``worst`` or ``kmax`` (`Ties`).
        group: rank the non-terminals that the user wrote, by the best element of each.
        timeout: seconds that a test may take; runs the tests in worker processes.
        jobs: number of worker processes.
        loader: makes the recognizer again in a worker; only needed with a `source` that is a
            recognizer, for `timeout` and `jobs`.
        budget: seconds that the search for edits may take, with the evidence ``edits``.
        progress: called after each test.

    Raises:
        GramspectError: the source, the suite or an argument cannot be used.
        ValueError: `timeout` or `jobs` is not positive, or the loader is missing.
    """
    if jobs < 1 or (timeout is not None and timeout <= 0):
        raise ValueError("the time limit and the number of jobs must be positive")
    method = Method(
        _choice(SpectrumKind, spectrum, "spectrum"),
        _choice(Extraction, extraction, "extraction"),
        _choice(Evidence, evidence, "kind of evidence"),
        metric,
        _choice(Ties, ties, "way to resolve ties"),
        group,
    )
    metric_named(metric)
    name = adapter
    if isinstance(source, str | os.PathLike):
        source = os.fspath(source)
        name = adapter or adapter_for(source).name
        loader = LoadSpec(name, source, LoadOptions(start, actions, options or {}))
        with silenced():
            recognizer = loader()
    else:
        recognizer = source
    matrix, unexpected = _record(
        recognizer, suite, method, loader=loader, timeout=timeout, jobs=jobs, progress=progress
    )
    return _result(recognizer, suite, method, matrix, unexpected, adapter=name, budget=budget)


Choice = TypeVar("Choice", SpectrumKind, Extraction, Evidence, Ties)


def _choice(choices: type[Choice], name: str, what: str) -> Choice:
    try:
        return choices(name)
    except ValueError:
        known = ", ".join(choices)
        raise GramspectError(f"there is no {what} {name!r}; there are: {known}") from None


# --- running -------------------------------------------------------------------------------


def _record(
    recognizer: Recognizer,
    suite: TestSuite,
    method: Method,
    *,
    loader: Loader | None,
    timeout: float | None,
    jobs: int,
    progress: Progress | None,
) -> tuple[SpectrumMatrix, Mapping[int, Observation]]:
    """The spectra, and the observations of failing and undecided tests by their numbers."""
    if timeout is None and len(suite) >= _BATCH and hasattr(recognizer, "record"):
        return _record_batch(cast(BatchRecognizer, recognizer), suite, method, progress)
    unexpected: dict[int, Observation] = {}
    results = run(
        recognizer, suite.tests, method.extraction, loader=loader, timeout=timeout, jobs=jobs
    )

    def noted() -> Iterator[Observation]:
        for number, observation in enumerate(results):
            if not _is_expected(observation, suite.tests[number].expectation):
                unexpected[number] = _without_spectra(observation)
            if progress is not None:
                progress(number + 1, len(suite))
            yield observation

    n_elements = method.spectrum.n_elements(recognizer.grammar)
    expectations = [test.expectation for test in suite]
    matrix = SpectrumMatrix.from_observations(method.spectrum, n_elements, noted(), expectations)
    return matrix, unexpected


def _record_batch(
    recognizer: BatchRecognizer, suite: TestSuite, method: Method, progress: Progress | None
) -> tuple[SpectrumMatrix, Mapping[int, Observation]]:
    matrix = recognizer.record(suite.tests, method.extraction, method.spectrum)
    numbers = np.flatnonzero(~matrix.passing).tolist()
    again = run(recognizer, [suite.tests[number] for number in numbers], method.extraction)
    unexpected: dict[int, Observation] = {}
    for number, observation in zip(numbers, again, strict=True):
        unexpected[number] = _without_spectra(observation)
        if progress is not None:
            progress(len(suite) - len(numbers) + len(unexpected), len(suite))
    return matrix, unexpected


def _is_expected(observation: Observation, expectation: Expectation) -> bool:
    accepted = observation.verdict is Verdict.ACCEPTED
    decided = observation.verdict is not Verdict.UNDECIDED
    return decided and accepted == (expectation is Expectation.ACCEPT)


def _without_spectra(observation: Observation) -> Observation:
    """What is kept of a failing test; its spectra are in the matrix."""
    none: frozenset[int] = frozenset()
    return replace(observation, rules=none, items=none, shift_items=none)


# --- the result ----------------------------------------------------------------------------


def _result(
    recognizer: Recognizer,
    suite: TestSuite,
    method: Method,
    matrix: SpectrumMatrix,
    unexpected: Mapping[int, Observation],
    *,
    adapter: str | None,
    budget: float,
) -> Localization:
    grammar = recognizer.grammar
    depths = None
    if method.evidence is not Evidence.SPECTRUM:
        expectations = (suite.tests[number].expectation for number in unexpected)
        depths = depth_scores(method.spectrum, grammar, unexpected.values(), expectations)
    searched: tuple[Searched, ...] = ()
    rejected = _wrongly_rejected(suite, unexpected)
    if method.evidence is Evidence.EDITS:
        searched = search_failing(recognizer, rejected, budget)
    metric = metric_named(method.metric)
    if method.evidence is Evidence.EDITS:
        ranking = rank_edits(matrix, grammar, metric, method.ties, depths, searched)
    else:
        ranking = rank_spectra(
            matrix, grammar, metric, method.ties, evidence=method.evidence, depths=depths
        )
    observed = [(suite.tests[number], seen) for number, seen in unexpected.items()]
    return Localization(
        grammar=grammar,
        suite=suite,
        adapter=adapter,
        method=method,
        n_passing=matrix.n_passing,
        failing=tuple(
            FailingTest(test, seen.verdict, seen.error)
            for test, seen in observed
            if seen.verdict is not Verdict.UNDECIDED
        ),
        undecided=tuple(
            UndecidedTest(test, seen.reason)
            for test, seen in observed
            if seen.verdict is Verdict.UNDECIDED
        ),
        ranking=_ranked(grammar, matrix, ranking, method.grouped),
        notes=(
            *_grammar_notes(recognizer),
            *_derivable(recognizer, rejected),
            *_lexer_notes(recognizer, observed),
            *_suite_notes(suite, ranking),
        ),
        proposals=proposals(searched),
    )


def _wrongly_rejected(
    suite: TestSuite, unexpected: Mapping[int, Observation]
) -> list[tuple[int, TestCase]]:
    return [
        (number, suite.tests[number])
        for number, seen in unexpected.items()
        if seen.verdict is Verdict.REJECTED
        and suite.tests[number].expectation is Expectation.ACCEPT
    ]


def _ranked(
    grammar: Grammar, matrix: SpectrumMatrix, ranking: Ranking, grouped: bool
) -> tuple[RankedElement, ...]:
    """The elements with a positive score, best first."""
    shown: Ranking | Grouping = group_by_nonterminal(ranking, grammar) if grouped else ranking
    elements = shown.best if isinstance(shown, Grouping) else shown.elements
    counts = np.stack(matrix.counts(), axis=1)[elements]
    columns = (elements, shown.ranks, shown.tie_sizes, shown.scores, counts)
    rows = zip(*(column[: shown.n_significant].tolist() for column in columns), strict=True)
    return tuple(
        RankedElement(grammar, ranking.kind, element, rank, ties, score, *four)
        for element, rank, ties, score, four in rows
    )


_CAVEATS = {
    Caveat.NO_PASSING_TEST: (
        "no test passes, so the counts cannot tell faults from what every test uses;"
        " add passing tests"
    ),
    Caveat.NO_ERROR_POSITION: (
        "no failing test stopped inside a rule (all are wrongly accepted, or rejected at their"
        " first token), so only the spectrum counts"
    ),
    Caveat.NO_EDIT: (
        "no small change of the grammar was found that makes a failing test pass; ranked by the"
        " other evidence"
    ),
}


def _suite_notes(suite: TestSuite, ranking: Ranking) -> Iterator[Note]:
    for text in suite.notes:
        yield Note("suite", text)
    for caveat in ranking.caveats:
        if Caveat.NO_FAILING_TEST not in ranking.caveats:
            yield Note(caveat.value, _CAVEATS[caveat])


def _derivable(recognizer: Recognizer, rejected: Sequence[tuple[int, TestCase]]) -> Iterator[Note]:
    """Say which tests the parser rejects although its grammar derives them.

    Only where conflicts were resolved can that be so. Of many tests the first are looked at, and no
    long ones.
    """
    if not isinstance(recognizer, Tokenizing) or not getattr(recognizer, "conflicts", ()):
        return
    names = []
    for _, test in rejected[:_LOOKED_AT]:
        tokens = recognizer.tokens(test)
        if tokens is None or len(tokens) > _LONGEST:
            continue
        if parse_chart(recognizer.grammar, tokens).accepted:
            names.append(test.name)
    if names:
        text = (
            f"the grammar derives {len(names)} of the rejected inputs; the parser rejects them"
            " because of how its conflicts are resolved"
        )
        yield Note("technique", text, tuple(names))


def _grammar_notes(recognizer: Recognizer) -> Iterator[Note]:
    """Diagnostics of the grammar, and the conflicts of its tables where the recognizer has some."""
    diagnostics = diagnose(recognizer.grammar)
    if diagnostics:
        first = str(diagnostics[0])
        others = f" (and {len(diagnostics) - 1} more)" if len(diagnostics) > 1 else ""
        yield Note("grammar", f"{first}{others}", tuple(map(str, diagnostics)))
    conflicts = [c for c in getattr(recognizer, "conflicts", ()) if not c.by_precedence]
    if conflicts:
        kinds = [c.kind for c in conflicts]
        numbers = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
        text = f"the parser tables have conflicts that no precedence resolves: {numbers}"
        yield Note("conflicts", text, tuple(map(str, conflicts)))


def _lexer_notes(
    recognizer: Recognizer, observed: Sequence[tuple[TestCase, Observation]]
) -> Iterator[Note]:
    """The token rules that lexical errors have to do with, of the first failing tests with some."""
    tests = [
        test
        for test, seen in observed
        if seen.error is not None and seen.error.kind is ErrorKind.LEXICAL
    ]
    if isinstance(recognizer, LexerKnowing):
        found = (d for test in tests[:_EXPLAINED] for d in recognizer.lexer_rules_at_error(test))
        lines = tuple(dict.fromkeys(map(str, found)))
        if lines:
            others = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
            yield Note("lexer", f"{lines[0]}{others}", lines if others else ())
