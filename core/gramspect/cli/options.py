"""The options that commands share: which tests, which parser, how to run and rank."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce, wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gramspect.cli.keeping import KeepsInputs
from gramspect.effort import Effort
from gramspect.generation.texts import Spacing
from gramspect.localization import localize as localization
from gramspect.localization.results import Method
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.registry import own_tests
from gramspect.recognition.trace import Extraction
from gramspect.running.options import RunOptions
from gramspect.scoring.evidence import Evidence
from gramspect.scoring.metrics import METRICS
from gramspect.scoring.ranking import Ties
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.suites.suite import TestSuite

if TYPE_CHECKING:
    from gramspect.localization.reader import Reader

__all__ = [
    "Count",
    "NamedTests",
    "Number",
    "SeveralPaths",
    "choice",
    "effort_options",
    "loading_options",
    "localizing_options",
    "ranking_options",
    "reader_option",
    "recorded_option",
    "report_options",
    "running_options",
    "scoring_options",
    "spectrum_options",
    "suite_options",
    "texts_options",
    "together",
]

F = TypeVar("F", bound=Callable[..., object])

MOST = 10**9
"""The largest number of things that an option takes."""
LONGEST = 1e6
"""The longest time limit in seconds, eleven days: the timers of all systems can count it."""
Command = Callable[..., object]


class SeveralPaths(KeepsInputs):
    """A command whose options for paths take several, so that ``--accept tests/*.c`` works.

    ``--accept a b`` is read as ``--accept a --accept b``.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_each_with_its_option(args)))


class Number(click.FloatRange):
    """A number in a range; ``nan`` is none, although it is in every range."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


class Count(click.IntRange):
    """How many, at least `min`: no number that loops and arrays cannot count to."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number: int = super().convert(value, param, ctx)
        if number > MOST:
            self.fail(f"that is more than {MOST:,}.", param, ctx)
        return number


_SEVERAL = ("--accept", "--reject", "--suite", "--spectra")


def _each_with_its_option(args: list[str]) -> Iterator[str]:
    option, first = "", True
    for position, arg in enumerate(args):
        if arg == "--":
            yield from args[position:]
            return
        if arg.startswith("-"):
            option, first = arg if arg in _SEVERAL else "", True
        elif option:
            if not first:
                yield option
            first = False
        yield arg


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several decorators as one, shown in the order in which they are given."""
    return lambda command: reduce(lambda f, option: option(f), reversed(options), command)


def choice(name: str, values: Iterable[StrEnum], default: StrEnum, text: str) -> Callable[[F], F]:
    """An option that takes one of these values."""
    choices = click.Choice([str(value) for value in values])
    return click.option(name, type=choices, default=str(default), show_default=True, help=text)


@dataclass(frozen=True, slots=True)
class NamedTests:
    """The tests that a command line names."""

    accept: tuple[str, ...]
    reject: tuple[str, ...]
    lines: bool
    manifests: tuple[str, ...]
    recorded: tuple[str, ...] = ()
    """Files with recorded runs, which stand for tests that run."""

    def suite(self, grammar: str | None, adapter: str | None) -> TestSuite:
        """The tests that were named; if none were, those that come with the grammar, if any do."""
        named = self.accept or self.reject or self.manifests
        own = None if named or grammar is None else own_tests(grammar, adapter)
        if own is not None:
            return own
        return TestSuite.load(self.accept, self.reject, self.lines, self.manifests)


def suite_options(command: Command) -> Command:
    """``--accept``, ``--reject``, ``--lines`` and ``--suite``; the command gets them as `tests`."""

    @wraps(command)
    def with_tests(
        *,
        accept: tuple[str, ...],
        reject: tuple[str, ...],
        lines: bool,
        manifests: tuple[str, ...],
        **others: Any,
    ) -> object:
        return command(tests=NamedTests(accept, reject, lines, manifests), **others)

    return together(
        click.option(
            "--accept", multiple=True, metavar="PATH...", help="Tests that are in the language."
        ),
        click.option("--reject", multiple=True, metavar="PATH...", help="Tests that are not."),
        click.option(
            "--lines", is_flag=True, help="Files hold one test per line; blank lines are no tests."
        ),
        click.option(
            "--suite",
            "manifests",
            multiple=True,
            metavar="FILE...",
            help="Tests that gramspect generate wrote (.jsonl).",
        ),
    )(with_tests)


def recorded_option(command: Command) -> Command:
    """``--spectra``, for commands that also take recorded runs (`gramspect.cli.subjects`)."""

    @wraps(command)
    def with_recorded(*, tests: NamedTests, recorded: tuple[str, ...], **others: Any) -> object:
        return command(tests=replace(tests, recorded=recorded), **others)

    return click.option(
        "--spectra",
        "recorded",
        multiple=True,
        metavar="FILE...",
        help="Recorded runs in the place of tests (.gsp).",
    )(with_recorded)


def loading_options(command: Command) -> Command:
    """How the parser is loaded; the command gets it as `load`."""

    @wraps(command)
    def with_load(
        *,
        adapter: str | None,
        start: str | None,
        case: str | None,
        allow_trailing: bool,
        no_actions: bool,
        option: dict[str, str],
        load_timeout: float,
        **others: Any,
    ) -> object:
        flags = {"case": case or "", "trailing": "allow" if allow_trailing else ""}
        load = LoadOptions(start, not no_actions, flags | option, adapter, load_timeout)
        return command(load=load, **others)

    return together(
        click.option(
            "--adapter", metavar="NAME", help="Adapter to use (default: chosen by file type)."
        ),
        click.option(
            "--start", metavar="SYMBOL", help="The start symbol, if not the grammar's own."
        ),
        click.option(
            "--case",
            type=click.Choice(["upper", "lower"]),
            help="The case in which the lexer sees letters (antlr), for grammars that are used"
            " with case-changing streams.",
        ),
        click.option(
            "--allow-trailing",
            is_flag=True,
            help="The start rule need not consume the whole input (antlr).",
        ),
        click.option(
            "--no-actions", is_flag=True, help="Do not run the parser's semantic actions."
        ),
        click.option(
            "--option",
            multiple=True,
            metavar="KEY=VALUE",
            callback=_pairs,
            help="An option of one adapter (see its page), such as lexer=basic for Lark.",
        ),
        click.option(
            "--load-timeout",
            type=Number(min=0, max=LONGEST, min_open=True),
            metavar="SECONDS",
            default=LoadOptions().seconds,
            show_default=True,
            help="How long it may take to load the grammar or parser.",
        ),
    )(with_load)


def _pairs(context: click.Context, _: click.Parameter, pairs: tuple[str, ...]) -> dict[str, str]:
    for pair in pairs:
        key, equals, _value = pair.partition("=")
        if not key or not equals:
            raise click.BadParameter(f"{pair!r} is not KEY=VALUE", context)
    return dict(pair.split("=", 1) for pair in pairs)


def texts_options(command: F) -> F:
    """``--model``, ``--samples`` and ``--spacing``: arguments of `read_grammar`."""
    return together(
        click.option(
            "--model",
            metavar="FILE",
            help="A file (.toml) that says which part of the language is tested, and with which"
            " names.",
        ),
        click.option(
            "--samples",
            metavar="FILE",
            help="Texts of tokens (.toml), which are taken before those that the lexer gives.",
        ),
        choice("--spacing", Spacing, Spacing.BLANK, "What is first tried to stand between tokens."),
    )(command)


def running_options(command: Command) -> Command:
    """``--timeout`` and ``--jobs``; the command gets them as `run`."""

    @wraps(command)
    def with_run(*, timeout: float | None, jobs: int, **others: Any) -> object:
        return command(run=RunOptions(timeout, jobs), **others)

    return together(
        click.option(
            "--timeout",
            type=Number(min=0, max=LONGEST, min_open=True),
            metavar="SECONDS",
            help="Time limit of each test; tests that exceed it are undecided.",
        ),
        click.option(
            "--jobs",
            type=Count(min=1),
            metavar="N",
            default=1,
            show_default=True,
            help="Worker processes that run tests.",
        ),
    )(with_run)


def report_options(
    forms: Sequence[str],
    form: str = "Form of the report.",
    *,
    output: str = "Write the report to FILE, whole or not at all.",
) -> Callable[[F], F]:
    """``--format``, by default the first of these, and ``-o FILE``."""
    return together(
        click.option(
            "--format",
            "form",
            type=click.Choice(forms),
            default=forms[0],
            show_default=True,
            help=form,
        ),
        click.option("-o", "--output", metavar="FILE", help=output),
    )


def effort_options(text: str) -> Callable[[F], F]:
    """``--effort``, ``--reduce`` and ``--budget SECONDS``."""
    return together(
        choice("--effort", Effort, Effort.NORMAL, "How much work the search for repairs may do."),
        click.option(
            "--reduce",
            is_flag=True,
            help="Leave out of failing tests what does not matter before the point where the"
            " parser stops, and search for repairs with these smaller ones.",
        ),
        click.option(
            "--budget",
            type=Number(min=0, max=LONGEST),
            metavar="SECONDS",
            default=localization.BUDGET,
            show_default=True,
            help=text,
        ),
    )


def reader_option(command: F) -> F:
    """``--reader COMMAND``."""
    return click.option(
        "--reader",
        metavar="COMMAND",
        callback=_reader,
        help="A program that reads failing tests and grammar and says which of the first"
        " definitions is at fault, such as that of a language model. It gets a question and prints"
        " its answer.",
    )(command)


def _reader(_: click.Context, __: click.Parameter, command: str | None) -> Reader | None:
    if command is None:
        return None
    from gramspect.localization.reader import SECONDS, Reader

    return Reader(command, SECONDS)


def spectrum_options(command: F) -> F:
    """``--spectrum`` and ``--extraction``."""
    return together(
        choice("--spectrum", SpectrumKind, Method.spectrum, "What is ranked."),
        choice(
            "--extraction",
            Extraction,
            Method.extraction,
            "Which derivations of rejected tests count.",
        ),
    )(command)


def ranking_options(command: F) -> F:
    """What is ranked, and how."""
    return _ranking_options(
        choice("--evidence", Evidence, Method.evidence, "What a score is made of.")
    )(command)


def localizing_options(command: F) -> F:
    """The same options for commands that run one parser and may search for edits."""
    return _ranking_options(
        click.option(
            "--evidence",
            type=click.Choice([str(kind) for kind in Evidence]),
            help="What a score is made of (default: edits, or both where the tokens of tests are"
            " not known).",
        )
    )(command)


def _ranking_options(evidence: Callable[[F], F]) -> Callable[[F], F]:
    return together(spectrum_options, evidence, scoring_options)


def scoring_options(command: F) -> F:
    """How scores are made of spectra, and ranks of scores."""
    names = ", ".join(sorted(METRICS))
    metrics = f"How counts become scores: {names}; dstar:3 is DStar with the exponent 3."
    return together(
        click.option("--metric", default=Method.metric, show_default=True, help=metrics),
        choice("--ties", Ties, Method.ties, "Which rank the elements of a tie get."),
        click.option(
            "--group", is_flag=True, help="Rank non-terminals, by the best element of each."
        ),
    )(command)
