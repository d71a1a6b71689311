"""``gramspect suggest`` and ``gramspect debug``."""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from command import ACCEPT, CORRECT, FAULTY, Command, run

SUGGEST = ("suggest", FAULTY, "--lines", "--accept", ACCEPT)
DEBUG = ("debug", FAULTY, "--lines", "--accept", ACCEPT)

ENDLESS = """
import ply.lex, ply.yacc
tokens = ["X"]
def t_X(t):
    r"x"
    while True: pass
def t_error(t): pass
def p_s(p): "s : X"
def p_error(p): pass
lexer = ply.lex.lex()
parser = ply.yacc.yacc(write_tables=False, debug=False)
"""


class TestSuggest:
    def test_diffs_with_what_they_achieve(self, command: Command) -> None:
        answer = command(*SUGGEST, "--most", "1")
        assert answer.status == 1
        first, *diff = answer.out.splitlines()
        assert "toy-faulty.y:33:27: in stmt, also allow the rule to end here" in first
        assert "fixes 1 of 2, breaks none" in first
        assert "confirmed with gramspect's LR parser" in first
        assert "+      | if expr then stmt" in diff
        assert "# fixed by none of these: " in answer.out
        assert "more changes with --most " in answer.out

    def test_one_alone_can_be_piped_into_patch(self, command: Command, tmp_path: Path) -> None:
        target = tmp_path / "grammar.y"
        target.write_bytes(Path(FAULTY).read_bytes())
        answer = command(*SUGGEST, "--only", "2")
        done = subprocess.run(
            ["patch", "-s", str(target)], input=answer.out.encode(), capture_output=True, check=True
        )
        assert not done.stdout
        assert target.read_text().count("\n") == Path(FAULTY).read_text().count("\n") + 1

    @pytest.mark.slow
    def test_the_number_of_suggestions_is_no_matter_of_their_order(self, command: Command) -> None:
        def numbered(most: int) -> list[str]:
            out = command(*SUGGEST, "--most", str(most)).out
            return [line for line in out.splitlines() if re.match(r"# \d+\. ", line)]

        many = numbered(4)
        assert len(many) == 4
        assert numbered(1) == many[:1]
        assert numbered(3) == many[:3]
        assert command(*SUGGEST, "--only", "4", "--most", "1").out.splitlines()[0] == many[3]

    def test_apply(self, command: Command, tmp_path: Path) -> None:
        output = tmp_path / "mended.y"
        before = Path(FAULTY).read_bytes()
        answer = command(*SUGGEST, "--apply", "1", "--apply", "2", "-o", output)
        assert (answer.status, answer.out) == (1, "")
        assert Path(FAULTY).read_bytes() == before
        assert command("localize", output, "--lines", "--accept", ACCEPT).status == 0

    def test_never_over_the_users_grammar(self, command: Command, tmp_path: Path) -> None:
        grammar = tmp_path / "grammar.y"
        grammar.write_bytes(Path(FAULTY).read_bytes())
        link = tmp_path / "link.y"
        link.symlink_to(grammar)
        for output in (grammar, link, tmp_path / "." / "grammar.y"):
            for more in (("--apply", "1"), ()):
                message = command.fails(
                    "suggest", grammar, "--lines", "--accept", ACCEPT, *more, "-o", output
                )
                assert "is the grammar itself" in message
        assert grammar.read_bytes() == Path(FAULTY).read_bytes()

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (("--apply", "1"), "--apply needs a file"),
            (("--apply", "99", "-o", "x.y"), "there is no suggestion 99; there are "),
            (("--only", "99"), "there is no suggestion 99"),
            (("--apply", "0", "-o", "x.y"), "0 is not in the range"),
        ],
    )
    def test_what_cannot_be_done(
        self,
        command: Command,
        args: tuple[str, ...],
        message: str,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert message in command.fails(*SUGGEST, *args)
        assert not list(tmp_path.iterdir())

    def test_nothing_to_suggest(self, command: Command) -> None:
        answer = command("suggest", CORRECT, "--lines", "--accept", ACCEPT)
        assert (answer.status, answer.err) == (0, "")
        assert answer.out == "No test fails, so there is nothing to suggest.\n"

    def test_what_has_no_verdict_is_said(self, command: Command, tmp_path: Path) -> None:
        parser, test = tmp_path / "endless.py", tmp_path / "test"
        parser.write_text(ENDLESS)
        test.write_text("x")
        answer = command("suggest", f"{parser}:parser", "--accept", test, "--timeout", "1")
        assert answer.status == 2
        assert answer.err.endswith("the only test could not be decided: time limit of 1 s\n")
        assert answer.out.endswith(f"1 test undecided, not counted:\n  {test}: time limit of 1 s\n")

    def test_nothing_helps(self, command: Command, tmp_path: Path) -> None:
        test = tmp_path / "test"
        test.write_text("no such tokens")
        answer = command("suggest", CORRECT, "--accept", test)
        assert answer.status == 1
        assert answer.out.startswith("No small change of the grammar was found")

    def test_nothing_was_found_in_time(self, command: Command) -> None:
        assert "in this time; --budget gives it more" in command(*SUGGEST, "--budget", "0").out

    def test_json(self, command: Command) -> None:
        value = command(*SUGGEST, "--format", "json").json
        assert value["schema"] == "gramspect/suggestions/1"
        assert len(value["failing"]) == 2
        best = value["suggestions"][0]
        assert best["status"] == "validated"
        assert best["confirmation"]["agreement"] == "confirmed"
        assert best["diff"].startswith("--- ")
        assert best["steps"] == []
        assert len(value["cover"]) == 2
        assert value["unsolved"] == []

    def test_diffs_in_a_file(self, command: Command, tmp_path: Path) -> None:
        output = tmp_path / "diffs"
        assert command(*SUGGEST, "-o", output).out == ""
        assert output.read_text() == command(*SUGGEST).out


class TestDebug:
    def test_auto(self, command: Command, tmp_path: Path) -> None:
        output = tmp_path / "mended.y"
        answer = command(*DEBUG, "--auto", "-o", output)
        assert answer.status == 0
        assert "Round 1: 2 of 16 tests fail" in answer.out
        assert "Round 2: 1 of 16 tests fails" in answer.out
        assert "round  failing  rank  change" in answer.out
        assert answer.out.endswith("All 16 tests pass.\n")
        assert command("localize", output, "--lines", "--accept", ACCEPT).status == 0

    def test_an_interrupt_leaves_the_best_so_far(
        self, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupt(_: object) -> None:
            signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr("gramspect.cli.debug._shown", interrupt)
        output = tmp_path / "mended.y"
        answer = command(*DEBUG, "--auto", "-o", output)
        assert answer.status == 130
        assert "Interrupted; this is the best so far." in answer.out
        assert "1 of 16 tests still fails." in answer.out
        result = command("localize", output, "--lines", "--accept", ACCEPT, "--format", "json")
        assert result.json["tests"]["failed"] == 1

    def test_json(self, command: Command) -> None:
        value = command(*DEBUG, "--auto", "--format", "json").json
        assert value["schema"] == "gramspect/debugging/1"
        assert [(one["failing"], one["left"]) for one in value["rounds"]] == [(2, 1), (1, 0)]
        assert (value["tests"], value["left"], value["interrupted"]) == (16, 0, False)
        assert len(value["diffs"]) == 1

    def test_choosing(
        self, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        output = tmp_path / "copy.y"
        monkeypatch.setattr(sys, "stdin", io.StringIO("7 and more\ns\n2\n1\n"))
        answer = command(*DEBUG, "-o", output)
        assert answer.status == 0, answer
        assert "Make which change? [1-3, e edit, s others, q quit]" in answer.out
        assert "1 of 16 tests fail now, 1 fewer." in answer.out
        assert answer.out.endswith("All 16 tests pass.\n")
        assert command("localize", output, "--lines", "--accept", ACCEPT).status == 0

    @pytest.mark.parametrize("answers", ["q\n", ""])
    def test_leaving(
        self, answers: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        output = tmp_path / "copy.y"
        monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
        answer = command(*DEBUG, "-o", output)
        assert answer.status == 1
        assert answer.out.endswith("2 of 16 tests still fail.\n")
        assert output.read_bytes() == Path(FAULTY).read_bytes()

    def test_an_editor(
        self, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What the editor leaves in the working copy is loaded; what is no grammar is refused."""
        editor = tmp_path / "my editor"
        editor.write_text(
            f"#!{sys.executable}\nimport pathlib, sys\n"
            f"tries = pathlib.Path({str(tmp_path / 'tries')!r})\n"
            f"text = '%%' if not tries.exists() else open({CORRECT!r}).read()\n"
            "tries.touch()\npathlib.Path(sys.argv[-1]).write_text(text)\n"
        )
        editor.chmod(0o755)
        monkeypatch.setenv("VISUAL", f"'{editor}' --flag")
        monkeypatch.setattr(sys, "stdin", io.StringIO("e\ne\n"))
        output = tmp_path / "copy.y"
        answer = command(*DEBUG, "-o", output)
        assert answer.status == 0
        assert "has no rules" in answer.out
        assert "a change of your own" in answer.out
        assert output.read_text() == Path(CORRECT).read_text()

    @pytest.mark.parametrize(
        ("editor", "output", "message"),
        [
            ("", "copy.y", "the environment variable EDITOR names no editor"),
            ("false", "copy.y", "the editor 'false' failed"),
            ("no-such-editor", "copy.y", "the editor 'no-such-editor' failed"),
            ("'", "copy.y", "failed"),
            ("true", "", "name a working copy with -o FILE to edit it"),
        ],
    )
    def test_editors_that_fail(
        self,
        editor: str,
        output: str,
        message: str,
        command: Command,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("VISUAL", editor)
        monkeypatch.setenv("EDITOR", editor)
        monkeypatch.setattr(sys, "stdin", io.StringIO("e\nq\n"))
        answer = command(*DEBUG, *(("-o", output) if output else ()))
        assert answer.status == 1
        assert message in answer.out

    def test_never_over_the_users_grammar(self, command: Command, tmp_path: Path) -> None:
        grammar = tmp_path / "grammar.y"
        grammar.write_bytes(Path(FAULTY).read_bytes())
        message = command.fails(
            "debug", grammar, "--auto", "--lines", "--accept", ACCEPT, "-o", grammar
        )
        assert "is the grammar itself" in message
        assert grammar.read_bytes() == Path(FAULTY).read_bytes()

    def test_nothing_helps(self, command: Command, tmp_path: Path) -> None:
        test = tmp_path / "test"
        test.write_text("no such tokens")
        answer = command("debug", "--auto", CORRECT, "--accept", test)
        assert answer.status == 1
        assert answer.out == "1 of 1 test still fails.\n"

    def test_a_single_test(self, command: Command, tmp_path: Path) -> None:
        test = tmp_path / "test"
        test.write_text("program id = { } .")
        answer = command("debug", "--auto", CORRECT, "--accept", test)
        assert (answer.status, answer.out) == (0, "The test passes.\n")

    def test_sources_that_are_no_files(self, command: Command, tmp_path: Path) -> None:
        test = tmp_path / "test"
        test.write_text("x")
        message = command.fails("debug", "--auto", "ply.yacc:YaccError", "--accept", test)
        assert "\n" not in message


def test_a_terminal_is_not_needed() -> None:
    answer = run(*DEBUG)
    assert answer.status == 1
    assert "Traceback" not in answer.err
    assert answer.out.endswith("2 of 16 tests still fail.\n")


class TestSmallerInputs:
    """A failing input with all left out that the repair is not about."""

    GRAMMAR = """s: part | s part;
part: 'def' NAME ':' list ';' | 'let' NAME '=' NUMBER ';';
list: NUMBER | NUMBER ',' NUMBER;
"""
    LONG = "\n".join(
        ["let NAME = NUMBER ; def NAME : NUMBER , NUMBER ; let NAME = NUMBER ;"] * 6
        + ["def NAME : NUMBER , NUMBER , NUMBER ; let NAME = NUMBER ;"]
        + ["def NAME : NUMBER ;"] * 4
    )

    def files(self, folder: Path) -> tuple[Path, Path, Path]:
        grammar, good, fine = folder / "g.y", folder / "long", folder / "fine"
        grammar.write_text(self.GRAMMAR)
        good.write_text(self.LONG)
        fine.write_text("def NAME : NUMBER ; def NAME : NUMBER , NUMBER ;")
        return grammar, good, fine

    def test_text_and_json(self, command: Command, tmp_path: Path) -> None:
        grammar, *tests = self.files(tmp_path)
        answer = command("suggest", grammar, "--accept", *tests, "--most", "1")
        shown = re.search(r"^# mends, for short: (.*)$", answer.out, re.MULTILINE)
        assert shown is not None
        value = command("suggest", grammar, "--accept", *tests, "--format", "json").json
        (small,) = [one for one in value["smaller"] if one["suggestion"] == 1]
        assert small["text"].split() == shown[1].split()
        assert small["test"] == str(tests[0])
        assert len(shown[1].split()) == len("def NAME : NUMBER , NUMBER , NUMBER ;".split())
        # Rejected by the grammar as it is, accepted by the mended one: the whole run says so.
        (tmp_path / "small").write_text(small["text"])
        mended = tmp_path / "mended.y"
        command("suggest", grammar, "--accept", *tests, "--apply", "1", "-o", mended)
        for which, status in ((grammar, 1), (mended, 0)):
            again = command("localize", which, "--accept", tmp_path / "small")
            assert again.status == status

    def test_the_page(self, command: Command, tmp_path: Path) -> None:
        grammar, *tests = self.files(tmp_path)
        page = tmp_path / "page.html"
        answer = command("suggest", grammar, "--accept", *tests, "--format", "html", "-o", page)
        assert (answer.status, answer.out) == (1, "")
        text = page.read_text()
        assert "1. In part, also allow &#39;,&#39; NUMBER before &#39;;&#39;" in text
        assert "An input that it mends, for short" in text
        assert re.search('<span class="">--- .*\n</span><span class="">\\+\\+\\+ .*\n', text)
        assert '<span class="good">+' in text
        assert re.search('"conclusion">.*<code>part</code>, line 2: it should also allow', text)

    def test_nothing_smaller(self, command: Command, tmp_path: Path) -> None:
        grammar, *_ = self.files(tmp_path)
        test = tmp_path / "one"
        test.write_text("def NAME : NUMBER , NUMBER , NUMBER ;")
        value = command("suggest", grammar, "--accept", test, "--format", "json").json
        assert value["suggestions"]
        assert value["smaller"] == []


def test_particulars(command: Command) -> None:
    answer = command(*SUGGEST, "--most", "1", "-v")
    assert f"\n#   mends {ACCEPT}:6\n" in answer.out
    assert "#   gramspect's LR parser: confirmed, 15 tests run\n" in answer.out
    assert (
        0 <= answer.out.find("# 1. ") < answer.out.find("# note: the parser tables have conflicts")
    )
    assert "\n#   mends" not in command(*SUGGEST, "--most", "1").out
