"""LR automata and tables: LR(0), SLR(1), LALR(1) and canonical LR(1).

May use: `kernel`, `grammars` and the ground floor.
"""

from gramspect.lr.automaton import LRAutomaton
from gramspect.lr.conflicts import Conflict, Reason
from gramspect.lr.tables import LRTable, canonical_table, lalr_table, lr0_table, slr_table

__all__ = [
    "Conflict",
    "LRAutomaton",
    "LRTable",
    "Reason",
    "canonical_table",
    "lalr_table",
    "lr0_table",
    "slr_table",
]
