"""Automata run in the plainest way."""

from __future__ import annotations

from gramspect.lexical.automaton import Automaton


def reads(automaton: Automaton, text: str) -> bool:
    """Whether an automaton reads a text: all states that it can be in, one character at a time."""
    states = {automaton.start}
    for character in [*text, ""]:
        pending = list(states)
        while pending:
            for target in automaton.skips[pending.pop()]:
                if target not in states:
                    states.add(target)
                    pending.append(target)
        if character:
            states = {
                edge.target
                for edge in automaton.edges
                if edge.source in states and character in edge.characters
            }
    return automaton.final in states
