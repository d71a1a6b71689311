"""Grammars written where the tests are."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from cfg import Cfg
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.registry import adapter
from gramspect.suites.suite import Expectation, TestCase

__all__ = ["Load", "cfg_of", "text_test"]


class Load:
    """Loads the grammar ``main``, given as a text with those that it imports beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(
        self,
        name: str,
        main: str,
        /,
        start: str | None = None,
        extra: dict[str, str] | None = None,
        **others: str,
    ) -> Recognizer:
        for file, text in {"main": main, **others}.items():
            (self.folder / f"{file}.lark").write_text(dedent(text), encoding="utf-8")
        options = LoadOptions(start=start, extra=extra or {})
        return adapter(name).load(str(self.folder / "main.lark"), options)


def text_test(text: str) -> TestCase:
    return TestCase("test", Expectation.ACCEPT, text)


def cfg_of(grammar: Grammar) -> Cfg:
    """A grammar as the oracles see it."""
    names = [symbol.name for symbol in grammar.symbols]
    rules = ((names[r.lhs], tuple(names[x] for x in r.rhs)) for r in grammar.rules)
    return Cfg(tuple(rules), names[grammar.start])
