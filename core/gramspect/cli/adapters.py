"""``gramspect adapters``."""

from __future__ import annotations

import json

import click

from gramspect.cli.output import write_lines, write_text
from gramspect.errors import AdapterError
from gramspect.recognition.registry import adapter
from gramspect.recognition.registry import adapters as registered
from gramspect.report.words import Line, Piece, printable

__all__ = ["adapters"]


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="A table, or JSON.",
)
def adapters(form: str) -> None:
    """List the adapters: what each takes, and whether what it needs is installed."""
    found = [_described(name) for name in registered()]
    if form == "json":
        value = {"schema": "gramspect/adapters/1", "adapters": found}
        write_text(json.dumps(value, indent=1) + "\n", None)
    else:
        write_lines(_table(found), None)


def _described(name: str) -> dict[str, str | None]:
    try:
        loaded = adapter(name)
        return {"name": name, "takes": loaded.summary, "missing": loaded.missing()}
    except AdapterError as problem:
        return {"name": name, "takes": None, "missing": str(problem)}


def _table(found: list[dict[str, str | None]]) -> list[Line]:
    width = max((len(row["name"] or "") for row in found), default=0)
    lines: list[Line] = []
    for row in found:
        missing = row["missing"]
        status = Piece("installed", "green") if missing is None else Piece("missing  ", "yellow")
        name = Piece(f"{row['name']:<{width}}  ", "bold cyan")
        lines.append([name, status, Piece(f"  {printable(row['takes'] or '')}")])
        if missing is not None:
            lines.append([Piece(f"{'':<{width}}  {printable(missing)}", "dim")])
    return lines
