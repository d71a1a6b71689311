"""The candidates of a column, all at once as arrays, against one position after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log2

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import strategies
from cfg import Cfg
from gramspect.edits.candidates import Stretch, item_table
from gramspect.edits.model import (
    BESIDE_A_CALL,
    EARLIER_COLUMN,
    ENDED_EARLY,
    NEW_ALTERNATIVE,
    NEW_TOKEN,
    OTHER_THAN_INSERTION,
    SKIPPED,
    SWAPPED,
    many,
)
from gramspect.grammars.ebnf import Alternative, Block, Definition, Reference, Token
from gramspect.grammars.grammar import Grammar, expand
from gramspect.grammars.symbols import END, Operator, Symbol
from gramspect.kernel.overlay import MAX_DETOUR

INSERT, REPLACE, END_HERE, SWAP, REPEAT, AGAIN, SKIP_TWO, SKIP_THREE = range(8)

Candidate = tuple[int, int, int, float]
"""Kind, item, number of the stretch, cost."""


class Positions:
    """A grammar looked at item by item."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar

    def follows(self, rule: int, dot: int, token: int, again: bool = False) -> bool:
        """Whether a token may stand at a position, in the rule or, if it can end there, after it.

        Behind symbols that begin with the token themselves it may, wherever the rule can end.
        """
        if token < 0:
            return False
        analysis, parts = self.grammar.analysis, self.grammar.rules[rule]
        for symbol in parts.rhs[dot:]:
            if analysis.first_bits[symbol] >> token & 1:
                return True
            if symbol not in analysis.nullable:
                return False
        return again or bool(analysis.follow_bits[parts.lhs] >> token & 1)

    def stands_for_its_symbol(self, rule: int) -> bool:
        """Whether new alternatives are tried there: at the first rule of a symbol, if possible."""
        own = self.grammar.rules_of[self.grammar.rules[rule].lhs]
        lengths = {r: len(self.grammar.rules[r].rhs) for r in own}
        fitting = [r for r in own if lengths[r] == 1] or [r for r in own if lengths[r]]
        return fitting[:1] == [rule]

    def is_beside_a_call(self, rule: int) -> bool:
        grammar, parts = self.grammar, self.grammar.rules[rule]
        operator = grammar.symbols[parts.lhs].operator
        one_of_several = operator is None and len(grammar.rules_of[parts.lhs]) > 1
        calls = len(parts.rhs) == 1 and not grammar.is_terminal(parts.rhs[0])
        return operator in (Operator.STAR, Operator.PLUS) or (one_of_several and calls)

    def saved(self, rule: int, symbols: tuple[int, ...]) -> float:
        """What one more token of a sort costs less, if it becomes an alternative."""
        grammar = self.grammar
        if len(symbols) != 1 or not grammar.is_terminal(symbols[0]):
            return 0.0
        alone = [
            grammar.symbols[grammar.rules[r].rhs[0]]
            for r in grammar.rules_of[grammar.rules[rule].lhs]
            if len(grammar.rules[r].rhs) == 1
        ]
        sorts = [sort_of(symbol) for symbol in alone if symbol.terminal]
        of_any = max(map(sorts.count, sorts), default=0)
        own = sorts.count(sort_of(grammar.symbols[symbols[0]]))
        joined = of_any if symbols[0] == NEW_TOKEN else own
        return OTHER_THAN_INSERTION + log2(many(joined)) if joined else 0.0

    def candidates(
        self, item: int, number: int, stretch: Stretch, paid: float, tokens: Sequence[int], at: int
    ) -> Iterator[Candidate]:
        """The edits that put one stretch at one position."""
        grammar, symbols = self.grammar, stretch.symbols
        rule, dot = grammar.split_item(item)
        rhs, lhs = grammar.rules[rule].rhs, grammar.symbols[grammar.rules[rule].lhs]
        left, first = len(rhs) - dot, self.stands_for_its_symbol(rule)
        other = paid + OTHER_THAN_INSERTION
        if stretch.behind:
            written = lhs.operator is None
            if not left and written and any(self.follows(rule, dot, t) for t in stretch.behind):
                yield REPEAT, item, number, other
            return
        token = token_at(tokens, stretch.end)
        again = bool(symbols) and token == token_at(tokens, at)
        if symbols and self.follows(rule, dot, token, again):
            yield INSERT, item, number, paid + BESIDE_A_CALL * self.is_beside_a_call(rule)
        saved = self.saved(rule, symbols) if first and not dot else 0.0
        if left and (len(rhs) > 1 or first) and self.follows(rule, dot + 1, token, again):
            yield REPLACE, item, number, other - saved
        if left > 1 and (dot or first) and self.follows(rule, len(rhs), token, again):
            empty = sum(symbol in grammar.analysis.nullable for symbol in rhs[dot:]) if dot else 0
            more = NEW_ALTERNATIVE * (not dot) if symbols else ENDED_EARLY * empty
            yield END_HERE, item, number, other - saved + more
        for kind, n in (SKIP_TWO, 2), (SKIP_THREE, 3):
            apart = left > n and (symbols or rhs[dot] != rhs[dot + n])
            if apart and self.follows(rule, dot + n, token):
                yield kind, item, number, other + (n - 1) * SKIPPED
        if not symbols:
            if left > 1 and rhs[dot] != rhs[dot + 1] and self.follows(rule, dot + 1, token):
                yield SWAP, item, number, paid + SWAPPED
            option = lhs.operator is Operator.OPTION and 0 < len(rhs) <= MAX_DETOUR
            if option and not left and self.follows(rule, 0, token):
                yield AGAIN, item, number, other


