"""Where a ranking has the elements of a name, and recognizers that have seen their tests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

import pytest

from gramspect import Localization, RankedElement, Recognizer, TestCase, TestSuite, localize
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.trace import Trace

__all__ = ["Ranks", "Replayed", "items_at", "rank_of", "ranks_of_items", "sampled"]

Ranks = dict[str, dict[str, float | None]]
"""By kind of evidence and kind of element."""

Case = type(pytest.param())
"""What `pytest.param` makes."""


def sampled(cases: Iterable[Case], every: int) -> list[Case]:
    """Cases of which one in so many runs in ``make test``, and all in ``make test-all``."""
    return [
        case if number % every == 0 else case._replace(marks=(*case.marks, pytest.mark.slow))
        for number, case in enumerate(cases)
    ]


@dataclass(frozen=True)
class Replayed:
    """A recognizer that has seen the tests already."""

    live: Recognizer
    traces: Mapping[str, Trace]

    @property
    def grammar(self) -> Grammar:
        return self.live.grammar

    def trace(self, test: TestCase) -> Trace:
        return self.traces[test.name]


def rank_of(
    result: Localization, wanted: str | None, name: Callable[[RankedElement], str]
) -> float | None:
    """The rank of a name's best element among the best ones of all names.

    Members of a tie share its middle. None for a name that is not in the ranking.
    """
    best: dict[str, float] = {}
    for element in result.ranking:
        best.setdefault(name(element), element.rank)
    if wanted is None or wanted not in best:
        return None
    before = sum(rank < best[wanted] for rank in best.values())
    tied = sum(rank == best[wanted] for rank in best.values())
    return before + (tied + 1) / 2


def ranks_of_items(
    recognizer: Recognizer, traces: Iterable[Trace], suite: TestSuite, items: Collection[int]
) -> Ranks:
    """The ranks of faulty items, and of their alternatives and rules, by the best item of each.

    Each among its like; members of a tie share its middle. Of several faulty positions the best
    one counts. None for what has no score.
    """
    names = [test.name for test in suite]
    replayed = Replayed(recognizer, dict(zip(names, traces, strict=True)))
    grammar = recognizer.grammar
    rules = {grammar.split_item(item)[0] for item in items}
    homes = {grammar.user_nonterminal(grammar.rules[rule].lhs) for rule in rules}
    found = {}
    for evidence in ("spectrum", "both"):
        result = localize(replayed, suite, evidence=evidence)
        assert not result.undecided, [(u.test.name, u.reason) for u in result.undecided]
        assert result.failing, "no test shows the fault"
        found[evidence] = {
            "item": _best(result, map(grammar.item_label, items), lambda e: e.label),
            "rule": _best(
                result, map(grammar.rule_text, rules), lambda e: grammar.rule_text(e.rule)
            ),
            "nonterminal": _best(
                result, (grammar.symbols[h].name for h in homes), lambda e: e.nonterminal
            ),
        }
    return found


def items_at(grammar: Grammar, places: Iterable[tuple[int, int]]) -> list[int]:
    """The items that lie at one of the places (line, column); each place has some."""
    wanted = set(places)
    found = [
        (item, (span.line, span.column))
        for item in range(grammar.n_items)
        if (span := grammar.item_span(item)) is not None
    ]
    missing = wanted - {place for _, place in found}
    assert not missing, f"marks at no position of the grammar: {missing}"
    return [item for item, place in found if place in wanted]


def _best(
    result: Localization, names: Iterable[str], name: Callable[[RankedElement], str]
) -> float | None:
    ranks = (rank_of(result, wanted, name) for wanted in names)
    return min((rank for rank in ranks if rank is not None), default=None)
