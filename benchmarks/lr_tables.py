"""How long LR tables take to build, and how much memory.

    python benchmarks/lr_tables.py

LALR(1) and canonical LR(1) tables of pycparser's C grammar and of a SQL-like grammar (`sql_like`),
conflicts resolved, and the conflicts of LALR(1) counted by the kernel without a table, which is
what edits are weighed by; for comparison PLY's LALR(1) table of the C grammar, made as PLY does it
and as it does while gramspect loads a parser. The goals are a second for LALR(1) of C, and two
minutes and 4 GB for a canonical LR(1) automaton of tens of thousands of states. Peaks are those of
the whole process so far.
"""

from __future__ import annotations

from contextlib import nullcontext

from ply import yacc
from pycparser.c_parser import CParser

import sql_like
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity
from gramspect.lr import canonical_table, lalr_table
from gramspect.lr.counting import count_conflicts
from gramspect_ply.making_tables import tables_made_faster
from ranking import Table


def main() -> None:
    table = Table()
    for name, grammar in (("C", c_grammar()), ("SQL-like", sql_like.grammar())):
        for make in (lalr_table, canonical_table):
            task = f"{make.__name__} of {name}, {grammar.n_rules} rules"
            with table.timed(task):
                built = make(grammar)
            states, conflicts = built.automaton.n_states, len(built.conflicts)
            label = f"{task}: {states:,} states, {conflicts:,} conflicts"
            table.rows[-1] = (label, *table.rows[-1][1:])
            del built
        for compiled, form in ((True, "compiled"), (False, "as plain Python")):
            with table.timed(f"conflicts of LALR(1) of {name}, counted by the kernel, {form}"):
                count_conflicts(grammar, compiled)
    for how, which in ((nullcontext, ""), (tables_made_faster, ", while gramspect loads a parser")):
        with table.timed(f"PLY's LALR(1) table of C{which}"), how():
            yacc.LRGeneratedTable(ply_grammar(c_grammar()), "LALR")
    table.print()


def c_grammar() -> Grammar:
    """The C grammar that pycparser's parser was made from."""
    productions = [production.str.split() for production in CParser().cparser.productions]
    return Grammar.from_rules(
        [(lhs, [x for x in rhs if x != "<empty>"]) for lhs, _, *rhs in productions[1:]],
        start=productions[0][-1],
        name="C",
        precedence=[(Associativity(kind), names) for kind, *names in CParser.precedence],
    )


def ply_grammar(grammar: Grammar) -> yacc.Grammar:
    """A grammar as PLY has it."""
    names = [symbol.name for symbol in grammar.symbols]
    built = yacc.Grammar(names[1 : grammar.n_terminals])
    for terminal, precedence in grammar.precedence.items():
        built.set_precedence(names[terminal], str(precedence.associativity), precedence.level)
    for line, rule in enumerate(grammar.rules):
        built.add_production(names[rule.lhs], [names[s] for s in rule.rhs], line=line)
    built.set_start(names[grammar.start])
    return built


if __name__ == "__main__":
    main()
