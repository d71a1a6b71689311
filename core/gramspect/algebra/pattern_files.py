"""Named patterns in TOML files.

::

    [double_paren]
    pattern = "((<expr>))"

    [div_zero]
    pattern = "<term> / 0"
    symbol = "term"
    trials = 100
    confidence = 0.97

`symbol` names the root where it is not the lowest node that has the whole text. `tree` has the
labels of the rules in preorder, ``"<>"`` for abstract nodes; it is written where the text alone
would be read as another tree. With it, ``texts = [[2, 0, "0"]]`` says that the first symbol of the
rule at its third node is a token with the text ``0``. What else is there belongs to whoever wrote
it and is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from gramspect.algebra.notation import Notation
from gramspect.algebra.patterns import ABSTRACT, FixedText, Pattern, leaves, outline
from gramspect.errors import GramspectError
from gramspect.generation.texts.toml_file import read_toml
from gramspect.grammars.grammar import Grammar

__all__ = ["NamedPattern", "Value", "patterns_toml", "read_patterns"]

Value = str | int | float | bool
_ANYTHING = "<>"
_OURS = ("pattern", "symbol", "tree", "texts")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class NamedPattern:
    """A pattern under a name, with what else is known of it, such as how often it was tried."""

    name: str
    pattern: Pattern
    notes: Mapping[str, Value] = field(default_factory=dict)


def read_patterns(path: str, notation: Notation) -> dict[str, NamedPattern]:
    """The patterns of a file by name, in its order.

    Raises:
        GramspectError: the file cannot be read, or one of the patterns is none of the grammar.
    """
    file = read_toml(path)
    found = {}
    for name, table in file.table.items():
        if not isinstance(table, dict):
            raise file.error(name, f'{name} must be a table, [{name}] with pattern = "..."')
        try:
            pattern = _pattern(table, notation)
        except GramspectError as problem:
            raise file.error(name, f"the pattern {name}: {problem.message}") from None
        notes = {
            key: value
            for key, value in table.items()
            if key not in ("pattern", "symbol", "tree", "texts")
            and isinstance(value, str | int | float)
        }
        found[name] = NamedPattern(name, pattern, notes)
    return found


def _pattern(table: Mapping[str, object], notation: Notation) -> Pattern:
    text, symbol, tree = (table.get(key) for key in ("pattern", "symbol", "tree"))
    if symbol is not None and not isinstance(symbol, str):
        raise GramspectError('symbol must be the name of a non-terminal, such as "expr"')
    if tree is not None:
        if not isinstance(tree, list) or not all(isinstance(label, str) for label in tree):
            raise GramspectError(f'tree must be a list of labels, as in ["expr:1", "{_ANYTHING}"]')
        return _from_labels(tree, symbol, table.get("texts", []), notation)
    if not isinstance(text, str):
        raise GramspectError('there is no text; write pattern = "((<expr>))" or the like')
    return notation.parse(text, symbol)


def _from_labels(
    labels: Iterable[str], symbol: str | None, texts: object, notation: Notation
) -> Pattern:
    grammar = notation.grammar
    rules = {rule.label: rule.index for rule in grammar.rules} | {_ANYTHING: ABSTRACT}
    numbers = []
    for label in labels:
        if label not in rules:
            raise GramspectError(f"the grammar {grammar.name} has no rule {label!r}")
        numbers.append(rules[label])
    if symbol is None and (not numbers or numbers[0] == ABSTRACT):
        raise GramspectError("the tree has no rule at its root; name its symbol")
    root = grammar.rules[numbers[0]].lhs if symbol is None else notation.nonterminal(symbol)
    pattern = Pattern(root, tuple(numbers))
    try:
        outline(grammar, pattern)
    except ValueError as problem:
        raise GramspectError(f"the tree does not fit the grammar: {problem}") from None
    return replace(pattern, texts=_fixed(texts, pattern, grammar))


def _fixed(texts: object, pattern: Pattern, grammar: Grammar) -> tuple[FixedText, ...]:
    """The texts of tokens of a pattern that is given by its tree."""
    places = {(at.node, at.position): at.symbol for at in leaves(grammar, pattern)}
    found = []
    for each in texts if isinstance(texts, list) else [texts]:
        match each:
            case [int(node), int(position), str(text)] if grammar.is_terminal(
                places.get((node, position), grammar.start)
            ):
                found.append(FixedText(node, position, text))
            case _:
                raise GramspectError(
                    'texts must be a list of nodes, positions and texts, as in [[2, 0, "0"]]'
                )
    return tuple(sorted(found))


def patterns_toml(patterns: Iterable[NamedPattern], notation: Notation) -> str:
    """The text of a file with these patterns, which `read_patterns` reads as the same."""
    return "\n".join("\n".join(_lines(each, notation)) + "\n" for each in patterns)


def _lines(named: NamedPattern, notation: Notation) -> Iterator[str]:
    pattern, grammar = named.pattern, notation.grammar
    text = notation.text(pattern)
    yield f"[{_key(named.name)}]"
    yield f"pattern = {_quoted(text)}"
    symbol = grammar.symbols[pattern.symbol].name
    if _read(notation, text, None) != pattern:
        yield f"symbol = {_quoted(symbol)}"
        if _read(notation, text, symbol) != pattern:
            labels = (_ANYTHING if r == ABSTRACT else grammar.rules[r].label for r in pattern.rules)
            yield f"tree = [{', '.join(map(_quoted, labels))}]"
            if pattern.texts:
                texts = (f"[{at.node}, {at.position}, {_quoted(at.text)}]" for at in pattern.texts)
                yield f"texts = [{', '.join(texts)}]"
    for key, value in named.notes.items():
        yield f"{_key(key)} = {_quoted(value) if isinstance(value, str) else json.dumps(value)}"


def _read(notation: Notation, text: str, symbol: str | None) -> Pattern | None:
    try:
        return notation.parse(text, symbol)
    except GramspectError:
        return None


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    """A basic string of TOML, whose escapes are those of JSON, and one more."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
