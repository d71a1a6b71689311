"""Which tokens of a model can be next to each other in the whole language.

A model derives a part of the language, with texts for tokens. An input that is no sentence of the
model may still be one of the language, so poisoned pairs (`gramspect.generation.adjacency`) are
those of the grammar without the model: a text is next to another as its first and last token are.
A test as the model describes it need not be a sentence of that grammar, so the grammar is extended
until it is (`whole_language`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from gramspect.generation.adjacency import Adjacency
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import END, Rule, Symbol

__all__ = ["ModelAdjacency", "whole_language"]


def whole_language(original: Grammar, chains: Sequence[Sequence[int]]) -> Grammar:
    """A grammar of what another derives, and of what these sequences of its symbols derive."""
    if not chains:
        return original
    start = len(original.symbols)
    symbol = Symbol(start, "whole", terminal=False, display="whole")
    added = [
        Rule(-1, start, tuple(chain), -1, "whole", None, (None,) * len(chain))
        for chain in ((original.start,), *chains)
    ]
    wider = replace(original, symbols=(*original.symbols, symbol), rules=(), start=start)
    return wider.with_rules((*original.rules, *added))


class ModelAdjacency(Adjacency):
    """The pairs of a model's terminals that some sentence of the original grammar has.

    Args:
        grammar: the grammar of the model.
        original: the grammar without it, of the whole language.
        silent: see `Adjacency`.
        read_as: the tokens of the terminals that the model has added; one whose tokens are not
            known can be next to everything.
        prefix, suffix: the tokens before and after every test, None if they are not known.
    """

    def __init__(
        self,
        grammar: Grammar,
        original: Grammar,
        silent: Collection[int],
        read_as: Mapping[int, Sequence[int] | None],
        prefix: Sequence[int] | None,
        suffix: Sequence[int] | None,
    ) -> None:
        super().__init__(grammar, silent)
        self._original = Adjacency(original, silent)
        self._read_as = read_as
        self._prefix = prefix
        self._suffix = suffix

    @cached_property
    def after(self) -> Sequence[int]:
        """As in `Adjacency`; a test may begin and end as the model's sentences do, too."""
        everything = (1 << self.grammar.n_terminals) - 1
        found = []
        for left, bits in enumerate(super().after):
            last = self._end_of(left, self._prefix, -1)
            allowed = everything if last is None else self._rights(self._original.after[last])
            found.append(bits | allowed)
        return found

    def _rights(self, allowed: int) -> int:
        """The terminals of the model that begin with one of these of the original."""
        found = 0
        for right, begins in enumerate(self._firsts):
            if begins is None or allowed >> begins & 1:
                found |= 1 << right
        return found

    @cached_property
    def _firsts(self) -> list[int | None]:
        """The first terminal of each one in the original grammar; `END` begins with the suffix."""
        return [self._end_of(t, self._suffix, 0) for t in range(self.grammar.n_terminals)]

    def _end_of(self, terminal: int, around: Sequence[int] | None, place: int) -> int | None:
        """The first (0) or last (-1) token of a terminal, None if it is not known."""
        if terminal == END:
            tokens: Sequence[int] | None = around if around is None else around or (END,)
        else:
            tokens = self._read_as.get(terminal, (terminal,))
        return tokens[place] if tokens and min(tokens) >= 0 else None
