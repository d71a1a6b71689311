"""Grammars made from the parts of others: the common end of all constructions.

A construction says which non-terminals there are, by keys of its own, and which rules. Terminals
are those of the base with their numbers, so tokens, precedences and lexers go on to fit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Rule, Symbol

__all__ = ["Draft", "made"]

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Draft(Generic[Key]):
    """A rule to be: its symbols are keys, or numbers of terminals.

    `origin` is the rule of the base that it comes from; None if it comes from none.
    """

    lhs: Key
    rhs: tuple[Key | int, ...]
    origin: int | None


def made(
    base: Grammar,
    start: Key,
    drafts: Sequence[Draft[Key]],
    named: Callable[[Key], tuple[int, str]],
    name: str,
) -> tuple[Grammar, tuple[int | None, ...]]:
    """The grammar of some rules, and for each of its rules the rule of the base.

    `named` gives the non-terminal of the base that a key comes from, and its new name. The start
    symbol comes first, then the others in the order of the drafts. Keys without a rule are
    non-terminals without rules.
    """
    keys: dict[Key, None] = {start: None} | dict.fromkeys(draft.lhs for draft in drafts)
    for draft in drafts:
        keys |= dict.fromkeys(key for key in draft.rhs if not isinstance(key, int))
    symbols = list(base.symbols[: base.n_terminals])
    numbers: dict[Key, int] = {}
    for key in keys:
        numbers[key] = len(symbols)
        symbols.append(_symbol(base, *named(key), len(symbols)))
    in_order = sorted(drafts, key=lambda draft: numbers[draft.lhs])
    grammar = replace(
        base, name=name, symbols=tuple(symbols), rules=(), start=numbers[start], diagnostics=()
    )
    return grammar.with_rules(_rules(base, in_order, numbers)), tuple(d.origin for d in in_order)


def _symbol(base: Grammar, old: int, name: str, index: int) -> Symbol:
    """A non-terminal that the user did not write, but where the user wrote what it comes from."""
    span = base.symbols[old].span
    return Symbol(index, name, terminal=False, display=name, span=span)


def _rules(
    base: Grammar, drafts: Iterable[Draft[Key]], numbers: Mapping[Key, int]
) -> Iterable[Rule]:
    for draft in drafts:
        rhs = tuple(key if isinstance(key, int) else numbers[key] for key in draft.rhs)
        if draft.origin is None:
            yield Rule(-1, numbers[draft.lhs], rhs, 0, "", None, (None,) * len(rhs))
            continue
        old = base.rules[draft.origin]
        spans = old.rhs_spans if len(old.rhs) == len(rhs) else (old.span,) * len(rhs)
        yield Rule(-1, numbers[draft.lhs], rhs, 0, "", old.span, spans, old.precedence)
