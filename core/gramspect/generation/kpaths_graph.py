"""The grammar graph of Havrikov, Kampmann and Zeller (2024, Section 2.2).

Its *symbolic* nodes are the occurrences of terminals and non-terminals in the grammar as the user
wrote it, each with an identity of its own: the two ``expr`` of ``expr '+' expr`` are two nodes. A
node of a non-terminal leads to what is written in its definition, a terminal to nothing.
Alternations, concatenations and quantifiers are *synthetic* nodes in between. They matter only for
how deep a derivation tree is, so they are kept as numbers of edges (`GrammarGraph.steps`).

From a grammar of `gramspect.grammars.ebnf`, the graph is read thus:

* helpers of groups, options and repetitions are synthetic nodes. The recursion by which a
  repetition is expanded is none: ``x+`` is one node with one child x, however often x occurs;
* a set of tokens (``~a``, ``.``) is one symbolic node without children, like a literal;
* an embedded action is no node, an empty alternative a concatenation without children;
* the root stands for the definition of the start symbol, which has no occurrence of its own;
* what no sentence can use is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Operator

__all__ = ["GrammarGraph", "Node"]

_REPETITIONS = (Operator.STAR, Operator.PLUS)


class Node(NamedTuple):
    """A symbolic node: an occurrence of `symbol`, after the dot of `item`."""

    symbol: int
    item: int


class GrammarGraph:
    """The symbolic nodes of a grammar and what leads from one to the next.

    Args:
        grammar: the grammar.
        rules: those that sentences can use, by default all without unproductive symbols.
    """

    def __init__(self, grammar: Grammar, rules: Iterable[int] | None = None) -> None:
        self.grammar = grammar
        usable = set(_productive(grammar) if rules is None else rules)
        self.rules_of = {
            symbol: tuple(rule for rule in found if rule in usable)
            for symbol, found in grammar.rules_of.items()
        }
        self.nodes: list[Node] = []
        """In the order of the text, breadth first from the start symbol."""
        self.node_of = [-1] * grammar.n_items
        """The node after the dot of each item; -1 for helpers and what is left out."""
        self.ways: dict[int, dict[int, tuple[int, ...]]] = {}
        """For each non-terminal its child nodes, in order, and the items that lead to them."""
        self.steps = [0] * grammar.n_items
        """How many edges below the node of its left-hand side the symbol after the dot is."""
        self.least = [0] * grammar.n_rules
        """How many edges below the node of its left-hand side a rule goes at least."""
        for helper_or_not in self.rules_of:
            self._measure(helper_or_not)
        self._connect()

    def children(self, symbol: int) -> Iterable[int]:
        """The nodes that follow any node of a symbol."""
        return self.ways.get(symbol, ())

    def is_leaf(self, symbol: int) -> bool:
        """Whether nodes of this symbol have no children: terminals and sets of them."""
        operator = self.grammar.symbols[symbol].operator
        return self.grammar.is_terminal(symbol) or operator is Operator.SET

    def label(self, node: int) -> str:
        """What is written there, and where: ``expr@expr:2:0``."""
        symbol, item = self.nodes[node]
        return f"{self.grammar.symbols[symbol].display}@{self.grammar.item_label(item)}"

    # --- construction --------------------------------------------------------------------

    def _connect(self) -> None:
        """Number the nodes and find the children of each."""
        grammar = self.grammar
        pending = [grammar.start]
        for symbol in pending:  # grows
            ways = self.ways[symbol] = {}
            for way in self._ways(symbol):
                item = way[-1]
                node = self.node_of[item]
                if node < 0:
                    node = len(self.nodes)
                    self.nodes.append(Node(_after(grammar, item), item))
                    for each in self._same(item):
                        self.node_of[each] = node
                ways.setdefault(node, way)
            found = dict.fromkeys(self.nodes[node].symbol for node in ways)
            known = set(pending)
            pending += [s for s in found if not self.is_leaf(s) and s not in known]

    def _ways(self, symbol: int) -> Iterator[tuple[int, ...]]:
        """The items that lead from a definition through helpers to each occurrence in it."""
        grammar = self.grammar
        entered = {symbol}
        pending: list[tuple[tuple[int, ...], int]] = [((), symbol)]
        while pending:
            way, top = pending.pop()
            operator = grammar.symbols[top].operator
            if way and (operator is None or operator is Operator.SET):
                yield way
                continue
            found = []
            for rule in self.rules_of[top]:
                for dot, inner in enumerate(grammar.rules[rule].rhs):
                    inside = grammar.symbols[inner].operator
                    if inside is None or inside is Operator.SET:
                        found.append(((*way, grammar.item(rule, dot)), inner))
                    elif inside is not Operator.ACTION and inner not in entered:
                        entered.add(inner)
                        found.append(((*way, grammar.item(rule, dot)), inner))
            pending += reversed(found)

    def _same(self, item: int) -> tuple[int, ...]:
        """The items with this occurrence after the dot: two in ``H -> x | H x``."""
        rule, _ = self.grammar.split_item(item)
        lhs = self.grammar.rules[rule].lhs
        if self.grammar.symbols[lhs].operator is not Operator.PLUS or not self._repeats(lhs):
            return (item,)
        once, again = self.grammar.rules_of[lhs]
        return self.grammar.item(once, 0), self.grammar.item(again, 1)

    def _measure(self, symbol: int) -> None:
        """The edges to what the rules of one symbol consist of."""
        grammar, rules = self.grammar, self.rules_of[symbol]
        operator = grammar.symbols[symbol].operator
        if operator in (Operator.SET, Operator.ACTION):
            return
        if self._repeats(symbol):
            for rule in rules:
                rhs = grammar.rules[rule].rhs
                if rhs:
                    self.steps[grammar.item(rule, len(rhs) - 1)] = 1
            return
        skip = None  # the rule of an option that is not there
        if operator is Operator.OPTION and rules and not grammar.rules[rules[-1]].rhs:
            skip = rules[-1]
        entering = 1 if operator in (None, Operator.OPTION) else 0
        alternation = 1 if len(rules) - (skip is not None) > 1 else 0
        for rule in rules:
            rhs = grammar.rules[rule].rhs
            atoms = [s for s in rhs if grammar.symbols[s].operator is not Operator.ACTION]
            self.least[rule] = 0 if rule == skip else entering + alternation
            for dot in range(len(rhs)):
                concatenation = 1 if len(atoms) > 1 else 0
                self.steps[grammar.item(rule, dot)] = self.least[rule] + concatenation

    def _repeats(self, symbol: int) -> bool:
        """Whether a helper is a repetition as `gramspect.grammars.ebnf` expands it; edits may
        change it."""
        operator = self.grammar.symbols[symbol].operator
        rules = self.grammar.rules_of[symbol]
        if operator not in _REPETITIONS or len(rules) != len(_REPETITIONS):
            return False
        once, again = (self.grammar.rules[rule].rhs for rule in rules)
        first = () if operator is Operator.STAR else again[1:]
        return len(again) == len(rules) and again[0] == symbol and once == first


def _productive(grammar: Grammar) -> Iterator[int]:
    productive = grammar.analysis.productive
    for rule in grammar.rules:
        if all(grammar.is_terminal(s) or s in productive for s in rule.rhs):
            yield rule.index


def _after(grammar: Grammar, item: int) -> int:
    rule, dot = grammar.split_item(item)
    return grammar.rules[rule].rhs[dot]
