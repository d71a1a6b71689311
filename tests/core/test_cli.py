"""The command line: what it answers, where it writes, and how it ends."""

import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command import ACCEPT, CORRECT, FAULTY, Command, run, start
from gramspect.scoring.metrics import METRICS

TOY = ("localize", FAULTY, "--accept", ACCEPT, "--lines", "--evidence", "both")


class TestLocalize:
    def test_the_faults_of_the_toy_come_first(self, command: Command) -> None:
        answer = command(*TOY, "--top", "2")
        assert answer.status == 1
        assert answer.err == ""
        assert answer.out == (
            "Perhaps `stmt`, line 34 (38% of all suspicion).\n"
            "\n"
            "2 of 16 tests fail:\n"
            f"  {ACCEPT}:6:33 should be accepted: unexpected ';'\n"
            f"  {ACCEPT}:14:28 should be accepted: unexpected 'sleep'\n"
            "\n"
            "rank  score  position  ef  ep  nf  np  where\n"
            f"  1   0.530  stmt:3:3   1   0   1  14  {FAULTY}:34:23\n"
            "             stmt -> while expr do • block\n"
            f"  2   0.385  stmt:2:4   1   1   1  13  {FAULTY}:33:27\n"
            "             stmt -> if expr then stmt • else stmt\n"
            "\n"
            "... and 22 more with a lower rank\n"
            "ef, ep: failing, passing tests that use it; nf, np: those that do not\n"
            "spectrum item, extraction exact, evidence both, metric ochiai, ties kmax\n"
            f"{FAULTY}\n"
            "adapter native · 22 rules, 8 non-terminals, 21 terminals, start symbol prog\n"
            "note: the parser tables have conflicts that no precedence resolves:"
            " 4 shift/reduce (-v shows them)\n"
        )

    def test_no_failing_test(self, command: Command) -> None:
        answer = command("localize", CORRECT, "--accept", ACCEPT, "--lines")
        assert answer.status == 0
        assert answer.out.startswith(
            "No test fails, so there is nothing to rank: 16 tests passed.\n"
        )

    def test_rules(self, command: Command) -> None:
        ranking = command(*TOY, "--spectrum", "rule", "--format", "json").json["ranking"]
        assert {row["dot"] for row in ranking} == {None}
        assert [row["label"] for row in ranking[:2]] == ["stmt:3", "stmt:2"]

    def test_groups(self, command: Command) -> None:
        ranking = command(*TOY, "--group", "--format", "json").json["ranking"]
        names = [row["nonterminal"] for row in ranking]
        assert names[0] == "stmt"
        assert len(set(names)) == len(names)

    @pytest.mark.parametrize("metric", [*METRICS, "dstar:3"])
    @pytest.mark.parametrize("ties", ["mid", "worst", "kmax"])
    def test_choices_are_passed_on(self, command: Command, metric: str, ties: str) -> None:
        value = command(
            *TOY, "--metric", metric, "--ties", ties, "--evidence", "error", "--format", "json"
        ).json
        assert (value["metric"], value["ties"], value["evidence"]) == (metric, ties, "error")

    def test_several_paths_after_one_option(self, command: Command, tmp_path: Path) -> None:
        one, two, three = (tmp_path / name for name in "abc")
        one.write_text("program id = { sleep ; } .")
        two.write_text("program id = { id = id ; } .")
        three.write_text("program")
        answer = command(
            "localize", FAULTY, "--accept", one, two, "--reject", three, "--format", "json"
        )
        assert answer.json["tests"]["total"] == 3
        assert answer.status == 0

    def test_options_may_be_repeated(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("program id = { sleep ; } .")
        (tmp_path / "b").write_text("program")
        paths = ("--accept", tmp_path / "a", "--accept", tmp_path / "b")
        assert "1 of 2 tests fails" in command("localize", FAULTY, *paths).out

    def test_wrongly_accepted(self, command: Command) -> None:
        answer = command("localize", CORRECT, "--reject", ACCEPT, "--lines")
        assert answer.status == 1
        assert f"{ACCEPT}:1 should be rejected\n" in answer.out
        assert "... and 13 more\n" in answer.out

    def test_no_passing_test(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("program")
        answer = command("localize", FAULTY, "--accept", tmp_path / "a")
        assert answer.status == 1
        assert "note: no test passes, so the counts cannot tell" in answer.out

    def test_start_symbol(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("id + id")
        answer = command("localize", FAULTY, "--start", "expr", "--accept", tmp_path / "a")
        assert answer.status == 0
        assert "start symbol expr" in answer.out

    def test_workers_find_the_same(self, command: Command) -> None:
        alone = command(*TOY, "--format", "json").json
        assert command(*TOY, "--format", "json", "--jobs", "2", "--timeout", "60").json == alone

    def test_verbose_shows_conflicts(self, command: Command) -> None:
        answer = command(*TOY, "-v")
        assert "(-v shows them)" not in answer.out
        assert answer.out.count("shift/reduce conflict in state") == 4


class TestOutput:
    def test_a_file_instead_of_standard_output(self, command: Command, tmp_path: Path) -> None:
        printed = command(*TOY, "--format", "json").out
        target = tmp_path / "report.json"
        target.write_text("old")
        answer = command(*TOY, "--format", "json", "-o", target)
        assert (answer.status, answer.out) == (1, "")
        assert target.read_text() == printed
        assert list(tmp_path.iterdir()) == [target]

    def test_a_linked_file_is_replaced_where_it_is(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / "real").write_text("old")
        (tmp_path / "link").symlink_to("real")
        command(*TOY, "-o", tmp_path / "link")
        assert (tmp_path / "link").is_symlink()
        assert "stmt:3:3" in (tmp_path / "real").read_text()

    def test_a_device_is_written_to(self, command: Command) -> None:
        assert command(*TOY, "-o", os.devnull).status == 1
        assert Path(os.devnull).is_char_device()

    def test_a_pipe_gets_no_styles(self) -> None:
        answer = run(*TOY)
        assert answer.status == 1
        assert "stmt:3:3" in answer.out
        assert "\x1b" not in answer.out

    def test_ascii_output(self) -> None:
        out = run(*TOY, env={"PYTHONIOENCODING": "ascii"}).out
        assert "stmt -> while expr do <.> block" in out

    @pytest.mark.parametrize(("no_color", "styled"), [("", True), ("1", False)])
    def test_a_terminal_gets_styles_unless_unwanted(self, no_color: str, styled: bool) -> None:
        ours, theirs = pty.openpty()
        environment = {"TERM": "xterm", "NO_COLOR": no_color}
        process = start(*TOY, stdout=theirs, env=environment)
        os.close(theirs)
        shown = b""
        while part := _read(ours):
            shown += part
        process.communicate()
        os.close(ours)
        assert b"stmt:3:3" in shown
        assert (b"\x1b[" in shown) is styled

    def test_a_reader_that_goes_away(self) -> None:
        process = start(*TOY, "-v", "--top", "1000")
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        process.wait()
        process.stderr.close()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # Linux says so when the other end is closed
        return b""


class TestManners:
    def test_version(self, command: Command) -> None:
        answer = command("--version")
        assert answer.status == 0
        assert re.fullmatch(r"gramspect \d+\.\d+\.\d+\n", answer.out)

    def test_help(self, command: Command) -> None:
        assert command().out == command("--help").out
        text = command("localize", "--help").out
        assert "Exit status" in text
        assert all(metric in text for metric in METRICS)

    def test_adapters(self, command: Command) -> None:
        answer = command("adapters")
        assert answer.status == 0
        lines = answer.out.splitlines()
        assert {"chart installed", "native installed", "ply installed"} <= {
            " ".join(line.split()[:2]) for line in lines
        }

    def test_adapters_for_programs(self, command: Command) -> None:
        value = command("adapters", "--format", "json").json
        assert value["schema"] == "gramspect/adapters/1"
        native = next(a for a in value["adapters"] if a["name"] == "native")
        assert native["missing"] is None
        assert "yacc" in native["takes"]

    def test_importing_the_package_imports_little(self) -> None:
        code = "import sys, gramspect; print(*(m for m in sys.modules if 'gramspect.' in m))"
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        assert found.stdout.split() == [b"gramspect.lazy"]

    def test_small_jobs_do_not_load_rich(self) -> None:
        code = (
            "import sys; from gramspect.cli import main\n"
            f"sys.argv = ['gramspect', *{TOY!r}]\n"
            "try: main()\n"
            "finally: print('rich' in sys.modules, file=sys.stderr)"
        )
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
        assert found.returncode == 1
        assert found.stderr == b"False\n"

    def test_an_interrupt_ends_it_and_its_workers(self, tmp_path: Path) -> None:
        (tmp_path / "loop.py").write_text(LOOP)
        (tmp_path / "a").write_text("a")
        pids = tmp_path / "pids"
        args = ("localize", tmp_path / "loop.py", "--accept", tmp_path / "a", "--timeout", "600")
        process = start(*args, env={"PIDS": str(pids)}, start_new_session=True)
        # The worker writes its number inside the parse that never ends.
        while not pids.exists() or not pids.read_text().endswith("\n"):
            time.sleep(0.05)
            assert process.poll() is None, process.stderr and process.stderr.read()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate()
        assert (process.returncode, out, err.strip()) == (130, b"", b"")
        with pytest.raises(ProcessLookupError):
            os.kill(int(pids.read_text()), 0)


LOOP = """
import os
from ply import lex, yacc

tokens = ("A",)

def t_A(t):
    "a"
    with open(os.environ["PIDS"], "w") as file:
        file.write(f"{os.getpid()}\\n")
    while True:
        pass

def t_error(t):
    raise ValueError(t)

def p_s(p):
    "s : A"

def p_error(p):
    pass

lexer = lex.lex()
parser = yacc.yacc(debug=False, write_tables=False)
"""
