"""Which of many parts can be left out together: delta debugging with probabilities.

Delta debugging (A. Zeller and R. Hildebrandt, "Simplifying and isolating failure-inducing input",
2002) leaves out halves, quarters and so on in a fixed order. Here every part has a probability
that it matters, and what is left out next is the set with the most expected gain, as in G. Wang,
R. Shen, J. Chen, Y. Xiong and L. Zhang, "Probabilistic delta debugging", 2021. Other than there a
part is at first the more probable to matter the more of the input it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gramspect.reduction.trees import Change

__all__ = ["leave_out"]

_MATTERING = 2.0
"""How many places of an input are expected to matter."""
_LIKELIEST = 0.9
"""The most that is taken for granted before anything was asked."""
_SURE = 0.999999


def leave_out(
    changes: Sequence[Change], weights: Sequence[int], holds: Callable[[Sequence[Change]], bool]
) -> list[Change]:
    """The changes that can be made together, each of the others asked after alone.

    Args:
        changes: what could be made, of distinct parts.
        weights: how much of the input each part is.
        holds: whether the predicate holds after some of the changes.
    """
    total = max(1, sum(weights))
    chance = [min(_LIKELIEST, _MATTERING * max(weight, 1) / total) for weight in weights]
    made: list[int] = []
    left = list(range(len(changes)))
    while left:
        chosen = _best([(chance[n], changes[n].gain, n) for n in left])
        if holds([changes[n] for n in sorted(made + chosen)]):
            made += chosen
            left = [n for n in left if n not in set(chosen)]
        elif len(chosen) == 1:
            left.remove(chosen[0])
        else:
            unlikely = 1.0
            for n in chosen:
                unlikely *= 1 - chance[n]
            for n in chosen:
                chance[n] = min(_SURE, chance[n] / (1 - unlikely))
    return [changes[n] for n in sorted(made)]


def _best(parts: list[tuple[float, int, int]]) -> list[int]:
    """The least likely ones to matter, so many that the expected gain is greatest."""
    parts.sort(key=lambda part: (part[0], part[2]))
    gain, safe, best, count = 0, 1.0, -1.0, 1
    for number, (chance, each, _) in enumerate(parts, start=1):
        gain += max(each, 1)
        safe *= 1 - chance
        if gain * safe > best:
            best, count = gain * safe, number
    return [part[2] for part in parts[:count]]
