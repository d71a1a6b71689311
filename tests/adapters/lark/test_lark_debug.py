"""Parsers made with ``debug=True``: their states are sets of items, not numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramspect import LoadOptions
from gramspect.recognition.trace import Extraction, Observation, Verdict
from gramspect.running.loading import load_parser
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase

GRAMMARS = {
    "plain": """start: sum
sum: sum "+" term | term
term: NAME | "(" sum ")"
NAME: /[a-z]+/
%ignore " "
""",
    "EBNF": """start: (assign ";")*
assign: NAME ["=" sum]
sum: term ("+" term)*
term: NAME | "(" sum ")" | "if" sum
NAME: /[a-z]+/
%ignore " "
""",
}
TEXTS = [
    "a",
    "a + (b + c)",
    "a = b + c; d;",
    "a = if b;",
    "a +",
    "(a",
    "a = ;",
    "a = b + + c;",
    "!",
]


def observed(path: Path, extraction: Extraction) -> list[Observation]:
    recognizer = load_parser(path, LoadOptions()).recognizer
    tests = [TestCase(text, Expectation.ACCEPT, text) for text in TEXTS]
    return [observe(recognizer.trace(test), extraction) for test in tests]


@pytest.mark.parametrize("extraction", [Extraction.EXACT, Extraction.ALL])
@pytest.mark.parametrize("lexer", ["contextual", "basic"])
@pytest.mark.parametrize("name", GRAMMARS)
def test_the_spectra_are_those_without_it(
    name: str, lexer: str, extraction: Extraction, tmp_path: Path
) -> None:
    found = []
    for debug in (False, True):
        path = tmp_path / f"parser_{debug}.py"
        path.write_text(
            f"from lark import Lark\n\nGRAMMAR = r'''{GRAMMARS[name]}'''\n"
            f"parser = Lark(GRAMMAR, parser='lalr', lexer={lexer!r}, debug={debug})\n"
        )
        found.append(observed(path, extraction))
    assert found[0] == found[1]
    verdicts = {observation.verdict for observation in found[0]}
    assert verdicts == {Verdict.ACCEPTED, Verdict.REJECTED}
