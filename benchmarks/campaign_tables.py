"""Our campaign beside the paper's: Tables 5 and 6 of Raselimo and Fischer (2024), in Markdown.

    gramspect campaign benchmarks/campaigns/simpl.toml --store simpl.db
    python benchmarks/campaign_tables.py simpl.db

The paper's figures are those of CUP, the technique that is nearest to our LALR(1) parser. Of the
counts the shares of killed mutants are shown.
"""

from __future__ import annotations

import sys
from pathlib import Path

from gramspect.campaigns.tables import ITEM, RULE, Cell, Place, read_records, tables_of

PAPER = Path(__file__).parent / "campaigns" / "paper-cup.txt"
"""Place, methods, suite, metric, killed mutants, median and mean rank in per cent, #1, #3, #5."""


def paper() -> dict[tuple[str, ...], Cell]:
    """The cells of the paper."""
    found = {}
    for line in PAPER.read_text().splitlines():
        place, methods, suite, metric, n, median, mean, *tops = line.split()
        first, third, fifth = map(int, tops)
        key = place, methods.replace("_", " "), suite, metric
        found[key] = Cell(int(n), float(median), float(mean), (first, third, fifth))
    return found


def ours(store: str) -> dict[tuple[str, ...], Cell]:
    """The cells of a store."""
    records = read_records(store)
    places: tuple[Place, ...] = (RULE, ITEM)
    return {
        (place.name, table.title, row.suite, metric): cell
        for place in places
        for table in tables_of(records, place)
        for row in table.rows
        for metric, cell in zip(table.metrics, row.cells, strict=True)
    }


def figures(cell: Cell) -> list[str]:
    shares = (100 * top / cell.n for top in cell.tops)
    return [f"{value:.1f}" for value in (cell.median, cell.mean, *shares)]


def main() -> None:
    known, found = paper(), ours(sys.argv[1])
    last = ""
    for key, theirs in known.items():
        place, methods, suite, metric = key
        if methods + place != last:
            last = methods + place
            print(f"\n**The faulty {place}: {methods}**\n")
            heads = ("median", "mean", "#1", "#3", "#5")
            print("| suite | metric |" + "".join(f" {head} % |" for head in heads) * 2)
            print("|---|---|" + "---|" * 10)
        cells = [*figures(theirs), *figures(found[key])]
        print(f"| {suite} | {metric} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
