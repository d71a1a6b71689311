"""Storms of saves, strange files, and code of the user that does not end."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from editor import CALC, Editor, editor, run
from lsprotocol import types

from command import Command
from processes import is_alive, is_gone

PARSER = '''
import os, pathlib, sys, time
from ply import lex, yacc

pathlib.Path("processes").open("a").write(f"{os.getpid()}\\n")
print("noise on standard output")
if ENDLESS:
    while True:
        time.sleep(0.01)
tokens = ("NUMBER", "PLUS")
t_NUMBER, t_PLUS, t_ignore = r"[0-9]+", r"\\+", " \\n"

def t_error(t):
    raise SyntaxError

def p_sum(p):
    """sum : NUMBER
           | NUMBER PLUS NUMBER"""

def p_error(p):
    raise SyntaxError

lexer = lex.lex()
parser = yacc.yacc(write_tables=False, debug=False)
'''


def test_the_next_save_ends_a_run_whose_code_does_not_end(tmp_path: Path) -> None:
    parser, processes = tmp_path / "sums.py", tmp_path / "processes"
    parser.write_text(PARSER.replace("ENDLESS", "True"))
    # A module of the project must not stand in the place of one of ours.
    (tmp_path / "click.py").write_text("raise SystemExit")
    (tmp_path / "long").write_text("1+2+3")
    (tmp_path / "gramspect.toml").write_text('grammar = "sums:parser"\naccept = ["long"]\n')

    async def session() -> None:
        async with editor(tmp_path) as one:
            one.open(parser)
            while not processes.exists() or not processes.read_text():
                await asyncio.sleep(0.01)
            endless = {int(line) for line in processes.read_text().split()}
            assert one.n_begun == 1
            assert one.n_ended == 0
            one.save(parser, PARSER.replace("ENDLESS", "False"))
            await one.runs(2)
            assert all(map(is_gone, endless))
            assert one.messages(parser)[0].startswith("Suspicious: sum -> NUMBER PLUS NUMBER •.")
            assert not one.log

    run(session())


@pytest.mark.slow
def test_a_storm_of_saves_is_a_few_runs_and_strangers_are_none(project: Path) -> None:
    grammar, stranger = project / "calc.lark", project.parent / "stranger.lark"
    shared = 'grammar = "calc.lark"\naccept = ["good"]\n'
    named = f'[targets.all]\n{shared}reject = ["bad"]\n[targets.good]\n{shared}'
    (project / "gramspect.toml").write_text(named)
    stranger.write_text(CALC)

    async def session() -> None:
        async with editor(project) as one:
            for file in (grammar, stranger):
                one.open(file)
            for _ in range(50):
                one.save(grammar)
                one.save(stranger)
            unsaved = types.TextDocumentItem("untitled:Untitled-1", "lark", 1, CALC)
            one.text_document_did_open(types.DidOpenTextDocumentParams(unsaved))
            assert not await one.hover(stranger, 1, 1)
            await one.runs(2)  # one for each target
            assert one.n_begun == 2
            assert set(one.diagnostics) == {str(grammar), str(project / "good" / "minus")}
            assert len(one.messages(project / "good" / "minus")) == 1
            titles = [action.title for action in await one.actions(grammar)]
            assert len(titles) == len(set(titles))
            # A new test is in a folder of both targets; a note beside the grammar is in none.
            (project / "good" / "more").write_text("8*-8")
            (project / "notes").write_text("nothing")
            events = [
                types.FileEvent(path.as_uri(), types.FileChangeType.Created)
                for path in (project / "good" / "more", project / "notes")
            ]
            one.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events[1:]))
            one.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events[:1]))
            await one.until(lambda: one.messages(project / "good" / "more"))
            await one.runs(4)
            assert one.n_begun == 4

    run(session())


def test_without_its_package_it_says_what_to_install(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    for name in [name for name in sys.modules if name.startswith(("gramspect.lang", "pygls."))]:
        monkeypatch.delitem(sys.modules, name)
    answer = command("lsp")
    assert answer.status == 2
    assert answer.err == 'gramspect: error: pygls is not installed: pip install "gramspect[lsp]"\n'


def test_runs_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    parser, processes = tmp_path / "sums.py", tmp_path / "processes"
    parser.write_text(PARSER.replace("ENDLESS", "True"))
    (tmp_path / "long").write_text("1+2+3")
    (tmp_path / "gramspect.toml").write_text('grammar = "sums:parser"\naccept = ["long"]\n')

    async def session() -> None:
        one = Editor()
        server = await one.begin(tmp_path)
        one.open(parser)
        while not processes.exists() or not processes.read_text():
            await asyncio.sleep(0.01)
        server.kill()
        while any(is_alive(int(line)) for line in processes.read_text().split()):
            await asyncio.sleep(0.01)
        await one.stop()

    run(session())
