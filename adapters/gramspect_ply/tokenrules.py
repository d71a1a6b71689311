"""The rules of a PLY lexer, with automata made from its regular expressions.

PLY puts the rules of a state together as one expression, in which each is a group by the name of
its variable or function. Their definitions are looked for in the source files of the objects that
the lexer holds, and of the modules that have variables of these names.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

from gramspect.adapter_api import (
    Automaton,
    Grammar,
    Pattern,
    SourceText,
    Span,
    TokenRule,
    of_groups,
    read_regex,
)
from gramspect_ply.docstrings import display_path
from gramspect_ply.expressions import expression_of

__all__ = ["LexerRules"]

_IGNORED = "ignore_"
_INITIAL = "INITIAL"
"""The state in which PLY's lexers begin; text that only other states drop may not stand
anywhere."""


class LexerRules:
    """The rules of the lexers of one parser."""

    def __init__(self, lexers: Callable[[], Iterable[Any]], grammar: Grammar) -> None:
        self._find = lexers
        self._grammar = grammar

    @cached_property
    def all(self) -> Sequence[TokenRule]:
        """The rules in the order in which they are tried, those of the first state first."""
        found: dict[str, TokenRule] = {}
        for lexer in self._find():
            sources = _Sources(lexer)
            for state, masters in lexer.lexstatere.items():
                for expression, rules in masters:
                    for name, automaton in _automata(expression):
                        if name not in found:
                            handler = rules[expression.groupindex[name]]
                            known = self._rule(name, automaton, handler, sources)
                            elsewhere = state != _INITIAL and known.skipped
                            found[name] = replace(known, skipped=False) if elsewhere else known
        return list(found.values())

    def pattern(self, name: str) -> Pattern | None:
        """The pattern of a rule as written; None if it is put together in a way that is not
        followed."""
        for lexer in self._find():
            sources = _Sources(lexer)
            for masters in lexer.lexstatere.values():
                for expression, rules in masters:
                    for group, number in expression.groupindex.items():
                        token = (rules[number] or (None, ""))[1]
                        if name in (token, _token(group)):
                            definition = sources.definition(group)
                            flags = expression.flags & ~re.UNICODE
                            return _pattern(definition, name, flags) if definition else None
        return None

    def _rule(
        self, name: str, automaton: Automaton | None, handler: Any, sources: _Sources
    ) -> TokenRule:
        function, token = handler or (None, "")
        terminal = self._grammar.token(token) if token else None
        definition = sources.definition(name)
        skipped = terminal is None and (function is None or sources.drops(name))
        return TokenRule(
            _token(name) if terminal is None else token,
            automaton,
            frozenset(() if terminal is None else (terminal,)),
            skipped,
            None if definition is None else definition.span,
            name if definition is None else definition.text,
        )


def _automata(expression: re.Pattern[str]) -> Iterator[tuple[str, Automaton | None]]:
    """The rules of a master expression by the names of their groups."""
    try:
        yield from of_groups(expression.pattern, expression.flags, _token)
    except re.error:
        return


def _token(name: str) -> str:
    return name.removeprefix("t_").removeprefix(_IGNORED)


@dataclass(frozen=True, slots=True)
class _Definition:
    """Where a rule is defined, and how, on one line.

    `drops` says whether the rule is a function that drops the text that it reads: it returns
    nothing, reports no error, and does not change the lexer's state.
    """

    span: Span
    text: str
    drops: bool
    node: ast.FunctionDef | ast.Assign
    source: SourceText
    tree: ast.Module


class _Sources:
    """The source files that the rules of a lexer may be defined in."""

    def __init__(self, lexer: Any) -> None:
        self._lexer = lexer

    def definition(self, name: str) -> _Definition | None:
        """The definition of a variable or function, if it is found."""
        return self._definitions.get(name)

    def drops(self, name: str) -> bool:
        """Whether a function is known to drop the text that it reads."""
        definition = self.definition(name)
        return definition is not None and definition.drops

    @cached_property
    def _definitions(self) -> Mapping[str, _Definition]:
        found: dict[str, _Definition] = {}
        for file in self._files():
            try:
                text = Path(file).read_text(encoding="utf-8")
                tree, source = ast.parse(text), SourceText(display_path(file), text)
            except (OSError, ValueError, SyntaxError):
                continue
            for node in ast.walk(tree):
                for name in _defined(node):
                    found.setdefault(name, _definition(node, source, tree))
        return found

    def _files(self) -> Iterable[str]:
        """The files of the modules that hold the lexer's functions and variables."""
        files: dict[str, None] = {}
        names: set[str] = set()
        for masters in self._lexer.lexstatere.values():
            for expression, rules in masters:
                names.update(n for n in expression.groupindex if n.startswith("t_"))
                for rule in rules:
                    function = rule and rule[0]
                    plain = inspect.unwrap(getattr(function, "__func__", function or _token))
                    if function and isinstance(plain, FunctionType):
                        files[plain.__code__.co_filename] = None
        for module in tuple(sys.modules.values()):
            held = getattr(module, "__dict__", {})
            spaces = [held, *(vars(v) for v in tuple(held.values()) if isinstance(v, type))]
            if any(not names.isdisjoint(space) for space in spaces):
                files.setdefault(getattr(module, "__file__", None) or "", None)
        return [file for file in files if file]


def _defined(node: ast.AST) -> Iterator[str]:
    """The names of rules that a statement defines."""
    match node:
        case ast.FunctionDef(name=name) if name.startswith("t_"):
            yield name
        case ast.Assign(targets=targets):
            for target in targets:
                if isinstance(target, ast.Name) and target.id.startswith("t_"):
                    yield target.id


def _definition(node: Any, source: SourceText, tree: ast.Module) -> _Definition:
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
    span = Span(source.file, first, node.col_offset + 1, node.end_lineno, node.end_col_offset + 1)
    lines = source.text.splitlines()
    drops = False
    if isinstance(node, ast.FunctionDef):
        pattern = ast.get_docstring(node, clean=False)
        shown = f"{node.name}: {_one_line(pattern or lines[first - 1])}"
        drops = not any(map(_acts, ast.walk(node)))
    else:
        shown = _one_line(" ".join(lines[first - 1 : node.end_lineno]))
    return _Definition(span, shown, drops, node, source, tree)


def _pattern(definition: _Definition, name: str, flags: int) -> Pattern | None:
    found = expression_of(definition.node, definition.source, definition.tree)
    body = None if found is None else read_regex(found.text, flags, found.place)
    if body is None:
        return None
    span, ordered = definition.span, None
    if isinstance(definition.node, ast.FunctionDef):  # of two that match PLY takes the first
        ordered = definition.source.lines(span.line, span.end_line)
    return Pattern(name, span, body, ordered=ordered)


def _acts(node: ast.AST) -> bool:
    """Whether a part of a function returns a token, reports an error, or changes the state."""
    match node:
        case ast.Return(value=value):
            return value is not None and not (
                isinstance(value, ast.Constant) and value.value is None
            )
        case ast.Raise():
            return True
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return "err" in name.lower() or name in _STATES
    return False


_STATES = ("begin", "push_state", "pop_state")


def _one_line(text: str) -> str:
    return " ".join(text.split())
