"""Error functions that put in a token which the text does not have, as JavaScript's semicolons."""

from __future__ import annotations

import importlib
import itertools
import sys
from pathlib import Path
from typing import Any

import pytest

from command import Command
from gramspect import TestSuite, Verdict, localize, record, run
from gramspect.edits.confirmation import Agreement
from gramspect.errors import AdapterError
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.trace import LRTrace, Trace, Undecided
from gramspect.suites.suite import Expectation, TestCase
from gramspect_ply import PlyRecognizer, adapter

SCRIPT = """
from ply import lex, yacc

tokens = ("ID", "IF", "PRINT")
literals = "=;{}()"
t_ignore = " "
words = {"if": "IF", "print": "PRINT"}

def t_ID(t):
    r"[a-z]+"
    t.type = words.get(t.value, "ID")
    return t

def t_newline(t):
    r"\\n+"
    t.lexer.lineno += len(t.value)

def t_error(t):
    t.lexer.skip(1)

def p_script(p):
    '''script : statement
              | script statement'''

def p_statement(p):
    '''statement : ID '=' ID ';'
                 | '{' script '}'
                 | IF '(' ID ')' statement
                 | PRINT ID ';' '''

class Lexer:
    '''PLY's own, and what has been given back to it.'''

    def __init__(self):
        self.lexer = lex.lex()
        self.before = None
        self.back = []

    def input(self, text):
        self.lexer.input(text)

    def token(self):
        if self.back:
            return self.back.pop()
        return self.lexer.token()

def new(type, at):
    token = lex.LexToken()
    token.type = token.value = type
    token.lineno, token.lexpos = at.lineno, at.lexpos
    return token

lexer = Lexer()
"""
BUILD = """
parser = yacc.yacc(write_tables=False, debug=False)
"""
SEMICOLONS = """
def p_error(token):
    if token is None:
        parser.errok()
        return new(";", lexer.lexer)
    before = lexer.lexer.lexdata[:token.lexpos].rstrip(" ")
    if token.type != ";" and (token.type == "}" or before.endswith("\\n")):
        lexer.back.append(token)
        parser.errok()
        return new(";", token)
    raise ValueError("no such statement")
"""


def module_of(folder: Path, error_function: str) -> Path:
    file = folder / "script.py"
    file.write_text(SCRIPT + error_function + BUILD)
    return file


def load(folder: Path, error_function: str = SEMICOLONS, **options: str) -> PlyRecognizer:
    found = adapter.load(str(module_of(folder, error_function)), LoadOptions(extra=options))
    assert isinstance(found, PlyRecognizer)
    return found


def imported(folder: Path, monkeypatch: pytest.MonkeyPatch, error_function: str) -> Any:
    """The module as a program imports it."""
    module_of(folder, error_function)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "script", raising=False)
    importlib.invalidate_caches()
    module = importlib.import_module("script")
    monkeypatch.delitem(sys.modules, "script")
    return module


def case(text: str) -> TestCase:
    return TestCase("test", Expectation.ACCEPT, text)


def verdict(recognizer: Recognizer, text: str) -> tuple[int, int | None] | str | None:
    """None: accepted; the index and column of the offending token; why it is undecided."""
    trace: Trace = recognizer.trace(case(text))
    if isinstance(trace, Undecided):
        return trace.reason
    assert isinstance(trace, LRTrace)
    return None if trace.error is None else (trace.error.token, trace.error.column)


MENDED = ["a = b", "a = b\nc = d", "{ a = b }", "if (a) print b\n{ { c = d } }", "a = b;\nc = d\n"]


@pytest.mark.parametrize("text", MENDED)
def test_what_is_put_in_is_accepted(tmp_path: Path, text: str) -> None:
    """With the trace, and the tokens, of the text that has the semicolons."""
    recognizer = load(tmp_path)
    whole = {
        "a = b": "a = b ;",
        "a = b\nc = d": "a = b ; c = d ;",
        "{ a = b }": "{ a = b ; }",
        "if (a) print b\n{ { c = d } }": "if (a) print b ; { { c = d ; } }",
        "a = b;\nc = d\n": "a = b ; c = d ;",
    }[text]
    assert verdict(recognizer, text) is None
    assert recognizer.tokens(case(text)) == recognizer.tokens(case(whole))
    mended, plain = recognizer.trace(case(text)), recognizer.trace(case(whole))
    assert isinstance(mended, LRTrace)
    assert isinstance(plain, LRTrace)
    assert set(mended.reduced) == set(plain.reduced)
    # The state in which the error function was asked has seen the offending token and the new one.
    assert set(mended.pushed) == set(plain.pushed)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("a = b c = d", (3, 7)),  # nothing may be put in
        ("a = b\nc = d e", (7, 7)),  # after a semicolon that counts as a token
        ("a =\n}", (2, 1)),  # what is put in does not fit: the error is at the brace
        ("{ a = b", (5, 8)),  # the semicolon fits, the end does not
        ("if (a)\nprint", (5, 6)),
    ],
)
def test_the_first_error_that_it_does_not_mend(
    tmp_path: Path, text: str, at: tuple[int, int]
) -> None:
    recognizer = load(tmp_path)
    for _ in range(2):
        assert verdict(recognizer, text) == at
        assert verdict(recognizer, MENDED[1]) is None


