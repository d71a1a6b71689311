"""The first line of a report: what it says of real failures, and how sure it is."""

import json
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from command import ACCEPT, CORRECT, FAULTY
from gramspect import Localization, TestSuite, json_report, localize
from gramspect.edits.confirmation import Agreement, Runs
from gramspect.edits.model import EditKind
from gramspect.localization.conclusion import Confidence, best_first, conclusion, other_of_pair
from gramspect.localization.selection import ELEMENTS, advise, bench_of
from gramspect.recognition.recognizer import LoadOptions
from gramspect.report.conclusion import sentence
from gramspect.report.edits import worth_showing
from gramspect.report.text import text_report
from gramspect.running.loading import load_parser
from gramspect.running.recording import UndecidedTest

FIELDS = """start: "class" NAME "{" field* "}"
field: NAME ":" NAME "=" value ";"
value: NAME | NUMBER | "[" value* "]"
NAME: /[a-z]+/
NUMBER: /[0-9]+/
%ignore " "
"""


@pytest.fixture
def fields(tmp_path: Path) -> str:
    path = tmp_path / "fields.lark"
    path.write_text(FIELDS)
    return str(path)


def first_line(result: Localization) -> str:
    found = conclusion(result)
    assert found is not None
    said = sentence(result, found)
    lines = text_report(result).split("\n\n")[0]
    assert " ".join(lines.split()).startswith(said)  # what may follow is how to ask
    return said


def test_one_repair_of_all_failing_tests_and_most_of_the_suspicion(fields: str) -> None:
    suite = TestSuite.from_texts(
        [
            "class a { }",
            "class a { b: c = 1; d: e = f; }",
            "class a { b: c; }",
            "class k { l: m; n: o; }",
        ]
    )
    result = localize(fields, suite)
    found = conclusion(result)
    assert found is not None
    assert found.element.nonterminal == "field"
    assert found.explains_all
    assert found.confirmed
    said = first_line(result)
    assert "`field`, line 2: it should " in said
    assert "confirmed with Lark" in said
    assert "explains" not in said


def test_a_repair_of_some_failing_tests_is_probable_at_most() -> None:
    result = localize(FAULTY, TestSuite.load(accept=[ACCEPT], lines=True))
    found = conclusion(result)
    assert found is not None
    assert found.confidence is Confidence.PROBABLE
    said = first_line(result)
    assert said.startswith("Perhaps `stmt`, line 33: it should also allow the rule to end here (")
    assert "explains 1 of 2 failing tests" in said


def test_grammar_or_lexer(fields: str) -> None:
    suite = TestSuite.from_texts(
        ["class a { b: c = 1; }", "class a { b: c = [1 2 d]; }", "class a { b: c = 1.5; }"]
    )
    result = localize(fields, suite)
    assert result.first_is_token
    assert "the lexer's `NUMBER`, line 5" in first_line(result)


def test_several_definitions_with_the_same_score(tmp_path: Path) -> None:
    path = tmp_path / "ways.y"
    path.write_text("s: a A | b B | c C | d D | e E;\na: X; b: X; c: X; d: X; e: X;\n")
    result = localize(str(path), TestSuite.from_texts(["X", "X Y"]), evidence="spectrum")
    found = conclusion(result)
    assert found is not None
    assert found.confidence is Confidence.UNCLEAR
    said = first_line(result)
    assert said.startswith("Not clear: ")
    assert "`s` (line 1)" in said
    assert said.endswith("they are about as suspicious.")


def test_questions_are_offered_where_they_could_tell(tmp_path: Path) -> None:
    path = tmp_path / "ways.y"
    path.write_text("s: a | b | c;\na: 'X' 'A'; b: 'X' 'B'; c: 'X' 'C';\n")
    suite = TestSuite.from_texts(["X A", "X B", "X C", "X"])
    assert "\ngramspect ask can tell which: " in text_report(localize(str(path), suite))
    assert "gramspect ask" not in text_report(localize(str(path), suite, evidence="spectrum"))
    clear = localize(FAULTY, TestSuite.load(accept=[ACCEPT], lines=True))
    assert "gramspect ask" not in text_report(clear)


