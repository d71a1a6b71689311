"""How fast all k-paths of a grammar are covered, and the k-path coverage of inputs is computed.

    python benchmarks/kpaths.py [--tests N] [--inputs N]

For C (pycparser's grammar) and SQL-like statements, k from 1 to 4: how many k-paths there are, how
many tests cover them all, and how many paths are covered and tests are made in a second of CPU
time, all preparation included. Of long suites only the first N tests are made, of those closed off
at random within a depth a tenth of that; what they cover counts. Then the coverage of some of the
tests that were closed off minimally, spread over the suite, is computed by parsing.
"""

from __future__ import annotations

import argparse
import time
from itertools import islice

import sql_like
from gramspect.generation.kpaths import KPaths
from gramspect.generation.kpaths_cover import MOST, KPathCover
from gramspect.generation.kpaths_graph import GrammarGraph
from gramspect.generation.minimal import Minimal
from gramspect.grammar_coverage.kpaths import k_path_coverage
from gramspect.grammars.grammar import Grammar
from lr_tables import c_grammar
from ranking import machine

DEPTH = 40


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures k-path suites and coverage.")
    arguments.add_argument("--tests", type=int, default=50_000, help="at most, of each suite")
    arguments.add_argument("--inputs", type=int, default=1000, help="at most, to parse")
    options = arguments.parse_args()
    for name, grammar in (("C", c_grammar()), ("SQL-like", sql_like.grammar())):
        print(f"{name}, {grammar.n_rules} rules, {len(GrammarGraph(grammar).nodes)} nodes")
        print(f"{'k':>1} {'paths':>13} {'close-off':>9} {'tests':>7} {'covered':>9}", end=" ")
        print(f"{'paths/s':>9} {'tests/s':>7} {'parsed':>6} {'tokens':>6} {'inputs/s':>8}")
        for k in (1, 2, 3, 4):
            for depth in (None, DEPTH):
                n_tests = options.tests if depth is None else options.tests // 10
                measure(grammar, k, depth, n_tests, options.inputs)
        print()
    print(machine())


def measure(grammar: Grammar, k: int, depth: int | None, n_tests: int, n_inputs: int) -> None:
    count = KPaths(GrammarGraph(grammar), k).count
    close_off = "minimal" if depth is None else f"depth {depth}"
    print(f"{k} {count:13,} {close_off:>9}", end=" ", flush=True)
    if count > MOST:
        print("too many")
        return
    begin = time.process_time()
    cover = KPathCover(Minimal(grammar), k, depth)
    made = [derivation for derivation, _ in islice(cover.derivations(), n_tests)]
    spent = time.process_time() - begin
    covered = {number for derivation in made for number in cover.paths.within(derivation.rules)}
    print(f"{len(made):7,} {len(covered):9,} {len(covered) / spent:9,.0f}", end=" ")
    print(f"{len(made) / spent:7,.0f}", end=" " if depth is None else "\n", flush=True)
    if depth is not None:
        return
    inputs = [each.tokens for each in made[:: -(-len(made) // n_inputs)]]
    begin = time.process_time()
    k_path_coverage(grammar, inputs, k)
    spent = time.process_time() - begin
    tokens = sum(map(len, inputs)) / len(inputs)
    print(f"{len(inputs):6,} {tokens:6.1f} {len(inputs) / spent:8,.0f}", flush=True)


if __name__ == "__main__":
    main()
