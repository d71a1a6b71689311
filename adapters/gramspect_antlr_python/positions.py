"""Where the user finds a rule: in the .g4 file beside the parser, else in the generated code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gramspect.adapter_api import Alternative, Block, Definition, Reference, Span
from gramspect_antlr_python.automaton import Leaf, WrittenRule

__all__ = ["GeneratedFile", "as_written", "grammar_beside"]

_METHOD = re.compile(r" {4}def (\w+)\(self")
_STATE = re.compile(r"\s*self\.state = (\d+)\s*$")


@dataclass(frozen=True)
class GeneratedFile:
    """The spans of rules and states in a generated parser."""

    rules: Mapping[str, Span] = field(default_factory=dict)
    states: Mapping[int, Span] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path) -> GeneratedFile:
        """The methods of the rules, and the line of each state: the one after it is set."""
        rules: dict[str, Span] = {}
        states: dict[int, Span] = {}
        try:
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return cls()
        for number, line in enumerate(lines, start=1):
            if method := _METHOD.match(line):
                span = Span(str(file), number, method.start(1) + 1, number, method.end(1) + 1)
                rules.setdefault(method[1], span)
            elif (state := _STATE.match(line)) and number < len(lines):
                act = lines[number]
                column = len(act) - len(act.lstrip()) + 1
                span = Span(str(file), number + 1, column, number + 1, len(act.rstrip()) + 1)
                states.setdefault(int(state[1]), span)
        return cls(rules, states)


def grammar_beside(file: Path, name: str) -> Path | None:
    """The grammar file that a parser was made from, if it is in its folder or the one above."""
    places = (folder / Path(name).name for folder in (file.parent, file.parent.parent))
    return next((place for place in places if place.is_file()), None)


def as_written(rule: WrittenRule, text: Definition | None) -> WrittenRule:
    """The rule as the user's text has it, if that is what the parser was made from.

    Both must have the same elements; the text adds positions, parentheses, and the order of tokens
    that the tool has merged into a set.
    """
    if text is None:
        return rule
    made = list(_places(rule.definition))
    pairs = [(made[i].name, rule.leaves[i]) for i in _automaton_order(rule.definition)]
    written = list(_places(text))
    order = _automaton_order(text)
    placed: list[Leaf | None] = [None] * len(order)
    for merged in _merged(pairs):
        size = written[order[0]].together if order and len(merged) > 1 else 1
        here, order = order[:size], order[size:]
        leaves = dict(merged)
        if {written[i].name for i in here} != leaves.keys():
            return rule
        for index in here:  # a token that is there twice is read at its first place
            placed[index] = leaves.pop(written[index].name, None)
    return rule if order else WrittenRule(text, tuple(placed))


def _merged(leaves: Sequence[tuple[str, Leaf | None]]) -> Iterator[list[tuple[str, Leaf | None]]]:
    """Names and leaves, those together that share a state."""
    run: list[tuple[str, Leaf | None]] = []
    for name, leaf in leaves:
        previous = run[-1][1] if run else None
        if run and (leaf is None or previous is None or leaf.state != previous.state):
            yield run
            run = []
        run.append((name, leaf))
    if run:
        yield run


@dataclass(frozen=True, slots=True)
class _Place:
    """A reference. `together` is the size of its block if all alternatives are single tokens."""

    name: str
    together: int = 1


def _automaton_order(definition: Definition) -> list[int]:
    """The references in the order of the automaton, where left-recursive alternatives come last."""
    primary: list[int] = []
    operators: list[int] = []
    first = 0
    for alternative in definition.alternatives:
        size = len(list(_places_in([alternative])))
        start = alternative.elements[0] if alternative.elements else None
        recursive = isinstance(start, Reference) and start.name == definition.name
        (operators if recursive else primary).extend(range(first, first + size))
        first += size
    return primary + operators


def _places(definition: Definition) -> Iterator[_Place]:
    return _places_in(definition.alternatives)


def _places_in(alternatives: Sequence[Alternative]) -> Iterator[_Place]:
    singles = [a.elements[0] for a in alternatives if len(a.elements) == 1]
    if len(singles) == len(alternatives) and all(isinstance(e, Reference) for e in singles):
        yield from (_Place(e.name, len(singles)) for e in singles if isinstance(e, Reference))
        return
    for element in (element for alternative in alternatives for element in alternative.elements):
        if isinstance(element, Block):
            yield from _places_in(element.alternatives)
        else:
            yield _Place(element.name)
