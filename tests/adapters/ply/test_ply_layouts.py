"""Where users keep their parsers: repairs are confirmed in every layout, and nothing is written."""

import json
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest
from layouts import MAKE, RULES, best_said, found, written

from gramspect import LoadOptions, TestSuite, localize
from gramspect.cli import main
from gramspect.edits.confirmation import Agreement

LOADER = """
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "src"))
from calls.parser import lexer, parser
"""


class TestRepairsAreConfirmed:
    def test_sources_below_a_folder_that_the_loader_puts_on_the_path(self, tmp_path: Path) -> None:
        package = {"src/calls/__init__.py": "", "src/calls/parser.py": RULES + MAKE}
        written(tmp_path, {"load.py": LOADER, **package})
        result = found(tmp_path / "load.py")
        assert result.grammar.files == (str(tmp_path / "src/calls/parser.py"),)
        assert best_said(result).agreement is Agreement.CONFIRMED
        assert "calls.parser" not in sys.modules
        assert str(tmp_path / "src") not in sys.path

    def test_a_compiled_module_is_not_taken_for_the_changed_one(self, tmp_path: Path) -> None:
        """Not even where nobody compares it with its source."""
        written(tmp_path, {"load.py": LOADER, "src/calls/parser.py": RULES + MAKE})
        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(
            str(tmp_path / "src/calls/parser.py"), doraise=True, invalidation_mode=unchecked
        )
        assert best_said(found(tmp_path / "load.py")).agreement is Agreement.CONFIRMED

    def test_a_package_without_an_init_file(self, tmp_path: Path) -> None:
        written(tmp_path, {"load.py": LOADER, "src/calls/parser.py": RULES + MAKE})
        assert best_said(found(tmp_path / "load.py")).agreement is Agreement.CONFIRMED

    @pytest.mark.parametrize("source", ["load.py:Made", "load:Made"])
    def test_a_package_of_the_path_behind_a_function_of_ours(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
    ) -> None:
        """The package is copied from where modules are found, below our folder or elsewhere."""
        made = f"\ndef make():\n    {MAKE}    return parser, lexer\n"
        rules = "from .rest import KEPT\n" + RULES + made
        package = {"site/calls/__init__.py": "", "site/calls/rest.py": "KEPT = 1\n"}
        work = tmp_path if source == "load:Made" else tmp_path / "work"
        load = f"{work.relative_to(tmp_path)}/load.py"
        text = "from calls.parser import make\nclass Made:\n    parser, lexer = make()\n"
        written(tmp_path, {load: text, "site/calls/parser.py": rules, **package})
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.syspath_prepend(tmp_path / "site")
        monkeypatch.chdir(work)
        result = found(source)
        (file,) = result.grammar.files
        assert Path(file).resolve() == tmp_path / "site/calls/parser.py"
        assert best_said(result).agreement is Agreement.CONFIRMED
        assert "calls" not in sys.modules

    def test_a_module_that_goes_to_another_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        there = f"import os\nos.chdir({str(elsewhere)!r})\n"
        written(tmp_path, {"calls.py": there + RULES + MAKE})
        monkeypatch.chdir(tmp_path)
        result = found("calls.py")
        assert best_said(result).agreement is Agreement.CONFIRMED
        assert Path.cwd() == tmp_path

    def test_it_is_there_when_its_actions_run(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "data").mkdir()
        (tmp_path / "data" / "known").write_text("f")
        action = 'NAME OPEN names CLOSE"""\n    open("known").close()'
        rules = RULES.replace('NAME OPEN names CLOSE"""', action)
        written(tmp_path, {"calls.py": "import os\nos.chdir('data')\n" + rules + MAKE})
        monkeypatch.chdir(tmp_path)
        result = found("calls.py")
        assert not result.undecided
        assert result.n_passing == 4

    @pytest.mark.parametrize("folder", ["", "pkg/"])
    def test_tables_of_the_grammar_as_it_was(self, tmp_path: Path, folder: str) -> None:
        make = "parser = ply.yacc.yacc(debug=False, optimize=1, write_tables=True)\n"
        files = {f"{folder}calls.py": RULES + make}
        if folder:
            files |= {
                f"{folder}__init__.py": "",
                "load.py": "from pkg.calls import lexer, parser\n",
            }
        written(tmp_path, files)
        source = tmp_path / ("load.py" if folder else "calls.py")
        subprocess.run([sys.executable, str(source)], check=True, cwd=tmp_path, capture_output=True)
        (tables,) = tmp_path.rglob("parsetab.py")
        before = tables.read_bytes()
        assert best_said(found(source)).agreement is Agreement.CONFIRMED
        assert tables.read_bytes() == before

    def test_a_loader_that_always_reads_the_original(self, tmp_path: Path) -> None:
        load = f"import sys\nsys.path.insert(0, {str(tmp_path / 'src')!r})\n"
        load += "from calls.parser import lexer, parser\n"
        written(tmp_path, {"load.py": load, "src/calls/parser.py": RULES + MAKE})
        said = best_said(found(tmp_path / "load.py"))
        file = tmp_path / "src/calls/parser.py"
        assert said.agreement is Agreement.UNTRIED
        assert said.message == f"{tmp_path}/load.py does not read a copy of {file}"


