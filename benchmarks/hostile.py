"""Runs many hostile cases and counts what goes wrong: how ``tests/hostile`` is run for long.

    python benchmarks/hostile.py [--cases N] [--seed N] [--seconds N] [--families NAME,...]
                                 [--keep FOLDER]

A case has a command line and files, made from its family's seed: the same cases each time.
Something is wrong if there is a traceback, an internal error, more than one line of error, a status
that cannot be, output that is no JSON where it should be, or more than 2 GB in memory, or if it
hangs. The first such cases are listed with their numbers; `--keep` keeps their files.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "hostile"))

from hostile_code import code_cases
from hostile_files import file_cases
from hostile_grammars import grammar_cases
from hostile_options import option_cases
from hostile_runs import Case, Outcome, faults, run

FAMILIES = {
    "yacc grammars": partial(grammar_cases, notations=("y",)),
    "Lark grammars": partial(grammar_cases, notations=("lark",)),
    "PLY parsers": partial(grammar_cases, notations=("py",)),
    "options": option_cases,
    "files": file_cases,
    "user code": code_cases,
    "ANTLR grammars": partial(grammar_cases, notations=("g4",)),
    "JavaCC grammars": partial(grammar_cases, notations=("jj",)),
    "CUP grammars": partial(grammar_cases, notations=("cup",)),
}
"""What is tried, with how often in `SHARES`: a case with a JVM takes ten times as long."""

SHARES = {"ANTLR grammars": 0.1, "JavaCC grammars": 0.1, "CUP grammars": 0.1, "user code": 0.5}

LISTED = 100


@dataclass
class Count:
    """What came of the cases of one family."""

    cases: Iterator[Case]
    done: int = 0
    statuses: dict[int | None, int] = field(default_factory=dict)
    wrong: int = 0
    longest: float = 0.0
    most: float = 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs hostile cases.")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after that")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--keep", type=Path, help="folder for the files of what goes wrong")
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    counts = {name: Count(FAMILIES[name](options.seed)) for name in options.families.split(",")}
    listed = 0
    for _ in range(options.cases):
        if time.monotonic() > end:
            break
        name = min(counts, key=lambda one: counts[one].done / SHARES.get(one, 1.0))
        listed = tried(name, counts[name], listed, options.keep)
    print("| family | cases | status 0 | 1 | 2 | wrong | longest, s | largest, MB |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, count in counts.items():
        statuses = " | ".join(f"{count.statuses.get(n, 0):,}" for n in range(3))
        print(
            f"| {name} | {count.done:,} | {statuses} | {count.wrong} | {count.longest:.1f}"
            f" | {count.most:.0f} |"
        )
    print(f"\n{sum(count.done for count in counts.values()):,} cases")


def tried(name: str, count: Count, listed: int, keep: Path | None) -> int:
    """Runs the next case of a family; how many have been listed."""
    case = next(count.cases)
    with tempfile.TemporaryDirectory(prefix="gramspect-") as folder:
        outcome = run(case, Path(folder))
        found = list(faults(case, outcome))
        if found and listed < LISTED and keep is not None:
            kept(case, outcome, Path(folder), keep / f"{name} {count.done + 1}")
    count.done += 1
    count.statuses[outcome.status] = count.statuses.get(outcome.status, 0) + 1
    count.longest = max(count.longest, outcome.seconds)
    count.most = max(count.most, outcome.megabytes)
    count.wrong += bool(found)
    if found and listed < LISTED:
        print(
            f"{name} {count.done}: {case.name[:200]}: {found}; {outcome.errors[-300:]}", flush=True
        )
        return listed + 1
    return listed


def kept(case: Case, outcome: Outcome, folder: Path, aside: Path) -> None:
    """Copies the files that the command has read, its arguments and what it has said."""
    shutil.copytree(folder, aside, symlinks=True, ignore=irregular)
    (aside / "arguments.json").write_text(json.dumps(list(case.arguments)))
    (aside / "stderr.txt").write_text(outcome.errors)
    (aside / "stdout.txt").write_bytes(outcome.output)


def irregular(folder: str, names: list[str]) -> list[str]:
    """Those of the names that are not of readable files or folders."""
    return [n for n in names if not (Path(folder, n).is_file() or Path(folder, n).is_dir())]


if __name__ == "__main__":
    main()
