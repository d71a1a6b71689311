"""Tests without a verdict: what commands say of them, and their exit status."""

from pathlib import Path
from typing import Any

import pytest

from command import Command

PARSER = '''
import ply.lex
import ply.yacc

tokens = ("A", "BAD", "STUCK")
t_A = "a"
t_BAD = "!"
t_STUCK = "[?]"
t_ignore = " "

def t_error(t):
    raise ValueError("no token")

def p_all(p):
    """all : all one
           | one"""

def p_one(p):
    """one : A"""

def p_bad(p):
    """one : BAD"""
    raise RuntimeError("the symbol table is full")

def p_stuck(p):
    """one : STUCK"""
    raise LookupError("no such scope")

def p_error(p):
    pass

lexer = ply.lex.lex()
parser = ply.yacc.yacc(debug=False, write_tables=False)
'''

NEEDS_A_FILE = """
def t_A(t):
    "a"
    return open("/there/is/no/such/table").read()
"""

COMMANDS: list[tuple[str, ...]] = [
    ("localize",),
    ("localize", "--format", "json"),
    ("suggest",),
    ("suggest", "--format", "json"),
    ("coverage",),
    ("coverage", "--format", "json"),
    ("compare",),
    ("compare", "--format", "json"),
    ("ask",),
    ("ask", "--format", "json"),
    ("spectra", "--format", "csv"),
]


def once_in_make_test(args: tuple[str, ...]) -> Any:
    """A command whose status is asked for, which is the same in every format."""
    return pytest.param(args, marks=pytest.mark.slow if "json" in args else ())


@pytest.fixture
def parser(tmp_path: Path) -> Path:
    file = tmp_path / "full.py"
    file.write_text(PARSER)
    return file


def suite(folder: Path, *texts: str) -> tuple[str, ...]:
    (folder / "tests").write_text("".join(f"{text}\n" for text in texts))
    return ("--lines", "--accept", str(folder / "tests"))


def sources(args: tuple[str, ...], parser: Path) -> tuple[str, ...]:
    """For a comparison the parser and a copy of it, each run by its own tool."""
    if args[0] != "compare":
        return (str(parser),)
    copy = parser.with_name("copy.py")
    copy.write_text(parser.read_text())
    return (f"ply={parser}", f"ply={copy}")


@pytest.mark.parametrize("args", [*COMMANDS, ("debug", "--auto", "--format", "json")])
def test_no_verdict_at_all_is_no_success(
    command: Command, parser: Path, tmp_path: Path, args: tuple[str, ...]
) -> None:
    answer = command(*args, *sources(args, parser), *suite(tmp_path, "a !", "! a", "a ?", "! !"))
    assert answer.status == 2
    assert answer.err.startswith("gramspect: error: none of the ")
    assert answer.err.count("\n") == 1
    assert "RuntimeError: the symbol table is full" in answer.err
    if "json" in args and args[0] != "ask":
        assert answer.json["schema"].startswith("gramspect/")


def test_the_commonest_reason(command: Command, parser: Path, tmp_path: Path) -> None:
    answer = command("localize", parser, *suite(tmp_path, "a ?", "a !", "! a"))
    reason = "the semantic action of one -> BAD raised RuntimeError: the symbol table is full;"
    reason += " --no-actions leaves actions out"
    assert answer.err == (
        f"gramspect: error: none of the 3 tests could be decided; the reason of 2: {reason}\n"
    )
    assert (
        f"No test could be decided, so there is nothing to rank; the commonest reason: {reason}\n"
        "3 tests undecided, not counted:\n"
    ) in answer.out


def test_the_only_test(command: Command, parser: Path, tmp_path: Path) -> None:
    answer = command("localize", parser, *suite(tmp_path, "a ?"))
    assert answer.err == (
        "gramspect: error: the only test could not be decided: the semantic action of"
        " one -> STUCK raised LookupError: no such scope; --no-actions leaves actions out\n"
    )


