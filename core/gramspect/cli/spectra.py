"""``gramspect spectra``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from gramspect.cli.options import (
    NamedTests,
    SeveralPaths,
    loading_options,
    recorded_option,
    running_options,
    spectrum_options,
    suite_options,
)
from gramspect.cli.outcome import check_decided, exit_status, undecided_option
from gramspect.cli.output import ProgressBar, write_text
from gramspect.cli.subjects import subject
from gramspect.errors import GramspectError
from gramspect.recognition.recognizer import LoadOptions
from gramspect.report.matrices import FORMATS, check_target, text_pieces, write_spectra
from gramspect.running.options import RunOptions
from gramspect.running.spectra import Spectra
from gramspect.running.spectra import spectra as spectra_of_suite

__all__ = ["check_output", "spectra", "write_output"]


@click.command(
    cls=SeveralPaths,
    matters={
        "accept": "gramspect spectra Calc.g4 --accept tests/",
        "form": "gramspect spectra Calc.g4 --accept tests/ --format csv",
        "output": "gramspect spectra Calc.g4 --accept tests/ --format npz -o spectra.npz",
    },
)
@click.argument("grammar", required=False)
@click.option(
    "--grammar", "named", metavar="GRAMMAR", help="The grammar, if GRAMMAR is a recorded run."
)
@suite_options
@recorded_option
@loading_options
@spectrum_options
@running_options
@undecided_option
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="tcm",
    show_default=True,
    help="npz (numpy), tcm, csv, or a folder of GZoltar's files.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE|DIR",
    help="Write to FILE or the new folder DIR, whole or not at all; npz and gzoltar need it.",
)
def spectra(
    *,
    grammar: str | None,
    named: str | None,
    tests: NamedTests,
    load: LoadOptions,
    undecided_are: str,
    form: str,
    output: str | None,
    run: RunOptions,
    **how: Any,
) -> int:
    """Write which test executes which rule or position of GRAMMAR, for other tools to read.

    GRAMMAR and PATH are as for gramspect localize; a recorded run (run.gsp) may stand in the place
    of GRAMMAR. Undecided tests are left out of tcm and gzoltar.

    Exit status: 0 if the spectra are written, whether tests fail or not, 1 some tests are
    undecided and --undecided is fail, 2 something cannot be used or no test can be decided.
    """
    check_output(form, output)
    if grammar is not None and grammar.endswith(".gsp"):
        tests = replace(tests, recorded=(grammar, *tests.recorded))
        grammar = named
    elif named is not None:
        raise GramspectError("--grammar goes with a recorded run: gramspect spectra run.gsp")
    source, suite, load, run = subject(grammar, tests, load, run, how["extraction"], judged=False)
    with ProgressBar() as progress:
        found = spectra_of_suite(
            source, suite, load=load, run=replace(run, progress=progress), **how
        )
    write_output(found, form, output)
    check_decided(found.undecided, len(suite))
    return exit_status(False, found.undecided, undecided_are)


def check_output(form: str, output: str | None) -> None:
    """Fail before the tests run if the spectra could not be written.

    Raises:
        GramspectError: the file or folder cannot be written, or the format needs one.
    """
    if output is not None:
        check_target(output, form)
    elif form in ("npz", "gzoltar"):
        what = "a file" if form == "npz" else "a new folder"
        raise GramspectError(f"the format {form} cannot be printed; name {what} with -o")


def write_output(found: Spectra, form: str, output: str | None) -> None:
    """Write spectra to a file or folder, or to standard output."""
    if output is not None:
        write_spectra(found, output, form)
        return
    for piece in text_pieces(found, form):
        write_text(piece, None)
