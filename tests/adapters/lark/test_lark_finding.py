"""Grammars where they stand: under any name, above the module, and in parsers that Lark refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import lark
import pytest
from lark_cases import text_test

from command import ROOT, Command
from gramspect import TestSuite, localize
from gramspect.edits.drafts import Draft
from gramspect.edits.writing import SourceFile
from gramspect.errors import AdapterError, GrammarError
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.registry import adapter
from gramspect.running.loading import LoadSpec
from gramspect.spectrum.extraction import observe
from gramspect_lark import finding
from gramspect_lark.finding import grammars_below

GRAMMAR = 'start: "a" item ("," item)?\nitem: /[b-z]+/\n%ignore /\\s+/\n'


def load(source: str | Path, name: str = "lark-lalr") -> Recognizer:
    return adapter(name).load(str(source), LoadOptions())


def places(parser: Recognizer) -> set[str]:
    return {rule.span.file for rule in parser.grammar.rules if rule.span is not None}


# --- files of other names ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lark-earley", "lark-lalr"])
@pytest.mark.parametrize("file", ["x.g", "x.txt", "grammar"])
def test_a_grammar_in_a_file_of_any_name(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, name: str
) -> None:
    """The adapter that is named reads it, and repairs of it are diffs."""
    monkeypatch.chdir(tmp_path)
    Path(file).write_text(GRAMMAR)
    Path("tests.txt").write_text("a b\na b, c\na b, c, d\n")
    tests = ("--accept", "tests.txt", "--lines")
    assert "name one with --adapter" in command.fails("suggest", file, *tests)
    answer = command("suggest", file, "--adapter", name, *tests, "--most", "1")
    assert '\n+start: "a" item ("," item)*\n' in answer.out
    assert "confirmed with Lark" in answer.out


def test_the_object_of_a_file_of_another_name(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.g").write_text(GRAMMAR)
    Path("made.py").write_text(
        "from lark import Lark\nparser = Lark.open('x.g', rel_to=__file__)\n"
    )
    Path("tests.txt").write_text("a b\na b, c\na b, c, d\n")
    answer = command("suggest", "made.py", "--accept", "tests.txt", "--lines", "--most", "1")
    assert '\n+start: "a" item ("," item)*\n' in answer.out
    assert "confirmed with Lark" in answer.out


def test_files_that_no_adapter_for_modules_reads(tmp_path: Path) -> None:
    (tmp_path / "x.g").write_bytes(b"start: A\n\xff")
    with pytest.raises(GrammarError, match=r"x\.g:2:1: the byte 0xff is not UTF-8"):
        load(tmp_path / "x.g")


# --- texts elsewhere in the package ------------------------------------------------------------

MAKER = """
from pathlib import Path
from lark import Lark

text = (Path(__file__).parents[1] / {file!r}).read_text()


def parser():
    return Lark(text, parser="lalr")


def cached():
    return Lark(text, parser="lalr", cache=str(Path(__file__).parents[2] / "cache.bin"))
