"""Plots: readable files, the same ones each time, names as they are, no matplotlib unless asked."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np
import pytest

from command import ACCEPT, FAULTY, Command
from gramspect import (
    Comparison,
    Grammar,
    GramspectError,
    Localization,
    MissingDependency,
    TestSuite,
    adapter,
    compare,
    localize,
)
from gramspect.report.plots import PALETTE, plot_distributions, plot_ranks, plot_scores, save
from page_results import C_TESTS, C

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@cache
def suite() -> TestSuite:
    return TestSuite.load([ACCEPT], lines=True)


@cache
def toy() -> Comparison:
    return compare(FAULTY, suite(), adapters=["chart", "native", "ply"])


@cache
def ranked(**how: Any) -> Localization:
    return localize(FAULTY, suite(), **how)


@cache
def many_names() -> Localization:
    """A grammar of 100 names; where repairs are does not matter."""
    tests = TestSuite.load(accept=[C_TESTS / "accept"], reject=[C_TESTS / "reject"])
    return localize(f"{C}:FaultyCParser", tests, evidence="both")


def distributions() -> Figure:
    return plot_distributions({"ochiai": [1, 1, 2.5, 7], "tarantula": [3, 30]}, 81)


PLOTS: dict[str, Callable[[], Figure]] = {
    "ranks": lambda: plot_ranks(toy()),
    "scores": lambda: plot_scores(ranked()),
    "scores of rules": lambda: plot_scores(ranked(spectrum="rule")),
    "distributions": distributions,
}


def texts(path: Path) -> list[str]:
    """The texts of an SVG file, in order."""
    root = ElementTree.parse(path).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return [e.text or "" for e in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("name", PLOTS)
@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_the_same_picture_each_time(name: str, suffix: str, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}{suffix}" for number in range(2)]
    for file in files:
        save(PLOTS[name](), str(file))
    first, second = (file.read_bytes() for file in files)
    assert first == second
    if suffix == ".png":
        assert first.startswith(b"\x89PNG\r\n\x1a\n")
    else:
        assert texts(files[0])


def test_ranks_show_the_top_elements_and_every_technique(tmp_path: Path) -> None:
    save(PLOTS["ranks"](), str(tmp_path / "ranks.svg"))
    shown = texts(tmp_path / "ranks.svg")
    first = [toy().units[unit] for unit in toy().top_units()]
    top = [f"{unit.label}, line {unit.span.line}" for unit in first if unit.span]
    assert len(top) == len(first)
    assert [text for text in shown if text in top] == top
    assert {"chart", "native", "ply"} <= set(shown)


def test_markers_are_at_the_ranks() -> None:
    (axes,) = PLOTS["ranks"]().axes
    for number, line in enumerate(axes.lines):
        expected = toy().ranks[toy().top_units(), number]
        assert np.array_equal(np.asarray(line.get_xdata(), np.float64), expected)


def test_bars_are_the_scores() -> None:
    result = ranked()
    (axes,) = plot_scores(result).axes
    heights = [bar.get_height() for bar in axes.patches if bar.get_width() == 1]  # type: ignore[attr-defined]
    scores = {element.element: element.score for element in result.ranking}
    assert heights == [scores.get(item, 0.0) for item in range(result.grammar.n_items)]


def test_names_at_scores_do_not_overlap(tmp_path: Path) -> None:
    """Those of the toy, whose suspicious rules are neighbours, and of a grammar of 100 names."""
    for result in (ranked(), many_names()):
        figure = plot_scores(result)
        figure.savefig(tmp_path / "scores.png")
        (axes,) = figure.axes
        for texts in (axes.texts, axes.get_xticklabels()):
            boxes = [text.get_window_extent() for text in texts if text.get_text()]
            assert len(boxes) >= 3
            assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
            assert min(box.x0 for box in boxes) >= 0
        named = {text.get_text().split(". ")[1].split(",")[0] for text in axes.texts}
        assert named <= {label.get_text() for label in axes.get_xticklabels()}


def test_boxes_are_quartiles() -> None:
    (axes,) = plot_distributions({"one": [1, 2, 3, 4, 5]}, 10).axes
    box = axes.patches[0].get_path().get_extents()
    assert (box.x0, box.x1) == (2, 4)


def test_names_are_no_formulas_and_break_nothing(tmp_path: Path) -> None:
    names = ["$x_1$", "a&b<c>", "\x00\x1b\u202e\u2028", "x" * 100]
    grammar = Grammar.from_rules([("s", names), *((name, ["t"]) for name in names)])
    result = compare(
        grammar,
        TestSuite.from_texts(["t t t t", "t t t"]),
        adapters=["chart", "native"],
        group=True,
    )
    save(plot_ranks(result), str(tmp_path / "ranks.svg"))
    shown = texts(tmp_path / "ranks.svg")
    assert {"$x_1$", "a&b<c>", "\\x00\\x1b\\u202e\\u2028", f"{'x' * 37}..."} <= set(shown)
    save(plot_scores(localize(adapter("native").build(grammar), TestSuite.from_texts(["t t t"]))),
         str(tmp_path / "scores.png"))  # fmt: skip


def test_settings_of_the_user_stay_and_do_not_count(tmp_path: Path) -> None:
    import matplotlib as mpl

    save(distributions(), str(tmp_path / "before.svg"))
    with mpl.rc_context({"font.size": 30, "text.usetex": True, "axes.facecolor": "red"}):
        save(distributions(), str(tmp_path / "after.svg"))
        assert mpl.rcParams["font.size"] == 30
    assert (tmp_path / "before.svg").read_bytes() == (tmp_path / "after.svg").read_bytes()


def linear(colour: str) -> np.ndarray:
    """Linear RGB of a colour like ``#0072B2``."""
    values = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


