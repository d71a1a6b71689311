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
from gramspect.localization.settling import FIRST, first_definitions, rescored, settled
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
    ranking = rescored(
        result.ranking, settled(result.ranking, suggestions), Ties(result.method.ties)
    )
    assert [e.score for e in ranking] == sorted((e.score for e in ranking), reverse=True)
    return list(dict.fromkeys(element.nonterminal for element in ranking))


def names(result: Localization) -> list[str]:
    """The first definitions, of which the order is settled."""
    return [element.nonterminal for element in first_definitions(result.ranking)]


def test_a_definition_whose_repair_is_denied_falls_behind(result: Localization) -> None:
    before, among = order(result, []), len(names(result))
    rules = [name for name in before[:among] if name.islower()]
    said_no = [said(result, rules[0], Agreement.DIFFERS)]
    assert order(result, said_no) == before  # as long as no other is confirmed
    said_no.append(said(result, "EXPONENT", Agreement.CONFIRMED))
    assert order(result, said_no) == [
        *(name for name in before[:among] if name != rules[0]),
        rules[0],
        *before[among:],
    ]
    said_yes = [*said_no, said(result, rules[0], Agreement.CONFIRMED)]
    assert order(result, said_yes)[0] == "EXPONENT"
    assert [name for name in order(result, said_yes)[:among] if name.islower()] == rules


def test_an_undecided_test_denies_nothing(result: Localization) -> None:
    rules = [name for name in names(result) if name.islower()]
    found = [
        said(result, rules[0], Agreement.UNDECIDED),
        said(result, "EXPONENT", Agreement.CONFIRMED),
    ]
    assert order(result, found) == order(result, [])


def test_one_that_mends_less_does_not_count(result: Localization) -> None:
    first, second, *_ = [name for name in order(result, []) if name.islower()]
    found = order(
        result,
        [
            said(result, first, Agreement.REFUSED),
            said(result, first, Agreement.CONFIRMED, 1),
            said(result, second, Agreement.CONFIRMED),
        ],
    )
    assert found.index(second) < found.index(first)


def test_a_token_rule_without_a_repair_falls_behind_a_rule_with_one(result: Localization) -> None:
    before = order(result, [])
    assert before[0] == "EXPONENT"
    assert result.ranking[0].token is not None
    rule = next(name for name in before if name.islower())
    found = order(result, [said(result, rule, Agreement.CONFIRMED)])
    assert found[0] == rule
    among = len(names(result))
    assert set(found[:among]) == set(before[:among])
    assert order(result, [said(result, rule, Agreement.UNFINISHED)]) == before


def test_nothing_changes_where_all_are_denied(result: Localization) -> None:
    before = order(result, [])
    all_denied = [said(result, name, Agreement.DIFFERS) for name in names(result)]
    assert order(result, all_denied) == before


@pytest.mark.parametrize("ties", Ties)
def test_ranks_are_those_of_the_scores(ties: Ties, tmp_path: Path) -> None:
    found = unsettled(tmp_path / "calc.lark", ties)
    same = {element.definition: 1.0 for element in found.ranking}
    assert [(e.element, e.rank, e.ties) for e in rescored(found.ranking, same, ties)] == [
        (e.element, e.rank, e.ties) for e in found.ranking
    ]


def test_the_first_definitions_are_rules_with_the_token_rules_before_them(
    result: Localization,
) -> None:
    first = first_definitions(result.ranking)
    n_rules = len({one.definition for one in result.ranking if one.token is None})
    assert sum(one.token is None for one in first) == min(FIRST, n_rules)
    assert [one.token is not None for one in first[:2]] == [True, True]


def test_the_best_repair_of_each_of_the_first_definitions_is_tried(tmp_path: Path) -> None:
    """Here the tool denies all of rules, which are behind the token rule already."""
    path = tmp_path / "calc.lark"
    path.write_text(GRAMMAR)
    found = localize(path, TestSuite.from_texts(TESTS), load=LoadOptions(adapter="lark-lalr"))
    tried = {one.definition: one.confirmation for one in found.suggestions if one.confirmation}
    rules = [one for one in first_definitions(found.ranking) if one.token is None]
    assert rules
    assert all(tried[one.definition].agreement is Agreement.DIFFERS for one in rules)
    assert found.ranking[0].nonterminal == "EXPONENT"
    assert found.basis.settled == {}
