"""Makes scanners of specifications: JFlex and the Java compiler run, in the JVM."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from gramspect.adapter_api import (
    AdapterError,
    CodeError,
    Diagnostic,
    GrammarError,
    NearMisses,
    Span,
    read_bytes,
)
from gramspect_cup.jflex.messages import read_messages
from gramspect_cup.jflex.symbols import package_of
from gramspect_cup.jflex.syntax import FlexFile
from gramspect_jvm import java_class
from gramspect_jvm.compiling import place_of_line

__all__ = ["MadeScanner", "check_options", "make_scanner"]

_REFUSED = {
    "cup2": "scanners of CUP2 are for another parser generator",
    "byaccj": "its scanner is for BYACC/J",
    "standalone": "its scanner runs alone, without a parser",
    "abstract": "nothing can be made of an abstract scanner",
    "apiprivate": "CUP's parsers could not call the scanner",
}


@dataclass(frozen=True, eq=False)
class MadeScanner:
    """The classes (the Java object ``UserClasses``), the scanner's name, and JFlex's warnings."""

    classes: Any
    name: str
    diagnostics: tuple[Diagnostic, ...]


def check_options(file: FlexFile) -> None:
    """Check that a specification is for scanners that CUP's parsers take.

    Raises:
        GrammarError: it is not.
    """
    for name, why in _REFUSED.items():
        if name in file.options:
            raise GrammarError(
                f"%{name}: {why}; gramspect takes specifications with %cup", file.options[name].span
            )
    implemented = file.value("implements")
    by_hand = re.search(r"\bScanner\b", implemented) and file.value("function") == "next_token"
    if "cup" not in file.options and not by_hand:
        raise GrammarError(
            "this specification has no %cup, so its scanner is none that CUP's parsers take; add"
            " a line %cup after the first %%",
            file.option_lines,
        )


def make_scanner(
    file: FlexFile,
    symbols: Mapping[str, str],
    terminals: Sequence[str],
    classpath: Sequence[str],
    home: str | None,
) -> MadeScanner:
    """Run JFlex, and compile what it generates with the classes of the symbols.

    `terminals` are the names of the grammar's, `home` is the folder of the scanner's package, by
    default that of the specification.

    Raises:
        GrammarError: JFlex refuses the specification, or the Java compiler its code (`CodeError`).
        AdapterError: there is no such folder, or no Java compiler.
    """
    path = file.source.file
    folder = home or str(Path(path).absolute().parent)
    if not Path(folder).is_dir():
        raise AdapterError(f"{path}: there is no folder {folder}; check the option home")
    work = _Work(
        texts=tuple(source.text for source in file.sources),
        symbols=tuple(symbols.items()),
        classpath=tuple(classpath),
        beside=_java_files(Path(folder), Path(path).parent),
        home=str(Path(folder).absolute()),
        path=str(Path(path).absolute()),
    )
    try:
        result, place = _made(work)
    except _NotMadeError as failed:
        errors = read_messages(str(failed.result.printed()), file).errors
        raise _problem(file, failed.result, errors, symbols, terminals) from None
    here, there = (str(Path(one).parent) for one in (work.path, place))
    messages = read_messages(str(result.printed()).replace(there, here), file)
    return MadeScanner(result.classes(), str(result.scanner()), messages.warnings)


@dataclass(frozen=True)
class _Work:
    """What JFlex and the Java compiler are given.

    The same texts, symbols and Java files (by their names) make the same scanner wherever they
    lie: repairs of the grammar are tried in copies of all files.
    """

    texts: tuple[str, ...]
    symbols: tuple[tuple[str, str], ...]
    classpath: tuple[str, ...]
    beside: frozenset[tuple[str, bytes]]
    home: str
    path: str = field(compare=False)


class _NotMadeError(Exception):
    """There is no scanner; the Java object `result` says why."""

    def __init__(self, result: Any) -> None:
        super().__init__()
        self.result = result


@lru_cache(maxsize=4)
def _made(work: _Work) -> tuple[Any, str]:
    """The Java object ``Result``, and the path of the specification that it was made of.

    Most repairs leave the scanner as it is, so it is kept. Classes elsewhere (on the classpath, in
    other packages) are taken to stay as they are while this process runs.

    Raises:
        _NotMadeError: there is no scanner. That is not kept.
    """
    maker = java_class("org.gramspect.jflex.ScannerMaker")
    names, sources = [name for name, _ in work.symbols], [text for _, text in work.symbols]
    encoding = _encoding(work.path)
    result = maker.make(work.path, encoding, list(work.classpath), work.home, names, sources)
    if result.classes() is None:
        raise _NotMadeError(result)
    return result, work.path


def _java_files(*folders: Path) -> frozenset[tuple[str, bytes]]:
    return frozenset(
        (path.name, path.read_bytes())
        for folder in folders
        for path in folder.glob("*.java")
        if path.is_file()
    )


def _encoding(path: str) -> str:
    try:
        read_bytes(path).decode()
    except UnicodeDecodeError:
        return "ISO-8859-1"
    return "UTF-8"


def _problem(
    file: FlexFile,
    result: Any,
    errors: Sequence[Diagnostic],
    symbols: Mapping[str, str],
    terminals: Sequence[str],
) -> GrammarError | AdapterError:
    """Why there is no scanner."""
    path = file.source.file
    if result.problem() is not None:
        unknown = _unknown_terminal(file, symbols, terminals)
        return unknown or _of_compiler(file, result.problem(), terminals)
    if not errors:
        return AdapterError(f"{path}: {result.error() or 'JFlex has generated no scanner'}")
    first, others = errors[0], len(errors) - 1
    more = f" (and {others} more)" if others else ""
    return GrammarError(f"{first.message}{more}", first.span or Span(path, 1, 1, 1, 1))


def _unknown_terminal(
    file: FlexFile, symbols: Mapping[str, str], terminals: Sequence[str]
) -> GrammarError | None:
    """The first symbol in the specification that the grammar does not declare."""
    names = "|".join(re.escape(name.rpartition(".")[2]) for name in symbols)
    known = {*terminals, "EOF", "error", "terminalNames", "class"}
    for source in file.sources:
        for used in re.finditer(rf"\b(?:{names})\s*\.\s*([^\W\d]\w*)", source.text):
            if used[1] not in known and not source.text.startswith("(", used.end()):
                return CodeError(
                    f"{used[1]!r} is no terminal of the grammar; declare it there: 'terminal"
                    f" {used[1]};'{NearMisses(terminals).hint(used[1])}",
                    source.span(*used.span(1)),
                )
    return None


def _hint(file: FlexFile, said: str, terminals: Sequence[str]) -> str:
    """What to do about an error of the Java compiler."""
    if "cannot find symbol" not in said and "does not exist" not in said:
        return ""
    missing = re.search(r"symbol: (?:variable|class) (\w+)", said)
    names = "|".join(map(re.escape, terminals))
    if missing and re.search(rf"\b{missing[1]}\s*\.\s*(?:{names})\b", file.source.text):
        return (
            "; if that is the class with the numbers of the symbols, say so: --option"
            f" symbols={missing[1]}"
        )
    hint = "; give the jars and folders of other classes with --option classpath=..."
    return hint + ", the folder of its package with --option home=..." * bool(package_of(file))


def _of_compiler(file: FlexFile, problem: Any, terminals: Sequence[str]) -> GrammarError:
    text, name, line = str(problem.text()), str(problem.file()), int(problem.line())
    hint = _hint(file, text, terminals)
    source = str(problem.source())
    for written in file.sources:
        span = place_of_line(written, source, int(problem.column()))
        if span is not None:
            return CodeError(f"the scanner does not compile: {text}{hint}", span)
    where = f" ({name}:{line})" if name else ""
    start = Span(file.source.file, 1, 1, 1, 1)
    return CodeError(f"the scanner does not compile: {text}{where}{hint}", start)
