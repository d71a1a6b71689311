"""Spectra as files: npz to be read again, CSV, and the TCM and GZoltar formats of other tools.

TCM (test coverage matrix) and GZoltar's text format are what spectrum-based tools exchange, such as
GZoltar (Campos, Riboira, Perez and Abreu, ASE 2012) and FLITSR (Callaghan and Fischer, ISSTA
2023). Neither format has an escape or says how it is encoded. Names are therefore
written in ASCII, with all that would end a field as percent codes (RFC 3986, Section 2.1).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from gramspect.errors import GramspectError
from gramspect.files import check_writable, write_whole, writing_folder, writing_whole
from gramspect.reading import read_whole
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.running.spectra import Spectra
from gramspect.source import Span
from gramspect.spectrum.matrix import ACCEPTED, REJECTED, UNDECIDED, SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import Expectation

__all__ = ["FORMATS", "check_target", "read_spectra", "text_pieces", "write_spectra"]

FORMATS = ("npz", "tcm", "csv", "gzoltar")
"""The formats that spectra can be written in: a folder for ``gzoltar``, else a file."""

SCHEMA = "gramspect/spectra/1"

_VERDICTS = {
    ACCEPTED: Verdict.ACCEPTED,
    REJECTED: Verdict.REJECTED,
    UNDECIDED: Verdict.UNDECIDED,
}
_EXPECTATIONS = {ACCEPTED: Expectation.ACCEPT, REJECTED: Expectation.REJECT}


def write_spectra(spectra: Spectra, path: str, form: str = "npz") -> None:
    """Write spectra in one of the `FORMATS`, whole or not at all.

    Undecided tests are neither passing nor failing; TCM and GZoltar files leave them out.

    Raises:
        GramspectError: there is no such format, or the file or folder cannot be written.
    """
    check_target(path, form)
    if form == "npz":
        write_whole(path, _npz(spectra))
    elif form == "gzoltar":
        with writing_folder(path) as folder:
            for name, pieces in _gzoltar(spectra).items():
                with writing_whole(str(folder / name)) as stream:
                    stream.writelines(pieces)
    else:
        with writing_whole(path) as stream:
            stream.writelines(text_pieces(spectra, form))


def check_target(path: str, form: str) -> None:
    """Fail before long work if `path` cannot become what the format needs.

    Raises:
        GramspectError: there is no such format, or the file or folder cannot be written.
    """
    if form not in FORMATS:
        raise GramspectError(f"there is no format {form!r}; there are: {', '.join(FORMATS)}")
    if form != "gzoltar":
        check_writable(path)
        return
    target = Path(path)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise GramspectError(f"{path}: is there already and not empty; name a new folder")
    if not target.exists():
        check_writable(path)


def text_pieces(spectra: Spectra, form: str) -> Iterator[str]:
    """The text of the format ``tcm`` or ``csv``, in pieces."""
    return _tcm(spectra) if form == "tcm" else _csv(spectra)


# --- npz -----------------------------------------------------------------------------------


def _npz(spectra: Spectra) -> bytes:
    """The arrays of the matrix as they are; everything with names as JSON in bytes.

    numpy's own strings would take the width of the longest, four bytes a character.
    """
    matrix = spectra.matrix
    described = {
        "schema": SCHEMA,
        "spectrum": matrix.kind,
        "extraction": spectra.extraction,
        "adapter": spectra.adapter,
        "grammar": spectra.grammar,
        "labels": spectra.labels,
        "spans": [
            span and [span.file, span.line, span.column, span.end_line, span.end_column]
            for span in spectra.spans
        ],
        "tests": spectra.tests,
    }
    stream = io.BytesIO()
    np.savez_compressed(
        stream,
        bits=matrix.bits,
        verdicts=matrix.verdicts,
        expectations=matrix.expectations,
        description=np.frombuffer(json.dumps(described).encode(), np.uint8),
    )
    return stream.getvalue()


def read_spectra(path: str) -> Spectra:
    """The spectra in an npz file that `write_spectra` wrote.

    Raises:
        GramspectError: the file cannot be read, or is not such a file.
    """
    try:
        data = read_whole(path)
    except OSError as problem:
        reason = problem.strerror or problem
        raise GramspectError(f"{path}: cannot be read ({reason}); check the path") from problem
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return _from_arrays(arrays)
    except Exception as problem:  # there are many ways in which an archive can be damaged
        raise GramspectError(
            f"{path}: this is no npz file that gramspect spectra wrote ({problem})"
        ) from problem


def _from_arrays(arrays: Mapping[str, NDArray[Any]]) -> Spectra:
    if isinstance(arrays, np.ndarray):
        raise ValueError("it is a single array")
    described = json.loads(arrays["description"].tobytes())
    if described["schema"] != SCHEMA:
        raise ValueError(f"its schema is {described['schema']!r}, not {SCHEMA!r}")
    tests = tuple(described["tests"])
    matrix = SpectrumMatrix(
        SpectrumKind(described["spectrum"]),
        arrays["bits"],
        len(tests),
        arrays["verdicts"],
        arrays["expectations"],
    )
    return Spectra(
        matrix,
        tuple(described["labels"]),
        tuple(None if place is None else Span(*place) for place in described["spans"]),
        tests,
        described["grammar"],
        Extraction(described["extraction"]),
        described["adapter"],
    )


# --- CSV -----------------------------------------------------------------------------------


def _csv(spectra: Spectra) -> Iterator[str]:
    """A line for each test: name, expectation, verdict, and 0 or 1 for each element (RFC 4180)."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["test", "expected", "verdict", *spectra.labels])
    matrix = spectra.matrix
    for test, name in enumerate(spectra.tests):
        expected = _EXPECTATIONS[int(matrix.expectations[test])]
        writer.writerow([name, expected, _VERDICTS[int(matrix.verdicts[test])]])
        yield _taken(stream).removesuffix("\n")
        yield f",{_digits(matrix, test, ',')}\n" if spectra.labels else "\n"
    yield _taken(stream)