def test_the_other_of_two_rules_that_could_be_changed(tmp_path: Path) -> None:
    path = tmp_path / "pairs.y"
    path.write_text(
        "list: item | list ',' item;\n"
        "item: pair | NAME;\n"
        "pair: key ':' value;\n"
        "key: NAME | TEXT;\n"
        "value: NUMBER | TEXT | '[' values ']';\n"
        "values: value | values ',' value;\n"
    )
    texts = ["NAME : NUMBER", "TEXT : TEXT", "NAME : [ NUMBER ]", "NAME : NAME"]
    result = localize(str(path), TestSuite.from_texts(texts))
    found = conclusion(result)
    assert found is not None
    assert found.element.nonterminal == "value"
    assert found.other is not None
    assert found.other.nonterminal == "pair"
    assert first_line(result).endswith(" Otherwise look at `pair` (line 3), which calls it.")
    assert "\ngramspect ask can tell which: " in text_report(result)
    assert json.loads(json_report(result))["conclusion"]["otherwise"] == "pair"
    # Another bracket, and the value is no longer one of two.
    more = localize(str(path), TestSuite.from_texts([*texts, "NAME : [ NAME ]"]))
    assert "Otherwise" not in first_line(more)


def test_a_pair_are_rules_of_which_one_calls_the_other(tmp_path: Path) -> None:
    path = tmp_path / "calls.lark"
    path.write_text('start: (a | "x" b)*\na: "a" c? a?\nb: "b"\nc: "c"\n')
    grammar = load_parser(str(path), LoadOptions()).recognizer.grammar
    numbers = {symbol.name: symbol.index for symbol in grammar.nonterminals}
    start, a, b, c = (numbers[name] for name in ("start", "a", "b", "c"))
    assert grammar.calls[start] == {a, b}
    assert grammar.calls[a] == {c}  # not itself, nor what stands for the option
    assert other_of_pair(grammar, [start, c, b], [1.0, 0.9, 0.5]) == 2
    assert other_of_pair(grammar, [c, -1, a], [1.0, 0.9, 0.8]) == 2
    assert other_of_pair(grammar, [-1, -2, a], [1.0, 0.9, 0.8]) == 2
    assert other_of_pair(grammar, [-1, a], [1.0, 0.4]) is None
    assert other_of_pair(grammar, [start, c, b], [1.0, 0.9, 0.4]) is None


def test_nothing_is_concluded_where_nothing_fails() -> None:
    result = localize(CORRECT, TestSuite.load(accept=[ACCEPT], lines=True))
    assert conclusion(result) is None
    assert text_report(result).startswith("No test fails")


def test_the_shares_of_all_definitions_make_one() -> None:
    result = localize(FAULTY, TestSuite.load(accept=[ACCEPT], lines=True), group=True)
    found = conclusion(result)
    assert found is not None
    assert found.share == pytest.approx(
        result.ranking[0].score / sum(element.score for element in result.ranking)
    )


def test_what_fixes_most_is_shown_whatever_it_costs(fields: str) -> None:
    suite = TestSuite.from_texts(
        ["class a { b: c = 1; d: e = f; }", "class a { b: c; }", "class k { l: m; n: o; }"]
    )
    result = localize(fields, suite)
    (first, *_) = best_first(result, result.ranking[0])
    dear = replace(first, edit=replace(first.edit, cost=9.0, symbols=()))
    cheap = replace(first, edit=replace(first.edit, kind=EditKind.INSERT, cost=1.0))
    cheap = replace(cheap, change=None, effect=replace(first.effect, fixed=first.effect.fixed[:1]))
    result = replace(result, suggestions=(cheap, dear))
    shown = list(worth_showing(result, result.ranking[0], set()))
    assert [one.cost for one in shown] == [9.0, 1.0]
    found = conclusion(result)
    assert found is not None
    assert found.repair is shown[0]


