"""How often the edit that undoes a seeded fault is the first one.

    python benchmarks/seeded_edits.py [--mutants N] [--jobs N] [--only LANGUAGE...]

Faults are seeded into grammars by all operators (`gramspect.grammars.seeding`): a sample of N for
every language and operator. The suite of a fault are sentences of the correct grammar, a short one
for every rule in every context, and mutated sentences that it rejects; of many some: `FAILING`
tests of each expectation that fail, `PASSING` that do not. Faults that no test shows are left out,
and those that leave fewer than `FEWEST_PASSING` passing tests. Grammars are run by the chart, so
the faults are those of the grammar alone.

What counts: whether the first suggestion (`gramspect.localization.selection.ordered`), made in the
grammar, gives every test of the suite the right verdict ("first"), and whether one of the first
three does. "undone": the first suggestion makes the rules of the correct grammar. "unseen": it is
right on `UNSEEN` random sentences and as many non-sentences that were not in the suite. "rule 1"
and "rule 5": the faulty rule is the first one, or among the first five, by the evidence `edits`;
"both 1" and "both 5" by `both`. Where an alternative is missing, the best rule of its non-terminal
counts. Faults in the first symbol of a rule (position one) are shown apart, as in Raselimo and
Fischer (2024, Section 7).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Sequence, Set
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import sql_like
from edit_figures import Found, missed, print_tables, rank_among
from gramspect.edits.model import applied
from gramspect.edits.suggestion import Suggestion, distinct
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutant, Mutation, sample
from gramspect.localization.localize import localize
from gramspect.localization.results import Localization
from gramspect.localization.selection import ordered
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.trace import ChartTrace, ParseError, Trace
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from gramspect.yacc import read_yacc
from ranking import machine
from sentences import Sentence, context_coverage, mutations, random_sentences

FIXTURES = Path(__file__).parents[1] / "fixtures"
LANGUAGES: dict[str, Callable[[], Grammar]] = {
    "toy": lambda: read_yacc(FIXTURES / "toy" / "toy.y"),
    "blocks": lambda: read_yacc(FIXTURES / "yacc" / "blocks.y"),
    "expressions": lambda: read_yacc(FIXTURES / "yacc" / "calc.y"),
    "SIMPL": lambda: read_yacc(FIXTURES / "simpl" / "simpl.y"),
    "SQL-like": sql_like.grammar,
}
FAILING, PASSING, FEWEST_PASSING = 30, 100, 5
UNSEEN, LONGEST, DEEPER = 100, 40, 6
"""Sentences, and as many non-sentences, to judge by: of so many tokens, so much deeper trees."""
SEED = 1


@dataclass(frozen=True, eq=False)
class Language:
    """A grammar, and what suites are drawn from. `unseen` is for judging, with what is wanted."""

    grammar: Grammar
    accept: tuple[Sentence, ...]
    reject: tuple[Sentence, ...]
    unseen: tuple[tuple[Sentence, bool], ...]


@cache
def language(name: str) -> Language:
    """A language with its sentences and non-sentences."""
    random = Random(SEED)
    grammar = LANGUAGES[name]()
    accept = tuple(s for s in context_coverage(grammar) if accepts(grammar, s))
    drawn = dict.fromkeys(islice(mutations(grammar, accept, random), 3 * len(accept)))
    reject = tuple(s for s in drawn if not accepts(grammar, s))
    reject = reject[: len(accept)]
    return Language(grammar, accept, reject, unseen(grammar, {*accept, *reject}, random))


def unseen(
    grammar: Grammar, known: Set[Sentence], random: Random
) -> tuple[tuple[Sentence, bool], ...]:
    """Other sentences and non-sentences: random ones, and mutations of these."""
    depth = grammar.analysis.height[grammar.start] + DEEPER
    drawn = random_sentences(grammar, random, depth, LONGEST)
    accept = tuple(islice((s for s in drawn if s not in known), UNSEEN))
    mutated = dict.fromkeys(islice(mutations(grammar, accept, random), 3 * UNSEEN))
    reject = [s for s in mutated if s not in known and not accepts(grammar, s)]
    return (*((s, True) for s in accept), *((s, False) for s in reject[:UNSEEN]))


def accepts(grammar: Grammar, sentence: Sentence) -> bool:
    return parse_chart(grammar, sentence, compiled=True).accepted


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
    return Found(
        name,
        mutant,
        any(mended[:1]),
        any(mended),
        undone,
        any(mended[:1]) and is_mended(applied_all(suggestions[0]), spoken.unseen),
        rule_rank(result, mutant),
        rule_rank(both, mutant),
        seconds,
        described(suggestions[0]) if suggestions else "",
    )


def described(suggestion: Suggestion) -> str:
    """A suggestion in words."""
    fixed = len(suggestion.effect.fixed)
    return f"in {suggestion.nonterminal}, {suggestion.describe()} ({suggestion.status}, {fixed})"


def rule_rank(result: Localization, mutant: Mutant) -> float:
    """The rank of the faulty rule, or of the best one of its non-terminal; ties by mean rank."""
    grammar = mutant.grammar
    wanted = grammar.rules_of[mutant.nonterminal] if mutant.rule is None else [mutant.rule]
    return rank_among(result, wanted, lambda rule: rule, grammar.n_rules)


def is_mended(grammar: Grammar, suite: Iterable[tuple[Sentence, bool]]) -> bool:
    """Whether every test has the right verdict."""
    return all(accepts(grammar, sentence) is wanted for sentence, wanted in suite)


def applied_all(suggestion: Suggestion) -> Grammar:
    """The grammar with all edits of a suggestion made."""
    return applied(suggestion.grammar, suggestion.edit)


def _rules(grammar: Grammar) -> set[tuple[int, tuple[int, ...]]]:
    return {(rule.lhs, rule.rhs) for rule in grammar.rules}


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
        results = []
        for each in pool.map(experiment, tasks, chunksize=4):
            results.append(each)
            if options.verbose and each is not None and not each.first:
                print(missed(each), flush=True)
    found = [each for each in results if each is not None]
    print(f"{len(tasks)} faults, {len(found)} shown by their suites; {machine()}")
    print_tables(found)


if __name__ == "__main__":
    main()
