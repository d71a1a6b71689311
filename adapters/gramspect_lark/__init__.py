"""The adapters for Lark (Erez Shinan's parsing toolkit for Python): its Earley and LALR(1) parsers.

Sources are grammar files, which are mostly called ``.lark``, and ``module:attribute`` for live
``lark.Lark`` objects.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from gramspect.adapter_api import (
    Grammar,
    GramspectError,
    LoadOptions,
    MissingDependency,
    NoSuchFile,
    Recognizer,
    Surroundings,
    names_python,
    read_bytes,
    split_source,
)

if TYPE_CHECKING:
    from gramspect.adapter_api import Attachment, NoteParse
    from gramspect_lark.subject import Subject

__all__ = ["LarkAdapter", "earley_adapter", "lalr_adapter"]

INSTALL = 'pip install "gramspect[lark]"'

OLDEST = (1, 2)
"""The first release of Lark whose inside the adapters know."""


@dataclass(frozen=True)
class LarkAdapter:
    """One of Lark's parsers; `parser` is Lark's name of it."""

    parser: str
    summary: str

    @property
    def name(self) -> str:
        return f"lark-{self.parser}"

    @property
    def options(self) -> frozenset[str]:
        ambiguity = ("ambiguity",) if self.parser == "earley" else ()
        return frozenset(("imports", "lexer", "postlex", "priority", "regex", *ambiguity))

    def missing(self) -> str | None:
        return None if find_spec("lark") else f"Lark is not installed: {INSTALL}"

    def tool(self) -> str:
        """The installed release with its parser."""
        if self.missing() is not None:
            return f"Lark ({self.parser})"
        import lark

        return f"Lark {lark.__version__} ({self.parser})"

    def claims(self, source: str) -> bool:
        """Grammar files, each for one of the two adapters, and live objects (see `holds`).

        Lark's own default is Earley. A grammar that declares tokens without saying what they look
        like has them from a lexer or postlexer, which go with LALR.
        """
        if source.endswith(".lark"):
            return (self.parser == "lalr") == _declares(source)
        return names_python(source) and not _has_ply_rules(source)

    def holds(self, thing: object) -> bool:
        """Whether a live object is, or has, a Lark object with this parser."""
        if "lark" not in sys.modules:
            return False
        _check_release()
        from gramspect_lark.loading import larks_in

        return any(lark.options.parser == self.parser for lark in larks_in(thing).values())

    def runs_code(self, source: str, options: LoadOptions) -> bool:
        """Modules do, and so do postlexers of grammar files."""
        return not _is_grammar(source) or "postlex" in options.extra

    def reads(self, file: str) -> bool:
        """Whether a Lark object may be made of such a file when its module is loaded."""
        return not file.endswith(".py")

    def ships(self, file: str) -> bool:
        """Whether a grammar file comes with Lark (``common.lark``), so that no user changes it."""
        package = find_spec("lark")
        folders = (package and package.submodule_search_locations) or ()
        return any(Path(folder).resolve() in Path(file).resolve().parents for folder in folders)

    def load(self, source: str, options: LoadOptions) -> Recognizer:
        """A recognizer for a grammar file, or for the Lark object that a name stands for.

        Raises:
            AdapterError: it does not load, or holds no parser of this kind.
            GrammarError: Lark refuses the grammar.
            MissingDependency: it needs Lark, which is not installed.
        """
        _check_release()
        if _is_missing(source):
            raise NoSuchFile(f"{source}: there is no such file; check the path")
        from gramspect.adapter_api import silenced
        from gramspect_lark.loading import load_file, load_live

        with silenced():
            load = load_file if _is_grammar(source) else load_live
            subject = load(source, self.parser, options)
        return self._recognizer(subject, actions=options.actions)

    def records(self, thing: object) -> bool:
        """Whether it can record a live object: those that it holds."""
        return self.holds(thing)

    def attach(self, thing: object, options: LoadOptions, note: NoteParse) -> Attachment:
        """Record the Lark object that `thing` is, has or names, and all others with its grammar.

        Raises:
            AdapterError: there is none, or it has another kind of parser or several start symbols.
            MissingDependency: it needs Lark, which is not installed.
        """
        _check_release()
        from gramspect_lark.live import LarkAttachment
        from gramspect_lark.loading import load_live, load_object

        if isinstance(thing, str):
            return LarkAttachment(load_live(thing, self.parser, options), note)
        return LarkAttachment(load_object(thing, self.parser, options), note)

    def build(self, grammar: Grammar) -> Recognizer:
        """A recognizer for a core grammar, over sequences of its token names.

        Raises:
            AdapterError: Lark cannot build it.
            MissingDependency: Lark is not installed.
        """
        _check_release()
        from gramspect_lark.building import build_lark, lark_names
        from gramspect_lark.correspondence import Correspondence
        from gramspect_lark.inputs import Sequences
        from gramspect_lark.subject import Subject, lark_rules

        lark = build_lark(grammar, self.parser)
        names = lark_names(grammar)
        found = Correspondence(grammar, lark_rules(lark), names, inline=False)
        return self._recognizer(
            Subject(lark, names[grammar.start], found, Sequences(grammar, names))
        )

    def _recognizer(self, subject: Subject, *, actions: bool = True) -> Recognizer:
        if self.parser == "lalr":
            from gramspect_lark.lalr_recognizer import LalrRecognizer

            return LalrRecognizer(subject, actions=actions)
        from gramspect_lark.earley_recognizer import EarleyRecognizer

        return EarleyRecognizer(subject)


def _check_release() -> None:
    """Refuse a Lark that is too old: a project may bring its own, which hides the installed one.

    Raises:
        MissingDependency: it is.
    """
    try:
        import lark
    except ImportError:  # whoever needs it says so
        return
    release = str(getattr(lark, "__version__", "0"))
    if tuple(int(part) for part in re.findall(r"\d+", release)[:2]) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        home = Path(lark.__file__ or "").parent
        raise MissingDependency(
            f"Lark {release} in {home} is too old for gramspect; put Lark {oldest} or newer there"
        )


def _is_grammar(source: str) -> bool:
    """Whether a source is a file that holds a grammar: it may be called as it likes."""
    return source.endswith(".lark") or (not source.endswith(".py") and Path(source).is_file())


def _is_missing(source: str) -> bool:
    """Whether a name such as ``x.txt`` is that of a file which is not there, and of no module."""
    top, _, rest = source.partition(".")
    if not rest or not top.isidentifier() or ":" in source or Path(source).exists():
        return False
    return not (Path(top).is_dir() or Path(f"{top}.py").is_file() or find_spec(top))


def _explained(problem: BaseException) -> GramspectError | None:
    """What an exception of Lark's in the user's code says of a grammar, in a line.

    The Lark there may be one that the adapters do not know, for others run such code, too.
    """
    try:
        _check_release()
    except MissingDependency:
        return None
    from gramspect_lark.problems import explained

    return explained(problem)


def _declares(source: str) -> bool:
    """Whether a grammar has tokens that are only declared."""
    try:
        return b"%declare" in read_bytes(source)
    except GramspectError:
        return False


def _has_ply_rules(source: str) -> bool:
    """Whether a Python file looks like PLY's; such a file is not run a second time for Lark."""
    try:
        return b"def p_" in read_bytes(split_source(source)[0])
    except GramspectError:
        return False


Surroundings.explain("lark", _explained)

_WHAT = "Lark: a .lark file or module:object; hooks the"
earley_adapter = LarkAdapter("earley", f"{_WHAT} Earley parser")
lalr_adapter = LarkAdapter("lalr", f"{_WHAT} LALR(1) parser")
