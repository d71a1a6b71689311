"""Verdicts and messages: what counts as a syntax error, a lexical error, an undecided test."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import ErrorKind, LRTrace, Undecided
from gramspect.suites.suite import Expectation, TestCase

LEXER = """
from ply import lex, yacc

tokens = ("ID", "NUMBER")
literals = "=;+()!"
t_ignore = " "
t_ID = "[a-z]+"

def t_NUMBER(t):
    r"[0-9]+"
    t.value = int(t.value)
    return t

def t_newline(t):
    r"\\n+"
    t.lexer.lineno += len(t.value)

{t_error}
"""
T_ERROR = """
def t_error(t):
    raise ValueError("what is " + t.value[0] + "?")
"""
RULES = """
def p_program(p):
    '''program : program statement
               | statement'''

def p_statement(p):
    "statement : ID '=' sum ';'"
    check(p[1])

def p_sum(p):
    '''sum : sum '+' NUMBER
           | NUMBER'''
    {action}

def check(name):
    {check}
"""
BUILD = """
lexer = lex.lex()
parser = yacc.yacc(debug=False, write_tables=False, start="program")
"""


def load(
    folder: Path,
    *extra: str,
    t_error: str = T_ERROR,
    action: str = "pass",
    check: str = "pass",
    actions: bool = True,
) -> Recognizer:
    """A recognizer for a small language of assignments, varied by what is given."""
    text = LEXER.format(t_error=t_error) + RULES.format(action=action, check=check)
    file = folder / "assignments.py"
    file.write_text("".join([text, *extra, BUILD]))
    return adapter("ply").load(str(file), LoadOptions(actions=actions))


def rejected(recognizer: Recognizer, text: str) -> LRTrace:
    trace = recognizer.trace(TestCase("test", Expectation.ACCEPT, text))
    assert isinstance(trace, LRTrace)
    assert trace.error is not None
    return trace


def accepted(recognizer: Recognizer, text: str) -> LRTrace:
    trace = recognizer.trace(TestCase("test", Expectation.ACCEPT, text))
    assert isinstance(trace, LRTrace)
    assert trace.error is None
    return trace


def undecided(recognizer: Recognizer, text: str) -> str:
    trace = recognizer.trace(TestCase("test", Expectation.ACCEPT, text))
    assert isinstance(trace, Undecided)
    return trace.reason


def labels(recognizer: Recognizer, rules: tuple[int, ...]) -> list[str]:
    return [recognizer.grammar.rules[rule].label for rule in rules]


# --- syntax errors ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "token", "place", "message"),
    [
        ("a = 1", 3, (1, 6), "syntax error at the end of the input"),
        ("", 0, (1, 1), "syntax error at the end of the input"),
        ("a = 1;\nb =\n", 6, (3, 1), "syntax error at the end of the input"),
        ("a = 1;\n  b + 2;", 5, (2, 5), "syntax error at '+'"),
        ("a = b;", 2, (1, 5), "syntax error at 'b' (ID)"),
        ("a = 12 34;", 3, (1, 8), "syntax error at '34' (NUMBER)"),
        ("x" * 50, 1, (1, 51), "syntax error at the end of the input"),
        ("= " + "x" * 50, 0, (1, 1), "syntax error at '='"),
    ],
)
def test_position_and_message(
    tmp_path: Path, text: str, token: int, place: tuple[int, int], message: str
) -> None:
    error = rejected(load(tmp_path), text).error
    assert error is not None
    assert (error.token, error.line, error.column) == (token, *place)
    assert (error.kind, error.message) == (ErrorKind.SYNTAX, message)


def test_long_tokens_are_cut(tmp_path: Path) -> None:
    error = rejected(load(tmp_path), "a " + "x" * 500).error
    assert error is not None
    assert error.message == f"syntax error at '{'x' * 37}...' (ID)"


RECOVERY = """
def p_statement_error(p):
    "statement : error ';'"
    seen.append("recovered")

seen = []
"""
P_ERROR = """
def p_error(t):
    seen.append("p_error")
    print("not for the terminal")
    parser.errok()
    return parser.token()
