"""Faults put into the grammars of fixtures/antlr, and where they are ranked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from g4_faults import CALC, DOCUMENT, QUERY, Fault

from gramspect import TestSuite
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect_antlr import adapter
from gramspect_antlr.recognizer import AntlrRecognizer
from ranks import Ranks, items_at, ranks_of_items

FIXTURES = Path(__file__).parents[3] / "fixtures" / "antlr"


@dataclass(frozen=True)
class Language:
    """A grammar file with the suite beside it, and the faults that are put into it."""

    grammar: Path
    faults: tuple[Fault, ...]

    @property
    def suite(self) -> TestSuite:
        folder = self.grammar.parent
        return TestSuite.load([folder / "accept.txt"], [folder / "reject.txt"], lines=True)

    @property
    def record(self) -> Path:
        return self.grammar.with_name("ranks.json")

    def ranks(self, fault: Fault) -> Ranks:
        """The ranks of the faulty item, its alternative and its rule (`ranks.ranks_of_items`)."""
        text, places = fault.seeded(self.grammar.read_text())
        recognizer = _load(self.grammar.name, text)
        grammar, suite = recognizer.grammar, self.suite
        items = items_at(grammar, places) if places else _first_items(grammar, fault.rule)
        return ranks_of_items(recognizer, recognizer.traces(suite.tests), suite, items)


def _load(name: str, text: str) -> AntlrRecognizer:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text)
        return adapter.load(str(path), LoadOptions())


def _first_items(grammar: Grammar, rule: str) -> list[int]:
    return [grammar.item_start[number] for number in grammar.rules_of[grammar.symbol(rule)]]


LANGUAGES = (
    Language(FIXTURES / "calc" / "Calc.g4", CALC),
    Language(FIXTURES / "document" / "Document.g4", DOCUMENT),
    Language(FIXTURES / "query" / "Query.g4", QUERY),
)
