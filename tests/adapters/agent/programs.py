"""Java programs that are recorded: made by the real generators and javac, run with the agent.

And texts for them, and what the adapters see of these."""

from __future__ import annotations

import random
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gramspect.recognition.recognizer import Batching
from gramspect.recognition.trace import Observation
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase
from gramspect_jvm.locating import agent, jar
from javac import compile_java

__all__ = [
    "Program",
    "compiled",
    "generated_by_antlr",
    "generated_by_cup",
    "generated_by_javacc",
    "observed_here",
    "with_broken_ones",
]


@dataclass(frozen=True)
class Program:
    """Classes in a folder and in jars; `parser` is the one that is recorded."""

    folder: Path
    parser: str
    libraries: tuple[Path, ...] = ()

    def command(self, out: Path, *arguments: str, options: str = "") -> list[str]:
        """The command that runs its class Main under the agent."""
        recording = f"-javaagent:{agent()}=out={out},parser={self.parser}{options}"
        places = ":".join(map(str, [self.folder, *self.libraries]))
        return ["java", recording, "-cp", places, "Main", *arguments]

    def run(self, out: Path, *arguments: str, options: str = "") -> str:
        """What Main prints."""
        done = subprocess.run(
            self.command(out, *arguments, options=options),
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        return done.stdout

    def killed_after(self, lines: int, out: Path, *arguments: str) -> int:
        """Kills Main when it has printed so many lines; returns how many it has printed."""
        process = subprocess.Popen(self.command(out, *arguments), stdout=subprocess.PIPE)
        assert process.stdout is not None
        for _ in range(lines):
            assert process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        more = process.stdout.read().count(b"\n")
        assert process.wait() == -signal.SIGKILL
        return lines + more


def generated_by_antlr(folder: Path, grammar: str, release: Path | None = None) -> None:
    """The sources of a parser for a grammar G, by a release of ANTLR in a jar."""
    (folder / "G.g4").write_text(grammar, encoding="utf-8")
    tool = ["java", "-cp", str(release or jar()), "org.antlr.v4.Tool", "-no-listener", "G.g4"]
    subprocess.run(tool, cwd=folder, check=True, capture_output=True)


def generated_by_cup(folder: Path, grammar: str) -> None:
    """The sources of a parser for a grammar."""
    (folder / "G.cup").write_text(grammar, encoding="utf-8")
    tool = ["java", "-cp", str(jar()), "java_cup.Main", "-nowarn", "-nosummary", "G.cup"]
    subprocess.run(tool, cwd=folder, check=True, capture_output=True)


def generated_by_javacc(folder: Path, grammar: str) -> None:
    """The sources of a parser for a grammar."""
    (folder / "Parser.jj").write_text(grammar, encoding="utf-8")
    tool = ["java", "-cp", str(jar()), "javacc", "Parser.jj"]
    subprocess.run(tool, cwd=folder, check=True, capture_output=True)


def compiled(folder: Path, main: str, parser: str, *libraries: Path) -> Program:
    """The program of all sources in a folder and a class Main."""
    (folder / "Main.java").write_text(main, encoding="utf-8")
    compile_java(folder.rglob("*.java"), folder, "-cp", ":".join(map(str, libraries)))
    return Program(folder, parser, libraries)


def with_broken_ones(good: Sequence[str], words: Sequence[str], count: int) -> list[str]:
    """Sentences, and what comes of them when a token is lost, doubled or changed."""
    chosen = random.Random(18)
    found = list(good)
    while len(found) < count:
        tokens = chosen.choice(good).split()
        for _ in range(chosen.randrange(1, 3)):
            place = chosen.randrange(len(tokens))
            end = place + chosen.randrange(2)
            tokens[place:end] = chosen.choice([[], [chosen.choice(words)]])
            tokens = tokens or [words[0]]
        found.append(" ".join(tokens))
    return found


def observed_here(system: Batching, texts: Sequence[str]) -> list[Observation]:
    """What an adapter sees of the same texts."""
    cases = [TestCase(str(i), Expectation.ACCEPT, text) for i, text in enumerate(texts)]
    return [observe(trace) for trace in system.traces(cases)]
