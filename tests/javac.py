"""The Java compiler, in the JVM of this process: one that starts anew takes ten times as long."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from gramspect_jvm import java_class

__all__ = ["compile_java"]


def compile_java(sources: Iterable[Path], folder: Path, *options: str | Path) -> Path:
    """The folder, with the class files of some sources."""
    folder.mkdir(parents=True, exist_ok=True)
    compiler = java_class("javax.tools.ToolProvider").getSystemJavaCompiler()
    said = java_class("java.io.ByteArrayOutputStream")()
    arguments = ["-nowarn", "-d", folder, *options, *sources]
    assert compiler.run(None, said, said, *map(str, arguments)) == 0, str(said)
    return folder
