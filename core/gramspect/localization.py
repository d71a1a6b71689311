"""The main job: run a suite through a parser and rank what its failures point at."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import monotonic
from typing import TypeVar

import numpy as np

from gramspect.chart import parse_chart
from gramspect.diagnostics import diagnose
from gramspect.edits.evidence import (
    Searched,
    edit_weights,
    proposals,
    rank_edits,
    search_failing,
)
from gramspect.errors import GramspectError
from gramspect.evidence import Caveat, Evidence, depth_scores, of_elements
from gramspect.grammar import Grammar
from gramspect.metrics import metric as metric_named
from gramspect.ranking import (
    Grouping,
    Ranking,
    Ties,
    group_by_nonterminal,
    rank_spectra,
)
from gramspect.recognizer import LexerKnowing, LoadOptions, Recognizer, Tokenizing
from gramspect.recording import Progress, Recording, load, record, unexpected_tests
from gramspect.results import (
    Basis,
    Localization,
    Method,
    Note,
    RankedElement,
)
from gramspect.runner import Loader
from gramspect.spectrum import SpectrumKind, SpectrumMatrix
from gramspect.suite import Expectation, TestCase, TestSuite
from gramspect.trace import ErrorKind, Extraction, Observation, Verdict

__all__ = ["Progress", "localize", "ranked_elements", "suite_notes"]

SECONDS_FOR_EDITS = 30.0
"""How long edits are searched unless another budget is given."""

CONFIRMED_EDITS = 3
"""How many edits are tried in the tool itself unless another number is given."""

PUNCTUAL = 0.95
"""The part of the budget after which nothing is begun: a test that runs then is not stopped."""

_LEFT_FOR_EDITS = 0.5
"""The part of the budget that remains for edits if running the suite took longer than the rest."""

_LEFT_FOR_CHECKS = 0.3
"""The part of the time for edits that is kept for checking them."""

_LOOKED_AT = 50
"""How many rejected tests are parsed with the chart, too, where conflicts were resolved."""

_EXPLAINED = 10
"""For how many failing tests it is asked what their lexical errors have to do with."""

_LONGEST = 3000
"""Tokens of the longest test that is."""


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
    evidence: str | None = None,
    metric: str = Method.metric,
    ties: str = Method.ties,
    group: bool = False,
    timeout: float | None = None,
    jobs: int = 1,
    loader: Loader | None = None,
    budget: float = SECONDS_FOR_EDITS,
    confirm: int | None = CONFIRMED_EDITS,
    all_spectra: bool = False,
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
        evidence: ``spectrum``, ``error``, ``both`` or ``edits`` (`Evidence`); by default ``edits``
            if the recognizer knows the tokens of a test (`Tokenizing`), else ``both``.
        metric: a name in `gramspect.metrics.METRICS`.
        ties: ``mid``, ``worst`` or ``kmax`` (`Ties`).
        group: rank the non-terminals that the user wrote, by the best element of each.
        timeout: seconds that a test may take; runs the tests in worker processes.
        jobs: number of worker processes.
        loader: makes the recognizer again in a worker; only needed with a `source` that is a
            recognizer, for `timeout` and `jobs`.
        budget: seconds for everything, with the evidence ``edits``. Running the suite is not
            stopped; half of the time remains for edits, whatever it took.
        confirm: how many of the edits that are found are tried in the tool itself; with None they
            are not even checked on the suite.
        all_spectra: keep the spectra of all three kinds (`Localization.basis`), as the HTML report
            needs them.
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
        _choice(Evidence, evidence or Evidence.BOTH, "kind of evidence"),
        metric,
        _choice(Ties, ties, "way to resolve ties"),
        group,
    )
    metric_named(metric)
    begin = monotonic()
    loaded = load(
        source, adapter=adapter, options=LoadOptions(start, actions, options or {}), loader=loader
    )
    loading = monotonic() - begin
    recognizer, name, loader = loaded
    if evidence is None and isinstance(recognizer, Tokenizing):
        method = replace(method, evidence=Evidence.EDITS)
    others = [kind for kind in SpectrumKind if all_spectra and kind is not method.spectrum]
    recording = record(
        recognizer, suite, method.extraction, [method.spectrum, *others],
        loader=loader, timeout=timeout, jobs=jobs, progress=progress,
    )  # fmt: skip
    deadline = max(begin + PUNCTUAL * budget, monotonic() + _LEFT_FOR_EDITS * budget)
    seconds = (deadline - monotonic()) * (1.0 if confirm is None else 1 - _LEFT_FOR_CHECKS)
    result = _result(recognizer, suite, method, recording, adapter=name, budget=seconds)
    if not result.proposals or confirm is None:
        return result
    from gramspect.edits.advising import advise, bench_of
    from gramspect.edits.confirmation import Runs

    bench = bench_of(loaded, result, Runs(timeout, jobs, loading))
    return replace(result, suggestions=tuple(advise(bench, result, deadline, confirm)))


Choice = TypeVar("Choice", SpectrumKind, Extraction, Evidence, Ties)


def _choice(choices: type[Choice], name: str, what: str) -> Choice:
    try:
        return choices(name)
    except ValueError:
        known = ", ".join(choices)
        raise GramspectError(f"there is no {what} {name!r}; there are: {known}") from None


# --- the result ----------------------------------------------------------------------------


def _result(
    recognizer: Recognizer,
    suite: TestSuite,
    method: Method,
    recording: Recording,
    *,
    adapter: str | None,
    budget: float,
) -> Localization:
    grammar, unexpected = recognizer.grammar, recording.unexpected
    matrix = recording.matrices[method.spectrum]
    expectations = [suite.tests[number].expectation for number in unexpected]
    item_depths = depth_scores(SpectrumKind.ITEM, grammar, unexpected.values(), expectations)
    depths = None
    if item_depths is not None and method.evidence is not Evidence.SPECTRUM:
        depths = of_elements(method.spectrum, grammar, item_depths)
    searched: tuple[Searched, ...] = ()
    rejected = _wrongly_rejected(suite, unexpected)
    if method.evidence is Evidence.EDITS:
        failing = [
            (number, suite.tests[number])
            for number, seen in unexpected.items()
            if seen.verdict is not Verdict.UNDECIDED  # the lexer may not come to an end
        ]
        passing = [test for number, test in enumerate(suite) if number not in unexpected]
        searched = search_failing(recognizer, failing, budget, passing)
    metric = metric_named(method.metric)
    if method.evidence is Evidence.EDITS:
        ranking = rank_edits(matrix, grammar, metric, method.ties, depths, searched)
    else:
        ranking = rank_spectra(
            matrix, grammar, metric, method.ties, evidence=method.evidence, depths=depths
        )
    observed = [(suite.tests[number], seen) for number, seen in unexpected.items()]
    failures, undecided = unexpected_tests(suite, recording)
    return Localization(
        grammar=grammar,
        suite=suite,
        adapter=adapter,
        method=method,
        n_passing=matrix.n_passing,
        failing=failures,
        undecided=undecided,
        ranking=ranked_elements(grammar, matrix, ranking, method.grouped),
        notes=(
            *_grammar_notes(recognizer),
            *_derivable(recognizer, rejected),
            *_lexer_notes(recognizer, observed),
            *suite_notes(suite, ranking),
        ),
        proposals=proposals(searched),
        basis=Basis(
            recording.matrices,
            item_depths,
            edit_weights(SpectrumKind.ITEM, grammar, searched) if searched else None,
        ),
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


def ranked_elements(
    grammar: Grammar, matrix: SpectrumMatrix, ranking: Ranking, grouped: bool
) -> tuple[RankedElement, ...]:
    """The elements with a positive score, best first; of groups the best of each."""
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
        " first token), so no error position helps"
    ),
    Caveat.NO_EDIT: (
        "no small change of the grammar was found that makes a failing test pass; ranked by the"
        " other evidence"
    ),
    Caveat.UNFINISHED: (
        "the search for edits was stopped before its end; --budget gives it more time"
    ),
}


def suite_notes(suite: TestSuite, ranking: Ranking) -> Iterator[Note]:
    """What limits what a suite can tell, and its ranking."""
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
