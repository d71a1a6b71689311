"""Faults put into the grammars of fixtures/antlr, and where they are ranked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from g4_faults import CALC, DOCUMENT, QUERY, Fault, Place

from gramspect import Localization, RankedElement, TestSuite, localize
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect_antlr import adapter
from gramspect_antlr.recognizer import AntlrRecognizer
from ranks import Replayed, rank_of

FIXTURES = Path(__file__).parents[3] / "fixtures" / "antlr"

Ranks = dict[str, dict[str, float | None]]
"""By kind of evidence and kind of element."""


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
        """The ranks of the faulty item, and of its alternative and rule, by the best item of each.

        Each among its like; members of a tie share its middle. Of several faulty positions the best
        one counts. None for what has no score.
        """
        text, places = fault.seeded(self.grammar.read_text())
        recognizer = _load(self.grammar.name, text)
        suite = self.suite
        traces = recognizer.traces(suite.tests)
        names = [test.name for test in suite]
        replayed = Replayed(recognizer, dict(zip(names, traces, strict=True)))
        grammar = recognizer.grammar
        items = _items_at(grammar, places) if places else _first_items(grammar, fault.rule)
        rules = {grammar.split_item(item)[0] for item in items}
        homes = {grammar.user_nonterminal(grammar.rules[rule].lhs) for rule in rules}
        found = {}
        for evidence in ("spectrum", "both"):
            result = localize(replayed, suite, evidence=evidence)
            assert not result.undecided, [(u.test.name, u.reason) for u in result.undecided]
            assert result.failing, f"{fault.name}: no test shows the fault"
            found[evidence] = {
                "item": _best(result, map(grammar.item_label, items), lambda e: e.label),
                "rule": _best(
                    result, map(grammar.rule_text, rules), lambda e: grammar.rule_text(e.rule)
                ),
                "nonterminal": _best(
                    result, (grammar.symbols[h].name for h in homes), lambda e: e.nonterminal
                ),
            }
        return found


def _best(
    result: Localization, names: Iterable[str], name: Callable[[RankedElement], str]
) -> float | None:
    ranks = (rank_of(result, wanted, name) for wanted in names)
    return min((rank for rank in ranks if rank is not None), default=None)


def _load(name: str, text: str) -> AntlrRecognizer:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text)
        return adapter.load(str(path), LoadOptions())


def _items_at(grammar: Grammar, places: tuple[Place, ...]) -> list[int]:
    """The items that lie at one of the places; each place has some."""
    found = [
        (item, (span.line, span.column))
        for item in range(grammar.n_items)
        if (span := grammar.item_span(item)) is not None
    ]
    assert {place for _, place in found} >= set(places), "a mark is at no position of the grammar"
    return [item for item, place in found if place in places]


def _first_items(grammar: Grammar, rule: str) -> list[int]:
    return [grammar.item_start[number] for number in grammar.rules_of[grammar.symbol(rule)]]


LANGUAGES = (
    Language(FIXTURES / "calc" / "Calc.g4", CALC),
    Language(FIXTURES / "document" / "Document.g4", DOCUMENT),
    Language(FIXTURES / "query" / "Query.g4", QUERY),
)
