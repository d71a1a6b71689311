"""Reads the grammar of a PLY parser from its productions, also from those of cached tables."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gramspect.adapter_api import (
    AdapterError,
    Alternative,
    Associativity,
    Definition,
    Diagnostic,
    Grammar,
    Reference,
    Token,
    expand,
)
from gramspect_ply.docstrings import Written, definition_span, written
from gramspect_ply.shapes import Action, Parser, Production
from gramspect_ply.table_reading import replaced_tables

__all__ = ["read_grammar", "right_hand_side", "start_symbol"]

_NAME = re.compile(r"\w[\w-]*")

_NO_TOKENS = frozenset(("error", "$end"))

Levels = list[tuple[Associativity, list[str]]]


def read_grammar(
    parser: Parser, name: str, lexer: object = None
) -> tuple[Grammar, tuple[int, ...]]:
    """The grammar of a parser, and the rule of each of its productions (0 for production 0).

    Tokens that `lexer` makes, or that are listed beside the rules, are terminals even if no rule
    has them.

    Raises:
        AdapterError: the productions are not such as PLY makes them.
    """
    productions = parser.productions[1:]
    notes = _notes(productions)
    definitions = [
        _definition(production, notes.get(i)) for i, production in enumerate(productions)
    ]
    grammar = expand(
        definitions,
        tokens=_tokens(productions, notes, lexer),
        start=start_symbol(parser),
        name=name,
        files=_files(definitions),
        precedence=_precedence(productions),
        diagnostics=(*_replaced_tables(parser.productions), *_other_tables(productions)),
    )
    rules = [0]
    left = {symbol: list(reversed(of)) for symbol, of in grammar.rules_of.items()}
    rules += [left[grammar.symbol(production.name)].pop() for production in productions]
    return grammar, tuple(rules)


def start_symbol(parser: Parser) -> str:
    """The symbol that the parser was built for."""
    return right_hand_side(parser.productions[0])[0]


def right_hand_side(production: Production) -> tuple[str, ...]:
    """The symbols of a production; literal tokens are the bare character.

    Cached tables keep only the text ``name -> a b c``, in which a blank may be a literal itself.
    """
    symbols: Sequence[str] | None = getattr(production, "prod", None)
    if symbols is None:
        _, arrow, text = production.str.partition(" -> ")
        if not arrow:
            raise AdapterError(f"PLY's tables are not understood: production {production.str!r}")
        words = iter(text.split(" ") if production.len else ())
        symbols = [word or next(words) or " " for word in words]  # a blank leaves two empty words
    if len(symbols) != production.len:
        raise AdapterError(f"PLY's tables are not understood: production {production.str!r}")
    return tuple(symbols)


def _definition(production: Production, note: Written | None) -> Definition:
    symbols = right_hand_side(production)
    if note is None:
        where = definition_span(production.callable) if production.callable else None
        references = tuple(Reference(symbol) for symbol in symbols)
        return Definition(production.name, (Alternative(references, where),), where)
    references = tuple(
        Reference(symbol, span) for symbol, span in zip(symbols, note.symbol_spans, strict=True)
    )
    return Definition(
        production.name, (Alternative(references, note.span, note.precedence),), note.name_span
    )


def _notes(productions: Sequence[Production]) -> dict[int, Written]:
    """The written form of each production, where the source text and the tables agree."""
    by_action: dict[int, list[int]] = {}
    for number, production in enumerate(productions):
        by_action.setdefault(id(production.callable), []).append(number)
    notes: dict[int, Written] = {}
    for numbers in by_action.values():
        action = productions[numbers[0]].callable
        alternatives = written(action) if action else ()
        if len(alternatives) == len(numbers):
            pairs = zip(numbers, alternatives, strict=True)
            notes.update((n, text) for n, text in pairs if _agree(productions[n], text))
    return notes


def _other_tables(productions: Sequence[Production]) -> Iterator[Diagnostic]:
    """A note if the rules in the text are others than those of tables that were read from a file.

    PLY takes such tables unseen with ``optimize=1``: then no change of a rule has any effect.
    """
    by_action: dict[int, list[Production]] = {}
    for production in productions:
        by_action.setdefault(id(production.callable), []).append(production)
    for found in by_action.values():
        action = found[0].callable
        alternatives = written(action) if action else ()
        known = {(production.name, right_hand_side(production)) for production in found}
        other = next((one for one in alternatives if _plain(one) not in known), None)
        if other is not None:
            rule = f"{other.name} : {' '.join(other.symbols)}".rstrip()
            message = (
                f"{rule!r} is not in the tables that the parser uses: they were read from a file"
                " that is older than the rules, so changes of rules have no effect; delete the file"
            )
            yield Diagnostic("other-tables", message, other.span)
            return


def _replaced_tables(productions: Sequence[Production]) -> Iterator[Diagnostic]:
    name = replaced_tables(productions)
    if name:
        message = (
            f"the tables in {name} were made of other rules than these, so they were made anew"
            " here; PLY itself takes them unseen (optimize=1), until they are written again"
        )
        yield Diagnostic("replaced-tables", message)


def _plain(one: Written) -> tuple[str, tuple[str, ...]]:
    """An alternative with its literals as PLY keeps them."""
    symbols = (
        literal_eval(word) if len(word) > 2 and word[0] == word[-1] in "'\"" else word
        for word in one.symbols
    )
    return one.name, tuple(symbols)


def _agree(production: Production, text: Written) -> bool:
    return production.name == text.name and production.len == len(text.symbols)


def _tokens(
    productions: Sequence[Production], notes: Mapping[int, Written], lexer: object
) -> list[Token]:
    """The terminals in the order of their first use, then those that no rule has.

    Literals are shown in quotes.
    """
    nonterminals = {production.name for production in productions}
    quoted: dict[str, bool] = {}
    for number, production in enumerate(productions):
        symbols = right_hand_side(production)
        words = notes[number].symbols if number in notes else symbols
        for symbol, word in zip(symbols, words, strict=True):
            if symbol not in nonterminals:
                is_literal = word[0] in "'\"" or not _NAME.fullmatch(symbol)
                quoted[symbol] = quoted.get(symbol, False) or is_literal
    # A lexer that is made for each parse is not there to be asked, but the tokens are listed.
    lexed = map(str, getattr(lexer, "lextokens_all", ()))
    for symbol in sorted({*lexed, *_declared_tokens(productions)}):
        if symbol not in nonterminals and symbol not in _NO_TOKENS:
            quoted.setdefault(symbol, not _NAME.fullmatch(symbol))
    return [
        Token(symbol, display=repr(symbol) if is_literal else symbol)
        for symbol, is_literal in quoted.items()
    ]


def _files(definitions: Iterable[Definition]) -> tuple[str, ...]:
    spans = (definition.alternatives[0].span for definition in definitions)
    return tuple(dict.fromkeys(span.file for span in spans if span is not None))


def _precedence(productions: Sequence[Production]) -> Levels:
    """The precedence levels, loosest first: as declared, else as the productions show them."""
    for production in productions:
        declared = _declared_precedence(production.callable)
        if declared:
            return [(_ASSOCIATIVITY[kind], list(names)) for kind, *names in declared]
    levels: dict[int, tuple[Associativity, list[str]]] = {}
    nonterminals = {production.name for production in productions}
    for production in productions:
        kind, level = getattr(production, "prec", ("right", 0))
        terminals = [s for s in right_hand_side(production) if s not in nonterminals]
        if level and terminals:
            names = levels.setdefault(level, (_ASSOCIATIVITY[kind], []))[1]
            if terminals[-1] not in names:
                names.append(terminals[-1])
    return [levels[level] for level in sorted(levels)]


_ASSOCIATIVITY: Mapping[str, Associativity] = {
    "left": Associativity.LEFT,
    "right": Associativity.RIGHT,
    "nonassoc": Associativity.NONASSOC,
}


def _declared_tokens(productions: Sequence[Production]) -> frozenset[str]:
    """The names in the variable ``tokens`` that PLY has checked those in the rules against."""
    for production in productions:
        declared = _beside(production.callable, "tokens")
        if isinstance(declared, list | tuple) and declared:
            return frozenset(name for name in declared if isinstance(name, str))
    return frozenset()


def _declared_precedence(action: Action | None) -> Sequence[Sequence[str]] | None:
    """The variable ``precedence`` beside an action."""
    declared = _beside(action, "precedence")
    well_formed = isinstance(declared, list | tuple) and all(
        isinstance(row, list | tuple) and row and row[0] in _ASSOCIATIVITY for row in declared
    )
    return declared if well_formed else None


def _beside(action: Action | None, name: str) -> Any:
    """A variable beside an action: in its object or in its module; None if there is none."""
    owner = getattr(action, "__self__", None)
    if owner is not None:
        return getattr(owner, name, None)
    return getattr(action, "__globals__", {}).get(name)
