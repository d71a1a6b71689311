"""What the hook records, against a replay of the tables; and that it leaves no trace."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonpath_ng.lexer import JsonPathLexer
from jsonpath_ng.parser import JsonPathParser
from ply import lex, yacc
from pycparser.c_generator import CGenerator
from pycparser.c_lexer import CLexer
from pycparser.c_parser import CParser
from replay import Replay, replay
from suites import C_SUITE, JSONPATH_SUITE

from cfg import Cfg, Word
from examples import fewer
from gramspect.errors import AdapterError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.trace import ErrorKind, LRTrace, Undecided
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from gramspect_ply import PlyRecognizer
from gramspect_ply.building import build_parser
from gramspect_ply.recognizer import SequenceRecognizer
from strategies import grammars, words


def case(text: str, tokens: Word | None = None) -> TestCase:
    return TestCase("test", Expectation.ACCEPT, text, tokens)


def check(trace: LRTrace, expected: Replay, rules: list[int]) -> None:
    """`rules` maps production numbers to rules."""

    def rules_of(productions: list[int]) -> set[int]:
        return {rules[number] for number in productions}

    assert set(trace.pushed) == set(expected.pushed)
    assert set(trace.reduced) == rules_of(expected.reduced)
    if expected.error is None:
        assert trace.error is None
        return
    assert trace.error is not None
    assert trace.error.token == expected.error
    assert trace.stack == tuple(expected.stack)
    assert trace.error_stack == tuple(expected.error_stack)
    assert set(trace.late_reduced) == rules_of(expected.late)


def rules_by_production(recognizer: PlyRecognizer, parser: Any) -> list[int]:
    """By their texts, which are different: the rule of each production."""
    grammar = recognizer.grammar
    names = [symbol.name for symbol in grammar.symbols]
    rules = {
        (names[rule.lhs], *(names[symbol] for symbol in rule.rhs)): rule.index
        for rule in grammar.rules
    }
    texts = [(p.name, *p.str.partition(" -> ")[2].split(" ")[: p.len]) for p in parser.productions]
    assert set(texts[1:]) == set(rules)
    return [-1, *(rules[text] for text in texts[1:])]


# --- bundled copies of PLY, cached tables, lexers that depend on actions ----------------------


class RecordingCLexer(CLexer):  # type: ignore[misc]
    """A lexer that writes down what it hands out."""

    def token(self) -> Any:
        found = super().token()
        if found is not None:
            KINDS.append(found.type)
        return found


class RecordingJsonPathLexer(JsonPathLexer):
    def tokenize(self, string: str) -> Any:
        for token in super().tokenize(string):
            KINDS.append(token.type)
            yield token


KINDS: list[str] = []


def check_suite(recognizer: PlyRecognizer, parser: Any, suite: TestSuite) -> None:
    rules = rules_by_production(recognizer, parser)
    for test in suite:
        KINDS.clear()
        trace = recognizer.trace(test)
        assert isinstance(trace, LRTrace), test.name
        kinds = list(KINDS)
        if trace.error is not None and trace.error.kind is ErrorKind.LEXICAL:
            kinds.append("no token")
        check(trace, replay(parser, kinds), rules)


def test_pycparser() -> None:
    holder = CParser(lexer=RecordingCLexer)
    recognizer = PlyRecognizer.from_parser(holder.cparser, parse=holder.parse)
    check_suite(recognizer, holder.cparser, C_SUITE)


@pytest.mark.filterwarnings("ignore:The `.` :DeprecationWarning")
def test_jsonpath() -> None:
    holder = JsonPathParser(lexer_class=RecordingJsonPathLexer)
    recognizer = PlyRecognizer.from_parser(holder.parser, parse=holder.parse)
    check_suite(recognizer, holder.parser, JSONPATH_SUITE)


# --- any grammar ------------------------------------------------------------------------------


@st.composite
def grammars_with_words(draw: st.DrawFn) -> tuple[Cfg, list[Word]]:
    grammar = draw(grammars())
    return grammar, draw(st.lists(words(grammar), min_size=1, max_size=4))


@given(grammars_with_words())
@fewer(0.6)
def test_built_parsers(drawn: tuple[Cfg, list[Word]]) -> None:
    """Conflicts, empty rules, hidden recursion: the hook sees what the tables say."""
    cfg, inputs = drawn
    grammar = Grammar.from_rules(dict.fromkeys(cfg.rules), start=cfg.start)
    try:
        built = build_parser(grammar)
    except AdapterError as problem:
        assume("conflict in state" not in str(problem))  # PLY cannot choose between two accepts
        raise
    recognizer = SequenceRecognizer.build(grammar)
    rules = [-1, *range(grammar.n_rules)]
    for word in inputs:
        trace = recognizer.trace(case("", word))
        if isinstance(trace, Undecided):
            assert "reduces for ever" in trace.reason
            continue
        kinds = [built.names[token] if (token := grammar.token(name)) else "?" for name in word]
        check(trace, replay(built.parser, kinds), rules)


# --- nothing is left behind -------------------------------------------------------------------


def test_the_parser_is_as_before() -> None:
    holder = CParser()
    parser = holder.cparser
    recognizer = PlyRecognizer.from_parser(parser, parse=holder.parse)
    before = dict(vars(parser))
    callables = [production.callable for production in parser.productions]
    for text in ("int x;", "int int", "int @", "typedef int T; int T;"):
        recognizer.trace(case(text))
        assert vars(parser) == before
        assert all(vars(parser)[name] is value for name, value in before.items())
    assert [production.callable for production in parser.productions] == callables
    assert holder.parse("int x;").ext[0].name == "x"


def test_results_are_those_without_the_hook() -> None:
    """The semantic actions run, with the same results."""
    results = []
    holder = CParser()

    def parse(text: str) -> None:
        results.append(holder.parse(text))

    recognizer = PlyRecognizer.from_parser(holder.cparser, parse=parse)
    text = "typedef int T; T f(T *p) { return (T) *p; }"
    recognizer.trace(case(text))
    (result,) = results
    assert CGenerator().visit(result) == CGenerator().visit(CParser().parse(text))


CALC = """
tokens = ("NUMBER",)
literals = "+-()"
t_ignore = " "
log = []

