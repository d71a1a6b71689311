"""Edits of .g4 grammars: what is written means what was meant, and ANTLR agrees."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gramspect
from command import run
from edited import apply_diff, assert_written_edit, text_with
from examples import fewer
from gramspect import Grammar, LoadOptions, TestSuite, adapter
from gramspect.edits import Edit, EditKind
from gramspect.edits.confirmation import Agreement
from gramspect.edits.validation import Status
from gramspect.edits.writing import Unwritable, written
from gramspect.repairs.debug import debug
from ranks import sampled

FIXTURES = Path(__file__).parents[3] / "fixtures"
CALC = FIXTURES / "antlr" / "calc"
SMALL = FIXTURES / "student"
GRAMMARS = [CALC / "Calc.g4", FIXTURES / "antlr" / "document" / "Document.g4", SMALL / "Small.g4"]


@cache
def load(path: Path, start: str | None = None) -> Grammar:
    return adapter("antlr").load(str(path), LoadOptions(start)).grammar


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
@fewer(0.15)
@given(data=st.data())
def test_what_is_written_is_the_edited_grammar(
    path: Path, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    grammar = load(path)
    start = grammar.symbols[grammar.start].name
    copy = tmp_path_factory.mktemp("edited") / path.name
    # Left recursion, and loops around nothing.
    assert_written_edit(
        data, grammar, lambda file: load(file, start), copy, ("recursive", "empty string")
    )


def test_most_edits_can_be_written() -> None:
    grammar = load(CALC / "Calc.g4")
    number = (grammar.symbol("NUMBER"),)
    insertions = [Edit(i, EditKind.INSERT, number, 0, 1.0) for i in range(grammar.n_items)]
    failed = []
    for edit in insertions:
        try:
            written(grammar, edit)
        except Unwritable:
            failed.append(grammar.item_label(edit.item))
    assert len(failed) < len(insertions) / 5


def text_after(text: str, label: str, kind: EditKind, symbols: str, tmp_path: Path) -> str:
    """The text of a grammar after an edit at the item of that label."""
    path = tmp_path / "G.g4"
    path.write_text(text)
    grammar = adapter("antlr").load(str(path), LoadOptions()).grammar
    return text_with(grammar, label, kind, symbols)


HEAD, TAIL = "grammar G;\n", "A: 'a'; B: 'b'; C: 'c'; W: ' ' -> skip;\n"


class TestNotation:
    @pytest.mark.parametrize(
        ("before", "label", "kind", "symbols", "after"),
        [
            ("s: A B;", "s:1:1", EditKind.INSERT, "C", "s: A C? B;"),
            ("s: A B;", "s:1:1", EditKind.INSERT, "C C", "s: A ( C C )? B;"),
            ("s: A B;", "s:1:2", EditKind.INSERT, "C", "s: A B C?;"),
            ("s: x=A y+=B;", "s:1:1", EditKind.INSERT, "C", "s: x=A C? y+=B;"),
            ("s: x=A y+=B;", "s:1:1", EditKind.REPLACE, "C", "s: x=A ( y+=B | C );"),
            ("s: A B;", "s:1:1", EditKind.REPLACE, "", "s: A B?;"),
            ("s: A (B | C) A;", "s:1:1", EditKind.REPLACE, "A", "s: A (B | C | A ) A;"),
            ("s: A (B | C) A;", "s:1:1", EditKind.REPLACE, "", "s: A (B | C)? A;"),
            ("s: A (B C)+ A;", "s:1:1", EditKind.REPLACE, "", "s: A (B C)* A;"),
            ("s: A y+=B+? A;", "s:1:1", EditKind.REPLACE, "", "s: A y+=B*? A;"),
            ("s: A B? A;", "s:1:0", EditKind.INSERT, "s:1.1", "s: B? A B? A;"),
            ("s: A B+ A;", "s:1:0", EditKind.INSERT, "s:1.1", "s: B* A B+ A;"),
            ("s: A B C;", "s:1:1", EditKind.END, "", "s: A ( B C )?;"),
            ("s: A B C;", "s:1:1", EditKind.END, "A", "s: A ( B C | A );"),
            ("s: A B | C;", "s:1:0", EditKind.END, "C", "s: A B | C | C;"),
            ("s: A B # one\n | C # two\n ;", "s:1:0", EditKind.END, "C",
             "s: A B # one\n | C # one\n | C # two\n ;"),
            ("s: s A | B;", "s:1:0", EditKind.REPLACE, "C", "s: s A | C A | B;"),
            ("s: A* B;", "s:1.1:2:1", EditKind.INSERT, "C", "s: ( C? A )* B;"),
            ("s: A* B;", "s:1.1:1:0", EditKind.REQUIRE, "A", "s: A+ B;"),
            ("s: A* B;", "s:1.1:2:0", EditKind.NARROW, "", "s: A? B;"),
            ("s: A+ B;", "s:1.1:2:0", EditKind.DROP, "", "s: A B;"),
            ("s: A+ B;", "s:1.1:2:1", EditKind.INSERT, "C", "s: A ( C? A )* B;"),
            ("s: A+ B;", "s:1.1:2:1", EditKind.REQUIRE, "C", "s: A ( C A )* B;"),
            ("s: A? B;", "s:1.1:2:0", EditKind.DROP, "", "s: A B;"),
            ("s: A? B;", "s:1.1:1:1", EditKind.INSERT, "C", "s: ( A C? )? B;"),
            ("s: A? B;", "s:1.1:2:0", EditKind.END, "C", "s: ( A | C )? B;"),
            ("s: A (B C)? A;", "s:1.1:1:0", EditKind.END, "s:1.1 B C", "s: A (B C)* A;"),
            ("s: A? B;", "s:1.1:1:0", EditKind.END, "s:1.1 A", "s: A* B;"),
            ("s: A (B|C)* A;", "s:1.1:2:1", EditKind.REPLACE, "A", "s: A ( B|C | A )* A;"),
            ("s: ~A B;", "s:1.1:1:0", EditKind.REPLACE, "A", "s: ( ~A | A ) B;"),
            ("s: A B | C;", "s:1:0", EditKind.SWAP, "", "s: B A | C;"),
            ("s: A B | C;", "s:1:0", EditKind.DROP, "", "s: C;"),
            ("s: A B /* | */ | C;", "s:2:0", EditKind.DROP, "", "s: A B /* | */;"),
            ("s: A {f('|;}')} B;", "s:1:1", EditKind.NARROW, "C", "s: A {f('|;}')} C;"),
        ],
    )  # fmt: skip
    def test_edits(
        self, before: str, label: str, kind: EditKind, symbols: str, after: str, tmp_path: Path
    ) -> None:
        found = text_after(f"{HEAD}{before}\n{TAIL}", label, kind, symbols, tmp_path)
        assert found == f"{HEAD}{after}\n{TAIL}"


FAULTS = {
    "parameters are mandatory": ("'(' parameters? ')'", "'(' parameters ')'"),
    "no default values": ("NAME ('=' expression)?", "NAME"),
    "an end too many": ("'{' (statement ';')* '}'", "'{' (statement ';')* '}' 'end'"),
    "only one argument": ("argument (',' argument)*", "argument"),
    "a separator may be left out": ("parameter (',' parameter)*", "parameter (','? parameter)*"),
    "one more parameter at most": ("(',' parameter)*", "(',' parameter)?"),
    "arguments may be empty": ("(NAME ':=')? expression\n", "(NAME ':=')? expression?\n"),
}


@pytest.mark.parametrize("fault", sampled(map(pytest.param, FAULTS), 7))
def test_suggestions_hold_in_antlr(fault: str, tmp_path: Path) -> None:
    path = tmp_path / "Calc.g4"
    text = (CALC / "Calc.g4").read_text()
    assert text.count(FAULTS[fault][0]) == 1
    path.write_text(text.replace(*FAULTS[fault]))
    suite = TestSuite.load([CALC / "accept.txt"], [CALC / "reject.txt"], lines=True)
    found = gramspect.suggest(path, suite, budget=600, most=2, confirm=2)
    assert found.validated
    folder = tmp_path / "mended"
    folder.mkdir()
    for number, one in enumerate(found.validated):
        assert one.change is not None
        content = apply_diff(one.change, folder, ("patch", "git")[number % 2])
        assert content == one.change.changed.encoded()
        result = gramspect.localize(str(folder / "Calc.g4"), suite)
        fixed = {suite.tests[number].name for number in one.effect.fixed}
        before = {failing.test.name for failing in found.localization.failing}
        assert {failing.test.name for failing in result.failing} == before - fixed
        assert one.confirmation is not None
        assert one.confirmation.tool.startswith("ANTLR 4.")


def test_what_antlr_refuses_is_not_suggested(tmp_path: Path) -> None:
    """The cheapest edit makes two rules call each other first, which ANTLR does not take."""
    path = tmp_path / "G.g4"
    path.write_text("grammar G; s: x EOF; x: 'a' y; y: x 'b' | 'c'; W: ' ' -> skip;\n")
    grammar = load(path)
    items = {grammar.item_label(item): item for item in range(grammar.n_items)}
    edit = Edit(items["x:1:0"], EditKind.REPLACE, (), 0, 1.0)
    from gramspect.edits.suggestion import Bench, Suggestion, confirmed, with_text
    from gramspect.edits.validation import Effect
    from gramspect.running.loading import LoadSpec

    suite = TestSuite.from_texts(["a c"])
    spec = LoadSpec("antlr", str(path))
    bench = Bench(spec(), grammar, suite, [], (), "antlr", spec)
    said = confirmed(bench, with_text(bench, Suggestion(grammar, edit, Effect())), float("inf"))
    assert said.confirmation is not None
    assert said.confirmation.agreement == "refused"
    assert "left-recursive" in said.confirmation.message
    assert said.status is Status.HARMFUL


@pytest.mark.slow
def test_a_grammar_with_many_faults_is_mended(tmp_path: Path) -> None:
    suite = TestSuite.load([SMALL / "accept.txt"], [SMALL / "reject.txt"], lines=True)
    result = debug(SMALL / "Small.g4", suite, budget=600)
    assert result.left == 0
    assert len(result.rounds) >= 7
    assert [one.failing for one in result.rounds] == sorted(
        (one.failing for one in result.rounds), reverse=True
    )
    (change,) = result.changes
    apply_diff(change, tmp_path, "patch")
    assert not gramspect.localize(str(tmp_path / "Small.g4"), suite).failing


def test_parts_in_other_files(tmp_path: Path) -> None:
    """A parser grammar with its lexer and an imported grammar; the fault is in the import."""
    (tmp_path / "L.g4").write_text("lexer grammar L; A: 'a'; B: 'b'; W: ' ' -> skip;\n")
    (tmp_path / "Part.g4").write_text("parser grammar Part;\nx: A A;\n")
    main = tmp_path / "P.g4"
    main.write_text("parser grammar P;\noptions { tokenVocab=L; }\nimport Part;\ns: x B EOF;\n")
    suite = TestSuite.from_texts(["a a b", "a b"], ["a a", "b", "a a a b"])
    found = gramspect.suggest(main, suite, budget=600)
    best = found.suggestions[0]
    assert best.span is not None
    assert best.span.file == str(main.with_name("Part.g4"))
    assert best.status is Status.VALIDATED
    assert best.confirmation is not None
    assert best.change is not None
    assert Path(best.change.file.path).name == "Part.g4"

    # The tool by itself looks for what is imported in the current folder first.
    (tmp_path / "good.txt").write_text("a a b\na b\n")
    answer = run("suggest", "P.g4", "--lines", "--accept", "good.txt", cwd=tmp_path)
    first = answer.out.splitlines()[0]
    assert first.startswith("# 1. Part.g4:2:"), first
    assert "confirmed with ANTLR" in first


def test_an_option_is_removed_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "L.g4"
    text = "grammar L;\ns : l EOF ;\nl : '[' e (',' e)* last=','? ']' ;\ne : 'x' ;\n"
    path.write_text(text)
    suite = TestSuite.from_texts(accept=["[x]", "[x,x]"], reject=["[x,]", "[x,x,]"])
    first = gramspect.suggest(path, suite, budget=600, most=1, confirm=1).suggestions[0]
    assert first.describe() == "remove ','?"
    assert first.status is Status.VALIDATED
    assert first.change is not None
    assert first.change.changed.text == text.replace(" last=','?", "")


@pytest.mark.parametrize("apart", [False, True])
def test_an_operator_that_the_lexer_cuts_is_a_new_token(apart: bool, tmp_path: Path) -> None:
    """Written as a literal where the grammar may have new ones, else defined in the lexer."""
    tokens = "EQ : '=' ; GT : '>' ; X : 'x' ; WS : ' ' -> skip ;\n"
    rules = "s : e EOF ;\ne : X ( op X )* ;\nop : EQ | GT ;\n"
    if apart:
        (tmp_path / "OLexer.g4").write_text(f"lexer grammar OLexer;\n{tokens}")
        path = tmp_path / "OParser.g4"
        path.write_text(f"parser grammar OParser;\noptions {{ tokenVocab = OLexer; }}\n{rules}")
    else:
        path = tmp_path / "O.g4"
        path.write_text(f"grammar O;\n{rules}{tokens}")
    suite = TestSuite.from_texts(accept=["x = x", "x > x = x", "x => x"], reject=["x = > x"])
    first = gramspect.suggest(path, suite, budget=600, most=1, confirm=1).suggestions[0]
    assert first.describe() == 'add the alternative "=>"'
    assert first.effect.fixed == (2,)
    assert first.status is Status.VALIDATED
    assert first.confirmation is not None
    assert first.confirmation.agreement is Agreement.CONFIRMED
    assert first.change is not None
    if apart:
        assert "op : EQ | EQUALS_GREATER | GT ;" in first.change.changed.text
        (other,) = first.change.others
        header, new, *_ = other.changed.text.splitlines()
        assert (header, new) == ("lexer grammar OLexer;", "EQUALS_GREATER : '=>' ;")
    else:
        assert "op : EQ | '=>' | GT ;" in first.change.changed.text
