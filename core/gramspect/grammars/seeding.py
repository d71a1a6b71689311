"""Fault seeding: every grammar that is one edit away from a given one.

The operators are those of Raselimo and Fischer (2024, Section 7.1): a symbol of a right-hand side
is deleted, inserted, replaced or swapped with its right neighbour; a non-terminal that is not
nullable gets an empty alternative; an alternative is deleted. Each `Mutant` knows where its one
fault is, in its own numbering and in that of the original.

Symbols are inserted blindly: any terminal but the end of the input, any non-terminal. Edits that
give no fault, or not one of their own, are left out: an alternative that its non-terminal has
already, the rule ``A -> A``, the deletion of an alternative that is written twice or that is the
only one, and an edit that gives the same rule as the one before it (deleting the second ``a`` of
``a a``).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from random import Random

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Rule
from gramspect.source import Span

__all__ = ["Mutant", "Mutation", "mutants", "sample"]


class Mutation(StrEnum):
    """The mutation operators, in the order in which `mutants` applies them."""

    DELETION = "deletion"
    INSERTION = "insertion"
    SUBSTITUTION = "substitution"
    TRANSPOSITION = "transposition"
    EMPTY_ALTERNATIVE = "empty alternative"
    DELETED_ALTERNATIVE = "deleted alternative"


@dataclass(frozen=True)
class Mutant:
    """A grammar with one seeded fault, and where the fault is.

    Symbols have the same numbers in both grammars. `rule` and `dot` are in terms of `grammar`: the
    mutated rule with the dot where the edit was made, or the new empty rule. A deleted alternative
    has left no rule, so both are None: the fault is that of `nonterminal`, and a benchmark of rules
    should count its best-ranked rule. `original_rule` and `original_dot` say the same in terms of
    `original`. An empty alternative is not there, and a deleted one is faulty as a whole: no dot.
    """

    original: Grammar = field(repr=False)
    operator: Mutation
    nonterminal: int
    rule: int | None
    dot: int | None
    original_rule: int | None
    original_dot: int | None
    symbol: int | None = None
    """The symbol inserted, or put in place of another."""

    @cached_property
    def grammar(self) -> Grammar:
        """The mutated grammar. Untouched rules and occurrences keep their source spans."""
        rules = list(self.original.rules)
        if self.rule is None:
            assert self.original_rule is not None
            del rules[self.original_rule]
        elif self.original_rule is None:
            rules.insert(self.rule, _empty_rule(self.original, self.nonterminal))
        else:
            rules[self.rule] = self._edited(rules[self.rule])
        return self.original.with_rules(rules)

    def _edited(self, rule: Rule) -> Rule:
        assert self.dot is not None
        rhs = _edited_rhs(rule.rhs, self.operator, self.dot, self.symbol)
        spans = list(rule.rhs_spans)
        if self.operator is Mutation.DELETION:
            del spans[self.dot]
        elif self.operator is Mutation.INSERTION:
            spans.insert(self.dot, _gap(rule, self.dot))
        return self.original.edited(rule, rhs, tuple(spans))

    @property
    def item(self) -> int | None:
        """The item of `grammar` where the edit was made."""
        if self.rule is None or self.dot is None:
            return None
        return self.grammar.item(self.rule, self.dot)

    @property
    def original_item(self) -> int | None:
        """The item of `original` where the edit was made."""
        if self.original_rule is None or self.original_dot is None:
            return None
        return self.original.item(self.original_rule, self.original_dot)

    @property
    def label(self) -> str:
        """The label of the faulty rule in `grammar`, or the name of `nonterminal` if it is gone."""
        if self.rule is None:
            return self.original.symbols[self.nonterminal].name
        return self.grammar.rules[self.rule].label

    @property
    def position_one(self) -> bool:
        """Whether the first symbol of a rule was edited: the paper's hard case (Section 7.2)."""
        return self.original_rule is not None and self.dot == 0

    @property
    def description(self) -> str:
        """The fault in words, such as ``stmt:2: deleted 'else' before position 4``."""
        grammar = self.original
        if self.original_rule is None:
            return f"{self.label}: added an empty alternative"
        rule = grammar.rules[self.original_rule]
        if self.dot is None:
            return f"{self.label}: deleted alternative {rule.alternative}, {_text(grammar, rule)}"
        shown = [_quoted(grammar.symbols[s].display) for s in rule.rhs[self.dot : self.dot + 2]]
        new = "" if self.symbol is None else _quoted(grammar.symbols[self.symbol].display)
        match self.operator:
            case Mutation.DELETION:
                done = f"deleted {shown[0]} before position {self.dot}"
            case Mutation.INSERTION:
                done = f"inserted {new} at position {self.dot}"
            case Mutation.SUBSTITUTION:
                done = f"replaced {shown[0]} by {new} at position {self.dot}"
            case _:
                done = f"swapped {shown[0]} and {shown[1]} at position {self.dot}"
        return f"{rule.label}: {done}"


def mutants(
    grammar: Grammar, operators: Collection[Mutation] = tuple(Mutation)
) -> Iterator[Mutant]:
    """All single-fault mutants, lazily: by operator, then rule, position and symbol."""
    space = _Space(grammar, operators)
    for slot in range(space.size):
        mutant = space.mutant(slot)
        if mutant is not None:
            yield mutant


def sample(
    grammar: Grammar,
    count: int,
    seed: int,
    operators: Collection[Mutation] = tuple(Mutation),
) -> tuple[Mutant, ...]:
    """`count` different mutants, each equally likely, or all if there are fewer.

    The same seed gives the same mutants in the same order, and a smaller count the first of them.
    Insertions and substitutions are by far the most mutants: for an even mix, sample each operator
    by itself.
    """
    space = _Space(grammar, operators)
    found: list[Mutant] = []
    for slot in _shuffled(space.size, Random(seed)):
        if len(found) >= count:
            break
        mutant = space.mutant(slot)
        if mutant is not None:
            found.append(mutant)
    return tuple(found)


