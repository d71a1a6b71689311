"""Grammars to generate from: whatever an adapter loads."""

from __future__ import annotations

from collections.abc import Mapping

from gramspect.errors import MissingDependency
from gramspect.generation.words import TokenNames
from gramspect.grammar import Grammar
from gramspect.recognizer import LoadOptions, adapter_for
from gramspect.recognizer import adapter as adapter_named
from gramspect.runner import silenced

__all__ = ["read_grammar"]

_YACC = ("native", "chart")
"""Adapters whose grammars are read without making a parser of them."""

_END_OF_FILE = ("EOF", "<EOF>")
"""How tools call the end of the input where rules name it."""


def read_grammar(
    source: str,
    *,
    adapter: str | None = None,
    start: str | None = None,
    actions: bool = True,
    options: Mapping[str, str] | None = None,
) -> tuple[Grammar, TokenNames]:
    """The grammar of a source as an adapter takes it, and tests as token names.

    The arguments are those of `localize`. No parser is made of a yacc grammar. Of other tools'
    grammars, a terminal for the end of the input, such as ANTLR's EOF, is not written.

    Raises:
        GramspectError: no adapter takes the source, or its grammar is broken.
        MissingDependency: something the adapter needs is not installed.
    """
    found = adapter_for(source) if adapter is None else adapter_named(adapter)
    if found.name in _YACC:
        from gramspect.yacc import read_yacc

        grammar = read_yacc(source, start=start)
        return grammar, TokenNames(grammar)
    missing = found.missing()
    if missing is not None:
        raise MissingDependency(missing)
    with silenced():
        grammar = found.load(source, LoadOptions(start, actions, options or {})).grammar
    ends = (symbol.index for symbol in grammar.terminals if symbol.name in _END_OF_FILE)
    return grammar, TokenNames(grammar, ends)
