"""Coverage as Cobertura's XML (``coverage-04.dtd``), which most CI servers read."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from gramspect.grammar_coverage.coverage import Coverage
from gramspect.report.line_coverage import Branch, FileCoverage, line_coverage
from gramspect.report.words import printable

__all__ = ["coverage_cobertura"]

_PROLOGUE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">\n'
)


def coverage_cobertura(result: Coverage) -> str:
    """The report, with a class for each file and a method for each non-terminal.

    The time in it is that of ``SOURCE_DATE_EPOCH``, if that is set, so that builds can be repeated.

    Raises:
        GramspectError: the grammar is in no file.
    """
    files = line_coverage(result)
    hits = [hits for file in files for hits in file.lines.values()]
    branches = [branch for file in files for branch in file.branches]
    rates = _rates(hits, branches)
    root = Element(
        "coverage",
        {
            **rates,
            "lines-covered": str(_covered(hits)),
            "lines-valid": str(len(hits)),
            "branches-covered": str(_taken(branches)),
            "branches-valid": str(len(branches)),
            "complexity": "0",
            "version": f"gramspect {version('gramspect')}",
            "timestamp": str(1000 * int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())),
        },
    )
    SubElement(SubElement(root, "sources"), "source").text = "."
    name = printable(result.grammar.name)
    package = SubElement(
        SubElement(root, "packages"), "package", {"name": name, **rates, "complexity": "0"}
    )
    classes = SubElement(package, "classes")
    for file in files:
        _class(classes, file)
    indent(root, " ")
    return _PROLOGUE + tostring(root, encoding="unicode") + "\n"


def _class(parent: Element, file: FileCoverage) -> None:
    path = printable(file.file)
    rates = _rates(list(file.lines.values()), file.branches)
    found = SubElement(
        parent, "class", {"name": path, "filename": path, **rates, "complexity": "0"}
    )
    methods = SubElement(found, "methods")
    for name, line, hits in file.functions:
        what = {"name": printable(name), "signature": "", **_rates([hits], [])}
        lines = SubElement(SubElement(methods, "method", what), "lines")
        SubElement(lines, "line", {"number": str(line), "hits": str(hits)})
    lines = SubElement(found, "lines")
    for line, hits in file.lines.items():
        _line(lines, line, hits, [branch for branch in file.branches if branch.line == line])


def _line(parent: Element, number: int, hits: int, branches: Sequence[Branch]) -> None:
    line = SubElement(parent, "line", {"number": str(number), "hits": str(hits)})
    if branches:
        taken = _taken(branches)
        percent = f"{100 * taken // len(branches)}%"
        line.set("branch", "true")
        line.set("condition-coverage", f"{percent} ({taken}/{len(branches)})")
        condition = {"number": "0", "type": "jump", "coverage": percent}
        SubElement(SubElement(line, "conditions"), "condition", condition)


def _rates(hits: Sequence[int], branches: Sequence[Branch]) -> dict[str, str]:
    return {
        "line-rate": _rate(_covered(hits), len(hits)),
        "branch-rate": _rate(_taken(branches), len(branches)),
    }


def _rate(covered: int, total: int) -> str:
    """The share with four decimals, rounded down; 1 if there is nothing to cover."""
    return f"{covered * 10_000 // total / 10_000:g}" if total else "1"


def _covered(hits: Iterable[int]) -> int:
    return sum(number > 0 for number in hits)


def _taken(branches: Iterable[Branch]) -> int:
    return sum(bool(branch.taken) for branch in branches)