def test_the_trace_ends_where_the_error_is(tmp_path: Path) -> None:
    """What was done with a token that did not fit is left out."""
    for text in ("a =\n}", "if (a)\nprint", "{ a =\n}"):
        mending, strict = (
            load(tmp_path, **dict(option)).trace(case(text))
            for option in ((), (("errors", "reject"),))
        )
        assert isinstance(mending, LRTrace)
        assert isinstance(strict, LRTrace)
        assert set(mending.pushed) == set(strict.pushed)
        assert (mending.reduced, mending.stack, mending.error_stack, mending.late_reduced) == (
            strict.reduced, strict.stack, strict.error_stack, strict.late_reduced
        )  # fmt: skip


def test_the_first_error_may_be_asked_for(tmp_path: Path) -> None:
    recognizer = load(tmp_path, errors="reject")
    assert verdict(recognizer, "a = b\nc = d;") == (3, 1)
    assert verdict(recognizer, "a = b; c = d;") is None
    with pytest.raises(AdapterError, match="errors is 'reject' or left out, not 'own'"):
        load(tmp_path, errors="own")


def test_the_rest_of_a_rejected_text_is_as_it_is(tmp_path: Path) -> None:
    recognizer = load(tmp_path)
    names = [symbol.name for symbol in recognizer.grammar.symbols]
    for text, expected in {
        "a = b\nc = d e\n}": "ID = ID ; ID = ID ID }",
        "a =\n} b": "ID = } ID",
        "a = b\n{ a = }": "ID = ID ; { ID = }",
    }.items():
        tokens = recognizer.tokens(case(text))
        assert tokens is not None
        assert " ".join(names[token] for token in tokens) == expected


KEYWORDS = """
def p_error(token):
    if token and token.type == "PRINT":
        token.type = "ID"
        parser.errok()
        return token
"""


def test_a_keyword_that_is_a_name(tmp_path: Path) -> None:
    recognizer = load(tmp_path, KEYWORDS)
    assert verdict(recognizer, "a = print;") is None
    assert verdict(recognizer, "print print; print = a;") == (4, 20)
    assert recognizer.tokens(case("a = print;")) == recognizer.tokens(case("a = b;"))


SKIPPING = {
    "the next token": "parser.errok(); return parser.token()",
    "the token after it": "parser.token(); parser.errok(); return parser.token()",
    "from the lexer": "parser.errok(); return lexer.token()",
    "no token": "parser.errok()",
    "the token itself": "parser.errok(); return token",
    "without errok": "return new(';', token or lexer.lexer)",
    "an exception": "parser.errok(); raise SyntaxError",
    "an end": "parser.errok(); raise SystemExit",
    "something else": "parser.errok(); return 7",
}


@pytest.mark.parametrize("code", SKIPPING)
def test_skipping_is_an_error(tmp_path: Path, code: str) -> None:
    recognizer = load(tmp_path, f"def p_error(token):\n    {SKIPPING[code]}\n")
    for text in ("a = = b;", "a = b c = d;", "a = b; ; c = d;"):
        strict = load(tmp_path, errors="reject")
        assert verdict(recognizer, text) == verdict(strict, text)
        assert recognizer.tokens(case(text)) == strict.tokens(case(text))
    assert verdict(recognizer, "a = b;") is None


