"""What suites execute of a real program: the third research question of Rossouw and Fischer (2023).

    python benchmarks/suite_coverage.py build sqlite|tcc WORK
    python benchmarks/suite_coverage.py run sqlite|tcc WORK [--grammar SQLite.g4] [--seeds N]
        [--criteria pec,rule,...] [--model MODEL.toml]
    python benchmarks/suite_coverage.py table sqlite|tcc WORK [--model MODEL.toml]
    python benchmarks/suite_coverage.py plot sqlite|tcc WORK PICTURE.svg [--model MODEL.toml]

`build` fetches Debian's source package into the folder WORK (`apt-get source`, with a configuration
of its own, so nothing of the system's is changed) and compiles it with gcov's counters; it needs
gcc, make, dpkg-dev and for SQLite tclsh. `run` makes the suites and runs them
(`coverage_harness/`): all tests of a suite in one process, each on an empty database or as a
translation unit of its own. A line is written for each suite as it is done; what is there already
is not run again.

* sqlite: `sqlite3.c`, the whole library. The grammar is https://github.com/bkiers/sqlite-parser
  (MIT), ``SQLite.g4``; no copy of it is kept here. Texts are made by its lexer. With the model
  `coverage_harness/identifiers.toml` no keyword is a name.
* tcc: the preprocessor and the parser of the Tiny C Compiler, `tccpp.c` and `tccgen.c`. The grammar
  is pycparser's. `T` is declared as a type in front of every test.

Statement coverage is gcov's "Lines executed", branch coverage its "Taken at least once".
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from matplotlib.figure import Figure

from gramspect.generation.generate import Generation, Plan
from gramspect.generation.sources import read_grammar
from gramspect.generation.texts import sample_texts
from gramspect.generation.words import Texts
from gramspect.grammars.grammar import Grammar
from gramspect.report.plots import MARKERS, PALETTE, save
from lr_tables import c_grammar

HARNESS = Path(__file__).parent / "coverage_harness"
CRITERIA = ("rule", "cdrc", "step:3", "deriv", "bfs:2", "k-paths:3", "pec")
PACKAGE = {"sqlite": "sqlite3", "tcc": "tcc"}
OBJECT = {"sqlite": "sqlite3", "tcc": "libtcc"}
MEASURED = {"sqlite": ("sqlite3.c",), "tcc": ("tccpp.c", "tccgen.c")}
PREFIX = {"sqlite": "", "tcc": "typedef int T; "}

WORDS = {
    "ID": "a", "TYPEID": "T", "LPAREN": "(", "RPAREN": ")", "LBRACKET": "[", "RBRACKET": "]",
    "LBRACE": "{", "RBRACE": "}", "TIMES": "*", "SEMI": ";", "COMMA": ",", "EQUALS": "=",
    "COLON": ":", "ELLIPSIS": "...", "PERIOD": ".", "XOREQUAL": "^=", "TIMESEQUAL": "*=",
    "DIVEQUAL": "/=", "MODEQUAL": "%=", "PLUSEQUAL": "+=", "MINUSEQUAL": "-=", "LSHIFTEQUAL": "<<=",
    "RSHIFTEQUAL": ">>=", "ANDEQUAL": "&=", "OREQUAL": "|=", "CONDOP": "?", "DIVIDE": "/",
    "MOD": "%", "PLUS": "+", "MINUS": "-", "RSHIFT": ">>", "LSHIFT": "<<", "LT": "<", "LE": "<=",
    "GE": ">=", "GT": ">", "EQ": "==", "NE": "!=", "AND": "&", "OR": "|", "XOR": "^", "LAND": "&&",
    "LOR": "||", "PLUSPLUS": "++", "MINUSMINUS": "--", "NOT": "~", "LNOT": "!", "ARROW": "->",
    "OFFSETOF": "__builtin_offsetof", "INT_CONST_DEC": "1", "INT_CONST_OCT": "07",
    "INT_CONST_HEX": "0x1f", "INT_CONST_BIN": "0b1", "INT_CONST_CHAR": "'ab'", "FLOAT_CONST": "1.5",
    "HEX_FLOAT_CONST": "0x1p3", "CHAR_CONST": "'a'", "WCHAR_CONST": "L'a'",
    "U8CHAR_CONST": "u8'a'", "U16CHAR_CONST": "u'a'", "U32CHAR_CONST": "U'a'",
    "STRING_LITERAL": '"a"', "WSTRING_LITERAL": 'L"a"', "U8STRING_LITERAL": 'u8"a"',
    "U16STRING_LITERAL": 'u"a"', "U32STRING_LITERAL": 'U"a"', "_BOOL": "_Bool",
    "_COMPLEX": "_Complex", "_ATOMIC": "_Atomic", "_ALIGNAS": "_Alignas", "_ALIGNOF": "_Alignof",
    "_NORETURN": "_Noreturn", "_STATIC_ASSERT": "_Static_assert", "_THREAD_LOCAL": "_Thread_local",
}  # fmt: skip
"""C tokens of pycparser; the others are keywords in capitals."""
DIRECTIVES = ("PPHASH", "PPPRAGMA", "PPPRAGMASTR", "_PRAGMA")


def main() -> None:
    parser = argparse.ArgumentParser(description="What suites execute of a real program.")
    parser.add_argument("task", choices=("build", "run", "table", "plot"))
    parser.add_argument("system", choices=tuple(PACKAGE))
    parser.add_argument("work", type=Path)
    parser.add_argument("picture", nargs="?")
    parser.add_argument("--grammar")
    parser.add_argument("--model")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--criteria", default=",".join(CRITERIA))
    given = parser.parse_args()
    work = given.work.resolve()
    label = f"{given.system}-{Path(given.model).stem}" if given.model else given.system
    if given.task == "build":
        build(given.system, work)
    elif given.task == "run":
        if given.system == "sqlite" and given.grammar is None:
            parser.error("sqlite needs --grammar SQLite.g4")
        for seed in range(given.seeds):
            for criterion in given.criteria.split(","):
                run(given.system, work, label, criterion, seed, (given.grammar, given.model))
    elif given.task == "table":
        for row in table(given.system, work, label):
            print("| " + " | ".join(map(str, row)) + " |")
    else:
        plot(work, label, given.picture)


# --- the programs ------------------------------------------------------------------------------


def build(system: str, work: Path) -> None:
    """Fetch and compile a program with counters, and the harness around it."""
    work.mkdir(parents=True, exist_ok=True)
    source = work / system
    if not source.exists():
        fetch(PACKAGE[system], source)
    command = ["gcc", "-O0", "--coverage", "-w", "-I.", "-c"]
    if system == "sqlite":
        call(["./configure", "--disable-tcl", "--disable-readline"], source)
        call(["make", "sqlite3.c"], source)
        options = ["-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"]
        call([*command, *options, "sqlite3.c"], source)
    else:
        call(["./configure"], source)
        call([*command, "-DONE_SOURCE=1", "libtcc.c"], source)
    for name in ("harness", system):
        file = str(HARNESS / f"{name}.c")
        call(["gcc", "-O1", "-I.", "-c", file, "-o", f"coverage-{name}.o"], source)
    objects = ["coverage-harness.o", f"coverage-{system}.o", f"{OBJECT[system]}.o"]
    call(["gcc", "--coverage", *objects, "-lm", "-ldl", "-lpthread", "-o", "run-tests"], source)


def fetch(package: str, target: Path) -> None:
    """Unpack a source package, with lists of packages in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for each in ("lists/partial", "cache/archives/partial", "parts"):
            (folder / each).mkdir(parents=True)
        for file in Path("/etc/apt/sources.list.d").glob("*.sources"):
            text = re.sub(r"^Types:.*$", "Types: deb-src", file.read_text(), flags=re.MULTILINE)
            (folder / "parts" / file.name).write_text(text)
        old = Path("/etc/apt/sources.list")
        lines = old.read_text() if old.exists() else ""
        lines = re.sub(r"^deb ", "deb-src ", lines, flags=re.MULTILINE)
        (folder / "sources.list").write_text(lines)
        settings = {
            "Dir::Etc::sourcelist": folder / "sources.list",
            "Dir::Etc::sourceparts": folder / "parts",
            "Dir::State::lists": folder / "lists",
            "Dir::Cache": folder / "cache",
        }
        (folder / "apt.conf").write_text("".join(f'{k} "{v}";\n' for k, v in settings.items()))
        environment = os.environ | {"APT_CONFIG": str(folder / "apt.conf")}
        call(["apt-get", "update"], folder, environment)
        call(["apt-get", "source", "--download-only", package], folder, environment)
        (described,) = folder.glob("*.dsc")
        call(["dpkg-source", "-x", str(described), str(target)], folder)


