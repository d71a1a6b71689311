"""A smaller input that shows what a repair is for: rejected now, and accepted with the repair.

A failing input is mostly long, and nobody needs more than a line of it. Parts are left out as long
as the parser still rejects the rest and the repaired grammar derives it: lines first, then words
(A. Zeller and R. Hildebrandt, "Simplifying and isolating failure-inducing input", 2002, made
greedy). The repaired grammar is what tells an input that should be accepted from any other one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from gramspect.edits.model import NEW_TOKEN, applied
from gramspect.edits.suggestion import Bench, Suggestion
from gramspect.edits.tokens import TokenEdit
from gramspect.effort import clock, now
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.recognizer import Tokenizing
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.running.alarm import TimeIsUp, until
from gramspect.running.observing import observe_test, tokens_of
from gramspect.suites.suite import Expectation, TestCase

__all__ = ["smaller_input"]

MOST_TRIES = 200
"""How many parts are left out on trial."""
MOST_PARSED = 20_000
"""About how many words all trials have together."""
SHORT = 40
"""With at most this many parts every stretch is tried."""
_WORTH_IT = 0.8
"""The largest share of the characters that a smaller input may have."""
_WORD = re.compile(r"\s*(?:\w+|[^\w\s]|$)")

Parts = Sequence[str]


def smaller_input(bench: Bench, repair: Suggestion) -> TestCase | None:
    """The shortest input that the repair mends, made smaller; None if there is no smaller one."""
    recognizer = bench.recognizer
    of_tokens = any(isinstance(step.edit, TokenEdit) for step in repair.steps)
    if of_tokens or not isinstance(recognizer, Tokenizing) or NEW_TOKEN in repair.edit.symbols:
        return None
    mended = [bench.suite.tests[number] for number in repair.effect.fixed]
    wanted = [test for test in mended if test.expectation is Expectation.ACCEPT]
    if not wanted:
        return None
    test = min(wanted, key=lambda one: len(one.text))
    repaired = applied(repair.grammar, repair.edit)

    def shows(parts: Parts) -> bool:
        tokens = tokens_of(recognizer, _of(test, parts))
        return (
            tokens is not None
            and min(tokens, default=0) >= 0
            and not parse_chart(bench.recognizer.grammar, tokens).accepted
            and parse_chart(repaired, tokens).accepted
        )

    try:
        with until(clock().stop):
            found = _of(test, _reduced(test, shows))
            small = len(found.text) <= _WORTH_IT * len(test.text)
            return found if small and _rejected(bench, found) else None
    except TimeIsUp:
        return None


def _of(test: TestCase, parts: Parts) -> TestCase:
    """The test with a part of its text or of its tokens."""
    if test.tokens is not None:
        return replace(test, text=" ".join(parts), tokens=tuple(parts))
    return replace(test, text="".join(parts))


def _rejected(bench: Bench, test: TestCase) -> bool:
    seen = observe_test(bench.recognizer, test, Extraction.EXACT)
    return seen.verdict is Verdict.REJECTED


def _reduced(test: TestCase, shows: Callable[[Parts], bool]) -> Parts:
    """The parts of a test that are left; all of them if these do not show it."""
    parts: Parts = test.tokens if test.tokens is not None else test.text.splitlines(keepends=True)
    n_words = len(parts) if test.tokens is not None else len(_WORD.findall(test.text))
    tries = min(MOST_TRIES, MOST_PARSED // max(1, n_words))
    if not tries or not shows(parts):
        return parts
    parts, tries = _without(parts, shows, tries)
    if test.tokens is None:
        parts, _ = _without(_WORD.findall("".join(parts)), shows, tries)
    return parts


def _without(parts: Parts, shows: Callable[[Parts], bool], tries: int) -> tuple[Parts, int]:
    """The parts without stretches that may go, ever shorter ones, and the tries that are left."""
    size = (len(parts) + 1) // 2
    while size:
        begin = 0
        while begin < len(parts) and tries and now() != float("inf"):
            rest = [*parts[:begin], *parts[begin + size :]]
            tries -= 1
            if shows(rest):
                parts = rest
            else:
                begin += 1 if len(parts) <= SHORT else size
        size = size * 3 // 4 if len(parts) <= SHORT else size // 2
    return parts, tries
