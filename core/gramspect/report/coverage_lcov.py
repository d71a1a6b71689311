"""Coverage as an lcov tracefile, as geninfo(1) describes it (records of lcov 1.x, read by 2.x)."""

from __future__ import annotations

from collections.abc import Iterator

from gramspect.grammar_coverage.coverage import Coverage
from gramspect.report.line_coverage import FileCoverage, line_coverage
from gramspect.report.words import printable

__all__ = ["coverage_lcov"]


def coverage_lcov(result: Coverage) -> str:
    """The tracefile; paths are those of the grammar as it was given.

    Raises:
        GramspectError: the grammar is in no file.
    """
    return "".join(f"{line}\n" for file in line_coverage(result) for line in _section(file))


def _section(file: FileCoverage) -> Iterator[str]:
    yield "TN:"
    yield f"SF:{printable(file.file)}"
    for name, line, _ in file.functions:
        yield f"FN:{line},{printable(name)}"
    for name, _, hits in file.functions:
        yield f"FNDA:{hits},{printable(name)}"
    yield f"FNF:{len(file.functions)}"
    yield f"FNH:{sum(function.hits > 0 for function in file.functions)}"
    for line, decision, number, taken in file.branches:
        yield f"BRDA:{line},{decision},{number},{'-' if taken is None else taken}"
    yield f"BRF:{len(file.branches)}"
    yield f"BRH:{sum(bool(branch.taken) for branch in file.branches)}"
    for line, hits in file.lines.items():
        yield f"DA:{line},{hits}"
    yield f"LF:{len(file.lines)}"
    yield f"LH:{sum(hits > 0 for hits in file.lines.values())}"
    yield "end_of_record"
