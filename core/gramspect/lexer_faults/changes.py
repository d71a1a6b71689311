"""Changes of a definition that let it read a text, each written in several ways.

The characters that an alignment puts in, replaces or passes over show where the definition has to
be changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from gramspect.lexer_faults.definitions import Definitions
from gramspect.lexer_faults.forms import usual_part
from gramspect.lexer_faults.paths import (
    common,
    definition_of,
    first_of,
    in_root_row,
    in_words,
    is_repeated,
    outermost_atom,
    parts_of,
)
from gramspect.lexical.nearness import Step, Way
from gramspect.lexical.parts import Call, Leaf, Part, Quoted, Repeat, Row, Style
from gramspect.lexical.rewriting import (
    Rewriting,
    also_repeated,
    inserted,
    optional,
    widened,
)
from gramspect.lexical.translated import translated
from gramspect.lexical.written import called, family, generalized, quoted

__all__ = ["Change", "Option", "changes", "widening"]


@dataclass(frozen=True)
class Option:
    """One way to write a change: its rule, the change in words, and that of the text.

    `widens` is the leaf that reads another character, `adds` the word that a list gets. It
    `precedes` if it says which of two tokens comes first. It is `aside` if it is another
    alternative, where the text could be read by a change of the one that is there.
    """

    rule: str
    words: str
    rewriting: Rewriting
    widens: tuple[Leaf, str] | None = None
    adds: str = ""
    precedes: bool = False
    aside: bool = False


@dataclass(frozen=True)
class Change:
    """Steps of an alignment that read nothing as it is, and the steps around them."""

    before: Sequence[Step]
    steps: Sequence[Step]
    after: Sequence[Step]

    def options(self, rule: str, text: str, definitions: Definitions) -> Iterator[Option]:
        """The ways to write it, the likeliest first."""
        yield from self._in_definitions(rule, text, definitions)
        yield from self._around_call(rule, text, definitions)

    def _in_definitions(self, rule: str, text: str, definitions: Definitions) -> Iterator[Option]:
        way, place = self.steps[0].way, self.steps[0].place
        if way is Way.PASSED:
            if len(self.steps) == 1 and place < len(text):
                yield from _wider(rule, self.steps[0], text[place])
            yield from self._optional(rule)
            return
        wider = list(self.widened(rule, text))
        edge = self.steps[0].edge
        put_in = way is Way.PUT_IN or (edge is not None and is_repeated(edge.path, by_name=True))
        inserted = list(self._inserted(rule, text, definitions)) if put_in else []
        alike = text[place].isalnum() or text[place] == "_" or self._among_signs()
        first = inserted if put_in and not alike else wider
        yield from first
        yield from inserted if first is wider else wider

    def _among_signs(self) -> bool:
        """Whether a set is repeated around the place that has signs already."""
        before, after = _path(self.before[-1:]), _path(self.after[:1])
        leaf = before[-1] if before[-1:] == after[-1:] and is_repeated(before) else None
        return isinstance(leaf, Leaf) and any(sign in leaf.characters for sign in _SIGNS)

    def text(self, text: str) -> str:
        """What stands there."""
        return text[self.steps[0].place : self.steps[-1].place + 1]

    @property
    def part(self) -> str | None:
        """The name of the definition in whose place they read something, if they do."""
        step = self.steps[0]
        return step.edge.chain[-1] if step.way is Way.IN_PLACE and step.edge is not None else None

    def text_of_part(self, text: str) -> str:
        """The text of that definition, as far as it is read before it comes to the change."""
        chain = self.steps[0].edge.chain if self.steps[0].edge is not None else ()
        inside = takewhile(
            lambda step: step.edge is not None and step.edge.chain[: len(chain)] == chain,
            reversed(self.before),
        )
        first = min((step.place for step in inside), default=self.steps[0].place)
        return text[first : self.steps[-1].place + 1]

    def widened(self, rule: str, text: str) -> Iterator[Option]:
        """Let a part that reads there, or is repeated beside the place, read more characters."""
        new = self.text(text)
        if len(new) > _SHORT or (len(set(map(family, new))) > 1 and not _WORD.fullmatch(new)):
            return
        if self.steps[0].way in (Way.IN_PLACE, Way.IN_CASE):
            if len({_path([step])[-1:] for step in self.steps}) == 1:
                yield from _wider(rule, self.steps[0], new)
            return
        for step in dict.fromkeys((*self.before[-1:], *self.after[:1])):
            if step.edge is not None and is_repeated(step.edge.path):
                yield from _wider(rule, step, new)
        yield from self._repeated(rule, new)

    def _repeated(self, rule: str, new: str) -> Iterator[Option]:
        """Another alternative in the innermost repetition around the place."""
        before, after = _path(self.before[-1:]), _path(self.after[:1])
        around = list(enumerate(common(before, after)))
        for depth, part in reversed(around):
            written = also_repeated(part, new) if isinstance(part, Repeat) else None
            if written is not None:
                name = definition_of(rule, before, depth + 1)
                words = f"also read {new!r} where {in_words(first_of(part))} is read"
                yield Option(name, words, written)
                return

    def _inserted(self, rule: str, text: str, definitions: Definitions) -> Iterator[Option]:
        for path, after, new in dict.fromkeys(self._gaps(text)):
            style = path[-1].style
            name = definition_of(rule, path, len(path))
            parts = parts_of(definitions.body(name))
            known = [part.name for part in parts if isinstance(part, Call)]
            for like in definitions.alike(name, style, new):
                words = f"also allow {like} {'after' if after else 'before'} {in_words(path[-1])}"
                yield Option(name, words, inserted(path, after, like, ""))
            names = [pair for n in known for pair in _read_by(definitions, n, style, _runs(new))]
            general, several = generalized(style, new, names)
            if not names or len(new) > _SHORT:
                yield from self._usual(name, path, after, new)
            exact = quoted(style, new)
            forms = [(general, "?"), (general, "*"), (exact, "?")][several:]
            for written, operator in forms:
                more = {"?": "", "*": " any number of times"}[operator]
                words = f"also allow {written}{more} {'after' if after else 'before'} "
                words += in_words(path[-1])
                if operator == "*" or written != exact or general == exact:
                    yield Option(name, words, inserted(path, after, written, operator))

    @staticmethod
    def _usual(
        name: str, path: tuple[Part, ...], after: bool, new: str, where: str = ""
    ) -> Iterator[Option]:
        """A part that tokens of other languages have there."""
        part = usual_part(new)
        written = None if part is None else translated(part, path[-1].style)
        if written is not None:
            where = where or f"{'after' if after else 'before'} {in_words(path[-1])}"
            words = f"also allow {written} {where}"
            yield Option(name, words, inserted(path, after, written, "?"))

    def with_usual_part(self, rule: str, text: str) -> Iterator[Option]:
        """Let a usual part come last; other parts may follow a fraction."""
        path, new = in_root_row(_path(self.before[-1:])), self.text(text)
        row = path[-2] if len(path) > 1 else None
        where = ""
        if isinstance(row, Row) and not isinstance(row, Quoted) and not new.startswith("."):
            path, where = (*path[:-1], row.parts[-1]), "at the end"
        if path:
            yield from self._usual(definition_of(rule, path, len(path)), path, True, new, where)

    def _gaps(self, text: str) -> Iterator[tuple[tuple[Part, ...], bool, str]]:
        """The places for an insertion: the path to a part, whether it goes after that, and the
        text."""
        first, last = self.steps[0].place, self.steps[-1].place + 1
        new = text[first:last]
        before, after = _path(self.before[-1:]), _path(self.after[:1])
        same = len(list(common(before, after)))
        calls = [n for n, part in enumerate(before[:same]) if isinstance(part, Call)]
        if before and before[-1:] == after[-1:]:  # a repetition there may begin again
            part = outermost_atom(before)
            again = list(takewhile(lambda s: _path([s])[-1:] == before[-1:], self.after))
            yield part, True, text[first : again[-1].place + 1]
        if calls:  # a definition that is called there may begin again
            call = calls[-1] + 1
            inside = [s for s in self.after if _path([s])[:call] == before[:call]]
            yield before[:call], True, text[first : inside[-1].place + 1]
        if before:
            if after and same < len(before):
                yield before[: same + 1], True, new
            yield outermost_atom(before), True, new
            if not after:
                yield in_root_row(before), True, new
        if after:
            yield outermost_atom(after), False, new
            if not before:
                yield in_root_row(after), False, new

    def _optional(self, rule: str) -> Iterator[Option]:
        """Let the part that was passed over be left out."""
        paths = [step.edge.path for step in self.steps if step.edge is not None]
        first, last = paths[0], paths[-1]
        depth = len(list(common(first, last)))
        if (whole := self._unread(first[:depth])) is not None:
            first, stop = whole, None
        elif depth == len(first):
            first, stop = outermost_atom(first), None
        else:
            first, stop = first[: depth + 1], last[depth]
        written = optional(first, stop or first[-1])
        if written is not None:
            words = f"make {in_words(first[-1])} optional"
            yield Option(definition_of(rule, first, len(first)), words, written)

    def _unread(self, path: tuple[Part, ...]) -> tuple[Part, ...] | None:
        """The path to the largest part on a path of which nothing is read."""
        around = (step for step in (*self.before, *self.after) if step.way is Way.READ)
        read = {part for step in around for part in _path([step])}
        depth = next((n for n, part in enumerate(path) if n and part not in read), None)
        return None if depth is None else path[: depth + 1]

    def _around_call(self, rule: str, text: str, definitions: Definitions) -> Iterator[Option]:
        """The same around a call of what comes with the tool, which is not the user's to change."""
        step, path = self.steps[0], _path(self.steps[:1])
        calls = (n for n, part in enumerate(path) if isinstance(part, Call))
        depth = next((n for n in calls if definitions.is_foreign(path[n])), None)
        passed = step.way is Way.PASSED
        new = text[step.place : step.place + 1] if passed else self.text(text)
        if depth is None or not new or (passed and len(self.steps) > 1):
            return
        to_call = path[: depth + 1]
        call, name = to_call[-1], definition_of(rule, path, depth + 1)
        if definitions.reads(in_words(call), new):
            return
        sign = quoted(call.style, new)
        beside = {_path(steps)[depth : depth + 1] for steps in (self.before[-1:], self.after[:1])}
        if beside == {(call,)}:
            words = f"also allow {sign} between several of {in_words(call)}"
            written = inserted(to_call, True, f"{sign} {in_words(call)}", "*")
            yield Option(name, words, written)
        words = f"also read {new!r} where {in_words(call)} is read"
        plus = "" if passed or is_repeated(to_call) else "+"
        also = (call.span.before(), "("), (call.span.after(), f" | {sign}){plus}")
        yield Option(name, words, also)


