"""What is suggested for a suite, and the rounds in which it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import gramspect
from gramspect import GramspectError, TestSuite, adapter
from gramspect.edits import Edit, EditKind
from gramspect.edits.confirmation import Agreement, Confirmation
from gramspect.edits.model import makes_cyclic
from gramspect.edits.suggestion import Bench, Suggestion
from gramspect.edits.validation import Effect, Status
from gramspect.edits.writing import SourceFile
from gramspect.localization.selection import ordered
from gramspect.repairs.suggest import merged
from gramspect.yacc import read_yacc
from ranks import sampled
from toy import grammar

ROOT = Path(__file__).parents[2]
TOY = ROOT / "fixtures" / "toy"


@pytest.mark.parametrize(
    ("item", "kind", "symbols", "expected"),
    [
        ("b:1:0", EditKind.END, "", True),  # s -> s b, and b may be empty
        ("s:1:1", EditKind.REPLACE, "", True),
        ("s:2:0", EditKind.REPLACE, "s", True),
        ("s:2:0", EditKind.REPLACE, "b b", False),
        ("b:1:1", EditKind.REPLACE, "", False),
        ("b:1:0", EditKind.END, "x", False),
    ],
)
def test_edits_that_make_a_grammar_cyclic(
    item: str, kind: EditKind, symbols: str, expected: bool
) -> None:
    g = grammar("s -> s b\ns -> b\nb -> x y")
    items = {g.item_label(i): i for i in range(g.n_items)}
    edit = Edit(items[item], kind, tuple(map(g.symbol, symbols.split())), 0, 1.0)
    assert makes_cyclic(g, edit) is expected


def test_what_fixes_nearly_all_comes_before_what_is_cheaper() -> None:
    g = grammar("s -> a b")
    texts = ["a b", *("a " * n for n in range(1, 11))]
    result = gramspect.localize(adapter("chart").build(g), TestSuite.from_texts(texts))
    assert result.n_failing == 10

    def fixing(n: int, symbol: str, cost: float) -> Suggestion:
        edit = Edit(g.item(0, 1), EditKind.REPLACE, (g.symbol(symbol),), 1, cost)
        return Suggestion(g, edit, Effect(tuple(range(1, n + 1)), (), (), complete=True))

    half, most, all_of_them = fixing(5, "a", 1.0), fixing(9, "b", 2.0), fixing(10, "s", 6.0)
    assert ordered([half, most, all_of_them], result) == [all_of_them, most, half]


def test_changes_that_make_the_same_text_are_one_repair() -> None:
    """Leaving `groups` out, and ending the rule before it with what follows it."""
    simpl = ROOT / "fixtures" / "simpl"
    suite = TestSuite.load(
        accept=[str(simpl / "accept.txt")], reject=[str(simpl / "reject.txt")], lines=True
    )
    result = gramspect.localize(simpl / "simpl-faulty.y", suite, evidence="edits")
    said: dict[object, set[object]] = {}
    for element in result.ranking:
        changes = [one.change.changed for one in result.suggestions_for(element) if one.change]
        assert len(changes) == len(set(changes)), element.label
    for one in result.suggestions:
        if one.change is not None:
            said.setdefault(one.change.changed, set()).add(one.confirmation)
    assert all(len(told) == 1 for told in said.values())
    groups = [one for one in result.suggestions if one.label.startswith("parameters:1:")]
    assert [(one.label, one.describe()) for one in groups] == [
        ("parameters:1:1", "make groups optional"),
        ("parameters:1:0", "add the alternative '(' ')'"),
    ]
    first = groups[0].confirmation
    assert first is not None
    assert first.agreement is Agreement.CONFIRMED


class TestSuggest:
    def test_two_faults_in_one_input(self, tmp_path: Path) -> None:
        path = tmp_path / "g.y"
        path.write_text("%token ',' '(' ')'\n%%\ns: 'let' 'id' '=' 'num' 'in' 'id' ';' ;\n")
        suite = TestSuite.from_texts(
            ["let id = num in id ;", "let id = num , id = num in ( id ) ;"], ["let in id ;"]
        )
        found = gramspect.suggest(path, suite, budget=600)
        best = found.suggestions[0]
        assert best.status is Status.VALIDATED
        assert len(best.steps) == 2
        assert best.effect.fixed == (1,)
        assert best.change is not None
        assert not found.unsolved
        mended = tmp_path / "mended.y"
        mended.write_bytes(best.change.changed.encoded())
        assert not gramspect.localize(mended, suite).failing

    def test_different_edits_for_different_inputs(self) -> None:
        suite = TestSuite.load([TOY / "accept.txt"], lines=True)
        found = gramspect.suggest(TOY / "toy-faulty.y", suite, budget=600)
        assert len(found.cover) == 2
        (change,) = merged([found.suggestions[number] for number in found.cover])
        assert change.changed.text.count("\n") == change.file.text.count("\n") + 2

    def test_generalized_edits_serve_several_inputs(self, tmp_path: Path) -> None:
        path = tmp_path / "g.y"
        path.write_text(
            "%token '='\n%%\n"
            "s: 'set' 'id' | 'print' e ;\ne: e '+' t | t ;\nt: 'num' | 'id' | '(' e ')' ;\n"
        )
        suite = TestSuite.from_texts(
            ["set id", "print id", "print ( num + id )", "set id = num", "set id = id"],
            ["set id =", "print", "set id num", "print = num"],
        )
        found = gramspect.suggest(path, suite, budget=600)
        best = found.suggestions[0]
        assert best.effect.fixed == (3, 4)
        names = [found.localization.grammar.symbols[s].name for s in best.edit.symbols]
        assert names == ["'='", "e"]

    def test_what_is_in_conflict_with_what_is_needed(self, tmp_path: Path) -> None:
        """The grammar derives all inputs; the parser takes the longer rule and rejects one."""
        path = tmp_path / "g.y"
        path.write_text("%token IF ELSE C B\n%%\np: s | p s ;\ns: B | IF C s | IF C s s ELSE ;\n")
        suite = TestSuite.from_texts(["B", "IF C B", "B B", "IF C B B"])
        found = gramspect.suggest(path, suite, budget=600)
        assert "drop the alternative IF C s s ELSE" in [
            one.describe() for one in (*found.suggestions, *found.others)
        ]
        for one in found.suggestions:
            assert one.status is Status.VALIDATED
            assert one.change is not None
            mended = tmp_path / "mended.y"
            mended.write_bytes(one.change.changed.encoded())
            assert not gramspect.localize(mended, suite).failing

    def test_no_failing_test(self) -> None:
        found = gramspect.suggest(TOY / "toy.y", TestSuite.load([TOY / "accept.txt"], lines=True))
        assert found.suggestions == ()
        assert found.cover == ()


def test_what_the_tool_denies_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few suggestions are wanted."""
    denied: list[Edit] = []

    def deny_two(_bench: Bench, suggestions: Sequence[Suggestion]) -> list[Suggestion]:
        said = Confirmation("somebody", Agreement.DIFFERS)
        denied.extend(one.edit for one in suggestions[: max(0, 2 - len(denied))])
        return [replace(s, confirmation=said) if s.edit in denied else s for s in suggestions]

    suite = TestSuite.load([TOY / "accept.txt"], lines=True)
    best = gramspect.suggest(TOY / "toy-faulty.y", suite, most=1, budget=600).suggestions[0]
    monkeypatch.setattr("gramspect.repairs.suggest.all_confirmed", deny_two)
    found = gramspect.suggest(TOY / "toy-faulty.y", suite, most=1, confirm=2, budget=600)
    assert len(denied) == 2
    assert best.edit == denied[0]
    assert found.suggestions[0].status is Status.VALIDATED
    assert not {one.edit for one in (*found.suggestions, *found.others)}.intersection(denied)


