"""``gramspect abstract``."""

from __future__ import annotations

from pathlib import Path

import click

from gramspect.algebra.notation import Notation
from gramspect.algebra.pattern_files import NamedPattern, patterns_toml
from gramspect.cli.keeping import KeepsInputs
from gramspect.cli.options import Count
from gramspect.cli.output import write_text
from gramspect.cli.reduce import Failing, failing_options, report, status_of
from gramspect.files import check_writable
from gramspect.generation.sources import read_subject
from gramspect.reduction.abstract import TRIALS, Abstraction
from gramspect.reduction.abstract import abstract as abstracted
from gramspect.reduction.abstract import anywhere as smallest_anywhere
from gramspect.report.words import counted, printable

__all__ = ["abstract"]


@click.command(
    cls=KeepsInputs,
    matters={
        "command": "gramspect abstract Calc.g4 crash.txt --command './calc {file}'",
        "reference": "gramspect abstract Faulty.g4 failing.c --reference C.g4",
        "output": "gramspect abstract Calc.g4 crash.txt --command './calc {file}' -o p.toml",
    },
)
@click.argument("grammar")
@failing_options
@click.option(
    "--trials",
    type=Count(min=1),
    metavar="N",
    default=TRIALS,
    show_default=True,
    help="How many other sentences must fail in the place of a node.",
)
@click.option(
    "--seed",
    type=int,
    metavar="N",
    default=0,
    show_default=True,
    help="Seed with which sentences are drawn.",
)
@click.option(
    "--name", metavar="NAME", help="The name of the pattern in the file (default: the input's)."
)
@click.option(
    "--anywhere",
    is_flag=True,
    help="Go on to the smallest part of the pattern with which other inputs fail, wherever it is.",
)
@click.option("-o", "--output", metavar="FILE", help="Write the pattern to FILE (.toml).")
def abstract(
    *,
    grammar: str,
    failing: Failing,
    trials: int,
    seed: int,
    name: str | None,
    anywhere: bool,
    output: str | None,
) -> int:
    """Find the pattern of a failing INPUT: which parts of it can be anything.

    INPUT is made small first, as gramspect reduce does it. Then other sentences are put in the
    place of each node of its derivation tree: if all of them fail, the node is shown as <name>.
    With --anywhere, gramspect searches the smallest part of that pattern that makes other inputs
    fail wherever it stands.

    Exit status: 0 the pattern was found, 1 the budget ended it, 2 something cannot be used or INPUT
    does not fail, 130 interrupted.
    """
    if output is not None:
        check_writable(output)
    with failing.reduced(grammar) as small:
        report(small)
        found = abstracted(small, trials=trials, seed=seed)
        if anywhere and found.interrupted is None:
            found = smallest_anywhere(found, trials=trials, seed=seed)
    if not anywhere and output is None:
        write_text(found.text + "\n", None)
        _report(found)
        return status_of(small.interrupted or found.interrupted)
    notation = _notation(failing.reference or grammar, failing)
    write_text((notation.text(found.pattern) if anywhere else found.text) + "\n", None)
    _report(found)
    if output is not None:
        named = NamedPattern(name or Path(failing.input_file).stem, found.pattern, _notes(found))
        write_text(patterns_toml([named], notation), output)
    return status_of(small.interrupted or found.interrupted)


def _notation(source: str, failing: Failing) -> Notation:
    subject = read_subject(source, load=failing.load, parsing=True)
    return Notation.of(subject.grammar, subject.texts, subject.parser)


def _notes(found: Abstraction) -> dict[str, str | int | float | bool]:
    """What is kept with the pattern: the input, and what it was tried with."""
    least = min((node.trials for node in found.nodes), default=0)
    notes: dict[str, str | int | float | bool] = {"input": found.reduction.text.strip()}
    if found.nodes:
        notes["trials"] = least
        notes["fails_at_least"] = round(min(node.share for node in found.nodes), 3)
        notes["confidence"] = 0.95
        notes["invalid"] = sum(node.invalid for node in found.nodes)
    return notes


def _report(found: Abstraction) -> None:
    """Say on standard error what was tried."""
    reduction = found.reduction
    for node in found.nodes:
        symbol = reduction.grammar.symbols[node.symbol].display
        invalid = f"; {node.invalid} made no sense" if node.invalid else ""
        click.echo(
            f"gramspect: <{printable(symbol)}>: {node.trials} of {node.trials} others failed"
            f"{invalid}; at least {node.share:.0%} of all do, with a confidence of 95%",
            err=True,
        )
    if found.exact:
        texts = ", ".join(dict.fromkeys(printable(word.text) for word in found.exact))
        click.echo(f"gramspect: with other texts of their kinds it may not fail: {texts}", err=True)
    if not found.nodes:
        click.echo("gramspect: note: nothing in it can be anything else", err=True)
    ended = f"; {found.interrupted}" if found.interrupted else ""
    asked = counted(found.calls, "more time")
    click.echo(f"gramspect: asked {asked}{ended}", err=True)
