"""Grammars with blocks of all kinds: traces in terms of what the user wrote, against the oracle."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from lark_cases import Load, cfg_of, text_test
from lark_texts import lark_texts

from cfg import Cfg, Word
from core.test_differential import check_all, check_exact, numbers
from examples import fewer
from gramspect.errors import GrammarError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.trace import Trace
from gramspect.suites.suite import TestCase
from gramspect_lark.lalr_recognizer import LalrRecognizer
from oracle import exact_spectra, spectra
from strategies import words

MAX_RULES = 16
"""The oracle is slow."""


class Worded:
    """A recognizer of texts that takes words of token names, which are their texts in capitals."""

    def __init__(self, loaded: Recognizer) -> None:
        self.loaded = loaded

    @property
    def grammar(self) -> Grammar:
        return self.loaded.grammar

    def trace(self, test: TestCase) -> Trace:
        assert test.tokens is not None
        return self.loaded.trace(text_test(" ".join(test.tokens).lower()))


def loaded(name: str, text: str, extra: dict[str, str]) -> Recognizer | None:
    """The parser for a text; None if Lark refuses it."""
    with TemporaryDirectory() as folder:
        try:
            return Load(Path(folder))(name, text, None, extra)
        except GrammarError as problem:
            message = str(problem)
            assert "collision" in message or "Rules defined twice" in message, message
            return None


def inputs(cfg: Cfg) -> st.SearchStrategy[list[Word]]:
    """Some words without tokens that the lexer does not know."""
    known = words(cfg, 6).filter(lambda word: set(word) <= cfg.terminals)
    return st.lists(known, min_size=1, max_size=3)


def parsers(name: str, lexer: str) -> st.SearchStrategy[Recognizer]:
    """Parsers whose grammars the oracle can judge. Lark refuses many texts, and LALR takes few."""
    texts = lark_texts()
    found = texts.map(lambda text: loaded(name, text, {"lexer": lexer}))
    return found.filter(usable)  # type: ignore[arg-type]


def usable(found: Recognizer | None) -> bool:
    if found is None or (isinstance(found, LalrRecognizer) and found.conflicts):
        return False
    assert not found.grammar.diagnostics
    cfg = cfg_of(found.grammar)
    return len(cfg.rules) <= MAX_RULES and cfg.reduced() == cfg and bool(cfg.terminals)


@pytest.mark.parametrize("lexer", ["basic", "dynamic", "dynamic_complete"])
@fewer(0.4)
@given(data=st.data())
def test_earley(lexer: str, data: st.DataObject) -> None:
    found = data.draw(parsers("lark-earley", lexer))
    parser, cfg = Worded(found), cfg_of(found.grammar)
    for word in data.draw(inputs(cfg)):
        expected = spectra(cfg, word)
        shift = numbers(parser.grammar, expected.shift_items)
        assert check_all(parser, word, expected).shift_items == shift
        assert check_exact(parser, word, cfg, expected).shift_items == shift


@pytest.mark.parametrize("lexer", ["basic", "contextual"])
@fewer(0.4)
@given(data=st.data())
def test_lalr(lexer: str, data: st.DataObject) -> None:
    """Without conflicts. Then all derivations have the same rules, but for blocks in blocks that
    may both be empty: of these an accepted text has one. Lark's states do not always tell apart
    where a repetition was begun, so shift items may be those of another of the same thing.
    """
    found = data.draw(parsers("lark-lalr", lexer))
    assert isinstance(found, LalrRecognizer)
    parser, cfg = Worded(found), cfg_of(found.grammar)
    assume(len(set(cfg.rules)) == len(cfg.rules))  # of equal alternatives Lark keeps the first
    for word in data.draw(inputs(cfg)):
        expected = spectra(cfg, word)
        shift = numbers(parser.grammar, expected.shift_items)
        same = (items for items in found._subject.items if items & shift)
        assert check_exact(parser, word, cfg, expected).shift_items <= shift.union(*same)
        if expected.error is not None or len(exact_spectra(cfg, word)) == 1:
            check_all(parser, word, expected)


REPEATED: Sequence[tuple[str, str, list[str]]] = [
    ('start: "x"~3', "x x x", ["start:1", "start:1.1:1"]),
    ('start: "x"~1..3', "x", ["start:1", "start:1.1:1", "start:1.1:1.1:2"]),
    ('start: ("x" "y")*', "", ["start:1", "start:1.1:1"]),
    ('start: ("x" "y")*', "x y", ["start:1", "start:1.1:1", "start:1.1:2", "start:1.1.1:1"]),
    (
        'start: a b\na: "x"*\nb: "y" "x"*',
        "y x",
        ["a:1", "a:1.1:1", "b:1", "b:1.1:1", "b:1.1:2", "start:1"],
    ),
    ('start: "x"+ "y" "x"*', "x y", ["start:1", "start:1.1:1", "start:1.2:1"]),
]  # fmt: skip


@pytest.mark.parametrize("name", ["lark-lalr", "lark-earley"])
@pytest.mark.parametrize(("text", "test", "expected"), REPEATED)
def test_rules_of_repetitions(
    load: Load, name: str, text: str, test: str, expected: list[str]
) -> None:
    """Repetitions of the same thing share a rule of Lark's; each place counts for itself."""
    from gramspect.spectrum.extraction import observe

    parser = load(name, text + '\n%ignore " "\n')
    found = observe(parser.trace(text_test(test)))
    assert found.error is None
    labels = sorted(parser.grammar.rules[rule].label for rule in found.rules)
    assert labels == sorted(expected)


def test_what_is_repeated_too_often(load: Load) -> None:
    """Lark has rules of its own for large bounds: then they are what is reported, with a note."""
    parser = load("lark-lalr", 'start: "x"~60\n%ignore " "\n')
    (note,) = parser.grammar.diagnostics
    assert '"x"~60 is repeated too often' in str(note)
    assert parser.trace(text_test("x " * 60)).error is None  # type: ignore[union-attr]
    assert parser.trace(text_test("x " * 59)).error is not None  # type: ignore[union-attr]


def test_shift_items_of_repetitions(load: Load) -> None:
    """Rules that Lark shares count only where they were begun."""
    from gramspect.spectrum.extraction import observe

    parser = load("lark-lalr", 'start: ("w" "u")* | "u" ("w" "u")*\n%ignore " "\n')
    grammar = parser.grammar

    def begun(text: str) -> set[str]:
        found = observe(parser.trace(text_test(text))).shift_items
        return {grammar.item_label(item) for item in found if ".1" in grammar.item_label(item)}

    assert {label[:7] for label in begun("")} == {"start:1"}
    assert {label[:7] for label in begun("u w u")} == {"start:1", "start:2"}
