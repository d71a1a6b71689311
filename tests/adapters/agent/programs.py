"""Java programs that are recorded: made by the real generators and javac, run with the agent."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from gramspect_jvm.locating import agent, jar

__all__ = ["Program", "compiled", "generated_by_antlr", "generated_by_cup"]


@dataclass(frozen=True)
class Program:
    """Classes in a folder; `parser` is the one that is recorded."""

    folder: Path
    parser: str

    def command(self, out: Path, *arguments: str, options: str = "") -> list[str]:
        """The command that runs its class Main under the agent."""
        recording = f"-javaagent:{agent()}=out={out},parser={self.parser}{options}"
        return ["java", recording, "-cp", f"{self.folder}:{jar()}", "Main", *arguments]

    def run(self, out: Path, *arguments: str, options: str = "") -> str:
        """What Main prints."""
        done = subprocess.run(
            self.command(out, *arguments, options=options),
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        return done.stdout


def generated_by_antlr(folder: Path, grammar: str) -> None:
    """The sources of a parser for a grammar G."""
    (folder / "G.g4").write_text(grammar, encoding="utf-8")
    tool = ["java", "-cp", str(jar()), "org.antlr.v4.Tool", "-no-listener", "G.g4"]
    subprocess.run(tool, cwd=folder, check=True, capture_output=True)


def generated_by_cup(folder: Path, grammar: str) -> None:
    """The sources of a parser for a grammar."""
    (folder / "G.cup").write_text(grammar, encoding="utf-8")
    tool = ["java", "-cp", str(jar()), "java_cup.Main", "-nowarn", "-nosummary", "G.cup"]
    subprocess.run(tool, cwd=folder, check=True, capture_output=True)


def compiled(folder: Path, main: str, parser: str) -> Program:
    """The program of all sources in a folder and a class Main."""
    (folder / "Main.java").write_text(main, encoding="utf-8")
    sources = [str(path) for path in folder.rglob("*.java")]
    command = ["javac", "-nowarn", "-cp", str(jar()), "-d", str(folder), *sources]
    subprocess.run(command, check=True, capture_output=True)
    return Program(folder, parser)
