"""Which rule a parse starts with.

A start rule should read the whole input, that is: end in EOF. One that does not, such as
``chunk : block ;`` beside ``start : chunk EOF ;``, is right for a part of an input.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gramspect.adapter_api import Block, Definition, Diagnostic, Element, Operator, Reference
from gramspect_antlr.outline import END_OF_FILE

__all__ = ["Start", "choose_start", "references"]

_NAMED = 4
"""A note names at most this many other rules."""


@dataclass(frozen=True, slots=True)
class Start:
    """The start rule, None if the grammar has no rules, and a note on how it was chosen."""

    name: str | None
    notes: tuple[Diagnostic, ...] = ()


def choose_start(
    definitions: Sequence[Definition], asked: str | None = None, described: str | None = None
) -> Start:
    """Take the rule that the user names, else the described one, else the first of the best.

    The best are rules that no other uses: those that end in EOF, themselves or in a rule that they
    call; then those that have it, those that a call takes to it, and those that lead to most rules.
    A described rule that does not get to EOF gives way to one that calls it and does; one that does
    not exist gives way to the first of the best.
    """
    rules = _Rules(definitions)
    if asked is not None:
        return Start(asked, rules.about_end(asked))
    if described is None:
        return rules.first_of_the_best("")
    if described not in rules.calls:
        return rules.first_of_the_best(f"the description names {described}, which has no rule; ")
    whole = [name for name in rules.whole_above(described) if name in rules.roots]
    if not rules.reaches_end(described) and whole:
        text = (
            f"the start rule is {whole[0]}, which calls {described} and ends in EOF; the"
            f" description names {described}, which does not (--start {described} takes it)"
        )
        return Start(whole[0], (Diagnostic("start", text),))
    return Start(described, rules.about_end(described))


class _Rules:
    """Which rules call which, and which read the end of the input."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self.calls = {d.name: {r.name for r in references([d])} for d in definitions}
        called = {c for name, calls in self.calls.items() for c in calls if c != name}
        self.roots = [name for name in self.calls if name not in called]
        self.ending = _ending(definitions)

    def reaches_end(self, name: str) -> bool:
        """Whether a rule, or one that it calls directly or not, reads EOF."""
        return END_OF_FILE in self.reached_from(name)

    def reached_from(self, name: str) -> set[str]:
        """The symbols that a rule calls, directly or not, and itself."""
        seen, left = {name}, [name]
        while left:
            found = self.calls.get(left.pop(), set())
            left += found - seen
            seen |= found
        return seen

    def unreached_from(self, name: str) -> int:
        """How many rules a rule does not call, directly or not."""
        return len(self.calls.keys() - self.reached_from(name))

    def whole_above(self, name: str) -> list[str]:
        """The rules that call a rule and read EOF after it or elsewhere."""
        return [n for n, calls in self.calls.items() if {name, END_OF_FILE} <= calls and n != name]

    def about_end(self, name: str) -> tuple[Diagnostic, ...]:
        """A note on a start rule that does not read EOF, if another rule does."""
        if name not in self.calls or self.reaches_end(name):
            return ()
        above = self.whole_above(name)
        instead = f"; {above[0]} calls it and does (--start {above[0]})" if above else ""
        text = (
            f"the start rule {name} does not end in EOF: a test is accepted if the rule reads all"
            f" of it{instead}"
        )
        return (Diagnostic("start", text),) if above else ()

    def first_of_the_best(self, why: str) -> Start:
        ending = [name for name in self.roots if name in self.ending]
        ways = (
            (ending, "it ends in EOF"),
            ([name for name in self.roots if END_OF_FILE in self.calls[name]], "it has EOF"),
            (
                [name for name in self.roots if self.reaches_end(name)],
                "a rule that it calls has EOF",
            ),
            (
                sorted(self.roots, key=self.unreached_from),
                "it leads to most rules",
            ),
        )
        best, because = next((way for way in ways if way[0]), ([], ""))
        if not best:
            return Start(None)
        name, *others = best
        if not why and (len(self.roots) == 1 or len(ending) == 1):
            return Start(name, self.about_end(name))
        text = f"{why}the start rule is {name}, because no other rule uses it and {because}"
        if others:
            shown = ", ".join(others[:_NAMED]) + (", ..." if len(others) > _NAMED else "")
            is_last = best is ways[-1][0]
            same = (
                f"no other rule uses {shown} either" if is_last else f"the same is true of {shown}"
            )
            text += f"; {same}"
        return Start(name, (Diagnostic("start", f"{text} (--start takes another one)"),))


def _ending(definitions: Sequence[Definition]) -> set[str]:
    """The rules that end in EOF in whichever way they are read, and EOF itself."""
    found = {END_OF_FILE}
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


def references(definitions: Sequence[Definition]) -> Iterator[Reference]:
    """The symbols as they are written; the members of ``~(...)`` and ``.`` are not."""

    def within(elements: Sequence[Element]) -> Iterator[Reference]:
        for element in elements:
            if not isinstance(element, Block):
                yield element
            elif element.operator is not Operator.SET:
                for alternative in element.alternatives:
                    yield from within(alternative.elements)

    for definition in definitions:
        for alternative in definition.alternatives:
            yield from within(alternative.elements)
