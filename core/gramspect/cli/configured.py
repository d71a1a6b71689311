"""Commands that take what their arguments do not say from the project's own file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from gramspect.cli.options import SeveralPaths
from gramspect.cli.output import write_text
from gramspect.errors import GramspectError
from gramspect.project import Project, find_project

__all__ = ["Configured", "target_option"]

F = TypeVar("F", bound=Callable[..., object])

_ARGUMENTS, _TARGET = "gramspect.arguments", "gramspect.target"


def target_option(command: F) -> F:
    """``--target``, for a `Configured` command."""

    def keep(context: click.Context, _: click.Parameter, name: str | None) -> None:
        context.meta[_TARGET] = name

    return click.option(
        "--target",
        metavar="NAME",
        callback=keep,
        expose_value=False,
        help="The target in gramspect.toml or pyproject.toml, if there are several.",
    )(command)


class Configured(SeveralPaths):
    """A command that without GRAMMAR looks at each target of the project (`gramspect.project`).

    Its status is the highest of them.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        name = ctx.meta[_TARGET]
        if ctx.params["grammar"] is not None:
            if name is not None:
                raise GramspectError("--target stands for a grammar; leave out one of them")
            return super().invoke(ctx)
        project = None if ctx.params["recorded"] else find_project(Path.cwd())
        if project is None:
            if name is not None:
                raise GramspectError("there is no gramspect.toml here; gramspect init writes one")
            return super().invoke(ctx)
        return self._for_targets(ctx, project, name)

    def _for_targets(self, ctx: click.Context, project: Project, name: str | None) -> int:
        targets = project.chosen(name)
        known = {parameter.name for parameter in self.params}
        if len(targets) > 1 and (ctx.params.get("output") or ctx.params["form"] != "text"):
            raise GramspectError(f"name a target with --target: {', '.join(targets)}")
        highest = 0
        for number, (each, target) in enumerate(targets.items()):
            if len(targets) > 1:
                write_text(f"{'' if number == 0 else chr(10)}== {each} ==\n\n", None)
            taken = {k: v for k, v in project.parameters(target).items() if k in known}
            arguments = list(ctx.meta[_ARGUMENTS])
            own = self.make_context(ctx.info_name, arguments, parent=ctx.parent, default_map=taken)
            with own:
                highest = max(highest, super().invoke(own) or 0)
        return highest
