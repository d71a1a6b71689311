"""Suites: files, folders and lines; duplicates and contradictions; hostile input."""

import os
import stat
from pathlib import Path

import pytest

from gramspect.errors import SuiteError
from gramspect.suites.suite import Expectation, TestCase, TestSuite


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, content: str | bytes) -> str:
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def names(suite: TestSuite) -> list[str]:
    return [test.name for test in suite]


@pytest.mark.usefixtures("folder")
class TestFiles:
    def test_a_file_is_one_test_named_after_its_path(self) -> None:
        suite = TestSuite.load(accept=[write("a/one.c", "int x;\n")])
        assert suite.tests == (
            TestCase("a/one.c", Expectation.ACCEPT, "int x;\n", path="a/one.c", line=1),
        )

    def test_bytes_are_kept(self) -> None:
        text = "a\r\n\tb \n\n"
        assert TestSuite.load(accept=[write("a", text)]).tests[0].text == text

    def test_an_empty_file_is_the_empty_input(self) -> None:
        assert TestSuite.load(accept=[write("a", "")]).tests[0].text == ""

    def test_binary_input_is_an_ordinary_test(self) -> None:
        suite = TestSuite.load(reject=[write("a", b"\x00\x01\x7f")])
        assert suite.tests[0].text == "\x00\x01\x7f"
        assert suite.notes == ()

    def test_other_encodings_are_read_as_latin_1_and_reported(self) -> None:
        suite = TestSuite.load(accept=[write("a", "é".encode("latin-1")), write("b", "é")])
        assert [test.text for test in suite] == ["é"]
        assert suite.notes == (
            "1 file is not UTF-8 and was read as Latin-1 (a)",
            "1 duplicate test is left out (b repeats a)",
        )

    def test_a_byte_order_mark_is_kept_and_reported(self) -> None:
        """It is the parser's business, but a reader of the report does not see it."""
        suite = TestSuite.load(accept=[write("a", b"\xef\xbb\xbfx"), write("b", "x")])
        assert [test.text for test in suite] == ["\ufeffx", "x"]
        assert suite.notes == (
            "1 file begins with a byte order mark, which is a part of the test (a)",
        )

    def test_a_large_file(self) -> None:
        text = "x = 1 ;\n" * 700_000
        assert TestSuite.load(accept=[write("big", text)]).tests[0].text == text


@pytest.mark.usefixtures("folder")
class TestFolders:
    def test_every_file_below_in_the_order_of_paths_but_hidden_ones(self) -> None:
        for path in ("t/b", "t/a/z", "t/a/c", "t/.hidden", "t/.git/x", "t/a.txt"):
            write(path, path)
        assert names(TestSuite.load(accept=["t"])) == ["t/a/c", "t/a/z", "t/a.txt", "t/b"]

    def test_loops_of_links_end_and_linked_folders_count(self) -> None:
        write("t/a/one", "1")
        write("elsewhere/two", "2")
        Path("t/a/back").symlink_to("..", target_is_directory=True)
        Path("t/linked").symlink_to("../elsewhere", target_is_directory=True)
        assert names(TestSuite.load(accept=["t"])) == ["t/a/one", "t/linked/two"]

    def test_pipes_in_a_folder_are_no_tests(self) -> None:
        write("t/one", "1")
        os.mkfifo("t/pipe")
        assert names(TestSuite.load(accept=["t"])) == ["t/one"]


@pytest.mark.usefixtures("folder")
class TestLines:
    def test_one_test_per_line_named_by_its_line(self) -> None:
        suite = TestSuite.load(accept=[write("ok.txt", "a b\n\n  \nc\r\nd")], lines=True)
        assert [(t.name, t.text, t.line) for t in suite] == [
            ("ok.txt:1", "a b", 1),
            ("ok.txt:4", "c", 4),
            ("ok.txt:5", "d", 5),
        ]

    def test_other_line_separators_belong_to_the_text(self) -> None:
        suite = TestSuite.load(accept=[write("ok.txt", "a\x0cb\x85c\u2028d\n")], lines=True)
        assert [test.text for test in suite] == ["a\x0cb\x85c\u2028d"]

    def test_folders_of_such_files(self) -> None:
        write("t/1", "a\nb\n")
        write("t/2", "c\n")
        assert names(TestSuite.load(reject=["t"], lines=True)) == ["t/1:1", "t/1:2", "t/2:1"]


