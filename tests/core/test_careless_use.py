"""What people do by mistake: nothing of theirs is lost, nothing hangs, nothing is ignored."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from command import ACCEPT, FAULTY, Command, start
from gramspect import GramspectError, LoadOptions, compare, debug
from gramspect.repairs.debug import Debugger
from gramspect.suites.suite import TestSuite

GRAMMAR = "%token a b\n%%\ns : a s b | a b ;\n"
TOY = (FAULTY, "--accept", ACCEPT, "--lines")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.y").write_text(GRAMMAR)
    (tmp_path / "ok.txt").write_text("a b\nb\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "one").write_text("a b")
    return tmp_path


RANKED = ("--accept", "ok.txt", "--lines")


class TestOutput:
    @pytest.mark.parametrize(
        "args",
        [
            ("localize", *RANKED),
            ("coverage", *RANKED),
            ("spectra", *RANKED),
            ("suggest", *RANKED),
            ("compare", *RANKED, "--adapters", "native"),
            ("debug", *RANKED, "--auto"),
            ("generate",),
            ("blackbox", "--command", "true"),
        ],
        ids=lambda args: args[0],
    )
    @pytest.mark.parametrize("output", ["g.y", "./g.y", "link"])
    def test_the_grammar_is_kept(
        self, command: Command, here: Path, args: tuple[str, ...], output: str
    ) -> None:
        (here / "link").symlink_to("g.y")
        message = command.fails(args[0], "g.y", *args[1:], "-o", output)
        assert message == f"{output} is the grammar itself; name another file with -o"
        assert (here / "g.y").read_text() == GRAMMAR

    def test_named_with_its_adapter(self, command: Command, here: Path) -> None:
        message = command.fails("compare", "native=g.y", *RANKED, "-o", "g.y")
        assert message == "g.y is the grammar itself; name another file with -o"

    @pytest.mark.parametrize("option", ["--accept", "--reject"])
    def test_tests_are_kept(self, command: Command, here: Path, option: str) -> None:
        for path, output in (("ok.txt", "ok.txt"), ("tests", "tests/one")):
            message = command.fails("localize", "g.y", option, path, "--lines", "-o", output)
            assert message == f"{output} is one of the tests; name another file with -o"
        assert (here / "ok.txt").read_text() == "a b\nb\n"

    def test_a_suite_is_kept(self, command: Command, here: Path) -> None:
        assert command("generate", "g.y", "-o", "suite.jsonl").status == 0
        suite = (here / "suite.jsonl").read_text()
        for name in ("localize", "coverage", "spectra", "suggest"):
            message = command.fails(name, "g.y", "--suite", "suite.jsonl", "-o", "suite.jsonl")
            assert message == "suite.jsonl is the suite; name another file with -o"
        assert (here / "suite.jsonl").read_text() == suite

    def test_a_report_may_be_written_again(self, command: Command, here: Path) -> None:
        for _ in range(2):
            assert command("localize", "g.y", *RANKED, "-o", "report").status == 1

    def test_report_and_plot_in_one_file(self, command: Command, here: Path) -> None:
        message = command.fails("localize", "g.y", *RANKED, "-o", "x.svg", "--plot", "./x.svg")
        assert message == "-o and --plot name the same file; name two"
        assert not (here / "x.svg").exists()

    def test_no_space_left(self) -> None:
        with Path("/dev/full").open("wb") as full:
            process = start("spectra", *TOY, stdout=full)
            _, err = process.communicate()
        assert process.returncode == 2
        assert err.decode() == (
            "gramspect: error: the output cannot be written (No space left on device)\n"
        )

    def test_a_reader_that_has_enough(self) -> None:
        process = start("generate", FAULTY, "--random", "100000", "--seed", "1")
        assert process.stdout is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 128 + signal.SIGPIPE
        process.stderr.close()

    def test_a_pipe_by_its_name(self) -> None:
        process = start("spectra", *TOY, "-o", "/dev/stdout")
        out, err = process.communicate()
        assert (process.returncode, err) == (0, b"")
        assert out.startswith(b"#tests\n")


class TestOptions:
    @pytest.mark.parametrize("option", ["--timeout", "--budget"])
    def test_nan_is_no_number(self, command: Command, option: str) -> None:
        assert "'nan' is not a number" in command.fails("localize", *TOY, option, "nan")

    def test_nan_percent(self, command: Command) -> None:
        assert "'nan' is not a number" in command.fails("coverage", *TOY, "--fail-under", "nan")

    def test_suffix(self, command: Command) -> None:
        for suffix in ("/../x", "a\0b", "x" * 300):
            message = command.fails("blackbox", FAULTY, "--command", "cat", "--suffix", suffix)
            assert message.startswith("no file name ends in ")

    def test_criterion(self, command: Command) -> None:
        message = command.fails("generate", FAULTY, "--criterion", "nix")
        assert message.startswith("there is no criterion 'nix'; there are: symbol, ")
        message = command.fails("generate", FAULTY, "--criterion", "cdrd")
        assert message.startswith("there is no criterion 'cdrd'; did you mean 'cdrc'? There are: ")

    def test_what_does_not_go_together(self, command: Command) -> None:
        for args in (
            ("suggest", *TOY, "--only", "1", "--apply", "1", "-o", "x"),
            ("suggest", *TOY, "--only", "1", "--format", "json"),
            ("suggest", *TOY, "--apply", "1", "--format", "json", "-o", "x"),
            ("debug", *TOY, "--format", "json"),
        ):
            assert command.fails(*args).startswith("--")

    @pytest.mark.parametrize("name", ["localize", "coverage", "suggest", "spectra", "debug"])
    def test_unknown_to_the_adapter(self, command: Command, name: str) -> None:
        message = command.fails(name, *TOY, "--option", "metod=canonical")
        assert message == "the adapter native has no --option metod; it has method"

    def test_of_other_adapters(self, command: Command) -> None:
        message = command.fails("localize", *TOY, "--adapter", "chart", "--case", "upper")
        assert message == "the adapter chart has no --case; it has none"
        message = command.fails("generate", FAULTY, "--allow-trailing")
        assert message == "the adapter native has no --allow-trailing; it has method"

    def test_suites_everywhere(self, command: Command, tmp_path: Path) -> None:
        suite = tmp_path / "suite.jsonl"
        assert command("generate", FAULTY, "-o", suite).status == 0
        answer = command("coverage", FAULTY, "--suite", suite, "--format", "json")
        assert answer.json["tests"]["total"] > 0
        answer = command("compare", FAULTY, "--suite", suite, "--adapters", "native,chart")
        assert "All techniques agree" in answer.out


HANGING = r"""
import time
from ply import lex, yacc

