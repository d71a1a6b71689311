"""Parsers that CUP generated years ago, in jars from Maven Central, and inputs for them.

* JFlex 1.4.3 (2009) reads lexer specifications with a parser of CUP 0.11a, its runtime in the jar;
* JFlex 1.9.1 (2023) with one of CUP 0.11b;
* Xalan's XSLTC 2.7.3 reads XPath with a parser of CUP 0.10k (1999), a runtime of 2003 in the jar;
* CUP 0.11b reads grammars with a parser of its own, which keeps everything in static fields.

`Parser.plain` calls a parser as its library does, in a class loader that knows nothing of
gramspect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from cup_tools import FIXTURES, classpath, compile_java, load, pack, runtime, scratch

from gramspect.recognition.recognizer import Recognizer
from gramspect_jvm import java_class
from jars import maven_jar

INPUTS = FIXTURES / "cup" / "legacy"
REJECTING = frozenset(["syntax_error", "error_recovery", "scan"])
"""Methods of CUP's runtime that only an error in the input, or in a token of it, leads to."""
WORD = re.compile(r"\w+|[^\w\s]|\s+")


@dataclass(frozen=True)
class Parser:
    """One parser: how gramspect loads it, how a program calls it, and what it is given."""

    name: str
    recognizer: Callable[[], Recognizer]
    plain: Callable[[], Callable[[str], str]]
    inputs: Callable[[], list[str]]


def mutations(texts: list[str], count: int) -> list[str]:
    """The texts, and texts with one word deleted, doubled, or swapped with another one."""
    random = Random(7)
    found = dict.fromkeys(texts)
    while len(found) < count:
        words = WORD.findall(random.choice(texts))
        first, second = random.randrange(len(words)), random.randrange(len(words))
        change = random.choice(("delete", "double", "swap"))
        if change == "delete":
            del words[first]
        elif change == "double":
            words.insert(second, words[first])
        else:
            words[first], words[second] = words[second], words[first]
        found["".join(words)] = None
    return list(found)


def entries(name: str) -> list[str]:
    """The inputs in a file, divided by lines of ``====``, or one in each line."""
    text = (INPUTS / name).read_text()
    parts = text.split("====\n") if "====\n" in text else text.splitlines()
    return [part for part in parts if part.strip()]


class Plain:
    """Calls a parser by reflection; the stack of what it throws tells who has thrown it."""

    def __init__(self, *jars: Path, may_exit: bool = False) -> None:
        if may_exit:  # which would end the tests
            loader = java_class("org.gramspect.isolation.IsolatedLoader")
            self._loader = loader.of([str(jar) for jar in jars], None)
        else:
            file = java_class("java.io.File")
            urls = [file(str(jar)).toURI().toURL() for jar in jars]
            parent = java_class("java.lang.ClassLoader").getPlatformClassLoader()
            self._loader = java_class("java.net.URLClassLoader")(urls, parent)
        self._objects = java_class("java.lang.Object[]")
        self._classes = java_class("java.lang.Class[]")

    def type(self, name: str) -> Any:
        return self._loader.loadClass(name)

    def make(self, name: str, parameter: Any, argument: Any) -> Any:
        constructor = self.type(name).getDeclaredConstructor(self._classes([parameter]))
        constructor.setAccessible(True)
        return constructor.newInstance(self._objects([argument]))

    def call(self, thing: Any, method: str) -> Any:
        found = thing.getClass().getMethod(method)
        found.setAccessible(True)
        return found.invoke(thing)

    def verdict(self, run: Callable[[], object]) -> str:
        import jpype

        try:
            run()
        except jpype.JException as thrown:
            cause = thrown.getCause() or thrown
            if str(cause.getClass().getSimpleName()) == "Exit":
                return "rejected"
            methods = [str(frame.getMethodName()) for frame in cause.getStackTrace()]
            return "other" if REJECTING.isdisjoint(methods) else "rejected"
        return "accepted"


def silently(work: Callable[[str], str], text: str) -> str:
    """With the text at standard input; a parser that prints a syntax error has rejected it."""
    system = java_class("java.lang.System")
    before = system.out, system.err
    said = java_class("java.io.ByteArrayOutputStream")()
    stream = java_class("java.io.PrintStream")(said)
    system.setOut(stream)
    system.setErr(stream)
    system.setIn(java_class("java.io.ByteArrayInputStream")(text.encode()))
    try:
        verdict = work(text)
        return "rejected" if "syntax error" in str(said).lower() else verdict
    finally:
        system.setOut(before[0])
        system.setErr(before[1])


# --- JFlex ---------------------------------------------------------------------------------


@cache
def jflex_old() -> Path:
    return maven_jar(
        "de.jflex:jflex:1.4.3",
        "c756a074064f40ffe92634a691985c6d77a2542ec0b2578e449e957fbfc76e74",
    )


