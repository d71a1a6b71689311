"""``gramspect reduce``."""

from __future__ import annotations

import json
import math
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from gramspect.cli.keeping import KeepsInputs
from gramspect.cli.options import LONGEST, Count, Number, loading_options, together
from gramspect.cli.output import ProgressBar, write_text
from gramspect.errors import GramspectError
from gramspect.files import check_writable
from gramspect.recognition.recognizer import LoadOptions
from gramspect.reduction import reduce as reducing
from gramspect.reduction.predicates import StillEnds, ended_as
from gramspect.reduction.reduce import Reduction
from gramspect.report.words import counted, printable
from gramspect.suites.suite import Expectation, TestCase, TestSuite

__all__ = ["Failing", "failing_options", "reduce", "report", "status_of"]

_INTERRUPTED = 130


@dataclass(frozen=True)
class Failing:
    """How an input fails, and how long it may be made smaller, as a command line says it."""

    input_file: str
    load: LoadOptions
    reference: str | None
    command: str | None
    status: int | None
    signal_name: str | None
    message: str | None
    invalid: str | None
    same_place: bool | None
    wrongly_rejected: bool
    timeout: float
    budget: float | None
    calls: int | None

    @contextmanager
    def reduced(self, grammar: str) -> Iterator[Reduction]:
        """The smaller input; a program can be asked until the end of the block."""
        _check(self)
        test = _test(self.input_file, self.wrongly_rejected)
        with ExitStack() as stack:
            predicate = self._program(test, stack)
            progress = stack.enter_context(ProgressBar("tokens"))
            yield reducing.reduce(
                grammar,
                test,
                predicate,
                reference=self.reference,
                load=self.load,
                same_place=self.same_place,
                timeout=None if predicate else self.timeout,
                budget=math.inf if self.budget is None else self.budget,
                most_calls=math.inf if self.calls is None else self.calls,
                progress=progress,
            )

    def _program(self, test: TestCase, stack: ExitStack) -> StillEnds | None:
        if self.command is None:
            return None
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="gramspect-"))
        file = Path(folder, Path(self.input_file).name)
        statuses = _statuses(self.status, self.signal_name)
        asked = StillEnds(self.command, file, statuses, self.message, self.timeout, self.invalid)
        return asked if statuses or self.message is not None else asked.like(test.text)


def failing_options(command: Callable[..., object]) -> Callable[..., object]:
    """INPUT and what must hold of it; the command gets them as `failing`."""

    @wraps(command)
    def with_failing(
        *,
        input_file: str,
        load: LoadOptions,
        reference: str | None,
        command: str | None,
        status: int | None,
        signal_name: str | None,
        message: str | None,
        invalid: str | None,
        same_place: bool | None,
        wrongly_rejected: bool,
        timeout: float,
        budget: float | None,
        calls: int | None,
        **others: Any,
    ) -> object:
        failing = Failing(
            input_file, load, reference, command, status, signal_name, message, invalid,
            same_place, wrongly_rejected, timeout, budget, calls,
        )  # fmt: skip
        return shell(failing=failing, **others)

    shell = command
    return together(
        click.argument("input_file", metavar="INPUT"),
        click.option(
            "--reference",
            metavar="GRAMMAR",
            help="A grammar or parser that knows the language, and accepts what is left.",
        ),
        click.option(
            "--command",
            metavar="'PROGRAM {file}'",
            help="Keep how this program fails on the input, not how the parser of GRAMMAR does.",
        ),
        click.option(
            "--status",
            type=int,
            help="With --command: the exit status to keep (default: that of the whole input).",
        ),
        click.option(
            "--signal",
            "signal_name",
            metavar="NAME",
            help="With --command: the signal that ends it.",
        ),
        click.option(
            "--message",
            metavar="TEXT",
            help="With --command: a text that the program must write.",
        ),
        click.option(
            "--invalid",
            metavar="TEXT",
            help="With --command: a text that it writes about inputs that make no sense; these do"
            " not count.",
        ),
        click.option(
            "--same-place/--any-place",
            default=None,
            help="Keep where the parser rejects the input: position in the grammar, and message.",
        ),
        click.option(
            "--rejected/--accepted",
            "wrongly_rejected",
            default=True,
            help="The parser is wrong to reject INPUT (the default), or to accept it.",
        ),
        click.option(
            "--timeout",
            type=Number(min=0, max=LONGEST, min_open=True),
            default=10.0,
            show_default=True,
            metavar="SECONDS",
            help="How long the parser or program may take on an input.",
        ),
        click.option(
            "--budget",
            type=Number(min=0, max=LONGEST, min_open=True),
            metavar="SECONDS",
            help="Time limit; the smallest input so far is written.",
        ),
        click.option("--calls", type=Count(min=1), metavar="N", help="Ask at most N times."),
        loading_options,
    )(with_failing)


