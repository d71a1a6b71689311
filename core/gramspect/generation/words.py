"""From terminals to text: the hook for lexemes, and the text of tests that are token names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol, runtime_checkable

from gramspect.generation.adjacency import Adjacency
from gramspect.grammars.grammar import Grammar

__all__ = ["Checked", "Partial", "Texts", "TokenNames"]


class Texts(Protocol):
    """Makes text of token sequences."""

    @property
    def silent(self) -> Collection[int]:
        """Terminals without a text of their own, such as ANTLR's EOF.

        They occur at the end of a test only.
        """
        ...

    @property
    def missing(self) -> Collection[int]:
        """Terminals of which no text is known; tests that have any are left out."""
        ...

    def text(self, tokens: Sequence[int]) -> str:
        """The text of a sequence that has none of `missing`."""
        ...

    def starts(self, tokens: Sequence[int]) -> Sequence[int]:
        """Where in that text each token begins; a place for the end comes last."""
        ...


@runtime_checkable
class Checked(Protocol):
    """Texts that may fail: a lexer does not always read them as the tokens they were made of."""

    def read_back(self, sequences: Iterable[tuple[int, ...]]) -> Sequence[bool]:
        """Whether the lexer reads the text of each sequence as its tokens."""
        ...


@runtime_checkable
class Partial(Protocol):
    """Texts of a language, or of a part of it; `original` is the grammar of the whole."""

    @property
    def original(self) -> Grammar | None:
        """The grammar of the whole language; None if it is the one that tests are made of."""
        ...

    def adjacency(self, grammar: Grammar) -> Adjacency | None:
        """The tokens that can be adjacent in the whole language; None without a model."""
        ...


class TokenNames:
    """Tests for parsers without a lexer: words between blanks, each naming a terminal.

    A word is the literal without its quotes or the token's name, whatever `Grammar.token` takes
    for that terminal; `gramspect.recognition.tokens` reads it back. `for_lexer` says that the
    parser has a lexer after all, which reads something else as these tokens.
    """

    def __init__(
        self, grammar: Grammar, silent: Iterable[int] = (), *, for_lexer: bool = False
    ) -> None:
        self.silent = frozenset(silent)
        self.for_lexer = for_lexer
        self._words = dict.fromkeys(self.silent, "")
        for symbol in grammar.terminals:
            for word in (*symbol.spellings, symbol.name):
                is_read_back = word.split() == [word] and grammar.token(word) == symbol.index
                if is_read_back and symbol.index not in self._words:
                    self._words[symbol.index] = word
        self.missing = frozenset(s.index for s in grammar.terminals) - self._words.keys()

    def text(self, tokens: Sequence[int]) -> str:
        """The words of the tokens, a blank between them."""
        if self.silent:
            return " ".join([self._words[t] for t in tokens if t not in self.silent])
        return " ".join(map(self._words.__getitem__, tokens))

    def starts(self, tokens: Sequence[int]) -> list[int]:
        """Where each token begins; a silent one at the end of the one before it."""
        found, offset, end = [], 0, 0
        for token in tokens:
            word = self._words[token]
            found.append(offset if word else end)
            if word:
                end = offset + len(word)
                offset = end + 1
        return [*found, end]
