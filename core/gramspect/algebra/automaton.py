"""Expressions as bottom-up tree automata over the derivation trees of a grammar.

Patterns are regular tree languages, so a deterministic automaton that goes from the leaves to the
root decides all of them at once (Comon et al., "Tree Automata Techniques and Applications", Section
1.6): its state at a node says which parts of patterns the subtree has at its root, and how many
occurrences there are in it, counted only as far as the expression asks. The product of the automata
of all patterns, and of the grammar, is determinized as it is explored: only states that some
subtree of the grammar has are made.

A rule with several non-terminals is read from right to left. The states after each of them are
those of the *rest* of the rule from there, so a rule with n non-terminals costs n steps, not a
table of n dimensions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from gramspect.algebra.expressions import Expression, Occurrences, counted, evaluated
from gramspect.algebra.patterns import ABSTRACT, Pattern, outline
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar

__all__ = ["MAX_STEPS", "Product", "State", "TreeAutomaton"]

MAX_STEPS: Final = 4_000_000
"""The most transitions of an automaton, some ten seconds of work; more are refused."""


class State(NamedTuple):
    """What is known of a subtree, or of the rest of a rule from some place on.

    `matched` has a bit for each part of a pattern that the subtree has at its root (or that the
    rule can still turn out to have), `counts` a number for each counter, as far as it counts.
    """

    matched: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Counter:
    """The counters ``first`` to ``first + len(roots) - 1`` count the nodes of a chain.

    The first of them has those of the first pattern that are below nothing yet, the next those
    that are below the second pattern, and so on. `roots` are the parts that the patterns are.
    """

    first: int
    roots: tuple[int, ...]
    enough: int


class TreeAutomaton:
    """Reads derivation trees, abstract nodes excluded, and knows what an expression says of them.

    A part is a concrete node of a pattern with all below it; equal parts are one. A pattern with
    an abstract root is a part as well, of the symbol. Patterns that fix texts of tokens are those
    of a `gramspect.algebra.texts.TextGrammar`, where they do not.
    """

    def __init__(self, grammar: Grammar, expression: Expression) -> None:
        self.grammar = grammar
        self.expression = expression
        self._parts: dict[tuple[int, tuple[int, ...]], int] = {}
        self._of_rule: dict[int, list[int]] = {}
        self._of_symbol: dict[int, int] = {}
        self._needs: dict[tuple[int, int], list[tuple[int, int]]] = {}
        """By rule and position: the parts that need another part below there, as bits."""
        self._places: dict[Occurrences, _Counter] = {}
        self.limits: list[int] = []
        for occurrences, enough in counted(expression).items():
            roots = tuple(self._part(named.pattern) for named in occurrences.chain)
            self._places[occurrences] = _Counter(len(self.limits), roots, enough)
            self.limits += [enough] * len(roots)
        self._counters = tuple(self._places.values())
        self._began = {
            rule: sum(1 << part for part in parts) for rule, parts in self._of_rule.items()
        }
        self._zeros = (0,) * len(self.limits)
        self._useful = 0
        """The parts that are below others; that the rest is at a root matters only there."""
        for needs in self._needs.values():
            for _, needed in needs:
                self._useful |= needed

    def _part(self, pattern: Pattern) -> int:
        """The number of a pattern as a part; its own parts get numbers, too."""
        assert not pattern.texts, "texts of tokens are rules of a TextGrammar"
        shape = outline(self.grammar, pattern)
        numbers: dict[int, int] = {}
        for node in reversed(range(len(pattern.rules))):
            rule = pattern.rules[node]
            if rule == ABSTRACT:
                continue
            below = [-1] * len(self.grammar.rules[rule].rhs)
            for child in shape.children(node):
                below[shape.positions[child]] = numbers.get(child, -1)
            numbers[node] = self._numbered(rule, tuple(below))
        if 0 in numbers:
            return numbers[0]
        return self._of_symbol.setdefault(pattern.symbol, self._new())

    def _new(self) -> int:
        return len(self._parts) + len(self._of_symbol)

    def _numbered(self, rule: int, below: tuple[int, ...]) -> int:
        known = self._parts.get((rule, below))
        if known is not None:
            return known
        part = self._new()
        self._parts[rule, below] = part
        self._of_rule.setdefault(rule, []).append(part)
        for position, child in enumerate(below):
            if child >= 0:
                self._needs.setdefault((rule, position), []).append((1 << part, 1 << child))
        return part

    # --- transitions ---------------------------------------------------------------------

    def begun(self, rule: int) -> State:
        """The state at the end of a rule, nothing of which has been read."""
        return State(self._began.get(rule, 0), self._zeros)

    def advanced(self, rule: int, position: int, rest: State, child: State) -> State:
        """The state when one more non-terminal has been read."""
        matched = rest.matched
        for part, needed in self._needs.get((rule, position), ()):
            if not child.matched & needed:
                matched &= ~part
        if child.counts == self._zeros:
            return rest if matched == rest.matched else State(matched, rest.counts)
        counts = tuple(map(min, map(int.__add__, rest.counts, child.counts), self.limits))
        return State(matched, counts)

    def finished(self, rule: int, rest: State) -> State:
        """The state of a subtree whose rule has been read."""
        symbol = self._of_symbol.get(self.grammar.rules[rule].lhs)
        matched = rest.matched | (0 if symbol is None else 1 << symbol)
        if not matched:
            return rest  # most nodes have no part of a pattern
        counts = list(rest.counts)
        for counter in self._counters:
            self._count(counter, matched, counts)
        return State(matched & self._useful, tuple(counts))

    def _count(self, counter: _Counter, matched: int, counts: list[int]) -> None:
        """Count a node, and what is now below one of the patterns of a chain."""
        for level in range(len(counter.roots) - 1, -1, -1):
            if matched >> counter.roots[level] & 1:
                place = counter.first + level
                more = counts[place - 1] if level else 1
                counts[place] = min(counts[place] + more, counter.enough)
                if level:
                    counts[place - 1] = 0

    def accepts(self, state: State) -> bool:
        """Whether the expression holds for trees of that state."""

        def number(occurrences: Occurrences) -> int:
            counter = self._places[occurrences]
            last = 0 if occurrences.outside else len(counter.roots) - 1
            return state.counts[counter.first + last]

        return evaluated(self.expression, number)

    def state_of(self, tree: Pattern) -> State:
        """The state at the root of a derivation tree without abstract nodes."""
        shape = outline(self.grammar, tree)
        below: dict[int, State] = {}
        for node in reversed(range(len(tree.rules))):
            rule = tree.rules[node]
            state = self.begun(rule)
            for child in shape.children(node):
                state = self.advanced(rule, shape.positions[child], state, below.pop(child))
            below[node] = self.finished(rule, state)
        return below[0]

    def holds(self, tree: Pattern) -> bool:
        """Whether the expression holds for a derivation tree without abstract nodes."""
        return self.accepts(self.state_of(tree))


@dataclass(frozen=True, slots=True)
class _Place:
    """A non-terminal in a rule: `nth` of those, from the right, and `position` of all symbols."""

    rule: int
    nth: int
    position: int


class Product:
    """The states that the subtrees of a grammar have, found from the leaves upwards.

    States are numbered: ``subtrees[symbol]`` has those of a non-terminal, and ``rests[rule][n]``
    those of a rule when its last n non-terminals are read. `step` and `result` say how they lead
    on. Symbols that derive no sentence have no states.

    Raises:
        GramspectError: there are more than `most_steps` transitions, or `MAX_STEPS`.
    """

    def __init__(self, automaton: TreeAutomaton, most_steps: int | None = None) -> None:
        self.automaton = automaton
        self.grammar = grammar = automaton.grammar
        self.subtrees: dict[int, list[State]] = {s.index: [] for s in grammar.nonterminals}
        self.positions: dict[int, tuple[int, ...]] = {
            rule.index: tuple(
                i for i in reversed(range(len(rule.rhs))) if not grammar.is_terminal(rule.rhs[i])
            )
            for rule in grammar.rules
        }
        self.rests: dict[int, list[list[State]]] = {
            rule: [[] for _ in range(len(positions) + 1)]
            for rule, positions in self.positions.items()
        }
        self._numbers: dict[tuple[int, int], dict[State, int]] = {}
        self._uses: dict[int, list[_Place]] = {s.index: [] for s in grammar.nonterminals}
        self.step: dict[tuple[int, int], dict[tuple[int, int], int]] = {}
        """By rule and non-terminal: the rest after it and its subtree to the rest from it on."""
        self.result: dict[int, list[int]] = {rule.index: [] for rule in grammar.rules}
        """By rule: the subtree's state for each state of the whole rule."""
        self._pending: deque[tuple[int, int, int]] = deque()
        self._steps_left = MAX_STEPS if most_steps is None else most_steps
        for rule, positions in self.positions.items():
            for nth, position in enumerate(positions):
                self._uses[grammar.rules[rule].rhs[position]].append(_Place(rule, nth, position))
                self.step[rule, nth] = {}
        self._explore()

    def _explore(self) -> None:
        reachable = self.grammar.analysis.reachable
        for rule in self.grammar.rules:
            if rule.lhs in reachable:
                self._add(rule.index, 0, self.automaton.begun(rule.index))
        while self._pending:
            place, nth, number = self._pending.popleft()
            if nth < 0:
                self._use(place, number)
            elif nth < len(self.positions[place]):
                below = self.grammar.rules[place].rhs[self.positions[place][nth]]
                for child in range(len(self.subtrees[below])):
                    self._advance(place, nth, number, child)
            else:
                self._finish(place, number)

    def _add(self, rule: int, nth: int, state: State) -> int:
        """The number of a state of a rest, or with nth = -1 of a subtree of the symbol `rule`."""
        numbers = self._numbers.setdefault((rule, nth), {})
        number = numbers.get(state)
        if number is None:
            number = numbers[state] = len(numbers)
            (self.subtrees[rule] if nth < 0 else self.rests[rule][nth]).append(state)
            self._pending.append((rule, nth, number))
        return number

    def _use(self, symbol: int, number: int) -> None:
        """Read a new state of a symbol before all rests."""
        for place in self._uses[symbol]:
            for rest in range(len(self.rests[place.rule][place.nth])):
                self._advance(place.rule, place.nth, rest, number)

    def _advance(self, rule: int, nth: int, rest: int, child: int) -> None:
        steps = self.step[rule, nth]
        if (rest, child) in steps:
            return
        self._steps_left -= 1
        if self._steps_left < 0:
            raise GramspectError(
                "the expression asks too much of this grammar: its automaton has millions of"
                " transitions; ask for smaller numbers, or for fewer patterns at once"
            )
        position = self.positions[rule][nth]
        state = self.automaton.advanced(
            rule,
            position,
            self.rests[rule][nth][rest],
            self.subtrees[self.grammar.rules[rule].rhs[position]][child],
        )
        steps[rest, child] = self._add(rule, nth + 1, state)

    def _finish(self, rule: int, rest: int) -> None:
        last = self.rests[rule][-1]
        state = self.automaton.finished(rule, last[rest])
        assert len(self.result[rule]) == rest
        self.result[rule].append(self._add(self.grammar.rules[rule].lhs, -1, state))

    def accepted(self) -> int:
        """The states of the start symbol for which the expression holds, as bits."""
        return bits(
            number
            for number, state in enumerate(self.subtrees[self.grammar.start])
            if self.automaton.accepts(state)
        )


def bits(numbers: Iterator[int] | Sequence[int]) -> int:
    """A set of small numbers as an integer."""
    found = 0
    for number in numbers:
        found |= 1 << number
    return found
