"""Parsers in jars from Maven Central: gramspect's verdicts are those of the libraries."""

from __future__ import annotations

import pytest
from cup_tools import texts
from legacy import PARSERS, Parser

from gramspect.recognition.trace import Trace, Undecided, Verdict
from gramspect.spectrum.extraction import observe
from ranks import sampled

CASES = [pytest.param(parser, id=parser.name) for parser in PARSERS]


def verdict(trace: Trace) -> str:
    if isinstance(trace, Undecided):
        return "other"
    return "accepted" if observe(trace).verdict is Verdict.ACCEPTED else "rejected"


@pytest.mark.slow
@pytest.mark.parametrize("parser", CASES)
def test_verdicts_are_those_of_the_library(parser: Parser) -> None:
    inputs = parser.inputs()
    assert len(inputs) >= 200
    plain = parser.plain()
    expected = [plain(text) for text in inputs]
    traces = parser.recognizer().traces(texts(*inputs))  # type: ignore[attr-defined]
    found = [verdict(trace) for trace in traces]
    differing = [
        (text, before, trace)
        for text, before, now, trace in zip(inputs, expected, found, traces, strict=True)
        if before != now
    ]
    assert not differing, differing[:3]
    assert min(found.count("accepted"), found.count("rejected")) >= 20


SIZES = {
    "JFlex 1.4.3": (74, "specification"),
    "JFlex 1.9.1": (86, "specification"),
    "Xalan 2.7.3": (140, "NT$1"),
    "CUP 0.11b": (116, "spec"),
}


@pytest.mark.parametrize("parser", sampled(CASES, 4))
def test_grammars_are_rebuilt(parser: Parser) -> None:
    grammar = parser.recognizer().grammar
    assert (grammar.n_rules, grammar.symbols[grammar.start].name) == SIZES[parser.name]
    assert all(not s.name.startswith("T$") for s in grammar.terminals)


def test_spectra_at_the_level_of_rules() -> None:
    """A rule that recovers, ``macros -> error``, is no part of what an accepted input uses."""
    jflex = PARSERS[1].recognizer()
    (trace,) = jflex.traces(texts('%%\n%%\n"a" | [b-c] { }\n'))  # type: ignore[attr-defined]
    grammar = jflex.grammar
    assert {grammar.rule_text(rule) for rule in observe(trace).rules} == {
        "specification -> USERCODE macros DELIMITER rules",
        "macros ->",
        "rules -> rule",
        "rule -> statesOPT hatOPT series actions",
        "statesOPT ->",
        "hatOPT ->",
        "series -> series BAR concs",
        "series -> concs",
        "concs -> nregexp",
        "nregexp -> regexp",
        "regexp -> STRING",
        "regexp -> charclass",
        "charclass -> OPENCLASS opt_hat_content CLOSECLASS",
        "opt_hat_content -> opt_dash_content",
        "opt_dash_content -> classcontent",
        "classcontent -> classcontentelem",
        "classcontentelem -> CHAR DASH CHAR",
        "actions -> act",
        "act -> REGEXPEND ACTION",
    }