class TestSomeUndecided:
    def test_the_first_line_says_so(self, command: Command, parser: Path, tmp_path: Path) -> None:
        answer = command("localize", parser, *suite(tmp_path, "a", "a a", "!", "a !"))
        assert (answer.status, answer.err) == (0, "")
        first = "No test fails, so there is nothing to rank: 2 passed, 2 are undecided.\n"
        assert answer.out.startswith(first)

    def test_beside_failing_ones(self, command: Command, parser: Path, tmp_path: Path) -> None:
        answer = command("localize", parser, *suite(tmp_path, "a", "a #", "!"))
        assert (answer.status, answer.err) == (1, "")
        first, *_ = answer.out.split("\n\n")
        assert " ".join(first.split()).endswith(" 1 test is undecided.")
        assert "\n\n1 of 3 tests fails, 1 is undecided:\n" in answer.out

    @pytest.mark.parametrize("args", [once_in_make_test(args) for args in COMMANDS])
    def test_they_may_count_as_failing(
        self, command: Command, parser: Path, tmp_path: Path, args: tuple[str, ...]
    ) -> None:
        tests = (*sources(args, parser), *suite(tmp_path, "a", "!"))
        assert command(*args, *tests).status == 0
        assert command(*args, *tests, "--undecided", "fail").status == 1

    def test_they_are_left_to_debug(self, command: Command, parser: Path, tmp_path: Path) -> None:
        args = ("debug", "--auto", parser, *suite(tmp_path, "a", "!"))
        assert command(*args, "--undecided", "fail").status == 1
        assert command(*args, "--undecided", "count").status == 0
        answer = command(*args)
        assert (answer.status, answer.out) == (1, "0 of 2 tests still fail, 1 undecided.\n")
        value: Any = command(*args, "--format", "json").json
        assert [one["reason"] for one in value["undecided"]] == [
            "the semantic action of one -> BAD raised RuntimeError: the symbol table is full;"
            " --no-actions leaves actions out"
        ]


def test_a_lexer_that_cannot_run_rejects_nothing(
    command: Command, parser: Path, tmp_path: Path
) -> None:
    parser.write_text(PARSER.replace('t_A = "a"', NEEDS_A_FILE))
    answer = command("localize", parser, *suite(tmp_path, "a", "a a"))
    assert answer.status == 2
    assert answer.err.startswith(
        "gramspect: error: none of the 2 tests could be decided; the reason of all: the lexer"
        " fails before its first token: it raised FileNotFoundError: "
    )


def test_a_lexer_that_complains_rejects(command: Command, parser: Path, tmp_path: Path) -> None:
    answer = command("localize", parser, *suite(tmp_path, "a", "#"))
    assert answer.status == 1
    assert "2:1 should be accepted: lexical error: ValueError: no token\n" in answer.out


@pytest.mark.parametrize("option", ["--timeout", "--budget"])
def test_a_limit_that_no_timer_can_count(
    command: Command, parser: Path, tmp_path: Path, option: str
) -> None:
    message = command.fails("localize", parser, *suite(tmp_path, "a"), option, "1e26")
    assert "1e+26 is not in the range" in message


@pytest.mark.parametrize(("word", "counted", "failing"), [("b", 0, 1), ("", 2, 2)])
def test_a_system_without_an_answer(
    command: Command, tmp_path: Path, word: str, counted: int, failing: int
) -> None:
    """A system that raises something else than a syntax error for some inputs, or for all."""
    (tmp_path / "g.lark").write_text('start: x+\nx: "a" | "b"\n')
    code = f'def parse(text):\n    if "{word}" in text: raise OSError("no table")\n'
    (tmp_path / "system.py").write_text(code)
    args = ("blackbox", tmp_path / "g.lark", "--python", f"{tmp_path / 'system.py'}:parse")
    how = ("--syntax-error", "no such message", "--other", "undecided")
    assert command(*args, *how).status == counted
    assert command(*args, *how, "--undecided", "fail").status == failing
