"""Choosing samples among the texts that a token might have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

__all__ = ["fitting"]

_TRIED = 500
"""The most candidates that are tried."""

_PATIENCE = 50
"""Once one fits, the search ends after this many in a row that do not."""


def fitting(candidates: Iterable[str], fits: Callable[[str], bool], limit: int) -> list[str]:
    """The first candidates that fit, at most `limit`, each once, without the empty text."""
    found: list[str] = []
    misses = 0
    for text in dict.fromkeys(filter(None, islice(candidates, _TRIED))):
        if len(found) == limit or (found and misses > _PATIENCE):
            break
        if fits(text):
            found.append(text)
            misses = 0
        else:
            misses += 1
    return found
