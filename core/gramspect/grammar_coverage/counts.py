"""What counts say of grammar coverage: states, tallies and gaps, whatever keeps the spectra.

`gramspect.grammar_coverage.coverage` says what is counted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from gramspect.errors import GrammarError
from gramspect.generation.minimal import Minimal
from gramspect.grammar_coverage.elements import Gap, Level, State, Tally, Useless
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Operator
from gramspect.recognition.trace import Observation, Verdict
from gramspect.running.recording import FailingTest, UndecidedTest
from gramspect.suites.suite import TestSuite

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64] | Sequence[int]

__all__ = ["CountedCoverage", "CoverageCounts"]


class CoverageCounts(ABC):
    """The coverage of a grammar by a suite, from the number of tests that use each element."""

    grammar: Grammar
    suite: TestSuite
    adapter: str | None
    failing: tuple[FailingTest, ...]
    undecided: tuple[UndecidedTest, ...]

    # --- counts --------------------------------------------------------------------------

    @abstractmethod
    def _rules_used(self, verdict: Verdict) -> Numbers:
        """For each rule the number of tests with a verdict that execute it."""

    @abstractmethod
    def _items_used(self, verdict: Verdict) -> Numbers:
        """For each item the number of tests with a verdict that execute it."""

    @abstractmethod
    def _n_with(self, verdict: Verdict) -> int:
        """The number of tests with a verdict."""

    @property
    def n_accepted(self) -> int:
        return self._n_with(Verdict.ACCEPTED)

    @property
    def n_rejected(self) -> int:
        return self._n_with(Verdict.REJECTED)

    @cached_property
    def _rule_hits(self) -> Numbers:
        return self._rules_used(Verdict.ACCEPTED)

    @cached_property
    def _item_hits(self) -> Numbers:
        return self._items_used(Verdict.ACCEPTED)

    @cached_property
    def _rule_touches(self) -> Numbers:
        return self._rules_used(Verdict.REJECTED)

    @cached_property
    def _item_touches(self) -> Numbers:
        return self._items_used(Verdict.REJECTED)

    # --- states --------------------------------------------------------------------------

    def rule_state(self, rule: int) -> State:
        return _state(rule in self.usable, self._rule_hits[rule], self._rule_touches[rule])

    def item_state(self, item: int) -> State:
        usable = self.grammar.split_item(item)[0] in self.usable
        return _state(usable, self._item_hits[item], self._item_touches[item])

    def nonterminal_state(self, symbol: int) -> State:
        """The best state of its rules."""
        return self._nonterminal_states[symbol]

    @cached_property
    def _nonterminal_states(self) -> dict[int, State]:
        order = list(State)
        return {
            symbol: min(map(self.rule_state, rules), key=order.index, default=State.USELESS)
            for symbol, rules in self.grammar.rules_of.items()
        }

    @cached_property
    def usable(self) -> frozenset[int]:
        """The rules that some sentence uses."""
        grammar = self.grammar
        productive = grammar.analysis.productive
        found: set[int] = set()
        pending, seen = [grammar.start], {grammar.start}
        while pending:
            for rule in grammar.rules_of.get(pending.pop(), ()):
                rhs = grammar.rules[rule].rhs
                if productive.issuperset(rhs):
                    found.add(rule)
                    pending += set(rhs) - seen
                    seen.update(rhs)
        return frozenset(found)

    # --- what is counted -----------------------------------------------------------------

    @cached_property
    def levels(self) -> Mapping[Level, Tally]:
        """The tally of each level."""
        grammar = self.grammar
        rules = {level: _tally(map(self.rule_state, r)) for level, r in self._alternatives.items()}
        written = [s.index for s in grammar.nonterminals if s.operator is None]
        counted = [r for r in grammar.rules if not _stands_for_itself(grammar, r.lhs)]
        items = (grammar.item(r.index, dot) for r in counted for dot in range(len(r.rhs) + 1))
        both = zip(rules[Level.RULES], rules[Level.CHOICES], strict=True)
        return {
            Level.NONTERMINALS: _tally(map(self.nonterminal_state, written)),
            **rules,
            Level.ALTERNATIVES: Tally(*map(sum, both)),
            Level.ITEMS: _tally(map(self.item_state, items)),
        }

    @property
    def percent(self) -> float:
        """The alternatives that are covered, in per cent."""
        return self.levels[Level.ALTERNATIVES].percent

    @cached_property
    def _alternatives(self) -> dict[Level, list[int]]:
        """Rules and choices."""
        found: dict[Level, list[int]] = {Level.RULES: [], Level.CHOICES: []}
        for rule in self.grammar.rules:
            if self.grammar.symbols[rule.lhs].operator is None:
                found[Level.RULES].append(rule.index)
            elif self.is_choice(rule.index):
                found[Level.CHOICES].append(rule.index)
        return found

    def is_choice(self, rule: int) -> bool:
        """Whether a rule is an alternative inside of an operator that can be taken or not."""
        grammar, described = self.grammar, self.grammar.rules[rule]
        operator = grammar.symbols[described.lhs].operator
        if operator is None or _stands_for_itself(grammar, described.lhs):
            return False
        if operator in (Operator.STAR, Operator.PLUS):
            return described.lhs in described.rhs
        return len(grammar.rules_of[described.lhs]) > 1

    # --- gaps -----------------------------------------------------------------

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """The gaps in the coverage, those with the shortest sentences first.

        Of a non-terminal that is never entered only itself is named; choices are named where the
        alternative that they stand in is covered.
        """
        gaps = [*self._unentered(), *self._untaken()]
        return tuple(
            sorted(gaps, key=lambda g: (g.sentence is None, len(g.sentence or ()), g.rule))
        )

    def _unentered(self) -> Iterable[Gap]:
        for symbol in self.grammar.nonterminals:
            if symbol.operator is None and self._is_missing(self.nonterminal_state(symbol.index)):
                usable = [r for r in self.grammar.rules_of[symbol.index] if r in self.usable]
                sentences = [s for s in map(self._sentence, usable) if s is not None]
                what = f"no accepted test uses {symbol.display}"
                shortest = min(sentences, key=len, default=None)
                yield Gap("nonterminal", symbol.name, what, usable[0], symbol.span, shortest)

    def _untaken(self) -> Iterable[Gap]:
        for level, rules in self._alternatives.items():
            for rule in rules:
                lhs = self.grammar.rules[rule].lhs
                entered = self.nonterminal_state(lhs) is State.COVERED
                if entered and self._is_missing(self.rule_state(rule)):
                    yield self._gap(level, rule)

    def _gap(self, level: Level, rule: int) -> Gap:
        described, text = self.grammar.rules[rule], self.grammar.rule_text(rule)
        if level is Level.CHOICES:
            text = f"{text}: {_choice(self.grammar, rule)}"
        kind = "choice" if level is Level.CHOICES else "rule"
        return Gap(kind, described.label, text, rule, described.span, self._sentence(rule))

    def _is_missing(self, state: State) -> bool:
        return state in (State.MISSED, State.TOUCHED)

    def _sentence(self, rule: int) -> tuple[str, ...] | None:
        """One of the shortest sentences that use a rule."""
        grammar, minimal, lhs = self.grammar, self._minimal, self.grammar.rules[rule].lhs
        if minimal is None or rule not in minimal.rules_of.get(lhs, ()):
            return None
        tokens = minimal.context(lhs).filled(minimal.whole(rule)).tokens
        symbols = (grammar.symbols[token] for token in tokens)
        # ANTLR's EOF is a terminal of its grammars, but nobody writes it in an input.
        return tuple(s.spellings[0] if s.spellings else s.name for s in symbols if s.name != "EOF")

    @cached_property
    def _minimal(self) -> Minimal | None:
        try:
            return Minimal(self.grammar)
        except GrammarError:  # the language is empty
            return None

    @cached_property
    def useless(self) -> tuple[Useless, ...]:
        """Non-terminals that no sentence can use, and such rules of the others."""
        grammar = self.grammar
        found = []
        for symbol in grammar.nonterminals:
            if symbol.operator is not None:
                continue
            rules = grammar.rules_of[symbol.index]
            unused = [rule for rule in rules if rule not in self.usable]
            if len(unused) < len(rules):
                for rule in unused:
                    described = grammar.rules[rule]
                    found.append(Useless(described.label, "unproductive", described.span))
            else:
                productive = symbol.index in grammar.analysis.productive
                why = "unreachable" if productive else "unproductive"
                found.append(Useless(symbol.name, why, symbol.span))
        return tuple(found)


@dataclass(frozen=True, eq=False)
class CountedCoverage(CoverageCounts):
    """Coverage straight from observations, those of the suite's tests in order; without numpy."""

    grammar: Grammar
    suite: TestSuite = field(repr=False)
    adapter: str | None
    observations: Sequence[Observation] = field(repr=False)
    failing: tuple[FailingTest, ...] = field(default=(), repr=False)
    undecided: tuple[UndecidedTest, ...] = field(default=(), repr=False)

    def _with(self, verdict: Verdict) -> list[Observation]:
        return [one for one in self.observations if one.verdict is verdict]

    def _n_with(self, verdict: Verdict) -> int:
        return len(self._with(verdict))

    def _rules_used(self, verdict: Verdict) -> Numbers:
        return _counts(self.grammar.n_rules, (one.rules for one in self._with(verdict)))

    def _items_used(self, verdict: Verdict) -> Numbers:
        return _counts(self.grammar.n_items, (one.items for one in self._with(verdict)))


