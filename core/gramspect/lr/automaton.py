"""LR automata: states as sets of items, and the transitions between them.

The same class serves LR(0), LALR(1) and canonical LR(1) automata: a state is described by its
kernel items, without lookaheads, so several states of a canonical automaton may look alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

from gramspect.errors import AdapterError, GrammarError
from gramspect.grammars.analysis import UNPRODUCTIVE
from gramspect.grammars.grammar import Grammar
from gramspect.lr.items import ItemTable, item_table

__all__ = ["MAX_STATES", "AutomatonTooLarge", "LRAutomaton", "growing"]

MAX_STATES = 500_000
"""How many states are built, unless said otherwise: automata can be exponentially large."""

RESERVE = 4 * 1024**2
"""Bytes that are kept to say in that there is no more memory."""


Kernel = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class LRAutomaton:
    """The states and transitions of an LR parser.

    Attributes:
        grammar: the grammar, without the augmenting rule.
        kernels: the kernel items of each state, ascending. ``$accept -> . S`` is item ``n_items``
            of the grammar, ``$accept -> S .`` is ``n_items + 1``. Empty for a state that the
            start state does not reach.
        transitions: for each state the state that each symbol leads to.
        start: the start state.
    """

    grammar: Grammar
    kernels: tuple[Kernel, ...]
    transitions: tuple[Mapping[int, int], ...]
    start: int = 0

    @classmethod
    def lr0(cls, grammar: Grammar, max_states: int = MAX_STATES) -> LRAutomaton:
        """The LR(0) automaton (Knuth 1965), which is also that of SLR(1) and LALR(1).

        States are numbered breadth first from 0, symbols in the order of their numbers.

        Raises:
            AutomatonTooLarge: there are more than `max_states` states, or no memory for them.
        """
        items = item_table(grammar)
        kernels: list[Kernel] = [(grammar.n_items,)]
        number = {kernels[0]: 0}
        transitions: list[Mapping[int, int]] = []
        with growing(grammar, "LR(0)", kernels, max_states) as checked:
            for kernel in kernels:  # grows while it is walked
                targets: dict[int, int] = {}
                for symbol, successor in items.successors(kernel).items():
                    target = number.get(successor)
                    if target is None:
                        checked()
                        target = number[successor] = len(kernels)
                        kernels.append(successor)
                    targets[symbol] = target
                transitions.append(targets)
            return cls(grammar, tuple(kernels), tuple(transitions))

    @classmethod
    def from_transitions(
        cls,
        grammar: Grammar,
        transitions: Sequence[Mapping[int, int]],
        start: int = 0,
        *,
        complete: bool = True,
    ) -> LRAutomaton:
        """The automaton of a foreign tool, its item sets rebuilt from its transitions.

        A state's kernel follows from any path that leads to it, so a walk from the start state
        finds all of them; states that it does not reach get an empty kernel. `transitions` are
        by state and symbol, in the tool's own numbering of states. Edges that the tool left out
        because it resolved a conflict may be missing. LR(0), SLR, LALR and canonical LR graphs
        all work.

        If the grammar is not `complete`, it lacks rules of which the tables still have traces:
        transitions that it does not allow are left out.

        Raises:
            AdapterError: a transition that the grammar does not allow, or a state with two
                different item sets: tables and grammar do not belong together.
        """
        items = item_table(grammar)
        kernels: list[Kernel] = [()] * len(transitions)
        if not 0 <= start < len(transitions):
            raise AdapterError(f"the tables have no state {start}, which should be the first")
        kernels[start] = (grammar.n_items,)
        waiting = [start]
        memory: dict[Kernel, dict[int, Kernel]] = {}
        for state in waiting:  # grows while it is walked
            kernel = kernels[state]
            successors = memory.get(kernel)
            if successors is None:
                successors = memory[kernel] = items.successors(kernel)
            for symbol, target in sorted(transitions[state].items()):
                if symbol not in successors and not complete:
                    continue
                if symbol not in successors or not 0 <= target < len(transitions):
                    raise _mismatch(grammar, f"state {state} cannot read", symbol)
                if not kernels[target]:
                    kernels[target] = successors[symbol]
                    waiting.append(target)
                elif kernels[target] != successors[symbol]:
                    raise _mismatch(
                        grammar,
                        f"state {target} has two item sets, one of them after",
                        symbol,
                    )
        if not complete:
            transitions = [
                {s: target for s, target in row.items() if s in memory.get(kernel, ())}
                for kernel, row in zip(kernels, transitions, strict=True)
            ]
        return cls(grammar, tuple(kernels), tuple(transitions), start)

    @property
    def n_states(self) -> int:
        return len(self.kernels)

    @property
    def items(self) -> ItemTable:
        """The items of the grammar, the augmented ones included."""
        return item_table(self.grammar)

    @cached_property
    def _memory(self) -> dict[Kernel, tuple[tuple[int, ...], tuple[int, ...]]]:
        """Closure and predicted non-terminals by kernel; canonical states share them."""
        return {}

    def _expanded(self, state: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        kernel = self.kernels[state]
        found = self._memory.get(kernel)
        if found is None:
            items = self.items
            found = self._memory[kernel] = (items.closure(kernel), items.predicted(kernel))
        return found

    def closure(self, state: int) -> tuple[int, ...]:
        """All items of a state, kernel and predicted ones, ascending."""
        return self._expanded(state)[0]

    def predicted(self, state: int) -> tuple[int, ...]:
        """The non-terminals whose rules the state predicts, ascending."""
        return self._expanded(state)[1]

    @cached_property
    def accept_state(self) -> int | None:
        """The state in which the end of the input is accepted, None if no state does."""
        return self.transitions[self.start].get(self.grammar.start)

    def example(self, state: int) -> tuple[int, ...]:
        """A shortest sequence of terminals that leads to a state.

        A non-terminal on the way that derives no sentence stands for itself. Empty for a state
        that is not reached.
        """
        path: list[int] = []
        while (step := self._access[state]) is not None:
            state, symbol = step
            path.append(symbol)
        analysis = self.grammar.analysis
        found: list[int] = []
        for symbol in reversed(path):
            productive = analysis.shortest_length[symbol] < UNPRODUCTIVE
            found.extend(analysis.shortest_yield(symbol) if productive else (symbol,))
        return tuple(found)

    @cached_property
    def _access(self) -> list[tuple[int, int] | None]:
        """The last step, state and symbol, of a path to each state that is shortest in tokens."""
        length = self.grammar.analysis.shortest_length
        found: list[tuple[int, int] | None] = [None] * self.n_states
        settled = [False] * self.n_states
        heap: list[tuple[int, int, int, tuple[int, int] | None]] = [(0, 0, self.start, None)]
        while heap:
            tokens, steps, state, step = heappop(heap)
            if settled[state]:
                continue
            settled[state], found[state] = True, step
            for symbol, target in self.transitions[state].items():
                if not settled[target]:
                    entry = (tokens + length[symbol], steps + 1, target, (state, symbol))
                    heappush(heap, entry)
        return found


class AutomatonTooLarge(GrammarError):
    """The automaton of a grammar has too many states, for a bound or for the memory.

    `kind` is what the automaton is called, `reason` the message without its advice.
    """

    def __init__(self, kind: str, reason: str, advice: str) -> None:
        super().__init__(f"{reason}; {advice}")
        self.kind = kind
        self.reason = reason


@contextmanager
def growing(
    grammar: Grammar, kind: str, states: Sized, max_states: int
) -> Iterator[Callable[[], None]]:
    """While the states of an automaton are found; what it gives is called before each new one.

    Raises:
        AutomatonTooLarge: there are `max_states` already, or there is no memory for more.
    """
    name = f"the {kind} automaton of the grammar {grammar.name}"
    advice = "use a chart parser for it, or LALR(1) tables if these were canonical ones"

    def checked() -> None:
        if len(states) == max_states:
            reason = f"{name} has more than {max_states:,} states"
            raise AutomatonTooLarge(kind, reason, advice)

    reserve = bytearray(RESERVE)
    try:
        yield checked
    except MemoryError:
        del reserve
        found = f"which has more than {len(states):,} states"
        reason = f"there is not enough memory for {name}, {found}"
        raise AutomatonTooLarge(kind, reason, advice) from None


def _mismatch(grammar: Grammar, what: str, symbol: int) -> AdapterError:
    known = 0 <= symbol < len(grammar.symbols)
    name = repr(grammar.symbols[symbol].name) if known else f"symbol {symbol}"
    return AdapterError(
        f"the parser tables do not match the grammar {grammar.name}: {what} {name}; "
        "generate the tables again from this grammar"
    )
