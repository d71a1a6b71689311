"""The tokens of a text after its first error, and text that no terminal matches."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark_cases import Load, text_test

from gramspect import LoadOptions, TestSuite, localize
from gramspect.edits.validation import Status
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Recognizer, Tokenizing, TokenRuleKnowing

BOTH = pytest.mark.parametrize("name", ["lark-lalr", "lark-earley"])

TYPED = r"""
start: declaration+
declaration: "var" NAME "=" NAME ";"
           | "var" NAME ":" TYPE ";"
TYPE.2: /[a-z]+(\[\])?/
NAME: /[a-z]+/
%ignore " "
"""
"""TYPE has the higher priority, so Lark's basic lexer never makes a NAME."""

KEYS = r"""
start: "keys" ":" key+ "."
key: "alpha" | "beta" | "gamma"
%ignore " "
"""


def names(parser: Recognizer, text: str) -> list[str]:
    assert isinstance(parser, Tokenizing)
    tokens = parser.tokens(text_test(text))
    assert tokens is not None
    return [name_of(parser.grammar, token) for token in tokens]


def name_of(grammar: Grammar, token: int) -> str:
    return grammar.symbols[token].display if token >= 0 else "?"


@BOTH
def test_after_an_error_the_token_before_says_what_comes(load: Load, name: str) -> None:
    found = names(load(name, TYPED), "var a = ; var b = c; var d : e;")
    rest = found[found.index('";"') + 1 :]
    assert rest == [
        '"var"', "NAME", '"="', "NAME", '";"', '"var"', "NAME", '":"', "TYPE", '";"',
    ]  # fmt: skip


@BOTH
@pytest.mark.parametrize("text", ["var a = ; var b = c; var d : e;", "a var b = c;", "var a"])
def test_where_the_tokens_are_in_the_text_is_known_after_an_error_too(
    load: Load, name: str, text: str
) -> None:
    parser = load(name, TYPED)
    assert isinstance(parser, Tokenizing)
    assert isinstance(parser, TokenRuleKnowing)
    found = parser.lexing(text_test(text))
    assert found is not None
    assert [lexeme.terminal for lexeme in found.lexemes] == parser.tokens(text_test(text))
    assert "".join(text[one.start : one.end] for one in found.lexemes) == text.replace(" ", "")


@BOTH
def test_text_in_quotes_is_one_unknown_token(load: Load, name: str) -> None:
    parser = load(name, KEYS)
    assert names(parser, "keys: alpha 'x, (y' beta .") == [
        '"keys"', '":"', '"alpha"', "?", '"beta"', '"."',
    ]  # fmt: skip
    found = names(parser, "keys: 'x beta .")  # where the text would end is not known
    assert found == ['"keys"', '":"', "?", "?", '"beta"', '"."']


CONTEXTS = r"""
start: (get | from)+
get: "get" NUMBER ";"
from: "from" SOURCE "limit" NUMBER ";"
NUMBER: /[0-9]+/
SOURCE.2: /[0-9a-z]+/
%ignore " "
"""
"""After an error nobody says whether 10 is a number or a source."""


@BOTH
def test_after_an_error_texts_are_what_they_are_in_passing_tests(tmp_path: Path, name: str) -> None:
    (tmp_path / "q.lark").write_text(CONTEXTS)
    (tmp_path / "pass.txt").write_text("get 1;\nfrom abc limit 10;\nget 10;\n")
    (tmp_path / "fail.txt").write_text("get limit 10;\n")
    suite = TestSuite.load([tmp_path / "pass.txt", tmp_path / "fail.txt"], lines=True)
    result = localize(tmp_path / "q.lark", suite, load=LoadOptions(adapter=name), group=True)
    assert result.ranking[0].nonterminal == "get"
    edit = result.proposals_for(result.ranking[0])[0].edit
    assert edit.describe(result.grammar) == 'also allow "limit" before NUMBER'


@BOTH
def test_where_nothing_expected_matches_the_most_used_terminal_is_taken(
    load: Load, name: str
) -> None:
    found = names(load(name, TYPED), "a var b = c;")
    assert found == ["NAME", '"var"', "NAME", '"="', "NAME", '";"']


@BOTH
def test_text_without_a_terminal_is_one_unknown_token(load: Load, name: str) -> None:
    found = names(load(name, KEYS), "keys: alpha delta-x beta .")
    assert found == ['"keys"', '":"', '"alpha"', "?", '"beta"', '"."']


@BOTH
def test_a_keyword_that_the_lexer_lacks_is_missed_in_the_rule_that_lists_its_like(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "keys.lark").write_text(KEYS)
    texts = ["keys: alpha .", "keys: beta gamma .", "keys: alpha delta beta ."]
    (tmp_path / "accept.txt").write_text("\n".join(texts))
    suite = TestSuite.load(accept=[tmp_path / "accept.txt"], lines=True)
    result = localize(tmp_path / "keys.lark", suite, load=LoadOptions(adapter=name), group=True)
    key = next(element for element in result.ranking if element.nonterminal == "key")
    assert key.rank <= 2
    edit = result.proposals_for(key)[0].edit
    assert edit.describe(result.grammar) == 'add the alternative "delta"'
    (suggestion,) = [s for s in result.suggestions if s.edit.key == edit.key]
    assert suggestion.change is not None
    assert '| "delta"' in suggestion.change.diff()
    assert suggestion.status is Status.VALIDATED


LOCKS = r"""
start: item*
item: NAME "=" NAME ";" | "lock" NAME "{" item "}"
NAME: /[a-z]+/
%ignore " "
"""


@BOTH
def test_a_keyword_is_no_name_of_the_same_length(load: Load, name: str) -> None:
    """The dynamic lexer has both, and the parser had matched both before the error."""
    parser = load(name, LOCKS)
    rest = ["NAME", '"="', "NAME", '";"']
    found = names(parser, "lock a { b = c; d = e; }")
    assert found == ['"lock"', "NAME", '"{"', *rest, *rest, '"}"']


def test_a_name_that_is_spelled_like_a_keyword_stays_one(load: Load) -> None:
    """Only the dynamic lexer can read it so."""
    assert names(load("lark-earley", LOCKS), "lock = a; b") == [
        "NAME",
        '"="',
        "NAME",
        '";"',
        "NAME",
    ]
