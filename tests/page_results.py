"""Results of localizations that the tests of pages show."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from command import ACCEPT, FAULTY, ROOT
from gramspect import (
    Comparison,
    Coverage,
    LoadOptions,
    Localization,
    TestCase,
    TestSuite,
    compare,
    coverage,
    localize,
)
from gramspect.suites.suite import Expectation

__all__ = ["c_parser", "calculator", "compared", "covered", "tokens", "toy"]

C = ROOT / "fixtures" / "demo" / "faulty_c.py"
C_TESTS = ROOT / "fixtures" / "c"


@cache
def toy(**how: Any) -> Localization:
    suite = TestSuite.load(accept=[ACCEPT], lines=True)
    return localize(FAULTY, suite, all_spectra=True, **how)


@cache
def c_parser() -> Localization:
    suite = TestSuite.load(accept=[C_TESTS / "accept"], reject=[C_TESTS / "reject"])
    return localize(f"{C}:FaultyCParser", suite, all_spectra=True)


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
