"""Suites of mutated paths: several kinds of mutations of the same sentences, numbered through."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby

from gramspect.generation.generated import GeneratedTest, PathMutation
from gramspect.generation.minimal import Minimal
from gramspect.generation.path_mutation import (
    PATH_OPERATORS,
    Block,
    Mutations,
    Phrase,
    Sentences,
    Slots,
)
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutation
from gramspect.grammars.symbols import END
from gramspect.lrgraph.analyses import AnalysisKind, analysis_of
from gramspect.lrgraph.graph import AutomatonKind, lr_graph
from gramspect.suites.suite import Expectation

__all__ = ["PATH_KINDS", "PathSuite", "PathWays"]

PATH_KINDS = tuple((of, operator) for of in ("edge", "stack") for operator in PATH_OPERATORS)
"""The kinds of mutations, in the order in which suites have them."""


@dataclass(frozen=True, slots=True)
class PathWays:
    """How paths are mutated.

    `at_end` allows insertions before the end of the input. With `left_only` only what stands before
    a phrase counts, not what comes after it: the paper's condition (i) without (ii).
    """

    automaton: AutomatonKind = AutomatonKind.LR0
    analysis: AnalysisKind = AnalysisKind.GLOBAL
    at_end: bool = True
    left_only: bool = False


class PathSuite:
    """The mutations of some kinds, those of one kind after those of another.

    `base` are the sentences that are mutated. Terminals in `silent` have no text, so they are
    taken out of the grammar and the sentences; those in `missing` are in no test.
    """

    def __init__(
        self,
        minimal: Minimal,
        base: Iterable[GeneratedTest],
        kinds: Collection[tuple[str, Mutation]],
        ways: PathWays,
        silent: Collection[int] = (),
        missing: Collection[int] = (),
    ) -> None:
        self._minimal = minimal
        self._silent = frozenset(silent)
        self._missing = frozenset(missing)
        self._ways = ways
        self.base = [self._voiced(test) for test in base]
        grammar = _without(minimal.grammar, self._silent)
        graph = lr_graph(grammar, ways.automaton)
        self.sentences = Sentences(
            grammar,
            [test.tokens for test in self.base],
            [test.derivation.rules for test in self.base],
            analysis_of(graph, ways.analysis),
        )
        self.parts = [self._mutations(*kind) for kind in PATH_KINDS if kind in kinds]
        self._ends = list(accumulate(map(len, self.parts)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def tests(self, first: int = 0, end: int | None = None) -> Iterator[GeneratedTest]:
        """The tests numbered `first` to `end` - 1."""
        for part, block in self._blocks(first, end):
            for phrase in block.phrases:
                yield self._test(part, block, phrase)

    def chosen(self, numbers: Sequence[int]) -> Iterator[GeneratedTest]:
        """The tests with these numbers, ascending."""
        for number in numbers:
            yield from self.tests(number, number + 1)

    def lines(
        self, text: Callable[[Phrase], str], first: int = 0, end: int | None = None
    ) -> Iterator[str]:
        """The same tests as lines with their ends, all of a slot in one string.

        `text` gives the words of tokens, with blanks between them and nothing else.
        """
        for part, blocks in groupby(self._blocks(first, end), key=lambda pair: pair[0]):
            texts = [text(phrase) for phrase in part.phrases]
            for _, block in blocks:
                word = self.base[block.sentence].tokens
                left, right = text(word[: block.first]), text(word[block.last :])
                if part.operator is Mutation.DELETION:
                    yield f"{left}{' ' if left and right else ''}{right}\n"
                    continue
                left, right = f"{left} " if left else "", f" {right}\n" if right else "\n"
                yield "".join([left + texts[phrase] + right for phrase in block.phrases])

    def _blocks(self, first: int, end: int | None) -> Iterator[tuple[Mutations, Block]]:
        end = len(self) if end is None else end
        before = 0
        for part, behind in zip(self.parts, self._ends, strict=True):
            if first < behind and before < end:
                for block in part.blocks(max(0, first - before), end - before):
                    yield part, block
            before = behind

    def _test(self, part: Mutations, block: Block, phrase: int) -> GeneratedTest:
        tokens, derivation, criterion, target, *_ = self.base[block.sentence]
        inserted = part.phrases[phrase]
        mutation = PathMutation(
            part.of,
            part.operator,
            block.first,
            tokens[block.first : block.last],
            inserted,
            part.error(block, phrase),
        )
        mutated = tokens[: block.first] + inserted + tokens[block.last :]
        return GeneratedTest(mutated, derivation, criterion, target, Expectation.REJECT, mutation)

    # --- sentences and phrases --------------------------------------------------

    def _mutations(self, of: str, operator: Mutation) -> Mutations:
        slots = self._slots(of, operator)
        phrases: list[Phrase] = [()]
        if operator is not Mutation.DELETION:
            phrases = self._tokens() if of == "edge" else self._yields()
        left_only = self._ways.left_only and operator is not Mutation.DELETION
        return Mutations(of, operator, self.sentences, slots, phrases, left_only)

    def _slots(self, of: str, operator: Mutation) -> Slots:
        if operator is Mutation.INSERTION:
            slots = self.sentences.empty_slots
            if self._ways.at_end:
                return slots
            kept = self.sentences.following[slots.first] != END
            return Slots(slots.first[kept], slots.last[kept])
        if of == "edge":
            return self.sentences.token_slots
        slots = self.sentences.rule_slots
        return slots.not_empty() if operator is Mutation.DELETION else slots

    def _tokens(self) -> list[Phrase]:
        left_out = self._silent | self._missing
        return [(t,) for t in range(1, self._minimal.grammar.n_terminals) if t not in left_out]

    def _yields(self) -> list[Phrase]:
        """The minimal yields of reduction paths, each once, in the order of rules."""
        whole = (self._minimal.whole(rule).tokens for rule in self._minimal.rules)
        voiced = (tuple(t for t in tokens if t not in self._silent) for tokens in whole)
        found = dict.fromkeys(tokens for tokens in voiced if self._missing.isdisjoint(tokens))
        return [tokens for tokens in found if tokens]

    def _voiced(self, test: GeneratedTest) -> GeneratedTest:
        if self._silent.isdisjoint(test.tokens):
            return test
        return test._replace(tokens=tuple(t for t in test.tokens if t not in self._silent))


def _without(grammar: Grammar, silent: frozenset[int]) -> Grammar:
    """The same rules without some terminals: what they derive is the texts of the sentences."""
    if not silent:
        return grammar
    return grammar.with_rules(
        replace(rule, rhs=tuple(s for s in rule.rhs if s not in silent)) for rule in grammar.rules
    )
