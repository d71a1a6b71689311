"""Which terminals stand where in passing tests.

After an error nobody can tell a lexer that asks the parser (Lark's contextual and dynamic ones)
what is expected, and where several terminals match a text it takes any of them: ``10`` is a number
or the name of a source. In passing tests it was told, and what stood there after what is mostly
what stands here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from gramspect.lexical.rules import Lexeme
from gramspect.recognition.recognizer import ContextualLexing, Tokenizing
from gramspect.running.observing import silenced, tokens_of
from gramspect.suites.suite import Expectation, TestCase

__all__ = ["Habits"]

MOST_TESTS = 100
"""How many passing tests are read."""


@dataclass(frozen=True)
class Habits:
    """How often each terminal, and each pair of neighbours, is in passing tests."""

    single: Counter[int] = field(default_factory=Counter)
    pairs: Counter[tuple[int, int]] = field(default_factory=Counter)

    @staticmethod
    def of(recognizer: object, passing: Iterable[TestCase]) -> Habits:
        """Those of tests that are accepted; none if the lexer asks nobody."""
        found = Habits()
        if not isinstance(recognizer, ContextualLexing) or not isinstance(recognizer, Tokenizing):
            return found
        accepted = [test for test in passing if test.expectation is Expectation.ACCEPT]
        for test in accepted[:: max(1, -(-len(accepted) // MOST_TESTS))]:
            tokens = tokens_of(recognizer, test)
            if tokens is not None:
                found.single.update(tokens)
                found.pairs.update(pairwise(tokens))
        return found

    def read(
        self,
        recognizer: ContextualLexing,
        text: str,
        lexemes: Sequence[Lexeme],
        tokens: Sequence[int],
        error: int,
    ) -> list[int]:
        """The tokens, from the error on as passing tests have them after the one before.

        Keywords are no names.
        """
        read = list(tokens)
        with silenced():
            for place in range(error, min(len(lexemes), len(tokens))):
                piece = text[lexemes[place].start : lexemes[place].end]
                words = recognizer.keywords(piece)
                if read[place] not in words:
                    alike = words or recognizer.matching(piece)
                    before = read[place - 1] if place else -1
                    read[place] = self._likeliest(read[place], alike, before)
        return read

    def _likeliest(self, token: int, alike: Sequence[int], before: int) -> int:
        """The one most often after the token before, then the most frequent, then this one."""
        chosen = alike if token not in alike else [token, *alike]
        return max(
            chosen or [token], key=lambda other: (self.pairs[before, other], self.single[other])
        )
