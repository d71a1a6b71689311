"""Lark's parsers of core grammars, against the oracles and the other techniques."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, reject
from lark_cases import Load, text_test

from cfg import Cfg, Word
from core.test_differential import (
    as_test,
    check_all,
    check_exact,
    core_grammar,
    numbers,
    observed,
    with_words,
)
from gramspect.errors import AdapterError
from gramspect.grammars.grammar import Grammar
from gramspect.lr.tables import lalr_table
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import ChartTrace, Extraction, LRTrace, Undecided
from gramspect_lark.earley_recognizer import EarleyRecognizer
from gramspect_lark.lalr_recognizer import LalrRecognizer
from lr_oracle import is_lalr1
from oracle import spectra
from strategies import grammars


def lalr(grammar: Grammar) -> LalrRecognizer:
    made = adapter("lark-lalr").build(grammar)
    assert isinstance(made, LalrRecognizer)
    return made


def earley(grammar: Grammar) -> EarleyRecognizer:
    made = adapter("lark-earley").build(grammar)
    assert isinstance(made, EarleyRecognizer)
    return made


def following(grammar: Grammar) -> LalrRecognizer:
    """A parser whose rules are taken for others than the grammar's, as those of EBNF are."""
    made = lalr(grammar)
    vars(made._subject.correspondence)["plain"] = False
    return made


AMBIGUOUS = Cfg((("S", ("S", "S")), ("S", ("a",)), ("S", ())), "S")
CYCLIC = Cfg((("S", ("A",)), ("A", ("S",)), ("A", ("a",)), ("A", ("A", "B")), ("B", ())), "S")
EMPTY = Cfg((("S", ("A", "A", "A")), ("A", ("B",)), ("A", ("a",)), ("B", ())), "S")


@given(with_words(grammars()))
@example((AMBIGUOUS, [("a", "a", "a"), (), ("a", "z")]))
@example((CYCLIC, [("a",), ("a", "a"), ()]))
@example((EMPTY, [("a", "a"), (), ("a", "a", "a", "a")]))
def test_earley_agrees_with_the_oracle_on_any_grammar(case: tuple[Cfg, list[Word]]) -> None:
    cfg, inputs = case
    parser = earley(core_grammar(cfg))
    for word in inputs:
        expected = spectra(cfg, word)
        shift = numbers(parser.grammar, expected.shift_items)
        assert check_all(parser, word, expected).shift_items == shift
        assert check_exact(parser, word, cfg, expected).shift_items == shift


@given(with_words(grammars()))
def test_charts_are_the_columns_of_the_parser(case: tuple[Cfg, list[Word]]) -> None:
    """No item of Lark's is left out of the chart, and no other is in it."""
    cfg, inputs = case
    parser = earley(core_grammar(cfg))
    for word in inputs:
        test = as_test(word)
        trace = parser.trace(test)
        assert isinstance(trace, ChartTrace)
        recording = parser._hook.observe(parser._subject.inputs.given(test))
        assert trace.chart.end == len(recording.places) - 1
        for number in range(len(recording.places)):
            codes = recording.items[recording.starts[number] : recording.starts[number + 1]]
            items: set[int] = set().union(*(parser._subject.items[code] for code in codes))
            assert {item for item, _ in trace.chart.column(number)} == items


def outcomes(grammar: Grammar, word: Word, extraction: Extraction) -> tuple[Any, Any]:
    """What a parser's stack gives, and what following it gives."""
    parsers = lalr(grammar), following(grammar)
    direct, followed = (observed(parser, word, extraction) for parser in parsers)
    return direct, followed


def is_lalr1_for_lark(cfg: Cfg) -> bool:
    """Whether a grammar is LALR(1), and Lark takes it for that, too.

    When Lark 1.3.1 computes lookaheads, it takes a rule that is begun already in a state for one
    that begins there. So it sees collisions of empty rules in a few grammars that have none.
    """
    if not is_lalr1(cfg):
        return False
    try:
        lalr(core_grammar(cfg))
    except AdapterError:
        return False
    return True


def test_lark_refuses_a_grammar_that_is_lalr1() -> None:
    """If this fails, Lark has become right, and what leaves such grammars out can go."""
    rules = (
        ("S", ("a", "A", "a")),
        ("S", ("a", "C", "A")),
        ("A", ("C", "B")),
        ("B", ()),
        ("C", ()),
    )
    cfg = Cfg(rules, "S")
    assert is_lalr1(cfg)
    assert not is_lalr1_for_lark(cfg)


@given(with_words(grammars(is_lalr1_for_lark)))
def test_following_the_states_gives_what_the_states_give(case: tuple[Cfg, list[Word]]) -> None:
    """Traces for rules of EBNF, of rules that need none."""
    cfg, inputs = case
    for word in inputs:
        for extraction in (Extraction.EXACT, Extraction.ALL):
            direct, followed = outcomes(core_grammar(cfg), word, extraction)
            assert direct == followed


@given(with_words(grammars()))
@example(
    (Cfg((("S", ("B", "A", "a")), ("A", ("a",)), ("A", ("S",)), ("B", ())), "S"), [("a",) * 3])
)
def test_following_where_lark_resolves_conflicts(case: tuple[Cfg, list[Word]]) -> None:
    """Nothing is missing. There may be more: what was begun at one place counts as begun in every
    state that the parser had there (in the example, before and after the empty B).
    """
    cfg, inputs = case
    grammar = core_grammar(cfg)
    try:
        lalr(grammar)
    except AdapterError:  # reductions collide
        collide = any(len(conflict.rules) > 1 for conflict in lalr_table(grammar).conflicts)
        assert collide or is_lalr1(cfg)  # see `is_lalr1_for_lark`
        reject()
    for word in inputs:
        direct, followed = outcomes(grammar, word, Extraction.ALL)
        assert (direct.verdict, direct.error) == (followed.verdict, followed.error)
        assert direct.rules <= followed.rules
        assert direct.items <= followed.items
        assert direct.shift_items <= followed.shift_items
        assert direct.active.keys() <= followed.active.keys()
        assert direct.predicted.keys() <= followed.predicted.keys()


def test_what_lark_cannot_build() -> None:
    rules = [("s", ["e", "s", "b"]), ("s", ["f"]), ("e", []), ("f", [])]
    with pytest.raises(AdapterError) as caught:
        lalr(Grammar.from_rules(rules, name="loop"))
    assert str(caught.value) == (
        "the grammar loop cannot be built by Lark: it cannot choose between reductions: "
        "reduce/reduce collision before b between e -> (empty) and f -> (empty)"
    )


def test_a_cycle_that_never_ends(load: Load) -> None:
    """Lark does not refuse cyclic grammars (its issue 1585); a priority may make them loop."""
    text = """
        start.2: start y | start | "a"
        y: z "b"
        z:
    """
    found = load("lark-lalr", text).trace(text_test("ab"))
    assert found == Undecided("the parser does not terminate: it reduces for ever")


def test_long_inputs_are_no_loops() -> None:
    rules = [("s", ["u", "s"]), ("s", []), ("u", ["v"]), ("v", ["w"]), ("w", ["a"])]
    parser = lalr(Grammar.from_rules(rules))
    found = parser.trace(text_test("a " * 5_000))
    assert isinstance(found, LRTrace)
    assert found.error is None