def _counts(n_elements: int, executed: Iterable[Iterable[int]]) -> list[int]:
    """How many of the sets each element is in."""
    found = [0] * n_elements
    for elements in executed:
        for element in elements:
            found[element] += 1
    return found


def _state(usable: bool, hits: int, touches: int) -> State:
    if not usable:
        return State.USELESS
    if hits:
        return State.COVERED
    return State.TOUCHED if touches else State.MISSED


def _tally(states: Iterable[State]) -> Tally:
    count = Counter(states)
    return Tally(count[State.COVERED], count[State.TOUCHED], count[State.MISSED])


def _stands_for_itself(grammar: Grammar, symbol: int) -> bool:
    """Whether a helper has no parts that a test could miss: a set of tokens, an action."""
    return grammar.symbols[symbol].operator in (Operator.SET, Operator.ACTION)


def _choice(grammar: Grammar, rule: int) -> str:
    """The use of an operator that no test makes, in words."""
    described = grammar.rules[rule]
    operator = grammar.symbols[described.lhs]
    match operator.operator:
        case Operator.STAR:
            never = "taken"
        case Operator.PLUS:
            never = "repeated"
        case _ if not described.rhs:
            never = "left out" if operator.operator is Operator.OPTION else "empty"
        case _:
            never = " ".join(grammar.symbols[symbol].display for symbol in described.rhs)
    return f"{operator.display} is never {never}"
