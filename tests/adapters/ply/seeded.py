"""Faults put into the live grammars of classes whose ``p_`` methods carry them as docstrings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from gramspect import TestSuite, localize
from gramspect.recognizer import Recognizer
from gramspect.results import Localization, RankedElement


@dataclass(frozen=True)
class Fault:
    """One alternative that is written otherwise in the docstring of a method, or left out.

    `correct` and `faulty` are right-hand sides; `faulty` is None for an alternative left out.
    """

    name: str
    method: str
    correct: str
    faulty: str | None

    def seeded(self, parser_class: type) -> type:
        """A subclass with the fault. The method keeps its code, so PLY keeps the order of rules."""
        original = getattr(parser_class, self.method)
        text = self._edited(original.__doc__)
        changed: FunctionType | None = None
        if text is not None:
            changed = FunctionType(
                original.__code__,
                original.__globals__,
                original.__name__,
                original.__defaults__,
                original.__closure__,
            )
            changed.__doc__ = text
        return type(f"Faulty{parser_class.__name__}", (parser_class,), {self.method: changed})

    def lhs(self, parser_class: type) -> str:
        """The non-terminal that the fault is in."""
        return str(getattr(parser_class, self.method).__doc__.split()[0])

    def _edited(self, docstring: str) -> str | None:
        """The docstring with the fault, None if no alternative is left."""
        head, _, body = docstring.partition(":")
        lines = [line.strip().removeprefix("|").split() for line in body.splitlines()]
        alternatives = [words for words in lines if words]
        place = alternatives.index(self.correct.split())
        alternatives[place : place + 1] = [] if self.faulty is None else [self.faulty.split()]
        if not alternatives:
            return None
        return f"{head}: " + "\n| ".join(" ".join(words) for words in alternatives)


@dataclass(frozen=True)
class Ranks:
    """Where the ranking has the seeded rule and its non-terminal, by the best item of each.

    Members of a tie share its middle. None for what has no score, and for a rule left out.
    """

    rule: float | None
    nonterminal: float | None


def ranks(
    fault: Fault, parser_class: type, recognizer: Recognizer, suite: TestSuite, evidence: str
) -> Ranks:
    """Localizes a seeded fault."""
    result = localize(recognizer, suite, evidence=evidence)
    assert not result.undecided, [(u.test.name, u.reason) for u in result.undecided]
    assert result.failing, "no test shows the fault"
    lhs = fault.lhs(parser_class)
    rule: float | None = None
    if fault.faulty is not None:
        rule = _rank(result, f"{lhs} -> {fault.faulty}", _rule_text)
    return Ranks(rule, _rank(result, lhs, lambda element: element.nonterminal))


def _rule_text(element: RankedElement) -> str:
    return element.grammar.rule_text(element.rule)


def _rank(result: Localization, wanted: str, name: Callable[[RankedElement], str]) -> float | None:
    """The rank, among things of its kind, of what a name stands for: by its best item."""
    best: dict[str, float] = {}
    for element in result.ranking:
        best.setdefault(name(element), element.rank)
    if wanted not in best:
        return None
    before = sum(rank < best[wanted] for rank in best.values())
    tied = sum(rank == best[wanted] for rank in best.values())
    return before + (tied + 1) / 2


def in_top(found: Mapping[str, Any], key: str, limit: int) -> float:
    """The share of faults whose `key` is ranked within the limit."""
    values = [ranks[key] for ranks in found.values()]
    return sum(value is not None and value <= limit for value in values) / len(values)
