"""Which rules of Lark's come from which rules of the user's grammar.

Lark turns EBNF into plain rules otherwise than core does (`gramspect.grammars.ebnf`). It has no
rules for groups and options but writes a rule once for each choice: ``a: b [c] d`` becomes ``a -> b
c d`` and ``a -> b d``. A repetition becomes a rule ``x -> e | x e``, which all repetitions of the
same text share, and ``e*`` is that or nothing. So a rule of Lark's stands for a *fragment* of a
derivation in the core grammar: a rule that the user wrote, with the helper rules that were chosen
inside it.

Fragments are made from the core grammar and found again among Lark's rules by what they look
like, so nothing depends on the names that Lark gives to its helpers, or on their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from gramspect.adapter_api import Grammar, Operator

__all__ = ["NO_REPETITION", "Correspondence", "Fragment", "LarkRule", "NoCorrespondence"]

NO_REPETITION = -1
"""The context of a rule that belongs to no repetition."""

MAX_FRAGMENTS = 50_000
"""How many fragments one rule may have. Lark itself needs minutes for a tenth of that."""


class NoCorrespondence(Exception):
    """Lark has a rule that no part of the core grammar explains."""


class LarkRule(NamedTuple):
    """A rule of Lark's by the names of its symbols."""

    origin: str
    expansion: tuple[str, ...]


