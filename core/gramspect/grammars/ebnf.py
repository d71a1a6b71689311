"""The form in which readers describe EBNF grammars.

A reader describes a grammar with `Definition`, `Alternative`, `Reference` and `Block`; `expand`
(`gramspect.grammars.grammar`) turns that into a `Grammar`. Every block becomes a *helper*
non-terminal named after the place where it stands (``stmt:2.1``: the first block in the second
alternative of ``stmt``), so labels are stable and lead back to the text. The expansions are

* ``( a | b )``    ``H -> a | b``
* ``( a | b )?``   ``H -> a | b | (empty)``
* ``x*``           ``H -> (empty) | H x``
* ``x+``           ``H -> x | H x``
* ``~a``           ``H -> b | c | ...``, one for each token of the set

where ``x`` is a helper of its own if it is more than one symbol. Repetitions are left-recursive, so
that LR stacks and charts stay shallow on long lists.
"""

from __future__ import annotations

from dataclasses import dataclass

from gramspect.grammars.symbols import (
    Operator,
)
from gramspect.source import Span

__all__ = ["Alternative", "Block", "Definition", "Element", "Reference", "Token"]


@dataclass(frozen=True, slots=True)
class Reference:
    """An occurrence of a symbol; `display` is how it is written, if not by its name."""

    name: str
    span: Span | None = None
    display: str | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A group, option, repetition, set of tokens or (as an empty alternative) embedded action.

    `text` is how it is written, if its alternatives do not tell: they do not for a set.
    """

    operator: Operator
    alternatives: tuple[Alternative, ...]
    span: Span | None = None
    text: str | None = None


Element = Reference | Block


@dataclass(frozen=True, slots=True)
class Alternative:
    """A sequence of elements. `precedence` names the token of a ``%prec``."""

    elements: tuple[Element, ...]
    span: Span | None = None
    precedence: str | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """The alternatives of one non-terminal; `span` covers its name.

    Several definitions of one name are joined in order, as yacc does.
    """

    name: str
    alternatives: tuple[Alternative, ...]
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A declared token. `spellings` are further texts that name it in a test."""

    name: str
    span: Span | None = None
    display: str | None = None
    spellings: tuple[str, ...] = ()
