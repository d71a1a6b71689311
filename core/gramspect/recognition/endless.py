"""Parses that would go on for ever: an LR parser for a cyclic grammar may reduce without an end."""

from __future__ import annotations

__all__ = ["EndlessParse", "LoopGuard"]


class EndlessParse(Exception):
    """The parser was stopped because it would have gone on for ever."""


class LoopGuard:
    """Stops an LR parser that reduces for ever.

    What such a parser does between two tokens depends on its stack only. It repeats itself if and
    only if, without a token in between, it comes to the same state twice with nothing below
    touched: it has then grown by more states than there are, or put more of them in one place.

    Args:
        limit: how many states there are; more if the parser may come to a state several times
            between two calls of `read`.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.read(1)

    def read(self, depth: int) -> None:
        """A token has been read, or a parse begins, with so many states on the stack."""
        self._untouched = depth
        self._put: list[int] = []

    def reduced(self, depth: int) -> None:
        """A rule has been reduced: so many states are left, and another one is to come.

        Raises:
            EndlessParse: the parser repeats itself.
        """
        if depth < self._untouched:
            self._untouched, self._put = depth, []
        place = depth - self._untouched
        del self._put[place + 1 :]
        self._put += [0] * (place + 1 - len(self._put))
        self._put[place] += 1
        if max(place, self._put[place]) > self._limit:
            raise EndlessParse("the parser does not terminate: it reduces for ever")
