"""Groups of failing tests: several faults in one suite, each with tests of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import ROOT
from gramspect import Grammar, Localization, TestSuite, localize
from gramspect.edits.failing import MOST_TESTS
from gramspect.edits.groups import Group, rank_groups
from gramspect.localization.conclusion import Confidence, conclusion
from gramspect.report.conclusion import sentence
from gramspect.report.json import json_value
from gramspect.report.text import text_report
from gramspect.scoring.ranking import Ranking, Ties, rank
from gramspect.spectrum.matrix import SpectrumKind

GRAMMAR = """start: item*
item: pair | call | lock
pair: NAME "=" value ";"
call: NAME "(" value ")" ";"
lock: "lock" NAME "{" item "}"
value: NAME | NUMBER
NAME: /[a-z]+/
NUMBER: /[0-9]+/
%ignore " "
"""

PASSING = ["a = 1;", "f(x);", "lock a { b = c; }", "", "a = b; f(1);", "lock x { f(y); }"]
CAUSES = {
    "call": ["f();", "a = 1; g();", "f(1); h(); a = 2;"],
    "lock": ["lock a { b = 1; c = 2; }", "lock a { f(x); f(y); }"],
    "pair": ["a;"],
}
"""Inputs that should be accepted, by the definition that has to be mended for them."""


@pytest.fixture(scope="module")
def grammar(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("groups") / "items.lark"
    path.write_text(GRAMMAR)
    return str(path)


def firsts(result: Localization) -> dict[tuple[str, ...], str]:
    """The first definition of each group, by the texts of its tests."""
    return {
        tuple(result.suite.tests[n].text for n in g.tests): g.definitions[0].nonterminal
        for g in result.groups
    }


@pytest.fixture(scope="module")
def several(grammar: str) -> Localization:
    failing = [text for texts in CAUSES.values() for text in texts]
    return localize(grammar, TestSuite.from_texts([*PASSING, *failing]))


def test_every_cause_has_its_group(several: Localization) -> None:
    assert firsts(several) == {tuple(texts): name for name, texts in CAUSES.items()}
    assert [len(group.tests) for group in several.groups] == [3, 2, 1]  # the largest first


def test_a_group_has_an_edit_for_all_its_tests(several: Localization) -> None:
    edits = []
    for group in several.groups:
        assert group.proposal is not None
        assert group.proposal.tests == group.tests
        edits.append(group.proposal.edit.describe(several.grammar))
    assert edits[0] == "make value optional"


def test_reports_show_the_groups(several: Localization) -> None:
    text = text_report(several)
    assert "These seem to have 3 causes:" in text
    assert "and 2 more: `call` (" in text
    values = json_value(several)["groups"]
    assert isinstance(values, list)
    assert [len(value["tests"]) for value in values] == [3, 2, 1]  # type: ignore[call-overload]


@pytest.mark.parametrize("cause", CAUSES)
def test_one_cause_is_no_group(grammar: str, cause: str) -> None:
    result = localize(grammar, TestSuite.from_texts([*PASSING, *CAUSES[cause]]))
    assert result.ranking[0].nonterminal == cause
    assert result.groups == ()
    assert "causes" not in text_report(result)


def test_no_groups_without_edits(grammar: str) -> None:
    failing = [text for texts in CAUSES.values() for text in texts]
    suite = TestSuite.from_texts([*PASSING, *failing])
    assert localize(grammar, suite, evidence="spectrum").groups == ()


@given(chosen=st.data())
def test_groups_are_a_partition(grammar: str, chosen: st.DataObject) -> None:
    """Of whatever fails: inputs at random, of which some should be rejected."""
    words = st.lists(
        st.sampled_from(["a", "1", "=", ";", "(", ")", "lock", "{", "}"]), max_size=8
    ).map(" ".join)
    accept = chosen.draw(st.lists(words, min_size=2, max_size=5, unique=True))
    reject = chosen.draw(st.lists(st.sampled_from(PASSING), max_size=2, unique=True))
    suite = TestSuite.from_texts([w for w in accept if w not in reject], reject)
    result = localize(grammar, suite, confirm=None)
    grouped = [number for group in result.groups for number in group.tests]
    failing = [n for n, test in enumerate(suite) if test in [one.test for one in result.failing]]
    if result.groups:
        assert sorted(grouped) == failing
        assert len(result.groups) > 1
        if result.basis.by_groups is not None:
            assert result.ranking[0].label == result.groups[0].definitions[0].label
    else:
        assert result.basis.by_groups is None


SMALL = ROOT / "fixtures" / "student"


@pytest.fixture(scope="module")
def student() -> Localization:
    """A grammar with many faults, and more failing tests than are searched."""
    suite = TestSuite.load([SMALL / "accept.txt"], [SMALL / "reject.txt"], lines=True)
    return localize(SMALL / "Small.g4", suite)


@pytest.mark.slow
def test_faults_of_a_student(student: Localization) -> None:
    """The first definitions of the groups are those with the faults that the grammar lists."""
    groups, first = student.groups, student.ranking[0]
    found = conclusion(student)
    assert found is not None
    assert found.confidence is Confidence.SEVERAL
    said = f"Not clear, perhaps {len(groups)} faults: `{first.nonterminal}` ("
    assert sentence(student, found).startswith(said)
    assert len(groups) >= 5
    names = {group.definitions[0].nonterminal for group in groups}
    assert {"arguments", "parameter", "parameters", "factor", "statement"} <= names


def test_the_first_of_all_may_stay_first() -> None:
    known = Grammar.from_rules([("s", ["a", "t"]), ("t", ["b", "c"])])
    kind, n_items = SpectrumKind.ITEM, 6

    def ranking(*scores: float) -> Ranking:
        return rank(np.array(scores), known, kind, Ties.MID)

    assert known.n_items == n_items
    of_all = ranking(0.1, 0.2, 0.3, 0.9, 0.0, 0.4)
    found = [
        Group((0, 1), ranking(0, 5, 0, 0, 1, 0), repaired=True, size=3),
        Group((2,), ranking(0, 0, 2, 1, 0, 0), repaired=True, size=1),
    ]
    by_groups = rank_groups(known, found, of_all)
    assert by_groups.scores_of_elements == pytest.approx([0, 0.75, 0.25, 0.125, 0.15, 0])
    kept = rank_groups(known, found, of_all, first_stays=True)
    assert kept.scores_of_elements == pytest.approx([0, 0.75, 0.25, 1, 0.15, 0])


def test_the_first_of_many_tests_stays_first(student: Localization) -> None:
    """Many tests agree better on one definition than their groups do, which decide the others."""
    assert student.n_failing > MOST_TESTS
    assert student.ranking[0].score == 1.0


def test_a_token_rule_may_be_at_fault_in_one_group(tmp_path: Path) -> None:
    """Each group says what explains its tests for less: a rule of the parser, or of the lexer."""
    file = tmp_path / "q.lark"
    file.write_text(
        'start: (query ";")*\nquery: SELECT column ("," column)* limit?\n'
        "limit: LIMIT NUMBER\ncolumn: NAME | NUMBER | call\n"
        'call: NAME "(" column ")"\n'
        'SELECT: "select"\nLIMIT: "limit"\nNAME: /[a-z]+/\nNUMBER: INT EXPONENT?\n'
        'EXPONENT: "e" INT\nINT: /[0-9]+/\n%ignore " "\n'
    )
    good = ("select a, b;", "select f(a), 2e5 limit 3;", "select 1;")
    failing = ("select 1e-5;", "select a, 2e-7 limit 1;", "select f(a, b);", "select f(a, 1, c);")
    result = localize(str(file), TestSuite.from_texts([*good, *failing]))
    named = {group.tests: group.definitions[0].nonterminal for group in result.groups}
    assert named == {(3, 4): "EXPONENT", (5, 6): "call"}
    shown = text_report(result)
    assert "the lexer's `EXPONENT`" in shown.partition("These seem to have 2 causes:")[2]
    assert 'try: also allow "-" after' in shown.partition("These seem")[2].partition("rank")[0]
