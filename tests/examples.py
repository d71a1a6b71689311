"""How many examples of an expensive kind a property test looks at."""

from __future__ import annotations

from hypothesis import settings

__all__ = ["fewer"]


def fewer(share: float) -> settings:
    """Settings with that share of the examples of the profile, and at least five."""
    return settings(max_examples=max(5, round(share * settings().max_examples)))
