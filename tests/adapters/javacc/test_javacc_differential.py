"""JavaCC against the chart, gramspect's own LR parser and the definitions, on random grammars.

On an LL(1) grammar a parse is the only one there is, so all must see the same rules and items.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from ll1 import is_ll1

from cfg import Cfg, Word
from examples import fewer
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import adapter
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase
from oracle import exact_spectra
from strategies import grammars, words


@st.composite
def cases(draw: DrawFn) -> tuple[Cfg, list[Word]]:
    cfg = draw(grammars(is_ll1))
    return cfg, draw(st.lists(words(cfg), min_size=1, max_size=6))


@fewer(0.25)  # each runs JavaCC and javac
@given(case=cases())
def test_javacc_agrees_with_chart_native_and_the_definitions(
    case: tuple[Cfg, list[Word]],
) -> None:
    cfg, inputs = case
    grammar = Grammar.from_rules(cfg.rules, start=cfg.start)
    javacc = adapter("javacc").build(grammar)
    assert not javacc.grammar.diagnostics
    native, chart = adapter("native").build(grammar), adapter("chart").build(grammar)
    tests = [TestCase("word", Expectation.ACCEPT, " ".join(w), tokens=w) for w in inputs]
    for test, word, trace in zip(tests, inputs, javacc.traces(tests), strict=True):  # type: ignore[attr-defined]
        for extraction in (Extraction.EXACT, Extraction.ALL):
            found = observe(trace, extraction)
            in_chart, lr = (observe(r.trace(test), extraction) for r in (chart, native))
            assert (found.verdict, found.error) == (in_chart.verdict, in_chart.error)
            assert (found.rules, found.items) == (in_chart.rules, in_chart.items)
            assert (found.active, found.predicted) == (in_chart.active, in_chart.predicted)
            assert (found.verdict, found.rules, found.items) == (lr.verdict, lr.rules, lr.items)
            if found.verdict is Verdict.ACCEPTED:
                assert found.shift_items <= in_chart.shift_items
            else:
                assert found.shift_items == in_chart.shift_items
        found = observe(trace)
        items = frozenset(grammar.split_item(item) for item in found.items)
        assert (found.rules, items) in exact_spectra(cfg, word)
