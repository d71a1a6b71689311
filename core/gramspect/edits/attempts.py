"""Attempts at edits, on top of the chart of an input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gramspect.edits.model import EditKind, replaced_in
from gramspect.effort import spend
from gramspect.kernel import load
from gramspect.kernel.overlay import (
    AFTER_TOKENS,
    EFFORT,
    END_OF_RULE,
    MAX_DETOUR,
    NOWHERE,
    WORK,
    overlay_room,
)
from gramspect.kernel.tables import Memory, Numbers, as_numbers, zeros
from gramspect.recognition.chart import Chart

__all__ = ["ROW", "Overlaid"]

Job = tuple[int, EditKind, tuple[int, ...]]
"""An item, what the new symbols do there, and the symbols."""

ROW = 5 + MAX_DETOUR
"""A job for the kernel: item, length and target of the detour, if it must be taken, its symbols."""


ENTRIES_PER_COLUMN = 64
"""The entries for each column of an attempt, on average."""


STEPS_PER_ATTEMPT = 20
"""The steps of an attempt in addition to those for its entries."""


class Overlaid:
    """The chart of an input with room for attempts of so many columns."""

    def __init__(self, chart: Chart, tokens: Numbers, columns: int, reach: int = 1) -> None:
        self.chart = chart
        self.grammar = chart.grammar
        self.tokens = tokens
        self.n = len(tokens)
        self.reach = reach
        self.kernel: Any = load("resuming", chart.space.compiled)
        space = chart.space
        memory = Memory()
        start = memory.room(len(space.memory))
        entries = 4096 + ENTRIES_PER_COLUMN * columns
        self.overlay = overlay_room(memory, space.tables, self.n + 2, entries, reach)
        self.memory = memory.make(space.compiled)
        self.memory[start : len(space.memory)] = space.memory

    def _parts(self) -> tuple[Any, ...]:
        space = self.chart.space
        return self.memory, space.tables, space.chart, self.overlay, self.tokens

    def spans(self, column: int) -> dict[int, list[int]]:
        """The non-terminals that span the tokens from `column` to each end, by end."""
        self.kernel.find_spans(*self._parts(), column, self.n)
        self._count()
        width, first = self.grammar.n_nonterminals, self.grammar.n_terminals
        found: dict[int, list[int]] = {}
        start = self.overlay.spans
        flags = self.memory[start : start + self.reach * width]
        for index, flag in enumerate(flags):
            if flag:
                found.setdefault(column + 1 + index // width, []).append(first + index % width)
        return found

    def attempt(self, column: int, n: int, jobs: Sequence[Job]) -> list[int]:
        """How far each edit, from `column` on (-1: from the start), gets the first n tokens.

        The index of the first token that is not read, n if all are, n + 1 if they are a sentence;
        -1 for an edit that was given up because it makes the grammar wildly ambiguous.
        """
        return self.attempt_rows(column, n, [cell for job in jobs for cell in self._row(job)])

    def attempt_rows(self, column: int, n: int, rows: list[int]) -> list[int]:
        """The same for edits as the kernel wants them, `ROW` numbers each."""
        compiled = self.chart.space.compiled
        n_jobs = len(rows) // ROW
        jobs, reached = as_numbers(rows, compiled), zeros(n_jobs, compiled)
        self.kernel.attempts(*self._parts(), column, n, jobs, n_jobs, ROW, reached)
        self._count(n_jobs)
        return list(reached)

    def _count(self, attempts: int = 1) -> None:
        """Count the kernel's work since the last call."""
        counts = self.overlay.counts
        added = self.memory[counts + WORK] + self.memory[counts + EFFORT]
        spend(attempts * STEPS_PER_ATTEMPT + added)
        self.memory[counts + WORK] = self.memory[counts + EFFORT] = 0

    def _row(self, job: Job) -> list[int]:
        """An edit as a detour: what it reads, and where it comes back to the rule."""
        item, kind, symbols = job
        rule, dot = self.grammar.split_item(item)
        rhs = self.grammar.rules[rule].rhs
        detour, target = [*symbols], END_OF_RULE
        if kind is EditKind.DROP:
            target = NOWHERE
        elif kind is EditKind.SWAP:
            detour, target = [rhs[dot + 1], rhs[dot]], item + 2
        elif kind is EditKind.END and (left_out := replaced_in(rhs[dot:], symbols))[0]:
            detour, target = [*symbols[: left_out[1]]], item + left_out[0]
        elif dot < len(rhs) and kind is not EditKind.END:
            detour += [rhs[dot]] if kind.keeps_next else []
            target = item + 1
        padding = [-1] * (MAX_DETOUR + 1 - len(detour))
        closed = AFTER_TOKENS if kind is EditKind.SEPARATE else int(kind.restrictive)
        return [item, len(detour), target, closed, *detour, *padding]
