"""What can be loaded, by which versions, and what is said about the rest."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from python_parsers import NEWEST, Load, generate, runtime

from gramspect import AdapterError, GramspectError, LoadOptions, RunOptions, localize
from gramspect.recognition.registry import adapter_for
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from gramspect_antlr_python import adapter
from gramspect_antlr_python.recognizer import AntlrPythonRecognizer
from ranks import sampled

ROOT = Path(__file__).parents[3]
# ANTLR 4.9 has no rules called `type` in Python.
TOY = (ROOT / "fixtures" / "antlr" / "Toy.g4").read_text().replace("type", "sort")
SIMPLE = "grammar G; s : 'x'+ EOF ; t[int i] : 'y' ; WS : ' ' -> skip ;"


def accepts(parser: AntlrPythonRecognizer, text: str) -> bool:
    trace = parser.trace(TestCase("test", Expectation.ACCEPT, text))
    return not getattr(trace, "error", None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files of a parser `G`."""
    return shutil.copytree(generate({"G": SIMPLE}), tmp_path / "parsers")


def load(source: str | Path, **extra: str) -> AntlrPythonRecognizer:
    return adapter.load(str(source), LoadOptions(extra=extra))


def message(source: str | Path, **extra: str) -> str:
    with pytest.raises(GramspectError) as caught:
        load(source, **extra)
    text = str(caught.value)
    assert "\n" not in text
    return text


# --- what can be loaded ----------------------------------------------------------------------


def test_files_modules_and_classes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = folder / "antlr_python_package"
    package.mkdir()
    for name in ("GParser.py", "GLexer.py"):
        shutil.copy(folder / name, package)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for source in (
        folder / "GParser.py",
        f"{folder / 'GParser.py'}:GParser",
        "antlr_python_package.GParser",
        "antlr_python_package.GParser:GParser",
    ):
        assert adapter_for(str(source)).name == "antlr-python"
        parser = load(source)
        assert accepts(parser, "x x")
        assert not accepts(parser, "x y")


def test_nothing_is_left_behind(folder: Path) -> None:
    before = sorted(folder.rglob("*")), set(sys.modules), list(sys.path)
    assert accepts(load(folder / "GParser.py"), "x")
    after = sorted(folder.rglob("*")), set(sys.modules), list(sys.path)
    assert after[0] == before[0]
    assert not {name for name in after[1] - before[1] if not name.startswith("antlr4")}
    assert after[2] == before[2]


def test_parsers_of_one_name_do_not_meet(tmp_path: Path) -> None:
    first = shutil.copytree(generate({"G": SIMPLE}), tmp_path / "first")
    other = SIMPLE.replace("'x'+", "'x'")
    second = shutil.copytree(generate({"G": other}), tmp_path / "second")
    parsers = [load(path / "GParser.py") for path in (first, second)]
    assert [accepts(parser, "x x") for parser in parsers] == [True, False]


def test_a_lexer_of_another_name(tmp_path: Path) -> None:
    made = generate(
        {
            "Words": "lexer grammar Words; X : 'x' ; WS : ' ' -> skip ;",
            "Texts": "parser grammar Texts; options { tokenVocab = Words; } s : X+ EOF ;",
        }
    )
    folder = shutil.copytree(made, tmp_path / "parsers")
    assert accepts(load(folder / "Texts.py"), "x x")  # there is no other lexer
    assert accepts(load(folder / "Texts.py", lexer=str(folder / "Words.py")), "x x")
    assert accepts(load(folder / "Texts.py", lexer=f"{folder / 'Words.py'}:Words"), "x x")
    shutil.copy(folder / "Words.py", folder / "TextsWords.py")
    assert "there is no lexer TextsLexer.py beside the parser" in message(folder / "Texts.py")
    shutil.move(folder / "Words.py", folder / "TextsLexer.py")
    assert accepts(load(folder / "Texts.py"), "x x")


def test_a_parser_and_a_lexer_with_names_of_their_own(tmp_path: Path) -> None:
    """Files that a project has renamed; those of another grammar beside them do not count."""
    folder = shutil.copytree(generate({"G": SIMPLE}), tmp_path / "parsers")
    other = generate({"Other": SIMPLE.replace("grammar G", "grammar Other")})
    for file in ("OtherParser.py", "OtherLexer.py"):
        shutil.copy(other / file, folder / file)
    shutil.move(folder / "GParser.py", folder / "parser.py")
    shutil.move(folder / "GLexer.py", folder / "scanning.py")
    assert accepts(load(folder / "parser.py"), "x x")


def test_a_base_class_beside_the_parser(tmp_path: Path) -> None:
    text = "grammar G; options { superClass = Base; } s : {self.ready()}? 'x' EOF ;"
    folder = shutil.copytree(generate({"G": text}), tmp_path / "parsers")
    (folder / "Base.py").write_text(
        dedent(
            """
            from antlr4 import Parser
            class Base(Parser):
                def ready(self):
                    from words import READY
                    return READY
            """
        )
    )
    (folder / "words.py").write_text("READY = True\n")
    assert accepts(load(folder / "GParser.py"), "x")