@cache
def jflex_new() -> Path:
    return maven_jar(
        "de.jflex:jflex:1.9.1",
        "2888d90d6a5ee37166a5e339b1616ad3a2604e6cce246e61deaf115487b18350",
    )


def plain_jflex(package: str, out: str, *jars: Path) -> Callable[[str], str]:
    java = Plain(*jars)
    reader = java_class("java.io.Reader").class_
    # What JFlex does before each file; else an error of one is an error of the next.
    reset = java.type(out).getMethod("resetCounters")

    def verdict(text: str) -> str:
        def parse() -> None:
            reset.invoke(None)
            source = java_class("java.io.StringReader")(text)
            scanner = java.make(f"{package}.LexScan", reader, source)
            parser = java.make(f"{package}.LexParse", scanner.getClass(), scanner)
            java.call(parser, "parse")

        return java.verdict(parse)

    return lambda text: silently(verdict, text)


# --- Xalan ---------------------------------------------------------------------------------

GLUE = """
package org.apache.xalan.xsltc.compiler;

import java.io.Reader;

/** Makes the XPath parser as the compiler of stylesheets does. */
public final class Glue {
    private static final java.util.Map<XPathParser, Parser> OWNERS = new java.util.WeakHashMap<>();

    public static XPathParser make(Reader expression) {
        XSLTC compiler = new XSLTC();
        compiler.init();
        Parser owner = compiler.getParser();
        XPathParser parser = new XPathParser(owner);
        parser.setScanner(new XPathLexer(expression));
        OWNERS.put(parser, owner);
        return parser;
    }

    public static boolean accepts(Reader expression) throws Exception {
        XPathParser parser = make(expression);
        parser.parse();
        return !OWNERS.get(parser).errorsFound();
    }
}
"""


@cache
def xalan() -> tuple[Path, ...]:
    """The jar, untouched, and a class of ours beside it."""
    jar = maven_jar(
        "xalan:xalan:2.7.3", "febd48bb133a96c447282213951a6b74ea7fb45c0d896121296c014316bda6b0"
    )
    folder = scratch("xalan")
    source = folder / "Glue.java"
    source.write_text(GLUE)
    classes = compile_java([source], folder / "classes", "-cp", str(jar))
    return jar, pack(classes, folder / "glue.jar")


def plain_xalan() -> Callable[[str], str]:
    java = Plain(*xalan())
    reader = java_class("java.io.Reader").class_
    method = java.type("org.apache.xalan.xsltc.compiler.Glue").getMethod("accepts", reader)

    def verdict(text: str) -> str:
        answers = []

        def parse() -> None:
            answers.append(bool(method.invoke(None, java_class("java.io.StringReader")(text))))

        found = java.verdict(parse)
        return "rejected" if answers == [False] else found

    return lambda text: silently(verdict, text)


def xpaths() -> list[str]:
    def prefixed() -> Iterator[str]:
        for text in mutations(entries("xpath.txt"), 220):
            kind, expression = text.split(" ", 1) if " " in text else ("", text)
            yield f"<{kind.strip('<>')}>{expression}" if kind.isupper() else f"<EXPRESSION>{text}"

    return list(dict.fromkeys(prefixed()))


# --- CUP itself ----------------------------------------------------------------------------


@cache
def cup_jar() -> Path:
    return maven_jar(
        "com.github.vbmacher:java-cup:11b-20160615-3",
        "b9e6f99a4c0d1b22866fc1d7b34600b250ac6966288f306c4f19270539ccc7b8",
    )


def plain_cup() -> Callable[[str], str]:
    def verdict(_: str) -> str:
        java = Plain(cup_jar(), may_exit=True)  # whose static fields are fresh
        parser = java.type("java_cup.parser").getConstructor().newInstance()
        return java.verdict(lambda: java.call(parser, "parse"))

    return lambda text: silently(verdict, text)


PARSERS = (
    Parser(
        "JFlex 1.4.3",
        lambda: load(jflex_old()),
        lambda: plain_jflex("JFlex", "JFlex.Out", jflex_old()),
        lambda: mutations(entries("jflex.txt"), 220),
    ),
    Parser(
        "JFlex 1.9.1",
        lambda: load(jflex_new(), classpath=str(runtime())),
        lambda: plain_jflex("jflex.core", "jflex.logging.Out", jflex_new(), runtime()),
        lambda: mutations(entries("jflex.txt"), 220),
    ),
    Parser(
        "Xalan 2.7.3",
        lambda: load(
            xalan()[0],
            classpath=classpath(*xalan()[1:]),
            parser="org.apache.xalan.xsltc.compiler.Glue::make",
        ),
        plain_xalan,
        xpaths,
    ),
    Parser(
        "CUP 0.11b",
        lambda: load(cup_jar()),
        plain_cup,
        lambda: mutations(entries("cup.txt"), 220),
    ),
)
