"""What a generated parser does with texts: verdicts, errors, the user's own code."""

from __future__ import annotations

import pytest
from python_parsers import Load

from gramspect.recognition.trace import (
    ChartTrace,
    ErrorKind,
    Extraction,
    LLTrace,
    Observation,
    ParseError,
    Verdict,
)
from gramspect.running.observing import observe_test
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase
from gramspect_antlr_python.recognizer import AntlrPythonRecognizer

STATEMENTS = r"""
    grammar G;
    s : stmt* EOF ;
    stmt : e ';' | 'if' '(' e ')' stmt ('else' stmt)? | '{' stmt+ '}' | ID '=' (e ',')* e ';' ;
    e : e ('*' | '/') e | e '+' e | '-' e | e '!' | '(' e ')' | ID | INT ;
    ID : [a-z]+ ;
    INT : [0-9]+ ;
    NOTE : '#' ~[\n]* -> channel(HIDDEN) ;
    WS : [ \t\r\n]+ -> skip ;
"""


def case(text: str) -> TestCase:
    return TestCase("test", Expectation.ACCEPT, text)


def seen(parser: AntlrPythonRecognizer, text: str) -> Observation:
    return observe_test(parser, case(text), Extraction.EXACT)


def rules(parser: AntlrPythonRecognizer, text: str) -> set[str]:
    observation = seen(parser, text)
    assert observation.verdict is Verdict.ACCEPTED, observation
    return {parser.grammar.rules[rule].label for rule in observation.rules}


def error(parser: AntlrPythonRecognizer, text: str) -> ParseError:
    observation = seen(parser, text)
    assert observation.verdict is Verdict.REJECTED, observation
    assert observation.error is not None
    return observation.error


@pytest.fixture
def statements(load: Load) -> AntlrPythonRecognizer:
    return load(STATEMENTS)


def test_rules_of_accepted_texts(statements: AntlrPythonRecognizer) -> None:
    assert rules(statements, "") == {"s:1", "s:1.1:1"}
    expression = {"s:1", "s:1.1:1", "s:1.1:2", "stmt:1"}
    assert rules(statements, "x;") == expression | {"e:6"}
    assert rules(statements, "-x*y! ;") == expression | {"e:1", "e:1.1:1", "e:3", "e:4", "e:6"}
    assert rules(statements, "if (1) x; else { y; } # note") == expression | {
        *("stmt:2", "stmt:2.1:1", "stmt:3", "stmt:3.1:1", "e:6", "e:7"),
    }
    assert "stmt:3.1:2" in rules(statements, "{ x; y; }")
    assert "stmt:3.1:2" not in rules(statements, "{ x; }")
    assert "stmt:4.1:2" in rules(statements, "x = 1, 2;")
    assert "stmt:4.1:2" not in rules(statements, "x = 1;")


def test_items_of_accepted_texts(statements: AntlrPythonRecognizer) -> None:
    grammar = statements.grammar
    observation = seen(statements, "x + 1;")
    expected = {
        grammar.item(rule, dot)
        for rule in observation.rules
        for dot in range(len(grammar.rules[rule].rhs) + 1)
    }
    assert observation.items == expected


def test_shift_items_of_accepted_texts(statements: AntlrPythonRecognizer) -> None:
    trace = statements.trace(case("{ x; y; }"))
    assert isinstance(trace, LLTrace)
    current = {statements.grammar.item_label(item) for item in trace.current}
    assert current == {
        *("s:1:0", "s:1:1", "s:1.1:2:1"),
        *("stmt:3:0", "stmt:3:1", "stmt:3:2", "stmt:3.1:1:0", "stmt:3.1:2:1"),
        *("stmt:1:0", "stmt:1:1", "e:6:0"),
    }


