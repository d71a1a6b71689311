"""The command ``gramspect``: thin shells over the functions of the same names.

Exit status: 0 no test fails, 1 some fail and the ranking was printed, 2 unusable arguments, grammar
or input, 130 interrupted, 141 the reader of the output went away. An error is one line on standard
error, never a traceback; the environment variable ``GRAMSPECT_DEBUG=1`` adds the traceback of an
unexpected one.

May use: all rooms.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from gramspect.cli.output import drop_output, reserve_output, standard_output
from gramspect.errors import GramspectError
from gramspect.reading import LARGEST, set_largest
from gramspect.report.words import printable

__all__ = ["main"]

EXIT_UNUSABLE = 2
EXIT_INTERRUPTED = 130
EXIT_UNREAD = 141
"""The exit status of a program that the signal SIGPIPE ends."""


_COMMANDS = {
    "localize": "Rank the rules or positions of GRAMMAR by how suspicious the tests make them.",
    "suggest": "Suggest changes of GRAMMAR that make its failing tests pass, as diffs, best first.",
    "debug": "Mend GRAMMAR one fault at a time: localize, make a change, run the tests again.",
    "ask": "Ask about short inputs, to tell which of several repairs of GRAMMAR is right.",
    "reduce": "Make INPUT as small as it can be while it still fails.",
    "abstract": "Find the pattern of a failing INPUT: which parts of it can be anything.",
    "generate": "Write a test suite for the language of GRAMMAR.",
    "coverage": (
        "Say which rules, choices and positions of GRAMMAR the tests use, and which they never do."
    ),
    "compare": (
        "Run the same tests through several parsing techniques and compare verdicts and rankings."
    ),
    "blackbox": "Find where GRAMMAR and a system that cannot be instrumented differ.",
    "specialize": (
        "Write the grammar of those inputs of GRAMMAR that have some patterns and not others."
    ),
    "associate": "Learn which parts of its inputs make a program call a function, raise or fail.",
    "predict": "Predict what a program does on inputs, with a model of gramspect associate.",
    "spectra": (
        "Write which test executes which rule or position of GRAMMAR, for other tools to read."
    ),
    "lrgraph": "Show the LR graph of GRAMMAR: its size, its edges, or a drawing.",
    "campaign": "Seed faults into grammars and measure how well they are found, as CONFIG says.",
    "init": (
        "Write a gramspect.toml for the project in this folder: the grammars and examples in it."
    ),
    "lsp": (
        "Serve an editor: the Language Server Protocol for the grammars of projects with "
        "a gramspect.toml."
    ),
    "check": "Say what would be loaded for GRAMMAR, how, and what is missing; run the first tests.",
    "adapters": "List the adapters: what each takes, and whether what it needs is installed.",
}
"""The commands in the order in which users need them, each with the first sentence of its help.

The list of commands is printed from here, so that it costs no import of a command.
"""


def _meant(name: str) -> str:
    """What somebody may have meant with the name of a command that there is not."""
    from difflib import get_close_matches

    near = get_close_matches(name, _COMMANDS, n=1)
    if near:
        return f" (did you mean {near[0]!r}?)"
    return f"; as in gramspect localize {name}" if Path(name).suffix else ""


_LONG_WORD = re.compile(r"\S{400,}")
"""What is cut in messages: no name or path of anybody is as long as that."""


class _ReaderGone(Exception):
    """The reader of our output has gone away."""


class _Commands(click.Group):
    """A group whose commands are imported when they are used."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; click would end with the status 1 if nobody reads the output any more."""
        try:
            result = super().invoke(ctx)
            with standard_output() as stream:
                stream.flush()
        except BrokenPipeError:
            raise _ReaderGone from None
        return result

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands with their whole sentences, without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """What to run; click would not know the commands that a misspelt name is near to."""
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"No such command {name!r}{_meant(name)}")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"gramspect.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="gramspect", message="%(prog)s %(version)s")
@click.option(
    "--file-limit",
    type=click.IntRange(min=1, max=10**9),
    metavar="MEGABYTES",
    default=LARGEST,
    show_default=True,
    help="Size of the largest file that is read: a grammar, a test, a suite.",
)
@click.pass_context
def cli(ctx: click.Context, file_limit: int) -> None:
    """Find faults in context-free grammars: run the real parser on your tests and rank the rules
    and positions to look at.

    \b
    gramspect localize Calc.g4 --accept broken.txt   where is the fault?
    gramspect suggest Calc.g4 --accept broken.txt    what would mend it?
    gramspect COMMAND --help                         all options of a command
    """
    set_largest(file_limit)
    _find_modules_here()
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _find_modules_here() -> None:
    """Modules of the current folder are found, after all others, as ``python -m`` finds them."""
    with suppress(OSError):  # the folder is gone
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.append(here)


def main() -> None:
    """The entry point."""
    reserve_output()
    sys.exit(_status())


def _status() -> int:
    """Runs the command and says how it ended."""
    try:
        status = cli.main(prog_name="gramspect", standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except _ReaderGone:
        drop_output()
        return EXIT_UNREAD
    except Exception as problem:
        return _failed(problem)
    return status if isinstance(status, int) else 0


def _failed(problem: Exception) -> int:
    """Say on one line what is wrong."""
    if isinstance(problem, click.ClickException):
        message = problem.format_message().removesuffix(".")
        return _error(f"{message}; see {_command_path(problem)} --help")
    if isinstance(problem, GramspectError):
        return _error(str(problem))
    if isinstance(problem, MemoryError):
        return _error("there is not enough memory for this; try it with fewer or smaller tests")
    if os.environ.get("GRAMSPECT_DEBUG") == "1":
        traceback.print_exc()
    if isinstance(problem, OSError):  # what the system refuses is no fault of ours
        name = f"{problem.filename}: " if problem.filename else ""
        return _error(f"{name}{problem.strerror or problem}")
    return _error(
        f"{type(problem).__name__}: {problem} (this is a fault of gramspect, please report it;"
        " GRAMSPECT_DEBUG=1 shows the traceback)"
    )


def _error(message: str) -> int:
    shown = _LONG_WORD.sub(lambda word: f"{word[0][:100]}...{word[0][-20:]}", printable(message))
    click.echo(f"gramspect: error: {shown}", err=True)
    return EXIT_UNUSABLE


def _command_path(problem: click.ClickException) -> str:
    context = problem.ctx if isinstance(problem, click.UsageError) else None
    return context.command_path if context is not None else "gramspect"
