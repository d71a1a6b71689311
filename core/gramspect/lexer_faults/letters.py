"""Words that a rule would read if their letters were of the other case: names with capitals."""

from __future__ import annotations

import re
from functools import lru_cache

from gramspect.lexical.automaton import Automaton, Edge
from gramspect.lexical.nearness import End, alignment

__all__ = ["WORD", "lacking"]

WORD = re.compile(r"[^\W\d][\w$-]*")
"""What looks like one word."""
_WITH_DIGITS, _PLAIN = re.compile(r"\w[\w$-]*"), re.compile(r"\w+")


def lacking(automaton: Automaton, text: str, start: int, window: int) -> tuple[int, list[Edge]]:
    """Where the word at a place ends, and the edges that lack a letter of it only in its own case.

    Nothing is lacking if the rule reads the word as it is, or does not read it in any case.
    """
    for pattern in (_WITH_DIGITS, _PLAIN):
        word = pattern.match(text, start)
        if word is not None and word[0] != word[0].swapcase():
            end, edges = _lacking(automaton, text, start, word.end(), window)
            if edges:
                return end, edges
    return start, []


def _lacking(
    automaton: Automaton, text: str, start: int, stop: int, window: int
) -> tuple[int, list[Edge]]:
    end = End(stop, 0)
    if any(one.place >= end.place for one in alignment(automaton, text, start, 0, window).ends()):
        return start, []
    aligned = alignment(_folded(automaton), text, start, 0, window)
    if end not in aligned.ends():
        return start, []
    own = {(edge.source, edge.target): edge for edge in automaton.edges}
    read = [
        (own[step.edge.source, step.edge.target], text[step.place])
        for step in aligned.steps(end)
        if step.edge is not None
    ]
    return end.place, [edge for edge, letter in read if letter not in edge.characters]


@lru_cache(maxsize=512)
def _folded(automaton: Automaton) -> Automaton:
    """The automaton that reads letters in either case."""
    found = Automaton()
    found.edges = [e._replace(characters=e.characters.folded()) for e in automaton.edges]
    found.skips = automaton.skips
    found.start, found.final, found.exact = automaton.start, automaton.final, automaton.exact
    return found
