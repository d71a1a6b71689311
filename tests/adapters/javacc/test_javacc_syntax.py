"""The reader of grammar files."""

from __future__ import annotations

from textwrap import dedent

import pytest

from gramspect.errors import GrammarError
from gramspect.grammars.ebnf import Alternative, Block, Element
from gramspect.source import SourceText
from gramspect_javacc.reading import read_javacc
from gramspect_javacc.syntax import JavaccFile, literal_text

HEAD = "PARSER_BEGIN(P) public class P {} PARSER_END(P)\n"


def read(body: str, head: str = HEAD) -> JavaccFile:
    return read_javacc(SourceText("P.jj", head + dedent(body)))


def shown(alternatives: tuple[Alternative, ...]) -> str:
    """Alternatives in short: names, and blocks with their operators."""

    def element(e: Element) -> str:
        if isinstance(e, Block):
            return f"({shown(e.alternatives)}){e.operator}"
        return e.name

    return "|".join(" ".join(map(element, a.elements)) for a in alternatives)


def production(expansion: str) -> str:
    """The structure of one production in short."""
    found = read(f"void p() : {{}} {{ {expansion} }}").productions
    return shown(found[0].alternatives)


@pytest.mark.parametrize(
    ("expansion", "structure"),
    [
        ('"a" <B> c()', '"a" B c'),
        ("<EOF>", "EOF"),
        ("a() | b() | {}", "a|b|"),
        ("[ a() ] ( b() )? ( c() )* ( d() )+ ( e() )", "(a)? (b)? (c)* (d)+ (e)()"),
        ("( a() | [ b() | c() ] d() )*", "(a|(b|c)? d)*"),
        # Java code, arguments and assignments
        ('{ if (x) { y("}"); } /* } */ } a()', "a"),
        ('x = a(1, ")", new int[] {1}) y.z[0] = <B> t = "c"', 'a B "c"'),
        ("x = <ID>.image { f('\\''); }", "ID"),
        ("this.x = a() x += 0 == 0 ? b() : c()", None),
        ("list<String>() <B>", "list B"),
        ('a(b(c(), d[1]), "(") e()', "a e"),
        # what decides only
        ("LOOKAHEAD(2) a() | LOOKAHEAD(b() c()) b() | LOOKAHEAD({ x() }) c()", "a|b|c"),
        ('LOOKAHEAD(2, a() "b", { getToken(1).kind == B }) a()', "a"),
        ("a() LOOKAHEAD({ true }) b()", "a b"),
        # try blocks
        ("try { a() b() } catch (ParseException e) { c(); } finally { d(); } e()", "a b e"),
        ("try { a() | b() } catch (final java.lang.Error e) {} c()", "(a|b)() c"),
        # JJTree
        ("a() #Node b() #void c() #Other(>1)", "a b c"),
        ("( a() b() ) #Pair(2) { jjtThis.x(); }", "(a b)()"),
        # regular expressions
        ('< "a" | ["b"-"c"] > < X: ("d")+ > < "e" >', '< "a" | ["b"-"c"] > X < "e" >'),
        ('<#Y: "f"> a()', "Y a"),
    ],
)
def test_expansions(expansion: str, structure: str | None) -> None:
    if structure is None:
        with pytest.raises(GrammarError):
            production(expansion)
    else:
        assert production(expansion) == structure


def test_places() -> None:
    found = read(
        """\
        void p() :
        { int x; }
        {
          "a" ( <B> | p() )* [ "c" ]
        }
        """
    )
    (p,) = found.productions
    assert str(p.span) == "P.jj:2:6"
    (alternative,) = p.alternatives
    places = [str(e.span) for e in alternative.elements]
    assert places == ["P.jj:5:3", "P.jj:5:7", "P.jj:5:22"]
    assert alternative.span is not None
    assert (alternative.span.column, alternative.span.end_column) == (3, 29)
    block = alternative.elements[1]
    assert isinstance(block, Block)
    assert [str(a.span) for a in block.alternatives] == ["P.jj:5:9", "P.jj:5:15"]