# What dichromats see, in linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
DICHROMATS = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                   [0.004733, 0.691367, 0.303900]],
}  # fmt: skip


@pytest.mark.parametrize("kind", DICHROMATS)
def test_colours_are_told_apart_without_full_colour_vision(kind: str) -> None:
    """Far more than a just noticeable difference (about 2.3 in CIELAB)."""
    seen = [lab(np.array(DICHROMATS[kind]) @ linear(colour)) for colour in PALETTE]
    distances = [float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2)]
    assert min(distances) > 9


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIELAB of linear RGB, under D65."""
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.array(to_xyz) @ np.clip(rgb, 0, 1) / np.array([0.9505, 1, 1.089])
    f = [np.cbrt(v) if v > (6 / 29) ** 3 else v * (29 / 6) ** 2 / 3 + 4 / 29 for v in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


class TestErrors:
    def test_nothing_to_draw(self) -> None:
        passing = TestSuite.from_texts(["program id = { } ."])
        with pytest.raises(GramspectError, match="no ranks to draw"):
            plot_ranks(compare(FAULTY, passing, adapters=["native"]))
        with pytest.raises(GramspectError, match="no scores to draw"):
            plot_scores(localize(FAULTY, passing))
        with pytest.raises(GramspectError, match="no ranks to draw"):
            plot_distributions({"none": []}, 10)

    def test_formats(self, tmp_path: Path) -> None:
        with pytest.raises(GramspectError, match=r"ends in \.svg or \.png"):
            save(distributions(), str(tmp_path / "plot.pdf"))

    def test_without_matplotlib(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr("gramspect.report.plots.find_spec", lambda _: None)
        with pytest.raises(MissingDependency, match=r"gramspect\[plots\]"):
            save(distributions(), str(tmp_path / "plot.svg"))

    def test_grouped_scores(self) -> None:
        """The ranking of non-terminals has one element of each; scores are drawn for these."""
        (axes,) = plot_scores(ranked(group=True)).axes
        assert len(axes.patches) > 0


def test_localize_draws_scores(command: Command, tmp_path: Path) -> None:
    plot = tmp_path / "scores.svg"
    answer = command("localize", FAULTY, "--lines", "--accept", ACCEPT, "--plot", plot)
    assert answer.status == 1
    shown = texts(plot)
    assert "the grammar from its first rule to its last" in shown
    first = ranked().ranking[0]
    assert first.span is not None
    assert f"1. {first.nonterminal}, line {first.span.line}" in shown
    assert "How suspicious each position of toy-faulty is: 2 failing tests of 16" in shown


def test_it_is_loaded_only_when_something_is_drawn() -> None:
    program = (
        "import sys; from gramspect.cli import main; sys.argv[1:] = sys.argv[2:]\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print('matplotlib' in sys.modules)"
    )
    arguments = ["compare", FAULTY, "--lines", "--accept", ACCEPT, "--adapters", "native"]
    done = subprocess.run(
        [sys.executable, "-c", program, "gramspect", *arguments],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "False"
