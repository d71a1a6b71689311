"""The adapter for PLY (David Beazley's "Python Lex-Yacc"): hooks live parsers, builds new ones.

Sources are Python files, importable modules, and ``module:attribute`` for parsers that a class or
factory makes. Loading a source runs its code.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from gramspect.adapter_api import Grammar, LoadOptions, Recognizer, names_python
from gramspect_ply.surroundings import INSTALL

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from gramspect.adapter_api import Attachment, NoteParse
    from gramspect_ply.recognizer import PlyRecognizer

__all__ = ["PlyAdapter", "PlyRecognizer", "adapter"]


class PlyAdapter:
    """PLY grammars: modules, parser objects, and factories."""

    name = "ply"
    summary = "PLY: a .py file, a module or module:factory; hooks the live parser"
    options = frozenset({"errors"})

    def missing(self) -> str | None:
        return None if find_spec("ply") else f"PLY is not installed: {INSTALL}"

    def tool(self) -> str:
        """The installed release; a project may bundle one of its own."""
        if self.missing() is not None:
            return "PLY"
        import ply

        return f"PLY {ply.__version__}"

    def claims(self, source: str) -> bool:
        """Python files, and names of modules that can be imported."""
        return names_python(source)

    def holds(self, thing: object) -> bool:
        """Whether a live object is a PLY parser, or something that has one or rules for one."""
        from gramspect_ply.loading import has_parser

        return has_parser(thing)

    def runs_code(self, source: str, options: LoadOptions) -> bool:
        """All sources are modules."""
        return True

    def sheltered(self) -> AbstractContextManager[None]:
        """PLY writes no files, and reads none that were made of other rules."""
        from gramspect_ply.loading import sheltered

        return sheltered()

    def load(self, source: str, options: LoadOptions) -> Recognizer:
        """A recognizer for the parser that `source` names.

        Raises:
            AdapterError: the source cannot be imported, holds no parser or several, or its parser
                has another start symbol.
            MissingDependency: it needs PLY, which is not installed.
        """
        from gramspect.adapter_api import silenced
        from gramspect_ply.loading import load_target
        from gramspect_ply.mending import rejects_first_error
        from gramspect_ply.recognizer import recognizer_for

        strict = rejects_first_error(options)
        with silenced():
            target = load_target(source, options.start)
        return recognizer_for(target, actions=options.actions, name=source, strict=strict)

    def records(self, thing: object) -> bool:
        """Whether it can record a live object: those that it holds."""
        return self.holds(thing)

    def attach(self, thing: object, options: LoadOptions, note: NoteParse) -> Attachment:
        """Record the parser that `thing` is, holds or names, and all others with its grammar.

        Raises:
            AdapterError: it is none, or cannot be imported.
            MissingDependency: it needs PLY, which is not installed.
        """
        from gramspect_ply.live import PlyAttachment
        from gramspect_ply.loading import load_target, parser_in

        if isinstance(thing, str):
            return PlyAttachment(load_target(thing, options.start).parser, thing, note)
        return PlyAttachment(parser_in(thing), type(thing).__name__, note)

    def build(self, grammar: Grammar) -> Recognizer:
        """A recognizer for a core grammar, over sequences of its token names.

        Raises:
            AdapterError: PLY cannot build it.
            MissingDependency: PLY is not installed.
        """
        from gramspect_ply.recognizer import SequenceRecognizer

        return SequenceRecognizer.build(grammar)


adapter = PlyAdapter()


def __getattr__(name: str) -> object:
    if name == "PlyRecognizer":
        from gramspect_ply.recognizer import PlyRecognizer

        return PlyRecognizer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
