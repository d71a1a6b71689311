"""How well any ranking metric could find the faults of a campaign.

    python benchmarks/campaign_bounds.py CONFIG [--mutants N]

CONFIG is that of a campaign; the first N mutants of each grammar go through `native`. Whatever the
metric, an item that at least as many failing tests and at most as many passing ones execute comes
before the faulty one, and items with the same counts cannot be told from it. So the faulty item has
at best the rank after the former, with the latter in a tie; a rule has at best that of its best
item. "executed" says by how many of the failing tests the faulty item is, in per cent of the
killed mutants whose fault has an item.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict

import numpy as np

from gramspect.campaigns.config import read_config
from gramspect.campaigns.counting import count
from gramspect.campaigns.faults import Spot
from gramspect.campaigns.making import make
from gramspect.campaigns.placing import Place, Placing
from gramspect.campaigns.plan import make_plan
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.trace import Extraction
from gramspect.scoring.ranking import Ties
from gramspect.spectrum.matrix import Counts, SpectrumKind

ITEM = SpectrumKind.ITEM


def best_place(grammar: Grammar, spot: Spot, counts: Counts) -> Place:
    """The best ranks of the faulty rule and item by any metric, ties as `kmax`."""
    placing = Placing(grammar, [spot])

    def place(item: int) -> Place:
        better = (counts.ef >= counts.ef[item]) & (counts.ep <= counts.ep[item])
        same = (counts.ef == counts.ef[item]) & (counts.ep == counts.ep[item])
        scores = np.where(same, 1.0, np.where(better, 2.0, 0.0))
        return placing.places(ITEM, scores, [Ties.KMAX])[0]

    starts = grammar.item_start
    items = [item for rule in spot.rules for item in range(starts[rule], starts[rule + 1])]
    rule = min(place(item).rule for item in items)
    return Place(rule, np.nan if spot.item is None else place(spot.item).item)


def executed(counts: Counts, item: int) -> str:
    """By how many failing tests an item is executed."""
    if not counts.ef[item]:
        return "none"
    return "some" if counts.nf[item] else "all"


def main() -> None:
    arguments = argparse.ArgumentParser(description="Bounds of all metrics.")
    arguments.add_argument("config")
    arguments.add_argument("--mutants", type=int, default=600)
    given = arguments.parse_args()
    plan = make_plan(read_config(given.config))
    extractions = (Extraction.EXACT, Extraction.ALL)
    for name in plan.config.grammars:
        subject = plan.subject(name)
        places: dict[tuple[str, Extraction], list[Place]] = defaultdict(list)
        shares: dict[tuple[str, Extraction], Counter[str]] = defaultdict(Counter)
        for faulty in subject.faulty[: given.mutants]:
            made = make(subject, "native", faulty)
            counted = count(made.recognizer, made.tests, extractions, made.known)
            for number, suite in enumerate(plan.config.suites):
                failing, passing, _ = counted.totals(number)
                for extraction in extractions if failing and passing else ():
                    counts = counted.counts(number, extraction, ITEM)
                    (spot,) = made.spots
                    grammar = made.recognizer.grammar
                    places[suite, extraction].append(best_place(grammar, spot, counts))
                    if spot.item is not None:
                        shares[suite, extraction][executed(counts, spot.item)] += 1
        print(f"\n{name}, {given.mutants} mutants\n")
        print("| suite | extraction | executed by all | some | none | rule #1 % | #5 % |"
              " item #1 % | #5 % |")  # fmt: skip
        print("|---|---|" + "---:|" * 7)
        for (suite, extraction), found in places.items():
            by = shares[suite, extraction]
            figures = [100 * by[which] / by.total() for which in ("all", "some", "none")]
            for column in np.array(found).T:
                ranks = column[~np.isnan(column)]
                figures += [100 * float(np.mean(ranks <= top)) for top in (1, 5)]
            print(f"| {suite} | {extraction} | " + " | ".join(f"{x:.1f}" for x in figures) + " |")


if __name__ == "__main__":
    main()