def test_headers() -> None:
    found = read(
        """\
        public java.util.List<Map<String, int[]>> a(int x, T<U>[] y) throws A, b.C : {} { "a" }
        int[] b() #void : {} { "b" }
        private void c() #C(x > 1) : {} { "c" }
        JAVACODE public int[] d(int x) throws E { return "}".length(); }
        """
    )
    names = [(p.name, p.is_code) for p in found.productions]
    assert names == [("a", False), ("b", False), ("c", False), ("d", True)]


def test_options_and_the_class() -> None:
    head = """\
        options { STATIC = false; LOOKAHEAD=2; output_directory = "x y"; }
        PARSER_BEGIN(Q) package a.b; class Q { String s = "PARSER_END(Q)"; } PARSER_END(Q)
    """
    found = read("void p() : {} {}", head)
    assert found.parser == "Q"
    assert found.options == {
        "STATIC": "false", "LOOKAHEAD": "2", "OUTPUT_DIRECTORY": '"x y"',
    }  # fmt: skip


def test_token_productions() -> None:
    found = read(
        """\
        TOKEN_MGR_DECLS : { int level = 0; void f() { "}".length(); } }
        SKIP : { " " | "\\t" : OTHER | < "//" (~["\\n"])* > { level++; } }
        <OTHER, DEFAULT> TOKEN [IGNORE_CASE] : {
          <IF: "if"> | <#D: ["0"-"9"]> | <N: (<D>)+> : DEFAULT
        }
        <*> MORE : { "x" }
        SPECIAL_TOKEN : { <C: "/*"> }
        void TOKEN() : {} { <IF> }
        """
    )
    rules = [(r.kind, r.name, r.literal, r.states, r.private) for r in found.token_rules]
    default = ("DEFAULT",)
    assert rules == [
        ("SKIP", None, " ", default, False),
        ("SKIP", None, "\t", default, False),
        ("SKIP", None, None, default, False),
        ("TOKEN", "IF", "if", ("OTHER", "DEFAULT"), False),
        ("TOKEN", "D", None, ("OTHER", "DEFAULT"), True),
        ("TOKEN", "N", None, ("OTHER", "DEFAULT"), False),
        ("MORE", None, "x", ("*",), False),
        ("SPECIAL_TOKEN", "C", "/*", default, False),
    ]
    assert [rule.ignore_case for rule in found.token_rules][3]
    assert [p.name for p in found.productions] == ["TOKEN"]


def test_lookaheads_are_noted() -> None:
    found = read(
        """\
        void p() : {} {
          LOOKAHEAD(3) "a" | LOOKAHEAD(p() "b") "b" | LOOKAHEAD({ x(")") }) "c"
          | LOOKAHEAD(2, "d", { y }) "d"
        }
        """
    )
    kinds = [(x.amount, x.syntactic, x.semantic) for x in found.lookaheads]
    assert kinds == [(3, False, False), (None, True, False), (None, False, True), (2, True, True)]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("void p() : {} { a( }", r"P.jj:2:18: '\(' is not closed"),
        ("void p() : {} { a }", r"P.jj:2:19: expected '\('"),
        ('void p() : {} { "a" ', "expected the end of the production, found the end of the file"),
        ("void p() : {} { ( a() }", r"P.jj:2:23: expected '\)', found '}'"),
        ("void p() { }", "P.jj:2:.*expected"),
        ('TOKEN : { <A: "a" }', "P.jj:2:11: '<' is not closed"),
        ("<A> OTHER : {}", "expected one of TOKEN, SPECIAL_TOKEN, SKIP, MORE"),
        ("void p() : {} { " + "( " * 200 + "}", "nested more than 100 deep"),
    ],
)
def test_broken_grammars(body: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        read(body)


def test_other_files() -> None:
    with pytest.raises(GrammarError, match=r"P.jj:1:1: expected 'PARSER_BEGIN', found 'grammar'"):
        read_javacc(SourceText("P.jj", "grammar P; a : b ;"))
    with pytest.raises(GrammarError, match="expected 'PARSER_BEGIN', found the end of the file"):
        read_javacc(SourceText("P.jj", ""))


@pytest.mark.parametrize(
    ("literal", "text"), [('"a"', "a"), (r'"\""', '"'), (r'"\n\\"', "\n\\"), ('"\\u0041"', "A")]
)
def test_literals(literal: str, text: str) -> None:
    assert literal_text(literal) == text