"""


@pytest.mark.parametrize("extra", [[RECOVERY], [RECOVERY, P_ERROR]], ids=["error rules", "p_error"])
def test_the_first_error_decides(tmp_path: Path, extra: list[str]) -> None:
    """Neither error rules nor p_error get to recover."""
    recognizer = load(tmp_path, *extra)
    error = rejected(recognizer, "a = ; b = = ; c = 1;").error
    assert error is not None
    assert (error.token, error.column) == (2, 5)
    accepted(recognizer, "a = 1;")


def test_a_parser_without_p_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    recognizer = load(tmp_path)
    rejected(recognizer, "a a")
    rejected(recognizer, "a")
    assert capfd.readouterr() == ("", "")


def test_the_input_starts_afresh_in_every_test(tmp_path: Path) -> None:
    recognizer = load(tmp_path)
    for _ in range(3):
        error = rejected(recognizer, "\n\n  a = +").error
        assert error is not None
        assert (error.line, error.column, error.token) == (3, 7, 2)


# --- actions ----------------------------------------------------------------------------------


def test_an_action_that_raises(tmp_path: Path) -> None:
    check = "raise KeyError('no variable\\n' + name)"
    reason = undecided(load(tmp_path, check=check), "abc = 1;")
    assert reason == (
        "the semantic action of statement -> ID '=' sum ';' raised KeyError: 'no variable\\nabc';"
        " --no-actions leaves actions out"
    )
    accepted(load(tmp_path, check=check, actions=False), "abc = 1;")


@pytest.mark.parametrize("name", ["SystemExit", "RecursionError", "MemoryError"])
def test_an_action_that_breaks_off(tmp_path: Path, name: str) -> None:
    assert name in undecided(load(tmp_path, check=f"raise {name}"), "a = 1;")


def test_an_error_before_the_action_raises(tmp_path: Path) -> None:
    rejected(load(tmp_path, check="raise KeyError(name)"), "a = =")


SIGNAL = "raise SyntaxError('no')"


def test_an_action_that_signals_a_syntax_error(tmp_path: Path) -> None:
    """The reduction is not made; PLY has looked at the next token before."""
    recognizer = load(tmp_path, check=SIGNAL)
    trace = rejected(recognizer, "a = 1; b = 2;")
    assert trace.error is not None
    assert trace.error.message == (
        "syntax error signalled by the action of statement -> ID '=' sum ';'"
    )
    assert trace.error.token == 4
    assert (trace.error.line, trace.error.column) == (1, 8)
    assert labels(recognizer, trace.reduced) == ["sum:2"]
    assert trace.stack == trace.error_stack
    assert trace.late_reduced == ()


def test_a_signal_after_other_reductions(tmp_path: Path) -> None:
    recognizer = load(tmp_path, action="if len(p) == 4: raise SyntaxError")
    trace = rejected(recognizer, "a = 1 + 2 + 3;")
    assert trace.error is not None
    assert trace.error.token == 5
    assert labels(recognizer, trace.reduced) == ["sum:2"]


DEFAULTED = """
tokens = ("A", "B")
t_A = "a"
t_B = "b"

def p_start(p):
    "start : first A"

def p_first(p):
    "first : empty second"

def p_second(p):
    "second : B B"
    raise SyntaxError

def p_empty(p):
    "empty :"
"""


def test_a_signal_in_a_state_that_does_not_look(tmp_path: Path) -> None:
    """``second : B B`` is reduced without a look at the token after it."""
    file = tmp_path / "defaulted.py"
    file.write_text(DEFAULTED)
    recognizer = adapter("ply").load(str(file), LoadOptions())
    trace = rejected(recognizer, "bba")
    assert trace.error is not None
    assert trace.error.token == 2
    assert labels(recognizer, trace.reduced) == ["empty:1"]
    assert (len(trace.stack), trace.late_reduced) == (4, ())


NESTED = """
tokens = ("X",)
literals = "()"
t_X = "x"

def p_e(p):
    '''e : '(' e ')'
         | X'''
"""


def nested(folder: Path) -> Recognizer:
    file = folder / "nested.py"
    file.write_text(NESTED)
    return adapter("ply").load(str(file), LoadOptions())


def test_reductions_on_the_offending_token_are_late(tmp_path: Path) -> None:
    """LALR tables reduce ``x`` at the end of the input although a parenthesis is open."""
    recognizer = nested(tmp_path)
    trace = rejected(recognizer, "((x)")
    assert labels(recognizer, trace.reduced) == ["e:2"]
    assert labels(recognizer, trace.late_reduced) == ["e:1"]
    assert (len(trace.stack), len(trace.error_stack)) == (5, 3)


def test_deep_nesting(tmp_path: Path) -> None:
    recognizer = nested(tmp_path)
    accepted(recognizer, "(" * 10_000 + "x" + ")" * 10_000)
    trace = rejected(recognizer, "(" * 10_000 + "x" + ")" * 9_999)
    assert trace.error is not None
    assert trace.error.token == 20_000
    assert len(trace.stack) == 5
    trace = rejected(recognizer, "(" * 10_000)
    assert len(trace.stack) == 10_001


# --- lexical errors ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("t_error", "message"),
    [
        (T_ERROR, "lexical error: ValueError: what is ?? "),
        ("", "lexical error: LexError: Illegal character '?' at index 9"),
        (
            "def t_error(t): pass",
            "lexical error: LexError: Scanning error. Illegal character '?'",
        ),
        ("def t_error(t): exit(1)", "lexical error: SystemExit: 1"),
    ],
)
def test_a_lexer_that_raises(tmp_path: Path, t_error: str, message: str) -> None:
    recognizer = load(tmp_path, t_error=t_error)
    trace = rejected(recognizer, "a = 1;\n  ?")
    error = trace.error
    assert error is not None
    assert (error.kind, error.message) == (ErrorKind.LEXICAL, message.strip())
    assert (error.token, error.line, error.column) == (4, 2, 3)
    assert labels(recognizer, trace.reduced) == ["sum:2"]
    assert trace.stack == trace.error_stack


def test_a_rule_of_the_lexer_that_raises(tmp_path: Path) -> None:
    t_error = "def t_bad(t):\n    r'[A-Z]+'\n    raise OverflowError(t.value)" + T_ERROR
    error = rejected(load(tmp_path, t_error=t_error), "a = 1 + BAD").error
    assert error is not None
    assert (error.token, error.line, error.column) == (4, 1, 9)
    assert error.message == "lexical error: OverflowError: BAD"


def test_characters_that_the_lexer_skips(tmp_path: Path) -> None:
    accepted(load(tmp_path, t_error="def t_error(t): t.lexer.skip(1)"), "a ?= ?1;")


def test_lexer_states_and_counters_are_reset(tmp_path: Path) -> None:
    """A test that ends inside a comment does not hide the next one."""
    comment = (
        """
