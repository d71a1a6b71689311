"""Random grammars, written in random styles, are read back as they were; other texts do no harm."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from gramspect.errors import GrammarError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity, Operator
from gramspect.source import SourceText
from gramspect.yacc import parse_yacc
from gramspect.yacc.literals import canonical

NONTERMINALS = ("stmt", "expr", "a-b", ".x", "_", "B.9")
NAMED = ("NUM", "ID", "T.1", "error", "ü", "U_")
LITERALS = ("'+'", "'\\''", "'\"'", "'\\n'", "'{'", '"<="', '"\\"/*"', "'%'", "'é'", "':'")
ACTION = "{}"
BLANKS = (" ", "\n", "\t", "  \n ", " /* : ; { ' */ ", ' // | }" \n', "\r\n", " /***/ ")
ACTIONS = (
    "{}",
    "{ $$ = $1; }",
    "{ if (x) { y('}'); } }",
    '{ "}\\"" /* } */ }',
    "{ // }\n}",
    "<t>{ 1'0 }",
    "{ it's\n}[name]",
    "%?{ x }",
)
ASSOCIATIVITIES = {
    Associativity.LEFT: "%left",
    Associativity.RIGHT: "%right",
    Associativity.NONASSOC: "%nonassoc",
    Associativity.NONE: "%precedence",
}
DIRECTIVES = ("%expect 1", "%union { int '}'; }", "%define api.pure", "%{ ; %}", "%type <a> expr")


@dataclass(frozen=True)
class Alternative:
    """Symbols and actions, and the token of its ``%prec``."""

    elements: tuple[str, ...]
    precedence: str | None


@dataclass(frozen=True)
class Written:
    """A grammar as data: rules in order, precedence levels, the start symbol."""

    rules: tuple[tuple[str, tuple[Alternative, ...]], ...]
    levels: tuple[tuple[Associativity, tuple[str, ...]], ...]
    start: str


@st.composite
def grammars(draw: DrawFn) -> Written:
    names = draw(st.lists(st.sampled_from(NONTERMINALS), min_size=1, max_size=4, unique=True))
    tokens = draw(st.lists(st.sampled_from(NAMED + LITERALS), min_size=1, max_size=6, unique=True))
    chosen = draw(st.lists(st.sampled_from(tokens), unique=True, max_size=4))
    cut = draw(st.integers(0, len(chosen)))
    associativity = st.sampled_from(Associativity)
    levels = [(draw(associativity), tuple(part)) for part in (chosen[:cut], chosen[cut:]) if part]
    elements = st.lists(st.sampled_from([*names, *tokens, *tokens, ACTION]), max_size=5)
    precedence = st.sampled_from([None, None, *chosen])
    alternatives = st.lists(
        st.builds(Alternative, elements.map(_without_final_action), precedence),
        min_size=1,
        max_size=4,
    ).map(tuple)
    return Written(
        tuple((name, draw(alternatives)) for name in names),
        tuple(levels),
        draw(st.sampled_from(names)),
    )


def _without_final_action(elements: list[str]) -> tuple[str, ...]:
    """A final action is no element; an action before it is."""
    while elements and elements[-1] == ACTION:
        elements = elements[:-1]
    return tuple(elements)


@st.composite
def texts(draw: DrawFn, grammar: Written) -> str:
    """The grammar in some style. `@` is any blank, `~` any blank or none."""
    blanks = st.sampled_from(BLANKS)
    declared = draw(st.booleans())
    parts = [f"%start@{grammar.start}@"]
    for associativity, tokens in grammar.levels:
        between = draw(st.sampled_from(["@", "~,~", "@<t>@", "@300@"]))
        parts.append(f"{ASSOCIATIVITIES[associativity]}@{between.join(tokens)}@")
    if declared:
        parts.append(f"%token@{'@'.join(NAMED)}@")
    parts = draw(st.permutations(parts)) if len(grammar.levels) < 2 else parts
    parts += draw(st.lists(st.sampled_from(DIRECTIVES).map(lambda line: f"\n{line}\n"), max_size=2))
    parts.append(draw(st.sampled_from(["~%%~", "%%~%{ x: %}~", "~"])))
    for name, alternatives in grammar.rules:
        bodies = [draw(_bodies(alternative)) for alternative in alternatives]
        end = draw(st.sampled_from(["~;~", "@", "~;~;@"]))
        parts.append(f"{name}{draw(st.sampled_from(['~', '~[x]~']))}:~{'~|~'.join(bodies)}{end}")
    parts.append(draw(st.sampled_from(["", "~%%\n' \" { /* anything"])))
    return re.sub(
        "[@~]",
        lambda match: draw(blanks) if match[0] == "@" or draw(st.booleans()) else "",
        "".join(parts),
    )


@st.composite
def _bodies(draw: DrawFn, alternative: Alternative) -> str:
    action = st.sampled_from(ACTIONS)
    words = [draw(action) if e == ACTION else _spelled(draw, e) for e in alternative.elements]
    if not words and draw(st.booleans()):
        words.append("%empty")
    tail = [draw(action)] if draw(st.booleans()) else []
    if alternative.precedence is not None:
        tail.insert(draw(st.integers(0, len(tail))), f"%prec@{alternative.precedence}")
    return "@".join(words + tail)


def _spelled(draw: DrawFn, symbol: str) -> str:
    if symbol in LITERALS:
        return symbol
    return symbol + draw(st.sampled_from(["", "", "[n]", "~[~n.1~]"]))


def names_of(symbols: Sequence[str], label: str) -> list[str]:
    """Canonical names, actions replaced by the names of their helpers."""
    names: list[str] = []
    actions = 0
    for symbol in symbols:
        if symbol == ACTION:
            actions += 1
            names.append(f"{label}.{actions}")
        else:
            names.append(canonical(symbol) if symbol in LITERALS else symbol)
    return names


def expected_rules(grammar: Written) -> list[tuple[str, list[str]]]:
    """Label and right-hand side of each rule, in the order in which yacc numbers them."""
    found: list[tuple[str, list[str]]] = []
    for name, alternatives in grammar.rules:
        for number, alternative in enumerate(alternatives, start=1):
            label = f"{name}:{number}"
            rhs = names_of(alternative.elements, label)
            actions = [n for n, e in zip(rhs, alternative.elements, strict=True) if e == ACTION]
            found.extend((f"{action}:1", []) for action in actions)
            found.append((label, rhs))
    return found


@given(st.data())
def test_what_is_written_is_read(data: st.DataObject) -> None:
    written = data.draw(grammars())
    text = data.draw(texts(written))
    grammar = parse_yacc(text)
    names = [symbol.name for symbol in grammar.symbols]

    assert grammar.diagnostics == ()
    assert names[grammar.start] == written.start
    assert [(r.label, [names[s] for s in r.rhs]) for r in grammar.rules] == expected_rules(written)
    assert {names[s]: (p.level, p.associativity) for s, p in grammar.precedence.items()} == {
        token: (level, associativity)
        for level, (associativity, tokens) in enumerate(written.levels, start=1)
        for token in names_of(tokens, "")
    }
    check_precedence(grammar, written)
    check_spans(grammar, text)


def check_precedence(grammar: Grammar, written: Written) -> None:
    """A rule has the precedence of its ``%prec``, else of its last token."""
    alternatives = [a for _, alternatives in written.rules for a in alternatives]
    rules = [r for r in grammar.rules if grammar.symbols[r.lhs].operator is None]
    for rule, alternative in zip(rules, alternatives, strict=True):
        last = next((s for s in reversed(rule.rhs) if grammar.is_terminal(s)), None)
        if alternative.precedence is not None:
            (name,) = names_of([alternative.precedence], "")
            assert rule.precedence == grammar.symbol(name)
        else:
            assert rule.precedence == (last if last in grammar.precedence else None)


def check_spans(grammar: Grammar, text: str) -> None:
    """Every span covers what stands for the symbol, and a rule's span all of its symbols."""
    source = SourceText("<text>", text.replace("\r\n", "\n"))
    lines = source.text.split("\n")

    def offset(line: int, column: int) -> int:
        return sum(len(each) + 1 for each in lines[: line - 1]) + column - 1

    for rule in grammar.rules:
        assert rule.span is not None
        for symbol, span in zip(rule.rhs, rule.rhs_spans, strict=True):
            assert span is not None
            start, end = offset(span.line, span.column), offset(span.end_line, span.end_column)
            covered = source.text[start:end]
            if grammar.symbols[symbol].operator is Operator.ACTION:
                assert covered[0] in "{%"
                assert covered[-1] == "}"
            else:
                assert covered == grammar.symbols[symbol].display
        if rule.rhs:
            first, last = rule.rhs_spans[0], rule.rhs_spans[-1]
            assert first is not None
            assert last is not None
            assert rule.span == first.to(last)


PIECES = (
    *("a", "B", ":", "|", ";", "%%", "%token", "%left", "%prec", "%start", "%empty", "%foo", "%{"),
    *(
        "%}",
        "{",
        "}",
        "'x'",
        '"s"',
        "'",
        '"',
        "/*",
        "*/",
        "//",
        "\n",
        " ",
        "<",
        ">",
        "[a]",
        "[",
        "=",
    ),
    *(
        ",",
        "0",
        "12",
        "%?{",
        "\\",
        "#line 1",
        "é",
        "\0",
        "%type",
        "%union",
        "%code",
        "_(",
        ")",
        ".",
    ),
)


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=30).map("".join)))
def test_any_text_is_a_grammar_or_a_grammar_error(text: str) -> None:
    outcome = grammar_or_error(text)
    if isinstance(outcome, Grammar):
        assert outcome.n_rules > 0
    else:
        assert outcome.span is not None


def grammar_or_error(text: str) -> Grammar | GrammarError:
    try:
        return parse_yacc(text)
    except GrammarError as error:
        return error
