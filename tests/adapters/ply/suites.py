"""The suites of the real parsers."""

from pathlib import Path

from gramspect.suites.suite import TestSuite

FIXTURES = Path(__file__).parents[3] / "fixtures"
C_SUITE = TestSuite.load(accept=[FIXTURES / "c" / "accept"], reject=[FIXTURES / "c" / "reject"])
JSONPATH_SUITE = TestSuite.load(
    accept=[FIXTURES / "jsonpath" / "accept.txt"],
    reject=[FIXTURES / "jsonpath" / "reject.txt"],
    lines=True,
)
