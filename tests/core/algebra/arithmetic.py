"""The grammar of arithmetic over characters that the examples of input algebras are about."""

from gramspect.algebra.notation import Notation
from gramspect.grammars.grammar import Grammar

__all__ = ["ARITHMETIC", "NOTATION"]

_DIGITS = "0123456789"

ARITHMETIC = Grammar.from_rules(
    [
        ("start", ["expr"]),
        ("expr", ["term", "+", "expr"]),
        ("expr", ["term", "-", "expr"]),
        ("expr", ["term"]),
        ("term", ["factor", "*", "term"]),
        ("term", ["factor", "/", "term"]),
        ("term", ["factor"]),
        ("factor", ["+", "factor"]),
        ("factor", ["-", "factor"]),
        ("factor", ["(", "expr", ")"]),
        ("factor", ["integer", ".", "integer"]),
        ("factor", ["integer"]),
        ("integer", ["digit", "integer"]),
        ("integer", ["digit"]),
        *[("digit", [digit]) for digit in _DIGITS],
    ],
    name="arithmetic",
)

NOTATION = Notation.of(ARITHMETIC)
