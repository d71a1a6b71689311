"""An input read as words with a derivation tree, and words written as a text again.

The tree is that of the chart; of several, the one that the chart finds first (`tree_of`). An input
that is no sentence has a tree of the parts that were complete when the parser could not go on,
under the rules that were not; the words after that are a list, in which brackets are grouped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gramspect.grammars.grammar import Grammar
from gramspect.kernel import can_compile
from gramspect.recognition.chart import Chart, parse_chart
from gramspect.recognition.recognizer import Recognizer, Tokenizing, TokenRuleKnowing
from gramspect.recognition.tokens import UNKNOWN
from gramspect.reduction.trees import Node, Production, Tree, Word
from gramspect.running.observing import silenced, tokens_of
from gramspect.suites.suite import TestCase

__all__ = ["Input", "read_input", "text_of", "tree_of"]

_WORD = re.compile(r"\w+|[^\w\s]")
_BLANKLESS = re.compile(r"\S+")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_COMPILED_FROM = 2_000
"""From how many tokens on charts are made in compiled code."""


@dataclass(frozen=True)
class Input:
    """An input as words, with the text after the last one.

    `known` says whether the words are those of the parser, so that its grammar applies.
    """

    words: tuple[Word, ...]
    after: str
    known: bool

    @property
    def tokens(self) -> list[int]:
        """The terminals of the words."""
        return [word.terminal for word in self.words]


def read_input(recognizer: Recognizer, test: TestCase) -> Input:
    """The words of a test as the lexer of a parser makes them.

    Where a parser cannot tell where its tokens are in the text, and the words that its text has are
    not as many as its tokens, they are words of letters and single other characters.
    """
    text = test.text if test.tokens is None else " ".join(test.tokens)
    with silenced():
        lexed = recognizer.lexing(test) if isinstance(recognizer, TokenRuleKnowing) else None
    if lexed is not None and test.tokens is None:
        found = [(each.terminal, each.start, each.end) for each in lexed.lexemes]
        if lexed.failed is None:
            return _spaced(text, found, known=True)
        at = found[-1][2] if found else 0
        rest = [(UNKNOWN, m.start(), m.end()) for m in _WORD.finditer(text, at)]
        return _spaced(text, found + rest, known=True)
    tokens = tokens_of(recognizer, test) if isinstance(recognizer, Tokenizing) else None
    for pattern in (_BLANKLESS, _WORD):
        spans = [match.span() for match in pattern.finditer(text)]
        if tokens is not None and len(tokens) == len(spans):
            return _spaced(text, [(t, *s) for t, s in zip(tokens, spans, strict=True)], known=True)
    return _spaced(text, [(UNKNOWN, *span) for span in spans], known=False)


def _spaced(text: str, found: Sequence[tuple[int, int, int]], *, known: bool) -> Input:
    words, last = [], 0
    for place, (terminal, start, end) in enumerate(found):
        words.append(Word(terminal, text[start:end], text[last:start], place))
        last = max(last, end)
    return Input(tuple(words), text[last:], known)


def text_of(words: Sequence[Word], after: str = "", *, tidy: bool = False) -> str:
    """The text of words.

    Between words that were neighbours in their input everything stays as it was. Before a word that
    was not after the one before it now, there is what was before it, or a blank if that is nothing.
    With `tidy`, blanks and comments between words become one blank, or a line end with the
    indentation of the line.
    """
    parts: list[str] = []
    previous = -1
    for word in words:
        before = _tidied(word.before) if tidy else word.before
        if word.place < 0 or word.place != previous + 1:
            before = "" if not parts else before or (" " if word.text else "")
        parts += (before, word.text)
        previous = word.place if word.place >= 0 else -2
    return "".join(parts) + (_tidied(after) if tidy else after)


def _tidied(gap: str) -> str:
    if not gap:
        return gap
    _, end, indentation = gap.rpartition("\n")
    if end:
        return end + (indentation if indentation.isspace() else "")
    return " "


# --- trees -------------------------------------------------------------------------------------


def tree_of(grammar: Grammar, words: Sequence[Word]) -> tuple[Tree, bool]:
    """The derivation tree of words, and whether they are a sentence.

    Of an ambiguous sentence it is the first one that the chart finds: parts that begin earlier come
    first, and of parts with the same beginning those of the rule that stands first.
    """
    tokens = [word.terminal for word in words]
    chart = parse_chart(grammar, tokens, len(tokens) >= _COMPILED_FROM and can_compile())
    plain = [(rule.lhs, rule.rhs) for rule in grammar.rules]
    charted = _Charted(chart, words)
    if chart.accepted:
        return Tree(plain, list(charted.below(charted.root()))), True
    return _partial(grammar, charted, words, plain), False


class _Charted:
    """The entries of a chart by their numbers, and the trees that they stand for."""

    def __init__(self, chart: Chart, words: Sequence[Word]) -> None:
        self.chart = chart
        self.grammar = chart.grammar
        self.words = words
        space = chart.space
        self._memory, self._at = space.memory, space.chart

    def column(self, index: int) -> range:
        """The entries of a column."""
        start = self._at.column_start + index
        return range(int(self._memory[start]), int(self._memory[start + 1]))

    def item(self, entry: int) -> int:
        return int(self._memory[self._at.item + entry])

    def origin(self, entry: int) -> int:
        return int(self._memory[self._at.origin + entry])

    def root(self) -> int:
        """The entry of the start symbol that spans the input."""
        last = next(e for e in self.column(self.chart.end) if self.item(e) > self.grammar.n_items)
        return int(self._memory[self._at.child + last])

    def parts(self, entry: int) -> list[int | Word]:
        """What stands before the dot of an entry: entries, and words."""
        found: list[int | Word] = []
        while entry >= 0:
            if not self.grammar.split_item(self.item(entry))[1]:
                break
            child = int(self._memory[self._at.child + entry])
            if child >= 0:
                found.append(child)
            else:
                found.append(self.words[int(self._memory[self._at.column + entry]) - 1])
            entry = int(self._memory[self._at.prev + entry])
        return found[::-1]

    def below(self, entry: int) -> Iterator[Node]:
        """The nodes of the subtree of a complete entry, in preorder."""
        pending: list[int | Word] = [entry]
        while pending:
            top = pending.pop()
            if isinstance(top, Word):
                yield top
            else:
                yield self.grammar.split_item(self.item(top))[0]
                pending += reversed(self.parts(top))


def _partial(
    grammar: Grammar, charted: _Charted, words: Sequence[Word], plain: list[Production]
) -> Tree:
    """The tree of an input that is no sentence: what was begun, and the words after it.

    A rule that was begun is a production of its own with what there is of its right-hand side; its
    left-hand side is that of the rule plus the number of symbols, so that one that was begun can
    take the place of another one.
    """
    n = len(grammar.symbols)
    rest, item = 2 * n, 2 * n + 1
    productions = list(plain)
    spine: list[Node] = []

    def begun(lhs: int, rhs: tuple[int, ...]) -> int:
        productions.append((lhs, rhs))
        return len(productions) - 1

    calls = _calls(charted)
    for number, (nonterminal, entry) in enumerate(calls):
        parts = charted.parts(entry)
        symbols = [charted.grammar.rules[charted.grammar.split_item(charted.item(e))[0]].lhs
                   if isinstance(e, int) else e.terminal for e in parts]  # fmt: skip
        inner = (calls[number + 1][0] + n,) if number + 1 < len(calls) else ()
        spine.append(begun(nonterminal + n, (*symbols, *inner)))
        for part in parts:
            spine += [part] if isinstance(part, Word) else charted.below(part)
    end = charted.chart.end
    top = begun(2 * n + 2, ((calls[0][0] + n, rest) if calls else (rest,)))
    return Tree(productions, [top, *spine, *_listed(words[end:], rest, item, begun)])


def _calls(charted: _Charted) -> list[tuple[int, int]]:
    """The rules that were begun at the end of a chart, from the start symbol on.

    Each is a non-terminal with an entry, -1 if nothing of it was read. The way is one with the
    fewest rules.
    """
    grammar, end = charted.grammar, charted.chart.end
    if not end:
        return []

    def lhs_of(entry: int) -> int:
        return grammar.rules[grammar.split_item(charted.item(entry))[0]].lhs

    def after_word(entry: int) -> bool:
        if charted.item(entry) >= grammar.n_items:
            return False
        rule, dot = grammar.split_item(charted.item(entry))
        return bool(dot) and grammar.is_terminal(grammar.rules[rule].rhs[dot - 1])

    ways: dict[tuple[int, int], tuple[int, tuple[int, int] | None]] = {}
    pending: list[tuple[int, int]] = []
    for entry in filter(after_word, charted.column(end)):
        state = lhs_of(entry), charted.origin(entry)
        if state not in ways:
            ways[state] = entry, None
            pending.append(state)
    for state in pending:
        if state == (grammar.start, 0):
            return _way(ways, state)
        nonterminal, origin = state
        for above, entry in _callers(charted, nonterminal, origin):
            if above not in ways:
                ways[above] = entry, state
                pending.append(above)
    return []


def _callers(
    charted: _Charted, nonterminal: int, origin: int
) -> Iterator[tuple[tuple[int, int], int]]:
    """What waits for a non-terminal in a column: where that was begun, and its entry or -1."""
    grammar = charted.grammar
    for entry in charted.column(origin):
        if charted.item(entry) < grammar.n_items:
            rule, dot = grammar.split_item(charted.item(entry))
            rhs = grammar.rules[rule].rhs
            if dot < len(rhs) and rhs[dot] == nonterminal:
                yield (grammar.rules[rule].lhs, charted.origin(entry)), entry
    for caller in charted.chart.predicted(origin):
        if any(grammar.rules[r].rhs[:1] == (nonterminal,) for r in grammar.rules_of[caller]):
            yield (caller, origin), -1


def _way(
    ways: dict[tuple[int, int], tuple[int, tuple[int, int] | None]], state: tuple[int, int]
) -> list[tuple[int, int]]:
    found = []
    at: tuple[int, int] | None = state
    while at is not None:
        entry, below = ways[at]
        found.append((at[0], entry))
        at = below
    return found


def _listed(words: Sequence[Word], rest: int, item: int, begun: object) -> Iterator[Node]:
    """Words as a list whose items are words, or brackets around such a list."""
    assert callable(begun)
    more, none = begun(rest, (item, rest)), begun(rest, ())
    partners = _partners(words)
    open_at: list[int] = []
    for index, word in enumerate(words):
        if open_at and partners[open_at[-1]] == index:
            open_at.pop()
            yield none
            yield word
            continue
        yield more
        if index in partners:
            close = partners[index]
            yield begun(item, (word.terminal, rest, words[close].terminal))
            open_at.append(index)
        else:
            yield begun(item, (word.terminal,))
        yield word
    yield none


def _partners(words: Sequence[Word]) -> dict[int, int]:
    """The places of opening brackets, each with that of the bracket that closes it."""
    found: dict[int, int] = {}
    waiting: list[int] = []
    for index, word in enumerate(words):
        if word.text in _CLOSING:
            waiting.append(index)
        elif waiting and word.text == _CLOSING[words[waiting[-1]].text]:
            found[waiting.pop()] = index
    return found
