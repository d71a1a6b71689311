"""k-path coverage for people and programs (docs/kpaths.md)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

from gramspect.grammar_coverage.kpaths import KPathCoverage
from gramspect.report.values import Json
from gramspect.report.words import Line, Piece, counted, printable

__all__ = ["k_path_lines", "k_path_value"]


def k_path_lines(result: KPathCoverage, top: int) -> Iterator[Line]:
    """How many paths the tests contain, and the first ones that they do not."""
    k, covered, total = result.paths.k, len(result.covered), result.paths.count
    tests = f"{result.n_inputs - len(result.rejected):,} of {counted(result.n_inputs, 'test')}"
    yield [
        Piece(f"{k}-paths: "),
        Piece(f"{covered:,} of {total:,}", "green" if covered == total else "bold"),
        Piece(f" ({math.floor(result.ratio * 1000) / 10:.1f} %), in {tests}"),
    ]
    missing = total - covered
    shown = min(top, missing)
    if missing:
        yield [Piece("Not covered, in the order of the grammar:", "bold red")]
    for path in islice(result.missing(), shown):
        yield [Piece(f"  {printable(result.paths.text(path))}")]
    if missing > shown:
        yield [Piece(f"... and {missing - shown:,} more (--top shows them)", "dim")]


def k_path_value(result: KPathCoverage, top: int) -> dict[str, Json]:
    """The same as JSON values."""
    label = result.paths.graph.label
    return {
        "k": result.paths.k,
        "covered": len(result.covered),
        "total": result.paths.count,
        "percent": float(100 * result.ratio),
        "tests": result.n_inputs - len(result.rejected),
        "missing": [list(map(label, path)) for path in islice(result.missing(), top)],
    }
