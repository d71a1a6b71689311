"""What the results say: how often and how well faults are found, in tables.

The columns are those of Tables 5 and 6 of Raselimo and Fischer (2024): over the mutants that a
suite kills the median and the mean rank as a share of all rules or items, and how many faults have
a rank of at most 1, 3 and 5.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gramspect.campaigns.config import MethodConfig
from gramspect.campaigns.placing import Method, methods_of
from gramspect.campaigns.store import Store
from gramspect.campaigns.units import Outcome
from gramspect.errors import GramspectError
from gramspect.scoring.ranking import Ties
from gramspect.spectrum.matrix import SpectrumKind

__all__ = [
    "ITEM",
    "RULE",
    "Cell",
    "Place",
    "Records",
    "Row",
    "Series",
    "Table",
    "method_config",
    "read_records",
    "series",
    "tables_of",
]

TOPS = (1, 3, 5)


class Cell(NamedTuple):
    """How well a method finds `n` faults: ranks in per cent of all elements, and counts."""

    n: int
    median: float
    mean: float
    tops: tuple[int, int, int]


class Place(NamedTuple):
    """What is looked for: `rule` or `item`, and its place in the arrays."""

    name: str
    number: int


RULE, ITEM = Place("rule", 0), Place("item", 1)


class Row(NamedTuple):
    """A row of a table: a recognizer with a suite, one cell for each metric."""

    grammar: str
    recognizer: str
    suite: str
    n_mutants: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """Rows under a title; `metrics` name the columns of cells."""

    title: str
    metrics: tuple[str, ...]
    rows: tuple[Row, ...]


class Series(NamedTuple):
    """The units of a grammar through a recognizer that have ranks.

    `ranks` has the shape (units, suites, methods, 2), `sizes` (units, 2): rules and items.
    `n_units` counts those that failed, too, but not the mutants of which there is no parser.
    """

    grammar: str
    recognizer: str
    n_units: int
    numbers: NDArray[np.int64]
    operators: NDArray[np.str_]
    position_one: NDArray[np.bool_]
    levels: NDArray[np.int64]
    ranks: NDArray[np.float32]
    sizes: NDArray[np.int64]

    def only(self, kept: NDArray[np.bool_]) -> Series:
        """Some of the units."""
        return Series(
            self.grammar,
            self.recognizer,
            int(np.count_nonzero(kept)),
            self.numbers[kept],
            self.operators[kept],
            self.position_one[kept],
            self.levels[kept],
            self.ranks[kept],
            self.sizes[kept],
        )

    def shares(self, suite: int, method: int, place: Place) -> NDArray[np.float64]:
        """The ranks of killed mutants as parts of all elements."""
        ranks = self.ranks[:, suite, method, place.number].astype(np.float64)
        found: NDArray[np.float64] = (ranks / self.sizes[:, place.number])[~np.isnan(ranks)]
        return found

    def cell(self, suite: int, method: int, place: Place) -> Cell:
        """A cell of a table."""
        ranks = self.ranks[:, suite, method, place.number]
        ranks = ranks[~np.isnan(ranks)]
        if not len(ranks):
            return Cell(0, np.nan, np.nan, (0, 0, 0))
        shares = 100 * self.shares(suite, method, place)
        first, third, fifth = (int(np.count_nonzero(ranks <= top)) for top in TOPS)
        tops = first, third, fifth
        return Cell(len(ranks), float(np.median(shares)), float(np.mean(shares)), tops)


@dataclass(frozen=True)
class Records:
    """All results of a store. `outcomes` counts units by grammar, recognizer and outcome, `reasons`
    those that failed by why."""

    suites: tuple[str, ...]
    methods: tuple[Method, ...]
    series: tuple[Series, ...]
    outcomes: Mapping[tuple[str, str, str], int]
    reasons: Mapping[str, int]

    def only(self, kept: Callable[[Series], NDArray[np.bool_]]) -> Records:
        """Those of some mutants."""
        chosen = tuple(each.only(kept(each)) for each in self.series)
        return Records(self.suites, self.methods, chosen, self.outcomes, self.reasons)


def read_records(path: str) -> Records:
    """Read a store.

    Raises:
        GramspectError: it cannot be read, or has no results.
    """
    with Store.reading(path) as store:
        config = store.config
        methods = methods_of(method_config(config["methods"]))
        outcomes = {key: number for key, (number, _) in store.counts().items()}
        found: dict[tuple[str, str], list[Any]] = defaultdict(list)
        reasons: dict[str, int] = defaultdict(int)
        for result in store.results():
            if result.outcome is Outcome.FAILED:
                reasons[result.reason] += 1
            found[result.unit[:2]].append(result)
    if not found:
        raise GramspectError(f"{path}: there are no results yet; run the campaign first")
    suites = tuple(config["suites"])
    return Records(
        suites,
        methods,
        tuple(_series(key, results, len(suites), len(methods)) for key, results in found.items()),
        outcomes,
        dict(reasons),
    )


def method_config(told: Mapping[str, Any]) -> MethodConfig:
    """The ways of ranking as a store tells them."""
    listed = {key: tuple(value) for key, value in told.items() if isinstance(value, list)}
    return MethodConfig(**listed, located=told["located"])


def _series(key: tuple[str, str], results: Sequence[Any], n_suites: int, n_methods: int) -> Series:
    ranked = [each for each in results if each.outcome is Outcome.RANKED]
    ranks = [each.ranks for each in ranked]
    shape = (0, n_suites, n_methods, 2)
    return Series(
        *key,
        sum(each.outcome in (Outcome.RANKED, Outcome.FAILED) for each in results),
        np.array([each.unit.number for each in ranked], np.int64),
        np.array([each.operator for each in ranked], np.str_),
        np.array([each.position_one for each in ranked], np.bool_),
        np.array([each.level for each in ranked], np.int64),
        np.stack(ranks) if ranks else np.empty(shape, np.float32),
        np.array([(each.n_rules, each.n_items) for each in ranked], np.int64).reshape(-1, 2),
    )


# --- tables --------------------------------------------------------------------------------


def series(methods: Sequence[Method], place: Place) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The methods that differ in their metric only, each group with a title, for one place.

    Ties of rules are not resolved by `kmax`: where `mid` is there, too, it is left out.
    """
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    ways = {method.ties for method in methods}
    for number, method in enumerate(methods):
        of_rules = place is RULE or method.spectrum is SpectrumKind.RULE
        if of_rules and method.ties is Ties.KMAX and Ties.MID in ways:
            continue
        name = f"{method.spectrum} spectra"
        if place is ITEM and method.spectrum is SpectrumKind.RULE:
            name = "rule spectra, extended to items"
        evidence = "" if method.evidence == "spectrum" else f", evidence {method.evidence}"
        groups[name, method.extraction, evidence, method.ties].append(number)
    extractions = {method.extraction for method in methods}
    for (name, extraction, evidence, ties), numbers in groups.items():
        extracted = f", extraction {extraction}" if len(extractions) > 1 else ""
        yield f"{name}{extracted}{evidence}, ties {ties}", tuple(numbers)


def tables_of(records: Records, place: Place) -> list[Table]:
    """The tables of rules (Table 5 of the paper) or items (Table 6)."""
    return [
        Table(
            title,
            tuple(records.methods[number].metric for number in numbers),
            tuple(_rows(records, numbers, place)),
        )
        for title, numbers in series(records.methods, place)
    ]


def _rows(records: Records, methods: Iterable[int], place: Place) -> Iterator[Row]:
    numbers = tuple(methods)
    for each in records.series:
        for suite, name in enumerate(records.suites):
            cells = tuple(each.cell(suite, method, place) for method in numbers)
            yield Row(each.grammar, each.recognizer, name, each.n_units, cells)
