"""Tries parsers that the repository does not know: does one break, is the fault found and mended?

    python benchmarks/fieldtest.py SUBJECTS [--budget SECONDS]

SUBJECTS is a folder with a file ``subjects.toml``. Each of its tables is a subject:

    [name]
    source = "grammar.y"              # as on the command line, paths from the folder
    accept = ["first text", "..."]    # what the parser should accept: the subject's own examples
    options = ["--lines"]             # of gramspect, if it needs any
    path = ["site"]                   # folders for PYTHONPATH, if it is a module
    edit = ["file", "before", "after", "rule"]   # breaks the grammar: in a copy of the folder

The edit is made by hand and is known to break an example. It has four parts: the file, a piece of
its text, what it becomes, and the name of the rule that the fault is in. A line of a table is
printed for every subject, whatever came of it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


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


def localized(subject: Mapping[str, Any], folder: Path, budget: float) -> Run:
    """The report on a subject as it lies in a folder."""
    with tempfile.TemporaryDirectory() as tests:
        for number, text in enumerate(subject["accept"]):
            (Path(tests) / f"{number}.txt").write_text(text)
        return _run(subject, folder, tests, budget)


def _run(subject: Mapping[str, Any], folder: Path, tests: str, budget: float) -> Run:
    options = [word.replace("{folder}", str(folder)) for word in subject.get("options", [])]
    command = [
        sys.executable, "-m", "gramspect", "localize", subject["source"],
        "--accept", tests, "--format", "json", "--budget", str(budget), *options,
    ]  # fmt: skip
    paths = [str(folder / path) for path in subject.get("path", [])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    begin = time.monotonic()
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    seconds = time.monotonic() - begin
    try:
        report = json.loads(done.stdout)
    except ValueError:
        report = None
    return Run(report, done.stderr.strip().removeprefix("gramspect: error: ")[-160:], seconds)


def broken(subject: Mapping[str, Any], folder: Path, copy: Path) -> str:
    """Breaks a copy of the subject; the name of the faulty rule."""
    file, before, after, rule = subject["edit"]
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("__pycache__", "parsetab.py"))
    text = (copy / file).read_text()
    if text.count(before) != 1:
        raise SystemExit(f"{file}: {before!r} is there {text.count(before)} times, not once")
    (copy / file).write_text(text.replace(before, after))
    return str(rule)


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
    """The first repair that fixes a test: where it is made, and what the tool says of it."""
    edits = [edit for element in report["ranking"] for edit in element["edits"]]
    fixing = [edit for edit in edits if edit["status"] == "validated"]
    if not fixing:
        return "none"
    best = max(fixing, key=lambda edit: len(edit["tests"]))
    said = best["confirmation"]["agreement"] if best["confirmation"] else "not asked"
    where = "there" if best["nonterminal"] == rule else f"in {best['nonterminal']}"
    return f"{where}: {best['text']} ({len(best['tests'])} tests; {said})"


def row(name: str, subject: Mapping[str, Any], folder: Path, budget: float) -> Sequence[str]:
    whole = localized(subject, folder, budget)
    if "edit" not in subject:
        return name, whole.decided, "-", "-", "-", f"{whole.seconds:.0f}"
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "copy"
        rule = broken(subject, folder, copy)
        run = localized(subject, copy, budget)
    if run.report is None or not run.report["tests"]["failed"]:
        return name, whole.decided, run.decided, "-", "-", f"{run.seconds:.0f}"
    rank, repair = rank_of(run.report, rule), best_repair(run.report, rule)
    return name, whole.decided, run.decided, rank, repair, f"{run.seconds:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Tries parsers that the repository does not know")
    parser.add_argument("subjects", type=Path)
    parser.add_argument("--budget", type=float, default=20.0)
    parser.add_argument("--only", nargs="*", default=[])
    given = parser.parse_args()
    folder = given.subjects.resolve()
    subjects = tomllib.loads((folder / "subjects.toml").read_text())
    print("| subject | passes its examples | broken: passes | rank | repair | seconds |")
    print("|---|---|---|---:|---|---:|")
    for name, subject in subjects.items():
        if not given.only or name in given.only:
            home = folder / subject.get("folder", ".")
            cells = row(name, subject, home, given.budget)
            print("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |", flush=True)


if __name__ == "__main__":
    main()
