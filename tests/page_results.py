"""Results that the tests of pages show."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from command import ACCEPT, FAULTY, ROOT
from gramspect import (
    Comparison,
    Coverage,
    LoadOptions,
    Localization,
    TestCase,
    TestSuite,
    campaign,
    compare,
    coverage,
    localize,
)
from gramspect.campaigns.tables import Records, read_records
from gramspect.generation.sources import read_grammar
from gramspect.lrgraph.graph import LRGraph, lr_graph
from gramspect.suites.suite import Expectation

__all__ = [
    "C_TESTS",
    "C",
    "c_parser",
    "calculator",
    "campaign_records",
    "compared",
    "covered",
    "drawn_graph",
    "tokens",
    "toy",
]

C = ROOT / "fixtures" / "demo" / "faulty_c.py"
C_TESTS = ROOT / "fixtures" / "c"


@cache
def toy(**how: Any) -> Localization:
    suite = TestSuite.load(accept=[ACCEPT], lines=True)
    return localize(FAULTY, suite, all_spectra=True, **how)


@cache
def c_parser() -> Localization:
    suite = TestSuite.load(accept=[C_TESTS / "accept"], reject=[C_TESTS / "reject"])
    return localize(f"{C}:FaultyCParser", suite, all_spectra=True, confirm=None)


NUMBERS = """
start: (NAME "=" sum ";")*
sum: sum "+" term | term
term: NUMBER | NAME

NAME: /[a-z]+/
NUMBER: INT ("." INT)? EXPONENT?
EXPONENT: "e" INT
INT: "0".."9"+
%ignore " "
"""


def tokens(folder: Path, **how: Any) -> Localization:
    """A fault in a token rule of a Lark grammar, which is written into a folder."""
    file = folder / "numbers.lark"
    file.write_text(NUMBERS)
    texts = ("x = 1;", "x = 1.5 + y;", "x = 2e5;", "x = 2e-5;", "y = 1 + 1e-7;")
    tests = [TestCase(text, Expectation.ACCEPT, text) for text in texts]
    load = LoadOptions(adapter="lark-lalr")
    return localize(file, TestSuite(tuple(tests)), load=load, all_spectra=True, **how)


@cache
def calculator() -> Localization:
    """Many failing tests: all that should be rejected are said to be accepted."""
    folder = ROOT / "fixtures" / "antlr" / "calc"
    suite = TestSuite.load(accept=[folder / "accept.txt", folder / "reject.txt"], lines=True)
    return localize(str(folder / "Calc.g4"), suite, all_spectra=True)


@cache
def covered() -> Coverage:
    return coverage(FAULTY, TestSuite.load(accept=[ACCEPT], lines=True))


@cache
def compared() -> Comparison:
    suite = TestSuite.load(accept=[ACCEPT], lines=True)
    return compare(FAULTY, suite, adapters=["chart", "native", "ply"])


@cache
def drawn_graph() -> LRGraph:
    return lr_graph(read_grammar(str(ROOT / "fixtures" / "yacc" / "calc.y"))[0])


CAMPAIGN = """
recognizers = ["native"]
[grammars]
toy = {grammar}
[faults]
sample = 6
[suites.small]
criteria = ["rule"]
[methods]
metrics = ["ochiai", "dstar"]
[engine]
backend = "here"
"""


@cache
def campaign_records() -> Records:
    with TemporaryDirectory() as folder:
        path = Path(folder, "toy.toml")
        path.write_text(CAMPAIGN.format(grammar=json.dumps(str(ROOT / "fixtures/toy/toy.y"))))
        campaign(str(path))
        return read_records(str(path.with_suffix(".db")))
