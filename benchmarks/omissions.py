"""How well omissions in real grammars are localized: a second measure beside `realfaults.py`.

    python benchmarks/omissions.py FOLDER [--each N] [--seed SEED] [--only NAME...]

FOLDER is laid out as for ``realfaults.py``; used are the corrected grammars (``after/``) and the
examples, of each collection's last case. From such a grammar one thing is taken that few of the
examples need, as authors forget it; what cannot be reached any more goes with it:

* ``statement``: an alternative with rules of its own, such as a further kind of statement;
* ``alternative``: another alternative, of a rule or in a block;
* ``content``: what is in an option, so that it can only be left out;
* ``option``: the question mark of an option;
* ``repetition``: the star or plus of a repetition.

Up to four of the examples that now fail and eight others are the suite. Their tokens are made by
the grammar's own lexer, and core's chart is the parser. A rule that was made poorer has to be
found; ranks are those of rules with all their positions, ties by mean rank.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean

from gramspect.edits.failing import search_failing
from gramspect.edits.scores import rank_edits
from gramspect.effort import Effort
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Operator
from gramspect.recognition.chart import ChartTooLarge, parse_chart
from gramspect.recognition.trace import ChartTrace, Extraction, ParseError, Undecided
from gramspect.scoring.evidence import Evidence, depth_scores
from gramspect.scoring.metrics import metric
from gramspect.scoring.ranking import Ties, group_by_nonterminal, rank_spectra
from gramspect.spectrum.extraction import observe
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import TestCase, TestSuite
from realfaults import load

KINDS = ("statement", "alternative", "content", "option", "repetition")
MOST_TOKENS = 3_000
MOST_ENTRIES = 4_000_000
MOST_FAILING, MOST_OTHERS = 4, 8

EVIDENCE = (Evidence.SPECTRUM, Evidence.BOTH, Evidence.EDITS)


@dataclass(frozen=True)
class Recognizer:
    """Core's chart over tokens that a real lexer made."""

    grammar: Grammar
    terminals: Mapping[str, Sequence[int]]

    def tokens(self, test: TestCase) -> Sequence[int]:
        return self.terminals[test.text]

    def trace(self, test: TestCase) -> ChartTrace:
        chart = parse_chart(self.grammar, self.tokens(test), True, MOST_ENTRIES)
        return ChartTrace(chart, None if chart.accepted else ParseError(chart.end, "unexpected"))


@dataclass(frozen=True)
class Omission:
    """A rule that is left out, and the rank of the non-terminal it belonged to, by evidence."""

    family: str
    kind: str
    rule: str
    n_failing: int
    ranks: Mapping[str, float]


def main() -> None:
    arguments = argparse.ArgumentParser(description="Localizes omissions in real grammars.")
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--each", type=int, default=4, help="of each kind and grammar")
    arguments.add_argument("--seed", default="1")
    arguments.add_argument("--only", nargs="+", default=[], help="names of grammars")
    arguments.add_argument("--json", type=Path, help="where to write the ranks")
    options = arguments.parse_args()
    found: list[Omission] = []
    for family, folder in last_cases(options.folder):
        if options.only and family not in options.only:
            continue
        try:
            new = list(omissions(family, folder, options.each, Random(f"{options.seed} {family}")))
        except GramspectError as problem:
            print(f"{family}: {problem}", flush=True)
            continue
        print(f"{family:16}", *(f"{k} {n}" for k, n in Counter(o.kind for o in new).items()),
              flush=True)  # fmt: skip
        found += new
    print()
    print_table(found)
    if options.json:
        options.json.write_text(json.dumps([vars(omission) for omission in found], indent=1))


def last_cases(folder: Path) -> Iterator[tuple[str, Path]]:
    """The name of every grammar in the folder, and the last case of each."""
    last = {}
    for path in sorted(folder.glob("*/meta.json")):
        last[json.loads(path.read_text())["grammar"]] = path.parent
    yield from sorted(last.items())


