"""Edits as changes of the user's grammar files, in their notation and layout."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from gramspect.edits.model import NEW_TOKEN, Edit, EditKind, generalizes, new_texts
from gramspect.edits.writing.bnf import bnf_edit
from gramspect.edits.writing.ebnf import ebnf_edit
from gramspect.edits.writing.files import (
    Change,
    Replacement,
    SourceFile,
    Unwritable,
    from_here,
)
from gramspect.edits.writing.lexers import define_tokens
from gramspect.edits.writing.regions import UNDEFINED, notation_in, notation_of
from gramspect.errors import GrammarError
from gramspect.grammars.grammar import Grammar

__all__ = ["Change", "Replacement", "SourceFile", "Unwritable", "from_here", "written"]


def written(
    grammar: Grammar,
    edit: Edit,
    read: Callable[[str], SourceFile] = SourceFile.read,
    *,
    apart: bool = False,
    lexers: Callable[[], Sequence[str]] = tuple,
) -> Change:
    """An edit as a change of the file that its rule is in.

    Args:
        grammar: what the edit is of; its spans belong to the files as `read` gives them.
        edit: the edit.
        read: gives the file of a path.
        apart: write a new alternative even where a change inside the old one is shorter.
        lexers: the files that token rules are in, for tokens that the lexer does not have.

    A symbol that may stand in the place of one that it derives is written instead of it: with a
    choice between both there would be two derivations.

    Raises:
        Unwritable: it cannot be written; the message says why.
        GrammarError: the file cannot be read.
    """
    if generalizes(grammar, edit):
        edit = replace(edit, kind=EditKind.NARROW)
    index, _ = grammar.split_item(edit.item)
    rule = grammar.rules[index]
    spans = [rule.span, grammar.symbols[rule.lhs].span, *rule.rhs_spans]
    paths = {span.file for span in spans if span is not None}
    if len(paths) != 1:
        raise Unwritable("the grammar is in no file" if not paths else "it is in several files")
    (path,) = paths
    try:
        file = read(path)
    except GrammarError:
        notation_of(path)  # what is no file at all, such as <string>, has no name of one either
        raise
    start = min(file.offset(span.line, span.column) for span in spans if span is not None)
    notation = notation_in(file, start)
    defined = None
    if NEW_TOKEN in edit.symbols and not (edit.text and notation.takes_literals(file.text)):
        if notation.name not in _WITH_LEXERS:
            raise Unwritable(UNDEFINED)
        known = {symbol.name for symbol in grammar.symbols if grammar.is_terminal(symbol.index)}
        texts = [*new_texts(edit.symbols, edit.texts)]
        files = dict.fromkeys([path, *lexers()])
        defined = define_tokens(texts, known, [file, *map(read, [*files][1:])])
    new = {} if defined is None else defined.symbols
    write = ebnf_edit if notation.ebnf else bnf_edit
    parts = write(grammar, edit, file, notation, apart=apart, new=new)
    if defined is None:
        return Change.of(file, parts)
    if defined.file.path == file.path:
        return Change.of(file, (*parts, *defined.replacements))
    other = Change.of(defined.file, defined.replacements)
    return replace(Change.of(file, (*parts, *defined.declared)), others=(other,))


_WITH_LEXERS = ("docstring", "antlr", "cup", "javacc", "yacc")
"""Notations whose tokens may have a place of their own that is a text, too."""
