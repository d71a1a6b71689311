"""Faults put into the grammars of Lark itself and of python-hcl2, and where they are ranked.

The grammars are read from the installed packages; nothing of them is kept here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import lark_faults
from lark_faults import Fault

from gramspect import Localization, RankedElement, TestSuite, localize
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions, Recognizer, adapter
from ranks import Replayed, rank_of

FIXTURES = Path(__file__).parents[3] / "fixtures"

Ranks = dict[str, dict[str, float | None]]
"""By kind of evidence and kind of element."""


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
        """The ranks of the faulty item, and of its alternative and rule, by the best item of each.

        Each among its like; members of a tie share its middle. Of several faulty positions the best
        one counts. None for what has no score.
        """
        text, places = fault.seeded(self.path.read_text())
        recognizer = self.load(text)
        replayed = Replayed(recognizer, {t.name: recognizer.trace(t) for t in self.suite})
        grammar = recognizer.grammar
        assert grammar.diagnostics == ()
        items = _items_at(grammar, places)
        rules = {grammar.split_item(item)[0] for item in items}
        homes = {grammar.user_nonterminal(grammar.rules[rule].lhs) for rule in rules}
        found = {}
        for evidence in ("spectrum", "both"):
            result = localize(replayed, self.suite, evidence=evidence)
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


def _items_at(grammar: Grammar, places: tuple[tuple[int, int], ...]) -> list[int]:
    """The items that lie at one of the places; each place has some."""
    found = [
        (item, (span.line, span.column))
        for item in range(grammar.n_items)
        if (span := grammar.item_span(item)) is not None
    ]
    missing = set(places) - {place for _, place in found}
    assert not missing, f"marks at no position of the grammar: {missing}"
    return [item for item, place in found if place in places]


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
