"""The tables that PLY makes faster are the tables that it makes."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from ply import yacc
from pycparser.c_parser import CParser
from suites import FIXTURES

from cfg import Cfg, Word
from gramspect.yacc import read_yacc
from gramspect_ply.making_tables import tables_made_faster
from strategies import grammars

Rules = Sequence[tuple[str, Word]]


def tables(rules: Rules, how: AbstractContextManager[object]) -> object:
    """All that PLY makes of rules; if it refuses them, why."""
    left = {lhs for lhs, _ in rules}
    known = yacc.Grammar(sorted({x for _, rhs in rules for x in rhs} - left))
    for number, (lhs, rhs) in enumerate(dict.fromkeys(rules)):
        known.add_production(lhs, list(rhs), line=number)
    known.set_start(rules[0][0])
    try:
        with how:
            made = yacc.LRGeneratedTable(known)
    except yacc.LALRError as problem:
        return str(problem)
    conflicts = [*made.sr_conflicts, *made.rr_conflicts]
    return made.lr_action, made.lr_goto, sorted((s, *map(str, rest)) for s, *rest in conflicts)


@given(grammars())
def test_of_any_grammar(grammar: Cfg) -> None:
    rules = grammar.rules
    assert tables(rules, tables_made_faster()) == tables(rules, nullcontext())


@pytest.mark.parametrize(
    "rules",
    [
        # Items within a rule count for what a transition includes, so PLY has lookaheads too many.
        ["s -> c b", "s -> a", "s -> B B", "B -> c s", "B -> B s"],
        # Transitions that read each other in a circle share one list in PLY.
        ["s -> d c a b", "s -> B c c A", "A ->", "A -> B", "A -> B B a d", "B ->", "B -> A A"],
    ],
)
def test_of_what_is_particular_to_ply(rules: Sequence[str]) -> None:
    split = [(rule.split()[0], tuple(rule.split()[2:])) for rule in rules]
    assert tables(split, tables_made_faster()) == tables(split, nullcontext())


@pytest.mark.parametrize("name", ["simpl/simpl.y", "tables/tables.y", "blackbox/json.y"])
def test_of_grammars_of_ours(name: str) -> None:
    grammar = read_yacc(FIXTURES / name)
    names = [re.sub(r"\W", "_", f"{s.name}{s.index}") for s in grammar.symbols]
    rules = [(names[r.lhs], tuple(names[s] for s in r.rhs)) for r in grammar.rules]
    rules.sort(key=lambda rule: rule[0] != names[grammar.start])
    assert tables(rules, tables_made_faster()) == tables(rules, nullcontext())


def test_of_a_copy_of_ply_in_a_package(tmp_path: Path) -> None:
    def made(how: AbstractContextManager[object]) -> tuple[object, object]:
        with how:
            parser: Any = CParser(yacc_optimize=False, yacctab="c", taboutputdir=str(tmp_path))
        return parser.cparser.action, parser.cparser.goto

    assert made(tables_made_faster()) == made(nullcontext())


def test_nothing_is_left_changed() -> None:
    before = dict(vars(yacc.LRGeneratedTable))
    with tables_made_faster():
        assert vars(yacc.LRGeneratedTable)["lr0_goto"] is not before["lr0_goto"]
    assert dict(vars(yacc.LRGeneratedTable)) == before