def call(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} in {folder}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


# --- the suites --------------------------------------------------------------------------------


def run(
    system: str, work: Path, label: str, criterion: str, seed: int, source: tuple[str, str | None]
) -> None:
    """Make and run one suite, unless that was done; keep its counters and a line of results."""
    results = work / f"{label}.jsonl"
    if any(row["criterion"] == criterion and row["seed"] == seed for row in read(results)):
        return
    begin = time.process_time()
    grammar, texts = subject(system, *source, seed)
    generation = Generation(grammar, Plan((criterion,), seed=seed), texts)
    kept = work / "counters" / label / f"{criterion}-{seed}"
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "tests"
        with file.open("w", encoding="utf-8") as stream:
            for test in generation:
                stream.write(f"{PREFIX[system]}{texts.text(test.tokens)}\0")
        seconds = time.process_time() - begin
        found = execute(system, work, file, kept)
    lines, branches = measured(system, work, kept)
    row = {
        "criterion": criterion, "seed": seed, **found, "lines": lines, "branches": branches,
        "generation": round(seconds, 1),
    }  # fmt: skip
    with results.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(row) + "\n")
    print(json.dumps(row), flush=True)


def subject(system: str, source: str, model: str | None, seed: int) -> tuple[Grammar, Texts]:
    """The grammar and the texts of its tokens."""
    if system == "sqlite":
        return read_grammar(source, model=model, seed=seed)
    grammar = c_grammar()
    given = {
        token.index: (WORDS.get(token.name, token.name.lower()),)
        for token in grammar.terminals
        if token.index
    }
    given |= {token.index: () for token in grammar.terminals if token.name in DIRECTIVES}
    return sample_texts(grammar, None, given=given, seed=seed)


