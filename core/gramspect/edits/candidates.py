"""Which edits could let an input pass, by the next token alone, and what they cost.

An edit puts a *stretch* at a position: nothing, a token or calls of non-terminals that span the
next tokens of the input. It can only help if the token after the stretch may follow there. All
positions of a column are looked at together, as arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gramspect.edits.brackets import bracket_pairs
from gramspect.edits.model import (
    BESIDE_A_CALL,
    COPIED,
    EARLIER_COLUMN,
    ENDED_EARLY,
    NEW_ALTERNATIVE,
    NEW_TOKEN,
    OTHER_THAN_INSERTION,
    SKIPPED,
    SWAPPED,
    Edit,
    EditKind,
    generality,
    many,
)
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import END, Operator, Symbol
from gramspect.kernel.overlay import END_OF_RULE, MAX_DETOUR

__all__ = [
    "KINDS",
    "REPLACING",
    "Candidates",
    "ItemTable",
    "Stretch",
    "following",
    "item_table",
]

KINDS = (*(EditKind.INSERT, EditKind.REPLACE, EditKind.END, EditKind.SWAP), *[EditKind.END] * 4)
"""The kinds by the numbers that they have in arrays. A swap is tried as an additional choice. Two
are recursive alternatives: at the end of a rule a stretch may be repeated, or the whole of an
option. The last two put the stretch, or nothing, in the place of two or three symbols."""
_INSERT, REPLACING, _END, _SWAP, _REPEAT, _AGAIN, _SKIP_TWO, _SKIP_THREE = range(8)
_SKIPPED = {_SKIP_TWO: 2, _SKIP_THREE: 3}

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Stretch:
    """New symbols that span the tokens up to `end`, and what they cost.

    If they may be repeated, `after` are the tokens after them and further ones.
    """

    end: int
    cost: float
    symbols: tuple[int, ...]
    behind: frozenset[int] = frozenset()


@dataclass(frozen=True, eq=False)
class Candidates:
    """Edits at one column, as arrays of one entry each: position, kind, stretch and cost."""

    column: int
    stretches: Sequence[Stretch]
    item: Integers
    kind: Integers
    stretch: Integers
    cost: Floats

    def __len__(self) -> int:
        return len(self.item)

    def part(self, chosen: Flags | slice) -> Candidates:
        """The chosen ones among them."""
        item, kind, stretch = (array[chosen] for array in (self.item, self.kind, self.stretch))
        return Candidates(self.column, self.stretches, item, kind, stretch, self.cost[chosen])

    @property
    def is_long(self) -> Flags:
        """Which of them put in several symbols without repeating them."""
        long = np.array([len(s.symbols) > 1 and not s.behind for s in self.stretches], np.bool_)
        flags: Flags = long[self.stretch]
        return flags


ERROR_TOKEN = "error"
"""The token that yacc, bison, CUP and PLY reserve for error recovery: no lexer delivers it."""
_SORTS = ("word", "sign", "pattern")


def _sort(token: Symbol) -> int:
    """Whether a token is a word, a sign, or any text of a pattern, as far as its spelling tells."""
    if not token.spellings:
        return _SORTS.index("pattern")
    return _SORTS.index("word" if token.spellings[0][:1].isalnum() else "sign")


def following(tokens: Sequence[int], place: int) -> int:
    """The token at a place: `END` after the last one, -1 for text without a token."""
    if place >= len(tokens):
        return END
    return tokens[place] if tokens[place] != NEW_TOKEN else -1


class ItemTable:
    """What is known of every item of a grammar, as arrays.

    `next` is the symbol after the dot or -1. `is_alternative` flags the one item of each
    non-terminal at which a new alternative is tried: it is the same edit at all of them. `sort`
    has the sort of each terminal, `joins` for each sort the number of alternatives there that are
    one such token. `is_written` flags the items of rules that the user wrote, `is_optional` those
    of options, `is_tried` those that edits are made at: not in error productions, which are for
    inputs that are wrong. `brackets` has the opening tokens with what closes each. `call_cost` is
    what a call of each symbol costs, `optional_left` how many symbols after the dot may be empty,
    `beside` what an insertion costs more at each item, `front` for each non-terminal an item in
    front of one of its rules.
    """

    def __init__(self, grammar: Grammar) -> None:
        rules = grammar.rules
        lengths = np.array([len(rule.rhs) for rule in rules])
        self.rule = np.repeat(np.arange(len(rules)), lengths + 1)
        self.length = lengths[self.rule]
        self.dot = np.arange(grammar.n_items) - np.array(grammar.item_start[:-1])[self.rule]
        self.next = np.array([symbol for rule in rules for symbol in (*rule.rhs, -1)])
        self.lhs = np.array([rule.lhs for rule in rules])[self.rule]
        self.generality = generality(grammar)
        helpers = [symbol.operator is not None for symbol in grammar.symbols]
        self.call_cost = 1 + np.array(self.generality) + COPIED * np.array(helpers)
        self.brackets = bracket_pairs(grammar)
        self.n_terminals = grammar.n_terminals
        self.is_alternative = np.zeros(grammar.n_items, np.bool_)
        self.sort = [_sort(symbol) for symbol in grammar.symbols[: grammar.n_terminals]]
        tokens = np.zeros((len(_SORTS), len(grammar.symbols)), np.int64)
        self.front = np.zeros(len(grammar.symbols), np.int64)
        for lhs, own in grammar.rules_of.items():
            shortest = sorted((r for r in own if rules[r].rhs), key=lambda r: lengths[r] > 1)
            self.is_alternative[[grammar.item_start[rule] for rule in shortest[:1]]] = True
            self.front[lhs] = grammar.item_start[(shortest or own or [0])[0]]
            for symbol in (rules[rule].rhs[0] for rule in own if lengths[rule] == 1):
                if grammar.is_terminal(symbol):
                    tokens[self.sort[symbol], lhs] += 1
        self.joins = tokens[:, self.lhs]
        recovering = {s.index for s in grammar.terminals if s.name == ERROR_TOKEN}
        tried = [recovering.isdisjoint(rule.rhs) for rule in rules]
        self.is_tried = np.array(tried, np.bool_)[self.rule]
        self.is_written = ~np.array(helpers)[self.lhs]
        options = [symbol.operator is Operator.OPTION for symbol in grammar.symbols]
        self.is_optional = np.array(options)[self.lhs]
        self.beside: Floats = np.where(self._calls_alone(grammar)[self.rule], BESIDE_A_CALL, 0.0)
        self.optional_left = self._optional_left(grammar)
        self._starts = self._first_tokens(grammar)
        self._can_end = self._nullable_tails(grammar)

    @staticmethod
    def _calls_alone(grammar: Grammar) -> Flags:
        """For every rule whether it is a call alone: one alternative of several, or repeated."""
        repeated = (Operator.STAR, Operator.PLUS)
        return np.array(
            [
                (operator := grammar.symbols[rule.lhs].operator) in repeated
                or (
                    operator is None
                    and len(grammar.rules_of[rule.lhs]) > 1
                    and len(rule.rhs) == 1
                    and not grammar.is_terminal(rule.rhs[0])
                )
                for rule in grammar.rules
            ],
            np.bool_,
        )

    @staticmethod
    def _optional_left(grammar: Grammar) -> Integers:
        """How many of the symbols after the dot of every item can derive nothing."""
        nullable = grammar.analysis.nullable
        found: list[int] = []
        for rule in grammar.rules:
            empty = [symbol in nullable for symbol in reversed(rule.rhs)]
            found += [*accumulate(empty, initial=0)][::-1]
        return np.array(found, np.int64)

    @staticmethod
    def _first_tokens(grammar: Grammar) -> NDArray[np.uint8]:
        """For every item the tokens that can follow its dot, in the rule or after it, as bits."""
        analysis = grammar.analysis
        first, follow, nullable = analysis.first_bits, analysis.follow_bits, analysis.nullable
        width = (grammar.n_terminals + 7) // 8
        rows = []
        for rule in grammar.rules:
            found = [follow[rule.lhs]]
            for symbol in reversed(rule.rhs):
                found.append((found[-1] if symbol in nullable else 0) | first[symbol])
            rows += found[::-1]
        joined = b"".join(row.to_bytes(width, "little") for row in rows)
        return np.frombuffer(joined, np.uint8).reshape(len(rows), width)

    @staticmethod
    def _nullable_tails(grammar: Grammar) -> Flags:
        """For every item whether what is after its dot can derive nothing."""
        flags: list[bool] = []
        for rule in grammar.rules:
            found = [True]
            for symbol in reversed(rule.rhs):
                found.append(found[-1] and symbol in grammar.analysis.nullable)
            flags += found[::-1]
        return np.array(flags, np.bool_)

    def starts(self, item: int) -> list[int]:
        """The tokens that may follow the dot of an item, but not the end of the input."""
        bits = np.unpackbits(self._starts[item], bitorder="little")
        return [int(token) for token in np.flatnonzero(bits) if token > 0]

    def fits(self, items: Integers, token: int, *, again: bool = False) -> Flags:
        """Whether a token may follow the dot of each item; an unknown one (-1) never does.

        `again`: the new symbols may begin with it, so it may stand after the rule in any case, if
        that calls itself.
        """
        if token < 0:
            return np.zeros(len(items), np.bool_)
        fitting: Flags = (self._starts[items, token >> 3] >> (token & 7) & 1).astype(np.bool_)
        return fitting | self._can_end[items] if again else fitting

    def candidates(
        self, items: Integers, stretches: Sequence[Stretch], tokens: Sequence[int], back: int,
        column: int, most: float,
    ) -> Candidates:  # fmt: skip
        """The edits at these positions, `back` tokens before the error, of at most that cost."""
        items = items[self.is_tried[items]]
        at_end = self.dot[items] == self.length[items]
        alone = self.length[items] == 1
        inner = items[~at_end & (~alone | self.is_alternative[items])]
        ends = items[
            (self.dot[items] + 1 < self.length[items])
            & ((self.dot[items] > 0) | self.is_alternative[items])
        ]
        completed = ends + self.length[ends] - self.dot[ends]
        earlier = EARLIER_COLUMN * back
        parts: list[tuple[Integers, int, int, Floats]] = []
        for number, stretch in enumerate(stretches):
            paid = stretch.cost + earlier
            if paid > most:
                continue
            if stretch.behind:
                chosen = self._repeating(items, stretch.behind)
                cost = np.full(len(chosen), paid + OTHER_THAN_INSERTION)
                parts.append((chosen, _REPEAT, number, cost))
                continue
            token = following(tokens, stretch.end)
            again = bool(stretch.symbols) and token == following(tokens, column)
            if stretch.symbols:
                chosen = items[self.fits(items, token, again=again)]
                parts.append((chosen, _INSERT, number, paid + self.beside[chosen]))
            for kind, where, behind in (REPLACING, inner, inner + 1), (_END, ends, completed):
                chosen = where[self.fits(behind, token, again=again)]
                cost = paid + OTHER_THAN_INSERTION - self._saved(chosen, stretch.symbols)
                if kind == _END and stretch.symbols:
                    cost += NEW_ALTERNATIVE * (self.dot[chosen] == 0)
                elif kind == _END:
                    cost += ENDED_EARLY * self.optional_left[chosen] * (self.dot[chosen] > 0)
                parts.append((chosen, kind, number, cost))
            for kind, n in _SKIPPED.items():
                skipped = self._skipped(items, n, token, bool(stretch.symbols))
                cost = np.full(len(skipped), paid + OTHER_THAN_INSERTION + (n - 1) * SKIPPED)
                parts.append((skipped, kind, number, cost))
            if not stretch.symbols:
                swapped = self._swapped(items, token)
                parts.append((swapped, _SWAP, number, np.full(len(swapped), paid + SWAPPED)))
                again_at = self._optional_again(items, token)
                cost = np.full(len(again_at), paid + OTHER_THAN_INSERTION)
                parts.append((again_at, _AGAIN, number, cost))
        joined = Candidates(
            column,
            stretches,
            np.concatenate([items[:0], *(part[0] for part in parts)]),
            np.repeat([part[1] for part in parts], [len(part[0]) for part in parts]),
            np.repeat([part[2] for part in parts], [len(part[0]) for part in parts]),
            np.concatenate([np.zeros(0), *(part[3] for part in parts)]),
        )
        return joined.part(joined.cost <= most)

    def _swapped(self, items: Integers, token: int) -> Integers:
        """The positions where a token can start the symbol after the next one."""
        chosen = items[self.dot[items] + 2 <= self.length[items]]
        chosen = chosen[self.next[chosen] != self.next[chosen + 1]]
        fitting: Integers = chosen[self.fits(chosen + 1, token)]
        return fitting

    def _skipped(self, items: Integers, n: int, token: int, replaced: bool) -> Integers:
        """The positions where a token can start what is after the next `n` symbols of the rule.

        Of ``a b`` before another ``a`` it is the second pair that is left out, ``b a``, if nothing
        stands in their place.
        """
        chosen = items[self.dot[items] + n < self.length[items]]
        if not replaced:
            chosen = chosen[self.next[chosen] != self.next[chosen + n]]
        fitting: Integers = chosen[self.fits(chosen + n, token)]
        return fitting

    def _repeating(self, items: Integers, behind: Iterable[int]) -> Integers:
        """The ends of rules that the user wrote which one of the tokens may follow."""
        chosen = items[(self.dot[items] == self.length[items]) & self.is_written[items]]
        fitting = np.zeros(len(chosen), np.bool_)
        for token in behind:
            fitting |= self.fits(chosen, token)
        found: Integers = chosen[fitting]
        return found

    def _optional_again(self, items: Integers, token: int) -> Integers:
        """The ends of what is optional, where it could start again with the token."""
        chosen = items[self.is_optional[items] & (self.dot[items] == self.length[items])]
        chosen = chosen[(self.length[chosen] > 0) & (self.length[chosen] <= MAX_DETOUR)]
        found: Integers = chosen[self.fits(chosen - self.length[chosen], token)]
        return found

    def _saved(self, items: Integers, symbols: tuple[int, ...]) -> Floats:
        """The discount for a new alternative that is one more token of a sort.

        It is 1 + log2(many(n)) if there are n such already: lists of words are never complete.
        """
        saved: Floats = np.zeros(len(items))
        if len(symbols) == 1 and symbols[0] < self.n_terminals:
            sorts = range(len(_SORTS)) if symbols[0] == NEW_TOKEN else [self.sort[symbols[0]]]
            joined = self.joins[list(sorts)][:, items].max(axis=0)
            chosen = self.is_alternative[items] & (joined > 0)
            saved[chosen] = OTHER_THAN_INSERTION + np.log2(many(joined[chosen]))
        return saved

    def edit(self, candidates: Candidates, place: int) -> Edit:
        """One of the candidates as an edit; what is repeated is a new, left-recursive alternative.

        The edit allows a little more than the attempt did: all alternatives may be continued so.
        """
        item, kind = int(candidates.item[place]), int(candidates.kind[place])
        symbols = candidates.stretches[candidates.stretch[place]].symbols
        if kind in (_REPEAT, _AGAIN):
            symbols = self._body(item) if kind == _AGAIN else symbols
            symbols = (int(self.lhs[item]), *symbols)
            item = int(self.front[self.lhs[item]])
        elif kind in _SKIPPED:
            rest = slice(item + _SKIPPED[kind], item + int(self.length[item] - self.dot[item]))
            symbols = (*symbols, *self.next[rest].tolist())
        return Edit(item, KINDS[kind], symbols, candidates.column, float(candidates.cost[place]))

    def _body(self, end: int) -> tuple[int, ...]:
        """The right-hand side of the rule that ends in an item."""
        return tuple(self.next[end - int(self.length[end]) : end].tolist())

    def rows(self, candidates: Candidates, width: int) -> Integers:
        """The candidates as the kernel wants them (`resuming.attempts`), each `width` numbers."""
        stretches = candidates.stretches
        symbols = np.full((len(stretches), MAX_DETOUR + 1), -1)
        for number, stretch in enumerate(stretches):
            symbols[number, : len(stretch.symbols)] = stretch.symbols
        lengths = np.array([len(stretch.symbols) for stretch in stretches])
        item, kind = candidates.item, candidates.kind
        swaps = kind == _SWAP
        following = np.where((kind == _INSERT) | swaps, self.next[item], -1)
        n = lengths[candidates.stretch] + swaps
        detour = symbols[candidates.stretch]
        detour[swaps, 0] = self.next[item[swaps] + 1]
        detour[np.arange(len(item)), n] = following
        ends = (kind == _END) | (self.next[item] < 0)
        made = np.empty((len(item), width), np.int64)
        made[:, 0] = item
        made[:, 1] = n + (following >= 0)
        made[:, 2] = np.where(ends, END_OF_RULE, item + 1 + swaps)
        for skip, skipped in _SKIPPED.items():
            made[kind == skip, 2] = item[kind == skip] + skipped
        repeats = (kind == _REPEAT) | (kind == _AGAIN)
        made[repeats, 2] = item[repeats]
        made[:, 3] = 0
        made[:, 4:] = detour
        for place in np.flatnonzero(kind == _AGAIN).tolist():
            body = self._body(int(item[place]))
            made[place, 1] = len(body)
            made[place, 4 : 4 + len(body)] = body
        return made


_TABLES: WeakKeyDictionary[Grammar, ItemTable] = WeakKeyDictionary()


def item_table(grammar: Grammar) -> ItemTable:
    """The table of a grammar, made once."""
    if grammar not in _TABLES:
        _TABLES[grammar] = ItemTable(grammar)
    return _TABLES[grammar]
