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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from gramspect.algebra.automaton import Product, TreeAutomaton
from gramspect.algebra.expressions import Expression, expression_text
from gramspect.algebra.patterns import Pattern
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Rule, Symbol

__all__ = ["MAX_RULES", "Specialized", "specialize"]

MAX_RULES: Final = 1_000_000
"""The most rules of a grammar that is made; an expression that needs more is refused."""


class Wanted(NamedTuple):
    """A non-terminal of the new grammar: an old one whose subtrees have one of these states."""

    symbol: int
    states: int


class Before(NamedTuple):
    """A helper of the new grammar: a rule up to and with a non-terminal, in one of these states."""

    rule: int
    nth: int
    states: int


Part = Wanted | Before | int
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


def specialize(grammar: Grammar, expression: Expression) -> Specialized | None:
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
    return _Numbering(making, expression).result()


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
        """For each prefix state, and each that it leads to, the subtrees' states that do, as
        bits."""
        rule, nth = place
        found: list[dict[int, int]] = [{} for _ in self.product.prefixes[rule][nth]]
        for (prefix, child), following in steps.items():
            row = found[prefix]
            row[following] = row.get(following, 0) | 1 << child
        return found

    def _of_wanted(self, wanted: Wanted) -> Iterator[_Made]:
        """The rules of an old non-terminal that end in a wanted state."""
        for rule in self.grammar.rules_of[wanted.symbol]:
            good = 0
            results = self.product.result[rule]
            for prefix, state in enumerate(results):
                if wanted.states >> state & 1:
                    good |= 1 << prefix
            if good:
                yield from self._read(rule, len(self.product.positions[rule]), good, rule)

    def _of(self, before: Before) -> Iterator[_Made]:
        return self._read(before.rule, before.nth, before.states, None)

    def _read(self, rule: int, nth: int, wanted: int, origin: int | None) -> Iterator[_Made]:
        """A rule up to its non-terminal number `nth`, and to the next one or the end."""
        positions, rhs = self.product.positions[rule], self.grammar.rules[rule].rhs
        end = positions[nth] if nth < len(positions) else len(rhs)
        if not nth:
            yield _Made(rhs[:end], origin)
            return
        at = positions[nth - 1]
        for prefixes, children in self._rectangles((rule, nth - 1), wanted):
            child = Wanted(rhs[at], children)
            yield _Made((*self._up_to(rule, nth - 1, prefixes), child, *rhs[at + 1 : end]), origin)

    def _up_to(self, rule: int, nth: int, prefixes: int) -> tuple[Part, ...]:
        """What stands before a non-terminal so that the prefix has one of these states."""
        positions, rhs = self.product.positions[rule], self.grammar.rules[rule].rhs
        if prefixes == (1 << len(self.product.prefixes[rule][nth])) - 1:  # whatever stands there
            before = rhs[: positions[nth]]
            return tuple(
                s if self.grammar.is_terminal(s) else Wanted(s, self.whole(s)) for s in before
            )
        return (Before(rule, nth, prefixes),)

    def whole(self, symbol: int) -> int:
        """All states of a symbol, as bits."""
        return (1 << len(self.product.subtrees[symbol])) - 1

    def _rectangles(self, place: tuple[int, int], wanted: int) -> Iterator[tuple[int, int]]:
        """Sets of prefix states and sets of subtrees' states, as bits, that together lead to all
        that is wanted and to nothing else.

        They are the largest ones that have the subtrees of one prefix state; those that are the
        union of others are left out.
        """
        rows: dict[int, int] = {}
        for prefix, following in enumerate(self._children[place]):
            row = 0
            for state, children in following.items():
                if wanted >> state & 1:
                    row |= children
            if row:
                rows[row] = rows.get(row, 0) | 1 << prefix
        for row in rows:
            covered = 0
            prefixes = 0
            for other, with_it in rows.items():
                if other & row == row:
                    prefixes |= with_it
                elif other | row == row:
                    covered |= other
            if covered != row:
                yield prefixes, row

    def _inline(self) -> None:
        """Put helpers that have one alternative, or that are used once, where they are used."""
        order = [part for part in self.rules if isinstance(part, Before)]
        order.sort(key=lambda part: part.nth)
        wanted = [part for part in self.rules if isinstance(part, Wanted)]
        uses = Counter(
            part for made in self.rules.values() for each in made for part in each.parts
            if isinstance(part, Before)
        )  # fmt: skip
        gone = {part for part in order if len(self.rules[part]) == 1 or uses[part] == 1}
        every: list[Before | Wanted] = [*order, *wanted]
        for part in every:
            self.rules[part] = [m for each in self.rules[part] for m in self._spelled(each, gone)]
        for helper in gone:
            del self.rules[helper]

    def _spelled(self, made: _Made, gone: set[Before]) -> Iterator[_Made]:
        first = made.parts[0] if made.parts else 0
        if not isinstance(first, Before) or first not in gone:
            yield made
            return
        for each in self.rules[first]:
            yield _Made((*each.parts, *made.parts[1:]), made.origin)


