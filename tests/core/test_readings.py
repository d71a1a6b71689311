"""Other tokens that a text may be meant as, from a lexer that is written down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest

from gramspect import Grammar
from gramspect.edits.habits import Habits
from gramspect.edits.model import NEW_TOKEN
from gramspect.edits.readings import Reading, Vocabulary, other_readings, swallowed
from gramspect.lexical.rules import LexedText, Lexeme, Splice, TokenRule
from gramspect.suites.suite import Expectation, TestCase

GRAMMAR = Grammar.from_rules(
    [("s", ["IF", "ID", "s"]), ("s", ["ID", "=", "ID", ";"]), ("s", ["AND", "ID", ";"])]
)


@dataclass(frozen=True)
class Words:
    """Words between blanks: the names of terminals in lower case, all else names."""

    contextual: bool = False

    def token_rules(self) -> Sequence[TokenRule]:
        return ()

    def lexing(self, test: TestCase, splices: Sequence[Splice] = ()) -> LexedText:
        lexemes, place = [], 0
        for word in test.text.split():
            place = test.text.index(word, place)
            lexemes.append(Lexeme(self.terminal(word), place, place + len(word)))
            place += len(word)
        return LexedText(lexemes)

    def terminal(self, word: str) -> int:
        name = word.upper() if word in ("if", "and") else word if word in "=;" else "ID"
        return GRAMMAR.symbol("ID" if self.contextual and name == "AND" else name)

    def tokens(self, text: str) -> list[int]:
        return [self.terminal(word) for word in text.split()]


class Contextual(Words):
    def keywords(self, text: str) -> Sequence[int]:
        return [GRAMMAR.symbol("AND")] if text == "and" else []

    def matching(self, text: str) -> Sequence[int]:
        return [*self.keywords(text), GRAMMAR.symbol("ID")] if text.isalpha() else []


def readings(
    text: str, error: int, passing: Sequence[str] = (), failing: Sequence[str] = ()
) -> list[Reading]:
    words = Words()
    return list(other_readings(GRAMMAR, words, case(text), words.tokens(text), error,
                               vocabulary(passing, [text, *failing])))  # fmt: skip


def case(text: str) -> TestCase:
    return TestCase("t", Expectation.ACCEPT, text)


def vocabulary(passing: Sequence[str], failing: Sequence[str]) -> Vocabulary:
    return Vocabulary.of(Words(), map(case, passing), map(case, failing))


class Translated(Words):
    """`when` is the keyword IF, whose name says nothing of it."""

    def terminal(self, word: str) -> int:
        return super().terminal("if" if word == "when" else word)


def test_a_word_is_no_new_token_where_the_lexer_reads_no_other_like_it() -> None:
    lexer, text = Translated(), "when whale = x ;"
    tokens, known = lexer.tokens(text), vocabulary(["x = x ;"], [text])
    found = other_readings(GRAMMAR, lexer, case(text), tokens, 1, known)
    assert [one.text for one in found] == ["whale"]


def test_a_word_near_the_error_may_be_a_new_token_wherever_it_is() -> None:
    (one,) = readings("loop x = loop x ;", 1, passing=["x = x ;"])
    new, name = NEW_TOKEN, GRAMMAR.symbol("ID")
    assert (one.text, list(one.tokens)) == (
        "loop", [new, name, GRAMMAR.symbol("="), new, name, GRAMMAR.symbol(";")],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("passing", "failing", "words"),
    [
        ((), (), ["yy", "xx"]),  # those nearest to the error, two at most
        (["xx = yy ;"], (), ["loop"]),
        (["loop = xx ;"], (), ["yy"]),
        ((), ["loop z"], ["loop"]),  # the one that most failing tests have
        (["loop = xx ; yy"], (), []),
    ],
)
def test_which_words_are_tried(
    passing: Sequence[str], failing: Sequence[str], words: list[str]
) -> None:
    assert [one.text for one in readings("loop xx yy", 2, passing, failing)] == words


def test_a_keyword_is_no_name() -> None:
    assert [one.text for one in readings("if if = x ;", 1)] == []


def test_a_word_that_several_tests_have_may_be_far_from_the_error() -> None:
    text = "loop = = = = = = ;"
    assert readings(text, 7) == []
    assert [one.text for one in readings(text, 7, failing=["loop ; ;"])] == ["loop"]


def pieces(*found: tuple[str, str]) -> tuple[Pieces, str]:
    """A lexer that reads terminals with their texts, which stand as they are given."""
    text, lexemes = "", []
    for name, piece in found:
        start = len(text) + (len(piece) - len(piece.lstrip()))
        text += piece
        lexemes.append(Lexeme(GRAMMAR.symbol(name), start, len(text)))
    return Pieces(tuple(lexemes)), text


@dataclass(frozen=True)
class Pieces:
    lexemes: tuple[Lexeme, ...]

    def token_rules(self) -> Sequence[TokenRule]:
        return ()

    def lexing(self, test: TestCase, splices: Sequence[Splice] = ()) -> LexedText:
        return LexedText(self.lexemes)


@pytest.mark.parametrize(
    ("found", "error", "merged"),
    [
        ([("ID", "x"), ("=", " ="), ("=", "=")], 2, "=="),
        ([("ID", "x"), ("=", " !"), ("ID", "in"), ("ID", " y")], 3, "!in"),  # what is before it
        ([("ID", '""'), ("ID", '"x"'), ("ID", '""')], 1, '""' + '"x"' + '""'),
        ([("ID", "x"), ("=", " ="), ("ID", "y")], 2, None),  # no mark
        ([("ID", "x"), ("=", " !"), ("ID", " in")], 2, None),  # a blank
        ([("=", " [")] * 2, 1, None),  # brackets
    ],
)
def test_tokens_that_touch_may_be_one(
    found: Sequence[tuple[str, str]], error: int, merged: str | None
) -> None:
    lexer, text = pieces(*found)
    tokens = [lexeme.terminal for lexeme in lexer.lexemes]
    known = vocabulary([text], [])  # no word of it is new
    readings = list(other_readings(GRAMMAR, lexer, case(text), tokens, error, known))
    assert [one.text for one in readings] == ([] if merged is None else [merged])


@pytest.mark.parametrize(("passing", "surprising"), [("x != y", True), ("x = !y", False)])
def test_that_a_sign_touches_the_next_one_is_no_surprise_where_it_mostly_does(
    passing: str, surprising: bool
) -> None:
    lexer, text = pieces(("ID", "x"), ("=", " !"), ("ID", "in"), ("ID", " y"))
    tokens = [lexeme.terminal for lexeme in lexer.lexemes]
    known = vocabulary([text.replace("!in", "in"), passing], [])
    (one,) = other_readings(GRAMMAR, lexer, case(text), tokens, 3, known)
    assert (one.text, one.cost < 0) == ("!in", surprising)


def test_what_is_merged_is_merged_wherever_it_is() -> None:
    lexer, text = pieces(*[("ID", "x"), ("=", " !"), ("ID", "in"), ("ID", " y")] * 2)
    tokens = [lexeme.terminal for lexeme in lexer.lexemes]
    (one,) = other_readings(GRAMMAR, lexer, case(text), tokens, 3, vocabulary([text], []))
    name = GRAMMAR.symbol("ID")
    assert list(one.tokens) == [name, NEW_TOKEN, name] * 2


def test_after_an_error_a_keyword_is_none_of_the_names() -> None:
    lexer = Contextual(contextual=True)
    text, known = "if = and ;", vocabulary(["if and"], [])
    (one,) = other_readings(GRAMMAR, lexer, case(text), lexer.tokens(text), 1, known)
    assert list(one.tokens) == Words().tokens(text)
    assert (one.text, one.cost) == ("", 0.0)


def test_after_an_error_a_text_is_what_it_is_in_passing_tests() -> None:
    passing = [case("10 rows"), case("10")]
    lexer = Ambiguous()
    habits = Habits.of(lexer, passing)
    text = "; 10 rows"
    read = habits.read(lexer, text, lexer.lexing(case(text)).lexemes, [2, 1, 1], 1)
    assert read == [2, 0, 1]


class Ambiguous(Words):
    """Terminal 0 is a number and 1 is anything; only passing tests know numbers."""

    def tokens(self, test: TestCase) -> list[int]:  # type: ignore[override]
        return [0 if word.isdigit() else 1 for word in test.text.split()]

    def keywords(self, text: str) -> Sequence[int]:
        return []

    def matching(self, text: str) -> Sequence[int]:
        return [1, 0] if text.isdigit() else [1]


def test_a_pattern_that_takes_phrases_costs_more() -> None:
    texts = [", bar with max", "'a b'", "x_1", "\n  ", "# a b", "not in"]
    starts = [sum(map(len, texts[:place])) for place in range(len(texts) + 1)]
    lexemes = [Lexeme(0, start, end) for start, end in pairwise(starts)]
    assert swallowed("".join(texts), lexemes) == [2.0, 0.0, 0.0, 0.0, 0.0, 1.0]


def test_a_contextual_lexer_may_have_read_a_keyword_as_a_name() -> None:
    lexer = Contextual(contextual=True)
    text, known = "if x and y ;", vocabulary(["x and y ;"], [])
    (one,) = other_readings(GRAMMAR, lexer, case(text), lexer.tokens(text), 3, known)
    assert list(one.tokens) == Words().tokens(text)
    assert one.text == ""
