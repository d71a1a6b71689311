"""Grammar coverage in the terms of tools for code coverage: lines, functions and branches.

A line of a grammar is executed by the tests that use a position on it. A non-terminal is a
function, and the alternatives of a non-terminal or an EBNF operator are the branches of a decision.
Accepted tests count. What no sentence can use is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gramspect.errors import GramspectError
from gramspect.grammar_coverage.coverage import Coverage
from gramspect.grammar_coverage.elements import State
from gramspect.grammars.symbols import Operator
from gramspect.spectrum.matrix import ACCEPTED, SpectrumMatrix

__all__ = ["Branch", "FileCoverage", "Function", "line_coverage"]


class Function(NamedTuple):
    """A non-terminal, the line of its definition and the tests that use it."""

    name: str
    line: int
    hits: int


class Branch(NamedTuple):
    """An alternative: its line, the number of its decision and its own number there.

    `taken` is the number of tests that use it, None if no test reaches the decision.
    """

    line: int
    decision: int
    number: int
    taken: int | None


@dataclass(frozen=True)
class FileCoverage:
    """What is covered of one file; `lines` holds the number of tests for each line with a rule."""

    file: str
    lines: Mapping[int, int]
    functions: tuple[Function, ...]
    branches: tuple[Branch, ...]


def line_coverage(result: Coverage) -> tuple[FileCoverage, ...]:
    """The coverage of each file of a grammar, in the order of its rules.

    Raises:
        GramspectError: the grammar is in no file.
    """
    lines = _lines(result)
    if not lines:
        raise GramspectError(
            f"{result.grammar.name}: the grammar is in no file, so there are no lines to cover;"
            " use --format json"
        )
    functions, branches = _functions(result), _branches(result)
    return tuple(
        FileCoverage(
            file,
            {line: lines[file, line] for name, line in sorted(lines) if name == file},
            tuple(function for name, function in functions if name == file),
            tuple(branch for name, branch in branches if name == file),
        )
        for file in dict.fromkeys(file for file, _ in lines)
    )


def _lines(result: Coverage) -> dict[tuple[str, int], int]:
    """The tests that use each line."""
    grammar = result.grammar
    on_line: dict[tuple[str, int], list[int]] = {}
    for item in range(grammar.n_items):
        span = grammar.item_span(item)
        if span is not None and grammar.split_item(item)[0] in result.usable:
            on_line.setdefault((span.file, span.line), []).append(item)
    return dict(zip(on_line, _hits(result.items, on_line.values()), strict=True))


def _hits(matrix: SpectrumMatrix, groups: Iterable[Sequence[int]]) -> list[int]:
    """For each group of elements the accepted tests that use one of them."""
    rows = [np.bitwise_or.reduce(matrix.bits[list(group)], axis=0) for group in groups]
    if not rows:
        return []
    united = SpectrumMatrix(
        matrix.kind, np.array(rows), matrix.n_tests, matrix.verdicts, matrix.expectations
    )
    hits: list[int] = united.executing(matrix.verdicts == ACCEPTED).tolist()
    return hits


def _functions(result: Coverage) -> list[tuple[str, Function]]:
    grammar = result.grammar
    symbols = [
        symbol
        for symbol in grammar.nonterminals
        if symbol.operator is None and result.nonterminal_state(symbol.index) is not State.USELESS
    ]
    hits = _hits(result.rules, [grammar.rules_of[symbol.index] for symbol in symbols])
    return [
        (symbol.span.file, Function(symbol.name, symbol.span.line, tests))
        for symbol, tests in zip(symbols, hits, strict=True)
        if symbol.span is not None
    ]


def _branches(result: Coverage) -> list[tuple[str, Branch]]:
    grammar = result.grammar
    found = []
    decision = 0
    for symbol in grammar.nonterminals:
        rules = [rule for rule in grammar.rules_of[symbol.index] if rule in result.usable]
        if symbol.operator is not None:
            rules = [rule for rule in rules if result.is_choice(rule)]
        repeated = symbol.operator in (Operator.STAR, Operator.PLUS)
        if len(rules) < 2 and not (rules and repeated):
            continue
        reached = result.nonterminal_state(symbol.index) is State.COVERED
        for number, rule in enumerate(rules):
            span = grammar.rules[rule].span
            if span is not None:
                taken = int(result.rule_hits[rule]) if reached else None
                found.append((span.file, Branch(span.line, decision, number, taken)))
        decision += 1
    return found