# --- the grammar that they are -------------------------------------------------------------


class _Numbering:
    """Gives the symbols and rules that were made their numbers and names."""

    def __init__(self, making: _Making, expression: Expression) -> None:
        self.making = making
        self.base = making.grammar
        self.expression = expression
        self._named: Counter[str] = Counter()
        self._names = {symbol.name for symbol in self.base.symbols}
        self.numbers: dict[Part, int] = {}
        self.symbols: list[Symbol] = list(self.base.symbols[: self.base.n_terminals])
        self._renamed: dict[Part, Part] = self._equal()
        for part in self._in_order():
            self.numbers[part] = len(self.symbols)
            self.symbols.append(self._symbol(part, len(self.symbols)))

    def _equal(self) -> dict[Part, Part]:
        """Helpers that have the same alternatives are one."""
        first: dict[tuple[tuple[Part, ...], ...], Part] = {}
        found: dict[Part, Part] = {}
        for part in sorted(
            (p for p in self.making.rules if isinstance(p, Before)), key=lambda p: p.nth
        ):
            made = self.making.rules[part]
            key = tuple(tuple(found.get(p, p) for p in each.parts) for each in made)
            found[part] = first.setdefault(key, part)
        return found

    def _in_order(self) -> Iterator[Part]:
        """The non-terminals in the order in which they are met from the start symbol on."""
        known: set[Part] = {self.making.start}
        pending: list[Part] = [self.making.start]
        for part in pending:
            yield part
            for each in self.making.rules[part]:
                for below in (self._renamed.get(p, p) for p in each.parts):
                    if not isinstance(below, int) and below not in known:
                        known.add(below)
                        pending.append(below)

    def _symbol(self, part: Part, number: int) -> Symbol:
        assert not isinstance(part, int)
        old = part.symbol if isinstance(part, Wanted) else self.base.rules[part.rule].lhs
        symbol = self.base.symbols[old]
        whole = isinstance(part, Wanted) and part.states == self.making.whole(part.symbol)
        name = symbol.name
        alone = Wanted(old, self.making.whole(old)) not in self.making.rules
        if not whole and not (part == self.making.start and alone):
            name = self._fresh(f"{symbol.name}_with" if isinstance(part, Wanted)
                               else f"{symbol.name}_part")  # fmt: skip
        return replace(
            symbol, index=number, name=name, display=name, operator=None, owner=None, spellings=()
        )

    def _fresh(self, stem: str) -> str:
        """A name that no symbol has."""
        while True:
            self._named[stem] += 1
            name = f"{stem}{self._named[stem]}"
            if name not in self._names:
                self._names.add(name)
                return name

    def result(self) -> Specialized:
        rules, origins = [], []
        for part, lhs in self.numbers.items():
            for each in self.making.rules[part]:
                rhs = tuple(
                    p if isinstance(p, int) else self.numbers[self._renamed.get(p, p)]
                    for p in each.parts
                )
                rules.append(self._rule(lhs, rhs, each.origin))
                origins.append(each.origin)
        grammar = replace(
            self.base,
            name=f"{self.base.name}: {expression_text(self.expression)}",
            symbols=tuple(self.symbols),
            rules=(),
            start=self.numbers[self.making.start],
            diagnostics=(),
        ).with_rules(rules)
        return Specialized(grammar, self.base, self.expression, tuple(origins))

    def _rule(self, lhs: int, rhs: Sequence[int], origin: int | None) -> Rule:
        if origin is None:
            return Rule(-1, lhs, tuple(rhs), 0, "", None, (None,) * len(rhs))
        old = self.base.rules[origin]
        spans = old.rhs_spans if len(old.rhs) == len(rhs) else (old.span,) * len(rhs)
        return Rule(-1, lhs, tuple(rhs), 0, "", old.span, spans, old.precedence)