def _taken(stream: io.StringIO) -> str:
    """What has been written since the last time."""
    text = stream.getvalue()
    stream.seek(0)
    stream.truncate()
    return text


# --- formats of other tools ----------------------------------------------------------------

_PUNCTUATION = "!\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""What may stand in a name where the format does not need it: all of ASCII's but the percent."""


def _escaped(text: str, separators: str) -> str:
    """The text in ASCII without blanks and separators; `urllib.parse.unquote` gives it back."""
    safe = "".join(char for char in _PUNCTUATION if char not in separators)
    # What quote never escapes is no separator anywhere: letters, digits and _.-~.
    return quote(text, safe=safe, errors="surrogatepass")


def _parts(spectra: Spectra) -> Iterator[tuple[str, list[str]]]:
    """Each label as the non-terminal and its numbers: the alternative, of a position the dot."""
    numbers = 1 if spectra.matrix.kind is SpectrumKind.RULE else 2
    for label in spectra.labels:
        name, *rest = label.rsplit(":", numbers)
        yield name, rest


def _decided(matrix: SpectrumMatrix) -> Iterator[tuple[int, bool]]:
    """The tests that are passing or failing, and which of it."""
    for test in np.flatnonzero(~matrix.undecided).tolist():
        yield test, bool(matrix.passing[test])


def _tcm(spectra: Spectra) -> Iterator[str]:
    """Sections of tests, elements ("units under test") and, for each test, pairs ``element hits``.

    Readers split an element at its colons into a name, a method and a line; that fits labels.
    """
    matrix = spectra.matrix
    yield "#tests\n"
    for test, passed in _decided(matrix):
        yield f"{_escaped(spectra.tests[test], '#')} {'PASSED' if passed else 'FAILED'}\n"
    yield "\n#uuts\n"
    for name, numbers in _parts(spectra):
        yield f"{':'.join([_escaped(name, '#:|'), *numbers])}\n"
    yield "\n#matrix\n"
    for test, _ in _decided(matrix):
        yield " ".join(f"{element} 1" for element in matrix.elements_of(test).tolist()) + "\n"


def _gzoltar(spectra: Spectra) -> dict[str, Iterator[str]]:
    """The files of a folder, each in pieces."""
    return {
        "spectra.csv": _gzoltar_elements(spectra),
        "tests.csv": _gzoltar_tests(spectra),
        "matrix.txt": _gzoltar_matrix(spectra.matrix),
    }


def _gzoltar_elements(spectra: Spectra) -> Iterator[str]:
    """Elements as ``package$Class#method:line``: grammar, non-terminal, numbers, line of the file.

    An element that is in no file has line 0.
    """
    package = _escaped(spectra.grammar, _ENDING) or "grammar"
    yield "name\n"
    for (name, numbers), span in zip(_parts(spectra), spectra.spans, strict=True):
        line = 0 if span is None else span.line
        yield f"{package}${_escaped(name, _ENDING)}#{'.'.join(numbers)}:{line}\n"


_ENDING = "$#:,\"'"
"""What ends a part of an element's name, or a field of a CSV file."""


def _gzoltar_tests(spectra: Spectra) -> Iterator[str]:
    yield "name,outcome,runtime,stacktrace\n"
    for test, passed in _decided(spectra.matrix):
        name = _escaped(spectra.tests[test], ",\"'")
        yield f"{name},{'PASS' if passed else 'FAIL'},,\n"


def _gzoltar_matrix(matrix: SpectrumMatrix) -> Iterator[str]:
    for test, passed in _decided(matrix):
        digits = _digits(matrix, test, " ")
        yield f"{digits} {'+' if passed else '-'}\n"


def _digits(matrix: SpectrumMatrix, test: int, separator: str) -> str:
    """For each element 1 if the test executes it, else 0, with separators between them."""
    line = np.full(2 * matrix.n_elements, ord(separator), np.uint8)
    line[::2] = ord("0")
    line[2 * matrix.elements_of(test)] = ord("1")
    return line[:-1].tobytes().decode("ascii")
