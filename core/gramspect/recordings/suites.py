"""The tests of recorded runs with their observations, as if they had been run here.

Every parse is a test, named after the test of the program that it happened in. What is expected of
it follows from how that test ended:

* a test that says what it expects (``expect``) expects that of all its parses;
* in a test that passed, every parse did what was expected;
* in a test that failed, the last parse with a verdict did not, and those before it did: tests end
  at the first thing that they do not expect;
* of a test that was skipped or never ended, nothing is known; such parses count for coverage only.

Parses outside of tests are expected to be accepted if there are no tests at all, else nothing is
known of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gramspect.errors import GramspectError, SuiteError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import OutcomeReading, Recognizer
from gramspect.recognition.trace import Extraction, Observation, Trace, Undecided, Verdict
from gramspect.recordings.format import Outcome, ParseLine, TableLine, TestLine
from gramspect.recordings.grammars import digest
from gramspect.recordings.reading import RecordedRun
from gramspect.running.observing import observed
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase, TestSuite

__all__ = [
    "Parse",
    "RecordedGrammar",
    "RecordedSuite",
    "other_than_observed",
    "parses_of",
    "recorded_suite",
    "suite_of_parses",
]


@dataclass(frozen=True, slots=True)
class Parse:
    """A recorded parse. `expectation` is None if it is not known what was expected."""

    test: str | None
    observation: Observation
    expectation: Expectation | None
    text: str | None = None
    tokens: tuple[str, ...] | None = None

    @property
    def as_observed(self) -> Expectation:
        """The expectation that makes the test pass."""
        return _as_observed(self.observation)


@dataclass(frozen=True)
class RecordedSuite:
    """Tests, and what happened in each of them by its name; `grammar` is that of the spectra."""

    grammar: Grammar
    suite: TestSuite
    observations: Mapping[str, Observation]


@dataclass(frozen=True)
class RecordedGrammar:
    """Stands for a parser of which there is only a recorded run."""

    grammar: Grammar

    def trace(self, test: TestCase) -> Trace:
        """There is no parser to ask."""
        return Undecided(f"{test.name} was not recorded")


def recorded_suite(
    runs: Sequence[RecordedRun],
    recognizer: Recognizer | None = None,
    extraction: Extraction = Extraction.EXACT,
    *,
    judged: bool = True,
) -> RecordedSuite:
    """The tests of recorded runs of one parser.

    A text whose parses are all alike is one test.

    Args:
        runs: at least one.
        recognizer: the parser, if it can be loaded; runs without a grammar need it.
        extraction: how spectra are extracted.
        judged: leave out parses of which it is not known what was expected.

    Raises:
        GramspectError: the runs are of different grammars, or of another than the recognizer's, or
            lack what they need.
        SuiteError: there is no parse in them.
    """
    grammar = _grammar(runs, recognizer)
    found = [parse for run in runs for parse in parses_of(run, recognizer, extraction)]
    notes = [f"{run.path}: the last parse was not written to its end" for run in runs if run.torn]
    parses = [parse for parse in found if parse.expectation is not None or not judged]
    where = ", ".join(run.path for run in runs)
    if found and not parses:
        raise SuiteError(
            f"{where}: of no parse in it is known whether it should succeed: all are outside of"
            " tests, or their tests were skipped"
        )
    if len(parses) < len(found):
        left = len(found) - len(parses)
        notes.append(f"{left:,} recorded {_parses(left)} in no test that passed or failed left out")
    return suite_of_parses(grammar, parses, where, notes)


def suite_of_parses(
    grammar: Grammar, parses: Sequence[Parse], where: str, notes: Sequence[str] = ()
) -> RecordedSuite:
    """The tests that some parses are; those that are like another one are left out.

    Raises:
        SuiteError: there is none; the message says `where`.
    """
    if not parses:
        raise SuiteError(f"{where}: no parse was recorded; run what uses the parser")
    names = _names(parse.test for parse in parses)
    tests: list[TestCase] = []
    observations: dict[str, Observation] = {}
    seen: set[object] = set()
    for name, parse in zip(names, parses, strict=True):
        expectation = parse.expectation or parse.as_observed
        if parse.text is not None:
            key = _what_happened(parse, expectation)
            if key in seen:
                continue
            seen.add(key)
        tokens = None if parse.text is not None else parse.tokens
        tests.append(TestCase(name, expectation, parse.text or "", tokens))
        observations[name] = parse.observation
    if len(tests) < len(parses):
        left = len(parses) - len(tests)
        notes = [*notes, f"{left:,} recorded {_parses(left)} like another left out"]
    return RecordedSuite(grammar, TestSuite(tuple(tests), tuple(notes)), observations)


def parses_of(
    run: RecordedRun, recognizer: Recognizer | None, extraction: Extraction
) -> Sequence[Parse]:
    """The parses of a run in their order, each with what was expected of it.

    Raises:
        GramspectError: they need the recognizer, or were recorded with another extraction.
    """
    observations: list[tuple[ParseLine, Observation]] = []
    expectations: dict[int, Expectation] = {}
    pending: dict[str, list[int]] = {}
    for line in run.lines:
        if isinstance(line, ParseLine):
            if line.test is not None:
                pending.setdefault(line.test, []).append(len(observations))
            observations.append((line, _observation(run, line, recognizer, extraction)))
        elif isinstance(line, TestLine):
            numbers = pending.pop(line.name, [])
            expectations.update(_judged(line, {n: observations[n][1] for n in numbers}))
        elif isinstance(line, TableLine):
            _reader(run, recognizer).learn(line.entries)
    no_tests = not any(isinstance(line, TestLine) for line in run.lines)
    otherwise = Expectation.ACCEPT if no_tests else None
    return [
        Parse(line.test, seen, expectations.get(number, otherwise), line.text, line.tokens)
        for number, (line, seen) in enumerate(observations)
    ]


def _judged(test: TestLine, parses: Mapping[int, Observation]) -> Iterator[tuple[int, Expectation]]:
    """What a test that has ended expected of its parses."""
    decided = [n for n, seen in parses.items() if seen.verdict is not Verdict.UNDECIDED]
    if test.expect is None and test.outcome == Outcome.SKIPPED:
        return
    for number, seen in parses.items():
        if test.expect is not None:
            yield number, test.expect
        elif test.outcome == Outcome.FAILED and number == max(decided, default=None):
            yield number, _other(_as_observed(seen))
        else:
            yield number, _as_observed(seen)


def other_than_observed(parse: Parse) -> Expectation:
    """The expectation that makes the test fail."""
    return _other(parse.as_observed)


def _other(expectation: Expectation) -> Expectation:
    accept = expectation is Expectation.ACCEPT
    return Expectation.REJECT if accept else Expectation.ACCEPT


def _as_observed(observation: Observation) -> Expectation:
    rejected = observation.verdict is Verdict.REJECTED
    return Expectation.REJECT if rejected else Expectation.ACCEPT


def _observation(
    run: RecordedRun, line: ParseLine, recognizer: Recognizer | None, extraction: Extraction
) -> Observation:
    if line.observation is None:
        trace = _reader(run, recognizer).trace_of(line.seen, line.text)
        return observed(lambda: observe(trace, extraction))
    if extraction is not run.header.extraction:
        raise GramspectError(
            f"{run.path}: recorded with the extraction {run.header.extraction!s}, not"
            f" {extraction!s}; use --extraction {run.header.extraction!s}"
        )
    return line.observation


def _reader(run: RecordedRun, recognizer: Recognizer | None) -> OutcomeReading:
    if recognizer is None:
        raise GramspectError(
            f"{run.path}: name the grammar that it was recorded with ({run.header.source})"
        )
    if not isinstance(recognizer, OutcomeReading):
        raise GramspectError(
            f"{run.path}: recorded by the adapter {run.header.adapter}, and the one that loads the"
            " grammar cannot read it; choose it with --adapter"
        )
    return recognizer


def _grammar(runs: Sequence[RecordedRun], recognizer: Recognizer | None) -> Grammar:
    """The grammar that all runs and the recognizer share."""
    found: Grammar | None = None if recognizer is None else recognizer.grammar
    shared = None if found is None else digest(found)
    for run in runs:
        grammar, identity = run.header.grammar, run.header.identity
        if grammar is None:
            differs = _reader(run, recognizer).check_identity(identity)
        else:
            found, shared = found or grammar, shared or digest(grammar)
            differs = "its rules are others" if digest(grammar) != shared else None
        if differs:
            raise GramspectError(
                f"{run.path}: recorded with another grammar than"
                f" {runs[0].path if recognizer is None else 'the one that is given'}: {differs};"
                " record the run again"
            )
    assert found is not None
    return found


def _names(tests: Iterator[str | None]) -> Iterator[str]:
    """A name for each parse: that of its test, with a number from the second one on."""
    counts: dict[str | None, int] = {}
    for test in tests:
        number = counts[test] = counts.get(test, 0) + 1
        if test is None:
            yield f"parse:{number}"
        else:
            yield test if number == 1 else f"{test}#{number}"


def _what_happened(parse: Parse, expectation: Expectation) -> object:
    seen = parse.observation
    return parse.text, expectation, seen.verdict, seen.error, seen.rules, seen.shift_items


def _parses(number: int) -> str:
    return "parse is" if number == 1 else "parses are"