class _Space:
    """The edits of a grammar by number, those that give no mutant included.

    They come in blocks, one for each operator and rule (or non-terminal).
    """

    def __init__(self, grammar: Grammar, operators: Collection[Mutation]) -> None:
        self.grammar = grammar
        self.choices = len(grammar.symbols) - 1  # any symbol but the end of the input
        self.alternatives = {
            lhs: [grammar.rules[rule].rhs for rule in rules]
            for lhs, rules in grammar.rules_of.items()
        }
        self.known = {lhs: set(texts) for lhs, texts in self.alternatives.items()}
        self.blocks = [
            (operator, index)
            for operator in Mutation
            if operator in operators
            for index in self._subjects(operator)
        ]
        self.starts = list(accumulate((self._width(*block) for block in self.blocks), initial=0))
        self.size = self.starts[-1]

    def _subjects(self, operator: Mutation) -> list[int]:
        """The rules, or for empty alternatives the non-terminals, that an operator applies to."""
        grammar = self.grammar
        if operator is Mutation.EMPTY_ALTERNATIVE:
            nullable = grammar.analysis.nullable
            return [lhs for lhs, rules in grammar.rules_of.items() if rules and lhs not in nullable]
        return list(range(grammar.n_rules))

    def _width(self, operator: Mutation, index: int) -> int:
        """How many edits a block has."""
        if operator in (Mutation.EMPTY_ALTERNATIVE, Mutation.DELETED_ALTERNATIVE):
            return 1
        length = len(self.grammar.rules[index].rhs)
        return {
            Mutation.DELETION: length,
            Mutation.INSERTION: (length + 1) * self.choices,
            Mutation.SUBSTITUTION: length * self.choices,
            Mutation.TRANSPOSITION: max(length - 1, 0),
        }[operator]

    def mutant(self, slot: int) -> Mutant | None:
        """The mutant of that number, or None if the edit gives none (see the module)."""
        block = bisect_right(self.starts, slot) - 1
        operator, index = self.blocks[block]
        offset = slot - self.starts[block]
        if operator is Mutation.EMPTY_ALTERNATIVE:
            new = self.grammar.rules_of[index][-1] + 1
            return Mutant(self.grammar, operator, index, new, 0, None, None)
        if operator is Mutation.DELETED_ALTERNATIVE:
            return self._without(index)
        if operator in (Mutation.INSERTION, Mutation.SUBSTITUTION):
            dot, choice = divmod(offset, self.choices)
            return self._edited(operator, index, dot, choice + 1)
        return self._edited(operator, index, offset, None)

    def _without(self, index: int) -> Mutant | None:
        rule = self.grammar.rules[index]
        alternatives = self.alternatives[rule.lhs]
        if len(alternatives) == 1 or alternatives.count(rule.rhs) > 1:
            return None
        operator = Mutation.DELETED_ALTERNATIVE
        return Mutant(self.grammar, operator, rule.lhs, None, None, index, None)

    def _edited(
        self, operator: Mutation, index: int, dot: int, symbol: int | None
    ) -> Mutant | None:
        rule = self.grammar.rules[index]
        if operator is Mutation.DELETION and dot and rule.rhs[dot] == rule.rhs[dot - 1]:
            return None  # the same as deleting the one before
        if operator is Mutation.INSERTION and dot and symbol == rule.rhs[dot - 1]:
            return None  # the same as inserting it before that one
        rhs = _edited_rhs(rule.rhs, operator, dot, symbol)
        if rhs in self.known[rule.lhs] or rhs == (rule.lhs,):
            return None
        return Mutant(self.grammar, operator, rule.lhs, index, dot, index, dot, symbol)


def _edited_rhs(
    rhs: tuple[int, ...], operator: Mutation, dot: int, symbol: int | None
) -> tuple[int, ...]:
    """A right-hand side after the edit at `dot`."""
    before, after = rhs[:dot], rhs[dot:]
    if operator is Mutation.DELETION:
        return before + after[1:]
    if operator is Mutation.TRANSPOSITION:
        return before + after[1::-1] + after[2:]
    assert symbol is not None
    return (*before, symbol, *after[operator is Mutation.SUBSTITUTION :])


def _empty_rule(grammar: Grammar, lhs: int) -> Rule:
    """The empty alternative that is written after the others."""
    last = grammar.rules[grammar.rules_of[lhs][-1]]
    span = None if last.span is None else last.span.after()
    return Rule(-1, lhs, (), last.alternative + 1, "", span, ())


def _gap(rule: Rule, dot: int) -> Span | None:
    """The empty span where a symbol inserted at `dot` would be written."""
    if dot:
        left = rule.rhs_spans[dot - 1]
        return None if left is None else left.after()
    return None if rule.span is None else rule.span.before()


def _text(grammar: Grammar, rule: Rule) -> str:
    words = [grammar.symbols[rule.lhs].display, "->"]
    return " ".join(words + [grammar.symbols[symbol].display for symbol in rule.rhs])


def _quoted(display: str) -> str:
    return display if display[:1] in ("'", '"') else f"'{display}'"


def _shuffled(size: int, random: Random) -> Iterator[int]:
    """The numbers below `size` in random order, by a lazy Fisher-Yates shuffle."""
    moved: dict[int, int] = {}
    for i in range(size):
        j = random.randrange(i, size)
        yield moved.get(j, j)
        moved[j] = moved.get(i, i)
