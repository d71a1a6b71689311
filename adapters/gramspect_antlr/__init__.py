"""The adapter for ANTLR 4: runs .g4 grammars with the real tool and interpreter, in a JVM.

A combined grammar is loaded as it is, a parser grammar with the lexer grammar beside it
(``tokenVocab``, or by name), both with their imports. Nothing is generated or compiled. A folder
laid out as in the public collection of ANTLR grammars gives the grammar and its tests.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gramspect.adapter_api import AdapterError, Grammar, LoadOptions, TestSuite

if TYPE_CHECKING:
    from gramspect_antlr.building import SequenceRecognizer
    from gramspect_antlr.recognizer import AntlrRecognizer

__all__ = ["AntlrAdapter", "adapter"]


class AntlrAdapter:
    """ANTLR 4 grammars: .g4 files, and folders that describe one."""

    name = "antlr"
    summary = "ANTLR 4 grammars (.g4, or a folder with examples), run by the ANTLR tool in a JVM"
    options = frozenset({"case", "lexer", "trailing"})

    def missing(self) -> str | None:
        from gramspect_jvm import missing

        return missing()

    def tool(self) -> str:
        """The release that grammars are run by. Starts the JVM."""
        from gramspect_jvm import java_class

        return f"ANTLR {java_class('org.antlr.v4.Tool').VERSION}"

    def claims(self, source: str) -> bool:
        return source.endswith(".g4") or any(Path(source).glob("*.g4"))

    def tests(self, source: str) -> TestSuite | None:
        """The examples that come with a folder; None for a grammar file.

        Raises:
            AdapterError: the folder cannot be understood.
            SuiteError: it holds no examples.
        """
        from gramspect_antlr.collection import load_tests, read_folder

        folder = Path(source)
        return load_tests(read_folder(folder)) if folder.is_dir() else None

    def load(self, source: str, options: LoadOptions) -> AntlrRecognizer:
        """A recognizer for a grammar file or a folder.

        `options.extra` may hold ``case`` (``upper`` or ``lower``: the case in which the lexer sees
        the letters of a test), ``trailing`` (``allow``: the start rule need not consume the whole
        input) and ``lexer`` (the file of the lexer grammar).

        Raises:
            GrammarError: a file cannot be read, ANTLR refuses the grammar, or there is no such
                start rule.
            AdapterError: an option is unknown, or the JVM does not start.
            MissingDependency: JPype or Java is missing.
        """
        from gramspect_antlr.collection import read_folder
        from gramspect_antlr.loading import load_grammar
        from gramspect_antlr.recognizer import AntlrRecognizer

        described = None
        letters = options.extra.get("case", "")
        if letters not in ("", "upper", "lower"):
            raise AdapterError(f"unknown case {letters!r}; choose upper or lower")
        if Path(source).is_dir():
            collected = read_folder(Path(source))
            source, described = str(collected.grammar), collected.start
            letters = letters or collected.letters
        loaded = load_grammar(source, options.start, options.extra.get("lexer"), described)
        trailing = options.extra.get("trailing") == "allow"
        return AntlrRecognizer(loaded, letters, allow_trailing=trailing)

    def build(self, grammar: Grammar) -> SequenceRecognizer:
        """A recognizer for a core grammar, over sequences of its token names.

        Raises:
            AdapterError: ANTLR cannot build it, because of indirect left recursion for example.
            MissingDependency: JPype or Java is missing.
        """
        from gramspect_antlr.building import SequenceRecognizer

        return SequenceRecognizer(grammar)


adapter = AntlrAdapter()
