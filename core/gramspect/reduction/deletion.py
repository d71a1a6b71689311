"""Which of many parts can be left out together: delta debugging with probabilities.

Delta debugging (A. Zeller and R. Hildebrandt, "Simplifying and isolating failure-inducing input",
2002) leaves out halves, quarters and so on in a fixed order. Here every part has a probability
that it matters, and what is left out next is the set with the most expected gain, as in G. Wang,
R. Shen, J. Chen, Y. Xiong and L. Zhang, "Probabilistic delta debugging", 2021. Other than there a
part is at first the more probable to matter the more of the input it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from gramspect.reduction.trees import Change

__all__ = ["by_weight", "leave_out"]

_MATTERING = 2.0
"""How many places of an input are expected to matter."""
_LIKELIEST = 0.9
"""The most that is taken for granted before anything was asked."""
_SURE = 0.999999
_EXACT = 14
"""For at most so many parts the chances are computed from all sets of them."""


def by_weight(weights: Sequence[int]) -> list[float]:
    """How probable it is that each part matters, before anything was asked, by how much of the
    input it is."""
    total = max(1, sum(weights))
    return [min(_LIKELIEST, _MATTERING * max(weight, 1) / total) for weight in weights]


def leave_out(
    changes: Sequence[Change], prior: Sequence[float], holds: Callable[[Sequence[Change]], bool]
) -> list[Change]:
    """The changes that can be made together, each of the others asked after alone.

    Args:
        changes: what could be made, of distinct parts.
        prior: how probable it is that each part matters, less than 1.
        holds: whether the predicate holds after some of the changes.
    """
    known = _Known(prior)
    made: list[int] = []
    left = list(range(len(changes)))
    while left:
        chosen = known.best(left, changes)
        if holds([changes[n] for n in sorted(made + chosen)]):
            made += chosen
            left = [n for n in left if n not in set(chosen)]
            known.safe(chosen)
        elif len(chosen) == 1:
            left.remove(chosen[0])
            known.matters(chosen[0])
        else:
            known.together(chosen)
    return [changes[n] for n in sorted(made)]


class _Known:
    """What answers say of which parts matter.

    A set that could not be left out has at least one that does. The chance of each part, and of
    sets, is that of independent parts under that condition: exactly for a few parts, else each set
    by itself, as in the paper.
    """

    def __init__(self, prior: Sequence[float]) -> None:
        self.prior = list(prior)
        self.chance = list(prior)
        self.sets: list[frozenset[int]] = []

    def safe(self, parts: Sequence[int]) -> None:
        """These do not matter."""
        fewer = (each.difference(parts) for each in self.sets)
        self.sets = [each for each in fewer if each]  # an empty one was of parts that matter apart

    def matters(self, part: int) -> None:
        """This one does, which explains the sets that have it."""
        self.sets = [each for each in self.sets if part not in each]

    def together(self, parts: Sequence[int]) -> None:
        """At least one of these matters."""
        self.sets = [each for each in self.sets if not each.issuperset(parts)]
        self.sets.append(frozenset(parts))
        unlikely = math.prod(1 - self.chance[n] for n in parts)
        for n in parts:
            self.chance[n] = min(_SURE, self.chance[n] / (1 - unlikely))

    def best(self, left: Sequence[int], changes: Sequence[Change]) -> list[int]:
        """The least likely ones to matter, so many that the expected gain is greatest."""
        chance, joint = self.chance, None
        if len(left) <= _EXACT:
            joint = _Joint(left, self.prior, self.sets)
            chance = joint.chances(len(chance))
        parts = sorted(left, key=lambda n: (chance[n], n))
        gain, safe, best, count = 0, 1.0, -1.0, 1
        for number, n in enumerate(parts, start=1):
            gain += max(changes[n].gain, 1)
            safe = safe * (1 - chance[n]) if joint is None else joint.safe(parts[:number])
            if gain * safe > best:
                best, count = gain * safe, number
        return parts[:count]


class _Joint:
    """The probabilities of all sets of a few parts to be those that matter."""

    def __init__(
        self, left: Sequence[int], prior: Sequence[float], sets: Sequence[frozenset[int]]
    ) -> None:
        self.bit = {n: 1 << place for place, n in enumerate(left)}
        self.which = np.arange(1 << len(left))
        weights = np.ones(1)
        for n in left:
            weights = np.concatenate([weights * (1 - prior[n]), weights * prior[n]])
        for each in sets:
            weights = weights * ((self.which & self._bits(each)) != 0)
        self.weights = weights / weights.sum()

    def _bits(self, parts: Iterable[int]) -> int:
        return sum(self.bit.get(n, 0) for n in parts)

    def safe(self, parts: Sequence[int]) -> float:
        """The probability that none of these matters."""
        return float(self.weights[(self.which & self._bits(parts)) == 0].sum())

    def chances(self, number: int) -> list[float]:
        """The probability of each part to matter, 1 for those that are not left."""
        return [1 - self.safe([n]) if n in self.bit else 1.0 for n in range(number)]