def omissions(family: str, folder: Path, each: int, random: Random) -> Iterator[Omission]:
    """Up to `each` omissions of each kind in the grammar of a case."""
    system = load(folder / "after", json.loads((folder / "meta.json").read_text()))
    grammar, suite = system.grammar, TestSuite.load([folder / "accept"])
    terminals, users = {}, defaultdict(list)
    tests = []
    for test, trace in zip(suite, system.traces(suite.tests), strict=True):
        tokens = system.tokens(test)
        if isinstance(trace, ChartTrace | Undecided) or not tokens or len(tokens) > MOST_TOKENS:
            continue
        terminals[test.text] = tokens
        for rule in observe(trace, Extraction.EXACT).rules:
            users[rule].append(test)
        tests.append(test)
    chosen = [rule for rule in users if len(users[rule]) <= max(1, len(tests) // 3)]
    random.shuffle(chosen)
    made: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for rule in chosen:
        kind, poorer = without(grammar, rule)
        if kind and made[kind] < each and tried[kind] < 4 * each:
            tried[kind] += 1
            system = Recognizer(poorer, terminals)
            ranks = ranks_of(system, grammar, rule, users[rule], tests, random)
            if ranks is not None:
                made[kind] += 1
                yield Omission(family, kind, grammar.rule_text(rule), *ranks)


def without(grammar: Grammar, rule: int) -> tuple[str, Grammar]:
    """What kind of omission it is to leave a rule out ("" if it cannot be), and the rest."""
    lhs = grammar.symbols[grammar.rules[rule].lhs]
    if len(grammar.rules_of[lhs.index]) == 1:
        return "", grammar
    rest = grammar.with_rules(r for r in grammar.rules if r.index != rule)
    left = rest.analysis.reachable
    poorer = rest.with_rules(r for r in rest.rules if r.lhs in left)
    if lhs.operator is Operator.OPTION:
        return "content" if grammar.rules[rule].rhs else "option", poorer
    if lhs.operator in (Operator.STAR, Operator.PLUS):
        return "repetition", poorer
    return "alternative" if left == grammar.analysis.reachable else "statement", poorer


def ranks_of(
    system: Recognizer, grammar: Grammar, rule: int, users: Sequence[TestCase],
    tests: Sequence[TestCase], random: Random,
) -> tuple[int, dict[str, float]] | None:  # fmt: skip
    """How many tests fail, and the rank of the poorer non-terminal by each kind of evidence.

    None if no test fails or a chart becomes too large.
    """
    try:
        failing = [t for t in users if not system.trace(t).chart.accepted]
        others = [test for test in tests if test not in failing]
        passing = random.sample(others, min(len(others), MOST_OTHERS))
        failing = failing[:MOST_FAILING]
        if not failing:
            return None
        chosen = [*failing, *passing]
        traces = [system.trace(test) for test in chosen]
        searched = search_failing(system, list(enumerate(failing)), Effort.NORMAL.steps, passing)
    except ChartTooLarge:
        return None
    kind, poorer, ochiai = SpectrumKind.ITEM, system.grammar, metric("ochiai")
    observations = [observe(trace, Extraction.EXACT) for trace in traces]
    expectations = [test.expectation for test in chosen]
    n_elements = kind.n_elements(poorer)
    matrix = SpectrumMatrix.from_observations(kind, n_elements, observations, expectations)
    depths = depth_scores(kind, poorer, observations, expectations)
    blamed = grammar.user_nonterminal(grammar.rules[rule].lhs)
    ranks = {}
    for evidence in EVIDENCE:
        if evidence is Evidence.EDITS:
            ranking = rank_edits(matrix, poorer, ochiai, Ties.MID, depths, searched)
        else:
            ranking = rank_spectra(
                matrix, poorer, ochiai, Ties.MID, evidence=evidence, depths=depths
            )
        ranks[str(evidence)] = group_by_nonterminal(ranking, poorer).rank_of(blamed)
    return len(failing), ranks


def print_table(found: Sequence[Omission]) -> None:
    """The shares of ranks by kind and evidence; `all` has each kind with the same weight."""
    print(
        f"{'kind':12} {'evidence':9}", *(f"{t:>7}" for t in ("first", "top 3", "top 5", "top 10"))
    )
    for evidence in EVIDENCE:
        rows = []
        for kind in KINDS:
            ranks = [o.ranks[evidence] for o in found if o.kind == kind]
            if ranks:
                rows.append([mean(rank <= limit for rank in ranks) for limit in (1, 3, 5, 10)])
                print_row(f"{kind:12} {evidence:9}", rows[-1], len(ranks))
        if rows:
            shares = [mean(column) for column in zip(*rows, strict=True)]
            print_row(f"{'all':12} {evidence:9}", shares, len(found))


def print_row(label: str, shares: Sequence[float], number: int) -> None:
    print(label, *(f"{share:7.1%}" for share in shares), f"{number:6}")


if __name__ == "__main__":
    main()