class TestDebug:
    def test_rounds(self) -> None:
        suite = TestSuite.load([TOY / "accept.txt"], lines=True)
        seen = []
        result = gramspect.debug(TOY / "toy-faulty.y", suite, budget=600, watch=seen.append)
        assert result.left == 0
        assert [(one.number, one.failing, one.left) for one in result.rounds] == [
            (1, 2, 1),
            (2, 1, 0),
        ]
        assert tuple(seen) == result.rounds
        assert all(one.rank is not None and one.rank < 3 for one in result.rounds)

    def test_the_best_so_far(self) -> None:
        suite = TestSuite.load([TOY / "accept.txt"], lines=True)

        def interrupt(_: object) -> None:
            raise KeyboardInterrupt

        result = gramspect.debug(TOY / "toy-faulty.y", suite, budget=600, watch=interrupt)
        assert result.interrupted
        assert result.left == 1
        (change,) = result.changes
        assert len(change.new_lines()) == 1

    def test_a_change_of_ones_own(self) -> None:
        suite = TestSuite.load([TOY / "accept.txt"], lines=True)
        debugger = gramspect.Debugger(TOY / "toy-faulty.y", suite, budget=600)
        assert debugger.left == 2
        file = debugger.draft.read(debugger.path)
        with pytest.raises(GramspectError):
            debugger.take(SourceFile(file.path, "%%"))
        assert debugger.left == 2
        debugger.take(SourceFile(file.path, (TOY / "toy.y").read_text()))
        assert debugger.left == 0
        (one,) = debugger.result().rounds
        assert (one.chosen, one.rank, one.failing, one.left) == (None, None, 2, 0)

    def test_what_does_not_help_is_taken_back(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An edit that the LR parser reads in its own way, and nobody has asked it before."""
        monkeypatch.setattr("gramspect.repairs.debug.CONFIRMED", 0)
        path = tmp_path / "palindromes.y"
        path.write_text("%token A B\n%%\ns : A s A | B ;\n")
        suite = TestSuite.from_texts(["B", "A B A", "A A A A"], ["A", "A A A", "A B", "B B"])
        debugger = gramspect.Debugger(path, suite, budget=600)
        assert debugger.look().validated
        result = gramspect.debug(path, suite, budget=600)
        assert (result.left, result.rounds, result.changes) == (1, (), ())

    def test_back(self) -> None:
        suite = TestSuite.load([TOY / "accept.txt"], lines=True)
        debugger = gramspect.Debugger(TOY / "toy-faulty.y", suite, budget=600)
        debugger.make(debugger.look().suggestions[0])
        assert debugger.left == 1
        debugger.back()
        assert (debugger.left, debugger.rounds) == (2, [])
        debugger.make(debugger.look().suggestions[0])
        assert debugger.left == 1

    @pytest.mark.slow
    def test_a_module_by_its_name(self) -> None:
        """Its package is copied, the PLY inside of it as well."""
        suite = TestSuite.from_texts(["int x;"], ["int x"])
        debugger = gramspect.Debugger("pycparser.c_parser:CParser", suite)
        assert Path(debugger.path).parent.name == "pycparser"
        assert debugger.left == 0


NONTERMINALS = ["block", "decls", "type", "stmts"]


@pytest.mark.parametrize("name", sampled(map(pytest.param, NONTERMINALS), 4))
def test_debug_undoes_seeded_faults(name: str, tmp_path: Path) -> None:
    """Any symbol deleted from a rule: the suite passes in the end.

    Left out is the case where the parser has conflicts that no single edit resolves.
    """
    text = (TOY / "toy.y").read_text()
    grammar = read_yacc(TOY / "toy.y")
    path = tmp_path / "toy.y"
    suite = TestSuite.load([TOY / "accept.txt"], lines=True)
    places = [
        span
        for rule in grammar.rules
        for dot, span in enumerate(rule.rhs_spans)
        if grammar.symbols[rule.lhs].name == name and (rule.label, dot) != ("block:3", 0)
    ]
    for span in places:
        assert span is not None
        lines = text.split("\n")
        line = lines[span.line - 1]
        lines[span.line - 1] = line[: span.column - 1] + line[span.end_column - 1 :]
        path.write_text("\n".join(lines))
        assert gramspect.localize(path, suite).failing
        assert gramspect.debug(path, suite, budget=600).left == 0, lines[span.line - 1]
