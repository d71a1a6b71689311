"""What is recorded of parsers: rules, places, errors, and what Java code in them does."""

from __future__ import annotations

import pytest
from jj import Load, case, labels, observed, rule_texts

from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import ErrorKind, LLTrace, Verdict
from gramspect.running.loading import LoadSpec
from gramspect.running.runner import run
from gramspect.spectrum.extraction import observe
from gramspect_javacc.recognizer import JavaccRecognizer

BLOCKS = """
void start() : {} { ( item() )* [ "x" | "y" "y" ] ( "p" | "q" )+ <EOF> }
void item() : {} { "a" [ "b" ] | ( "c" )* "d" }
"""


@pytest.fixture(params=["instance", "static"])
def blocks(load: Load, request: pytest.FixtureRequest) -> JavaccRecognizer:
    return load(BLOCKS, static=request.param == "static")


def test_blocks(blocks: JavaccRecognizer) -> None:
    a_d, y_p, nothing = observed(blocks, "a c c d p", "y y p q", "p")
    start = 'start -> item* ( "x" | "y" "y" )? ( "p" | "q" )+ <EOF>'
    assert rule_texts(blocks.grammar, a_d)[:3] == [start, 'item -> "a" "b"?', 'item -> "c"* "d"']
    assert labels(blocks.grammar, nothing) == {
        *("start:1", "start:1.1:1", "start:1.2:3", "start:1.3:1", "start:1.3.1:1")
    }
    assert labels(blocks.grammar, y_p) == {
        *("start:1", "start:1.1:1", "start:1.2:2"),
        *("start:1.3:1", "start:1.3:2", "start:1.3.1:1", "start:1.3.1:2"),
    }


def test_accepted_tests_need_no_chart(blocks: JavaccRecognizer) -> None:
    assert isinstance(blocks.trace(case("a b p")), LLTrace)


def test_static_parsers_start_anew_for_each_test(blocks: JavaccRecognizer) -> None:
    texts = ["a p", "a a", "p", "d q", "?"] * 3
    verdicts = [o.verdict for o in observed(blocks, *texts)]
    assert verdicts == [observe(blocks.trace(case(text))).verdict for text in texts]
    assert verdicts[:5] == verdicts[5:10] == verdicts[10:]


def test_errors(blocks: JavaccRecognizer) -> None:
    syntax, early, lexical = observed(blocks, "a b\n b p", "a b", "a  ? p")
    assert syntax.error is not None
    assert (syntax.error.token, syntax.error.line, syntax.error.column) == (2, 2, 2)
    assert syntax.error.message == "unexpected 'b', expecting one of 7 tokens"
    assert early.error is not None
    assert early.error.token == 2
    assert early.error.message.startswith("unexpected end of input")
    assert lexical.error is not None
    assert (lexical.error.kind, lexical.error.token) == (ErrorKind.LEXICAL, 1)
    assert (lexical.error.line, lexical.error.column) == (1, 4)


def test_a_start_that_does_not_reach_the_end(load: Load) -> None:
    body = 'void start() : {} { "a" ( "," "a" )* }'
    strict, lax = load(body), load(body, trailing="allow")
    for text, found in (("a , a", Verdict.ACCEPTED), ("a a", Verdict.REJECTED)):
        assert observed(strict, text)[0].verdict is found
        assert observed(lax, text)[0].verdict is Verdict.ACCEPTED
    (rejected,) = observed(strict, "a a")
    assert rejected.error is not None
    assert rejected.error.message == "the start production ends before 'a'"
    assert rejected.error.token == 1
    assert observed(strict, "a ?")[0].error.kind is ErrorKind.LEXICAL  # type: ignore[union-attr]


def test_start_with_arguments_and_a_value(load: Load) -> None:
    recognizer = load(
        """
        void other() : {} { "z" start(null, 1, true, 'c', 2.0) }
        int start(Object o, long n, boolean b, char c, double d) throws RuntimeException :
        { Token t; } { t = "a" { if (b || n > 0 || o != null) return 1; return 2; } }
        """,
        start="start",
    )
    assert [o.verdict for o in observed(recognizer, "a", "z a")] == ["accepted", "rejected"]


# --- Java code -------------------------------------------------------------------------------


