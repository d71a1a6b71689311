"""Which rules a top-down parse has applied, told from the elements that followed each other.

A recorder reports pairs: element q came next after element p in one call of a rule.
Every element has one place in its rule, so the way from p to q through the rule's blocks says which
alternatives were entered, which options skipped and which repetitions begun, continued or left. The
ways are found once per pair. A left-recursive rule is read as ANTLR runs it: an alternative that
does not start with the rule itself, then any number of those that do, without that start.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gramspect.grammars.ebnf import Alternative, Block, Definition, Element, Reference
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Operator

__all__ = ["Networks", "NoWay", "Way"]

Items = tuple[int, ...]


class NoWay(Exception):
    """No derivation has these elements one after the other: the user's code has led there."""


@dataclass(frozen=True, slots=True)
class Way:
    """A step from one element to the next.

    `rules` are those entered on it. `entered` are the items of repetitions that it begins or
    continues, `current` the other items that stand before the next element, outermost first.
    """

    rules: tuple[int, ...]
    entered: Items
    current: Items


class Networks:
    """The rules of a grammar as networks of elements, made when they are needed.

    Elements are numbered through the definitions. To them come, as the first of a pair, the
    start of rule i (number ``n_elements + i``) and, as the second, the end of any rule.

    `foreign` elements after those of the definitions belong to a rule that is not the grammar's;
    steps in it apply nothing.
    """

    def __init__(
        self, grammar: Grammar, definitions: Sequence[Definition], foreign: int = 0
    ) -> None:
        self._grammar = grammar
        self._definitions = definitions
        self._rule_of: list[int] = []
        self._first: list[int] = []
        for index, definition in enumerate(definitions):
            self._first.append(len(self._rule_of))
            self._rule_of += [index] * _count(definition.alternatives)
        self._rule_of += [len(definitions)] * foreign
        self.n_elements = len(self._rule_of)
        self._made: dict[int, _Network] = {}
        self._ways: dict[tuple[int, int], Way] = {}

    def way(self, before: int, after: int) -> Way:
        """The way between two elements that follow each other.

        Raises:
            NoWay: they cannot follow each other.
        """
        known = self._ways.get((before, after))
        if known is None:
            known = self._ways[before, after] = self._find(before, after)
        return known

    def _find(self, before: int, after: int) -> Way:
        n = self.n_elements
        index = self._rule_of[before] if before < n else before - n
        if index >= len(self._definitions):
            return Way((), (), ())
        network = self._made.get(index)
        if network is None:
            network = _Network(self._grammar, self._definitions[index], self._first[index])
            self._made[index] = network
        source = network.start if before >= n else network.after[before]
        if after >= n:
            return Way(*network.between(source, network.end), ())
        if after not in network.before:
            raise NoWay
        return Way(*network.between(source, network.before[after]), network.current[after])


def _count(alternatives: Iterable[Alternative]) -> int:
    """The references in some alternatives."""
    return sum(
        1 if isinstance(element, Reference) else _count(element.alternatives)
        for alternative in alternatives
        for element in alternative.elements
    )


@dataclass(frozen=True, slots=True)
class _Edge:
    target: int
    rules: tuple[int, ...] = ()
    items: Items = ()


