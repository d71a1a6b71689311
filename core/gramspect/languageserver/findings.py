"""What an editor can show of a run: marks, repairs, counts, each with its place in a file.

Findings are made in the process of the run and sent to the server as JSON. All paths are absolute;
lines and columns count from 1, in code points, as everywhere in gramspect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from gramspect.edits.validation import Status
from gramspect.errors import GramspectError
from gramspect.grammar_coverage.coverage import Coverage
from gramspect.grammar_coverage.elements import State
from gramspect.grammars.diagnostics import diagnose
from gramspect.languageserver.files import absolute, full_path, texts_of
from gramspect.languageserver.text_edits import TextEdit, text_edits
from gramspect.localization.results import Localization, RankedElement
from gramspect.report.edits import summary
from gramspect.report.evidence import evidence_text, executing, failing_by_number
from gramspect.report.words import counted, printable
from gramspect.running.recording import FailingTest
from gramspect.source import Span
from gramspect.spectrum.matrix import ACCEPTED, SpectrumKind
from gramspect.suites.suite import Expectation

if TYPE_CHECKING:
    from gramspect.edits.suggestion import Suggestion
    from gramspect.repairs.suggest import Suggestions

__all__ = [
    "Findings",
    "Lens",
    "Mark",
    "Place",
    "Related",
    "Repair",
    "Severity",
    "error_findings",
    "findings_of",
]

_SHOWN = 5
"""How many suspicious elements are marked."""
_RELATED = 10
"""How many failing tests of an element are named with it."""
_TESTS = 100
"""How many failing tests are marked in their own files."""
_NAMED = 5
"""How many tests of each kind a hover names."""
_LONGEST = 200_000
"""Of a longer test the text is not sent."""


class Severity(StrEnum):
    """How loud a mark is."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"


@dataclass(frozen=True, slots=True)
class Related:
    """A further place that belongs to a mark: a failing test."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to be seen at a place. `code` is its kind, as in SARIF reports."""

    span: Span
    severity: Severity
    code: str
    text: str
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class Repair:
    """A change of one file, offered at `span`; `validated` if it fixes tests and breaks none."""

    span: Span
    title: str
    edits: tuple[TextEdit, ...]
    validated: bool


