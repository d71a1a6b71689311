"""Why an LR parser rejects a sentence of its grammar: its run, repeated with core's own tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from gramspect.builtin.native import NativeRecognizer
from gramspect.comparison.commitment import wrong_turn
from gramspect.comparison.explanation import Cause, Explanation
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.lr.tables import canonical_table, lalr_table
from gramspect.recognition.trace import LRTrace, ParseError
from gramspect.suites.suite import Expectation, TestCase

__all__ = ["TableModels"]

_MOST_STATES = 20_000
"""The most states of canonical tables that are built for an explanation."""


@dataclass(frozen=True, eq=False)
class TableModels:
    """Core's tables for a grammar, as models of what other LR parsers do."""

    grammar: Grammar
    _known: dict[tuple[int, tuple[int, ...]], Explanation] = field(default_factory=dict, repr=False)

    def explain(self, tokens: Sequence[int], stopped: int) -> Explanation:
        """Which conflict made an LR parser reject a sentence at the token `stopped`."""
        key = stopped, tuple(tokens)
        if key not in self._known:
            self._known[key] = self._explanation(tokens, stopped)
        return self._known[key]

    def _explanation(self, tokens: Sequence[int], stopped: int) -> Explanation:
        for number, model in enumerate(self._lalr):
            error = _error_of(model, tokens)
            found = None
            if error is not None and error.token == stopped:
                found = wrong_turn(model.table, tokens)
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

    @cached_property
    def _lalr(self) -> tuple[NativeRecognizer, ...]:
        """LALR(1) parsers that resolve conflicts as yacc does, with precedences and without."""
        first = NativeRecognizer(lalr_table(self.grammar))
        if all(not conflict.by_precedence for conflict in first.table.conflicts):
            return (first,)
        rules = tuple(replace(rule, precedence=None) for rule in self.grammar.rules)
        plain = replace(self.grammar, rules=rules, precedence={})
        return first, NativeRecognizer(lalr_table(plain))

    @cached_property
    def _canonical(self) -> tuple[NativeRecognizer | None, ...]:
        """For each of them a parser with canonical LR(1) tables, if these are not too large."""
        return tuple(_canonical(model.grammar) for model in self._lalr)


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
