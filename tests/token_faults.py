"""Faults in token rules: which are found, and how a text is read when stretches of it are told."""

from __future__ import annotations

from collections.abc import Sequence

from gramspect import TestSuite, localize
from gramspect.lexical.rules import LexedText
from gramspect.localization.results import Localization
from gramspect.recognition.recognizer import Recognizer, TokenRuleKnowing
from gramspect.suites.suite import Expectation, TestCase


def localized(parser: Recognizer, good: Sequence[str], *failing: str) -> Localization:
    """Localization on texts that should all be accepted; `failing` are those that are not."""
    texts = (*good, *failing)
    tests = tuple(TestCase(f"t{n}", Expectation.ACCEPT, text) for n, text in enumerate(texts))
    found = localize(parser, TestSuite(tests), evidence="edits", confirm=None)
    assert found.n_failing == len(failing)
    return found


def knowing(parser: Recognizer) -> TokenRuleKnowing:
    assert isinstance(parser, TokenRuleKnowing)
    return parser


def named(parser: Recognizer, text: str, lexed: LexedText) -> list[tuple[str, str]]:
    """The terminals that were made of a text, each with its stretch."""
    symbols = parser.grammar.symbols
    return [(symbols[x.terminal].name, text[x.start : x.end]) for x in lexed.lexemes]
