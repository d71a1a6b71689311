"""Why a technique's verdict is not what its grammar says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gramspect import (
    AdapterError,
    Grammar,
    TestCase,
    Verdict,
)
from gramspect.comparison import Cause, causes
from gramspect.comparison.causes import Arbiter
from gramspect.comparison.explanation import Explanation
from gramspect.comparison.tables import TableModels
from gramspect.lr.tables import canonical_table
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.registry import adapter, adapters
from gramspect.recognition.trace import ChartTrace, ParseError, Trace, Undecided
from gramspect.suites.suite import Expectation
from toy import grammar as grammar_of

LALR = [name for name in ("native", "ply", "lark-lalr", "cup") if name in adapters()]
"""The techniques that have the same LALR(1) tables."""


class FirstMatch:
    """A predictive parser with one token of lookahead that takes the first alternative it can."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar

    def trace(self, test: TestCase) -> Trace:
        grammar, analysis = self.grammar, self.grammar.analysis
        tokens = [grammar.symbol(word) for word in test.text.split()]
        ahead, position = [grammar.start], 0
        while ahead:
            symbol = ahead.pop()
            token = tokens[position] if position < len(tokens) else 0
            if grammar.is_terminal(symbol):
                if token != symbol:
                    return ChartTrace(parse_chart(grammar, tokens[:position]), error_at(position))
                position += 1
                continue
            for rule in (grammar.rules[index] for index in grammar.rules_of[symbol]):
                first, nullable = analysis.first_of(rule.rhs)
                if token in first or (nullable and token in analysis.follow(symbol)):
                    ahead += reversed(rule.rhs)
                    break
            else:
                return ChartTrace(parse_chart(grammar, tokens[:position]), error_at(position))
        if position < len(tokens):
            return ChartTrace(parse_chart(grammar, tokens[:position]), error_at(position))
        return ChartTrace(parse_chart(grammar, tokens))


def error_at(position: int) -> ParseError:
    return ParseError(position, "unexpected token")


class FirstMatchAdapter:
    name = "first-match"
    summary = ""

    def missing(self) -> str | None:
        return None

    def claims(self, source: str) -> bool:
        return False

    def load(self, source: str, options: object) -> Recognizer:
        raise AdapterError("nothing to load")

    def build(self, grammar: Grammar) -> Recognizer:
        return FirstMatch(grammar)


def explanation(
    grammar: Grammar, text: str, recognizer: Recognizer, build: str | None = None
) -> Explanation:
    """Why a technique rejects a sentence."""
    tokens = [grammar.symbol(word) for word in text.split()]
    assert parse_chart(grammar, tokens).accepted
    test = TestCase("test", Expectation.ACCEPT, text)
    trace = recognizer.trace(test)
    assert not isinstance(trace, Undecided)
    assert trace.error is not None
    arbiter = Arbiter(grammar, recognizer, TableModels(grammar), build)
    return arbiter.explain(test, tokens, Verdict.REJECTED)


class TestCauses:
    @pytest.mark.parametrize("name", LALR)
    def test_a_conflict(self, name: str) -> None:
        """After ``x``, a ``d`` is the beginning of the tail, not an option."""
        grammar = grammar_of("s -> x tail\ntail -> opt d\nopt ->\nopt -> d")
        found = explanation(grammar, "x d", adapter(name).build(grammar), name)
        assert found.cause is Cause.CONFLICT
        assert found.text.startswith("shift/reduce conflict in state")
        assert "on d at token 2 of 2, resolved: shift" in found.text
        assert any("opt -> • d" in line for line in found.details)

    def test_a_conflict_settled_by_precedence(self) -> None:
        from gramspect.grammars.symbols import Associativity

        grammar = Grammar.from_rules(
            [("e", ["e", "<", "e"]), ("e", ["n"])],
            precedence=[(Associativity.NONASSOC, ["<"])],
        )
        found = explanation(grammar, "n < n < n", adapter("native").build(grammar))
        assert found.cause is Cause.CONFLICT
        assert found.text.endswith("which is non-associative")

    def test_the_conflict_of_a_tool_without_precedences(self) -> None:
        """The parser shifts where yacc would reduce; the conflict is found all the same."""
        from gramspect.grammars.symbols import Associativity

        grammar = Grammar.from_rules(
            [("s", ["e", "-", "end"]), ("e", ["e", "-", "e"]), ("e", ["n"])],
            precedence=[(Associativity.LEFT, ["-"])],
        )
        plain = replace(
            grammar,
            rules=tuple(replace(rule, precedence=None) for rule in grammar.rules),
            precedence={},
        )
        found = explanation(grammar, "n - n - end", adapter("native").build(plain))
        assert found.cause is Cause.CONFLICT
        assert "shifting comes before reducing" in found.text

    def test_merged_lookahead(self) -> None:
        """LR(1) but not LALR(1): the states after c are merged, and their lookaheads with them."""
        grammar = grammar_of("s -> a e c\ns -> a f d\ns -> b f c\ns -> b e d\ne -> x\nf -> x")
        assert not canonical_table(grammar).conflicts
        found = explanation(grammar, "b x c", adapter("native").build(grammar))
        assert found.cause is Cause.LOOKAHEAD
        assert "that canonical LR(1) tables do not have" in found.text

    def test_the_order_of_alternatives(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(causes, "adapter", lambda _: FirstMatchAdapter())
        grammar = grammar_of("s -> t ;\nt -> if x\nt -> if x else x\nt -> x")
        found = explanation(grammar, "if x else x ;", FirstMatch(grammar), "first-match")
        assert found.cause is Cause.ORDER
        assert found.text == (
            "takes an earlier alternative of t; with t:2 in front it accepts the test"
        )

    def test_the_lookahead_of_a_choice(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Both alternatives that begin with a are needed, so no order of them helps."""
        monkeypatch.setattr(causes, "adapter", lambda _: FirstMatchAdapter())
        grammar = grammar_of("s -> t t\nt -> a b\nt -> a c")
        found = explanation(grammar, "a b a c", FirstMatch(grammar), "first-match")
        assert found.cause is Cause.LOOKAHEAD
        assert found.text == "needs both t:1 and t:2, which one token (a) does not tell apart"

    def test_nothing_is_made_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Stubborn(FirstMatch):
            def trace(self, test: TestCase) -> Trace:
                return ChartTrace(parse_chart(self.grammar, []), error_at(0))

        class StubbornAdapter(FirstMatchAdapter):
            def build(self, grammar: Grammar) -> Recognizer:
                return Stubborn(grammar)

        monkeypatch.setattr(causes, "adapter", lambda _: StubbornAdapter())
        grammar = grammar_of("s -> a\ns -> b")
        for build in (None, "stubborn"):
            found = explanation(grammar, "b", Stubborn(grammar), build)
            assert found.cause is Cause.UNKNOWN
