"""``gramspect.record``: the program sees what it always sees, the record is that of the adapter."""

from __future__ import annotations

import gc
import importlib
import sys
import threading
import traceback
import weakref
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import hcl2.parser
import openqasm3._antlr.qasm3Parser
import openqasm3.parser
import pytest
from lark import Lark, Token, UnexpectedToken
from pycparser.c_parser import CParser

from command import ROOT
from gramspect import (
    Expectation,
    GramspectError,
    LoadOptions,
    RunOptions,
    Session,
    SuiteError,
    TestSuite,
    Verdict,
    coverage,
    localize,
    record,
    run,
    spectra,
)
from gramspect.adapter_api import Recognizer, TestCase
from gramspect.recognition.registry import adapter
from gramspect.recordings.reading import read_run
from gramspect.recordings.suites import RecordedGrammar, recorded_suite

FIXTURES = ROOT / "fixtures"
TOY = r"""
start: (stmt ";")*
stmt: NAME "=" expr -> assign
    | "print" expr ("," expr)*
    | "{" start "}"
?expr: expr "+" term | term
?term: NAME | NUMBER | "(" expr ")"
NAME: /[a-z]+/
NUMBER: /\d+/
%ignore " "
"""
TOY_TEXTS = (
    ["", "a=1;", "a = b+ (1+c);", "print 1,2,x;", "{a=1;};", "{a=1;}; print 2;"],
    ["a=", "a=1", "a=1;}", "print ;", "$", "a=1;$", "a = (1+;", "{", "print 1 2;", "a=1; b=%"],
)


class Case(NamedTuple):
    """A live parser, how a program calls it, and what the adapter makes of the same source."""

    live: Any
    parse: Callable[[str], object]
    offline: Recognizer
    suite: TestSuite


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """A module with parsers, for the adapters to load and programs to import."""
    folder = tmp_path_factory.mktemp("toys")
    (folder / "live_toys.py").write_text(
        f"from lark import Lark\nG = {TOY!r}\n"
        "lalr = Lark(G, parser='lalr')\n"
        "earley = Lark(G, parser='earley')\n"
        "basic = Lark(G, parser='earley', lexer='basic')\n"
    )
    sys.path.insert(0, str(folder))
    import live_toys

    yield live_toys
    sys.path.remove(str(folder))


@pytest.fixture(params=["pycparser", "hcl2", "lalr", "earley", "basic", "openqasm3"])
def case(request: pytest.FixtureRequest, toys: ModuleType) -> Case:
    return _case(request.param, toys)


@cache
def _case(name: str, toys: ModuleType) -> Case:
    if name == "pycparser":
        parser = CParser()
        suite = TestSuite.load([FIXTURES / "c" / "accept"], [FIXTURES / "c" / "reject"])
        some = TestSuite(suite.tests[::3])
        return Case(parser, parser.parse, loaded("ply", "pycparser.c_parser:CParser"), some)
    if name == "hcl2":
        live = hcl2.parser.parser()
        folder = FIXTURES / "lark_hcl"
        suite = TestSuite.load([folder / "accept"], [folder / "reject"])
        some = TestSuite(suite.tests[::3])
        return Case(live, live.parse, loaded("lark-lalr", "hcl2.parser:parser"), some)
    if name == "openqasm3":
        folder = FIXTURES / "openqasm3"
        suite = TestSuite.load([folder / "accept.txt"], [folder / "reject.txt"], lines=True)
        live = openqasm3.parser.qasm3Parser
        offline = loaded("antlr-python", live.__module__)
        return Case(live, openqasm3.parse, offline, suite)
    live = getattr(toys, name)
    offline = loaded("lark-lalr" if name == "lalr" else "lark-earley", f"live_toys:{name}")
    return Case(live, live.parse, offline, TestSuite.from_texts(*TOY_TEXTS))


def loaded(name: str, source: str) -> Recognizer:
    return adapter(name).load(source, LoadOptions())


