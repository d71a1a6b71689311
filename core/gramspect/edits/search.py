"""Which small edits make a rejected input pass.

Candidates are the positions that the chart has at the error and up to `EditSearch.look_back` tokens
before it. The new symbols come from the input: its next token, a call of a non-terminal that
spans the next tokens, or up to `EditSearch.longest` of those; or they are a more general call in
the place of one that began before the error (`gramspect.edits.widening`). They are tried in the
order of their cost, on the chart of the input, resumed at the column of the edit
(`gramspect.kernel.resuming`); the edit applies wherever its position is reached again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf

import numpy as np

from gramspect.edits.attempts import ROW, Overlaid
from gramspect.edits.brackets import closing_of
from gramspect.edits.candidates import Candidates, Stretch, following, item_table
from gramspect.edits.model import (
    EARLIER_COLUMN,
    NEW_TOKEN,
    REPLACEMENT,
    UNLEXED,
    Edit,
    worth_of,
)
from gramspect.edits.trial import UNKNOWN, Trial
from gramspect.edits.widening import widenings
from gramspect.effort import now
from gramspect.grammars.grammar import Grammar
from gramspect.kernel.tables import as_numbers
from gramspect.recognition.chart import Chart

__all__ = ["EditSearch", "Outcome", "Searching", "search"]

MOST_NEW = 2
"""How many new tokens an edit may have, such as brackets."""


@dataclass(frozen=True, slots=True)
class EditSearch:
    """How far to look.

    Attributes:
        look_back: tokens before the error at which an edit may apply.
        reach: the longest stretch of input, in tokens, that the new symbols may cover.
        longest: the most symbols that one edit adds.
        calls: how many non-terminals are tried for one stretch, the most specific first.
        margin: edits are tried up to so much above the cheapest one found so far, or above the
            replacement of a token if that costs more.
        most: the most that an edit may cost.
        horizon: how many tokens past the error an edit must get the parse to be looked at more
            closely; an attempt at the whole of a long input costs as much as the input is long.
        confirmations: how many of those are run to the end of the input, the cheapest first.
    """

    look_back: int = 16
    reach: int = 24
    longest: int = 5
    calls: int = 4
    margin: float = 2.5
    most: float = 7.0
    horizon: int = 100
    confirmations: int = 64


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an edit achieves: `accepted`, or the index of the first token that is still not read."""

    edit: Edit
    accepted: bool
    reached: int


CATCH_ALL, MANY = 0.7, 6
"""A non-terminal that spans `MANY` stretches and this share of all stretches is a catch-all."""
STEP = 0.5
"""Edits are tried by cost, in steps of this size."""
BATCH = 512
"""How many edits are tried before the clock is looked at again."""


def search(
    chart: Chart,
    tokens: Sequence[int],
    options: EditSearch | None = None,
    *,
    deadline: float = inf,
) -> tuple[Outcome, ...]:
    """The edits that help, cheapest first: those that gain nothing are left out.

    Of the edits at one position that only get the parse further, the most promising one is kept.
    `chart` is that of the rejected `tokens`. After `deadline` (by `gramspect.effort.now`) the
    search ends with what it has found.
    """
    searching = Searching(chart, tokens, options or EditSearch())
    for _ in searching.run():
        if now() >= deadline:
            break
    return searching.outcomes(deadline)


def _order(outcome: Outcome) -> tuple[bool, float, int, int]:
    return not outcome.accepted, outcome.edit.cost, -outcome.reached, outcome.edit.item


