"""Tokens as they usually look, and the same in the notations of the tools."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramspect.lexer_faults.forms import FORMS, is_new, usual_forms, usual_part
from gramspect.lexical.parts import Style
from gramspect.lexical.regular import of_regex
from gramspect.lexical.rules import TokenRule
from gramspect.lexical.translated import translated

STRING = r'"(\\.|[^"\\])*"'


@pytest.mark.parametrize(
    ("pattern", "skipped", "text", "token"),
    [
        (r"[0-9]+", False, "1.5e-3 + x", "1.5e-3"),
        (r"[0-9]+(\.[0-9]+)?", False, "2e5;", "2e5"),
        (r"[0-9]+", False, ".5 + x", ".5"),
        (r"[0-9]+", False, "5. + x", "5."),
        (r"[0-9]+", False, "1..5", None),  # a range
        (r"[0-9]+", False, "5.x", None),  # a member
        (r"[0-9]+", False, "1_000)", "1_000"),
        (r"[0-9]+", False, "10L;", "10L"),
        (r"[0-9]+", False, "10Lx;", None),
        (r"[0-9]+", False, "0xFF;", "0xFF"),
        (r"0x[0-9a-f]+", False, "0XfF;", "0XfF"),
        (r"[1-9][0-9]*", False, "0;", "0"),
        (STRING, False, "'it' + x", "'it'"),
        (STRING, False, r'r"\d" + x', r'r"\d"'),
        (STRING, False, '"""a "b" c""";', '"""a "b" c"""'),
        ("[a-z]+", False, "`a b`;", "`a b`"),
        ("[a-z]+", False, "größe = 1", "größe"),
        ("[a-z]+", False, "line-color: 1", "line-color"),
        ("[a-z]+", False, "a - b", None),
        ("[0-9]{4}-[0-9]{2}-[0-9]{2}", False, "2020-01-02T10:20Z;", "2020-01-02T10:20Z"),
        ("[0-9]+:[0-9]+", False, "10:20:30.5 x", "10:20:30.5"),
        (" +", True, "\t x", "\t "),
        ("#.*", True, "// remark\nx", "// remark"),
        ("#.*", True, "/* a ** b **/ x */", "/* a ** b **/"),
        ("#.*", True, "<!-- a - b -- c --> x", "<!-- a - b -- c -->"),
        (" +", True, "// remark", None),  # blanks are no comments
        ("#.*", False, "// remark", None),
        ("if|else", False, "`a b`", None),  # a list of words
    ],
)
def test_the_longest_usual_token(pattern: str, skipped: bool, text: str, token: str | None) -> None:
    terminals = frozenset[int]() if skipped else frozenset((1,))
    rule = TokenRule("T", of_regex(pattern, "T"), terminals, skipped)
    ends = [end for _, end in usual_forms(rule, text, 0)]
    assert (text[: max(ends)] if ends else None) == token


def test_what_a_rule_reads_is_nothing_new() -> None:
    rule = TokenRule("T", of_regex(r"[0-9]+(\.[0-9]+)?", "T"), frozenset((1,)))
    assert list(usual_forms(rule, "1.5 + x", 0)) == []


def test_another_look_of_the_whole_token() -> None:
    string = of_regex(STRING, "T")
    forms = {form.name: form for form in FORMS}
    assert is_new(forms["texts in '"], string, "'a'")
    assert not is_new(forms['texts in "'], string, '"a\nb"')
    assert not is_new(forms["numbers with a fraction"], of_regex("[0-9]+", "T"), "1.5")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("e-5", "[eE][+-]?[0-9]+"),
        (".25", r"\.[0-9]+"),
        ("+01:00", "(?:Z|[+-][0-9][0-9](?::?[0-9][0-9])?)"),
        ("-x", None),
    ],
)
def test_a_usual_part(text: str, part: str | None) -> None:
    assert usual_part(text) == part


@given(data=st.data())
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_in_other_notations_it_reads_the_same(form: object, data: st.DataObject) -> None:
    """The verbose form is read by `re` itself; those of ANTLR and JavaCC by their own readers (in
    the tests of these adapters)."""
    (known,) = [one for one in FORMS if one is form]
    pattern = known.written or known.pattern
    for style in (Style.VERBOSE, Style.LARK):
        written = translated(pattern, style)
        if written is None:
            assert known.written
            continue
        flags = re.VERBOSE if style is Style.VERBOSE else 0
        body = written if style is Style.VERBOSE else written[1:-1]
        text = data.draw(st.from_regex(known.pattern, fullmatch=True))
        assert re.compile(body, flags).fullmatch(text)
