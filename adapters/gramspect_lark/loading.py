"""Loads the Lark parsers that sources name: grammar files, and live Lark objects."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import lark as lark_package
from lark import Lark, Token, load_grammar
from lark.lexer import PatternRE

from gramspect.adapter_api import (
    AdapterError,
    Diagnostic,
    Grammar,
    GramspectError,
    LoadOptions,
    SourceText,
    expand,
    named_object,
    read_bytes,
    unix_lines,
)
from gramspect_lark.correspondence import Correspondence, NoCorrespondence
from gramspect_lark.definitions import Definitions, TooMuchRepeated
from gramspect_lark.finding import loading_again, module_of, read_text
from gramspect_lark.inputs import Texts
from gramspect_lark.problems import described, not_utf8
from gramspect_lark.settings import NEEDS, lark_options
from gramspect_lark.sources import LoadedText, Loading, recorded_loading
from gramspect_lark.subject import Subject, lark_rules
from gramspect_lark.syntax import Literal, Range

__all__ = ["larks_in", "load_file", "load_live", "load_object"]


def load_file(source: str, parser: str, options: LoadOptions) -> Subject:
    """A Lark parser for a grammar file, which is mostly called ``.lark``.

    Raises:
        AdapterError: Lark refuses the options.
        GrammarError: the file cannot be read, or Lark refuses the grammar; the message is one line
            with the place.
    """
    path = Path(source)
    try:
        text = unix_lines(read_bytes(source).decode())
    except UnicodeDecodeError:
        raise not_utf8(source, source) from None
    start = options.start or "start"
    given = lark_options(parser, options.extra)
    given.setdefault("import_paths", []).append(str(path.resolve().parent))
    places: dict[str, tuple[SourceText, int, int]] = {}
    with recorded_loading(places) as loading:
        try:
            grammar = read_text(text, str(path), given["import_paths"], keep_all_tokens=False)
            lark = Lark(grammar, start=start, source_path=source, **given)
        except GramspectError:
            raise
        except Exception as problem:
            raise described(problem, source, loading, start) from None
    return _subject(lark, start, loading, source)


def load_live(source: str, parser: str, options: LoadOptions) -> Subject:
    """A Lark object that ``module:attribute`` names, as it is.

    Raises:
        AdapterError: there is no such object, it has another parser, or several start symbols.
        MissingDependency: its module needs Lark, which is not installed.
    """
    return _live(source, _lark_in(source, named_object(source, NEEDS)), parser, options)


def load_object(thing: object, parser: str, options: LoadOptions) -> Subject:
    """A Lark object, or the one that something has, as it is.

    Raises:
        AdapterError: there is none, it has another parser, or several start symbols.
    """
    lark = _lark_in(f"the object of {type(thing).__name__}", thing)
    return _live(_name_of(lark), lark, parser, options)


def _name_of(lark: Lark) -> str:
    """``module:attribute`` of a live object; ``Lark`` if no module has it."""
    for module_name, module in tuple(sys.modules.items()):
        for name, value in tuple(getattr(module, "__dict__", {}).items()):
            if value is lark:
                return f"{module_name}:{name}"
    return "Lark"


def _live(source: str, lark: Lark, parser: str, options: LoadOptions) -> Subject:
    if lark.options.parser != parser:
        raise AdapterError(
            f"{source} has the parser {lark.options.parser!r}; "
            f"use --adapter lark-{lark.options.parser}"
            if lark.options.parser in ("earley", "lalr")
            else f"{source} has the parser {lark.options.parser!r}, which gramspect cannot observe"
        )
    start = _start_of(source, lark, options.start)
    return _subject(lark, start, loading_again(lark, source, module_of(source)), source)


def larks_in(thing: Any) -> dict[str, Lark]:
    """The Lark objects that something has, by the names of its attributes; or it itself."""
    if isinstance(thing, Lark):
        return {"": thing}
    return {n: v for n, v in getattr(thing, "__dict__", {}).items() if isinstance(v, Lark)}


def _lark_in(source: str, thing: Any) -> Lark:
    held = larks_in(thing)
    if len(held) == 1:
        return next(iter(held.values()))
    if held:
        raise AdapterError(
            f"{source} holds several Lark objects; name one, such as {source}.{next(iter(held))}"
        )
    raise AdapterError(f"{source} is no Lark object but {type(thing).__name__}")


def _start_of(source: str, lark: Lark, wanted: str | None) -> str:
    known: list[str] = list(lark.options.start)
    if wanted is None and len(known) == 1:
        return known[0]
    if wanted in known:
        assert wanted is not None
        return wanted
    names = ", ".join(known)
    if wanted is None:
        raise AdapterError(f"{source} has several start symbols ({names}); name one with --start")
    raise AdapterError(f"{source} was made for the start symbol {names}, not {wanted!r}")


# --- the core grammar --------------------------------------------------------------------------


def _subject(lark: Lark, start: str, loading: Loading | None, source: str) -> Subject:
    inputs = Texts(bool(lark.options.use_bytes))
    definitions = None
    rules = lark_rules(lark)
    reason = "its text is not known"
    if loading is not None and loading.texts:
        definitions = Definitions(loading.texts, _terminal_names(lark))
        try:
            grammar = _grammar(definitions, start, source)
            names = [symbol.name for symbol in grammar.symbols]
            found = Correspondence(grammar, rules, names)
        except TooMuchRepeated as problem:
            reason = f"{problem} is repeated too often"
        except NoCorrespondence as problem:
            reason = f"the text does not explain {problem}"
        else:
            return Subject(lark, start, found, inputs, definitions)
    grammar = Grammar.from_rules(rules, start=start, name=source)
    if definitions is not None:
        grammar = replace(grammar, files=tuple(_files(definitions.texts)))
    note = f"the rules are shown as Lark has them, without places: {reason}"
    grammar = _with_note(grammar, note)
    names = [symbol.name for symbol in grammar.symbols]
    return Subject(lark, start, Correspondence(grammar, rules, names), inputs, definitions)


def _grammar(definitions: Definitions, start: str, source: str) -> Grammar:
    made = definitions.definitions(start)
    spans = (definition.span for definition in made)
    files = dict.fromkeys(span.file for span in spans if span is not None)
    files.update(dict.fromkeys(_files(definitions.texts)))
    return expand(made, tokens=definitions.tokens(), start=start, name=source, files=tuple(files))


def _files(texts: Sequence[LoadedText]) -> list[str]:
    """The files that the texts of a grammar stand in, the main one first; without Lark's own."""
    statements = (s for text in reversed(texts) for s in text.content.statements[:1])
    found = dict.fromkeys(statement.name.span.file for statement in statements)
    own = Path(lark_package.__file__).parent
    return [file for file in found if own not in Path(file).resolve().parents]


def _with_note(grammar: Grammar, note: str) -> Grammar:
    return replace(grammar, diagnostics=(*grammar.diagnostics, Diagnostic("lark", note)))


def _terminal_names(lark: Lark) -> Callable[[Literal | Range], str]:
    """How Lark calls the terminal that a literal or range is."""
    known: Mapping[object, str] = {
        _key(definition.pattern): definition.name for definition in lark.terminals
    }

    pattern_of: Any = load_grammar._literal_to_pattern

    def name(written: Literal | Range) -> str:
        if isinstance(written, Range):
            pattern = PatternRE(f"[{written.first[1:-1]}-{written.last[1:-1]}]")
        else:
            kind = "STRING" if written.text.startswith('"') else "REGEXP"
            pattern = pattern_of(Token(kind, written.text))
        return known.get(_key(pattern), written.text)

    return name


def _key(pattern: Any) -> object:
    return type(pattern).__name__, pattern.value, frozenset(pattern.flags)
