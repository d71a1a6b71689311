"""LR graphs: their edges, their names, what of them is useful, their conflicts."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given

import strategies
from cfg import Cfg
from gramspect.errors import GrammarError
from gramspect.grammars.grammar import Grammar
from gramspect.lrgraph.conflicts import conflict_counts
from gramspect.lrgraph.graph import AutomatonKind, LRGraph, lr_graph
from graph_oracle import SINK, Edge, OracleGraph, State
from lr_graph_grammars import DYCK_A, DYCK_B, EXPRESSION, FIGURES, grammar_of

KINDS = pytest.mark.parametrize("kind", AutomatonKind)


def oracle_of(cfg: Cfg, kind: AutomatonKind) -> OracleGraph:
    return OracleGraph(cfg, kind is AutomatonKind.LR1)


def matched(graph: LRGraph, oracle: OracleGraph) -> list[State]:
    """The oracle's state for every vertex, found by walking both from the start."""
    symbols = graph.grammar.symbols
    found = {graph.start: oracle.start, graph.sink: SINK}
    todo = [graph.start]
    while todo:
        vertex = todo.pop()
        for edge in range(graph.push_start[vertex], graph.push_start[vertex + 1]):
            target = int(graph.target[edge])
            if target != graph.sink:
                state = oracle.goto(found[vertex], symbols[graph.label[edge]].name)
                assert state is not None
                if target not in found:
                    todo.append(target)
                assert found.setdefault(target, state) == state
    return [found[vertex] for vertex in range(graph.n_vertices)]


def edges_of(graph: LRGraph, oracle: OracleGraph) -> list[Edge]:
    states, symbols = matched(graph, oracle), graph.grammar.symbols
    return [
        (
            states[graph.source[edge]],
            ("$" if (x := int(graph.label[edge])) == 0 else symbols[x].name)
            if edge < graph.n_push
            else int(graph.label[edge]),
            states[graph.target[edge]],
        )
        for edge in range(graph.n_edges)
    ]


def check_graph(cfg: Cfg, kind: AutomatonKind) -> None:
    graph, oracle = lr_graph(grammar_of(cfg), kind), oracle_of(cfg, kind)
    assert graph.n_vertices == len(oracle.states) + 1
    found = edges_of(graph, oracle)
    assert len(found) == len(set(found))
    assert set(found[: graph.n_push]) == oracle.push
    assert set(found[graph.n_push :]) == oracle.pop
    assert graph.useful.all()
    for pop in range(graph.n_pop):
        path = graph.reduction_path(pop)
        rule = graph.grammar.rules[graph.label[graph.n_push + pop]]
        assert [graph.label[e] for e in path] == [*rule.rhs, rule.index, rule.lhs]
        ends = [int(graph.target[e]) for e in path]
        assert [int(graph.source[e]) for e in path] == [
            int(graph.source[path[-1]]),
            *ends[:-1],
        ]


@KINDS
@pytest.mark.parametrize("cfg", FIGURES, ids=["dyck-a", "dyck-b", "dyck-c", "expression"])
def test_the_graphs_of_the_figures_are_those_of_the_definition(
    cfg: Cfg, kind: AutomatonKind
) -> None:
    check_graph(cfg, kind)


@given(strategies.grammars())
def test_graphs_are_those_of_the_definition(cfg: Cfg) -> None:
    for kind in AutomatonKind:
        check_graph(cfg, kind)


def texts_of(cfg: Cfg) -> set[str]:
    graph = lr_graph(grammar_of(cfg))
    return set(map(graph.edge_text, range(graph.n_edges)))


