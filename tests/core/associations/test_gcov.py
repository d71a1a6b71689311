"""C programs that were built for gcov: what inputs execute, with real runs of a real program."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from command import Command

GRAMMAR = """%token NUMBER
%%
expr : expr '+' term | term ;
term : term '*' NUMBER | NUMBER | '!' ;
"""

PROGRAM = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int products;

static void multiply(void) {
  products++;
}

int main(int argc, char **argv) {
  char text[1000] = "";
  FILE *file = fopen(argv[1], "r");
  fread(text, 1, sizeof text - 1, file);
  if (strchr(text, '!')) abort();
  if (strchr(text, '*')) multiply();
  return strchr(text, '+') ? 3 : 0;
}
"""

INPUTS = ["NUMBER", "NUMBER + NUMBER", "NUMBER * NUMBER", "NUMBER + NUMBER * NUMBER", "! + NUMBER"]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program that was built for gcov, and has run once already."""
    monkeypatch.chdir(tmp_path)
    Path("sums.y").write_text(GRAMMAR)
    Path("inputs.txt").write_text("\n".join(INPUTS) + "\n")
    Path("build").mkdir()
    Path("build/sums.c").write_text(PROGRAM)
    subprocess.run(["gcc", "-w", "--coverage", "-o", "sums", "sums.c"], cwd="build", check=True)
    Path("one.txt").write_text("NUMBER")
    subprocess.run(["build/sums", "one.txt"], check=True)
    return tmp_path


def learn(command: Command, *args: str) -> Any:
    asked = "associate", "sums.y", "--lines", "--accept", "inputs.txt", "--format", "json"
    answer = command(*asked, "--command", "build/sums {file}", "--gcov", "build", *args)
    assert answer.status == 0, answer
    return json.loads(answer.out)


def test_functions_and_ends(command: Command, program: Path) -> None:
    before = {path: path.read_bytes() for path in sorted(program.rglob("*")) if path.is_file()}
    assert any(path.suffix == ".gcda" for path in before)
    found = learn(command)
    targets = {each["target"]: each for each in found["targets"]}
    assert {name: each["covering"] for name, each in targets.items()} == {
        "sums.c:main": 4,
        "sums.c:multiply": 2,
        "ends with exit status 0": 2,
        "ends with exit status 3": 2,
    }
    (way,) = targets["sums.c:multiply"]["ways"]
    assert [clause["text"] for clause in way["clauses"]] == ["has <term> '*' NUMBER"]
    (lost,) = found["left_out"]  # what it executed before is not known
    assert lost["input"] == "inputs.txt:5"
    assert "left no counters of gcov (SIGABRT)" in lost["reason"]
    after = {path: path.read_bytes() for path in sorted(program.rglob("*")) if path.is_file()}
    assert after == before  # the user's own counters as well


@pytest.mark.usefixtures("program")
def test_how_it_ends_is_known_of_crashes(command: Command) -> None:
    found = learn(command, "--targets", "statuses")
    assert {each["target"]: each["covering"] for each in found["targets"]} == {
        "ends with SIGABRT": 1,
        "ends with exit status 0": 2,
        "ends with exit status 3": 2,
    }
    assert found["left_out"] == []


@pytest.mark.usefixtures("program")
@pytest.mark.parametrize("moved", [False, True])
def test_files_of_one_name(command: Command, moved: bool) -> None:
    """Notes of the compiler that are called alike, also after the build was moved."""
    Path("build/helper").mkdir()
    Path("build/sums.c").write_text("int other(const char *text);\n" + PROGRAM.replace(
        "'+') ?", "'+') && other(text) ?"
    ))  # fmt: skip
    Path("build/helper/sums.c").write_text("int other(const char *text) { return *text; }\n")
    for made in ("sums", "helper/sums"):
        compiling = ["gcc", "-w", "--coverage", "-c", f"{made}.c", "-o", f"{made}.o"]
        subprocess.run(compiling, cwd="build", check=True)
    linking = ["gcc", "--coverage", "-o", "sums", "sums.o", "helper/sums.o"]
    subprocess.run(linking, cwd="build", check=True)
    place = "elsewhere" if moved else "build"
    Path("build").rename(place)
    asked = "--command", f"{place}/sums {{file}}", "--gcov", place
    found = learn(command, *asked)["targets"]
    covering = {each["target"]: each["covering"] for each in found}
    assert covering["sums.c:other"] == 2
    assert covering["sums.c:multiply"] == 2


@pytest.mark.usefixtures("program")
def test_lines(command: Command) -> None:
    found = learn(command, "--targets", "lines")
    covering = {each["target"]: each["covering"] for each in found["targets"]}
    line = PROGRAM.splitlines().index("  products++;") + 1
    assert covering[f"sums.c:{line}"] == 2
    assert set(covering.values()) == {2, 4}


@pytest.mark.usefixtures("program")
@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--command", "build/sums {file}", "--gcov", "nowhere"], "nowhere: there is no such"),
        (["--command", "build/sums {file}", "--gcov", "empty"], "build the program with gcc --co"),
        (["--command", "true {file}", "--gcov", "build"], "left no counters of gcov (exit status"),
        (["--gcov", "build"], "--gcov is about a program that --command starts"),
        (["--command", "true {file}", "--targets", "lines"], "a command without --gcov tells"),
    ],
)
def test_what_cannot_be_used(command: Command, args: list[str], message: str) -> None:
    Path("empty").mkdir()
    asked = "associate", "sums.y", "--lines", "--accept", "inputs.txt"
    assert message in command.fails(*asked, *args)
