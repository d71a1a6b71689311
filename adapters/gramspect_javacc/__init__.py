"""The adapter for JavaCC: runs .jj and .jjt grammars, and parsers that were generated years ago.

Grammar files go through the real JavaCC and the Java compiler, in memory; generated classes are
taken from jars as they are. Either way the byte code of the parser is instrumented while it is
loaded. Loading a source runs its code.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gramspect.adapter_api import AdapterError, Grammar, LoadOptions

if TYPE_CHECKING:
    from gramspect_javacc.building import SequenceRecognizer
    from gramspect_javacc.recognizer import JavaccRecognizer

__all__ = ["JavaccAdapter", "adapter"]


class JavaccAdapter:
    """JavaCC grammars, and jars with generated parsers."""

    name = "javacc"
    summary = "JavaCC and JJTree grammars (.jj, .jjt), and generated parsers in jars"
    options = frozenset({"call", "classpath", "errors", "grammar", "home", "parser", "trailing"})

    def missing(self) -> str | None:
        from gramspect_jvm import missing

        return missing()

    def tool(self) -> str:
        """The release that makes parsers of grammars. Starts the JVM."""
        from gramspect_jvm import java_class

        return f"JavaCC {java_class('org.javacc.Version').versionNumber}"

    def claims(self, source: str) -> bool:
        from gramspect_javacc.places import claims

        return claims(source)

    def inside(self, source: str) -> list[str]:
        """The parsers in a jar or folder, as sources."""
        from gramspect_javacc.places import GRAMMARS, classes_in
        from gramspect_jvm import place_and_class

        if source.endswith(GRAMMARS):
            return []
        place, _ = place_and_class(source)
        return [f"{place}:{name}" for name in classes_in(place)]

    def load(self, source: str, options: LoadOptions) -> JavaccRecognizer:
        """A recognizer for a grammar file, or for a parser class in a jar or folder.

        `options.extra` may hold ``classpath`` (jars and folders that the classes need), ``home``
        (the folder of the grammar's package, if its file is elsewhere), ``parser`` (a class that
        was generated from the grammar file `source`), ``grammar`` (the file that the class
        `source` was generated from), ``call`` (Java code that runs the parser on the String
        ``text``), ``errors`` (``reject``: a syntax error rejects even if that code gets over it)
        and ``trailing`` (``allow``: the start production need not consume everything).

        Raises:
            GrammarError: JavaCC or the Java compiler refuses it, or there is no such start.
            AdapterError: something cannot be read or loaded, there is no Java compiler, or actions
                are not to be run.
            MissingDependency: JPype or Java is missing.
        """
        from gramspect_javacc.loading import load_parser
        from gramspect_javacc.recognizer import JavaccRecognizer

        if not options.actions:
            raise AdapterError(
                "the actions of JavaCC parsers cannot be left out; drop --no-actions"
            )
        trailing = options.extra.get("trailing") == "allow"
        return JavaccRecognizer(load_parser(source, options), allow_trailing=trailing)

    def options_of_copy(
        self, options: LoadOptions, original: LoadOptions, folder: str
    ) -> LoadOptions:
        """The options for a copy of a grammar; the project's classes are where they were."""
        home = original.extra.get("home", folder)
        return replace(options, extra={**options.extra, "home": home})

    def build(self, grammar: Grammar) -> SequenceRecognizer:
        """A recognizer for a core grammar, over sequences of its token names.

        Raises:
            AdapterError: JavaCC refuses it (left recursion), or there is no Java compiler.
            MissingDependency: JPype or Java is missing.
        """
        from gramspect_javacc.building import SequenceRecognizer

        return SequenceRecognizer(grammar)


adapter = JavaccAdapter()
