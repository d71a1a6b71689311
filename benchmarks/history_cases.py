"""Real edits by people as faults to localize: single rules of grammars as they were a release ago.

    python benchmarks/history_cases.py CACHE [--only NAME...] [--seed SEED] [--most NUMBER]
        [--faults-only | --search-only] [--as-texts]

``history_cases.toml`` lists projects and those of their releases between which the grammar differs.
The releases are downloaded by pip and Maven and unpacked in the folder CACHE; no code of theirs
runs. Of every two releases in order the newer grammar is taken, and one rule of it that is not the
same in the older one gets its older definition (`history_grammars.py`): a fault that somebody has
mended there. Inputs are random sentences of the newer grammar, as sequences of tokens, through what
is new in the rule (`history_sentences.py`): one to three that the faulty grammar rejects, and three
to twelve that both accept. Core's chart is the parser. Rules without such a sentence are no case:
the change was a restriction, or changed the form only.

A fault is a file in ``CACHE/faults``: the faulty grammar by names, the tests as names of terminals,
and of which project, releases, rule and kind of change it is. Each is searched once, which is kept
in ``CACHE/cases`` for ``evidence.py --kept``; without those files it is searched anew.
With ``--as-texts`` the tests are texts, whose new keywords the lexer of the older release reads as
names (`history_texts.py`); these cases are in ``CACHE/cases-as-texts``. ``CACHE/index.json`` lists
what there is.
"""

from __future__ import annotations

import argparse
import json
import pickle
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from fault_cases import Case, searched
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import ChartTooLarge, parse_chart
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from history_grammars import Fault, Written, faults, grammar_of, read_written
from history_sentences import Growing, Tokens
from history_sources import Project, read_release
from history_texts import as_texts as read_as_texts
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
NOTED = (
    "case", "project", "family", "tool", "older", "newer", "rule", "kind", "brought", "n_rules",
    "n_failing", "n_passing",
)  # fmt: skip


@dataclass(frozen=True)
class Inputs:
    """Sentences of the mended grammar, as terminals: those that fail, and some that pass."""

    failing: tuple[Tokens, ...]
    passing: tuple[Tokens, ...]


def main() -> None:
    arguments = argparse.ArgumentParser(description="Makes faults of the history of grammars.")
    arguments.add_argument("cache", type=Path, help="for downloads and cases")
    arguments.add_argument("--only", nargs="+", help="names of projects, in this order")
    arguments.add_argument("--seed", default="1")
    arguments.add_argument("--faults-only", action="store_true", help="search nothing")
    arguments.add_argument("--search-only", action="store_true", help="of the faults there are")
    arguments.add_argument("--most", type=int, default=PER_PROJECT, help="faults of a project")
    arguments.add_argument("--as-texts", action="store_true", help="new keywords are names")
    options = arguments.parse_args()
    kept = options.cache / ("cases-as-texts" if options.as_texts else "cases")
    if options.search_only:
        for path in sorted((options.cache / "faults").glob("*.json")):
            search(path, kept, options.as_texts)
        return
    listed = tomllib.loads(PROJECTS.read_text(encoding="utf-8"))
    for name in options.only or listed:
        project = Project(name, **listed[name])
        found = list(project_faults(project, options.cache, options.seed, options.most))
        print(f"{name:24} {len(found):3} faults", flush=True)
        for path in () if options.faults_only else found:
            search(path, kept, options.as_texts)
        write_index(options.cache)


def write_index(cache: Path) -> None:
    """What the faults are, in one file."""
    notes = [json.loads(path.read_text()) for path in sorted((cache / "faults").glob("*.json"))]
    index = [{key: note[key] for key in NOTED} for note in notes if note["failing"]]
    (cache / "index.json").write_text(json.dumps(index, indent=1) + "\n")


def project_faults(
    project: Project, cache: Path, seed: str, most: int = PER_PROJECT
) -> Iterator[Path]:
    """The faults of a project; those of the newest releases come first."""
    grammars = dict[str, Written]()
    for version in project.versions:
        try:
            grammars[version] = read_release(project, version, cache)
        except (GramspectError, OSError) as problem:
            print(f"{project.name} {version}: {str(problem).splitlines()[0][:150]}", flush=True)
    made = 0
    for older, newer in reversed(list(pairwise(grammars))):
        of_pair = 0
        found = sorted(faults(grammars[older], grammars[newer]), key=lambda fault: fault.rule)
        Random(f"{seed} {project.name} {older} {newer}").shuffle(found)
        for fault in found:
            if of_pair == PER_PAIR or made == most:
                break
            name = f"{project.name}-{newer}-{fault.rule}"
            path = cache / "faults" / f"{name}.json"
            if not path.exists():
                inputs = Drawing(fault, Random(f"{seed} {name}")).inputs()
                note = {"case": name, "project": project.name, "tool": project.tool}
                note |= {"family": project.family or project.name}
                note |= {"older": older, "newer": newer}
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(note | _described(fault, inputs)) + "\n")
            if json.loads(path.read_text())["failing"]:
                of_pair += 1
                made += 1
                yield path


def _described(fault: Fault, inputs: Inputs) -> dict[str, Any]:
    names = [symbol.name for symbol in fault.after.symbols]
    return {
        "rule": fault.rule,
        "kind": fault.kind,
        "brought": fault.brought,
        "n_rules": fault.before.n_rules,
        "n_failing": len(inputs.failing),
        "n_passing": len(inputs.passing),
        "failing": [[names[token] for token in tokens] for tokens in inputs.failing],
        "passing": [[names[token] for token in tokens] for tokens in inputs.passing],
        "grammar": asdict(fault.source) if inputs.failing else None,
    }


def search(path: Path, folder: Path, as_texts: bool = False) -> None:
    """Search a fault that shows, unless what was found is kept.

    Tests are tokens by their names, or, `as_texts`, what a lexer makes of texts that does not know
    new keywords (`history_texts.py`); those are then the `tokens` of the case.
    """
    kept = folder / f"{path.stem}.pickle"
    if kept.exists():
        return
    note = json.loads(path.read_text())
    if not note["failing"]:
        return
    grammar = grammar_of(read_written(note["grammar"]))
    inputs = [[grammar.symbol(w) for w in ws] for ws in (*note["failing"], *note["passing"])]
    misread: frozenset[int] = frozenset()
    recognizer: Recognizer
    if as_texts:
        random = Random(note["case"])
        texts, recognizer, misread = read_as_texts(grammar, inputs, note["n_failing"], random)
    else:
        texts = [" ".join(words) for words in (*note["failing"], *note["passing"])]
        recognizer = Recognizer(grammar, dict(zip(texts, inputs, strict=True)))
    tests = [TestCase(str(n), Expectation.ACCEPT, text) for n, text in enumerate(texts)]
    names = frozenset(grammar.symbols[token].name for token in misread)
    head = Case(note["case"], note["tool"], note["family"], frozenset({note["rule"]}), names)
    case = searched(head, recognizer, TestSuite(tuple(tests)))
    folder.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(pickle.dumps(case))


class Drawing:
    """Inputs that show a fault."""

    def __init__(self, fault: Fault, random: Random) -> None:
        self.fault = fault
        self.random = random
        self.growing = Growing(fault.after, random)
        self.rule = fault.after.symbol(fault.rule)
        self.distances = self.growing.distances(self.rule)

    def inputs(self, wanted: int | None = None) -> Inputs:
        """None fail if no sentence is found that the faulty grammar rejects.

        `wanted` is how many are to fail, if not one to three.
        """
        missing, known = self._phrases()
        wanted = wanted or self.random.choice(FAILING)
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
