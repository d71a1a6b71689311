"""Symbols as JavaCC writes them: calls with arguments, tokens in angle brackets."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gramspect.edits.writing.files import SourceFile
from gramspect.grammars.grammar import Grammar

__all__ = ["around_call", "as_calls", "calls_in"]

_ASSIGNED = re.compile(r"[^\W\d][\w.$]*(?:\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\])?\s*=\s*\Z")
_NODE = re.compile(r"\s*#\s*\w+")
_FIELD = re.compile(r"\s*\.\s*\w+")
_OPENING = re.compile(r"\s*\(")
_IN_CALL = re.compile(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[()]""")
_SYMBOL = re.compile(
    r"""
      (?P<symbol> "(?:\\.|[^"\\])*" | <[^<>]*> | (?P<name> [^\W\d][\w$]* ) )
      (?P<operator> [?*+]? )
    """,
    re.VERBOSE,
)
_NEAR = 200
"""How far before a symbol the name is that its value is assigned to."""


def around_call(text: str, start: int, end: int) -> tuple[int, int]:
    """A symbol with what its value is assigned to, its arguments, the field that is taken, and the
    node of JJTree that is made of it."""
    assigned = _ASSIGNED.search(text, max(0, start - _NEAR), start)
    end = _arguments_end(text, end)
    field = _FIELD.match(text, end)
    end = field.end() if field else end
    node = _NODE.match(text, end)
    end = _arguments_end(text, node.end()) if node else end
    return assigned.start() if assigned else start, end


def _arguments_end(text: str, end: int) -> int:
    """The end of the parentheses that follow the name of a production."""
    opening = _OPENING.match(text, end)
    if opening is None or not (text[end - 1].isalnum() or text[end - 1] in "_$"):
        return end
    depth = 0
    for found in _IN_CALL.finditer(text, end):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if not depth:
            return found.end()
    return end


def calls_in(grammar: Grammar, file: SourceFile) -> Mapping[str, str]:
    """The first call of each production in a file, with its arguments."""
    found: dict[str, str] = {}
    for rule in grammar.rules:
        for number, span in zip(rule.rhs, rule.rhs_spans, strict=True):
            symbol = grammar.symbols[number]
            called = not grammar.is_terminal(number) and symbol.operator is None
            if called and span is not None and span.file == file.path and symbol.name not in found:
                start, end = file.range(span)
                found[symbol.name] = file.text[start : _arguments_end(file.text, end)]
    return found


def as_calls(word: str, calls: Mapping[str, str], grammar: Grammar) -> str:
    """A symbol, or a group of some, with calls of productions, and operators after parentheses."""
    known = {symbol.name for symbol in grammar.nonterminals if symbol.operator is None}

    def said(match: re.Match[str]) -> str:
        name = match["name"]
        symbol = calls.get(name, f"{name}()") if name in known else match["symbol"]
        return f"( {symbol} ){match['operator']}" if match["operator"] else symbol

    return _SYMBOL.sub(said, word)
