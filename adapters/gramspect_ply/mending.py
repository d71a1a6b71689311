"""Error functions that have the parser go on as if the input had been another one.

A ``p_error`` that calls ``errok`` and returns a token gives the parser that one in the place of the
offending token. Where it is none of those that follow in the text, the error function is a part of
the language: it puts in the semicolons that may be left out, or reads a keyword as a name where
it can be nothing else. One that returns a later token, or none, has skipped what was wrong.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Iterable
from types import CodeType, FunctionType
from typing import Any, Generic, TypeVar

from gramspect.adapter_api import AdapterError, EndlessParse, LoadOptions
from gramspect_ply.shapes import Token

__all__ = ["Mending", "MendingLimit", "may_go_on", "rejects_first_error", "replaces"]

_IN_A_ROW = 1_000

M = TypeVar("M")


def rejects_first_error(options: LoadOptions) -> bool:
    """Whether users want that no token is put in (``--option errors=reject``).

    Raises:
        AdapterError: the option has another value.
    """
    errors = options.extra.get("errors")
    if errors not in (None, "reject"):
        raise AdapterError(f"the option errors is 'reject' or left out, not {errors!r}")
    return errors is not None


def may_go_on(function: Callable[..., object] | None) -> bool:
    """Whether an error function, or what is beside it in its class or module, calls ``errok``.

    Others end the parse or have PLY recover, and need not be called to know that there is an error.
    """
    while isinstance(function, functools.partial):
        function = function.func
    if function is None:
        return False
    plain = inspect.unwrap(getattr(function, "__func__", function))
    if not isinstance(plain, FunctionType):
        return True  # nothing is known of it
    owner = getattr(function, "__self__", None)
    cls: Any = None if owner is None else type(owner)
    return _errok_near(plain, cls)


@functools.lru_cache(maxsize=64)
def _errok_near(function: FunctionType, cls: Hashable) -> bool:
    near = dict(function.__globals__)
    for one in cls.__mro__ if isinstance(cls, type) else ():
        near.update(vars(one))
    # The functions of error rules may call it as well, after the error.
    others = [one for name, one in near.items() if not name.startswith("p_")]
    functions = [one for one in (function, *others) if isinstance(one, FunctionType)]
    return any(_calls_errok(one.__code__) for one in functions)


def _calls_errok(code: CodeType) -> bool:
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return "errok" in code.co_names or any(map(_calls_errok, inner))


def replaces(
    returned: Any, offending: Token | None, kind: str | None, fetched: Iterable[Token | None]
) -> bool:
    """Whether what an error function returns is a token that the text does not have there.

    Args:
        returned: what the function has returned.
        offending: the token that it was called for, None for the end of the input.
        kind: the type that this token had before.
        fetched: the tokens that the parser's token function has given since then.
    """
    if not isinstance(getattr(returned, "type", None), str):
        return False
    if offending is None:
        return True
    if returned is offending:
        return bool(returned.type != kind)
    place, before = getattr(returned, "lexpos", None), getattr(offending, "lexpos", None)
    if isinstance(place, int) and isinstance(before, int):
        return place <= before
    return not any(returned is one for one in fetched)


class Mending(Generic[M]):
    """The tokens that are put in during a parse. `M` is what is kept of an error that may turn out
    to be none: all that had happened before it.

    Attributes:
        first: where the first one was put in; the error, if the code around the parser raises in
            the end.
        open: where one was put in that the parser has not taken yet; the error, if it does not.
    """

    def __init__(self) -> None:
        self.first: M | None = None
        self.open: M | None = None

    def read_on(self) -> None:
        """The parser asks for the next token, so it has taken the last one."""
        self.open = None

    def puts_in(
        self,
        parser: object,
        returned: Any,
        offending: Token | None,
        kind: str | None,
        fetched: Iterable[Token | None],
        here: M,
    ) -> bool:
        """Whether an error function that was called `here` has put in a token; it is noted then.

        The parser tells whether it has called ``errok``; for the others see `replaces`.
        """
        has_put = getattr(parser, "errorok", False) and replaces(returned, offending, kind, fetched)
        if has_put:
            self.open, self.first = here, self.first or here
        return bool(has_put)


class MendingLimit:
    """Ends a parse in which tokens are put in again and again, and none of the text is read."""

    def __init__(self) -> None:
        self._place: int | None = -1
        self._times = 0

    def count(self, place: int | None) -> None:
        """Note that a token is put in, after so many tokens of the text; None at its end.

        Raises:
            EndlessParse: too often.
        """
        self._times = self._times + 1 if place == self._place else 1
        self._place = place
        if self._times > _IN_A_ROW:
            raise EndlessParse(f"p_error has put in {_IN_A_ROW:,} tokens at the same place")