tokens = ("A", "B")
t_A = "a"
t_ignore = " "

def t_B(t):
    "b"
    while True:
        time.sleep(1)

def t_error(t):
    t.lexer.skip(1)

def p_s(p):
    "s : A A"

def p_error(p):
    pass

lexer = lex.lex()
parser = yacc.yacc(debug=False, write_tables=False)
"""


class TestHangingLexers:
    """A time limit holds for all that asks the lexer, not only for the parse."""

    @pytest.mark.parametrize(
        "args",
        [
            pytest.param(("localize", "--evidence", "edits"), id="localize"),
            pytest.param(("suggest",), id="suggest", marks=pytest.mark.slow),
            pytest.param(("coverage", "--k-paths", "2"), id="coverage"),
        ],
    )
    def test(self, command: Command, tmp_path: Path, args: tuple[str, ...]) -> None:
        grammar, tests = tmp_path / "hanging.py", tmp_path / "ok.txt"
        grammar.write_text(HANGING)
        tests.write_text("a a\na\na b\n")
        answer = command(
            args[0], grammar, "--accept", tests, "--lines", "--timeout", "1", *args[1:]
        )
        assert answer.status == (0 if args[0] == "coverage" else 1)
        assert answer.err == ""


def test_comparing_with_a_hanging_lexer(command: Command, tmp_path: Path) -> None:
    grammar, tests = tmp_path / "hanging.py", tmp_path / "ok.txt"
    grammar.write_text(HANGING)
    tests.write_text("a a\na\na b\n")
    answer = command(
        "compare", grammar, "--accept", tests, "--lines", "--timeout", "1", "--adapters", "chart"
    )
    assert answer.status == 1
    assert "1 of 3 tests are left out: the grammar's own tool fails on them" in answer.out


def test_comparing_where_nothing_ends(command: Command, tmp_path: Path) -> None:
    grammar, tests = tmp_path / "hanging.py", tmp_path / "ok.txt"
    grammar.write_text(HANGING)
    tests.write_text("a b\n")
    message = command.fails("compare", grammar, "--accept", tests, "--lines", "--timeout", "1")
    assert message.endswith(
        "hanging.py: its own tool fails on every test within the time limit; give it more with"
        " --timeout"
    )


def test_comparing_sources_gives_each_its_own_options(tmp_path: Path) -> None:
    (tmp_path / "g.y").write_text(GRAMMAR)
    (tmp_path / "g.lark").write_text('start: "a" start "b" | "a" "b"\n%ignore " "\n')
    sources = [str(tmp_path / "g.y"), str(tmp_path / "g.lark")]
    suite = TestSuite.from_texts(["a b"])
    result = compare(
        sources, suite, load=LoadOptions(extra={"method": "canonical", "lexer": "basic"})
    )
    assert not result.any_failing
    assert [technique.refusal for technique in result.techniques] == [None, None]
    with pytest.raises(GramspectError, match="no --option nix"):
        compare(sources, suite, load=LoadOptions(extra={"nix": "1"}))


def test_an_interrupt_before_anything_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def look(_: Debugger) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Debugger, "look", look)
    with pytest.raises(KeyboardInterrupt):
        debug(FAULTY, TestSuite.load([ACCEPT], lines=True))
