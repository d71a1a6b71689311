"""How often the first repair is what somebody did: real faults with inputs that nobody had seen.

    python benchmarks/first_repairs.py CACHE [--only NAME...] [--cases NAME...] [--json FILE]

CACHE is the folder of `history_cases.py`, whose faults are those of other projects' histories, each
with the newer grammar in which somebody has mended it. `gramspect.suggest` gets the one to three
failing and the passing inputs of a fault. Its repairs are judged by inputs that it has not seen:

fixed: further sentences of the mended grammar that the faulty one rejects, up to `HELD_OUT`;
right: sentences through what a repair has changed, up to `HELD_OUT`, the mended grammar accepts.

A repair that fixes all and has all right means what the mended grammar means, as far as these
inputs show it. One that fixes some and has all right is on the way: it is for the tokens of
the failing inputs what the author did for more of them. The table counts the first repair, and the
best of the first three and ten, over all faults and over those whose rule it names.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from gramspect import suggest
from gramspect.edits.model import applied
from gramspect.edits.suggestion import Suggestion
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import ChartTooLarge, parse_chart
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from history_cases import Drawing
from history_grammars import Fault
from history_sentences import Growing, Tokens
from omissions import MOST_ENTRIES, Recognizer
from questions import mended_faults

HELD_OUT, LONGEST, TRIES = 20, 80, 4
AMONG = (1, 3, 10)


@dataclass(frozen=True)
class Judged:
    """One repair: whether it names the rule at fault, and the shares that are fixed and right.

    None where no input was found that could tell.
    """

    repair: str
    in_rule: bool
    fixed: float | None
    right: float | None

    @property
    def same(self) -> bool:
        return self.fixed == 1 and self.right in (1, None)

    @property
    def partial(self) -> bool:
        return bool(self.fixed) and self.right in (1, None)


def main() -> None:
    arguments = argparse.ArgumentParser(description="Judges repairs of other projects' faults.")
    arguments.add_argument("cache", type=Path)
    arguments.add_argument("--only", nargs="+", help="names of projects")
    arguments.add_argument("--cases", nargs="+", help="names of cases")
    arguments.add_argument("--json", type=Path, help="where to write what each repair is worth")
    options = arguments.parse_args()
    found: dict[str, list[Judged]] = {}
    for note, fault in mended_faults(options.cache, options.only):
        if options.cases and note["case"] not in options.cases:
            continue
        found[note["case"]] = judged = list(judged_repairs(note, fault))
        print(note["case"], *judged[:1], flush=True)
        if options.json:
            kept = {case: [asdict(one) for one in each] for case, each in found.items()}
            options.json.write_text(json.dumps(kept, indent=1))
    show("all", list(found.values()))
    show("in its rule", [each for each in found.values() if each and each[0].in_rule])


def show(title: str, cases: Sequence[Sequence[Judged]]) -> None:
    if not cases:
        return
    print(f"\n{title:14}{len(cases):5} faults   the rule     same  partial")
    for most in AMONG:
        firsts = [each[:most] for each in cases]
        shares = (
            mean(any(map(of, each)) for each in firsts)
            for of in (lambda one: one.in_rule, lambda one: one.same, lambda one: one.partial)
        )
        print(f"first {most:<20}{'':5}", *(f"{share:9.1%}" for share in shares))


def judged_repairs(note: Mapping[str, Any], fault: Fault) -> Iterator[Judged]:
    """The repairs for a fault, best first, judged by held-out inputs."""
    random = Random(f"held out {note['case']}")
    seen = {tuple(map(fault.after.symbol, words)) for words in note["failing"]}
    unseen = [
        tokens
        for _ in range(TRIES)
        for tokens in Drawing(fault, random).inputs(HELD_OUT // TRIES).failing
        if tokens not in seen
    ]
    for one in repairs(note, fault.before):
        grammar = applied(one.grammar, one.edit)
        through = list(islice(sentences_through(grammar, one, random), HELD_OUT))
        yield Judged(
            one.describe(),
            one.nonterminal == fault.rule,
            _share(grammar, unseen),
            _share(fault.after, through),
        )


def repairs(note: Mapping[str, Any], grammar: Grammar) -> tuple[Suggestion, ...]:
    """What is suggested for a fault with its tests; nothing is confirmed by a tool."""
    tests: list[TestCase] = []
    terminals: dict[str, list[int]] = {}
    for words in (*note["failing"], *note["passing"]):
        text = " ".join(words)
        terminals[text] = [grammar.symbol(word) for word in words]
        tests.append(TestCase(str(len(tests)), Expectation.ACCEPT, text))
    recognizer = Recognizer(grammar, terminals)
    return suggest(recognizer, TestSuite(tuple(tests)), confirm=0, budget=600).suggestions


def sentences_through(grammar: Grammar, one: Suggestion, random: Random) -> Iterator[Tokens]:
    """Sentences of a repaired grammar that use the rule which the repair has brought."""
    index, _ = one.grammar.split_item(one.edit.item)
    rule = index + (not one.edit.kind.restrictive)
    growing = Growing(grammar, random)
    lhs, rhs = grammar.rules[rule].lhs, grammar.rules[rule].rhs
    distances = growing.distances(lhs)
    if grammar.start not in distances or rule not in growing.rules_of.get(lhs, ()):
        return
    for _ in range(TRIES * HELD_OUT):
        size = growing.least(rhs) + random.randint(0, 10)
        phrase = growing.filled(rule, size)
        tokens = growing.around(distances, phrase, len(phrase) + random.randint(0, LONGEST // 2))
        if len(tokens) <= LONGEST:
            yield tokens


def _share(grammar: Grammar, inputs: Sequence[Tokens]) -> float | None:
    """The share of inputs that a chart accepts; those too large for it are left out."""
    said = []
    for tokens in inputs:
        try:
            said.append(parse_chart(grammar, tokens, True, MOST_ENTRIES).accepted)
        except ChartTooLarge:
            continue
    return mean(said) if said else None


if __name__ == "__main__":
    main()