def seen(parse: Callable[[str], object], suite: TestSuite) -> list[object]:
    """What a program sees: results, or exceptions with the place in the program."""
    found: list[object] = []
    for test in suite:
        try:
            result = parse(test.text)
            found.append((type(result), str(result) if isinstance(result, str) else repr(result)))
        except Exception as problem:
            last = traceback.extract_tb(problem.__traceback__)[-1]
            found.append((type(problem), str(problem), problem.__context__ is None, last.name))
    return found


def test_a_program_sees_the_same_and_the_record_is_the_adapters(case: Case) -> None:
    before = seen(case.parse, case.suite)
    attributes = set(vars(case.live))
    with record(case.live) as session:
        during = seen(case.parse, case.suite)
        assert set(vars(case.live)) == attributes or isinstance(case.live, type)
    assert not session.missed
    assert seen(case.parse, case.suite) == before
    assert set(vars(case.live)) == attributes
    if isinstance(case.live, CParser):  # nodes are shown with their addresses
        during, before = ([one[:1] for one in found] for found in (during, before))
    assert during == before
    offline = list(run(case.offline, case.suite.tests))
    assert {one.verdict for one in offline} >= {Verdict.ACCEPTED, Verdict.REJECTED}
    assert len(session.parses) == len(offline)
    for test, parse, expected in zip(case.suite, session.parses, offline, strict=True):
        assert parse.observation == expected, test.name
        assert parse.text == test.text


def test_results_of_a_session_are_those_of_the_suite(toys: ModuleType) -> None:
    case = _case("lalr", toys)
    wrong = {"a=1;", "print 1,2,x;", "a=1"}  # what a user says of them
    with record(case.live) as session:
        seen(case.parse, case.suite)
    found = session.localize(lambda parse: parse.text in wrong, evidence="both")
    judged = [
        TestCase(
            test.name,
            Expectation.REJECT if (test.text in wrong) is (n < len(TOY_TEXTS[0])) else
            Expectation.ACCEPT,
            test.text,
        )
        for n, test in enumerate(case.suite)
    ]  # fmt: skip
    expected = localize(case.offline, TestSuite(tuple(judged)), evidence="both")
    assert len(found.failing) == len(wrong)
    assert [(e.label, e.rank, e.score) for e in found.ranking] == [
        (e.label, e.rank, e.score) for e in expected.ranking
    ]
    numbers = [n for n, test in enumerate(case.suite) if test.text in wrong]
    by_numbers = session.localize(numbers, evidence="both")
    assert [e.score for e in by_numbers.ranking] == [e.score for e in found.ranking]
    assert session.coverage().levels == coverage(case.offline, case.suite).levels
    there = spectra(case.offline, case.suite, spectrum="shift")
    assert (session.spectra(spectrum="shift").matrix.bits == there.matrix.bits).all()


def _resumed(driven: Any) -> object:
    return driven.resume_parse()


def _stepped(driven: Any) -> object:
    for token in driven.iter_parse():
        if token.type in driven.accepts():  # which tries all of them on copies
            driven.copy().feed_token(token)
    return driven.feed_eof()


def _halved(driven: Any) -> object:
    for count, token in enumerate(driven.lexer_thread.lex(driven.parser_state)):
        driven.feed_token(token)
        if count == 2:
            break
    return driven.resume_parse()


def _fed(driven: Any) -> object:
    for token in driven.lexer_thread.lex(driven.parser_state):
        driven.feed_token(token)
    return driven.feed_eof()


