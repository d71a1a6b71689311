"""What the answers to a few questions are worth: how often the faulty rule is first after them.

    python benchmarks/questions.py CACHE [--only NAME...] [--rounds N] [--rerun] [--json FILE]

CACHE is the folder of `history_cases.py`, whose faults are those of other projects' histories, each
with the newer grammar in which somebody has mended it. `gramspect ask` puts its questions, and
that newer grammar answers. The ranks of the faulty rule are given before any question, and after
each: by the weights that the answers leave, and with --rerun by localizing anew with the answers as
further tests, which takes much longer.
"""

from __future__ import annotations

import argparse
import json
import pickle
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from fault_cases import Case, searched
from gramspect.edits.questions import Inquiry, inquiry, suspects
from gramspect.edits.scores import proposals
from gramspect.edits.weights import chosen_weights
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.localization.groups import rank_in_groups
from gramspect.recognition.chart import ChartTooLarge, parse_chart
from gramspect.scoring.metrics import metric
from gramspect.scoring.ranking import Grouping, Ties, group_by_nonterminal
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from history_cases import PROJECTS
from history_grammars import Fault, faults
from history_sources import Project, read_release
from omissions import MOST_ENTRIES, Recognizer

TOP = (1, 3, 5, 10)


def main() -> None:
    arguments = argparse.ArgumentParser(description="Asks about faults of other projects.")
    arguments.add_argument("cache", type=Path)
    arguments.add_argument("--only", nargs="+", help="names of projects")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--rerun", action="store_true", help="localize anew, too")
    arguments.add_argument("--json", type=Path, help="where to write the ranks of every case")
    options = arguments.parse_args()
    weighed, rerun = {}, {}
    for note, fault in mended_faults(options.cache, options.only):
        kept = options.cache / "cases" / f"{note['case']}.pickle"
        if not kept.exists():
            continue
        case: Case = pickle.loads(kept.read_bytes())
        author = Author(case.grammar, fault.after)
        weighed[note["case"]] = ranks_by_weights(case, author, options.rounds)
        if options.rerun:
            rerun[note["case"]] = ranks_anew(note, case, author, options.rounds)
        print(note["case"], weighed[note["case"]], rerun.get(note["case"], ""), flush=True)
    for title, found in (("weights", weighed), ("localized anew", rerun)):
        show(title, list(found.values()))
    if options.json:
        options.json.write_text(json.dumps({"weights": weighed, "anew": rerun}, indent=1))


def show(title: str, ranks: Sequence[Sequence[float]]) -> None:
    """A line for each number of answers."""
    for answers, column in enumerate(zip(*ranks, strict=True)):
        shares = (f"{mean(rank <= n for rank in column):8.1%}" for n in TOP)
        print(f"{title:16}{len(ranks):5} cases, {answers} answers:{''.join(shares)}")


def mended_faults(
    cache: Path, only: Sequence[str] | None
) -> Iterator[tuple[dict[str, Any], Fault]]:
    """The faults that show, each with the faulty and the mended grammar."""
    listed = tomllib.loads(PROJECTS.read_text(encoding="utf-8"))
    by_releases: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for path in sorted((cache / "faults").glob("*.json")):
        note = json.loads(path.read_text())
        if note["failing"] and (only is None or note["project"] in only):
            releases = note["project"], note["older"], note["newer"]
            by_releases.setdefault(releases, []).append(note)
    for (name, older, newer), notes in by_releases.items():
        project = Project(name, **listed[name])
        try:
            releases = [read_release(project, version, cache) for version in (older, newer)]
        except GramspectError as problem:
            print(f"{name} {newer}: {problem}", flush=True)
            continue
        of_rules = {fault.rule: fault for fault in faults(*releases)}
        for note in notes:
            yield note, of_rules[note["rule"]]


class Author:
    """Says whether inputs are correct: the mended grammar does."""

    def __init__(self, grammar: Grammar | None, mended: Grammar) -> None:
        assert grammar is not None
        self.grammar, self.mended = grammar, mended
        self.numbers: Mapping[str, int] = {
            name: symbol.index
            for symbol in mended.terminals
            for name in (symbol.display, symbol.name)
        }

    def says(self, tokens: Sequence[int]) -> bool | None:
        """None if the chart becomes too large."""
        names = [self.grammar.symbols[token] for token in tokens]
        known = [self.numbers.get(one.name, self.numbers.get(one.display)) for one in names]
        if None in known:
            return False
        try:
            numbers = [number for number in known if number is not None]
            return parse_chart(self.mended, numbers, True, MOST_ENTRIES).accepted
        except ChartTooLarge:
            return None


def ranked(case: Case) -> Grouping:
    """The definitions of a case as reports rank them."""
    found = rank_in_groups(
        case.matrix, case.grammar, metric("ochiai"), Ties.MID, case.depths, case.searched,
        weights=chosen_weights(),
    )  # fmt: skip
    return group_by_nonterminal(found.by_groups or found.of_all, case.grammar)


def asked_of(case: Case, groups: Grouping) -> Inquiry:
    scores = dict(zip(groups.elements.tolist(), groups.scores.tolist(), strict=True))
    return inquiry(case.grammar, suspects(case.grammar, scores, proposals(case.searched)))


def ranks_by_weights(case: Case, author: Author, rounds: int) -> list[float]:
    """The rank of the fault before and after each answer."""
    groups = ranked(case)
    asking = asked_of(case, groups)
    scores = dict(zip(groups.elements.tolist(), groups.scores.tolist(), strict=True))
    found = [min(groups.rank_of(symbol) for symbol in case.blamed)]
    while len(found) <= rounds and (question := asking.best()) is not None:
        answer = author.says(question.tokens)
        if answer is None:
            asking = asking.without(question)
            continue
        asking = asking.answered(question, answer)
        known = [asking.suspects[number] for number in asking.leading()]
        scores |= {one.nonterminal: asking.standing(one) for one in known}
        best = max(scores.get(symbol, -1.0) for symbol in case.blamed)
        better = sum(score > best for score in scores.values())
        equal = sum(score == best for score in scores.values())
        found.append(better + (equal + 1) / 2)
    return found + found[-1:] * (rounds + 1 - len(found))


def ranks_anew(note: Mapping[str, Any], case: Case, author: Author, rounds: int) -> list[float]:
    """The same if the answers are further tests."""
    grammar = author.grammar
    terminals, tests = {}, []

    def add(tokens: Sequence[int], expectation: Expectation) -> None:
        text = " ".join([str(len(tests)), *(grammar.symbols[token].name for token in tokens)])
        terminals[text] = list(tokens)
        tests.append(TestCase(str(len(tests)), expectation, text))

    for words in (*note["failing"], *note["passing"]):
        add([grammar.symbol(word) for word in words], Expectation.ACCEPT)
    head = Case(case.name, case.tool, case.family, case.rules, case.tokens)
    known = set[tuple[int, ...]]()
    found = [min(ranked(case).rank_of(symbol) for symbol in case.blamed)]
    while len(found) <= rounds:
        asking = asked_of(case, ranked(case))
        while (question := asking.best()) is not None:
            asking = asking.without(question)
            answer = None if question.tokens in known else author.says(question.tokens)
            if answer is not None:
                break
        if question is None:
            break
        known.add(question.tokens)
        add(question.tokens, Expectation.ACCEPT if answer else Expectation.REJECT)
        case = searched(head, Recognizer(grammar, terminals), TestSuite(tuple(tests)))
        found.append(min(ranked(case).rank_of(symbol) for symbol in case.blamed))
    return found + found[-1:] * (rounds + 1 - len(found))


if __name__ == "__main__":
    main()
