"""What is observed of a run: verdicts, errors, derivations."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from g4 import Load

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.trace import (
    ChartTrace,
    ErrorKind,
    LLTrace,
    Observation,
    Undecided,
    Verdict,
)
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase
from gramspect_antlr.recognizer import AntlrRecognizer, Rejection

EXPRESSIONS = """
    grammar G;
    start : (stat ';')+ EOF ;
    stat : e | ID '=' e | 'if' e stat ('else' stat)? | '{' stat* '}' | call ;
    call : 'call' ID '(' (e (',' e)*)? ')' ('.' ID)* ~(';' | ID) ;
    e : <assoc=right> e '^' e | '-' e | e ('*' | '/') e | e '+' e | e '?' e ':' e | e '!'
      | ID | INT | '(' e ')' ;
    ID : [a-z]+ ;
    INT : [0-9]+ ;
    WS : [ \\n]+ -> skip ;
    HIDE : '#' ~[\\n]* -> channel(HIDDEN) ;
"""


def test(text: str) -> TestCase:
    return TestCase("test", Expectation.ACCEPT, text)


test.__test__ = False  # type: ignore[attr-defined]


def seen(system: AntlrRecognizer, text: str) -> Observation:
    return observe(system.trace(test(text)))


def rule_labels(system: AntlrRecognizer, text: str) -> set[str]:
    observation = seen(system, text)
    assert observation.verdict is Verdict.ACCEPTED, observation.error
    return {system.grammar.rules[rule].label for rule in observation.rules}


def item_labels(grammar: Grammar, items: frozenset[int]) -> set[str]:
    return {grammar.item_label(item) for item in items}


# --- derivations -----------------------------------------------------------------------------


def test_left_recursion_gives_the_original_alternatives(load: Load) -> None:
    system = load(
        G="""
        grammar G;
        s : e EOF ;
        e : e '*' e | e '+' e | '-' e | <assoc=right> e '^' e | e '!' | e '?' e ':' e | 'a' | 'b' ;
        """
    )
    assert rule_labels(system, "a") == {"s:1", "e:7"}
    assert rule_labels(system, "a*b") == {"s:1", "e:1", "e:7", "e:8"}
    assert rule_labels(system, "-a+b") == {"s:1", "e:2", "e:3", "e:7", "e:8"}
    assert rule_labels(system, "a^a!") == {"s:1", "e:4", "e:5", "e:7"}
    assert rule_labels(system, "b?b:b") == {"s:1", "e:6", "e:8"}


def test_repetitions_and_options(load: Load) -> None:
    system = load(
        G="""
        grammar G;
        s : a? b* ('c' | 'd' x)+ EOF ;
        a : 'a' ; b : 'b' ; x : ( | 'x') ;
        """
    )
    base = {"s:1", "s:1.2:1", "s:1.3:1"}
    assert rule_labels(system, "c") == base | {"s:1.1:2", "s:1.3.1:1"}
    assert rule_labels(system, "ac") == base | {"s:1.1:1", "a:1", "s:1.3.1:1"}
    assert rule_labels(system, "bc") == base | {"s:1.1:2", "s:1.2:2", "b:1", "s:1.3.1:1"}
    assert rule_labels(system, "cc") == base | {"s:1.1:2", "s:1.3:2", "s:1.3.1:1"}
    assert rule_labels(system, "d") == base | {"s:1.1:2", "s:1.3.1:2", "x:1", "x:1.1:1"}
    assert rule_labels(system, "dx") == base | {"s:1.1:2", "s:1.3.1:2", "x:1", "x:1.1:2"}


def test_sets_of_tokens(load: Load) -> None:
    system = load(G="grammar G; s : ~'a' . x EOF ; x : 'a' | 'b' | 'c' ; ")
    assert rule_labels(system, "bca") == {"s:1", "s:1.1:1", "s:1.2:3", "x:1"}
    assert rule_labels(system, "cac") == {"s:1", "s:1.1:2", "s:1.2:1", "x:3"}
    assert seen(system, "acb").verdict is Verdict.REJECTED
    ends = load(G="grammar G; s : (line)* ; line : 'x' ('y' | EOF) ;")
    assert rule_labels(ends, "xyx") == {
        "s:1", "s:1.1:1", "s:1.1:2", "line:1", "line:1.1:1", "line:1.1:2",
    }  # fmt: skip


def test_items_on_the_stack(load: Load) -> None:
    system = load(G="grammar G; s : n x 'c' EOF; n : m; m :; x : y; y : 'a' 'b' | z; z : 'z';")
    observation = seen(system, "abc")
    assert item_labels(system.grammar, observation.shift_items) == {
        "s:1:1", "x:1:0", "y:1:0", "y:2:0", "z:1:0", "y:1:1", "s:1:2", "s:1:3",
    }  # fmt: skip
    assert item_labels(system.grammar, observation.items) == {
        *("s:1:0", "s:1:1", "s:1:2", "s:1:3", "s:1:4", "n:1:0", "n:1:1", "m:1:0"),
        *("x:1:0", "x:1:1", "y:1:0", "y:1:1", "y:1:2"),
    }


def sentence(grammar: Grammar, source: random.Random, depth: int = 12) -> list[int]:
    """A random sentence: a random rule while there is depth left, then the shallowest."""
    analysis = grammar.analysis

    def derive(symbol: int, left: int) -> list[int]:
        if grammar.is_terminal(symbol):
            return [symbol]
        rules = grammar.rules_of[symbol]
        rule = source.choice(rules) if left > 0 else analysis.shallowest_rule[symbol]
        return [t for s in grammar.rules[rule].rhs for t in derive(s, left - 1)]

    return derive(grammar.start, depth)


WORDS = {"ID": "abc", "INT": "42", "HIDE": "'", "WS": "'", "EOF": ""}


def as_text(grammar: Grammar, tokens: list[int]) -> str:
    displays = (grammar.symbols[token].display for token in tokens)
    return " ".join(WORDS.get(text, text.strip("'")) for text in displays)


def test_derivations_agree_with_the_chart(load: Load) -> None:
    """Precedence chooses another tree than the chart does, but one of the same rules."""
    system = load(G=EXPRESSIONS)
    grammar = system.grammar
    source = random.Random(1)
    hidden = {grammar.symbol("WS"), grammar.symbol("HIDE")}
    compared = 0
    for _ in range(150):
        tokens = sentence(grammar, source)
        if hidden & set(tokens):
            continue
        trace = system.trace(test(as_text(grammar, tokens)))
        assert isinstance(trace, LLTrace)
        chart = observe(ChartTrace(parse_chart(grammar, tokens)))
        assert observe(trace).rules == chart.rules
        assert observe(trace).shift_items <= chart.shift_items
        compared += 1
    assert compared > 100


def test_error_positions_agree_with_the_chart(load: Load) -> None:
    """ANTLR finds the error at the first token that no viable prefix continues with."""
    system = load(G=EXPRESSIONS)
    grammar = system.grammar
    source = random.Random(2)
    usable = [s.index for s in grammar.terminals if s.name not in ("WS", "HIDE", "EOF")]
    compared = 0
    for _ in range(150):
        tokens = sentence(grammar, source)[:-1]
        tokens[source.randrange(len(tokens))] = source.choice(usable)
        texts = [as_text(grammar, tokens)]
        outcome = next(system.outcomes(texts))
        chart = parse_chart(grammar, [*tokens, grammar.symbol("EOF")])
        if isinstance(outcome, Rejection) and not chart.accepted and "'" not in texts[0]:
            assert outcome.token == chart.end
            compared += 1
    assert compared > 60


# --- verdicts and errors -----------------------------------------------------------------------


def test_syntax_errors_are_where_the_prefix_ends(load: Load) -> None:
    system = load(G=EXPRESSIONS)
    observation = seen(system, "a = 1 ;\n  b = * ;")
    error = observation.error
    assert error is not None
    assert (error.token, error.line, error.column, error.kind) == (6, 2, 7, ErrorKind.SYNTAX)
    assert error.message == "no viable alternative at '*'"
    depths = {system.grammar.item_label(item): d for item, d in observation.active.items()}
    assert depths["stat:2:2"] == 0
    assert depths["start:1.1.1:1:0"] == 1


def test_antlr_may_stop_before_the_prefix_ends(load: Load) -> None:
    """A failing prediction falls back on leaving the rule if that is viable after any call of it,
    not only after this one; then the error is reported where the rule is left."""
    system = load(
        G="""
        grammar G;
        s : 'a' r 'k' EOF | 'b' r 'y' 'z' 'k' EOF ;
        r : 'x' ('y' 'z' 'w')* ;
        Q : 'q' ;
        """
    )
    outcome = next(system.outcomes(["axyzq"]))
    assert isinstance(outcome, Rejection)
    assert outcome.token == 2
    observation = seen(system, "axyzq")
    assert observation.error is not None
    assert (observation.error.token, observation.error.column) == (4, 5)
    assert observation.error.message.endswith("(ANTLR reports it at line 1, column 3)")
    assert {system.grammar.item_label(i) for i, d in observation.active.items() if d == 0} == {
        "r:1.1.1:1:2"
    }


def test_an_input_that_ends_too_early(load: Load) -> None:
    error = seen(load(G=EXPRESSIONS), "a + b").error
    assert error is not None
    assert (error.token, error.line, error.column) == (3, 1, 6)
    assert "end of input" in error.message or "<EOF>" in error.message


def test_lexical_errors(load: Load) -> None:
    system = load(G=EXPRESSIONS)
    observation = seen(system, "a = 1 ; b = $ ;")
    error = observation.error
    assert error is not None
    assert (error.kind, error.token, error.line, error.column) == (ErrorKind.LEXICAL, 6, 1, 13)
    assert "token recognition error" in error.message
    assert {system.grammar.item_label(i) for i, depth in observation.active.items() if not depth}
    earlier = seen(system, "a = = $ ;").error
    assert earlier is not None
    assert (earlier.kind, earlier.token) == (ErrorKind.SYNTAX, 2)
    assert seen(system, "a # $ is hidden\n;").verdict is Verdict.ACCEPTED


def test_tokens(load: Load) -> None:
    system = load(G=EXPRESSIONS)
    names = [system.grammar.symbols[t].display for t in system.tokens(test("a = 1 # b\n;")) or ()]
    assert names == ["ID", "'='", "INT", "';'", "EOF"]
    assert system.tokens(test("a = $")) is None
    endless = load(G="grammar G; s : A* ; A : 'a' ;")
    assert endless.tokens(test("aa")) == [endless.grammar.symbol("A")] * 2
    looping = load(G="grammar G; s : A* EOF ; A : 'a' ; N : ('b')* ;")
    assert looping.tokens(test("ac")) is None


def test_the_whole_input_must_be_consumed(load: Load) -> None:
    text = "grammar G; s : 'a'+ ; B : 'b' ;"
    error = seen(load(G=text), "aab").error
    assert error is not None
    assert (error.token, error.column) == (2, 3)
    assert error.message == "the start rule ends before 'b'"
    prefix = load(G=text, extra={"trailing": "allow"})
    assert seen(prefix, "aab").verdict is Verdict.ACCEPTED
    assert seen(prefix, "b").verdict is Verdict.REJECTED


def test_predicates_are_true(load: Load) -> None:
    system = load(G="grammar G; s : (x | y) EOF ; x : {false}? 'a' ; y : 'a' | 'a' 'b' ;")
    assert rule_labels(system, "a") == {"s:1", "s:1.1:1", "x:1"}
    assert rule_labels(system, "ab") == {"s:1", "s:1.1:2", "y:2"}


def test_what_only_antlr_rejects_ends_where_antlr_stopped(load: Load) -> None:
    system = load(G="grammar G; s : 'a' b EOF ; b : 'b'* ;")
    rejection = next(system.outcomes(["abc"]))
    assert isinstance(rejection, Rejection)
    stopped = replace(rejection, kind=ErrorKind.SYNTAX, token=1, types=[1, 2, 2, -1])
    observation = observe(system.charted(stopped))
    assert observation.error is not None
    assert observation.error.token == 1
    assert "read as a context-free grammar, the grammar accepts this" in observation.error.message
    assert {system.grammar.item_label(i) for i in observation.active} >= {"s:1:1", "b:1.1:2:1"}


def test_letter_case(load: Load) -> None:
    text = "grammar G; s : 'SELECT' ID EOF ; ID : [A-Z]+ ; WS : ' ' -> skip ;"
    assert seen(load(G=text), "select x").verdict is Verdict.REJECTED
    upper = load(G=text, extra={"case": "upper"})
    assert seen(upper, "Select x").verdict is Verdict.ACCEPTED
    error = seen(upper, "select select").error
    assert error is not None
    assert "'select'" in error.message
    option = load(
        H="grammar H; options { caseInsensitive = true; } s : 'select' ID ; ID : [a-z]+ ;"
        " WS : ' ' -> skip ;"
    )
    assert seen(option, "SELECT x").verdict is Verdict.ACCEPTED


def test_modes_and_channels(load: Load) -> None:
    system = load(
        PParser="parser grammar PParser; options { tokenVocab = PLexer; }"
        " s : (OPEN TEXT CLOSE)* EOF ;",
        PLexer="lexer grammar PLexer; channels { SIDE } OPEN : '<' -> pushMode(IN) ;"
        " NOTE : '%' [a-z]* -> channel(SIDE) ; mode IN ; TEXT : [a-z]+ ; CLOSE : '>' -> popMode ;",
    )
    assert seen(system, "<a>%note<b>").verdict is Verdict.ACCEPTED
    assert seen(system, "<a>b").verdict is Verdict.REJECTED
    assert isinstance(system.trace(test("<a")), ChartTrace)


# --- hostile input -------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "\n", "\0", "é😀", "\ud7ff", "x" * 100_000])
def test_odd_texts(load: Load, text: str) -> None:
    assert seen(load(G=EXPRESSIONS), text).verdict is Verdict.REJECTED


@pytest.mark.slow
def test_deep_nesting(load: Load) -> None:
    system = load(G="grammar G; s : e EOF ; e : '(' e ')' | 'x' ;")
    depth = 10_000
    assert seen(system, "(" * depth + "x" + ")" * depth).verdict is Verdict.ACCEPTED
    observation = seen(system, "(" * depth + "x" + ")" * (depth - 1))
    assert observation.verdict is Verdict.REJECTED
    assert observation.error is not None
    assert observation.error.token == 2 * depth


def test_one_bad_test_costs_itself_only(load: Load) -> None:
    system = load(
        LParser="parser grammar LParser; options { tokenVocab = LLexer; } s : A* EOF ;",
        LLexer="lexer grammar LLexer; A : 'a' ; E : 'e' -> popMode ;",
    )
    traces = system.traces([test("aa"), test("ae"), test("a")])
    assert [type(trace) for trace in traces] == [LLTrace, Undecided, LLTrace]
    assert isinstance(traces[1], Undecided)
    assert "EmptyStackException" in traces[1].reason


def test_a_lexer_in_a_loop_is_stopped(load: Load) -> None:
    system = load(G="grammar G; s : A* EOF ; A : 'a' ; N : ('b')* ;")
    trace = system.trace(test("ac"))
    assert isinstance(trace, Undecided)
    assert "the lexer makes empty tokens for ever at line 1, column 2" in trace.reason
