"""What systems say: programs and functions, their messages, and how they misbehave."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from command import ROOT
from gramspect.blackboxes.answers import Answer, Place, Reaction, Wording
from gramspect.blackboxes.asking import Interview, System
from gramspect.blackboxes.callables import InProcess, PythonCallable
from gramspect.blackboxes.commands import Command
from gramspect.blackboxes.places import Rejection, error_tokens
from gramspect.errors import GramspectError
from processes import is_gone

SYSTEMS = str(ROOT / "tests" / "core" / "blackbox_systems.py")
PYTHON = sys.executable


def program(tmp_path: Path, code: str, arguments: str = "") -> str:
    """A command that runs Python code."""
    path = tmp_path / "program.py"
    path.write_text(code)
    return f"'{PYTHON}' -S '{path}' {arguments}"


def ask(system: System, *texts: str, **limits: float) -> list[Answer]:
    timeout = limits.get("timeout")
    return list(system.ask(texts, timeout=timeout, jobs=int(limits.get("jobs", 1))))


class TestWording:
    @pytest.mark.parametrize(
        ("pattern", "message", "offset"),
        [
            (r"line (?P<line>\d+) column (?P<column>\d+)", "line 2 column 3", 5),
            (r"(?P<line>\d+):(?P<column0>\d+)", "2:2 unexpected", 5),
            (r"char (?P<offset>\d+)", "at char 5", 5),
            (r"col (?P<column>\d+)", "col 2", 1),
            (r"(?P<end>end of file)", "unexpected end of file", 8),
            (r"line (?P<line>\d+) column (?P<column>\d+)", "line 9 column 1", 8),
            (r"line (?P<line>\d+) column (?P<column>\d+)", "line 1 column 99", 2),
            (r"char (?P<offset>\d+)", "at char 500", 8),
        ],
    )
    def test_positions(self, pattern: str, message: str, offset: int) -> None:
        text = "ab\ncdefg"
        assert Wording(positions=(pattern,)).place(message, text) == Place(offset)

    def test_the_first_pattern_that_is_found_counts(self) -> None:
        wording = Wording(positions=(r'near "(?P<near>.*)":', r"(?P<end>incomplete)"))
        assert wording.place('near "x": error', "a x") == Place(None, "x")
        assert wording.place("incomplete input", "a x") == Place(3)
        assert wording.place("something else", "a x") == Place()

    def test_what_is_a_syntax_error(self) -> None:
        assert Wording().is_syntax_error("anything")
        assert not Wording().speaks_of_syntax("anything")
        assert Wording(("syntax",)).is_syntax_error("a syntax error")
        assert not Wording(("syntax",)).is_syntax_error("no such table")

    def test_patterns_are_checked(self) -> None:
        with pytest.raises(GramspectError, match="is no regular expression"):
            Wording(("(",))
        with pytest.raises(GramspectError, match="has no named group"):
            Wording(positions=(r"line (\d+)",))


class TestCommands:
    def test_files_and_standard_input(self, tmp_path: Path) -> None:
        code = (
            "import sys; sys.exit((open(sys.argv[1]) if sys.argv[1:] else sys.stdin).read()!='a')"
        )
        for arguments in ("{file}", ""):
            system = Command(program(tmp_path, code, arguments))
            assert [a.reaction for a in ask(system, "a", "b", "a")] == [
                Reaction.ACCEPTED, Reaction.SYNTAX, Reaction.ACCEPTED,
            ]  # fmt: skip

    def test_the_text_arrives_as_it_is(self, tmp_path: Path) -> None:
        code = "import sys; data = open(sys.argv[1], 'rb').read(); print(data.hex()); sys.exit(1)"
        system = Command(program(tmp_path, code, "{file}"), suffix=".x")
        text = 'é\r\n"; rm -rf $HOME\t'
        assert ask(system, text)[0].message == text.encode().hex()

    def test_no_shell_runs(self, tmp_path: Path) -> None:
        code = "import sys; print(sys.argv[1:]); sys.exit(1)"
        [answer] = ask(Command(program(tmp_path, code, "'$HOME' ';' '>x' *")), "")
        assert answer.message == "['$HOME', ';', '>x', '*']"

    def test_statuses_and_patterns(self, tmp_path: Path) -> None:
        code = "import sys; t = sys.stdin.read(); print(t, file=sys.stderr); sys.exit(int(t[0]))"
        wording = Wording(("syntax",), (r"at (?P<offset>\d+)",))
        system = Command(program(tmp_path, code), wording, accepted=(0, 4))
        assert ask(system, "0", "1 type", "2 syntax at 3", "4", "0 syntax") == [
            Answer(Reaction.ACCEPTED),
            Answer(Reaction.OTHER, "1 type"),
            Answer(Reaction.SYNTAX, "2 syntax at 3", Place(3)),
            Answer(Reaction.ACCEPTED),
            Answer(Reaction.SYNTAX, "0 syntax"),
        ]

    def test_answers_come_in_order(self, tmp_path: Path) -> None:
        code = (
            "import sys, time; t = sys.stdin.read(); time.sleep(0.2 * (t == '0'));"
            "print(t); sys.exit(1)"
        )
        texts = [str(number) for number in range(12)]
        found = ask(Command(program(tmp_path, code)), *texts, jobs=3)
        assert [answer.message for answer in found] == texts

    def test_hanging(self, tmp_path: Path) -> None:
        code = "import sys, time; time.sleep(1000 * (sys.stdin.read() == 'x'))"
        found = ask(Command(program(tmp_path, code)), "x", "y", timeout=1)
        assert found == [
            Answer(Reaction.NONE, "time limit of 1 s"), Answer(Reaction.ACCEPTED),
        ]  # fmt: skip

    @pytest.mark.slow
    def test_what_a_hanging_program_started_ends_with_it(self, tmp_path: Path) -> None:
        pid = tmp_path / "pid"
        script = f"sleep 1000 & echo $! > '{pid}'; wait"
        [answer] = ask(Command(shlex.join(["sh", "-c", script])), "", timeout=3)
        assert answer == Answer(Reaction.NONE, "time limit of 3 s")
        assert is_gone(int(pid.read_text()))

    def test_crashing(self, tmp_path: Path) -> None:
        code = "import os; os.kill(os.getpid(), 11)"
        [answer] = ask(Command(program(tmp_path, code)), "")
        assert answer == Answer(Reaction.NONE, "the program died (SIGSEGV)")

    def test_a_flood(self, tmp_path: Path) -> None:
        code = "while True: print('x' * 1000)"
        [answer] = ask(Command(program(tmp_path, code)), "", timeout=100)
        assert answer == Answer(Reaction.NONE, "it wrote more than 8 MiB and was stopped")

    def test_much_output_is_shortened(self, tmp_path: Path) -> None:
        code = "import sys; print('x' * 3_000_000); sys.exit(1)"
        [answer] = ask(Command(program(tmp_path, code)), "")
        assert answer.reaction is Reaction.SYNTAX
        assert answer.message == "x" * 297 + "..."

    def test_output_that_is_not_utf8(self, tmp_path: Path) -> None:
        code = "import sys; sys.stderr.buffer.write(b'\\xff\\n\\tno'); sys.exit(1)"
        [answer] = ask(Command(program(tmp_path, code)), "")
        assert answer.message == "\ufffd no"

    def test_a_program_that_does_not_read_its_input(self, tmp_path: Path) -> None:
        [answer] = ask(Command(program(tmp_path, "pass")), "x" * 1_000_000)
        assert answer == Answer(Reaction.ACCEPTED)

    @pytest.mark.parametrize("line", ["", "  ", "no-such-program {file}", "'open"])
    def test_no_program(self, line: str) -> None:
        with pytest.raises(GramspectError):
            Command(line)


class TestFunctions:
    def test_what_exceptions_tell(self) -> None:
        system = PythonCallable("json:loads")
        assert ask(system, "[1]", "[1;]", "false") == [
            Answer(Reaction.ACCEPTED),
            Answer(
                Reaction.SYNTAX,
                "JSONDecodeError: Expecting ',' delimiter: line 1 column 3 (char 2)",
                Place(2),
            ),
            Answer(Reaction.ACCEPTED),
        ]
        [answer] = ask(PythonCallable("ast:parse"), "x = (1 +\n 2))")
        assert answer.place == Place(12)

    def test_other_errors(self) -> None:
        system = PythonCallable(f"{SYSTEMS}:hates_numbers", Wording(("JSONDecodeError",)))
        assert [a.reaction for a in ask(system, "[]", "1", "[")] == [
            Reaction.ACCEPTED, Reaction.OTHER, Reaction.SYNTAX,
        ]  # fmt: skip

    def test_answers_are_passed_on(self) -> None:
        assert ask(PythonCallable(f"{SYSTEMS}:answers"), "null")[0].place == Place(near="null")

    @pytest.mark.parametrize(
        ("function", "reason"),
        [
            ("hangs_on_null", "time limit of 1 s"),
            ("dies_on_null", "the parser's process died (SIGKILL)"),
        ],
    )
    def test_one_input_is_lost(self, function: str, reason: str) -> None:
        found = ask(PythonCallable(f"{SYSTEMS}:{function}"), "1", "null", "[", timeout=1)
        assert [answer.reaction for answer in found] == [
            Reaction.ACCEPTED, Reaction.NONE, Reaction.SYNTAX,
        ]  # fmt: skip
        assert found[1].message == reason

    def test_functions_that_leave(self) -> None:
        [left] = ask(PythonCallable(f"{SYSTEMS}:exits"), "abc")
        assert left == Answer(Reaction.NONE, "the parser raised SystemExit: 3")
        [deep] = ask(PythonCallable(f"{SYSTEMS}:too_deep"), "1")
        assert deep.reaction is Reaction.NONE
        assert deep.message.startswith("it raised RecursionError")

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("json", "names no function"),
            ("json:", "names no function"),
            ("nosuchmodule:loads", "cannot be loaded .ModuleNotFoundError"),
            ("json:nosuch", "cannot be loaded .AttributeError"),
            ("nosuch.py:f", "there is no such file"),
            (f"{SYSTEMS}:NOT_CALLABLE", "is no function but int"),
        ],
    )
    def test_no_function(self, name: str, reason: str) -> None:
        with pytest.raises(GramspectError, match=reason):
            ask(PythonCallable(name), "1")


class TestAsking:
    def test_each_text_is_asked_once(self) -> None:
        asked: list[str] = []
        known = {"b": Answer(Reaction.OTHER, "known")}
        interview = Interview(InProcess(asked.append), known)
        found = interview.answers(["a", "b", "a", "c"])
        assert [answer.message for answer in found] == ["", "known", "", ""]
        assert asked == ["a", "c"]
        assert interview.n_asked == 2
        assert list(known) == ["b", "a", "c"]

    def test_silence_is_not_remembered(self) -> None:
        known: dict[str, Answer] = {}
        interview = Interview(PythonCallable(f"{SYSTEMS}:dies_on_null"), known)
        found = interview.answers(["1", "null"])
        assert [answer.reaction for answer in found] == [Reaction.ACCEPTED, Reaction.NONE]
        assert list(known) == ["1"]

    def test_a_system_that_never_answers(self, tmp_path: Path) -> None:
        system = Command(program(tmp_path, "import os; os.abort()"))
        with pytest.raises(GramspectError, match="none of the first 10 inputs: the program died"):
            Interview(system, {}).answers([str(number) for number in range(50)])


class TestPlaces:
    @staticmethod
    def first_error(text: str) -> int | None:
        """An LL parser of ``a b a b ...``: the index of the first token out of turn."""
        words = text.split()
        wrong = (i for i, word in enumerate(words) if word != "ab"[i % 2])
        return next(wrong, None if words and len(words) % 2 == 0 else len(words))

    def near(self, text: str) -> Answer:
        error, words = self.first_error(text), text.split()
        if error is None:
            return Answer(Reaction.ACCEPTED)
        if error == len(words):
            return Answer(Reaction.SYNTAX, "incomplete", Place(len(text)))
        return Answer(Reaction.SYNTAX, "near", Place(near=words[error]))

    @pytest.mark.parametrize("text", ["a b a a", "b", "a", "a a", "a b b a b", "a b c b", "a b a"])
    def test_a_token_that_occurs_several_times_is_found(self, text: str) -> None:
        interview = Interview(InProcess(self.near), {})
        starts = [2 * i for i in range(len(text.split()))]
        found = error_tokens([Rejection(text, [*starts, len(text)], self.near(text))], interview)
        assert found == [self.first_error(text)]

    @pytest.mark.parametrize(
        ("offset", "token"),
        [(0, 0), (1, 0), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2), (7, 2), (8, 3)],
    )
    def test_offsets(self, offset: int, token: int) -> None:
        """White space belongs to the token after it."""
        rejection = Rejection("ab cd ef", [0, 3, 6, 8], Answer(Reaction.SYNTAX, "", Place(offset)))
        assert error_tokens([rejection], Interview(InProcess(json.loads), {})) == [token]

    def test_what_is_not_told_is_not_known(self) -> None:
        interview = Interview(InProcess(json.loads), {})
        for place in (Place(), Place(near="zz")):
            rejection = Rejection("a b", [0, 2, 3], Answer(Reaction.SYNTAX, "", place))
            assert error_tokens([rejection], interview) == [None]

    def test_case_may_differ(self) -> None:
        rejection = Rejection("a B", [0, 2, 3], Answer(Reaction.SYNTAX, "", Place(near="b")))
        assert error_tokens([rejection], Interview(InProcess(json.loads), {})) == [1]
