"""Other tokens that the text of a failing test may be meant as.

An edit changes what the lexer makes of a text, so the tokens of the faulty grammar may be those
that no good edit accepts:

* **Text that the lexer has cut.** Where a language has got ``**=``, a lexer that does not know it
  reads ``*`` and ``*=``. No edit with those two says what is missing; one with a new token does.
  So it is with ``!in``, read as a sign and a word, and with text in three quotes on each side.
* **New keywords.** A language has got a keyword that the lexer does not know and reads as a name.
  So a word near the error that no passing test has may be a new token, wherever the text has it.
* **Terminals that look alike.** After an error nobody says which of several terminals a text is
  (`gramspect.edits.habits`).
* **Keywords that it has read as names.** A lexer that asks the parser what may come next (Lark's
  contextual and dynamic ones) reads ``and`` as a name where no ``and`` may stand. The parser goes
  on, and stops at a token that is none of the trouble. Or the word is right after the error, where
  nobody can be asked. In the mended grammar it is a keyword.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import log
from typing import NamedTuple

from gramspect.edits.habits import Habits
from gramspect.edits.model import LESS_LIKELY, NEW_TOKEN, Edit
from gramspect.edits.new_words import lexing_of
from gramspect.grammars.grammar import Grammar
from gramspect.lexical.rules import Lexeme
from gramspect.recognition.recognizer import ContextualLexing, TokenRuleKnowing
from gramspect.running.observing import silenced
from gramspect.suites.suite import Expectation, TestCase

__all__ = ["Reading", "Vocabulary", "other_readings"]

OTHERWISE = -1.0
"""What an edit costs more if the text must be read otherwise: less, for that one edit with it mends
the input is rarely chance. Chosen by cross-validation over grammars (docs/realfaults.md). A new
word saves `_surprise` beside it."""
AS_USUAL = 0.25
"""The same for a new token of signs that stand as they stand in passing tests, too."""
MOST_MERGED = 3
"""Tokens that are read as one, at most."""
FURTHEST = 3
"""How many tokens before the error may be keywords, and how many from there on."""
FURTHEST_SHARED = 16
"""How many may be new ones, if several failing tests have the word."""
MOST_KEYWORDS = 2
"""How many readings with a keyword there are, and how many with a new one."""
_SIGNS = re.compile(r"[^\w\s()\[\]{}<>;,'\"]+|[<>]")
"""Quotes are no operators, and brackets are written side by side anyway."""
_MARK = re.compile(r"[!?@#$&%~^`\\]")
"""Signs that may begin a word."""
_BLANK, _PIECE = re.compile(r"\s"), re.compile(r"\w+|[^\w\s]+")
_IN_QUOTES = re.compile(r"""\w{0,2}["'`/#]|--|<!--""")
"""Strings, perhaps with a prefix, and comments."""
_QUOTED = re.compile(r"""(["']).*\1""", re.S)
_WORD = re.compile(r"\b[^\W\d]{2,}\b")
"""Keywords have two letters or more, and no digits."""


class Reading(NamedTuple):
    """The tokens of an input, and the text of a new one among them, if there is one.

    `texts` has the text of every new one, in order, where the lexer cannot read them.
    `swallowed` has what each token costs more as a new symbol (`swallowed`), nothing where that is
    not known.
    """

    tokens: Sequence[int]
    text: str = ""
    cost: float = OTHERWISE
    swallowed: Sequence[float] = ()
    texts: Sequence[str] = ()

    def suits(self, edit: Edit) -> bool:
        """Whether an edit can be meant that fits these tokens: it has the new one, if any."""
        return not self.text or (NEW_TOKEN in edit.symbols and edit.text in ("", self.text))

    def paid(self, edit: Edit) -> Edit:
        """An edit that fits these tokens, at its cost with this reading."""
        texts = (self.text,) if self.text else ()
        return replace(edit, cost=edit.cost + self.cost, texts=texts, reading=self.cost)


@dataclass(frozen=True)
class Vocabulary:
    """The words of passing tests, and those of failing ones with in how many each is.

    What is rightly rejected says nothing: a new token may be wrong in one place only.
    """

    passing: frozenset[str]
    failing: Counter[str]
    habits: Habits = field(default_factory=Habits)
    """Which terminals stand where in the passing tests."""
    texts: tuple[str, ...] = field(default=(), repr=False)
    """The texts of passing tests."""

    @staticmethod
    def of(
        recognizer: object, passing: Iterable[TestCase], failing: Iterable[TestCase]
    ) -> Vocabulary:
        tests = tuple(test for test in passing if test.expectation is Expectation.ACCEPT)
        known = frozenset(word for test in tests for word in _WORD.findall(test.text))
        of_failing = (set(_WORD.findall(test.text)) for test in failing)
        words = Counter(word for words in of_failing for word in words)
        texts = tuple(test.text for test in tests)
        return Vocabulary(known, words, Habits.of(recognizer, tests), texts)

    def has_touching(self, sign: str) -> bool:
        """Whether a passing test has a sign right before a word or a text in quotes."""
        touching = re.compile(re.escape(sign) + r"[\w\"']")
        return any(touching.search(text) for text in self.texts)


