"""Grammars of the inputs that an expression means.

The automaton says which states a subtree can have (`gramspect.algebra.automaton`). The grammar is
made from the root downwards: a non-terminal of it is one of the old grammar with the set of the
states that are wanted there, at the root those for which the expression holds. So states that need
not be told apart are one from the beginning, and what can have any state stays as it was.

For a rule with several non-terminals, the combinations of states that give a wanted one are
written as few products of sets (*rectangles*): for five patterns that all must occur somewhere, 243
of them and not 1,024 pairs. A tree of the new grammar is one of the old grammar, and all those that
are meant are there, some of them several times, where rectangles overlap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from gramspect.algebra.automaton import Product, TreeAutomaton
from gramspect.algebra.expressions import Expression, expression_text
from gramspect.algebra.making import Draft, made
from gramspect.algebra.patterns import Pattern
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar

__all__ = ["MAX_RULES", "Specialized", "specialized"]

MAX_RULES: Final = 1_000_000
"""The most rules of a grammar that is made; an expression that needs more is refused."""


class Wanted(NamedTuple):
    """A non-terminal of the new grammar: an old one whose subtrees have one of these states."""

    symbol: int
    states: int


class Rest(NamedTuple):
    """A helper of the new grammar: the end of a rule with its last `nth` non-terminals, in one of
    these states."""

    rule: int
    nth: int
    states: int


Part = Wanted | Rest | int
"""What stands on a right-hand side of the new grammar; a number is a symbol of the old one."""


@dataclass(frozen=True, eq=False)
class Specialized:
    """The grammar of the inputs that an expression means, and which rules its rules are.

    `origins` has, for each rule of `grammar`, the rule of `base` that it comes from, None for the
    rules of helpers. Symbols of `grammar` that are terminals have their numbers in `base`.
    """

    grammar: Grammar
    base: Grammar
    expression: Expression
    origins: tuple[int | None, ...]

    def original(self, tree: Pattern) -> Pattern:
        """A derivation tree of the grammar as one of the base."""
        rules = (self.origins[rule] for rule in tree.rules)
        return Pattern(self.base.start, tuple(rule for rule in rules if rule is not None))


def specialized(grammar: Grammar, expression: Expression) -> Specialized | None:
    """The grammar of the inputs of `grammar` that an expression means; None if there are none.

    An input is meant if one of its derivation trees is. Symbols that no such input uses are not in
    the new grammar. Rules keep their places in the user's files.

    Raises:
        GramspectError: the grammar would be too large.
    """
    product = Product(TreeAutomaton(grammar, expression))
    accepted = product.accepted()
    if not accepted:
        return None
    making = _Making(product, Wanted(grammar.start, accepted))
    return _Naming(making).result(expression)


# --- which rules there are -----------------------------------------------------------------


class _Made(NamedTuple):
    """A right-hand side, and the old rule that it comes from, None in a helper."""

    parts: tuple[Part, ...]
    origin: int | None


class _Making:
    """The rules of the new grammar, from the start symbol downwards."""

    def __init__(self, product: Product, start: Wanted) -> None:
        self.product = product
        self.grammar = product.grammar
        self.start = start
        self.rules: dict[Part, list[_Made]] = {}
        self._n_rules = 0
        self._children = {
            place: self._by_next(place, steps) for place, steps in product.step.items()
        }
        pending: list[Part] = [start]
        while pending:
            part = pending.pop()
            if isinstance(part, int) or part in self.rules:
                continue
            made = list(self._of_wanted(part) if isinstance(part, Wanted) else self._of(part))
            self.rules[part] = made
            self._n_rules += len(made)
            if self._n_rules > MAX_RULES:
                raise GramspectError(
                    f"the grammar of the expression has more than {MAX_RULES:,} rules; ask for"
                    " smaller numbers, or for fewer patterns at once"
                )
            pending += [p for each in made for p in each.parts if p not in self.rules]
        self._inline()

    def _by_next(
        self, place: tuple[int, int], steps: dict[tuple[int, int], int]
    ) -> list[dict[int, int]]:
        """For each rest state, and each that it leads to, the subtrees' states that do, as
        bits."""
        rule, nth = place
        found: list[dict[int, int]] = [{} for _ in self.product.rests[rule][nth]]
        for (rest, child), following in steps.items():
            row = found[rest]
            row[following] = row.get(following, 0) | 1 << child
        return found

    def _of_wanted(self, wanted: Wanted) -> Iterator[_Made]:
        """The rules of an old non-terminal that end in a wanted state."""
        for rule in self.grammar.rules_of[wanted.symbol]:
            good = 0
            results = self.product.result[rule]
            for rest, state in enumerate(results):
                if wanted.states >> state & 1:
                    good |= 1 << rest
            if good:
                yield from self._read(rule, len(self.product.positions[rule]), good, rule)

    def _of(self, rest: Rest) -> Iterator[_Made]:
        return self._read(rest.rule, rest.nth, rest.states, None)

    def _read(self, rule: int, nth: int, wanted: int, origin: int | None) -> Iterator[_Made]:
        """A rule from the end up to its non-terminal number `nth` from there, or to the begin."""
        positions, rhs = self.product.positions[rule], self.grammar.rules[rule].rhs
        begin = positions[nth] + 1 if nth < len(positions) else 0
        if not nth:
            yield _Made(rhs[begin:], origin)
            return
        at = positions[nth - 1]
        for rests, children in self._rectangles((rule, nth - 1), wanted):
            child = Wanted(rhs[at], children)
            yield _Made((*rhs[begin:at], child, *self._after(rule, nth - 1, rests)), origin)

    def _after(self, rule: int, nth: int, rests: int) -> tuple[Part, ...]:
        """What stands after a non-terminal so that the rest has one of these states."""
        positions, rhs = self.product.positions[rule], self.grammar.rules[rule].rhs
        if rests == (1 << len(self.product.rests[rule][nth])) - 1:  # whatever stands there
            after = rhs[positions[nth] + 1 :]
            return tuple(
                s if self.grammar.is_terminal(s) else Wanted(s, self.whole(s)) for s in after
            )
        return (Rest(rule, nth, rests),)

    def whole(self, symbol: int) -> int:
        """All states of a symbol, as bits."""
        return (1 << len(self.product.subtrees[symbol])) - 1

    def _rectangles(self, place: tuple[int, int], wanted: int) -> Iterator[tuple[int, int]]:
        """Sets of rest states and sets of subtrees' states, as bits, that together lead to all
        that is wanted and to nothing else.

        They are the largest ones that have the subtrees of one rest state; those that are the
        union of others are left out.
        """
        rows: dict[int, int] = {}
        for rest, following in enumerate(self._children[place]):
            row = 0
            for state, children in following.items():
                if wanted >> state & 1:
                    row |= children
            if row:
                rows[row] = rows.get(row, 0) | 1 << rest
        for row in rows:
            covered = 0
            rests = 0
            for other, with_it in rows.items():
                if other & row == row:
                    rests |= with_it
                elif other | row == row:
                    covered |= other
            if covered != row:
                yield rests, row

    def _inline(self) -> None:
        """Put helpers that have one alternative, or that are used once, where they are used."""
        order = [part for part in self.rules if isinstance(part, Rest)]
        order.sort(key=lambda part: part.nth)
        wanted = [part for part in self.rules if isinstance(part, Wanted)]
        uses = Counter(
            part for made in self.rules.values() for each in made for part in each.parts
            if isinstance(part, Rest)
        )  # fmt: skip
        gone = {part for part in order if len(self.rules[part]) == 1 or uses[part] == 1}
        every: list[Rest | Wanted] = [*order, *wanted]
        for part in every:
            self.rules[part] = [m for each in self.rules[part] for m in self._spelled(each, gone)]
        for helper in gone:
            del self.rules[helper]

    def _spelled(self, made: _Made, gone: set[Rest]) -> Iterator[_Made]:
        last = made.parts[-1] if made.parts else 0
        if not isinstance(last, Rest) or last not in gone:
            yield made
            return
        for each in self.rules[last]:
            yield _Made((*made.parts[:-1], *each.parts), made.origin)


# --- the grammar that they are -------------------------------------------------------------


class _Naming:
    """Gives the non-terminals that were made their names, and makes the grammar."""

    def __init__(self, making: _Making) -> None:
        self.making = making
        self.base = making.grammar
        self._counts: Counter[str] = Counter()
        self._names = {symbol.name for symbol in self.base.symbols}
        self._equal = self._equal_helpers()

    def result(self, expression: Expression) -> Specialized:
        name = f"{self.base.name}: {expression_text(expression)}"
        start = self.making.start
        grammar, origins = made(self.base, start, list(self._drafts()), self._named, name)
        return Specialized(grammar, self.base, expression, origins)

    def _equal_helpers(self) -> dict[Rest, Rest]:
        """Helpers that have the same alternatives are one."""
        helpers = [part for part in self.making.rules if isinstance(part, Rest)]
        helpers.sort(key=lambda part: part.nth)
        first: dict[tuple[tuple[Part, ...], ...], Rest] = {}
        found: dict[Rest, Rest] = {}
        for helper in helpers:
            alternatives = (self._placed(each.parts, found) for each in self.making.rules[helper])
            found[helper] = first.setdefault(tuple(alternatives), helper)
        return found

    @staticmethod
    def _placed(parts: tuple[Part, ...], equal: Mapping[Rest, Rest]) -> tuple[Part, ...]:
        return tuple(equal[p] if isinstance(p, Rest) else p for p in parts)

    def _drafts(self) -> Iterator[Draft[Wanted | Rest]]:
        """The rules in the order in which they are met from the start symbol on."""
        start: Wanted | Rest = self.making.start
        known, pending = {start}, [start]
        for lhs in pending:
            for each in self.making.rules[lhs]:
                rhs = self._placed(each.parts, self._equal)
                yield Draft(lhs, rhs, each.origin)
                for part in rhs:
                    if not isinstance(part, int) and part not in known:
                        known.add(part)
                        pending.append(part)

    def _named(self, part: Wanted | Rest) -> tuple[int, str]:
        """The non-terminal of the base that one comes from, and its name."""
        if isinstance(part, Rest):
            old = self.base.rules[part.rule].lhs
            return old, self._fresh(f"{self.base.symbols[old].name}_rest")
        name = self.base.symbols[part.symbol].name
        whole = Wanted(part.symbol, self.making.whole(part.symbol))
        if part == whole or (part == self.making.start and whole not in self.making.rules):
            return part.symbol, name
        return part.symbol, self._fresh(f"{name}_with")

    def _fresh(self, stem: str) -> str:
        """A name that no symbol has."""
        while True:
            self._counts[stem] += 1
            name = f"{stem}{self._counts[stem]}"
            if name not in self._names:
                self._names.add(name)
                return name
