"""``gramspect lrgraph``."""

from __future__ import annotations

import click

from gramspect.cli.keeping import KeepsInputs
from gramspect.cli.options import Count, choice, loading_options, report_options
from gramspect.cli.output import write_lines, write_text
from gramspect.files import check_writable
from gramspect.lr.automaton import MAX_STATES
from gramspect.lrgraph.graph import AutomatonKind, LRGraph, lr_graph
from gramspect.recognition.recognizer import LoadOptions

__all__ = ["lrgraph"]

_FORMATS = ("text", "json", "paths", "dot", "svg", "html")


@click.command(
    cls=KeepsInputs,
    matters={
        "around": "gramspect lrgraph calc.y --format svg --around term",
        "form": "gramspect lrgraph calc.y --format html -o calc.html",
        "output": "gramspect lrgraph Calc.g4 --format dot -o calc.dot",
    },
)
@click.argument("grammar")
@choice("--automaton", AutomatonKind, AutomatonKind.LR0, "The automaton that the graph is made of.")
@loading_options
@click.option(
    "--max-states",
    type=Count(min=1),
    default=MAX_STATES,
    show_default=True,
    metavar="N",
    help="Give up when the automaton has more states.",
)
@click.option(
    "--around",
    metavar="NAME",
    help="Draw only the edges at a state (q12), or of the reductions of a non-terminal.",
)
@report_options(
    _FORMATS,
    "Sizes as text or JSON; all pop edges (paths); a drawing (dot, svg); a page with all of that.",
)
def lrgraph(
    *,
    grammar: str,
    automaton: str,
    max_states: int,
    around: str | None,
    form: str,
    output: str | None,
    load: LoadOptions,
) -> None:
    """Show the LR graph of GRAMMAR: its size, its edges, or a drawing.

    GRAMMAR is what an adapter takes; its parser is not run. An LR graph has an edge for every
    context of a parser's stack in which a rule can be reduced. gramspect generate makes tests that
    cover the graph, and gramspect coverage says what tests use of it.

    Exit status: 0 the graph is shown, 2 something cannot be used.
    """
    from gramspect.generation.sources import read_grammar

    if output is not None:
        check_writable(output)
    loaded, _ = read_grammar(grammar, load=load)
    _write(lr_graph(loaded, AutomatonKind(automaton), max_states), around, form, output)


def _write(graph: LRGraph, around: str | None, form: str, output: str | None) -> None:
    """Write the report in a format; only what the format needs is imported.

    Raises:
        UsageError: a part is wanted of what is no drawing.
    """
    if around is not None and form not in ("dot", "svg", "html"):
        raise click.UsageError("--around is for drawings: --format dot, svg or html")
    from gramspect.lrgraph.parts import edges_around

    edges = edges_around(graph, around)
    if form in ("dot", "svg"):
        from gramspect.report.lr_drawing import dot_lines, svg_lines

        lines = dot_lines(graph, edges) if form == "dot" else svg_lines(graph, edges)
        write_text("\n".join([*lines, ""]), output)
        return
    from gramspect.report.lrgraph import lr_graph_json, lr_graph_lines, path_lines

    if form == "json":
        write_text(lr_graph_json(graph), output)
        return
    if form == "text":
        write_lines(lr_graph_lines(graph), output)
        return
    from gramspect.generation.minimal import Minimal

    minimal = Minimal(graph.grammar)
    if form == "paths":
        write_lines(path_lines(graph, minimal), output)
    else:
        from gramspect.report.lr_page import lr_graph_html

        write_text(lr_graph_html(graph, minimal, edges), output)
