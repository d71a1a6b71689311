"""Source archives of releases from PyPI, with their tests, unpacked and never run."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tarfile
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from hashlib import sha256
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urljoin
from urllib.request import urlopen
from zipfile import ZipFile

from packaging.version import InvalidVersion, Version

__all__ = ["Project", "Release", "releases", "text_of", "texts_of", "unpack_newest"]

LARGEST, LONGEST = 2_000_000, 12_000
"""Files of more bytes are left out, and texts of more characters."""
_ARCHIVE = re.compile(r"-(\d[^-]*)\.(?:tar\.gz|tar\.bz2|zip)$")
_LINK = re.compile(r'<a[^>]*href="([^"]*)"[^>]*>\s*([^<]*?)\s*</a>')
_TESTS = re.compile(r"(^|/)(tests?|examples?)(/|$)|(^|/)test_[^/]*$|\.(md|rst)$")
_BINARY = (".png", ".so", ".pyc", ".gz", ".zip")
_SURROGATE = re.compile("[\ud800-\udfff]")
_INDENTED = re.compile(r"(?:::|\.\. code[\w-]*:: ?\w*)\n\s*\n((?:(?: {2,}|\t)[^\n]*\n|[ \t]*\n)+)")
_FENCED = re.compile(r"```\w*\n(.*?)```", re.S)


@dataclass(frozen=True)
class Project:
    """Where the grammar of a project is, and how its parser is made: see ``release_cases.toml``.

    A Lark grammar in a module is the strings that are the values of `variables`, or arguments
    (``Lark.0``). The parser of PLY is what `make` names, or `parser` in `code`; `stubs` are modules
    that it imports, but that no text needs, `bare` packages whose own module is not to run, and
    `needs` are packages of PyPI that it comes with. `texts` are patterns of further files with
    texts, `tests_of` is another package whose tests are used.
    """

    name: str
    tool: str
    package: str
    grammar: str
    adapter: str = ""
    make: str = ""
    code: str = ""
    stubs: Sequence[str] = ()
    bare: Sequence[str] = ()
    needs: Sequence[str] = ()
    actions: bool = True
    variables: Sequence[str] = ()
    file: str = ""
    start: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    indented: bool = False
    tests_of: str = ""
    texts: Sequence[str] = ()
    most_releases: int = 60
    most_texts: int = 2_500


@dataclass(frozen=True)
class Release:
    """A release whose grammar is not that of the one before it."""

    version: str
    folder: Path

    def grammar(self, pattern: str) -> list[Path]:
        """The files of the grammar, the main one last."""
        found = [path for path in sorted(self.folder.rglob("*")) if path.is_file()]
        return [p for p in found if fnmatch(p.relative_to(self.folder).as_posix(), pattern)]


def releases(project: Project, cache: Path) -> list[Release]:
    """The releases in order, as far as there are source archives; `cache` keeps what is in them."""
    archives = _archives(project.package)
    versions = sorted(archives)
    most = project.most_releases
    if len(versions) > most:
        step = (len(versions) - 1) / (most - 1)
        versions = [versions[round(number * step)] for number in range(most)]
    found: list[Release] = []
    last = ""
    for version in versions:
        folder = cache / project.package / str(version)
        if not (folder / "complete").exists():
            _unpack(archives[version], folder, [project.grammar, *project.texts])
        release = Release(str(version), folder)
        grammar = release.grammar(project.grammar)
        state = sha256(b"".join(_contents(path, project) for path in grammar)).hexdigest()
        if grammar and state != last:
            found.append(release)
            last = state
    return found


def unpack_newest(package: str, patterns: Sequence[str], cache: Path) -> None:
    """The newest release of a package whose tests have texts for another."""
    archives = _archives(package)
    newest = max(archives)
    folder = cache / package / str(newest)
    if not (folder / "complete").exists():
        _unpack(archives[newest], folder, patterns)


def _archives(package: str) -> dict[Version, str]:
    """The source archives of final releases in the package index that pip uses."""
    name = re.sub(r"[-_.]+", "-", package).lower()
    page = f"{_index().rstrip('/')}/{name}/"
    found: dict[Version, str] = {}
    for link, file in _LINK.findall(_fetched(page).decode()):
        match = _ARCHIVE.search(file)
        try:
            version = Version(match[1]) if match else None
        except InvalidVersion:
            continue
        if version is not None and not version.is_prerelease:
            found[version] = urljoin(page, unescape(link))
    return found


def _index() -> str:
    asked = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return os.environ.get("PIP_INDEX_URL") or told or "https://pypi.org/simple"


def _fetched(url: str) -> bytes:
    with urlopen(url, timeout=120) as answer:
        found: bytes = answer.read()
    return found


def _contents(path: Path, project: Project) -> bytes:
    """What makes two releases differ."""
    if project.variables:
        try:
            return text_of(path, project.variables).encode()
        except (ValueError, SyntaxError):
            return b""
    return path.read_bytes()


def text_of(path: Path, variables: Sequence[str]) -> str:
    """The texts that variables of a module are, one after the other.

    Raises:
        ValueError: it has no such texts.
    """
    values: dict[str, str] = {}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            values.update((ast.unparse(target), str(node.value.value)) for target in node.targets)
        elif isinstance(node, ast.Call):
            for place, argument in enumerate(node.args):
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    values.setdefault(f"{ast.unparse(node.func)}.{place}", argument.value)
    missing = [name for name in variables if name not in values]
    if missing:
        raise ValueError(f"{path.name} has no text {missing[0]}")
    return "\n".join(values[name] for name in variables)


def _unpack(url: str, folder: Path, patterns: Sequence[str]) -> None:
    """The grammar, all Python modules, and what tests are made of."""
    for name, read in _members(_fetched(url)):
        path = Path(name.partition("/")[2])
        is_named = any(fnmatch(path.as_posix(), pattern) for pattern in patterns)
        is_wanted = path.suffix in (".py", ".lark", ".g4") or is_named
        is_test = _TESTS.search(path.as_posix()) and path.suffix not in _BINARY
        if ".." not in path.parts and (is_wanted or is_test):
            data = read()
            if len(data) <= LARGEST:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(data)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "complete").touch()


def _members(archive: bytes) -> Iterator[tuple[str, Callable[[], bytes]]]:
    if archive[:2] == b"PK":
        opened = ZipFile(BytesIO(archive))
        for name in opened.namelist():
            if not name.endswith("/"):
                yield name, lambda name=name: opened.read(name)  # type: ignore[misc]
        return
    with tarfile.open(fileobj=BytesIO(archive)) as tarball:
        for member in tarball:
            stream = tarball.extractfile(member) if member.isfile() else None
            if stream is not None:
                yield member.name, stream.read


# --- texts ---------------------------------------------------------------------------------------


def texts_of(packages: Sequence[str], cache: Path, patterns: Sequence[str] = ()) -> list[str]:
    """The texts in the tests of all releases: strings in modules, files, and blocks in documents.

    Most are in no language; the newer parser tells which are.
    """
    found: dict[str, None] = {}
    for package in packages:
        for path in sorted((cache / package).rglob("*")):
            inside = path.relative_to(cache / package).as_posix().partition("/")[2]
            is_named = any(fnmatch(inside, pattern) for pattern in patterns)
            is_test = is_named or _TESTS.search(inside)
            if path.is_file() and is_test:
                for text in _texts(path):
                    if 3 <= len(text) <= LONGEST and not _SURROGATE.search(text):
                        found[text] = None
                        if "\n" in text.strip():
                            found[textwrap.dedent(text).lstrip("\n")] = None
    return list(found)


def _texts(path: Path) -> Iterator[str]:
    try:
        text = path.read_text("utf-8")
        if path.suffix == ".py":
            yield from _strings(ast.parse(text))
        elif path.suffix == ".toml":
            yield from _values(tomllib.loads(text))
        elif path.suffix in (".md", ".rst"):
            yield from _FENCED.findall(text)
            yield from _INDENTED.findall(text)
        else:
            yield text
    except (ValueError, SyntaxError):
        return


def _strings(module: ast.Module) -> Iterator[str]:
    """The strings of a module that are no docstrings."""
    documented = (ast.Module, ast.FunctionDef, ast.ClassDef)
    nodes = list(ast.walk(module))
    first = (node.body[0] for node in nodes if isinstance(node, documented) and node.body)
    docstrings = {id(node.value) for node in first if isinstance(node, ast.Expr)}
    for node in nodes:
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in docstrings:
            yield node.value


def _values(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            yield from _values(value)
