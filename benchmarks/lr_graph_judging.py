"""Are the tests of LR graphs what they should be? They are judged by a parser of another kind.

    python benchmarks/lr_graph_judging.py [SOURCE ...] [-- NAME ...]

For each grammar and automaton, every sentence of the `pec` suite must be accepted, and every
mutated path, of all six kinds, rejected: all of them if there are at most a million, else a
uniform sample of 100,000. What is judged is the path-sensitive analysis, which makes all that the
global one makes of the same sentences and more. The judge is the general chart, compiled. The first
test that is wrong ends it with an error.

Python is the grammar that comes with Lark, expanded from EBNF. Sources are further grammars, such
as https://github.com/bkiers/sqlite-parser (MIT), ``SQLite.g4``. NAMEs choose among the grammars;
that of a source is the name of its file. Random grammars are judged in
`tests/core/generation/test_path_mutation.py`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import lark

import sql_like
from gramspect.generation.generate import Generation, Plan
from gramspect.generation.path_suite import PathWays
from gramspect.grammars.grammar import Grammar
from gramspect.lrgraph.analyses import AnalysisKind
from gramspect.lrgraph.graph import AutomatonKind
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.registry import adapter_for
from gramspect.yacc import read_yacc
from lr_graphs import DYCK_A, DYCK_B, DYCK_C, EXPRESSION, FIXTURES, STRATIFIED
from lr_tables import c_grammar

ALL = 1_000_000
SAMPLE = 100_000


def main() -> None:
    print("| grammar | automaton | analysis | sentences | mutations | judged | wrong | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    given = sys.argv[1:]
    at = given.index("--") if "--" in given else len(given)
    sources, wanted = given[:at], given[at + 1 :]
    for name, grammar in subjects(sources):
        if wanted and name not in wanted:
            continue
        for kind in (AutomatonKind.LR0, AutomatonKind.LR1):
            begin = time.process_time()
            print("| " + " | ".join([name, *judged(grammar, kind)]), end="")
            print(f" | 0 | {time.process_time() - begin:.0f} |", flush=True)


def subjects(sources: list[str]) -> Iterator[tuple[str, Grammar]]:
    yield "toy", read_yacc(str(FIXTURES / "toy" / "toy.y"))
    for name, rules in (
        ("Dyck, Figure 1(a)", DYCK_A), ("Dyck, Figure 1(b)", DYCK_B), ("Dyck, Figure 1(c)", DYCK_C),
        ("expressions, Figure 4", EXPRESSION), ("expressions with precedence", STRATIFIED),
    ):  # fmt: skip
        yield name, Grammar.from_rules(rules, name=name)
    yield "SIMPL", read_yacc(str(FIXTURES / "simpl" / "simpl.y"))
    yield "C", c_grammar()
    yield "SQL-like", sql_like.grammar()
    python = Path(lark.__file__).parent / "grammars" / "python.lark"
    yield "Python", loaded(str(python), LoadOptions(start="file_input"))
    for source in sources:
        yield Path(source).name, loaded(source, LoadOptions())


def loaded(source: str, options: LoadOptions) -> Grammar:
    """The grammar that an adapter takes from a source, all tokens of it."""
    return adapter_for(source).load(source, options).grammar


def judged(grammar: Grammar, kind: AutomatonKind) -> tuple[str, ...]:
    """The numbers of one suite after all of it was judged."""
    ways = PathWays(kind, AnalysisKind.PATH)
    positive = {test.tokens for test in Generation(grammar, Plan(("pec",), paths=ways))}
    for tokens in positive:
        assert is_sentence(grammar, tokens), tokens
    tests = Generation(grammar, Plan((), negative=("edges", "stacks"), paths=ways, seed=0))
    total = tests.count()
    drawn = iter(tests) if total <= ALL else tests.sample(SAMPLE)
    number, last = 0, None
    for test in drawn:
        number += 1
        if test.tokens != last:
            assert not is_sentence(grammar, test.tokens), test
        last = test.tokens
    return str(kind), str(ways.analysis), f"{len(positive):,}", f"{total:,}", f"{number:,}"


def is_sentence(grammar: Grammar, tokens: tuple[int, ...]) -> bool:
    return parse_chart(grammar, tokens, compiled=True).accepted


if __name__ == "__main__":
    main()
