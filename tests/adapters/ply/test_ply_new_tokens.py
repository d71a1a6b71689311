"""Repairs with a token that the lexer does not have: it is defined where the others are."""

import json
import subprocess
from pathlib import Path

import pytest
from layouts import written
from lsprotocol import types
from pygls.workspace import PositionCodec

from command import Command
from gramspect import Coverage, SpectrumKind, TestSuite, localize, sarif_report, suggest
from gramspect.edits.confirmation import Agreement
from gramspect.edits.suggestion import Suggestion
from gramspect.languageserver.answers import Document, code_actions
from gramspect.languageserver.findings import findings_of
from gramspect.repairs.suggest import Suggestions

LEXER = """
import ply.lex

words = {"let": "LET"}
tokens = ["NAME", "NUMBER", "EQUALS", "PLUS", "MINUS", *words.values()]
t_NUMBER = "[0-9]+"
t_EQUALS = "="
t_PLUS = "[+]"
t_MINUS = "-"
t_ignore = " "

def t_NAME(t):
    "[a-z]+"
    t.type = words.get(t.value, "NAME")
    return t

def t_error(t):
    raise ValueError("no token")

lexer = ply.lex.lex()
"""
RULES = '''
import ply.yacc

def p_statement(p):
    """statement : LET NAME EQUALS sum
                 | sum"""

def p_sum(p):
    """sum : sum operator value
           | value"""

def p_operator(p):
    """operator : PLUS
                | MINUS"""

def p_value(p):
    """value : NAME
             | NUMBER"""

def p_error(p):
    pass

parser = ply.yacc.yacc(debug=False, write_tables=False)
'''
ACCEPTED = ["let a = 1", "a + 1", "let b = a + 2 - 3", "1", "a", "a - b + 1"]
SIGNS = [*ACCEPTED, "a * 1", "let c = 1 * b"]
WORDS = [*ACCEPTED, "const a = 1", "const b = a + 2"]
REJECTED = ["let a =", "1 2", "a +", "+ 1", "let = 1", "a - + b"]


@pytest.fixture(params=["one file", pytest.param("two files", marks=pytest.mark.slow)])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "one file":
        written(tmp_path, {"calc.py": LEXER + RULES})
    else:
        rules = "from words import lexer, tokens\n" + RULES
        written(tmp_path, {"words.py": LEXER, "calc.py": rules})
    return str(tmp_path / "calc.py")


def best(source: str, texts: list[str]) -> tuple[Suggestions, Suggestion]:
    found = suggest(source, TestSuite.from_texts(texts, REJECTED))
    return found, found.suggestions[0]


def text_of(one: Suggestion) -> str:
    """All that is in the changed files."""
    assert one.change is not None
    assert one.confirmation is not None
    assert one.confirmation.agreement is Agreement.CONFIRMED
    return "".join(file.text for file in one.change.results)


def test_a_sign(source: str) -> None:
    _, one = best(source, SIGNS)
    assert one.describe() == 'add the alternative "*"'
    text = text_of(one)
    assert "operator : PLUS\n                | STAR\n" in text
    assert 't_MINUS = "-"\nt_ignore = " "\nt_STAR = r\'\\*\'\n' in text
    assert '"PLUS", "MINUS", "STAR", *words' in text


def test_a_word(source: str) -> None:
    _, one = best(source, WORDS)
    text = text_of(one)
    assert 'words = {"let": "LET", "const": "CONST"}' in text
    assert '"MINUS", *words' in text
    assert "CONST NAME EQUALS sum" in text


def test_the_diff_can_be_applied(source: str, tmp_path: Path) -> None:
    _, one = best(source, SIGNS)
    assert one.change is not None
    for change in one.change.of_each_file:
        diff = change.diff(Path(change.file.path).name)
        subprocess.run(["patch", "-p0", "-s"], input=diff, text=True, cwd=tmp_path, check=True)
        assert Path(change.file.path).read_text() == change.changed.text
    result = localize(source, TestSuite.from_texts(SIGNS, REJECTED), confirm=None)
    assert not result.failing


def test_reports(source: str, command: Command) -> None:
    suite = TestSuite.from_texts(SIGNS, REJECTED)
    result = localize(source, suite)
    fixes = [
        fix["artifactChanges"]
        for found in json.loads(sarif_report(result))["runs"][0]["results"]
        for fix in found.get("fixes", ())
    ]
    n_files = len(result.suggestions[0].change.results)  # type: ignore[union-attr]
    assert n_files == 1 + Path(source).with_name("words.py").exists()
    assert len(fixes[0]) == n_files
    folder = Path(source).parent
    for name, texts in (("good", SIGNS), ("bad", REJECTED)):
        (folder / f"{name}.txt").write_text("\n".join(texts))
    tests = ["--lines", "--accept", str(folder / "good.txt"), "--reject", str(folder / "bad.txt")]
    said = command("localize", source, *tests).out
    assert "| STAR" in said
    assert "t_STAR = r'\\*'" in said
    applied = command("suggest", source, *tests, "--apply", "1", "-o", str(folder / "new.py"))
    if n_files == 1:
        assert "t_STAR" in (folder / "new.py").read_text()
    else:
        assert applied.status == 2
        assert "several files are changed" in applied.err
        assert "apply its diff with patch" in applied.err
        assert not (folder / "new.py").exists()


def test_an_editor_changes_all_files(source: str) -> None:
    found, one = best(source, SIGNS)
    assert one.change is not None
    first = localize(
        source, TestSuite.from_texts(SIGNS, REJECTED), evidence="both", all_spectra=True
    )
    matrices = first.basis.matrices
    covered = Coverage(
        first.grammar, found.localization.suite, None, first.method.extraction,
        matrices[SpectrumKind.RULE], matrices[SpectrumKind.ITEM],
    )  # fmt: skip
    findings = findings_of(found.localization, covered, found, watched=[])

    def document(path: str) -> Document:
        return Document(path, PositionCodec(), findings.texts[path].splitlines())

    asked = types.Range(types.Position(0, 0), types.Position(10_000, 0))
    for versioned in (True, False):
        action, *_ = code_actions(findings, document(source), asked, document, versioned=versioned)
        assert action.edit is not None
        if versioned:
            paths = [c.text_document.uri for c in action.edit.document_changes or ()]  # type: ignore[union-attr]
        else:
            paths = list(action.edit.changes or ())
        names = {Path(change.file.path).name for change in one.change.of_each_file}
        assert {path.rpartition("/")[2] for path in paths} == names
