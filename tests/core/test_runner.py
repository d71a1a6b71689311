"""Running tests: whatever a parser does costs one test, in this process and in workers."""

from __future__ import annotations

import itertools
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from gramspect.errors import AdapterError, GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import (
    Extraction,
    Observation,
    ParseError,
    Trace,
    Undecided,
    Verdict,
)
from gramspect.running.loading import LoadSpec
from gramspect.running.observing import silenced
from gramspect.running.runner import BATCH_CHARACTERS, BATCH_TESTS, run
from gramspect.suites.suite import TestCase, TestSuite

GRAMMAR = Grammar.from_rules([("s", ["a", "s"]), ("s", ["b"])])


class Troubled:
    """A parser for ``a* b`` that some inputs bring to grief."""

    def __init__(self) -> None:
        self._parser = adapter("native").build(GRAMMAR)
        self.grammar = GRAMMAR

    def trace(self, test: TestCase) -> Trace:
        trouble: Callable[[], object] = TROUBLES.get(test.text, bool)
        trouble()
        return self._parser.trace(test)


class AtOnce(Troubled):
    """The same parser, with a batch form."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[int] = []

    def traces(self, tests: Sequence[TestCase]) -> list[Trace]:
        self.batches.append(len(tests))
        return [self.trace(test) for test in tests]


class Decided(AtOnce):
    """The same parser, which can say its verdicts without traces."""

    def decisions(self, tests: Sequence[TestCase]) -> list[ParseError | Undecided | None]:
        return [None if test.text.endswith("b") else ParseError(0, "it is no b") for test in tests]

    def traces(self, tests: Sequence[TestCase]) -> list[Trace]:
        raise AssertionError("nobody asked for traces")


def endless() -> None:
    while True:
        time.sleep(60)


def deep() -> None:
    deep()


def chatty() -> None:
    print("a line that would spoil a report")
    print("another one", file=sys.stderr)
    assert sys.stdin.read() == ""


def failing(problem: BaseException) -> None:
    raise problem


TROUBLES: dict[str, Callable[[], object]] = {
    "endless": endless,
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "gone": lambda: os._exit(3),
    "deep": deep,
    "chatty": chatty,
    "memory": lambda: failing(MemoryError()),
    "value": lambda: failing(ValueError("no such\nvalue")),
    "exit": lambda: sys.exit(4),
    "unusable": lambda: failing(GramspectError("cannot be parsed")),
}

RAISING = {
    "deep": "the parse is nested too deeply for the stack of this process",
    "memory": "the parse needs more memory than there is",
    "value": "the parser raised ValueError: no such value",
    "exit": "the parser raised SystemExit: 4",
    "unusable": "cannot be parsed",
}


def unloadable() -> Recognizer:
    raise ValueError("the tables are gone")


def dying() -> Recognizer:
    os._exit(5)


def cases(*texts: str) -> tuple[TestCase, ...]:
    return TestSuite.from_texts(accept=texts).tests


def observed(*texts: str, **how: float) -> list[Observation]:
    return list(run(Troubled(), cases(*texts), loader=Troubled, **how))


def verdicts(found: list[Observation]) -> list[str]:
    return [observation.verdict.value for observation in found]


each_number_of_jobs = pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.slow), 2])


@each_number_of_jobs
def test_exceptions_cost_one_test(jobs: int) -> None:
    found = observed("b", *RAISING, "a b", "a", jobs=jobs)
    assert verdicts(found) == ["accepted", *["undecided"] * len(RAISING), "accepted", "rejected"]
    assert [o.reason for o in found if o.reason] == list(RAISING.values())


def test_batches_are_small() -> None:
    parser = AtOnce()
    short = [f"a{' ' * n}{'b' * (n % 2)}" for n in range(2 * BATCH_TESTS)]
    long = [" " * BATCH_CHARACTERS + "b", "b" + " " * BATCH_CHARACTERS]
    found = list(run(parser, cases(*short, *long, "b")))
    assert verdicts(found) == ["rejected", "accepted"] * BATCH_TESTS + ["accepted"] * 3
    assert parser.batches == [BATCH_TESTS, BATCH_TESTS, 1, 1, 1]
    assert list(run(AtOnce(), ())) == []


def test_a_batch_that_raises_costs_one_test(capfd: pytest.CaptureFixture[str]) -> None:
    texts = ["b", *RAISING, "chatty", "a b", "a"]
    found = list(run(AtOnce(), cases(*texts)))
    assert verdicts(found) == verdicts(observed(*texts))
    assert [o.reason for o in found if o.reason] == list(RAISING.values())
    assert capfd.readouterr() == ("", "")


@each_number_of_jobs
def test_verdicts_alone(jobs: int) -> None:
    texts = ["b", "value", "a", "a b"]
    whole, alone = (
        list(run(Troubled(), cases(*texts), extraction, loader=Troubled, jobs=jobs))
        for extraction in (Extraction.EXACT, None)
    )
    assert [(o.verdict, o.error, o.reason) for o in alone] == [
        (o.verdict, o.error, o.reason) for o in whole
    ]
    assert all(o.shift_items for o in whole if o.verdict is not Verdict.UNDECIDED)
    assert not any(o.rules or o.items or o.shift_items or o.active for o in alone)


def test_verdicts_of_a_parser_that_can_say_them_sooner() -> None:
    found = list(run(Decided(), cases("b", "a", "a b"), None))
    assert verdicts(found) == ["accepted", "rejected", "accepted"]
    assert [o.error and o.error.message for o in found] == [None, "it is no b", None]


def test_a_parser_may_close_what_it_prints_to() -> None:
    for _ in range(2):
        with silenced():
            print("heard by nobody")
            sys.stdout.close()


@each_number_of_jobs
def test_what_a_parser_prints_is_not_seen(jobs: int, capfd: pytest.CaptureFixture[str]) -> None:
    assert verdicts(observed("chatty", "b", jobs=jobs)) == ["rejected", "accepted"]
    assert capfd.readouterr() == ("", "")


@each_number_of_jobs
def test_the_time_limit_costs_one_test(jobs: int) -> None:
    found = observed("b", "endless", "a b", "a", timeout=1, jobs=jobs)
    assert verdicts(found) == ["accepted", "undecided", "accepted", "rejected"]
    assert found[1].reason == "time limit of 1 s"


@each_number_of_jobs
def test_a_crash_costs_one_test(jobs: int) -> None:
    found = observed("killed", "b", "gone", "a b", timeout=60, jobs=jobs)
    assert verdicts(found) == ["undecided", "accepted", "undecided", "accepted"]
    assert found[0].reason == "the parser's process died (SIGKILL)"
    assert found[2].reason == "the parser's process died (exit status 3)"


def test_results_come_in_order_and_are_the_same_in_workers() -> None:
    texts = ["a " * n + end for n, end in itertools.product(range(20), ("", "b", "b b"))]
    assert observed(*texts, jobs=3) == observed(*texts)


def test_nobody_is_left_behind() -> None:
    results = run(Troubled(), cases("b", "endless"), loader=Troubled, timeout=600, jobs=2)
    assert next(results).verdict is Verdict.ACCEPTED
    children = _children()
    assert children
    results.close()  # type: ignore[attr-defined]
    assert not children & _children()


def _children() -> set[str]:
    """The workers of this process (not multiprocessing's resource tracker)."""
    import multiprocessing

    return {str(process.pid) for process in multiprocessing.active_children()}


def test_a_parser_that_does_not_load_in_a_worker() -> None:
    with pytest.raises(AdapterError, match="does not load in a worker process: ValueError: the t"):
        list(run(Troubled(), cases("b"), loader=unloadable, jobs=2))
    with pytest.raises(AdapterError, match=r"died \(exit status 5\) when the parser was loaded"):
        list(run(Troubled(), cases("b"), loader=dying, jobs=2))
    with pytest.raises(AdapterError, match=r"nix\.y: there is no such file"):
        list(run(Troubled(), cases("b"), loader=LoadSpec("native", "nix.y"), jobs=2))


@each_number_of_jobs
def test_an_extraction_that_a_recognizer_cannot_supply(jobs: int) -> None:
    build = partial(adapter("chart").build, GRAMMAR)
    with pytest.raises(GramspectError, match="stack"):
        list(run(build(), cases("b"), Extraction.STACK, loader=build, jobs=jobs))


def test_workers_need_a_loader() -> None:
    with pytest.raises(ValueError, match="need a loader"):
        run(Troubled(), cases("b"), timeout=1)
