"""Grammars as yacc and bison write them, with or without actions.

May use: `grammars` and the ground floor.
"""

from gramspect.yacc.reader import parse_yacc, read_yacc

__all__ = ["parse_yacc", "read_yacc"]
