"""What edits do to the verdict on a whole input.

The chart of the input is made once. An edit changes nothing before the first column that holds its
position, so its attempt begins there.
"""

from __future__ import annotations

from collections.abc import Sequence

from gramspect.edits.attempts import Overlaid
from gramspect.edits.model import Edit, applied
from gramspect.kernel.tables import N_ENTRIES, Numbers, as_numbers
from gramspect.recognition.chart import Chart, ChartTooLarge, parse_chart

__all__ = ["UNKNOWN", "Trial"]

UNKNOWN = -1
"""The edit makes the input so ambiguous that its verdict is not computed."""
MOST_ENTRIES = 2_000_000
"""The largest chart of an edited grammar that is made for an edit."""


class Trial:
    """An input on which edits are tried, with its chart."""

    def __init__(self, chart: Chart, tokens: Sequence[int]) -> None:
        self.chart = chart
        self.tokens = tokens
        self._overlaid: Overlaid | None = None

    def first_column(self, item: int) -> int | None:
        """The first column in which an item stands; None if it stands in none."""
        grammar, space, end = self.chart.grammar, self.chart.space, self.chart.end
        memory, chart = space.memory, space.chart
        rule, dot = grammar.split_item(item)
        if dot:
            items = memory[chart.item : chart.item + memory[chart.counts + N_ENTRIES]]
            entry = _index(items, item)
            return None if entry is None else memory[chart.column + entry]
        width = space.tables.n_nonterminals
        lhs = grammar.rules[rule].lhs - grammar.n_terminals
        return _index(
            memory[chart.predicted + lhs : chart.predicted + (end + 1) * width : width], 1
        )

    def reached(self, edits: Sequence[Edit]) -> list[int]:
        """How far the input is read with each edit made.

        The index of the first token that is not read, n if all n are, n + 1 if they are accepted;
        `UNKNOWN` for an edit that makes the grammar too ambiguous for this input.
        """
        n = len(self.tokens)
        unchanged = n + 1 if self.chart.accepted else self.chart.end
        found = [unchanged] * len(edits)
        by_column: dict[int, list[int]] = {}
        for place, edit in enumerate(edits):
            column = self.first_column(edit.item)
            if column is not None:
                begin = column - 1 if edit.kind.restrictive else column
                by_column.setdefault(begin, []).append(place)
        for column, places in by_column.items():
            jobs = [(edits[i].item, edits[i].kind, edits[i].symbols) for i in places]
            for place, end in zip(places, self._overlay().attempt(column, n, jobs), strict=True):
                reached = end if end >= 0 else self._anew(edits[place])
                extends = reached != UNKNOWN and not edits[place].kind.restrictive
                found[place] = max(reached, unchanged) if extends else reached
        return found

    def accepts(self, edits: Sequence[Edit]) -> list[bool]:
        """Whether the input is accepted with each edit made."""
        return [reached > len(self.tokens) for reached in self.reached(edits)]

    def _overlay(self) -> Overlaid:
        if self._overlaid is None:
            n, compiled = len(self.tokens), self.chart.space.compiled
            self._overlaid = Overlaid(self.chart, as_numbers(self.tokens, compiled), n)
        return self._overlaid

    def _anew(self, edit: Edit) -> int:
        """The same by a chart of the edited grammar, for edits that make it wildly ambiguous."""
        edited, compiled = applied(self.chart.grammar, edit), self.chart.space.compiled
        try:
            chart = parse_chart(edited, self.tokens, compiled, MOST_ENTRIES)
        except ChartTooLarge:
            return UNKNOWN
        return len(self.tokens) + 1 if chart.accepted else chart.end


def _index(values: Numbers, wanted: int) -> int | None:
    """Where a value first stands."""
    return values.index(wanted) if wanted in values else None
