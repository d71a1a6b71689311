"""``gramspect init``."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from gramspect.cli.help import GroupedHelp
from gramspect.errors import GramspectError
from gramspect.files import write_whole
from gramspect.project import FILE, find_project

__all__ = ["init"]

_GRAMMARS = frozenset({".g4", ".lark", ".y", ".yy", ".jj", ".jjt", ".cup"})
_PLY = re.compile(rb"^\s*(?:\w+\s*=\s*)?(?:\w+\.)*yacc\.yacc\(|^\s*def p_error\(", re.MULTILINE)
_LEXER = re.compile(rb"^\s*lexer\s+grammar\b", re.MULTILINE)
_ACCEPT = (
    "accept", "accepted", "valid", "good", "ok", "pass", "passing", "examples", "samples", "corpus",
)  # fmt: skip
_REJECT = ("reject", "rejected", "invalid", "bad", "fail", "failing", "errors")
_PLAIN = frozenset({"", ".txt", ".in", ".input", ".dat", ".sample", ".test"})
"""What files of examples end in that are named ``good1.txt``: one may well be ``bad.py``."""
_PASSED_OVER = frozenset({"node_modules", "target", "build", "dist", "site-packages", "venv"})
_MOST_FILES = 100_000
_LARGEST = 1_000_000
"""Bytes; larger Python files are written by machines."""


@click.command(cls=GroupedHelp)
def init() -> int:
    """Write a gramspect.toml for the project in this folder: the grammars and examples in it.

    With it, gramspect localize, coverage, suggest and ask need no arguments. Look it over: which
    of the examples should be accepted is guessed from the names of folders and files.

    Exit status: 0 if the file is written, 2 if there is one or no grammar is found.
    """
    here = Path.cwd()
    known = find_project(here)
    if known is not None:
        raise GramspectError(f"{known.file}: the project is configured there; change it by hand")
    files = list(_files(here))
    grammars = [path for path in files if _is_grammar(here / path)]
    if not grammars:
        raise GramspectError(
            "there is no grammar in this folder: no .g4, .lark, .y, .jj or .cup file and no Python"
            f" file with a PLY parser; write a {FILE} by hand"
        )
    text = _text(grammars, files)
    write_whole(FILE, text)
    found = f"{len(grammars)} grammar{'' if len(grammars) == 1 else 's'}"
    deed = "look it over" if "\naccept" in text else "name inputs in it that should be accepted"
    click.echo(f"{FILE} is written, with {found}; {deed}, then run: gramspect coverage")
    return 0


def _files(here: Path) -> Iterator[Path]:
    """The files of a project, by their paths in it."""
    count = 0
    for folder, subfolders, names in os.walk(here):
        subfolders[:] = sorted(
            n for n in subfolders if not n.startswith((".", "_")) and n not in _PASSED_OVER
        )
        for name in sorted(names):
            count += 1
            if count > _MOST_FILES:
                return
            if not name.startswith("."):
                yield (Path(folder) / name).relative_to(here)


def _is_grammar(path: Path) -> bool:
    if path.suffix not in _GRAMMARS and path.suffix != ".py":
        return False
    try:
        if path.stat().st_size > _LARGEST:
            return False
        data = path.read_bytes()
    except OSError:
        return False
    if path.suffix == ".py":
        return _PLY.search(data) is not None
    return path.suffix != ".g4" or _LEXER.search(data) is None


def _text(grammars: Sequence[Path], files: Sequence[Path]) -> str:
    """The configuration; with several grammars each is a target."""
    lines = [
        "# Paths are relative to this file. gramspect localize, coverage, suggest and ask read it."
    ]
    names: set[str] = set()
    for grammar in grammars:
        if len(grammars) > 1:
            name = _unused(re.sub(r"[^\w-]", "-", grammar.stem, flags=re.ASCII), names)
            lines += ["", f"[targets.{name}]"]
        lines.append(f"grammar = {_quoted(grammar)}")
        for key, words in (("accept", _ACCEPT), ("reject", _REJECT)):
            found = _examples(grammar, files, words)
            values = ", ".join(map(_quoted, found))
            hint = '  # folders or files, as in "tests/good"' if not found else ""
            lines.append(f"{'# ' if not found else ''}{key} = [{values}]{hint}")
    return "\n".join(lines) + "\n"


def _examples(grammar: Path, files: Sequence[Path], words: Sequence[str]) -> list[Path]:
    """What is nearest to a grammar of folders with one of some names, or else of files.

    A folder with such folders in it, as ``examples`` with ``good`` and ``bad``, is none. In
    ``examples/calc`` are the examples of a grammar ``calc``.
    """
    folders = {folder for file in files for folder in file.parents}
    named = {folder for folder in folders if folder.name.lower() in (*_ACCEPT, *_REJECT)}
    outer = {parent for folder in named for parent in folder.parents}
    found = [folder for folder in named - outer if folder.name.lower() in words]
    own = [
        folder
        for folder in folders
        if folder.parent in found and folder.name.lower() == _language(grammar)
    ]
    return _nearest(grammar, own or found or _named_files(grammar, files, words))


def _named_files(grammar: Path, files: Sequence[Path], words: Sequence[str]) -> list[Path]:
    """Patterns for files like ``data/ok_1.txt``, or, if there are none, for all ``*.calc``."""
    prefixes = {
        file.parent / f"{file.stem[: len(word)]}*"
        for file in files
        for word in words
        if re.match(rf"{word}(?![a-z])", file.stem.lower()) and file.suffix in _PLAIN
    }
    if prefixes:
        return list(prefixes)
    suffix = f".{_language(grammar)}"
    own = {file.parent / f"*{suffix}" for file in files if file.suffix.lower() == suffix}
    return list(own) if words is _ACCEPT else []


def _language(grammar: Path) -> str:
    """The language that a grammar is named after, in lower case: ``calc`` of ``CalcParser.g4``."""
    return grammar.stem.lower().removesuffix("parser").rstrip("_-")


def _nearest(grammar: Path, places: Sequence[Path]) -> list[Path]:
    near = max((_shared(grammar, place) for place in places), default=0)
    return sorted(place for place in places if _shared(grammar, place) == near)


def _shared(grammar: Path, folder: Path) -> int:
    """How many folders both are in."""
    return len(set(grammar.parents) & {folder, *folder.parents})


def _unused(name: str, names: set[str]) -> str:
    found, number = name, 1
    while found in names:
        number += 1
        found = f"{name}-{number}"
    names.add(found)
    return found


def _quoted(path: Path) -> str:
    return json.dumps(path.as_posix(), ensure_ascii=False)  # TOML's strings are JSON's
