"""How well real faults of all tools are localized, and which weights serve grammars not seen.

    python benchmarks/evidence.py [FOLDER...] [--cache FOLDER] [--kept FOLDER...] [--fit]
        [--jobs N] [--json FILE]

Each FOLDER holds cases (`fault_cases.py`); ``--kept`` names folders of cases that were searched
before, such as those that `history_cases.py` makes. Parser rules are ranked by the best position of
each, ties by mean rank; a case counts as found at the rank of its best core rule. Faults in token
definitions alone have no rule to find; they are counted apart. The first table is that of the
weights in use, by tool, with the former evidence beside it, and intervals of 90 % by bootstrap over
grammars.

The last table says how often the first rule is the right one for each degree of confidence that the
first line of a report states (`gramspect.localization.conclusion`).

``--fit`` chooses the weights anew by coordinate search on the mean of (first) and 1 / rank; it says
what that gives on what was left out: in ten folds of grammars, never of cases, and with each tool
left out. It begins with `PLAIN` weights; a penalty on the distance from them keeps the choice from
following single cases, and its strength is chosen in folds inside the folds. ``--cache`` keeps what
was searched.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fault_cases import Case, cases, kept_cases
from gramspect.edits.scores import proposals
from gramspect.edits.weights import Weights, chosen_weights
from gramspect.localization.conclusion import NEAR, Confidence, confidence, other_of_pair
from gramspect.localization.groups import rank_in_groups
from gramspect.scoring.evidence import Evidence
from gramspect.scoring.metrics import metric
from gramspect.scoring.ranking import Ranking, Ties, group_by_nonterminal, rank_spectra

TOP = (1, 3, 5, 10)
FOLDS, SWEEPS, PENALTIES, ORDERS = 10, 2, (0.0, 0.002), 1
FACTORS = (0.5, 2.0)
"""A weight is changed by one of these."""
PLAIN = Weights(
    progress=0.25,
    agreement=0.5,
    serving_all=1.0,
    conflicts=0.1,
    growth=0.06,
    likeness=1.25,
    choices=1.0,
    unknown_conflicts=3.0,
    other_floor=0.1,
    own_part=0.02,
    edit_floor=0.02,
)
"""Where a choice begins: what was known before any of these faults was looked at, and little weight
for what was found since. None is 0, for a weight is changed by a factor."""
UNRANKED = 10_000.0
_TOOLS = ("antlr", "javacc", "lark", "ply")

Ranks = NDArray[np.float64]
Chosen = NDArray[np.bool_]


def main() -> None:
    arguments = argparse.ArgumentParser(description="Localizes real faults of all tools.")
    arguments.add_argument("folders", type=Path, nargs="*")
    arguments.add_argument("--cache", type=Path, help="keeps what was searched")
    arguments.add_argument("--kept", type=Path, nargs="+", default=[], help="searched cases")
    arguments.add_argument("--fit", action="store_true", help="choose weights by cross-validation")
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--json", type=Path, help="where to write the rank of every case")
    options = arguments.parse_args()
    found = [
        *cases(options.folders, options.jobs, options.cache),
        *(case for folder in options.kept for case in kept_cases(folder)),
    ]
    for case in found:
        if case.problem:
            print(f"{case.name}: {case.problem}")
    faults = Faults(found)
    in_use = faults.ranks(chosen_weights())
    for evidence in (Evidence.SPECTRUM, Evidence.BOTH):
        faults.show(evidence.value, faults.by(evidence))
    faults.show("edits", in_use, intervals=True)
    faults.show_confidence()
    seconds = [case.seconds for case in found]
    print(
        f"processor seconds to load, run and search: median {median(seconds):.1f},"
        f" longest {max(seconds):.1f}"
    )
    if options.json:
        ranks = {case.name: rank for case, rank in zip(faults.cases, in_use, strict=True)}
        options.json.write_text(json.dumps(ranks, indent=1))
    if options.fit:
        fit_all(faults)


class Faults:
    """Cases with a rule to blame, and how they rank."""

    def __init__(self, found: Sequence[Case]) -> None:
        self.cases = [case for case in found if case.rules]
        self.tokens_alone = sum(not case.rules for case in found)
        self.tools = np.array([case.tool for case in self.cases])
        self.families = np.array([f"{case.tool} {case.family}" for case in self.cases])

    def ranks(self, weights: Weights) -> Ranks:
        """The rank of the best core rule of every case with these weights."""
        return self._ranks(
            lambda case: grouped(
                case.matrix,
                case.grammar,
                metric("ochiai"),
                Ties.MID,
                case.depths,
                case.searched,
                weights=weights,
            )
        )

    def by(self, evidence: Evidence) -> Ranks:
        """The same with other evidence."""
        return self._ranks(
            lambda case: rank_spectra(
                case.matrix,
                case.grammar,
                metric("ochiai"),
                Ties.MID,
                evidence=evidence,
                depths=case.depths,
            )
        )

    def show_confidence(self) -> None:
        """How often the first rule is to blame, by the confidence that a report would state.

        The last lines are of the probable ones for which a second rule is named: how often the
        first of them is to blame, and how often one of the two.
        """
        stated = [found for case in self.cases if (found := _stated(case)) is not None]
        pairs = [one for one in stated if one.other is not None]
        print(f"\n{'stated':12}" + "".join(f"{tool:>14}" for tool in ("all", *_TOOLS)))
        for degree in Confidence:
            these = [(one.tool, one.first) for one in stated if one.degree is degree]
            print(f"{degree:12}" + _counted(these))
        print(f"{'first of two':12}" + _counted([(one.tool, one.first) for one in pairs]))
        either = [(one.tool, one.first or bool(one.other)) for one in pairs]
        print(f"{'one of two':12}" + _counted(either))

    def _ranks(self, rank: Callable[[Case], object]) -> Ranks:
        return np.array([self._rank(case, rank) for case in self.cases])

    @staticmethod
    def _rank(case: Case, rank: Callable[[Case], object]) -> float:
        if case.grammar is None or not case.blamed:
            return UNRANKED
        groups = group_by_nonterminal(rank(case), case.grammar)
        if not len(groups):
            return UNRANKED
        return min(groups.rank_of(symbol) for symbol in case.blamed)

    def show(self, title: str, ranks: Ranks, intervals: bool = False) -> None:
        """A line for all cases and one for each tool."""
        print(f"\n{title}" + "".join(f"{f'top {n}':>18}" for n in TOP))
        for tool in ["all", *sorted(set(self.tools))]:
            chosen = self.tools == tool if tool != "all" else np.ones(len(ranks), np.bool_)
            shares = [np.mean(ranks[chosen] <= n) for n in TOP]
            ends = [self._interval(ranks, chosen, n) if intervals else "" for n in TOP]
            cells = "".join(f"{f'{s:.1%}{e}':>18}" for s, e in zip(shares, ends, strict=True))
            print(f"{tool:6}{chosen.sum():5}{cells}")

    def _interval(self, ranks: Ranks, chosen: Chosen, n: int) -> str:
        """5 % and 95 % of 2,000 samples of the families."""
        random = np.random.default_rng(0)
        names, number = np.unique(self.families[chosen], return_inverse=True)
        hits = np.bincount(number, ranks[chosen] <= n)
        sizes = np.bincount(number)
        drawn = random.integers(len(names), size=(2_000, len(names)))
        low, high = np.quantile(hits[drawn].sum(1) / sizes[drawn].sum(1), [0.05, 0.95])
        return f" ({low:.0%}-{high:.0%})"


def grouped(*arguments: Any, weights: Weights) -> Ranking:
    """The ranking by edits, in groups where they decide."""
    found = rank_in_groups(*arguments, weights=weights)
    return found.by_groups or found.of_all


@dataclass(frozen=True)
class _Stated:
    """What the first line of a report says of a case.

    Whether the first rule is to blame, and the second of a pair, if one is named.
    """

    tool: str
    degree: Confidence
    first: bool
    other: bool | None


def _counted(right: Sequence[tuple[str, bool]]) -> str:
    """How many are right of how many: of all tools, and of each."""
    cells = []
    for tools in (_TOOLS, *((tool,) for tool in _TOOLS)):
        these = [is_right for tool, is_right in right if tool in tools]
        cells.append(f"{sum(these)} of {len(these)}")
    return "".join(f"{cell:>14}" for cell in cells)


def _stated(case: Case) -> _Stated | None:
    """What the first line says; None if nothing is ranked."""
    grammar = case.grammar
    if grammar is None or case.matrix is None:
        return None
    found = rank_in_groups(
        case.matrix, grammar, metric("ochiai"), Ties.KMAX, case.depths, case.searched
    )
    ranking = found.by_groups or found.of_all
    groups = group_by_nonterminal(ranking, grammar)
    scores = groups.scores[: groups.n_significant]
    if not len(scores):
        return None
    mending = proposals(case.searched).get(int(groups.best[0]), ())
    n_failing = int(case.matrix.n_failing)
    explains_all = any(len(proposal.tests) == n_failing for proposal in mending)
    ahead = len(scores) == 1 or bool(scores[1] < NEAR * scores[0])
    degree = confidence(float(scores[0] / scores.sum()), ahead, explains_all)
    if found.by_groups is not None:
        degree = Confidence.SEVERAL
    other = None
    if degree is Confidence.PROBABLE:
        named = other_of_pair(grammar, groups.elements[: len(scores)].tolist(), scores.tolist())
        other = None if named is None else int(groups.elements[named]) in case.blamed
    return _Stated(case.tool, degree, int(groups.elements[0]) in case.blamed, other)


# --- choosing weights ----------------------------------------------------------------------


class Search:
    """Weights chosen on some of the faults. What was tried is known for all of them."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.known: dict[Weights, Ranks] = {}

    def ranks(self, weights: Weights) -> Ranks:
        if weights not in self.known:
            self.known[weights] = self.faults.ranks(weights)
        return self.known[weights]

    def chosen_on(self, part: Chosen, penalty: float) -> Weights:
        """The best weights for a part of the faults, near the plain ones."""
        best = PLAIN
        most = self._value(best, part, penalty)
        for _ in range(SWEEPS):
            for changed in (change for name in _names() for change in _changes(name)):
                weights = changed(best)
                value = self._value(weights, part, penalty)
                if value > most:
                    best, most = weights, value
        return best

    def _value(self, weights: Weights, part: Chosen, penalty: float) -> float:
        ranks = self.ranks(weights)[part]
        pairs = zip(asdict(weights).values(), asdict(PLAIN).values(), strict=True)
        distance = sum(abs(np.log(one / other)) for one, other in pairs)
        return float(np.mean((ranks <= 1) + 1 / ranks) / 2 - penalty * distance)

    def penalty_for(self, part: Chosen, folds: NDArray[np.int64]) -> float:
        """The penalty that serves the folds inside a part best."""

        def value(penalty: float) -> float:
            left_out = self.left_out(part, folds, lambda _: penalty)[part]
            return float(np.mean((left_out <= 1) + 1 / left_out))

        return max(PENALTIES, key=value)

    def left_out(
        self, part: Chosen, folds: NDArray[np.int64], penalty: Callable[[Chosen], float]
    ) -> Ranks:
        """The ranks of every fold of a part with weights chosen on its other folds."""
        ranks = np.full(len(part), UNRANKED)
        for fold in np.unique(folds[part]):
            others = part & (folds != fold)
            weights = self.chosen_on(others, penalty(others))
            ranks[folds == fold] = self.ranks(weights)[folds == fold]
        return ranks


