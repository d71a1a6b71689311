"""LR graphs: their sizes, how fast suites are made of them, and how good mutations are.

    python benchmarks/lr_graphs.py [sizes] [speed] [counts] [seeds] [edits]

* `sizes`: the graphs of the C and the SQL-like grammar over each automaton, and the time they take;
* `speed`: tests per second of pop edge coverage, and of edge mutations written as lines;
* `counts`: the exact number of mutations of each kind;
* `seeds`: the sizes of pop edge coverage suites over 100 seeds;
* `edits`: of all words one token away from a sentence of the pop edge coverage suite of a small
  grammar, how many are no sentences (by the general chart), and how many of these each analysis
  finds, and pairs of tokens that are never next to each other (``--negative tokens``).

Without arguments, all of them. Times are CPU times of one run; peaks are those of the
process so far.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time

import sql_like
from gramspect.generation.generate import Generation, Plan
from gramspect.generation.minimal import Minimal
from gramspect.generation.path_suite import PathWays
from gramspect.generation.pop_edges import PopEdgeCover
from gramspect.grammars.grammar import Grammar
from gramspect.lrgraph.analyses import AnalysisKind
from gramspect.lrgraph.conflicts import conflict_counts
from gramspect.lrgraph.graph import AutomatonKind, lr_graph
from gramspect.recognition.chart import parse_chart
from gramspect.yacc import read_yacc
from lr_tables import c_grammar

FIXTURES = Path(__file__).parents[1] / "fixtures"
LARGE = {"C": c_grammar, "SQL-like": sql_like.grammar}
TWO = (AutomatonKind.LR0, AutomatonKind.LR1)
LINES = 5_000_000
"""How many mutated tests are written for the speed."""
SEEDS = 100

DYCK_A = [("D", []), ("D", ["[", "D", "]", "D"])]
DYCK_B = [("D", []), ("D", ["D", "[", "D", "]"])]
DYCK_C = [("D", []), ("D", ["D", "D"]), ("D", ["[", "D", "]"])]
EXPRESSION = [("E", ["E", "+", "E"]), ("E", ["(", "E", ")"]), ("E", ["num"])]
STRATIFIED = [
    ("E", ["E", "+", "T"]), ("E", ["T"]), ("T", ["T", "*", "F"]), ("T", ["F"]),
    ("F", ["(", "E", ")"]), ("F", ["id"]),
]  # fmt: skip


def main() -> None:
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    parts = {"sizes": sizes, "speed": speed, "counts": counts, "seeds": seeds, "edits": edits}
    for name in sys.argv[1:] or parts:
        print(f"\n{name}")
        for row in parts[name]():
            print("| " + " | ".join(map(str, row)) + " |", flush=True)


def peak() -> str:
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB"


def sizes() -> Iterator[tuple[object, ...]]:
    yield "grammar", "automaton", "states", "push", "pop", "conflicts", "seconds", "peak"
    for name, make in LARGE.items():
        for kind in AutomatonKind:
            begin = process_time()
            graph = lr_graph(make(), kind)
            seconds = process_time() - begin
            found = conflict_counts(graph)
            yield (
                name, kind, f"{graph.n_vertices:,}", f"{graph.n_push:,}", f"{graph.n_pop:,}",
                f"{found.shift_reduce:,} + {found.reduce_reduce:,}", f"{seconds:.1f}", peak(),
            )  # fmt: skip


def speed() -> Iterator[tuple[object, ...]]:
    yield "grammar", "automaton", "what", "tests", "seconds", "tests a second"
    for name, make in LARGE.items():
        grammar = make()
        for kind in TWO:
            graph = lr_graph(grammar, kind)
            minimal = Minimal(grammar)
            begin = process_time()
            n = sum(1 for _ in PopEdgeCover(graph, minimal))
            yield _rate(name, kind, "pec", n, process_time() - begin)
            tests = Generation(grammar, Plan((), negative=("edges",), paths=PathWays(kind)))
            total = tests.count()  # the tables that are made once
            begin = process_time()
            with Path(os.devnull).open("w", encoding="utf-8") as stream:
                stream.writelines(tests.lines(0, min(total, LINES)))
            n = min(total, LINES)
            yield _rate(name, kind, "edge mutations as lines", n, process_time() - begin)


def _rate(name: str, kind: str, what: str, n: int, seconds: float) -> tuple[object, ...]:
    return name, kind, what, f"{n:,}", f"{seconds:.2f}", f"{n / seconds:,.0f}"


def counts() -> Iterator[tuple[object, ...]]:
    yield "grammar", "automaton", "analysis", "sentences", "kind", "tests", "seconds", "peak"
    for name, make in LARGE.items():
        for kind in TWO:
            for analysis in AnalysisKind:
                begin = process_time()
                ways = PathWays(kind, analysis)
                plan = Plan((), negative=("edges", "stacks"), paths=ways)
                paths = Generation(make(), plan).paths
                for part in paths.parts:
                    yield name, kind, analysis, f"{len(paths.base):,}", part.name, f"{len(part):,}"
                yield name, kind, analysis, "", "all", f"{len(paths):,}", *_since(begin)


def _since(begin: float) -> tuple[str, str]:
    return f"{process_time() - begin:.1f}", peak()


def seeds() -> Iterator[tuple[object, ...]]:
    yield "grammar", "automaton", "seeds", "least", "mean", "most", "seconds"
    for name, make in LARGE.items():
        grammar = make()
        for kind in TWO:
            graph = lr_graph(grammar, kind)
            found = []
            begin = process_time()
            for seed in range(SEEDS):
                minimal = Minimal(grammar, random=Random(seed))
                found.append(len({hash(d.tokens) for _, d in PopEdgeCover(graph, minimal)}))
            sizes = min(found), f"{sum(found) / len(found):.1f}", max(found)
            yield name, kind, SEEDS, *sizes, f"{process_time() - begin:.0f}"


def edits() -> Iterator[tuple[object, ...]]:
    ways = [PathWays(kind, analysis) for kind in TWO for analysis in AnalysisKind]
    shown = [f"{each.analysis} {each.automaton}" for each in ways]
    yield "grammar", "sentences", "words one edit away", "no sentences", *shown, "pairs"
    for name, grammar in small_grammars():
        base = {test.tokens for test in Generation(grammar, Plan(("pec",)))}
        words = {word for sentence in base for word in edited(grammar, sentence)}
        negative = {word for word in words if not parse_chart(grammar, word).accepted}
        found = [found_by(grammar, Plan((), negative=("edges",), paths=each)) for each in ways]
        pairs = ("token-deletion", "token-insertion", "token-substitution")
        found.append(found_by(grammar, Plan((), negative=pairs, base=("pec",))))
        assert all(each <= negative for each in found)
        shares = [f"{len(each):,}" for each in found]
        yield name, len(base), f"{len(words):,}", f"{len(negative):,}", *shares


def found_by(grammar: Grammar, plan: Plan) -> set[tuple[int, ...]]:
    return {test.tokens for test in Generation(grammar, plan)}


def edited(grammar: Grammar, sentence: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All words that are one token away from a sentence."""
    tokens = range(1, grammar.n_terminals)
    for at in range(len(sentence) + 1):
        for token in tokens:
            yield (*sentence[:at], token, *sentence[at:])
    for at in range(len(sentence)):
        yield sentence[:at] + sentence[at + 1 :]
        for token in tokens:
            if token != sentence[at]:
                yield (*sentence[:at], token, *sentence[at + 1 :])


def small_grammars() -> Iterator[tuple[str, Grammar]]:
    for name, rules in (
        ("Dyck, Figure 1(a)", DYCK_A), ("Dyck, Figure 1(b)", DYCK_B), ("Dyck, Figure 1(c)", DYCK_C),
        ("expressions, Figure 4", EXPRESSION), ("stratified expressions", STRATIFIED),
    ):  # fmt: skip
        yield name, Grammar.from_rules(rules, name=name)
    yield "toy", read_yacc(FIXTURES / "toy" / "toy.y")


if __name__ == "__main__":
    main()
