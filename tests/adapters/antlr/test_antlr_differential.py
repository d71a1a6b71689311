"""ANTLR against gramspect's own LR parser, on random grammars and words.

On an LALR(1) grammar a parse is the only one there is, so both must see the same rules and items.
"""

from __future__ import annotations

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from cfg import Cfg, Word
from gramspect.errors import AdapterError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import adapter
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase
from lr_oracle import is_lalr1
from strategies import grammars, words


@st.composite
def cases(draw: DrawFn) -> tuple[Cfg, list[Word]]:
    cfg = draw(grammars(is_lalr1))
    return cfg, draw(st.lists(words(cfg), min_size=1, max_size=4))


@pytest.mark.parametrize("extraction", [Extraction.EXACT, Extraction.ALL])
@given(case=cases())
def test_antlr_agrees_with_native_on_lalr_grammars(
    case: tuple[Cfg, list[Word]], extraction: Extraction
) -> None:
    cfg, inputs = case
    grammar = Grammar.from_rules(cfg.rules, start=cfg.start)
    try:
        antlr = adapter("antlr").build(grammar)
    except AdapterError:
        assert grammar.analysis.left_recursive  # indirect, hidden, or without an end
        reject()
    native, chart = adapter("native").build(grammar), adapter("chart").build(grammar)
    for word in inputs:
        test = TestCase("word", Expectation.ACCEPT, " ".join(word), tokens=word)
        found, expected = (observe(r.trace(test), extraction) for r in (antlr, native))
        assert (found.verdict, found.error) == (expected.verdict, expected.error)
        assert (found.rules, found.items) == (expected.rules, expected.items)
        assert (found.active, found.predicted) == (expected.active, expected.predicted)
        in_chart = observe(chart.trace(test), extraction).shift_items
        if found.verdict is Verdict.ACCEPTED:
            assert found.shift_items <= in_chart
        else:
            assert found.shift_items == in_chart
