"""How often the edit that undoes a seeded fault is the first one.

    python benchmarks/seeded_edits.py [--mutants N] [--jobs N] [--only LANGUAGE...]

Faults are seeded into grammars by all operators (`gramspect.seeding`): a sample of N for every
language and operator. The suite of a fault are sentences of the correct grammar, a short one for
every rule in every context, and mutated sentences that it rejects; of many some: `FAILING` tests of
each expectation that fail, `PASSING` that do not. Faults that no test shows are left out, and those
that leave fewer than `FEWEST_PASSING` passing tests. Grammars are run by the chart, so the faults
are those of the grammar alone.

What counts: whether the first suggestion (`gramspect.edits.advising.ordered`), made in the grammar,
gives every test of the suite the right verdict ("first"), whether one of the first three does, and
whether the first ranked element has such an edit ("element"). "undone": the first suggestion makes
the rules of the correct grammar. "both" and "edits": the faulty rule is the first one by that
evidence; where an alternative is missing, the best rule of its non-terminal. Faults in the first
symbol of a rule (position one) are shown apart, as in Raselimo and Fischer (2024, Section 7).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from statistics import mean, median

import sql_like
from gramspect.chart import parse_chart
from gramspect.edits.advice import Suggestion, distinct
from gramspect.edits.advising import ordered
from gramspect.edits.model import applied
from gramspect.grammar import Grammar
from gramspect.localization import localize
from gramspect.results import Localization
from gramspect.seeding import Mutant, Mutation, sample
from gramspect.suite import Expectation, TestCase, TestSuite
from gramspect.trace import ChartTrace, ParseError, Trace
from gramspect.yacc import read_yacc
from ranking import machine
from sentences import Sentence, context_coverage, mutations

FIXTURES = Path(__file__).parents[1] / "fixtures"
LANGUAGES: dict[str, Callable[[], Grammar]] = {
    "toy": lambda: read_yacc(FIXTURES / "toy" / "toy.y"),
    "blocks": lambda: read_yacc(FIXTURES / "yacc" / "blocks.y"),
    "expressions": lambda: read_yacc(FIXTURES / "yacc" / "calc.y"),
    "SIMPL": lambda: read_yacc(FIXTURES / "simpl" / "simpl.y"),
    "SQL-like": sql_like.grammar,
}
FAILING, PASSING, FEWEST_PASSING = 30, 100, 5
SEED = 1
PER_ELEMENT = 3
"""Edits of the first element that are looked at: as many as a report shows."""


@dataclass(frozen=True, eq=False)
class Language:
    grammar: Grammar
    accept: tuple[Sentence, ...]
    reject: tuple[Sentence, ...]


@cache
def language(name: str) -> Language:
    """A language with its sentences and non-sentences."""
    random = Random(SEED)
    grammar = LANGUAGES[name]()
    accept = tuple(s for s in context_coverage(grammar) if accepts(grammar, s))
    drawn = dict.fromkeys(islice(mutations(grammar, accept, random), 3 * len(accept)))
    reject = tuple(s for s in drawn if not accepts(grammar, s))
    return Language(grammar, accept, reject[: len(accept)])


def accepts(grammar: Grammar, sentence: Sentence) -> bool:
    return parse_chart(grammar, sentence, compiled=True).accepted


@dataclass(frozen=True)
class Found:
    """What became of one fault."""

    language: str
    operator: Mutation
    position_one: bool
    first: bool
    top_three: bool
    element: bool
    undone: bool
    ranks: tuple[float, float]
    seconds: float

    @property
    def rule_by_both(self) -> bool:
        return self.ranks[0] <= 1

    @property
    def rule_by_edits(self) -> bool:
        return self.ranks[1] <= 1


@dataclass(frozen=True, eq=False)
class Tokens:
    """The chart for tests whose tokens are the numbers of terminals."""

    grammar: Grammar

    def tokens(self, test: TestCase) -> Sequence[int]:
        return test.tokens or ()  # type: ignore[return-value]

    def trace(self, test: TestCase) -> Trace:
        chart = parse_chart(self.grammar, self.tokens(test), compiled=True)
        return ChartTrace(chart, None if chart.accepted else ParseError(chart.end, ""))


def suite_of(
    mutant: Mutant, spoken: Language, random: Random
) -> list[tuple[Sentence, bool]] | None:
    """Sentences with whether they should be accepted, the failing ones first."""
    failing: list[tuple[Sentence, bool]] = []
    passing: list[tuple[Sentence, bool]] = []
    for wanted, sentences in ((True, spoken.accept), (False, spoken.reject)):
        right = {s: accepts(mutant.grammar, s) is wanted for s in sentences}
        for found, verdict, most in ((failing, False, FAILING), (passing, True, PASSING)):
            chosen = [s for s in sentences if right[s] is verdict]
            found += [(s, wanted) for s in random.sample(chosen, min(most, len(chosen)))]
    if not failing or len(passing) < FEWEST_PASSING:
        return None
    return [*failing, *passing]


def experiment(task: tuple[str, Mutant, int]) -> Found | None:
    """Localize one fault and judge the first suggestions; None if no test shows it."""
    name, mutant, seed = task
    spoken, grammar = language(name), mutant.grammar
    suite = suite_of(mutant, spoken, Random(seed))
    if suite is None:
        return None
    tests = [
        TestCase(str(number), Expectation.ACCEPT if wanted else Expectation.REJECT, "", sentence)
        for number, (sentence, wanted) in enumerate(suite)
    ]
    recognizer, cases = Tokens(grammar), TestSuite(tuple(tests))
    both = localize(recognizer, cases, evidence="both")
    begin = time.process_time()
    result = localize(recognizer, cases, evidence="edits", confirm=0)
    suggestions = list(distinct(ordered(result.suggestions, result)))
    seconds = time.process_time() - begin
    mended = [is_mended(applied_all(each), suite) for each in suggestions[:3]]
    undone = bool(suggestions) and _rules(applied_all(suggestions[0])) == _rules(spoken.grammar)
    elements = [p.edit for p in result.proposals_for(result.ranking[0])[:PER_ELEMENT]]
    return Found(
        name,
        mutant.operator,
        mutant.position_one,
        any(mended[:1]),
        any(mended),
        any(is_mended(applied(grammar, edit), suite) for edit in elements),
        undone,
        (rule_rank(both, mutant), rule_rank(result, mutant)),
        seconds,
    )


def rule_rank(result: Localization, mutant: Mutant) -> float:
    """The rank of the faulty rule, or of the best one of its non-terminal; ties by mean rank."""
    grammar = mutant.grammar
    wanted = grammar.rules_of[mutant.nonterminal] if mutant.rule is None else [mutant.rule]
    best: dict[int, float] = {}
    for element in result.ranking:
        best.setdefault(element.rule, element.rank)
    own = min(best.get(rule, float("inf")) for rule in wanted)
    if own == float("inf"):
        return (len(best) + 1 + grammar.n_rules) / 2
    ranks = list(best.values())
    return sum(rank < own for rank in ranks) + (ranks.count(own) + 1) / 2


def is_mended(grammar: Grammar, suite: Iterable[tuple[Sentence, bool]]) -> bool:
    """Whether every test has the right verdict."""
    return all(accepts(grammar, sentence) is wanted for sentence, wanted in suite)


def applied_all(suggestion: Suggestion) -> Grammar:
    """The grammar with all edits of a suggestion made."""
    return applied(suggestion.grammar, suggestion.edit)


def _rules(grammar: Grammar) -> set[tuple[int, tuple[int, ...]]]:
    return {(rule.lhs, rule.rhs) for rule in grammar.rules}


# --- tables --------------------------------------------------------------------------------


COLUMNS = ("first", "top_three", "element", "undone", "rule_by_both", "rule_by_edits")


def print_table(title: str, groups: Iterable[tuple[str, Sequence[Found]]]) -> None:
    print(
        f"\n{title}\n{'':20} {'faults':>7} {'first':>7} {'top 3':>7} {'element':>8} {'undone':>7}"
    )
    for name, found in groups:
        if found:
            shares = [100 * mean(getattr(each, what) for each in found) for what in COLUMNS]
            print(f"{name:20} {len(found):8}", *(f"{share:7.1f}%" for share in shares))


def groups(found: Sequence[Found]) -> Iterator[tuple[str, Sequence[Found]]]:
    """All, position one, then by operator and language."""
    yield "all", found
    yield "position one", [each for each in found if each.position_one]
    yield "other positions", [each for each in found if not each.position_one]
    for operator in Mutation:
        yield operator.value, [each for each in found if each.operator is operator]
    for name in LANGUAGES:
        yield name, [each for each in found if each.language == name]


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures edits that undo seeded faults.")
    arguments.add_argument("--mutants", type=int, default=25, help="per language and operator")
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--only", nargs="+", default=list(LANGUAGES), choices=LANGUAGES)
    arguments.add_argument("-v", "--verbose", action="store_true", help="show what was missed")
    options = arguments.parse_args()
    tasks = [
        (name, mutant, number)
        for name in options.only
        for operator in Mutation
        for number, mutant in enumerate(
            sample(language(name).grammar, options.mutants, SEED, [operator])
        )
    ]
    with ProcessPoolExecutor(options.jobs) as pool:
        results = list(pool.map(experiment, tasks, chunksize=4))
    found = [each for each in results if each is not None]
    if options.verbose:
        for (name, mutant, _), each in zip(tasks, results, strict=True):
            if each is not None and not each.first:
                print(f"missed: {name}: {mutant.description}{' (top 3)' * each.top_three}")
    print_table(f"{len(tasks)} faults, {len(found)} shown by their suites", groups(found))
    seconds = [each.seconds for each in found]
    print(f"\nseconds: median {median(seconds):.1f}, longest {max(seconds):.1f}; {machine()}")


if __name__ == "__main__":
    main()
