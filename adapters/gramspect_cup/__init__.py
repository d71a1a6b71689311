"""The adapter for CUP 0.11b: grammars run by the real generator, and parsers that it once made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gramspect.grammar import Grammar
from gramspect.recognizer import LoadOptions, Recognizer

if TYPE_CHECKING:
    from gramspect_cup.sequences import SequenceRecognizer

__all__ = ["CupAdapter", "adapter"]


class CupAdapter:
    """CUP grammars, and jars with CUP parsers."""

    name = "cup"
    summary = "CUP grammars (.cup), or a .jar with a CUP parser, in a JVM"

    def missing(self) -> str | None:
        from gramspect_jvm import missing

        return missing()

    def claims(self, source: str) -> bool:
        return source.endswith(".cup")

    def load(self, source: str, options: LoadOptions) -> Recognizer:
        from gramspect_cup.loading import load

        return load(source, options)

    def build(self, grammar: Grammar) -> SequenceRecognizer:
        """A recognizer for a core grammar, over sequences of its token names.

        Raises:
            AdapterError: CUP cannot build it.
            MissingDependency: JPype or Java is missing.
        """
        from gramspect_cup.building import build

        return build(grammar)


adapter = CupAdapter()
