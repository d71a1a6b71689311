"""Runs the techniques of a comparison and puts their results side by side."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import combinations
from typing import TypeVar

import numpy as np

from gramspect.comparison.agreement import agreement_of
from gramspect.comparison.disagreements import disagreements_of
from gramspect.comparison.model import Comparison, Technique, Unit
from gramspect.comparison.sources import (
    Candidate,
    built,
    loaded,
    read_common,
    split_source,
)
from gramspect.comparison.units import Ranks, common_elements, matched_nonterminals
from gramspect.errors import AdapterError, GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.localization.localize import localize
from gramspect.localization.results import Localization, Method, Note
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import Extraction
from gramspect.running.observing import observe_test
from gramspect.running.options import Progress, RunOptions
from gramspect.scoring.evidence import Evidence
from gramspect.scoring.metrics import metric as metric_named
from gramspect.scoring.ranking import Ties
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.suites.suite import TestSuite

__all__ = ["compare"]


def compare(
    sources: str | Grammar | Sequence[str],
    suite: TestSuite,
    *,
    adapters: Sequence[str] | None = None,
    load: LoadOptions = LoadOptions(),
    run: RunOptions = RunOptions(),
    spectrum: str = Method.spectrum,
    extraction: str = Method.extraction,
    evidence: str = Method.evidence,
    metric: str = Method.metric,
    ties: str = Method.ties,
    group: bool = False,
    top: int = 10,
) -> Comparison:
    """Run a suite through several parsing techniques and compare verdicts and rankings.

    Args:
        sources: one grammar, which is built by every adapter, as a `Grammar` or as a source that
            is read by its own tool (a parser in a jar or module also takes part itself); or several
            sources that describe the same language, each run by its own tool. A source may be
            written ``ADAPTER=SOURCE``.
        suite: the tests. For one grammar they become sequences of its tokens.
        adapters: the adapters that build the one grammar; by default all that are installed.
        top: up to which rank the tops of two rankings are compared (`Agreement.overlap`).
        load: how sources are loaded, as in `localize`; its adapter is that of the sources that name
            none, and of its options each adapter gets those that it knows.
        run: how each technique runs the suite, as in `localize`.
        spectrum, extraction, evidence, metric, ties, group: how elements are ranked, as in
            `localize`. Several sources are always compared by non-terminal.

    Raises:
        GramspectError: a source, the suite or an argument cannot be used, or no technique takes
            the grammar.
        ValueError: `top` is not positive.
    """
    if top < 1:
        raise ValueError("the number of elements at the top must be positive")
    only = _only(sources)
    method = Method(
        _member(SpectrumKind, spectrum), _member(Extraction, extraction),
        _member(Evidence, evidence), metric, _member(Ties, ties), group or only is None,
    )  # fmt: skip
    metric_named(metric)
    notes: tuple[Note, ...] = ()
    common: Grammar | None = None
    own: list[Candidate] = []
    if only is None:
        candidates = _loaded(sources, adapters, load)
    else:
        if isinstance(only, Grammar):
            common = only
        else:
            name, source = split_source(only)
            read = read_common(source, suite, load, name, run.timeout)
            common, suite, notes = read.grammar, read.suite, read.notes
            own = [read.own] if read.own is not None and adapters is None else []
        candidates = [*own, *built(common, adapters)]
    if all(candidate.recognizer is None for candidate in candidates):
        reasons = "; ".join(f"{c.name}: {c.refusal}" for c in candidates)
        raise AdapterError(f"there is no technique to compare: {reasons}")
    techniques = [_run(candidate, suite, method, run) for candidate in candidates]
    return _compared(common, suite, method, top, candidates, techniques, notes)


def _only(sources: str | Grammar | Sequence[str]) -> str | Grammar | None:
    """The one grammar that every adapter builds; None if there are several sources."""
    if isinstance(sources, str | Grammar):
        return sources
    return sources[0] if len(sources) == 1 else None


def _loaded(
    sources: str | Grammar | Sequence[str], adapters: Sequence[str] | None, loading: LoadOptions
) -> list[Candidate]:
    if isinstance(sources, str | Grammar) or not sources:
        raise GramspectError("there is nothing to compare; name a grammar")
    if adapters is not None:
        raise AdapterError(
            "adapters are named for one grammar; of several sources write ADAPTER=SOURCE"
        )
    return list(loaded(sources, loading))


Member = TypeVar("Member", bound=StrEnum)


def _member(kind: type[Member], name: str) -> Member:
    try:
        return kind(name)
    except ValueError:
        raise GramspectError(f"there is no {name!r}; choose one of {', '.join(kind)}") from None


def _run(
    candidate: Candidate,
    suite: TestSuite,
    method: Method,
    options: RunOptions,
) -> Technique:
    """Run one technique; a failure concerns this one only."""
    about = candidate.name, candidate.adapter, candidate.source
    if candidate.recognizer is None:
        return Technique(*about, refusal=candidate.refusal)
    try:
        if (
            options.timeout is None and options.jobs == 1
        ):  # one parse beforehand, as its setting up is no part of a test's time
            observe_test(candidate.recognizer, suite.tests[0], method.extraction)
        watch = _Watch(options.progress)
        result = localize(
            candidate.recognizer, suite, load=LoadOptions(adapter=candidate.adapter),
            run=replace(options, loader=candidate.loader, progress=watch),
            spectrum=method.spectrum, extraction=method.extraction, evidence=method.evidence,
            metric=method.metric, ties=method.ties, group=method.grouped,
        )  # fmt: skip
    except GramspectError as problem:
        return Technique(*about, refusal=str(problem))
    return Technique(*about, result, None, candidate.build_seconds, watch.seconds)


class _Watch:
    """Passes progress on, and knows how long the tests took."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._begin = time.perf_counter()
        self.seconds = 0.0

    def __call__(self, done: int, total: int) -> None:
        self.seconds = time.perf_counter() - self._begin
        if self._progress is not None:
            self._progress(done, total)


