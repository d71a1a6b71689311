"""The text of questions: new tokens, tokens that only the tests spell, lexers that ask the parser.

All parsers are real ones.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from command import Command
from gramspect import LoadOptions, TestSuite, ask, localize
from gramspect.edits.model import NEW_TOKEN
from gramspect.edits.new_words import read_with
from gramspect.edits.questions import Question
from gramspect.edits.validation import Status
from gramspect.localization.conclusion import best_first
from gramspect.recognition.recognizer import Recognizer, Tokenizing
from gramspect.repairs.ask import Asked, Asking
from gramspect.repairs.asked_texts import AskedTexts, spellings
from gramspect.running.loading import load_parser
from gramspect.suites.suite import Expectation, TestCase

LARK = """start: (stmt ";")*
stmt: NAME "=" expr
expr: term ("==" term)?
term: atom ("+" atom)*
atom: NAME | NUMBER | "(" expr ")"
NAME: /[a-z]+/
NUMBER: /[0-9]+/
%ignore " "
"""
PLY = '''
from ply import lex, yacc

tokens = ("NAME", "NUMBER", "SAME", "IS", "PLUS", "OPEN", "CLOSE", "END")
t_NAME, t_NUMBER, t_SAME, t_IS, t_PLUS = r"[a-z]+", r"[0-9]+", "==", "=", r"\\+"
t_OPEN, t_CLOSE, t_END, t_ignore = r"\\(", r"\\)", ";", " "


def t_error(t):
    raise SyntaxError(f"illegal character {t.value[0]}")


def p_start(p):
    """start : start stmt END
    | empty"""


def p_empty(p):
    "empty :"


def p_stmt(p):
    "stmt : NAME IS expr"


def p_expr(p):
    """expr : term SAME term
    | term"""


def p_term(p):
    """term : term PLUS atom
    | atom"""


def p_atom(p):
    """atom : NAME
    | NUMBER
    | OPEN expr CLOSE"""


def p_error(p):
    raise SyntaxError(p)


lexer = lex.lex()
parser = yacc.yacc(debug=False, write_tables=False)
'''
TOOLS = {
    "lark-lalr": ("l.lark", LARK),
    "lark-earley": ("l.lark", LARK),
    "ply": ("asked_operator.py", PLY),
}
SUITE = TestSuite.from_texts(
    ["a = b == c ;", "a = b + 1 ;", "a = ( b == 1 ) + c ;", "a = 1 ; b = 2 ;", "a = b != c ;"],
    ["a = b == c == d ;", "a = ;"],
)


@pytest.fixture(params=TOOLS)
def tool(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    name, text = TOOLS[request.param]
    (tmp_path / name).write_text(text)
    return request.param, tmp_path / name


def first_question(path: Path, adapter: str, suite: TestSuite) -> tuple[Asking, Asked]:
    asking, asked = ask(path, suite, load=LoadOptions(adapter=adapter)).next()
    assert asked is not None
    return asking, asked


def test_an_operator_that_the_lexer_lacks_is_asked_about(tool: tuple[str, Path]) -> None:
    adapter, path = tool
    asking, asked = first_question(path, adapter, SUITE)
    assert set(asked.question.new) == {"!="}
    assert asked.text.split().count("!=") == len(asked.question.new)
    assert not asked.question.derived
    names = [asking.localization.grammar.symbols[s.nonterminal].name for s in asking.leading]
    assert "expr" in names
    for answer in (True, False):
        assert asking.in_favour(asked, answer)


@pytest.mark.parametrize("text", ["a = a == ( a != a ) ;", "a = a + a != a ;", "a = a != a != a ;"])
@pytest.mark.parametrize("correct", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_answers_about_new_tokens_are_tests(
    tool: tuple[str, Path], text: str, correct: bool
) -> None:
    """What is still said to mend all and break nothing agrees with the answer, as Lark has it."""
    adapter, path = tool
    expectation = Expectation.ACCEPT if correct else Expectation.REJECT
    suite = TestSuite((*SUITE.tests, TestCase("answer", expectation, text)))
    result = localize(path, suite, load=LoadOptions(adapter=adapter))
    assert result.n_failing == 1 + correct
    repairs = [
        one
        for element in result.ranking[:6]
        for one in best_first(result, element)
        if one.status is Status.VALIDATED and len(one.effect.fixed) == result.n_failing
    ]
    assert repairs
    changed = [one.change.changed.text for one in repairs if one.change is not None]
    assert changed
    for grammar in changed:
        path.write_text(grammar)
        assert accepts(path, adapter, "a = b != c ;")
        assert accepts(path, adapter, text) is correct, grammar


def test_the_command_keeps_such_answers_as_tests(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "l.lark").write_text(LARK)
    for name, expectation in (("good", Expectation.ACCEPT), ("bad", Expectation.REJECT)):
        texts = [test.text for test in SUITE.tests if test.expectation is expectation]
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts))
    given = (tmp_path / "l.lark", "--lines", "--accept", tmp_path / "good", "--reject",
             tmp_path / "bad")  # fmt: skip
    kept = tmp_path / "answers.jsonl"
    monkeypatch.setattr("sys.stdin", io.StringIO("no\n"))
    asked = command("ask", *given, "-o", kept, "--most", "1").out
    against = re.findall(r"\d\. .* in (\w+), another repair than", asked)
    assert {"expr", "term", "atom"} <= set(against)
    (answer,) = TestSuite.load(manifests=[kept]).tests
    assert (answer.expectation, "!=" in answer.text) == (Expectation.REJECT, True)
    before, after = (
        command("localize", *given, *more).out.splitlines()[0] for more in ((), ("--suite", kept))
    )
    assert "`expr`" in before
    assert not any(f"`{name}`" in after for name in against), "they would accept the answer"
    question = command("ask", *given, "--format", "json").json["question"]
    assert "!=" in question["tokens"]


def accepts(path: Path, adapter: str, text: str) -> bool:
    suite = TestSuite.from_texts([text], [])
    return not localize(path, suite, load=LoadOptions(adapter=adapter), evidence="spectrum").failing


def test_a_word_that_is_new_is_found_between_tokens_only(tmp_path: Path) -> None:
    (tmp_path / "l.lark").write_text('start: (NAME | STRING | ":on")*\nNAME: /[a-z]+/\n'
                                     'STRING: /"[^"]*"/\n%ignore " "\n')  # fmt: skip
    parser = loaded(tmp_path / "l.lark", "lark-lalr")
    names = {symbol.name: symbol.index for symbol in parser.grammar.terminals}
    name, on = names["NAME"], next(n for s, n in names.items() if "ON" in s or "on" in s)
    assert read(parser, "is this a", "is") == [NEW_TOKEN, name, name]
    assert read(parser, 'a "is" is', "is") == [name, names["STRING"], NEW_TOKEN]
    assert read(parser, ":on : a", ":") == [on, NEW_TOKEN, name]
    assert read(parser, "a = b", ":") is None, "other text that the lexer cannot read"


def read(parser: Recognizer, text: str, word: str) -> list[int] | None:
    return read_with(parser, TestCase("t", Expectation.ACCEPT, text), [word])


def loaded(path: Path, adapter: str) -> Recognizer:
    return load_parser(path, LoadOptions(adapter=adapter)).recognizer


OWN_LEXER = '''
from ply import yacc

tokens = ("WORD", "OPEN", "CLOSE", "COMMA", "STRING")


class Token:
    lineno = lexpos = 0

    def __init__(self, kind, value):
        self.type, self.value = kind, value


class Words:
    """A lexer that PLY has no part in."""

    signs = {"[": "OPEN", "]": "CLOSE", ",": "COMMA"}

    def input(self, text):
        self.rest = iter(text.split())

    def token(self):
        word = next(self.rest, None)
        if word is None:
            return None
        kind = "STRING" if word[0] == "'" else self.signs.get(word, "WORD")
        return Token(kind, word)


def p_value(p):
    """value : WORD
    | STRING
    | OPEN elements CLOSE"""


def p_elements(p):
    """elements : value
    | elements COMMA value"""


def p_error(p):
    raise SyntaxError(p)


parser = yacc.yacc(debug=False, write_tables=False)


class Make:
    def __init__(self):
        self.parser = parser

    def parse(self, text):
        return parser.parse(text, lexer=Words())
'''


class TestSpellings:
    def test_those_of_a_lexer_that_has_no_patterns_are_from_the_tests(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("ply.lex.lexer", None, raising=False)  # what another test has made
        path = tmp_path / "own_words.py"
        path.write_text(OWN_LEXER)
        suite = TestSuite.from_texts(["[ one , 'two' ]", "[ [ three ] , x ]", "[ ]"], ["[ one , ]"])
        parser = loaded(Path(f"{path}:Make"), "ply")
        found = spellings(parser, suite.tests[:2])
        named = {parser.grammar.symbols[token].name: text for token, text in found.items()}
        assert named == {
            "WORD": ("x",), "STRING": ("'two'",), "OPEN": ("[",), "CLOSE": ("]",), "COMMA": (",",),
        }  # fmt: skip
        _, asked = first_question(Path(f"{path}:Make"), "ply", suite)
        assert set(asked.text.split()) <= {"[", "]", ",", "x", "word", "'two'"}

    def test_samples_come_first_and_an_empty_list_leaves_a_token_out(self, tmp_path: Path) -> None:
        (tmp_path / "l.lark").write_text(LARK)
        parser = loaded(tmp_path / "l.lark", "lark-lalr")
        assert isinstance(parser, Tokenizing)
        tests = [TestCase("t", Expectation.ACCEPT, "q = 77 ;")]
        tokens = tuple(parser.tokens(tests[0]) or ())
        samples = tmp_path / "samples.toml"
        samples.write_text('NAME = ["given"]\n')
        question = Question(tokens, True, ())
        text = AskedTexts.of(parser, tests, [], str(samples)).text(question)
        assert text is not None
        assert text.split()[0] == "given"
        samples.write_text("NAME = []\n")
        assert AskedTexts.of(parser, tests, [], str(samples)).text(question) is None


ALIKE = """start: (command ";")*
command: "show" VARIABLE | "sort" VARIABLE "by" ATTRIBUTE
VARIABLE.-1: /[a-z]+/
ATTRIBUTE.-2: /[a-z]+/
%ignore " "
"""


@pytest.mark.parametrize(("lexer", "told"), [("contextual", True), ("basic", False)])
def test_after_an_error_a_lexer_that_asks_the_parser_may_read_any_expected_token(
    tmp_path: Path, lexer: str, told: bool
) -> None:
    """Both inputs are ``show a a ;``, and one of them is what a basic lexer never reads."""
    (tmp_path / "l.lark").write_text(ALIKE)
    load = LoadOptions(adapter="lark-lalr", extra={"lexer": lexer})
    parser = load_parser(tmp_path / "l.lark", load).recognizer
    symbol = {one.display.strip('"'): one.index for one in parser.grammar.terminals}
    texts = AskedTexts.of(parser, [], [], None)
    head = (symbol["show"], symbol["VARIABLE"])
    written = [
        texts.text(Question((*head, symbol[last], symbol[";"]), False, ()))
        for last in ("VARIABLE", "ATTRIBUTE")
    ]
    assert [text is not None for text in written].count(True) == 1 + told
    first = (symbol["show"], symbol["ATTRIBUTE"], symbol[";"])
    assert texts.text(Question(first, False, ())) is None, "the parser says it is a variable"
