"""A smaller input that shows what a repair is for: rejected now, and accepted with the repair.

A failing input is mostly long, and nobody needs more than a line of it.
"""

from __future__ import annotations

from gramspect.edits.model import NEW_TOKEN, applied
from gramspect.edits.suggestion import Bench, Suggestion
from gramspect.edits.tokens import TokenEdit
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.reduction.failing import smaller_with
from gramspect.running.observing import observe_test
from gramspect.suites.suite import Expectation, TestCase

__all__ = ["smaller_input"]

_WORTH_IT = 0.8
"""The largest share of the characters that a smaller input may have."""


def smaller_input(bench: Bench, repair: Suggestion) -> TestCase | None:
    """The shortest input that the repair mends, made smaller; None if there is no smaller one."""
    of_tokens = any(isinstance(step.edit, TokenEdit) for step in repair.steps)
    if of_tokens or NEW_TOKEN in repair.edit.symbols:
        return None
    mended = [bench.suite.tests[number] for number in repair.effect.fixed]
    wanted = [test for test in mended if test.expectation is Expectation.ACCEPT]
    if not wanted:
        return None
    test = min(wanted, key=lambda one: len(one.text))
    found = smaller_with(bench.recognizer, applied(repair.grammar, repair.edit), test)
    if found is None or len(found.text) > _WORTH_IT * len(test.text):
        return None
    seen = observe_test(bench.recognizer, found, Extraction.EXACT)
    return found if seen.verdict is Verdict.REJECTED else None
