"""Automata of Python's regular expressions, from the tree that `re` itself parses them to.

Conditions on the surroundings (``^``, ``\\b``, lookahead) are left out, and so are those of
references to groups; such an automaton is not `exact`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from re import _constants as codes  # type: ignore[attr-defined, unused-ignore]
from re import _parser as parser  # type: ignore[attr-defined, unused-ignore]
from typing import Any

from gramspect.lexical.automaton import Automaton, Chain
from gramspect.lexical.characters import EVERYTHING, CharSet, category

__all__ = ["add_regex", "of_groups", "of_regex"]

MOST_COPIES = 40
"""The most copies of a repeated part; one with a higher limit may be repeated for ever."""

_NEWLINE = CharSet.single("\n")

Node = tuple[Any, Any]


def of_regex(pattern: str, name: str, flags: int = 0) -> Automaton:
    """The automaton of a token rule that is one regular expression.

    Raises:
        re.error: `re` does not know its syntax.
    """
    automaton = Automaton()
    automaton.final = add_regex(automaton, automaton.start, pattern, flags, (name,))
    return automaton


_PROPERTY = re.compile(r"\\([pP])\{[^}]*\}")
"""A property of Unicode, as the module ``regex`` knows them."""


def _of_words(found: re.Match[str]) -> str:
    """The class in place of a property: most properties in names are about letters and digits."""
    return r"\w" if found[1] == "p" else r"\W"


def add_regex(automaton: Automaton, state: int, pattern: str, flags: int, chain: Chain) -> int:
    """Add an expression to the automaton after a state; give the state after it.

    Raises:
        re.error: `re` does not know its syntax.
    """
    try:
        tree, own_flags = _tree(pattern, flags)
    except re.error:
        known = _PROPERTY.sub(_of_words, pattern)
        if known == pattern:
            raise
        automaton.exact = False
        tree, own_flags = _tree(known, flags)
    return _Writer(automaton, chain, own_flags).sequence(tree, state)


@lru_cache(maxsize=256)
def _tree(pattern: str, flags: int) -> tuple[Sequence[Node], int]:
    tree = parser.parse(pattern, flags)
    return list(tree), tree.state.flags


class _Writer:
    """Adds parts of a tree to an automaton: each from a state, to the state that it gives back."""

    def __init__(self, automaton: Automaton, chain: Chain, flags: int) -> None:
        self._automaton = automaton
        self._chain = chain
        self._flags = flags

    def sequence(self, nodes: Iterable[Node], state: int) -> int:
        for code, value in nodes:
            state = self._node(code, value, state)
        return state

    def _node(self, code: Any, value: Any, state: int) -> int:
        characters = self._characters(code, value)
        if characters is not None:
            target = self._automaton.state()
            self._automaton.read(state, target, characters, self._chain)
            return target
        match code:
            case codes.BRANCH:
                return self._either(value[1], state)
            case codes.MAX_REPEAT:
                return self._repeated(value, state)
            case codes.SUBPATTERN:
                return self._group(value, state)
        return self._inexact(code, value, state)

    def _inexact(self, code: Any, value: Any, state: int) -> int:
        """What restricts what is read by more than an automaton can."""
        self._automaton.exact = False
        match code:
            case codes.POSSESSIVE_REPEAT | codes.MIN_REPEAT:
                return self._repeated(value, state)
            case codes.ATOMIC_GROUP:
                return self.sequence(value, state)
            case codes.GROUPREF:
                target = self._behind(state)
                self._automaton.read(target, target, EVERYTHING, self._chain)
                return target
        return state  # a condition on the surroundings

    def _group(self, value: Any, state: int) -> int:
        _, added, removed, nodes = value
        outside = self._flags
        self._flags = (outside | added) & ~removed
        try:
            return self.sequence(nodes, state)
        finally:
            self._flags = outside

    def _characters(self, code: Any, value: Any) -> CharSet | None:
        """The characters that a node reads one of; None if it is no such node."""
        match code:
            case codes.LITERAL:
                return self._cased(CharSet.single(chr(value)))
            case codes.NOT_LITERAL:
                return self._cased(CharSet.single(chr(value))).complement()
            case codes.ANY:
                return EVERYTHING if self._flags & re.DOTALL else _NEWLINE.complement()
            case codes.IN:
                return self._set(value)
        return None

    def _cased(self, characters: CharSet) -> CharSet:
        return characters.folded() if self._flags & re.IGNORECASE else characters

    def _set(self, members: Sequence[Node]) -> CharSet:
        negated, found = False, CharSet(())
        for code, value in members:
            match code:
                case codes.NEGATE:
                    negated = True
                case codes.LITERAL:
                    found |= CharSet.single(chr(value))
                case codes.RANGE:
                    found |= CharSet((value,))
                case codes.CATEGORY:
                    found |= _category(str(value), bool(self._flags & re.ASCII))
        found = self._cased(found)
        return found.complement() if negated else found

    def _either(self, branches: Iterable[Iterable[Node]], state: int) -> int:
        target = self._automaton.state()
        for branch in branches:
            self._automaton.skip(self.sequence(branch, self._behind(state)), target)
        return target

    def _repeated(self, repeat: tuple[int, Any, Sequence[Node]], state: int) -> int:
        least, most, nodes = repeat
        for _ in range(min(int(least), MOST_COPIES)):
            state = self.sequence(nodes, state)
        target = self._behind(state)
        if most is codes.MAXREPEAT or int(most) - int(least) > MOST_COPIES:
            self._automaton.skip(self.sequence(nodes, target), target)
            return target
        for _ in range(int(most) - int(least)):
            state = self.sequence(nodes, state)
            self._automaton.skip(state, target)
        return target

    def _behind(self, state: int) -> int:
        """A new state that is reached from another without reading."""
        target = self._automaton.state()
        self._automaton.skip(state, target)
        return target


def _category(name: str, in_ascii: bool) -> CharSet:
    letter = {"DIGIT": "d", "SPACE": "s", "WORD": "w"}[name.rpartition("_")[2]]
    found = category(letter)
    if in_ascii:
        found = CharSet.of((first, min(last, 127)) for first, last in found.ranges if first < 128)
    return found.complement() if "_NOT_" in name else found


def of_groups(
    pattern: str, flags: int, named: Callable[[str], str]
) -> Iterator[tuple[str, Automaton]]:
    """The named groups that are the alternatives of an expression, each as a token rule.

    This takes apart what lexers put together as ``(?P<a>...)|(?P<b>...)``; `named` gives the name
    of the rule of a group.

    Raises:
        re.error: `re` does not know its syntax.
    """
    tree = parser.parse(pattern, flags)
    own_flags = tree.state.flags
    names = {number: name for name, number in tree.state.groupdict.items()}
    nodes = list(tree)
    branches = nodes[0][1][1] if len(nodes) == 1 and nodes[0][0] is codes.BRANCH else [nodes]
    for branch in branches:
        parts = list(branch)
        number = parts[0][1][0] if parts and parts[0][0] is codes.SUBPATTERN else None
        if number in names:
            automaton = Automaton()
            writer = _Writer(automaton, (named(names[number]),), own_flags)
            automaton.final = writer.sequence(parts, automaton.start)
            yield names[number], automaton
