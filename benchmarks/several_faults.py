"""Several real faults at once: does each come to the front, in the ranking or in its group?

    python benchmarks/several_faults.py CACHE [--only small|large|each] [--pairs N] [--seed SEED]

CACHE is the folder of `history_cases.py`, whose faults of one release are put together: two to four
in one grammar with the tests of each (``small``), and one and three with up to 24 failing tests
in all and 60 passing ones (``large``). ``each`` is every fault alone with a suite of that size:
what more tests of one fault are worth. Core's chart is the parser. What was searched is kept in
``CACHE/several``. The table says in how many of the faults the rule is among the first 1, 3, 5, 10
definitions: of the ranking by each evidence, of the ranking by edits with and without groups, and
of the group that a test of the fault is in.
"""

from __future__ import annotations

import argparse
import json
import pickle
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from fault_cases import Case, searched
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.localization.groups import Grouped, rank_in_groups
from gramspect.recognition.chart import ChartTooLarge, parse_chart
from gramspect.scoring.evidence import Evidence
from gramspect.scoring.metrics import metric
from gramspect.scoring.ranking import Ranking, Ties, group_by_nonterminal, rank_spectra
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from history_cases import LONGEST, PROJECTS, SHORTEST, Drawing
from history_grammars import Fault, faults, grammar_of, read_written
from history_sources import Project, read_release
from omissions import MOST_ENTRIES, Recognizer

TOP = (1, 3, 5, 10)
TOGETHER = (2, 2, 3, 4)
"""How many faults of a release make a small case, each equally likely."""
LARGE = (1, 3)
FAILING, PASSING, TRIES = 24, 60, 150
NEVER = 10_000.0

Words = tuple[str, ...]


@dataclass(frozen=True)
class Several:
    """A searched case, with the rule that is to blame for each failing test."""

    case: Case
    blamed: tuple[str, ...]


def main() -> None:
    arguments = argparse.ArgumentParser(description="Localizes several real faults at once.")
    arguments.add_argument("cache", type=Path)
    arguments.add_argument("--only", choices=("small", "large", "each"))
    arguments.add_argument("--seed", default="1")
    arguments.add_argument(
        "--pairs", type=int, default=1, help="pairs of releases of a project that make large cases"
    )
    options = arguments.parse_args()
    kept = options.cache / "several"
    kept.mkdir(parents=True, exist_ok=True)
    notes = [json.loads(path.read_text()) for path in sorted(options.cache.glob("faults/*.json"))]
    notes = [note for note in notes if note["failing"]]
    if not notes:
        raise SystemExit(f"{options.cache}: there is no fault; make some with history_cases.py")
    if options.only in (None, "small"):
        show("small", [one for name, parts in small(notes, options.seed) if (one := made(
            kept / f"{name}.pickle", lambda parts=parts: put_together(parts)))])  # fmt: skip
    if options.only in (None, "large"):
        found = list(large(notes, options.cache, kept, options.seed, options.pairs))
        for number in LARGE:
            show(f"large, {number}", [s for s in found if len(set(s.blamed)) == number])
    if options.only in (None, "each"):
        show("each", list(each(notes, options.cache, kept, options.seed)))


def made(path: Path, make: Callable[[], Several | None]) -> Several | None:
    """What a file keeps, made if there is none; None if it is no case."""
    if not path.exists():
        path.write_bytes(pickle.dumps(make()))
    found: Several | None = pickle.loads(path.read_bytes())
    return found


# --- small cases: the tests of each fault ------------------------------------------------------


def small(notes: Sequence[Any], seed: str) -> Iterator[tuple[str, Sequence[Any]]]:
    """Faults of one release that are put together, with a name."""
    by_release: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for note in notes:
        by_release[note["project"], note["newer"]].append(note)
    for (project, newer), found in sorted(by_release.items()):
        random = Random(f"{seed} {project} {newer}")
        random.shuffle(found)
        first = 0
        while len(found) - first > 1:
            size = min(random.choice(TOGETHER), len(found) - first)
            yield f"small-{project}-{newer}-{first}", found[first : first + size]
            first += size


