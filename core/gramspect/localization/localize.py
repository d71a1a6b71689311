"""The main job: run a suite through a parser and rank what its failures point at."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from time import monotonic
from typing import TypeVar

from gramspect.edits.failing import Searched, search_failing
from gramspect.edits.scores import proposals, rank_edits
from gramspect.edits.weights import edit_weights
from gramspect.errors import GramspectError
from gramspect.localization.notes import grammar_notes, lexer_notes, suite_notes, technique_notes
from gramspect.localization.results import Basis, Localization, Method, ranked_elements
from gramspect.recognition.recognizer import LoadOptions, Recognizer, Tokenizing
from gramspect.recognition.trace import Extraction, Observation, Verdict
from gramspect.running.loading import Loader, load
from gramspect.running.recording import Progress, Recording, record, unexpected_tests
from gramspect.scoring.evidence import Evidence, depth_scores, of_elements
from gramspect.scoring.metrics import metric as metric_named
from gramspect.scoring.ranking import Ties, rank_spectra
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.suites.suite import Expectation, TestCase, TestSuite

__all__ = ["localize"]

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
        metric: a name in `gramspect.scoring.metrics.METRICS`.
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
    from gramspect.edits.confirmation import Runs
    from gramspect.localization.selection import advise, bench_of

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
            *grammar_notes(recognizer),
            *technique_notes(recognizer, rejected),
            *lexer_notes(recognizer, observed),
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