def test_one_that_never_goes_on_is_not_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code beside it may call errok, for error rules."""
    noting = "calls = []\ndef p_error(token):\n    calls.append(token)\n"
    rule = "def p_wrong(p):\n    'statement : error'\n    parser.errok()\n"
    loaded = imported(tmp_path, monkeypatch, noting + rule)
    recognizer = PlyRecognizer.from_parser(loaded.parser, loaded.lexer)
    assert verdict(recognizer, "a = b c;") == (3, 7)
    assert loaded.calls == []


@pytest.mark.parametrize("kind", ["{", ";"])
def test_tokens_without_end(tmp_path: Path, kind: str) -> None:
    """Of some each is read, and the next is put in; others are each the next error."""
    put_in = f"new({kind!r}, token or lexer.lexer)"
    code = f"def p_error(token):\n    parser.errok()\n    return {put_in}\n"
    recognizer = load(tmp_path, code)
    assert verdict(recognizer, kind) == "p_error has put in 1,000 tokens at the same place"


LATER = """
problems = []
def p_error(token):
    problems.append(token)
    lexer.back += [token] if token else []
    parser.errok()
    return new(";", token or lexer.lexer)

class Script:
    def __init__(self):
        self.parser = parser

    def parse(self, text):
        problems.clear()
        parser.parse(text, lexer=lexer)
        if problems:
            raise ValueError("a semicolon is missing")
"""


def test_code_that_raises_in_the_end_rejects(tmp_path: Path) -> None:
    """What was mended was to find more errors: the first one counts."""
    module = module_of(tmp_path, LATER)
    recognizer = adapter.load(f"{module}:Script", LoadOptions())
    assert verdict(recognizer, "a = b c = d") == (3, 7)
    assert verdict(recognizer, "a = b; c = d;") is None


TEXTS = [
    " ".join(words)
    for n in range(1, 5)
    for words in itertools.product(["a =", "b", "}", "{", "\nprint", ";"], repeat=n)
]


@pytest.mark.parametrize("error_function", [SEMICOLONS, KEYWORDS])
def test_live_parsers_are_recorded_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error_function: str
) -> None:
    """And where the parser raises, or returns something, so does the verdict."""
    loaded = imported(tmp_path, monkeypatch, error_function)
    recognizer = PlyRecognizer.from_parser(loaded.parser, loaded.lexer)
    returned: list[bool] = []
    with record(loaded.parser) as session:
        for text in TEXTS:
            loaded.lexer.back.clear()
            try:
                loaded.parser.parse(text, lexer=loaded.lexer)
                returned.append(True)
            except ValueError:
                returned.append(False)
    assert session.missed == ()
    suite = TestSuite.from_texts(accept=TEXTS)
    found = list(run(recognizer, suite.tests))
    assert [parse.observation for parse in session.parses] == found
    accepted = [one.verdict is Verdict.ACCEPTED for one in found]
    assert any(accepted)
    if error_function is SEMICOLONS:
        assert accepted == returned


def test_repairs_are_tried_with_what_is_put_in(tmp_path: Path) -> None:
    """After an error no semicolons are put in, so core promises one test; the tool accepts both."""
    module = module_of(tmp_path, SEMICOLONS)
    module.write_text(module.read_text().replace("IF '(' ID ')'", "IF '(' ')'"))
    failing = ["if (a) print b; { { c = d; } }", "if (a) print b\n{ { c = d } }"]
    found = localize(str(module), TestSuite.from_texts(accept=[*MENDED[:3], *failing]))
    (best, *_) = found.suggestions
    assert best.describe() == "also allow ID before ')'"
    assert best.effect.fixed == (3, 4)
    assert best.confirmation is not None
    assert best.confirmation.agreement is Agreement.CONFIRMED
    assert best.confirmation.also == (4,)


def test_the_command_line(command: Command, tmp_path: Path) -> None:
    """A fault is found in a script without semicolons; with the option they are the first."""
    module = module_of(tmp_path, SEMICOLONS)
    module.write_text(module.read_text().replace("IF '(' ID ')'", "IF '(' ')'"))
    tests = tmp_path / "tests"
    tests.mkdir()
    failing = "if (a) print b; { { c = d; } }"  # after the error semicolons are not put in
    for number, text in enumerate([*MENDED[:3], failing, MENDED[4]]):
        (tests / f"{number}.script").write_text(text)
    answer = command("localize", module, "--accept", tests, "--top", "1")
    assert answer.status == 1
    said = " ".join(answer.out.split())
    assert "1 of 5 tests fails" in said
    assert "3.script:1:5 should be accepted: syntax error at 'a' (ID)" in said
    assert "try: also allow ID before ')' (fixes 1 of 1, breaks none; confirmed with PLY" in said
    strict = command("localize", module, "--accept", tests, "--option", "errors=reject")
    assert "5 of 5 tests fail" in strict.out
