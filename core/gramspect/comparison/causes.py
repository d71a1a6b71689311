"""Why a technique's verdict on a test is not what its grammar says.

The general chart is the arbiter: it says whether the grammar, read as a context-free one, derives
the tokens. Where a technique rejects a sentence, the reason is looked for by experiment:

* an LR parser: the run is repeated with core's LALR(1) tables. If it ends in the same place, the
  action that left every derivation is found (`gramspect.comparison.commitment`); if canonical LR(1)
  tables accept the test, it was the merged lookahead;
* any other technique: its parser is built again with the alternatives that the derivation
  needs in front of their siblings. If that one accepts the test, it was the order. If no order can,
  because the derivation needs alternatives that begin with the same token, it was the lookahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import combinations

from gramspect.chart import parse_chart
from gramspect.comparison.commitment import wrong_turn
from gramspect.errors import GramspectError
from gramspect.extraction import observe
from gramspect.grammar import Grammar
from gramspect.lr.tables import LRTable, canonical_table, lalr_table
from gramspect.native import NativeRecognizer
from gramspect.recognizer import Recognizer, adapter
from gramspect.runner import observe_test, silenced
from gramspect.suite import Expectation, TestCase
from gramspect.trace import ChartTrace, Extraction, LRTrace, ParseError, Trace, Verdict

__all__ = ["Arbiter", "Cause", "Explanation"]

_MOST_STATES = 20_000
"""Larger canonical tables are not built for an explanation."""

_MOST_ORDERS = 12
"""How many non-terminals are tried one by one to see whose order matters."""


class Cause(StrEnum):
    """What makes a technique differ from its grammar, or from the other techniques."""

    CONFLICT = "conflict resolution"
    """An LR parser resolves a conflict against the derivation."""
    LOOKAHEAD = "lookahead"
    """The tokens that the parser looks at do not tell what comes; more of them would."""
    ORDER = "ordered choice"
    """An earlier alternative is taken where the derivation needs a later one."""
    LEXING = "lexing"
    """The lexer fails, or makes other tokens than those of the other techniques."""
    GRAMMAR = "grammar"
    """The grammar of the source says so: its language is another one."""
    UNKNOWN = "unknown"
    """None of the experiments changes the verdict."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The reason in one line, and the particulars behind it."""

    cause: Cause
    text: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Arbiter:
    """Explains the verdicts of one technique.

    `build` is the name of the adapter if the parser was built from `grammar`, so that it can be
    built again with other orders.
    """

    grammar: Grammar
    recognizer: Recognizer
    build: str | None = None
    _reordered: dict[tuple[int, ...], Recognizer | None] = field(default_factory=dict, repr=False)

    def explain(self, test: TestCase, tokens: Sequence[int], verdict: Verdict) -> Explanation:
        """Why the verdict differs from what the chart says about the tokens."""
        if verdict is Verdict.ACCEPTED:
            text = "accepts what its grammar, read as a context-free one, does not derive"
            return Explanation(Cause.UNKNOWN, text)
        trace = self._trace(test)
        if isinstance(trace, LRTrace) and trace.error is not None:
            return self._conflict(tokens, trace.error)
        found = self._choice(test, tokens) if self.build is not None else None
        if found is not None:
            return found
        text = "rejects a sentence of its grammar: an order, precedence, predicate or lookahead"
        return Explanation(Cause.UNKNOWN, text)

    def _trace(self, test: TestCase) -> Trace | None:
        try:
            with silenced():
                return self.recognizer.trace(test)
        except Exception:  # it was decided before; then it is not explained
            return None

    # --- LR ------------------------------------------------------------------------------

    @cached_property
    def _tables(self) -> tuple[LRTable, ...]:
        """LALR(1) tables that resolve conflicts as yacc does, with precedences and without."""
        first = lalr_table(self.grammar)
        if all(not conflict.by_precedence for conflict in first.conflicts):
            return (first,)
        rules = tuple(replace(rule, precedence=None) for rule in self.grammar.rules)
        return first, lalr_table(replace(self.grammar, rules=rules, precedence={}))

    @cached_property
    def _canonical(self) -> tuple[NativeRecognizer | None, ...]:
        """For each table a parser with canonical LR(1) tables, if these are not too large."""
        return tuple(_canonical(table.grammar) for table in self._tables)

    def _conflict(self, tokens: Sequence[int], error: ParseError) -> Explanation:
        """Which conflict it was, if core's tables stop where the parser stopped."""
        for number, table in enumerate(self._tables):
            stopped = _error_of(NativeRecognizer(table), tokens)
            found = None
            if stopped is not None and stopped.token == error.token:
                found = wrong_turn(table, tokens)
            if found is None:
                continue
            lines = str(found.conflict).splitlines()
            what, how = lines[0].rstrip(":"), lines[-1].strip()
            place = f"token {found.position + 1} of {len(tokens)}"
            canonical = self._canonical[number]
            if canonical is not None and _error_of(canonical, tokens) is None:
                text = f"{what} at {place} that canonical LR(1) tables do not have; {how}"
                return Explanation(Cause.LOOKAHEAD, text, tuple(lines))
            return Explanation(Cause.CONFLICT, f"{what} at {place}, {how}", tuple(lines))
        text = "its tables resolve a conflict in another way than yacc does"
        return Explanation(Cause.CONFLICT, text)

    # --- others --------------------------------------------------------------------------

    def _choice(self, test: TestCase, tokens: Sequence[int]) -> Explanation | None:
        """Which choice of alternatives it is, as far as building the parser again can tell."""
        observation = observe(ChartTrace(parse_chart(self.grammar, tokens)), Extraction.EXACT)
        needed = [
            tuple(rule for rule in rules if rule in observation.rules)
            for rules in self.grammar.rules_of.values()
        ]
        return self._order(test, needed) or self._lookahead(needed)

    def _order(self, test: TestCase, needed: Sequence[tuple[int, ...]]) -> Explanation | None:
        """Whose order of alternatives it is, if another order makes the parser accept the test."""
        late = [
            rules
            for rules in needed
            if rules and self.grammar.rules[rules[-1]].alternative > len(rules)
        ]
        everything = tuple(rule for rules in late for rule in rules)
        if not late or not self._accepts_with_first(everything, test):
            return None
        single = [r for r in late[:_MOST_ORDERS] if self._accepts_with_first(r, test)]
        shown = single[0] if single else everything
        labels = ", ".join(self.grammar.rules[rule].label for rule in shown)
        names = {self.grammar.symbols[self.grammar.rules[rule].lhs].display for rule in shown}
        of = " and ".join(sorted(names)) if len(names) < 4 else f"{len(names)} non-terminals"
        text = f"takes an earlier alternative of {of}; with {labels} in front it accepts the test"
        details = tuple(self.grammar.rule_text(rule) for rule in shown)
        return Explanation(Cause.ORDER, text, details)

    def _lookahead(self, needed: Sequence[tuple[int, ...]]) -> Explanation | None:
        """Two alternatives of one non-terminal that the derivation needs and that begin alike."""
        for one, other in (pair for rules in needed for pair in combinations(rules, 2)):
            shared = self._beginnings(one) & self._beginnings(other)
            if shared:
                token = self.grammar.symbols[min(shared)].display
                labels = " and ".join(self.grammar.rules[rule].label for rule in (one, other))
                text = f"needs both {labels}, which one token ({token}) does not tell apart"
                details = (self.grammar.rule_text(one), self.grammar.rule_text(other))
                return Explanation(Cause.LOOKAHEAD, text, details)
        return None

    def _beginnings(self, rule: int) -> frozenset[int]:
        """The tokens that a rule is predicted by in an LL(1) parser."""
        analysis, written = self.grammar.analysis, self.grammar.rules[rule]
        first, nullable = analysis.first_of(written.rhs)
        return first | analysis.follow(written.lhs) if nullable else first

    def _accepts_with_first(self, first: tuple[int, ...], test: TestCase) -> bool:
        """Whether the technique accepts a test if these rules come before their siblings."""
        if first not in self._reordered:
            self._reordered[first] = self._built_with_first(first)
        recognizer = self._reordered[first]
        if recognizer is None:
            return False
        return observe_test(recognizer, test, Extraction.EXACT).verdict is Verdict.ACCEPTED

    def _built_with_first(self, first: tuple[int, ...]) -> Recognizer | None:
        assert self.build is not None
        rules = [
            self.grammar.rules[index]
            for of_symbol in self.grammar.rules_of.values()
            for index in sorted(of_symbol, key=lambda index: index not in first)
        ]
        try:
            with silenced():
                return adapter(self.build).build(self.grammar.with_rules(rules))
        except Exception:  # the tool takes this order not at all
            return None


def _canonical(grammar: Grammar) -> NativeRecognizer | None:
    try:
        return NativeRecognizer(canonical_table(grammar, _MOST_STATES))
    except GramspectError:
        return None


def _error_of(recognizer: NativeRecognizer, tokens: Sequence[int]) -> ParseError | None:
    """The error of core's parser on terminals; None if it accepts them.

    A parser that reduces for ever stops before the first token.
    """
    names = tuple(recognizer.grammar.symbols[token].name for token in tokens)
    trace = recognizer.trace(_sequence(names))
    if isinstance(trace, LRTrace):
        return trace.error
    return ParseError(-1, "the parser does not end")


def _sequence(names: tuple[str, ...]) -> TestCase:
    return TestCase("", Expectation.ACCEPT, "", names)
