"""Real edits by people as faults to localize: single rules of grammars as they were a release ago.

    python benchmarks/history_cases.py CACHE [--only NAME...] [--seed SEED] [--list]

``history_cases.toml`` lists projects and those of their releases between which the grammar differs.
The releases are downloaded by pip and Maven and unpacked in the folder CACHE; no code of theirs
runs. Of every two releases in order the newer grammar is taken, and one rule of it that is not the
same in the older one gets its older definition (`history_grammars.py`): a fault that somebody has
mended there. Inputs are random sentences of the newer grammar, as sequences of tokens, through what
is new in the rule (`history_sentences.py`): one to three that the faulty grammar rejects, and three
to twelve that both accept. Core's chart is the parser. Rules without such a sentence are no case:
the change was a restriction, or changed the form only.

Each case is searched once and kept in ``CACHE/cases``; ``CACHE/index.json`` says of each which
project, releases, rule and kind of change it is from. ``evidence.py`` ranks them.
"""

from __future__ import annotations

import argparse
import json
import pickle
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from fault_cases import Case, searched
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import ChartTooLarge, parse_chart
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from history_grammars import Fault, Written, faults
from history_sentences import Growing, Tokens
from history_sources import Project, read_release
from omissions import MOST_ENTRIES, Recognizer

PROJECTS = Path(__file__).with_suffix(".toml")
PER_PAIR, PER_PROJECT = 8, 25
SHORTEST, LONGEST = 10, 80
FAILING = (1, 1, 1, 2, 3)
"""How many tests fail, each equally likely."""
PASSING = range(3, 13)
THROUGH_RULE = 1 / 3
"""The share of passing tests that go through the rule at fault."""
MOST_TRIED = 240
"""Phrases that are tried to find some that the older form of a rule does not have."""
TRIES = 40
SECONDS_FOR_EDITS = 300.0
"""More than `fault_cases` has: made once, on machines that are busy, and kept."""


@dataclass(frozen=True)
class Inputs:
    """Sentences of the mended grammar, as terminals: those that fail, and some that pass."""

    failing: tuple[Tokens, ...]
    passing: tuple[Tokens, ...]


def main() -> None:
    arguments = argparse.ArgumentParser(description="Makes faults of the history of grammars.")
    arguments.add_argument("cache", type=Path, help="for downloads and cases")
    arguments.add_argument("--only", nargs="+", default=[], help="names of projects")
    arguments.add_argument("--seed", default="1")
    options = arguments.parse_args()
    listed = tomllib.loads(PROJECTS.read_text(encoding="utf-8"))
    for name, entry in listed.items():
        if not options.only or name in options.only:
            notes = list(project_cases(Project(name, **entry), options.cache, options.seed))
            print(f"{name:24} {len(notes):3} cases", flush=True)
    write_index(options.cache)


def write_index(cache: Path) -> None:
    """What the kept cases are, in one file."""
    notes = [json.loads(path.read_text()) for path in sorted((cache / "cases").glob("*.json"))]
    found = [note for note in notes if note["failing"]]
    (cache / "index.json").write_text(json.dumps(found, indent=1) + "\n")


def project_cases(project: Project, cache: Path, seed: str) -> Iterator[Mapping[str, Any]]:
    """The notes on the cases of a project; those of the newest releases come first."""
    grammars = dict[str, Written]()
    for version in project.versions:
        try:
            grammars[version] = read_release(project, version, cache)
        except (GramspectError, OSError) as problem:
            print(f"{project.name} {version}: {str(problem).splitlines()[0][:150]}", flush=True)
    made = 0
    for older, newer in reversed(list(pairwise(grammars))):
        of_pair = 0
        found = list(faults(grammars[older], grammars[newer]))
        random = Random(f"{seed} {project.name} {older} {newer}")
        random.shuffle(found)
        for fault in found:
            if of_pair == PER_PAIR or made == PER_PROJECT:
                break
            name = f"{project.name}-{newer}-{fault.rule}"
            note = {
                "case": name, "project": project.name, "tool": project.tool, "older": older,
                "newer": newer, "rule": fault.rule, "kind": fault.kind, "brought": fault.brought,
                "rules": fault.before.n_rules,
            }  # fmt: skip
            counts = _made(fault, note, cache / "cases", Random(f"{seed} {name}"))
            if counts is not None:
                of_pair += 1
                made += 1
                yield counts


