"""Every technique against the oracles, on random grammars and words.

LR parsers are compared where the grammar has no conflicts, the chart on any grammar.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from cfg import Cfg, Item, Word
from gramspect.builtin.native import NativeRecognizer
from gramspect.grammars.grammar import Grammar
from gramspect.lr.tables import canonical_table, lalr_table
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import Extraction, Observation, Verdict
from gramspect.spectrum.extraction import observe
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.suites.suite import Expectation, TestCase
from lr_oracle import is_lalr1, is_lr1, lr_shift_items
from oracle import Spectra, exact_spectra, spectra
from strategies import grammars, words


def core_grammar(grammar: Cfg) -> Grammar:
    found = Grammar.from_rules(grammar.rules, start=grammar.start)
    names = [s.name for s in found.symbols]
    assert tuple((names[r.lhs], tuple(names[x] for x in r.rhs)) for r in found.rules) == (
        grammar.rules
    )
    return found


def as_test(word: Word) -> TestCase:
    return TestCase("word", Expectation.ACCEPT, " ".join(word), tokens=word)


def observed(recognizer: Recognizer, word: Word, extraction: Extraction) -> Observation:
    return observe(recognizer.trace(as_test(word)), extraction)


def numbers(grammar: Grammar, items: Iterable[Item]) -> frozenset[int]:
    return frozenset(grammar.item(rule, dot) for rule, dot in items)


def depths(grammar: Grammar, items: Mapping[Item, int]) -> dict[int, int]:
    return {grammar.item(rule, dot): depth for (rule, dot), depth in items.items()}


def check_verdict(found: Observation, expected: Spectra) -> None:
    if expected.error is None:
        assert (found.verdict, found.error) == (Verdict.ACCEPTED, None)
    else:
        assert found.verdict is Verdict.REJECTED
        assert found.error is not None
        assert found.error.token == expected.error


def check_all(recognizer: Recognizer, word: Word, expected: Spectra) -> Observation:
    """Everything of the extraction `all` but the shift items, on which techniques differ."""
    found = observed(recognizer, word, Extraction.ALL)
    grammar = recognizer.grammar
    check_verdict(found, expected)
    assert found.rules == expected.rules
    assert found.items == numbers(grammar, expected.items)
    assert found.active == depths(grammar, expected.active)
    assert found.predicted == depths(grammar, expected.predicted)
    return found


def check_exact(recognizer: Recognizer, word: Word, cfg: Cfg, expected: Spectra) -> Observation:
    """Rules and items of one of the minimal derivations; the rest is as for `all`."""
    found = observed(recognizer, word, Extraction.EXACT)
    grammar = recognizer.grammar
    check_verdict(found, expected)
    choices = exact_spectra(cfg, word, within=found.rules)
    assert (found.rules, found.items) in {(r, numbers(grammar, i)) for r, i in choices}
    assert found.active == depths(grammar, expected.active)
    assert found.predicted == depths(grammar, expected.predicted)
    return found


def check_unambiguous(
    parsers: Iterable[Recognizer], chart: Recognizer, cfg: Cfg, word: Word
) -> None:
    """LR parsers and the chart on an LR(1) grammar."""
    expected = spectra(cfg, word)
    assert len(exact_spectra(cfg, word)) == 1
    lr_shift = numbers(chart.grammar, lr_shift_items(cfg, word))
    chart_shift = numbers(chart.grammar, expected.shift_items)
    for parser, shift in [(chart, chart_shift), *((parser, lr_shift) for parser in parsers)]:
        assert check_all(parser, word, expected).shift_items == shift
        assert check_exact(parser, word, cfg, expected).shift_items == shift
        assert shift <= chart_shift


EXPRESSIONS = Cfg(
    (
        ("E", ("E", "+", "T")),
        ("E", ("T",)),
        ("T", ("T", "*", "F")),
        ("T", ("F",)),
        ("F", ("(", "E", ")")),
        ("F", ("id",)),
    ),
    "E",
)
LR1_ONLY = Cfg(
    (
        ("S", ("a", "A", "d")),
        ("S", ("b", "B", "d")),
        ("S", ("a", "B", "e")),
        ("S", ("b", "A", "e")),
        ("A", ("c",)),
        ("B", ("c",)),
    ),
    "S",
)


def with_words(grammars: SearchStrategy[Cfg]) -> SearchStrategy[tuple[Cfg, list[Word]]]:
    return grammars.flatmap(
        lambda grammar: st.tuples(
            st.just(grammar), st.lists(words(grammar), min_size=1, max_size=3)
        )
    )


@given(with_words(grammars(is_lalr1)))
@example((EXPRESSIONS, [("id", "+", "(", "id", ")"), ("(", "id", "*", ")"), ("id", "id"), ()]))
def test_techniques_agree_with_the_oracle_on_lalr_grammars(case: tuple[Cfg, list[Word]]) -> None:
    cfg, inputs = case
    grammar = core_grammar(cfg)
    assert not lalr_table(grammar).conflicts
    parsers = [
        adapter("native").build(grammar),
        adapter("ply").build(grammar),
        NativeRecognizer(canonical_table(grammar)),
    ]
    for word in inputs:
        check_unambiguous(parsers, adapter("chart").build(grammar), cfg, word)


@given(with_words(grammars(is_lr1)))
@example((LR1_ONLY, [("a", "c", "d"), ("a", "c", "e"), ("b", "c"), ("b", "c", "c"), ()]))
def test_canonical_tables_agree_with_the_oracle_on_lr1_grammars(
    case: tuple[Cfg, list[Word]],
) -> None:
    cfg, inputs = case
    grammar = core_grammar(cfg)
    table = canonical_table(grammar)
    assert not table.conflicts
    for word in inputs:
        check_unambiguous([NativeRecognizer(table)], adapter("chart").build(grammar), cfg, word)


@pytest.mark.parametrize("compiled", [False, True])
@given(case=with_words(grammars(is_lalr1)))
def test_batches_agree_with_the_oracle(case: tuple[Cfg, list[Word]], compiled: bool) -> None:
    cfg, inputs = case
    native = NativeRecognizer(lalr_table(core_grammar(cfg)))
    spectra_of = {word: spectra(cfg, word) for word in inputs}
    exact_of = {word: next(iter(exact_spectra(cfg, word))) for word in inputs}
    expected = {
        (Extraction.ALL, SpectrumKind.RULE): [spectra_of[w].rules for w in inputs],
        (Extraction.ALL, SpectrumKind.ITEM): [
            numbers(native.grammar, spectra_of[w].items) for w in inputs
        ],
        (Extraction.EXACT, SpectrumKind.RULE): [exact_of[w][0] for w in inputs],
        (Extraction.EXACT, SpectrumKind.ITEM): [
            numbers(native.grammar, exact_of[w][1]) for w in inputs
        ],
        (Extraction.EXACT, SpectrumKind.SHIFT): [
            numbers(native.grammar, lr_shift_items(cfg, w)) for w in inputs
        ],
    }
    for (extraction, kind), elements in expected.items():
        matrix = native.record([as_test(w) for w in inputs], extraction, kind, compiled)
        assert [frozenset(matrix.elements_of(i)) for i in range(len(inputs))] == elements
        assert list(matrix.passing) == [spectra_of[w].error is None for w in inputs]


@given(grammars())
def test_conflicts_are_found_where_the_definition_has_them(cfg: Cfg) -> None:
    grammar = core_grammar(cfg)
    assert (not lalr_table(grammar).conflicts) == is_lalr1(cfg)
    assert (not canonical_table(grammar).conflicts) == is_lr1(cfg)


@pytest.mark.parametrize("compiled", [False, True])
@given(case=with_words(grammars()))
def test_the_chart_agrees_with_the_oracle_on_any_grammar(
    case: tuple[Cfg, list[Word]], compiled: bool
) -> None:
    cfg, inputs = case
    chart = adapter("chart").build(core_grammar(cfg))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gramspect.recognition.chart.is_compiled", lambda: compiled)
        for word in inputs:
            expected = spectra(cfg, word)
            shift = numbers(chart.grammar, expected.shift_items)
            assert check_all(chart, word, expected).shift_items == shift
            assert check_exact(chart, word, cfg, expected).shift_items == shift
