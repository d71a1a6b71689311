"""Networks of Python's regular expressions, from the tree that `re` itself parses them to.

Conditions on the surroundings (``^``, ``\\b``, lookahead) are left out, and a reference to a group
may read another text than the group has. So a superset is enumerated, and the caller checks the
texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from re import _constants as codes  # type: ignore[attr-defined, unused-ignore]
from re import _parser as parser  # type: ignore[attr-defined, unused-ignore]
from typing import Any

from gramspect.generation.texts.network import Network, preferred

__all__ = ["alternatives", "regex_texts"]

_OPTIONAL = 3
"""How many repetitions beyond the least number are tried of a limited one."""

_CLASSES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}

Node = tuple[Any, Any]


def regex_texts(pattern: str, flags: int = 0, *, wide: bool = False) -> Iterator[str]:
    """Texts of an expression, the shortest first; none if `re` does not know its syntax.

    Their most readable characters stand for sets, or with `wide` all of ASCII.
    """
    try:
        tree = _tree(pattern, flags)
    except re.error:
        return iter(())
    return _texts(tree, wide)


def alternatives(
    pattern: str, flags: int = 0, *, wide: bool = False
) -> Iterator[tuple[int, Iterator[str]]]:
    """The groups that are the alternatives of an expression, each with its texts.

    This takes apart what lexers put together as ``(?P<a>...)|(?P<b>...)``.
    """
    tree = _tree(pattern, flags)
    branches = tree[0][1][1] if len(tree) == 1 and tree[0][0] is codes.BRANCH else [tree]
    for branch in branches:
        nodes = list(branch)
        if nodes and nodes[0][0] is codes.SUBPATTERN and nodes[0][1][0] is not None:
            yield nodes[0][1][0], _texts(nodes, wide)


@lru_cache(maxsize=16)
def _tree(pattern: str, flags: int) -> Sequence[Node]:
    return list(parser.parse(pattern, flags))


def _texts(tree: Iterable[Node], wide: bool) -> Iterator[str]:
    network = Network()
    start = network.state()
    network.finals.add(_Writer(network, wide).sequence(tree, start))
    yield from network.texts(start)


class _Writer:
    """Adds parts of a tree to a network: each from a state, to the state that it gives back."""

    def __init__(self, network: Network, wide: bool) -> None:
        self._network = network
        self._wide = wide
        self._groups: dict[int | None, Sequence[Node]] = {}

    def sequence(self, nodes: Iterable[Node], state: int) -> int:
        for node in nodes:
            state = self._node(node, state)
        return state

    def _node(self, node: Node, state: int) -> int:
        characters = self._characters(node)
        if characters is None:
            return self._composed(*node, state)
        target = self._network.state()
        self._network.read(state, target, characters)
        return target

    def _characters(self, node: Node) -> str | None:
        """The characters that a node reads one of; None if it is no such node."""
        code, value = node
        match code:
            case codes.LITERAL:
                return chr(value)
            case codes.NOT_LITERAL:
                return self._some(lambda c: c != chr(value))
            case codes.ANY:
                return self._some(lambda c: c != "\n")
            case codes.IN:
                return self._of_set(value)
        return None

    def _composed(self, code: Any, value: Any, state: int) -> int:
        match code:
            case codes.BRANCH:
                return self._either(value[1], state)
            case codes.GROUPREF_EXISTS:
                return self._either([value[1], value[2] or ()], state)
            case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
                least, most, nodes = value
                return self._repeated(least, most, nodes, state)
        return self.sequence(self._inner(code, value), state)

    def _inner(self, code: Any, value: Any) -> Iterable[Node]:
        """Add a group, or a reference to one; a condition on the surroundings adds nothing."""
        match code:
            case codes.SUBPATTERN:
                self._groups[value[0]] = value[3]
                return value[3]  # type: ignore[no-any-return]
            case codes.ATOMIC_GROUP:
                return value  # type: ignore[no-any-return]
            case codes.GROUPREF:
                return self._groups.get(value, ())
        return ()

    def _some(self, contains: Callable[[str], bool]) -> str:
        return preferred(contains, self._wide)

    def _of_set(self, members: Sequence[Node]) -> str:
        found = self._some(lambda character: _contains(members, character))
        if found:
            return found
        named = (value if code is codes.LITERAL else value[0] for code, value in _points(members))
        return "".join(islice((chr(point) for point in named), 1))

    def _either(self, branches: Iterable[Iterable[Node]], state: int) -> int:
        target = self._network.state()
        for branch in branches:
            first = self._network.state()
            self._network.skip(state, first)
            self._network.skip(self.sequence(branch, first), target)
        return target

    def _repeated(self, least: int, most: Any, nodes: Sequence[Node], state: int) -> int:
        for _ in range(int(least)):
            state = self.sequence(nodes, state)
        target = self._network.state()
        self._network.skip(state, target)
        if most is codes.MAXREPEAT:
            self._network.skip(self.sequence(nodes, target), target)
            return target
        for _ in range(min(int(most) - int(least), _OPTIONAL)):
            state = self.sequence(nodes, state)
            self._network.skip(state, target)
        return target


def _contains(members: Sequence[Node], character: str) -> bool:
    negated = False
    found = False
    for code, value in members:
        match code:
            case codes.NEGATE:
                negated = True
            case codes.LITERAL:
                found |= value == ord(character)
            case codes.RANGE:
                found |= value[0] <= ord(character) <= value[1]
            case codes.CATEGORY:
                found |= _class(value).match(character) is not None
    return found != negated


def _points(members: Sequence[Node]) -> Iterator[Node]:
    """The characters and ranges of a set that is not a complement."""
    if members[0][0] is not codes.NEGATE:
        yield from (m for m in members if m[0] in (codes.LITERAL, codes.RANGE))


@cache
def _class(category: Any) -> re.Pattern[str]:
    return re.compile(_CLASSES[category])
