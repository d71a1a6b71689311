"""A project's own configuration: commands without arguments, mistakes in it, and ``init``."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from command import ROOT, Command

TOY = ROOT / "fixtures" / "toy"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the toy grammar, its faulty version and their tests."""
    (tmp_path / "tests").mkdir()
    for name in ("toy.y", "toy-faulty.y"):
        shutil.copy(TOY / name, tmp_path / name)
    for name in ("accept.txt",):
        shutil.copy(TOY / name, tmp_path / "tests" / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


COMMON = 'accept = ["tests/acc*.txt"]\nlines = true\n'


def test_commands_need_no_arguments(
    project: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["toy-faulty.y", "--accept", "tests/accept.txt", "--lines"]
    plain = {name: command(name, *arguments) for name in ("localize", "coverage", "suggest", "ask")}
    assert plain["localize"].status == 1
    configured = f'grammar = "toy-faulty.y"\n{COMMON}fail-under = 10\n'
    for file, head in (("pyproject.toml", "[tool.gramspect]\n"), ("gramspect.toml", "")):
        (project / file).write_text("[project]\nname = 'x'\n" * bool(head) + head + configured)
        for name, answer in plain.items():
            assert command(name) == answer
    # From a folder in the project the same is found, under other names.
    monkeypatch.chdir(project / "tests")
    inner = command("localize", "--format", "json").json
    assert inner["grammar"]["files"] == ["../toy-faulty.y"]
    # What an argument says holds; with a grammar the file is not looked at.
    monkeypatch.chdir(project)
    assert command("coverage", "--fail-under", "100").status == 1
    correct = command("localize", "toy.y", "--accept", "tests/accept.txt", "--lines")
    assert correct.status == 0
    assert "there are no tests" in command.fails("localize", "toy.y")


def test_several_targets(project: Path, command: Command) -> None:
    (project / "gramspect.toml").write_text(
        f'{COMMON}[targets.good]\ngrammar = "toy.y"\n[targets.bad]\ngrammar = "toy-faulty.y"\n'
    )
    good, bad = (
        command("localize", f"{name}.y", "--accept", "tests/accept.txt", "--lines")
        for name in ("toy", "toy-faulty")
    )
    both = command("localize")
    assert both.status == 1
    assert both.out == f"== good ==\n\n{good.out}\n== bad ==\n\n{bad.out}"
    assert command("localize", "--target", "good") == good
    assert command("localize", "--target", "bad", "--format", "json").json["tests"]["failed"]
    assert "--target: good, bad" in command.fails("localize", "--format", "json")
    assert "no target 'god'; there are: good, bad" in command.fails("localize", "--target", "god")
    assert "leave out one" in command.fails("localize", "toy.y", "--target", "good")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('grammer = "toy.y"', "gramspect.toml:1:1: a project has no key 'grammer'; did you mean"
         " 'grammar'?"),
        ('grammar = "toy.y"\njobs = "2"', "gramspect.toml:2:1: jobs must be a number from 0 on"),
        ('grammar = 3', "gramspect.toml:1:1: grammar must be a text"),
        ('[targets.a]\ngrammar = "toy.y"\nacept = ["x"]', "gramspect.toml:3:1: [targets.a] has no"
         " key 'acept'; did you mean 'accept'?"),
        ('[targets.a]\nlines = true', "gramspect.toml: the target a needs grammar = \"...\""),
        ('targets = 3', "gramspect.toml:1:1: targets must be tables, as in [targets.calc]"),
        ('grammar = "toy.y"\naccept = ["no/*.txt"]', "gramspect.toml: no file fits 'no/*.txt';"
         " mend the pattern"),
        ('grammar = "toy.y"\naccept = ["no"]', "no: there is no such file or folder; check the"
         " path"),
        ('grammar = x', "gramspect.toml:1:11: is no TOML: Invalid value"),
    ],
)  # fmt: skip
def test_mistakes_are_named(project: Path, command: Command, text: str, message: str) -> None:
    (project / "gramspect.toml").write_text(text)
    assert command.fails("localize") == message
    assert command.fails("coverage") == message


def test_init_writes_what_the_commands_read(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "there is no grammar in this folder" in command.fails("init")
    for folder in ("examples/good", "examples/bad", "other/valid", "node_modules/x"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "calc.lark").write_text('start: A+\nA: "a"\n')
    (tmp_path / "node_modules" / "x" / "no.lark").write_text("")
    (tmp_path / "examples" / "good" / "1").write_text("aa")
    (tmp_path / "examples" / "bad" / "1").write_text("")
    written = command("init")
    assert written.status == 0
    assert "with 1 grammar;" in written.out
    found = tomllib.loads((tmp_path / "gramspect.toml").read_text())
    assert found == {
        "grammar": "calc.lark", "accept": ["examples/good"], "reject": ["examples/bad"],
    }  # fmt: skip
    assert command("coverage", "--fail-under", "50").status == 0
    assert command("localize").status == 0
    assert "change it by hand" in command.fails("init")
    (tmp_path / "gramspect.toml").unlink()
    shutil.copy(TOY / "toy.y", tmp_path / "other" / "calc.y")
    (tmp_path / "other" / "lexer.g4").write_text("lexer grammar X;\nA: 'a';\n")
    (tmp_path / "other" / "p.py").write_text("from ply import yacc\nparser = yacc.yacc()\n")
    (tmp_path / "other" / "valid" / "1").write_text("x")
    assert "with 3 grammars;" in command("init").out
    targets = tomllib.loads((tmp_path / "gramspect.toml").read_text())["targets"]
    assert targets == {
        "calc": {
            "grammar": "calc.lark", "accept": ["examples/good", "other/valid"],
            "reject": ["examples/bad"],
        },
        "calc-2": {
            "grammar": "other/calc.y", "accept": ["other/valid"], "reject": ["examples/bad"],
        },
        "p": {"grammar": "other/p.py", "accept": ["other/valid"], "reject": ["examples/bad"]},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (
            ["data/ok_1.txt", "data/OK2.txt", "data/fail-x", "data/passage.txt", "data/bad.py"],
            {"accept": ["data/OK*", "data/ok*"], "reject": ["data/fail*"]},
        ),
        (["test/a.calc", "test/b.calc", "test/c.txt"], {"accept": ["test/*.calc"]}),
        (["examples/calc/1", "examples/other/1"], {"accept": ["examples/calc"]}),
        (["test/a.txt"], {}),
    ],
)
def test_init_finds_examples_by_their_names(
    tmp_path: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    names: list[str],
    expected: dict[str, list[str]],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "CalcParser.lark").write_text('start: A+\nA: "a"\n')
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("b" if "fail" in name else "a")
    said = command("init").out
    found = tomllib.loads((tmp_path / "gramspect.toml").read_text())
    assert found == {"grammar": "CalcParser.lark", **expected}
    assert ("name inputs" in said) == (not expected)
    assert not expected or command("coverage").status == 0
