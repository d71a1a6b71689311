"""The reader of CUP grammars: names, places, precedences; and that CUP reads the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from cup_tools import load

from gramspect.errors import GrammarError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity, Operator
from gramspect_cup.reading import read_cup

GRAMMAR = """\
package a.b; // comments ::= of both kinds
import java.util.*;
class Reader<String>;
parser code {: String s = "terminal }"; // :
:}
action code {: :};
init with {: :}; scan with {: return null; :};
/* terminal NOT_ME; */
terminal PLUS, MINUS, STAR;
terminal Integer NUM;
terminal java.util.Map<String, ? extends List<int[]>>[] $X_1;
non terminal Integer expr, unused;
nonterminal empty;
precedence left PLUS, MINUS;
precedence nonassoc STAR;
start with expr;
expr ::= expr:l PLUS:start expr:r {: RESULT = l + r; :}
       | MINUS expr %prec STAR
       | {: first(); :} {: merged(); :} NUM {: middle(); :} $X_1 {: last(); :}
       | empty
       ;
empty ::= /* nothing */ ;
"""


def read(folder: Path, text: str, start: str | None = None) -> Grammar:
    file = folder / "grammar.cup"
    file.write_text(text)
    return read_cup(file, start).grammar


def test_names_and_rules(tmp_path: Path) -> None:
    grammar = read(tmp_path, GRAMMAR)
    assert [s.name for s in grammar.terminals] == ["PLUS", "MINUS", "STAR", "NUM", "$X_1"]
    assert [s.name for s in grammar.nonterminals][:3] == ["expr", "empty", "unused"]
    assert [grammar.rule_text(rule) for rule in range(grammar.n_rules)] == [
        "expr -> expr PLUS expr",
        "expr -> MINUS expr",
        *["expr -> {} NUM {} $X_1"] * 3,
        "expr -> empty",
        "empty ->",
    ]
    assert [rule.label for rule in grammar.rules] == [
        *("expr:1", "expr:2", "expr:3.1:1", "expr:3.2:1", "expr:3", "expr:4", "empty:1")
    ]
    helpers = [s for s in grammar.symbols if s.operator is not None]
    assert [s.operator for s in helpers] == [Operator.ACTION] * 2
    assert grammar.symbols[grammar.start].name == "expr"


def test_places(tmp_path: Path) -> None:
    grammar = read(tmp_path, GRAMMAR)
    places = [
        [f"{span.line}:{span.column}" for span in rule.rhs_spans if span is not None]
        for rule in grammar.rules
    ]
    assert places[0] == ["17:10", "17:17", "17:28"]
    assert places[1] == ["18:10", "18:16"]
    assert places[4] == ["19:10", "19:41", "19:45", "19:61"]
    span = grammar.rules[6].span
    assert span is not None
    assert (span.line, span.column, span.end_column) == (22, 10, 10)
    assert str(grammar.symbols[grammar.symbol("NUM")].span).endswith("grammar.cup:10:18")
    assert str(grammar.symbols[grammar.symbol("empty")].span).endswith("grammar.cup:22:1")


def test_precedences(tmp_path: Path) -> None:
    grammar = read(tmp_path, GRAMMAR)
    names = {grammar.symbols[s].name: p for s, p in grammar.precedence.items()}
    assert {name: (p.level, p.associativity) for name, p in names.items()} == {
        "PLUS": (1, Associativity.LEFT),
        "MINUS": (1, Associativity.LEFT),
        "STAR": (2, Associativity.NONASSOC),
    }
    assert grammar.rules[1].precedence == grammar.symbol("STAR")
    assert grammar.rules[0].precedence == grammar.symbol("PLUS")


def test_cup_reads_the_same(tmp_path: Path) -> None:
    """All that is in there at once, but for type parameters of the class."""
    text = GRAMMAR.replace("class Reader<String>;\n", "class Reader;\n")
    file = tmp_path / "grammar.cup"
    file.write_text(text)
    grammar = load(file).grammar
    assert grammar.n_rules == 7
    assert grammar.diagnostics == ()


def test_conflicts_are_told(tmp_path: Path) -> None:
    file = tmp_path / "grammar.cup"
    file.write_text("terminal P, X;\nnon terminal e;\ne ::= e P e | X;\n")
    (conflict,) = load(file).grammar.diagnostics
    assert conflict.code == "conflict"
    assert "Shift/Reduce conflict in state" in conflict.message
    assert "under symbol P" in conflict.message
    assert "Resolved in favor of shifting" in conflict.message


@pytest.mark.parametrize("declared", ["start with s;\n", "", "start with s;\nstart with t;\n"])
def test_the_start_symbol(tmp_path: Path, declared: str) -> None:
    text = f"terminal A, B;\nnon terminal s, t;\n{declared}s ::= A t;\nt ::= B;\n"
    file = tmp_path / "grammar.cup"
    file.write_text(text)
    by_default, chosen = load(file), load(file, start="t")
    assert by_default.grammar.symbols[by_default.grammar.start].name == "s"
    assert chosen.grammar.symbols[chosen.grammar.start].name == "t"
    codes = [d.code for d in by_default.grammar.diagnostics]
    assert ("several-starts" in codes) == ("start with t" in declared)
    for recognizer, test in ((by_default, "A B"), (chosen, "B")):
        from cup_tools import texts

        (trace,) = [recognizer.trace(t) for t in texts(test)]
        assert trace.error is None  # type: ignore[union-attr]


def test_liberties(tmp_path: Path) -> None:
    """``%empty``, and characters that CUP skips with a warning."""
    file = tmp_path / "grammar.cup"
    file.write_text("terminal A;\nnon terminal s;\ns ::= A s @ | %empty ;\n")
    grammar = load(file).grammar
    assert [grammar.rule_text(rule) for rule in range(2)] == ["s -> A s", "s ->"]
    assert [str(d).rpartition("cup:")[2] for d in grammar.diagnostics if d.code == "stray"] == [
        "3:11: CUP skips the character '@'; remove it"
    ]


HEAD = "terminal A, B;\nnon terminal s;\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: expected a production, written as 'name ::= symbols ;', found the end"),
        (HEAD, "3:1: expected a production, written as 'name ::= symbols ;', found the end"),
        (HEAD + "s ::= A", "3:8: expected a symbol, '|' or ';', found the end"),
        (HEAD + "s ::= A\ns ::= B;", "4:1: expected ';' at the end of the production before,"
         " found 's'"),
        (HEAD + "s := A;", "3:3: expected '::=' after the name 's', found ':'"),
        (HEAD + "s ::= C;", "3:7: 'C' is not declared; add it to a 'terminal' or 'non terminal'"
         " declaration"),
        (HEAD + "t ::= A;", "3:1: 't' is not declared; add 'non terminal t;'"),
        (HEAD + "terminal A;\ns ::= A;", "3:10: 'A' is declared in line 1 already"),
        (HEAD + "s ::= A %prec s;", "3:15: 's' is no terminal, so it has no precedence"),
        (HEAD + "start with t;\ns ::= A;", "3:12: the start symbol 't' is no non-terminal"),
        (HEAD + "start with A;\ns ::= A;", "3:12: the start symbol 'A' is no non-terminal"),
        ("terminal A\nnon terminal s;\ns ::= A;", "2:5: expected ',' or ';' after the declared"
         " name, found 'terminal'"),
        (HEAD + "precedence over A;\ns ::= A;", "3:12: expected left, right or nonassoc after"
         " 'precedence', found 'over'"),
        (HEAD + "s ::= A {: x ;", "3:9: this code does not end; close it with :}"),
        (HEAD + "/* s ::= A;", "3:1: this comment does not end; close it with */"),
        (HEAD + "parser code;\ns ::= A;", "3:12: expected code in {: :} after 'parser code',"
         " found ';'"),
        (HEAD + "s ::= A : ;", "3:11: expected a label after ':', found ';'"),
        ("terminal List<A;\n" + HEAD, "1:16: expected the end of the type, found ';'"),
        ("package a.b\n{: :}", "2:1: expected ';' after 'package' and what belongs to it, found"
         " '{: :}'"),
    ],
)  # fmt: skip
def test_errors(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(GrammarError) as raised:
        read(tmp_path, text)
    assert str(raised.value) == f"{tmp_path}/grammar.cup:{message}"


def test_an_unknown_start_symbol(tmp_path: Path) -> None:
    with pytest.raises(GrammarError, match="the start symbol 't' has no rule; the first rule is"):
        read(tmp_path, HEAD + "s ::= A;", start="t")


def test_what_only_cup_refuses(tmp_path: Path) -> None:
    """Parts in an order of one's own: the reader does not mind, CUP says where."""
    file = tmp_path / "grammar.cup"
    file.write_text(HEAD + "s ::= A;\nterminal C;\n")
    with pytest.raises(GrammarError, match=r"grammar.cup:4:1: CUP: Syntax error at 'terminal'"):
        load(file)
