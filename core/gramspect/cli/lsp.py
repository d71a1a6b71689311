"""``gramspect lsp``."""

from __future__ import annotations

import sys

import click

from gramspect.errors import MissingDependency

__all__ = ["lsp"]

_RUN = (sys.executable, "-P", "-m", "gramspect.cli.analysis")
"""Runs a target. Modules beside the grammar must not stand in the place of ours (``-P``)."""


@click.command()
@click.option("--stdio", is_flag=True, help="Speak through standard input and output, as always.")
def lsp(*, stdio: bool) -> None:  # noqa: ARG001 (editors say it)
    """Serve an editor: the Language Server Protocol for the grammars of projects with a
    gramspect.toml.

    Editors start it (editors/ has recipes for VS Code and Neovim). When a file is saved, the tests
    run in the background; what they say is shown in the grammar, and repairs are offered there.
    """
    try:
        from gramspect.languageserver.server import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs"):
            raise
        raise MissingDependency('pygls is not installed: pip install "gramspect[lsp]"') from None
    serve(_RUN, sys.stdin.buffer, sys.stdout.buffer)
