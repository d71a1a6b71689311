"""Edits: what they are, what they cost, and how they are put into words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import END, Operator
from gramspect.grammars.units import deriving_alone

__all__ = [
    "NEW_TOKEN",
    "UNLEXED",
    "Edit",
    "EditKind",
    "Key",
    "applied",
    "as_searched",
    "generality",
    "generalizes",
    "left_out",
    "makes_cyclic",
    "many",
    "new_texts",
    "replaced",
    "replaced_in",
    "rewritten",
    "worth_of",
]

NEW_TOKEN = END
"""Among the tokens of an input, and the symbols of an edit: text for which the lexer has no token.
The end of the input, whose number it has, stands in neither."""
UNLEXED = 0.2
"""The extra cost of a token that the lexer does not have yet: the lexer changes, too. Chosen with
`NEW_ALTERNATIVE` and `COPIED` by cross-validation over grammars (docs/realfaults.md)."""

REPLACEMENT = 2.0
"""The cost of a token that may stand in the place of another."""
EARLIER_COLUMN = 0.25
"""The cost of every token that lies between the edit and the error."""
OTHER_THAN_INSERTION = 1.0
"""The cost of leaving something out."""
LESS_LIKELY = 3.0
"""How many times less likely an edit is than one that costs 1 less."""
BESIDE_A_CALL = 1.0
"""The extra cost of an insertion beside a call that is a whole alternative, or is repeated: who
adds something there mostly writes it into the rule that is called. Chosen by cross-validation over
grammars (docs/realfaults.md)."""
SKIPPED = 0.5
"""The cost of leaving out one more symbol, beside the first."""
ENDED_EARLY = 0.2
"""The cost of each symbol that may be empty and is lost where a rule may end: who lets ``a b? c``
end after ``a`` may as well leave out ``c`` alone. An empty alternative is another matter."""
COPIED = 0.3
"""The extra cost of a group that another rule has: who wants what is in it calls a rule, and copies
no group."""
NEW_ALTERNATIVE = 0.15
"""The extra cost of new symbols that are an alternative by themselves."""
SWAPPED = 2.0
"""The cost of a swap: it is two changes."""
_DROP_EMPTY = "drop the empty alternative"
_SUFFIXES = (Operator.OPTION, Operator.STAR, Operator.PLUS)
"""The operators that have one body in the text, and no alternatives of their own."""


class EditKind(StrEnum):
    """What the new symbols do at the position of an item.

    The first three *extend* the language: what the rule said stays allowed. The others *restrict*
    it, where they do not put something else in its place: the rule itself is changed.
    """

    INSERT = "insert"
    """They may stand before the next symbol."""
    REPLACE = "replace"
    """They may stand in its place; if there are none, it may be left out."""
    END = "end"
    """They may stand there and end the rule; if there are none, the rule may end there."""
    REQUIRE = "require"
    """They must stand before the next symbol."""
    NARROW = "narrow"
    """They stand in its place; if there are none, it is left out."""
    SWAP = "swap"
    """The next two symbols change places. There are no new ones."""
    DROP = "drop"
    """The rule is gone. There are no new symbols."""
    SEPARATE = "separate"
    """In a list that may be empty, before its next element: they must stand there if the list has
    an element already."""
    TOKEN = "token"
    """A token rule is changed (`gramspect.edits.tokens`), no rule of the parser."""

    @property
    def restrictive(self) -> bool:
        """Whether what the rule said is no longer allowed."""
        return self not in (EditKind.INSERT, EditKind.REPLACE, EditKind.END)

    @property
    def keeps_next(self) -> bool:
        """Whether the next symbol follows the new ones."""
        return self in (EditKind.INSERT, EditKind.REQUIRE, EditKind.SEPARATE)


Key = tuple[int, EditKind, tuple[int, ...]]
"""See `Edit.key`."""

LONGEST_SHOWN = 40
"""The most characters of a new token's text in a description: a lexer may fail on a whole file."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change at `item`: what may, or must, stand there.

    `column` is the token (from 0) at which it first helped; of an edit that makes an input
    rejected, the token that is no longer read. `cost` says how far the edit departs from the
    grammar: the lower it is, the more likely the edit is what the author forgot.
    """

    item: int
    kind: EditKind
    symbols: tuple[int, ...]
    column: int
    cost: float
    texts: tuple[str, ...] = field(default=(), compare=False, kw_only=True)
    """What the new tokens among the symbols look like, in their order, if that is known. If there
    are fewer, the last is that of the others, too."""
    reading: float = field(default=0.0, compare=False, kw_only=True)
    """What of the cost is for reading the text otherwise (`gramspect.edits.readings`)."""

    @property
    def key(self) -> Key:
        """The key that tells the edit from others, wherever in an input it helps."""
        return self.item, self.kind, self.symbols

    @property
    def text(self) -> str:
        """What the first new token looks like, if that is known."""
        return self.texts[0] if self.texts else ""

    @property
    def new(self) -> tuple[str, ...]:
        """What each new token among the symbols looks like; "" if that is not known."""
        return tuple(new_texts(self.symbols, self.texts))

    def describe(self, grammar: Grammar) -> str:
        """The edit in words."""
        if self.kind.restrictive:
            return _restriction(grammar, self)
        rule, dot = grammar.split_item(self.item)
        rhs = grammar.rules[rule].rhs
        new = _words(grammar, self.symbols, self.texts)
        following = grammar.symbols[rhs[dot]].display if dot < len(rhs) else ""
        block = grammar.symbols[grammar.rules[rule].lhs]
        if self.kind is EditKind.INSERT:
            said = f"also allow {new} {f'before {following}' if following else 'at the end'}"
        elif self.kind is EditKind.REPLACE and not new:
            said = f"make {following} optional"
        elif n_left_out := left_out(grammar, self):
            some = _words(grammar, rhs[dot : dot + n_left_out])
            said = f"make {some if n_left_out == 1 else f'( {some} )'} optional"
        elif generalizes(grammar, self):
            said = f"allow any {new} instead of {following}"
        elif block.operator is Operator.OPTION and self.symbols[:1] == (block.index,):
            said = f"allow {block.display.removesuffix('?')} several times"
        elif dot == 0 and (
            self.kind is EditKind.END or (len(rhs) == 1 and block.operator not in _SUFFIXES)
        ):
            said = f"add the alternative {new}" if new else "add an empty alternative"
        elif self.kind is EditKind.REPLACE:
            said = f"also allow {new} instead of {following}"
        elif n_replaced := replaced(grammar, self)[0]:
            n_same = len(rhs) - dot - n_replaced
            some = _words(grammar, rhs[dot : dot + n_replaced])
            others = _words(grammar, self.symbols[:-n_same], self.texts)
            said = f"also allow {others} instead of {some if n_replaced == 1 else f'( {some} )'}"
        else:
            said = f"also allow the rule to end {f'with {new} ' if new else ''}here"
        return said


def left_out(grammar: Grammar, edit: Edit) -> int:
    """How many symbols an edit lets the rule leave out, if it does nothing else."""
    n, n_new = replaced(grammar, edit)
    return n if not n_new else 0


def replaced(grammar: Grammar, edit: Edit) -> tuple[int, int]:
    """In place of how many symbols, if any, an edit with which a rule ends puts how many new ones.

    The symbols with which the rule ends anyway are neither.
    """
    rule, dot = grammar.split_item(edit.item)
    rest = grammar.rules[rule].rhs[dot:]
    return replaced_in(rest, edit.symbols) if edit.kind is EditKind.END else (0, 0)


def replaced_in(rest: Sequence[int], symbols: Sequence[int]) -> tuple[int, int]:
    """How many symbols of the rest of a rule are left out, and how many of the others stand there
    instead, if the rule may end with those. (0, 0) if it then ends with another symbol.
    """
    n = 0
    while n < min(len(rest), len(symbols)) and rest[-1 - n] == symbols[-1 - n]:
        n += 1
    return (len(rest) - n, len(symbols) - n) if 0 < n < len(rest) else (0, 0)


def generalizes(grammar: Grammar, edit: Edit) -> bool:
    """Whether the new symbol derives the one in whose place it may stand: it needs no choice."""
    rule, dot = grammar.split_item(edit.item)
    replaced = grammar.rules[rule].rhs[dot : dot + 1]
    single = edit.kind is EditKind.REPLACE and len(edit.symbols) == len(replaced) == 1
    return single and edit.symbols[0] in deriving_alone(grammar, replaced[0])


def as_searched(tokens: Sequence[int]) -> list[int]:
    """The tokens of an input, with `NEW_TOKEN` for text for which the lexer has no token."""
    return [token if token >= 0 else NEW_TOKEN for token in tokens]


def _words(grammar: Grammar, symbols: Sequence[int], texts: Sequence[str] = ()) -> str:
    new = (_in_quotes(text) if text else "a new token" for text in new_texts(symbols, texts))
    return " ".join(next(new) if s == NEW_TOKEN else grammar.symbols[s].display for s in symbols)


def _in_quotes(text: str) -> str:
    shown = text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."
    return f"'{shown}'" if '"' in shown else f'"{shown}"'


def new_texts(symbols: Iterable[int], texts: Sequence[str]) -> Iterator[str]:
    """The text of each new token among the symbols, by those of `Edit.texts`; "" if not known."""
    for place in range(sum(symbol == NEW_TOKEN for symbol in symbols)):
        yield texts[min(place, len(texts) - 1)] if texts else ""


def _restriction(grammar: Grammar, edit: Edit) -> str:
    """A restrictive edit in words."""
    index, dot = grammar.split_item(edit.item)
    rhs = grammar.rules[index].rhs
    new, following = _words(grammar, edit.symbols), _words(grammar, rhs[dot : dot + 1])
    said = _of_operator(grammar, edit)
    if said is None and edit.kind is EditKind.DROP:
        said = f"drop the alternative {_words(grammar, rhs)}" if rhs else _DROP_EMPTY
    elif said is None and edit.kind is EditKind.REQUIRE:
        said = f"require {new} {f'before {following}' if following else 'at the end'}"
    elif said is None and edit.kind is EditKind.SEPARATE:
        said = f"require {new} between any two {following}"
    elif said is None and edit.kind is EditKind.NARROW:
        said = f"allow only {new} instead of {following}" if new else f"remove {following}"
    return said or f"swap {following} and {_words(grammar, rhs[dot + 1 : dot + 2])}"


def _of_operator(grammar: Grammar, edit: Edit) -> str | None:
    """What an edit does to an option, repetition or list as the user wrote it, if it does."""
    rule = grammar.rules[grammar.split_item(edit.item)[0]]
    block = grammar.symbols[rule.lhs]
    if block.operator not in _SUFFIXES:
        return None
    body = block.display.removesuffix(block.operator)
    if edit.kind is EditKind.DROP and block.operator is Operator.OPTION and rule.rhs:
        return f"remove {block.display}" if len(grammar.rules_of[rule.lhs]) == 2 else None
    if edit.kind is EditKind.REQUIRE and rule.rhs[:1] == (rule.lhs,):
        return f"require {_words(grammar, edit.symbols)} between any two {body}"
    what = {
        (Operator.OPTION, EditKind.DROP, False): f"make {body} mandatory",
        (Operator.PLUS, EditKind.DROP, True): f"allow {body} only once",
        (Operator.STAR, EditKind.REQUIRE, False): f"require at least one {body}",
        (Operator.STAR, EditKind.NARROW, True): f"allow {body} at most once",
    }
    repeats = rule.rhs[:1] == (rule.lhs,)
    return what.get((block.operator, edit.kind, repeats)) if repeats or not rule.rhs else None


def applied(grammar: Grammar, edit: Edit) -> Grammar:
    """The grammar with the edit made.

    An edit that extends the language adds an alternative right after the edited one. One that
    restricts it changes the edited rule, or takes it away.
    """
    index, dot = grammar.split_item(edit.item)
    rule = grammar.rules[index]
    rules = list(grammar.rules)
    if edit.kind is EditKind.DROP:
        del rules[index]
        return grammar.with_rules(rules)
    spans = rule.rhs_spans
    behind = _kept_from(grammar, edit)
    new_spans = (
        spans[dot:behind][::-1] if edit.kind is EditKind.SWAP else (None,) * len(edit.symbols)
    )
    changed = grammar.edited(
        rule, rewritten(grammar, edit), (*spans[:dot], *new_spans, *spans[behind:])
    )
    if edit.kind is EditKind.SEPARATE:
        rules[index : index + 1] = [grammar.edited(rule, rule.rhs[1:], spans[1:]), changed]
    elif edit.kind.restrictive:
        rules[index] = changed
    else:
        rules.insert(index + 1, changed)
    return grammar.with_rules(rules)


def rewritten(grammar: Grammar, edit: Edit) -> tuple[int, ...]:
    """The right-hand side with the edit made; that of a list from its second element on."""
    index, dot = grammar.split_item(edit.item)
    rhs, behind = grammar.rules[index].rhs, _kept_from(grammar, edit)
    new = rhs[dot:behind][::-1] if edit.kind is EditKind.SWAP else edit.symbols
    return (*rhs[:dot], *new, *rhs[behind:])


def _kept_from(grammar: Grammar, edit: Edit) -> int:
    """The first symbol after the new ones that stays."""
    index, dot = grammar.split_item(edit.item)
    if edit.kind is EditKind.END:
        return len(grammar.rules[index].rhs)
    if edit.kind is EditKind.SWAP:
        return dot + 2
    return dot if edit.kind.keeps_next else dot + 1


def makes_cyclic(grammar: Grammar, edit: Edit) -> bool:
    """Whether a non-terminal derives itself once the edit is made, and did not before.

    Then inputs have infinitely many parses, which no author wants, even if the tool takes it.
    """
    if edit.kind in (EditKind.DROP, EditKind.SEPARATE, EditKind.SWAP):
        return False
    nullable = grammar.analysis.nullable
    solid = [symbol for symbol in rewritten(grammar, edit) if symbol not in nullable]
    if len(solid) > 1 or any(map(grammar.is_terminal, solid)):
        return False
    return not applied(grammar, edit).analysis.cyclic <= grammar.analysis.cyclic


def worth_of(cost: float) -> float:
    """The worth of an edit of this cost: 3 ** -cost."""
    return float(LESS_LIKELY**-cost)


def many(n: Any) -> Any:
    """The weight of n things of a kind: 1 + log2(n) / 2, at least 1; n may be an array."""
    return 1 + np.log2(np.maximum(n, 1)) / 2


def generality(grammar: Grammar) -> tuple[float, ...]:
    """For every symbol how unspecific a call of it is: 0 for tokens, up to 4 for catch-all rules.

    Twice the share of all tokens that it can start with, and twice the share of all rules that it
    reaches.
    """
    from gramspect.grammars.relations import united

    n_terminals = grammar.n_terminals
    own = [0] * len(grammar.symbols)
    called: list[list[int]] = [[] for _ in grammar.symbols]
    for rule in grammar.rules:
        own[rule.lhs] |= 1 << rule.index
        called[rule.lhs] += [s for s in rule.rhs if s >= n_terminals]
    reached = united(own, called)
    first = grammar.analysis.first
    return tuple(
        0.0
        if symbol < n_terminals
        else 2 * len(first(symbol)) / max(1, n_terminals - 1)
        + 2 * reached[symbol].bit_count() / grammar.n_rules
        for symbol in range(len(grammar.symbols))
    )