def _compared(
    common: Grammar | None,
    suite: TestSuite,
    method: Method,
    top: int,
    candidates: Sequence[Candidate],
    techniques: Sequence[Technique],
    notes: tuple[Note, ...],
) -> Comparison:
    ran = [
        (c, t) for c, t in zip(candidates, techniques, strict=True) if t.localization is not None
    ]
    results = [technique.result for _, technique in ran]
    units, ranks, unmatched = _units(common, method, [t.name for _, t in ran], results)
    agreements = tuple(
        agreement_of(
            i, j, ranks[:, i], ranks[:, j], top, _same_spectra(ran[i][1], ran[j][1], common)
        )
        for i, j in combinations(range(len(ran)), 2)
    )
    found = tuple(disagreements_of(suite, ran, common))
    notes = (*notes, *unmatched, *_shared([technique for _, technique in ran]))
    return Comparison(
        common, suite, method, top, tuple(techniques), units, ranks, agreements, found, notes
    )


def _units(
    common: Grammar | None, method: Method, names: Sequence[str], results: Sequence[Localization]
) -> tuple[tuple[Unit, ...], Ranks, tuple[Note, ...]]:
    if common is None or method.grouped:
        return matched_nonterminals(names, results)
    return *common_elements(common, method.spectrum, results), ()


def _same_spectra(one: Technique, other: Technique, common: Grammar | None) -> int | None:
    """How many tests have the same verdict and spectrum in both."""
    if common is None:
        return None
    differing = np.bitwise_or.reduce(one.matrix.bits ^ other.matrix.bits, axis=0, initial=0)
    octets = differing.astype("<u8").view(np.uint8)
    differs = np.unpackbits(octets, count=one.matrix.n_tests, bitorder="little").astype(np.bool_)
    same = ~differs & (one.matrix.verdicts == other.matrix.verdicts)
    return int(np.count_nonzero(same))


def _shared(techniques: Sequence[Technique]) -> Iterator[Note]:
    """The notes of all techniques, each once, with the names of those that it is about."""
    about: dict[Note, list[str]] = {}
    for technique in techniques:
        for note in technique.result.notes:
            if note.code != "technique":  # left out, as the disagreements say more
                about.setdefault(note, []).append(technique.name)
    for note, names in about.items():
        every = len(names) == len(techniques)
        yield note if every else replace(note, text=f"{', '.join(names)}: {note.text}")
