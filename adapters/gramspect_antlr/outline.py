"""The parser rules as the user wrote them: from the numbers that cross from Java to definitions.

The form of the numbers is described in ``Outline.java``. Everything that consumes a token or calls
a rule is an *element*; elements are numbered in the order of the text, which is the order in which
references occur in the definitions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gramspect.adapter_api import Alternative, Block, Definition, Element, Operator, Reference, Span

__all__ = ["END_OF_FILE", "Vocabulary", "read_outline"]

END_OF_FILE = "EOF"
"""The name of the terminal that ANTLR grammars end their start rule with."""

WIDTH = 7
END, RULE, ALTERNATIVE, NAMED_TOKEN, LITERAL_TOKEN, CALL, SET = range(7)
OPERATORS = {
    SET: Operator.SET,
    8: Operator.GROUP,
    9: Operator.OPTION,
    10: Operator.STAR,
    11: Operator.PLUS,
}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The token types from 1: names, and literals with their quotes, where they have them."""

    names: Sequence[str | None]
    literals: Sequence[str | None]

    def __len__(self) -> int:
        return len(self.names)

    def name(self, token_type: int) -> str:
        """What the terminal of a token type is called."""
        if token_type < 0:
            return END_OF_FILE
        return self.names[token_type - 1] or self.literals[token_type - 1] or f"T__{token_type}"


def read_outline(
    numbers: Sequence[int],
    rules: Sequence[str],
    vocabulary: Vocabulary,
    files: Sequence[str],
    text_of: Callable[[Span], str],
) -> tuple[Definition, ...]:
    """The definitions of the parser rules, in the order of their indices.

    `text_of` gives the text of a span.
    """
    return _Reader(numbers, rules, vocabulary, files, text_of).definitions()


class _Reader:
    def __init__(
        self,
        numbers: Sequence[int],
        rules: Sequence[str],
        vocabulary: Vocabulary,
        files: Sequence[str],
        text_of: Callable[[Span], str],
    ) -> None:
        self._numbers = numbers
        self._rules = rules
        self._vocabulary = vocabulary
        self._files = files
        self._text_of = text_of
        self._at = 0

    def definitions(self) -> tuple[Definition, ...]:
        found = []
        while self._at < len(self._numbers):
            _, index, span = self._next()
            found.append(Definition(self._rules[index], self._alternatives(), span))
        return tuple(found)

    def _next(self) -> tuple[int, int, Span]:
        code, argument, file, *place = self._numbers[self._at : self._at + WIDTH]
        self._at += WIDTH
        return code, argument, Span(self._files[file], *place)

    def _more(self) -> bool:
        """Whether another part follows; the end of the parts is passed."""
        if self._numbers[self._at] != END:
            return True
        self._at += WIDTH
        return False

    def _alternatives(self) -> tuple[Alternative, ...]:
        found = []
        while self._more():
            _, _, span = self._next()
            elements = []
            while self._more():
                elements.append(self._element())
            found.append(Alternative(tuple(elements), span))
        return tuple(found)

    def _element(self) -> Element:
        code, argument, span = self._next()
        if code == CALL:
            return Reference(self._rules[argument], span)
        if code == SET:
            return self._set(span)
        if code in OPERATORS:
            return Block(OPERATORS[code], self._alternatives(), span)
        name = self._vocabulary.name(argument)
        literal = self._vocabulary.literals[argument - 1] if code == LITERAL_TOKEN else None
        return Reference(name, span, literal)

    def _set(self, span: Span) -> Block:
        tokens = []
        while self._more():
            tokens.append(Alternative((self._element(),), span))
        return Block(Operator.SET, tuple(tokens), span, " ".join(self._text_of(span).split()))
