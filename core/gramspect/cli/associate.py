"""``gramspect associate``."""

from __future__ import annotations

import json

import click

from gramspect.associations.associate import K, associate_inputs, features_of
from gramspect.associations.features import LONGEST
from gramspect.associations.programs import SECONDS, program_of
from gramspect.associations.targets import TargetKind, observer_for
from gramspect.cli.options import (
    Count,
    NamedTests,
    SeveralPaths,
    loading_options,
    running_options,
    suite_options,
)
from gramspect.cli.output import write_text
from gramspect.errors import GramspectError
from gramspect.files import check_writable, write_whole
from gramspect.recognition.recognizer import LoadOptions
from gramspect.running.loading import load_parser
from gramspect.running.options import RunOptions

__all__ = ["associate"]

_TOP = 10


@click.command(
    cls=SeveralPaths,
    matters={
        "program": "gramspect associate json.y --program json:loads --accept inputs/ -o model.json",
        "parser": "gramspect associate C.g4 --parser Faulty.g4 --accept tests/",
        "command": "gramspect associate Css.g4 --command 'prettier {file}' --accept inputs/",
    },
)
@click.argument("grammar")
@suite_options
@click.option(
    "--program",
    metavar="MODULE:FUNCTION",
    help="A Python function of one text, or file.py:FUNCTION, or a Java method,"
    " lib.jar:p.Class::METHOD: which functions do inputs execute?",
)
@click.option(
    "--watch",
    "packages",
    multiple=True,
    metavar="PACKAGE",
    help="With --program: a package to watch (default: that of the function).",
)
@click.option(
    "--parser",
    metavar="SOURCE",
    help="A parser under test: which inputs does it decide wrongly? By default that of GRAMMAR.",
)
@click.option("--command", metavar="'PROGRAM {file}'", help="Any program: how does it end?")
@click.option(
    "--gcov",
    metavar="FOLDER",
    help="With --command: the folder of a C program that was built with gcc --coverage; which"
    " functions do inputs execute?",
)
@click.option(
    "--targets",
    "kinds",
    multiple=True,
    type=click.Choice([str(kind) for kind in TargetKind]),
    help="What to learn. Of a parser: fails (default), rules, positions. Of a program: functions"
    " and exceptions (default), lines (in Python). Of a command: statuses (default). With --gcov:"
    " functions and statuses (default), lines.",
)
@click.option(
    "-k",
    "k",
    type=click.IntRange(1, LONGEST),
    default=K,
    show_default=True,
    metavar="K",
    help="Features are the paths of up to K symbols in derivation trees.",
)
@loading_options
@running_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Form of the report.",
)
@click.option(
    "--top",
    type=Count(min=1),
    default=_TOP,
    show_default=True,
    metavar="N",
    help="How many targets to show in the text report.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the model to FILE, for gramspect predict and gramspect generate.",
)
def associate(
    *,
    grammar: str,
    tests: NamedTests,
    program: str | None,
    packages: tuple[str, ...],
    parser: str | None,
    command: str | None,
    gcov: str | None,
    kinds: tuple[str, ...],
    k: int,
    load: LoadOptions,
    run: RunOptions,
    form: str,
    top: int,
    output: str | None,
) -> int:
    """Learn which parts of its inputs make a program call a function, raise or fail.

    GRAMMAR reads the inputs; what their derivations contain is compared with what the program does,
    and a small decision tree is learned for each target: a function, an exception, a failing test.

    Exit status: 0 something was learned, 2 something cannot be used.
    """
    if output is not None:
        check_writable(output)
    if packages and program is None:
        raise GramspectError("--watch is about a program that is watched; name it with --program")
    suite = tests.suite(grammar, load.adapter)
    watched = None
    if program is not None:
        lines = str(TargetKind.LINES) in kinds
        watched = program_of(program, packages, lines=lines, seconds=run.timeout or SECONDS)
    chosen = frozenset(TargetKind(kind) for kind in kinds)
    observer = observer_for(
        grammar, load, chosen, parser=parser, program=watched, command=command, gcov=gcov, run=run
    )
    recognizer = load_parser(grammar, load).recognizer
    paths, inputs = features_of(recognizer, list(suite), k, grammar)
    found = associate_inputs(paths, list(suite), inputs, observer)
    if output is not None:
        write_whole(output, found.model.text())
    from gramspect.report.associations import association_lines, associations_value

    if form == "json":
        write_text(json.dumps(associations_value(found, paths), indent=1) + "\n", None)
    else:
        write_text("\n".join(association_lines(found, paths, top)) + "\n", None)
    return 0