def test_java_code_that_consumes(load: Load) -> None:
    """What it consumes is not in the chart; tokens are where they are nevertheless."""
    recognizer = load(
        """
        void start() : {} { ( "a" | "(" skip() ")" )* "b" <EOF> }
        JAVACODE void skip() {
          while (getToken(1).kind != 0 && !getToken(1).image.equals(")")) getNextToken();
        }
        """
    )
    accepted, rejected = observed(recognizer, "a ( b b a ) a b", "a ( b b ( ) a a")
    assert accepted.verdict is Verdict.ACCEPTED
    assert {"start:1", "skip:1"} <= labels(recognizer.grammar, accepted)
    assert rejected.error is not None
    assert rejected.error.message.startswith("unexpected end of input")
    assert (rejected.error.token, rejected.error.column) == (5, 15)
    assert recognizer.tokens(case("a ( b b ) b")) == [
        recognizer.grammar.symbol(name) for name in ('"a"', '"("', '")"', '"b"', "EOF")
    ]


def test_tokens_without_the_end_where_the_start_does_not_read_it(load: Load) -> None:
    body = 'void whole() : {} { part() <EOF> } void part() : {} { "a" ( "b" )* }'
    last = []
    for start in ("whole", "part"):
        recognizer = load(body, start=start)
        tokens = recognizer.tokens(case("a b"))
        assert tokens is not None
        last.append(recognizer.grammar.symbols[tokens[-1]].name)
    assert last == ["EOF", '"b"']


def test_errors_that_the_parser_recovers_from(load: Load) -> None:
    recognizer = load(
        """
        void start() : {} { ( statement() )* <EOF> }
        void statement() : {} {
          try { "a" "b" ";" }
          catch (ParseException e) {
            Token t;
            do { t = getNextToken(); } while (t.kind != 0 && !t.image.equals(";"));
          }
        }
        """
    )
    good, bad = observed(recognizer, "a b ; a b ;", "a b ; a ; a b ;")
    assert good.verdict is Verdict.ACCEPTED
    assert bad.error is not None
    assert (bad.error.token, bad.error.column) == (4, 9)


def test_actions_that_misbehave(load: Load) -> None:
    recognizer = load(
        """
        void start() : {} { ( act() )* <EOF> }
        void act() : {} {
            "x" { System.exit(3); }
          | "n" { Integer.parseInt("none"); }
          | "p" { System.out.println("noise"); System.err.println("noise"); }
          | "e" { if (true) throw new ParseException("no e is wanted"); }
          | "c" { count++; } | "d" { if (count != 1) throw new IllegalStateException(); }
          | "r" { recurse(); }
        }
        """,
        members="static int count; static void recurse() { recurse(); }",
    )
    texts = ["x", "n", "p", "p e", "c d", "c d", "r", "p"]
    found = observed(recognizer, *texts)
    assert [o.verdict for o in found] == [
        *("undecided", "undecided", "accepted", "rejected"),
        *("accepted", "accepted", "undecided", "accepted"),
    ]
    assert found[0].reason == "the parser called System.exit(3)"
    assert found[1].reason.startswith("the parser raised java.lang.NumberFormatException")
    assert found[3].error is not None
    assert found[3].error.message.startswith("no e is wanted (read as a context-free grammar")
    assert found[6].reason == "the parser needs a deeper stack than there is"


def test_nothing_is_printed(load: Load, capfd: pytest.CaptureFixture[str]) -> None:
    recognizer = load(
        'void start() : {} { "a" { System.out.println("x"); System.err.println("x"); } <EOF> }'
    )
    assert observed(recognizer, "a")[0].verdict is Verdict.ACCEPTED
    assert capfd.readouterr() == ("", "")


def test_a_user_method_that_calls_productions(load: Load) -> None:
    """It is no production: the parse inside it belongs to who called it."""
    recognizer = load(
        """
        void start() : {} { ( "a" inner() )* <EOF> }
        void inner() : {} { { helper(); } "c" }
        void b() : {} { "b" }
        """,
        members="""
        public final void helper() throws ParseException {
          if (getToken(1).image.equals("b")) b();
        }""",
    )
    plain, hidden = observed(recognizer, "a c", "a b c")
    assert labels(recognizer.grammar, hidden) - labels(recognizer.grammar, plain) == {"b:1"}
    assert [o.verdict for o in (plain, hidden)] == ["accepted", "accepted"]


# --- lexers ----------------------------------------------------------------------------------


