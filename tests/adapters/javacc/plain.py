"""Parsers as JavaCC makes them, without gramspect: in a JVM of their own."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from gramspect_jvm.locating import jar
from javac import compile_java

MAIN = """
public class Main {
  public static void main(String[] arguments) throws Exception {
    var lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String verdict;
      try {
        new Parser(new java.io.StringReader(line)).start();
        verdict = "accepted";
      } catch (ParseException | TokenMgrError error) {
        verdict = "rejected";
      }
      System.out.println(verdict);
    }
  }
}
"""


def plain_verdicts(grammar: Path, texts: Sequence[str]) -> list[str]:
    """What the parser ``Parser`` of a grammar says about some texts, from ``start`` on."""
    out = grammar.parent / "plain"
    out.mkdir()
    _run("java", "-cp", str(jar()), "javacc", f"-OUTPUT_DIRECTORY={out}", str(grammar))
    (out / "Main.java").write_text(MAIN)
    compile_java(out.glob("*.java"), out, "-cp", out)
    done = subprocess.run(
        ["java", "-cp", str(out), "Main"],
        input="\n".join(texts) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
