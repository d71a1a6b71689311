"""What is told of a test: verdicts, errors, tokens; ambiguity of every size."""

from __future__ import annotations

import pytest
from lark_cases import Load, text_test

from gramspect.recognition.recognizer import LexerKnowing, Recognizer, Tokenizing
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import (
    ChartTrace,
    ErrorKind,
    Extraction,
    LLTrace,
    ParseError,
    Undecided,
    Verdict,
)
from gramspect.spectrum.extraction import observe
from gramspect_lark.lalr_recognizer import LalrRecognizer

CALC = """
    start: (assign ";")*
    assign: NAME "=" sum
    sum: sum ("+" | "-") term | term
    term: NUMBER | NAME | "(" sum ")"
    NAME: /[a-z]+/
    NUMBER: /[0-9]+(\\.[0-9]+)?/
    STRING: /"[^"]*"/
    %ignore /[ \\n]+/
    %ignore STRING
"""

EVERY = [
    ("lark-lalr", "contextual"),
    ("lark-lalr", "basic"),
    ("lark-earley", "basic"),
    ("lark-earley", "dynamic"),
    ("lark-earley", "dynamic_complete"),
]
every = pytest.mark.parametrize(("name", "lexer"), EVERY)


def error_of(parser: Recognizer, text: str) -> ParseError:
    trace = parser.trace(text_test(text))
    assert not isinstance(trace, LLTrace | Undecided)
    assert trace.error is not None
    return trace.error


@every
def test_syntax_errors(load: Load, name: str, lexer: str) -> None:
    parser = load(name, CALC, None, {"lexer": lexer})
    error = error_of(parser, "x = 1;\ny = + 2;")
    assert (error.token, error.line, error.column) == (6, 2, 5)
    assert (error.message, error.kind) == ("unexpected '+' (PLUS)", ErrorKind.SYNTAX)
    error = error_of(parser, "x = (1 +")
    assert (error.token, error.line, error.column) == (5, 1, 9)
    assert (error.message, error.kind) == ("unexpected end of input", ErrorKind.SYNTAX)


@every
def test_lexical_errors(load: Load, name: str, lexer: str) -> None:
    parser = load(name, CALC, None, {"lexer": lexer})
    error = error_of(parser, "x = 1 + $2;")
    assert (error.token, error.line, error.column) == (4, 1, 9)
    assert (error.message, error.kind) == ("no terminal matches at '$'", ErrorKind.LEXICAL)


@every
def test_frontiers_of_lexical_errors(load: Load, name: str, lexer: str) -> None:
    """Spectra end where the lexer failed, as at a syntax error."""
    parser = load(name, CALC, None, {"lexer": lexer})
    lexical = observe(parser.trace(text_test("x = 1 + $")))
    syntax = observe(parser.trace(text_test("x = 1 + ;")))
    assert lexical.items == syntax.items
    assert lexical.active == syntax.active
    leaves = {item for item, depth in lexical.active.items() if depth == 0}
    assert {parser.grammar.item_text(item) for item in leaves} == {
        'sum -> sum ( "+" | "-" ) • term'
    }


@every
def test_tokens(load: Load, name: str, lexer: str) -> None:
    """Those after an error as well, for edits."""
    parser = load(name, CALC, None, {"lexer": lexer})
    assert isinstance(parser, Tokenizing)

    def names(text: str) -> list[str] | None:
        tokens = parser.tokens(text_test(text))
        if tokens is None:
            return None
        return [parser.grammar.symbols[t].name if t >= 0 else "?" for t in tokens]

    assert names("x = 1 + y;") == ["NAME", "EQUAL", "NUMBER", "PLUS", "NAME", "SEMICOLON"]
    assert names("x = ) 1 y;") == ["NAME", "EQUAL", "RPAR", "NUMBER", "NAME", "SEMICOLON"]
    assert names("x = 1 $ 2;") == ["NAME", "EQUAL", "NUMBER", "?", "NUMBER", "SEMICOLON"]
    assert names("") == []


