"""Grammars written where the tests are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from gramspect.recognition.recognizer import LoadOptions
from gramspect_antlr import adapter
from gramspect_antlr.recognizer import AntlrRecognizer

__all__ = ["Load"]


class Load:
    """Loads the first of some grammars, given as texts by file name (``G`` for ``G.g4``)."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(
        self, start: str | None = None, /, extra: Mapping[str, str] | None = None, **texts: str
    ) -> AntlrRecognizer:
        for name, text in texts.items():
            (self._folder / f"{name}.g4").write_text(dedent(text), encoding="utf-8")
        options = LoadOptions(start=start, extra=extra or {})
        return adapter.load(str(self._folder / f"{next(iter(texts))}.g4"), options)
