"""Loads JavaCC parsers: from grammar files, by JavaCC and the Java compiler, or from classes.

Sources are ``Foo.jj`` and ``Foo.jjt``, and ``place:package.Class`` where the place is a jar or a
folder of classes; the class may be left out where there is one parser only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gramspect.adapter_api import (
    AdapterError,
    CodeError,
    Diagnostic,
    GrammarError,
    LoadOptions,
    SourceText,
    Span,
    read_bytes,
    read_grammar_file,
)
from gramspect_javacc.grammar import Mapped, map_grammar
from gramspect_javacc.messages import Messages, read_messages
from gramspect_javacc.outline import Compiled, read_outline
from gramspect_javacc.places import GRAMMARS, only_parser
from gramspect_javacc.reading import read_javacc
from gramspect_javacc.syntax import JavaccFile
from gramspect_jvm.classpath import parse_classpath, place_and_class
from gramspect_jvm.compiling import place_of_line

__all__ = ["LoadedParser", "load_parser"]


@dataclass(frozen=True, eq=False)
class LoadedParser:
    """A parser class with its grammar. `call` is Java code that runs it, or None.

    If `strict`, a syntax error rejects that this code gets over. `written` is the grammar file.
    """

    source: str
    compiled: Compiled
    mapped: Mapped
    call: str | None = None
    strict: bool = False
    written: JavaccFile | None = None

    def runner(self, *, allow_trailing: bool = False) -> Any:
        """The Java side that runs texts (``Runner.java``).

        Raises:
            AdapterError: the classes cannot be loaded, or `call` does not compile.
        """
        mapped, productions = self.mapped, self.compiled.productions
        unrecorded: list[int] = []
        for index, production in enumerate(productions):
            if mapped.definition_of[index] < 0:
                unrecorded += (index, 0)
                continue
            sites = range(1, len(production.sites) + 1)
            unrecorded += [
                n for s in sites if (index, s) not in mapped.elements for n in (index, s)
            ]
        name = mapped.grammar.symbols[mapped.grammar.start].name
        start = next((i for i, p in enumerate(productions) if p.name == name), None)
        if start is None:
            raise AdapterError(f"{self.compiled.name} has no production {name!r}; use --start")
        runner = call_java(
            lambda: self.compiled.java.runner(unrecorded, start, self.call, allow_trailing)
        )
        if self.strict:
            runner.rejectFirstError()
        return runner


def call_java(work: Any) -> Any:
    """The value of a call into Java.

    Raises:
        AdapterError: Java threw something.
    """
    import jpype

    try:
        return work()
    except jpype.JException as problem:
        raise AdapterError(str(problem.getMessage() or problem)) from problem


def load_parser(source: str, options: LoadOptions) -> LoadedParser:
    """Load what `source` names.

    Raises:
        AdapterError: it cannot be read, generated, compiled or loaded.
        GrammarError: JavaCC refuses the grammar, or the Java compiler its code (`CodeError`).
        MissingDependency: JPype or Java is missing.
    """
    errors = options.extra.get("errors", "reject")
    if errors != "reject":
        raise AdapterError(f"the option errors is 'reject' or left out, not {errors!r}")
    classpath = parse_classpath(options.extra.get("classpath", ""))
    parser = options.extra.get("parser")
    diagnostics: tuple[Diagnostic, ...] = ()
    written: JavaccFile | None
    if source.endswith(GRAMMARS) and parser is None:
        home = options.extra.get("home", str(Path(source).absolute().parent))
        compiled, written, diagnostics = _generate(source, classpath, home)
    else:
        grammar = options.extra.get("grammar")
        if source.endswith(GRAMMARS):
            grammar = source
        else:
            place, named = place_and_class(source)
            classpath = (*parse_classpath(place), *classpath)
            parser = parser or named or only_parser(place)
        written = None if grammar is None else read_file(grammar)
        compiled = _load_class(source, str(parser), classpath)
    mapped = map_grammar(compiled, written, options.start, diagnostics)
    return LoadedParser(
        source, compiled, mapped, options.extra.get("call"), "errors" in options.extra, written
    )


def read_file(path: str) -> JavaccFile:
    """Read a grammar file.

    Raises:
        GrammarError: it cannot be read, or is no JavaCC grammar.
    """
    source, _ = read_grammar_file(path)
    return read_javacc(source)


# --- from grammar files ----------------------------------------------------------------------


def _generate(
    source: str, classpath: Sequence[str], home: str
) -> tuple[Compiled, JavaccFile, tuple[Diagnostic, ...]]:
    from gramspect_jvm import java_class

    read_bytes(source)
    if not Path(home).is_dir():
        raise AdapterError(f"{source}: there is no folder {home}; check the option home")
    loader = java_class("org.gramspect.javacc.Loader")
    # The JVM stays in the folder that it was started in.
    file, folder = (str(Path(path).absolute()) for path in (source, home))
    result = call_java(lambda: loader.generate(file, list(classpath), folder))
    messages = read_messages(str(result.printed()), source)
    if messages.errors:
        first, others = messages.errors[0], len(messages.errors) - 1
        more = f" (and {others} more)" if others else ""
        if first.span is None:
            raise GrammarError(f"{source}: {first.message}{more}")
        raise GrammarError(first.message + more, first.span)
    if result.parser() is None:
        raise _failure(source, result, messages)
    warnings = (*messages.conflicts, *messages.warnings)
    return read_outline(result.parser()), read_file(source), warnings


def _failure(source: str, result: Any, messages: Messages) -> AdapterError | GrammarError:
    """Why there is no parser although JavaCC has no complaint."""
    file, line, text = str(result.file()), int(result.line()), str(result.error())
    if not file:
        return AdapterError(f"{source}: {text or 'JavaCC has generated no parser'}")
    message = f"the generated parser does not compile: {text} ({file}:{line})"
    if "unreachable" in text and messages.conflicts:
        # JavaCC's code looks like this when no condition is left that could choose an alternative.
        conflict = messages.conflicts[0]
        return GrammarError(f"{message}; {conflict.message}", conflict.span)
    written = SourceText(source, Path(source).read_bytes().decode("utf-8", errors="replace"))
    place = place_of_line(written, str(result.source())) or Span(source, 1, 1, 1, 1)
    return CodeError(message, place)


# --- from classes ----------------------------------------------------------------------------


def _load_class(source: str, name: str, classpath: Sequence[str]) -> Compiled:
    from gramspect_jvm import java_class

    loader = java_class("org.gramspect.javacc.Loader")
    result = call_java(lambda: loader.load(name, list(classpath)))
    if result.parser() is None:
        raise AdapterError(f"{source}: {result.error()}")
    return read_outline(result.parser())
