"""CUP and javac as users run them, for parsers that tests load."""

from __future__ import annotations

import atexit
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from zipfile import ZipFile

import javac
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from gramspect_cup import adapter
from gramspect_jvm import java_class
from gramspect_jvm.locating import jar as gramspect_jar
from jars import maven_jar

FIXTURES = Path(__file__).parents[3] / "fixtures"
SIMPL = FIXTURES / "cup" / "simpl"
SIMPL_SUITE = TestSuite.load(
    accept=[SIMPL / "accept.txt"], reject=[SIMPL / "reject.txt"], lines=True
)


SIGNS = {
    **{"=": "eq", ".": "dot", "{": "lbrace", "}": "rbrace", ";": "semi", ":": "colon"},
    **{"+": "plus", "(": "lparen", ")": "rparen"},
}
"""What the signs of the worked example are called in CUP's notation."""


def runtime() -> Path:
    """CUP's runtime, as Maven Central has it."""
    return maven_jar(
        "com.github.vbmacher:java-cup-runtime:11b-20160615-3",
        "944211132b48d6217726655acdd5506ecadaca191d57fd20914c4f4ad2914e33",
    )


def generate(grammar: Path, folder: Path, *options: str) -> Path:
    """What CUP's own command line makes of a grammar: Java sources in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    url = java_class("java.io.File")(str(gramspect_jar())).toURI().toURL()
    # CUP keeps its state in static fields, so each run has classes of its own.
    apart = java_class("java.net.URLClassLoader")([url], None)
    main = apart.loadClass("java_cup.Main").getMethod("main", java_class("java.lang.String[]"))
    arguments = ["-nosummary", "-nowarn", "-destdir", folder, *options, grammar]
    strings = java_class("java.lang.String[]")(list(map(str, arguments)))
    main.invoke(None, java_class("java.lang.Object[]")([strings]))
    return folder


def compile_java(sources: Sequence[Path], folder: Path, *options: str) -> Path:
    """Class files in a folder. CUP's runtime is there while they are compiled, not afterwards."""
    return javac.compile_java(sources, folder, "-cp", gramspect_jar(), *options)


def pack(folder: Path, jar: Path) -> Path:
    """A jar of a folder."""
    with ZipFile(jar, "w") as archive:
        for file in sorted(folder.rglob("*.class")):
            archive.write(file, file.relative_to(folder))
    return jar


def parser_of(cup: str, folder: Path, *java: str, options: Sequence[str] = ()) -> Path:
    """The jar of a grammar and of Java sources beside it, all given as texts."""
    folder.mkdir(parents=True, exist_ok=True)
    grammar = folder / "grammar.cup"
    grammar.write_text(cup)
    sources = list(generate(grammar, folder / "generated", *options).rglob("*.java"))
    for number, text in enumerate(java):
        name = text.split("class ")[1].split()[0]
        source = folder / f"source{number}" / f"{name}.java"
        source.parent.mkdir()
        source.write_text(text)
        sources.append(source)
    return pack(compile_java(sources, folder / "classes"), folder / "parser.jar")


def scratch(name: str) -> Path:
    """A folder that lasts as long as the process."""
    folder = mkdtemp(prefix=f"gramspect-{name}-")
    atexit.register(rmtree, folder, ignore_errors=True)
    return Path(folder)


@cache
def simpl_jar() -> Path:
    """The SIMPL parser with its scanner."""
    folder = scratch("simpl")
    sources = generate(SIMPL / "simpl.cup", folder / "generated")
    java = [*sources.rglob("*.java"), SIMPL / "SimplScanner.java"]
    return pack(compile_java(java, folder / "classes"), folder / "simpl.jar")


def load(
    source: str | Path, start: str | None = None, *, actions: bool = True, **extra: str
) -> Recognizer:
    return adapter.load(str(source), LoadOptions(start, actions, extra))


def classpath(*paths: Path) -> str:
    return os.pathsep.join(map(str, paths))


def texts(*tests: str) -> list[TestCase]:
    return [TestCase(f"text {n}", Expectation.ACCEPT, text) for n, text in enumerate(tests)]
