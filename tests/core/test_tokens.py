"""Token sequences: words, terminals and positions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramspect.grammars.ebnf import Alternative, Definition, Reference, Token
from gramspect.grammars.grammar import expand
from gramspect.recognition.tokens import UNKNOWN, split_tokens
from gramspect.recognition.trace import ErrorKind

TOKENS = [Token("ID"), Token("'+'", spellings=("+",)), Token("WHILE", spellings=("while", '"w"'))]
GRAMMAR = expand(
    [Definition("s", (Alternative(tuple(Reference(token.name) for token in TOKENS)),))],
    tokens=TOKENS,
)


def test_words_name_terminals_by_name_alias_or_literal() -> None:
    tokens = split_tokens(GRAMMAR, "ID + '+'\twhile\r\nWHILE nix")
    names = [GRAMMAR.symbols[t].name if t != UNKNOWN else "?" for t in tokens.terminals]
    assert names == ["ID", "'+'", "'+'", "WHILE", "WHILE", "?"]


def test_names_instead_of_text() -> None:
    tokens = split_tokens(GRAMMAR, ("ID", "a b"))
    assert list(tokens.terminals) == [GRAMMAR.token("ID"), UNKNOWN]
    assert tokens.position(1) == (None, None)
    assert tokens.error(1).message == "unknown token 'a b'"


@pytest.mark.parametrize(
    ("text", "token", "place"),
    [
        ("", 0, (1, 1)),
        (" \n ", 0, (1, 1)),
        ("ID", 0, (1, 1)),
        ("ID", 1, (1, 3)),
        ("ID\n\n", 1, (1, 3)),
        ("\n  ID\r\n\tID", 0, (2, 3)),
        ("\n  ID\r\n\tID", 1, (3, 2)),
    ],
)
def test_positions(text: str, token: int, place: tuple[int, int]) -> None:
    assert split_tokens(GRAMMAR, text).position(token) == place


@given(st.lists(st.sampled_from(["ID", "+", "x"]), min_size=1), st.data())
def test_every_position_is_where_the_word_is(words: list[str], data: st.DataObject) -> None:
    spaces = st.text(" \t\n", min_size=1, max_size=3)
    text = "".join(word + data.draw(spaces) for word in words)
    tokens = split_tokens(GRAMMAR, text)
    for index, word in enumerate(words):
        line, column = tokens.position(index)
        assert line is not None
        assert column is not None
        assert text.split("\n")[line - 1][column - 1 :].startswith(word)


def test_errors() -> None:
    tokens = split_tokens(GRAMMAR, "ID + whlie")
    assert tokens.error(1).message == "unexpected '+'"
    assert tokens.error(1).kind is ErrorKind.SYNTAX
    assert tokens.error(2).message == "unknown token 'whlie' (did you mean 'while'?)"
    assert tokens.error(2).kind is ErrorKind.LEXICAL
    end = tokens.error(3)
    assert (end.message, end.token, end.line, end.column) == ("unexpected end of input", 3, 1, 11)


def test_a_long_word_is_shortened() -> None:
    message = split_tokens(GRAMMAR, "x" * 1_000_000).error(0).message
    assert message == f"unknown token '{'x' * 37}...'"
