"""How long the general chart takes on long inputs, plain and compiled, and how large it gets.

    python benchmarks/chart.py [--tokens N] [--only-compiled]

Inputs of 10,000 tokens for a SQL-like grammar of 611 rules and for pycparser's C grammar, a
right-recursive list, and as many nested parentheses. Seconds are CPU time, the best of the runs;
loading the compiled code is not counted. The goal is seconds at most on a 600-rule grammar.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import sql_like
from gramspect.grammars.grammar import Grammar
from gramspect.kernel.tables import N_ENTRIES
from gramspect.recognition.chart import Chart, parse_chart
from lr_tables import c_grammar
from ranking import machine


class Case(NamedTuple):
    """A grammar with a sentence of it."""

    name: str
    grammar: Grammar
    tokens: list[int]


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures the general chart.")
    arguments.add_argument("--tokens", type=int, default=10_000)
    arguments.add_argument("--runs", type=int, default=3, help="of each; one of plain Python")
    arguments.add_argument("--only-compiled", action="store_true")
    options = arguments.parse_args()
    print(
        f"{'input':44}  {'tokens':>7}  {'entries':>9}  {'MB':>5}"
        f"  {'compiled, s':>11}  {'plain, s':>9}"
    )
    for case in cases(options.tokens):
        parse_chart(case.grammar, case.tokens[:10], compiled=True)  # loads the compiled code
        chart, seconds = best(case, options.runs, compiled=True)
        plain = "" if options.only_compiled else f"{best(case, 1, compiled=False)[1]:9.2f}"
        megabytes = len(chart.space.memory) * 8 / 1e6
        entries = int(chart.space.memory[chart.space.chart.counts + N_ENTRIES])
        label = f"{case.name}, {case.grammar.n_rules} rules"
        print(
            f"{label:44}  {len(case.tokens):7,}  {entries:9,}  {megabytes:5.0f}"
            f"  {seconds:11.3f}  {plain}"
        )
    print(f"\n{machine()}")


def best(case: Case, runs: int, *, compiled: bool) -> tuple[Chart, float]:
    """The chart, and the least CPU time of making it."""
    least = float("inf")
    for _ in range(runs):
        begin = time.process_time()
        chart = parse_chart(case.grammar, case.tokens, compiled)
        least = min(least, time.process_time() - begin)
        assert chart.accepted, case.name
    return chart, least


def cases(n: int) -> Iterator[Case]:
    """Inputs of about n tokens, but one: C's binary operators are ambiguous without precedences,

    and a chart has an entry for every pair of operators in a row.
    """
    sql = sql_like.grammar()
    query = (
        "SELECT ID , ID . ID AS ID FROM ID AS ID INNER JOIN ID ON ID . ID = ID . ID "
        "WHERE ID = NUMBER AND ( ID < ID OR ID = NUMBER ) ORDER BY ID ;"
    ).split()
    yield _case("SQL-like statements", sql, _repeated(query, n)[:-1])
    expression = "( ID + NUMBER ) * ID - ID . ID +".split()
    one_query = ["SELECT", *_repeated(expression, n - 2)[:-1], "FROM", "ID"]
    yield _case("SQL-like, one long expression", sql, one_query)

    c = c_grammar()
    term = "ID PLUS ID LBRACKET INT_CONST_DEC RBRACKET TIMES LPAREN ID MINUS ID RPAREN".split()
    statements = _repeated(["ID", "EQUALS", *term, "LOR", *term, "SEMI"], n - 7)
    function = ["VOID", "ID", "LPAREN", "RPAREN", "LBRACE", *statements, "RBRACE"]
    yield _case("C, statements with expressions", c, function)
    ambiguous = _repeated([*term, "PLUS"], n // 10 - 4)[:-1]  # n / 30 operators in a row
    yield _case("C, one expression", c, ["INT", "ID", "EQUALS", *ambiguous, "SEMI"])
    nested = ["INT", "ID", "EQUALS", *["LPAREN"] * n, "ID", *["RPAREN"] * n, "SEMI"]
    yield _case("C, nested parentheses", c, nested)

    right = Grammar.from_rules([("list", ["x", "list"]), ("list", ["x"])])
    yield _case("right-recursive list", right, ["x"] * n)
    pairs = Grammar.from_rules([("nest", ["(", "nest", ")"]), ("nest", [])])
    yield _case("nested parentheses", pairs, ["("] * n + [")"] * n)


def _repeated(words: Sequence[str], n: int) -> list[str]:
    """At least one and at most about n words: whole copies."""
    return list(words) * max(1, n // len(words))


def _case(name: str, grammar: Grammar, words: Sequence[str]) -> Case:
    """Words name terminals, with or without quotes."""
    number = {symbol.name.strip("'"): symbol.index for symbol in grammar.terminals}
    return Case(name, grammar, [number[word] for word in words])


if __name__ == "__main__":
    main()
