"""Failing tests made smaller without anybody who knows the language."""

from __future__ import annotations

from hypothesis import given, reject
from hypothesis import strategies as st

from cfg import Cfg
from examples import fewer
from gramspect import Expectation, Grammar, TestCase, TestSuite, Verdict, adapter, localize
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.trace import Extraction
from gramspect.reduction.failing import smaller_test
from gramspect.running.observing import observe_test
from strategies import FOREIGN, grammars, sentences

PARENTHESES = ("factor", ["(", "expr", ")"])
LANGUAGE = [
    ("prog", ["stmts"]),
    ("stmts", ["stmt", "stmts"]),
    ("stmts", []),
    ("stmt", ["id", "=", "expr", ";"]),
    ("stmt", ["{", "stmts", "}"]),
    ("stmt", ["if", "expr", "stmt", "fi"]),
    ("stmt", ["call", "(", "id", ")", ";"]),
    ("expr", ["expr", "+", "factor"]),
    ("expr", ["factor"]),
    ("factor", ["id"]),
    ("factor", ["[", "args", "]"]),
    ("args", ["args", ",", "expr"]),
    ("args", ["expr"]),
    PARENTHESES,
]


def parser_of(rules: list[tuple[str, list[str]]], start: str = "prog") -> Recognizer:
    return adapter("chart").build(Grammar.from_rules(rules, start=start))


def case(text: str) -> TestCase:
    return TestCase("a test", Expectation.ACCEPT, text)


def accepts(parser: Recognizer, text: str) -> bool:
    return observe_test(parser, case(text), Extraction.EXACT).verdict is Verdict.ACCEPTED


class TestAForgottenAlternative:
    faulty = parser_of([rule for rule in LANGUAGE if rule != PARENTHESES])
    right = parser_of(LANGUAGE)
    before = "id = id + [ id , id , id ] ; " * 9 + "{ id = id ; } "
    inside = "{ id = id ; if id + id + id { id = id ; id = [ id + id , ( id ) , id ] ; } fi } "
    text = before + inside + "id = id + id ;"

    def test_what_is_left_should_be_accepted_and_is_rejected(self) -> None:
        small = smaller_test(self.faulty, case(self.text))
        assert small is not None
        assert not accepts(self.faulty, small.text)
        assert accepts(self.right, small.text)
        # All statements before it are gone; what is open where it stops is still closed.
        tail = "( id ) , id ] ; } fi } id = id + id ;"
        assert small.text.split() == [
            "{",
            "if",
            "id",
            "{",
            "id",
            "=",
            "[",
            "id",
            ",",
            *tail.split(),
        ]

    def test_the_tests_of_a_localization(self) -> None:
        suite = TestSuite((case(self.text), TestCase("fine", Expectation.ACCEPT, self.before)))
        whole, small = (localize(self.faulty, suite, reduce=it) for it in (False, True))
        assert small.failing == whole.failing
        assert small.suite is suite
        # Fewer elements are executed by the smaller test; edits still mend the whole one.
        assert small.suggestions[0].effect.fixed == (0,)
        executed = [sum(element.ef for element in found.ranking) for found in (whole, small)]
        assert executed[1] < executed[0]


@fewer(0.4)
@given(st.data())
def test_it_stops_at_the_same_place_before_the_same_words(data: st.DataObject) -> None:
    cfg: Cfg = data.draw(grammars())
    sentence = data.draw(sentences(cfg, 20))
    place = data.draw(st.integers(len(sentence) * 3 // 4, len(sentence)))
    word = (*sentence[:place], FOREIGN, *sentence[place:])
    parser = adapter("chart").build(Grammar.from_rules(cfg.rules, start=cfg.start))
    test = case(" ".join(word))
    small = smaller_test(parser, test)
    if small is None:
        reject()
    seen, then = (observe_test(parser, one, Extraction.EXACT) for one in (test, small))
    assert seen.error is not None
    assert then.error is not None
    left = small.text.split()
    assert len(left) < len(word)
    assert left[then.error.token :] == list(word[seen.error.token :])
    waiting = [{i for i, depth in one.active.items() if not depth} for one in (seen, then)]
    assert waiting[0] == waiting[1]
