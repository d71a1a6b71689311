"""Whole suites: positive and negative tests of a grammar as a stream.

Only what is needed to leave out repetitions is kept, so suites of any size take the same memory.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from random import Random

from gramspect.errors import GramspectError
from gramspect.generation.adjacency import Adjacency
from gramspect.generation.criteria import criterion_named
from gramspect.generation.distinct import Seen, all_distinct
from gramspect.generation.generated import GeneratedTest
from gramspect.generation.minimal import Embedding, Minimal
from gramspect.generation.parsing import rejects
from gramspect.generation.path_suite import PATH_KINDS, PathSuite, PathWays
from gramspect.generation.rule_mutation import RULE_OPERATORS, RuleMutator
from gramspect.generation.sampling import Sampling, random_derivations
from gramspect.generation.token_mutation import TOKEN_OPERATORS, TokenMutator
from gramspect.generation.words import Checked, Partial, Texts, TokenNames
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutation
from gramspect.recognition.recognizer import Lexing, Recognizer
from gramspect.suites.suite import Expectation, TestCase, TestSuite

__all__ = ["NEGATIVES", "Generation", "Plan", "as_suite", "distinct", "generate"]

REMEMBERED = 1_000_000
"""The least number of recent tests that are remembered and not repeated."""

_BATCH = 256
"""How many tests the lexer reads at once."""

_MISSES = 10_000
"""A random suite ends after this many sentences in a row that are not new."""

NEGATIVES = (
    "tokens",
    "rules",
    *(f"token-{operator}" for operator in TOKEN_OPERATORS),
    *(f"rule-{operator}" for operator in RULE_OPERATORS),
    "edges",
    "stacks",
    *(f"{of}-{operator}" for of, operator in PATH_KINDS),
)
"""The kinds of negative tests; plurals stand for all of theirs."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a suite consists of.

    `criteria` are names of coverage criteria, `n_random` random sentences come on top. `negative`
    are kinds in `NEGATIVES`; token mutations are made of the sentences of the criteria in `base`,
    by default those of the suite itself, or of `rule` if it has none; `per_sentence` draws so many
    of the mutants of each sentence. `limit` is the most positive, and the most negative, tests.
    `paths` says what LR graphs are made of and how paths of them are mutated (edge and stack
    mutations), by default those of `pec`. Mutated paths are counted, not
    their outcomes: with `distinct` no two tests have the same tokens.
    `embedding` and `seed` decide how sentences are completed (`gramspect.generation.minimal`);
    without a seed nothing is random but what must be, and that is always the same.
    """

    criteria: tuple[str, ...] = ("rule",)
    n_random: int = 0
    sampling: Sampling = field(default_factory=Sampling)
    negative: tuple[str, ...] = ()
    base: tuple[str, ...] = ()
    per_sentence: int | None = None
    limit: int | None = None
    paths: PathWays = field(default_factory=PathWays)
    distinct: bool = False
    embedding: Embedding = Embedding.SHORTEST
    seed: int | None = None


class Generation:
    """A suite in the making: iterate it, any number of times, for the same tests.

    Positive tests that `parser` rejects are left out, where there is one.

    Raises:
        GramspectError: a name in the plan is unknown, the grammar derives no sentence, or no
            test of its model is negative for certain.
    """

    def __init__(
        self,
        grammar: Grammar,
        plan: Plan | None = None,
        texts: Texts | None = None,
        parser: Recognizer | None = None,
    ) -> None:
        self.grammar = grammar
        self.parser = parser
        self.plan = plan or Plan()
        self.texts = texts or TokenNames(grammar)
        for name in (*self.plan.criteria, *self.plan.base):
            criterion_named(name)
        for name in self.plan.negative:
            if name not in NEGATIVES:
                known = ", ".join(NEGATIVES)
                raise GramspectError(f"there is no negative test {name!r}; there are: {known}")
        choices = None if self.plan.seed is None else Random(self.plan.seed)
        self.minimal = Minimal(grammar, self.plan.embedding, choices)
        self._missing = frozenset(self.texts.missing)
        self._silent = frozenset(self.texts.silent)
        self._n_unread = 0
        self._n_asked = self._n_rejected = 0
        self._rejected_tokens: tuple[int, ...] = ()
        self._unread_tokens: tuple[int, ...] = ()
        if self.plan.negative:
            self._adjacency = self._poisoned()

    def __iter__(self) -> Iterator[GeneratedTest]:
        """The tests, positive ones first; see `distinct` for which are left out."""
        limit = self.plan.limit
        seen = Seen() if self.plan.distinct else None
        yield from islice(self._parsed(self._once(self._positive(), seen)), limit)
        negative = self._once(self._listed_negative(), seen)
        mutated = self._with_text(self.paths.tests()) if self.plan.negative else iter(())
        if seen is not None:
            mutated = all_distinct(mutated, seen)
        yield from islice(chain(negative, mutated), limit)

    # --- parts of a suite ----------------------------------------------------------------

    def count(self) -> int:
        """How many tests there are; mutated paths are not made for that, unless `distinct`.

        What the lexer would not read as its tokens is counted, and what the parser rejects.
        """
        if self.plan.distinct:
            return sum(1 for _ in self)
        return sum(1 for _ in self._listed()) + len(self.paths)

    def part(self, first: int, end: int) -> Iterator[GeneratedTest]:
        """The tests numbered `first` to `end` - 1, from 0. Parts together are the whole.

        What the parser rejects has a number too, and is left out.
        """
        n_listed = 0
        for test in islice(self._listed(), end):
            if n_listed >= first:
                yield from self._parsed(iter((test,)))
            n_listed += 1
        if n_listed < end:
            mutated = self.paths.tests(max(0, first - n_listed), end - n_listed)
            yield from self._with_text(mutated)

    def lines(self, first: int = 0, end: int | None = None) -> Iterator[str]:
        """The texts of the same tests with line ends, sometimes several in one string."""
        plain = isinstance(self.texts, TokenNames) and self.parser is None
        if plain and not (self.plan.distinct or self.plan.limit):
            n_listed = 0
            for test in islice(self._listed(), end):
                if n_listed >= first:
                    yield self.texts.text(test.tokens) + "\n"
                n_listed += 1
            behind = None if end is None else max(0, end - n_listed)
            yield from self.paths.lines(self.texts.text, max(0, first - n_listed), behind)
            return
        tests = iter(self) if end is None else self.part(first, end)
        yield from (self.texts.text(test.tokens) + "\n" for test in tests)

    def sample(self, number: int) -> Iterator[GeneratedTest]:
        """A sample of different tests in their order; each test is as likely as any other."""
        listed = list(self._listed())
        total = len(listed) + len(self.paths)
        random = Random(self.plan.seed or 0)
        numbers = sorted(random.sample(range(total), min(number, total)))
        n_listed = bisect_left(numbers, len(listed))
        yield from self._parsed(listed[number] for number in numbers[:n_listed])
        yield from self._with_text(
            self.paths.chosen([number - len(listed) for number in numbers[n_listed:]])
        )

    def _listed(self) -> Iterator[GeneratedTest]:
        """All tests but mutated paths."""
        yield from self._once(self._positive(), None)
        yield from self._once(self._listed_negative(), None)

    @cached_property
    def paths(self) -> PathSuite:
        """The mutated paths.

        Raises:
            GramspectError: the tests are of a model, or the grammar is too large.
        """
        kinds = [
            (of, operator)
            for of, operator in PATH_KINDS
            if not {f"{of}s", f"{of}-{operator}"}.isdisjoint(self.plan.negative)
        ]
        modelled = isinstance(self.texts, Partial) and self.texts.original is not None
        if kinds and modelled:
            raise GramspectError(
                "edge and stack mutations are of the whole language, not of a model; use token or"
                " rule mutations with --model"
            )
        base = distinct(self._with_text(self._base("pec"))) if kinds else ()
        return PathSuite(self.minimal, base, kinds, self.plan.paths, self._silent, self._missing)

    def notes(self) -> tuple[str, ...]:
        """Notes on what the suite does not cover, and why."""
        used = self._missing.intersection(self.minimal.symbols)
        named = (self.grammar.symbols[t].display for t in sorted(used))
        missing = (f"{name} has no known text; tests with it are left out" for name in named)
        modelled = isinstance(self.texts, Partial) and self.texts.original is not None
        notes = (*(() if modelled else map(str, self.minimal.skipped)), *missing)
        if self._n_rejected:
            shown = self.texts.text(self._rejected_tokens)
            verb = "is" if self._n_rejected == 1 else "are"
            notes = (
                f"{self._n_rejected:,} of {self._n_asked:,} sentences {verb} left out: the"
                " grammar's own parser rejects them (precedence, conflicts or its code), as"
                f" {shown!r}; --keep-rejected keeps them",
                *notes,
            )
        if isinstance(self.texts, TokenNames) and self.texts.for_lexer:
            notes = (
                "the tests are names of tokens: what the parser's lexer reads as them is not known;"
                " --samples FILE says it",
                *notes,
            )
        if not self._n_unread:
            return notes
        text = self.texts.text(self._unread_tokens)
        number = f"{self._n_unread:,} tests are" if self._n_unread > 1 else "one test is"
        unread = f"{number} left out: the lexer does not read the text as its tokens, as in"
        return (f"{unread} {text!r}", *notes)

    def _parsed(self, tests: Iterable[GeneratedTest]) -> Iterator[GeneratedTest]:
        """The tests without sentences that the parser rejects; of these one is remembered."""
        by_name = isinstance(self.texts, TokenNames) or not isinstance(self.parser, Lexing)
        for test in tests:
            if self.parser is not None and test.expectation is Expectation.ACCEPT:
                self._n_asked += 1
                names = [self.grammar.symbols[t].name for t in test.tokens] if by_name else None
                if rejects(self.parser, self.texts.text(test.tokens), names):
                    self._n_rejected += 1
                    self._rejected_tokens = self._rejected_tokens or test.tokens
                    continue
            yield test

    def _once(self, tests: Iterator[GeneratedTest], seen: Seen | None) -> Iterator[GeneratedTest]:
        written = self._with_text(tests)
        return distinct(written) if seen is None else all_distinct(written, seen)

    def _with_text(self, tests: Iterator[GeneratedTest]) -> Iterator[GeneratedTest]:
        if self._missing or self._silent:
            tests = (test for test in tests if self._has_text(test.tokens))
        return self._read_back(tests, self.texts) if isinstance(self.texts, Checked) else tests

    def _read_back(self, tests: Iterator[GeneratedTest], texts: Checked) -> Iterator[GeneratedTest]:
        """The tests that the lexer reads as their tokens; of the others one is remembered."""
        while batch := list(islice(tests, _BATCH)):
            good = texts.read_back(test.tokens for test in batch)
            for test, is_read in zip(batch, good, strict=True):
                if is_read:
                    yield test
                else:
                    self._n_unread += 1
                    self._unread_tokens = self._unread_tokens or test.tokens

    def _has_text(self, tokens: tuple[int, ...]) -> bool:
        end = len(tokens)
        while end and tokens[end - 1] in self._silent:
            end -= 1
        return self._missing.isdisjoint(tokens) and self._silent.isdisjoint(tokens[:end])

    # --- positive tests ------------------------------------------------------------------

    def _positive(self) -> Iterator[GeneratedTest]:
        yield from self._covering(self.plan.criteria)
        yield from self._random()

    def _covering(self, criteria: Iterable[str]) -> Iterator[GeneratedTest]:
        for name in criteria:
            for derivation, target in criterion_named(name, self.plan.paths.automaton)(
                self.minimal
            ):
                yield GeneratedTest(derivation.tokens, derivation, name, target)

    def _random(self) -> Iterator[GeneratedTest]:
        if not self.plan.n_random:
            return
        random = Random(self.plan.seed or 0)
        known = _Known()
        made = misses = 0
        for derivation in random_derivations(self.minimal, random, self.plan.sampling):
            if known.add(derivation.tokens):
                yield GeneratedTest(derivation.tokens, derivation, "random", "")
                made, misses = made + 1, 0
            else:
                misses += 1
            if made == self.plan.n_random or misses == _MISSES:
                return

    # --- negative tests ------------------------------------------------------------------

    def _listed_negative(self) -> Iterator[GeneratedTest]:
        of_rules = self._operators("rule", RULE_OPERATORS)
        if of_rules:
            yield from RuleMutator(self.minimal, self._silent, of_rules, self._adjacency).mutants()
        of_tokens = self._operators("token", TOKEN_OPERATORS)
        if of_tokens:
            mutator = TokenMutator(
                self.grammar, self._silent, self._missing, of_tokens, self._adjacency
            )
            random = Random(self.plan.seed or 0)
            for sentence in distinct(self._with_text(self._base("rule"))):
                yield from mutator.mutants(sentence, self.plan.per_sentence, random)

    def _poisoned(self) -> Adjacency:
        """The pairs of tokens that can be adjacent; all others are poisoned."""
        found = self.texts.adjacency(self.grammar) if isinstance(self.texts, Partial) else None
        return found or Adjacency(self.grammar, self._silent)

    def _base(self, otherwise: str) -> Iterator[GeneratedTest]:
        """The sentences that are mutated; `otherwise` is a criterion."""
        if self.plan.base:
            return self._covering(self.plan.base)
        if self.plan.criteria or self.plan.n_random:
            return self._positive()
        return self._covering([otherwise])

    def _operators(self, kind: str, operators: Sequence[Mutation]) -> list[Mutation]:
        if f"{kind}s" in self.plan.negative:
            return list(operators)
        return [each for each in operators if f"{kind}-{each}" in self.plan.negative]


def generate(
    grammar: Grammar, plan: Plan | None = None, texts: Texts | None = None
) -> Iterator[GeneratedTest]:
    """The tests of a suite: a stream that takes the same memory however long it is.

    Args:
        grammar: what is derived.
        plan: what the suite consists of; by default rule coverage.
        texts: how tokens become text, which decides what can be in a test.

    Raises:
        GramspectError: a name in the plan is unknown, or the grammar derives no sentence.
    """
    return iter(Generation(grammar, plan, texts))


def as_suite(
    grammar: Grammar, tests: Iterable[GeneratedTest], texts: Texts | None = None
) -> TestSuite:
    """Generated tests as `gramspect.localize` takes them, named ``accept:1``, ``reject:1``, ...

    Raises:
        SuiteError: there is none.
    """
    written = texts or TokenNames(grammar)
    cases = [
        TestCase(f"{test.expectation}:{number}", test.expectation, written.text(test.tokens))
        for number, test in enumerate(tests, start=1)
    ]
    return TestSuite.of(cases)


def distinct(tests: Iterable[GeneratedTest]) -> Iterator[GeneratedTest]:
    """Leave out tests with the tokens of one of the last, at least `REMEMBERED`, tests."""
    known = _Known()
    return (test for test in tests if known.add(test.tokens))


class _Known:
    """The last token sequences, as hash values of 64 bits: a set of limited size.

    There are two sets; when the younger is full, the older is forgotten.
    """

    def __init__(self) -> None:
        self._older: set[int] = set()
        self._younger: set[int] = set()

    def add(self, tokens: tuple[int, ...]) -> bool:
        """Remember a sequence; False if it is known."""
        key = hash(tokens)
        if key in self._younger or key in self._older:
            return False
        self._younger.add(key)
        if len(self._younger) == REMEMBERED:
            self._older, self._younger = self._younger, set()
        return True
