"""Edits as changes of the user's grammar files, in their notation and layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gramspect.edits.model import NEW_TOKEN, Edit, EditKind, generalizes
from gramspect.edits.writing.bnf import bnf_edit
from gramspect.edits.writing.ebnf import ebnf_edit
from gramspect.edits.writing.files import (
    Change,
    Replacement,
    SourceFile,
    Unwritable,
    from_here,
)
from gramspect.edits.writing.regions import notation_in, notation_of
from gramspect.grammars.grammar import Grammar

__all__ = ["Change", "Replacement", "SourceFile", "Unwritable", "from_here", "written"]


def written(
    grammar: Grammar,
    edit: Edit,
    read: Callable[[str], SourceFile] = SourceFile.read,
    *,
    apart: bool = False,
) -> Change:
    """An edit as a change of the file that its rule is in.

    Args:
        grammar: what the edit is of; its spans belong to the files as `read` gives them.
        edit: the edit.
        read: gives the file of a path.
        apart: write a new alternative even where a change inside the old one is shorter.

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
    notation_of(path)
    file = read(path)
    start = min(file.offset(span.line, span.column) for span in spans if span is not None)
    notation = notation_in(file, start)
    if NEW_TOKEN in edit.symbols and not (edit.text and notation.takes_literals(file.text)):
        raise Unwritable("the lexer has no token for this text; define one first")
    if notation.ebnf:
        return Change.of(file, ebnf_edit(grammar, edit, file, notation, apart=apart))
    return Change.of(file, bnf_edit(grammar, edit, file, notation, apart=apart))