@every
def test_terminals_that_lexical_errors_have_to_do_with(load: Load, name: str, lexer: str) -> None:
    parser = load(name, CALC, None, {"lexer": lexer})
    assert isinstance(parser, LexerKnowing)

    def notes(text: str) -> list[str]:
        found = parser.lexer_rules_at_error(text_test(text))
        return [str(note).partition("main.lark:")[2] or str(note) for note in found]

    assert notes('x = 1; "abc') == [
        "8:1: the lexer stops at the end of the input after '\"abc'; STRING could go on with this"
    ]
    assert notes("x = .5;") == ["7:1: the lexer stops at '.', which begins no token; NUMBER has it"]
    assert notes("x = $;") == [
        "the lexer stops at '$', which begins no token and which no terminal names"
    ]
    assert notes("x = ;") == []


def test_the_contextual_lexer_knows_what_is_expected(load: Load) -> None:
    """A keyword is a name where no keyword may stand. What may not be there is a syntax error."""
    text = 'start: "let" NAME "=" NAME\nNAME: /[a-z]+/\n%ignore " "\n'
    parser = load("lark-lalr", text)
    assert observe(parser.trace(text_test("let let = x"))).verdict is Verdict.ACCEPTED
    error = error_of(parser, "x = let")
    assert (error.token, error.message) == (0, "unexpected 'x' (NAME)")
    basic = load("lark-lalr", text, None, {"lexer": "basic"})
    assert error_of(basic, "let let = x").message == "unexpected 'let' (LET)"


def test_the_dynamic_lexer_tries_everything(load: Load) -> None:
    """Terminals of any length that match; the chart has every way."""
    text = 'start: (A | AB) "b"? C*\nA: "a"\nAB: "ab"\nC: "c"\n'
    parser = load("lark-earley", text)
    found = observe(parser.trace(text_test("abc")), Extraction.ALL)
    labels = {parser.grammar.rules[rule].label for rule in found.rules}
    assert {"start:1.1:1", "start:1.1:2", "start:1.2:1", "start:1.2:2"} <= labels
    error = error_of(parser, "abx")
    assert (error.token, error.column) == (1, 3)  # two tokens, or one


def test_ignored_text_at_the_ends(load: Load) -> None:
    parser = load("lark-earley", 'start: "a" "b"?\n%ignore " "\n')
    for text in ("a", " a", "a ", "  a   b  "):
        assert observe(parser.trace(text_test(text))).verdict is Verdict.ACCEPTED, text
    error = error_of(parser, " a  a")
    assert (error.token, error.column) == (1, 5)
    error = error_of(parser, "  ")
    assert (error.token, error.message) == (0, "unexpected end of input")


@pytest.mark.parametrize("lexer", ["basic", "dynamic"])
@pytest.mark.parametrize("ambiguity", ["resolve", "explicit", "forest"])
def test_thousands_of_trees(load: Load, lexer: str, ambiguity: str) -> None:
    """Catalan(29) is about 10**15; no tree is built."""
    text = 'start: e\ne: e "+" e | "n"\n%ignore " "\n'
    parser = load("lark-earley", text, None, {"lexer": lexer, "ambiguity": ambiguity})
    found = observe(parser.trace(text_test(" + ".join("n" * 30))), Extraction.ALL)
    assert found.verdict is Verdict.ACCEPTED
    assert found.rules == {0, 1, 2}
    assert error_of(parser, " + ".join("n" * 30) + " n").token == 59


@pytest.mark.parametrize("lexer", ["basic", "dynamic"])
@pytest.mark.parametrize("ambiguity", ["resolve", "explicit"])
def test_infinitely_many_trees(load: Load, lexer: str, ambiguity: str) -> None:
    """Lark's own trees of such texts have been wrong (its issues 526 and 741)."""
    text = 'start: start | start empty | "a"\nempty:\n'
    parser = load("lark-earley", text, None, {"lexer": lexer, "ambiguity": ambiguity})
    found = observe(parser.trace(text_test("a")), Extraction.ALL)
    assert found.verdict is Verdict.ACCEPTED
    assert found.rules == {0, 1, 2, 3}
    assert observe(parser.trace(text_test("a"))).rules == {2}
    assert error_of(parser, "aa").token == 1


