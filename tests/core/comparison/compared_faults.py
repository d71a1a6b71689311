"""Two languages with single faults put into their grammars, and where techniques rank these."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from command import ROOT
from gramspect import Comparison, RankedElement, TestSuite, compare
from ranks import rank_of

__all__ = ["LANGUAGES", "Fault", "Language", "ranks_of"]


@dataclass(frozen=True)
class Fault:
    """A change of a grammar's text.

    `place` is the label of the rule that is wrong then, or the non-terminal that lacks one.
    """

    name: str
    place: str
    old: str
    new: str


@dataclass(frozen=True)
class Language:
    """A grammar of a folder of the fixtures, and a suite that it passes."""

    folder: Path
    name: str

    @property
    def grammar(self) -> Path:
        return self.folder / f"{self.name}.y"

    @property
    def record(self) -> Path:
        return self.folder / f"{self.name}-ranks.json"

    @cached_property
    def suite(self) -> TestSuite:
        files = [self.folder / f"{kind}.txt" for kind in ("accept", "reject")]
        return TestSuite.load(files[:1], files[1:], lines=True)

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        found = json.loads((self.folder / f"{self.name}-faults.json").read_text())
        return tuple(Fault(f["fault"], f["place"], f["old"], f["new"]) for f in found)

    def compared(
        self, fault: Fault, folder: Path, adapters: Sequence[str] | None = None
    ) -> Comparison:
        text = self.grammar.read_text()
        assert text.count(fault.old) == 1, fault.name
        file = folder / f"{self.name}.y"
        file.write_text(text.replace(fault.old, fault.new))
        return compare(str(file), self.suite, adapters=adapters)


REFUSED = "refused"
"""In place of a rank: the technique cannot take the grammar."""


def ranks_of(result: Comparison, fault: Fault) -> Mapping[str, float | str | None]:
    """The rank of the faulty rule among the rules, or of its non-terminal among those.

    What counts is the best item of each. None where it has no score or no test fails.
    """

    def name(element: RankedElement) -> str:
        return element.label.rpartition(":")[0] if ":" in fault.place else element.nonterminal

    return {
        technique.name: REFUSED
        if technique.localization is None
        else rank_of(technique.result, fault.place, name)
        for technique in result.techniques
    }


SIMPL, TABLES = ROOT / "fixtures" / "simpl", ROOT / "fixtures" / "tables"
LANGUAGES = (Language(SIMPL, "simpl"), Language(SIMPL, "simpl-ll"), Language(TABLES, "tables"))