@pytest.mark.parametrize("drive", [_resumed, _stepped, _halved, _fed])
def test_parsers_that_the_program_drives(toys: ModuleType, drive: Callable[[Any], object]) -> None:
    case = _case("lalr", toys)

    def parse(text: str) -> object:
        return drive(case.live.parse_interactive(text))

    before = seen(parse, case.suite)
    with record(case.live) as session:
        assert seen(parse, case.suite) == before
        case.live.parse_interactive("a=1;").exhaust_lexer()  # never ends
    made = case.live.parse_interactive("")
    with record(case.live) as other:
        own = case.live.parse_interactive()
        own.feed_token(Token("PRINT", "print"))
        with pytest.raises(UnexpectedToken):
            own.feed_eof()
        made.feed_eof()
    assert [(p.text, p.observation.verdict.value) for p in other.parses] == [(None, "rejected")]
    assert seen(parse, case.suite) == before
    assert not session.missed
    assert len(session.parses) == len(case.suite)
    offline = run(case.offline, case.suite.tests)
    for test, parse_, expected in zip(case.suite, session.parses, offline, strict=True):
        assert parse_.observation == expected, test.name
        assert parse_.text == test.text


def test_parsers_made_later_and_methods_taken_before_are_recorded() -> None:
    first = Lark(TOY, parser="lalr")
    other = Lark(TOY.replace("print", "show"), parser="lalr")
    early = first.parse
    with record(first) as session:
        early("a=1;")
        Lark(TOY, parser="lalr").parse("b=2;")
        other.parse("c=3;")
    early("d=4;")
    assert [parse.text for parse in session.parses] == ["a=1;", "b=2;"]
    c = CParser()
    with record(c) as session:
        CParser().parse("int a;")
    c.parse("int b;")
    assert [parse.text for parse in session.parses] == ["int a;"]


SUMS = """
from ply import lex, yacc


class Sums:
    tokens = ("NUMBER", "PLUS")
    t_NUMBER, t_PLUS = "[0-9]+", "[+]"

    def __init__(self):
        self.lexer = lex.lex(module=self)
        self.parser = yacc.yacc(module=self, write_tables=False, debug=False)

    def p_sum(self, p):
        "sum : NUMBER\\n | sum PLUS NUMBER"

    def p_error(self, p):
        raise SyntaxError

    def t_error(self, t):
        raise SyntaxError

    def parse(self, text):
        return self.parser.parse(text, lexer=self.lexer)
"""


@pytest.mark.parametrize("tool", ["ply", "lark"])
def test_a_program_that_makes_a_parser_for_each_input_loses_them(
    tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "live_sums.py").write_text(SUMS)
    monkeypatch.syspath_prepend(tmp_path)
    sums = importlib.import_module("live_sums").Sums
    make, text = (sums, "1+2") if tool == "ply" else (lambda: Lark(TOY, parser="lalr"), "a=1;")
    made = []
    with record(make()) as session:
        for _ in range(24):
            parser = make()
            parser.parse(text)
            made.append(weakref.ref(parser.parser))
            del parser
        gc.collect()
        assert sum(ref() is not None for ref in made) < 20
    gc.collect()
    assert not any(ref() for ref in made[:-1])  # PLY itself keeps the last one
    assert [parse.text for parse in session.parses] == [text] * 24


def test_threads_are_recorded_side_by_side(toys: ModuleType) -> None:
    """Each has parsers of its own of PLY's, whose parsers are not for several threads."""
    for name in ("lalr", "earley", "pycparser"):
        case = _case(name, toys)
        seen_offline = run(case.offline, case.suite.tests)
        offline = {t.text: o for t, o in zip(case.suite, seen_offline, strict=True)}
        threads = []
        with record(case.live) as session:
            for _ in range(4):
                parse = CParser().parse if name == "pycparser" else case.parse
                thread = threading.Thread(target=seen, args=(parse, case.suite))
                threads.append(thread)
                thread.start()
            for thread in threads:
                thread.join()
        assert not session.missed
        assert len(session.parses) == 4 * len(case.suite)
        assert all(parse.observation == offline[parse.text] for parse in session.parses)


