"""`localize` as a function: its arguments, and its two ways to run a suite."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import gramspect
from command import ACCEPT, CORRECT, FAULTY
from gramspect import (
    GramspectError,
    LoadOptions,
    LoadSpec,
    RunOptions,
    TestSuite,
    Verdict,
    adapter,
    json_report,
    localize,
    read_yacc,
)
from gramspect.running import recording
from ranks import Replayed


def toy_suite() -> TestSuite:
    return TestSuite.load(accept=[ACCEPT], lines=True)


def large_suite() -> TestSuite:
    """Programs of up to three statements; half of them use one of the faulty ones."""
    statements = [
        "sleep",
        "id = ( num )",
        "id = id + id",
        "while id do sleep",
        "while id do { sleep ; }",
        "if id then sleep else { }",
        "if id then sleep",
        "{ var id : int ; }",
    ]
    lists = (choice for n in (1, 2, 3) for choice in itertools.product(statements, repeat=n))
    programs = [f"program id = {{ {' ; '.join(choice)} ; }} ." for choice in lists]
    broken = [program.replace(";", "", 1) for program in programs[:100]]
    return TestSuite.from_texts(accept=programs, reject=[*broken, "?", "program"])


@pytest.mark.parametrize("spectrum", ["rule", "item", "shift"])
@pytest.mark.parametrize("extraction", ["exact", "all", "stack"])
def test_the_batch_gives_what_single_tests_give(
    monkeypatch: pytest.MonkeyPatch, spectrum: str, extraction: str
) -> None:
    suite = large_suite()
    how: dict[str, Any] = {"spectrum": spectrum, "extraction": extraction, "evidence": "both"}
    calls: list[int] = []

    def progress(done: int, total: int) -> None:
        calls.append(total - done)

    batch = json_report(localize(FAULTY, suite, run=RunOptions(progress=progress), **how))
    assert len(calls) == json.loads(batch)["tests"]["failed"]
    calls.clear()
    monkeypatch.setattr(recording, "_BATCH", len(suite) + 1)
    single = json_report(localize(FAULTY, suite, run=RunOptions(progress=progress), **how))
    assert calls == list(range(len(suite) - 1, -1, -1))
    assert batch == single


def test_a_recognizer_instead_of_a_source() -> None:
    result = localize(adapter("native").build(read_yacc(FAULTY)), toy_suite(), evidence="both")
    assert result.adapter is None
    assert result.ranking[0].label == "stmt:3:3"


def test_edits_are_the_evidence_where_the_tokens_are_known() -> None:
    parser = adapter("native").build(read_yacc(FAULTY))
    traces = {test.name: parser.trace(test) for test in toy_suite()}
    known, unknown = localize(parser, toy_suite()), localize(Replayed(parser, traces), toy_suite())
    assert (known.method.evidence, unknown.method.evidence) == ("edits", "both")
    assert known.proposals
    assert {row.label for row in known.ranking[:2]} == {"stmt:2:4", "stmt:3:3"}


def test_a_recognizer_in_workers() -> None:
    loader = LoadSpec("native", FAULTY)
    parser = loader()
    result = localize(parser, toy_suite(), run=RunOptions(loader=loader, jobs=2), evidence="both")
    assert json_report(result) == json_report(localize(parser, toy_suite(), evidence="both"))
    with pytest.raises(ValueError, match="need a loader"):
        localize(parser, toy_suite(), run=RunOptions(jobs=2))


def test_the_result() -> None:
    result = localize(Path(FAULTY), toy_suite(), evidence="spectrum")
    assert (result.adapter, result.n_passing, result.n_failing) == ("native", 14, 2)
    assert [failing.verdict for failing in result.failing] == [Verdict.REJECTED] * 2
    assert [failing.place for failing in result.failing] == [f"{ACCEPT}:6:33", f"{ACCEPT}:14:28"]
    assert result.undecided == ()
    best = result.ranking[0]
    assert best.text() == "stmt -> while expr do • block"
    assert best.span is not None
    assert (best.span.line, best.span.column) == (34, 23)
    assert result.grammar.rules[best.rule].label == "stmt:3"


def test_no_failing_test_ranks_nothing() -> None:
    result = localize(CORRECT, toy_suite())
    assert result.ranking == ()
    assert result.failing == ()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"spectrum": "itme"}, "there is no spectrum 'itme'; there are: rule, item, shift"),
        ({"extraction": "x"}, "there is no extraction 'x'; there are: exact, all, stack"),
        ({"evidence": "x"}, "there is no kind of evidence 'x'; there are: spectrum, error, both"),
        ({"ties": "x"}, "there is no way to resolve ties 'x'; there are: mid, worst, kmax"),
        ({"metric": "x"}, "there is no ranking metric 'x'"),
        ({"load": LoadOptions(adapter="x")}, "there is no adapter 'x'"),
    ],
)
def test_unusable_arguments(how: dict[str, Any], message: str) -> None:
    with pytest.raises(GramspectError) as problem:
        localize(FAULTY, toy_suite(), **how)
    assert str(problem.value).startswith(message)


@pytest.mark.parametrize("how", [{"jobs": 0}, {"timeout": 0}, {"timeout": -1.0}])
def test_limits_are_positive(how: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be positive"):
        RunOptions(**how)


def test_everything_public_is_there() -> None:
    for name in gramspect.__all__:
        assert getattr(gramspect, name) is not None
    assert set(gramspect.__all__) <= set(dir(gramspect))
    with pytest.raises(AttributeError, match="has no attribute 'localise'"):
        gramspect.localise  # noqa: B018


def test_what_the_grammar_derives_and_the_parser_rejects(tmp_path: Path) -> None:
    grammar = tmp_path / "conflict.y"
    grammar.write_text("%token A B\n%%\ns: x A B | y A A ;\nx: A ;\ny: A ;\n")
    suite = TestSuite.from_texts(accept=["A A B", "A A A"])
    notes = {note.code: note for note in localize(grammar, suite).notes}
    assert "derives 1 of the rejected inputs" in notes["technique"].text
    (name,) = notes["technique"].details
    assert name == suite.tests[1].name
    other = {
        note.code for note in localize(grammar, suite, load=LoadOptions(adapter="chart")).notes
    }
    assert "technique" not in other


def test_edits_are_searched_and_weigh(tmp_path: Path) -> None:
    grammar = tmp_path / "list.y"
    grammar.write_text("s: 'a' list 'z' ;\nlist: 'x' | list ',' 'x' ;\n")
    suite = TestSuite.from_texts(accept=["a x z", "a x , x z", "a x x z", "a x ; x z"])
    found = localize(grammar, suite, evidence="edits")
    place = next(element for element in found.ranking if element.label == "list:2:1")
    assert place.rank <= 5
    (edit, *_) = found.proposals_for(place)
    assert edit.edit.describe(found.grammar) == "make ',' optional"
    assert edit.tests == (2,)
    assert not localize(grammar, suite, evidence="both").proposals
    none = localize(grammar, TestSuite.from_texts(accept=["a x z", "? # %"]), evidence="edits")
    assert "no-edit" in {note.code for note in none.notes}
