"""``gramspect check``: what would be loaded, how, and what is missing, in one screen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from command import ACCEPT, CORRECT, FAULTY, Command


def test_what_is_loaded_and_what_the_tests_do(command: Command) -> None:
    answer = command("check", FAULTY, "--accept", ACCEPT, "--lines")
    assert (answer.status, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert len(lines) < 24
    assert lines[0] == FAULTY
    assert lines[1].split()[:2] == ["adapter", "native,"]
    rows = [line.strip() for line in lines]
    assert any("22 rules, 8 non-terminals, 21 terminals, start symbol prog" in r for r in rows)
    said = f"{ACCEPT}:6: rejected, which it should not be at 1:33: unexpected ';'"
    assert said in " ".join(answer.out.split())
    assert "tests     16 tests run: 14 accepted, 2 rejected" in rows
    assert rows[-1] == "missing   nothing"


def test_one_test(command: Command, tmp_path: Path) -> None:
    one = tmp_path / "one.txt"
    one.write_text("program id = { } .")
    answer = command("check", CORRECT, "--accept", one)
    assert f"test {one}: accepted, as it should be" in " ".join(answer.out.split())
    assert command("check", CORRECT).status == 0


def test_paths_stay_whole(command: Command, tmp_path: Path) -> None:
    """A line may end between words, never at a hyphen inside a name that is to be copied."""
    folder = tmp_path / "-".join(["a-folder-with-hyphens"] * 4)
    folder.mkdir()
    grammar = folder / "grammar-of-tests.y"
    grammar.write_text("s : A ;\n")
    assert str(grammar) in command("check", grammar).out.split("files", 1)[1]


def test_what_is_missing_is_said_twice(command: Command, tmp_path: Path) -> None:
    """In the report for people, and on one line with status 2 for scripts."""
    wrong = tmp_path / "wrong.y"
    wrong.write_text("s : '(\n")
    answer = command("check", wrong)
    assert answer.status == 2
    assert "adapter   native" in answer.out
    (error,) = answer.err.splitlines()
    message = error.removeprefix("gramspect: error: ")
    assert message.startswith(str(wrong))
    assert " ".join(message.split()[-4:]) in " ".join(answer.out.split())
    unknown = tmp_path / "some.thing"
    for said in ("there is no such file; check the path", "no adapter takes this kind of grammar"):
        answer = command("check", unknown)
        assert answer.status == 2
        assert said in answer.err
        unknown.write_text("")


def test_a_parser_without_any_verdict(command: Command, tmp_path: Path) -> None:
    parser, one = tmp_path / "p.py", tmp_path / "one.txt"
    parser.write_text(
        """
import ply.lex, ply.yacc
tokens = ["X"]
t_X = "x"
def t_error(t): raise SyntaxError
def p_s(p):
    "s : X"
    raise RuntimeError("no database")
def p_error(p): pass
lexer = ply.lex.lex()
parser = ply.yacc.yacc(write_tables=False, debug=False)
"""
    )
    one.write_text("x")
    answer = command("check", f"{parser}:parser", "--accept", one)
    assert answer.status == 2
    assert "no verdict: the semantic action of s -> X raised RuntimeError: no database" in (
        " ".join(answer.out.split())
    )
    assert "no test has a verdict" in answer.err


CALC = """
from lark import Lark
parser = Lark("start: A+\\nA: /a/", parser="lalr")
nothing = 7
"""


def test_modules_of_the_folder_one_is_in(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As ``python -m`` finds them; what holds no parser, or is not there, is told by its kind."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    package = tmp_path / "package_of_the_test"
    package.mkdir()
    (package / "calc.py").write_text(CALC)
    answer = command("check", "package_of_the_test.calc:parser")
    assert (answer.status, answer.err) == (0, "")
    assert "adapter   lark-lalr" in answer.out
    assert "options   imports, lexer, postlex, priority, regex (" in answer.out
    (tmp_path / "x").write_text("a")
    nothing = command.fails("localize", "package_of_the_test.calc:nothing", "--accept", "x")
    assert "this int holds no parser that gramspect knows (lark-earley, lark-lalr, ply)" in nothing
    folder = command.fails("localize", "package_of_the_test", "--accept", "x")
    assert "this is a folder; name the grammar in it, or what makes the parser" in folder
    missing = command.fails("localize", "no_package_of_the_test:parser", "--accept", "x")
    assert "no module 'no_package_of_the_test' here or where Python looks for modules" in missing


def test_a_lark_that_is_too_old(tmp_path: Path) -> None:
    """A project may bring one, which hides ours; that is no fault of gramspect."""
    old = tmp_path / "lark"
    old.mkdir()
    (old / "__init__.py").write_text("__version__ = '0.12.0'\nclass Lark: pass\n")
    (tmp_path / "calc.py").write_text("from lark import Lark\nparser = Lark()\n")
    run = subprocess.run(
        [sys.executable, "-m", "gramspect", "check", "calc:parser"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 2
    assert f"Lark 0.12.0 in {old} is too old for gramspect; put Lark 1.2 or newer" in run.stderr
