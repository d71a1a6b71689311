"""Faults put into the grammars of Lark itself and of python-hcl2, and where they are ranked.

The grammars are read from the installed packages; nothing of them is kept here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import lark_faults
from lark_faults import Fault

from gramspect import TestSuite
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.registry import adapter
from ranks import Ranks, items_at, ranks_of_items

FIXTURES = Path(__file__).parents[3] / "fixtures"


@dataclass(frozen=True)
class Language:
    """A grammar file of a package, who runs it and how, its faults, and the suite for it."""

    package: str
    file: str
    adapter: str
    options: LoadOptions
    faults: tuple[Fault, ...]
    folder: str

    @property
    def path(self) -> Path:
        spec = find_spec(self.package)
        assert spec is not None
        assert spec.origin is not None
        return Path(spec.origin).parent / self.file

    @property
    def suite(self) -> TestSuite:
        folder = FIXTURES / self.folder
        return TestSuite.load([folder / "accept"], [folder / "reject"])

    @property
    def record(self) -> Path:
        return FIXTURES / self.folder / "ranks.json"

    def recorded(self) -> dict[str, Ranks]:
        ranks: dict[str, Ranks] = json.loads(self.record.read_text())
        return ranks

    def load(self, text: str) -> Recognizer:
        with TemporaryDirectory() as folder:
            path = Path(folder) / self.path.name
            path.write_text(text)
            return adapter(self.adapter).load(str(path), self.options)

    def ranks(self, fault: Fault) -> Ranks:
        """The ranks of the faulty item, its alternative and its rule (`ranks.ranks_of_items`)."""
        text, places = fault.seeded(self.path.read_text())
        recognizer, suite = self.load(text), self.suite
        assert recognizer.grammar.diagnostics == ()
        items = items_at(recognizer.grammar, places)
        return ranks_of_items(recognizer, map(recognizer.trace, suite), suite, items)


PYTHON = Language(
    "lark",
    "grammars/python.lark",
    "lark-lalr",
    LoadOptions("file_input", extra={"postlex": "lark.indenter:PythonIndenter"}),
    lark_faults.PYTHON,
    "lark_python",
)
HCL = Language(
    "hcl2",
    "hcl2.lark",
    "lark-lalr",
    LoadOptions(extra={"postlex": "hcl2.postlexer:PostLexer"}),
    lark_faults.HCL,
    "lark_hcl",
)
LARK = Language(
    "lark", "grammars/lark.lark", "lark-earley", LoadOptions(), lark_faults.LARK, "lark_lark"
)
LANGUAGES = (PYTHON, HCL, LARK)
