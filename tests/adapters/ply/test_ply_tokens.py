"""The tokens of a test, with which edits are searched."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramspect import TestSuite, localize
from gramspect.recognition.recognizer import LoadOptions, Tokenizing
from gramspect.recognition.registry import adapter
from gramspect.suites.suite import Expectation, TestCase

ROOT = Path(__file__).parents[3]
DEMO = f"{ROOT / 'fixtures' / 'demo' / 'faulty_c.py'}:FaultyCParser"


def tokens(text: str) -> list[str] | None:
    system = adapter("ply").load(DEMO, LoadOptions())
    assert isinstance(system, Tokenizing)
    found = system.tokens(TestCase("test", Expectation.ACCEPT, text))
    return None if found is None else [system.grammar.symbols[t].name for t in found]


def test_all_tokens_are_there_after_an_error_too() -> None:
    assert tokens("int a;") == ["INT", "ID", "SEMI"]
    assert tokens("int ) a;") == ["INT", "RPAREN", "ID", "SEMI"]


def test_the_parser_guides_the_lexer_up_to_the_error() -> None:
    assert tokens("typedef int t; t a; ) t b;") == [
        *("TYPEDEF", "INT", "ID", "SEMI", "TYPEID", "ID", "SEMI"),
        *("RPAREN", "TYPEID", "ID", "SEMI"),
    ]


def test_a_lexer_that_fails() -> None:
    assert tokens("int `;") is None
    assert tokens("int ) a; `") is None


@pytest.mark.slow
def test_the_edit_that_undoes_the_fault_of_the_demo() -> None:
    suite = TestSuite.load([ROOT / "fixtures" / "c" / "accept"])
    found = localize(DEMO, suite, evidence="edits")
    best = found.ranking[0]
    assert best.label == "iteration_statement:1:2"
    (edit, *_) = found.proposals_for(best)
    assert edit.edit.describe(found.grammar) == "make expression optional"
    assert len(edit.tests) == found.n_failing