class Fragment(NamedTuple):
    """A part of a derivation that Lark does in one rule.

    `leaves` are the symbols of Lark's rule; `gaps` has, for each place between them, the items of
    the core grammar that the derivation goes through there, in order; `rules` are the core rules
    that are applied, the outermost first; `repetitions` has the helper symbol that a leaf is, or
    `NO_REPETITION`.
    """

    leaves: tuple[str, ...]
    gaps: tuple[tuple[int, ...], ...]
    rules: tuple[int, ...]
    repetitions: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Correspondence:
    """Lark's rules by number, and what they are in the core grammar.

    `names` are Lark's names of the core symbols. With `inline`, helper symbols are treated as Lark
    treats what they stand for; else they are non-terminals like others.

    Raises:
        NoCorrespondence: there is a rule for which nothing fits.
    """

    grammar: Grammar
    lark_rules: Sequence[LarkRule]
    names: Sequence[str]
    inline: bool = True
    _keys: dict[frozenset[tuple[str, ...]], str] = field(default_factory=dict, init=False)
    _known: dict[int, list[Fragment]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.fragments  # noqa: B018  # so that a rule that does not fit is reported at once

    # --- results -------------------------------------------------------------------------

    @cached_property
    def plain(self) -> bool:
        """Whether each of Lark's rules is a rule of the core grammar as it stands."""
        return not any(self._is_helper(s.index) for s in self.grammar.nonterminals)

    @cached_property
    def fragments(self) -> list[dict[int, list[Fragment]]]:
        """For each rule of Lark's its fragments by context.

        The context is the repetition (a core symbol) that the rule repeats, or `NO_REPETITION`.
        """
        candidates = self._candidates()
        found = []
        for rule in self.lark_rules:
            origin, leaves = self._canonical_rule(rule)
            fitting = candidates.get((origin, leaves))
            if fitting is None:
                raise NoCorrespondence(f"{rule.origin} : {' '.join(rule.expansion)}")
            found.append(fitting)
        return found

    @cached_property
    def items(self) -> list[list[frozenset[int]]]:
        """For each rule of Lark's and each dot the core items that it may stand for."""
        return [
            [
                frozenset(
                    item for fragments in contexts.values() for f in fragments for item in f.gaps[d]
                )
                for d in range(len(rule.expansion) + 1)
            ]
            for rule, contexts in zip(self.lark_rules, self.fragments, strict=True)
        ]

    @cached_property
    def whole(self) -> list[frozenset[int]]:
        """For each rule of Lark's the core rules that are complete when it is."""
        return [
            frozenset(f.rules[0] for fragments in contexts.values() for f in fragments)
            for contexts in self.fragments
        ]

    @cached_property
    def restricted(self) -> frozenset[int]:
        """The core rules that are complete only when a rule of Lark's is."""
        return frozenset().union(*self.whole)

    def applied(self, reductions: Sequence[int]) -> set[int]:
        """The core rules of a derivation, given as Lark's reductions in the order of a parser.

        A rule that several repetitions share counts for the one that it is part of.
        """
        firsts, distinct = self._firsts, set(reductions)
        if all(len(firsts[rule]) == 1 for rule in distinct):
            used = {(rule, context) for rule in distinct for context in firsts[rule]}
        else:
            used, contexts = set(), [NO_REPETITION]
            for rule in reversed(reductions):
                context = contexts.pop()
                used.add((rule, context))
                contexts.extend(firsts[rule][context].repetitions)
        return {core for rule, context in used for core in firsts[rule][context].rules}

    # --- fragments of the core grammar -------------------------------------------------------

    def _is_helper(self, symbol: int) -> bool:
        return self.inline and self.grammar.symbols[symbol].operator is not None

    def _is_repetition(self, symbol: int) -> bool:
        operator = self.grammar.symbols[symbol].operator
        return self.inline and operator in (Operator.STAR, Operator.PLUS)

    def _candidates(self) -> dict[tuple[str, tuple[str, ...]], dict[int, list[Fragment]]]:
        """All fragments by what Lark's rule for them looks like, and by context."""
        found: dict[tuple[str, tuple[str, ...]], dict[int, list[Fragment]]] = {}
        for symbol in self.grammar.nonterminals:
            rules = self.grammar.rules_of[symbol.index]
            if self._is_repetition(symbol.index):
                key, context = self._key(symbol.index), symbol.index
                if symbol.operator is Operator.STAR:
                    rules = rules[1:]  # the rule around it covers the case that it is empty
            elif self._is_helper(symbol.index):
                continue
            else:
                key, context = self.names[symbol.index], NO_REPETITION
            for rule in rules:
                for fragment in self._rule_fragments(rule):
                    contexts = found.setdefault((key, fragment.leaves), {})
                    contexts.setdefault(context, []).append(fragment)
        return found

    def _rule_fragments(self, rule: int) -> list[Fragment]:
        """The fragments with this rule outermost."""
        if rule not in self._known:
            grammar = self.grammar
            rhs = grammar.rules[rule].rhs
            made = [Fragment((), ((grammar.item(rule, 0),),), (rule,), ())]
            for dot, symbol in enumerate(rhs, start=1):
                item = grammar.item(rule, dot)
                choices = self._choices(symbol)
                if len(made) * len(choices) > MAX_FRAGMENTS:
                    raise NoCorrespondence(grammar.rules[rule].label)
                made = [_joined(left, choice, item) for left in made for choice in choices]
            self._known[rule] = made
        return self._known[rule]

    def _choices(self, symbol: int) -> list[Fragment]:
        """What may stand for an occurrence of a symbol in one of Lark's rules."""
        if not self._is_helper(symbol):
            return [Fragment((self.names[symbol],), ((), ()), (), (NO_REPETITION,))]
        rules = self.grammar.rules_of[symbol]
        if not self._is_repetition(symbol):
            return [fragment for rule in rules for fragment in self._rule_fragments(rule)]
        repeated = Fragment((self._key(symbol),), ((), ()), (), (symbol,))
        if self.grammar.symbols[symbol].operator is Operator.PLUS:
            return [repeated]
        return [*self._rule_fragments(rules[0]), repeated]

    def _key(self, repetition: int) -> str:
        """A name for all repetitions of the same thing, whether zero times is allowed or not."""
        body = self.grammar.rules[self.grammar.rules_of[repetition][1]].rhs[1]
        return self._interned(frozenset(f.leaves for f in self._choices(body)))

    def _interned(self, expansions: frozenset[tuple[str, ...]]) -> str:
        return self._keys.setdefault(expansions, f"*{len(self._keys)}")

    # --- Lark's rules ------------------------------------------------------------------------

    @cached_property
    def _lark_helpers(self) -> dict[str, str]:
        """The keys of Lark's repetitions by their names."""
        known = set(self.names)
        tails: dict[str, list[tuple[str, ...]]] = {}
        for rule in self.lark_rules:
            if rule.origin not in known:
                bodies = tails.setdefault(rule.origin, [])
                if rule.expansion[:1] == (rule.origin,):
                    bodies.append(rule.expansion[1:])
        found: dict[str, str] = {}

        def key(name: str) -> str:
            if name in tails and name not in found:
                bodies = frozenset(tuple(map(key, body)) for body in tails[name])
                found[name] = self._interned(bodies)
            return found.get(name, name)

        for name in tails:
            key(name)
        return found

    def _canonical_rule(self, rule: LarkRule) -> LarkRule:
        helpers = self._lark_helpers
        return LarkRule(
            helpers.get(rule.origin, rule.origin),
            tuple(helpers.get(name, name) for name in rule.expansion),
        )

    # --- derivations ---------------------------------------------------------------------

    @cached_property
    def _nonterminals(self) -> frozenset[str]:
        return frozenset(rule.origin for rule in map(self._canonical_rule, self.lark_rules))

    @cached_property
    def _firsts(self) -> list[dict[int, Fragment]]:
        """The first fragment of each rule by context, its repetitions those of non-terminals."""
        return [
            {
                context: fragments[0]._replace(repetitions=self._below(fragments[0]))
                for context, fragments in contexts.items()
            }
            for contexts in self.fragments
        ]

    def _below(self, fragment: Fragment) -> tuple[int, ...]:
        """The contexts of the leaves that are non-terminals."""
        return tuple(
            context
            for leaf, context in zip(fragment.leaves, fragment.repetitions, strict=True)
            if leaf in self._nonterminals
        )


def _joined(left: Fragment, right: Fragment, item: int) -> Fragment:
    """A fragment with what follows in its outermost rule, and the item after that."""
    *before, middle = left.gaps
    gaps: list[Iterable[int]] = [*before, (*middle, *right.gaps[0]), *right.gaps[1:]]
    gaps[-1] = (*gaps[-1], item)
    return Fragment(
        left.leaves + right.leaves,
        tuple(map(tuple, gaps)),
        left.rules + right.rules,
        left.repetitions + right.repetitions,
    )
