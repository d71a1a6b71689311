"""The regular expressions of a JavaCC grammar as trees whose parts know where they stand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gramspect.adapter_api import (
    Call,
    CharSet,
    Choice,
    GrammarError,
    Leaf,
    Part,
    Quoted,
    Repeat,
    Row,
    SourceText,
    Span,
    Style,
)
from gramspect_javacc.lexemes import Lexeme, Lexemes

__all__ = ["read_body"]

_STYLE = Style.JAVACC
_CHARACTER = re.compile(r"\\u+[0-9a-fA-F]{4}|\\[0-3]?[0-7]{1,2}|\\.|[^\\]", re.DOTALL)
_OPERATORS: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}


def read_body(
    source: SourceText, start: int, *, in_brackets: bool, ignore_case: bool
) -> Part | None:
    """The expression that begins at an offset, up to the ``>`` that closes it, or the string in no
    such brackets; None if it is not understood."""
    reader = _Reader(source, start, ignore_case)
    try:
        return reader.choice() if in_brackets else reader.string()
    except (GrammarError, ValueError, SyntaxError):
        return None


class _Reader:
    """Recursive descent over the words of the file."""

    def __init__(self, source: SourceText, start: int, ignore_case: bool) -> None:
        self._source = source
        self._ignore_case = ignore_case
        self._words = Lexemes(source)
        self._words.at = self._words.index_at(*source.position(start))

    def string(self) -> Quoted:
        """A string alone."""
        return self._string(self._words.take())

    def choice(self) -> Part:
        rows = [self._row()]
        while self._words.accept("|"):
            rows.append(self._row())
        return rows[0] if len(rows) == 1 else Choice(_around(rows), _STYLE, tuple(rows))

    def _row(self) -> Row:
        parts = [self._unit()]
        while self._words.next.text not in ("|", ")", ">"):
            parts.append(self._unit())
        return Row(_around(parts), _STYLE, tuple(parts))

    def _unit(self) -> Part:
        word = self._words.next
        if word.kind == "string":
            return self._string(self._words.take())
        if self._words.accept("<"):
            name = self._words.word("the name of a token")
            return Call(self._words.span(word, self._words.expect(">")), _STYLE, name.text)
        if word.text in ("~", "["):
            return self._set()
        self._words.expect("(")
        body = self.choice()
        closing = self._words.expect(")")
        return self._repeated(word, closing, body)

    def _repeated(self, opening: Lexeme, closing: Lexeme, body: Part) -> Part:
        mark = self._words.next
        bounds = _OPERATORS.get(mark.text)
        if bounds is not None:
            self._words.take()
        elif mark.text == "{":
            bounds = self._bounds()
        else:
            return Row(self._words.span(opening, closing), _STYLE, (body,))
        last = self._words.ahead(-1)
        return Repeat(
            self._words.span(opening, last), _STYLE, body, *bounds, self._words.span(mark, last)
        )

    def _bounds(self) -> tuple[int, int | None]:
        """``{3}``, ``{3,}`` and ``{3,5}``."""
        self._words.expect("{")
        least = int(self._words.take().text)
        most: int | None = least
        if self._words.accept(","):
            most = None if self._words.next.text == "}" else int(self._words.take().text)
        self._words.expect("}")
        return least, most

    def _set(self) -> Leaf:
        first = self._words.next
        negated = self._words.accept("~") is not None
        self._words.expect("[")
        ranges: list[tuple[int, int]] = []
        while self._words.next.text != "]":
            code = _code(self._words.take().text)
            last = _code(self._words.take().text) if self._words.accept("-") else code
            ranges.append((code, last))
            self._words.accept(",")
        closing = self._words.expect("]")
        characters = self._cased(CharSet.of(ranges))
        text = self._source.text[first.start : closing.end]
        span = self._words.span(first, closing)
        return Leaf(span, _STYLE, text, characters.complement() if negated else characters)

    def _string(self, word: Lexeme) -> Quoted:
        leaves = tuple(self._letters(word))
        if not leaves:
            raise ValueError("an empty string")
        return Quoted(self._words.span(word), _STYLE, leaves)

    def _letters(self, word: Lexeme) -> Iterator[Leaf]:
        for found in _CHARACTER.finditer(self._source.text, word.start + 1, word.end - 1):
            characters = self._cased(CharSet.single(chr(_code(f'"{found[0]}"'))))
            yield Leaf(self._source.span(*found.span()), _STYLE, found[0], characters)

    def _cased(self, characters: CharSet) -> CharSet:
        return characters.folded() if self._ignore_case else characters


def _code(literal: str) -> int:
    """The character in quotes."""
    return ord(str(ast.literal_eval(re.sub(r"\\u+", r"\\u", literal))))


def _around(parts: list[Part] | list[Row]) -> Span:
    return parts[0].span.to(parts[-1].span.after())
