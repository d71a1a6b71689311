"""Edits in grammars whose rules are plain alternatives: yacc's, CUP's, and the docstrings of PLY.

An edit that extends the language is a new alternative after the edited one. It has no action: only
the author knows what it should mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from gramspect.edits.model import NEW_TOKEN, Edit, EditKind, applied, new_texts
from gramspect.edits.writing import layout
from gramspect.edits.writing.files import Replacement, SourceFile, Unwritable
from gramspect.edits.writing.functions import new_function
from gramspect.edits.writing.lexemes import docstring_trouble
from gramspect.edits.writing.regions import Notation
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Operator, Rule
from gramspect.source import Span

__all__ = ["bnf_edit"]

_REFERENCE = re.compile(r"\s*\[\s*[\w.-]+\s*\]|\s*:\s*[^\W\d]\w*")
_TAG = re.compile(r"<[^<>\n]*>\s*\Z")
"""The type of an action's value, which belongs to it."""


def bnf_edit(
    grammar: Grammar,
    edit: Edit,
    file: SourceFile,
    notation: Notation,
    *,
    apart: bool = False,
    new: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Replacement, ...]:
    """The edit as changes of the text; with `apart` in a function of its own where there are some.

    `new` says how rules name the texts of new tokens.

    Raises:
        Unwritable: it cannot be written there.
    """
    index, _ = grammar.split_item(edit.item)
    rule = grammar.rules[index]
    lines = notation.name == "docstring"
    if lines:
        _check_docstring(grammar, rule, file)
    words = _Words(grammar, [new[text] for text in new_texts(edit.symbols, edit.texts)])
    in_place = tuple(_in_place(words, edit, rule, file)) if edit.kind.restrictive else ()
    if lines:
        in_place = layout.all_tripled(file, in_place)
    if in_place and edit.kind is not EditKind.SEPARATE:
        return in_place
    if rule.span is None:
        raise Unwritable("the rule is in no file")
    place = file.range(rule.span)
    if edit.kind is EditKind.DROP:
        return (layout.dropped(file, notation.region(file, *place)),)
    first_of_two = edit.kind is EditKind.SEPARATE
    alternative = applied(grammar, edit).rules[index if first_of_two else index + 1]
    if lines and (apart or docstring_trouble(file, place[0])):
        text = f"{grammar.symbols[rule.lhs].display} : {words.alternative(alternative)}"
        return (*in_place, new_function(file, place[0], text))
    region = notation.region(file, *place)
    change = layout.added(file, region, words.alternative(alternative), own_line=lines)
    return (*in_place, *(layout.tripled(file, change) if lines else (change,)))


@dataclass(frozen=True)
class _Words:
    """Symbols as the user would write them; `new` are the new tokens of an edit, in order."""

    grammar: Grammar
    new: Sequence[str]

    def of(self, symbols: Iterable[int]) -> Iterator[str]:
        new = iter(self.new)
        for symbol in symbols:
            yield next(new) if symbol == NEW_TOKEN else self.grammar.symbols[symbol].display

    def alternative(self, rule: Rule) -> str:
        """A right-hand side."""
        known = self.grammar.symbols
        symbols = [s for s in rule.rhs if known[s].operator is not Operator.ACTION]
        words = list(self.of(symbols))
        last = next((s for s in reversed(rule.rhs) if self.grammar.is_terminal(s)), None)
        if rule.precedence is not None and rule.precedence not in (last, NEW_TOKEN):
            words += ["%prec", known[rule.precedence].display]
        return " ".join(words)


def _in_place(words: _Words, edit: Edit, rule: Rule, file: SourceFile) -> Iterator[Replacement]:
    grammar = words.grammar
    _, dot = grammar.split_item(edit.item)
    new = " ".join(words.of(edit.symbols))
    if edit.kind is EditKind.DROP:
        return
    if edit.kind is EditKind.SWAP:
        one, other = _range(rule, dot, file), _range(rule, dot + 1, file)
        yield Replacement(*one, file.text[slice(*other)])
        yield Replacement(*other, file.text[slice(*one)])
    elif edit.kind is EditKind.NARROW:
        start, end = _range(rule, dot, file)
        if len(edit.symbols) == 1:
            start, end = file.range(_known(rule.rhs_spans[dot]))
        yield Replacement(start, end, new) if new else layout.removed(file, start, end)
    elif dot < len(rule.rhs):
        start, _ = _range(rule, dot, file)
        if grammar.symbols[rule.rhs[dot]].operator is Operator.ACTION:
            start = _without_tag(file.text, start)
        yield Replacement(start, start, f"{new} ")
    elif dot:
        _, end = _range(rule, dot - 1, file)
        yield Replacement(end, end, f" {new}")
    else:
        start, end = file.range(_known(rule.span))
        yield Replacement(start, end, new if end > start else f" {new} ")


def _without_tag(text: str, start: int) -> int:
    """Where an action begins, with the type of its value before it."""
    tag = _TAG.search(text[:start])
    return start if tag is None else tag.start()


def _range(rule: Rule, dot: int, file: SourceFile) -> tuple[int, int]:
    """Where a symbol is written, with the name that it may have: ``expr[left]`` in grammars of
    bison, ``expr:left`` in those of CUP."""
    start, end = file.range(_known(rule.rhs_spans[dot]))
    named = _REFERENCE.match(file.text, end)
    return start, named.end() if named else end


def _known(span: Span | None) -> Span:
    if span is None:
        raise Unwritable("it is not known where the symbol is written")
    return span


def _check_docstring(grammar: Grammar, rule: Rule, file: SourceFile) -> None:
    """Refuse rules that other code has made: they are not what the docstring says."""
    for symbol, span in zip(rule.rhs, rule.rhs_spans, strict=True):
        start, end = file.range(_known(span))
        word = file.text[start:end]
        if any(map(str.isspace, word)):
            raise Unwritable(f"the word {_names(grammar, symbol)[0]} is written in several strings")
        if word.strip("'\"") not in _names(grammar, symbol):
            raise Unwritable(f"the rule is made from a template, which says {word} here")


def _names(grammar: Grammar, symbol: int) -> Sequence[str]:
    found = grammar.symbols[symbol]
    return found.name, found.name.strip("'\""), found.display.strip("'\"")
