"""How large the grammars of expressions become, and how long they take: the SQL-like grammar.

    python benchmarks/input_algebras.py [--draws N]

Each draw has five random patterns of up to six nodes. They are put together in four ways: all of
them, any of them, two of them without the others, and a mixture; then occurrences are counted.
The largest grammar and the longest CPU time of all draws are given.
"""

from __future__ import annotations

import argparse
import time
from random import Random

import sql_like
from gramspect.algebra.automaton import Product, TreeAutomaton
from gramspect.algebra.expressions import And, Count, Expression, Named, Not, Occurrences, Or
from gramspect.algebra.patterns import ABSTRACT, Pattern
from gramspect.algebra.specialized import specialized
from gramspect.grammars.grammar import Grammar

__all__ = ["combinations", "five_patterns"]


def main() -> None:
    arguments = argparse.ArgumentParser(description="Sizes and times of products of patterns.")
    arguments.add_argument("--draws", type=int, default=10)
    draws = arguments.parse_args().draws
    grammar = sql_like.grammar()
    random = Random(0)
    found: dict[str, list[tuple[int, int, float]]] = {}
    for _ in range(draws):
        patterns = five_patterns(grammar, random)
        for name, expression in combinations(patterns).items():
            states = sum(map(len, Product(TreeAutomaton(grammar, expression)).subtrees.values()))
            began = time.process_time()
            result = specialized(grammar, expression)
            seconds = time.process_time() - began
            rules = 0 if result is None else result.grammar.n_rules
            found.setdefault(name, []).append((states, rules, seconds))
    print(f"{grammar.n_rules} rules, {draws} draws")
    print("| expression | states of subtrees | rules, median | rules, most | CPU s, most |")
    print("|---|---:|---:|---:|---:|")
    for name, rows in found.items():
        sizes = sorted(rules for _, rules, _ in rows)
        most = max(states for states, _, _ in rows)
        slowest = max(seconds for _, _, seconds in rows)
        middle = sizes[len(sizes) // 2]
        print(f"| {name} | {most:,} | {middle:,} | {sizes[-1]:,} | {slowest:.1f} |")


def five_patterns(grammar: Grammar, random: Random) -> list[Pattern]:
    """Different patterns of three to six nodes."""
    reachable = [s.index for s in grammar.nonterminals if s.index in grammar.analysis.reachable]
    found: list[Pattern] = []
    while len(found) < 5:
        pattern = _grown(grammar, random.choice(reachable), random)
        if len(pattern.rules) > 2 and pattern not in found:
            found.append(pattern)
    return found


def _grown(grammar: Grammar, symbol: int, random: Random) -> Pattern:
    rules, symbols = [ABSTRACT], [symbol]
    while len(rules) < 6:
        abstract = [i for i, rule in enumerate(rules) if rule == ABSTRACT]
        if not abstract:
            break
        at = random.choice(abstract)
        rule = random.choice(grammar.rules_of[symbols[at]])
        below = [s for s in grammar.rules[rule].rhs if not grammar.is_terminal(s)]
        rules[at : at + 1] = [rule, *[ABSTRACT] * len(below)]
        symbols[at + 1 : at + 1] = below
    return Pattern(symbol, tuple(rules))


def combinations(patterns: list[Pattern]) -> dict[str, Expression]:
    """Expressions over five patterns."""
    named = [Named(f"p{i}", pattern) for i, pattern in enumerate(patterns, start=1)]
    a, b, c, d, e = (Count(Occurrences((each,))) for each in named)
    return {
        "p1 and p2 and p3 and p4 and p5": And((a, b, c, d, e)),
        "p1 or p2 or p3 or p4 or p5": Or((a, b, c, d, e)),
        "p1 and p2 and not p3 and not p4 and not p5": And((a, b, Not(c), Not(d), Not(e))),
        "(p1 and not p2) or (p3 and p4) or p5": Or((And((a, Not(b))), And((c, d)), e)),
        "exactly 2 p1 and at most one p2 and p3 in p4": And(
            (
                Count(Occurrences((named[0],)), 2, 2),
                Count(Occurrences((named[1],)), 0, 1),
                Count(Occurrences((named[2], named[3]))),
            )
        ),
    }


if __name__ == "__main__":
    main()
