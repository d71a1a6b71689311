"""Patterns as people write them: texts of the language with ``<name>`` for what is abstract.

``((<expr>))`` is a pattern of two nested parentheses around any expression. It is read by the
grammar: the texts between the names are cut into tokens by the tool's lexer, or, where there is
none, at blanks and into the longest texts that name a token. ``<name>`` is abstract if the grammar
has a non-terminal of that name; otherwise, and with a blank after the ``<``, it is text.

A token whose text is written is one with that text: ``<term> / 0`` is about zeros. ``<NUMBER>`` is
any token of that kind. Where the lexer knows no other text of a kind, or there is no lexer, tokens
count by their kind only, as those of keywords do, in whatever letters.

The root of a pattern is its lowest node with all of it below. So ``((<expr>))`` is a pattern of a
factor, not of the whole input that consists of it. A root that is named is taken as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import groupby

from gramspect.algebra.lexer_texts import LexerTexts, token_texts
from gramspect.algebra.patterns import FixedText, Outline, Pattern, leaves, outline
from gramspect.algebra.placeholders import with_placeholders
from gramspect.algebra.trees import first_tree
from gramspect.errors import GramspectError
from gramspect.generation.sources import END_OF_FILE
from gramspect.generation.texts import SampleTexts, Spacing
from gramspect.generation.words import Texts, TokenNames
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Symbol
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.recognizer import Lexing, Recognizer
from gramspect.recognition.tokens import UNKNOWN

__all__ = ["Notation"]

_ABSTRACT = re.compile(r"<([^<>\s]+)>")
_SAMPLES = 6
"""How many texts of a token the lexer is asked for to see whether there are several."""

_Word = tuple[int, str | None]
"""A symbol; of a token the text that is fixed, if one is."""


@dataclass(frozen=True, eq=False)
class Notation:
    """How the patterns of one grammar are written and read.

    `texts` makes texts of token sequences, `lexer` cuts texts into tokens; without it, texts are
    words that name tokens. `silent` are terminals that have no text (ANTLR's EOF).
    """

    grammar: Grammar
    texts: Texts
    lexer: Lexing | None = None
    silent: Collection[int] = field(default=())

    @classmethod
    def of(
        cls, grammar: Grammar, texts: Texts | None = None, parser: Recognizer | None = None
    ) -> Notation:
        """The notation of a grammar, with the lexer of its parser if that can be run by itself.

        `texts` are those of the grammar's tokens; without them, the lexer is asked for samples.
        """
        if isinstance(texts, TokenNames) or not isinstance(parser, Lexing):
            texts = TokenNames(grammar) if texts is None else texts
            return cls(grammar, texts, None, texts.silent)
        if texts is not None:
            return cls(grammar, texts, parser, texts.silent)
        silent = frozenset(s.index for s in grammar.terminals if s.name in END_OF_FILE)
        return cls(grammar, LexerTexts(parser, silent), parser, silent)

    # --- texts of tokens -----------------------------------------------------------------

    def other_text(self, terminal: int, texts: Collection[str]) -> str | None:
        """A text of a terminal that is none of these, upper and lower case alike; None if the lexer
        knows none."""
        if self.lexer is None:
            return None
        same = {text.casefold() for text in texts}
        samples = self.lexer.samples(terminal, _SAMPLES + len(texts))
        return next((text for text in samples if text.casefold() not in same), None)

    def _varies(self, terminal: int) -> bool:
        """Whether the lexer knows several texts of a terminal."""
        first = self.other_text(terminal, ())
        return first is not None and self.other_text(terminal, (first,)) is not None

    def samples(self, most: int) -> dict[int, Sequence[str]]:
        """Texts of terminals, as far as a lexer knows any; those without a text of their own have
        the empty one."""
        if not isinstance(self.texts, LexerTexts):
            return {}
        found = {s.index: self.texts.samples(s.index, most) for s in self.grammar.terminals}
        return {t: texts for t, texts in found.items() if texts} | dict.fromkeys(self.silent, ("",))

    # --- writing -------------------------------------------------------------------------

    def text(self, pattern: Pattern) -> str:
        """A pattern on one line. Tokens without a known text are shown by their names."""
        return self._written(pattern, self._varies)

    def sentence(self, pattern: Pattern) -> str:
        """An input that has a pattern, on one line, with some text for each token."""
        return self._written(pattern, lambda _: False)

    def _written(self, pattern: Pattern, abstract: Callable[[int], bool]) -> str:
        """A pattern in which tokens of some kinds whose text is not fixed are abstract."""
        fixed = {(each.node, each.position): each.text for each in pattern.texts}
        found = [
            (symbol, fixed.get((node, position)))
            for symbol, node, position in leaves(self.grammar, pattern)
        ]
        named = {s for s in {s for s, text in found if text is None}
                 if not self.grammar.is_terminal(s) or abstract(s)}  # fmt: skip
        pieces: list[str] = []
        for is_abstract, words in groupby(found, lambda w: w[1] is None and w[0] in named):
            if is_abstract:
                pieces += [f"<{self.grammar.symbols[symbol].display}>" for symbol, _ in words]
            elif piece := self._piece(list(words)):
                pieces.append(piece)
        return " ".join(pieces) if self.lexer is None else "".join(_spaced(pieces))

    def _piece(self, tokens: Sequence[_Word]) -> str:
        if any(text is None and token in self.texts.missing for token, text in tokens):
            return " ".join(text or self.grammar.symbols[t].display for t, text in tokens)
        if all(text is None for _, text in tokens):
            return self.texts.text([token for token, _ in tokens])
        numbers = {word: number for number, word in enumerate(dict.fromkeys(tokens))}
        texts = SampleTexts(
            {n: [text or self.texts.text([token])] for (token, text), n in numbers.items()},
            silent={n for (token, _), n in numbers.items() if token in self.silent},
            lexed=None if self.lexer is None else self.lexer.lexed,
            read_as={n: (token,) for (token, _), n in numbers.items()},
            spacing=Spacing.LEAST,
        )
        return texts.text([numbers[word] for word in tokens])

    # --- reading -------------------------------------------------------------------------

    def parse(self, text: str, symbol: str | None = None) -> Pattern:
        """The pattern that a text stands for, with the root `symbol` if one is named.

        Of several trees the first is taken (`gramspect.algebra.trees`).

        Raises:
            GramspectError: the grammar has no such symbol, or derives no such text.
        """
        root = None if symbol is None else self.nonterminal(symbol)
        sequence = self._sequence(text)
        abstract = sorted({s for s, _ in sequence if not self.grammar.is_terminal(s)})
        with_roots = with_placeholders(self.grammar, abstract, root)
        for ending in ((), *((terminal,) for terminal in self.silent)):
            tokens = [with_roots.token_for.get(s, s) for s in (*(s for s, _ in sequence), *ending)]
            chart = parse_chart(with_roots.grammar, tokens)
            if chart.accepted:
                found = with_roots.original(first_tree(chart))
                found = _with_texts(self.grammar, found, [text for _, text in sequence])
                return found if root is not None else _lowest(self.grammar, found)
        where = f"a {self.grammar.symbols[root].display}" if root is not None else "any symbol"
        raise GramspectError(
            f"the pattern {text!r} is not derived from {where} of the grammar"
            f" {self.grammar.name}; a pattern is a text of the language with <name> for any"
            " sentence of that non-terminal"
        )

    def nonterminal(self, name: str) -> int:
        """The non-terminal of that name.

        Raises:
            GramspectError: there is none.
        """
        found = self._nonterminals.get(name)
        if found is None:
            near = get_close_matches(name, self._nonterminals, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise GramspectError(
                f"the grammar {self.grammar.name} has no non-terminal {name!r}{hint}"
            )
        return found

    @cached_property
    def _nonterminals(self) -> dict[str, int]:
        return _by_name(self.grammar.nonterminals)

    @cached_property
    def _abstract(self) -> dict[str, int]:
        """What can stand in angle brackets: all non-terminals, and tokens where texts are read."""
        tokens = {} if self.lexer is None else _by_name(self.grammar.terminals)
        return tokens | self._nonterminals

    def _sequence(self, text: str) -> list[_Word]:
        """The terminals of a text, and its abstract symbols."""
        found: list[_Word] = []
        end = 0
        unknown: list[str] = []
        for name in _ABSTRACT.finditer(text):
            symbol = self._abstract.get(name[1])
            if symbol is None:
                unknown.append(name[1])
                continue
            found += [*self._tokens(text, text[end : name.start()], unknown), (symbol, None)]
            end = name.end()
        return found + self._tokens(text, text[end:], unknown)

    def _tokens(self, whole: str, piece: str, unknown: Sequence[str]) -> list[_Word]:
        """The terminals of a text between abstract names; `unknown` are names among them."""
        if not piece.strip():
            return []
        tokens = self._words(piece) if self.lexer is None else self.lexer.lexed([piece])[0]
        if tokens is None or UNKNOWN in tokens:
            if unknown:
                self.nonterminal(unknown[-1])  # which says what it is near to
            raise GramspectError(
                f"the pattern {whole!r} has no tokens of the grammar {self.grammar.name} in"
                f" {piece.strip()!r}"
            )
        if self.lexer is None or not any(map(self._varies, set(tokens))):
            return [(token, None) for token in tokens]
        texts = token_texts(self.lexer, piece, tokens)
        if texts is None:
            raise GramspectError(
                f"the pattern {whole!r}: the lexer does not tell which text each token of"
                f" {piece.strip()!r} has; write <NAME> for tokens that may have any text"
            )
        return [
            (token, text if self.other_text(token, (text,)) is not None else None)
            for token, text in zip(tokens, texts, strict=True)
        ]

    def _words(self, piece: str) -> list[int] | None:
        found = []
        for word in piece.split():
            tokens = self._word(word)
            if tokens is None:
                return None
            found += tokens
        return found

    def _word(self, word: str) -> list[int] | None:
        """The terminals of a word that has no blanks, the longest texts first."""
        found, place = [], 0
        while place < len(word):
            ends = range(len(word), place, -1)
            known = ((end, self.grammar.token(word[place:end])) for end in ends)
            end, token = next(((e, t) for e, t in known if t is not None), (0, None))
            if token is None:
                return None
            found.append(token)
            place = end
        return found


def _by_name(symbols: Sequence[Symbol]) -> dict[str, int]:
    """Symbols by their names, and by how they are shown."""
    found = {symbol.display: symbol.index for symbol in reversed(symbols)}
    return found | {symbol.name: symbol.index for symbol in reversed(symbols)}


def _with_texts(grammar: Grammar, pattern: Pattern, texts: Sequence[str | None]) -> Pattern:
    """A pattern with texts of its leaves, from left to right; the last ones may be left out."""
    placed = zip(leaves(grammar, pattern), texts, strict=False)
    fixed = (FixedText(at.node, at.position, text) for at, text in placed if text is not None)
    return replace(pattern, texts=tuple(sorted(fixed)))


def _spaced(pieces: Sequence[str]) -> Iterator[str]:
    """Pieces with blanks between them, but for those inside brackets and before commas."""
    last = ""
    for piece in pieces:
        if last and last[-1] not in "([{." and piece[0] not in ")]},;.":
            yield " "
        yield piece
        last = piece


def _lowest(grammar: Grammar, pattern: Pattern) -> Pattern:
    """The pattern below the lowest node that has the whole frontier."""
    shape = outline(grammar, pattern)
    node: int | None = 0
    lowest = 0
    while node is not None:
        lowest = node
        node = next((c for c in shape.children(node) if _spans(shape, c)), None)
    return pattern.subtree(shape, lowest)


def _spans(shape: Outline, node: int) -> bool:
    return shape.firsts[node] == 0 and shape.lasts[node] == len(shape.frontier) > 0
