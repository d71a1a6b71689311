"""Why a technique's verdict on a test is not what its grammar says.

The general chart is the arbiter: it says whether the grammar, read as a context-free one, derives
the tokens. Where a technique rejects a sentence, the reason is looked for by experiment:

* an LR parser (`gramspect.comparison.tables`): the run is repeated with core's LALR(1) tables. If
  it ends in the same place, the action that left every derivation is found
  (`gramspect.comparison.commitment`); if canonical LR(1) tables accept the test, it was the merged
  lookahead;
* any other technique: its parser is built again with the alternatives that the derivation
  needs in front of their siblings. If that one accepts the test, it was the order. If no order can,
  because the derivation needs alternatives that begin with the same token, it was the lookahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from gramspect.comparison.explanation import Cause, Explanation
from gramspect.comparison.tables import TableModels
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import ChartTrace, Extraction, LRTrace, Trace, Verdict
from gramspect.running.observing import observe_test, silenced
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import TestCase

__all__ = ["Arbiter"]

_MOST_ORDERS = 12
"""The most non-terminals that are tried one by one to see whose order matters."""


@dataclass(frozen=True, eq=False)
class Arbiter:
    """Explains the verdicts of one technique.

    `tables` are models of LR parsers for `grammar`, which techniques with the same one share;
    `build` is the name of the adapter if the parser was built from `grammar`, so that it can be
    built again with other orders.
    """

    grammar: Grammar
    recognizer: Recognizer
    tables: TableModels
    build: str | None = None
    _reordered: dict[tuple[int, ...], Recognizer | None] = field(default_factory=dict, repr=False)

    def explain(self, test: TestCase, tokens: Sequence[int], verdict: Verdict) -> Explanation:
        """Why the verdict differs from what the chart says about the tokens."""
        if verdict is Verdict.ACCEPTED:
            text = "accepts what its grammar, read as a context-free one, does not derive"
            return Explanation(Cause.UNKNOWN, text)
        trace = self._trace(test)
        if isinstance(trace, LRTrace) and trace.error is not None:
            return self.tables.explain(tokens, trace.error.token)
        found = self._choice(test, tokens) if self.build is not None else None
        if found is not None:
            return found
        text = "rejects a sentence of its grammar: an order, precedence, predicate or lookahead"
        return Explanation(Cause.UNKNOWN, text)

    def _trace(self, test: TestCase) -> Trace | None:
        try:
            with silenced():
                return self.recognizer.trace(test)
        except Exception:  # it had a verdict before; without one now nothing is explained
            return None

    # --- others --------------------------------------------------------------------------

    def _choice(self, test: TestCase, tokens: Sequence[int]) -> Explanation | None:
        """The choice among alternatives that is to blame, as far as building the parser again
        shows."""
        observation = observe(ChartTrace(parse_chart(self.grammar, tokens)), Extraction.EXACT)
        needed = [
            tuple(rule for rule in rules if rule in observation.rules)
            for rules in self.grammar.rules_of.values()
        ]
        return self._order(test, needed) or self._lookahead(needed)

    def _order(self, test: TestCase, needed: Sequence[tuple[int, ...]]) -> Explanation | None:
        """The non-terminal whose order of alternatives is to blame: with another the test
        passes."""
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
        except Exception:  # the tool refuses this order
            return None
