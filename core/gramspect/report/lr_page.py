"""A small LR graph as one HTML page: its sizes, its picture, and the path of every pop edge."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from gramspect.generation.minimal import Minimal
from gramspect.lrgraph.graph import LRGraph
from gramspect.report.lr_drawing import svg_lines
from gramspect.report.lrgraph import PathRow, lr_graph_lines, path_rows
from gramspect.report.words import printable

__all__ = ["page_lines"]

_STYLE = """
body { font-family: sans-serif; margin: 2em; }
svg { max-width: 100%; max-height: 80vh; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid #ddd; padding: 0.3em 0.8em; text-align: left; }
td { font-family: monospace; vertical-align: top; }
"""


def page_lines(graph: LRGraph, minimal: Minimal) -> Iterator[str]:
    """The page line by line; it needs nothing beside it.

    Raises:
        GramspectError: the graph is too large for a picture.
    """
    picture = list(svg_lines(graph))
    title = escape(printable(f"LR graph of {graph.grammar.name} ({graph.kind})"))
    yield "<!DOCTYPE html>"
    yield f'<html lang="en"><head><meta charset="utf-8"/><title>{title}</title>'
    yield f"<style>{_STYLE}</style></head><body>"
    yield f"<h1>{title}</h1>"
    sizes = ("".join(piece.text for piece in line) for line in lr_graph_lines(graph))
    yield f"<pre>{escape(chr(10).join(sizes))}</pre>"
    yield from picture
    yield "<p>Push edges are solid, pop edges dashed. A pop edge is a reduction in one context.</p>"
    heads = "".join(f"<th>{name.replace('_', ' ')}</th>" for name in PathRow._fields)
    yield f"<table><tr>{heads}</tr>"
    for row in path_rows(graph, minimal):
        cells = "".join(f"<td>{escape(printable(cell))}</td>" for cell in row)
        yield f"<tr>{cells}</tr>"
    yield "</table></body></html>"