def test_a_copy_of_the_runtime(folder: Path) -> None:
    import antlr4

    copy = folder / "antlr_python_vendored" / "antlr4"
    shutil.copytree(Path(antlr4.__file__).parent, copy, ignore=shutil.ignore_patterns("*.pyc"))
    for file in (*copy.rglob("*.py"), folder / "GParser.py", folder / "GLexer.py"):
        text = file.read_text()
        file.write_text(text.replace("from antlr4", "from antlr_python_vendored.antlr4"))
    parser = load(folder / "GParser.py")
    assert accepts(parser, "x x")
    assert not accepts(parser, "x y")


def test_generated_files_are_claimed(folder: Path) -> None:
    assert adapter_for(str(folder / "GParser.py")).name == "antlr-python"
    (folder / "other.py").write_text("# Generated from a dream\n")
    assert not adapter.claims(str(folder / "other.py"))
    assert not adapter.claims(str(folder / "missing.py"))
    for other in ("openqasm3", "openqasm3._antlr.nothing", "nothing.at.all", "sys"):
        assert not adapter.claims(other)


# --- what cannot -----------------------------------------------------------------------------


def test_errors(folder: Path) -> None:
    (folder / "empty.py").write_text("")
    (folder / "broken.py").write_text("raise KeyError('a\\nb')\n")
    parser = folder / "GParser.py"
    assert "there is no such file" in message(folder / "missing.py")
    assert "holds no parser class that ANTLR has generated" in message(folder / "empty.py")
    assert "does not import: KeyError" in message(folder / "broken.py")
    assert "holds no parser class that ANTLR has generated" in message(folder / "GLexer.py")
    assert "did you mean 'GParser'?" in message(f"{parser}:Gparser")
    assert "does not import: ModuleNotFoundError" in message("no_such_module_of_mine")
    assert "unknown case 'both'" in message(parser, case="both")
    assert "holds no lexer class" in message(parser, lexer=str(parser))
    (folder / "GLexer.py").unlink()
    assert "there is no lexer GLexer.py beside the parser" in message(parser)


def test_several_parsers_in_one_module(folder: Path) -> None:
    code = (folder / "GParser.py").read_text()
    (folder / "GParser.py").write_text(f"{code}\nclass More(GParser):\n    pass\n")
    assert "holds several parsers; name one, such as" in message(folder / "GParser.py")
    assert accepts(load(f"{folder / 'GParser.py'}:GParser"), "x")


def test_start_rules(load: Load) -> None:
    with pytest.raises(AdapterError, match="the rule 't' of GParser needs arguments"):
        load(SIMPLE, "t")


def test_actions_cannot_be_left_out(load: Load) -> None:
    with pytest.raises(AdapterError, match="are part of its code"):
        load(SIMPLE, actions=False)


def test_a_parser_that_cannot_be_made(folder: Path) -> None:
    code = (folder / "GParser.py").read_text()
    changed = code.replace("input:TokenStream, output", "input:TokenStream, more, output")
    assert changed != code
    (folder / "GParser.py").write_text(changed)
    assert "cannot be made from a stream alone" in message(folder / "GParser.py")


@pytest.mark.slow
def test_build_says_what_to_do_instead() -> None:
    with pytest.raises(AdapterError, match="use the adapter antlr"):
        adapter.build(load_toy().grammar)


def test_limits_and_jobs_run_the_parser_in_other_processes(folder: Path) -> None:
    suite = TestSuite(
        tuple(TestCase(text, Expectation.ACCEPT, text) for text in ("x", "x y", "x x"))
    )
    result = localize(
        str(folder / "GParser.py"),
        suite,
        load=LoadOptions(adapter="antlr-python"),
        run=RunOptions(jobs=2, timeout=60),
    )
    assert [test.test.name for test in result.failing] == ["x y"]
    assert result.n_passing == 2


def load_toy() -> AntlrPythonRecognizer:
    return load(generate({"Toy": TOY}) / "ToyParser.py")


# --- versions --------------------------------------------------------------------------------


def localized(parser: Path, version: str) -> subprocess.CompletedProcess[str]:
    """What the command says on the runtime of that version."""
    command = [
        *(sys.executable, "-m", "gramspect", "localize", "--adapter", "antlr-python", str(parser)),
        *("--accept", "fixtures/toy/accept.txt", "--lines", "--format", "json"),
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": str(runtime(version)),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(
        command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True
    )


VERSIONS = ["4.7.2", "4.9.3", "4.10", "4.11.1", "4.12.0"]


@pytest.mark.parametrize("version", sampled(map(pytest.param, VERSIONS), 5))
def test_other_versions_of_generator_and_runtime(version: str) -> None:
    parser = generate({"Toy": TOY}, version) / "ToyParser.py"
    done = localized(parser, version)
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    suite = TestSuite.load(accept=[ROOT / "fixtures" / "toy" / "accept.txt"], lines=True)
    expected = localize(load_toy(), suite).ranking
    assert len(expected) > 10
    assert [(e["label"], e["rank"], e["score"]) for e in found["ranking"]] == [
        (element.label, element.rank, pytest.approx(element.score)) for element in expected
    ]


@pytest.mark.parametrize(("made_by", "version"), [("4.9.3", NEWEST), (NEWEST, "4.9.3")])
def test_a_parser_for_another_runtime(made_by: str, version: str) -> None:
    parser = generate({"Toy": TOY}, made_by) / "ToyParser.py"
    done = localized(parser, version)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"was generated by ANTLR {made_by}" in done.stderr
    assert f"the installed runtime {version} cannot read" in done.stderr
    assert f"pip install antlr4-python3-runtime=={made_by}" in done.stderr
    assert done.stderr.count("\n") == 1
