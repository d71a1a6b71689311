"""Operators and names that a rule reads in another form."""

from __future__ import annotations

import pytest

from gramspect.lexer_faults.letters import lacking
from gramspect.lexer_faults.spellings import other_spelling
from gramspect.lexical.regular import of_regex


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        (["&"], "&& b", "&&"),
        (["&", "&&"], r"/\ b", "/\\"),
        (["AND"], "&& b", "&&"),
        (["&&"], "And b", "And"),
        (["&&"], "Andy", None),  # a longer word
        (["&&"], "&& b", None),  # known already
        (["|"], "&& b", None),  # of another family
        (["!="], "<> 1", "<>"),
        (["!=", "<", "<="], "<> 1", "<>"),  # a list of several operators
        (["<", "<="], "<> 1", None),
        (["->"], "=> b", "=>"),
        ([], "&& b", None),
        (["&"], "", None),
    ],
)
def test_another_spelling(words: list[str], text: str, found: str | None) -> None:
    assert other_spelling(words, text, 0) == found


@pytest.mark.parametrize(
    ("pattern", "text", "end", "n_edges"),
    [
        (r"[a-z][a-z0-9]*", "Row 1", 3, 1),
        (r"[a-z][a-z0-9]*", "maxValueOf", 10, 2),
        (r"[A-Z]+", "Ab", 2, 1),
        (r"[a-z]+", "row", 0, 0),  # it is read as it is
        (r"[a-z]+", "Row1", 0, 0),  # it is read in no case
        (r"[a-z]+", "12", 0, 0),
        (r"[a-z]+[(]", "Row", 0, 0),  # it goes on after the word
    ],
)
def test_letters_that_a_rule_lacks(pattern: str, text: str, end: int, n_edges: int) -> None:
    found, edges = lacking(of_regex(pattern, "NAME"), text, 0, 100)
    assert (found, len(edges)) == (end, n_edges)
