"""What the actions of JFlex's rules return, as far as their text tells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Action", "read_action"]

_NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.DOTALL)
_RETURN = re.compile(r"\breturn\b([^;]*)")
_STATE = re.compile(r"\byybegin\s*\(([^)]*)\)")
_ARGUMENT = re.compile(r"(?<![\w.])([^\W\d]\w*)(?!\s*[\w(.])")


@dataclass(frozen=True, slots=True)
class Action:
    """What the code of a rule does.

    `terminals` are those that it may return, none if they cannot be read; `enters` are the lexical
    states that it changes to. Code that does nothing of all that drops what was read.
    """

    terminals: frozenset[int] = frozenset()
    returns: bool = False
    throws: bool = False
    enters: frozenset[str] = frozenset()

    @property
    def drops(self) -> bool:
        return not (self.returns or self.throws or self.enters)


def read_action(code: str, classes: Sequence[str], terminals: Mapping[str, int]) -> Action:
    """Read an action; `classes` are those with the numbers of the symbols."""
    plain = _NO_CODE.sub(" ", code)
    returned = " ".join(_RETURN.findall(plain))
    simple = "|".join(re.escape(name.rpartition(".")[2]) for name in classes)
    names = re.findall(rf"\b(?:{simple})\s*\.\s*(\w+)", plain)
    if not names:
        names = _ARGUMENT.findall(returned)
    return Action(
        frozenset(terminals[name] for name in names if name in terminals),
        bool(_RETURN.search(plain)),
        re.search(r"\bthrow\b", plain) is not None,
        frozenset(name.strip().rpartition(".")[2] for name in _STATE.findall(plain)),
    )
