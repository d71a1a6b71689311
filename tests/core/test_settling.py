"""What the tool says of repairs settles the order of the first definitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from gramspect import LoadOptions, Localization, TestSuite, localize
from gramspect.edits.confirmation import Agreement, Confirmation
from gramspect.edits.suggestion import Suggestion
from gramspect.localization.conclusion import conclusion
from gramspect.localization.settling import first_definitions, rescored, settled
from gramspect.repairs.debug import Debugger
from gramspect.report.conclusion import sentence
from gramspect.scoring.ranking import Ties

GRAMMAR = """start: (assign ";")*
assign: NAME "=" sum
sum: sum "+" term | term
term: NUMBER | FUNCTION "(" sum ")" | NAME

FUNCTION.2: "sin" | "cos"
NAME: /[a-z]+/
NUMBER: INT ("." INT)? EXPONENT?
EXPONENT: "e" INT
INT: "0".."9"+
%ignore " "
"""
TESTS = [
    "x = 1;", "x = 1.5 + y;", "x = sin(1) + cos(y);", "x = 2e5;", "x = 2e-5;", "y = 1 + 1e-7;",
]  # fmt: skip


@cache
def unsettled(path: Path, ties: str = "kmax") -> Localization:
    """A result with suggestions on which the tool has not been asked."""
    path.write_text(GRAMMAR)
    load = LoadOptions(adapter="lark-lalr")
    return localize(path, TestSuite.from_texts(TESTS), load=load, confirm=0, ties=ties)


@pytest.fixture
def result(tmp_path_factory: pytest.TempPathFactory) -> Localization:
    return unsettled(tmp_path_factory.getbasetemp() / "calc.lark")


def said(result: Localization, name: str, agreement: Agreement, fixed: int = 2) -> Suggestion:
    """A suggestion for a definition of the ranking, with what the tool says of it."""
    element = next(e for e in result.ranking if e.nonterminal == name)
    one = replace(result.suggestions[0], confirmation=Confirmation("the tool", agreement))
    edit = replace(one.edit, item=element.items[0])
    return replace(one, edit=edit, effect=replace(one.effect, fixed=tuple(range(fixed))))


def order(result: Localization, suggestions: Sequence[Suggestion]) -> list[str]:
    factors = settled(result.ranking, suggestions, result.n_failing)
    ranking = rescored(result.ranking, factors, Ties(result.method.ties))
    assert [e.score for e in ranking] == sorted((e.score for e in ranking), reverse=True)
    return list(dict.fromkeys(element.nonterminal for element in ranking))


def names(result: Localization) -> tuple[list[str], list[str]]:
    """The first definitions, of which the order is settled: token rules, and other rules."""
    first = first_definitions(result.ranking)
    assert [one.token is not None for one in first[:2]] == [True, True]
    return (
        [one.nonterminal for one in first if one.token is not None],
        [one.nonterminal for one in first if one.token is None],
    )


def test_the_example(result: Localization) -> None:
    """Two token rules are before four rules: that is the order without the tool."""
    assert names(result) == (["EXPONENT", "NUMBER"], ["start", "assign", "sum", "term"])
    assert order(result, [])[:6] == ["EXPONENT", "NUMBER", "start", "assign", "sum", "term"]


def test_a_confirmed_repair_comes_before_those_that_are_denied(result: Localization) -> None:
    found = [
        said(result, "start", Agreement.DIFFERS),
        said(result, "assign", Agreement.REFUSED),
        said(result, "sum", Agreement.CONFIRMED),
    ]
    wanted = ["sum", "start", "assign", "term", "EXPONENT", "NUMBER"]
    assert order(result, found)[:6] == wanted
    found.append(said(result, "start", Agreement.CONFIRMED))  # another repair of that rule
    assert order(result, found)[:6] == ["start", "assign", "sum", "term", "EXPONENT", "NUMBER"]


def test_denials_alone_change_nothing(result: Localization) -> None:
    denied = [said(result, name, Agreement.DIFFERS) for name in names(result)[1]]
    assert order(result, denied) == order(result, [])


def test_a_repair_of_some_tests_moves_no_rule(result: Localization) -> None:
    """The denied one may be the right place of the others; but token rules fall behind."""
    found = [
        said(result, "start", Agreement.DIFFERS),
        said(result, "assign", Agreement.CONFIRMED, 1),
    ]
    assert order(result, found)[:6] == ["start", "assign", "sum", "term", "EXPONENT", "NUMBER"]


def test_a_token_rule_with_a_repair_stays(result: Localization) -> None:
    found = [said(result, "EXPONENT", Agreement.CONFIRMED)]
    assert order(result, found) == order(result, [])
    found.append(said(result, "sum", Agreement.CONFIRMED))
    assert order(result, found)[:6] == ["EXPONENT", "start", "assign", "sum", "term", "NUMBER"]
    found.append(said(result, "start", Agreement.UNDECIDED))  # that denies nothing
    assert order(result, found)[:6] == ["EXPONENT", "start", "assign", "sum", "term", "NUMBER"]


@pytest.mark.parametrize("ties", Ties)
def test_ranks_are_those_of_the_scores(ties: Ties, tmp_path: Path) -> None:
    found = unsettled(tmp_path / "calc.lark", ties)
    same = {element.definition: 1.0 for element in found.ranking}
    assert [(e.element, e.rank, e.ties) for e in rescored(found.ranking, same, ties)] == [
        (e.element, e.rank, e.ties) for e in found.ranking
    ]


def test_the_best_repair_of_each_of_the_first_definitions_is_tried(tmp_path: Path) -> None:
    """The token rule that has a repair stays first, the one without falls behind the rules."""
    path = tmp_path / "calc.lark"
    path.write_text(GRAMMAR)
    found = localize(path, TestSuite.from_texts(TESTS), load=LoadOptions(adapter="lark-lalr"))
    tried = {one.definition: one.confirmation for one in found.suggestions if one.confirmation}
    first = [one for one in first_definitions(found.ranking) if one.nonterminal != "NUMBER"]
    assert [one.nonterminal for one in first] == ["EXPONENT", "start", "assign", "sum", "term"]
    assert all(tried[one.definition].agreement is Agreement.CONFIRMED for one in first)
    order = list(dict.fromkeys(one.nonterminal for one in found.ranking))
    assert order == ["EXPONENT", "start", "assign", "sum", "term", "NUMBER"]


def test_a_pattern_in_a_rule_stands_and_falls_with_the_rule(tmp_path: Path) -> None:
    """Its own repair is a repair of the rule, so it is no token rule that falls behind."""
    path = tmp_path / "dates.lark"
    path.write_text("start: year | long\nyear: /[0-9]{4}/\nlong: /Y[0-9]{5,}/\n")
    suite = TestSuite.from_texts(["2020", "Y17000", "Y-17000"])
    found = localize(path, suite, load=LoadOptions(adapter="lark-lalr"), confirm=0)
    first = found.ranking[0]
    assert (first.label, first.nonterminal) == ("token /Y[0-9]{5,}/", "long")
    edit = next(one for one in found.suggestions if one.definition == first.definition)
    confirmation = Confirmation("the tool", Agreement.CONFIRMED)
    assert order(found, [replace(edit, confirmation=confirmation)]) == ["long", "start", "year"]


CHAIN = """?start: expression
?expression: disjunction | disjunction "?" expression ":" expression
?disjunction: conjunction | conjunction "||" conjunction
?conjunction: comparison | conjunction "&&" comparison
?comparison: sum | sum COMPARE sum
?sum: term | sum ADD term
?term: factor | term MULTIPLY factor
?factor: "-" factor | "!" factor | "(" expression ")" | NUMBER | TEXT
COMPARE: "<" | ">" | "=="
ADD: "+" | "-"
MULTIPLY: "*" | "/"
NUMBER: /[0-9]+/
TEXT: /"[^"]*"/
%ignore " "
"""
CHAINS = ["1", "1 || 2", "1 && 2 && 3", "1 < 2", "1 + 2 * 3", '"a" == "b"', "!1 ? 2 : 3"]


def test_debugging_has_the_same_order(tmp_path: Path) -> None:
    """The tool refuses the best repair of `conjunction` and confirms one of `disjunction`."""
    path = tmp_path / "chain.lark"
    path.write_text(CHAIN)
    suite = TestSuite.from_texts([*CHAINS, "1 || 2 || 3"])
    load = LoadOptions(adapter="lark-lalr")
    found = localize(path, suite, load=load)
    seen = Debugger(path, suite, load=load).look().localization
    for result in (found, seen):
        names = list(dict.fromkeys(element.nonterminal for element in result.ranking))
        assert names[:2] == ["disjunction", "conjunction"]
        concluded = conclusion(result)
        assert concluded is not None
        assert concluded.confirmed
        assert "no small repair was found" not in sentence(result, concluded)


def test_the_repairs_of_a_group_are_those_of_its_definition(tmp_path: Path) -> None:
    """Ranked by definitions, one has the repairs of all its elements."""
    path = tmp_path / "calc.lark"
    path.write_text(GRAMMAR.replace('| FUNCTION "(" sum ")"', ""))
    suite = TestSuite.from_texts(["x = 1;", "x = 1 + y;", "x = 1 + y; y = (1);"])
    load = LoadOptions(adapter="lark-lalr")
    alone, grouped = (localize(path, suite, load=load, group=group) for group in (False, True))
    several = 0
    for one in (e for e in grouped.ranking if e.token is None):
        elements = (e for e in alone.ranking if e.definition == one.definition)
        of_all = {p.edit.key for e in elements for p in alone.proposals_for(e)}
        assert {p.edit.key for p in grouped.proposals_for(one)} == of_all
        several += len({item for item, _, _ in of_all}) > 1
    assert several
