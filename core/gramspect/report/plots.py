"""Pictures of rankings, as SVG or PNG. They need matplotlib: the extra ``plots``.

The same result gives the same file, byte for byte, with the same version of matplotlib. Colours are
those of Okabe and Ito (2008), which colour-blind readers can tell apart, and every series has
a marker or a place of its own as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gramspect.comparison.model import Comparison, Unit
from gramspect.errors import GramspectError, MissingDependency
from gramspect.files import write_whole
from gramspect.localization.results import Localization, RankedElement
from gramspect.report.words import counted, printable
from gramspect.spectrum.matrix import SpectrumKind

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["check_plot", "plot_distributions", "plot_ranks", "plot_scores", "save", "settings"]

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
FORMATS = (".svg", ".png")

_SETTINGS: Any = {
    "svg.hashsalt": "gramspect",
    "svg.fonttype": "none",  # text stays text: it can be searched and read aloud
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 9,
    "text.parse_math": False,  # a name with dollar signs is no formula
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_LONGEST_NAME = 40
_MOST_NAMES = 60
_NAMED = 3
_BESIDE = 0.4
"""The part of the width in which two names may meet."""


def check_plot(path: str) -> None:
    """Fail early if a picture cannot be drawn into `path`.

    Raises:
        GramspectError: its suffix is no known format.
        MissingDependency: matplotlib is not installed.
    """
    if Path(path).suffix.lower() not in FORMATS:
        raise GramspectError(f"{path}: the name of a plot ends in {' or '.join(FORMATS)}")
    if find_spec("matplotlib") is None:
        raise MissingDependency('matplotlib is not installed: pip install "gramspect[plots]"')


def save(figure: Figure, path: str) -> None:
    """Write a figure as SVG or PNG, by the suffix of `path`, whole or not at all.

    Raises:
        GramspectError: the format is unknown, or the file cannot be written.
    """
    check_plot(path)
    form = Path(path).suffix.lower().removeprefix(".")
    metadata = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
    picture = BytesIO()
    with settings():
        figure.savefig(picture, format=form, metadata=metadata, dpi=150)
    write_whole(path, picture.getvalue())


@contextmanager
def settings() -> Iterator[None]:
    """matplotlib's settings for our figures, whatever the user's are."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        yield


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def plot_ranks(result: Comparison) -> Figure:
    """The rank of the top elements in each technique.

    One row for each element that some technique has among its first ones, the best above, and one
    marker for each technique; rows where the markers are apart are those where it matters which
    technique is used.

    Raises:
        GramspectError: nothing is ranked, because no test fails.
    """
    units = result.top_units()
    if not units:
        raise GramspectError("no test fails, so there are no ranks to draw")
    names = [technique.name for technique in result.taking_part]
    with settings():
        figure, axes = _figure(7.5, 1.6 + 0.24 * len(units) + 0.16 * len(names))
        rows = np.arange(len(units), dtype=np.float64)
        offsets = np.linspace(-0.28, 0.28, len(names)) if len(names) > 1 else np.zeros(1)
        axes.hlines(rows, 1, max(2.0, len(result.units)), color="#DDDDDD", linewidth=0.6, zorder=0)
        for number, name in enumerate(names):
            axes.plot(
                result.ranks[units, number], rows + offsets[number], linestyle="none",
                markersize=4.5, label=_shown(name), **_style(number),
            )  # fmt: skip
        axes.set_yticks(rows, [_unit(result.units[unit]) for unit in units])
        axes.set_ylim(len(units) - 0.5, -0.5)
        _rank_axis(axes, len(result.units))
        axes.legend(
            loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=min(4, len(names)), frameon=False
        )
    return figure


