"""Which small edits make a rejected input pass.

Candidates are the positions that the chart has at the error and up to `EditSearch.look_back` tokens
before it. The new symbols come from the input: its next token, a call of a non-terminal that
spans the next tokens, or, where nothing shorter works, up to `EditSearch.longest` of those. Every
candidate is tried on the chart of the input, resumed at the column of the edit
(`gramspect.kernel.overlay`); the edit applies wherever its position is reached again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from time import monotonic

from gramspect.chart import Chart
from gramspect.edits.model import Edit, EditKind, edit_cost, generality
from gramspect.edits.overlay import Overlaid
from gramspect.grammar import Grammar
from gramspect.kernel.tables import as_numbers

__all__ = ["EditSearch", "Outcome", "search"]


@dataclass(frozen=True, slots=True)
class EditSearch:
    """How far to look.

    Attributes:
        look_back: tokens before the error at which an edit may apply.
        reach: the longest stretch of input, in tokens, that the new symbols may cover.
        longest: the most symbols that one edit adds.
        calls: how many non-terminals are tried for one stretch, the most specific first.
        margin: edits are tried up to so much above the cheapest one found so far.
        horizon: tokens behind the error that an edit must get the parse over to be looked at
            closer; every attempt at a long input costs as much as the input is long.
        confirmations: how many of those are run to the end of the input, the cheapest first.
    """

    look_back: int = 16
    reach: int = 24
    longest: int = 5
    calls: int = 4
    margin: float = 3.0
    horizon: int = 100
    confirmations: int = 64


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an edit achieves: `accepted`, or the index of the first token that is still not read."""

    edit: Edit
    accepted: bool
    reached: int


CATCH_ALL, MANY = 0.7, 6
"""A non-terminal that spans `MANY` stretches and this share of all is a catch-all."""

Stretch = tuple[float, tuple[int, ...]]
"""What a sequence of symbols costs, and the symbols."""


def search(
    chart: Chart,
    tokens: Sequence[int],
    options: EditSearch | None = None,
    *,
    deadline: float = inf,
) -> tuple[Outcome, ...]:
    """The edits that help, cheapest first: those that gain nothing are left out.

    `chart` is that of the rejected `tokens`. Behind `deadline` (by `time.monotonic`) the search
    ends with what it has found.
    """
    attempts = _Search(chart, tokens, options or EditSearch())
    found: list[Outcome] = []
    for outcomes in attempts.run():
        found += outcomes
        if monotonic() > deadline:
            break
    return tuple(sorted(attempts.confirmed(found, deadline), key=_order))


def _order(outcome: Outcome) -> tuple[bool, float, int, int]:
    return not outcome.accepted, outcome.edit.cost, -outcome.reached, outcome.edit.item


