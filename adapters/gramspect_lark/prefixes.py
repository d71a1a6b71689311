"""How far a regular expression gets in a text that it does not match.

Python's ``re`` only says that there is no match. Here its parse tree is walked over the text: the
set of places that each part can lead to, and the furthest character that any part has read.
Conditions in the tree (look-around, back references) are taken to hold, so the answer may go too
far but never falls short.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["furthest"]

_parser: Any = getattr(re, "_parser")  # noqa: B009  # it has no public name
_constants: Any = getattr(re, "_constants")  # noqa: B009

LONGEST = 2_000
"""How many characters are looked at."""


def furthest(pattern: str, flags: int, text: str, place: int) -> int:
    """The end of the last character from `place` on that the pattern can read; `place` if none.

    Raises:
        re.error: it is no regular expression of Python's.
    """
    tree = _parser.parse(pattern, flags)
    walk = _Walk(text[: place + LONGEST], tree.state.flags, place)
    walk.ends(tree, place)
    return walk.reached


@dataclass
class _Walk:
    text: str
    flags: int
    reached: int

    def ends(self, sequence: Any, place: int) -> frozenset[int]:
        """The places after a sequence that begins at a place."""
        places = frozenset((place,))
        for operator, argument in sequence:
            places = frozenset(
                end for start in places for end in self._after(str(operator), argument, start)
            )
        return places

    def _after(self, operator: str, argument: Any, place: int) -> Iterable[int]:
        match operator:
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                return self._character(operator, argument, place)
            case "BRANCH":
                return (end for branch in argument[1] for end in self.ends(branch, place))
            case "SUBPATTERN":
                return self._in_group(argument, place)
            case "ATOMIC_GROUP":
                return self.ends(argument, place)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, most, body = argument
                return self._repeated(least, most, body, place)
            case _:  # look-around, anchors, references
                return (place,)

    def _character(self, operator: str, argument: Any, place: int) -> tuple[int, ...]:
        if place >= len(self.text) or not self._fits(operator, argument, self.text[place]):
            return ()
        self.reached = max(self.reached, place + 1)
        return (place + 1,)

    def _in_group(self, argument: Any, place: int) -> frozenset[int]:
        _, added, removed, body = argument
        outside = self.flags
        self.flags = (outside | added) & ~removed
        try:
            return self.ends(body, place)
        finally:
            self.flags = outside

    def _repeated(self, least: int, most: Any, body: Any, place: int) -> set[int]:
        found: set[int] = set()
        current, count = {place}, 0
        while True:
            if count >= least:
                current = current - found
                found |= current
            if not current or (most is not _constants.MAXREPEAT and count >= most):
                return found
            following = {end for start in current for end in self.ends(body, start)}
            if following == current:  # no character is left
                return found | current
            current, count = following, count + 1

    def _fits(self, operator: str, argument: Any, character: str) -> bool:
        if operator == "ANY":
            return character != "\n" or bool(self.flags & re.DOTALL)
        variants = {character}
        if self.flags & re.IGNORECASE:
            variants |= {character.lower(), character.upper()}
        codes = [ord(variant) for variant in variants if len(variant) == 1]
        if operator == "IN":
            return _in_set(argument, codes)
        return (argument in codes) == (operator == "LITERAL")


def _in_set(items: Sequence[Any], codes: Sequence[int]) -> bool:
    negated = str(items[0][0]) == "NEGATE"
    return negated != any(
        _in_item(str(kind), value, code) for kind, value in items for code in codes
    )


def _in_item(kind: str, value: Any, code: int) -> bool:
    if kind == "LITERAL":
        return bool(code == value)
    if kind == "RANGE":
        return bool(value[0] <= code <= value[1])
    if kind == "CATEGORY":
        name = str(value)
        letter = {"DIGIT": "d", "SPACE": "s", "WORD": "w"}[name.rpartition("_")[2]]
        escape = letter.upper() if "_NOT_" in name else letter
        return re.match(rf"\{escape}", chr(code)) is not None
    return False
