"""The adapter for CUP 0.11b: grammars run by the real generator, and parsers that it once made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gramspect.adapter_api import Grammar, LoadOptions, Recognizer

if TYPE_CHECKING:
    from gramspect_cup.sequences import SequenceRecognizer

__all__ = ["CupAdapter", "adapter"]


class CupAdapter:
    """CUP grammars, and jars with CUP parsers."""

    name = "cup"
    summary = "CUP: a .cup grammar, or a .jar (JAR:Class) with a parser it generated; in a JVM"
    options = frozenset({"classpath", "fresh", "home", "parser", "scanner", "symbols"})

    def missing(self) -> str | None:
        from gramspect_jvm import missing

        return missing()

    def tool(self) -> str:
        """The release that makes tables of grammars. Starts the JVM."""
        from gramspect_jvm import java_class

        version = java_class("java_cup.version")
        release, *_ = str(version.update).split()
        return f"CUP {version.major}.{version.minor}{release}"

    def claims(self, source: str) -> bool:
        """Grammar files, and jars in which there is a parser that CUP made."""
        from gramspect_jvm.classpath import place_and_class

        place, named = place_and_class(source)
        if place.endswith(".jar"):
            from gramspect_cup.classes import has_parser

            return has_parser(place, named)
        return source.endswith(".cup")

    def inside(self, source: str) -> list[str]:
        """The parsers in a jar, as sources."""
        from gramspect_cup.classes import parsers_in
        from gramspect_jvm import place_and_class

        place, _ = place_and_class(source)
        return [f"{place}:{name}" for name in parsers_in(place)] if place.endswith(".jar") else []

    def load(self, source: str, options: LoadOptions) -> Recognizer:
        """A recognizer for a grammar file, or for a jar or folder with generated classes.

        `options.extra` may hold ``classpath`` (jars and folders), ``parser`` and ``scanner``
        (classes, constructors or static methods that make them; the scanner may be a JFlex
        specification), ``home`` (the folder of such a scanner's package, if the specification is
        elsewhere), ``symbols`` (the class with the numbers of the terminals) and ``fresh``
        (``yes``: classes are loaded anew for each test).

        Raises:
            GrammarError: the grammar file is broken, or CUP refuses it.
            AdapterError: the classes cannot be used, or are not those of the grammar.
            MissingDependency: JPype or Java is missing.
        """
        from gramspect_cup.loading import load

        return load(source, options)

    def reads(self, path: str) -> bool:
        """Whether parsers are made from files of that kind, too.

        The specification of a scanner includes files of any name.
        """
        return Path(path).suffix not in (".jar", ".class", ".java")

    def options_of_copy(
        self, options: LoadOptions, original: LoadOptions, folder: str
    ) -> LoadOptions:
        """The options for copies of files; Java sources beside a scanner are where they were."""
        from gramspect_cup.jflex.loading import is_specification

        scanner = original.extra.get("scanner")
        if not is_specification(scanner):
            return options
        home = original.extra.get("home") or str(Path(scanner).absolute().parent)
        return replace(options, extra={**options.extra, "home": home})

    def build(self, grammar: Grammar) -> SequenceRecognizer:
        """A recognizer for a core grammar, over sequences of its token names.

        Raises:
            AdapterError: CUP cannot build it.
            MissingDependency: JPype or Java is missing.
        """
        from gramspect_cup.building import build

        return build(grammar)


adapter = CupAdapter()
