"""Where a deterministic parser leaves every derivation of a sentence that it rejects.

An LR parser that rejects a sentence of its grammar has resolved a conflict the wrong way, and there
is exactly one action that did it. Call a configuration (the symbols on the stack, the tokens ahead)
*viable* if some sequence of LR actions, conflicts unresolved, accepts from it. The first
configuration is viable, the last one is not, and one that is not viable has no viable successor. So
the configurations before conflicts are bisected; the last viable one is where the parser went
wrong.

Whether a configuration is viable is asked of the general chart, with a grammar in which the symbols
of the stack can only be used as they are (`frozen_prefix_grammar`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import END
from gramspect.lr.conflicts import Conflict
from gramspect.lr.tables import LRTable
from gramspect.recognition.chart import parse_chart

__all__ = ["Commitment", "frozen_prefix_grammar", "is_viable", "wrong_turn"]


@dataclass(frozen=True, slots=True)
class Commitment:
    """The conflict whose resolution made an LR parser reject a sentence, and at which token."""

    conflict: Conflict
    position: int


@dataclass(frozen=True, slots=True)
class _Step:
    """A configuration: the symbols on the stack, the next token, and what the table does with it.

    `state` is the top of the stack, `action` coded as in `LRTable.action`.
    """

    symbols: Sequence[int]
    state: int
    position: int
    lookahead: int
    action: int


def _steps(table: LRTable, tokens: Sequence[int]) -> Iterator[_Step]:
    """The configurations of a run; `symbols` is valid until the next one is asked for."""
    grammar = table.grammar
    states, symbols, position = [table.automaton.start], list[int](), 0
    while True:
        lookahead = tokens[position] if position < len(tokens) else END
        action = int(table.action[states[-1], lookahead]) if lookahead >= 0 else 0
        yield _Step(symbols, states[-1], position, lookahead, action)
        if action > 0:
            states.append(action - 1)
            symbols.append(lookahead)
            position += 1
        elif action == 0 or action == -(grammar.n_rules + 1):
            return
        else:
            rule = grammar.rules[-action - 1]
            keep = len(symbols) - len(rule.rhs)
            del symbols[keep:], states[keep + 1 :]
            states.append(table.automaton.transitions[states[-1]][rule.lhs])
            symbols.append(rule.lhs)


def _conflicts(table: LRTable) -> dict[tuple[int, int], Conflict]:
    """The conflict at each state and lookahead, the one that decided if there are several."""
    return {(c.state, c.lookahead): c for c in table.conflicts}


def wrong_turn(table: LRTable, tokens: Sequence[int]) -> Commitment | None:
    """The conflict that made a table reject a sentence of its grammar.

    The run must end: `gramspect.builtin.native.NativeRecognizer` knows those that reduce for ever.
    None if the run meets no conflict, so that the tokens are no sentence.
    """
    places = _conflicts(table)
    met = sum((step.state, step.lookahead) in places for step in _steps(table, tokens))
    if not met:
        return None
    low, high = 0, met  # conflict `low` is met in a viable configuration, `high` is not
    while high - low > 1:
        middle = (low + high) // 2
        step = _conflict_step(table, tokens, middle)
        if is_viable(table.grammar, step.symbols, tokens[step.position :]):
            low = middle
        else:
            high = middle
    step = _conflict_step(table, tokens, low)
    return Commitment(places[step.state, step.lookahead], step.position)


def _conflict_step(table: LRTable, tokens: Sequence[int], number: int) -> _Step:
    """The configuration before the conflict of that number in a run."""
    places = _conflicts(table)
    for step in _steps(table, tokens):
        if (step.state, step.lookahead) in places:
            if number == 0:
                return step
            number -= 1
    raise IndexError(f"the run meets fewer conflicts than {number}")


# --- viability -----------------------------------------------------------------------------


def is_viable(grammar: Grammar, stack: Sequence[int], ahead: Sequence[int]) -> bool:
    """Whether LR actions, conflicts unresolved, can accept from a configuration."""
    frozen = _FROZEN.get(grammar)
    if frozen is None:
        frozen = _FROZEN[grammar] = frozen_prefix_grammar(grammar)
    words = [*(_mark(symbol) for symbol in stack), *(_plain(symbol) for symbol in ahead)]
    numbers = [-1 if (number := frozen.token(word)) is None else number for word in words]
    return parse_chart(frozen, numbers).accepted


_FROZEN: WeakKeyDictionary[Grammar, Grammar] = WeakKeyDictionary()


def frozen_prefix_grammar(grammar: Grammar) -> Grammar:
    """The grammar of all configurations that are viable.

    Its words are the symbols of a stack, marked, and after them plain tokens. Each symbol X has up
    to three forms: the token *marked X*, the symbol *plain X* (derives plain tokens), and *crossing
    X* (a non-terminal that begins on the stack or at its top, and ends there or after it). A rule
    is crossed by some marked symbols, then perhaps a crossing one, then plain ones. So no rule is
    reduced within the stack: only at its top.
    """
    rules: list[tuple[str, list[str]]] = []
    for rule in grammar.rules:
        rules.append((_plain(rule.lhs), [_plain(symbol) for symbol in rule.rhs]))
        for dot in range(len(rule.rhs) + 1):
            marked = [_mark(symbol) for symbol in rule.rhs[:dot]]
            rules.append((_crossing(rule.lhs), [*marked, *map(_plain, rule.rhs[dot:])]))
            if dot < len(rule.rhs) and not grammar.is_terminal(rule.rhs[dot]):
                after = [_plain(symbol) for symbol in rule.rhs[dot + 1 :]]
                rules.append((_crossing(rule.lhs), [*marked, _crossing(rule.rhs[dot]), *after]))
    accepting = [("$accept", [_mark(grammar.start)]), ("$accept", [_crossing(grammar.start)])]
    return Grammar.from_rules([*accepting, *rules], start="$accept")


def _plain(symbol: int) -> str:
    return f"plain {symbol}"


def _mark(symbol: int) -> str:
    return f"marked {symbol}"


def _crossing(symbol: int) -> str:
    return f"crossing {symbol}"
