"""The names of a parser's tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gramspect.adapter_api import Alternative, Block, Operator, Reference, Span, Token

__all__ = ["EOF", "Vocabulary"]

EOF = -1
"""The token type of the end of the input."""

EOF_NAME = "EOF"

_UNNAMED = "<INVALID>"


@dataclass(frozen=True)
class Vocabulary:
    """Token types from 1; their literals (with quotes) and names, where they have any."""

    size: int
    literals: Sequence[str]
    symbols: Sequence[str]

    def name(self, token: int) -> str:
        """The name of the terminal: as declared, else the literal, else ANTLR's."""
        if token == EOF:
            return EOF_NAME
        return (
            self._named(self.symbols, token) or self._named(self.literals, token) or f"T__{token}"
        )

    def display(self, token: int) -> str:
        """How the token is shown: a literal if it has one."""
        return self._named(self.literals, token) or self.name(token)

    @staticmethod
    def _named(names: Sequence[str], token: int) -> str | None:
        if token >= len(names) or token < 0 or names[token] == _UNNAMED:
            return None
        return names[token]

    def types(self) -> range:
        """All token types but the end of the input."""
        return range(1, self.size + 1)

    def tokens(self) -> list[Token]:
        """The terminals in the order of their types. ``EOF`` is one only where rules use it."""
        return [self._token(token) for token in self.types()]

    def _token(self, token: int) -> Token:
        literal = self._named(self.literals, token)
        spellings = () if literal is None else (literal[1:-1],)
        return Token(self.name(token), None, self.display(token), spellings)

    def numbers(self) -> dict[str, int]:
        """The token types by name and by literal."""
        found = {self.name(token): token for token in (EOF, *self.types())}
        found.update((self.display(token), token) for token in self.types())
        return found

    def reference(self, token: int, span: Span | None = None) -> Reference:
        return Reference(self.name(token), span, self.display(token))

    def group(self, tokens: Iterable[int], span: Span | None = None) -> Block:
        """One of some tokens, each an alternative."""
        alternatives = (Alternative((self.reference(t, span),), span) for t in tokens)
        return Block(Operator.GROUP, tuple(alternatives), span)

    def all_but(
        self, tokens: Sequence[int], span: Span | None = None, text: str | None = None
    ) -> Block:
        """Any token that is none of these, written ``~A``, ``~( A | B )``, or ``.`` without any."""
        rest = (Reference(self.name(t), span) for t in self.types() if t not in tokens)
        alternatives = tuple(Alternative((reference,), span) for reference in rest)
        names = [self.display(token) for token in tokens]
        written = f"~{names[0]}" if len(names) == 1 else f"~( {' | '.join(names)} )"
        return Block(Operator.SET, alternatives, span, text or (written if names else "."))
