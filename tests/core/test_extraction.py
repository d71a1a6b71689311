"""Spectra of single traces: those from the stack, and what differential tests leave out."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cfg import Cfg
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import (
    Extraction,
    LLTrace,
    LRTrace,
    Observation,
    Trace,
    Undecided,
    Verdict,
)
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase
from lr_oracle import is_lalr1
from strategies import grammars, words
from toy import grammar

LISTS = grammar("s -> a t\nt -> b\nt -> c t")


def traced(technique: str, g: Grammar, text: str) -> Trace:
    return adapter(technique).build(g).trace(TestCase("test", Expectation.ACCEPT, text))


def items_of(g: Grammar, *rules: int) -> set[int]:
    return {item for rule in rules for item in range(g.item_start[rule], g.item_start[rule + 1])}


def test_a_trace_without_an_end_has_its_reason_and_nothing_else() -> None:
    assert observe(Undecided("too slow")) == Observation(Verdict.UNDECIDED, reason="too slow")


def test_only_an_lr_parser_has_a_stack() -> None:
    for trace in (traced("chart", LISTS, "a b"), LLTrace(LISTS, (0, 1), (0, 1))):
        with pytest.raises(GramspectError, match="'stack' needs the stack of an LR parser"):
            observe(trace, Extraction.STACK)


@pytest.mark.parametrize("extraction", [Extraction.EXACT, Extraction.ALL])
def test_a_top_down_run_has_the_rules_of_its_derivation(extraction: Extraction) -> None:
    trace = LLTrace(LISTS, (0, 1), (LISTS.item(0, 0), LISTS.item(0, 1), LISTS.item(1, 0)))
    assert observe(trace, extraction) == Observation(
        Verdict.ACCEPTED,
        None,
        frozenset({0, 1}),
        frozenset(items_of(LISTS, 0, 1)),
        frozenset({LISTS.item(0, 0), LISTS.item(0, 1), LISTS.item(1, 0), LISTS.item(2, 0)}),
    )


@given(cfg=grammars(is_lalr1), data=st.data())
def test_the_stack_is_that_of_the_error(cfg: Cfg, data: st.DataObject) -> None:
    """Section 5.2 of the paper: what is reduced, the kernel items of all states on the stack, and
    the rules that the top one predicts; rules of the start symbol count as begun."""
    g = Grammar.from_rules(cfg.rules, start=cfg.start)
    trace = traced("native", g, " ".join(data.draw(words(cfg))))
    assert isinstance(trace, LRTrace)
    assume(trace.error is not None)
    automaton = trace.automaton
    reduced = {*trace.reduced, *trace.late_reduced}
    items = {item for state in trace.error_stack for item in automaton.kernels[state]}
    for symbol in (g.start, *automaton.predicted(trace.error_stack[-1])):
        items |= {g.item(rule, 0) for rule in g.rules_of[symbol]}
    items -= {g.n_items, g.n_items + 1}
    found, every = observe(trace, Extraction.STACK), observe(trace, Extraction.ALL)
    assert found.rules == reduced | {g.split_item(item)[0] for item in items}
    assert found.items == items | items_of(g, *reduced)
    assert (found.verdict, found.error) == (Verdict.REJECTED, trace.error)
    assert found.shift_items == every.shift_items
    assert (found.active, found.predicted) == (every.active, every.predicted)


@pytest.mark.parametrize("technique", ["native", "chart"])
@pytest.mark.parametrize("text", ["( x x", "( x )", ""])
def test_a_trace_is_observed_as_often_as_one_likes(technique: str, text: str) -> None:
    """Also if another extraction, which finds more, has come before."""
    g = grammar("s -> ( e )\ns -> ( e , e )\ne -> x\ne -> e + x")
    trace = traced(technique, g, text)
    kinds = [Extraction.EXACT, Extraction.ALL]
    alone = [observe(traced(technique, g, text), kind) for kind in kinds]
    assert [observe(trace, kind) for kind in (*kinds, *kinds)] == alone * 2


@pytest.mark.parametrize("extraction", [Extraction.EXACT, Extraction.ALL])
@pytest.mark.parametrize("depth", [126, 127, 128, 300])
def test_deep_stacks_have_the_spectra_of_the_chart(depth: int, extraction: Extraction) -> None:
    g = grammar("s -> e\ne -> ( e )\ne -> x")
    for text in ("( " * depth, "( " * depth + "x )"):
        chart, native = (traced(technique, g, text) for technique in ("chart", "native"))
        assert observe(native, extraction) == observe(chart, extraction)


def test_rules_that_call_each_other_are_predicted_at_their_least_distance() -> None:
    g = grammar("s -> a x\nx -> y b\ny -> x c\ny -> d")
    for technique in ("native", "chart"):
        found = observe(traced(technique, g, "a a"))
        assert found.active == {g.item(0, 1): 0}
        assert found.predicted == {g.item(1, 0): 1, g.item(2, 0): 2, g.item(3, 0): 2}


@pytest.mark.parametrize("technique", ["native", "chart"])
@pytest.mark.parametrize("extraction", [Extraction.EXACT, Extraction.ALL])
def test_rules_that_derive_nothing_before_the_first_token_are_executed(
    technique: str, extraction: Extraction
) -> None:
    g = grammar("s -> e a b\ne -> f\nf ->")
    found = observe(traced(technique, g, "a a"), extraction)
    assert found.rules == {0, 1, 2}
    assert found.items == {*(g.item(0, dot) for dot in range(3)), *items_of(g, 1, 2)}