"""


@pytest.mark.parametrize("is_regular", [True, False])
@pytest.mark.parametrize("file", ["x.lark", "x.g"])
def test_a_grammar_above_the_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, is_regular: bool
) -> None:
    """Its package is searched, whose folders may do without ``__init__.py``."""
    package = tmp_path / f"package_above_{file[2:]}_{is_regular}"
    (package / "v2").mkdir(parents=True)
    if is_regular:
        (package / "__init__.py").touch()
        (package / "v2" / "__init__.py").touch()
    (package / file).write_text(GRAMMAR)
    (package / "v2" / "maker.py").write_text(MAKER.format(file=file))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    found = load(f"{package.name}.v2.maker:parser")
    assert places(found) == {str(package / file)}
    if is_regular:
        assert places(load(f"{package / 'v2' / 'maker.py'}:parser")) == places(found)
    suite = TestSuite.from_texts(["a b", "a b, c", "a b, c, d"])
    result = localize(f"{package.name}.v2.maker:parser", suite)
    (best, *_) = result.suggestions
    assert best.change is not None
    assert best.change.file.path == str(package / file)


def test_a_text_in_no_file_has_one_name(tmp_path: Path) -> None:
    """Lark has another one for it when it comes from a cache."""
    (tmp_path / "in" / "v2").mkdir(parents=True)
    (tmp_path / "in" / "x.lark").write_text(GRAMMAR)
    maker = tmp_path / "in" / "v2" / "maker.py"
    maker.write_text(MAKER.format(file="x.lark").replace("read_text()", "read_text() + ' '"))
    assert places(load(f"{maker}:parser")) == {"<string>"}
    for _ in range(2):  # makes the cache, uses it
        assert places(load(f"{maker}:cached")) == {"<string>"}


def test_a_module_by_its_file_alone(tmp_path: Path) -> None:
    """Its text is found in it also if no attribute is named."""
    module = tmp_path / "alone.py"
    module.write_text(f'from lark import Lark\nparser = Lark("""{GRAMMAR}""", parser="lalr")\n')
    module.write_text(module.read_text().replace("\\", "\\\\"))
    parser = load(module)
    assert observe(parser.trace(text_test("a b"))).verdict.name == "ACCEPTED"
    module.write_text(module.read_text().replace('Lark("""', 'Lark(r"""').replace("\\\\", "\\"))
    assert places(load(module)) == {str(module)}


def test_not_all_files_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither Python's nor hidden ones, and of very many some; Lark's own kind comes first."""
    for name in ("a.g", "b.lark", "c.py", ".hidden", "__pycache__/d.lark", ".git/e.lark", "in/f.g"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(GRAMMAR)
    found = [str(path.relative_to(tmp_path)) for path in grammars_below(tmp_path)]
    assert found == ["b.lark", "a.g", "in/f.g"]
    monkeypatch.setattr(finding, "_MOST_FILES", 1)
    assert [path.name for path in grammars_below(tmp_path)] == ["a.g"]


# --- parsers that Lark refuses -----------------------------------------------------------------

COLLIDING = '''from lark import Lark

parser = Lark(r"""
start: a | d
a: b | a "+" N
b: N
c: N
d: c "+" | c "*" | c "-"
N: /[0-9]+/
""", parser="lalr")
'''


REFUSED = """
import gramspect_lark
from gramspect import LoadOptions
from gramspect.errors import GramspectError
from gramspect.recognition.registry import adapter

for name in ("lark-lalr", "ply"):
    for source in ("colliding.py", "colliding"):
        try:
            adapter(name).load(source, LoadOptions())
        except GramspectError as problem:
            print(problem)
"""


def refusals(folder: Path, seed: int) -> list[str]:
    """What is said of a module whichever adapter runs it, in a process with an order of its own."""
    path = os.pathsep.join(map(str, (folder, ROOT / "core", ROOT / "adapters")))
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": path}
    command = [sys.executable, "-c", REFUSED]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, check=True, text=True
    )
    return done.stdout.splitlines()


def test_colliding_reductions_of_live_objects(tmp_path: Path) -> None:
    """One line with the places of the rules, the same in every run and for all that run it."""
    (tmp_path / "colliding.py").write_text(COLLIDING)
    told = [refusals(tmp_path, seed) for seed in (1, 2)]
    expected = (
        "colliding.py:6:1: Lark cannot choose between reductions: reduce/reduce collision before"
        " PLUS between b -> N (colliding.py:6:1) and c -> N (colliding.py:7:1); give one of the"
        ' rules a higher priority, or use parser="earley"'
    )
    assert told == [[expected] * 4] * 2


def test_a_lark_that_is_not_known_speaks_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "colliding.py"
    module.write_text(COLLIDING)
    monkeypatch.setattr(lark, "__version__", "0.11.3")
    with pytest.raises(AdapterError, match="does not import: GrammarError: Reduce/Reduce"):
        adapter("ply").load(str(module), LoadOptions())


def test_collisions_of_a_text_that_is_in_no_file(tmp_path: Path) -> None:
    """The rules are named without places, and the file is that of the code which makes it."""
    module = tmp_path / "built.py"
    module.write_text(COLLIDING.replace('""", parser', '""".replace("N", "M"), parser'))
    with pytest.raises(GrammarError) as caught:
        load(module)
    assert str(caught.value).startswith(f"{module}: Lark cannot choose between reductions: ")
    assert " between b -> M and c -> M; give one of" in str(caught.value)


def test_a_repair_that_lark_refuses(tmp_path: Path) -> None:
    """The places are in the user's file, not in the copy that was tried."""
    module = tmp_path / "refused.py"
    module.write_text(COLLIDING.replace("a | d", "a"))
    source = f"{module}:parser"
    draft = Draft.of(LoadSpec("lark-lalr", source), load(source).grammar)
    with pytest.raises(GrammarError) as caught:
        draft.with_file(SourceFile(str(module), COLLIDING)).load()
    assert str(caught.value).startswith(f"{module}:6:1: Lark cannot choose between reductions: ")
    assert "between b -> N (refused.py:6:1) and c -> N (refused.py:7:1); give" in str(caught.value)
