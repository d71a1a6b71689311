"""The grammars of releases: downloaded by pip or Maven, unpacked, and read without running them."""

from __future__ import annotations

import ast
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from pathlib import Path
from zipfile import ZipFile

from gramspect.errors import GramspectError
from gramspect.grammars.ebnf import Alternative, Definition, Reference
from gramspect.grammars.grammar import Grammar, expand
from gramspect.recognition.recognizer import LoadOptions
from gramspect.running.loading import load_parser
from history_grammars import Written, written

__all__ = ["Project", "read_release"]

ADAPTERS = {"lark": "lark-earley", "antlr": "antlr", "yacc": "chart"}
WHEELS = ("--only-binary", ":all:")
OLD_WHEELS = (*WHEELS, "--python-version", "3.8")
SDISTS = ("--no-binary", ":all:", "--no-build-isolation", "--ignore-requires-python")
SECONDS = 300


@dataclass(frozen=True)
class Project:
    """Where the grammars of a project are.

    `package` is its name in PyPI, or the group and artifact of its source jars in Maven Central
    with a colon between. `file` is a pattern for the path of the grammar in there; what is of
    the same kind in its folder and the one above is put beside it. A grammar that is text in Python
    is the values of `variables`. `options` are those of gramspect's adapter. `family` is set where
    several grammars are from one another.
    """

    name: str
    tool: str
    package: str
    file: str
    versions: Sequence[str]
    family: str = ""
    start: str | None = None
    variables: Sequence[str] = ()
    options: Mapping[str, str] = field(default_factory=dict)


def read_release(project: Project, version: str, cache: Path) -> Written:
    """The grammar of a release.

    Raises:
        GramspectError: it cannot be had or read.
    """
    files = _unpacked(project, version, cache)
    path = files[0]
    if project.tool == "lark" and path.suffix != ".lark":
        text = _value(path, project.variables) if project.variables else path.read_text("utf-8")
        path = path.with_suffix(".lark")
        path.write_text(text, "utf-8")
    if project.tool == "ply":
        grammar = _ply_grammar(files[0], project.start)
    elif project.tool == "javacc":
        return _javacc_written(path, project.start)
    else:
        adapter = ADAPTERS[project.tool]
        options = LoadOptions(project.start, extra=project.options, adapter=adapter)
        grammar = load_parser(path, options).recognizer.grammar
    if any(diagnostic.code == "lark" for diagnostic in grammar.diagnostics):
        raise GramspectError("Lark's own form of the rules only")
    return written(grammar)


# --- archives ----------------------------------------------------------------------------------


def _unpacked(project: Project, version: str, cache: Path) -> list[Path]:
    """The grammar file of a release, then those beside it."""
    folder = cache / "texts" / project.name / version
    listing = folder / "grammar.txt"
    if not listing.exists():
        maven = ":" in project.package
        archive = (_from_maven if maven else _from_pypi)(project.package, version, cache)
        folder.mkdir(parents=True, exist_ok=True)
        contents = dict(_contents(archive))
        chosen = [name for name in contents if fnmatch(name, project.file)]
        if not chosen:
            raise GramspectError(f"there is no {project.file}")
        main = min(chosen, key=len)
        home, kind = Path(main).parent, Path(main).suffix
        near = [n for n in contents if Path(n).parent in (home.parent, home) and n != main]
        names = [*(name for name in near if Path(name).suffix == kind), main]
        for name in names:
            (folder / Path(name).name).write_bytes(contents[name])
        listing.write_text("\n".join(Path(name).name for name in reversed(names)) + "\n")
    return [folder / name for name in listing.read_text().splitlines()]


def _from_pypi(package: str, version: str, cache: Path) -> Path:
    folder = cache / "pypi" / package / version
    for kind in (WHEELS, OLD_WHEELS, SDISTS):
        if not _archives(folder):
            _run(
                sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                "--dest", str(folder), *kind, f"{package}=={version}",
            )  # fmt: skip
    return _only(folder)


def _from_maven(package: str, version: str, cache: Path) -> Path:
    folder = cache / "maven" / package.replace(":", "-") / version
    if not _archives(folder):
        _run(
            "mvn", "--quiet", "--batch-mode",
            "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy",
            f"-Dartifact={package}:{version}:jar:sources", f"-DoutputDirectory={folder}",
        )  # fmt: skip
    return _only(folder)


def _run(*command: str) -> None:
    subprocess.run(command, timeout=SECONDS, capture_output=True, check=False)


def _archives(folder: Path) -> list[Path]:
    endings = (".whl", ".jar", ".zip", ".tar.gz", ".tgz", ".tar.bz2")
    return sorted(path for path in folder.glob("*") if path.name.endswith(endings))


def _only(folder: Path) -> Path:
    found = _archives(folder)
    if not found:
        raise GramspectError("the release cannot be downloaded")
    return found[0]


def _contents(archive: Path) -> Iterator[tuple[str, bytes]]:
    """The files of an archive; without the folder that everything lies in, if it is a tarball."""
    if archive.suffix in (".whl", ".jar", ".zip"):
        with ZipFile(archive) as opened:
            for name in opened.namelist():
                yield name, opened.read(name)
    else:
        with tarfile.open(archive) as tarball:
            for member in tarball:
                stream = tarball.extractfile(member)
                if stream is not None:
                    yield member.name.partition("/")[2], stream.read()


# --- notations ---------------------------------------------------------------------------------


def _value(path: Path, variables: Sequence[str]) -> str:
    """The texts that variables of a module are, one after the other."""
    values = {
        ast.unparse(target): node.value.value
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
    }
    missing = [name for name in variables if name not in values]
    if missing:
        raise GramspectError(f"{path.name} has no text {missing[0]}")
    return "\n".join(str(values[name]) for name in variables)


def _ply_grammar(path: Path, start: str | None) -> Grammar:
    """The grammar in the docstrings of the functions ``p_...`` of a module, in their order."""
    functions = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("p_")
    ]
    functions.sort(key=lambda node: node.lineno)
    definitions: list[Definition] = []
    for function in functions:
        definitions += _definitions(ast.get_docstring(function) or "")
    return expand(definitions, start=start)


def _definitions(text: str) -> Iterator[Definition]:
    name = ""
    for words in map(str.split, text.splitlines()):
        if words and words[0] != "|":
            name, words = words[0], words[1:]  # noqa: PLW2901
        if words and words[0] in ("|", ":", "::="):
            symbols = words[1 : words.index("%prec") if "%prec" in words else len(words)]
            yield Definition(name, (Alternative(tuple(map(Reference, symbols))),))


def _javacc_written(path: Path, start: str | None) -> Written:
    """The productions of a grammar file; those in Java code are taken for terminals."""
    from gramspect_javacc.loading import read_file

    read = read_file(str(path))
    definitions = [p.definition for p in read.productions if not p.is_code]
    found = written(expand(definitions, start=start))
    spellings = {r.name: r.literal for r in read.token_rules if r.name and r.literal}
    return replace(found, spellings=spellings)
