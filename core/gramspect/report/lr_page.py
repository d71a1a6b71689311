"""An LR graph as one HTML page: its sizes, a picture, and the path of every pop edge."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from markupsafe import Markup

from gramspect.errors import GramspectError
from gramspect.generation.minimal import Minimal
from gramspect.lrgraph.graph import LRGraph
from gramspect.report.html import asset, content_policy, environment
from gramspect.report.lr_drawing import svg_lines
from gramspect.report.lrgraph import PathRow, lr_graph_lines, path_rows
from gramspect.report.words import printable

__all__ = ["lr_graph_html"]


def lr_graph_html(graph: LRGraph, minimal: Minimal, edges: Sequence[int]) -> str:
    """The page, with a picture of some edges; it needs nothing beside it.

    If there are too many to draw, it says so in the place of the picture.
    """
    try:
        picture = Markup("\n".join(svg_lines(graph, edges)))
    except GramspectError as too_many:
        picture = Markup("<p>No picture: {}.</p>").format(too_many.message)
    style = asset("page.css") + asset("comparison.css") + asset("lrgraph.css")
    script = f"'use strict';\n{asset('theme.js')}"
    sizes = ("".join(piece.text for piece in line) for line in lr_graph_lines(graph))
    return (
        environment()
        .get_template("lrgraph.html")
        .render(
            title=f"LR graph of {printable(graph.grammar.name)} ({graph.kind})",
            summary=(),
            notes=(),
            sizes="\n".join(sizes),
            picture=picture,
            heads=[name.replace("_", " ") for name in PathRow._fields],
            rows=list(path_rows(graph, minimal)),
            policy=content_policy(style, script),
            style=Markup(style),
            script=Markup(script),
            version=version("gramspect"),
        )
    )
