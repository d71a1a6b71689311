"""How fast tests are generated, and how much memory a long suite takes.

    python benchmarks/generation.py [--seconds S] [--stream N]

For C (pycparser's grammar) and SQL-like statements: the targets of each criterion, how many
different tests they give, and how many of either are made in a second of CPU time, from the grammar
to texts, all preparation included. Suites are made again and again for so many seconds, each from
nothing; of long ones only the first half million. The goal is 50,000 a second.

`--stream` lets so many negative tests pass by, texts included, and shows the resident memory on the
way. The goal is that it does not grow over ten million.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from itertools import islice

import sql_like
from gramspect.generation.criteria import criterion_named
from gramspect.generation.generate import Generation, Plan, generate
from gramspect.generation.generated import GeneratedTest
from gramspect.generation.manifest import manifest_lines
from gramspect.generation.minimal import Embedding, Minimal
from gramspect.generation.sampling import Sampling
from gramspect.generation.words import TokenNames
from gramspect.grammars.grammar import Grammar
from lr_tables import c_grammar
from ranking import machine

CRITERIA = ("symbol", "rule", "cdrc", "step:3", "step:4", "full-cdrc", "deriv", "pll", "pairs")
MOST = 500_000


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures the generation of tests.")
    arguments.add_argument("--seconds", type=float, default=1.0, help="at least, for each row")
    arguments.add_argument("--stream", type=int, default=0, metavar="N", help="negative tests")
    options = arguments.parse_args()
    grammars = {"C": c_grammar(), "SQL-like": sql_like.grammar()}
    if options.stream:
        for name, grammar in grammars.items():
            stream(name, grammar, options.stream)
    else:
        for name, grammar in grammars.items():
            measure(name, grammar, options.seconds)
    print(machine())


def measure(name: str, grammar: Grammar, seconds: float) -> None:
    print(f"{name}, {grammar.n_rules} rules")
    print(f"{'suite':24}  {'targets':>9}  {'a second':>9}  {'tests':>9}  {'a second':>9}")
    for embedding in Embedding:
        for criterion in CRITERIA:
            targets = Rate(lambda c=criterion, e=embedding: n_targets(grammar, c, e), seconds)
            plan = Plan((criterion,), limit=MOST, embedding=embedding)
            tests = Rate(lambda p=plan: n_tests(grammar, p), seconds)
            label = f"{criterion}, {embedding}"
            print(f"{label:24}  {targets}  {tests}")
    for label, plan in (
        ("random", Plan((), 20_000)),
        ("random, at most 30", Plan((), 20_000, Sampling(max_tokens=30))),
        ("token mutations", Plan((), negative=("tokens",), limit=MOST)),
        ("rule mutations", Plan((), negative=("rules",), limit=MOST)),
    ):
        print(f"{label:24}  {'':9}  {'':9}  {Rate(lambda p=plan: n_tests(grammar, p), seconds)}")
    plan = Plan(("step:3",), negative=("tokens",), limit=100_000)
    print(f"{'a manifest':24}  {'':9}  {'':9}  {Rate(lambda: n_lines(grammar, plan), seconds)}\n")


class Rate:
    """How many of something there are, and how many are made in a second of CPU time."""

    def __init__(self, make: object, seconds: float) -> None:
        assert callable(make)
        begin = time.process_time()
        total, self.number = 0, 0
        while (spent := time.process_time() - begin) < seconds:
            self.number = make()
            total += self.number
        self.per_second = total / spent

    def __str__(self) -> str:
        return f"{self.number:9,}  {self.per_second:9,.0f}"


def n_targets(grammar: Grammar, criterion: str, embedding: Embedding) -> int:
    found = criterion_named(criterion)(Minimal(grammar, embedding))
    return sum(1 for _ in islice(found, MOST))


def n_tests(grammar: Grammar, plan: Plan) -> int:
    texts = TokenNames(grammar)
    return sum(1 for test in generate(grammar, plan, texts) if texts.text(test.tokens))


def n_lines(grammar: Grammar, plan: Plan) -> int:
    generation = Generation(grammar, plan)
    return sum(1 for _ in manifest_lines(grammar, plan, generation.texts, generation))


# --- memory --------------------------------------------------------------------------------


def stream(name: str, grammar: Grammar, number: int) -> None:
    """Let tests pass by and look at the memory now and then."""
    print(f"{name}, {grammar.n_rules} rules\n{'negative tests':>14}  {'MB':>6}  {'a second':>9}")
    texts = TokenNames(grammar)
    begin = time.process_time()
    for count, test in enumerate(_negative(grammar, texts, number), start=1):
        texts.text(test.tokens)
        if count % (number // 10) == 0:
            rate = count / (time.process_time() - begin)
            print(f"{count:14,}  {resident():6.0f}  {rate:9,.0f}", flush=True)
    print()


def _negative(grammar: Grammar, texts: TokenNames, number: int) -> Iterator[GeneratedTest]:
    plan = Plan((), negative=("tokens",), base=("step:4",), limit=number)
    return generate(grammar, plan, texts)


def resident() -> float:
    """The memory of this process in MB."""
    with open("/proc/self/statm") as status:  # noqa: PTH123
        return int(status.read().split()[1]) * 4096 / 1e6


if __name__ == "__main__":
    main()
