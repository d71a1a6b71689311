"""Regular expressions as they are written, and changes of their text, against Python's matching."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulation import reads

from gramspect.lexical.automaton import Automaton
from gramspect.lexical.parts import Leaf, Part, Pattern, Quoted, Repeat
from gramspect.lexical.patterns import automaton_of
from gramspect.lexical.regextext import read_regex
from gramspect.lexical.rewriting import (
    Rewriting,
    also_repeated,
    excluded,
    inserted,
    optional,
    widened,
    with_alternative,
)
from gramspect.lexical.written import quoted
from gramspect.source import SourceText

PATTERNS = (
    ("abc|ab|c", 0),
    (r"[0-9]+(\.[0-9]+)*", 0),
    ('"([^"\\\\\n]|\\\\.)*"', 0),
    (r"a{2,3}?b?", 0),
    ("(?i:Ab)c", 0),
    ("(?i)ab", 0),
    (r"(?P<x>a|b)*abb", 0),
    (r"\w+\s*\d", 0),
    ("[]a-c]|[^]x]b+", 0),
    ("a b  # and so on\n | [ #] c", re.VERBOSE),
    ("(x(?#really)(y|z)?){0,2}a{,2}", 0),
    ("a(?=b)b|\\x41\\u0042", 0),
)


def written(text: str, flags: int) -> tuple[SourceText, Pattern]:
    source = SourceText("patterns", text)
    body = read_regex(text, flags, source.span)
    assert body is not None
    return source, Pattern("T", source.span(0, 0), body)


def automaton(pattern: Pattern) -> Automaton:
    found = automaton_of("T", lambda _: pattern)
    assert found is not None
    return found


def ways(pattern: Pattern) -> Iterator[tuple[Part, ...]]:
    """The ways to all leaves."""
    yield from dict.fromkeys(edge.path for edge in automaton(pattern).edges)


def changed(source: SourceText, rewriting: Rewriting) -> str:
    text = source.text
    for span, new in sorted(rewriting, reverse=True):
        start, end = span.column - 1, span.end_column - 1
        lines = text.split("\n")
        before = sum(len(line) + 1 for line in lines[: span.line - 1])
        last = sum(len(line) + 1 for line in lines[: span.end_line - 1])
        text = text[: before + start] + new + text[last + end :]
    return text


@pytest.mark.parametrize(("text", "flags"), PATTERNS)
@given(data=st.data())
def test_a_pattern_reads_what_the_expression_matches(
    text: str, flags: int, data: st.DataObject
) -> None:
    expression = re.compile(text, flags)
    likely = st.from_regex(expression, fullmatch=True)
    tried = data.draw(likely | st.text(st.sampled_from('abcxyzAB019."\\\n #]'), max_size=6))
    _, pattern = written(text, flags)
    found = reads(automaton(pattern), tried)
    assert found == (expression.fullmatch(tried) is not None)


@pytest.mark.parametrize(("text", "flags"), PATTERNS)
def test_leaves_know_where_they_stand(text: str, flags: int) -> None:
    source, pattern = written(text, flags)
    lines = source.text.split("\n")
    for path in ways(pattern):
        leaf = path[-1]
        assert isinstance(leaf, Leaf)
        if leaf.span.line == leaf.span.end_line:
            line = lines[leaf.span.line - 1]
            assert line[leaf.span.column - 1 : leaf.span.end_column - 1] == leaf.text


@pytest.mark.parametrize(("text", "flags"), PATTERNS)
@given(data=st.data())
def test_changes_that_extend_keep_what_was_read(text: str, flags: int, data: st.DataObject) -> None:
    source, pattern = written(text, flags)
    path = data.draw(st.sampled_from(list(ways(pattern))))
    leaf = path[-1]
    assert isinstance(leaf, Leaf)
    repeated = [part for part in path if isinstance(part, Repeat)]
    while isinstance(path[-2], Repeat):  # what is beside it is beside its repetition
        path = path[:-1]
    made = data.draw(
        st.sampled_from(
            [
                widened(leaf, None, data.draw(st.sampled_from(["%", "-^]", "/"])), plain=True),
                widened(leaf, None, "0-9", plain=False),
                inserted(path, True, quoted(leaf.style, "# /"), "?"),
                inserted(path, False, quoted(leaf.style, "-"), "*"),
                optional(path, path[-1]),
                with_alternative(pattern, "a # |b"),
                with_alternative(pattern, "12", like=True),
                also_repeated(repeated[-1], "# /") if repeated else None,
            ]
        ).filter(lambda one: one is not None)
    )
    assert made is not None
    new = re.compile(changed(source, made), flags)
    assert new.fullmatch(data.draw(st.from_regex(re.compile(text, flags), fullmatch=True)))


def one_leaf(text: str) -> tuple[SourceText, tuple[Part, ...], Leaf]:
    source, pattern = written(text, 0)
    path = list(ways(pattern))[-1]
    leaf = path[-1]
    assert isinstance(leaf, Leaf)
    assert not any(isinstance(part, Quoted) for part in path)
    return source, path, leaf


@pytest.mark.parametrize(
    ("text", "members", "expected"),
    [
        ("ab", "-", r"a[b\-]"),
        ("[a-z]+", "_0", "[a-z_0]+"),
        (r"\d", "^", r"[\d\^]"),
        (r'"[^"\n;]', ";", r'"[^"\n]'),
        (".", "\n", None),
    ],
)
def test_a_leaf_that_reads_more(text: str, members: str, expected: str | None) -> None:
    source, _, leaf = one_leaf(text)
    found = widened(leaf, None, members, plain=True)
    assert (None if found is None else changed(source, found)) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("x[^y]", "x[^y;]"), ("x.", r"x[^;\n]"), ("[a-z]", None)]
)
def test_a_leaf_that_reads_less(text: str, expected: str | None) -> None:
    source, _, leaf = one_leaf(text)
    found = excluded(leaf, ";")
    assert (None if found is None else changed(source, found)) == expected


@pytest.mark.parametrize("text", [r"(a)\1", "(?", "a(?P=b)", "["])
def test_what_is_not_known_is_no_pattern(text: str) -> None:
    assert read_regex(text, 0, SourceText("patterns", text).span) is None
