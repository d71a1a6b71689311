"""Grammars as yacc and bison write them, with or without actions.

May use: `grammars` and the ground floor.
"""

from gramspect.yacc.reader import construction_of, parse_yacc, read_yacc
from gramspect.yacc.syntax import Construction

__all__ = ["Construction", "construction_of", "parse_yacc", "read_yacc"]
