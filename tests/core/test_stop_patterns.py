"""Many failing tests, few patterns at which they stop."""

import json

from gramspect import (
    Expectation,
    Grammar,
    Plan,
    TestCase,
    TestSuite,
    adapter,
    blackbox,
    blackbox_json,
    blackbox_text,
    html_report,
    localize,
)
from gramspect.report.json import json_value
from gramspect.report.text import text_report
from gramspect.spectrum.extraction import observe

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
    assert (
        "The failing tests stop at 3 patterns:\n  6 tests: id = <expr>, then (\n  4 tests" in report
    )
    (first, *_) = json_value(found)["patterns"]  # type: ignore[misc]
    names = [str(n) for n in range(5, 11)]
    assert first == {"read": "id = <expr>", "found": "(", "accepted": False, "tests": names}


def test_a_black_box_that_takes_too_much_stops_where_the_grammar_does() -> None:
    """Its deviations are grouped: those that it rejects too, by the place that it tells."""

    def system(text: str) -> None:
        words = text.split()
        for place, word in enumerate(words):
            if word == "num" and words[place - 1 : place] == ["("]:
                raise SyntaxError("no number here", ("", 1, len(" ".join(words[:place])) + 2, ""))

    grammar = Grammar.from_rules(RULES, start="prog")
    plan = Plan(("cdrc", "deriv", "pairs"), negative=("tokens",), base=("rule",))
    found = blackbox(grammar, system, plan, rounds=2, all_spectra=True)
    patterns = found.localization.patterns
    assert sum(len(one.tests) for one in patterns) == found.localization.n_failing
    rejected = [one for one in patterns if not one.accepted]
    assert {(one.text, one.found) for one in rejected} == {("print (", "num")}
    chart = adapter("chart").build(grammar)
    for one in patterns:
        for number in one.tests:
            test = found.localization.suite.tests[number]
            assert (test.expectation is Expectation.REJECT) == one.accepted
            if one.accepted:
                trace = observe(chart.trace(test))
                assert trace.error is not None
                words = [*test.text.split(), "the end"]
                assert one.found == words[trace.error.token]
    report = blackbox_text(found)
    assert f"The failing tests stop at {len(patterns)} patterns:" in report
    assert ", which is accepted" in report
    page = html_report(found.localization)
    assert f'<h2 id="patterns-title">The failing tests stop at {len(patterns)} patterns' in page
    first = found.deviations[0]
    values = json.loads(blackbox_json(found))["deviations"][0]["patterns"]
    assert [len(one.tests) for one in first.patterns] == [len(each["tests"]) for each in values]


def test_few_failing_tests_are_shown_as_they_are() -> None:
    parser = adapter("chart").build(Grammar.from_rules(RULES, start="prog"))
    suite = TestSuite(tuple(TestCase(text, Expectation.ACCEPT, text) for text in CALLS[:5]))
    assert "pattern" not in text_report(localize(parser, suite, evidence="spectrum"))