@pytest.mark.usefixtures("folder")
class TestRepetitions:
    def test_a_text_is_kept_once_and_the_others_are_counted(self) -> None:
        suite = TestSuite.load(accept=[write("ok", "a\nb\na\nb\na\n")], lines=True)
        assert names(suite) == ["ok:1", "ok:2"]
        assert suite.notes == ("3 duplicate tests are left out (ok:3 repeats ok:1, ...)",)

    def test_the_same_path_twice(self) -> None:
        write("t/a", "1")
        assert names(TestSuite.load(accept=["t", "t/a"])) == ["t/a"]

    def test_the_same_text_in_both_is_refused_with_both_names(self) -> None:
        write("ok", "a\nb\n")
        write("no", "c\nb\n")
        message = (
            r"^no:2: the same text is to be accepted \(ok:2\) and to be rejected \(no:2\); "
            r"remove one of them$"
        )
        with pytest.raises(SuiteError, match=message):
            TestSuite.load(accept=["ok"], reject=["no"], lines=True)

    def test_texts_from_a_program(self) -> None:
        suite = TestSuite.from_texts(accept=["a", "b"], reject=["c"])
        assert names(suite) == ["accept:1", "accept:2", "reject:1"]
        with pytest.raises(SuiteError, match="the same text"):
            TestSuite.from_texts(accept=["a"], reject=["a"])


@pytest.mark.usefixtures("folder")
class TestErrors:
    @pytest.mark.parametrize("lines", [False, True])
    def test_no_tests(self, lines: bool) -> None:
        with pytest.raises(SuiteError, match="there are no tests; name files or folders"):
            TestSuite.load(lines=lines)

    def test_a_missing_path(self) -> None:
        with pytest.raises(SuiteError, match=r"^nix/a: there is no such file or folder"):
            TestSuite.load(accept=["nix/a"])

    def test_a_path_through_a_file(self) -> None:
        write("a", "1")
        with pytest.raises(SuiteError, match=r"^a/b: there is no such file or folder"):
            TestSuite.load(accept=["a/b"])

    def test_a_path_with_a_nul(self) -> None:
        with pytest.raises(SuiteError, match="there is no such file or folder"):
            TestSuite.load(accept=["a\0b"])

    def test_an_empty_folder(self) -> None:
        write("t/.hidden", "1")
        with pytest.raises(SuiteError, match=r"^t: there is no test in this folder"):
            TestSuite.load(reject=["t"])

    def test_a_file_of_blank_lines(self) -> None:
        with pytest.raises(SuiteError, match=r"^a: there is no test in this file"):
            TestSuite.load(reject=[write("a", "\n \r\n")], lines=True)

    def test_a_dangling_link_is_left_out_and_said(self) -> None:
        write("t/one", "1")
        Path("t/two").symlink_to("nowhere")
        suite = TestSuite.load(accept=["t"])
        assert [test.name for test in suite] == ["t/one"]
        left_out = "1 file cannot be read and was left out (t/two: No such file or directory)"
        assert suite.notes == (left_out,)
        with pytest.raises(SuiteError, match=r"^t/two: there is no such file"):
            TestSuite.load(accept=["t/two"])

    def test_an_unreadable_file(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # Rights do not stop the superuser, so the refusal is put in by hand.
        def refuse(path: Path, *_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied", str(path))

        monkeypatch.setattr(Path, "open", refuse)
        with pytest.raises(SuiteError, match=r"^a: cannot be read \(Permission denied\); check"):
            TestSuite.load(accept=[write_private("a")])


def write_private(path: str) -> str:
    Path(path).touch(mode=stat.S_IWUSR)
    return path
