"""The text of a grammar, cut where its rules and positions lie.

A *place* is a stretch of text at which items or rules are shown: an item at the symbol after its
dot, or after the last symbol (`Grammar.item_span`), a rule at its alternative. Places nest; every
character belongs to the smallest place around it, once for items and once for rules. What is in no
readable file is shown as a listing of its rules.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, zip_longest
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.lexical.rules import TokenRule
from gramspect.reading import read_whole
from gramspect.source import Span

__all__ = [
    "NOWHERE",
    "GrammarText",
    "Line",
    "Segment",
    "Stretch",
    "TextFile",
    "grammar_text",
    "read_sources",
]

NOWHERE = -1
"""Stands for the number of a place where there is none."""
OUTSIDE = -2
"""The number of a place that lies in none of the files."""
_LISTING = ""
"""Stands for the name of the listing; no file is called so."""
_FOLDED = 12
"""Lines without a rule are folded if at least this many follow each other."""
_AROUND = 3
"""How many of them stay in sight on each side."""

Numbers: TypeAlias = NDArray[np.int32]


class Segment(NamedTuple):
    """Characters of one line that belong to the same places, -1 for none.

    An empty text is a place between two characters: the end of a rule, or an empty one.
    """

    text: str
    item_place: int
    rule_place: int


class Line(NamedTuple):
    """A line of a file, numbered from 1."""

    number: int
    segments: tuple[Segment, ...]


class Stretch(NamedTuple):
    """Lines that follow each other; folded ones hold no rule and are many."""

    folded: bool
    lines: tuple[Line, ...]


class TextFile(NamedTuple):
    """A file of the grammar; without a name, the listing of the rules that are in no file."""

    name: str
    stretches: tuple[Stretch, ...]


class GrammarText(NamedTuple):
    """The files, and the places of items and rules by their numbers.

    Places are numbered from 0, those of items and those of rules apart.
    """

    files: tuple[TextFile, ...]
    item_places: tuple[int, ...]
    rule_places: tuple[int, ...]


class _Extent(NamedTuple):
    """A stretch of a file, in offsets."""

    file: str
    start: int
    end: int


class _Offsets:
    """Turns the spans of a file into extents; what lies outside the text is moved to its edge."""

    def __init__(self, file: str, text: str) -> None:
        self._file, self._size = file, len(text)
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def extent(self, span: Span) -> _Extent:
        start = self._offset(span.line, span.column)
        end = self._offset(span.end_line, span.end_column)
        return _Extent(self._file, start, max(start, end))

    def _offset(self, line: int, column: int) -> int:
        if line >= len(self._starts):
            return self._size
        return min(self._starts[line - 1] + column - 1, self._starts[line] - 1)


def read_sources(grammar: Grammar, tokens: Sequence[TokenRule] = ()) -> dict[str, str]:
    """The texts of the files of a grammar and of token rules, as far as they can be read."""
    found = {}
    spans = [*(rule.span for rule in grammar.rules), *(token.span for token in tokens)]
    for name in dict.fromkeys([*grammar.files, *(span.file for span in spans if span)]):
        try:
            data = read_whole(name)
        except (OSError, ValueError, GramspectError):
            continue
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
        found[name] = text.replace("\r\n", "\n")
    return found


def grammar_text(
    grammar: Grammar, sources: Mapping[str, str], tokens: Sequence[TokenRule] = ()
) -> GrammarText:
    """The text of a grammar; `sources` are the texts of its files by name.

    Token rules are shown as rules after those of the grammar, each with one item. Files without a
    rule are left out.
    """
    listing, rules, items = _listing(grammar, sources)
    offsets = {file: _Offsets(file, text) for file, text in sources.items()}
    for rule in grammar.rules:
        if rule.index not in rules and rule.span is not None:
            rules[rule.index] = offsets[rule.span.file].extent(rule.span)
    for item in range(grammar.n_items):
        span = grammar.item_span(item)
        if item not in items:
            known = offsets.get(span.file) if span is not None else None
            home = rules[grammar.split_item(item)[0]]
            items[item] = known.extent(span) if known and span else home
    written = [_extent_of(token.span, offsets) for token in tokens]
    item_extents, item_places = _numbered(
        [*(items[item] for item in range(grammar.n_items)), *written]
    )
    rule_extents, rule_places = _numbered(
        [*(rules[rule] for rule in range(grammar.n_rules)), *written]
    )
    files: list[TextFile] = []
    hidden_items: dict[int, int] = {}
    hidden_rules: dict[int, int] = {}
    for file, text in {**sources, _LISTING: listing}.items():
        if any(extent.file == file for extent in rule_extents):
            drawing = _Drawing.of(file, text, item_extents, rule_extents)
            files.append(TextFile(file, tuple(_stretches(drawing.lines()))))
            hidden_items |= _hidden(file, drawing.item_at, item_extents)
            hidden_rules |= _hidden(file, drawing.rule_at, rule_extents)
    return GrammarText(
        tuple(files),
        tuple(hidden_items.get(place, place) for place in item_places),
        tuple(hidden_rules.get(place, place) for place in rule_places),
    )


def _extent_of(span: Span | None, offsets: Mapping[str, _Offsets]) -> _Extent | None:
    """The extent of a token rule, if it is in one of the files."""
    known = None if span is None else offsets.get(span.file)
    return None if known is None or span is None else known.extent(span)


def _numbered(
    extents: Sequence[_Extent | None],
) -> tuple[tuple[_Extent, ...], tuple[int, ...]]:
    """The different extents, and which of them each one is; `OUTSIDE` for None."""
    known = dict.fromkeys(extent for extent in extents if extent is not None)
    number = {extent: place for place, extent in enumerate(known)}
    places = (OUTSIDE if extent is None else number[extent] for extent in extents)
    return tuple(number), tuple(places)


def _listing(
    grammar: Grammar, sources: Mapping[str, str]
) -> tuple[str, dict[int, _Extent], dict[int, _Extent]]:
    """The rules that are in no known file, one on a line, and where they and their items are."""
    text, rules, items = "", {}, {}
    for rule in grammar.rules:
        if rule.span is not None and rule.span.file in sources:
            continue
        text += f"{grammar.symbols[rule.lhs].name} ->"
        start = len(text) + 1
        for dot, symbol in enumerate(rule.rhs):
            text += " "
            shown = grammar.symbols[symbol].display.replace("\n", " ")
            items[grammar.item(rule.index, dot)] = _Extent(
                _LISTING, len(text), len(text) + len(shown)
            )
            text += shown
        if not rule.rhs:
            text += " "
        items[grammar.item(rule.index, len(rule.rhs))] = _Extent(_LISTING, len(text), len(text))
        rules[rule.index] = _Extent(_LISTING, start, len(text))
        text += "\n"
    return text, rules, items


# --- cutting -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Drawing:
    """A file with the smallest place of items and of rules around each character.

    `between` lists the places of items, and `rule_between` has that of a rule, that lie between two
    characters, by their offsets.
    """

    text: str
    item_at: Numbers
    rule_at: Numbers
    between: Mapping[int, Sequence[int]]
    rule_between: Mapping[int, int]

    @classmethod
    def of(
        cls, file: str, text: str, items: Sequence[_Extent], rules: Sequence[_Extent]
    ) -> _Drawing:
        item_at, rule_at = (_painted(file, text, extents) for extents in (items, rules))
        between: dict[int, list[int]] = {}
        for place, extent in enumerate(items):
            if extent.file == file and extent.start == extent.end:
                between.setdefault(extent.start, []).append(place)
        empty = {e.start: p for p, e in enumerate(rules) if e.file == file and e.start == e.end}
        return cls(text, item_at, rule_at, between, empty)

    def lines(self) -> Iterator[Line]:
        changes = (np.diff(self.item_at) != 0) | (np.diff(self.rule_at) != 0)
        cuts = sorted({*(np.flatnonzero(changes) + 1).tolist(), *self.between})
        start = 0
        for number, line in enumerate(self.text.split("\n"), start=1):
            end = start + len(line)
            inside = cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]
            yield Line(number, tuple(self._segments([start, *inside, end])))
            start = end + 1

    def _segments(self, bounds: Sequence[int]) -> Iterator[Segment]:
        """The segments between bounds, which have at least the start and end of a line."""
        for at, following in zip_longest(dict.fromkeys(bounds), bounds[1:]):
            for place in self.between.get(at, ()):
                rule = self.rule_between.get(at, int(self.rule_at[at - 1]) if at else NOWHERE)
                yield Segment("", place, rule)
            if following is not None and following > at:
                place, rule = int(self.item_at[at]), int(self.rule_at[at])
                yield Segment(self.text[at:following], place, rule)


def _painted(file: str, text: str, extents: Sequence[_Extent]) -> Numbers:
    """The smallest extent around each character, and after the last one nothing."""
    owner = np.full(len(text) + 1, NOWHERE, np.int32)
    here = [(e.end - e.start, place) for place, e in enumerate(extents) if e.file == file]
    for _, place in sorted(here, key=lambda found: -found[0]):
        owner[extents[place].start : extents[place].end] = place
    return owner


def _hidden(file: str, owner: Numbers, extents: Sequence[_Extent]) -> dict[int, int]:
    """From places of which no character is left to the smaller ones that took them."""
    left = set(owner.tolist())
    return {
        place: int(owner[extent.start])
        for place, extent in enumerate(extents)
        if extent.file == file and extent.start < extent.end and place not in left
    }


def _stretches(lines: Iterable[Line]) -> Iterator[Stretch]:
    """The lines in stretches; many without a rule are folded but for some next to rules."""

    def empty(line: Line) -> bool:
        return all(segment.rule_place == NOWHERE for segment in line.segments)

    groups = [(is_empty, tuple(group)) for is_empty, group in groupby(lines, empty)]
    shown: tuple[Line, ...] = ()
    for position, (is_empty, group) in enumerate(groups):
        if not is_empty or len(group) < _FOLDED:
            shown += group
            continue
        head = _AROUND if position else 0
        tail = len(group) - (_AROUND if position < len(groups) - 1 else 0)
        if shown or head:
            yield Stretch(False, shown + group[:head])
        yield Stretch(True, group[head:tail])
        shown = group[tail:]
    if shown:
        yield Stretch(False, shown)