@pytest.mark.slow
def test_deep_nesting(load: Load) -> None:
    text = 'start: "(" start ")" | "x"\n'
    nested = "(" * 3_000 + "x" + ")" * 3_000
    for name, lexer in EVERY[:4]:
        parser = load(name, text, None, {"lexer": lexer})
        assert observe(parser.trace(text_test(nested))).verdict is Verdict.ACCEPTED
        assert error_of(parser, nested[:-1]).token == 6_000


def test_many_files_of_one_parser(load: Load) -> None:
    """Every test starts afresh, whatever the one before has left."""
    parser = load("lark-lalr", CALC)
    first = observe(parser.trace(text_test("x = 1;")))
    assert error_of(parser, "x = = 1").token == 2
    assert observe(parser.trace(text_test("x = 1;"))) == first


INDENTED = """
    start: (NAME _NL | block)*
    block: NAME ":" _NL _INDENT (NAME _NL | block)+ _DEDENT
    NAME: /[a-z]+/
    _NL: /(\\n[ ]*)+/
    %ignore " "
    %declare _INDENT _DEDENT
"""

INDENTER = """
from lark.indenter import Indenter

class Lines(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = []
    CLOSE_PAREN_types = []
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8
"""


@pytest.mark.parametrize(("name", "lexer"), [*EVERY[:3]])
def test_what_comes_after_the_lexer(load: Load, name: str, lexer: str) -> None:
    (load.folder / "lines.py").write_text(INDENTER)
    extra = {"lexer": lexer, "postlex": f"{load.folder / 'lines.py'}:Lines"}
    parser = load(name, INDENTED, None, extra)
    assert observe(parser.trace(text_test("a\nb:\n  c\n  d:\n    e\nf\n"))).verdict is (
        Verdict.ACCEPTED
    )
    error = error_of(parser, "a:\nb\n")
    assert (error.token, error.message) == (3, "unexpected 'b' (NAME)")
    error = error_of(parser, "a:\n    b\n  c\n")
    assert error.kind is ErrorKind.LEXICAL
    assert "Unexpected dedent to column 2" in error.message
    assert isinstance(parser, Tokenizing)
    tokens = parser.tokens(text_test("a:\n  b\n"))
    assert tokens is not None
    assert [parser.grammar.symbols[t].name for t in tokens] == [
        "NAME", "COLON", "_NL", "_INDENT", "NAME", "_NL", "_DEDENT",
    ]  # fmt: skip


def test_rejected_by_a_resolved_conflict(load: Load) -> None:
    """Lark shifts: the list takes the comma, and the option after it never gets one."""
    text = 'start: list ["," "."]\nlist: "x" ("," "x")*\n'
    parser = load("lark-lalr", text)
    assert error_of(parser, "x,.").token == 2
    assert isinstance(parser, LalrRecognizer)
    assert {conflict.kind for conflict in parser.conflicts} == {"shift/reduce"}
    assert observe(load("lark-earley", text).trace(text_test("x,."))).verdict is Verdict.ACCEPTED


def test_charts_are_made_when_they_are_looked_into(load: Load) -> None:
    trace = load("lark-earley", CALC).trace(text_test("x = 1;"))
    assert isinstance(trace, ChartTrace)
    assert "space" not in vars(trace.chart)
    assert observe(trace) == observe(trace)
    assert "space" in vars(trace.chart)


def test_without_recursion_limits(load: Load) -> None:
    """An exception of the parser that is no error of the input leaves the test undecided."""
    (load.folder / "odd.py").write_text(
        "class Odd:\n"
        "    always_accept = ()\n"
        "    def process(self, stream):\n"
        "        for token in stream:\n"
        "            if token == 'deep':\n"
        "                raise RecursionError('too deep')\n"
        "            yield token\n"
    )
    extra = {"lexer": "basic", "postlex": f"{load.folder / 'odd.py'}:Odd"}
    for name in ("lark-lalr", "lark-earley"):
        parser = load(name, 'start: NAME+\nNAME: /[a-z]+/\n%ignore " "\n', None, extra)
        found = parser.trace(text_test("a deep b"))
        assert isinstance(found, Undecided), name
        assert "RecursionError: too deep" in found.reason


def test_no_lark_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gramspect_lark.find_spec", {}.get)
    for name in ("lark-lalr", "lark-earley"):
        assert adapter(name).missing() == 'Lark is not installed: pip install "gramspect[lark]"'
