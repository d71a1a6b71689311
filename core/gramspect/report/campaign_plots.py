"""Pictures of campaigns: the boxes of Figures 4 to 7 of Raselimo and Fischer (2024)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gramspect.campaigns.tables import RULE, Place, Records, series
from gramspect.errors import GramspectError
from gramspect.report.plots import PALETTE, settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot_campaign"]

_MEANING = (
    "The lower, the sooner a fault is found. Box: the middle half of the faults;"
    "\nthick line: the median; whiskers: 5 % and 95 % of the faults"
)


def plot_campaign(records: Records, place: Place = RULE) -> Figure:
    """The distributions of ranks: suites from above, grammars and recognizers from the left.

    A box is a metric, in one colour for each kind of spectrum and ties: from the first to the
    third quartile, the median, whiskers from the 5th to the 95th percentile.

    Raises:
        GramspectError: there is no rank.
    """
    groups = list(series(records.methods, place))
    suites, columns = len(records.suites), len(records.series)
    n_boxes = sum(len(numbers) for _, numbers in groups)
    with settings():
        from matplotlib.figure import Figure
        from matplotlib.patches import Patch

        size = (max(6.0, columns * (1.2 + 0.35 * n_boxes)), 0.8 + 2.2 * suites)
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.subplots(suites, columns, squeeze=False, sharey="row")
        drawn = False
        for row, suite in enumerate(records.suites):
            for column, each in enumerate(records.series):
                area = axes[row][column]
                position, ticks, labels = 0.0, [], []
                for colour, (_, numbers) in enumerate(groups):
                    for number in numbers:
                        shares = 100 * each.shares(row, number, place)
                        drawn |= bool(len(shares))
                        area.boxplot(
                            [shares if len(shares) else [np.nan]], positions=[position],
                            widths=0.7, whis=(5, 95), sym="", patch_artist=True,
                            boxprops={"facecolor": PALETTE[colour % 6], "alpha": 0.6},
                            medianprops={"color": PALETTE[6], "linewidth": 2.5},
                        )  # fmt: skip
                        ticks.append(position)
                        labels.append(records.methods[number].metric)
                        position += 1
                    position += 0.6
                area.set_xticks(ticks, labels, rotation=90, fontsize=7)
                area.set_ylim(-2, 102)
                if not row:
                    area.set_title(f"{each.grammar}, {each.recognizer}")
                if not column:
                    area.set_ylabel(
                        f"suite {suite}:\nrank of the faulty\n{place.name}, % of all",
                        fontsize=8,
                    )
        if not drawn:
            raise GramspectError("there are no ranks to draw")
        figure.suptitle(_MEANING, fontsize=8)
        figure.legend(
            handles=[
                Patch(facecolor=PALETTE[n % 6], label=title) for n, (title, _) in enumerate(groups)
            ],
            loc="outside lower center", frameon=False, fontsize=7, ncols=2,
        )  # fmt: skip
    return figure
