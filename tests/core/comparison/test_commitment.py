"""Which action of an LR parser leaves every derivation, against brute force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from hypothesis import assume, example, given
from hypothesis import strategies as st

from cfg import Cfg, Word
from gramspect import (
    Grammar,
    TestCase,
)
from gramspect.builtin.native import NativeRecognizer
from gramspect.comparison.commitment import is_viable, wrong_turn
from gramspect.lr.tables import LRTable, lalr_table
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.trace import LRTrace
from gramspect.suites.suite import Expectation
from strategies import grammars, words
from toy import grammar as grammar_of


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
    """A grammar, a prefix of a sentence reduced here and there, and what may be after it."""
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
        row = table.goto[states[-1]]
        states.append(int(table.goto[row + rule.lhs - table.grammar.n_terminals]))


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
        """All configurations up to it are viable, none after it: by brute force."""
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