@click.command(
    cls=KeepsInputs,
    matters={
        "reference": "gramspect reduce Faulty.g4 failing.c --reference C.g4",
        "command": "gramspect reduce Css.g4 crash.css --command 'prettier {file}' -o small.css",
        "message": "gramspect reduce C.g4 bug.c --command 'cc -c {file}' --message ICE",
    },
)
@click.argument("grammar")
@failing_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The smaller input itself, or JSON with what is known about it.",
)
@click.option("-o", "--output", metavar="FILE", help="Write the smaller input to FILE.")
def reduce(*, grammar: str, failing: Failing, form: str, output: str | None) -> int:
    """Make INPUT as small as it can be while it still fails.

    INPUT fails if the parser of GRAMMAR rejects it. With --command, a smaller input fails if the
    program ends on it as on the whole input. Parts are left out along the derivation tree, so the
    result is a sentence of the grammar (of --reference, if that is given) if INPUT is one.

    The result is printed, and a line about it goes to standard error. Ctrl-C ends the search; the
    smallest input so far is printed.

    Exit status: 0 it was made as small as possible, 1 the budget ended it, 2 something cannot be
    used or INPUT does not fail, 130 interrupted.
    """
    if output is not None:
        check_writable(output)
    with failing.reduced(grammar) as found:
        if form == "json":
            write_text(json.dumps(_value(found), indent=1) + "\n", output)
        else:
            write_text(found.text, output)
    report(found)
    return status_of(found.interrupted)


def status_of(interrupted: str | None) -> int:
    """The exit status of a command that ended early, or did not."""
    if interrupted is None:
        return 0
    return _INTERRUPTED if interrupted == reducing.INTERRUPTED else 1


def _check(given: Failing) -> None:
    """Refuse options that exclude each other.

    Raises:
        GramspectError: such options were given.
    """
    if given.command is None:
        for name, value in (
            ("--status", given.status), ("--signal", given.signal_name),
            ("--message", given.message), ("--invalid", given.invalid),
        ):  # fmt: skip
            if value is not None:
                raise GramspectError(f"{name} is about a program; name it with --command")
        return
    if given.reference is not None:
        raise GramspectError(
            "with --command the tree of the input is that of GRAMMAR; leave out --reference"
        )
    if given.same_place is not None:
        raise GramspectError("--same-place is about the parser and does not go with --command")
    if given.status is not None and given.signal_name is not None:
        raise GramspectError("a program ends with --status or by a --signal; leave out one")


def _statuses(status: int | None, signal_name: str | None) -> tuple[int | None, ...] | None:
    if signal_name is not None:
        name = signal_name.upper().removeprefix("SIG")
        try:
            return (-signal.Signals[f"SIG{name}"],)
        except KeyError:
            raise GramspectError(
                f"--signal {signal_name}: there is no such signal; write one such as SEGV"
            ) from None
    return None if status is None else (status,)


def _test(path: str, wrongly_rejected: bool) -> TestCase:
    if Path(path).is_dir():
        raise GramspectError(f"{path}: is a folder; name one input")
    suite = TestSuite.load([path])
    wanted = Expectation.ACCEPT if wrongly_rejected else Expectation.REJECT
    return replace(suite.tests[0], expectation=wanted)


def report(found: Reduction) -> None:
    """Say on standard error what was done."""
    words = counted(len([word for word in found.words if word.text]), "token")
    ended = f"; {found.interrupted}, this is the best so far" if found.interrupted else ""
    click.echo(
        f"gramspect: {counted(found.n_words, 'token')} became {words} in {found.seconds:.1f} s,"
        f" asked {counted(found.calls, 'time')}{ended}",
        err=True,
    )
    for note in found.notes:
        click.echo(f"gramspect: note: {printable(note)}", err=True)


def _value(found: Reduction) -> dict[str, Any]:
    value: dict[str, Any] = {
        "schema": "gramspect/reduction/1",
        "input": found.test.name,
        "text": found.text,
        "tokens": {"before": found.n_words, "after": len(found.words)},
        "sentence": found.is_sentence,
        "calls": found.calls,
        "seconds": round(found.seconds, 3),
        "interrupted": found.interrupted,
        "notes": list(found.notes),
    }
    predicate = found.judge.predicate if found.judge is not None else None
    if isinstance(predicate, StillEnds) and predicate.statuses is not None:
        value["keeps"] = [ended_as(status) for status in predicate.statuses]
    return value
