"""Results of localizations that the tests of pages show."""

from __future__ import annotations

from functools import cache
from typing import Any

from command import ACCEPT, FAULTY, ROOT
from gramspect import Comparison, Coverage, Localization, TestSuite, compare, coverage, localize

__all__ = ["c_parser", "calculator", "compared", "covered", "toy"]

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
