"""Tables that PLY has written, under names of the user's choice: the rules in the text count."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import ply
import pytest
from layouts import RULES, best_said, found, written

from gramspect import LoadOptions, adapter
from gramspect.edits.confirmation import Agreement
from gramspect_ply.recognizer import PlyRecognizer

MAKE = 'parser = ply.yacc.yacc(debug=False, optimize=1, tabmodule="calls_tables")\n'
LEXER = 'lexer = ply.lex.lex(optimize=1, lextab="calls_lexer")\n'
CHANGE = ("NAME OPEN names CLOSE", "NAME OPEN CLOSE")


def with_tables(folder: Path, text: str, change: tuple[str, str] | None = CHANGE) -> Path:
    """A parser that has written its tables, and whose text was changed then."""
    written(folder, {"calls.py": text})
    source = folder / "calls.py"
    subprocess.run([sys.executable, str(source)], check=True, cwd=folder, capture_output=True)
    if change is not None:
        assert change[0] in text
        source.write_text(text.replace(*change))
    return source


def notes(source: object, code: str) -> Sequence[str]:
    grammar = adapter("ply").load(str(source), LoadOptions()).grammar
    return [str(one) for one in grammar.diagnostics if one.code == code]


def test_rules_that_were_changed_count(tmp_path: Path) -> None:
    source = with_tables(tmp_path, RULES + MAKE)
    tables = tmp_path / "calls_tables.py"
    before = tables.read_bytes()
    result = found(source)
    assert [one.test.text for one in result.failing] == ["f(a)", "f(a, b)", "f(a, b, c)"]
    assert best_said(result).agreement is Agreement.CONFIRMED
    (note,) = notes(source, "replaced-tables")
    assert "the tables in calls_tables were made of other rules than these" in note
    assert not notes(source, "other-tables")
    assert tables.read_bytes() == before


@pytest.mark.parametrize("source", ["calls:parser", "calls.py:parser", "calls.py"])
def test_however_the_parser_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    with_tables(tmp_path, RULES + MAKE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert len(found(source).failing) == 3


def test_tables_of_these_rules_are_used(tmp_path: Path) -> None:
    """Also those of another release of Python, which keeps other blanks of the docstrings."""
    source = with_tables(tmp_path, RULES + MAKE, None)
    tables = tmp_path / "calls_tables.py"
    text = tables.read_text()
    written_by = text.replace("\\n             |", "\\n|").replace(
        "_lr_method = 'LALR'", "_lr_method = 'X'"
    )
    assert text != written_by
    tables.write_text(written_by)
    source.write_text(RULES + MAKE + "import calls_tables\nassert calls_tables._lr_method == 'X'\n")
    assert not notes(source, "replaced-tables")
    assert len(found(source).failing) == 1


def test_of_a_copy_of_ply_under_another_name(tmp_path: Path) -> None:
    copies = {
        f"{name}er.py": (Path(ply.__path__[0]) / f"{name}.py").read_text()
        for name in ("lex", "yacc")
    }
    written(tmp_path, copies)
    text = RULES.replace("import ply.lex\nimport ply.yacc", "import lexer\nimport yaccer")
    text = text.replace("lexer = ply.lex.lex", "read = lexer.lex") + MAKE.replace(
        "ply.yacc", "yaccer"
    )
    source = with_tables(tmp_path, text)
    assert (tmp_path / "calls_tables.py").exists()
    assert len(notes(source, "replaced-tables")) == 1


def test_token_rules_that_were_changed_count(tmp_path: Path) -> None:
    text = RULES.replace("lexer = ply.lex.lex()\n", LEXER) + MAKE
    source = with_tables(tmp_path, text, ('t_NAME = "[a-z]+"', 't_NAME = "[b-z]+"'))
    assert (tmp_path / "calls_lexer.py").exists()
    assert len(found(source).failing) == 4


def test_a_parser_that_was_loaded_elsewhere_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing can be made anew then."""
    with_tables(tmp_path, RULES + MAKE)
    monkeypatch.syspath_prepend(str(tmp_path))
    calls = __import__("calls")
    for name in ("calls", "calls_tables"):
        del sys.modules[name]
    said = PlyRecognizer.from_parser(calls.parser, calls.lexer).grammar.diagnostics
    (note,) = [str(one) for one in said if one.code == "other-tables"]
    assert "call : NAME OPEN CLOSE' is not in the tables that the parser uses" in note
