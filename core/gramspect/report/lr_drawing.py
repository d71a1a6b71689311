"""Pictures of small LR graphs: Graphviz's language, and SVG with a layout of our own.

As in the paper's figures, push edges are solid and pop edges dashed, the source is grey and the
sink has a double outline.

The SVG puts vertices into columns by their distance from the source over push edges. Edges between
neighbouring columns are straight, all others are arcs above (towards the sink) or below. A picture
of some of the edges has the vertices at their ends, and no empty columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from gramspect.errors import GramspectError
from gramspect.lrgraph.graph import LRGraph
from gramspect.report.words import printable

__all__ = ["LARGEST_PICTURE", "dot_lines", "svg_lines"]

LARGEST_PICTURE = 60
"""The most edges of an SVG picture; with more nobody can tell them apart."""

_COLUMN = 150
_ROW = 110
_RADIUS = 22
_MARGIN = 60
_LABEL_AT = (0.36, 0.48, 0.16)
"""Labels are on curves, nearer to the source: the weights of the three points of a curve at 0.4."""


def dot_lines(graph: LRGraph, edges: Sequence[int]) -> Iterator[str]:
    """Edges of a graph in the language of Graphviz, line by line; those with the same ends are
    one."""
    yield "digraph lrgraph {"
    yield "  rankdir=LR;"
    yield '  node [shape=circle, fontname="sans-serif"];'
    yield '  edge [fontname="sans-serif"];'
    for vertex in sorted(_ends(graph, edges)):
        style = ""
        if vertex == graph.start:
            style = " [style=filled, fillcolor=lightgray]"
        elif vertex == graph.sink:
            style = " [shape=doublecircle]"
        yield f"  {graph.names[vertex]}{style};"
    for line in _bundles(graph, edges):
        label = line.label.replace("\\", "\\\\").replace('"', '\\"')
        style = ', style=dashed, color="firebrick"' if line.is_pop else ""
        source, target = graph.names[line.source], graph.names[line.target]
        yield f'  {source} -> {target} [label="{label}"{style}];'
    yield "}"


class _Bundle(NamedTuple):
    """The push or the pop edges from one vertex to another, drawn as one."""

    source: int
    target: int
    is_pop: bool
    label: str


def _ends(graph: LRGraph, edges: Sequence[int]) -> set[int]:
    """The vertices of some edges."""
    return {int(end) for edge in edges for end in (graph.source[edge], graph.target[edge])}


def _bundles(graph: LRGraph, edges: Iterable[int]) -> list[_Bundle]:
    labels: dict[tuple[int, int, bool], list[str]] = {}
    for edge in edges:
        key = int(graph.source[edge]), int(graph.target[edge]), edge >= graph.n_push
        found = labels.setdefault(key, [])
        label = printable(graph.edge_label(edge))
        if label not in found:
            found.append(label)
    return [_Bundle(*key, ", ".join(found)) for key, found in labels.items()]


def svg_lines(graph: LRGraph, edges: Sequence[int]) -> Iterator[str]:
    """Edges of a graph as an SVG picture, line by line.

    Raises:
        GramspectError: it is too large for a picture.
    """
    bundles = _bundles(graph, edges)
    if len(bundles) > LARGEST_PICTURE:
        raise GramspectError(
            f"{len(bundles):,} edges would be drawn, and a picture of more than {LARGEST_PICTURE}"
            " cannot be read; draw the part around a non-terminal or a state with --around NAME,"
            " list all edges with --format paths, or write it as dot for Graphviz"
        )
    place = _places(graph, _ends(graph, edges))
    drawn = [_drawn(place, bundle) for bundle in bundles]
    top = min([y for _, y in place.values()] + [each.top for each in drawn]) - _MARGIN
    bottom = max([y for _, y in place.values()] + [each.bottom for each in drawn]) + _MARGIN
    right = max(x for x, _ in place.values()) + _MARGIN
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-_MARGIN} {top:.0f}'
        f' {right + _MARGIN} {bottom - top:.0f}" font-family="sans-serif" font-size="13">'
    )
    yield f"<title>LR graph of {escape(graph.grammar.name)} ({graph.kind})</title>"
    yield "<defs>"
    for name, colour in (("push", "black"), ("pop", "firebrick")):
        yield (
            f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7"'
            f' markerHeight="7" orient="auto"><path d="M0 0 L10 5 L0 10 z" fill="{colour}"/>'
            "</marker>"
        )
    yield "</defs>"
    yield from (each.curve for each in drawn)
    for vertex, (x, y) in place.items():
        fill = "lightgray" if vertex == graph.start else "white"
        yield f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" fill="{fill}" stroke="black"/>'
        if vertex == graph.sink:
            yield f'<circle cx="{x}" cy="{y}" r="{_RADIUS - 4}" fill="none" stroke="black"/>'
        name = escape(graph.names[vertex])
        yield f'<text x="{x}" y="{y + 4}" text-anchor="middle">{name}</text>'
    yield from (each.text for each in drawn)
    yield "</svg>"


def _places(graph: LRGraph, shown: set[int]) -> dict[int, tuple[int, int]]:
    """Where each vertex stands: columns by distance from the source, the sink in the last."""
    column = {graph.start: 0}
    queue = [graph.start]
    for vertex in queue:  # grows while it is walked
        for edge in range(graph.push_start[vertex], graph.push_start[vertex + 1]):
            target = int(graph.target[edge])
            if target not in column and target != graph.sink:
                column[target] = column[vertex] + 1
                queue.append(target)
    column[graph.sink] = max(column.values()) + 1
    columns = sorted({column[vertex] for vertex in shown})
    column = {vertex: columns.index(column[vertex]) for vertex in shown}
    rows: dict[int, list[int]] = {}
    for vertex in sorted(column, key=lambda v: (len(graph.names[v]), graph.names[v])):
        rows.setdefault(column[vertex], []).append(vertex)
    return {
        vertex: (_COLUMN * at, round(_ROW * (row - (len(members) - 1) / 2)))
        for at, members in rows.items()
        for row, vertex in enumerate(members)
    }


class _Drawn(NamedTuple):
    curve: str
    text: str
    top: float
    bottom: float


def _drawn(place: dict[int, tuple[int, int]], bundle: _Bundle) -> _Drawn:
    """An edge with its label; pop edges bend to the other side than push edges."""
    (x1, y1), (x2, y2) = place[bundle.source], place[bundle.target]
    colour, marker = ("firebrick", "pop") if bundle.is_pop else ("black", "push")
    if bundle.source == bundle.target:
        side = 1 if bundle.is_pop else -1
        y = y1 + side * (_RADIUS - 4)
        far = y1 + side * (_RADIUS + 42)
        path = f"M{x1 - 12} {y} C{x1 - 34} {far} {x1 + 34} {far} {x1 + 12} {y}"
        label_x, label_y = float(x1), far - side * 6 + (4 if side > 0 else 0)
    else:
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        neighbours = abs(x2 - x1) <= _COLUMN
        bend = 24.0 if neighbours else 0.3 * length
        if bundle.is_pop:
            bend = 1.2 * bend + 24
        elif neighbours and x2 > x1:
            bend = 0.0
        # Edges bend to the left: those towards the sink upwards, the others downwards.
        cx, cy = (x1 + x2) / 2 + uy * bend, (y1 + y2) / 2 - ux * bend
        start = _towards(x1, y1, cx, cy)
        end = _towards(x2, y2, cx, cy)
        path = f"M{start} Q{cx:.0f} {cy:.0f} {end}"
        label_x, label_y = (
            _LABEL_AT[0] * at1 + _LABEL_AT[1] * c + _LABEL_AT[2] * at2
            for at1, c, at2 in ((x1, cx, x2), (y1 - 4, cy - 4, y2 - 4))
        )
    dashes = ' stroke-dasharray="5 3"' if bundle.is_pop else ""
    line = f'<path d="{path}" fill="none" stroke="{colour}"{dashes} marker-end="url(#{marker})"/>'
    text = (
        f'<text x="{label_x:.0f}" y="{label_y:.0f}" text-anchor="middle" fill="{colour}"'
        f' stroke="white" stroke-width="3" paint-order="stroke">{escape(bundle.label)}</text>'
    )
    return _Drawn(line, text, label_y - 14, label_y + 6)


def _towards(x: float, y: float, cx: float, cy: float) -> str:
    """The point of a vertex's outline in the direction of another point."""
    length = max(((cx - x) ** 2 + (cy - y) ** 2) ** 0.5, 1.0)
    reach = (_RADIUS + 2) / length
    return f"{x + (cx - x) * reach:.0f} {y + (cy - y) * reach:.0f}"
