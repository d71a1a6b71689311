"""Recorded runs as files: what is written is read, up to where a program was killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
import threading
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from command import ACCEPT, CORRECT, FAULTY, ROOT
from gramspect import (
    Expectation,
    Extraction,
    Grammar,
    GramspectError,
    Observation,
    Recognizer,
    RunOptions,
    SpectrumKind,
    SuiteError,
    TestSuite,
    Verdict,
    adapter,
    localize,
    run,
    spectra,
)
from gramspect.adapter_api import LoadOptions, Trace
from gramspect.recordings.format import Header, Line, ParseLine, TableLine, TestLine
from gramspect.recordings.grammars import digest, grammar_of, grammar_value
from gramspect.recordings.reading import read_run
from gramspect.recordings.suites import RecordedGrammar, recorded_suite
from gramspect.recordings.writing import RunWriter

C = f"{ROOT / 'fixtures' / 'demo' / 'faulty_c.py'}:FaultyCParser"


@cache
def parser(source: str) -> Recognizer:
    return adapter("ply" if source == C else "native").load(source, LoadOptions())


@cache
def suite(source: str) -> TestSuite:
    if source == C:
        fixtures = ROOT / "fixtures" / "c"
        return TestSuite.load([fixtures / "accept"], [fixtures / "reject"])
    texts = Path(ACCEPT).read_text().splitlines()
    return TestSuite.from_texts(texts, ["; ;", "", "if", "{ a"])


@cache
def observations(source: str) -> tuple[Observation, ...]:
    return tuple(run(parser(source), suite(source).tests))


def header(source: str = FAULTY) -> Header:
    return Header("native", source, "test", grammar=parser(source).grammar)


def parses(source: str = FAULTY) -> list[ParseLine]:
    """What happened in the tests of a suite, each in a test of its own."""
    seen = zip(suite(source), observations(source), strict=True)
    return [ParseLine(test.name, one, text=test.text) for test, one in seen]


def written(folder: Path, lines: list[Line], head: Header | None = None) -> Path:
    path = folder / "run.gsp"
    writer = RunWriter(str(path), head or header())
    for line in lines:
        writer.write(line)
    writer.close()
    return path


def ended(source: str = FAULTY) -> list[Line]:
    """Lines as a test framework would write them: a test passes if the verdict is the expected."""
    found: list[Line] = []
    for test, parse in zip(suite(source), parses(source), strict=True):
        seen = parse.observation
        assert seen is not None
        accepted = seen.verdict is Verdict.ACCEPTED
        passed = accepted == (test.expectation is Expectation.ACCEPT)
        found += [parse, TestLine(test.name, "passed" if passed else "failed")]
    return found


each_source = pytest.mark.parametrize("source", [FAULTY, pytest.param(C, marks=pytest.mark.slow)])


@each_source
def test_what_is_written_is_read(source: str, tmp_path: Path) -> None:
    assert {one.verdict for one in observations(source)} >= {Verdict.ACCEPTED, Verdict.REJECTED}
    lines: list[Line] = [
        *parses(source),
        ParseLine(None, Observation(Verdict.UNDECIDED, reason="an \ud800 exception")),
        TestLine("a", "skipped"),
        TestLine("b", "failed", Expectation.REJECT),
    ]
    found = read_run(written(tmp_path, lines, header(source)))
    assert list(found.lines) == lines
    assert not found.torn
    grammar = found.header.grammar
    assert grammar is not None
    assert replace(found.header, grammar=None) == replace(header(source), grammar=None)
    for name in ("name", "files", "symbols", "rules", "start", "n_terminals", "precedence"):
        assert getattr(grammar, name) == getattr(parser(source).grammar, name), name


@each_source
def test_recorded_tests_are_localized_like_tests_that_run(source: str, tmp_path: Path) -> None:
    """No oracle can be simpler: the same suite, run."""
    found = recorded_suite([read_run(written(tmp_path, ended(source), header(source)))])
    assert [(t.name, t.expectation, t.text) for t in found.suite] == [
        (t.name, t.expectation, t.text) for t in suite(source)
    ]
    here = localize(parser(source), suite(source), evidence="both")
    there = localize(
        RecordedGrammar(found.grammar), found.suite, run=RunOptions(recorded=found.observations)
    )
    assert here.failing
    assert [(e.label, e.rank, e.score) for e in here.ranking] == [
        (e.label, e.rank, e.score) for e in there.ranking
    ]
    assert [(f.test.name, f.error) for f in here.failing] == [
        (f.test.name, f.error) for f in there.failing
    ]
    for kind in SpectrumKind:
        expected = spectra(parser(source), suite(source), spectrum=kind)
        again = spectra(
            RecordedGrammar(found.grammar), found.suite, spectrum=kind,
            run=RunOptions(recorded=found.observations),
        )  # fmt: skip
        assert (expected.matrix.bits == again.matrix.bits).all()


def test_a_file_that_ends_anywhere_is_read_up_to_its_last_whole_line(tmp_path: Path) -> None:
    lines = ended()
    data = written(tmp_path, lines).read_bytes()
    starts = [at + 1 for at, byte in enumerate(data) if byte == ord("\n")]
    cut = tmp_path / "cut.gsp"
    tail = len(data) - sum(map(len, data.splitlines(keepends=True)[-2:]))
    for end in [*range(tail, len(data)), *(end for start in starts for end in (start, start + 1))]:
        cut.write_bytes(data[:end])
        found = read_run(cut)
        whole = sum(start <= end for start in starts) - 1
        assert list(found.lines) == lines[:whole]
        assert found.torn == (end not in starts and end <= len(data))
    for end in (0, 1, starts[0] - 1):
        cut.write_bytes(data[:end])
        with pytest.raises(GramspectError, match=r"cut\.gsp: this is no recorded run"):
            read_run(cut)


def test_a_program_that_is_killed_loses_no_parse_that_has_ended(tmp_path: Path) -> None:
    """It says after each line that it was written; all those lines are in the file."""
    program = textwrap.dedent("""
        import sys
        from gramspect import Observation, Verdict
        from gramspect.recordings.format import Header, ParseLine
        from gramspect.recordings.writing import RunWriter
        writer = RunWriter(sys.argv[1], Header("none", "", "test"))
        number = 0
        while True:
            seen = Observation(Verdict.UNDECIDED, reason="x" * (number % 5000))
            writer.write(ParseLine(f"test {number}", seen))
            number += 1
            print(number, flush=True)
    """)
    path = tmp_path / "run.gsp"
    process = subprocess.Popen([sys.executable, "-c", program, path], stdout=subprocess.PIPE)
    assert process.stdout is not None
    said = 0
    while said < 500:
        said = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split(b"\n")[:-1]
    said = int(rest[-1]) if rest else said
    assert process.wait() == -signal.SIGKILL
    found = read_run(path).lines
    assert said <= len(found) <= said + 1
    assert [line.test for line in found if isinstance(line, ParseLine)] == [
        f"test {number}" for number in range(len(found))
    ]


def test_threads_write_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "run.gsp"
    writer = RunWriter(str(path), header())

    def work(name: str) -> None:
        for parse in parses():
            writer.write(replace(parse, test=name))

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.close()
    found = read_run(path).lines
    for name in "abcd":
        mine = [line for line in found if isinstance(line, ParseLine) and line.test == name]
        assert mine == [replace(parse, test=name) for parse in parses()]


# --- what tests expect ----------------------------------------------------------------------


def expected(folder: Path, lines: list[Line], *, judged: bool = True) -> dict[str, bool]:
    """Of each test whether it passes."""
    found = recorded_suite([read_run(written(folder, lines))], judged=judged)
    return {
        test.name: (found.observations[test.name].verdict is Verdict.ACCEPTED)
        == (test.expectation is Expectation.ACCEPT)
        for test in found.suite
    }


def test_how_a_test_ended_says_what_it_expected(tmp_path: Path) -> None:
    seen = {one.verdict: one for one in observations(FAULTY)}
    accepted, rejected = (ParseLine("t", seen[v]) for v in (Verdict.ACCEPTED, Verdict.REJECTED))
    undecided = ParseLine("t", Observation(Verdict.UNDECIDED, reason="stopped"))
    both: list[Line] = [rejected, accepted]
    assert expected(tmp_path, [*both, TestLine("t", "passed")]) == {"t": True, "t#2": True}
    assert expected(tmp_path, [*both, TestLine("t", "failed")]) == {"t": True, "t#2": False}
    assert expected(tmp_path, [*both, undecided, TestLine("t", "failed")]) == {
        "t": True, "t#2": False, "t#3": False,
    }  # fmt: skip
    for outcome in ("passed", "failed", "skipped"):
        line = TestLine("t", outcome, Expectation.REJECT)
        assert expected(tmp_path, [*both, line]) == {"t": True, "t#2": False}
    skipped: list[Line] = [*both, TestLine("t", "skipped")]
    with pytest.raises(SuiteError, match="of no parse in it is known"):
        expected(tmp_path, skipped)
    assert expected(tmp_path, skipped, judged=False) == {"t": True, "t#2": True}
    outside = [replace(accepted, test=None), replace(rejected, test=None)]
    assert expected(tmp_path, list(outside)) == {"parse:1": True, "parse:2": False}
    assert expected(tmp_path, [*outside, accepted, TestLine("t", "passed")]) == {"t": True}
    # A test that runs twice ends twice.
    twice: list[Line] = [accepted, TestLine("t", "failed"), accepted, TestLine("t", "passed")]
    assert expected(tmp_path, twice) == {"t": False, "t#2": True}


def test_parses_that_are_alike_count_once(tmp_path: Path) -> None:
    lines = [line for name in "ab" for p in parses() for line in (replace(p, test=name + p.text),)]
    found = recorded_suite([read_run(written(tmp_path, list(lines)))])
    assert len(found.suite) == len(suite(FAULTY))
    assert found.suite.notes == (f"{len(suite(FAULTY))} recorded parses are like another left out",)


# --- what is refused ------------------------------------------------------------------------


def changed(path: Path, **values: Any) -> Path:
    """The file with other values in its header."""
    first, rest = path.read_text().split("\n", 1)
    path.write_text(json.dumps(json.loads(first) | values) + "\n" + rest)
    return path


def test_what_is_no_such_file_is_refused_in_one_line(tmp_path: Path) -> None:
    path = written(tmp_path, ended())
    good = path.read_bytes()

    def refused(content: bytes) -> str:
        path.write_bytes(content)
        with pytest.raises(GramspectError) as problem:
            read_run(path)
        said = str(problem.value)
        assert said.startswith(str(path))
        assert "\n" not in said
        return said.removeprefix(str(path))

    assert "it is no JSON" in refused(b"PK\x03\x04\n")
    assert "it is no JSON object" in refused(b"[]\n")
    assert "it has no header" in refused(b"{}\n")
    first, *rest = good.split(b"\n")
    other = first.replace(b"gramspect/run/1", b"gramspect/run/2")
    assert "its format is gramspect/run/2" in refused(b"\n".join([other, *rest]))
    assert refused(b"\n".join([first, b"{}", *rest])).startswith(":2: ")
    assert "'type' is missing" in refused(b"\n".join([first, b"{}", *rest]))
    assert refused(b"\n".join([first, rest[0], b'{"type": "x"}', b""])).startswith(":3: ")
    assert "no outcome 'lost'" in refused(
        first + b'\n{"type": "test", "name": "a", "outcome": "lost"}\n'
    )
    many = json.dumps({"type": "parse", "verdict": "accepted", "rules": "/" * 400, "shifts": ""})
    assert "more than the" in refused(first + b"\n" + many.encode() + b"\n")
    hand = first.replace(b'"digest":"', b'"digest":"0')
    assert "changed by hand" in refused(hand + b"\n")


def test_a_run_of_another_grammar_is_refused(tmp_path: Path) -> None:
    run_file = read_run(written(tmp_path, ended()))
    with pytest.raises(GramspectError, match=r"run\.gsp: recorded with another grammar.*others"):
        recorded_suite([run_file], parser(CORRECT))
    with pytest.raises(GramspectError, match="recorded with the extraction exact, not all"):
        recorded_suite([run_file], extraction=Extraction.ALL)
    other = read_run(written(tmp_path, ended(C), header(C)))
    with pytest.raises(GramspectError, match="recorded with another grammar"):
        recorded_suite([run_file, other])
    assert len(recorded_suite([run_file, run_file]).suite) == len(suite(FAULTY))


def test_the_digest_tells_grammars_apart_and_not_their_places() -> None:
    rules = [("s", ["a", "s"]), ("s", [])]
    one, same = (Grammar.from_rules(rules, name=name) for name in ("x", "y"))
    assert digest(one) == digest(same) == digest(grammar_of(grammar_value(one)))
    others = [[("s", ["a", "s"])], rules[::-1], [("s", ["b", "s"]), ("s", [])]]
    assert len({digest(one), *(digest(Grammar.from_rules(o)) for o in others)}) == 4


# --- recorders that cannot tell spectra -------------------------------------------------------


class Reading:
    """A recognizer that reads texts out of what a recorder wrote: it knows tests by numbers."""

    def __init__(self) -> None:
        self._parser = parser(FAULTY)
        self.grammar = self._parser.grammar
        self._known: list[str] = []

    def trace(self, test: Any) -> Trace:
        return self._parser.trace(test)

    def check_identity(self, identity: object) -> str | None:
        return None if identity == "toy" else f"it is {identity}"

    def learn(self, entries: object) -> None:
        assert isinstance(entries, list)
        self._known += entries

    def trace_of(self, outcome: object, text: str | None) -> Trace:
        assert isinstance(outcome, int)
        found = TestSuite.from_texts([self._known[outcome]])
        return self._parser.trace(found.tests[0])


def test_an_adapter_reads_what_its_recorder_saw(tmp_path: Path) -> None:
    lines: list[Line] = []
    for number, test in enumerate(suite(FAULTY)):
        lines += [TableLine([test.text]), ParseLine(test.name, seen=number, text=test.text)]
    head = Header("native", FAULTY, "test", identity="toy")
    found = read_run(written(tmp_path, lines, head))
    for extraction in (Extraction.EXACT, Extraction.ALL):
        read = recorded_suite([found], Reading(), extraction)
        there = [read.observations[test.name] for test in suite(FAULTY)]
        assert there == list(run(parser(FAULTY), suite(FAULTY).tests, extraction))
    with pytest.raises(GramspectError, match="name the grammar that it was recorded with"):
        recorded_suite([found])
    with pytest.raises(GramspectError, match="the one that loads the grammar cannot read it"):
        recorded_suite([found], parser(FAULTY))
    other = replace(found, header=replace(head, identity="C"))
    with pytest.raises(GramspectError, match="another grammar than the one that is given: it is C"):
        recorded_suite([other], Reading())
