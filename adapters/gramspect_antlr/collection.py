"""Folders laid out as in the public collection of ANTLR grammars (antlr/grammars-v4).

Such a folder holds the grammar files and examples of the language, and says in ``desc.xml`` (for
the tool trgen) or ``pom.xml`` (for antlr4test-maven-plugin) where to start and which files are
meant. An example with a file ``.errors`` beside it is one that the grammar should reject; ``.tree``
files hold expected trees and are no examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from gramspect.adapter_api import AdapterError, SuiteError, TestSuite

__all__ = ["Collected", "load_tests", "read_folder"]

_EXAMPLES = "examples"
_NO_EXAMPLES = (".errors", ".tree")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_HEADER = re.compile(r"^\s*(?:(lexer|parser)\s+)?grammar\s+(\w+)\s*;", re.MULTILINE)
_IMPORT = re.compile(r"\bimport\s+([\w\s,=]+);")


@dataclass(frozen=True, slots=True)
class Collected:
    """What a folder says: the grammar to load, its start rule, the case of letters, examples.

    `start` is None if the folder does not say, `letters` is ``upper``, ``lower`` or empty, `inputs`
    are patterns of paths below the folder, or folders.
    """

    folder: Path
    grammar: Path
    start: str | None
    letters: str
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Description:
    """What is read of one description file."""

    start: str | None = None
    name: str | None = None
    letters: str = ""
    files: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()


def read_folder(folder: Path) -> Collected:
    """What a folder holds; ``desc.xml`` is asked first, then ``pom.xml``.

    Raises:
        AdapterError: a description cannot be read, or it is not clear which grammar is meant.
    """
    descriptions = [
        read(path)
        for name, read in (("desc.xml", _read_desc), ("pom.xml", _read_pom))
        if (path := folder / name).is_file()
    ]
    files = next((d.files for d in descriptions if d.files), ())
    name = next((d.name for d in descriptions if d.name), None)
    inputs = next((d.inputs for d in descriptions if d.inputs), (_EXAMPLES,))
    return Collected(
        folder=folder,
        grammar=_parser_grammar(folder, files, name),
        start=next((d.start for d in descriptions if d.start), None),
        letters=next((d.letters for d in descriptions if d.letters), ""),
        inputs=inputs,
    )


def load_tests(collected: Collected) -> TestSuite:
    """The examples of a folder.

    Raises:
        SuiteError: there are none, or one cannot be read.
    """
    examples = sorted(set(_examples(collected)))
    if not examples:
        patterns = ", ".join(collected.inputs)
        raise SuiteError(f"{collected.folder}: there are no examples ({patterns}); use --accept")
    wrong = [path for path in examples if path.with_name(f"{path.name}.errors").exists()]
    return TestSuite.load([path for path in examples if path not in wrong], wrong)


def _examples(collected: Collected) -> Iterator[Path]:
    for pattern in collected.inputs:
        place = collected.folder / pattern
        found = place.rglob("*") if place.is_dir() else collected.folder.glob(pattern)
        for path in found:
            hidden = any(p.startswith(".") for p in path.relative_to(collected.folder).parts)
            if path.is_file() and path.suffix not in _NO_EXAMPLES and not hidden:
                yield path


# --- descriptions ----------------------------------------------------------------------------


def _read_desc(path: Path) -> _Description:
    root = _xml(path)
    scopes = [root, *(test for test in root.iter("test") if _is_for_java(test))]

    def first(*tags: str) -> str | None:
        texts = (_text(scope.find(tag)) for scope in scopes for tag in tags)
        return next(filter(None, texts), None)

    return _Description(
        start=first("entry-point", "start-rule"),
        name=first("grammar-name"),
        files=_listed(first("grammar-files")),
        inputs=_listed(first("inputs")),
    )


def _is_for_java(test: ElementTree.Element) -> bool:
    targets = _text(test.find("targets"))
    return targets is None or "Java" in _listed(targets)


def _read_pom(path: Path) -> _Description:
    plugins = {}
    for plugin in _xml(path).iterfind(".//{*}plugin"):
        plugins[_text(plugin.find("{*}artifactId"))] = plugin
    generator, tester = plugins.get("antlr4-maven-plugin"), plugins.get("antlr4test-maven-plugin")
    files = [] if generator is None else [_text(e) for e in generator.iterfind(".//{*}include")]

    def told(tag: str) -> str | None:
        return None if tester is None else _text(tester.find(f".//{{*}}{tag}"))

    return _Description(
        start=told("entryPoint"),
        name=told("grammarName"),
        letters={"UPPER": "upper", "LOWER": "lower"}.get(told("caseInsensitiveType") or "", ""),
        files=tuple(file for file in files if file),
        inputs=_listed(told("exampleFiles")),
    )


def _xml(path: Path) -> ElementTree.Element:
    try:
        return ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError, ValueError) as problem:
        raise AdapterError(f"{path}: cannot be read ({problem})") from problem


def _text(element: ElementTree.Element | None) -> str | None:
    text = None if element is None else (element.text or "").strip()
    return text or None


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(part for part in re.split(r"[;,\s]+", text or "") if part)


# --- grammar files ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Header:
    """The first lines of a grammar file: its kind (lexer, parser or empty), name and imports."""

    path: Path
    kind: str
    name: str
    imports: tuple[str, ...]


def _parser_grammar(folder: Path, files: Sequence[str], name: str | None) -> Path:
    """The grammar to load: the one that is no lexer, is not imported, and has the right name."""
    listed = [folder / file for file in files]
    headers = [h for path in listed or sorted(folder.glob("*.g4")) if (h := _header(path))]
    imported = {name for header in headers for name in header.imports}
    found = [h for h in headers if h.kind != "lexer" and h.name not in imported]
    if name is not None:
        found = [h for h in found if h.name in (name, f"{name}Parser")] or found
    if len(found) == 1:
        return found[0].path
    if not found:
        raise AdapterError(f"{folder}: there is no parser grammar (.g4) in this folder")
    names = ", ".join(header.path.name for header in found)
    raise AdapterError(f"{folder}: there are several grammars ({names}); name one of these files")


def _header(path: Path) -> _Header | None:
    try:
        text = _COMMENT.sub(" ", path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None
    found = _HEADER.search(text)
    if found is None:
        return None
    imports = (part.split("=")[-1] for m in _IMPORT.finditer(text) for part in m[1].split(","))
    return _Header(path, found[1] or "", found[2], tuple(part.strip() for part in imports))
