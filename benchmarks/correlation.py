"""How well k-path coverage foretells branch coverage (Havrikov, Kampmann and Zeller 2024, 4.4).

    python benchmarks/correlation.py [SUBJECT...] [--forests N] [--plot FILE.svg]

Forests, sets of inputs, of graded coverage: subsets of all sizes of a suite that covers the k-paths
of ``association_subjects/Json.g4``. For each the coverage of k-paths for k from 1 to 5 is set
against the branches that the subject covers on it (JaCoCo), by Spearman's rank correlation. The
subjects are the Java ones of `associations`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

from scipy.stats import spearmanr

from associations import JAVA, JavaProgram, Language, branches, raised
from gramspect.generation.generate import Plan, generate
from gramspect.generation.kpaths import KPaths

LENGTHS = range(1, 6)
JSON = [name for name, subject in JAVA.items() if subject.grammar == "Json"]


def forests(language: Language, count: int, random: Random) -> list[list[str]]:
    """Subsets of a suite, from one input to many; each size is as likely on a logarithmic scale."""
    suite = [
        language.text(test.tokens) for test in generate(language.grammar, Plan(("k-paths:2",)))
    ]
    most = len(suite)
    sizes = [max(1, round(most ** random.random())) for _ in range(count)]
    return [random.sample(suite, size) for size in sizes]


def covered(program: JavaProgram, sets: Sequence[Sequence[str]]) -> list[int]:
    """How many branches each set of inputs covers."""
    found = []
    with tempfile.TemporaryDirectory() as folder, program.started(Path(folder)) as process:
        for texts in sets:
            for text in texts:
                raised(process, text)
            found.append(branches(process)[0])
        assert process.stdin is not None
        process.stdin.close()
    return found


def plotted(points: dict[str, tuple[list[float], list[int]]], file: str) -> None:
    """Branches over the coverage of 3-paths, a picture for each subject."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    _, axes = pyplot.subplots(1, len(points), figsize=(3.2 * len(points), 3), squeeze=False)
    for axis, (name, (xs, ys)) in zip(axes[0], points.items(), strict=True):
        axis.scatter(xs, ys, s=8)
        axis.set_title(name)
        axis.set_xlabel("3-path coverage")
    axes[0][0].set_ylabel("branches covered")
    pyplot.tight_layout()
    pyplot.savefig(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("subjects", nargs="*", default=JSON)
    parser.add_argument("--forests", type=int, default=100)
    parser.add_argument("--plot", metavar="FILE")
    chosen = parser.parse_args()
    language = Language(max(LENGTHS))
    counts = {k: KPaths(language.paths.graph, k).count for k in LENGTHS}
    sets = forests(language, chosen.forests, Random(1))
    known: dict[str, frozenset[int]] = {}
    coverage: dict[int, list[float]] = {k: [] for k in LENGTHS}
    for texts in sets:
        for text in texts:
            if text not in known:
                known[text] = language.features([text])[0] or frozenset()
        found = frozenset[int]().union(*(known[text] for text in texts))
        lengths = [len(language.paths.paths[number]) for number in found]
        for k in LENGTHS:
            coverage[k].append(lengths.count(k) / counts[k])
    runs = sum(map(len, sets))
    print(f"{len(sets)} forests of {runs:,} inputs; coverage of 3-paths from"
          f" {min(coverage[3]):.3f} to {max(coverage[3]):.3f}")  # fmt: skip
    points = {}
    for name in chosen.subjects:
        found_branches = covered(JavaProgram(JAVA[name]), sets)
        cells = []
        for k in LENGTHS:
            rho, significance = spearmanr(coverage[k], found_branches)
            cells.append(f"{rho:.3f} (p {significance:.0e})")
        print(" | ".join([name, *cells]), flush=True)
        points[name] = coverage[3], found_branches
    if chosen.plot:
        plotted(points, chosen.plot)


if __name__ == "__main__":
    main()
