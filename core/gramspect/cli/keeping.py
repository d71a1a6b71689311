"""Commands that never write over what they read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from gramspect.cli.help import GroupedHelp
from gramspect.errors import GramspectError

__all__ = ["KeepsInputs"]

_WRITTEN = {"output": "-o", "plot": "--plot"}
"""Parameters that name files that are written, with their options."""
_READ = {
    "grammar": "the grammar itself",
    "sources": "the grammar itself",
    "reference": "the reference",
    "input_file": "the input itself",
    "accept": "one of the tests",
    "reject": "one of the tests",
    "manifests": "the suite",
    "recorded": "the recorded run",
    "model": "the model",
    "samples": "the samples",
    "patterns": "the patterns",
    "state": "the state file",
    "config": "the configuration",
}
"""Parameters that name files and folders that are read, with what these are."""


class KeepsInputs(GroupedHelp):
    """A command that refuses to write over a file that it reads, or to write one file twice."""

    def invoke(self, ctx: click.Context) -> Any:
        _check(ctx.params)
        return super().invoke(ctx)


def _check(params: Mapping[str, Any]) -> None:
    """
    Raises:
        GramspectError: a file that is there, and would be written, is read or in a folder of tests.
    """
    written = {o: Path(params[name]).resolve() for name, o in _WRITTEN.items() if params.get(name)}
    for name, option in _WRITTEN.items():
        target = written.get(option)
        if target is not None and target.is_file():
            for what, path in _read(params):
                if path == target or (path in target.parents and path.is_dir()):
                    raise GramspectError(
                        f"{params[name]} is {what}; name another file with {option}"
                    )
    if len(set(written.values())) < len(written):
        raise GramspectError(f"{' and '.join(written)} name the same file; name two")


def _read(params: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    for name, what in _READ.items():
        given = params.get(name) or ()
        for source in (given,) if isinstance(given, str) else given:
            for path in _paths(source) if what == _READ["grammar"] else (source,):
                yield what, Path(path).resolve()


def _paths(source: str) -> tuple[str, ...]:
    """What may be a file in ``ADAPTER=FILE:NAME``; a folder with a grammar may hold reports too."""
    names = (source, source.partition("=")[2], source.rpartition(":")[0])
    return tuple(name for name in names if name and not Path(name).is_dir())