def token_at(tokens: Sequence[int], place: int) -> int:
    """The token at a place, -1 where the lexer has none."""
    if place == len(tokens):
        return END
    return -1 if tokens[place] == NEW_TOKEN else tokens[place]


def sort_of(token: Symbol) -> str:
    if not token.spellings:
        return "pattern"
    return "word" if token.spellings[0][0].isalnum() else "sign"


@st.composite
def grammars(draw: DrawFn) -> Grammar:
    """Grammars with words, signs, patterns and sometimes error productions, and with blocks."""
    cfg: Cfg = draw(strategies.grammars())
    renamed = {"d": "error"} if draw(st.booleans()) else {}
    wrapped = st.sampled_from([None, None, *(o for o in Operator if o not in ("{}", "~"))])

    def element(name: str) -> Reference | Block:
        reference, operator = Reference(renamed.get(name, name)), draw(wrapped)
        n = draw(st.integers(1, 2))
        return Block(operator, (Alternative((reference,) * n),)) if operator else reference

    definitions = [
        Definition(lhs, (Alternative(tuple(map(element, rhs))),)) for lhs, rhs in cfg.rules
    ]
    unused = [Token(f"unused{i}") for i in range(draw(st.integers(0, 8)))]
    spellings = [Token("a", spellings=("and",)), Token("b", spellings=("+",))]
    spellings.append(Token("c", spellings=("or",)))
    return expand(definitions, tokens=[*unused, *spellings], start=cfg.start)


SIGNS = Definition("s", tuple(Alternative((Reference(x),)) for x in ("+", "*", "word", "t")))
TERMS = Definition(
    "t", tuple(Alternative(tuple(map(Reference, x))) for x in ("yz", "z", "", "xyx"))
)
LISTS = expand(
    [SIGNS, TERMS],
    tokens=[Token(x, spellings=(x,)) for x in ("+", "*", "-", "word", "part-name")],
)


@st.composite
def stretches(draw: DrawFn, grammar: Grammar, column: int, end: int) -> Stretch:
    symbols = st.lists(st.integers(0, len(grammar.symbols) - 1), max_size=3).map(tuple)
    token = st.integers(-1, grammar.n_terminals - 1)
    behind = st.one_of(st.just(frozenset[int]()), st.frozensets(token, max_size=2))
    cost = st.sampled_from([0.0, 0.5, 1.0, 2.5])
    return Stretch(draw(st.integers(column, end)), draw(cost), draw(symbols), draw(behind))


@example(grammar=LISTS, data=None)
@given(grammar=grammars(), data=st.data())
def test_they_are_those_of_each_position(grammar: Grammar, data: st.DataObject | None) -> None:
    n = grammar.n_terminals
    if data is None:
        tokens, column, back, most = list(range(n)), 0, 1, 2.0
        chosen = [Stretch(end, 1.0, (s,)) for end in range(n + 1) for s in range(n)]
        chosen += [Stretch(end, 0.0, ()) for end in range(n + 1)]
    else:
        tokens = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=4))
        column, back = data.draw(st.integers(0, len(tokens) - 1)), data.draw(st.integers(0, 3))
        chosen = data.draw(st.lists(stretches(grammar, column, len(tokens)), max_size=6))
        most = data.draw(st.sampled_from([1.0, 2.0, 2.25, 9.0]))
    items = np.arange(grammar.n_items)
    found = item_table(grammar).candidates(items, chosen, tokens, back, column, most)
    positions = Positions(grammar)
    error = grammar.token("error")
    expected = [
        candidate
        for number, stretch in enumerate(chosen)
        if (paid := stretch.cost + EARLIER_COLUMN * back) <= most
        for item in items.tolist()
        if error not in grammar.rules[grammar.split_item(item)[0]].rhs
        for candidate in positions.candidates(item, number, stretch, paid, tokens, column)
        if candidate[-1] <= most
    ]
    columns = (found.kind, found.item, found.stretch, found.cost.round(9))
    assert sorted(zip(*(column.tolist() for column in columns), strict=True)) == sorted(
        (*candidate[:3], round(candidate[3], 9)) for candidate in expected
    )
    assert (found.column, found.stretches) == (column, chosen)


def test_a_symbol_may_have_lost_all_its_rules() -> None:
    grammar = LISTS.with_rules(LISTS.rules[:4])
    assert not grammar.rules_of[grammar.symbol("t")]
    found = item_table(grammar).candidates(np.arange(8), [Stretch(0, 0.0, ())], [1], 0, 0, 9.0)
    assert len(found) == 0


@given(grammars())
def test_what_may_follow_a_position_are_tokens(grammar: Grammar) -> None:
    table, positions = item_table(grammar), Positions(grammar)
    items = np.arange(grammar.n_items)
    assert not table.fits(items, -1, again=True).any()
    for item in items.tolist():
        rule, dot = grammar.split_item(item)
        tokens = range(1, grammar.n_terminals)
        assert table.starts(item) == [t for t in tokens if positions.follows(rule, dot, t)]
