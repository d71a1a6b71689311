"""Other tokens that a text may be meant as, from a lexer that is written down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from gramspect import Grammar
from gramspect.edits.model import NEW_TOKEN
from gramspect.edits.readings import Reading, Vocabulary, other_readings
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
        return [*self.keywords(text), GRAMMAR.symbol("ID")]


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


def test_a_contextual_lexer_may_have_read_a_keyword_as_a_name() -> None:
    lexer = Contextual(contextual=True)
    text, known = "if x and y ;", vocabulary(["x and y ;"], [])
    (one,) = other_readings(GRAMMAR, lexer, case(text), lexer.tokens(text), 3, known)
    assert list(one.tokens) == Words().tokens(text)
    assert one.text == ""
