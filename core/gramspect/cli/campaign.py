"""``gramspect campaign``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gramspect.cli.keeping import KeepsInputs
from gramspect.cli.options import Count
from gramspect.cli.output import write_text
from gramspect.files import check_writable

if TYPE_CHECKING:
    from gramspect.campaigns.campaign import Progress

__all__ = ["campaign"]

_ACTIONS = ("run", "status", "report", "compare", "export", "rounds")
_FORMATS = ("markdown", "html", "json")
_PAUSE = 5.0
"""Seconds between two lines of progress where nobody sees a bar."""


@click.command(
    cls=KeepsInputs,
    matters={
        "jobs": "gramspect campaign simpl.toml --jobs 2",
        "form": "gramspect campaign simpl.toml report --format html -o simpl.html",
        "place": "gramspect campaign simpl.toml compare metric=ochiai metric=dstar --of item",
    },
)
@click.argument("config")
@click.argument("action", type=click.Choice(_ACTIONS), default="run")
@click.argument("methods", nargs=-1)
@click.option("--jobs", type=Count(min=1), metavar="N", help="How many workers compute.")
@click.option(
    "--backend",
    type=click.Choice(["here", "loky", "dask", "ray"]),
    help="What computes: this process, processes, Dask or Ray (default: as CONFIG says).",
)
@click.option("--address", metavar="URL", help="Address of the Dask scheduler or Ray cluster.")
@click.option("--store", metavar="FILE", help="Where results are kept, if not where CONFIG says.")
@click.option(
    "--of",
    "place",
    type=click.Choice(["rule", "item"]),
    default="rule",
    show_default=True,
    help="Compare, or draw, the ranks of the faulty rule or of the faulty item.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default="markdown",
    show_default=True,
    help="The form of the report.",
)
@click.option("--plot", metavar="FILE", help="Also draw the ranks into FILE, an .svg or .png.")
@click.option(
    "-o", "--output", metavar="FILE", help="Write to FILE; a table is exported as .csv or .parquet."
)
@click.option(
    "--resume/--no-resume",
    default=True,
    show_default=True,
    help="Go on with the results that are in the store, or refuse a store that has some.",
)
@click.option("--quiet", is_flag=True, help="Do not show progress.")
def campaign(
    *,
    config: str,
    action: str,
    methods: tuple[str, ...],
    jobs: int | None,
    backend: str | None,
    address: str | None,
    store: str | None,
    place: str,
    form: str,
    plot: str | None,
    output: str | None,
    resume: bool,
    quiet: bool,
) -> None:
    """Seed faults into grammars and measure how well they are found, as CONFIG says.

    \b
    CONFIG          compute what is not in the store yet; it can be stopped at any time
    CONFIG status   how many units are computed
    CONFIG report   how often and how well faults are found
    CONFIG compare A B
                    is A better than B? A and B are like suite=large,metric=ochiai
    CONFIG export -o FILE
                    all ranks as one table
    CONFIG rounds   how many rounds, and how many rules read, until all faults
                    of each mutant are mended; results are kept in the store

    Exit status: 0 done, 2 something cannot be used.
    """
    from dataclasses import replace

    from gramspect.campaigns.campaign import status
    from gramspect.campaigns.config import read_config

    _check_arguments(action, methods, output)
    read = read_config(config)
    engine = replace(
        read.engine,
        jobs=jobs or read.engine.jobs,
        backend=backend or read.engine.backend,
        address=address or read.engine.address,
    )
    read = replace(read, engine=engine, store=store or read.store)
    if output is not None:
        check_writable(output)
    match action:
        case "run":
            if not resume and Path(read.store).exists():
                raise click.UsageError(
                    f"there are results in {read.store} already; remove it, or name another store"
                )
            _run(read, quiet)
        case "status":
            from gramspect.report.campaign import status_text

            write_text(status_text(status(read)), output)
        case "report":
            _report(read.store, form, place, plot, output)
        case "compare":
            _compare(read.store, methods, place, output)
        case "rounds":
            from gramspect.campaigns.campaign import mending
            from gramspect.report.campaign import rounds_markdown

            with _shown(quiet) as shown:
                rows = mending(read, shown)
            write_text(rounds_markdown(rows), output)
        case _:
            from gramspect.campaigns.export import export

            export(read.store, str(output))


def _check_arguments(action: str, methods: tuple[str, ...], output: str | None) -> None:
    if action == "compare" and len(methods) != 2:
        raise click.UsageError("compare takes two methods, such as metric=ochiai metric=dstar")
    if action != "compare" and methods:
        raise click.UsageError(f"{action} takes no more arguments, but got {methods[0]!r}")
    if action == "export" and output is None:
        raise click.UsageError("export needs a file: -o ranks.csv or -o ranks.parquet")


def _run(read: object, quiet: bool) -> None:
    from gramspect.campaigns.campaign import campaign as run
    from gramspect.campaigns.config import CampaignConfig

    assert isinstance(read, CampaignConfig)
    with _shown(quiet) as shown:
        done = run(read, shown)
    here = f"{done.n_computed:,} computed now" if done.n_computed else "all were there"
    click.echo(f"{done.store}: {done.n_units:,} units, {here}")


@contextmanager
def _shown(quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """What shows the progress: a line that changes, or one every few seconds."""
    from gramspect.report.campaign import progress_text

    live = sys.stderr.isatty()
    last = time.monotonic()
    any_shown = False

    def shown(progress: Progress) -> None:
        nonlocal last, any_shown
        any_shown = True
        if live:
            click.echo(f"\r\x1b[K{progress_text(progress)}", err=True, nl=False)
        elif time.monotonic() - last > _PAUSE:
            last = time.monotonic()
            click.echo(progress_text(progress), err=True)

    yield None if quiet else shown
    if live and any_shown:
        click.echo(err=True)


def _report(store: str, form: str, place: str, plot: str | None, output: str | None) -> None:
    from gramspect.campaigns.comparing import named_place
    from gramspect.campaigns.tables import read_records
    from gramspect.report import campaign as report
    from gramspect.report.campaign_html import campaign_html

    if plot is not None:
        from gramspect.report.plots import check_plot

        check_plot(plot)
    records = read_records(store)
    if plot is not None:
        from gramspect.report.campaign_plots import plot_campaign
        from gramspect.report.plots import save

        save(plot_campaign(records, named_place(place)), plot)
    made = {
        "markdown": report.campaign_markdown,
        "html": campaign_html,
        "json": report.campaign_json,
    }
    write_text(made[form](records), output)


def _compare(store: str, methods: tuple[str, ...], place: str, output: str | None) -> None:
    from gramspect.campaigns.comparing import compare_sides, named_place
    from gramspect.campaigns.tables import read_records
    from gramspect.report.campaign import comparison_markdown

    found = compare_sides(read_records(store), methods[0], methods[1], named_place(place))
    write_text(comparison_markdown(found), output)
