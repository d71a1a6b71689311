"""The adapter for ANTLR, by the conformance kit."""

from pathlib import Path

from gramspect.grammars.grammar import Grammar
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.testing import AdapterConformance, Loadable, Technique
from gramspect_antlr import adapter

FIXTURES = Path(__file__).parents[3] / "fixtures" / "antlr"


def calc(name: str) -> list[str]:
    """The first tests of a calculator."""
    return (FIXTURES / "calc" / f"{name}.txt").read_text().splitlines()[:12]


class TestAntlr(AdapterConformance):
    adapter = adapter
    technique = Technique.LL
    kinds = (SpectrumKind.RULE, SpectrumKind.ITEM)
    loadables = (
        Loadable(str(FIXTURES / "Toy.g4"), toy=True, context_free=False),
        Loadable(str(FIXTURES / "calc" / "Calc.g4"), calc("accept"), calc("reject")),
    )

    def may_refuse(self, grammar: Grammar) -> bool:
        """Left recursion that is indirect, hidden or without an end."""
        return bool(grammar.analysis.left_recursive)
