"""Faults put into the live grammars of pycparser and jsonpath-ng, and where they are ranked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import c_faults
import jsonpath_faults
from faults import Fault
from jsonpath_ng.parser import JsonPathParser
from pycparser.c_parser import CParser
from suites import C_SUITE, FIXTURES, JSONPATH_SUITE

from gramspect import TestSuite, localize
from gramspect.running.observing import silenced
from gramspect_ply import PlyRecognizer
from ranks import Replayed, rank_of


@dataclass(frozen=True)
class Language:
    """A live parser, how to make it from a subclass, its faults, its suite and their ranks."""

    parser_class: type
    make: Callable[[type], PlyRecognizer]
    faults: tuple[Fault, ...]
    suite: TestSuite
    record: Path

    def ranks(self, fault: Fault) -> dict[str, dict[str, float | None]]:
        """The ranks of a seeded rule and its non-terminal by the kind of evidence.

        Each has the rank of its best item among its like; members of a tie share its middle.
        None for what has no score, and for a rule that is left out.
        """
        with silenced():
            recognizer = self.make(fault.seeded(self.parser_class))
        replayed = Replayed(recognizer, {test.name: recognizer.trace(test) for test in self.suite})
        lhs = fault.lhs(self.parser_class)
        found = {}
        for evidence in ("spectrum", "both"):
            result = localize(replayed, self.suite, evidence=evidence)
            assert not result.undecided, [(u.test.name, u.reason) for u in result.undecided]
            assert result.failing, "no test shows the fault"
            rule = None if fault.faulty is None else f"{lhs} -> {fault.faulty}"
            found[evidence] = {
                "rule": rank_of(
                    result, rule, lambda element: element.grammar.rule_text(element.rule)
                ),
                "nonterminal": rank_of(result, lhs, lambda element: element.nonterminal),
            }
        return found


def _c_parser(parser_class: type) -> PlyRecognizer:
    with TemporaryDirectory() as folder:
        holder = parser_class(yacc_optimize=False, yacctab="faulty_tab", taboutputdir=folder)
    return PlyRecognizer.from_parser(holder.cparser, parse=holder.parse)


def _jsonpath_parser(parser_class: type) -> PlyRecognizer:
    parser_class._ply_table_module = "no_tables"  # type: ignore[attr-defined]
    holder = parser_class()
    return PlyRecognizer.from_parser(holder.parser, parse=holder.parse)


C = Language(CParser, _c_parser, c_faults.FAULTS, C_SUITE, FIXTURES / "c" / "ranks.json")
JSONPATH = Language(
    JsonPathParser,
    _jsonpath_parser,
    jsonpath_faults.FAULTS,
    JSONPATH_SUITE,
    FIXTURES / "jsonpath" / "ranks.json",
)
LANGUAGES = (C, JSONPATH)