def test_vertices_are_named_as_in_the_figures() -> None:
    assert texts_of(DYCK_A) == {
        "q_init -D-> q1", "q_init -[-> q2", "q1 -$-> q_acc", "q2 -[-> q2", "q2 -D-> q3",
        "q3 -]-> q4", "q4 -[-> q2", "q4 -D-> q5", "q_init =D/0=> q_init", "q2 =D/0=> q2",
        "q4 =D/0=> q4", "q5 =D/4=> q_init", "q5 =D/4=> q2", "q5 =D/4=> q4",
    }  # fmt: skip
    # Section 6.2 walks these edges of Figure 4.
    assert texts_of(EXPRESSION) >= {
        "q_init -(-> q2", "q2 -num-> q3", "q3 =E/1=> q2", "q2 -E-> q5", "q5 -)-> q7",
        "q7 =E/3=> q_init", "q_init -E-> q1", "q1 -$-> q_acc", "q4 -(-> q2", "q7 =E/3=> q4",
        "q4 -E-> q6",
    }  # fmt: skip
    assert texts_of(DYCK_B) == {
        "q_init -D-> q1", "q1 -$-> q_acc", "q1 -[-> q2", "q2 -D-> q3", "q3 -[-> q2", "q3 -]-> q4",
        "q_init =D/0=> q_init", "q2 =D/0=> q2", "q4 =D/4=> q_init", "q4 =D/4=> q2",
    }  # fmt: skip


def test_edges_that_no_sentence_uses_are_told() -> None:
    grammar = Grammar.from_rules([("S", ["a"]), ("S", ["b", "U"]), ("U", ["c", "U"])])
    graph = lr_graph(grammar)
    useful = {graph.edge_text(e) for e in range(graph.n_edges) if graph.useful[e]}
    assert useful == {"q_init -S-> q1", "q_init -a-> q2", "q1 -$-> q_acc", "q2 =S/1=> q_init"}


@given(strategies.grammars())
def test_conflicts_are_those_of_the_item_sets(cfg: Cfg) -> None:
    tokens = [*sorted(cfg.terminals), "$"]
    for kind in (AutomatonKind.LR0, AutomatonKind.LR1):
        counted = conflict_counts(lr_graph(grammar_of(cfg), kind))
        shift_reduce, reduce_reduce = [], []
        for state in oracle_of(cfg, kind).states:
            done = {
                (rule, ahead)
                for rule, dot, ahead in state
                if rule >= 0 and dot == len(cfg.rhs(rule))
            }
            on = {t: {r for r, ahead in done if ahead in ("", t)} for t in tokens}
            shifted = {cfg.rhs(r)[d] for r, d, _ in state if d < len(cfg.rhs(r))}
            shift_reduce.append(sum(1 for t in tokens if on[t] and t in shifted))
            reduce_reduce.append(sum(max(0, len(on[t]) - 1) for t in tokens))
        assert counted == (
            sum(shift_reduce), sum(map(bool, shift_reduce)),
            sum(reduce_reduce), sum(map(bool, reduce_reduce)),
        )  # fmt: skip


def test_too_many_states_are_one_clear_message() -> None:
    grammar = grammar_of(EXPRESSION)
    with pytest.raises(GrammarError, match="more than 5 states"):
        lr_graph(grammar, AutomatonKind.LR0, 5)
    with pytest.raises(GrammarError, match="more than 12 states"):
        lr_graph(grammar, AutomatonKind.LR1, 12)


@pytest.mark.slow
def test_an_automaton_too_large_for_memory_says_how_many_states_there_were(tmp_path: Path) -> None:
    """Every set of the tokens read so far is a state: more than memory for 64 MB holds."""
    numbers = range(20)
    rules = [f"S : {' | '.join(f'A{i}' for i in numbers)} ;"]
    for i in numbers:
        others = " | ".join(f"'t{j}' A{i}" for j in numbers if j != i)
        rules.append(f"A{i} : {others} | 't{i}' ;")
    grammar, report = tmp_path / "exponential.y", tmp_path / "report.txt"
    grammar.write_text("%%\n" + "\n".join(rules) + "\n")
    small = tmp_path / "small.y"
    small.write_text("%%\nS : 'a' ;\n")
    command = f"""
import resource, sys
from pathlib import Path
from gramspect.cli import cli, main
cli.main(["lrgraph", {str(small)!r}], standalone_mode=False)  # so that all is loaded
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + 64 * 1024**2,) * 2)
sys.argv[1:] = ["lrgraph", {str(grammar)!r}, "-o", {str(report)!r}]
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert re.fullmatch(
        r"gramspect: error: there is not enough memory for the LR\(0\) automaton of the grammar "
        r"exponential, which has more than [\d,]+ states; take criteria without a graph\n",
        done.stderr,
    )
    assert not report.exists()
