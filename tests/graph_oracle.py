"""LR graphs straight from the definitions, for small grammars: states are sets of items.

Nothing here uses gramspect. An edge is ``(source, label, target)``; the label of a push edge is a
symbol, that of a pop edge a rule number. The sink is ``SINK``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from cfg import ACCEPT, Cfg, Word

END = "$"
Item = tuple[int, int, str]
"""A rule, a dot, and a lookahead (empty for LR(0))."""

State = frozenset[Item]
Edge = tuple[State, "str | int", State]
SINK: State = frozenset({(ACCEPT, 2, "")})


@dataclass(frozen=True)
class OracleGraph:
    """The LR(0) or the canonical LR(1) graph of a grammar."""

    cfg: Cfg
    lookahead: bool

    @cached_property
    def start(self) -> State:
        return self._closure({(ACCEPT, 0, END if self.lookahead else "")})

    def _closure(self, items: set[Item]) -> State:
        found = set(items)
        todo = list(items)
        while todo:
            rule, dot, ahead = todo.pop()
            rhs = self.cfg.rhs(rule)
            if dot < len(rhs) and rhs[dot] in self.cfg.nonterminals:
                aheads = self._first(rhs[dot + 1 :], ahead) if self.lookahead else {""}
                new = {(r, 0, a) for r in self.cfg.rules_of(rhs[dot]) for a in aheads} - found
                found |= new
                todo += new
        return frozenset(found)

    def _first(self, phrase: Word, ahead: str) -> set[str]:
        found: set[str] = set()
        for symbol in phrase:
            found |= {symbol} if symbol in self.cfg.terminals else self.first[symbol]
            if symbol not in self.nullable:
                return found
        return {*found, ahead}

    @cached_property
    def nullable(self) -> set[str]:
        found: set[str] = set()
        while new := {lhs for lhs, rhs in self.cfg.rules if found.issuperset(rhs)} - found:
            found |= new
        return found

    @cached_property
    def first(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {x: set() for x in self.cfg.nonterminals}
        changed = True
        while changed:
            changed = False
            for lhs, rhs in self.cfg.rules:
                for symbol in rhs:
                    new = {symbol} if symbol in self.cfg.terminals else found[symbol]
                    if not new <= found[lhs]:
                        found[lhs] |= new
                        changed = True
                    if symbol not in self.nullable:
                        break
        return found

    def goto(self, state: State, symbol: str) -> State | None:
        moved = {
            (rule, dot + 1, ahead)
            for rule, dot, ahead in state
            if dot < len(self.cfg.rhs(rule)) and self.cfg.rhs(rule)[dot] == symbol
        }
        return self._closure(moved) if moved else None

    @cached_property
    def states(self) -> list[State]:
        found = [self.start]
        for state in found:
            for symbol in sorted(self.cfg.nonterminals | self.cfg.terminals):
                target = self.goto(state, symbol)
                if target is not None and target not in found:
                    found.append(target)
        return found

    @cached_property
    def push(self) -> set[Edge]:
        symbols = self.cfg.nonterminals | self.cfg.terminals
        found: set[Edge] = {
            (state, symbol, target)
            for state, symbol in product(self.states, symbols)
            if (target := self.goto(state, symbol)) is not None
        }
        accepting = next(s for s in self.states if any(r == ACCEPT and d == 1 for r, d, _ in s))
        return found | {(accepting, END, SINK)}

    @cached_property
    def pop(self) -> set[Edge]:
        """Back from each state with a completed item, over as many push edges as it has symbols."""
        into: dict[State, list[tuple[State, str | int]]] = {}
        for source, label, target in self.push:
            into.setdefault(target, []).append((source, label))
        found: set[Edge] = set()
        for state in self.states:
            for rule, dot, _ in state:
                rhs = self.cfg.rhs(rule)
                if rule == ACCEPT or dot < len(rhs):
                    continue
                ends = {state}
                for symbol in reversed(rhs):
                    ends = {p for end in ends for p, label in into[end] if label == symbol}
                found |= {(state, rule, end) for end in ends}
        return found

    # --- paths ---------------------------------------------------------------------------

    def path(self, left_parse: Sequence[int], word: Word) -> Iterator[Edge]:
        """The edges that a stack parser takes that builds a derivation, given by its rules in
        preorder. Everything is checked on the way: the stack, the symbols, the word.
        """
        stack, symbols = [self.start], [""]
        tokens, rules = iter(word), iter(left_parse)
        todo: list[str | int] = [self.cfg.start]

        def push(symbol: str) -> Edge:
            target = self.goto(stack[-1], symbol)
            assert target is not None
            edge = stack[-1], symbol, target
            stack.append(target)
            symbols.append(symbol)
            return edge

        while todo:
            what = todo.pop()
            if isinstance(what, int):
                rhs = self.cfg.rhs(what)
                state = stack[-1]
                assert any((rule, dot) == (what, len(rhs)) for rule, dot, _ in state)
                assert tuple(symbols[len(symbols) - len(rhs) :]) == rhs
                del stack[len(stack) - len(rhs) :], symbols[len(symbols) - len(rhs) :]
                yield state, what, stack[-1]
                yield push(self.cfg.lhs(what))
            elif what in self.cfg.terminals:
                assert next(tokens) == what
                yield push(what)
            else:
                rule = next(rules)
                assert self.cfg.lhs(rule) == what
                todo += [rule, *reversed(self.cfg.rhs(rule))]
        assert symbols == ["", self.cfg.start]
        assert next(tokens, None) is None
        assert next(rules, None) is None
        yield stack[-1], END, SINK


@dataclass(frozen=True)
class OracleMutations:
    """What of the words next to a sentence is known to be none, from the definitions of Section 6.

    Vertices are item sets; nothing is shared between places, and nothing is remembered.
    """

    graph: OracleGraph

    @cached_property
    def edges(self) -> set[Edge]:
        return self.graph.push | self.graph.pop

    @cached_property
    def hops(self) -> set[tuple[State, State]]:
        """A pop edge and its goto."""
        found = set()
        for source, rule, below in self.graph.pop:
            assert isinstance(rule, int)
            target = self.graph.goto(below, self.graph.cfg.lhs(rule))
            assert target is not None
            found.add((source, target))
        return found

    def reached(self, vertices: set[State]) -> set[State]:
        """What hops lead to, any number of them."""
        found = set(vertices)
        while new := {b for a, b in self.hops if a in found} - found:
            found |= new
        return found

    def shifted(self, vertices: set[State], token: str) -> set[State]:
        """Where hops and then a push edge with a token lead."""
        reached = self.reached(vertices)
        return {t for s, label, t in self.graph.push if s in reached and label == token}

    def follow(self, vertices: set[State]) -> set[str]:
        """F of some vertices."""
        reached = self.reached(vertices)
        inner = self.graph.cfg.nonterminals
        return {str(x) for s, x, _ in self.graph.push if s in reached and x not in inner}

    def witnessed(self, one: str | None, other: str) -> bool:
        """Whether a vertex is a witness for two tokens; None for the beginning."""
        if one is None:
            return other in self.follow({self.graph.start})
        targets = {t for _, label, t in self.graph.push if label == one}
        return any(
            other in self.follow({vertex}) for vertex in self.reached(targets)
        )  # vertices with the token in P

    def left_frontier(self, prefix: Word, tallest: int) -> set[State] | None:
        """The vertices that valid paths for a prefix lead to, behind the last token.

        None if stacks get taller than that.
        """
        stacks: set[tuple[State, ...]] = {(self.graph.start,)}
        for token in prefix:
            todo, known = list(stacks), set(stacks)
            while todo:
                stack = todo.pop()
                for rule, dot, _ in stack[-1]:
                    rhs = self.graph.cfg.rhs(rule)
                    if rule == ACCEPT or dot < len(rhs):
                        continue
                    below = stack[: len(stack) - len(rhs)]
                    target = self.graph.goto(below[-1], self.graph.cfg.lhs(rule))
                    assert target is not None
                    if len(below) >= tallest:
                        return None
                    if (*below, target) not in known:
                        known.add((*below, target))
                        todo.append((*below, target))
            stacks = {
                (*stack, target)
                for stack in known
                if (target := self.graph.goto(stack[-1], token)) is not None
            }
        return {stack[-1] for stack in stacks}

    def is_negative(
        self, word: Word, first: int, last: int, phrase: Word, frontier: set[State] | None
    ) -> bool:
        """Whether putting a phrase in the place of some tokens makes no sentence.

        By witnesses, or if a left frontier is given, by frontiers.
        """
        behind = word[last] if last < len(word) else END
        if frontier is None:
            before = word[first - 1] if first else None
            pairs = zip((before, *phrase), (*phrase, behind), strict=True)
            return not all(self.witnessed(one, other) for one, other in pairs)
        for token in phrase:
            frontier = self.shifted(frontier, token)
        return behind not in self.follow(frontier)