class TestNothingIsWritten:
    FACTORY = """
class Parser:
    def __init__(self):
        self.lexer = lexer
        self.parser = ply.yacc.yacc(debug=True, write_tables=True, outputdir=".")
"""

    @pytest.mark.parametrize("make", [FACTORY, "parser = ply.yacc.yacc(debug=True)\n"])
    def test_by_what_makes_the_parser(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: str
    ) -> None:
        work = tmp_path / "work"
        written(tmp_path, {"calls.py": RULES + make, "work/keep": ""})
        monkeypatch.chdir(work)
        result = found(f"{tmp_path}/calls.py:{'Parser' if 'class' in make else 'parser'}")
        assert best_said(result).agreement is Agreement.CONFIRMED
        assert sorted(p.name for p in tmp_path.rglob("*")) == ["calls.py", "keep", "work"]

    def test_of_a_copy_of_ply(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        import ply

        bundled = {
            f"pkg/{name}.py": Path(ply.__path__[0], f"{name}.py").read_text()
            for name in ("lex", "yacc")
        }
        rules = RULES.replace("import ply.lex\nimport ply.yacc", "from pkg import lex, yacc")
        rules = rules.replace("ply.lex.", "lex.")
        make = 'parser = yacc.yacc(debug=True, outputdir=".")\n'
        written(tmp_path, {"pkg/__init__.py": "", "calls.py": rules + make, **bundled})
        monkeypatch.chdir(tmp_path)
        before = sorted(tmp_path.iterdir())
        assert len(found("calls.py").failing) == 1
        assert sorted(tmp_path.iterdir()) == before

    def test_the_users_own_files_are(self, tmp_path: Path) -> None:
        log = tmp_path / "log"
        written(tmp_path, {"calls.py": RULES + MAKE + f"open({str(log)!r}, 'w').write('made')\n"})
        found(tmp_path / "calls.py")
        assert log.read_text() == "made"


def test_the_adapter_follows_from_the_object(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder with both tools, told apart only by what the names stand for."""
    lark = 'import lark\nmade = lark.Lark("start: \\"a\\"+", parser="{}")\n'
    written(
        tmp_path,
        {
            "ruled.py": RULES + MAKE,
            "kept.py": "from ruled import lexer, parser\n",
            "early.py": lark.format("earley"),
            "late.py": lark.format("lalr"),
            "tests": "aa\n",
        },
    )
    wanted = {"kept.py": "ply", "early.py:made": "lark-earley", "late.py:made": "lark-lalr"}
    for source, name in wanted.items():
        words = ["localize", f"{tmp_path}/{source}", "--accept", f"{tmp_path}/tests"]
        monkeypatch.setattr(sys, "argv", ["gramspect", *words, "--format", "json"])
        with pytest.raises(SystemExit):
            main()
        assert json.loads(capsys.readouterr().out)["adapter"] == name


def test_an_action_that_fails_names_the_way_around(tmp_path: Path) -> None:
    action = 'NAME OPEN names CLOSE"""\n    raise KeyError(p[1])'
    written(tmp_path, {"calls.py": RULES.replace('NAME OPEN names CLOSE"""', action) + MAKE})
    suite = TestSuite.from_texts(accept=["f(a)"])
    (one,) = localize(str(tmp_path / "calls.py"), suite).undecided
    assert one.reason.endswith("raised KeyError: 'f'; --no-actions leaves actions out")
    without = localize(str(tmp_path / "calls.py"), suite, load=LoadOptions(actions=False))
    assert without.n_passing == 1


def test_a_module_of_a_package_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is imported under its name from a copy of its package, relative imports and all."""
    package = tmp_path / "package_with_ply"
    package.mkdir()
    (package / "__init__.py").write_text("from . import reading\n")
    (package / "reading.py").write_text("from .making import lexer, parser\n")
    (package / "making.py").write_text(RULES + MAKE)
    monkeypatch.syspath_prepend(tmp_path)
    result = found("package_with_ply.reading:parser")
    said = best_said(result)
    assert (said.agreement, said.built, said.n_tests) == (Agreement.CONFIRMED, False, 5)
    (best, *_) = result.suggestions
    assert best.change is not None
    assert Path(best.change.file.path).name == "making.py"
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith("parse")]
