"""Comparisons: agreement from its definition, reasons against brute force, rows that refuse."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from cfg import Cfg, Word
from command import ACCEPT, CORRECT, FAULTY
from gramspect import (
    AdapterError,
    Grammar,
    GramspectError,
    Method,
    TestCase,
    TestSuite,
    Verdict,
    compare,
    localize,
)
from gramspect.chart import parse_chart
from gramspect.comparison import Cause, Comparison, causes, kendall_tau_b, sources
from gramspect.comparison.agreement import top_overlap
from gramspect.comparison.causes import Arbiter
from gramspect.comparison.commitment import is_viable, wrong_turn
from gramspect.lr.tables import LRTable, canonical_table, lalr_table
from gramspect.native import NativeRecognizer
from gramspect.recognizer import Recognizer, adapter, adapters
from gramspect.runner import LoadSpec
from gramspect.suite import Expectation
from gramspect.trace import ChartTrace, LRTrace, ParseError, Trace, Undecided
from lr_oracle import is_lalr1
from strategies import grammars, words
from toy import grammar as grammar_of

LALR = [name for name in ("native", "ply", "lark-lalr", "cup") if name in adapters()]
"""The techniques that have the same LALR(1) tables."""

TOY_SUITE = TestSuite.load([ACCEPT], lines=True)


# --- Kendall's tau-b -----------------------------------------------------------------------


def tau_b(x: Sequence[float], y: Sequence[float]) -> float | None:
    """From the definition (Kendall 1945), pair by pair."""
    concordant = discordant = only_x = only_y = 0
    for i, j in combinations(range(len(x)), 2):
        sign = (x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j])
        concordant += sign in ((1, 1), (-1, -1))
        discordant += sign in ((1, -1), (-1, 1))
        only_x += sign[1] == 0 and sign[0] != 0
        only_y += sign[0] == 0 and sign[1] != 0
    untied = (concordant + discordant + only_x) * (concordant + discordant + only_y)
    return (concordant - discordant) / math.sqrt(untied) if untied else None


@st.composite
def two_rankings(draw: st.DrawFn) -> tuple[list[float], list[float]]:
    n = draw(st.integers(0, 25))
    ranks = st.lists(st.integers(1, draw(st.integers(1, 12))), min_size=n, max_size=n)
    return [r / 2 for r in draw(ranks)], [r / 2 for r in draw(ranks)]


class TestAgreement:
    @given(two_rankings())
    def test_tau_b_is_its_definition(self, ranks: tuple[list[float], list[float]]) -> None:
        found = kendall_tau_b(*map(np.array, ranks))
        expected = tau_b(*ranks)
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            assert found == pytest.approx(expected, abs=1e-12)

    def test_tau_b_of_kendall(self) -> None:
        """An example with ties in both rankings, counted by hand: P = 6, Q = 1."""
        found = kendall_tau_b(np.array([1.0, 2.5, 2.5, 4, 5]), np.array([1.0, 2, 4, 4, 4]))
        assert found == pytest.approx(6 / math.sqrt(9 * 7))

    @given(two_rankings())
    def test_tau_b_is_symmetric_and_invariant(self, ranks: tuple[list[float], list[float]]) -> None:
        x, y = map(np.array, ranks)
        assert kendall_tau_b(x, y) == kendall_tau_b(y, x)
        assert kendall_tau_b(x, y) == kendall_tau_b(np.exp(x / 10), y)
        if len(set(ranks[0])) > 1:
            assert kendall_tau_b(x, x) == pytest.approx(1)
            assert kendall_tau_b(x, -x) == pytest.approx(-1)

    def test_large_rankings(self) -> None:
        """20,000 elements without ties; one neighbouring pair is exchanged."""
        x = np.arange(20_000, dtype=np.float64)
        y = x.copy()
        y[[100, 101]] = y[[101, 100]]
        pairs = 20_000 * 19_999 // 2
        assert kendall_tau_b(x, y) == pytest.approx(1 - 2 / pairs, abs=1e-15)

    def test_shapes(self) -> None:
        with pytest.raises(ValueError, match="cannot be compared"):
            kendall_tau_b(np.zeros(2), np.zeros(3))

    def test_overlap_of_tops(self) -> None:
        x, y = np.array([1.0, 2, 3, 4]), np.array([4.0, 1, 2, 3])
        assert top_overlap(x, y, 2) == pytest.approx(1 / 3)
        assert top_overlap(x, x, 2) == 1
        assert top_overlap(np.full(4, 2.5), np.full(4, 2.5), 2) is None


# --- where an LR parser goes wrong ---------------------------------------------------------


def accepts_from(cfg: Cfg, stack: Word, ahead: Word) -> bool:
    """Some sequence of shifts and reductions accepts; `cfg` has no empty rules, so it is finite."""
    pending, seen = [(stack, ahead)], {(stack, ahead)}
    while pending:
        stack, ahead = pending.pop()
        if stack == (cfg.start,) and not ahead:
            return True
        found = [
            ((*stack[: len(stack) - len(rhs)], lhs), ahead)
            for lhs, rhs in cfg.rules
            if stack[len(stack) - len(rhs) :] == rhs
        ]
        if ahead:
            found.append(((*stack, ahead[0]), ahead[1:]))
        fresh = [configuration for configuration in found if configuration not in seen]
        seen.update(fresh)
        pending += fresh
    return False


def without_empty_rules(cfg: Cfg) -> bool:
    return all(rhs for _, rhs in cfg.rules)


def core(cfg: Cfg) -> Grammar:
    return Grammar.from_rules(cfg.rules, start=cfg.start)


def numbers(grammar: Grammar, word: Word) -> list[int]:
    return [grammar.symbol(token) for token in word]


@st.composite
def configurations(draw: st.DrawFn) -> tuple[Cfg, Word, Word]:
    """A grammar, a prefix of a sentence reduced here and there, and what may be behind it."""
    cfg = draw(grammars(keep=without_empty_rules))
    assume(without_empty_rules(cfg))  # the grammar that it has grown from may have some
    word = draw(words(cfg, max_size=5))
    assume(all(token in cfg.terminals for token in word))
    cut = draw(st.integers(0, len(word)))
    stack = word[:cut]
    for _ in range(draw(st.integers(0, 4))):
        reducible = [
            (lhs, len(rhs)) for lhs, rhs in cfg.rules if stack[len(stack) - len(rhs) :] == rhs
        ]
        if reducible:
            lhs, size = draw(st.sampled_from(reducible))
            stack = (*stack[: len(stack) - size], lhs)
    return cfg, stack, word[cut:]


def configurations_of(
    table: LRTable, tokens: Sequence[int]
) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """State, symbols and position before each action of a run that rejects."""
    states, symbols, position = [table.automaton.start], list[int](), 0
    while True:
        yield states[-1], tuple(symbols), position
        lookahead = tokens[position] if position < len(tokens) else 0
        action = int(table.action[states[-1], lookahead])
        if action == 0:
            return
        if action > 0:
            symbols.append(lookahead)
            states.append(action - 1)
            position += 1
            continue
        rule = table.grammar.rules[-action - 1]
        symbols = [*symbols[: len(symbols) - len(rule.rhs)], rule.lhs]
        states = states[: len(symbols)]
        states.append(int(table.goto[states[-1], rule.lhs - table.grammar.n_terminals]))


def rejected_sentences(table: LRTable, cfg: Cfg, most: int = 20) -> Iterator[Word]:
    """The first sentences of up to four tokens that the table rejects."""
    if not table.conflicts:
        return
    recognizer = NativeRecognizer(table)
    for word in (w for size in range(1, 5) for w in product(sorted(cfg.terminals), repeat=size)):
        trace = recognizer.trace(TestCase("", Expectation.ACCEPT, "", word))
        rejected = isinstance(trace, LRTrace) and trace.error is not None
        if rejected and parse_chart(table.grammar, numbers(table.grammar, word)).accepted:
            yield word
            most -= 1
            if not most:
                return


class TestWrongTurn:
    @given(configurations())
    def test_viability_is_that_of_shifts_and_reductions(
        self, configuration: tuple[Cfg, Word, Word]
    ) -> None:
        cfg, stack, ahead = configuration
        grammar = core(cfg)
        found = is_viable(grammar, numbers(grammar, stack), numbers(grammar, ahead))
        assert found == accepts_from(cfg, stack, ahead)

    @given(st.data())
    def test_an_empty_stack_is_viable_before_sentences(self, data: st.DataObject) -> None:
        cfg = data.draw(grammars())
        word = data.draw(words(cfg))
        assume(all(token in cfg.terminals for token in word))
        grammar = core(cfg)
        tokens = numbers(grammar, word)
        assert is_viable(grammar, [], tokens) == parse_chart(grammar, tokens).accepted

    @given(grammars(keep=without_empty_rules))
    @example(Cfg((("S", ("a", "S", "a")), ("S", ("a",))), "S"))
    def test_the_conflict_is_the_only_one_to_blame(self, cfg: Cfg) -> None:
        """All configurations up to it are viable, none behind it: by brute force."""
        assume(without_empty_rules(cfg))
        grammar = core(cfg)
        table = lalr_table(grammar)
        names = [symbol.name for symbol in grammar.symbols]
        for word in rejected_sentences(table, cfg):
            tokens = numbers(grammar, word)
            found = wrong_turn(table, tokens)
            assert found is not None
            run = list(configurations_of(table, tokens))
            viable = [
                accepts_from(cfg, tuple(names[s] for s in symbols), word[position:])
                for _, symbols, position in run
            ]
            last = viable.index(False) - 1
            assert viable == [True] * (last + 1) + [False] * (len(viable) - last - 1)
            state, _, position = run[last]
            assert (found.conflict.state, found.position) == (state, position)

    def test_there_are_such_sentences(self) -> None:
        cfg = Cfg((("S", ("a", "S", "a")), ("S", ("a",))), "S")
        found = list(rejected_sentences(lalr_table(core(cfg)), cfg))
        assert found == [("a",) * 3]  # after each a, the parser shifts the next

    def test_a_sentence_without_conflicts(self) -> None:
        grammar = grammar_of("s -> a s\ns -> b")
        tokens = [grammar.symbol(x) for x in "aa"]
        assert wrong_turn(lalr_table(grammar), tokens) is None
