"""A parser that wrongly rejects calls without arguments, to be put where users put theirs."""

from pathlib import Path
from typing import Any

from gramspect import TestSuite, localize
from gramspect.localization.results import Localization

RULES = '''
import ply.lex
import ply.yacc

tokens = ("NAME", "COMMA", "OPEN", "CLOSE")
t_NAME = "[a-z]+"
t_COMMA = ","
t_OPEN = "[(]"
t_CLOSE = "[)]"
t_ignore = " "

def t_error(t):
    raise ValueError("no token")

def p_call(p):
    """call : NAME OPEN names CLOSE"""

def p_names(p):
    """names : names COMMA NAME
             | NAME"""

def p_error(p):
    pass

lexer = ply.lex.lex()
'''
MAKE = "parser = ply.yacc.yacc(debug=False, write_tables=False)\n"


def found(source: Path | str) -> Localization:
    suite = TestSuite.from_texts(accept=["f(a)", "f(a, b)", "f(a, b, c)", "f()"], reject=["f(a,"])
    return localize(str(source), suite)


def best_said(result: Localization) -> Any:
    """What the tool says of the best suggestion: names may be left out."""
    (best, *_) = (one for one in result.suggestions if one.confirmation is not None)
    return best.confirmation


def written(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