def test_rules_of_which_the_tool_denies_repairs_are_not_as_suspicious(fields: str) -> None:
    suite = TestSuite.from_texts(
        ["class a { b: c = 1; d: e = f; }", "class a { b: c; }", "class k { l: m; n: o; }"]
    )
    result = localize(fields, suite)
    first = result.ranking[0]
    second = next(one for one in result.ranking if one.definition != first.definition)
    ranking = (first, replace(second, score=0.95 * first.score))
    repair = best_first(result, first)[0]
    edit = replace(repair.edit, item=second.items[0])
    other = replace(repair, edit=edit, change=None)
    both = replace(result, ranking=ranking, suggestions=(repair, other))
    found = conclusion(both)
    assert found is not None
    assert len(found.near) == 2
    assert repair.confirmation is not None
    said = replace(repair.confirmation, agreement=Agreement.DIFFERS)
    denied = replace(both, suggestions=(repair, replace(other, confirmation=said)))
    found = conclusion(denied)
    assert found is not None
    assert found.near == (first,)


def test_the_repairs_of_a_definition_are_looked_at_however_many_elements_come_before(
    fields: str,
) -> None:
    suite = TestSuite.from_texts(["class a { b: c = 1; d: e = f; }", "class k { l: m; n: o; }"])
    result = localize(fields, suite)
    first = result.ranking[0]
    (without, *_) = (
        one
        for one in result.ranking
        if one.definition != first.definition and not result.proposals_for(one)
    )
    changed = replace(result, ranking=(*[without] * 2 * ELEMENTS, *result.ranking), suggestions=())
    bench = bench_of(load_parser(fields, LoadOptions()), changed, Runs())
    found = advise(bench, changed, inf, 1)
    assert first.definition in {one.definition for one in found}


def test_the_repair_may_be_at_another_element_of_the_definition(fields: str) -> None:
    suite = TestSuite.from_texts(["class a { b: c = 1; d: e = f; }", "class k { l: m; n: o; }"])
    result = localize(fields, suite)
    first = result.ranking[0]
    other = next(
        one
        for one in result.ranking
        if one.definition == first.definition and not result.suggestions_for(one)
    )
    found = conclusion(replace(result, ranking=(other, *result.ranking)))
    assert found is not None
    assert found.element is other
    assert found.repair is not None
    assert found.repair.definition == first.definition


def test_the_line_is_that_of_the_repair(tmp_path: Path) -> None:
    """The first element of a long rule may be lines away."""
    path = tmp_path / "fields.lark"
    path.write_text(FIELDS.replace("value: NAME | NUMBER | ", "value: NAME\n  | NUMBER\n  | "))
    texts = ["class a { b: c = 1; }", "class a { b: c = []; }", "class k { l: m = [1, 2]; }"]
    result = localize(str(path), TestSuite.from_texts(texts))
    of_value = [one for one in result.ranking if one.nonterminal == "value"]
    repair = next(one for one in result.suggestions if one.nonterminal == "value")
    assert repair.span is not None
    other = next(one for one in of_value if one.span and one.span.line != repair.span.line)
    found = conclusion(replace(result, ranking=(other,), suggestions=(repair,)))
    assert found is not None
    assert found.repair is repair
    assert f"`value`, line {repair.span.line}: it should" in sentence(result, found)


def test_what_repairs_mend_is_counted_among_failing_tests(fields: str) -> None:
    """Undecided tests count only if a repair mends one of them."""
    texts = ["class a { }", "class a { b: c; }", "class k { l: m; n: o; }", "class b { }"]
    result = localize(fields, TestSuite.from_texts(texts))
    assert (result.n_failing, result.n_to_mend) == (2, 2)
    undecided = (UndecidedTest(result.suite.tests[3], "no such scope"),)
    mixed = replace(result, undecided=undecided)
    assert mixed.n_to_mend == 3
    assert (mixed.among([1]), mixed.among([1, 2]), mixed.among([1, 3])) == (2, 2, 3)
    assert "fixes 2 of 2" in text_report(mixed)
