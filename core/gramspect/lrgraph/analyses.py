"""Which tokens cannot stand in a place: two analyses of words along paths of an LR graph.

Both follow Rossouw and Fischer (2023, Section 6.1). What an analysis knows of the tokens before a
place is a *context*, a small number. It says which tokens can come next (`follow`), and which
context a token leads to (`step`). Put a phrase between a context and a token b: the outcome is no
sentence if a token of the phrase cannot follow, or b cannot follow the phrase. With one token as
the phrase these are the paper's conditions (i) and (ii); with none, that of deletion.

* `GlobalAnalysis` (6.1.2): a context is the token before the place, or the beginning. The tokens
* that can follow it are those with which it has a witness. `PathAnalysis` (6.1.1): a context is the
* left frontier, the vertices that all valid paths for the
  tokens before the place come to. A step leads to the right frontier: the vertices that hops and a
  push edge lead to.

A right frontier is found by hops, which know nothing of the stack; so is what follows a frontier.
That is the paper's definition, whose worked examples depend on it. The path-sensitive analysis
finds whatever the global one does: each vertex of a frontier is a witness for the token before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from gramspect.grammars.symbols import END
from gramspect.lrgraph.follow import Follow
from gramspect.lrgraph.graph import LRGraph
from gramspect.lrgraph.stacks import Level, Stacks

__all__ = ["DEAD", "Analysis", "AnalysisKind", "GlobalAnalysis", "PathAnalysis", "analysis_of"]

DEAD = -1
"""The context that no sentence has; nothing follows it."""


class AnalysisKind(StrEnum):
    """The analyses that can prove that a mutation is no sentence."""

    GLOBAL = "global"
    PATH = "path"


class Analysis(Protocol):
    """An analysis of the tokens that can come next."""

    def contexts(self, word: Sequence[int]) -> list[int]:
        """The contexts before each token of a sentence, and at its end."""
        ...

    def follow(self, context: int) -> int:
        """The tokens that can come next, as bits, `END` for the end of the input."""
        ...

    def step(self, context: int, token: int) -> int:
        """The context after a token, `DEAD` if it cannot come next."""
        ...


class GlobalAnalysis:
    """By the token before a place."""

    def __init__(self, graph: LRGraph) -> None:
        self._after = Follow(graph).after

    def contexts(self, word: Sequence[int]) -> list[int]:
        """The tokens before each place, `END` for the beginning."""
        return [END, *word]

    def follow(self, context: int) -> int:
        """The tokens that have a witness with the context's token."""
        return 0 if context == DEAD else self._after[context]

    def step(self, context: int, token: int) -> int:
        """The token itself, if it has a witness."""
        return token if self.follow(context) >> token & 1 else DEAD


class PathAnalysis:
    """By all valid paths for the tokens before a place."""

    def __init__(self, graph: LRGraph) -> None:
        self._follow = Follow(graph)
        self._stacks = Stacks(graph)
        self._word: Sequence[int] = ()
        self._levels: list[Level] = [self._stacks.first()]
        self._number: dict[frozenset[int], int] = {}
        self._frontiers: list[frozenset[int]] = []
        self._after: list[int] = []
        self._steps: list[dict[int, int] | None] = []

    def contexts(self, word: Sequence[int]) -> list[int]:
        """The left frontiers; the common beginning of two successive words is parsed once.

        Frontiers are taken right after the last token: reductions lead nowhere that hops do not.
        """
        shared = 0
        for one, other in zip(self._word, word, strict=False):
            if one != other:
                break
            shared += 1
        del self._levels[shared + 1 :]
        for token in word[shared:]:
            self._levels.append(self._stacks.shifted(self._levels[-1], token))
        self._word = word
        return [self._context(frozenset(level)) for level in self._levels]

    def frontier(self, context: int) -> frozenset[int]:
        """The vertices of a context."""
        return self._frontiers[context] if context != DEAD else frozenset()

    def follow(self, context: int) -> int:
        """F of all vertices of the frontier."""
        return 0 if context == DEAD else self._after[context]

    def step(self, context: int, token: int) -> int:
        """The right frontier."""
        if context == DEAD:
            return DEAD
        steps = self._steps[context]
        if steps is None:
            steps = self._steps[context] = self._all_steps(self._frontiers[context])
        return steps.get(token, DEAD)

    def _context(self, frontier: frozenset[int]) -> int:
        found = self._number.setdefault(frontier, len(self._frontiers))
        if found == len(self._frontiers):
            self._frontiers.append(frontier)
            after = 0
            for vertex in frontier:
                after |= self._follow.of[vertex]
            self._after.append(after)
            self._steps.append(None)
        return found

    def _all_steps(self, frontier: frozenset[int]) -> dict[int, int]:
        """The right frontiers by token."""
        reached = list(frontier)
        known = set(frontier)
        targets: dict[int, set[int]] = {}
        for vertex in reached:  # grows while it is walked
            for token, target in self._follow.shifts[vertex].items():
                targets.setdefault(token, set()).add(target)
            for further in self._follow.hops[vertex]:
                if further not in known:
                    known.add(further)
                    reached.append(further)
        return {token: self._context(frozenset(found)) for token, found in targets.items()}


def analysis_of(graph: LRGraph, kind: AnalysisKind) -> Analysis:
    """The analysis of that kind."""
    return GlobalAnalysis(graph) if kind is AnalysisKind.GLOBAL else PathAnalysis(graph)
