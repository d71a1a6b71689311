"""What is true of the traces and the grammar of any recognizer, as assertions."""

from __future__ import annotations

from collections.abc import Sequence

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Batching, Deciding, Recognizer
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import (
    ErrorKind,
    Extraction,
    Observation,
    ParseError,
    Trace,
    Undecided,
    Verdict,
)
from gramspect.spectrum.extraction import observe
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import TestCase
from gramspect.testing.subjects import Technique
from gramspect.testing.toy import COUNTS

__all__ = [
    "check_against_chart",
    "check_counts",
    "check_observation",
    "check_spans",
    "check_traces",
    "seen",
]

EXTRACTIONS = (Extraction.EXACT, Extraction.ALL)


def seen(found: Observation) -> tuple[object, ...]:
    """All that an observation tells but how errors are worded."""
    error = found.error
    return (
        found.verdict,
        error and (error.token, error.line, error.column, error.kind),
        found.rules,
        found.items,
        found.active,
        found.predicted,
    )


def check_traces(recognizer: Recognizer, tests: Sequence[TestCase]) -> list[Trace]:
    """`trace` never raises and says the same in its batch form, or when it is asked again."""
    traces = [recognizer.trace(test) for test in tests]
    others = (
        recognizer.traces(tests)
        if isinstance(recognizer, Batching)
        else [recognizer.trace(test) for test in tests]
    )
    for test, trace, other in zip(tests, traces, others, strict=True):
        for extraction in EXTRACTIONS:
            found = observe(trace, extraction)
            again = observe(other, extraction)
            assert again == found, f"another trace of {test.text[:80]!r} says otherwise"
            check_observation(recognizer.grammar, test, trace, found)
    if isinstance(recognizer, Deciding):
        for test, trace, said in zip(tests, traces, recognizer.decisions(tests), strict=True):
            verdict = _verdict(said)
            assert verdict is observe(trace, None).verdict, f"{test.text[:80]!r} is {verdict}"
    return traces


def _verdict(said: ParseError | Undecided | None) -> Verdict:
    if said is None:
        return Verdict.ACCEPTED
    return Verdict.REJECTED if isinstance(said, ParseError) else Verdict.UNDECIDED


def check_against_chart(
    recognizer: Recognizer, technique: Technique, tests: Sequence[TestCase]
) -> None:
    """A parser by some technique and the chart say the same of tests: verdicts, errors, spectra.

    Shift items are those of an LR parser, or of the chart; predictive parsers may know fewer of an
    accepted test.
    """
    grammar = recognizer.grammar
    chart, lr = adapter("chart").build(grammar), None
    if technique is Technique.LR:
        lr = adapter("native").build(grammar)
    for test, trace in zip(tests, check_traces(recognizer, tests), strict=True):
        in_chart = chart.trace(test)
        found = observe(trace, Extraction.ALL)
        every = observe(in_chart, Extraction.ALL)
        assert seen(found) == seen(every)
        if technique is Technique.GENERAL:
            assert found.shift_items == every.shift_items
            assert observe(trace).rules <= found.rules
            assert observe(trace).active == found.active
            continue
        assert seen(observe(trace)) == seen(observe(in_chart))
        for extraction in EXTRACTIONS:
            shifted = observe(trace, extraction).shift_items
            expected = observe(in_chart if lr is None else lr.trace(test), extraction).shift_items
            if technique is not Technique.LR and found.verdict is Verdict.ACCEPTED:
                assert shifted <= expected
            else:
                assert shifted == expected


def check_observation(grammar: Grammar, test: TestCase, trace: Trace, found: Observation) -> None:
    """An observation is one of this grammar and this test."""
    if isinstance(trace, Undecided):
        assert trace.reason, "a parse that did not finish says why"
        return
    assert found.rules <= set(range(grammar.n_rules))
    assert found.items <= set(range(grammar.n_items))
    assert found.shift_items <= set(range(grammar.n_items))
    assert {grammar.split_item(item)[0] for item in found.items} == found.rules
    assert {*found.active, *found.predicted} <= set(range(grammar.n_items))
    assert (found.verdict is Verdict.REJECTED) == (found.error is not None)
    if found.error is None:
        assert not found.active
        assert not found.predicted
        return
    error = found.error
    assert error.message, "an error says what is wrong"
    assert error.token >= 0
    assert (error.line is None) == (error.column is None)
    if error.line is not None and error.column is not None:
        lines = test.text.split("\n")
        assert 1 <= error.line <= len(lines)
        assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    if test.tokens is not None:
        assert error.token <= len(test.tokens)
    assert error.kind in ErrorKind


def check_counts(recognizer: Recognizer, tests: Sequence[TestCase], kind: SpectrumKind) -> None:
    """The spectra of the worked example's tests are those of the paper."""
    grammar = recognizer.grammar
    observations = [observe(trace) for trace in check_traces(recognizer, tests)]
    matrix = SpectrumMatrix.from_observations(
        kind, kind.n_elements(grammar), observations, [test.expectation for test in tests]
    )
    labels = (
        [rule.label for rule in grammar.rules]
        if kind is SpectrumKind.RULE
        else [grammar.item_label(item) for item in range(grammar.n_items)]
    )
    counts = matrix.counts()
    rows = zip(*(c.tolist() for c in (counts.ef, counts.ep, counts.nf, counts.np_)), strict=True)
    assert dict(zip(labels, rows, strict=True)) == {
        label: tuple(int(row[key]) for key in ("ef", "ep", "nf", "np"))
        for label, row in COUNTS[kind.value].items()
    }


def check_spans(grammar: Grammar, texts: dict[str, str]) -> int:
    """Every place of a grammar lies in one of its files; how many there are."""
    spans = [symbol.span for symbol in grammar.symbols]
    for rule in grammar.rules:
        assert len(rule.rhs_spans) in (0, len(rule.rhs)), "a place, or None, for each symbol"
        spans += [rule.span, *rule.rhs_spans]
    spans += [grammar.item_span(item) for item in range(grammar.n_items)]
    known = [span for span in spans if span is not None]
    for span in known:
        assert span.file in grammar.files, f"{span} is in none of the grammar's files"
        lines = texts[span.file].split("\n")
        assert (span.line, span.column) <= (span.end_line, span.end_column), span
        for line, column in ((span.line, span.column), (span.end_line, span.end_column)):
            assert 1 <= line <= len(lines), span
            assert 1 <= column <= len(lines[line - 1]) + 1, span
    return len(known)