@pytest.mark.parametrize(
    ("text", "token", "line", "column", "message"),
    [
        ("x", 1, 1, 2, "no viable alternative at end of input in 'x'"),
        ("x; )", 2, 1, 4, "mismatched input ')' expecting <EOF>"),
        ("x;\n (y+1; z", 6, 2, 6, "mismatched input ';' expecting ')'"),
        ("if\n\n", 1, 3, 1, "mismatched input end of input expecting '('"),
        ("# note\nx = ;", 2, 2, 5, "no viable alternative at ';'"),
        ("if (x) ; else", 4, 1, 8, "no viable alternative at ';'"),
    ],
)
def test_errors(
    statements: AntlrPythonRecognizer, text: str, token: int, line: int, column: int, message: str
) -> None:
    assert error(statements, text) == ParseError(token, message, line, column)


def test_spectra_of_rejected_texts_are_those_of_the_chart(
    statements: AntlrPythonRecognizer,
) -> None:
    trace = statements.trace(case("if (x) y; else ;"))
    assert isinstance(trace, ChartTrace)
    exact, every = observe(trace), observe(trace, Extraction.ALL)
    active = {statements.grammar.item_label(item): d for item, d in exact.active.items()}
    assert active == {
        "stmt:2.1:1:1": 0, "stmt:2:5": 1, "s:1.1:2:1": 2, "s:1.1:2:0": 3, "s:1:0": 3,
    }  # fmt: skip
    assert exact.rules <= every.rules
    predicted = {statements.grammar.item_label(item) for item in exact.predicted}
    assert {"stmt:1:0", "e:6:0"} <= predicted


@pytest.mark.parametrize(
    ("text", "kind", "token", "column"),
    [
        ("x $ y;", ErrorKind.LEXICAL, 1, 3),
        ("x $ ;", ErrorKind.LEXICAL, 1, 3),
        ("x; $", ErrorKind.LEXICAL, 2, 4),
        ("x x $", ErrorKind.SYNTAX, 1, 3),
        ("x ) $", ErrorKind.SYNTAX, 1, 3),
    ],
)
def test_the_first_error_counts(
    statements: AntlrPythonRecognizer, text: str, kind: ErrorKind, token: int, column: int
) -> None:
    found = error(statements, text)
    assert (found.kind, found.token, found.column) == (kind, token, column)


def test_every_test_is_parsed_anew(statements: AntlrPythonRecognizer) -> None:
    texts = ["x;", "x", "$", "{ x; }", ""]
    assert [seen(statements, t) for t in texts] == [seen(statements, t) for t in texts]


# --- the start rule and the rest of the input ------------------------------------------------

PREFIX = "grammar G; s : a+ ; a : 'x' 'y' ; Z : 'z' ; WS : ' ' -> skip ;"


def test_the_start_rule_must_consume_the_input(load: Load) -> None:
    parser = load(PREFIX)
    assert rules(parser, "x y")
    found = error(parser, "x y z")
    assert (found.token, found.column) == (2, 5)
    assert found.message == "the start rule ends before 'z'"


def test_a_prefix_is_enough_if_the_user_says_so(load: Load) -> None:
    parser = load(PREFIX, extra={"trailing": "allow"})
    assert rules(parser, "x y z z") == {"s:1", "s:1.1:1", "a:1"}
    assert error(parser, "x z").token == 1
    assert error(parser, "x y $").kind is ErrorKind.LEXICAL


def test_another_start_rule(load: Load) -> None:
    parser = load(PREFIX, "a")
    assert rules(parser, "x y") == {"a:1"}
    assert error(parser, "x y x").token == 2


def test_letters_of_one_case(load: Load) -> None:
    text = "grammar G; s : 'BEGIN' ID 'END' EOF ; ID : [A-Z]+ ; WS : ' ' -> skip ;"
    assert error(load(text), "begin x End").kind is ErrorKind.LEXICAL
    assert rules(load(text, extra={"case": "upper"}), "begin x End") == {"s:1"}
    lower = text.replace("BEGIN", "begin").replace("END", "end").replace("A-Z", "a-z")
    assert rules(load(lower, extra={"case": "lower"}), "BEGIN X END") == {"s:1"}


