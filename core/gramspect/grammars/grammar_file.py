"""Reading the file of a grammar, whatever it holds."""

from __future__ import annotations

from pathlib import Path

from gramspect.errors import GrammarError, NoSuchFile
from gramspect.grammars.symbols import Diagnostic
from gramspect.reading import read_whole
from gramspect.source import SourceText, Span

__all__ = ["read_bytes", "read_grammar_file", "undecodable", "unix_lines"]


def read_grammar_file(path: str | Path) -> tuple[SourceText, list[Diagnostic]]:
    """The text of a file, lines ended by ``\\n``.

    It is taken as UTF-8, or as Latin-1 with a diagnostic if it is not.

    Raises:
        GrammarError: the file cannot be read or is not text.
    """
    file = str(path)
    text, diagnostics = _decode(read_bytes(path), file)
    return SourceText(file, text), diagnostics


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a grammar file.

    Raises:
        NoSuchFile: there is none.
        GrammarError: it cannot be read.
    """
    file = str(path)
    try:
        return read_whole(path)
    except FileNotFoundError:
        raise NoSuchFile(f"{file}: there is no such file; check the path") from None
    except IsADirectoryError:
        raise GrammarError(f"{file}: is a directory; name a grammar file in it") from None
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else problem
        raise GrammarError(f"{file}: cannot be read ({reason}); check the path") from None


def _decode(content: bytes, file: str) -> tuple[str, list[Diagnostic]]:
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise GrammarError(
            f"{file}: is not a text file (a NUL byte on line {line}); name the grammar's source, "
            "saved as UTF-8"
        )
    try:
        return unix_lines(content.decode("utf-8-sig")), []
    except UnicodeDecodeError as problem:
        text = unix_lines(content.decode("latin-1"))
        what, span = undecodable(file, content, problem.start, "latin-1")
        message = f"{what}; the file is read as Latin-1"
        return text, [Diagnostic("encoding", message, span)]


def undecodable(
    file: str, content: bytes, offset: int, encoding: str = "utf-8"
) -> tuple[str, Span]:
    """What is wrong with the first byte that is not UTF-8, and where it is, in columns of
    `encoding`."""
    before = unix_lines(content[:offset].decode(encoding))
    number, column = SourceText(file, before).position(len(before))
    span = Span(file, number, column, number, column + 1)
    return f"the byte 0x{content[offset]:02x} is not UTF-8", span


def unix_lines(text: str) -> str:
    """The text with all line ends written as ``\\n``."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
