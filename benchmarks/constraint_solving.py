"""Constraints solved exactly and by search: ``python benchmarks/constraint_solving.py``.

Constraints on paths of up to three nodes, for SIMPL and for JSON over characters. Of half of them
it is known that an input fulfils them: the required paths are in a random sentence, the forbidden
ones are not. The other half are paths drawn from all. Both ways have all constraints: the exact
solver (`gramspect.associations.solving`), and the search of Havrikov, Kampmann and Zeller (2024,
Section 5.3) with their check for contradictions and a limit of steps. The time is that of the
processor, with the input that is made.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import mean, median

from gramspect.associations.features import Paths
from gramspect.associations.searching import Search, is_contradiction
from gramspect.associations.solving import Constraint, Solver, feasibility
from gramspect.generation.minimal import Minimal
from gramspect.generation.sampling import Sampling, random_derivations
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect.running.loading import load_parser
from gramspect.yacc import read_yacc

HERE = Path(__file__).parent
K = 3
SENTENCES = 200


def grammars() -> Iterator[tuple[str, Grammar]]:
    yield "SIMPL", read_yacc(HERE.parent / "fixtures" / "simpl" / "simpl.y")
    source = str(HERE / "association_subjects" / "Json.g4")
    yield "JSON", load_parser(source, LoadOptions()).recognizer.grammar


def constraints(
    grammar: Grammar, clauses: int, count: int
) -> Iterator[tuple[bool, Paths, Constraint]]:
    """So many constraints of each kind, with so many required and as many forbidden paths."""
    paths, random = Paths(grammar, K), Random(clauses)
    drawn = random_derivations(Minimal(grammar), random, Sampling(max_rules=60))
    inputs = [found for _ in range(SENTENCES) if (found := paths.of(next(drawn).tokens))]
    every = sorted(frozenset().union(*inputs))
    for _ in range(count):
        has = random.choice([each for each in inputs if len(each) >= clauses])
        others = [number for number in every if number not in has]
        required = random.sample(sorted(has), clauses)
        forbidden = random.sample(others, min(clauses, len(others)))
        yield True, paths, _of(paths, required, forbidden)
        some = random.sample(every, 2 * clauses)
        yield False, paths, _of(paths, some[:clauses], some[clauses:])


def _of(paths: Paths, required: list[int], forbidden: list[int]) -> Constraint:
    return Constraint(
        tuple(paths.paths[number] for number in required),
        tuple(paths.paths[number] for number in forbidden),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=50, help="of constraints of each kind")
    parser.add_argument("--steps", type=int, default=500)
    chosen = parser.parse_args()
    print("clauses | constraints | solved | found | found at once | impossible | known to be so")
    for name, grammar in grammars():
        for clauses in (1, 2, 3, 4):
            results = {True: list[tuple[bool, ...]](), False: list[tuple[bool, ...]]()}
            seconds: dict[str, list[float]] = {"exact": [], "search": []}
            for known, paths, constraint in constraints(grammar, clauses, chosen.count):
                begin = time.process_time()
                solved = next(Solver(paths.graph, constraint).derivations(Random(1)), None)
                seconds["exact"].append(time.process_time() - begin)
                begin = time.process_time()
                contradiction = is_contradiction(constraint)
                found = (
                    None if contradiction else Search(paths.graph, constraint).found(chosen.steps)
                )
                seconds["search"].append(time.process_time() - begin)
                searched = found is not None and found.derivation is not None
                impossible = solved is None and feasibility(paths.graph, constraint).impossible
                first = searched and found is not None and found.steps == 1
                over = found is not None and found.over
                results[known].append(
                    (solved is not None, searched, first, impossible, contradiction or over)
                )
            kinds = {True: "possible", False: "any"}
            for known, rows in results.items():
                columns = " | ".join(str(sum(column)) for column in zip(*rows, strict=True))
                print(f"{name}, {clauses} and {clauses}, {kinds[known]} | {len(rows)} | {columns}")
            for way, spent in seconds.items():
                print(
                    f"  {way}: mean {mean(spent):.3f} s, median {median(spent):.3f} s,"
                    f" most {max(spent):.2f} s",
                    flush=True,
                )


if __name__ == "__main__":
    main()
