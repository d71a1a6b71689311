"""The contents of an LR graph, as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from gramspect.generation.minimal import Minimal
from gramspect.generation.pop_edges import PopEdgeCover
from gramspect.lrgraph.conflicts import conflict_counts
from gramspect.lrgraph.graph import AutomatonKind, LRGraph
from gramspect.report.words import Line, Piece, counted, printable

__all__ = ["PathRow", "lr_graph_json", "lr_graph_lines", "path_lines", "path_rows"]

_NAMES = {
    AutomatonKind.LR0: "LR(0)",
    AutomatonKind.LALR1: "LALR(1)",
    AutomatonKind.LR1: "canonical LR(1)",
}

SCHEMA = "gramspect/lrgraph/1"


def lr_graph_value(graph: LRGraph) -> dict[str, Any]:
    """The sizes of a graph, as JSON values; the sink counts as a state, the edge to it as one."""
    grammar, conflicts = graph.grammar, conflict_counts(graph)
    return {
        "schema": SCHEMA,
        "grammar": {
            "name": grammar.name,
            "files": list(grammar.files),
            "start": grammar.symbols[grammar.start].name,
            "rules": grammar.n_rules,
            "nonterminals": grammar.n_nonterminals,
            "terminals": grammar.n_terminals - 1,
        },
        "automaton": str(graph.kind),
        "states": graph.n_vertices,
        "push_edges": graph.n_push,
        "pop_edges": graph.n_pop,
        "useless_edges": graph.n_edges - int(graph.useful.sum()),
        "conflicts": conflicts._asdict(),
    }


def lr_graph_json(graph: LRGraph) -> str:
    """`lr_graph_value` as text."""
    return json.dumps(lr_graph_value(graph), indent=1) + "\n"


def lr_graph_lines(graph: LRGraph) -> list[Line]:
    """The first block of the paper's Table 1, for one automaton."""
    value = lr_graph_value(graph)
    conflicts = value["conflicts"]
    rows = [
        ("states", f"{value['states']:,}"),
        ("push edges", f"{value['push_edges']:,}"),
        ("pop edges", f"{value['pop_edges']:,}"),
    ]
    if value["useless_edges"]:
        rows.append(("edges in no sentence", f"{value['useless_edges']:,}"))
    for kind in ("shift_reduce", "reduce_reduce"):
        number, states = conflicts[kind], conflicts[f"{kind}_states"]
        shown = f"{number:,} ({counted(states, 'state')})" if number else "0"
        rows.append((f"{kind.replace('_', '/')} conflicts", shown))
    described = value["grammar"]
    sizes = [counted(described[f"{what}s"], what) for what in ("rule", "terminal")]
    sizes.insert(1, counted(described["nonterminals"], "non-terminal"))
    head = f"{described['name']}: {', '.join(sizes)}, start symbol {described['start']}"
    lines: list[Line] = [
        [Piece(printable(head), "bold")],
        [Piece(f"LR graph over the {_NAMES[graph.kind]} automaton")],
        [],
    ]
    width = max(len(name) for name, _ in rows)
    lines += [[Piece(f"  {name:{width}}  {number}")] for name, number in rows]
    return lines


class PathRow(NamedTuple):
    """A row of the paper's Figure 3: a pop edge, its paths, and the sentence that uses it."""

    pop_edge: str
    reduction_path: str
    embedding: str
    test: str


def path_rows(graph: LRGraph, minimal: Minimal) -> Iterator[PathRow]:
    """A row for every pop edge that sentences use."""
    symbols = graph.grammar.symbols
    for pop, derivation in PopEdgeCover(graph, minimal):
        test = " ".join(symbols[token].display for token in derivation.tokens)
        yield PathRow(
            graph.edge_text(graph.n_push + pop),
            graph.path_text(graph.reduction_path(pop)),
            graph.path_text(graph.accepting_path(derivation.rules)),
            test or "(empty)",
        )


def path_lines(graph: LRGraph, minimal: Minimal) -> list[Line]:
    """Every pop edge with its reduction path, embedding and test, as in the paper's Figure 3."""
    lines: list[Line] = []
    for row in path_rows(graph, minimal):
        shown = [
            row.pop_edge,
            f"  reduction path  {row.reduction_path}",
            f"  embedding       {row.embedding}",
            f"  test            {row.test}",
        ]
        lines += [[Piece(printable(line))] for line in shown]
    return lines