@dataclass
class Searching:
    """A search that can be stopped: run it as long as there is time, then ask for outcomes.

    `swallowed` has what tokens cost more as new symbols (`gramspect.edits.readings.swallowed`).
    """

    chart: Chart
    tokens: Sequence[int]
    options: EditSearch = field(default_factory=EditSearch)
    swallowed: Sequence[float] = ()
    accepted: list[Outcome] = field(default_factory=list)
    further: dict[int, tuple[float, Outcome]] = field(default_factory=dict)
    """For each position the best edit that is not accepted, and its worth."""
    overlaid: Overlaid = field(init=False)
    limit: int = field(init=False)

    def __post_init__(self) -> None:
        self.limit = min(len(self.tokens), self.chart.end + self.options.horizon)
        self.overlaid = self._overlaid(self.options.look_back + self.options.horizon)
        self.table = item_table(self.grammar)
        self.best = np.full(self.grammar.n_items, inf)  # the cheapest accepted edit of each item

    def _overlaid(self, columns: int) -> Overlaid:
        numbers = as_numbers(self.tokens, self.chart.space.compiled)
        return Overlaid(self.chart, numbers, columns, self.options.reach)

    @property
    def grammar(self) -> Grammar:
        return self.chart.grammar

    def run(self) -> Iterator[None]:
        """Try all candidates, cheapest first; yields now and then."""
        error = self.chart.end
        columns = range(error, max(-1, error - self.options.look_back - 1), -1)
        known = list(widenings(self.chart, self.table))
        looked_at = 0
        paid = 0.0
        while paid < min(self.options.most, self._limit()):
            paid += STEP
            while looked_at < len(columns) and EARLIER_COLUMN * looked_at < paid:
                known.append(self._candidates(columns[looked_at]))
                looked_at += 1
                yield
            for place, candidates in enumerate(known):
                due = candidates.cost <= paid
                yield from self._try(candidates.part(due))
                known[place] = candidates.part(~due)

    def _limit(self) -> float:
        """The most that an edit may cost, given the outcomes so far."""
        return float(max(self.best.min(), REPLACEMENT)) + self.options.margin

    def _candidates(self, column: int) -> Candidates:
        """All edits at a column, by what its next tokens allow."""
        before = self.chart.end - column
        items = np.array(sorted(self._positions(column)), np.int64)
        stretches = [
            *self._single(column),
            *self._several(column),
            *self._bracketed(column),
            *self._repeated(column),
        ]
        return self.table.candidates(
            items, stretches, self.tokens, before, column, self.options.most
        )

    def _positions(self, column: int) -> set[int]:
        """The items of a column: entries, and rules that could start there."""
        grammar = self.grammar
        found = {item for item, _ in self.chart.column(column)}
        for nonterminal in self.chart.predicted(column):
            found.update(grammar.item_start[rule] for rule in grammar.rules_of[nonterminal])
        return found

    def _try(self, candidates: Candidates) -> Iterator[None]:
        """Try the candidates, several symbols only where nothing cheaper works."""
        for start in range(0, len(candidates), BATCH):
            batch = candidates.part(slice(start, start + BATCH))
            limit = self._limit()
            solved = self.best[batch.item] <= batch.cost
            batch = batch.part((batch.cost <= limit) & ~(solved & batch.is_long))
            rows = self.table.rows(batch, ROW).reshape(-1).tolist()
            reached = self.overlaid.attempt_rows(batch.column, self.limit, rows)
            for place, end in enumerate(reached):
                if end > self.chart.end:
                    self._note(batch, place, end)
            yield

    def _holds(self, edit: Edit) -> bool:
        """Whether an edit that takes something away, tried as an addition, still helps."""
        (reached,) = self._trial.reached([edit])
        return reached > self.limit

    @cached_property
    def _trial(self) -> Trial:
        return Trial(self.chart, self.tokens)

    def _note(self, batch: Candidates, place: int, reached: int) -> None:
        edit = self.table.edit(batch, place)
        if edit.kind.restrictive and not (self._passes(reached) and self._holds(edit)):
            return
        if self._passes(reached):
            self.accepted.append(Outcome(edit, True, min(reached, self.limit)))
            self.best[edit.item] = min(edit.cost, self.best[edit.item])
        else:
            self._note_further(Outcome(edit, False, min(reached, self.limit)))

    def _note_further(self, outcome: Outcome) -> None:
        edit = outcome.edit
        worth = worth_of(edit.cost) * (outcome.reached - self.chart.end)
        if worth > self.further.get(edit.item, (0.0,))[0]:
            self.further[edit.item] = worth, outcome

    def _passes(self, reached: int) -> bool:
        """Whether an attempt got to the end, or past the horizon if that is nearer."""
        return reached > self.limit or (reached == self.limit < len(self.tokens))

    def outcomes(self, deadline: float = inf) -> tuple[Outcome, ...]:
        """The outcomes, after running those that got past the horizon to the end of the input.

        For each item this is done until the cheapest edit that holds is known.
        """
        found = self.accepted
        if self.limit < len(self.tokens) and found:
            found = list(self._run_to_end(deadline))
        return tuple(sorted([*found, *(o for _, o in self.further.values())], key=_order))

    def _run_to_end(self, deadline: float) -> Iterator[Outcome]:
        n = len(self.tokens)
        left = self.options.confirmations
        whole = self._overlaid(n)
        solved: set[int] = set()
        for outcome in sorted(self.accepted, key=_order):
            edit = outcome.edit
            if not left or now() >= deadline:
                break
            if edit.item not in solved:
                left -= 1
                if edit.kind.restrictive or self._is_recursive(edit):
                    (reached,) = self._trial.reached([edit])
                else:
                    job = (edit.item, edit.kind, edit.symbols)
                    (reached,) = whole.attempt(edit.column, n, [job])
                if reached > n:
                    solved.add(edit.item)
                    yield Outcome(edit, True, n)
                elif reached != UNKNOWN:
                    self._note_further(Outcome(edit, False, min(reached, n)))

    def _is_recursive(self, edit: Edit) -> bool:
        """Whether an edit continues what its rule derives: it helps after the start of the rule."""
        rule, dot = self.grammar.split_item(edit.item)
        return dot == 0 and edit.symbols[:1] == (self.grammar.rules[rule].lhs,)

    # --- the new symbols -----------------------------------------------------------------

    def _single(self, column: int) -> list[Stretch]:
        """Nothing, the next token, and calls that span the next tokens."""
        return [Stretch(column, 0.0, ()), *(s for steps in self._steps(column) for s in steps)]

    def _steps(self, column: int) -> list[list[Stretch]]:
        """For every end the single symbols that span the tokens up to it, cheapest first."""
        if column >= len(self.tokens):
            return []
        known = self._known_steps
        if column not in known:
            spans = self._calls(column)
            costs = self.table.call_cost
            found = []
            for end in sorted({column + 1, *spans}):
                paid = sum(self.swallowed[column:end])
                calls = [Stretch(end, paid + float(costs[s]), (s,)) for s in spans.get(end, ())]
                best = sorted(calls, key=lambda call: (call.cost, call.symbols))
                tokens = [self._token(column)] if end == column + 1 else []
                if tokens or best:
                    found.append([*tokens, *best[: self.options.calls]])
            known[column] = found
        return known[column]

    def _token(self, column: int) -> Stretch:
        token, more = self.tokens[column], sum(self.swallowed[column : column + 1])
        return Stretch(column + 1, 1.0 + more + UNLEXED * (token == NEW_TOKEN), (token,))

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
    def _known_steps(self) -> dict[int, list[list[Stretch]]]:
        return {}

    def _bracketed(self, column: int) -> list[Stretch]:
        """Two brackets with a call between them that spans what is there.

        Brackets are there to hold anything, so that the call is general costs nothing, and the most
        general ones are taken. What is opened is closed, so the second one costs nothing, either.
        """
        tokens, limit = self.tokens, column + self.options.reach
        if column >= len(tokens):
            return []
        closing = closing_of(self.table.brackets, tokens, column, min(limit, len(tokens)))
        if closing is None:
            return []
        opened = self._token(column)
        calls = self.overlaid.spans(column + 1).get(closing, [])
        general = sorted(calls, key=lambda symbol: (-self.table.generality[symbol], symbol))
        (closed,) = self._token(closing).symbols
        return [
            Stretch(closing + 1, opened.cost + 1, (*opened.symbols, symbol, closed))
            for symbol in general[: self.options.calls]
        ]

    def _repeated(self, column: int) -> list[Stretch]:
        """The stretches that may repeat there: a symbol, or a token and a symbol."""
        found = {s.symbols: s for steps in reversed(self._steps(column)) for s in steps}
        if column + 1 < len(self.tokens):
            first = self._token(column)
            for steps in reversed(self._steps(column + 1)):
                for s in steps:
                    symbols = (*first.symbols, *s.symbols)
                    found[symbols] = Stretch(s.end, first.cost + s.cost, symbols)
        repeated = []
        for stretch in found.values():
            ends = again = self._ends(stretch.symbols, {column})
            while again:
                again = self._ends(stretch.symbols, again) - ends
                ends |= again
            behind = frozenset(following(self.tokens, e) for e in ends)
            repeated.append(replace(stretch, behind=behind))
        return repeated

    def _ends(self, symbols: tuple[int, ...], starts: set[int]) -> set[int]:
        """Where symbols, one or two, can end that start there, as far as `EditSearch.reach`."""
        limit = self.chart.end + self.options.reach
        for symbol in symbols:
            starts = {
                steps[0].end
                for start in starts
                if start < limit
                for steps in self._steps(start)
                if any(step.symbols == (symbol,) for step in steps)
            }
        return starts

    def _several(self, column: int) -> list[Stretch]:
        """The cheapest stretch of two or more symbols for every end."""
        limit = column + self.options.reach
        layer = {column: Stretch(column, 0.0, ())}
        found: dict[int, Stretch] = {}
        for n_symbols in range(1, self.options.longest + 1):
            longer: dict[int, Stretch] = {}
            for middle, before in layer.items():
                for end, step in ((steps[0].end, steps[0]) for steps in self._steps(middle)):
                    made = _joined(before, step)
                    few = made.symbols.count(NEW_TOKEN) <= MOST_NEW
                    if end <= limit and few and _is_better(made, longer.get(end)):
                        longer[end] = made
            layer = longer
            if n_symbols > 1:
                for end, stretch in layer.items():
                    if _is_better(stretch, found.get(end)):
                        found[end] = stretch
        return [found[end] for end in sorted(found)]


def _joined(before: Stretch, step: Stretch) -> Stretch:
    """A stretch and a single symbol after it. A second new token, as a bracket, costs less."""
    closes = NEW_TOKEN in before.symbols and step.symbols == (NEW_TOKEN,)
    paid = min(step.cost, UNLEXED) if closes else step.cost
    return Stretch(step.end, before.cost + paid, before.symbols + step.symbols)


def _is_better(one: Stretch, other: Stretch | None) -> bool:
    return other is None or (one.cost, one.symbols) < (other.cost, other.symbols)
