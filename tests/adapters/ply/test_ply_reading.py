"""Grammars read from live parsers: rules, places in the source, precedence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ply import yacc
from pycparser.c_parser import CParser

from gramspect.errors import AdapterError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.registry import adapter
from gramspect.source import Span
from gramspect_ply.reading import read_grammar, right_hand_side

WRITTEN = '''\
import functools

tokens = ("NUM", "ID", "IF", "ELSE")
literals = "+-* \\n"
start = "prog"
precedence = (
    ("nonassoc", "ELSE"),
    ("left", "+", "-"),
    ("left", "*"),
    ("right", "UMINUS"),
)

def keep(function):
    @functools.wraps(function)
    def wrapped(p):
        return function(p)
    return wrapped

def p_prog(p):
    """
    prog : prog line
         |

    """

def p_line(p): 'line : expr "\\\\n"'

@keep
def p_expr(p):
    """expr : expr '+' expr
            | expr '-' expr
            | expr   '*'   expr"""

@keep
@keep
def p_unary(
    p,  # é is two bytes long
):
    r"expr ::= '-' expr %prec UMINUS"

def p_atom(p):
    "expr : NUM"

p_atom.__doc__ = "expr : ID"

def rule(text):
    def made(p):
        pass
    made.__doc__ = text
    return made

p_if = rule("""expr : IF expr expr
                    | IF expr expr ELSE expr""")
p_blank = rule(r"expr : '\\x20' expr '\\x20'")

def p_last(p):
    "expr : NUM"
'''


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Grammar:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "written.py").write_text(WRITTEN)
    return adapter("ply").load("written.py", LoadOptions()).grammar


def shown(span: Span | None) -> str:
    """The text that a span covers, with its line."""
    assert span is not None
    lines = (Path(span.file).read_text()).splitlines()
    assert span.line == span.end_line
    return f"{span.line}: {lines[span.line - 1][span.column - 1 : span.end_column - 1]}"


def test_rules(written: Grammar) -> None:
    """In PLY's order, which is that of the functions' code: that of a decorator comes first."""
    assert [f"{r.label}  {written.rule_text(r.index)}" for r in written.rules] == [
        "expr:1  expr -> expr '+' expr",
        "expr:2  expr -> expr '-' expr",
        "expr:3  expr -> expr '*' expr",
        "expr:4  expr -> '-' expr",
        "prog:1  prog -> prog line",
        "prog:2  prog ->",
        "line:1  line -> expr '\\n'",
        "expr:5  expr -> ID",
        "expr:6  expr -> ' ' expr ' '",
        "expr:7  expr -> IF expr expr",
        "expr:8  expr -> IF expr expr ELSE expr",
        "expr:9  expr -> NUM",
    ]
    assert written.symbols[written.start].name == "prog"


def test_places(written: Grammar) -> None:
    """Decorators, long signatures and one-liners do not matter; made rules are where made."""
    assert {rule.label: shown(rule.span) for rule in written.rules} == {
        "expr:1": "30: expr '+' expr",
        "expr:2": "31: expr '-' expr",
        "expr:3": "32: expr   '*'   expr",
        "expr:4": "39: '-' expr",
        "prog:1": "21: prog line",
        "prog:2": "22: ",
        "line:1": '26: expr "\\\\n"',
        "expr:5": "42: NUM",  # the docstring that was there before
        "expr:6": "47: def made(p):",
        "expr:7": "47: def made(p):",
        "expr:8": "47: def made(p):",
        "expr:9": "57: NUM",
    }


def test_places_of_symbols(written: Grammar) -> None:
    places = {rule.label: rule.rhs_spans for rule in written.rules}
    assert [shown(span) for span in places["expr:3"]] == ["32: expr", "32: '*'", "32: expr"]
    assert [shown(span) for span in places["expr:4"]] == ["39: '-'", "39: expr"]
    assert [shown(span) for span in places["line:1"]] == ["26: expr", '26: "\\\\n"']
    assert places["expr:7"] == (None, None, None)
    assert {s.name: shown(s.span) for s in written.nonterminals} == {
        "expr": "30: expr",
        "prog": "21: prog",
        "line": "26: line",
    }
    assert written.files == ("written.py",)


def test_precedence(written: Grammar) -> None:
    names = [symbol.name for symbol in written.symbols]
    assert {names[t]: (p.level, p.associativity) for t, p in written.precedence.items()} == {
        "ELSE": (1, Associativity.NONASSOC),
        "+": (2, Associativity.LEFT),
        "-": (2, Associativity.LEFT),
        "*": (3, Associativity.LEFT),
        "UMINUS": (4, Associativity.RIGHT),
    }
    chosen = {r.label: names[r.precedence] for r in written.rules if r.precedence is not None}
    assert chosen == {
        "expr:1": "+",
        "expr:2": "-",
        "expr:3": "*",
        "expr:4": "UMINUS",
        "expr:8": "ELSE",
    }


def test_precedence_that_only_the_productions_know() -> None:
    """Of a grammar in a function, whose variables are gone."""

    def grammar() -> Any:
        tokens = ("NUM",)  # noqa: F841
        precedence = (("left", "+"), ("left", "*"))  # noqa: F841

        def p_expr(p: Any) -> None:
            """expr : expr '+' expr
            | expr '*' expr
            | NUM"""

        return yacc.yacc(write_tables=False, debug=False, errorlog=yacc.NullLogger())

    found, _ = read_grammar(grammar(), "local")
    names = [symbol.name for symbol in found.symbols]
    assert {names[t]: p.level for t, p in found.precedence.items()} == {"+": 1, "*": 2}
    assert [shown(span) for span in found.rules[1].rhs_spans] == [
        f"{LINE_OF_TIMES}: {word}" for word in ("expr", "'*'", "expr")
    ]


LINE_OF_TIMES = 1 + next(
    number
    for number, line in enumerate(Path(__file__).read_text().splitlines())
    if line.strip() == "| expr '*' expr"
)


def test_pycparser() -> None:
    """The tables are cached ones; rules are made by templates and by a function."""
    parser = CParser().cparser
    grammar, rules = read_grammar(parser, "C")
    assert (grammar.n_rules, len(grammar.terminals), grammar.n_nonterminals) == (340, 113, 100)
    assert sorted(rules[1:]) == list(range(340))
    for production, rule in zip(parser.productions[1:], rules[1:], strict=True):
        assert grammar.rule_text(rule) == production.str.replace("<empty>", "").strip()
    spans = {grammar.rule_text(rule.index): rule.span for rule in grammar.rules}
    made = spans["direct_id_declarator -> LPAREN id_declarator RPAREN"]
    assert shown(made).endswith("LPAREN xxx_declarator RPAREN")
    assert shown(spans["expression_opt -> empty"]).endswith("def optrule(self, p):")
    assert all(span is not None for span in spans.values())


class Cached:
    """A production of cached tables."""

    def __init__(self, text: str, length: int) -> None:
        self.str, self.len = text, length


@pytest.mark.parametrize(
    ("text", "length", "symbols"),
    [
        ("a -> <empty>", 0, ()),
        ("a -> b C", 2, ("b", "C")),
        ("a -> b   C", 3, ("b", " ", "C")),
        ("a ->   b", 2, (" ", "b")),
        ("a -> b  ", 2, ("b", " ")),
        ("a ->  ", 1, (" ",)),
        ("a ->    ", 2, (" ", " ")),
    ],
)
def test_right_hand_sides(text: str, length: int, symbols: tuple[str, ...]) -> None:
    """Literal blanks keep their place among the blanks between symbols."""
    built = f"a -> {' '.join(symbols)}" if symbols else "a -> <empty>"
    assert text == built
    assert right_hand_side(Cached(text, length)) == symbols  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["a", "a -> b", "a -> b c d"])
def test_tables_that_are_not_plys(text: str) -> None:
    with pytest.raises(AdapterError, match="PLY's tables are not understood: production 'a"):
        right_hand_side(Cached(text, 2))  # type: ignore[arg-type]
