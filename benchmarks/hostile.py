"""Runs many hostile cases and counts what goes wrong: how ``tests/hostile`` is run for long.

    python benchmarks/hostile.py [--cases N] [--seed N] [--jobs N] [--seconds N]
                                 [--families NAME,...] [--keep FOLDER] [--total FILE]

A case has a command line and files, made from its family's seed: the same cases each time. Each
job runs one case after the other, in forks of a process of its own (``tests/fork_server.py``).
Something is wrong if there is a traceback, an internal error, more than one line of error, a status
that cannot be, output that is no JSON where it should be, or more than 2 GB in memory, or if it
hangs. The first such cases are listed with their numbers; `--keep` keeps their files.

A long run can be made in parts: `--total` names a file that keeps the counts after every thousand
cases. A run that finds it goes on after the cases that are counted there, until there are N in all.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TextIO

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
"""What is tried, with how often in `SHARES`."""

SHARES = {"ANTLR grammars": 0.1, "JavaCC grammars": 0.1, "CUP grammars": 0.1, "user code": 0.1}
"""How often compared with the others: a JVM costs ten times as much, and of user code there are
1,600 different cases, many of which wait for a time limit."""

LISTED = 100
ROUND = 1000
"""After so many cases the counts are saved, when none is running."""


@dataclass
class Count:
    """What came of the cases of one family."""

    begun: int = 0
    done: int = 0
    statuses: dict[int | None, int] = field(default_factory=dict)
    wrong: int = 0
    longest: float = 0.0
    most: float = 0.0


@dataclass(frozen=True)
class Tried:
    """A case that has been run: number `number` of its family, and what is wrong with it."""

    family: str
    number: int
    case: Case
    outcome: Outcome
    wrong: list[str]


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs hostile cases.")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="how many at the same time")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after that")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--keep", type=Path, help="folder for the files of what goes wrong")
    parser.add_argument("--total", type=Path, help="file with the counts of the runs before")
    options = parser.parse_args()
    names = options.families.split(",")
    counts = kept_counts(options.total, options.seed, names)
    cases = {name: islice(FAMILIES[name](options.seed), counts[name].begun, None) for name in names}
    end = time.monotonic() + options.seconds
    listed = 0
    while (left := options.cases - total(counts)) > 0 and time.monotonic() < end:
        most = min(left, ROUND)
        for tried in all_tried(counts, cases, most, end, options.jobs, options.keep):
            note(counts[tried.family], tried)
            if tried.wrong and listed < LISTED:
                listed += 1
                said = f"{tried.case.name[:200]}: {tried.wrong}; {tried.outcome.errors[-300:]}"
                print(f"{tried.family} {tried.number}: {said}", flush=True)
        keep_counts(options.total, options.seed, counts)
        print_table(counts, sys.stderr)
    print_table(counts, sys.stdout)


def total(counts: Mapping[str, Count]) -> int:
    """How many cases there were."""
    return sum(count.done for count in counts.values())


def kept_counts(path: Path | None, seed: int, names: Sequence[str]) -> dict[str, Count]:
    """The counts of the runs before, or zeros.

    The program ends with a message if they are of other families or of another seed.
    """
    if path is None or not path.exists():
        return {name: Count() for name in names}
    kept = json.loads(path.read_text())
    if kept["seed"] != seed or list(kept["families"]) != list(names):
        sys.exit(f"{path} has the counts of seed {kept['seed']}, {', '.join(kept['families'])}.")
    return {
        name: Count(**{**count, "statuses": dict(count["statuses"])})
        for name, count in kept["families"].items()
    }


def keep_counts(path: Path | None, seed: int, counts: Mapping[str, Count]) -> None:
    """Saves the counts, if there is a file for them."""
    if path is not None:
        families = {
            name: {**asdict(count), "statuses": list(count.statuses.items())}
            for name, count in counts.items()
        }
        draft = path.with_name(f"{path.name}.draft")
        draft.write_text(json.dumps({"seed": seed, "families": families}))
        draft.replace(path)


def all_tried(
    counts: Mapping[str, Count],
    cases: Mapping[str, Iterator[Case]],
    most: int,
    end: float,
    jobs: int,
    keep: Path | None,
) -> Iterator[Tried]:
    """Runs so many of the cases, or until that time, some of them at the same time."""
    with ThreadPoolExecutor(jobs) as pool:
        running = set[Future[Tried]]()
        for _ in range(most):
            if time.monotonic() > end:
                break
            if len(running) == jobs:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (one.result() for one in done)
            name = min(counts, key=lambda one: counts[one].begun / SHARES.get(one, 1.0))
            count = counts[name]
            count.begun += 1
            running.add(pool.submit(try_case, name, count.begun, next(cases[name]), keep))
        yield from (one.result() for one in running)


def try_case(family: str, number: int, case: Case, keep: Path | None) -> Tried:
    """Runs a case, and keeps its files if something is wrong."""
    with tempfile.TemporaryDirectory(prefix="gramspect-") as folder:
        outcome = run(case, Path(folder))
        wrong = list(faults(case, outcome))
        if wrong and keep is not None:
            keep_files(case, outcome, Path(folder), keep / f"{family} {number}")
    return Tried(family, number, case, outcome, wrong)


def note(count: Count, tried: Tried) -> None:
    """Counts a case."""
    outcome = tried.outcome
    count.done += 1
    count.statuses[outcome.status] = count.statuses.get(outcome.status, 0) + 1
    count.longest = max(count.longest, outcome.seconds)
    count.most = max(count.most, outcome.megabytes)
    count.wrong += bool(tried.wrong)


def print_table(counts: Mapping[str, Count], stream: TextIO) -> None:
    """One row for each family, and how many cases there were."""
    head = "| family | cases | status 0 | 1 | 2 | wrong | longest, s | largest, MB |"
    print(head, "|---|---:|---:|---:|---:|---:|---:|---:|", sep="\n", file=stream)
    for name, count in counts.items():
        statuses = " | ".join(f"{count.statuses.get(n, 0):,}" for n in range(3))
        print(
            f"| {name} | {count.done:,} | {statuses} | {count.wrong} | {count.longest:.1f}"
            f" | {count.most:.0f} |",
            file=stream,
        )
    print(f"\n{total(counts):,} cases", file=stream, flush=True)


def keep_files(case: Case, outcome: Outcome, folder: Path, aside: Path) -> None:
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
