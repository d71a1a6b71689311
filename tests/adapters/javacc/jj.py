"""JavaCC grammars as texts, and their parsers."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cfg import Cfg
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import Observation
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase
from gramspect_javacc import adapter
from gramspect_javacc.recognizer import JavaccRecognizer
from gramspect_jvm.locating import jar
from javac import compile_java

FRAME = """\
options {{ STATIC = {static}; }}
PARSER_BEGIN(Parser)
public class Parser {{ {members} }}
PARSER_END(Parser)
SKIP : {{ " " | "\\n" }}
{body}
"""


def compiled(folder: Path, body: str, members: str = "") -> Path:
    """The folder with a generated parser and what else is in it, compiled by javac."""
    grammar = folder / "Parser.jj"
    grammar.write_text(FRAME.format(body=body, members=members, static="false"))
    _run("java", "-cp", str(jar()), "javacc", f"-OUTPUT_DIRECTORY={folder}", str(grammar))
    return compile_java(folder.glob("*.java"), folder, "-cp", folder)


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@dataclass(frozen=True)
class Load:
    """Writes grammars into a folder and loads them."""

    folder: Path

    def __call__(
        self, body: str, *, members: str = "", static: bool = False, **options: str
    ) -> JavaccRecognizer:
        """The parser of productions in a usual frame."""
        text = FRAME.format(body=body, members=members, static=str(static).lower())
        return self.text(text, **options)

    def text(self, text: str, name: str = "Parser.jj", **options: str) -> JavaccRecognizer:
        """The parser of a whole file."""
        path = self.folder / name
        path.write_text(text)
        start = options.pop("start", None)
        return adapter.load(str(path), LoadOptions(start=start, extra=options))


def case(text: str) -> TestCase:
    """A test with a text."""
    return TestCase(text or "empty", Expectation.ACCEPT, text)


def observed(recognizer: JavaccRecognizer, *texts: str) -> list[Observation]:
    """What a parser does with some texts."""
    return [observe(trace) for trace in recognizer.traces([case(text) for text in texts])]


def rule_texts(grammar: Grammar, observation: Observation) -> list[str]:
    """The rules of an observation as the user wrote them, in order."""
    return [grammar.rule_text(rule) for rule in sorted(observation.rules)]


def labels(grammar: Grammar, observation: Observation) -> set[str]:
    """The labels of the rules of an observation."""
    return {grammar.rules[rule].label for rule in observation.rules}


def as_cfg(grammar: Grammar) -> Cfg:
    """A grammar as the oracles see it."""

    def pairs() -> Iterator[tuple[str, tuple[str, ...]]]:
        for rule in grammar.rules:
            rhs = tuple(grammar.symbols[symbol].name for symbol in rule.rhs)
            yield grammar.symbols[rule.lhs].name, rhs

    return Cfg(tuple(pairs()), grammar.symbols[grammar.start].name)
