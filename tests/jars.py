"""Jars from Maven Central for tests, fetched once by Maven and checked."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

__all__ = ["BRIEF", "fetched", "maven_jar", "without_notice"]

CACHE = Path(__file__).parents[1] / "build" / "jars"
REPOSITORY = Path.home() / ".m2" / "repository"
"""Where Maven keeps what it has fetched, if nobody has told it otherwise."""
PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
BRIEF = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options of a JVM that is not there long enough for what it compiles best to pay."""
NOTICE = f"Picked up JAVA_TOOL_OPTIONS: {BRIEF}\n"
"""A JVM's line on standard error about options that come from the environment."""


def without_notice(printed: str) -> str:
    """What a process has printed whose JVM got these options, as without them."""
    return printed.replace(NOTICE, "")


def maven_jar(coordinates: str, sha256: str) -> Path:
    """The jar ``group:artifact:version``, untouched. Its digest is checked.

    ``group:artifact:version:jar:sources`` is the one with the sources.
    """
    jar = fetched(coordinates)
    digest = hashlib.sha256(jar.read_bytes()).hexdigest()
    assert digest == sha256, f"{jar} has the digest {digest}"
    return jar


def fetched(coordinates: str) -> Path:
    """The jar of such coordinates; Maven is started for one that is nowhere here."""
    group, artifact, version, *classifier = coordinates.split(":")
    name = f"{'-'.join([artifact, version, *classifier[1:]])}.jar"
    kept = REPOSITORY.joinpath(*group.split("."), artifact, version, name)
    jar = CACHE / name
    if kept.is_file():
        return kept
    if not jar.is_file():
        _fetch(coordinates, jar)
    return jar


def _fetch(coordinates: str, jar: Path) -> None:
    """Several tests may do this at the same time: the last one wins, all get the same file."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        command = [
            "mvn",
            "--batch-mode",
            "--quiet",
            PLUGIN,
            f"-Dartifact={coordinates}",
            f"-DoutputDirectory={folder}",
        ]
        done = subprocess.run(
            command, cwd=folder, env={**os.environ, "MAVEN_OPTS": BRIEF},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        (Path(folder) / jar.name).replace(jar)
