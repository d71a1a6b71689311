"""Texts of token sequences that the lexer reads back as these tokens.

Each terminal has samples. Between two of them stands the first separator with which the lexer reads
them as these two tokens; it is determined once for each pair of samples. Pairs do not tell
everything (longest matches over three tokens, lexer modes), so whole texts are read, too: where one
is not read as its tokens, separators are chosen again from the place on where it goes wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import chain

from gramspect.errors import GramspectError
from gramspect.generation.adjacency import Adjacency
from gramspect.generation.texts.neighbours import ModelAdjacency
from gramspect.grammars.grammar import Grammar

__all__ = ["SampleTexts", "Spacing"]

Lexed = Callable[[Sequence[str]], Sequence[Sequence[int] | None]]
"""Runs the lexer on texts; see `gramspect.recognition.recognizer.Lexing.lexed`."""

_BITS = (1 << 64) - 1


class Spacing(StrEnum):
    """The separator that is tried first between two tokens."""

    BLANK = "blank"
    """A blank; nothing, or a line end, only where the lexer does not take a blank."""
    LEAST = "least"
    """Nothing; a blank, or a line end, only where it is needed."""

    @property
    def separators(self) -> tuple[str, ...]:
        """In the order in which they are tried."""
        return (" ", "", "\n") if self is Spacing.BLANK else ("", " ", "\n")


@dataclass(frozen=True, eq=False)
class SampleTexts:
    """Texts made of samples; a `gramspect.generation.words.Texts`.

    Args:
        samples: for each terminal the texts that it may have, the preferred one first.
        missing: terminals without a text.
        silent: terminals that are not written (ANTLR's EOF), at the end of a test only.
        lexed: the lexer; without one, nothing is checked and blanks separate tokens.
        read_as: the terminals that the lexer makes of a text that is a token for the generator
            only (a fixed value of a model); None if it cannot read it.
        prefix, suffix: the texts that every test begins and ends with.
        original: the grammar of the whole language, if the generator has one of a model.
        spacing: the separator that is tried first between tokens.
        seed: draws among the samples, by the whole sequence; without one the first is taken.
    """

    samples: Mapping[int, Sequence[str]]
    missing: Collection[int] = ()
    silent: Collection[int] = ()
    lexed: Lexed | None = None
    read_as: Mapping[int, Sequence[int] | None] = field(default_factory=dict)
    prefix: str = ""
    suffix: str = ""
    original: Grammar | None = None
    spacing: Spacing = Spacing.BLANK
    seed: int | None = None
    _separators: dict[str, dict[str, str]] = field(default_factory=dict, repr=False)
    _recent: dict[tuple[int, ...], list[str] | None] = field(default_factory=dict, repr=False)

    def text(self, tokens: Sequence[int]) -> str:
        """The text of a sequence that has none of `missing`."""
        return self.prefix + "".join(self._parts(tuple(tokens))) + self.suffix

    def unchecked(self, tokens: Sequence[int]) -> str:
        """A text of a sequence that the lexer may read as other tokens."""
        return self.prefix + "".join(self._joined(tuple(tokens))) + self.suffix

    def starts(self, tokens: Sequence[int]) -> list[int]:
        """Where each token begins; a silent one where the token before it ends."""
        parts = self._parts(tuple(tokens))
        offset = len(self.prefix)
        found = []
        for place, part in enumerate(parts):
            if place % 2 == 0:
                found.append(offset)
            offset += len(part)
        return [*found, *([offset] * (len(tokens) - len(found))), offset]

    def read_back(self, sequences: Iterable[tuple[int, ...]]) -> list[bool]:
        """Whether the lexer reads the text of each sequence as its tokens.

        The texts of these sequences are remembered until the next call.
        """
        listed = list(sequences)
        found = [self._joined(tokens) for tokens in listed]
        self._recent.clear()
        if self.lexed is None:
            self._recent.update(zip(listed, found, strict=True))
            return [True] * len(listed)
        texts = [self.prefix + "".join(parts) + self.suffix for parts in found]
        different = list(dict.fromkeys(texts))  # a lexer may be slow, and tests be alike
        read = dict(zip(different, self.lexed(different), strict=True))
        answers = []
        for tokens, parts, text in zip(listed, found, texts, strict=True):
            seen = read[text]
            expected = self._expected(tokens)
            good = expected is None or (seen is not None and list(seen) == expected)
            mended = parts if good else self._mended(tokens, parts)
            self._recent[tokens] = parts if mended is None else mended
            answers.append(mended is not None)
        return answers

    def adjacency(self, grammar: Grammar) -> Adjacency | None:
        """The tokens that can be adjacent in the whole language, of which a model is a part.

        Raises:
            GramspectError: the lexer does not read a text of the model by itself; then it is not
                known what it makes of the texts beside it.
        """
        if self.original is None:
            return None
        if self.lexed is not None:
            texts = [self.samples[t][0] for t, tokens in self.read_as.items() if tokens is None]
            around = zip((self.prefix, self.suffix), self._around, strict=True)
            texts += [text for text, tokens in around if tokens is None]
            if texts:
                raise GramspectError(
                    f"no test of this model is negative for certain: the lexer does not read"
                    f" {texts[0]!r} by itself; change the model or leave out the negative tests"
                )
        return ModelAdjacency(grammar, self.original, self.silent, self.read_as, *self._around)

    # --- samples and separators, by turns ------------------------------------------------

    def _parts(self, tokens: tuple[int, ...]) -> list[str]:
        """Samples, and the separators between them; silent tokens have none."""
        known = self._recent.get(tokens)
        if known is None:
            self.read_back([tokens])
            known = self._recent[tokens]
        assert known is not None
        return known

    def _joined(self, tokens: tuple[int, ...]) -> list[str]:
        samples = self._drawn(tokens)
        if not samples:
            return []
        separators = self._separators
        parts = [samples[0]]
        left = samples[0]
        for right in samples[1:]:
            try:
                parts.append(separators[left][right])
            except KeyError:
                parts.append(self._separator(left, right))
            parts.append(right)
            left = right
        return parts

    def _drawn(self, tokens: tuple[int, ...]) -> list[str]:
        """A sample of each token that has a text."""
        if self.seed is None:
            first = self._first
            return [first[token] for token in tokens if token not in self.silent]
        state = hash(tokens) ^ hash((self.seed,))
        found = []
        for token in tokens:
            if token not in self.silent:
                state = state * 6364136223846793005 + 1442695040888963407 & _BITS
                options = self.samples[token]
                found.append(options[(state >> 33) % len(options)])
        return found

    @cached_property
    def _first(self) -> Mapping[int, str]:
        return {token: options[0] for token, options in self.samples.items() if options}

    def _separator(self, left: str, right: str) -> str:
        """The first separator with which the lexer reads both as it reads each alone."""
        chosen = self.spacing.separators[0] if self.lexed is not None else " "
        if self.lexed is not None:
            options = self.spacing.separators
            alone, after, *both = self.lexed([left, right, *(left + s + right for s in options)])
            if alone is not None and after is not None:
                whole = [*alone, *after]
                fits = (s for s, read in zip(options, both, strict=True) if _equal(read, whole))
                chosen = next(fits, chosen)
        self._separators.setdefault(left, {})[right] = chosen
        return chosen

    # --- the tokens that the lexer makes ------------------------------------------------------

    def _expected(self, tokens: Sequence[int]) -> list[int] | None:
        """The tokens that the lexer should make, also of prefix and suffix; None if not known."""
        around = self._around
        inner = [self.read_as.get(t, (t,)) for t in tokens if t not in self.silent]
        pieces = [around[0], *inner, around[1]]
        if any(piece is None for piece in pieces):
            return None
        return list(chain.from_iterable(piece for piece in pieces if piece is not None))

    @cached_property
    def _around(self) -> tuple[Sequence[int] | None, Sequence[int] | None]:
        """The tokens of prefix and suffix."""
        if self.lexed is None:
            return None if self.prefix else (), None if self.suffix else ()
        before, after = self.lexed([self.prefix, self.suffix])
        return before, after

    def _mended(self, tokens: tuple[int, ...], parts: list[str]) -> list[str] | None:
        """The same samples with other separators; None if no choice from left to right fits."""
        assert self.lexed is not None
        written = [token for token in tokens if token not in self.silent]
        expected = [self._expected_before(written[:n]) for n in range(1, len(written) + 1)]
        parts = list(parts)
        place = 0
        while True:
            texts = [self.prefix + "".join(parts[: 2 * n + 1]) for n in range(len(written))]
            read = self.lexed(texts)
            wrong = (n for n in range(place, len(written)) if not _equal(read[n], expected[n]))
            bad = next(wrong, None)
            if bad is None:
                break
            if bad == 0:
                return None
            options = [s for s in self.spacing.separators if s != parts[2 * bad - 1]]
            before, sample = "".join(parts[: 2 * bad - 1]), parts[2 * bad]
            tried = self.lexed([self.prefix + before + s + sample for s in options])
            fits = (s for s, r in zip(options, tried, strict=True) if _equal(r, expected[bad]))
            better = next(fits, None)
            if better is None:
                return None
            parts[2 * bad - 1] = better
            self._separators[parts[2 * bad - 2]][sample] = better
            place = bad + 1
        whole = self.lexed([self.prefix + "".join(parts) + self.suffix])[0]
        return parts if _equal(whole, self._expected(tokens) or []) else None

    def _expected_before(self, tokens: Sequence[int]) -> list[int]:
        """The tokens that the lexer should make of the prefix and some first tokens."""
        inner = chain.from_iterable(self.read_as.get(t, (t,)) or () for t in tokens)
        return [*(self._around[0] or ()), *inner]


def _equal(read: Sequence[int] | None, expected: Sequence[int]) -> bool:
    return read is not None and list(read) == list(expected)
