"""A slow oracle for the hook: the LR algorithm on PLY's tables, over token types, no actions.

Written from the description of the algorithm (Aho, Lam, Sethi and Ullman 2006, Algorithm 4.44) with
PLY's default reductions; everything is kept as it happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Replay:
    """A run up to the first error. Productions by PLY's numbers.

    `error` is the index of the offending token, None for an accepted input; `stack` the stack
    after the last shift. `pushed` and `reduced` end there if the input is rejected, what
    follows is `late`.
    """

    pushed: list[int] = field(default_factory=lambda: [0])
    reduced: list[int] = field(default_factory=list)
    late: list[int] = field(default_factory=list)
    stack: list[int] = field(default_factory=lambda: [0])
    error_stack: list[int] = field(default_factory=list)
    error: int | None = None


def replay(parser: Any, kinds: Sequence[str]) -> Replay:
    """What the parser must do on tokens of these types."""
    run = Replay()
    stack, pushed, reduced = [0], [0], list[int]()
    at = 0
    while True:
        state = stack[-1]
        if state in parser.defaulted_states:
            action = parser.defaulted_states[state]
        else:
            action = parser.action[state].get(kinds[at] if at < len(kinds) else "$end")
        if action is None:
            run.error, run.error_stack = at, stack
            run.late = reduced[len(run.reduced) :]
            return run
        if action == 0:
            run.pushed, run.reduced = pushed, reduced
            return run
        if action > 0:
            at += 1
            stack.append(action)
            pushed.append(action)
            run.stack, run.pushed, run.reduced = stack[:], pushed[:], reduced[:]
        else:
            production = parser.productions[-action]
            reduced.append(-action)
            if production.len:
                del stack[-production.len :]
            stack.append(parser.goto[stack[-1]][production.name])
            pushed.append(stack[-1])
