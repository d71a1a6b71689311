"""Java programs that are watched: which methods inputs execute, in a JVM of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command import Command
from gramspect_jvm.programs import JavaProgram
from javac import compile_java

PROGRAM = """package sums;
import java.io.Reader;
public class Sums {
  public static int run(String text) {
    return new Sums().all(text.split(" "));
  }
  public void each(Reader text) throws java.io.IOException {
    if (text.read() == '(') { nested(); }
  }
  private int all(String[] words) {
    int found = 0;
    for (String word : words) {
      switch (word) {
        case "*": found += times(); break;
        case "!": throw new IllegalStateException("never");
        case "?": System.exit(3);
        case "~": while (true) { sleep(); }
        case "<": found += deeper(0); break;
        case "#": fill(); break;
        case "$": crash(); break;
        default: found += Helper.other(word);
      }
    }
    return found;
  }
  private static void sleep() {
    try { Thread.sleep(1000); } catch (InterruptedException end) { }
  }
  private static int deeper(int n) { return deeper(n + 1) + 1; }
  private static void fill() {
    java.util.List<long[]> all = new java.util.ArrayList<>();
    while (true) { all.add(new long[1 << 22]); }
  }
  private static void crash() {
    try {
      java.lang.reflect.Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      ((sun.misc.Unsafe) field.get(null)).putAddress(0, 0);
    } catch (ReflectiveOperationException problem) { throw new IllegalStateException(problem); }
  }
  private int times() { return 1; }
  private void nested() { }
}
"""
HELPER = """package sums;
class Helper {
  static int other(String word) { return word.length(); }
  static int other(int word) { return word; }
}
"""
GRAMMAR = """%token NUMBER
%%
expr : expr '+' term | term ;
term : term '*' NUMBER | NUMBER | '!' | '?' | '~' ;
"""
TIMES, OTHER = "sums.Sums.times()", "sums.Helper.other(String)"


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled program."""
    folder = tmp_path_factory.mktemp("java")
    for name, text in (("Sums", PROGRAM), ("Helper", HELPER)):
        (folder / f"{name}.java").write_text(text)
    return compile_java(folder.glob("*.java"), folder / "classes", "-XDignore.symbol.file")


def test_each_input_has_its_own_methods(classes: Path) -> None:
    texts = ["1 * 2", "1 + 2", "*", "!", "1 * 2", "ä\ud800 *"]
    found = list(JavaProgram(f"{classes}:sums.Sums::run").executions(texts))
    always = {"sums.Sums.run(String)", "sums.Sums.all(String[])"}
    expected = [{TIMES, OTHER}, {OTHER}, {TIMES}, set(), {TIMES, OTHER}, {TIMES, OTHER}]
    assert [one.functions - always for one in found] == expected
    assert all(one.functions >= always for one in found[:3])
    line = PROGRAM.splitlines().index('        case "!": throw new IllegalStateException("never");')
    raised = f"IllegalStateException at sums.Sums.all:{line + 1}"
    assert [one.raised for one in found] == [None, None, None, raised, None, None]


def test_an_object_for_each_input_and_a_reader(classes: Path) -> None:
    found = list(JavaProgram(f"{classes}:sums.Sums::each").executions(["(", "", "("]))
    assert ["sums.Sums.nested()" in one.functions for one in found] == [True, False, True]


def test_only_what_is_named_is_watched(classes: Path) -> None:
    (found,) = JavaProgram(f"{classes}:sums.Sums::run", ("sums.Helper",)).executions(["1 * 2"])
    assert found.functions == {OTHER}


def test_a_crash_or_an_endless_run_costs_that_input(classes: Path) -> None:
    program = JavaProgram(f"{classes}:sums.Sums::run", seconds=4)
    found = list(program.executions(["1", "?", "1", "~", "*"]))
    lost = ["the program ended (exit status 3)", "the program did not end in 4 s"]
    assert [one.lost for one in found] == [None, lost[0], None, lost[1], None]
    assert TIMES in found[-1].functions


def test_a_jvm_that_crashes_says_nothing_else(
    classes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = JavaProgram(f"{classes}:sums.Sums::run")
    found = list(program.executions(["1", "$", "1 * 2"]))
    assert [one.lost for one in found] == [None, "the program ended (SIGABRT)", None]
    assert list(tmp_path.iterdir()) == []  # no files about the crash


def test_errors_of_the_jvm_are_exceptions(classes: Path) -> None:
    program = JavaProgram(f"{classes}:sums.Sums::run")
    found = list(program.executions(["<", "#", "1 * 2"]))
    assert [(one.raised or "").rpartition(":")[0] for one in found] == [
        "StackOverflowError at sums.Sums.deeper", "OutOfMemoryError at sums.Sums.fill", "",
    ]  # fmt: skip
    assert TIMES in found[-1].functions


def test_the_command(command: Command, classes: Path, tmp_path: Path) -> None:
    (tmp_path / "sums.y").write_text(GRAMMAR)
    inputs = ["NUMBER", "NUMBER * NUMBER", "NUMBER + NUMBER", "NUMBER * NUMBER + NUMBER", "? + !"]
    (tmp_path / "inputs.txt").write_text("\n".join(inputs) + "\n")
    asked = "associate", tmp_path / "sums.y", "--lines", "--accept", tmp_path / "inputs.txt"
    answer = command(*asked, "--format", "json", "--program", f"{classes}:sums.Sums::run")
    value: Any = json.loads(answer.out)
    targets = {each["target"]: each for each in value["targets"]}
    assert targets[TIMES]["covering"] == 2
    (way,) = targets[TIMES]["ways"]
    assert [clause["text"] for clause in way["clauses"]] == ["has <term> '*' NUMBER"]
    assert [one["reason"] for one in value["left_out"]] == ["the program ended (exit status 3)"]


@pytest.mark.parametrize(
    ("method", "args", "message"),
    [
        ("sums.Other::run", [], "there is no class sums.Other in "),
        ("sums.Sums::walk", [], "has no public method walk of one String, CharSequence or Reader"),
        ("sums.Helper::other", [], "has no public method other"),
        ("::run", [], "is no method; write PLACE:p.Class::method"),
        ("sums.Sums::run", ["--targets", "lines"], "it tells functions, exceptions"),
    ],
)
def test_what_cannot_be_used(
    command: Command, classes: Path, tmp_path: Path, method: str, args: list[str], message: str
) -> None:
    (tmp_path / "sums.y").write_text(GRAMMAR)
    (tmp_path / "inputs.txt").write_text("NUMBER\n")
    asked = "associate", tmp_path / "sums.y", "--lines", "--accept", tmp_path / "inputs.txt"
    assert message in command.fails(*asked, "--program", f"{classes}:{method}", *args)
    assert "is no method" in command.fails(*asked, "--program", "lib.jar:p.Class")
    missing = f"{tmp_path}/none.jar:p.Class::method"
    assert "there is no such jar or folder" in command.fails(*asked, "--program", missing)
