"""What a running scanner tells of rules whose actions cannot be read."""

from __future__ import annotations

from collections import deque

from gramspect.adapter_api import Automaton, CharSet

__all__ = ["shortest_text"]

_LIKED = "a0Ax_ "
_LONGEST = 20


def shortest_text(automaton: Automaton) -> str | None:
    """One of the shortest texts that a rule reads; None if they are all long, or empty."""
    waiting = deque([(automaton.start, "")])
    seen = {automaton.start}
    while waiting:
        state, text = waiting.popleft()
        closure = automaton.closures[state]
        if text and closure >> automaton.final & 1:
            return text
        for edge in automaton.edges if len(text) < _LONGEST else ():
            if closure >> edge.source & 1 and edge.target not in seen and edge.characters.ranges:
                seen.add(edge.target)
                waiting.append((edge.target, text + _member(edge.characters)))
    return None


def _member(characters: CharSet) -> str:
    liked = (one for one in _LIKED if one in characters)
    printable = (chr(code) for code in range(33, 127) if chr(code) in characters)
    return next(liked, None) or next(printable, chr(characters.ranges[0][0]))
