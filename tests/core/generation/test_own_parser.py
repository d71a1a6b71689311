"""Sentences that the grammar's own parser rejects are no positive tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import Command
from gramspect import TestSuite
from gramspect.generation.generate import Generation, Plan
from gramspect.generation.sources import read_subject
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.running.loading import load_parser
from gramspect.running.observing import observe_test

NONASSOC = """%nonassoc '<'
%left '+'
%%
e : e '<' e | e '+' e | '-' e | NUM ;
"""


@pytest.fixture
def grammar(tmp_path: Path) -> Path:
    path = tmp_path / "g.y"
    path.write_text(NONASSOC)
    return path


def rejected(grammar: Path, texts: list[str]) -> list[str]:
    """What the parser rejects when each text is a test of its own."""
    recognizer = load_parser(str(grammar), LoadOptions()).recognizer
    suite = TestSuite.from_texts(texts)
    seen = [observe_test(recognizer, test, Extraction.EXACT) for test in suite]
    return [t.text for t, one in zip(suite, seen, strict=True) if one.verdict is Verdict.REJECTED]


def test_they_are_left_out_with_their_number(command: Command, grammar: Path) -> None:
    args = ("generate", grammar, "--criterion", "bfs:3")
    everything = command(*args, "--keep-rejected")
    answer = command(*args)
    assert everything.err == ""
    bad = rejected(grammar, everything.out.splitlines())
    kept = [text for text in everything.out.splitlines() if text not in bad]
    assert bad
    assert answer.out.splitlines() == kept
    number = f"note: {len(bad):,} of {len(bad) + len(kept):,} sentences are left out"
    assert number in answer.err
    assert f"{bad[0]!r}; --keep-rejected keeps them" in answer.err


def test_suites_pass(command: Command, grammar: Path, tmp_path: Path) -> None:
    suite = tmp_path / "suite.jsonl"
    command("generate", grammar, "--criterion", "cdrc", "--negative", "tokens", "-o", suite)
    assert command("localize", grammar, "--suite", suite).status == 0
    wanted = {json.loads(line).get("expect") for line in suite.read_text().splitlines()}
    assert {"accept", "reject"} <= wanted


def test_a_limit_counts_what_is_kept(grammar: Path) -> None:
    found = read_subject(str(grammar))
    tests = list(Generation(found.grammar, Plan(("bfs:3",), limit=30), found.texts, found.parser))
    assert len(tests) == 30
    assert not rejected(grammar, [found.texts.text(test.tokens) for test in tests])


def test_parts_together_are_the_whole(grammar: Path) -> None:
    found = read_subject(str(grammar))
    generation = Generation(found.grammar, Plan(("bfs:2",)), found.texts, found.parser)
    n_all = generation.count()
    cut = n_all // 3
    parts = [*generation.part(0, cut), *generation.part(cut, n_all)]
    assert [t.tokens for t in parts] == [t.tokens for t in generation]
    assert len(parts) < n_all


def test_where_the_grammar_says_all_no_parser_is_made(tmp_path: Path) -> None:
    path = tmp_path / "plain.y"
    path.write_text("s : '(' s ')' | X ;")
    assert read_subject(str(path)).parser is None
    path.write_text(NONASSOC)
    assert read_subject(str(path)).parser is not None
    assert read_subject(str(path), parsing=False).parser is None


def test_texts_go_through_lexer_and_parser(command: Command, tmp_path: Path) -> None:
    """What a parser's own code rejects is left out, too."""
    parser = tmp_path / "few.py"
    parser.write_text(
        """
import ply.lex, ply.yacc
tokens = ["NAME", "COMMA"]
t_NAME = "[a-z]+"
t_COMMA = ","
t_ignore = " "
def t_error(t): raise SyntaxError
def p_list(p):
    '''list : NAME
            | list COMMA NAME'''
    p[0] = 1 if len(p) == 2 else p[1] + 1
    if p[0] > 2:
        raise SyntaxError
def p_error(p): pass
lexer = ply.lex.lex()
parser = ply.yacc.yacc(write_tables=False, debug=False)
"""
    )
    args = ("generate", f"{parser}:parser", "--criterion", "bfs:4")
    texts = command(*args).out.splitlines()
    assert max(text.count(",") for text in texts) == 1
    assert max(t.count(",") for t in command(*args, "--keep-rejected").out.splitlines()) > 1