def other_readings(
    grammar: Grammar,
    recognizer: object,
    test: TestCase,
    tokens: Sequence[int],
    error: int,
    vocabulary: Vocabulary,
) -> Iterator[Reading]:
    """What the text of a test may be read as, which the parser rejects at token number `error`.

    Nothing if it is not known where the tokens are in the text.
    """
    lexemes = lexemes_of(recognizer, test, tokens, error + MOST_MERGED)
    if not lexemes:
        return
    phrases = swallowed(test.text, lexemes)
    contextual = recognizer if isinstance(recognizer, ContextualLexing) else None
    if contextual is not None:
        usual = vocabulary.habits.read(contextual, test.text, lexemes, tokens, error)
        if usual != list(tokens):
            yield Reading(usual, cost=0.0, swallowed=phrases)
            tokens = usual
    yield from _merged(test.text, lexemes, tokens, error, vocabulary)
    if contextual is not None:
        found = _with_keywords(contextual, test.text, lexemes, tokens, error)
        yield from (r._replace(swallowed=phrases) for r in islice(found, MOST_KEYWORDS))
    new = _with_new_words(grammar, recognizer, test, lexemes, tokens, error, vocabulary)
    words = (
        r._replace(swallowed=phrases)
        for r in new
        if not (contextual and contextual.keywords(r.text))
    )
    yield from islice(words, MOST_KEYWORDS)


def swallowed(text: str, lexemes: Sequence[Lexeme]) -> list[float]:
    """What each token costs more as a new symbol: a pattern that takes whole phrases fits anything.

    That is the binary logarithm of the number of words and signs in it, if there are blanks between
    and no quotes around.
    """
    return [_phrase(text[one.start : one.end].strip()) for one in lexemes]


def _phrase(text: str) -> float:
    if not _BLANK.search(text) or _IN_QUOTES.match(text):
        return 0.0
    return log(max(1, len(_PIECE.findall(text))), 2)


def lexemes_of(
    recognizer: object, test: TestCase, tokens: Sequence[int], end: int
) -> Sequence[Lexeme]:
    """Where the tokens are in the text, up to what the lexer cannot read.

    Nothing if it reads those before number `end` otherwise.
    """
    if not isinstance(recognizer, TokenRuleKnowing):
        return ()
    with silenced():
        lexing = recognizer.lexing(test)
    if lexing is None:
        return ()
    read = [lexeme.terminal for lexeme in lexing.lexemes[:end]]
    return lexing.lexemes if read == list(tokens[: len(read)]) else ()


def _merged(
    text: str,
    lexemes: Sequence[Lexeme],
    tokens: Sequence[int],
    error: int,
    vocabulary: Vocabulary,
) -> Iterator[Reading]:
    """With the two or three tokens at the error that touch as a new one, wherever they are.

    If the offending token touches none, those before it. It says little that a sign touches the
    next one if it does so in passing tests. Strings are one new token if they begin with three
    quotes: else the quotes inside of one are doubled.
    """
    for place in range(min(error, len(lexemes) - 1), max(error - 2, -1), -1):
        first = last = place
        while first > 0 and _touch(text, lexemes[first - 1], lexemes[first]):
            first -= 1
        while last + 1 < len(lexemes) and _touch(text, lexemes[last], lexemes[last + 1]):
            last += 1
        if 1 <= last - first < MOST_MERGED:
            begin = text[lexemes[first].start : lexemes[first].end]
            in_quotes = _QUOTED.fullmatch(begin) is not None
            if in_quotes and len(begin) > len('""'):
                return
            usual = not in_quotes and vocabulary.has_touching(begin)
            read = _with_merged(text, lexemes, tokens, range(first, last + 1))
            yield read._replace(cost=AS_USUAL if usual else OTHERWISE)
            return


def _with_merged(
    text: str, lexemes: Sequence[Lexeme], tokens: Sequence[int], merged: range
) -> Reading:
    """With the text of these tokens as a new one, wherever the same is read so."""
    n, wanted = len(merged), text[lexemes[merged[0]].start : lexemes[merged[-1]].end]
    read: list[int] = []
    place = 0
    while place < len(tokens):
        parts = lexemes[place : place + n]
        same = len(parts) == n and text[parts[0].start : parts[-1].end] == wanted
        read.append(NEW_TOKEN if same else tokens[place])
        place += n if same else 1
    return Reading(read, wanted)


def _touch(text: str, one: Lexeme, other: Lexeme) -> bool:
    """Whether two tokens with nothing between may be one: signs, strings, a mark and a word."""
    if one.end != other.start:
        return False
    before, after = text[one.start : one.end], text[other.start : other.end]
    return (
        all(map(_SIGNS.fullmatch, (before, after)))
        or all(map(_QUOTED.fullmatch, (before, after)))
        or (_MARK.fullmatch(before) is not None and _WORD.fullmatch(after) is not None)
    )