def _names() -> Iterator[str]:
    yield from (field.name for field in fields(Weights))


def _changes(name: str) -> Iterator[Callable[[Weights], Weights]]:
    for factor in FACTORS:
        yield lambda w, f=factor: replace(w, **{name: round(getattr(w, name) * f, 4)})


def fit_all(faults: Faults) -> None:
    """What weights chosen on a part of the faults give on the rest."""
    search = Search(faults)
    faults.show("plain weights", search.ranks(PLAIN))
    every = np.ones(len(faults.cases), np.bool_)
    shares: Mapping[str, list[Ranks]] = {"left out": []}
    for order in range(ORDERS):
        folds = _folds(faults.families, order)
        ranks = search.left_out(every, folds, lambda part, f=folds: search.penalty_for(part, f))
        shares["left out"].append(ranks)
        faults.show(f"left-out grammars, {FOLDS} folds, order {order}", ranks, intervals=True)
    tool_of = np.unique(faults.tools, return_inverse=True)[1]
    folds = _folds(faults.families, 0)
    ranks = search.left_out(every, tool_of, lambda part: search.penalty_for(part, folds))
    faults.show("left-out tools", ranks)
    best = search.chosen_on(every, search.penalty_for(every, folds))
    faults.show("chosen on all (no figure for unseen grammars)", search.ranks(best))
    for name, value in asdict(best).items():
        print(f"{name} = {value}")


def _folds(families: NDArray[np.str_], order: int) -> NDArray[np.int64]:
    """The fold of every case, by its grammar."""
    names, number = np.unique(families, return_inverse=True)
    fold = np.random.default_rng(order).permutation(len(names)) % FOLDS
    return np.asarray(fold[number])


if __name__ == "__main__":
    main()
