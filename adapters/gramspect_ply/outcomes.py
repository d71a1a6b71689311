"""What happens in a parse, as the hooks of PLY parsers note it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gramspect.adapter_api import ErrorKind
from gramspect_ply.shapes import Token

__all__ = ["Failure", "Recording"]


class Failure(NamedTuple):
    """The first error of a test.

    `fetched` tokens had been read, `last` (None for the end of the input) being the last of them;
    at that time `reduced` reductions had been made and `looked` states had looked at a token.
    `stack` is the state stack. `cause` is the exception of the lexer, or of the action of `rule`
    that signalled the error.
    """

    kind: ErrorKind
    stack: tuple[int, ...]
    fetched: int = 0
    last: Token | None = None
    reduced: int = 0
    looked: int = 0
    cause: BaseException | None = None
    rule: int | None = None


class Recording(NamedTuple):
    """What happened in one test.

    `reductions` are rules in order; `looked` the states that have looked at a token in
    the order in which they first did; `defaulted` those that have reduced without a look, each
    with the number of reductions before. `failure` is the first error, `problem` an exception that
    is none, and `raised` the rule whose action raised it. `ran` tells whether the parser was
    called, `text` is what it was given to read, if not the lexer was.
    """

    reductions: Sequence[int]
    looked: Sequence[int]
    defaulted: Mapping[int, int]
    failure: Failure | None
    problem: BaseException | None
    raised: int | None
    ran: bool
    text: str | None
