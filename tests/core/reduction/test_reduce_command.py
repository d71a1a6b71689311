"""``gramspect reduce`` as users call it: real parsers and real programs."""

from __future__ import annotations

import os
import signal
import sys
import time
import tomllib
from pathlib import Path

import pytest

from command import ACCEPT, CORRECT, FAULTY, Command, start
from gramspect.algebra.notation import Notation
from gramspect.algebra.pattern_files import read_patterns
from gramspect.generation.sources import read_grammar
from processes import is_gone

GRAMMAR = """
%token NAME NUM
%%
start : stmts ;
stmts : stmts stmt | ;
stmt  : NAME '=' expr ';' | '{' stmts '}' ;
expr  : expr '+' expr | NUM | NAME | '(' expr ')' ;
"""
INPUT = "NAME = NUM ; { NAME = NUM + ( ( NUM ) ) ; NAME = NAME ; } NAME = NUM ;\n"

PROGRAM = """
import os, sys, time
text = open(sys.argv[1]).read() if len(sys.argv) > 1 else sys.stdin.read()
if "( (" in text:
    {}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.y").write_text(GRAMMAR)
    (tmp_path / "in.txt").write_text(INPUT)
    return tmp_path


def program(here: Path, body: str) -> str:
    """A command that does something if its input has a doubled parenthesis."""
    (here / "program.py").write_text(PROGRAM.format(body))
    # -I and -S, for it is started hundreds of times: without the path and packages of a user.
    return f"{sys.executable} -I -S program.py {{file}}"


SMALL = "NAME = ( ( NUM ) ) ;"


class TestPrograms:
    def test_the_status_of_the_whole_input_is_kept(self, command: Command, here: Path) -> None:
        answer = command("reduce", "g.y", "in.txt", "--command", program(here, "sys.exit(7)"))
        assert (answer.status, answer.out.strip()) == (0, SMALL)
        assert "24 tokens became 8 tokens" in answer.err

    @pytest.mark.parametrize(
        ("body", "options"),
        [
            ("sys.exit(7)", ["--status", "7"]),
            ("print('it went wrong', file=sys.stderr)", ["--message", "went wrong"]),
            ("os.kill(os.getpid(), 11)", ["--signal", "segv"]),
            ("os.kill(os.getpid(), 11)", []),
        ],
    )
    def test_what_is_asked_for_is_kept(
        self, command: Command, here: Path, body: str, options: list[str]
    ) -> None:
        line = program(here, body)
        answer = command("reduce", "g.y", "in.txt", "--command", line, *options, "-o", "out.txt")
        assert (answer.status, answer.out) == (0, "")
        assert (here / "out.txt").read_text().strip() == SMALL

    def test_standard_input(self, command: Command, here: Path) -> None:
        line = program(here, "sys.exit(7)").removesuffix("{file}")
        assert command("reduce", "g.y", "in.txt", "--command", line).out.strip() == SMALL

    def test_one_that_hangs_is_ended_with_all_that_it_started(
        self, command: Command, here: Path
    ) -> None:
        """On a busy machine, too: what ends at once is a shell, which starts in milliseconds."""
        (here / "in.txt").write_text(f"{SMALL} NAME = NUM ;\n")
        (here / "program.sh").write_text(
            'if grep -q "( (" "$1"; then sleep 7725 & echo $! >> started; sleep 7726; fi\n'
        )
        options = ("--timeout", "1", "--format", "json")
        answer = command("reduce", "g.y", "in.txt", "--command", "sh program.sh {file}", *options)
        assert answer.json["text"].strip() == SMALL
        assert answer.json["keeps"] == ["does not end in time"]
        started = (here / "started").read_text().split()
        assert len(started) > 1
        assert all(is_gone(int(one)) for one in started)

    def test_ctrl_c_writes_the_best_so_far(self, here: Path) -> None:
        line = program(here, "open('seen', 'a').write('.'); time.sleep(0.3); sys.exit(7)")
        process = start("reduce", "g.y", "in.txt", "--command", line, "-o", "out.txt", cwd=here)
        while not (here / "seen").exists() or len((here / "seen").read_text()) < 4:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGINT)
        _, err = process.communicate()
        assert process.returncode == 130
        assert b"this is the best so far" in err
        assert "( (" in (here / "out.txt").read_text()

    def test_the_budget_ends_it(self, command: Command, here: Path) -> None:
        line = program(here, "sys.exit(7)")
        answer = command("reduce", "g.y", "in.txt", "--command", line, "--calls", "5")
        assert answer.status == 1
        assert "( (" in answer.out
        assert "the budget is used up" in answer.err


class TestParsers:
    @pytest.fixture
    def failing(self, here: Path) -> Path:
        body = Path(ACCEPT).read_text().splitlines()
        inner = [line.removeprefix("program id = {").removesuffix("} .") for line in body]
        wrong = next(each for each in inner if "while" in each)
        text = f"program id = {{ {wrong} sleep ; {{ sleep ; id = ( id + num ) ; }} ; }} .\n"
        (here / "failing.txt").write_text(text)
        return here / "failing.txt"

    def test_a_reference_says_what_is_a_sentence(self, command: Command, failing: Path) -> None:
        answer = command("reduce", FAULTY, failing, "--reference", CORRECT)
        assert answer.status == 0
        assert answer.out.strip() == "program id = { while id do sleep ; } ."

    def test_without_one_the_place_is_kept(self, command: Command, failing: Path) -> None:
        answer = command("reduce", FAULTY, failing)
        assert answer.status == 0
        assert answer.out.strip() == "program id = { while id do sleep"
        assert "no reference says" in answer.err

    def test_what_should_be_rejected(self, command: Command, here: Path) -> None:
        (here / "strict.y").write_text(GRAMMAR.replace(" | '(' expr ')'", ""))
        answer = command("reduce", "g.y", "in.txt", "--accepted", "--reference", "strict.y")
        assert answer.status == 0
        assert answer.out.split() == "NAME = ( NUM ) ;".split()


class TestMistakes:
    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ((), "the input does not fail: the predicate does not hold for it"),
            (("--command", "true"), "the input does not fail: the program ends with status 0"),
            (("--command", "true"), "say with --status, --signal or --message what"),
            (("--command", "false"), "it does not tell inputs that fail from others"),
            (("--command", "no-such-program"), "'no-such-program' is not found"),
            (("--command", "true 'x"), "is not complete"),
            (("--status", "1"), "--status is about a program; name it with --command"),
            (("--signal", "SEGV"), "--signal is about a program"),
            (("--command", "true", "--signal", "nosuch"), "there is no such signal"),
            (("--command", "true", "--reference", "g.y"), "leave out --reference"),
            (("--command", "true", "--status", "1", "--signal", "SEGV"), "leave out one"),
            (("-o", "in.txt"), "in.txt is the input itself; name another file with -o"),
            (("-o", "nowhere/out.txt"), "does not exist"),
        ],
    )
    def test_each_is_one_line(
        self, command: Command, here: Path, options: tuple[str, ...], said: str
    ) -> None:
        assert said in command.fails("reduce", "g.y", "in.txt", *options)
        assert (here / "in.txt").read_text() == INPUT

    def test_no_input(self, command: Command, here: Path) -> None:
        assert "no such file" in command.fails("reduce", "g.y", "none.txt")
        assert "is a folder" in command.fails("reduce", "g.y", here)


class TestPatterns:
    @pytest.mark.slow
    def test_what_can_be_anything(self, command: Command, here: Path) -> None:
        line = program(here, "sys.exit(7)")
        options = ("--name", "double", "--trials", "15", "-o", "p.toml")
        answer = command("abstract", "g.y", "in.txt", "--command", line, *options)
        assert answer.status == 0
        assert answer.out == "<stmts> NAME = ( ( <expr> ) ) ;\n"
        stored = tomllib.loads((here / "p.toml").read_text())["double"]
        assert (stored["trials"], stored["confidence"]) == (15, 0.95)
        assert stored["fails_at_least"] == round(0.05 ** (1 / 15), 3)
        notation = Notation.of(read_grammar("g.y")[0])
        (named,) = read_patterns("p.toml", notation).values()
        assert notation.text(named.pattern) == stored["pattern"]
        assert not named.pattern.is_concrete

    def test_what_makes_no_sense_does_not_count(self, command: Command, here: Path) -> None:
        line = program(here, "sys.exit(7 if 'NAME ) )' not in text else print('undefined'))")
        args = ("abstract", "g.y", "in.txt", "--command", line, "--status", "7")
        strict = command(*args)
        loose = command(*args, "--invalid", "undefined")
        assert "<expr>" not in strict.out
        assert "( ( <expr> ) )" in loose.out
        assert "made no sense" in loose.err

    def test_the_same_seed_draws_the_same(self, command: Command, here: Path) -> None:
        line = program(here, "sys.exit(7)")
        first, second = (
            command("abstract", "g.y", "in.txt", "--command", line, "--seed", "3", "--trials", "4")
            for _ in range(2)
        )
        assert first.out == second.out

    def test_no_sentence_has_no_pattern(self, command: Command, here: Path) -> None:
        (here / "in.txt").write_text("NAME = ( ( ; ;")
        line = program(here, "sys.exit(7)")
        answer = command("abstract", "g.y", "in.txt", "--command", line)
        assert answer.status == 2
        assert "it has no pattern" in answer.err
