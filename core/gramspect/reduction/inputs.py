"""An input read as words with a derivation tree, and words written as a text again.

The tree is that of the chart; of several, the one that the chart finds first (`tree_of`). An input
that is no sentence has a tree of the parts that were complete when the parser could not go on,
under the rules that were not; the words after that are a list, in which brackets are grouped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.recognizer import Recognizer, Tokenizing, TokenRuleKnowing
from gramspect.recognition.tokens import UNKNOWN
from gramspect.reduction.partial import Charted, partial_tree, tree_to_keep
from gramspect.reduction.trees import Tree, Word
from gramspect.running.observing import silenced, tokens_of
from gramspect.suites.suite import TestCase

__all__ = ["Input", "read_input", "text_of", "tree_of"]

_WORD = re.compile(r"\w+|[^\w\s]")
_BLANKLESS = re.compile(r"\S+")


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


def tree_of(grammar: Grammar, words: Sequence[Word], *, keep: bool = False) -> tuple[Tree, bool]:
    """The derivation tree of words, and whether they are a sentence.

    Of an ambiguous sentence it is the first one that the chart finds: parts that begin earlier come
    first, and of parts with the same beginning those of the rule that stands first. The tree of
    what is no sentence is a `partial_tree`, or with `keep` a `tree_to_keep`.
    """
    tokens = [word.terminal for word in words]
    chart = parse_chart(grammar, tokens)
    plain = [(rule.lhs, rule.rhs) for rule in grammar.rules]
    charted = Charted(chart, words)
    if chart.accepted:
        return Tree(plain, list(charted.below(charted.root()))), True
    made = tree_to_keep if keep else partial_tree
    return made(grammar, charted, words, plain), False