def plot_distributions(ranks: Mapping[str, Sequence[float]], n_elements: int) -> Figure:
    """The distributions of ranks, such as those of many faults under several techniques or metrics.

    Each is a box from the first to the third quartile with the median, whiskers to the 5th and
    95th percentiles, the mean as a marker, and how many ranks it is of.

    Args:
        ranks: the ranks by name, drawn in this order from above.
        n_elements: how many elements a rank is among: where the axis ends.

    Raises:
        GramspectError: there is no rank.
    """
    if not ranks or not any(len(values) for values in ranks.values()):
        raise GramspectError("there are no ranks to draw")
    names = [f"{_shown(name)} ({len(values)})" for name, values in ranks.items()]
    rows = list(range(len(names)))
    with settings():
        figure, axes = _figure(7.5, 1.2 + 0.34 * len(names))
        axes.boxplot(
            [list(values) for values in ranks.values()],
            positions=rows, orientation="horizontal", widths=0.6, whis=(5, 95), showmeans=True,
            sym="", patch_artist=True,
            boxprops={"facecolor": PALETTE[5], "edgecolor": PALETTE[6]},
            medianprops={"color": PALETTE[6], "linewidth": 1.6},
            meanprops={"marker": "D", "markersize": 4, "markerfacecolor": PALETTE[1],
                       "markeredgecolor": PALETTE[6]},
        )  # fmt: skip
        axes.set_yticks(rows, names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        _rank_axis(axes, n_elements)
    return figure


def plot_scores(result: Localization) -> Figure:
    """The scores of all elements along the grammar, in the order of its rules.

    Non-terminals are set apart; of the three that come first the best element has its rank, name
    and line written at it.

    Raises:
        GramspectError: nothing is ranked, because no test fails.
    """
    if not result.ranking:
        raise GramspectError("no test fails, so there are no scores to draw")
    grammar, kind = result.grammar, result.method.spectrum
    n_elements = kind.n_elements(grammar)
    scores = np.zeros(n_elements)
    ranking = [element for element in result.ranking if element.token is None]
    for element in ranking:
        scores[element.element] = element.score
    starts = _starts(result)
    with settings():
        longest = max(len(_shown(name)) for _, name in starts)
        width = max(7.5, min(16.0, 0.22 * len(starts)))
        figure, axes = _figure(width, 3.6 + 0.06 * max(0, longest - 12))
        axes.bar(np.arange(n_elements), scores, width=1.0, color=PALETTE[0], linewidth=0)
        for number, (first, _) in enumerate(starts):
            if number % 2:
                end = starts[number + 1][0] if number + 1 < len(starts) else n_elements
                axes.axvspan(first - 0.5, end - 0.5, color="#EEEEEE", linewidth=0, zorder=0)
        best = {element.nonterminal: element for element in reversed(ranking)}
        named = sorted(best.values(), key=lambda element: -element.score)[:_NAMED]
        heights = _heights(named, n_elements)
        for element in named:
            axes.annotate(
                _place(element), (element.element, heights[element.element]),
                xytext=(3, 1) if element.element < n_elements / 2 else (-3, 1),
                textcoords="offset points", fontsize=7,
                ha="left" if element.element < n_elements / 2 else "right",
            )  # fmt: skip
        ends = [first for first, _ in starts[1:]] + [n_elements]
        middles = [(first + end - 1) / 2 for (first, _), end in zip(starts, ends, strict=True)]
        highest = [scores[first:end].max() for (first, _), end in zip(starts, ends, strict=True)]
        shown = _apart(middles, highest, n_elements / _MOST_NAMES)
        names = [_shown(starts[number][1]) for number in shown]
        axes.set_xticks([middles[number] for number in shown], names, rotation=90, fontsize=7)
        axes.set_xlim(-0.5, n_elements - 0.5)
        axes.set_ylim(0, max(heights.values()) * 1.15)
        what = "alternative" if kind is SpectrumKind.RULE else "position"
        axes.set_title(
            f"How suspicious each {what} of {_shown(Path(grammar.name).name)} is:"
            f" {counted(result.n_failing, 'failing test')} of {len(result.suite):,}",
            loc="left", fontsize=9,
        )  # fmt: skip
        axes.set_xlabel("the grammar from its first rule to its last")
        axes.set_ylabel(f"suspicion\n({printable(result.method.metric)}, {result.method.evidence})")
    return figure


def _unit(unit: Unit) -> str:
    """An element with its line."""
    return _shown(unit.label) + ("" if unit.span is None else f", line {unit.span.line}")


def _place(element: RankedElement) -> str:
    """The rank, the rule and the line of an element."""
    name = f"{element.rank:g}. {_shown(element.nonterminal)}"
    return name if element.span is None else f"{name}, line {element.span.line}"


def _heights(named: Sequence[RankedElement], n_elements: int) -> dict[int, float]:
    """Where the names of elements stand: at their scores, or above a lower name beside them."""
    step = 0.08 * max(element.score for element in named)
    found: dict[int, float] = {}
    for element in reversed(named):
        beside = [
            height
            for other, height in found.items()
            if abs(other - element.element) < _BESIDE * n_elements
        ]
        found[element.element] = max([element.score, *(height + step for height in beside)])
    return found


def _apart(middles: Sequence[float], scores: Sequence[float], distance: float) -> list[int]:
    """The places whose names can stand below the axis, the suspicious ones before the others.

    In a grammar of few non-terminals all have room.
    """
    if len(middles) <= _MOST_NAMES:
        return list(range(len(middles)))
    found: list[int] = []
    for number in sorted(range(len(middles)), key=lambda number: -scores[number]):
        if all(abs(middles[number] - middles[other]) >= distance for other in found):
            found.append(number)
    return sorted(found)


def _starts(result: Localization) -> list[tuple[int, str]]:
    """The first element of each stretch of rules of one non-terminal that the user wrote."""
    grammar = result.grammar
    found: list[tuple[int, str]] = []
    for rule in grammar.rules:
        name = grammar.symbols[grammar.user_nonterminal(rule.lhs)].name
        if not found or found[-1][1] != name:
            by_rule = result.method.spectrum is SpectrumKind.RULE
            found.append((rule.index if by_rule else grammar.item_start[rule.index], name))
    return found


def _style(number: int) -> dict[str, Any]:
    colour = PALETTE[number % len(PALETTE)]
    return {"marker": MARKERS[number % len(MARKERS)], "color": colour, "markeredgecolor": "#333333",
            "markeredgewidth": 0.4}  # fmt: skip


def _rank_axis(axes: Axes, n_elements: int) -> None:
    """Ranks from 1 on, in a scale that shows the first ones best."""
    axes.set_xscale("log")
    axes.set_xlim(0.9, max(2.0, n_elements) * 1.1)
    marks = [
        m for m in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if m <= n_elements
    ]
    axes.set_xticks(marks, [str(mark) for mark in marks])
    axes.set_xticks([], minor=True)
    axes.set_xlabel(f"rank (of {n_elements}; 1 is the most suspicious)")


def _shown(name: str) -> str:
    name = printable(name)
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 3]}..."