@dataclass(frozen=True, slots=True)
class Lens:
    """A line of text about what is at `span`; `detail` says more where there is room."""

    span: Span
    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A rule or position, the tests that use it, and how many of those that pass and fail do."""

    span: Span
    text: str
    counts: str
    failing: tuple[str, ...] = ()
    passing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """All that a run tells the editor.

    Attributes:
        texts: what was in the files when they were read, by path.
        watched: the files and folders that it depends on.
        marks, repairs: what is suspicious, and what would mend it, best first.
        coverage: a line for each non-terminal, at its definition.
        gaps: what no accepted test uses.
        places: for hovers.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    watched: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    repairs: tuple[Repair, ...] = ()
    coverage: tuple[Lens, ...] = ()
    gaps: tuple[Lens, ...] = ()
    places: tuple[Place, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The same as JSON values, from which `cattrs.structure` makes it again."""
        return asdict(self)


def findings_of(
    result: Localization,
    covered: Coverage,
    found: Suggestions | None = None,
    *,
    watched: Iterable[str] = (),
) -> Findings:
    """What a localization, the coverage of the same suite and the suggestions say together."""
    suggestions = () if found is None else found.suggestions
    files = [full_path(file) for file in result.grammar.files]
    known = Findings(
        watched=tuple(dict.fromkeys([*files, *map(full_path, watched)])),
        marks=(
            *_suspicious(result, suggestions),
            *_odd(result),
            *_failing(result),
            *_undecided(result),
        ),
        repairs=tuple(_repairs(result, suggestions)),
        coverage=tuple(_coverage(covered)),
        gaps=tuple(_gaps(covered)),
        places=tuple(_places(result, covered)),
    )
    edited = (edit.span.file for repair in known.repairs for edit in repair.edits)
    return replace(known, texts=_texts(dict.fromkeys([*files, *edited]), result))


def error_findings(error: GramspectError, otherwise: str) -> Findings:
    """A source that cannot be used: the error at its own place, else at the top of a file."""
    span = None if error.span is None else absolute(error.span)
    if span is None:
        span = Span(full_path(otherwise), 1, 1, 1, 1)
    mark = Mark(span, Severity.ERROR, "unusable", error.message)
    return Findings(texts=texts_of([span.file]), watched=(span.file,), marks=(mark,))


# --- marks ---------------------------------------------------------------------------------


def _suspicious(result: Localization, suggestions: Sequence[Suggestion]) -> Iterator[Mark]:
    """The first elements of the ranking, one for each place."""
    failing = failing_by_number(result)
    of_rules = result.method.spectrum is SpectrumKind.RULE
    code = "suspicious-rule" if of_rules else "suspicious-position"
    marked: set[Span] = set()
    for element in result.ranking:
        span = absolute(element.span)
        if span is None or span in marked:
            continue
        marked.add(span)
        edits = [one for one in suggestions if one.edit.item in element.items and not one.first]
        tests = (failing[test] for test in executing(result, element) if test in failing)
        text = printable(evidence_text(result, element, edits))
        severity = _severity(element, result.ranking[0])
        yield Mark(span, severity, code, text, tuple(_related(tests))[:_RELATED])
        if len(marked) == _SHOWN:
            return


def _severity(element: RankedElement, best: RankedElement) -> Severity:
    return Severity.WARNING if element.rank == best.rank else Severity.INFORMATION


def _related(tests: Iterable[FailingTest]) -> Iterator[Related]:
    for test in tests:
        if (span := _test_span(test)) is not None:
            yield Related(span, _failure(test))


def _odd(result: Localization) -> Iterator[Mark]:
    """What is odd in the grammar itself."""
    for one in diagnose(result.grammar):
        if (span := absolute(one.span)) is not None:
            yield Mark(span, Severity.INFORMATION, one.code, printable(one.message))


def _failing(result: Localization) -> Iterator[Mark]:
    """Failing tests, in their own files."""
    for test in result.failing[:_TESTS]:
        if (span := _test_span(test)) is not None:
            yield Mark(span, Severity.ERROR, "failing-test", _failure(test))


def _undecided(result: Localization) -> Iterator[Mark]:
    for one in result.undecided[:_TESTS]:
        if one.test.path is not None:
            file, line = full_path(one.test.path), one.test.line
            text = printable(f"this test is undecided: {one.reason}")
            yield Mark(Span(file, line, 1, line, 1), Severity.WARNING, "undecided-test", text)


def _test_span(failing: FailingTest) -> Span | None:
    """Where a failing test went wrong; None if it is in no file."""
    if failing.test.path is None:
        return None
    line = failing.line or failing.test.line
    column = 1 if failing.error is None or failing.line is None else failing.error.column or 1
    return Span(full_path(failing.test.path), line, column, line, column)


def _failure(failing: FailingTest) -> str:
    wanted = "accepted" if failing.test.expectation is Expectation.ACCEPT else "rejected"
    reason = "" if failing.error is None else f": {failing.error.message}"
    return printable(f"{failing.test.name} should be {wanted}{reason}")


# --- repairs -------------------------------------------------------------------------------


def _repairs(result: Localization, suggestions: Sequence[Suggestion]) -> Iterator[Repair]:
    for one in suggestions:
        if one.change is None:
            continue
        edits = tuple(text_edits(one.change))
        span = absolute(one.span) or (edits[0].span if edits else None)
        if edits and span is not None:
            title = printable(f"{one.describe()} ({summary(one, result.n_failing)})")
            yield Repair(span, title, edits, one.status is Status.VALIDATED)


# --- coverage ------------------------------------------------------------------------------


def _coverage(covered: Coverage) -> Iterator[Lens]:
    """A line for each non-terminal as the user wrote it."""
    grammar = covered.grammar
    alternatives: dict[int, list[int]] = {}
    for rule in grammar.rules:
        symbol = grammar.user_nonterminal(rule.lhs)
        if rule.lhs == symbol or covered.is_choice(rule.index):
            alternatives.setdefault(symbol, []).append(rule.index)
    for symbol, rules in alternatives.items():
        span = absolute(grammar.symbols[symbol].span or grammar.rules[rules[0]].span)
        if span is None:
            continue
        used = [rule for rule in rules if covered.rule_state(rule) is State.COVERED]
        own = [rule for rule in grammar.rules_of[symbol] if covered.rule_hits[rule]]
        tests = {t for rule in own for t in covered.rules.executed(rule).tolist()}
        accepted = sum(bool(covered.rules.verdicts[test] == ACCEPTED) for test in tests)
        if not used:
            text = "no accepted test uses it"
        else:
            text = (
                f"{counted(accepted, 'accepted test')} · "
                f"{len(used)} of {counted(len(rules), 'alternative')}"
            )
        yield Lens(span, text)


def _gaps(covered: Coverage) -> Iterator[Lens]:
    for gap in covered.gaps:
        if (span := absolute(gap.span)) is not None:
            shortest = "" if gap.sentence is None else f"for example: {' '.join(gap.sentence)}"
            detail = printable(" - ".join(part for part in (gap.what, shortest) if part))
            yield Lens(span, "never used", detail)


# --- hovers --------------------------------------------------------------------------------


def _places(result: Localization, covered: Coverage) -> Iterator[Place]:
    """Rules, positions and suspicious tokens; of several at one place the one used most."""
    found: dict[Span, tuple[int, Place]] = {}
    matrix = covered.items
    for at, text, tests in _used(result, covered):
        span = absolute(at)
        if span is None or (span in found and found[span][0] >= len(tests)):
            continue
        failing = [test for test in tests if matrix.failing[test]]
        passing = [test for test in tests if matrix.passing[test]]
        counts = (
            f"used by {len(failing)} of {matrix.n_failing} failing and"
            f" {len(passing)} of {matrix.n_passing} passing tests"
        )
        named = [
            tuple(printable(covered.suite.tests[test].name) for test in some[:_NAMED])
            for some in (failing, passing)
        ]
        found[span] = len(tests), Place(span, printable(text), counts, *named)
    return (place for _, place in found.values())


def _used(
    result: Localization, covered: Coverage
) -> Iterator[tuple[Span | None, str, Sequence[int]]]:
    """The elements of the grammar: where they are, their texts, and the tests that use them."""
    grammar = covered.grammar
    for rule in grammar.rules:
        yield rule.span, grammar.rule_text(rule.index), covered.rules.executed(rule.index).tolist()
        for dot in range(len(rule.rhs)):
            item = grammar.item(rule.index, dot)
            tests = covered.items.executed(item).tolist()
            yield rule.rhs_spans[dot], grammar.item_text(item), tests
    for element in result.ranking:
        if element.token is not None:
            yield element.span, element.rule_text, element.used


# --- files ---------------------------------------------------------------------------------


def _texts(files: Iterable[str], result: Localization) -> dict[str, str]:
    """The texts of files with marks; of long tests not."""
    texts = texts_of(files)
    shown = [one.test for one in result.failing[:_TESTS]]
    shown += [one.test for one in result.undecided[:_TESTS]]
    for test in shown:
        if test.path is not None and len(test.text) <= _LONGEST:
            path = full_path(test.path)
            if path not in texts:
                texts |= texts_of([path]) if test.line > 1 else {path: test.text}
    return texts