NESTED = '''
from ply import lex, yacc

tokens = ("A", "TEXT", "BAD")
literals = "();"
t_A = "a"
t_BAD = "bad"
t_TEXT = r"<[^>]*>"
def t_error(t):
    raise ValueError(f"no token at {t.lexpos}")

def p_list(p):
    """list : list item ';'
            | list error ';'
            | """
    p[0] = [] if len(p) == 1 else p[1] + [p[2]]

def p_item(p):
    """item : A
            | '(' list ')'"""
    p[0] = p[1] if len(p) == 2 else p[2]

def p_text(p):
    "item : TEXT"
    p[0] = parser.parse(p[1][1:-1], lexer=lexer.clone())  # the text is parsed as well

def p_bad(p):
    "item : BAD"
    raise KeyError("an action")

def p_error(p):
    errors.append(getattr(p, "type", None))

errors = []
lexer = lex.lex()
parser = yacc.yacc(write_tables=False, debug=False)
'''


def test_nested_parses_and_error_recovery_go_on(tmp_path: Path) -> None:
    (tmp_path / "nested.py").write_text(NESTED)
    sys.path.insert(0, str(tmp_path))
    try:
        import nested

        texts = ["a;", "<a;a;>;(a;);", "a;;a;", "<a;aa;>;a;", "(a;", "a;!", "bad;", "<bad;>;"]
        suite = TestSuite.from_texts(texts)

        def parse(text: str) -> object:
            nested.errors.clear()
            result = nested.parser.parse(text, lexer=nested.lexer.clone())
            return repr((result, nested.errors))

        before = seen(parse, suite)
        with record(nested.parser) as session, record("nested:parser") as other:
            assert seen(parse, suite) == before
        assert not session.missed
        verdicts = {(p.text, p.observation.verdict.value) for p in session.parses}
        assert verdicts == {
            ("a;", "accepted"), ("a;a;", "accepted"), ("<a;a;>;(a;);", "accepted"),
            ("a;;a;", "rejected"), ("a;aa;", "rejected"), ("<a;aa;>;a;", "accepted"),
            ("(a;", "rejected"), ("a;!", "rejected"), ("bad;", "undecided"),
            ("<bad;>;", "undecided"),
        }  # fmt: skip
        assert [p.observation for p in session.parses] == [p.observation for p in other.parses]
        # Without parses inside of it, the adapter sees the same in a text.
        plain = TestSuite(tuple(t for t in suite if "<" not in t.text))
        offline = list(run(loaded("ply", "nested:parser"), plain.tests))
        outer = {p.text: p.observation for p in session.parses}
        assert [outer[test.text] for test in plain] == offline
    finally:
        sys.path.remove(str(tmp_path))


def test_a_session_writes_a_file_that_says_the_same(tmp_path: Path, toys: ModuleType) -> None:
    case = _case("earley", toys)
    path = tmp_path / "run.gsp"
    with record(case.live, out=path) as session:
        for number, test in enumerate(case.suite):
            session.test = f"test {number}"
            seen(case.parse, TestSuite((test,)))
    found = recorded_suite([read_run(path)])
    assert [test.name for test in found.suite] == [f"test {n}" for n in range(len(case.suite))]
    there = localize(
        RecordedGrammar(found.grammar), found.suite, run=RunOptions(recorded=found.observations)
    )
    here = session.localize()
    assert [(e.label, e.score) for e in here.ranking] == [(e.label, e.score) for e in there.ranking]
    assert [one.test.name for one in here.failing] == [one.test.name for one in there.failing]


def test_what_cannot_be_recorded_is_said(tmp_path: Path) -> None:
    with pytest.raises(GramspectError, match="int is no parser that gramspect can record"):
        record(3)
    with pytest.raises(GramspectError, match="cannot record parsers that run in a program"):
        record(str(FIXTURES / "toy" / "toy.y"))
    with pytest.raises(GramspectError, match="several start symbols"):
        record(Lark("a: B\nc: B\nB: /b/", start=["a", "c"]))
    lark = Lark(TOY, parser="lalr")
    with pytest.raises(GramspectError, match="cannot be written"):
        record(lark, out=tmp_path / "nowhere" / "run.gsp")
    with pytest.raises(GramspectError, match="there is no extraction 'some'"):
        record(lark, extraction="some")
    with record(lark) as session, pytest.raises(SuiteError, match="no parse was recorded"):
        session.coverage()
    assert isinstance(session, Session)
