"""What edits do to a suite, against parsing every test anew with the edited grammar."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from itertools import count
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gramspect
from edited import edits
from gramspect import Grammar, GramspectError, LoadOptions, TestSuite, adapter
from gramspect.edits import Edit, EditKind, applied, confirmation
from gramspect.edits import suggestion as advice
from gramspect.edits.confirmation import Agreement
from gramspect.edits.drafts import Draft, _moved
from gramspect.edits.generalizing import derives_alone
from gramspect.edits.suggestion import Bench, Suggestion, all_confirmed, confirmed, with_text
from gramspect.edits.validation import Case, Effect, Status, cases, effects
from gramspect.edits.writing import Change, SourceFile, Unwritable
from gramspect.edits.writing.files import Replacement
from gramspect.effort import counting
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.trace import Observation
from gramspect.repairs.suggest import merged
from gramspect.report.edits import summary
from gramspect.running.loading import LoadSpec
from gramspect.running.runner import run
from toy import toy

ROOT = Path(__file__).parents[2]
TOY = ROOT / "fixtures" / "toy"

SENTENCES = [
    "program id = { } .",
    "program id = { sleep ; } .",
    "program id = { if id then sleep else sleep ; } .",
    "program id = { if id then sleep ; } .",
    "program id = { while num do { } ; id = num ; } .",
    "program id = { while id do sleep ; } .",
    "program id = { var id : int ; sleep ; } .",
    "program id = { sleep } .",
    "program id = { var id ; } .",
    "program id = { id = ( id + num ) } .",
    "program id = .",
]


@cache
def toy_cases(wanted: int) -> tuple[Case, ...]:
    """The sentences, the bits of `wanted` saying which of them should be accepted."""
    grammar = toy()
    found = []
    for number, text in enumerate(SENTENCES):
        tokens = [grammar.token(word) or -1 for word in text.split()]
        accepted = parse_chart(grammar, tokens).accepted
        found.append(Case(number, tokens, bool(wanted >> number & 1), accepted))
    return tuple(found)


def slow(grammar: Grammar, edit: Edit, suite: tuple[Case, ...]) -> Effect:
    """By the definition: parse every test with the edited grammar."""
    edited = applied(grammar, edit)
    fixed, further, broken = [], [], []
    for case in suite:
        before, after = (parse_chart(g, case.tokens) for g in (grammar, edited))
        if after.accepted is not before.accepted:
            (broken if case.passes else fixed).append(case.test)
        elif case.wanted and not case.accepted and after.end > before.end:
            further.append(case.test)
    return Effect(tuple(fixed), tuple(further), tuple(broken))


@given(data=st.data(), wanted=st.integers(0, 2 ** len(SENTENCES) - 1))
def test_effects(data: st.DataObject, wanted: int) -> None:
    grammar = toy()
    edit = data.draw(edits(grammar))
    suite = toy_cases(wanted)
    (found,) = effects(grammar, [edit], suite)
    expected = slow(grammar, edit, suite)
    assert found.fixed == expected.fixed
    assert found.broken == expected.broken
    if not edit.kind.restrictive:
        assert found.further == expected.further


def test_status() -> None:
    assert Effect((1,)).status is Status.VALIDATED
    assert Effect((1,), broken=(2,)).status is Status.HARMFUL
    assert Effect((), (1,)).status is Status.PROGRESS
    assert Effect().status is Status.USELESS
    assert Effect((1,), complete=False).status is Status.UNCHECKED
    assert Effect((1,), broken=(2,), complete=False).status is Status.HARMFUL


def test_when_the_time_is_up() -> None:
    edit = Edit(1, EditKind.INSERT, (1,), 0, 1.0)
    (found,) = effects(toy(), [edit], toy_cases(2**11 - 1), deadline=0.0)
    assert not found.complete
    assert found.status is Status.UNCHECKED


def test_cases() -> None:
    recognizer = adapter("native").load(str(TOY / "toy-faulty.y"), LoadOptions())
    suite = TestSuite.load([TOY / "accept.txt"], lines=True)
    found = list(cases(recognizer, suite, [5, 13]))
    assert [case.test for case in found[:3]] == [5, 13, 0]
    assert [case.passes for case in found[:3]] == [False, False, True]
    assert not list(cases(object(), suite, []))  # type: ignore[arg-type]


def test_what_derives_one_token() -> None:
    grammar = toy()
    names = [grammar.symbols[s].name for s in derives_alone(grammar, grammar.symbol("id"))]
    assert names == ["expr"]
    names = [grammar.symbols[s].name for s in derives_alone(grammar, grammar.symbol("sleep"))]
    assert names == ["stmt"]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """An expression grammar that was loaded from a file."""
    path = tmp_path / "g.y"
    path.write_text("s: e ;\ne: e '+' t | t ;\nt: 'x' | '(' e ')' ;\n")
    suite = TestSuite.from_texts(["x", "x + x", "( x )", "( )", "x x"], ["+", "( x"])
    spec = LoadSpec("native", str(path))
    recognizer = spec()
    known = tuple(cases(recognizer, suite, [3, 4]))
    return Bench(recognizer, recognizer.grammar, suite, [3, 4], known, "native", spec)


def suggestion(bench: Bench, label: str, kind: EditKind, *symbols: str) -> Suggestion:
    items = {bench.grammar.item_label(i): i for i in range(bench.grammar.n_items)}
    edit = Edit(items[label], kind, tuple(map(bench.grammar.symbol, symbols)), 0, 1.0)
    (effect,) = effects(bench.grammar, [edit], bench.cases)
    return with_text(bench, Suggestion(bench.grammar, edit, effect))


class TestConfirmation:
    def test_it_agrees(self, bench: Bench) -> None:
        one = confirmed(bench, suggestion(bench, "t:2:1", EditKind.REPLACE), 1e9)
        assert one.confirmation is not None
        assert one.confirmation.agreement is Agreement.CONFIRMED
        assert one.confirmation.n_tests == 6
        assert one.status is Status.VALIDATED

    def test_a_parser_without_the_change(self, bench: Bench) -> None:
        """It has the rules that it had before, and says nothing of the change."""
        one = suggestion(bench, "t:2:1", EditKind.REPLACE)
        assert one.change is not None
        nothing = replace(one, change=Change.of(one.change.file, []))
        said = confirmed(bench, nothing, 1e9)
        assert said.confirmation is not None
        assert said.confirmation.agreement is Agreement.UNTRIED
        assert "does not have the change" in said.confirmation.message

    def test_it_differs(self, bench: Bench) -> None:
        """A promise that is not kept: the change is another one."""
        one = suggestion(bench, "t:2:1", EditKind.REPLACE)
        assert one.change is not None
        file = one.change.file
        end = file.text.index(" ;", file.text.index("t:"))
        other = Change.of(file, [Replacement(end, end, " | 'x' 'x'")])
        said = confirmed(bench, replace(one, change=other), 1e9)
        assert said.confirmation is not None
        # The text is tried as a new alternative then, which is what keeps the promise.
        assert said.confirmation.agreement is Agreement.CONFIRMED

    def test_without_a_file_the_tool_builds_a_parser(self, bench: Bench) -> None:
        grammar = bench.grammar
        built = adapter("native").build(grammar)
        known = tuple(cases(built, bench.suite, [3, 4]))
        other = Bench(built, grammar, bench.suite, [3, 4], known, "native", None)
        one = suggestion(other, "t:2:1", EditKind.REPLACE)
        assert one.change is None
        assert one.unwritable == "the parser was not loaded from a file"
        said = confirmed(other, one, 1e9).confirmation
        assert said is not None
        assert said.built
        assert said.agreement is Agreement.CONFIRMED

    def test_conflicts_count(self, tmp_path: Path) -> None:
        """What a grammar derives, a parser with resolved conflicts may not accept."""
        path = tmp_path / "g.y"
        path.write_text("%token A B C\n%%\ns: x A B | y A ;\nx: A ;\ny: B ;\n")
        suite = TestSuite.from_texts(["A A B", "B A", "A A C"])
        spec = LoadSpec("native", str(path))
        recognizer = spec()
        known = tuple(cases(recognizer, suite, [2]))
        bench = Bench(recognizer, recognizer.grammar, suite, [2], known, "native", spec)
        one = suggestion(bench, "s:1:2", EditKind.REPLACE, "C")
        assert confirmed(bench, one, 1e9).status is Status.VALIDATED
        assert one.effect.fixed == (2,)

    def test_the_tool_may_fix_more_than_was_promised(self, tmp_path: Path) -> None:
        """The fault brings a conflict, so the parser rejects what the faulty grammar derives."""
        path = tmp_path / "g.y"
        path.write_text("%token IF ELSE C B\n%%\np: s | p s ;\ns: B | IF C s | IF C s s ELSE ;\n")
        suite = TestSuite.from_texts(["B", "IF C B", "B B", "IF C B ELSE B", "IF C B B"])
        spec = LoadSpec("native", str(path))
        recognizer = spec()
        known = tuple(cases(recognizer, suite, [3, 4]))
        bench = Bench(recognizer, recognizer.grammar, suite, [3, 4], known, "native", spec)
        one = suggestion(bench, "s:3:3", EditKind.SWAP)
        assert one.effect.fixed == (3,)
        said = confirmed(bench, one, 1e9)
        assert said.confirmation is not None
        assert said.confirmation.also == (4,)
        assert said.effect.fixed == (3, 4)
        assert gramspect.suggest(path, suite, budget=600).suggestions[0].effect.fixed == (3, 4)

    def test_when_the_time_is_up(self, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
        """By a clock on which a look takes a second; what is fixed is run first."""
        one = suggestion(bench, "t:2:1", EditKind.REPLACE)
        monkeypatch.setattr(confirmation, "until", nullcontext)
        monkeypatch.setattr(confirmation, "monotonic", count(1.0).__next__)
        said = confirmed(bench, one, 0.0).confirmation
        assert said is not None
        assert (said.agreement, said.n_tests) == (Agreement.UNFINISHED, 0)
        tests = []
        for deadline in (1000.0, 1003.0, 1005.0):
            monkeypatch.setattr(confirmation, "monotonic", count(999.0).__next__)
            said = confirmed(bench, one, deadline).confirmation
            assert said is not None
            assert said.agreement is Agreement.UNFINISHED
            tests.append(said.n_tests)
        assert tests == [0, 2, 3]

    def test_a_parse_without_end(self, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of the second test: an edit may make a grammar very ambiguous."""

        def endless(*args: Any, **how: Any) -> Iterator[Observation]:
            yield next(run(*args, **how))
            while True:
                pass

        one = suggestion(bench, "t:2:1", EditKind.REPLACE)
        monkeypatch.setattr(confirmation, "run", endless)
        said = confirmed(bench, one, monotonic() + 0.5).confirmation
        assert said is not None
        assert (said.agreement, said.n_tests) == (Agreement.UNFINISHED, 1)

    def test_a_parser_that_takes_longer_to_make_is_not_made(self, bench: Bench) -> None:
        slow = replace(bench, runs=replace(bench.runs, load=60.0))
        one = suggestion(bench, "t:2:1", EditKind.REPLACE)
        with counting(monotonic() + 30):
            [said] = all_confirmed(slow, [one])
        assert said.confirmation is not None
        assert (said.confirmation.agreement, said.confirmation.n_tests) == (
            Agreement.UNFINISHED,
            0,
        )
        assert said.status is one.status
        assert "unfinished, the time was up" in summary(said, 1)

    def test_the_first_leave_time_for_the_later(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        given: list[float] = []

        def noted(_: Bench, one: Suggestion, deadline: float, *, in_forms: bool) -> Suggestion:
            assert in_forms
            given.append(deadline)
            return one

        monkeypatch.setattr(advice, "confirmed", noted)
        monkeypatch.setattr(advice, "monotonic", lambda: 0.0)
        slow = replace(bench, runs=replace(bench.runs, load=2.0))
        one = suggestion(bench, "t:2:1", EditKind.REPLACE)
        for deadline, expected in (
            (3.0, [3.0, 3.0, 3.0]),
            (9.0, [5.0, 5.0, 9.0]),
            (20.0, [12.0, 16.0, 20.0]),
            (inf, [slow.runs.patience] * 3),
        ):
            given.clear()
            with counting(deadline):
                assert all_confirmed(slow, [one] * 3) == [one] * 3
            assert given == expected


class TestDrafts:
    def test_paths_in_options_are_those_of_the_copies(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An option may hold no path at all: code, or an empty text between colons."""
        root, copy = tmp_path / "here", tmp_path / "there"
        for folder in (root, copy):
            (folder / "lib").mkdir(parents=True)
        (root / "other").mkdir()
        monkeypatch.chdir(root)
        copies = {root: copy}
        assert _moved("lib", copies) == str(copy / "lib")
        assert _moved(f"other:{root / 'lib'}", copies) == f"other:{copy / 'lib'}"
        for value in ("", ":", "upper", "Parser::parse(text)", "x" * 5000, "a ? b : c"):
            assert _moved(value, copies) == value

    def test_the_users_files_stay(self, bench: Bench) -> None:
        assert isinstance(bench.loader, LoadSpec)
        path = Path(bench.loader.source)
        before = {file: file.read_bytes() for file in path.parent.iterdir()}
        one = suggestion(bench, "t:2:1", EditKind.REPLACE)
        assert one.change is not None
        loaded = bench.own_draft().with_change(one.change).load()
        assert loaded.grammar.n_rules == bench.grammar.n_rules + 1
        assert {file: file.read_bytes() for file in path.parent.iterdir()} == before

    def test_places_are_the_users(self, bench: Bench) -> None:
        loaded = bench.own_draft().load()
        spans = [rule.span for rule in loaded.grammar.rules]
        assert spans == [rule.span for rule in bench.grammar.rules]
        assert loaded.grammar.files == bench.grammar.files

    def test_what_the_tool_refuses(self, bench: Bench) -> None:
        draft = bench.own_draft()
        (path,) = draft.known
        with pytest.raises(GramspectError) as error:
            draft.with_file(SourceFile(path, "s: 'x")).load()
        assert str(error.value).startswith(f"{path}:1:4: ")

    def test_names_are_no_files(self) -> None:
        with pytest.raises(Unwritable, match="no file"):
            Draft.of(LoadSpec("ply", "some.module"), toy())


class TestMerging:
    def test_edits_at_different_places(self, bench: Bench) -> None:
        one = suggestion(bench, "t:2:1", EditKind.REPLACE)
        other = suggestion(bench, "e:2:1", EditKind.INSERT, "t")
        (change,) = merged([one, other])
        assert change.changed.text == (
            "s: e ;\ne: e '+' t | t | t t ;\nt: 'x' | '(' e ')' | '(' ')' ;\n"
        )

    def test_edits_at_the_same_place(self, bench: Bench) -> None:
        one = suggestion(bench, "t:2:1", EditKind.REPLACE)
        with pytest.raises(GramspectError, match="same place"):
            merged([one, suggestion(bench, "t:2:2", EditKind.INSERT, "t")])
