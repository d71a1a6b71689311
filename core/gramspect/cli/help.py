"""Help in groups: the options that matter most first, with an example, then the others by subject.

The subjects are written once, here, for all commands. Options without a subject are the command's
own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

__all__ = ["GroupedHelp"]

_SUBJECTS = {
    "Tests": ("accept", "reject", "lines", "manifests", "recorded", "target"),
    "Inputs": ("where", "patterns", "same_as"),
    "Parser": ("adapter", "start", "case", "allow_trailing", "no_actions", "option"),
    "What must hold": (
        "reference", "same_place", "wrongly_rejected", "command", "status", "signal_name",
        "message", "invalid",
    ),
    "Texts of generated tests": ("model", "samples", "spacing"),
    "Limits": (
        "effort", "reduce", "timeout", "load_timeout", "jobs", "budget", "calls", "undecided_are",
    ),
    "Scores and ranks": (
        "spectrum", "extraction", "evidence", "metric", "ties", "group", "reader",
    ),
    "Workers": ("backend", "address"),
    "Mutations of LR graphs": (
        "automaton", "analysis", "no_end_insertions", "left_only",
    ),
    "Report": ("form", "output", "plot", "top", "verbose"),
}  # fmt: skip
"""Options by their parameters, in the order in which they are shown."""
_OWN = "This command"


class GroupedHelp(click.Command):
    """A command whose help shows its options by subject.

    `matters` has the parameters of the options that are shown first, with an example of each.
    """

    def __init__(self, *args: Any, matters: Mapping[str, str] | None = None, **named: Any) -> None:
        super().__init__(*args, **named)
        self.matters = dict(matters or {})

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The groups one after the other; those without an option are left out."""
        left = {str(p.name): p for p in self.params if isinstance(p, click.Option)}
        _section(ctx, formatter, "What matters most", [left.pop(name) for name in self.matters])
        if self.matters:
            with formatter.section("Examples"):
                for example in self.matters.values():  # in one piece, to be copied
                    formatter.write(f"{'':{formatter.current_indent}}{example}\n")
        known = {subject: _taken(left, names) for subject, names in _SUBJECTS.items()}
        _section(ctx, formatter, _OWN, list(left.values()))
        for subject, options in known.items():
            _section(ctx, formatter, subject, options)
        if (of_help := self.get_help_option(ctx)) is not None:
            _section(ctx, formatter, "Help", [of_help])


def _taken(left: dict[str, click.Option], names: Sequence[str]) -> list[click.Option]:
    return [left.pop(name) for name in names if name in left]


def _section(
    ctx: click.Context, formatter: click.HelpFormatter, title: str, options: Sequence[click.Option]
) -> None:
    records = [option.get_help_record(ctx) for option in options]  # None of a hidden one
    if rows := [record for record in records if record is not None]:
        with formatter.section(title):
            formatter.write_dl(rows)
