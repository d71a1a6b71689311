"""Parsers of copies of PLY that a project has changed to its needs."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import ply
import pytest
from layouts import RULES, found, written

from gramspect import Expectation, LoadOptions, Verdict, adapter, record
from gramspect.adapter_api import LRTrace, TestCase
from gramspect_ply.loops import LoopCalls

CHANGES = (
    ("tokenfunc=None):", "tokenfunc=None, context=None):"),
    ("tracking, tokenfunc)", "tracking, tokenfunc, context)"),
    ("pslice.lexer = lexer", "pslice.lexer = lexer; pslice.context = context"),
    ("self.productions = lrtab.lr_productions", "self.productions = tuple(lrtab.lr_productions)"),
)
"""As in bashlex: the loop takes one argument more, and productions are a tuple."""
BETWEEN = (
    ("tokenfunc=None):", "context=None, tokenfunc=None):"),
    ("tracking, tokenfunc)", "tracking, context, tokenfunc)"),
    *CHANGES[2:],
)
MAKE = """
parser = yacc.yacc(debug=False, write_tables=False)

class Calls:
    def __init__(self):
        self.parser, self.lexer, self.names = parser, lexer, []

    def parse(self, text):
        return self.parser.parse(text, lexer=self.lexer, context=self)
"""


def module(folder: Path, changes: tuple[tuple[str, str], ...]) -> str:
    """A module whose parser is of a copy of PLY with these changes."""
    text = (Path(ply.__path__[0]) / "yacc.py").read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    lexer = (Path(ply.__path__[0]) / "lex.py").read_text()
    rules = RULES.replace("import ply.lex\nimport ply.yacc", "from own_ply import lex, yacc")
    rules = rules.replace("ply.lex.", "lex.")
    action = '| NAME"""\n    p.context.names.append(p[len(p) - 1])'
    rules = rules.replace('| NAME"""', action)
    package = {"own_ply/__init__.py": "", "own_ply/yacc.py": text, "own_ply/lex.py": lexer}
    written(folder, {**package, "own_calls.py": rules + MAKE})
    return str(folder / "own_calls.py")


@pytest.mark.parametrize("changes", [CHANGES, BETWEEN])
def test_a_loop_with_one_more_parameter(
    tmp_path: Path, changes: tuple[tuple[str, str], ...]
) -> None:
    result = found(f"{module(tmp_path, changes)}:Calls")
    assert not result.undecided
    assert [failing.test.text for failing in result.failing] == ["f()"]


def test_a_module_that_holds_such_a_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own parser runs, which its code may have changed, and none is made anew."""
    source = module(tmp_path, CHANGES)
    monkeypatch.setattr("gramspect_ply.loading.make_parser", None)
    recognizer = adapter("ply").load(source, LoadOptions(actions=False))
    trace = recognizer.trace(TestCase("test", Expectation.ACCEPT, "f(a, b)"))
    assert isinstance(trace, LRTrace)
    assert trace.error is None


@pytest.mark.parametrize("changes", [CHANGES, BETWEEN])
def test_such_a_parser_is_recorded_where_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: tuple[tuple[str, str], ...]
) -> None:
    module(tmp_path, changes)
    monkeypatch.syspath_prepend(str(tmp_path))
    calls = importlib.import_module("own_calls")
    for name in ("own_calls", "own_ply", "own_ply.lex", "own_ply.yacc"):
        monkeypatch.delitem(sys.modules, name)
    live = calls.Calls()
    with record(live.parser) as session:
        live.parse("f(a, b)")
    assert live.names == ["a", "b"]
    (parse,) = session.parses
    assert parse.observation.verdict is Verdict.ACCEPTED
    assert parse.text == "f(a, b)"


def test_a_loop_that_calls_its_text_otherwise() -> None:
    def loop(self: object, text: str = "", lexer: object = None, state: object = None) -> None:
        """The first parameter is what it reads."""

    calls = LoopCalls(loop, bound=False)
    assert calls.input_of(calls.bind("x = 1", state=2)) == "x = 1"
    assert calls.input_of(calls.bind(text="x = 2")) == "x = 2"
