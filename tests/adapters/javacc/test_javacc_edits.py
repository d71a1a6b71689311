"""Edits of .jj grammars: what is written means what was meant, and JavaCC agrees."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jj import compiled

from edited import assert_written_edit, text_with
from examples import fewer
from gramspect import Grammar, LoadOptions, TestSuite, adapter, localize, suggest
from gramspect.edits import EditKind
from gramspect.edits.confirmation import Agreement
from gramspect.edits.validation import Status

FIXTURES = Path(__file__).parents[3] / "fixtures" / "javacc"

CALC = r"""
options { STATIC = false; }
PARSER_BEGIN(Calc)
import java.util.*;
public class Calc {
  Map<String, Integer> known = new HashMap<>();
}
PARSER_END(Calc)

SKIP : { " " | "\n" }
TOKEN : {
  <LET: "let">
| <NUMBER: (["0"-"9"])+>
| <NAME: ["a"-"z"] (["a"-"z","0"-"9"])*>
}

void program() : {} { ( statement() ";" )* <EOF> }
void statement() : { Token t; int v; }
{ <LET> t = <NAME> "=" v = sum() { known.put(t.image, v); }
| LOOKAHEAD(2) call(0)
| v = sum()
}
void call(int depth) : { }
{ <NAME> "(" [ sum() { depth++; } ] ")" }
int sum() : { int a, b; }
{ a = atom() ( "+" b = atom() { a = a + b; } )* { return a; } }
int atom() : { Token t; int v = 0; }
{ t = <NUMBER> { return Integer.parseInt(t.image); }
| t = <NAME> { return known.getOrDefault(t.image, 0); }
| "(" v = sum() ")" { return v; }
}
"""


@cache
def load(path: Path) -> Grammar:
    return adapter("javacc").load(str(path), LoadOptions()).grammar


@pytest.mark.parametrize("path", [FIXTURES / "Toy.jj", FIXTURES / "simpl" / "Simpl.jj"])
@fewer(0.1)
@given(data=st.data())
def test_what_is_written_is_the_edited_grammar(
    path: Path, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = tmp_path_factory.mktemp("edited") / path.name
    # Left recursion, loops around nothing, and what is never chosen.
    refusals = ("Left recursion", "empty string", "unreachable", "does not compile", "<EOF>")
    assert_written_edit(data, load(path), load, copy, refusals)


HEAD = """options { STATIC = false; }
PARSER_BEGIN(G) public class G {} PARSER_END(G)
TOKEN : { <A: "a"> | <B: "b"> }
"""
TAIL = ' int r(boolean x) : {} { "r" { return 1; } } void all() : {} { <A> <B> }'


class TestNotation:
    @pytest.mark.parametrize(
        ("before", "label", "kind", "symbols", "after"),
        [
            ("<A> <B>", "s:1:1", EditKind.INSERT, "A", "<A> ( <A> )? <B>"),
            ("<A> r(f(\")\"))", "s:1:2", EditKind.INSERT, "A B", '<A> r(f(")")) ( <A> <B> )?'),
            ("n = r(true) <B>", "s:1:1", EditKind.INSERT, "r", "n = r(true) ( r(true) )? <B>"),
            ("<A> n = r(true)", "s:1:1", EditKind.INSERT, "B", "<A> ( <B> )? n = r(true)"),
            ("<A> n = r(true)", "s:1:1", EditKind.REPLACE, "B r",
             "<A> ( n = r(true) | <B> n = r(true) )"),
            ("<A> t = <B>.image <A>", "s:1:1", EditKind.REPLACE, "",
             "<A> ( t = <B>.image )? <A>"),
            ("<A> [ <B> | r(true) ] <B>", "s:1:1", EditKind.REPLACE, "",
             "<A> [ <B> | r(true) ] <B>"),
            ("<A> [ <B> ] <B>", "s:1.1:1:0", EditKind.END, "s:1.1 B", "<A> ( <B> )* <B>"),
            ("<A> ( <B> )+ <B>", "s:1:1", EditKind.REPLACE, "", "<A> ( <B> )* <B>"),
            ("<A> ( <B> )* <B>", "s:1.1:1:0", EditKind.REQUIRE, "B", "<A> ( <B> )+ <B>"),
            ("<A> ( <B> )* <B>", "s:1.1:2:1", EditKind.REPLACE, "A", "<A> ( <B> | <A> )* <B>"),
            ("<A> ( <B> )* <B>", "s:1:0", EditKind.INSERT, "s:1.1", "( <B> )* <A> ( <B> )* <B>"),
            ('<A> <B> { if (x) { f("}|"); } } | <B>', "s:1:0", EditKind.DROP, "", "<B>"),
            ('<A> <B> { f("}|;"); } | <B>', "s:1:0", EditKind.REPLACE, "r",
             '( <A> | r() ) <B> { f("}|;"); } | <B>'),
            ("<A> | LOOKAHEAD(2) <B> <A> | <B>", "s:2:0", EditKind.DROP, "", "<A> | <B>"),
            ("<A> n = r(true)", "s:1:0", EditKind.SWAP, "", "n = r(true) <A>"),
            ("<A>\n| <B>", "s:2:0", EditKind.END, "A B", "<A>\n| <B>\n| <A> <B>"),
            ("n = <A>.kind ( <B> | r(true) ) <B>", "s:1.1:1:0", EditKind.DROP, "",
             "n = <A>.kind ( r(true) ) <B>"),
            ("<A> r(true) #Node(2) <B>", "s:1:2", EditKind.INSERT, "A",
             "<A> r(true) #Node(2) ( <A> )? <B>"),
            ("<A> | <B> #Node", "s:2:0", EditKind.END, "A", "<A> | <B> #Node | <A>"),
            ("<A> ( <B> // one\n)* <B>", "s:1.1:2:1", EditKind.REPLACE, "A",
             "<A> ( <B> // one\n | <A> )* <B>"),
            ("<A> | <B>", "s:2:0", EditKind.NARROW, "", "<A> | {}"),
            ("v[k[0]] = r(true) <B>", "s:1:0", EditKind.REPLACE, "",
             "( v[k[0]] = r(true) )? <B>"),
            ("try { <A> | <B> } catch (E e) { x(); } <A>", "s:1.1:1:0", EditKind.DROP, "",
             "try { <B> } catch (E e) { x(); } <A>"),
        ],
    )  # fmt: skip
    def test_edits(
        self, before: str, label: str, kind: EditKind, symbols: str, after: str, tmp_path: Path
    ) -> None:
        from gramspect.grammars.grammar import expand
        from gramspect.source import SourceText
        from gramspect_javacc.reading import read_javacc

        def text(body: str) -> str:
            return f"{HEAD}void s() : {{ int n; }} {{ {body} }}{TAIL}"

        path = tmp_path / "G.jj"
        path.write_text(text(before))
        file = read_javacc(SourceText(str(path), text(before)))
        grammar = expand([one.definition for one in file.productions], files=(str(path),))
        assert text_with(grammar, label, kind, symbols) == text(after)


def suggested(folder: Path, *failing: str) -> str:
    """The new lines of the first suggestion, which JavaCC confirms."""
    path = folder / "Calc.jj"
    path.write_text(CALC)
    good = ("let a = 1;", "a + 2 + (3);", "f(1); f();", "1 + 2;")
    found = suggest(str(path), TestSuite.from_texts([*good, *failing]))
    best = found.suggestions[0]
    assert best.confirmation is not None
    assert best.confirmation.agreement is Agreement.CONFIRMED
    assert best.confirmation.tool == "JavaCC 7.0.13"
    assert not best.confirmation.built
    assert best.status is Status.VALIDATED
    assert best.change is not None
    return "\n".join(line.strip() for _, line, _ in best.change.new_lines())


class TestConfirmedByJavaCC:
    """JavaCC makes the parser, and the Java compiler compiles the user's code in it."""

    def test_a_sign_that_the_lexer_lacks(self, tmp_path: Path) -> None:
        assert suggested(tmp_path, "(a - 2);", "f(1 - 2 + (3) - a);").split("\n") == [
            'TOKEN : { <MINUS: "-"> }',
            "",
            '{ a = atom() ( ( "+" | <MINUS> ) b = atom() { a = a + b; } )* { return a; } }',
        ]

    def test_code_that_needs_what_is_assigned(self, tmp_path: Path) -> None:
        assert suggested(tmp_path, "let a = [1];").endswith(
            '{ <LET> t = <NAME> "=" ( v = sum() | <LBRACKET> v = sum() <RBRACKET> )'
            " { known.put(t.image, v); }"
        )

    def test_code_that_does_not_compile_says_nothing_of_the_grammar(self, tmp_path: Path) -> None:
        """Then JavaCC is asked about gramspect's form of the grammar."""
        path = tmp_path / "Calc.jj"
        path.write_text(CALC)
        suite = TestSuite.from_texts(["let a = 1;", "f();", "1 + (2);", "1 + let;", "(let);"])
        found = suggest(str(path), suite)
        confirmed = [
            one for one in found.suggestions
            if one.confirmation is not None and one.confirmation.agreement is Agreement.CONFIRMED
        ]  # fmt: skip
        assert any(one.confirmation is not None and one.confirmation.built for one in confirmed)


