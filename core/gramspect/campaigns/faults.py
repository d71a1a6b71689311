"""Mutants of a campaign: by number, with one seeded fault or several, and what is to be found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from random import Random

from gramspect.campaigns.config import FaultConfig
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutant, Mutation, mutants, sample
from gramspect.grammars.symbols import Rule

__all__ = ["Faulty", "Spot", "faulty_grammars", "levels"]

_TRIES = 1000
"""How many faults in a row may not fit to those that are there."""


@dataclass(frozen=True)
class Spot:
    """Where one fault is, in the numbers of the faulty grammar.

    `rules` has the mutated rule, or all rules that are left of a non-terminal which lost an
    alternative. There is no `item` then.
    """

    rules: tuple[int, ...]
    item: int | None


@dataclass(frozen=True)
class Faulty:
    """A grammar with faults. `key` names it: equal in all campaigns with the same grammar."""

    faults: tuple[Mutant, ...]

    @property
    def key(self) -> str:
        return " + ".join(_key(fault) for fault in self.faults)

    @property
    def operator(self) -> str:
        """That of the fault, or how many faults there are."""
        one = len(self.faults) == 1
        return str(self.faults[0].operator) if one else f"{len(self.faults)} faults"

    @property
    def position_one(self) -> bool:
        """Whether a fault is in the first symbol of a rule."""
        return any(fault.position_one for fault in self.faults)

    @cached_property
    def grammar(self) -> Grammar:
        """The faulty grammar."""
        if len(self.faults) == 1:
            return self.faults[0].grammar
        return self.faults[0].original.with_rules(rule for rule, _ in self._placed)

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """Where the faults are, in their order."""
        if len(self.faults) == 1:
            fault = self.faults[0]
            if fault.rule is not None:
                return (Spot((fault.rule,), fault.item),)
        position = {fault: i for i, (_, fault) in enumerate(self._placed) if fault is not None}
        return tuple(self._spot(fault, position) for fault in self.faults)

    @property
    def lost(self) -> list[int]:
        """The rules of the original grammar that the faulty one lacks."""
        return [f.original_rule for f in self.faults if f.original_rule is not None]

    @cached_property
    def kept_rules(self) -> tuple[list[int], list[int]]:
        """The other rules: their numbers in the original grammar, and in the faulty one."""
        pairs = [
            (rule.index, number)
            for number, (rule, fault) in enumerate(self._placed)
            if fault is None
        ]
        return [old for old, _ in pairs], [new for _, new in pairs]

    def _spot(self, fault: Mutant, position: dict[Mutant, int]) -> Spot:
        if fault.rule is None:
            return Spot(tuple(self.grammar.rules_of[fault.nonterminal]), None)
        rule = position[fault]
        assert fault.dot is not None
        return Spot((rule,), self.grammar.item(rule, fault.dot))

    @cached_property
    def _placed(self) -> list[tuple[Rule, Mutant | None]]:
        """The rules in their order, each with the fault that it has."""
        original = self.faults[0].original
        in_place = {f.original_rule: f for f in self.faults if f.original_rule is not None}
        added = {f.nonterminal: f for f in self.faults if f.original_rule is None}
        found: list[tuple[Rule, Mutant | None]] = []
        for rule in original.rules:
            fault = in_place.get(rule.index)
            if fault is None:
                found.append((rule, None))
            elif fault.rule is not None:
                found.append((fault.grammar.rules[fault.rule], fault))
            last = original.rules_of[rule.lhs][-1] == rule.index
            if last and (new := added.get(rule.lhs)) is not None:
                assert new.rule is not None
                found.append((new.grammar.rules[new.rule], new))
        return found


def _key(fault: Mutant) -> str:
    grammar = fault.original
    if fault.original_rule is None:
        return f"{fault.operator} {grammar.symbols[fault.nonterminal].name}"
    words = [str(fault.operator), grammar.rules[fault.original_rule].label]
    if fault.dot is not None:
        words[-1] += f":{fault.dot}"
    if fault.symbol is not None:
        words.append(grammar.symbols[fault.symbol].name)
    return " ".join(words)


def faulty_grammars(grammar: Grammar, config: FaultConfig) -> Sequence[Faulty]:
    """The mutants of a grammar, in their order: number i is the same in every process."""
    operators = [Mutation(name) for name in config.operators]
    if config.together > 1:
        return list(_combined(grammar, config, operators))
    if config.sample is None:
        return [Faulty((mutant,)) for mutant in mutants(grammar, operators)]
    return [Faulty((m,)) for m in sample(grammar, config.sample, config.seed, operators)]


def _combined(
    grammar: Grammar, config: FaultConfig, operators: Sequence[Mutation]
) -> Iterator[Faulty]:
    """Faults put together so that no two are in rules of the same non-terminal."""
    every = list(mutants(grammar, operators))
    random = Random(config.seed)
    known: set[str] = set()

    def draws() -> Iterator[Faulty]:
        misses = 0
        while misses < _TRIES and len(every) >= config.together:
            chosen = tuple(random.sample(every, config.together))
            apart = len({mutant.nonterminal for mutant in chosen}) == config.together
            faulty = Faulty(chosen)
            if not apart or faulty.key in known:
                misses += 1
                continue
            misses = 0
            known.add(faulty.key)
            yield faulty

    return islice(draws(), config.sample)


def levels(grammar: Grammar) -> dict[int, int]:
    """How deep each reachable non-terminal lies: the least number of rules above its own."""
    found = {grammar.start: 0}
    waiting = [grammar.start]
    for lhs in waiting:  # grows while it is walked
        for rule in grammar.rules_of[lhs]:
            for symbol in grammar.rules[rule].rhs:
                if not grammar.is_terminal(symbol) and symbol not in found:
                    found[symbol] = found[lhs] + 1
                    waiting.append(symbol)
    return found
