"""Grammar coverage: what is counted, what is missing, and the reports that CI servers read."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfg import Cfg
from command import ACCEPT, FAULTY
from gramspect import (
    Coverage,
    Grammar,
    GramspectError,
    TestSuite,
    adapter,
    coverage,
)
from gramspect.grammar_coverage.elements import Level, State, Tally
from gramspect.grammars.ebnf import Alternative, Block, Definition, Reference
from gramspect.grammars.grammar import expand
from gramspect.grammars.symbols import Operator
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.spectrum.extraction import observe
from strategies import grammars, words


@cache
def toy() -> Coverage:
    return coverage(FAULTY, TestSuite.load(accept=[ACCEPT], lines=True))


def covered(grammar: Grammar, accept: list[str], reject: list[str] | None = None) -> Coverage:
    return coverage(adapter("chart").build(grammar), TestSuite.from_texts(accept, reject or []))


def option(*symbols: str) -> Block:
    return block(Operator.OPTION, *symbols)


def block(operator: Operator, *alternatives: str) -> Block:
    return Block(
        operator,
        tuple(Alternative(tuple(Reference(x) for x in text.split())) for text in alternatives),
    )


def ebnf(*elements: Reference | Block) -> Grammar:
    return expand([Definition("s", (Alternative((Reference("x"), *elements)),))])


class TestCounting:
    def test_toy(self) -> None:
        result = toy()
        assert result.levels[Level.NONTERMINALS] == Tally(8, 0, 0)
        assert result.levels[Level.RULES] == result.levels[Level.ALTERNATIVES] == Tally(21, 1, 0)
        assert result.levels[Level.CHOICES] == Tally(0, 0, 0)
        assert result.levels[Level.ITEMS] == Tally(76, 4, 1)
        assert result.percent == pytest.approx(100 * 21 / 22)
        assert (result.n_accepted, result.n_rejected, len(result.failing)) == (14, 2, 2)

    def test_tests_of_elements(self) -> None:
        (test,) = toy().tests_of_rule(14)
        assert test.name.endswith(":14")
        assert toy().rule_hits[14] == 0
        assert toy().rule_state(14) is State.TOUCHED
        assert toy().tests_of_item(toy().grammar.item(14, 4)) == ()

    @given(st.data())
    def test_against_single_observations(self, data: st.DataObject) -> None:
        cfg: Cfg = data.draw(grammars())
        grammar = Grammar.from_rules(cfg.rules, start=cfg.start)
        texts = data.draw(st.lists(words(cfg), min_size=1, max_size=5, unique=True))
        recognizer = adapter("chart").build(grammar)
        suite = TestSuite.from_texts([" ".join(word) for word in texts])
        result = coverage(recognizer, suite)
        seen = [observe(recognizer.trace(test), Extraction.EXACT) for test in suite]
        accepted = [one for one in seen if one.verdict is Verdict.ACCEPTED]
        rejected = [one for one in seen if one.verdict is Verdict.REJECTED]
        for rule in range(grammar.n_rules):
            hits = sum(rule in one.rules for one in accepted)
            touched = any(rule in one.rules for one in rejected)
            state = State.COVERED if hits else State.TOUCHED if touched else State.MISSED
            assert (result.rule_hits[rule], result.rule_state(rule)) == (hits, state)
        for item in range(grammar.n_items):
            hits = sum(item in one.items for one in accepted)
            touched = any(item in one.items for one in rejected)
            state = State.COVERED if hits else State.TOUCHED if touched else State.MISSED
            assert (result.item_hits[item], result.item_state(item)) == (hits, state)

    @pytest.mark.parametrize(
        ("element", "tests", "expected"),
        [
            (option("a"), ["x a"], Tally(1, 0, 1)),
            (option("a"), ["x a", "x"], Tally(2, 0, 0)),
            (option("a", "b"), ["x", "x b"], Tally(2, 0, 1)),
            (block(Operator.GROUP, "a", "b c"), ["x a"], Tally(1, 0, 1)),
            (block(Operator.GROUP, "a b"), ["x a b"], Tally(0, 0, 0)),
            (block(Operator.STAR, "a"), ["x"], Tally(0, 0, 1)),
            (block(Operator.STAR, "a"), ["x a"], Tally(1, 0, 0)),
            (block(Operator.PLUS, "a"), ["x a"], Tally(0, 0, 1)),
            (block(Operator.PLUS, "a"), ["x a a"], Tally(1, 0, 0)),
            (block(Operator.STAR, "a", "b"), ["x a"], Tally(2, 0, 1)),
            (block(Operator.SET, "a", "b", "c"), ["x a"], Tally(0, 0, 0)),
            (block(Operator.ACTION, ""), ["x"], Tally(0, 0, 0)),
        ],
    )
    def test_choices(self, element: Block, tests: list[str], expected: Tally) -> None:
        result = covered(ebnf(element), tests)
        assert result.levels[Level.CHOICES] == expected
        assert result.levels[Level.RULES] == Tally(1, 0, 0)

    def test_useless_parts_are_no_misses(self) -> None:
        rules = [("s", "a"), ("s", "dead"), ("dead", "dead b"), ("lost", "a"), ("s", "c")]
        grammar = Grammar.from_rules([(lhs, rhs.split()) for lhs, rhs in rules], start="s")
        result = covered(grammar, ["a"])
        assert result.levels[Level.RULES] == Tally(1, 0, 1)
        assert result.levels[Level.NONTERMINALS] == Tally(1, 0, 0)
        assert [(u.label, u.why) for u in result.useless] == [
            ("s:2", "unproductive"),
            ("dead", "unproductive"),
            ("lost", "unreachable"),
        ]
        assert [gap.label for gap in result.gaps] == ["s:3"]

    def test_only_reached_through_what_derives_nothing(self) -> None:
        rules = [("s", "a"), ("s", "dead far"), ("dead", "dead"), ("far", "a")]
        grammar = Grammar.from_rules([(lhs, rhs.split()) for lhs, rhs in rules])
        result = covered(grammar, ["a"])
        assert {u.label: u.why for u in result.useless}["far"] == "unreachable"
        assert result.percent == 100

    def test_an_empty_language(self) -> None:
        grammar = Grammar.from_rules([("s", ["s", "a"])])
        result = covered(grammar, [], ["a"])
        assert result.levels[Level.ALTERNATIVES] == Tally(0, 0, 0)
        assert result.percent == 100
        assert result.gaps == ()
        assert [u.label for u in result.useless] == ["s"]

    def test_unknown_extraction(self) -> None:
        with pytest.raises(GramspectError, match="there are: exact, all, stack"):
            coverage(FAULTY, TestSuite.from_texts(["x"]), extraction="most")


class TestGaps:
    def test_the_shortest_first(self) -> None:
        rules = [("s", "a"), ("s", "( s )"), ("s", "long"), ("long", "b b b b"), ("long", "c")]
        grammar = Grammar.from_rules([(lhs, rhs.split()) for lhs, rhs in rules])
        gaps = covered(grammar, ["a"]).gaps
        assert [(gap.kind, gap.label, gap.sentence) for gap in gaps] == [
            ("rule", "s:3", ("c",)),
            ("nonterminal", "long", ("c",)),
            ("rule", "s:2", ("(", "a", ")")),
        ]

    @pytest.mark.parametrize(
        ("element", "test", "what"),
        [
            (option("a"), "x", "a? is never a"),
            (option("a"), "x a", "a? is never left out"),
            (block(Operator.STAR, "a"), "x", "a* is never taken"),
            (block(Operator.PLUS, "a b"), "x a b", "( a b )+ is never repeated"),
            (block(Operator.GROUP, "a", "b c"), "x a", "( a | b c ) is never b c"),
        ],
    )
    def test_choices_in_words(self, element: Block, test: str, what: str) -> None:
        (gap,) = covered(ebnf(element), [test]).gaps
        assert gap.kind == "choice"
        assert gap.what.startswith("s -> x ")
        assert gap.what.endswith(f": {what}")

    def test_choices_of_what_is_never_entered_are_not_named(self) -> None:
        inner = Definition("t", (Alternative((Reference("b"), option("c"))),))
        outer = Definition("s", (Alternative((Reference("a"),)), Alternative((Reference("t"),))))
        result = covered(expand([outer, inner]), ["a"])
        assert {gap.label for gap in result.gaps} == {"s:2", "t"}
        assert result.levels[Level.CHOICES] == Tally(0, 0, 2)

    @given(grammars())
    def test_what_is_proposed_leads_to_full_coverage(self, cfg: Cfg) -> None:
        """Each round of proposed tests covers what it was proposed for; in the end all is."""
        grammar = Grammar.from_rules(cfg.rules, start=cfg.start)
        recognizer = adapter("chart").build(grammar)
        tests = {"z"}
        result = coverage(recognizer, TestSuite.from_texts(sorted(tests)), extraction="all")
        while result.gaps:
            proposed = {" ".join(gap.sentence or ()) for gap in result.gaps}
            assert not proposed <= tests
            tests |= proposed
            suite = TestSuite.from_texts(sorted(tests))
            before, result = result, coverage(recognizer, suite, extraction="all")
            assert result.n_accepted == len(tests) - 1
            for gap in before.gaps:
                if gap.kind == "rule":
                    assert result.rule_state(gap.rule) is State.COVERED
        assert result.percent == 100
        assert set(map(result.rule_state, range(grammar.n_rules))) == {State.COVERED}