_SHORT = 6
"""The most inserted characters for which a set of characters is widened."""
_WORD = re.compile(r"\w+", re.ASCII)
_SIGNS = ".:-/@#$+*'"
"""Signs that sets of the characters of names have."""


def changes(steps: Sequence[Step]) -> Iterator[Change]:
    """The changes of an alignment, each with the steps around it."""
    groups = [(way, list(group)) for way, group in groupby(steps, key=lambda step: step.way)]
    for place, (way, group) in enumerate(groups):
        if way is not Way.READ:
            before = [step for _, earlier in groups[:place] for step in earlier]
            after = [step for _, later in groups[place + 1 :] for step in later]
            yield Change(before, group, after)


def _path(steps: Sequence[Step]) -> tuple[Part, ...]:
    """The path to the part that reads in the first of some steps; empty if none does."""
    edge = steps[0].edge if steps else None
    return () if edge is None else edge.path


def _wider(rule: str, step: Step, new: str) -> Iterator[Option]:
    """Let the part of a step read the other characters, or those of their kinds."""
    if step.edge is None:
        return
    path = step.edge.path
    leaf, above = path[-1], path[-2] if len(path) > 1 else None
    if not isinstance(leaf, Leaf):
        return
    within = above if isinstance(above, Quoted) else None
    name = definition_of(rule, path, len(path))
    characters = "".join(dict.fromkeys(c for c in new if c not in leaf.characters))
    kinds = "".join(dict.fromkeys(_kind(leaf, character) for character in characters))
    if kinds != characters and leaf.characters.size > 1:
        option = widening(name, leaf, within, kinds, plain=False)
        if option is not None:
            yield option
    option = widening(name, leaf, within, characters, plain=True)
    if option is not None:
        yield option


