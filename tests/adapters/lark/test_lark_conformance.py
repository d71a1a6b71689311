"""The adapters for Lark's LALR(1) and Earley parsers, by the conformance kit."""

from pathlib import Path

from gramspect.grammars.grammar import Grammar
from gramspect.lr.tables import lalr_table
from gramspect.recognition.recognizer import LoadOptions
from gramspect.testing import AdapterConformance, Loadable, Technique
from gramspect_lark import earley_adapter, lalr_adapter

FIXTURES = Path(__file__).parents[3] / "fixtures"
TOY = str(FIXTURES / "lark_toy" / "toy-faulty.lark")
ODD = """
class Odd:
    always_accept = ()

    def process(self, stream):
        for token in stream:
            if token == "raise":
                raise RecursionError("too deep")
            while token == "loop":
                pass
            yield token
"""
LISTS = """
start: item ("," item)*
item: NAME | "(" start ")" | "[" [start] "]"
NAME: /[a-z]+/
%ignore " "
"""
ACCEPT = ["a", "a, b", "(a, [b]), c", "[]", "[ [] , a ]"]
REJECT = ["", "a b", "(a", "a,", "a, 1", "()"]


def lists(folder: Path) -> str:
    (folder / "odd.py").write_text(ODD)
    (folder / "lists.lark").write_text(LISTS)
    return str(folder / "lists.lark")


def toy(lexer: str, claimed: bool) -> Loadable:
    options = LoadOptions("prog", extra={"lexer": lexer})
    return Loadable(TOY, toy=True, context_free=False, claimed=claimed, options=options)


def plain(claimed: bool) -> Loadable:
    return Loadable(lists, ACCEPT, REJECT, claimed=claimed)


def minding(folder: Path) -> LoadOptions:
    """With a postlexer that does not always come back."""
    return LoadOptions(extra={"postlex": f"{folder / 'odd.py'}:Odd"})


def minded(claimed: bool) -> Loadable:
    return Loadable(
        lists, ACCEPT, REJECT, minding, claimed=claimed, crashing=["a, raise"], endless=["[loop]"]
    )


class TestLalr(AdapterConformance):
    adapter = lalr_adapter
    technique = Technique.LR
    time_limit = 1.0
    loadables = (toy("contextual", False), toy("basic", False), plain(False), minded(False))

    def may_refuse(self, grammar: Grammar) -> bool:
        """Lark does not choose between reductions."""
        return any(len(conflict.rules) > 1 for conflict in lalr_table(grammar).conflicts)


class TestEarley(AdapterConformance):
    adapter = earley_adapter
    technique = Technique.GENERAL
    time_limit = 1.0
    loadables = (
        toy("dynamic", True),
        toy("dynamic_complete", True),
        toy("basic", True),
        plain(True),
        minded(True),
    )
