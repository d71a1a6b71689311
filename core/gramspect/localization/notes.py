"""Notes for the readers of a ranking: oddities, and limits of what it can tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gramspect.effort import clock
from gramspect.grammars.diagnostics import diagnose
from gramspect.localization.results import Note
from gramspect.lr.conflicts import Conflict
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.recognizer import (
    CodeSkipping,
    ConflictKnowing,
    LexerKnowing,
    Recognizer,
    Tokenizing,
)
from gramspect.recognition.trace import ErrorKind, Verdict
from gramspect.running.recording import FailingTest
from gramspect.scoring.evidence import Caveat
from gramspect.scoring.ranking import Ranking
from gramspect.suites.suite import TestSuite

__all__ = ["code_notes", "grammar_notes", "lexer_notes", "suite_notes", "technique_notes"]

_LOOKED_AT = 50
"""How many rejected tests are also parsed with the chart if conflicts were resolved."""

_EXPLAINED = 10
"""The most failing tests whose lexical errors are traced to token rules."""

_LONGEST = 3000
"""Tests with more tokens than this are not parsed again with the chart."""

_CAVEATS = {
    Caveat.NO_PASSING_TEST: (
        "no test passes, so the counts cannot tell faults from what every test uses;"
        " add passing tests"
    ),
    Caveat.NO_ERROR_POSITION: (
        "no failing test stopped inside a rule (each is wrongly accepted, or rejected at its first"
        " token or where a rule had ended), so no error position helps"
    ),
    Caveat.NO_EDIT: (
        "no small change of the grammar was found that makes a failing test pass; ranked by the"
        " other evidence"
    ),
    Caveat.UNFINISHED: (
        "the search for repairs ended before it had tried everything; --effort high goes on"
    ),
}

OUT_OF_TIME = "out-of-time"
"""The code of the note that says that time, not work, ended the search."""
_OUT_OF_TIME = (
    "the time for the search for repairs was over before its end, so another run may find others;"
    " --budget gives it more"
)


def suite_notes(suite: TestSuite, ranking: Ranking) -> Iterator[Note]:
    """Notes on the limits of a suite and of its ranking."""
    for text in suite.notes:
        yield Note("suite", text)
    for caveat in ranking.caveats:
        if Caveat.NO_FAILING_TEST in ranking.caveats:
            continue
        if caveat is Caveat.UNFINISHED and clock().late:
            yield Note(OUT_OF_TIME, _OUT_OF_TIME)
        else:
            yield Note(caveat.value, _CAVEATS[caveat])


def technique_notes(recognizer: Recognizer, failing: Sequence[FailingTest]) -> Iterator[Note]:
    """Say which tests the parser rejects although its grammar derives them.

    That can only happen where conflicts were resolved. Of many tests only the first are looked at,
    and no long ones.
    """
    if not isinstance(recognizer, Tokenizing) or not _conflicts(recognizer):
        return
    names = []
    rejected = [one.test for one in failing if one.verdict is Verdict.REJECTED]
    for test in rejected[:_LOOKED_AT]:
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


def grammar_notes(recognizer: Recognizer) -> Iterator[Note]:
    """Diagnostics of the grammar, and the conflicts of its tables where the recognizer has some."""
    diagnostics = diagnose(recognizer.grammar)
    if diagnostics:
        first = str(diagnostics[0])
        others = f" (and {len(diagnostics) - 1} more)" if len(diagnostics) > 1 else ""
        yield Note("grammar", f"{first}{others}", tuple(map(str, diagnostics)))
    conflicts = [c for c in _conflicts(recognizer) if not c.by_precedence]
    if conflicts:
        kinds = [c.kind for c in conflicts]
        numbers = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
        text = f"the parser tables have conflicts that no precedence resolves: {numbers}"
        yield Note("conflicts", text, tuple(map(str, conflicts)))


def _conflicts(recognizer: Recognizer) -> Sequence[Conflict]:
    return recognizer.conflicts if isinstance(recognizer, ConflictKnowing) else ()


def lexer_notes(recognizer: Recognizer, failing: Sequence[FailingTest]) -> Iterator[Note]:
    """The token rules that lexical errors have to do with, of the first failing tests with some."""
    tests = [
        one.test for one in failing if one.error is not None and one.error.kind is ErrorKind.LEXICAL
    ]
    if isinstance(recognizer, LexerKnowing):
        found = (d for test in tests[:_EXPLAINED] for d in recognizer.lexer_rules_at_error(test))
        lines = tuple(dict.fromkeys(map(str, found)))
        if lines:
            others = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
            yield Note("lexer", f"{lines[0]}{others}", lines if others else ())


def code_notes(recognizer: Recognizer, failing: Sequence[FailingTest]) -> Iterator[Note]:
    """The code of token rules that failing tests meet and that is not run."""
    if not isinstance(recognizer, CodeSkipping):
        return
    tests: dict[str, list[str]] = {}
    for one in failing[:_LOOKED_AT]:
        for diagnostic in recognizer.code_not_run(one.test):
            tests.setdefault(str(diagnostic), []).append(one.test.name)
    if tests:
        first, met = next(iter(tests.items()))
        others = f" (and {len(tests) - 1} more)" if len(tests) > 1 else ""
        text = f"{first}; {len(met)} of the failing tests may fail for that reason{others}"
        yield Note("code", text, tuple(tests))
