"""``gramspect predict``."""

from __future__ import annotations

import json

import click

from gramspect.associations.associate import predict as foretold
from gramspect.associations.model import Model
from gramspect.cli.options import NamedTests, SeveralPaths, loading_options, suite_options
from gramspect.cli.output import write_text
from gramspect.recognition.recognizer import LoadOptions

__all__ = ["predict"]


@click.command(
    cls=SeveralPaths,
    matters={
        "model": "gramspect predict json.y --model model.json --accept inputs/",
        "accept": "gramspect predict json.y --model model.json --lines --accept inputs.txt",
        "targets": "gramspect predict C.g4 --model model.json --target fails --accept inputs/",
    },
)
@click.argument("grammar")
@suite_options
@click.option(
    "--model", metavar="FILE", required=True, help="What gramspect associate has learned."
)
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME",
    help="Predict only this target (default: all).",
)
@loading_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Form of the report.",
)
def predict(
    *,
    grammar: str,
    tests: NamedTests,
    model: str,
    targets: tuple[str, ...],
    load: LoadOptions,
    form: str,
) -> int:
    """Predict what a program does on inputs, with a model of gramspect associate.

    GRAMMAR is the one that the model was learned with.

    Exit status: 0 something is predicted, 2 something cannot be used.
    """
    known = Model.read(model)
    found = foretold(grammar, known, tests.suite(grammar, load.adapter), load=load, targets=targets)
    from gramspect.report.associations import prediction_lines, predictions_value

    if form == "json":
        write_text(json.dumps(predictions_value(found), indent=1) + "\n", None)
    else:
        n_targets = len(targets) or len(known.associations)
        write_text("\n".join(prediction_lines(found, n_targets)) + "\n", None)
    return 0
