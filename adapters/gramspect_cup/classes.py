"""Parsers that CUP generated, as users have them: classes on a classpath."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from gramspect.adapter_api import END, UNKNOWN, AdapterError, Grammar, Recognizer
from gramspect_cup.rebuilding import Rebuilt, rebuild
from gramspect_cup.sequences import SequenceRecognizer
from gramspect_cup.tables import Tables
from gramspect_cup.texts import TextRecognizer
from gramspect_jvm import java_class, parse_classpath

__all__ = ["UserClasses", "has_parser", "parsers_in"]

_CLASS = ".class"
_WHICH = "name one with --option {what}=..."


def has_parser(jar: str, named: str | None = None) -> bool:
    """Whether a jar seems to have a generated parser. Starts no JVM.

    If `named` is a class, that one counts; what makes a parser (``p.Code::make``) may be anywhere.
    """
    found = parsers_in(jar)
    return bool(found) if named is None or "::" in named else _class_of(named) in found


def parsers_in(jar: str) -> list[str]:
    """The classes of a jar that seem to be generated parsers. Starts no JVM."""
    try:
        with ZipFile(jar) as archive:
            names = [name for name in archive.namelist() if name.endswith(_CLASS)]
            found = [n for n in names if _is_parser(archive.read(n))]
    except (OSError, BadZipFile, RuntimeError, NotImplementedError):
        return []
    classes = (name.removesuffix(_CLASS).replace("/", ".") for name in found)
    return sorted(name for name in classes if not name.endswith(".lr_parser"))  # the runtime's


def _class_of(parser: str) -> str:
    """The class of ``p.Parser``, ``p.Parser(Lexer)`` or ``p.Code::make``."""
    return parser.split("::", maxsplit=1)[0].split("(", maxsplit=1)[0]


_NAMELESS = re.compile(r"\$\d+$")
_METHODS = [
    b"\x01" + len(name).to_bytes(2, "big") + name for name in (b"do_action", b"production_table")
]
"""Names in the constant pool of a generated parser: whole, since CUP itself has texts with them."""


def _is_parser(class_file: bytes) -> bool:
    return b"lr_parser" in class_file and all(name in class_file for name in _METHODS)


@dataclass(frozen=True)
class UserClasses:
    """The options with which users name classes; docs/cup.md describes them."""

    classpath: tuple[str, ...]
    parser: str | None
    scanner: str | None
    symbols: str | None
    fresh: bool
    compiled: Any = None
    """The Java object ``UserClasses``, if classes have been compiled just now."""

    @classmethod
    def of(cls, options: Mapping[str, str], jar: str | None = None) -> UserClasses:
        """The classes that options name; parser and scanner are looked for in `jar`, if given.

        Raises:
            AdapterError: the classpath is broken, or a jar has no parser, or several.
        """
        paths = parse_classpath(options.get("classpath", ""))
        parser, scanner = options.get("parser"), options.get("scanner")
        if jar is not None:
            (archive,) = parse_classpath(jar)
            paths = tuple(dict.fromkeys((archive, *paths)))
            if parser is None or scanner is None:
                found = _find(archive)
                parser = parser or _only_parser(found, jar)
                scanner = scanner or _scanner_beside(found, parser)
        fresh = options.get("fresh", "no")
        if fresh not in ("yes", "no"):
            raise AdapterError(f"unknown value {fresh!r} of the option fresh; choose yes or no")
        return cls(paths, parser, scanner, options.get("symbols"), fresh == "yes")

    def _spec(self) -> Any:
        spec = java_class("org.gramspect.cup.ParserSpec")
        classes = self.compiled
        if classes is None:
            classes = java_class("org.gramspect.compiling.UserClasses")(list(self.classpath))
        return spec(classes, self.parser, self.scanner, self.symbols)

    def _open(self) -> Any:
        opened = java_class("org.gramspect.cup.UserParser").open(self._spec())
        if opened.problem() is not None:
            raise AdapterError(str(opened.problem()))
        return opened.parser()

    def scanning(self, tables: Tables, usual_symbols: str) -> TextRecognizer:
        """The recognizer of tables that CUP has just made, with the user's scanner.

        `usual_symbols` is the class where CUP puts the numbers of the grammar's terminals.

        Raises:
            AdapterError: the scanner cannot be loaded.
        """
        user = self._open()
        names = user.scannerNames(self.symbols, usual_symbols)
        if names is None:
            raise AdapterError(
                f"the class {self.symbols} with the numbers of the terminals is not on the"
                " classpath, or has none"
            )
        numbers = None
        if len(names):
            known = {s.name: tables.numbers[s.index] for s in tables.grammar.terminals}
            known["EOF"] = 0
            numbers = [UNKNOWN if n is None else known.get(str(n), UNKNOWN) for n in names]
        return self._texts(user, tables, numbers, actions=False)

    def scanner_alone(self, tables: Tables) -> Any:
        """What runs texts through a scanner that has the numbers of the tables (``TextRunner``).

        Raises:
            AdapterError: the scanner cannot be loaded.
        """
        return self._runner(self._open(), tables, None, actions=False)

    def parsing(self, name: str, grammar: Grammar | None, *, actions: bool) -> Recognizer:
        """The recognizer of the user's parser; `grammar` is that of its .cup, if there is one.

        Raises:
            AdapterError: the classes cannot be loaded, or are not those of the grammar.
        """
        user = self._open()
        contents = user.contents(self.symbols)
        if contents.problem() is not None:
            raise AdapterError(str(contents.problem()))
        java, names = contents.tables(), contents.names()
        found = rebuild(java, names, name) if grammar is None else _matched(java, names, grammar)
        tables = Tables.of_classes(
            java, found.grammar, found.rules, found.terminals, found.nonterminals,
            complete=found.complete,
        )  # fmt: skip
        if not user.readsText():
            return SequenceRecognizer(tables)
        return self._texts(user, tables, None, actions=actions)

    def _texts(
        self, user: Any, tables: Tables, numbers: Sequence[int] | None, *, actions: bool
    ) -> TextRecognizer:
        return TextRecognizer(tables, self._runner(user, tables, numbers, actions=actions))

    def _runner(
        self, user: Any, tables: Tables, numbers: Sequence[int] | None, *, actions: bool
    ) -> Any:
        runner = java_class("org.gramspect.cup.TextRunner")
        return runner(self._spec(), user, tables.java, numbers, actions, self.fresh)


def _find(jar: str) -> Any:
    finder = java_class("org.gramspect.cup.ParserFinder")
    if Path(jar).is_dir():
        return finder.findInFolder(jar)
    return finder.find(jar)


def _only_parser(found: Any, jar: str) -> str:
    parsers = [str(name) for name in found.parsers()]
    if not parsers:
        raise AdapterError(
            f"{jar}: there is no CUP parser (no subclass of lr_parser) in it; name the jar that"
            " has it"
        )
    if len(parsers) > 1:
        raise AdapterError(
            f"{jar}: which CUP parser? Use {jar}:{parsers[0]} (or {', '.join(parsers[1:])})"
        )
    return parsers[0]


def _scanner_beside(found: Any, parser: str) -> str | None:
    """The only scanner in the jar, or the only one in the parser's package.

    Inner classes come last, and those without a name are made where they are written only. A
    static method that makes the parser may know its scanner by itself.
    """
    scanners = [str(name) for name in found.scanners() if not _NAMELESS.search(str(name))]
    outer = [name for name in scanners if "$" not in name]
    scanners = outer or scanners
    package = _class_of(parser).rpartition(".")[0]
    near = [name for name in scanners if name.rpartition(".")[0] == package]
    for choice in (scanners, near):
        if len(choice) == 1:
            return choice[0]
    if scanners and "::" not in parser:
        raise AdapterError(
            f"there are several scanners; {_WHICH.format(what='scanner')}: {', '.join(scanners)}"
        )
    return None


def _matched(java: Any, names: Any, grammar: Grammar) -> Rebuilt:
    """Match the numbers in generated tables with the grammar that they were made from.

    Raises:
        AdapterError: they were made from another one.
    """
    left = np.asarray(java.leftHandSides).tolist()
    lengths = np.asarray(java.lengths).tolist()
    productions = [p for p in range(len(left)) if p != int(java.startProduction)]
    if len(productions) != grammar.n_rules:
        raise _other(grammar, f"{len(productions)} productions, the grammar {grammar.n_rules}")
    rules = [UNKNOWN] * len(left)
    nonterminals = [UNKNOWN] * int(java.nonterminals)
    for rule, production in zip(grammar.rules, productions, strict=True):
        rules[production] = rule.index
        if nonterminals[left[production]] == UNKNOWN:
            nonterminals[left[production]] = rule.lhs
        if nonterminals[left[production]] != rule.lhs or lengths[production] != len(rule.rhs):
            raise _other(grammar, f"another production where the grammar has {rule.label}")
    return Rebuilt(grammar, rules, _terminals(java, names, grammar), nonterminals)


def _terminals(java: Any, names: Any, grammar: Grammar) -> list[int]:
    """The grammar's terminal of each number: by the names in the parser's class of symbols.

    Without such a class by the order of declaration, which is how CUP numbers them.
    """
    given = [None if name is None else str(name) for name in names.terminals()]
    known = {symbol.name: symbol.index for symbol in grammar.terminals}
    if not any(given):
        declared = [s.index for s in grammar.terminals if s.name != "error"]
        found = [END, known.get("error", UNKNOWN), *declared]
        return (found + [UNKNOWN] * int(java.terminals))[: int(java.terminals)]
    found = [UNKNOWN if name is None else known.get(name, UNKNOWN) for name in given]
    return [END, *found[1:]]


def _other(grammar: Grammar, what: str) -> AdapterError:
    return AdapterError(
        f"the parser was made from another version of {', '.join(grammar.files)}: it has {what};"
        " take the grammar file that it was generated from, or none"
    )
