"""How long `reduce` takes on a long input with a large grammar, when the predicate costs nothing.

    python benchmarks/reduction_scale.py [--tokens N]

Random sentences of a SQL-like grammar of 611 rules, one statement after the other. The predicate is
whether the text has one, two or three given words in order. The first time includes what compiled
code costs to load.
"""

from __future__ import annotations

import argparse
import time
from random import Random

import sql_like
from gramspect import adapter, reduce
from ranking import machine
from sentences import random_sentences


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures reduce on a long input.")
    arguments.add_argument("--tokens", type=int, default=5_000)
    options = arguments.parse_args()
    grammar = sql_like.grammar()
    random = Random(1)
    words: list[str] = []
    for sentence in random_sentences(grammar, random, 30, 400):
        words += ["';'"] if words else []
        words += [grammar.symbols[token].name for token in sentence]
        if len(words) >= options.tokens:
            break
    parser = adapter("chart").build(grammar)
    print(f"{len(words):,} tokens, {grammar.n_rules} rules")
    for count in (1, 2, 3):
        wanted = [words[place] for place in sorted(random.sample(range(len(words)), count))]

        def holds(text: str, wanted: list[str] = wanted) -> bool:
            left = iter(text.split())
            return all(word in left for word in wanted)

        begin, cpu = time.monotonic(), time.process_time()
        found = reduce(parser, " ".join(words), holds)
        seconds, cpu = time.monotonic() - begin, time.process_time() - cpu
        print(
            f"{' '.join(wanted)}: {seconds:.1f} s ({cpu:.1f} s of CPU),"
            f" {found.calls} calls, {len(found.words)} tokens"
        )
    print(machine())


if __name__ == "__main__":
    main()
