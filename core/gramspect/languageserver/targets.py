"""The targets of the user's projects: which of them a saved file concerns, and what is known."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from gramspect.languageserver.findings import Findings
from gramspect.project import find_project

__all__ = ["Key", "State", "concerned", "targets_around"]

Key = tuple[Path, str]
"""The configuration file of a project, and the name of a target in it."""


@dataclass
class State:
    """What is known about a target: nothing before its first run has ended, or after an error."""

    findings: Findings = field(default_factory=Findings)
    known: bool = False


def targets_around(path: Path) -> list[Key]:
    """The targets of the project that a file is in; none if it is in none.

    Raises:
        GramspectError: the configuration cannot be used.
    """
    project = find_project(path.parent)
    if project is None:
        return []
    file = Path(os.path.abspath(project.file))  # noqa: PTH100
    return [(file, name) for name in project.targets]


def concerned(key: Key, state: State, path: Path) -> bool:
    """Whether a target is to run again when a file is saved.

    A parser may be made of files that nobody has named, such as a lexer, so those of the kinds of
    the grammar's files count too; and while nothing is known, all do.
    """
    if not state.known or path == key[0]:
        return True
    watched = [Path(name) for name in state.findings.watched]
    kinds = {file.suffix for file in watched if str(file) in state.findings.texts}
    return path.suffix in kinds or any(path.is_relative_to(file) for file in watched)
