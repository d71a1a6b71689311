"""Texts that the rules of a specification read."""

from __future__ import annotations

from collections.abc import Iterator

from gramspect.adapter_api import Automaton, CharSet, Network, preferred

__all__ = ["texts_of"]


def texts_of(automaton: Automaton, *, wide: bool = False) -> Iterator[str]:
    """The texts of a rule, the shortest first, perhaps without end.

    Of sets only the most readable characters are taken, or with `wide` all of ASCII.
    """
    network = Network()
    for _ in range(automaton.n_states):
        network.state()
    for source, targets in enumerate(automaton.skips):
        for target in targets:
            network.skip(source, target)
    for edge in automaton.edges:
        network.read(edge.source, edge.target, _readable(edge.characters, wide))
    network.finals.add(automaton.final)
    return filter(None, network.texts(automaton.start))


def _readable(characters: CharSet, wide: bool) -> str:
    found = preferred(lambda character: character in characters, wide)
    return found or "".join(chr(first) for first, _ in characters.ranges[:1])
