"""The adapter for generated Python parsers, by the conformance kit."""

from pathlib import Path

from python_parsers import generate

from gramspect.spectrum.matrix import SpectrumKind
from gramspect.testing import AdapterConformance, Loadable
from gramspect_antlr_python import adapter

TOY = Path(__file__).parents[3] / "fixtures" / "antlr" / "Toy.g4"
LISTS = """
    grammar Lists;
    s : item* EOF ;
    item
        : ID ';'
        | '(' item* ')'
        | 'raise' {raise ValueError('of the user')}
        | 'loop'
    {
    while True:
        pass
    }
        ;
    ID : [a-z]+ ;
    WS : [ \\n]+ -> skip ;
"""


def toy(_folder: Path) -> str:
    return str(generate({"Toy": TOY.read_text()}) / "ToyParser.py")


def lists(_folder: Path) -> str:
    return str(generate({"Lists": LISTS}) / "ListsParser.py")


class TestAntlrPython(AdapterConformance):
    adapter = adapter
    technique = None
    kinds = (SpectrumKind.RULE, SpectrumKind.ITEM)
    time_limit = 1.0
    loadables = (
        Loadable(toy, toy=True, context_free=False),
        Loadable(
            lists,
            accept=["", "a;", "(a; b;) c;", "((()))"],
            reject=["a", "(a;", ")", "a; ;", "1;"],
            crashing=["a; raise"],
            endless=["(loop)"],
        ),
    )