def _with_new_words(
    grammar: Grammar,
    recognizer: object,
    test: TestCase,
    lexemes: Sequence[Lexeme],
    tokens: Sequence[int],
    error: int,
    vocabulary: Vocabulary,
) -> Iterator[Reading]:
    """With a word that is near the error as a new token: those that most tests have."""
    text = test.text
    names = _names(grammar, text, lexemes) - _words(recognizer)
    styles = _styles(grammar, text, lexemes)
    found: dict[str, Lexeme] = {}
    for place in range(min(error, len(lexemes) - 1), max(error - FURTHEST_SHARED, 0) - 1, -1):
        word = text[lexemes[place].start : lexemes[place].end]
        if word not in names or word in vocabulary.passing or word in found:
            continue
        if error - place > FURTHEST and vocabulary.failing[word] < 2:
            continue
        if _style(word) in styles:
            found[word] = lexemes[place]
    saved = _surprise(names.difference(found), vocabulary.passing)
    most = 0
    for word in sorted(found, key=lambda word: -vocabulary.failing[word]):
        if vocabulary.failing[word] < most:
            return
        if _may_be_another(recognizer, test, found[word]):
            most = vocabulary.failing[word]
            same = {n for n, one in enumerate(lexemes) if text[one.start : one.end] == word}
            read = [NEW_TOKEN if n in same else token for n, token in enumerate(tokens)]
            yield Reading(read, word, OTHERWISE - saved)


def _words(recognizer: object) -> frozenset[str]:
    """The words that have a token rule: where one is read as a name, it is no new token."""
    rules = recognizer.token_rules() if isinstance(recognizer, TokenRuleKnowing) else ()
    automata = (rule.automaton for rule in rules if rule.terminals and rule.automaton is not None)
    return frozenset(word for automaton in automata for word in automaton.words or ())


def _may_be_another(recognizer: object, test: TestCase, lexeme: Lexeme) -> bool:
    """Whether the lexer reads another word there as the same terminal; if not, it is a keyword."""
    before, after = test.text[: lexeme.start], test.text[lexeme.end :]
    word = test.text[lexeme.start : lexeme.end]
    for other in (word + word[-1], word[0] + word):
        lexed = lexing_of(recognizer, replace(test, text=f"{before}{other}{after}"))
        if lexed is None:
            return True
        wanted = Lexeme(lexeme.terminal, lexeme.start, lexeme.start + len(other))
        if wanted in lexed.lexemes:
            return True
    return False


def _names(grammar: Grammar, text: str, lexemes: Iterable[Lexeme]) -> frozenset[str]:
    """The words of a text that are no keywords."""
    words = ((text[one.start : one.end], one.terminal) for one in lexemes)
    return frozenset(
        w for w, terminal in words if _WORD.fullmatch(w) and not _is_keyword(grammar, terminal, w)
    )


def _surprise(names: Collection[str], known: Container[str]) -> float:
    """What it saves that a word is in no passing test: more if that is rare of names.

    The share of `names` that are in none is how likely the same is of one more; a cost is minus the
    logarithm of a likelihood.
    """
    unknown = sum(name not in known for name in names)
    return -log((unknown + 1) / (len(names) + 2), LESS_LIKELY)


def _is_keyword(grammar: Grammar, terminal: int, word: str) -> bool:
    """Whether a terminal is a keyword, by its name: IF, KW_IF, 'if', IF_WORD."""
    name = "".join(filter(str.isalnum, grammar.symbols[terminal].name if terminal >= 0 else ""))
    letters = word.replace("_", "").lower()
    return name.lower().startswith(letters) or name.lower().endswith(letters)


def _styles(grammar: Grammar, text: str, lexemes: Iterable[Lexeme]) -> frozenset[str]:
    """How keywords are written: as those of the text, and always in small letters."""
    words = ((text[one.start : one.end], one.terminal) for one in lexemes)
    known = [w for w, terminal in words if _WORD.fullmatch(w) and _is_keyword(grammar, terminal, w)]
    return frozenset({"small", *map(_style, known)} if known else {"small", "capital", "mixed"})


def _style(word: str) -> str:
    """Whether a word has small letters, as all have that are written to be reserved (``_Bool``)."""
    if word.islower() or word.startswith("_"):
        return "small"
    return "capital" if word.isupper() else "mixed"


def _with_keywords(
    recognizer: ContextualLexing,
    text: str,
    lexemes: Sequence[Lexeme],
    tokens: Sequence[int],
    error: int,
) -> Iterator[Reading]:
    """With one token near the error as a keyword, those nearest to it first."""
    before = range(min(error, len(lexemes)) - 1, max(error - FURTHEST, 0) - 1, -1)
    after = range(error, min(error + FURTHEST, len(lexemes)))
    for place in (*before, *after):
        word = text[lexemes[place].start : lexemes[place].end]
        for keyword in recognizer.keywords(word):
            if keyword != tokens[place]:
                yield Reading([*tokens[:place], keyword, *tokens[place + 1 :]])
