"""Makes recognizers of CUP grammars whose scanners are JFlex specifications."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeGuard

from gramspect.adapter_api import Grammar, Recognizer
from gramspect_cup.classes import UserClasses
from gramspect_cup.generating import Generation
from gramspect_cup.jflex.making import check_options, make_scanner
from gramspect_cup.jflex.reading import read_flex
from gramspect_cup.jflex.recognizer import FlexRecognizer
from gramspect_cup.jflex.symbols import symbol_classes
from gramspect_cup.reading import ReadGrammar
from gramspect_cup.tables import Tables

__all__ = ["SUFFIXES", "is_specification", "load_scanner"]

SUFFIXES = (".flex", ".jflex")
_ALSO = ".lex"
"""Files may be called so, and classes."""


def is_specification(scanner: str | None) -> TypeGuard[str]:
    """Whether a scanner is named by its specification, not by its class."""
    if scanner is None:
        return False
    return scanner.endswith(SUFFIXES) or (scanner.endswith(_ALSO) and Path(scanner).is_file())


def load_scanner(
    user: UserClasses, read: ReadGrammar, generation: Generation, grammar: Grammar, home: str | None
) -> Recognizer:
    """The recognizer of a grammar that CUP has made tables of; `home` is the folder of the
    scanner's package.

    Raises:
        GrammarError: the specification cannot be read, or JFlex or the Java compiler refuses it.
        AdapterError: the scanner cannot be loaded.
    """
    assert user.scanner is not None
    file = read_flex(user.scanner)
    check_options(file)
    symbols = symbol_classes(file, generation.java, read.symbols, user.symbols)
    terminals = [symbol.name for symbol in grammar.terminals]
    made = make_scanner(file, symbols, terminals, user.classpath, home)
    grammar = replace(
        grammar,
        files=(*grammar.files, *(source.file for source in file.sources)),
        diagnostics=(*grammar.diagnostics, *made.diagnostics),
    )
    tables = Tables.of_generated(generation.java, grammar)
    runner = replace(user, scanner=made.name, compiled=made.classes).scanner_alone(tables)
    return FlexRecognizer(tables, runner, file, list(symbols))
