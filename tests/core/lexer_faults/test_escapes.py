"""Texts in quotes with quotes in them."""

from __future__ import annotations

import pytest

from gramspect.lexer_faults.escapes import BACKSLASH, escaped, masked
from gramspect.lexical.regular import of_regex


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r'"[^"]*"', r'"a\"b" "c"', [(BACKSLASH, r'"a\"b"')]),
        (r'"[^"]*"', r'"\"" + "c"', [(BACKSLASH, r'"\""')]),
        (r'"[^"]*"', r'"\n\"b"', [(BACKSLASH, r'"\n\"b"')]),
        (r'"[^"]*"', '"a""b" "c"', [('"', '"a""b"')]),
        (r"'[^']*'", "'it''s'", [("'", "'it''s'")]),
        (r'"[^"]*"', '"a" "b"', []),
        (r'"[^"]*"', r'"a\\" "b"', []),  # the backslash itself is escaped
        (r'"[^"]*"', r'"a\"b', []),  # there is no other end
        (r"[a-z]+", "abc", []),
    ],
)
def test_the_token_that_was_meant(pattern: str, text: str, found: list[tuple[str, str]]) -> None:
    automaton = of_regex(pattern, "TEXT")
    stop = text.index(text[0], 1) + 1 if not text[0].isalnum() else len(text)
    seen = [(one.mark, text[: one.end.place]) for one in escaped(automaton, text, 0, stop, 100)]
    assert seen == found


def test_letters_for_escapes() -> None:
    assert masked(r'"a\"b\n"', BACKSLASH) == '"axxbxx"'
    assert masked('x "a""b"', '"', 2) == 'x "axxb"'