def put_together(notes: Sequence[Any]) -> Several | None:
    """The faults in one grammar; None if fewer than two show in it."""
    written = read_written(notes[0]["grammar"])
    rules, display = dict(written.rules), dict(written.display)
    for note in notes[1:]:
        other = read_written(note["grammar"])
        rules.update((name, other.rules[name]) for name in (note["rule"], *note["brought"]))
        display.update(other.display)
    grammar = grammar_of(replace(written, rules=rules, display=display))
    failing = {
        tuple(words): note["rule"]
        for note in notes
        for words in note["failing"]
        if accepts(grammar, words) is False
    }
    passing = {tuple(words) for note in notes for words in note["passing"]}
    return several(notes[0], grammar, failing, sorted(w for w in passing if accepts(grammar, w)))


def several(
    note: Any, grammar: Grammar, failing: Mapping[Words, str], passing: Sequence[Words]
) -> Several | None:
    if len(set(failing.values())) < 2 and not note.get("alone"):
        return None
    terminals, tests = {}, []
    for number, words in enumerate((*failing, *passing)):
        text = " ".join(words)
        terminals[text] = [grammar.symbol(word) for word in words]
        tests.append(TestCase(str(number), Expectation.ACCEPT, text))
    blamed = frozenset(failing.values())
    head = Case(note["case"], note["tool"], note["family"], blamed, frozenset())
    case = searched(head, Recognizer(grammar, terminals), TestSuite(tuple(tests)))
    return Several(case, tuple(failing.values()))


def accepts(grammar: Grammar, words: Sequence[str]) -> bool | None:
    """Whether the chart accepts; None if a terminal is unknown or the chart becomes too large."""
    known = {symbol.name for symbol in grammar.symbols}
    if not known.issuperset(words):
        return None
    try:
        tokens = [grammar.symbol(word) for word in words]
        return parse_chart(grammar, tokens, True, MOST_ENTRIES).accepted
    except ChartTooLarge:
        return None


# --- large cases: new tests --------------------------------------------------------------------


def large(
    notes: Sequence[Any], cache: Path, kept: Path, seed: str, n_pairs: int
) -> Iterator[Several]:
    listed = tomllib.loads(PROJECTS.read_text(encoding="utf-8"))
    by_project: dict[str, dict[tuple[str, str], list[Any]]] = defaultdict(lambda: defaultdict(list))
    for note in notes:
        by_project[note["project"]][note["older"], note["newer"]].append(note)
    for name, pairs in sorted(by_project.items()):
        chosen = sorted(pairs)
        Random(f"{seed} {name}").shuffle(chosen)
        for older, newer in chosen[:n_pairs]:
            for number in LARGE:
                wanted = sorted(note["rule"] for note in pairs[older, newer])
                path = kept / f"large-{number}-{name}-{newer}.pickle"
                random = Random(f"{seed} {name} {newer}")
                random.shuffle(wanted)
                drawing = Large(Project(name, **listed[name]), older, newer, wanted[:number])
                if len(wanted) >= number and (
                    found := made(path, lambda d=drawing, r=random: d.case(cache, r))
                ):
                    yield found


def each(notes: Sequence[Any], cache: Path, kept: Path, seed: str) -> Iterator[Several]:
    """Every fault alone."""
    listed = tomllib.loads(PROJECTS.read_text(encoding="utf-8"))
    for note in notes:
        project = Project(note["project"], **listed[note["project"]])
        drawing = Large(project, note["older"], note["newer"], [note["rule"]])
        random = Random(f"{seed} {note['case']}")
        path = kept / f"each-{note['case']}.pickle"
        if found := made(path, lambda d=drawing, r=random: d.case(cache, r)):
            yield found


