"""A generated parser against gramspect's own LR parser and against ANTLR in the JVM.

The grammar is LALR(1) without conflicts, so every parse is the only one there is and all must see
the same rules and positions.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from python_parsers import generate

from cfg import Cfg
from examples import fewer
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import ErrorKind, Extraction, Observation, Verdict
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase
from gramspect.yacc import read_yacc
from strategies import FOREIGN, sentences

GRAMMAR = Path(__file__).parents[3] / "fixtures" / "simpl" / "simpl.y"


@cache
def yacc() -> Grammar:
    return read_yacc(GRAMMAR)


def spelling(symbol: int) -> str:
    """How a terminal is written in a test."""
    terminal = yacc().symbols[symbol]
    return terminal.spellings[0] if terminal.spellings else terminal.name


@cache
def in_antlr() -> str:
    """The grammar in ANTLR's notation, every terminal a literal."""
    grammar = yacc()

    def written(symbol: int) -> str:
        name = grammar.symbols[symbol].name.replace("locals", "locals_")  # a word of ANTLR's
        return f"'{spelling(symbol)}'" if grammar.is_terminal(symbol) else name

    lines = ["grammar Simpl;"]
    for symbol in grammar.nonterminals:
        rules = grammar.rules_of[symbol.index]
        alternatives = [" ".join(map(written, grammar.rules[rule].rhs)) for rule in rules]
        lines.append(f"{written(symbol.index)} : {' | '.join(alternatives)} ;")
    return "\n".join([*lines, "WS : [ ]+ -> skip ;"])


@cache
def recognizers(folder: Path) -> tuple[Recognizer, Recognizer, Recognizer]:
    """The grammar as a generated parser, in the JVM, and in gramspect's own."""
    source = folder / "Simpl.g4"
    source.write_text(in_antlr())
    parser = generate({"Simpl": in_antlr()}) / "SimplParser.py"
    return (
        adapter("antlr-python").load(str(parser), LoadOptions()),
        adapter("antlr").load(str(source), LoadOptions()),
        adapter("native").build(yacc()),
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("simpl")


@cache
def rules() -> Cfg:
    grammar = yacc()
    words = {s.index: spelling(s.index) if s.terminal else f"<{s.name}>" for s in grammar.symbols}
    pairs = [(words[rule.lhs], tuple(words[x] for x in rule.rhs)) for rule in grammar.rules]
    return Cfg(tuple(pairs), words[grammar.start])


@st.composite
def texts(draw: DrawFn) -> str:
    """Programs, most of them damaged in a place or two."""
    word = draw(sentences(rules(), max_choices=60))
    tokens = st.sampled_from([*sorted(rules().terminals), FOREIGN])
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(word)))
        inserted = tuple(draw(st.lists(tokens, max_size=1)))
        word = word[:at] + inserted + word[at + draw(st.integers(0, 1)) :]
    return " ".join(word)


def items(grammar: Grammar, numbers: Iterable[int]) -> list[str]:
    return sorted(grammar.item_label(item).replace("locals_", "locals") for item in numbers)


def shown(grammar: Grammar, seen: Observation) -> dict[str, object]:
    """An observation by labels; its error by its place and kind."""
    error = seen.error
    depths = {*seen.active.values(), *seen.predicted.values()}
    return {
        "verdict": seen.verdict,
        "error": error and (error.token, error.line, error.column, error.kind),
        "rules": items(grammar, {grammar.item_start[rule] for rule in seen.rules}),
        "items": items(grammar, seen.items),
        "active": [items(grammar, (i for i, d in seen.active.items() if d == n)) for n in depths],
        "predicted": [
            items(grammar, (i for i, d in seen.predicted.items() if d == n)) for n in depths
        ],
    }


@pytest.mark.parametrize("extraction", [Extraction.EXACT, Extraction.ALL])
@fewer(0.6)
@given(text=texts())
def test_all_agree(folder: Path, extraction: Extraction, text: str) -> None:
    generated, interpreted, native = recognizers(folder)
    test = TestCase("text", Expectation.ACCEPT, text)
    seen = [observe(r.trace(test), extraction) for r in (generated, interpreted, native)]
    found, same, expected = (
        shown(r.grammar, o) for r, o in zip(recognizers(folder), seen, strict=True)
    )
    assert found == same
    of_generated, of_interpreted = (
        items(r.grammar, o.shift_items)
        for r, o in zip((generated, interpreted), seen, strict=False)
    )
    assert of_generated == of_interpreted
    if seen[0].error is None or seen[0].error.kind is ErrorKind.SYNTAX:
        assert found == expected
    else:
        assert found["verdict"] is expected["verdict"] is Verdict.REJECTED


def test_the_grammars_are_the_same(folder: Path) -> None:
    texts = [
        [(rule.label, r.grammar.rule_text(rule.index)) for rule in r.grammar.rules]
        for r in recognizers(folder)[:2]
    ]
    assert texts[0] == texts[1]
    assert len(texts[0]) == yacc().n_rules