def _made(
    fault: Fault, note: dict[str, Any], folder: Path, random: Random
) -> Mapping[str, Any] | None:
    """Search a fault and keep it; None if no input shows it."""
    path = folder / (note["case"].replace("/", "_") + ".json")
    if path.exists():
        known: Mapping[str, Any] = json.loads(path.read_text())
        return known if known["failing"] else None
    folder.mkdir(parents=True, exist_ok=True)
    inputs = _Drawing(fault, random).inputs()
    note |= {"failing": len(inputs.failing), "passing": len(inputs.passing)}
    if inputs.failing:
        head = Case(
            note["case"], note["tool"], note["project"], frozenset({fault.rule}), frozenset()
        )
        recognizer, suite = _suite(fault.before, inputs)
        case = searched(head, recognizer, suite, SECONDS_FOR_EDITS)
        note |= {
            "seconds": round(case.seconds, 2),
            "complete": all(one.complete for one in case.searched),
            "tests": [test.text for test in suite],
        }
        path.with_suffix(".pickle").write_bytes(pickle.dumps(case))
    path.write_text(json.dumps(note, indent=1) + "\n")
    return note if inputs.failing else None


def _suite(grammar: Grammar, inputs: Inputs) -> tuple[Recognizer, TestSuite]:
    terminals, tests = {}, []
    for number, tokens in enumerate((*inputs.failing, *inputs.passing)):
        text = " ".join(grammar.symbols[token].name for token in tokens)
        terminals[text] = tokens
        tests.append(TestCase(str(number), Expectation.ACCEPT, text))
    return Recognizer(grammar, terminals), TestSuite(tuple(tests))


class _Drawing:
    """Inputs that show a fault."""

    def __init__(self, fault: Fault, random: Random) -> None:
        self.fault = fault
        self.random = random
        self.growing = Growing(fault.after, random)
        self.rule = fault.after.symbol(fault.rule)
        self.distances = self.growing.distances(self.rule)

    def inputs(self) -> Inputs:
        """None fail if no sentence is found that the faulty grammar rejects."""
        missing, known = self._phrases()
        wanted = self.random.choice(FAILING)
        failing: list[Tokens] = []
        for _ in range(4 * wanted):
            if not missing or len(failing) == wanted:
                break
            tokens = self._sentence(self.random.choice(missing))
            if tokens and tokens not in failing and self._accepts(tokens) == (False, True):
                failing.append(tokens)
        return Inputs(tuple(failing), self._passing(known) if failing else ())

    def _phrases(self) -> tuple[list[Tokens], list[Tokens]]:
        """Phrases of the rule that its older form does not have, and some that it has."""
        grammar = self.fault.after
        if grammar.start not in self.distances:
            return [], []
        older = replace(self.fault.before, start=self.fault.before.symbol(self.fault.rule))
        own = [r for r in grammar.rules if grammar.user_nonterminal(r.lhs) == self.rule]
        tried = [rule.index for rule in own if rule.index in self.growing.rules_of[rule.lhs]]
        self.random.shuffle(tried)
        tried = [rule for rule in tried for _ in range(min(12, max(1, MOST_TRIED // len(tried))))]
        missing: dict[Tokens, None] = {}
        known: dict[Tokens, None] = {}
        ways = {r.lhs: self.growing.distances(r.lhs) for r in own}
        for rule in tried[:MOST_TRIED]:
            size = self.growing.least(grammar.rules[rule].rhs) + self.random.randint(0, 10)
            part = self.growing.filled(rule, size)
            lhs = grammar.rules[rule].lhs
            phrase = self.growing.around(ways[lhs], part, size, self.rule)
            if len(phrase) > LONGEST or phrase in missing or phrase in known:
                continue
            accepted = _accepts(older, phrase)
            if accepted is not None:
                (known if accepted else missing)[phrase] = None
        return list(missing), list(known)

    def _sentence(self, phrase: Tokens) -> Tokens | None:
        """A sentence with the phrase in it, as long as those that people write if there is one."""
        best: Tokens | None = None
        for _ in range(TRIES):
            size = len(phrase) + self.random.randint(SHORTEST, LONGEST - SHORTEST)
            tokens = self.growing.around(self.distances, phrase, size)
            if SHORTEST <= len(tokens) <= LONGEST:
                return tokens
            if len(tokens) <= LONGEST and (best is None or len(tokens) > len(best)):
                best = tokens
        return best

    def _passing(self, known: Sequence[Tokens]) -> tuple[Tokens, ...]:
        wanted = self.random.choice(PASSING)
        found: dict[Tokens, None] = {}
        for _ in range(4 * wanted):
            if len(found) == wanted:
                break
            if known and self.random.random() < THROUGH_RULE:
                tokens = self._sentence(self.random.choice(known))
            else:
                size = self.random.randint(SHORTEST, LONGEST)
                tokens = self.growing.grown(self.fault.after.start, size)
            if tokens and len(tokens) <= LONGEST and self._accepts(tokens) == (True, True):
                found[tokens] = None
        return tuple(found)

    def _accepts(self, tokens: Tokens) -> tuple[bool | None, bool | None]:
        return _accepts(self.fault.before, tokens), _accepts(self.fault.after, tokens)


def _accepts(grammar: Grammar, tokens: Tokens) -> bool | None:
    """Whether a chart accepts; None if it becomes too large."""
    try:
        return parse_chart(grammar, tokens, True, MOST_ENTRIES).accepted
    except ChartTooLarge:
        return None


if __name__ == "__main__":
    main()
