"""What speaks against an element, for reports that show it at its place: SARIF and editors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gramspect.localization.results import Localization, RankedElement
from gramspect.report.edits import summary
from gramspect.running.recording import FailingTest

if TYPE_CHECKING:
    from gramspect.edits.suggestion import Suggestion

__all__ = ["evidence_text", "executing", "failing_by_number"]


def evidence_text(result: Localization, element: RankedElement, edits: Sequence[Suggestion]) -> str:
    """An element with its rank and counts, and its edits, in sentences."""
    others = element.ties - 1
    tied = f", with {others} other{'s' if others > 1 else ''}" if others else ""
    sentences = [
        f"Suspicious: {element.text()}",
        f"Rank {element.rank:g}{tied}, score {element.score:.3g}: executed by {element.ef} of"
        f" {element.ef + element.nf} failing and {element.ep} of {element.ep + element.np} passing"
        " tests",
        *(
            f"Repair: {one.describe()} ({summary(one, result.among(one.effect.fixed))})"
            for one in edits
        ),
    ]
    return "".join(f"{sentence}. " for sentence in sentences).rstrip()


def executing(result: Localization, element: RankedElement) -> Sequence[int]:
    """The numbers of the tests that execute an element; those that a token rule explains."""
    if element.token is not None:
        return element.tests
    executed: list[int] = result.basis.matrices[element.kind].executed(element.element).tolist()
    return executed


def failing_by_number(result: Localization) -> dict[int, FailingTest]:
    """The failing tests by their numbers in the suite."""
    matrix = result.basis.matrices[result.method.spectrum]
    return dict(zip(np.flatnonzero(matrix.failing).tolist(), result.failing, strict=True))
