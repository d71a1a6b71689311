"""JFlex's regular expressions as trees whose parts know where they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from gramspect.adapter_api import (
    Blank,
    Call,
    CharSet,
    Choice,
    Leaf,
    Part,
    Quoted,
    Repeat,
    Row,
    SourceText,
    Span,
    Style,
)
from gramspect_cup.jflex.characters import DOT, LINE_ENDS
from gramspect_cup.jflex.classes import NotUnderstood, character, characters_of, shorthand
from gramspect_cup.jflex.lexemes import Kind, Word

__all__ = ["read_expression"]

_STYLE = Style.JFLEX
_TIMES: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}
_LETTER = re.compile(
    r"\\u\{[^}\n]*\}|\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{6}"
    r"|\\[0-3]?[0-7]{1,2}|\\.|[^\\]"
)
_OF_CASE = re.compile(r"\\[pP]\{[^}]*(?:Lu|Ll|Lt|case|upper|lower)", re.IGNORECASE)
_CATEGORY = re.compile(r"\\[dDsSwW]|\\[pP]\{.*\}")


def read_expression(
    source: SourceText,
    words: Sequence[Word],
    macro: Callable[[str], CharSet | None],
    *,
    any_case: bool,
) -> Part | None:
    """The pattern of an expression; None if it is not understood.

    `macro` gives the characters of a macro that reads single ones, for classes that use it.
    """
    if any_case and any(_OF_CASE.search(word.text) for word in words):
        return None  # letters of one case are those of either then, as Unicode has them
    reader = _Reader(source, words, macro, any_case)
    try:
        return reader.whole()
    except (NotUnderstood, ValueError, OverflowError, RecursionError):
        return None


class _Reader:
    """Recursive descent over the words of one expression."""

    def __init__(
        self,
        source: SourceText,
        words: Sequence[Word],
        macro: Callable[[str], CharSet | None],
        any_case: bool,
    ) -> None:
        self._source = source
        self._words = words
        self._macro = macro
        self._any_case = any_case
        self._at = 0

    def whole(self) -> Part:
        """All of the expression: between a hat and what has to follow."""
        first = self._blank(self._at + 1) if self._sees("^") else None
        body = self._choice()
        parts = [*([first] if first is not None else ()), body]
        if self._sees("/", "$"):
            parts.append(self._blank(len(self._words)))
        if self._at < len(self._words):
            raise NotUnderstood
        return body if len(parts) == 1 else Row(_around(parts), _STYLE, tuple(parts))

    def _blank(self, stop: int) -> Blank:
        """What says where the expression may stand, up to a word."""
        words = self._words[self._at : stop]
        self._at = stop
        return Blank(self._source.span(words[0].start, words[-1].end), _STYLE)

    def _sees(self, *signs: str) -> bool:
        if self._at == len(self._words):
            return False
        word = self._words[self._at]
        return word.kind is Kind.SIGN and word.text in signs

    def _next(self) -> Word:
        if self._at == len(self._words):
            raise NotUnderstood
        self._at += 1
        return self._words[self._at - 1]

    def _span(self, first: Word, last: Word | None = None) -> Span:
        return self._source.span(first.start, (last or first).end)

    # --- what parts consist of ----------------------------------------------------------------

    def _choice(self) -> Part:
        rows = [self._row()]
        while self._sees("|"):
            self._next()
            rows.append(self._row())
        return rows[0] if len(rows) == 1 else Choice(_around(rows), _STYLE, tuple(rows))

    def _row(self) -> Row:
        parts = [self._unit()]
        while self._at < len(self._words) and not self._sees("|", ")", "/", "$"):
            parts.append(self._unit())
        return Row(_around(parts), _STYLE, tuple(parts))

    def _unit(self) -> Part:
        """An atom with what says how often it may stand there."""
        first = self._words[self._at] if self._at < len(self._words) else self._next()
        if self._sees("~"):
            return self._up_to(self._next())
        body, grouped = self._atom()
        repeated = False
        while (times := self._times()) is not None:
            mark = self._next()
            body = Repeat(self._span(first, mark), _STYLE, body, *times, self._span(mark))
            repeated = True
        if grouped and not repeated:
            return Row(self._span(first, self._words[self._at - 1]), _STYLE, (body,))
        return body

    def _up_to(self, mark: Word) -> Row:
        """``~x``: everything up to the first x. Like a lazy repetition it does not go on."""
        anything = Leaf(self._span(mark), _STYLE, mark.text, CharSet(()).complement())
        skipped = Repeat(self._span(mark), _STYLE, anything, 0, None, None, lazy=True)
        last = self._unit()
        return Row(self._span(mark).to(last.span.after()), _STYLE, (skipped, last))

    def _times(self) -> tuple[int, int | None] | None:
        if self._sees("?", "*", "+"):
            return _TIMES[self._words[self._at].text]
        if self._at == len(self._words) or self._words[self._at].kind is not Kind.REPEAT:
            return None
        numbers = [int(n) for n in re.findall(r"\d+", self._words[self._at].text)]
        return numbers[0], numbers[-1]

    def _atom(self) -> tuple[Part, bool]:
        """A part, and whether it was in parentheses, which are around its span."""
        word = self._next()
        if word.kind is Kind.SIGN and word.text == "(":
            body = self._choice()
            if self._next().text != ")":
                raise NotUnderstood
            return body, True
        return self._single(word), False

    def _single(self, word: Word) -> Part:
        """What a word reads that is no parenthesis."""
        if word.kind is Kind.STRING:
            return self._string(word)
        if word.kind is Kind.MACRO:
            return Call(self._span(word), _STYLE, word.text.strip("{} \t\b"))
        if word.kind is Kind.CLASS:
            return self._leaf(word, characters_of(word.text, self._macro))
        if word.kind is Kind.CHARACTER:
            return self._character(word)
        if word.text == "\\R":
            return self._line_end(word)
        if word.text != ".":
            raise NotUnderstood  # such as !
        return self._leaf(word, DOT)

    def _character(self, word: Word) -> Part:
        if _CATEGORY.fullmatch(word.text):
            found = shorthand(word.text)
            if found is None:
                raise NotUnderstood
            return self._leaf(word, found)
        if word.text.startswith("\\u{"):
            codes = [int(code, 16) for code in word.text[3:-1].split()]
            leaves = tuple(self._leaf(word, self._one(code)) for code in codes)
            return leaves[0] if len(leaves) == 1 else Row(self._span(word), _STYLE, leaves)
        return self._leaf(word, self._one(character(word.text)))

    def _line_end(self, word: Word) -> Part:
        span = self._span(word)
        both = tuple(Leaf(span, _STYLE, word.text, CharSet.single(c)) for c in "\r\n")
        return Choice(span, _STYLE, (Leaf(span, _STYLE, "\\R", LINE_ENDS), Row(span, _STYLE, both)))

    def _string(self, word: Word) -> Quoted:
        leaves = tuple(self._letters(word))
        if not leaves:
            raise NotUnderstood
        return Quoted(self._span(word), _STYLE, leaves)

    def _letters(self, word: Word) -> Iterator[Leaf]:
        for found in _LETTER.finditer(self._source.text, word.start + 1, word.end - 1):
            read = self._one(character(found[0]))
            yield Leaf(self._source.span(*found.span()), _STYLE, found[0], read)

    def _leaf(self, word: Word, characters: CharSet) -> Leaf:
        return Leaf(self._span(word), _STYLE, word.text, characters)

    def _one(self, code: int) -> CharSet:
        """A single character. ``%ignorecase`` is about these, and not about classes."""
        found = CharSet(((code, code),))
        return found.folded() if self._any_case else found


def _around(parts: Sequence[Part]) -> Span:
    return parts[0].span.to(parts[-1].span.after())
