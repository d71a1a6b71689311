"""Test suites: inputs with the verdict that the language asks for."""

from __future__ import annotations

import json
import os
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from io import StringIO
from pathlib import Path

from gramspect.errors import SuiteError
from gramspect.reading import read_whole

__all__ = ["MANIFEST_SCHEMA", "Expectation", "TestCase", "TestSuite"]


class Expectation(StrEnum):
    """What the language says about an input."""

    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class TestCase:
    """One input.

    `name` is unique within its suite and stable; `path` is the file it is from and `line` the line
    of that file where its text starts. `tokens` is set for tests that are token sequences by
    construction; adapters that need text lex `text`.
    """

    __test__ = False  # not a pytest class

    name: str
    expectation: Expectation
    text: str
    tokens: tuple[str, ...] | None = None
    path: str | None = None
    line: int = 1


@dataclass(frozen=True)
class TestSuite:
    """An ordered collection of tests, each text once.

    `notes` say what a reader of the results should know about how the suite was read: duplicates
    left out, files that are not UTF-8 or begin with a byte order mark.
    """

    __test__ = False

    tests: tuple[TestCase, ...]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.tests)

    def __iter__(self) -> Iterator[TestCase]:
        return iter(self.tests)

    @classmethod
    def load(
        cls,
        accept: Iterable[str | os.PathLike[str]] = (),
        reject: Iterable[str | os.PathLike[str]] = (),
        lines: bool = False,
        manifests: Iterable[str | os.PathLike[str]] = (),
    ) -> TestSuite:
        """The tests in files and folders.

        A path is a file (one test; its bytes as they are, line ends included) or a folder (each
        file below it, in the order of their names; hidden ones do not count). With `lines` every
        file holds one test per line, blank lines left out. A test is named after its path as given
        here, and its line with `lines` (``tests/ok.txt:3``). Files that are not UTF-8 are read as
        Latin-1. `manifests` are suites that ``gramspect generate`` wrote: each test says itself
        what is expected of it, and is named after its line.

        Raises:
            SuiteError: a path is missing, unreadable or without tests, there is no test at all, or
                a text is both to be accepted and to be rejected.
        """
        reader = _Reader(lines)
        found = [
            *reader.tests(accept, Expectation.ACCEPT),
            *reader.tests(reject, Expectation.REJECT),
            *(test for path in manifests for test in _manifest_tests(Path(path))),
        ]
        return _checked(found, reader.notes())

    @classmethod
    def of(cls, tests: Sequence[TestCase]) -> TestSuite:
        """A suite of these tests, the first of those with the same text.

        Raises:
            SuiteError: there is none, or a text is both to be accepted and to be rejected.
        """
        return _checked(tests)

    @classmethod
    def from_texts(cls, accept: Iterable[str] = (), reject: Iterable[str] = ()) -> TestSuite:
        """A suite of texts, named ``accept:1``, ``accept:2``, ..., ``reject:1``, ...

        Raises:
            SuiteError: there is none, or a text is in both.
        """
        texts = ((Expectation.ACCEPT, accept), (Expectation.REJECT, reject))
        return _checked(
            [
                TestCase(f"{expectation}:{number}", expectation, text)
                for expectation, group in texts
                for number, text in enumerate(group, start=1)
            ]
        )


def _checked(tests: Sequence[TestCase], notes: Sequence[str] = ()) -> TestSuite:
    """The suite of `tests`, each text once; one that contradicts itself is refused."""
    if not tests:
        raise SuiteError("there are no tests; name files or folders with --accept or --reject")
    first: dict[object, TestCase] = {}
    repeated: list[tuple[TestCase, TestCase]] = []
    for test in tests:
        earlier = first.setdefault(test.text if test.tokens is None else test.tokens, test)
        if earlier.expectation is not test.expectation:
            raise SuiteError(
                f"{test.name}: the same text is to be accepted ({earlier.name}) and to be rejected"
                f" ({test.name}); remove one of them"
            )
        if earlier is not test:
            repeated.append((test, earlier))
    if repeated:
        test, earlier = repeated[0]
        which = f"{test.name} repeats {earlier.name}"
        duplicates = _counted(len(repeated), "duplicate test is", "duplicate tests are")
        first_of = which if len(repeated) == 1 else f"{which}, ..."
        notes = [*notes, f"{duplicates} left out ({first_of})"]
    return TestSuite(tuple(first.values()), tuple(notes))