def execute(system: str, work: Path, tests: Path, kept: Path) -> dict[str, int]:
    """Run the tests of a file in an empty folder; their counters are moved to `kept`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "run").mkdir()
        environment = os.environ | {"GCOV_PREFIX": str(folder / "gcov")}
        program = work / system / "run-tests"
        printed = call([str(program), str(tests)], folder / "run", environment)
        found: dict[str, int] = json.loads(printed)
        (counters,) = (folder / "gcov").rglob("*.gcda")
        kept.mkdir(parents=True, exist_ok=True)
        shutil.move(counters, kept / f"{OBJECT[system]}.gcda")
    return found


def measured(system: str, work: Path, kept: Path) -> tuple[float, float]:
    """Statement and branch coverage, in percent."""
    source = work / system
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for suffix, origin in (("gcno", source), ("gcda", kept)):
            shutil.copy(origin / f"{OBJECT[system]}.{suffix}", folder)
        text = call(["gcov", "-b", "-n", f"{OBJECT[system]}.gcda"], folder)
    totals = {"Lines executed": [0.0, 0], "Taken at least once": [0.0, 0]}
    for part in text.split("File '")[1:]:
        file = Path(part.split("'")[0]).name
        if file not in MEASURED[system]:
            continue
        lines = part.split("\n\n", maxsplit=1)[0]
        for what, percent, number in re.findall(r"^(.*):([\d.]+)% of (\d+)$", lines, re.M):
            if what in totals:
                totals[what][0] += float(percent) * int(number)
                totals[what][1] += int(number)
    statements, branches = (round(covered / n, 2) for covered, n in totals.values())
    return statements, branches


def merged(system: str, work: Path, label: str, criteria: Iterable[str]) -> tuple[float, float]:
    """The coverage of all suites of some criteria together."""
    folders = [f for c in criteria for f in (work / "counters" / label).glob(f"{c}-*")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        total = folders[0]
        for number, each in enumerate(folders[1:]):
            target = folder / str(number)
            call(["gcov-tool", "merge", str(total), str(each), "-o", str(target)], folder)
            total = target
        return measured(system, work, total)


def read(results: Path) -> list[dict[str, Any]]:
    if not results.exists():
        return []
    return [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]


# --- tables and pictures -----------------------------------------------------------------------


def table(system: str, work: Path, label: str) -> Iterator[tuple[object, ...]]:
    """A row for each criterion: suites, sizes, and statement and branch coverage in percent.

    Means come with their standard deviations and extremes. Then, statements before branches, the
    means of `pec` over the same seeds, the coverage of all suites of the criterion together, and of
    these with all `pec` suites; and what became of the tests.
    """
    rows = read(work / f"{label}.jsonl")
    done = [criterion for criterion in CRITERIA if criterion in {row["criterion"] for row in rows}]
    yield (
        "criterion", "seeds", "tests", "statements", "branches", "`pec`, same seeds",
        "all seeds together", "with `pec`", "accepted", "syntax errors",
    )  # fmt: skip
    yield ("---",) * 10
    for criterion in done:
        of = [row for row in rows if row["criterion"] == criterion]
        n = sum(row["tests"] for row in of)
        seeds = {row["seed"] for row in of}
        same = [row for row in rows if row["criterion"] == "pec" and row["seed"] in seeds]
        peer = mean(row["lines"] for row in same), mean(row["branches"] for row in same)
        together = merged(system, work, label, [criterion])
        both = merged(system, work, label, {criterion, "pec"} & set(done))
        yield (
            f"`{criterion}`", len(of), f"{n / len(of):,.0f}",
            *(spread([row[key] for row in of]) for key in ("lines", "branches")),
            *("{:.1f} / {:.1f}".format(*pair) for pair in (peer, together, both)),
            *(f"{100 * sum(row[key] for row in of) / n:.0f} %" for key in ("accepted", "syntax")),
        )  # fmt: skip


def spread(values: list[float]) -> str:
    """The mean, the standard deviation and the extremes."""
    if len(values) == 1:
        return f"{values[0]:.1f}"
    return f"{mean(values):.1f} ± {stdev(values):.1f} ({min(values):.1f} to {max(values):.1f})"


def plot(work: Path, label: str, picture: str) -> None:
    """Branch coverage over the size of suites, a point for each."""
    rows = read(work / f"{label}.jsonl")
    figure = Figure(figsize=(6.4, 3.4), layout="constrained")
    axes = figure.add_subplot()
    for number, criterion in enumerate(CRITERIA):
        of = [row for row in rows if row["criterion"] == criterion]
        if of:
            axes.plot(
                [row["tests"] for row in of], [row["branches"] for row in of], label=criterion,
                linestyle="none", marker=MARKERS[number], color=PALETTE[number], markersize=5,
            )  # fmt: skip
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda n, _: f"{n:,.0f}")
    axes.set_xlabel("tests in a suite")
    axes.set_ylabel("branches taken (%)")
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    save(figure, picture)


if __name__ == "__main__":
    main()
