"""A calculator whose tokens have texts, as Lark reads it."""

from pathlib import Path

from gramspect.algebra.notation import Notation
from gramspect.generation.sources import loaded_grammar
from gramspect.recognition.recognizer import LoadOptions

__all__ = ["CALCULATOR", "LALR", "notation_in"]

CALCULATOR = """start: expr
expr: expr "+" term | term
term: term "/" factor | factor
factor: NUMBER | NAME | "(" expr ")" | FLAG | IF factor
IF: "if"i
FLAG.2: "yes" | "no"
NUMBER: /[0-9]+(\\.[0-9]+)?/
NAME: /[a-z]+/
%ignore " "
"""

LALR = LoadOptions(adapter="lark-lalr")


def notation_in(folder: Path) -> Notation:
    """How patterns of the calculator are written, whose file is put into a folder."""
    path = folder / "calculator.lark"
    path.write_text(CALCULATOR)
    grammar, parser = loaded_grammar(str(path), LALR)
    return Notation.of(grammar, parser=parser)