class _Reader:
    """Reads tests from files and remembers what was odd about them."""

    def __init__(self, lines: bool) -> None:
        self._lines = lines
        self._not_utf8: list[str] = []
        self._marked: list[str] = []
        self._unreadable: list[str] = []

    def tests(
        self, paths: Iterable[str | os.PathLike[str]], expectation: Expectation
    ) -> Iterator[TestCase]:
        for path in paths:
            if not os.fspath(path):
                raise SuiteError("an empty name is no test; name a file or folder")
            try:
                files = _files(Path(path))
            except OSError as problem:
                raise _unreadable(problem, path) from problem
            for file in files:
                try:
                    text = self._text(file)
                except OSError as problem:
                    if files == [Path(path)]:
                        raise _unreadable(problem, file) from problem
                    self._unreadable.append(f"{file.as_posix()}: {problem.strerror}")
                else:
                    yield from self._tests_of(file, text, expectation)

    def notes(self) -> list[str]:
        found = []
        for which, one, several, done in (
            (self._not_utf8, "file is not UTF-8 and was", "files are not UTF-8 and were",
             "read as Latin-1"),
            (self._unreadable, "file cannot be read and was", "files cannot be read and were",
             "left out"),
            (self._marked, "file begins", "files begin",
             "with a byte order mark, which is a part of the test"),
        ):  # fmt: skip
            if which:
                more = ", ..." if len(which) > 1 else ""
                found.append(f"{_counted(len(which), one, several)} {done} ({which[0]}{more})")
        return found

    def _tests_of(self, file: Path, text: str, expectation: Expectation) -> Iterator[TestCase]:
        name = file.as_posix()
        if not self._lines:
            yield TestCase(name, expectation, text, path=str(file))
            return
        found = False
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                found = True
                yield TestCase(
                    f"{name}:{number}",
                    expectation,
                    line.removesuffix("\r"),
                    path=str(file),
                    line=number,
                )
        if not found:
            raise SuiteError(f"{file}: there is no test in this file, all its lines are blank")

    def _text(self, file: Path) -> str:
        data = read_whole(file)
        if data.startswith(BOM_UTF8):
            self._marked.append(file.as_posix())
        try:
            return data.decode()
        except UnicodeDecodeError:
            self._not_utf8.append(file.as_posix())
            return data.decode("latin-1")


_EXPECTED = frozenset(map(str, Expectation))

MANIFEST_SCHEMA = "gramspect/suite/1"
"""What the first line of a manifest says it is."""


def _manifest_tests(path: Path) -> Iterator[TestCase]:
    """The tests of a manifest: a line of JSON for each, after one that says what they are."""
    number = 0
    try:
        for number, line in enumerate(StringIO(read_whole(path).decode()), start=1):
            place = f"{path.as_posix()}:{number}"
            record = _record(line, place)
            if number == 1:
                if record.get("schema") != MANIFEST_SCHEMA:
                    raise SuiteError(f"{place}: this is no suite that gramspect generate wrote")
            elif line.strip():
                yield _manifest_test(record, place)
        if number < 2:
            raise SuiteError(f"{path}: there is no test in this suite")
    except OSError as problem:
        raise _unreadable(problem, path) from problem
    except UnicodeDecodeError as problem:
        raise SuiteError(f"{path}: this is no suite, it is not UTF-8") from problem


def _record(line: str, place: str) -> dict[str, object]:
    try:
        record = json.loads(line or "{}")
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise SuiteError(f"{place}: this is no suite, the line is no JSON object")
    return record


def _manifest_test(record: dict[str, object], place: str) -> TestCase:
    text, expected = record.get("text"), record.get("expect")
    if not (isinstance(text, str) and isinstance(expected, str) and expected in _EXPECTED):
        raise SuiteError(f'{place}: a test needs "text" and "expect", accept or reject')
    return TestCase(place, Expectation(expected), text)


def _files(path: Path) -> list[Path]:
    """The file itself, or the files below a folder in the order of their paths."""
    if not path.exists():
        raise SuiteError(f"{path}: there is no such file or folder; check the path")
    if not path.is_dir():
        return [path]
    seen: set[tuple[int, int]] = set()
    found: list[Path] = []
    for folder, subfolders, names in os.walk(path, onerror=_raise, followlinks=True):
        status = Path(folder).stat()
        if (status.st_dev, status.st_ino) in seen:  # a loop of symbolic links, or a second way here
            subfolders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        found += (Path(folder, name) for name in names if not name.startswith("."))
    # A named pipe or socket would block; a dangling link is kept, and refused when it is read.
    tests = sorted(file for file in found if file.is_file() or not file.exists())
    if not tests:
        raise SuiteError(f"{path}: there is no test in this folder (hidden files do not count)")
    return tests


def _raise(problem: OSError) -> None:
    raise problem


def _unreadable(problem: OSError, path: str | os.PathLike[str]) -> SuiteError:
    path = problem.filename or path
    return SuiteError(f"{path}: cannot be read ({problem.strerror}); check the path and its rights")


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
