"""Where a ranking has the elements of a name, and recognizers that have seen their tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import pytest

from gramspect import Localization, RankedElement, Recognizer, TestCase
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.trace import Trace

__all__ = ["Replayed", "rank_of", "sampled"]

Case = type(pytest.param())
"""What `pytest.param` makes."""


def sampled(cases: Iterable[Case], every: int) -> list[Case]:
    """Cases of which one in so many runs in ``make test``, and all in ``make test-all``."""
    return [
        case if number % every == 0 else case._replace(marks=(*case.marks, pytest.mark.slow))
        for number, case in enumerate(cases)
    ]


@dataclass(frozen=True)
class Replayed:
    """A recognizer that has seen the tests already."""

    live: Recognizer
    traces: Mapping[str, Trace]

    @property
    def grammar(self) -> Grammar:
        return self.live.grammar

    def trace(self, test: TestCase) -> Trace:
        return self.traces[test.name]


def rank_of(
    result: Localization, wanted: str | None, name: Callable[[RankedElement], str]
) -> float | None:
    """The rank of a name's best element among the best ones of all names.

    Members of a tie share its middle. None for a name that is not in the ranking.
    """
    best: dict[str, float] = {}
    for element in result.ranking:
        best.setdefault(name(element), element.rank)
    if wanted is None or wanted not in best:
        return None
    before = sum(rank < best[wanted] for rank in best.values())
    tied = sum(rank == best[wanted] for rank in best.values())
    return before + (tied + 1) / 2
