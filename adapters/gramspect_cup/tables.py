"""A CUP parser's tables in the numbering of a core grammar."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramspect.adapter_api import END, UNKNOWN, AdapterError, Grammar, LRAutomaton, Operator, Symbol

__all__ = ["Tables"]

Numbers = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Tables:
    """Java's tables, the automaton that they stand for, and how CUP's numbers translate.

    States have CUP's numbers everywhere. `rules` holds the rule of each production (-1 for that of
    the start symbol and the end of the input), `terminals` the terminal of the grammar for each of
    CUP's (`UNKNOWN` where it has none), `numbers` CUP's terminal for each of the grammar's.
    """

    java: Any
    automaton: LRAutomaton
    rules: Sequence[int]
    terminals: Sequence[int]
    numbers: Sequence[int]

    @classmethod
    def of_generated(
        cls, generated: Any, grammar: Grammar, names: Sequence[str] | None = None
    ) -> Tables:
        """The tables that CUP has just made from a grammar, with CUP's item sets.

        `names` are CUP's names of the symbols, if not those of the grammar.

        Raises:
            AdapterError: CUP has read another grammar than we have.
        """
        java = generated.tables()
        names = names or [_cup_name(symbol) for symbol in grammar.symbols]
        rules = _match_productions(generated, names, grammar)
        known = {name: number for number, name in enumerate(names)}
        terminals = [END, *(known.get(str(name), UNKNOWN) for name in generated.terminals()[1:])]
        automaton = LRAutomaton(
            grammar,
            _kernels(generated, rules, grammar),
            transitions(java, terminals, _nonterminals(generated, rules, names, grammar)),
            int(generated.startState()),
        )
        return cls(java, automaton, rules, terminals, _inverse(terminals, grammar))

    @classmethod
    def of_classes(
        cls,
        java: Any,
        grammar: Grammar,
        rules: Sequence[int],
        terminals: Sequence[int],
        nonterminals: Sequence[int],
        *,
        complete: bool = True,
    ) -> Tables:
        """The tables of generated classes, their item sets rebuilt by a walk.

        `complete` says whether all productions of the tables are in the grammar.

        Raises:
            AdapterError: tables and grammar do not belong together.
        """
        edges = transitions(java, terminals, nonterminals)
        start = int(java.startState)
        automaton = LRAutomaton.from_transitions(grammar, edges, start, complete=complete)
        return cls(java, automaton, rules, terminals, _inverse(terminals, grammar))

    @property
    def grammar(self) -> Grammar:
        return self.automaton.grammar


def transitions(
    java: Any, terminals: Sequence[int], nonterminals: Sequence[int]
) -> tuple[Mapping[int, int], ...]:
    """The successor of each state under each symbol, that under the end of the input left out.

    `terminals` and `nonterminals` translate CUP's numbers of symbols.
    """
    n_states = int(java.states)
    actions = np.asarray(java.actions).reshape(n_states, int(java.terminals))
    reduces = np.asarray(java.reduces).reshape(n_states, int(java.nonterminals))
    edges: list[dict[int, int]] = [{} for _ in range(n_states)]
    end = int(java.endState)
    for state, terminal in np.argwhere(actions > 0).tolist():
        target = int(actions[state, terminal]) - 1
        if target != end:
            edges[state][terminals[terminal]] = target
    for state, nonterminal in np.argwhere(reduces >= 0).tolist():
        edges[state][nonterminals[nonterminal]] = int(reduces[state, nonterminal])
    return tuple(edges)


def _inverse(terminals: Sequence[int], grammar: Grammar) -> list[int]:
    """CUP's number of each terminal of the grammar."""
    found = {terminal: number for number, terminal in reversed(list(enumerate(terminals)))}
    return [found.get(terminal, UNKNOWN) for terminal in range(grammar.n_terminals)]


def _productions(generated: Any) -> list[tuple[int, list[int]]]:
    """The non-terminal and the symbols of each production."""
    numbers = np.asarray(generated.productions()).tolist()
    found, place = [], 0
    while place < len(numbers):
        lhs, length = numbers[place : place + 2]
        place += 2 + length
        found.append((lhs, numbers[place - length : place]))
    return found


_EMBEDDED = "NT$"
"""What CUP calls its non-terminals for embedded actions; numbers follow."""


def _cup_name(symbol: Symbol) -> str:
    return _EMBEDDED if symbol.operator is Operator.ACTION else symbol.name


def _match_productions(generated: Any, names: Sequence[str], grammar: Grammar) -> list[int]:
    """The rule of each production. Both are in the order of the text."""
    theirs = [str(name) for name in (*generated.terminals(), *generated.nonterminals())]
    theirs = [_EMBEDDED if name.startswith(_EMBEDDED) else name for name in theirs]
    first = len(generated.terminals())
    start = int(generated.startProduction())
    rules = iter(grammar.rules)
    found = []
    for number, (lhs, rhs) in enumerate(_productions(generated)):
        if number == start:
            found.append(-1)
            continue
        rule = next(rules, None)
        written = [theirs[first + lhs], *(theirs[symbol] for symbol in rhs)]
        ours = [] if rule is None else [names[symbol] for symbol in (rule.lhs, *rule.rhs)]
        if rule is None or written != ours:
            raise AdapterError(
                f"{grammar.name}: CUP reads {_shown(written)} where gramspect reads"
                f" {_shown(ours) or 'nothing'}; please report this grammar"
            )
        found.append(rule.index)
    return found


def _shown(names: Sequence[str]) -> str:
    return " ".join([*names[:1], "::=", *names[1:]]) if names else ""


def _nonterminals(
    generated: Any, rules: Sequence[int], names: Sequence[str], grammar: Grammar
) -> list[int]:
    """The non-terminal of the grammar for each of CUP's."""
    known = {name: number for number, name in enumerate(names)}
    found = [known.get(str(name), UNKNOWN) for name in generated.nonterminals()]
    # Those of embedded actions have other names, and one production each.
    for rule, (lhs, _) in zip(rules, _productions(generated), strict=True):
        if rule >= 0:
            found[lhs] = grammar.rules[rule].lhs
    return found


def _kernels(generated: Any, rules: Sequence[int], grammar: Grammar) -> tuple[tuple[int, ...], ...]:
    """The kernels of CUP's item sets; the state after the end of the input has none."""
    numbers = np.asarray(generated.items()).tolist()
    start = int(generated.startProduction())
    kernels: dict[int, list[int]] = defaultdict(list)
    place = 0
    while place < len(numbers):
        state, size = numbers[place : place + 2]
        items = iter(numbers[place + 2 : place + 2 + 2 * size])
        place += 2 + 2 * size
        kernels[state] = [
            grammar.n_items + dot if production == start else grammar.item(rules[production], dot)
            for production, dot in zip(items, items, strict=True)
            if (dot < 2 if production == start else dot > 0)
        ]
    return tuple(tuple(sorted(kernels[state])) for state in range(len(kernels)))
