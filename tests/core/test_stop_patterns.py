"""Many failing tests, few patterns at which they stop."""

from gramspect import Expectation, Grammar, TestCase, TestSuite, adapter, localize
from gramspect.report.json import json_value
from gramspect.report.text import text_report

RULES = [
    ("prog", ["prog", "stmt"]),
    ("prog", []),
    ("stmt", ["id", "=", "expr", ";"]),
    ("stmt", ["print", "(", "expr", ")", ";"]),
    ("expr", ["expr", "+", "factor"]),
    ("expr", ["factor"]),
    ("factor", ["id"]),
    ("factor", ["num"]),
]
CALLS = [f"{'id = num ; ' * n} id = id ( num ) ;" for n in range(6)]
MINUS = [f"{'print ( id ) ; ' * n} print ( id - num ) ;" for n in range(4)]
ENDS = ["id = num ; id = num"]


def test_each_is_shown_with_its_number_of_tests() -> None:
    parser = adapter("chart").build(Grammar.from_rules(RULES, start="prog"))
    texts = [*MINUS, "id = num ;", *CALLS, *ENDS]
    suite = TestSuite(
        tuple(TestCase(str(n), Expectation.ACCEPT, text) for n, text in enumerate(texts))
    )
    found = localize(parser, suite, evidence="spectrum")
    by_text = {one.text + " | " + one.found: one.tests for one in found.patterns}
    # `-` is no token of the grammar, so nothing is known of what came there.
    assert by_text == {
        "id = <expr> | (": tuple(range(5, 11)),
        "print ( <expr> | ": (0, 1, 2, 3),
        "id = <expr> | the end": (11,),
    }
    report = text_report(found)
    assert "The parser stops at 3 patterns:\n  6 tests: id = <expr>, then (\n  4 tests" in report
    (first, *_) = json_value(found)["patterns"]  # type: ignore[misc]
    assert first == {"read": "id = <expr>", "found": "(", "tests": [str(n) for n in range(5, 11)]}


def test_few_failing_tests_are_shown_as_they_are() -> None:
    parser = adapter("chart").build(Grammar.from_rules(RULES, start="prog"))
    suite = TestSuite(tuple(TestCase(text, Expectation.ACCEPT, text) for text in CALLS[:5]))
    assert "pattern" not in text_report(localize(parser, suite, evidence="spectrum"))
