"""Names that are nearly the same."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["NearMisses"]

_LONGEST = 60
_SHOWN = 3


class NearMisses:
    """Finds the names that differ by about one letter, whatever the case.

    Two names are near if they are equal once at most one letter is struck from each: one inserted,
    lost, wrong or misplaced letter. The index holds these shortened forms (as in Garbe's
    symmetric delete algorithm), so building it and asking it are linear in the number of names.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names: dict[str, list[str]] = {}
        for name in names:
            for form in _forms(name):
                self._names.setdefault(form, []).append(name)

    def of(self, name: str) -> list[str]:
        """The nearest few names, those that share more letters in place first."""
        found = {near for form in _forms(name) for near in self._names.get(form, ())}
        found.discard(name)
        return sorted(found, key=lambda near: (_misplaced(name, near), near))[:_SHOWN]

    def hint(self, name: str) -> str:
        """``; did you mean 'x'?`` or nothing."""
        near = " or ".join(map(repr, self.of(name)))
        return f"; did you mean {near}?" if near else ""


def _forms(name: str) -> set[str]:
    lower = name.lower()
    if len(lower) > _LONGEST:
        return {lower}
    shorter = {lower[:i] + lower[i + 1 :] for i in range(len(lower))} if len(lower) > 2 else set()
    return {lower, *shorter}


def _misplaced(name: str, other: str) -> int:
    common = sum(a == b for a, b in zip(name, other, strict=False))
    return max(len(name), len(other)) - common
