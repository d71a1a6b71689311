"""More general calls in the place of those that the error is in."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

import strategies
from cfg import Cfg
from gramspect.builtin.chart import ChartRecognizer
from gramspect.edits import search
from gramspect.edits.candidates import item_table
from gramspect.edits.model import applied, generality
from gramspect.edits.widening import COST, FURTHEST, widenings
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.units import deriving_alone
from gramspect.localization.localize import localize
from gramspect.recognition.chart import parse_chart
from gramspect.suites.suite import TestSuite
from toy import grammar

STATEMENTS = grammar(
    "s -> statement s\ns -> statement\n"
    "statement -> return expr ;\nstatement -> wide ;\n"
    "wide -> expr\nwide -> expr = wide\n"
    "expr -> expr + id\nexpr -> id"
)


def tokens_of(g: Grammar, text: str) -> list[int]:
    return [g.symbol(word) for word in text.split()]


def found_in(g: Grammar, tokens: list[int]) -> dict[tuple[int, int, int], float]:
    """The widenings by item, new symbol and column, with their cost."""
    found = {}
    for candidates in widenings(parse_chart(g, tokens), item_table(g)):
        for place in range(len(candidates)):
            edit = item_table(g).edit(candidates, place)
            found[edit.item, edit.symbols[0], edit.column] = edit.cost
    return found


def expected_in(g: Grammar, tokens: list[int]) -> set[tuple[int, int, int]]:
    """The same from the definition: the call begins a phrase that goes on right up to the error."""
    chart = parse_chart(g, tokens)
    found = set()
    for column in range(max(0, chart.end - FURTHEST), chart.end):
        entries = {item for item, _ in chart.column(column)}
        for symbol in chart.predicted(column):
            entries |= {g.item_start[rule] for rule in g.rules_of[symbol]}
        for item in entries:
            index, dot = g.split_item(item)
            rule = g.rules[index]
            if dot == len(rule.rhs) or g.is_terminal(called := rule.rhs[dot]):
                continue
            phrase = tokens[column : chart.end]
            if parse_chart(replace(g, start=called), phrase).end == len(phrase):
                wider = deriving_alone(g, called) - {rule.lhs}
                found |= {(item, symbol, column) for symbol in wider}
    return found


@given(rules=strategies.grammars(), data=st.data())
def test_they_are_the_calls_of_what_begins_the_tokens_up_to_the_error(
    rules: Cfg, data: st.DataObject
) -> None:
    g = Grammar.from_rules(rules.rules, start=rules.start)
    first = sorted(g.analysis.first(g.start))
    assume(first)
    token = st.integers(1, g.n_terminals - 1)
    tokens = [data.draw(st.sampled_from(first)), *data.draw(st.lists(token, max_size=6))]
    assume(0 < parse_chart(g, tokens).end < len(tokens))
    found = found_in(g, tokens)
    assert set(found) == expected_in(g, tokens)
    for (item, wider, _), cost in found.items():
        rule, dot = g.split_item(item)
        more = generality(g)[wider] - generality(g)[g.rules[rule].rhs[dot]]
        assert cost == COST + max(0.0, more)


def test_a_call_that_began_long_before_the_error_is_found() -> None:
    long = "return " + "id + " * 20 + "id = id ;"
    tokens = tokens_of(STATEMENTS, long)
    found = [
        (STATEMENTS.item_text(item), STATEMENTS.symbols[wider].name, column)
        for item, wider, column in found_in(STATEMENTS, tokens)
    ]
    assert found == [
        ("statement -> return • expr ;", "wide", 1),
        ("expr -> • expr + id", "wide", 1),
    ]
    best = search(parse_chart(STATEMENTS, tokens), tokens)[0]
    assert best.accepted
    assert best.edit.describe(STATEMENTS) == "allow any wide instead of expr"
    assert parse_chart(applied(STATEMENTS, best.edit), tokens).accepted


def test_the_rule_with_the_narrow_call_is_first() -> None:
    suite = TestSuite.from_texts(accept=["return id + id = id ;", "id = id ;", "return id ;"])
    found = localize(ChartRecognizer(STATEMENTS), suite)
    assert found.ranking[0].label == "statement:1:1"
