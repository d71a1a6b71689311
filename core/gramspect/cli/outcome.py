"""How a command that has run tests ends: its exit status, and the error if no test has a
verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from gramspect.errors import SuiteError
from gramspect.running.recording import UndecidedTest, commonest_reason

__all__ = ["check_decided", "exit_status", "undecided_fail_option", "undecided_option"]

F = TypeVar("F", bound=Callable[..., object])

COUNT, FAIL = "count", "fail"


def undecided_option(command: F) -> F:
    """``--undecided``; see `exit_status`."""
    return _undecided_option(COUNT)(command)


def undecided_fail_option(command: F) -> F:
    """``--undecided`` for a command that is not done while tests are undecided."""
    return _undecided_option(FAIL)(command)


def _undecided_option(default: str) -> Callable[[F], F]:
    return click.option(
        "--undecided",
        "undecided_are",
        type=click.Choice([COUNT, FAIL]),
        default=default,
        show_default=True,
        help="Tests without a verdict are only counted, or make the exit status 1.",
    )


def check_decided(undecided: Sequence[UndecidedTest], n_tests: int) -> None:
    """Refuse to call it a success if none of the tests has a verdict.

    Call it after the report is written, since that says which tests are undecided and why.

    Raises:
        SuiteError: not one test could be decided, so the run says nothing about the parser.
    """
    if undecided and len(undecided) == n_tests:
        reason, n_alike = commonest_reason(undecided)
        raise SuiteError(_none_decided(n_tests, n_alike, reason))


def exit_status(failing: bool, undecided: Sequence[UndecidedTest], undecided_are: str) -> int:
    """1 if tests fail, or are undecided where that counts as failing; else 0."""
    return 1 if failing or (undecided and undecided_are == FAIL) else 0


def _none_decided(n_tests: int, n_alike: int, reason: str) -> str:
    if n_tests == 1:
        return f"the only test could not be decided: {reason}"
    how_often = "all" if n_alike == n_tests else f"{n_alike:,}"
    return f"none of the {n_tests:,} tests could be decided; the reason of {how_often}: {reason}"