def test_a_rule_named_by_a_word_of_python(load: Load) -> None:
    parser = load("grammar G; if : 'a' pass EOF ; pass : 'b' ; WS : ' ' -> skip ;")
    assert rules(parser, "a b") == {"if:1", "pass:1"}


# --- what prediction gets to see -------------------------------------------------------------


def test_a_prediction_that_fails_before_any_rule_is_entered(load: Load) -> None:
    parser = load(
        """
        grammar G;
        s : (a | b) EOF ;
        a : 'x' 'x' 'x' 'p' ;
        b : 'x' 'x' 'x' 'q' ;
        R : 'r' ; WS : ' ' -> skip ;
        """
    )
    found = error(parser, "x x x r")
    assert (found.token, found.column) == (3, 7)
    observation = seen(parser, "x x x r")
    active = {parser.grammar.item_label(item) for item in observation.active}
    assert {"a:1:3", "b:1:3"} <= active


def test_what_only_a_context_free_reading_accepts(load: Load) -> None:
    parser = load(
        """
        grammar G;
        s : a 'z' EOF ;
        a : {False}? 'x' | 'y' ;
        WS : ' ' -> skip ;
        """
    )
    found = error(parser, "x z")
    assert found.token == 0
    assert "ANTLR's order of alternatives, a precedence or a predicate rejects it" in found.message
    assert rules(parser, "y z") == {"s:1", "a:2"}


# --- the user's own code ---------------------------------------------------------------------

CODE = """
    grammar G;
    @parser::members {
    names = None
    def known(self):
        return self.getCurrentToken().text in (self.names or ())
    }
    s : item* EOF ;
    item
        : 'new' ID {self.names = (self.names or []) + [$ID.text]} ';'
        | {self.known()}? ID ';'
        | 'raise' {raise ValueError('of the\\nuser')}
        | 'exit' {raise SystemExit(3)}
        | 'report' {self.notifyErrorListeners('not this one')} ';'
        | 'jump' {self.state = 0}
        | 'strict' {{self.failed}}? ';'
        ;
    ID : [a-z]+ ;
    WS : [ \\n]+ -> skip ;
""".replace("{{self.failed}}?", "{False}?<fail={'it is strict'}>")


def test_actions_and_predicates_run(load: Load) -> None:
    parser = load(CODE)
    assert rules(parser, "new a; a;") == {"s:1", "s:1.1:1", "s:1.1:2", "item:1", "item:2"}
    assert error(parser, "new a; b;").token == 3
    assert error(parser, "a;").token == 0  # what an action has kept is gone


def test_exceptions_of_the_users_code_leave_the_test_undecided(load: Load) -> None:
    parser = load(CODE)
    for text, reason in (("raise", "ValueError: of the"), ("exit", "SystemExit: 3")):
        observation = seen(parser, text)
        assert observation.verdict is Verdict.UNDECIDED
        assert reason in observation.reason


def test_an_error_that_an_action_reports_is_an_error(load: Load) -> None:
    found = error(load(CODE), "report;")
    assert (found.token, found.message.partition(" (")[0]) == (1, "not this one")


def test_a_predicate_that_fails(load: Load) -> None:
    found = error(load(CODE), "strict;")
    assert found.token == 1
    assert found.message.startswith("rule item: it is strict")


def test_code_that_leads_the_parser_astray(load: Load) -> None:
    observation = seen(load(CODE), "jump")
    assert observation.verdict is Verdict.UNDECIDED
    assert observation.reason.startswith("the parser's own code has led it where")


def test_nesting_that_is_too_deep_for_python_costs_one_test(
    statements: AntlrPythonRecognizer,
) -> None:
    deep = "(" * 10_000 + "x" + ")" * 10_000 + ";"
    observation = seen(statements, deep)
    assert observation.verdict is Verdict.UNDECIDED
    assert "nested too deeply" in observation.reason
    assert rules(statements, "x;")
