"""Faults written into the text of a grammar, which its own adapter then loads.

A recognizer that `build`s gets a mutant as rules. Here the mutant is a text in the notation of the
tool, and all that the tool does with a text is done: its reader, its lexer, its actions. An edit of
a text is not always the edit of rules that it was made from: a group has parentheses, and a
repetition is more than one rule. So what was loaded is compared with the mutant, rule by rule, and
a text that says something else is left out: `Unwritable`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from gramspect.campaigns.faults import Faulty, Spot
from gramspect.edits.drafts import Draft, LoadedDraft
from gramspect.edits.model import Edit, EditKind
from gramspect.edits.writing import Change, Replacement, Unwritable, written
from gramspect.edits.writing.regions import notation_of
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutant, Mutation
from gramspect.running.loading import LoadSpec

__all__ = ["TextSource", "WrittenMutant", "as_edit"]


def as_edit(fault: Mutant) -> Edit:
    """A seeded fault as an edit of the grammar without it."""
    grammar = fault.original
    if fault.original_rule is None:
        last = grammar.rules_of[fault.nonterminal][-1]
        return Edit(grammar.item_start[last], EditKind.END, (), 0, 0.0)
    item = grammar.item(fault.original_rule, fault.original_dot or 0)
    kind = {
        Mutation.DELETION: EditKind.NARROW,
        Mutation.INSERTION: EditKind.REQUIRE,
        Mutation.SUBSTITUTION: EditKind.NARROW,
        Mutation.TRANSPOSITION: EditKind.SWAP,
        Mutation.DELETED_ALTERNATIVE: EditKind.DROP,
    }[fault.operator]
    return Edit(item, kind, () if fault.symbol is None else (fault.symbol,), 0, 0.0)


class WrittenMutant(NamedTuple):
    """What the adapter made of the text, and where the faults are in its numbers."""

    loaded: LoadedDraft
    spots: tuple[Spot, ...]


@dataclass(frozen=True, eq=False)
class TextSource:
    """The text of a grammar, with all its files as they were read."""

    draft: Draft

    @classmethod
    def of(cls, spec: LoadSpec, grammar: Grammar) -> TextSource:
        """The text that a grammar was loaded from.

        Raises:
            GramspectError: it is in no file, or a copy of it is another grammar, so that nothing
                can be written into it.
        """
        try:
            draft = Draft.of(spec, grammar)
            home = Path(spec.source).parent
            for path in draft.known:
                if Path(path).parent == home:  # others are the tool's own
                    notation_of(path)
                    draft = draft.with_file(draft.read(path))
            again = draft.load().grammar
        except Unwritable as problem:
            raise GramspectError(f"no fault can be written into {spec.source}: {problem}") from None
        if _counterparts(grammar, again) is None:
            raise GramspectError(f"{spec.source}: its copy is not the same grammar")
        return cls(draft)

    @property
    def digest(self) -> str:
        """Equal for equal texts that are loaded in the same way, wherever they lie."""
        spec = self.draft.spec
        told = sha256(repr((spec.adapter, Path(spec.source).name, spec.options)).encode())
        for path in self.draft.known:
            told.update(Path(path).name.encode() + b"\0" + self.draft.read(path).encoded())
        return told.hexdigest()[:16]

    def mutant(self, faulty: Faulty | None) -> WrittenMutant:
        """Write all faults of a mutant, if there is one, and load the text.

        Raises:
            Unwritable: a fault cannot be written, or what is written is another grammar.
            GramspectError: the tool does not take the text; the place is one of the file by itself.
        """
        draft = self.draft
        for change in _changes(draft, () if faulty is None else faulty.faults):
            draft = draft.with_change(change)
        try:
            loaded = draft.load()
        except GramspectError as problem:
            raise self._placeless(problem) from None
        if faulty is None:
            return WrittenMutant(loaded, ())
        number_of = _counterparts(faulty.grammar, loaded.recognizer.grammar)
        if number_of is None:
            raise Unwritable("what the tool reads in the text is another grammar than the mutant")
        return WrittenMutant(loaded, tuple(_placed(faulty, loaded, number_of)))

    def _placeless(self, problem: GramspectError) -> GramspectError:
        """A problem in words that are the same wherever the text lies."""
        home = f"{Path(self.draft.spec.source).parent}{os.sep}"
        message = problem.message.replace(home, "").replace(home.lstrip(os.sep), "")
        span = problem.span and replace(problem.span, file=Path(problem.span.file).name)
        return type(problem)(message, span)


def _changes(draft: Draft, faults: Sequence[Mutant]) -> Iterator[Change]:
    """The faults as changes of files, one for each file."""
    found: dict[str, list[Replacement]] = {}
    for fault in faults:
        change = written(fault.original, as_edit(fault), draft.read)
        if change.file.path not in draft.files:
            raise Unwritable("the rule is in a file that does not lie beside the grammar")
        found.setdefault(change.file.path, []).extend(change.replacements)
    for path, replacements in found.items():
        replacements.sort()
        for one, other in pairwise(replacements):
            if other.start < one.end or other.start == one.start:
                raise Unwritable("two faults are in the same place of the text")
        yield Change.of(draft.read(path), replacements)


def _placed(faulty: Faulty, loaded: LoadedDraft, number_of: dict[int, int]) -> Iterator[Spot]:
    """The places of the faults; a rule that cannot be reached may be gone."""
    for spot in faulty.spots:
        item = None
        if spot.item is not None:
            rule, dot = faulty.grammar.split_item(spot.item)
            if rule in number_of:
                item = loaded.recognizer.grammar.item(number_of[rule], dot)
        yield Spot(tuple(number_of[rule] for rule in spot.rules if rule in number_of), item)


def _counterparts(one: Grammar, other: Grammar) -> dict[int, int] | None:
    """The reachable rules of a grammar, each with the rule of another one that is the same.

    None if the grammars differ. Symbols that the user wrote are the same if they are written
    alike; helpers if they have the same rules, since each tool names and shares them as it likes.
    Alternatives must be in the same order.
    """
    found: dict[int, int] = {}
    waiting = [(one.start, other.start)]
    known = set(waiting)
    for here, there in waiting:  # grows while it is walked
        mine, yours = one.rules_of[here], other.rules_of.get(there, ())
        if len(mine) != len(yours):
            return None
        for rule, same in zip(mine, yours, strict=True):
            found.setdefault(rule, same)
            pairs = _pairs(one, other, one.rules[rule].rhs, other.rules[same].rhs)
            if pairs is None:
                return None
            new = [pair for pair in pairs if pair not in known]
            known.update(new)
            waiting += dict.fromkeys(new)
    return found


def _pairs(
    one: Grammar, other: Grammar, mine: Sequence[int], yours: Sequence[int]
) -> list[tuple[int, int]] | None:
    """The non-terminals that must be the same if two right-hand sides are."""
    if len(mine) != len(yours):
        return None
    found = []
    for here, there in zip(mine, yours, strict=True):
        symbol, same = one.symbols[here], other.symbols[there]
        is_helper = symbol.operator is not None
        if symbol.terminal != same.terminal or is_helper != (same.operator is not None):
            return None
        if not is_helper and symbol.display != same.display:
            return None
        if not symbol.terminal:
            found.append((here, there))
    return found