states = [("comment", "exclusive")]

def t_comment(t):
    r"!"
    t.lexer.push_state("comment")
    t.lexer.depth.append(1)

def t_comment_end(t):
    r"!"
    t.lexer.pop_state()

def t_comment_error(t):
    raise ValueError(f"{len(t.lexer.depth)} open")

t_comment_ignore = " "
"""
        + T_ERROR
    )
    recognizer = load(tmp_path, "\nlexers = []\n", t_error=comment)
    file = tmp_path / "assignments.py"
    file.write_text(file.read_text() + "\nlexer.depth = []\n")
    recognizer = adapter("ply").load(str(file), LoadOptions())
    for _ in range(2):
        error = rejected(recognizer, "a = ! ?").error
        assert error is not None
        assert error.message == "lexical error: ValueError: 1 open"
        accepted(recognizer, "a = ! ! 1;")
    assert labels(recognizer, rejected(recognizer, "a").reduced) == []


KEEPING = """
class Reader:
    def __init__(self):
        self.lexer, self.open = lexer.clone(), [[0]]
    def input(self, text):
        self.lexer.input(text)
    def token(self):
        found = self.lexer.token()
        if found is not None and found.type == "+":
            self.open[-1][0] += 1
        if self.open[-1][0] > 1:
            raise IndexError("left over")
        return found

class Inner:
    def __init__(self):
        self.parser, self.reader = parser_of_holder, Reader()

class Holder:
    def __init__(self):
        self.inner = Inner()
        self.parser = self.inner.parser
    def parse(self, text):
        self.inner.reader.input(text)
        return self.parser.parse(lexer=self.inner.reader)
"""


def test_state_deep_in_the_users_objects_is_reset(tmp_path: Path) -> None:
    """What a rejected text has left in a list of a list, some steps from the holder."""
    load(tmp_path, KEEPING)
    file = tmp_path / "assignments.py"
    file.write_text(file.read_text() + "parser_of_holder = parser\ndel parser\n")
    recognizer = adapter("ply").load(f"{file}:Holder", LoadOptions())
    for _ in range(2):
        error = rejected(recognizer, "a = 1 + ;").error
        assert error is not None
        assert error.kind is ErrorKind.SYNTAX
        accepted(recognizer, "a = 1 + 2;")


UP_FRONT = """
class Tokens:
    def __init__(self, tokens):
        self.tokens = iter(tokens)
    def input(self, text):
        raise NotImplementedError
    def token(self):
        return next(self.tokens, None)

class Holder:
    def __init__(self):
        self.parser = parser_of_holder
    def parse(self, text):
        inner = lexer.clone()
        inner.input(text.upper().lower() + " ")
        return self.parser.parse(lexer=Tokens(list(inner)))
"""


def test_a_lexer_that_runs_before_the_parser(tmp_path: Path) -> None:
    load(tmp_path, UP_FRONT)
    file = tmp_path / "assignments.py"
    file.write_text(file.read_text() + "\nparser_of_holder = parser\n")
    recognizer = adapter("ply").load(f"{file}:Holder", LoadOptions())
    accepted(recognizer, "a = 1;")
    error = rejected(recognizer, "a = ?").error
    assert error is not None
    assert (error.kind, error.column, error.token) == (ErrorKind.LEXICAL, 5, 0)


# --- the code around the parser ---------------------------------------------------------------


def test_errors_that_the_caller_handles(tmp_path: Path) -> None:
    """A parse method that reports errors in its own way: catches, translates, returns None."""
    holder = """
class Holder:
    def __init__(self):
        self.parser = parser
    def parse(self, text):
        if text == "raise":
            raise OSError("no such file")
        if text == "nothing":
            return None
        try:
            return self.parser.parse(text, lexer=lexer)
        except Exception:
            return None
"""
    load(tmp_path)
    file = tmp_path / "assignments.py"
    file.write_text(file.read_text() + holder)
    recognizer = adapter("ply").load(f"{file}:Holder", LoadOptions())
    accepted(recognizer, "a = 1;")
    rejected(recognizer, "a = ;")
    rejected(recognizer, "a = ?")
    assert undecided(recognizer, "nothing") == "the parser was not called"
    reason = undecided(recognizer, "raise")
    assert reason == "the code around the parser raised OSError: no such file"