@dataclass
class _Search:
    chart: Chart
    tokens: Sequence[int]
    options: EditSearch
    overlaid: Overlaid = field(init=False)
    limit: int = field(init=False)

    def __post_init__(self) -> None:
        self.limit = min(len(self.tokens), self.chart.end + self.options.horizon)
        self.overlaid = self._overlaid(self.options.look_back + self.options.horizon)

    def _overlaid(self, columns: int) -> Overlaid:
        numbers = as_numbers(list(self.tokens), self.chart.space.compiled)
        return Overlaid(self.chart, numbers, columns, self.options.reach)

    @property
    def grammar(self) -> Grammar:
        return self.chart.grammar

    @cached_property
    def _generality(self) -> tuple[float, ...]:
        return generality(self.grammar)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        """For every item the tokens that can follow its dot; all if the rule can end there."""
        grammar, first_of = self.grammar, self.grammar.analysis.first_of
        found = []
        for rule in grammar.rules:
            for dot in range(len(rule.rhs) + 1):
                tokens, nullable = first_of(rule.rhs[dot:])
                found.append(-1 if nullable else sum(1 << t for t in tokens))
        return tuple(found)

    def run(self) -> Iterator[Sequence[Outcome]]:
        """Single symbols first, then longer stretches where no single one did and it can matter.

        One step for each column, from the error backwards.
        """
        error = self.chart.end
        columns = range(error, max(-1, error - self.options.look_back - 1), -1)
        unsolved: dict[int, list[int]] = {}
        best = inf
        for column in columns:
            positions = sorted(self._positions(column))
            limit = best + self.options.margin
            found = list(self._try(positions, column, self._single(column), limit))
            accepted = [outcome.edit for outcome in found if outcome.accepted]
            best = min([best, *(edit.cost for edit in accepted)])
            solved = {edit.item for edit in accepted}
            unsolved[column] = [item for item in positions if item not in solved]
            yield found
        for column in columns:
            limit = best + self.options.margin
            yield list(self._try(unsolved[column], column, self._several(column), limit))

    def _positions(self, column: int) -> set[int]:
        """The items of a column: entries, and rules that could start there."""
        grammar = self.grammar
        found = {item for item, _ in self.chart.column(column)}
        for nonterminal in self.chart.predicted(column):
            found.update(grammar.item_start[rule] for rule in grammar.rules_of[nonterminal])
        return found

    def _try(
        self,
        positions: Sequence[int],
        column: int,
        stretches: Sequence[tuple[int, Stretch]],
        limit: float,
    ) -> Iterator[Outcome]:
        """Try every stretch at every position, up to a cost and if the token behind it fits."""
        edits, jobs = [], []
        before = self.chart.end - column
        for item in positions:
            for end, (cost, symbols) in stretches:
                for kind in self._kinds(item, end, symbols):
                    paid = edit_cost(kind, cost, before)
                    if paid <= limit:
                        edits.append(Edit(item, kind, symbols, column, paid))
                        jobs.append((item, kind, symbols))
        results = self.overlaid.attempt(column, self.limit, jobs)
        for edit, reached in zip(edits, results, strict=True):
            if reached > self.chart.end:
                yield Outcome(edit, self._passes(reached), min(reached, self.limit))

    def _passes(self, reached: int) -> bool:
        """Whether an attempt got to the end, or over the horizon where that is nearer."""
        return reached > self.limit or (reached == self.limit < len(self.tokens))

    def confirmed(self, found: Sequence[Outcome], deadline: float) -> Iterator[Outcome]:
        """Run what got over the horizon to the end of the input: of each item the cheapest edit."""
        n = len(self.tokens)
        left = self.options.confirmations
        whole = self._overlaid(n) if self.limit < n and any(o.accepted for o in found) else None
        solved: set[int] = set()
        for outcome in sorted(found, key=_order):
            edit = outcome.edit
            if not outcome.accepted or whole is None:
                yield outcome
            elif left and edit.item not in solved and monotonic() <= deadline:
                left -= 1
                job = (edit.item, edit.kind, edit.symbols)
                (reached,) = whole.attempt(edit.column, n, [job])
                if reached > n:
                    solved.add(edit.item)
                yield Outcome(edit, reached > n, min(reached, n))

    def _kinds(self, item: int, end: int, symbols: tuple[int, ...]) -> Iterator[EditKind]:
        """The kinds of edit that the token behind the stretch does not rule out at once."""
        rule, dot = self.grammar.split_item(item)
        at_end = dot == len(self.grammar.rules[rule].rhs)
        token = self.tokens[end] if end < len(self.tokens) else 0
        if symbols and self._fits(item, token):
            yield EditKind.INSERT
        if not at_end:
            if self._fits(item + 1, token):
                yield EditKind.REPLACE
            if dot + 1 < len(self.grammar.rules[rule].rhs) and (dot or self._is_first(rule)):
                yield EditKind.END

    def _is_first(self, rule: int) -> bool:
        """A new alternative is the same edit at every rule of a non-terminal: one is enough."""
        return self.grammar.rules_of[self.grammar.rules[rule].lhs][0] == rule

    def _fits(self, item: int, token: int) -> bool:
        return token >= 0 and bool(self._starts[item] >> token & 1)

    # --- the new symbols -----------------------------------------------------------------

    def _single(self, column: int) -> list[tuple[int, Stretch]]:
        """Nothing, the next token, and calls that span the next tokens: (end, stretch)."""
        found: list[tuple[int, Stretch]] = [(column, (0.0, ()))]
        found += ((end, stretch) for end, stretches in self._steps(column) for stretch in stretches)
        return found

    def _steps(self, column: int) -> list[tuple[int, list[Stretch]]]:
        """For every end the single symbols that span the tokens up to it, cheapest first."""
        if column >= len(self.tokens) or self.tokens[column] < 0:
            return []
        known = self._known_steps
        if column not in known:
            spans = self._calls(column)
            found = []
            for end in sorted({column + 1, *spans}):
                calls = [(1 + self._generality[symbol], (symbol,)) for symbol in spans.get(end, ())]
                best = sorted(calls)[: self.options.calls]
                token: list[Stretch] = [(1.0, (self.tokens[column],))] if end == column + 1 else []
                if token or best:
                    found.append((end, [*token, *best]))
            known[column] = found
        return known[column]

    def _calls(self, column: int) -> dict[int, list[int]]:
        """The non-terminals that span the tokens from a column to each end, without catch-alls.

        A non-terminal that spans nearly everything says nothing about what is missing.
        """
        spans = self.overlaid.spans(column)
        lengths = Counter(symbol for symbols in spans.values() for symbol in symbols)
        most = CATCH_ALL * min(self.options.reach, len(self.tokens) - column)
        return {
            end: [s for s in symbols if lengths[s] < MANY or lengths[s] <= most]
            for end, symbols in spans.items()
        }

    @cached_property
    def _known_steps(self) -> dict[int, list[tuple[int, list[Stretch]]]]:
        return {}

    def _several(self, column: int) -> list[tuple[int, Stretch]]:
        """The cheapest stretch of two or more symbols for every end."""
        limit = column + self.options.reach
        best: dict[int, Stretch] = {column: (0.0, ())}
        layer = dict(best)
        found: dict[int, Stretch] = {}
        for n_symbols in range(1, self.options.longest + 1):
            following: dict[int, Stretch] = {}
            for middle, (cost, symbols) in layer.items():
                for end, steps in self._steps(middle):
                    candidate = (cost + steps[0][0], symbols + steps[0][1])
                    if end <= limit and (end not in following or candidate < following[end]):
                        following[end] = candidate
            layer = following
            if n_symbols > 1:
                for end, stretch in layer.items():
                    if end not in found or stretch < found[end]:
                        found[end] = stretch
        return sorted(found.items())
