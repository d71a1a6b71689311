"""Attempts at edits, on top of the chart of an input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gramspect.chart import Chart
from gramspect.edits.model import EditKind
from gramspect.kernel import load
from gramspect.kernel.overlay import END_OF_RULE, MAX_DETOUR, overlay_room
from gramspect.kernel.tables import Memory, Numbers, as_numbers

__all__ = ["Overlaid"]

Job = tuple[int, EditKind, tuple[int, ...]]
"""An item, what the new symbols do there, and the symbols."""

_ROW = 4 + MAX_DETOUR
"""A job for the kernel: item, length and target of the detour, and its symbols."""


class Overlaid:
    """The chart of a rejected input with room for attempts."""

    def __init__(self, chart: Chart, tokens: Sequence[int], reach: int) -> None:
        self.chart = chart
        self.grammar = chart.grammar
        self.tokens: Numbers = as_numbers(list(tokens), chart.space.compiled)
        self.n = len(tokens)
        self.reach = reach
        self.entries = 4096
        self.kernel: Any = load("overlay", chart.space.compiled)
        self._make()

    def _make(self) -> None:
        """A memory with the base chart in front and the overlay behind it."""
        space = self.chart.space
        memory = Memory()
        start = memory.room(len(space.memory))
        self.overlay = overlay_room(memory, space.tables, self.n + 2, self.entries, self.reach)
        self.memory: Any = memory.make(space.compiled)
        self.memory[start : len(space.memory)] = space.memory

    def _parts(self) -> tuple[Any, ...]:
        space = self.chart.space
        return self.memory, space.tables, space.chart, self.overlay, self.tokens

    def spans(self, column: int) -> dict[int, list[int]]:
        """The non-terminals that span the tokens from `column` to each end, by end."""
        while self.kernel.find_spans(*self._parts(), column, self.n) < 0:
            self._grow()
        width, first = self.grammar.n_nonterminals, self.grammar.n_terminals
        found: dict[int, list[int]] = {}
        start = self.overlay.spans
        flags = self.memory[start : start + self.reach * width]
        for index, flag in enumerate(flags):
            if flag:
                found.setdefault(column + 1 + index // width, []).append(first + index % width)
        return found

    def attempt(self, column: int, n: int, jobs: Sequence[Job]) -> list[int]:
        """How far each edit, from `column` on, gets the first n tokens.

        The index of the first token that is not read, n if all are, n + 1 if they are a sentence.
        """
        rows = as_numbers([cell for job in jobs for cell in self._row(job)], self._compiled)
        reached = as_numbers([0] * len(jobs), self._compiled)
        done = 0
        while done < len(jobs):
            done = self.kernel.attempts(
                *self._parts(), column, n, rows, _ROW, done, len(jobs), reached
            )
            if done < len(jobs):
                self._grow()
        return [int(column) for column in reached]

    @property
    def _compiled(self) -> bool:
        return self.chart.space.compiled

    def _row(self, job: Job) -> list[int]:
        """An edit as a detour: what it reads, and where it comes back to the rule."""
        item, kind, symbols = job
        rule, dot = self.grammar.split_item(item)
        rhs = self.grammar.rules[rule].rhs
        detour, target = [*symbols], END_OF_RULE
        if dot < len(rhs) and kind is not EditKind.END:
            detour += [rhs[dot]] if kind is EditKind.INSERT else []
            target = item + 1
        return [item, len(detour), target, *detour, *[-1] * (MAX_DETOUR + 1 - len(detour))]

    def _grow(self) -> None:
        self.entries *= 2
        self._make()