@dataclass(frozen=True)
class Large:
    """Faults of a pair of releases, to be shown by many tests."""

    project: Project
    older: str
    newer: str
    rules: Sequence[str]

    def case(self, cache: Path, random: Random) -> Several | None:
        try:
            older = read_release(self.project, self.older, cache)
            newer = read_release(self.project, self.newer, cache)
        except (GramspectError, OSError):
            return None
        found = {fault.rule: fault for fault in faults(older, newer) if fault.rule in self.rules}
        if set(found) != set(self.rules):
            return None
        changed = dict(newer.rules)
        for rule, fault in found.items():
            changed.update((name, fault.source.rules[name]) for name in (rule, *fault.brought))
        grammar = grammar_of(replace(newer, rules=changed))
        failing: dict[Words, str] = {}
        for fault in found.values():
            failing.update(self._failing(fault, grammar, random))
        passing = self._passing(next(iter(found.values())), grammar, random)
        if len(set(failing.values())) < len(self.rules) or len(passing) < PASSING // 6:
            return None
        project = self.project
        note = {"case": f"{project.name}-{self.newer}", "tool": project.tool, "alone": True}
        return several(note | {"family": project.name}, grammar, failing, passing)

    def _failing(self, fault: Fault, grammar: Grammar, random: Random) -> dict[Words, str]:
        drawing = Drawing(fault, random)
        missing, _ = drawing._phrases()
        found: dict[Words, str] = {}
        for _ in range(TRIES):
            if not missing or len(found) == FAILING // len(self.rules):
                break
            tokens = drawing._sentence(random.choice(missing))
            words = tuple(fault.after.symbols[token].name for token in tokens or ())
            if words and accepts(fault.after, words) and accepts(grammar, words) is False:
                found[words] = fault.rule
        return found

    def _passing(self, fault: Fault, grammar: Grammar, random: Random) -> Sequence[Words]:
        growing = Drawing(fault, random).growing
        found: dict[Words, None] = {}
        for _ in range(TRIES):
            tokens = growing.grown(fault.after.start, random.randint(SHORTEST, LONGEST))
            words = tuple(fault.after.symbols[token].name for token in tokens)
            if len(found) < PASSING and len(words) <= LONGEST and accepts(grammar, words):
                found[words] = None
        return list(found)


# --- the table ---------------------------------------------------------------------------------


def show(title: str, found: Sequence[Several]) -> None:
    """How many of the faults are at the front."""
    n_faults = sum(len(set(one.blamed)) for one in found)
    print(f"\n{title}: {len(found)} suites, {n_faults} faults" + "".join(f"{n:>8}" for n in TOP))
    ranked = [in_groups(one.case) for one in found]
    groups = [len(one.groups) for one in ranked]
    rows: dict[str, list[float]] = {
        evidence.value: [
            rank for one in found for rank in ranks(one, by_evidence(one.case, evidence))
        ]
        for evidence in (Evidence.SPECTRUM, Evidence.BOTH)
    }
    pairs = list(zip(found, ranked, strict=True))
    rows["edits"] = [rank for one, by in pairs for rank in ranks(one, by.of_all)]
    rows["edits, groups decide"] = [
        rank for one, by in pairs for rank in ranks(one, by.by_groups or by.of_all)
    ]
    rows["in their group"] = [rank for one, by in pairs for rank in ranks_in_group(one, by)]
    for name, values in rows.items():
        shares = (float(np.mean(np.array(values) <= n)) for n in TOP)
        print(f"{name:40}" + "".join(f"{share:8.1%}" for share in shares))
    print(f"groups of a suite: {np.mean(groups):.2f}, one in {groups.count(1)} of {len(groups)}")


def in_groups(case: Case) -> Grouped:
    assert case.matrix is not None
    assert case.grammar is not None
    return rank_in_groups(
        case.matrix, case.grammar, metric("ochiai"), Ties.MID, case.depths, case.searched
    )


def by_evidence(case: Case, evidence: Evidence) -> Ranking:
    assert case.matrix is not None
    assert case.grammar is not None
    return rank_spectra(
        case.matrix, case.grammar, metric("ochiai"), Ties.MID,
        evidence=evidence, depths=case.depths,
    )  # fmt: skip


def ranks(one: Several, ranking: Ranking) -> Iterator[float]:
    """The rank of each rule to blame."""
    for rule in dict.fromkeys(one.blamed):
        yield rank_of(one.case, rule, ranking)


def ranks_in_group(one: Several, by: Grouped) -> Iterator[float]:
    """The best rank of each rule to blame in a group with one of its tests."""
    for rule in dict.fromkeys(one.blamed):
        mine = {number for number, blamed in enumerate(one.blamed) if blamed == rule}
        places = [rank_of(one.case, rule, g.ranking) for g in by.groups if mine & set(g.tests)]
        yield min(places, default=NEVER)


def rank_of(case: Case, rule: str, ranking: Ranking) -> float:
    assert case.grammar is not None
    named = {symbol.name: symbol.index for symbol in case.grammar.nonterminals}
    groups = group_by_nonterminal(ranking, case.grammar)
    return groups.rank_of(named[rule]) if rule in named and len(groups) else NEVER


if __name__ == "__main__":
    main()
