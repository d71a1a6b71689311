"""What goes wrong on ordinary days: each has one line that says what to do, and its exit status."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from command import ACCEPT, CORRECT, FAULTY, Command, run
from gramspect.localization import localize as localization

TOY = ("localize", FAULTY, "--accept", ACCEPT, "--lines")

PLY = """
import os, sys
from ply import lex, yacc

tokens = ("WORD",)
literals = "()"
t_WORD = r"[a-z]+"
t_ignore = " "

def t_error(t):
    t.lexer.skip(1)

def p_s(p):
    '''s : WORD
         | '(' s ')' '''
    if p[1] == "endless":
        while True:
            pass
    if p[1] == "gone":
        os._exit(9)
    if p[1] == "exit":
        sys.exit(7)
    if p[1] == "deep":
        p_s(p)
    print("reduced", p[1])
    print("reduced", p[1], file=sys.stderr)

def p_error(p):
    print("Syntax error", p)

lexer = lex.lex()
parser = yacc.yacc(debug=False, write_tables=False)
print("loaded")
"""


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


class TestGrammars:
    def test_missing(self, command: Command) -> None:
        message = command.fails("localize", "nix.y", *TOY[2:])
        assert message == "nix.y: there is no such file; check the path"

    def test_a_folder(self, command: Command, tmp_path: Path) -> None:
        folder = tmp_path / "g.y"
        folder.mkdir()
        assert "is a directory; name a" in command.fails("localize", folder, *TOY[2:])

    def test_of_no_known_kind(self, command: Command, tmp_path: Path) -> None:
        source = write(tmp_path / "g.abc", "")
        assert command.fails("localize", source, *TOY[2:]) == (
            f"{source}: no adapter takes this kind of grammar (.abc); name one with --adapter"
        )

    @pytest.mark.parametrize(
        ("text", "place", "message"),
        [
            ("", "1:1", "the grammar has no rules; write them after %%"),
            ("%%\ns : 'a'\n  { x = 1;\n", "3:3", "does not end; close it with }"),
            ("%%\ns : 'a\n  ;\n", "2:5", "does not end; close it with '"),
            ("%token A\n%%\nA : 'x' ;\n", "1:8", "declared as a token and also has a rule"),
            ("%start t\n%%\ns : 'x' ;\n", "1:8", "the start symbol 't' has no rule"),
            ("%%\ns : 'x' %prec s ;\n", "2:15", "%prec names 's', which has rules; name a token"),
            ("%%\n: 'x' ;\n", "2:1", ""),
            ("/* %%\ns : 'x' ;\n", "1:1", "does not end; close it with */"),
        ],
    )
    def test_broken(
        self, command: Command, tmp_path: Path, text: str, place: str, message: str
    ) -> None:
        source = write(tmp_path / "broken.y", text)
        found = command.fails("localize", source, *TOY[2:])
        assert found.startswith(f"{source}:{place}: ")
        assert message in found

    def test_binary(self, command: Command, tmp_path: Path) -> None:
        source = write(tmp_path / "g.y", b"%%\n\0\1\2")
        assert "is not a text file" in command.fails("localize", source, *TOY[2:])

    def test_unknown_start_symbol(self, command: Command) -> None:
        assert command.fails(*TOY, "--start", "stmst") == (
            "the start symbol 'stmst' has no rule; did you mean stmt or stmts?"
        )

    def test_a_name_that_could_move_the_cursor(self, command: Command) -> None:
        message = command.fails("localize", "\x1b[2Jnix.y", *TOY[2:])
        assert message.startswith("\\x1b[2Jnix.y: ")


class TestArguments:
    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (["localise"], "No such command 'localise' (did you mean 'localize'?); see gramspect"),
            (["frobnicate"], "No such command 'frobnicate'; see gramspect --help"),
            (["Calc.g4"], "No such command 'Calc.g4'; as in gramspect localize Calc.g4; see"),
            (["localize"], "name a grammar, as in gramspect localize Calc.g4 --accept tests/, or"),
            (["debug"], "Missing argument 'GRAMMAR'; see gramspect debug --help"),
            ([*TOY, "--metrik", "x"], "No such option '--metrik'"),
            ([*TOY, "--spectrum", "itme"], "'itme' is not one of 'rule', 'item', 'shift'"),
            ([*TOY, "--top", "0"], "Invalid value for '--top'"),
            ([*TOY, "--jobs", "none"], "Invalid value for '--jobs'"),
            ([*TOY, "--timeout", "0"], "Invalid value for '--timeout'"),
            (
                [*TOY, "--metric", "ochai"],
                "there is no ranking metric 'ochai'; there are: dstar, jaccard, ochiai, op2,"
                " tarantula, zoltar",
            ),
            ([*TOY, "--adapter", "plyy"], "there is no adapter 'plyy'; installed are: "),
        ],
    )
    def test_unusable(self, command: Command, args: list[str], message: str) -> None:
        assert message in command.fails(*args)


class TestSuites:
    def test_no_tests(self, command: Command) -> None:
        assert command.fails("localize", FAULTY) == (
            "there are no tests; name files or folders with --accept or --reject"
        )

    def test_a_missing_path(self, command: Command) -> None:
        assert command.fails("localize", FAULTY, "--reject", "nix") == (
            "nix: there is no such file or folder; check the path"
        )

    def test_contradicting_expectations(self, command: Command, tmp_path: Path) -> None:
        ok, no = write(tmp_path / "ok", "x\n"), write(tmp_path / "no", "x\n")
        assert command.fails("localize", FAULTY, "--accept", ok, "--reject", no) == (
            f"{no}: the same text is to be accepted ({ok}) and to be rejected ({no}); "
            "remove one of them"
        )

    def test_without_failing_tests(self, command: Command) -> None:
        answer = command("localize", CORRECT, *TOY[2:])
        assert (answer.status, answer.err) == (0, "")
        assert answer.out.startswith(
            "No test fails, so there is nothing to rank: 16 tests passed.\n"
        )

    def test_without_passing_tests(self, command: Command, tmp_path: Path) -> None:
        answer = command("localize", FAULTY, "--accept", write(tmp_path / "a", "program id id"))
        assert (answer.status, answer.err) == (1, "")
        assert (
            "note: no test passes, so the counts cannot tell faults from what every test uses;"
            " add passing tests\n"
        ) in answer.out


class TestInput:
    def test_binary(self, command: Command, tmp_path: Path) -> None:
        data = write(tmp_path / "data", bytes(range(256)))
        answer = command("localize", FAULTY, "--accept", data, "--format", "json")
        assert answer.status == 1
        error = answer.json["tests"]["failing"][0]["error"]
        assert (error["kind"], error["token"]) == ("lexical", 0)
        assert [note["message"] for note in answer.json["warnings"] if note["code"] == "suite"] == [
            f"1 file is not UTF-8 and was read as Latin-1 ({data})"
        ]
        shown = command("localize", FAULTY, "--accept", data)
        assert "\0" not in shown.out
        assert "\x1b" not in shown.out

    @pytest.mark.slow
    def test_five_megabytes(self, command: Command, tmp_path: Path) -> None:
        lines = "    id =      id +         num ;\n".ljust(100) * 50_000
        big = write(tmp_path / "big", "program id = {\n" + lines + "sleep } .")
        assert big.stat().st_size > 5_000_000
        answer = command("localize", FAULTY, "--accept", big, "--format", "json")
        assert answer.status == 1
        error = answer.json["tests"]["failing"][0]["error"]
        assert (error["token"], error["line"]) == (300_005, 50_002)

    def test_five_megabytes_without_structure(self, command: Command, tmp_path: Path) -> None:
        big = write(tmp_path / "big", bytes(range(1, 256)) * 20_000)
        answer = command("localize", FAULTY, "--reject", big)
        assert (answer.status, answer.err) == (0, "")

    @pytest.mark.parametrize("adapter", ["native", pytest.param("chart", marks=pytest.mark.slow)])
    def test_nested_parentheses(self, command: Command, tmp_path: Path, adapter: str) -> None:
        nested = "( " * 10_000 + "id " + ") " * 10_000
        good = write(tmp_path / "good", f"program id = {{ id = {nested} ; }} .")
        bad = write(tmp_path / "bad", f"program id = {{ id = ( {nested} ; }} .")
        tests = ("--accept", good, bad)
        answer = command("localize", FAULTY, "--adapter", adapter, *tests, "--format", "json")
        assert answer.status == 1
        (failing,) = answer.json["tests"]["failing"]
        assert (failing["name"], failing["error"]["token"]) == (str(bad), 20_008)

    def test_nested_parentheses_in_ply(self, command: Command, tmp_path: Path) -> None:
        source = write(tmp_path / "nest_parser.py", PLY)
        test = write(tmp_path / "test", "(" * 10_000 + "x" + ")" * 10_000)
        answer = command("localize", source, "--accept", test)
        assert (answer.status, answer.err) == (0, "")


class TestParsers:
    @pytest.fixture
    def parser(self, tmp_path: Path) -> Path:
        return write(tmp_path / "troubled_parser.py", PLY)

    def suite(self, tmp_path: Path, *texts: str) -> Path:
        return write(tmp_path / "tests", "".join(f"{text}\n" for text in texts))

    def test_a_parse_that_never_ends(self, command: Command, parser: Path, tmp_path: Path) -> None:
        tests = self.suite(tmp_path, "a", "endless", "( b")
        args = ("localize", parser, "--lines", "--accept", tests, "--timeout", "1")
        answer = command(*args)
        assert (answer.status, answer.err) == (1, "")
        assert "1 of 3 tests fails, 1 is undecided:\n" in answer.out
        assert f"1 test undecided, not counted:\n  {tests}:2: time limit of 1 s\n" in answer.out

    def test_a_parse_that_ends_the_process(
        self, command: Command, parser: Path, tmp_path: Path
    ) -> None:
        tests = self.suite(tmp_path, "gone", "a", "exit", "deep")
        args = ("localize", parser, "--lines", "--accept", tests, "--jobs", "2")
        answer = command(*args, "--format", "json")
        assert answer.status == 0
        assert answer.json["tests"]["passed"] == 1
        reasons = [test["reason"] for test in answer.json["tests"]["undecided_tests"]]
        assert reasons[0] == "the parser's process died (exit status 9)"
        assert "SystemExit: 7" in reasons[1]
        assert len(reasons) == 3

    def test_what_a_parser_prints_does_not_spoil_a_report(
        self, parser: Path, tmp_path: Path
    ) -> None:
        tests = self.suite(tmp_path, "a", "( a", "b )")
        answer = run("localize", parser, "--lines", "--accept", tests, "--format", "json")
        assert answer.status == 1
        assert answer.json["tests"]["failed"] == 2
        assert answer.err == ""


class TestOutput:
    def test_a_missing_folder(self, command: Command, tmp_path: Path) -> None:
        folder = tmp_path / "nix"
        assert command.fails(*TOY, "-o", folder / "x.json") == (
            f"{folder}/x.json: cannot be written, the folder {folder} does not exist"
        )
        assert not folder.exists()

    def test_a_folder(self, command: Command, tmp_path: Path) -> None:
        assert command.fails(*TOY, "-o", tmp_path) == (
            f"{tmp_path}: cannot be written, it is a folder; name a file"
        )

    def test_an_error_leaves_the_old_file(self, command: Command, tmp_path: Path) -> None:
        target = write(tmp_path / "report", "old")
        command.fails(*TOY, "--start", "nix", "-o", target)
        assert target.read_text() == "old"

    def test_a_full_disk_leaves_the_old_file(
        self, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        target = write(tmp_path / "report", "old")

        opened = Path.open

        def open_small(path: Path, *args: Any, **how: Any) -> Any:
            if path.parent == tmp_path and "wb" in args:
                opened(path, *args, **how).close()
                return opened(Path("/dev/full"), *args, **how)
            return opened(path, *args, **how)

        monkeypatch.setattr(Path, "open", open_small)
        message = command.fails(*TOY, "-o", target)
        assert message == f"{target}: cannot be written (No space left on device)"
        assert target.read_text() == "old"
        assert list(tmp_path.iterdir()) == [target]


class TestFaultsOfOurOwn:
    @pytest.fixture(autouse=True)
    def broken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def divide(*_: object, **__: object) -> None:
            raise ZeroDivisionError("division\nby zero")

        monkeypatch.setattr(localization, "localize", divide)

    def test_one_line(self, command: Command) -> None:
        assert command.fails(*TOY) == (
            "ZeroDivisionError: division\\nby zero (this is a fault of gramspect, please report it;"
            " GRAMSPECT_DEBUG=1 shows the traceback)"
        )

    def test_the_traceback_on_demand(
        self, command: Command, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GRAMSPECT_DEBUG", "1")
        answer = command(*TOY)
        assert answer.status == 2
        assert "Traceback" in answer.err
        assert "in divide" in answer.err