def test_lexical_states_and_special_tokens(load: Load) -> None:
    recognizer = load(
        """
        MORE : { "<!--" : COMMENT }
        <COMMENT> MORE : { <~[]> }
        <COMMENT> SPECIAL_TOKEN : { <C: "-->"> : DEFAULT }
        TOKEN : { "{" : INNER }
        <INNER> TOKEN : { <WORD: (["a"-"z"])+> | <CLOSE: "}"> : DEFAULT }
        <INNER> SKIP : { " " }
        TOKEN [IGNORE_CASE] : { <SELECT: "select"> }
        void start() : {} { ( <SELECT> | "{" ( <WORD> )* <CLOSE> )* <EOF> }
        """
    )
    accepted, rejected = observed(
        recognizer, "SELECT <!-- { --> { a select } Select", "{ a SELECT }"
    )
    assert accepted.verdict is Verdict.ACCEPTED
    assert rejected.error is not None
    assert (rejected.error.kind, rejected.error.column) == (ErrorKind.LEXICAL, 5)


def test_tokens_for_edits(load: Load) -> None:
    recognizer = load(
        'TOKEN : { <A: "a"> | <NEVER: "n"> } void start() : {} { ( <A> | "b" )* <EOF> }'
    )
    names = [recognizer.grammar.symbols[t].name for t in recognizer.tokens(case("a b a")) or ()]
    assert names == ["A", '"b"', "A", "EOF"]
    other = recognizer.tokens(case("a n"))
    assert other is not None
    assert recognizer.grammar.symbols[other[1]].name == "NEVER"
    assert recognizer.tokens(case("a ?")) is None


def test_common_token_hooks_and_caches(load: Load) -> None:
    recognizer = load.text(
        """
        options {
          STATIC = false; CACHE_TOKENS = true; JAVA_UNICODE_ESCAPE = true; DEBUG_PARSER = true;
        }
        PARSER_BEGIN(Parser) package deep.inside; public class Parser {} PARSER_END(Parser)
        SKIP : { " " }
        void start() : {} { ( "a" [ "b" ] )+ <EOF> }
        """
    )
    verdicts = [o.verdict for o in observed(recognizer, "a b a", "b", "\\u0061", "?")]
    assert verdicts == ["accepted", "rejected", "accepted", "rejected"]


# --- JJTree ----------------------------------------------------------------------------------


def test_jjtree(load: Load) -> None:
    recognizer = load.text(
        """
        options { STATIC = false; MULTI = true; NODE_DEFAULT_VOID = true; }
        PARSER_BEGIN(Trees) public class Trees {} PARSER_END(Trees)
        SKIP : { " " }
        Node start() #Start : {} { sum() <EOF> { return jjtThis; } }
        void sum() #Sum(>1) : {} { atom() ( "+" atom() )* }
        void atom() : {} { "n" #Leaf | "(" sum() ")" }
        """,
        "Trees.jjt",
    )
    accepted, rejected = observed(recognizer, "n + ( n + n )", "n + ( n")
    assert accepted.verdict is Verdict.ACCEPTED
    grammar = recognizer.grammar
    assert {"start:1", "sum:1.1:2", "atom:1", "atom:2"} <= labels(grammar, accepted)
    assert str(grammar.rule_span(grammar.rules_of[grammar.symbol("atom")][1])).endswith(
        "Trees.jjt:7:40"
    )
    assert rejected.error is not None
    assert rejected.error.token == 4


# --- size ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_deep_and_long_inputs(load: Load) -> None:
    recognizer = load('void start() : {} { e() <EOF> } void e() : {} { "n" | "(" e() ")" }')
    deep = "( " * 10_000 + "n" + " )" * 10_000
    accepted, rejected = observed(recognizer, deep, deep + ")")
    assert accepted.verdict is Verdict.ACCEPTED
    assert rejected.error is not None
    assert rejected.error.token == 20_001


@pytest.mark.slow
def test_an_endless_loop_costs_one_test(load: Load) -> None:
    body = 'void start() : {} { "a" [ "b" { while (count == 0) {} } ] <EOF> }'
    recognizer = load(body, members="int count;")
    loader = LoadSpec("javacc", str(load.folder / "Parser.jj"), LoadOptions())
    tests = [case("a"), case("a b"), case("a a")]
    verdicts = [o.verdict for o in run(recognizer, tests, loader=loader, timeout=1)]
    assert verdicts == ["accepted", "undecided", "rejected"]