def t_NUMBER(t):
    r"[0-9]+"
    t.value = int(t.value)
    return t

def t_error(t):
    t.lexer.skip(1)

def p_sum(p):
    "sum : sum '+' NUMBER"
    p[0] = p[1] + p[3]
    log.append(p[0])

def p_sum_number(p):
    "sum : NUMBER"
    p[0] = p[1]
"""


def make(text: str) -> tuple[Any, Any, dict[str, Any]]:
    """Parser, lexer and namespace of a module's text."""
    module = ModuleType("made")
    module.__file__ = "made.py"
    sys.modules["made"] = module
    try:
        exec(text, vars(module))
        parser = yacc.yacc(
            module=module, write_tables=False, debug=False, errorlog=yacc.NullLogger()
        )
        return parser, lex.lex(module=module), vars(module)
    finally:
        del sys.modules["made"]


def test_without_actions() -> None:
    parser, lexer, names = make(CALC)
    with_actions = PlyRecognizer.from_parser(parser, lexer)
    without = PlyRecognizer.from_parser(parser, lexer, actions=False)
    trace = without.trace(case("1 + 2 + 3"))
    assert isinstance(trace, LRTrace)
    assert (len(trace.reduced), names["log"]) == (2, [])
    assert with_actions.trace(case("1 + 2 + 3")).reduced == trace.reduced  # type: ignore[union-attr]
    assert names["log"] == [3, 6]
    assert parser.parse("4 + 5", lexer=lexer) == 9


def test_a_parse_within_a_parse() -> None:
    """An action may use the same parser again; only the outer parse is observed."""
    parser, lexer, names = make(
        CALC
        + """
def p_sum_quoted(p):
    "sum : '(' NUMBER ')'"
    p[0] = inner(str(p[2]) + "+ 1")
"""
    )
    names["inner"] = lambda text: parser.parse(text, lexer=lexer.clone())
    recognizer = PlyRecognizer.from_parser(parser, lexer)
    plain = recognizer.trace(case("(7) + 1"))
    assert isinstance(plain, LRTrace)
    assert plain.error is None
    assert names["log"] == [8, 9]
    labels = {recognizer.grammar.rules[rule].label for rule in plain.reduced}
    assert labels == {"sum:1", "sum:3"}
    rejected = recognizer.trace(case("(7) + +"))
    assert isinstance(rejected, LRTrace)
    assert rejected.error is not None
    assert rejected.error.token == 4


def test_several_parses_in_one_test() -> None:
    """A test may run the parser once per line; the first error is the test's."""
    parser, lexer, _ = make(CALC)

    def parse_lines(text: str) -> None:
        for line in text.splitlines():
            parser.parse(line, lexer=lexer)

    recognizer = PlyRecognizer.from_parser(parser, lexer, parse=parse_lines)
    both = recognizer.trace(case("1\n1 + 2"))
    assert isinstance(both, LRTrace)
    assert len(both.reduced) == 2
    bad = recognizer.trace(case("1 + 2\n+\n1"))
    assert isinstance(bad, LRTrace)
    assert bad.error is not None
    assert bad.error.token == 0
    assert bad.stack == (0,)
    assert len(bad.reduced) == 2


class OneLoop(yacc.LRParser):  # type: ignore[misc]
    """A parser as in PLY 2022: one loop, and no way to hand it a token function."""

    def parse(
        self, input: Any = None, lexer: Any = None, debug: Any = False, tracking: Any = False
    ) -> Any:
        return yacc.LRParser.parseopt(self, input, lexer, debug, tracking)

    parseopt = parseopt_notrack = parsedebug = None


def test_parsers_without_a_token_function() -> None:
    parser, lexer, _ = make(CALC)
    recognizer = PlyRecognizer.from_parser(parser, lexer)
    expected = [recognizer.trace(case(text)) for text in ("1 + 2", "1 +", "1 1")]
    parser.__class__ = OneLoop
    recognizer = PlyRecognizer.from_parser(parser, lexer)
    found = [recognizer.trace(case(text)) for text in ("1 + 2", "1 +", "1 1")]
    for one, other in zip(found, expected, strict=True):
        assert isinstance(one, LRTrace)
        assert isinstance(other, LRTrace)
        assert (set(one.pushed), one.reduced, one.error, one.stack) == (
            set(other.pushed),
            other.reduced,
            other.error,
            other.stack,
        )
    assert "token" not in vars(lexer)
