"""Coverage of the edges of an LR graph for people and programs (docs/lrgraphs.md)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

from gramspect.grammar_coverage.lr_edges import EdgeCoverage, ShortestCover
from gramspect.report.json import Json
from gramspect.report.words import Line, Piece, counted, printable

__all__ = ["lr_edge_lines", "lr_edge_value"]


def lr_edge_lines(result: EdgeCoverage, top: int) -> Iterator[Line]:
    """How many edges the tests use, and shortest tests for the first ones that they do not."""
    tests = f"{result.n_inputs - len(result.rejected):,} of {counted(result.n_inputs, 'test')}"
    for pop, name in ((False, "push edges"), (True, "pop edges")):
        covered, total = result.counts(pop=pop)
        share = math.floor(1000 * covered / total) / 10 if total else 100.0
        yield [
            Piece(f"{name} of the {result.graph.kind} graph: "),
            Piece(f"{covered:,} of {total:,}", "green" if covered == total else "bold"),
            Piece(f" ({share:.1f} %), in {tests}"),
        ]
    missing = len(result.missing)
    if missing:
        yield [Piece("Not used, with a shortest test for each:", "bold red")]
    for edge, words in islice(_missing(result), top):
        yield [Piece(printable(f"  {result.graph.edge_text(edge)}"))]
        yield [Piece(printable(f"      {' '.join(words) or '(empty)'}"), "dim")]
    if missing > top:
        yield [Piece(f"... and {missing - top:,} more (--top shows them)", "dim")]


def lr_edge_value(result: EdgeCoverage, top: int) -> dict[str, Json]:
    """The same as JSON values."""
    push, pop = result.counts(pop=False), result.counts(pop=True)
    missing: list[Json] = [
        {"edge": result.graph.edge_text(edge), "test": list(words)}
        for edge, words in islice(_missing(result), top)
    ]
    return {
        "automaton": str(result.graph.kind),
        "push_edges": {"covered": push[0], "total": push[1]},
        "pop_edges": {"covered": pop[0], "total": pop[1]},
        "sentences": result.n_inputs - len(result.rejected),
        "missing": missing,
    }


def _missing(result: EdgeCoverage) -> Iterator[tuple[int, list[str]]]:
    """The edges that no test uses, with the tokens of a shortest sentence that does."""
    cover = ShortestCover(result.graph)
    symbols = result.graph.grammar.symbols
    for edge in result.missing:
        try:
            tokens = cover.sentence(edge).tokens
        except KeyError:  # none that is small enough
            continue
        yield edge, [symbols[token].display for token in tokens]
