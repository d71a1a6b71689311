"""Parsers generated from grammars that are written where the tests are."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest
from python_parsers import Load, generate

from gramspect.recognition.recognizer import LoadOptions
from gramspect_antlr_python import adapter
from gramspect_antlr_python.recognizer import AntlrPythonRecognizer


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Loads the parser of a grammar ``G``, with ``G.g4`` beside it if `beside` is that text."""

    def load_text(
        text: str,
        start: str | None = None,
        *,
        beside: str | None = None,
        extra: Mapping[str, str] | None = None,
        actions: bool = True,
    ) -> AntlrPythonRecognizer:
        folder = tmp_path / "parsers"
        shutil.copytree(generate({"G": text}), folder, dirs_exist_ok=True)
        if beside is not None:
            (folder / "G.g4").write_text(dedent(beside), encoding="utf-8")
        options = LoadOptions(start=start, extra=extra or {}, actions=actions)
        return adapter.load(str(folder / "GParser.py"), options)

    return load_text