def _kind(leaf: Leaf, character: str) -> str:
    """The characters that are likely to be meant with one that a leaf lacks: if it has the letter
    in the other case, all that it has so."""
    other = character.swapcase()
    for first, last in leaf.characters.ranges if len(other) == 1 and other != character else ():
        if first <= ord(other) <= last and f"{chr(first)}{chr(last)}".isalpha() and first < last:
            return f"{chr(first).swapcase()}-{chr(last).swapcase()}"
    return family(character)


def widening(
    rule: str, leaf: Leaf, within: Quoted | None, members: str, *, plain: bool
) -> Option | None:
    """Let a leaf read more characters: each of `members`, or the sets that they are in a regular
    expression if not `plain`."""
    written = widened(leaf, within, members, plain)
    if written is None:
        return None
    shown = leaf.text if leaf.text.strip() else repr(leaf.text)
    words = f"also read {repr(members) if plain else f'[{members}]'} where {shown} is read"
    return Option(rule, words, written, (leaf, members) if plain and within is None else None)


def _read_by(
    definitions: Definitions, name: str, style: Style, texts: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """The texts that a definition reads, one character at a time if it reads but one, each with the
    call that reads it."""
    single = definitions.is_single(name)
    for text in texts:
        if all(definitions.reads(name, part) for part in (text if single else (text,))):
            yield called(style, name, repeated=single), text


def _runs(text: str) -> list[str]:
    """The words and numbers in a text."""
    return ["".join(run) for known, run in groupby(text, key=lambda c: c.isalnum()) if known]
