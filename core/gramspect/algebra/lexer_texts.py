"""What a lexer says about the texts of tokens: samples of them, and which text each token has."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from gramspect.generation.texts import SampleTexts, Spacing
from gramspect.recognition.recognizer import Lexing

__all__ = ["LexerTexts", "token_texts"]


class LexerTexts:
    """Texts of tokens for patterns: samples from a lexer, which is asked when they are needed."""

    def __init__(self, lexer: Lexing, silent: Collection[int]) -> None:
        self.silent = silent
        self.missing = _WithoutSample(self)
        self._lexer = lexer
        self._known: dict[int, Sequence[str]] = {}

    def samples(self, terminal: int, most: int = 1) -> Sequence[str]:
        """Texts of a terminal, none if none is found."""
        if most > 1:
            return self._lexer.samples(terminal, most)
        if terminal not in self._known:
            self._known[terminal] = tuple(self._lexer.samples(terminal, 1))
        return self._known[terminal]

    def _texts(self, tokens: Sequence[int]) -> SampleTexts:
        samples = {t: self.samples(t) for t in tokens if t not in self.silent}
        return SampleTexts(
            samples, silent=self.silent, lexed=self._lexer.lexed, spacing=Spacing.LEAST
        )

    def text(self, tokens: Sequence[int]) -> str:
        """The text of tokens that have samples."""
        return self._texts(tokens).text(tokens)

    def starts(self, tokens: Sequence[int]) -> list[int]:
        """Where each token begins in that text, and the end."""
        return self._texts(tokens).starts(tokens)


class _WithoutSample(Collection[int]):
    """The terminals without a sample, looked for only when somebody asks for one of them."""

    def __init__(self, texts: LexerTexts) -> None:
        self._texts = texts

    def __contains__(self, terminal: object) -> bool:
        return (
            isinstance(terminal, int)
            and terminal not in self._texts.silent
            and not self._texts.samples(terminal)
        )

    def __iter__(self) -> Iterator[int]:
        return iter(())

    def __len__(self) -> int:
        return 0


def token_texts(lexer: Lexing, text: str, tokens: Sequence[int]) -> Sequence[str] | None:
    """The texts of the tokens that a lexer makes of a text; None if they are not found.

    The first token ends at the first place where the lexer reads what is before it as that token,
    and what is after it as the others.
    """
    found = []
    rest = text.strip()
    for place, token in enumerate(tokens):
        after = list(tokens[place + 1 :])
        ends = range(1, len(rest) + 1)
        read = lexer.lexed([*(rest[:end] for end in ends), *(rest[end:] for end in ends)])
        pairs = zip(ends, read[: len(rest)], read[len(rest) :], strict=True)
        end = next((e for e, own, others in pairs if _are(own, [token]) and _are(others, after)), 0)
        if not end:
            return None
        found.append(rest[:end])
        rest = rest[end:].lstrip()
    return found


def _are(read: Sequence[int] | None, tokens: Sequence[int]) -> bool:
    return read is not None and list(read) == tokens
