"""What a file calls the symbols of a grammar that consists of several files.

Lark names what is imported after the file that it is from (``geo__points``), but in that file it
has the name that it is defined by, and in others the one that it is imported as.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from gramspect.edits.writing.files import SourceFile, Unwritable
from gramspect.grammars.grammar import Grammar
from gramspect.source import Span

__all__ = ["as_the_file_says", "names_in"]

_NAME = re.compile(r"[?!]*(\w+)")
_WORD = re.compile(r'"(?:\\.|[^"\\])*"|/(?:\\.|[^/\\])+/\w*|(?P<name>\w+)')


def names_in(grammar: Grammar, file: SourceFile) -> Mapping[str, str]:
    """What the file calls each symbol that it defines or uses, by the symbol's name."""
    found: dict[str, str] = {}
    for rule in grammar.rules:
        for number, span in zip(rule.rhs, rule.rhs_spans, strict=True):
            if grammar.symbols[number].owner is None:
                _note(found, grammar.symbols[number].name, file, span)
    for symbol in grammar.symbols:
        _note(found, symbol.name, file, symbol.span)
    return found


def _note(found: dict[str, str], name: str, file: SourceFile, span: Span | None) -> None:
    if span is not None and span.file == file.path and name not in found:
        match = _NAME.match(file.text, file.offset(span.line, span.column))
        if match:
            found[name] = match[1]


def as_the_file_says(
    word: str, names: Mapping[str, str], grammar: Grammar, file: SourceFile
) -> str:
    """A symbol, or a group of some, with the names that the file has for them.

    Raises:
        Unwritable: the file has no name for one of them.
    """
    known = {symbol.name for symbol in grammar.symbols}

    def said(match: re.Match[str]) -> str:
        name = match["name"]
        if name is None or name not in known:
            return match[0]
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", file.text):
            return name
        if name not in names:
            raise Unwritable(f"{file.path} has no name for {name}")
        return names[name]

    return _WORD.sub(said, word)
