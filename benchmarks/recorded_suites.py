"""Measures recorded pytest suites of real projects: coverage, cost, and faults seeded into them.

    python benchmarks/recorded_suites.py DIR [NAME...]

DIR is where source distributions are fetched to (by pip) and unpacked. Their tests run unchanged
with the interpreter that runs this, which needs what the projects and their tests need. Test
modules that need a file that the distribution lacks are left out.

The cost is the wall time and the processor time of a whole run of pytest, start and report
included, with the plugin and without, in turns, the least of each. All modules have been compiled
before.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tarfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

ROUNDS = 5


@dataclass(frozen=True)
class Project:
    """A source distribution with its parser, and a fault: a text in a file, and what it becomes.

    The fault is in the line in which the text begins; a project may have none. `tables` are files
    that were made from the grammar when the distribution was; with the fault they are removed.
    """

    distribution: str
    parser: str
    tests: tuple[str, ...]
    file: str
    right: str
    wrong: str
    tables: str = ""
    rounds: int = ROUNDS


PROJECTS = (
    Project(
        "luqum==1.0.0", "luqum.parser:parser",
        ("tests", "--ignore", "tests/test_parser.py", "--ignore", "tests/test_thread.py"),
        "luqum/parser.py",
        "'unary_expression : LPAREN expression RPAREN'",
        "'unary_expression : LPAREN unary_expression RPAREN'",
    ),
    Project(
        "jsonpath-ng==1.16.0", "jsonpath_ng.parser:JsonPathParser",
        ("tests/test_parser.py", "tests/test_jsonpath.py"),
        # No fault: the parser's tables are made when the distribution is.
        "src/jsonpath_ng/parser.py", "", "",
    ),
    Project(
        "pddl==0.5.1", "pddl.parser.domain:DomainParser", ("tests/test_parser",),
        "pddl/parser/grammar.lark", "LPAR WHEN gd cond_effect RPAR", "LPAR WHEN gd p_effect RPAR",
        rounds=2,
    ),
    Project(
        "calmjs.parse==1.3.4", "calmjs.parse.parsers.es5:Parser", ("src/calmjs/parse/tests",),
        "src/calmjs/parse/parsers/es5.py",
        "| FOR LPAREN VAR variable_declaration_list_noin SEMI",
        "| FOR LPAREN VAR variable_declaration_noin SEMI",
        tables="src/calmjs/parse/parsers/yacctab_*.py",
    ),
    Project(
        "mappyfile==1.2.0", "mappyfile.parser:Parser",
        ("tests/test_expressions.py", "tests/test_comments.py", "tests/test_snippets.py"),
        "mappyfile/mapfile.lark", "", "",
        rounds=2,
    ),
)  # fmt: skip


def unpacked(project: Project, folder: Path) -> Path:
    """The folder of a distribution, fetched if it is not there."""
    name, _, version = project.distribution.partition("==")
    stem = f"{name.replace('-', '_').replace('.', '_')}-{version}"
    if not (folder / f"{stem}.tar.gz").exists():
        fetch = ["download", "-q", "--no-deps", "--no-binary", ":all:", project.distribution]
        subprocess.run([sys.executable, "-m", "pip", *fetch], cwd=folder, check=True)
    with tarfile.open(folder / f"{stem}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return folder / stem


def environment(home: Path) -> dict[str, str]:
    """The project's own packages come first, as it has them in its source."""
    path = os.pathsep.join([str(home / "src"), str(home)])
    # What is compiled is kept, as it is wherever tests run more than once.
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": ""}


class Cost(NamedTuple):
    """Of one run, or the least of several."""

    wall: float
    processor: float


def tested(project: Project, home: Path, *options: str) -> tuple[Cost, str]:
    """What a run of the suite costs, in seconds, and the last line that it prints."""
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "--color=no", "-o", "addopts="]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", *project.tests, *options],
        cwd=home, env=environment(home), stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Cost(wall, used), done.stdout.strip().splitlines()[-1]


def least(costs: list[Cost]) -> Cost:
    return Cost(min(one.wall for one in costs), min(one.processor for one in costs))


def concluded(command: str, home: Path) -> dict[str, object]:
    """What a command says of the run that was recorded last."""
    done = subprocess.run(
        [sys.executable, "-m", "gramspect", command, "--spectra", "run.gsp", "--format", "json"],
        cwd=home, env=environment(home), stdout=subprocess.PIPE, check=False,
    )  # fmt: skip
    found: dict[str, object] = json.loads(done.stdout)
    return found


def measured(project: Project, folder: Path) -> str:
    """A row of the table."""
    home = unpacked(project, folder)
    recording = ("--gramspect", project.parser)
    plain, recorded = list[Cost](), list[Cost]()
    tested(project, home, *recording)  # compiles everything
    for _ in range(project.rounds):
        cost, said = tested(project, home)
        plain.append(cost)
        recorded.append(tested(project, home, *recording)[0])
    parses = (home / "run.gsp").read_text().count('"type":"parse"')
    covered = concluded("coverage", home)
    percent = covered["levels"]["alternatives"]["percent"]  # type: ignore[index]
    path = home / project.file
    text = path.read_text()
    if not project.right:
        return _row(project, said, parses, percent, least(plain), least(recorded), "", "")
    assert text.count(project.right) == 1
    before = text[: text.index(project.right)].splitlines()
    # The rules of a docstring with continued lines are at its function.
    functions = [n for n, one in enumerate(before, start=1) if one.lstrip().startswith("def ")]
    lines = {len(before), *functions[-1:]}
    path.write_text(text.replace(project.right, project.wrong))
    for table in home.glob(project.tables) if project.tables else ():
        table.unlink()
    _, failed = tested(project, home, *recording)
    ranking: list[dict[str, object]] = concluded("localize", home)["ranking"]  # type: ignore[assignment]
    path.write_text(text)
    places = [one["location"] for one in ranking]
    ranks = [
        number
        for number, place in enumerate(places, start=1)
        if place and place["line"] in lines and str(place["file"]).endswith(path.name)  # type: ignore[index]
    ]
    rank = str(ranks[0]) if ranks else "-"
    return _row(project, said, parses, percent, least(plain), least(recorded), failed, rank)


def _row(
    project: Project, said: str, parses: int, percent: float, plain: Cost, recorded: Cost,
    failed: str, rank: str,
) -> str:  # fmt: skip
    wall, processor = recorded.wall / plain.wall, recorded.processor / plain.processor
    return (
        f"| {project.distribution} | {said} | {parses:,} | {percent:.1f} | {plain.wall:.2f} s |"
        f" {recorded.wall:.2f} s | {wall:.2f} | {processor:.2f} | {failed} | {rank} |"
    )


def main() -> None:
    """Print a table."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    head = "project | its tests | parses | covered % | plain | recorded | ratio"
    print(f"| {head} | processor | with a fault | rank |\n|{'---|' * 10}")
    for project in PROJECTS:
        if len(sys.argv) == 2 or project.distribution.partition("==")[0] in sys.argv[2:]:
            print(measured(project, folder), flush=True)


if __name__ == "__main__":
    main()
