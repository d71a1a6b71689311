"""How long the features of inputs take: ``python benchmarks/features.py [GRAMMAR.y...]``.

Then how long it takes to learn 1,000 trees from 1,000 of them: each target is that an input has one
of its features and not another one, with one input in twenty against that.

Random sentences of 45 to 50 tokens, each with its paths of up to four nodes, on one core; by
default of a small programming language. The time is that of the processor.
"""

from __future__ import annotations

import argparse
import time
from itertools import islice
from random import Random

from gramspect.associations.features import Paths
from gramspect.associations.learning import FeatureTable, learned_trees
from gramspect.generation.minimal import Minimal
from gramspect.generation.sampling import Sampling, random_derivations
from gramspect.grammars.grammar import Grammar
from gramspect.yacc import read_yacc

GRAMMARS = ("fixtures/simpl/simpl.y",)
TOKENS = range(45, 51)
ATTEMPTS = 100_000


def sentences(grammar: Grammar, count: int) -> list[tuple[int, ...]]:
    """Random sentences with about 50 tokens."""
    drawn = random_derivations(Minimal(grammar), Random(1), Sampling(max_rules=60, max_tokens=50))
    return list(
        islice((d.tokens for d in islice(drawn, ATTEMPTS) if len(d.tokens) in TOKENS), count)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("grammars", nargs="*", default=GRAMMARS)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("-k", type=int, default=4)
    chosen = parser.parse_args()
    for source in chosen.grammars:
        grammar = read_yacc(source)
        inputs = sentences(grammar, chosen.inputs)
        paths = Paths(grammar, chosen.k, compiled=True)
        paths.of(inputs[0])  # loads the compiled code
        began = time.process_time()
        found = [paths.of(tokens) for tokens in inputs]
        seconds = time.process_time() - began
        mean = sum(map(len, inputs)) / len(inputs)
        distinct = len(set().union(*(each or () for each in found)))
        print(
            f"{source}: {len(inputs):,} inputs, {mean:.1f} tokens each, k = {chosen.k}:"
            f" {seconds:.2f} s, {distinct:,} features"
        )
        print(learning(paths, [each for each in found[:1000] if each is not None]))


def learning(paths: Paths, inputs: list[frozenset[int]], count: int = 1000) -> str:
    """How long so many trees take."""
    random = Random(2)
    table = FeatureTable(paths, inputs)
    targets = {}
    for number in range(count):
        one, other = random.sample(range(len(table.columns)), 2)
        covering = {*table.having[one]} - {*table.having[other]}
        targets[str(number)] = frozenset(
            row for row in range(len(inputs)) if (row in covering) != (random.random() < 0.05)
        )
    began = time.process_time()
    learned_trees(table, targets)
    seconds = time.process_time() - began
    return (
        f"{count:,} trees from {len(inputs):,} inputs that {len(table.columns):,} features tell"
        f" apart: {seconds:.1f} s"
    )


if __name__ == "__main__":
    main()
