"""Makes PLY parsers from core grammars, in memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from gramspect.adapter_api import AdapterError, Associativity, Grammar, LoopGuard, MissingDependency
from gramspect_ply.making_tables import tables_made_faster
from gramspect_ply.shapes import Parser, Token
from gramspect_ply.surroundings import INSTALL

__all__ = ["BuiltParser", "SequenceLexer", "build_parser"]


@dataclass(frozen=True, slots=True)
class BuiltParser:
    """A parser whose production ``r + 1`` is rule ``r`` of the grammar.

    `names` are PLY's names of all symbols, `messages` what PLY warns of.
    """

    parser: Parser
    names: tuple[str, ...]
    messages: tuple[str, ...]
    guard: LoopGuard


def build_parser(grammar: Grammar) -> BuiltParser:
    """A PLY parser for a core grammar.

    Symbols get names of their own, as PLY takes only letters and digits. ``%precedence``, which
    PLY does not know, becomes ``right``: both shift in a conflict at equal precedence.

    Raises:
        AdapterError: PLY cannot build it.
        MissingDependency: PLY is not installed.
    """
    yacc = _yacc()
    names = tuple(f"t{s.index}" if s.terminal else f"n{s.index}" for s in grammar.symbols)
    try:
        rules = _rules(yacc, grammar, names)
        _check(rules)
        with tables_made_faster():
            tables = _table_class(yacc)(rules)
    except (yacc.YaccError, RecursionError) as problem:
        reason = _in_user_names(str(problem), grammar, names)
        raise AdapterError(f"the grammar {grammar.name} cannot be built by PLY: {reason}") from None
    parser: Parser = yacc.LRParser(tables, None)
    # As PLY may reduce after a shift before it reads on, a state may come twice between tokens.
    guard = LoopGuard(2 * len(parser.action))

    def reduced(production: Sized) -> None:
        """The left-hand side is counted in the length, too."""
        guard.reduced(len(parser.statestack) - len(production) + 1)

    for production in parser.productions:
        production.callable = reduced
    messages = tuple(dict.fromkeys(_messages(rules, tables, grammar, names)))
    return BuiltParser(parser, names, messages, guard)


def _yacc() -> Any:
    try:
        from ply import yacc
    except ModuleNotFoundError:
        raise MissingDependency(f"PLY is not installed: {INSTALL}") from None
    module: ModuleType = yacc
    return module


def _table_class(yacc: Any) -> Any:
    """The class that makes tables; it was renamed after release 3.11."""
    return getattr(yacc, "LRGeneratedTable", None) or yacc.LRTable


def _rules(yacc: Any, grammar: Grammar, names: Sequence[str]) -> Any:
    """PLY's form of the grammar. Lines decide reduce/reduce conflicts, so a rule's is its
    number."""
    levels = {
        terminal: (_ASSOCIATIVITY[precedence.associativity], precedence.level)
        for terminal, precedence in grammar.precedence.items()
    }
    rules = yacc.Grammar(names[1 : grammar.n_terminals])
    for terminal, level in levels.items():
        rules.set_precedence(names[terminal], *level)
    for rule in grammar.rules:
        right = [names[symbol] for symbol in rule.rhs]
        rules.add_production(names[rule.lhs], right, line=rule.index)
        precedence = None if rule.precedence is None else levels.get(rule.precedence)
        rules.Productions[-1].prec = precedence or ("right", 0)
    rules.set_start(names[grammar.start])
    return rules


_ASSOCIATIVITY: Mapping[Associativity, str] = {
    Associativity.LEFT: "left",
    Associativity.RIGHT: "right",
    Associativity.NONASSOC: "nonassoc",
    Associativity.NONE: "right",
}


def _check(rules: Any) -> None:
    """The errors that ``ply.yacc.yacc`` looks for in a grammar."""
    from ply.yacc import YaccError

    for symbol, _ in rules.undefined_symbols():
        raise YaccError(f"{symbol} has no rule")
    for symbol in sorted(rules.infinite_cycles()):
        raise YaccError(f"infinite recursion: {symbol} derives no sentence")


def _messages(rules: Any, tables: Any, grammar: Grammar, names: Sequence[str]) -> Iterator[str]:
    """One line for each thing that ``ply.yacc.yacc`` would warn of."""

    def shown(name: str) -> str:
        return _in_user_names(name, grammar, names)

    for token in rules.unused_terminals():
        yield f"token {shown(token)} is not used"
    for production in rules.unused_rules():
        yield f"{shown(production.name)} is not used"
    for state, token, choice in tables.sr_conflicts:
        yield f"shift/reduce conflict on {shown(token)} in state {state} resolved as {choice}"
    for state, *pair in tables.rr_conflicts:
        kept, dropped = (grammar.rule_text(production.number - 1) for production in pair)
        yield f"reduce/reduce conflict in state {state} resolved as {kept}, not {dropped}"


def _in_user_names(text: str, grammar: Grammar, names: Sequence[str]) -> str:
    """A message of PLY's with the names that the user knows."""
    shown = {name: symbol.display for name, symbol in zip(names, grammar.symbols, strict=True)}
    return re.sub(r"\w+", lambda word: shown.get(word[0], word[0]), text)


class _SequenceToken:
    """A token of a sequence; `lexpos` is its index."""

    __slots__ = ("lexer", "lexpos", "lineno", "type", "value")

    def __init__(self, kind: str, index: int) -> None:
        self.type: str = kind
        self.value: object = kind
        self.lexpos = index
        self.lineno = 0


class SequenceLexer:
    """A lexer over the names that a parser has for its tokens. Who guards the parser is told when
    one is read."""

    def __init__(self, kinds: Sequence[str], parser: Parser, guard: LoopGuard | None) -> None:
        self._tokens = map(_SequenceToken, kinds, range(len(kinds)))
        self._parser, self._guard = parser, guard
        if guard is not None:
            guard.read(1)

    def input(self, text: str) -> None:
        """Do nothing: the tokens are there already."""

    def token(self) -> Token | None:
        if self._guard is not None:
            self._guard.read(len(self._parser.statestack))
        return next(self._tokens, None)
