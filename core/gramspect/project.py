"""What a project says of itself: ``gramspect.toml``, or ``[tool.gramspect]`` in pyproject.toml.

With it the commands `localize`, `coverage`, `suggest` and `ask` need no arguments. The keys are
those of `Target`; with several parsers each has a table ``[targets.NAME]``, and what is said
outside of them holds for all.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from gramspect.errors import GramspectError
from gramspect.generation.texts.toml_file import TomlFile, read_toml
from gramspect.generation.texts.toml_tables import check_keys, read_table

__all__ = ["FILE", "Project", "Target", "find_project"]

FILE = "gramspect.toml"
_TARGETS = "targets"


@dataclass(frozen=True)
class Target:
    """A parser with its tests. Paths are relative to the file; those of tests may have wildcards.

    Attributes:
        grammar: what `gramspect localize` takes.
        accept, reject, suites, spectra: ``--accept``, ``--reject``, ``--suite`` and ``--spectra``.
        lines: files hold one test per line.
        adapter, start, case, allow_trailing, load_timeout: how the parser is loaded.
        actions: whether semantic actions run.
        options: ``KEY=VALUE``, as for ``--option``.
        timeout, jobs, effort: how tests run, and how much work repairs are.
        fail_under: what part of the alternatives must be covered, in per cent.
    """

    grammar: str = ""
    accept: tuple[str, ...] = ()
    reject: tuple[str, ...] = ()
    suites: tuple[str, ...] = ()
    spectra: tuple[str, ...] = ()
    lines: bool = False
    adapter: str | None = None
    start: str | None = None
    case: str | None = None
    allow_trailing: bool = False
    load_timeout: float | None = None
    actions: bool = True
    options: tuple[str, ...] = ()
    timeout: float | None = None
    jobs: int = 1
    effort: str | None = None
    fail_under: float | None = None


_PATHS = ("accept", "reject", "suites", "spectra")
_PARAMETERS = {"suites": "manifests", "spectra": "recorded", "options": "option"}
"""The parameters of commands that go by another name."""


@dataclass(frozen=True)
class Project:
    """The targets by name; the only one of a project without names is called after its folder."""

    file: str
    targets: Mapping[str, Target]

    def chosen(self, name: str | None) -> Mapping[str, Target]:
        """The targets that are meant.

        Raises:
            GramspectError: there is none of that name.
        """
        if name is None:
            return self.targets
        if name not in self.targets:
            known = ", ".join(self.targets)
            raise GramspectError(f"{self.file}: there is no target {name!r}; there are: {known}")
        return {name: self.targets[name]}

    def parameters(self, target: Target) -> dict[str, Any]:
        """What a command is to take where its arguments do not say anything else.

        Raises:
            GramspectError: a pattern of paths fits nothing.
        """
        folder = Path(self.file).parent
        _find_modules_in(folder)
        found: dict[str, Any] = {}
        for each in fields(target):
            value = getattr(target, each.name)
            if value == each.default:
                continue
            if each.name in _PATHS:
                value = [path for pattern in value for path in _paths(self.file, folder, pattern)]
            found[_PARAMETERS.get(each.name, each.name)] = value
        if "actions" in found:
            found["no_actions"] = not found.pop("actions")
        return found | {"grammar": _source(folder, target.grammar)}


def find_project(start: Path) -> Project | None:
    """The project that a folder is in: the nearest file in it or above.

    Raises:
        GramspectError: the file cannot be read, or has a key or value that is not known.
    """
    for folder in (start, *start.parents):
        own = folder / FILE
        if own.is_file():
            file = read_toml(_shown(own))
            return _project(file, file.table, folder.name, "")
        shared = folder / "pyproject.toml"
        if shared.is_file():
            file = read_toml(_shown(shared))
            table = file.table.get("tool", {}).get("gramspect")
            if isinstance(table, dict):
                return _project(file, table, folder.name, "tool.gramspect.")
    return None


def _project(file: TomlFile, table: Mapping[str, Any], name: str, prefix: str) -> Project:
    common = {key: value for key, value in table.items() if key != _TARGETS}
    keys = [each.name.replace("_", "-") for each in fields(Target)]
    check_keys(file, table, [*keys, _TARGETS], prefix.rstrip(".") or "a project")
    named = table.get(_TARGETS, {name: {}})
    if not isinstance(named, dict) or not named:
        raise file.error(_TARGETS, f"{_TARGETS} must be tables, as in [{prefix}{_TARGETS}.calc]")
    targets = {}
    for key, own in named.items():
        where = f"[{prefix}{_TARGETS}.{key}]"
        if not isinstance(own, dict):
            raise file.error(key, f"the target {key} must be a table, as in {where}")
        check_keys(file, own, keys, where)
        targets[key] = read_table(file, common | own, Target, where)
        if not targets[key].grammar:
            raise GramspectError(f'{file.file}: the target {key} needs grammar = "..."')
    return Project(file.file, targets)


def _shown(path: Path) -> str:
    """A path as short as it can be said from here."""
    return os.path.relpath(path)


def _paths(file: str, folder: Path, pattern: str) -> list[str]:
    if not any(sign in pattern for sign in "*?["):
        return [_shown(folder / pattern)]
    found = sorted(folder.glob(pattern))
    if not found:
        raise GramspectError(f"{file}: no file fits {pattern!r}; mend the pattern")
    return [_shown(path) for path in found]


def _source(folder: Path, source: str) -> str:
    """A file of the project, with what is named in it, or the name of a module as it is."""
    for file in (source, source.rpartition(":")[0]):
        if file and (folder / file).exists():
            return _shown(folder / file) + source[len(file) :]
    return source


def _find_modules_in(folder: Path) -> None:
    """A project's own modules are found, as where ``python`` is started in its folder."""
    home = str(folder.resolve())
    if home not in sys.path:
        sys.path.append(home)