def test_localize_writes_lines(tmp_path: Path) -> None:
    path = tmp_path / "Calc.jj"
    path.write_text(CALC)
    found = localize(str(path), TestSuite.from_texts(["1 + 2;", "f();", "f(1, 2);"]))
    assert found.ranking
    assert found.ranking[0].nonterminal in ("call", "sum", "statement")


@pytest.mark.parametrize("apart", [False, True])
def test_classes_of_the_same_source_tree(tmp_path: Path, apart: bool) -> None:
    """A copy of the grammar with a repair in it still finds them."""
    home, nodes = tmp_path / "src" / "com" / "x" / "parser", tmp_path / "src" / "com" / "x" / "ast"
    for folder in (home, nodes):
        folder.mkdir(parents=True)
    (nodes / "Node.java").write_text("package com.x.ast; public class Node {}")
    (home / "Help.java").write_text("package com.x.parser; class Help { static void f() {} }")
    (home / "Token.java").write_text(
        "package com.x.parser; public class Token { public int kind, beginLine, beginColumn,"
        " endLine, endColumn; public String image; public Token next, specialToken;"
        " public String own() { return image; } public static Token newToken(int kind, String i)"
        " { Token t = new Token(); t.kind = kind; t.image = i; return t; }"
        " public static Token newToken(int kind) { return newToken(kind, null); } }"
    )
    file = (tmp_path if apart else home) / "P.jj"
    file.write_text(
        "options { STATIC = true; }\nPARSER_BEGIN(P) package com.x.parser;\n"
        "import com.x.ast.Node;\npublic class P {} PARSER_END(P)\n"
        'SKIP : { " " }\nTOKEN : { <NAME: (["a"-"z"])+> }\n'
        'Node list() : { Node n; } { n = item() [ "," item() { Help.f(); } ] <EOF>'
        " { return n; } }\nNode item() : {} { <NAME> { token.own(); return new Node(); } }\n"
    )
    load = LoadOptions(extra={"home": str(home)} if apart else {})
    suite = TestSuite.from_texts(["a", "a, b", "a, b, c", "a, b, c, d"], ["a b"])
    best = suggest(str(file), suite, load=load).suggestions[0]
    assert best.confirmation is not None
    assert best.confirmation.agreement is Agreement.CONFIRMED
    assert not best.confirmation.built


@pytest.mark.parametrize(
    ("failing", "edit"),
    [
        ("a = b c;", 'also allow <NAME> before ";"'),
        ("a = ;", "make <NAME> optional"),
        ("a", "also allow the rule to end here"),
        ("a ! b;", 'also allow "!" instead of "="'),
        ("b;", 'make ( "=" <NAME> ) optional'),
    ],
)
def test_repairs_of_classes(tmp_path: Path, failing: str, edit: str) -> None:
    """What an edit adds to an alternative is written into it: JavaCC would take only the first of
    two alternatives that begin alike."""
    body = """TOKEN : { <NAME: (["a"-"z"])+> }
    void file()  : {} { ( entry() )* <EOF> }
    void entry() : {} { <NAME> "=" <NAME> ";" | "!" }"""
    folder = compiled(tmp_path, body)
    suite = TestSuite.from_texts(["a = b;", "!", "a = b; ! c = d;", failing], ["a = b"])
    found = suggest(f"{folder}:Parser", suite)
    told = {one.describe(): one.confirmation for one in found.suggestions}
    said = told[edit]
    assert said is not None
    assert (said.agreement, said.built) == (Agreement.CONFIRMED, True)
    assert not any(one and one.agreement is Agreement.DIFFERS for one in told.values())
