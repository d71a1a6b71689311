"""The automata of definitions as they are written.

An edge carries the way from the definition down to the part that reads there (`Edge.path`): so a
change of the edge can be written into the user's text.
"""

from __future__ import annotations

from collections.abc import Callable

from gramspect.lexical.automaton import Automaton, Chain
from gramspect.lexical.parts import Call, Choice, Leaf, Part, Pattern, Repeat, Row
from gramspect.lexical.regular import MOST_COPIES

__all__ = ["automaton_of"]

_DEEPEST = 3
"""How many calls of one definition may be open at a time."""


class _Unknown(Exception):
    """A definition that calls an unknown one."""


def automaton_of(name: str, pattern_of: Callable[[str], Pattern | None]) -> Automaton | None:
    """The automaton of a definition with those that it calls; None if one of them is not known."""
    automaton = Automaton()
    writer = _Writer(automaton, pattern_of)
    try:
        automaton.final = writer.called(name, automaton.start, (), ())
    except _Unknown:
        return None
    return automaton


class _Writer:
    """Adds parts to an automaton: each from a state on, to the state that it gives back."""

    def __init__(self, automaton: Automaton, pattern_of: Callable[[str], Pattern | None]) -> None:
        self._automaton = automaton
        self._pattern_of = pattern_of

    def called(self, name: str, state: int, chain: Chain, path: tuple[Part, ...]) -> int:
        pattern = self._pattern_of(name)
        if pattern is None or chain.count(name) >= _DEEPEST:
            raise _Unknown(name)
        return self._part(pattern.body, state, (*chain, name), path)

    def _part(self, part: Part, state: int, chain: Chain, path: tuple[Part, ...]) -> int:
        path = (*path, part)
        match part:
            case Leaf():
                target = self._automaton.state()
                self._automaton.read(state, target, part.characters, chain, path)
                return target
            case Call():
                return self.called(part.name, state, chain, path)
            case Row():
                for one in part.parts:
                    state = self._part(one, state, chain, path)
                return state
            case Choice():
                target = self._automaton.state()
                for one in part.rows:
                    end = self._part(one, self._after(state), chain, path)
                    self._automaton.skip(end, target)
                return target
            case Repeat():
                return self._repeat(part, state, chain, path)
        self._automaton.exact = False
        return state

    def _repeat(self, part: Repeat, state: int, chain: Chain, path: tuple[Part, ...]) -> int:
        self._automaton.exact &= not part.lazy
        for _ in range(min(part.least, MOST_COPIES)):
            state = self._part(part.body, state, chain, path)
        target = self._after(state)
        if part.most is None or part.most - part.least > MOST_COPIES:
            self._automaton.skip(self._part(part.body, target, chain, path), target)
            return target
        for _ in range(part.most - part.least):
            state = self._part(part.body, state, chain, path)
            self._automaton.skip(state, target)
        return target

    def _after(self, state: int) -> int:
        """A new state that is reached from another without reading."""
        target = self._automaton.state()
        self._automaton.skip(state, target)
        return target
