"""Parsers in jars from Maven Central: verdicts as of the libraries themselves, spectra of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from zipfile import ZipFile

import pytest
from javacc_legacy import LEGACY, Legacy, lucene_sources
from jj import observed

from gramspect.recognition.trace import ErrorKind, LLTrace, Observation, Undecided, Verdict
from gramspect.suites.suite import Expectation, TestCase
from gramspect_javacc.outcomes import Rejection, Strange
from gramspect_javacc.recognizer import JavaccRecognizer
from ranks import sampled

COUNT = 220


def normally(legacy: Legacy, text: str) -> Verdict:
    """The verdict of the library."""
    import jpype

    try:
        legacy.plain()(text)
    except (jpype.JException, ValueError):
        return Verdict.REJECTED
    return Verdict.ACCEPTED


@cache
def loaded(name: str) -> JavaccRecognizer:
    return LEGACY[name].load()


@pytest.mark.slow
@pytest.mark.parametrize("name", LEGACY)
def test_verdicts_are_those_of_the_library(name: str) -> None:
    texts = LEGACY[name].texts(COUNT)
    assert len(texts) == COUNT
    expected = [normally(LEGACY[name], text) for text in texts]
    outcomes = loaded(name).outcomes(texts)
    found = [Verdict.ACCEPTED if isinstance(o, LLTrace) else KINDS[type(o)] for o in outcomes]
    assert found == expected
    assert min(expected.count(verdict) for verdict in (Verdict.ACCEPTED, Verdict.REJECTED)) > 20


KINDS = {Rejection: Verdict.REJECTED, Undecided: Verdict.UNDECIDED, Strange: "strange"}


@pytest.mark.parametrize("name", sampled(map(pytest.param, LEGACY), 4))
@pytest.mark.slow
def test_spectra(name: str) -> None:
    """Every production of the class has a structure; accepted tests are derivations of it."""
    recognizer, texts = loaded(name), LEGACY[name].texts(40)
    assert not recognizer.grammar.diagnostics
    assert recognizer.grammar.n_rules > 60
    start = recognizer.grammar.rules_of[recognizer.grammar.start]
    for text, observation in zip(texts, observed(recognizer, *texts), strict=True):
        assert observation.rules & set(start), text
        assert observation.items
        if observation.error is not None and observation.error.kind is ErrorKind.SYNTAX:
            assert observation.active, text


def test_errors_name_places() -> None:
    (found,) = observed(loaded("jsqlparser"), "SELECT a\nFROM t WHERE ( a = 1")
    assert found.error is not None
    assert found.error.message == 'unexpected end of input, expecting ")", "::", "[", "^"'
    assert (found.error.line, found.error.token) == (2, 9)


# --- with the grammar file -------------------------------------------------------------------


@pytest.fixture(scope="module")
def grammar_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The grammar that Lucene's parser was generated from, with another JavaCC."""
    with ZipFile(lucene_sources()) as archive:
        data = archive.read("org/apache/lucene/queryparser/classic/QueryParser.jj")
    path = tmp_path_factory.mktemp("lucene") / "QueryParser.jj"
    path.write_bytes(data)
    return path


@pytest.mark.slow
def test_a_jar_with_its_grammar_file(grammar_file: Path) -> None:
    """Nothing is generated; the file gives the names and places, the jar the parser."""
    with_file = LEGACY["lucene"].load(grammar=str(grammar_file))
    without, texts = loaded("lucene"), LEGACY["lucene"].texts(100)
    found = observed(without, *texts)
    assert not with_file.grammar.diagnostics
    named = observed(with_file, *texts)
    assert [o.verdict for o in named] == [o.verdict for o in found]
    assert [o.error and o.error.token for o in named] == [o.error and o.error.token for o in found]
    user = {s.name for s in with_file.grammar.nonterminals if s.operator is None}
    assert user == {s.name for s in without.grammar.nonterminals if s.operator is None}
    for one, other in zip(named, found, strict=True):
        assert productions(with_file, one) == productions(without, other)


def productions(recognizer: JavaccRecognizer, observation: Observation) -> set[str]:
    """The names of the productions that an observation has rules of."""
    grammar = recognizer.grammar
    lhs = (grammar.rules[rule].lhs for rule in observation.rules)
    return {grammar.symbols[grammar.user_nonterminal(symbol)].name for symbol in lhs}


def test_places_are_in_the_grammar_file(grammar_file: Path) -> None:
    grammar = LEGACY["lucene"].load(grammar=str(grammar_file)).grammar
    assert grammar.files == (str(grammar_file),)
    lines = grammar_file.read_text().splitlines()
    for rule in grammar.rules:
        for symbol, span in zip(rule.rhs, rule.rhs_spans, strict=True):
            display = grammar.symbols[symbol].display
            if grammar.is_terminal(symbol) and span is not None:
                written = lines[span.line - 1][span.column - 1 : span.end_column - 1]
                assert written.replace(" ", "") == display


def test_a_grammar_file_that_does_not_fit(grammar_file: Path, tmp_path: Path) -> None:
    """Where file and class differ, that is said; the rest is as it is."""
    text = grammar_file.read_text()
    other = tmp_path / "Other.jj"
    assert "( <RANGE_TO> )" in text
    other.write_text(text.replace("( <RANGE_TO> )", "").replace("int Modifiers()", "int Mods()"))
    recognizer = LEGACY["lucene"].load(grammar=str(other))
    notes = [str(note) for note in recognizer.grammar.diagnostics]
    assert any("has no production 'Mods'" in note for note in notes)
    assert any("'Term' and its code in" in note for note in notes)
    assert observed(recognizer, "a")[0].verdict in (Verdict.ACCEPTED, Verdict.UNDECIDED)


@pytest.mark.parametrize("name", LEGACY)
def test_the_lexer_by_itself_makes_the_tokens_of_the_parser(name: str) -> None:
    """A jar has no token rules, but its lexer says where tokens are, by streams of all kinds."""
    parser = loaded(name)
    assert parser.token_rules() == ()
    asked = 0
    for text in LEGACY[name].texts(40):
        test = TestCase("test", Expectation.ACCEPT, text)
        lexed, tokens = parser.lexing(test), parser.tokens(test)
        if lexed is None or tokens is None:
            continue
        asked += 1
        assert [lexeme.terminal for lexeme in lexed.lexemes] == tokens
        place = 0
        for lexeme in lexed.lexemes:
            assert place <= lexeme.start <= lexeme.end <= len(text)
            own = text[lexeme.start : lexeme.end]
            assert not own or (own[0] + own[-1]).strip() == own[0] + own[-1], own
            assert not text[place : lexeme.start].strip() or "/" in text[place : lexeme.start]
            place = lexeme.end
    assert asked
