"""Tries parsers that the repository does not know: does one break, is the fault found and mended?

    python benchmarks/fieldtest.py FOLDER [--only NAME...] [--effort N] [--cases FILE]

The subjects are in ``fieldtest.toml``, each a table of its own. FOLDER is where they are downloaded
to, once, by pip, Maven or apt; nothing of them is in the repository. A table says

    kind = "Lark"                     # only printed
    pypi = ["luqum==1.0.0"]           # installed with what they need, into FOLDER/name/site
    sdist = "tarski==0.9.1"           # downloaded and unpacked into FOLDER/name
    maven = ["group:artifact:version"]   # jars in FOLDER/name/lib; `:jar:sources` are unpacked
    debian = "bc=1.07.1-3"            # its source package, unpacked into FOLDER/name
    java = "text of Recipe.java"      # compiled against lib, into FOLDER/name/recipe
    python = "text of recipe.py"      # a function that makes the parser, in FOLDER/name
    source = "grammar.y"              # as on the command line, in FOLDER/name
    options = ["--start", "x"]        # of gramspect, if it needs any
    accept = ["first text", "..."]    # what the parser should accept
    tests = ["tests/*.gd"]            # files that it should accept
    edit = ["file", "before", "after"]   # breaks a copy of the file, and with it an example
    wanted = ["text"]                 # or, where there is no text: what is to be accepted, too
    rule = "name"                     # the rule that the fault is in, or where the wish belongs

A row of a table is printed for every subject, whatever came of it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Subject = Mapping[str, Any]

COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
DEBIAN = "deb-src http://deb.debian.org/debian bookworm main\n"
HEAD = ("subject", "kind", "passes its examples", "broken: passes", "rank", "repair", "seconds")


# --- downloads ---------------------------------------------------------------------------------


def fetch(name: str, subject: Subject, folder: Path) -> Path:
    """The folder of a subject, with everything that it needs."""
    home = folder / name
    if not (home / ".complete").exists():
        shutil.rmtree(home, ignore_errors=True)
        (home / "lib").mkdir(parents=True)
        if "pypi" in subject:
            _pip("install", "--target", str(home / "site"), *subject["pypi"])
        if "sdist" in subject:
            _pip("download", "--no-deps", "--no-binary", ":all:", "-d", str(home), subject["sdist"])
            _unpack_sdist(home)
        for coordinates in subject.get("maven", ()):
            _maven(coordinates, home)
        if "debian" in subject:
            _debian(subject["debian"], home, folder)
        (home / ".complete").touch()
    if "python" in subject:
        (home / "recipe.py").write_text(subject["python"], "utf-8")
    if "java" in subject:
        _compile(subject["java"], home)
    return home


def _pip(*arguments: str) -> None:
    command, *rest = arguments
    _run([sys.executable, "-m", "pip", command, "--quiet", *rest])


def _unpack_sdist(home: Path) -> None:
    (archive,) = home.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(home, filter="data")
    (inner,) = (path for path in home.iterdir() if path.is_dir() and path.name != "lib")
    inner.rename(home / "sdist")


def _maven(coordinates: str, home: Path) -> None:
    sources = coordinates.endswith(":sources")
    with tempfile.TemporaryDirectory() as folder:
        _run(["mvn", "-B", "-q", COPY, f"-Dartifact={coordinates}", f"-DoutputDirectory={folder}"])
        for jar in Path(folder).iterdir():
            if sources:
                zipfile.ZipFile(jar).extractall(home)
            else:
                shutil.copy(jar, home / "lib")


def _debian(package: str, home: Path, folder: Path) -> None:
    """``apt-get source`` with lists of its own, so no file of the system is changed."""
    apt = (folder / "apt").resolve()
    environment = {**os.environ, "APT_CONFIG": str(apt / "apt.conf")}
    if not (apt / "apt.conf").exists():
        (apt / "lists" / "partial").mkdir(parents=True)
        (apt / "cache").mkdir()
        (apt / "sources.list").write_text(DEBIAN)
        (apt / "apt.conf").write_text(
            f'Dir::Etc::sourcelist "{apt}/sources.list";\nDir::Etc::sourceparts "-";\n'
            f'Dir::State::lists "{apt}/lists";\nDir::Cache "{apt}/cache";\n'
        )
        _run(["apt-get", "-qq", "update"], env=environment)
    _run(["apt-get", "-qq", "source", package], cwd=home, env=environment)
    (inner,) = (path for path in home.iterdir() if path.is_dir() and path.name != "lib")
    inner.rename(home / "source")


def _compile(text: str, home: Path) -> None:
    (home / "Recipe.java").write_text(text)
    command = ["javac", "-nowarn", "-cp", "lib/*", "-d", "recipe", "Recipe.java"]
    _run(command, cwd=home)


def _run(command: Sequence[str], **options: Any) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True, **options)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")


# --- gramspect ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """What one run of gramspect gave: its report (None if there is none), words, seconds."""

    report: Mapping[str, Any] | None
    message: str
    seconds: float

    @property
    def decided(self) -> str:
        """Passed of all tests, or why there are none."""
        if self.report is None:
            return f"no: {self.message}"
        tests = self.report["tests"]
        undecided = f", {tests['undecided']} undecided" if tests["undecided"] else ""
        return f"{tests['passed']} of {tests['total']}{undecided}"


def localized(subject: Subject, home: Path, texts: Sequence[str], effort: str) -> Run:
    """The report on a subject as it lies in a folder, its examples and some texts accepted."""
    with tempfile.TemporaryDirectory() as tests:
        for number, text in enumerate(texts):
            (Path(tests) / f"{number}.txt").write_text(text)
        files = [str(p) for pattern in subject.get("tests", ()) for p in home.glob(pattern)]
        command = [
            sys.executable, "-m", "gramspect", "localize", subject["source"],
            "--accept", *([tests] if texts else []), *files,
            "--format", "json", "--effort", effort, "--budget", "300",
            *subject.get("options", []),
        ]  # fmt: skip
        paths = [str(home / path) for path in ("site", ".")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        begin = time.monotonic()
        done = subprocess.run(
            command, cwd=home, env=environment, capture_output=True, text=True, check=False
        )
        seconds = time.monotonic() - begin
    try:
        report = json.loads(done.stdout)
    except ValueError:
        report = None
    return Run(report, done.stderr.strip().removeprefix("gramspect: error: ")[-300:], seconds)


def broken(subject: Subject, home: Path, copy: Path) -> None:
    """Breaks a copy of the subject."""
    file, before, after = subject["edit"]
    ignored = shutil.ignore_patterns("__pycache__", "parsetab.py")
    shutil.copytree(home, copy, symlinks=True, ignore=ignored)
    text = (copy / file).read_text("utf-8", "surrogateescape")
    if text.count(before) != 1:
        raise SystemExit(f"{file}: {before!r} is there {text.count(before)} times, not once")
    (copy / file).write_text(text.replace(before, after), "utf-8", "surrogateescape")


def rank_of(report: Mapping[str, Any], rule: str) -> str:
    """The rank of the first element of the rule among all non-terminals."""
    seen: list[str] = []
    for element in report["ranking"]:
        if element["nonterminal"] not in seen:
            seen.append(element["nonterminal"])
        if element["nonterminal"] == rule:
            return str(len(seen))
    return "-"


def best_repair(report: Mapping[str, Any], rule: str) -> str:
    """The first repair that fixes most tests: where it is made, and what the tool says of it."""
    edits = [edit for element in report["ranking"] for edit in element["edits"]]
    fixing = [edit for edit in edits if edit["status"] == "validated"]
    if not fixing:
        return "none"
    best = max(fixing, key=lambda edit: len(edit["tests"]))
    said = best["confirmation"]["agreement"] if best["confirmation"] else "not asked"
    where = "there" if best["nonterminal"] == rule else f"in {best['nonterminal']}"
    failed = report["tests"]["failed"]
    return f"{where}: {best['text']} ({len(best['tests'])} of {failed}; {said})"


def row(name: str, subject: Subject, home: Path, effort: str) -> Sequence[str]:
    examples, wanted = subject.get("accept", ()), subject.get("wanted", ())
    whole = localized(subject, home, examples, effort)
    cells = [name, subject["kind"], whole.decided]
    if "edit" in subject:
        with tempfile.TemporaryDirectory() as scratch:
            broken(subject, home, Path(scratch) / "copy")
            run = localized(subject, Path(scratch) / "copy", examples, effort)
    elif wanted:
        run = localized(subject, home, [*examples, *wanted], effort)
    else:
        return [*cells, "", "", "", f"{whole.seconds:.0f}"]
    if run.report is None or not run.report["tests"]["failed"]:
        return [*cells, run.decided, "", "", f"{run.seconds:.0f}"]
    rule = subject.get("rule", "")
    rank, repair = rank_of(run.report, rule), best_repair(run.report, rule)
    return [*cells, run.decided, rank, repair, f"{run.seconds:.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Tries parsers that the repository does not know")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cases", type=Path, default=Path(__file__).with_suffix(".toml"))
    parser.add_argument("--effort", default="normal")
    parser.add_argument("--only", nargs="*", default=[])
    given = parser.parse_args()
    folder = given.folder.resolve()
    print("| " + " | ".join(HEAD) + " |\n|---|---|---|---|---:|---|---:|", flush=True)
    for name, subject in tomllib.loads(given.cases.read_text("utf-8")).items():
        if not given.only or name in given.only:
            cells = row(name, subject, fetch(name, subject, folder), given.effort)
            words = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
            print("| " + " | ".join(words) + " |", flush=True)


if __name__ == "__main__":
    main()
