"""Which rule a parse starts with, if nobody says so.

A start rule should read the whole input, that is: end in EOF, or in a rule that does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gramspect.adapter_api import Block, Definition, Diagnostic, Element, Operator, Reference
from gramspect_antlr_python.vocabulary import EOF_NAME

__all__ = ["Start", "choose_start", "references"]

_NAMED = 4
"""A note names at most this many other rules."""


@dataclass(frozen=True, slots=True)
class Start:
    """The start rule, None if the grammar has no rules, and a note on how it was chosen."""

    name: str | None
    notes: tuple[Diagnostic, ...] = ()


def choose_start(definitions: Sequence[Definition]) -> Start:
    """Take a rule that no other calls.

    Of several the first one that ends in EOF is taken, else the first with EOF in it, else the one
    that leads to most rules. Where that is a guess a note says so.
    """
    rules = _Rules(definitions)
    whole = [name for name in rules.roots if name in rules.ending]
    holding = [name for name in rules.roots if EOF_NAME in rules.calls[name]]
    best = whole or holding or sorted(rules.roots, key=rules.unreached_from)
    if not best:
        return Start(None)
    if len(rules.roots) == 1 or len(whole) == 1:
        return Start(best[0])
    name, *others = best
    text = f"the start rule is {name}, because no other rule uses it"
    if whole or holding:
        text += " and it ends in EOF" if whole else " and it has EOF"
        same = f"the same is true of {_shown(others)}"
    else:
        text += " and it leads to most rules"
        same = f"no other rule uses {_shown(others)} either"
    more = f"; {same} (--start takes another one)" if others else " (--start takes another one)"
    return Start(name, (Diagnostic("start", text + more),))


def _shown(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")


class _Rules:
    """Which rules call which, and which read the input to its end."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self.calls = {d.name: {r.name for r in references([d])} for d in definitions}
        called = {c for name, calls in self.calls.items() for c in calls if c != name}
        self.roots = [name for name in self.calls if name not in called]
        self.ending = _ending(definitions)

    def unreached_from(self, name: str) -> int:
        """How many rules a rule does not call, directly or not."""
        seen, left = {name}, [name]
        while left:
            found = self.calls[left.pop()] & self.calls.keys()
            left += found - seen
            seen |= found
        return len(self.calls) - len(seen)


def _ending(definitions: Sequence[Definition]) -> set[str]:
    """The rules that end in EOF in whichever way they are read, and EOF itself."""
    found = {EOF_NAME}
    while True:
        new = {d.name for d in definitions if d.name not in found and _all_end(d, found)}
        if not new:
            return found
        found |= new


def _all_end(choice: Definition | Block, ending: set[str]) -> bool:
    """Whether each alternative ends in one of some symbols."""
    ends = (alternative.elements[-1:] for alternative in choice.alternatives)
    return bool(choice.alternatives) and all(last and _ends(last[0], ending) for last in ends)


def _ends(element: Element, ending: set[str]) -> bool:
    if not isinstance(element, Block):
        return element.name in ending
    return element.operator in (Operator.GROUP, Operator.PLUS) and _all_end(element, ending)


def references(definitions: Iterable[Definition]) -> Iterator[Reference]:
    """The references in some definitions, in order."""

    def within(elements: Iterable[Element]) -> Iterator[Reference]:
        for element in elements:
            if isinstance(element, Block):
                yield from within(e for a in element.alternatives for e in a.elements)
            else:
                yield element

    yield from within(e for d in definitions for a in d.alternatives for e in a.elements)