class _Network:
    """One rule: nodes between elements, and edges that consume nothing, the greedy ones first."""

    def __init__(self, grammar: Grammar, definition: Definition, first_element: int) -> None:
        self._grammar = grammar
        self._element = first_element
        self._edges: list[list[_Edge]] = []
        self.before: dict[int, int] = {}
        self.after: dict[int, int] = {}
        self.current: dict[int, Items] = {}
        self.start, self.end, done = self._node(), self._node(), self._node()
        rules = grammar.rules_of[grammar.symbol(definition.name)]
        for rule, alternative in zip(rules, definition.alternatives, strict=True):
            recursive = _starts_with(alternative, definition.name)
            entry = self._node()
            self._edge(done if recursive else self.start, entry, (rule,))
            self._element += recursive
            self._edge(self._sequence(rule, alternative, entry, (), int(recursive)), done)
        self._edge(done, self.end)

    def between(self, source: int, goal: int) -> tuple[tuple[int, ...], Items]:
        """The rules and items on the first way from one node to another."""
        pending: list[_Edge] = [_Edge(source)]
        seen: set[int] = set()
        while pending:
            edge = pending.pop()
            if edge.target == goal:
                return edge.rules, edge.items
            if edge.target not in seen:
                seen.add(edge.target)
                pending.extend(
                    _Edge(onward.target, edge.rules + onward.rules, edge.items + onward.items)
                    for onward in reversed(self._edges[edge.target])
                )
        raise NoWay

    def _node(self) -> int:
        self._edges.append([])
        return len(self._edges) - 1

    def _edge(
        self, source: int, target: int, rules: tuple[int, ...] = (), items: Items = ()
    ) -> None:
        self._edges[source].append(_Edge(target, rules, items))

    def _sequence(
        self, rule: int, alternative: Alternative, node: int, around: Items, dot: int = 0
    ) -> int:
        """Add what an alternative holds from `dot` on; the node after it."""
        rhs = self._grammar.rules[rule].rhs
        for position in range(dot, len(rhs)):
            here = (*around, self._grammar.item(rule, position))
            node = self._part(alternative.elements[position], rhs[position], node, here)
        return node

    def _part(self, element: Element, symbol: int, node: int, around: Items) -> int:
        if isinstance(element, Reference):
            after = self._node()
            self.before[self._element] = node
            self.after[self._element] = after
            self.current[self._element] = around
            self._element += 1
            return after
        if element.operator is Operator.STAR:
            return self._star(element, symbol, node, around)
        if element.operator is Operator.PLUS:
            return self._plus(element, symbol, node, around)
        return self._choice(element, symbol, node, around)

    def _choice(self, block: Block, symbol: int, node: int, around: Items) -> int:
        rules = self._grammar.rules_of[symbol]
        after = self._node()
        for rule, alternative in zip(rules, block.alternatives, strict=False):
            entry = self._node()
            self._edge(node, entry, (rule,))
            self._edge(self._sequence(rule, alternative, entry, around), after)
        if block.operator is Operator.OPTION:
            self._edge(node, after, (rules[-1],))
        return after

    def _star(self, block: Block, symbol: int, node: int, around: Items) -> int:
        empty, again = self._grammar.rules_of[symbol]
        loop, entry, after = self._node(), self._node(), self._node()
        self._edge(node, loop, (empty,))
        self._edge(loop, entry, (again,), (self._grammar.item(again, 1),))
        self._edge(self._body(block, again, entry, around), loop)
        self._edge(loop, after)
        return after

    def _plus(self, block: Block, symbol: int, node: int, around: Items) -> int:
        once, again = self._grammar.rules_of[symbol]
        entry, after = self._node(), self._node()
        self._edge(node, entry, (once,), (self._grammar.item(once, 0),))
        last = self._body(block, again, entry, around)
        self._edge(last, entry, (again,), (self._grammar.item(again, 1),))
        self._edge(last, after)
        return after

    def _body(self, block: Block, again: int, node: int, around: Items) -> int:
        """What a repetition repeats: a single element, or a helper for the whole block."""
        symbol = self._grammar.rules[again].rhs[1]
        first = block.alternatives[0]
        if len(block.alternatives) == 1 and len(first.elements) == 1:
            return self._part(first.elements[0], symbol, node, around)
        return self._choice(Block(Operator.GROUP, block.alternatives), symbol, node, around)


def _starts_with(alternative: Alternative, name: str) -> bool:
    first = alternative.elements[0] if alternative.elements else None
    return isinstance(first, Reference) and first.name == name
