"""The general chart as a judge of many token sequences, compiled if possible."""

from __future__ import annotations

from collections.abc import Sequence

from gramspect.grammars.grammar import Grammar
from gramspect.kernel import is_compiled
from gramspect.kernel.earley import FULL
from gramspect.kernel.tables import N_ENTRIES, as_numbers, zeros
from gramspect.kernel.workspace import ChartSpace


class Judge:
    """Says how far a sequence is viable, and whether it is a sentence; its memory is used again."""

    def __init__(self, grammar: Grammar, longest: int = 200) -> None:
        self._space = ChartSpace(grammar, longest, compiled=is_compiled())
        self._kernel = self._space.kernel("earley")

    def __call__(self, tokens: Sequence[int]) -> tuple[int, bool]:
        """The length of the longest viable prefix, and whether the language has the sequence."""
        space, n = self._space, len(tokens)
        assert n <= space.n_tokens
        while True:
            m, t, c = space.memory, space.tables, space.chart
            rows = (n + 2) * t.n_nonterminals
            blank = zeros(rows, space.compiled)
            m[c.predicted : c.predicted + rows] = blank
            self._kernel.begin(m, c)
            end = int(
                self._kernel.recognize(m, t, c, as_numbers(list(tokens), space.compiled), -1, n)
            )
            if end > FULL:
                break
            space.grow()
        accepting = t.n_items + 1
        last = range(int(m[c.column_start + end]), int(m[c.counts + N_ENTRIES]))
        return end, end == n and any(m[c.item + e] == accepting for e in last)
