"""Makes recognizers from what users have: a grammar, a grammar with classes, a jar."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gramspect.adapter_api import AdapterError, LoadOptions, Recognizer
from gramspect_cup.classes import UserClasses
from gramspect_cup.generating import generate
from gramspect_cup.jflex.loading import is_specification, load_scanner
from gramspect_cup.reading import read_cup
from gramspect_cup.sequences import SequenceRecognizer
from gramspect_cup.tables import Tables
from gramspect_jvm import place_and_class

__all__ = ["load"]

_SUFFIX = ".cup"


def load(source: str, options: LoadOptions) -> Recognizer:
    """The recognizer for a grammar file, or for a jar or folder with generated classes.

    Raises:
        GrammarError: the grammar file is broken.
        AdapterError: the classes cannot be used, or are not those of the grammar.
        MissingDependency: JPype or Java is missing.
    """
    extra = {key: value for key, value in options.extra.items() if value}
    if not source.endswith(_SUFFIX):
        if options.start is not None:
            raise AdapterError("a generated parser has its start symbol; leave out --start")
        place, named = place_and_class(source)
        if named is not None:
            extra = {"parser": named, **extra}
        user = UserClasses.of(extra, jar=place)
        return user.parsing(Path(place).stem, None, actions=options.actions)
    read = read_cup(source, options.start)
    user = UserClasses.of(extra)
    if user.parser is not None:
        if is_specification(user.scanner):
            raise AdapterError(
                f"a parser of classes takes the class of its scanner, not {user.scanner}; leave out"
                " the option parser, or name the class"
            )
        return user.parsing(read.grammar.name, read.grammar, actions=options.actions)
    generation = generate(read.text, read.source)
    grammar = replace(read.grammar, diagnostics=read.grammar.diagnostics + generation.diagnostics)
    if is_specification(user.scanner):
        return load_scanner(user, read, generation, grammar, extra.get("home"))
    tables = Tables.of_generated(generation.java, grammar)
    if user.scanner is None:
        return SequenceRecognizer(tables)
    return user.scanning(tables, read.symbols)
