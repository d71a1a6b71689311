"""How long lexers are waited for where they may never come to an end.

What follows an error is read by a lexer that no parser leads, and there a pattern such as ``(x+)+``
may meet a string that is not closed: matching takes time that doubles with each character. Such a
question is given up after some seconds, and not asked again. Each leaves less time to the later
ones, so that all together cost a minute at most.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeVar

from gramspect.effort import clock
from gramspect.running.alarm import TimeIsUp, until

__all__ = ["Patience"]

TOGETHER, EACH = 30.0, 0.5
"""The seconds that all questions without an answer may take, and each at any rate."""

Answer = TypeVar("Answer")


@dataclass
class Patience:
    """The seconds that are `left` for questions without an answer; each may take a third of it."""

    left: float = field(default_factory=lambda: TOGETHER)
    _given_up: set[Hashable] = field(default_factory=set)

    def __contains__(self, question: Hashable) -> bool:
        """Whether an answer is to be hoped for."""
        return question not in self._given_up

    @property
    def seconds(self) -> float:
        """How long the next question may take; less near the end of the budget."""
        return max(EACH, min(self.left / 3, clock().stop - monotonic()))

    def give_up(self, question: Hashable, seconds: float) -> None:
        """Remember that a question had no answer after so many seconds."""
        self._given_up.add(question)
        self.left -= seconds

    def ask(self, question: Hashable, answer: Callable[[], Answer]) -> Answer | None:
        """The answer, worked out in this process; None if it takes too long, or has before."""
        if question not in self:
            return None
        begin = monotonic()
        try:
            with until(begin + self.seconds):
                return answer()
        except TimeIsUp:
            self.give_up(question, monotonic() - begin)
            return None
