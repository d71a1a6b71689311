"""The GitHub Action and the pre-commit hook run the commands that there are, as they say."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from command import FAULTY, ROOT, run


def steps() -> list[dict[str, Any]]:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    found: list[dict[str, Any]] = action["runs"]["steps"]
    return found


@pytest.mark.parametrize(
    ("inputs", "status", "summary"),
    [
        ({"command": "coverage"}, 0, "### Grammar coverage"),
        ({"command": "coverage", "fail-under": "100"}, 1, "### Grammar coverage"),
        ({"command": "localize", "sarif": "out.sarif"}, 1, "tests failing."),
        ({"command": "coverage", "arguments": "nothing.y"}, 2, ""),
    ],
)
def test_the_action(inputs: dict[str, str], status: int, summary: str, tmp_path: Path) -> None:
    """Its script, with the environment that GitHub would give it."""
    shutil.copy(FAULTY, tmp_path / "toy.y")
    shutil.copy(Path(FAULTY).parent / "accept.txt", tmp_path)
    (tmp_path / "gramspect.toml").write_text(
        'grammar = "toy.y"\naccept = ["accept.txt"]\nlines = true\n'
    )
    step = steps()[-1]
    given = {
        name: inputs.get(value.removeprefix("${{ inputs.").removesuffix(" }}"), "")
        for name, value in step["env"].items()
    }
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=tmp_path, check=False, capture_output=True,
        env={**os.environ, **given, "PATH": path, "GITHUB_STEP_SUMMARY": str(tmp_path / "s.md")},
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    written = tmp_path / "s.md"
    assert summary in (written.read_text() if written.exists() else "")
    assert (tmp_path / "out.sarif").exists() == ("sarif" in inputs)


def test_the_hook() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    program, command = hook["entry"].split()
    assert program == "gramspect"
    assert run(command, "--help").status == 0
    assert hook["pass_filenames"] is False
