"""Expressions over patterns: which inputs are meant.

::

    double_paren and not div_zero
    at least 2 double_paren or exactly one div_zero
    div_zero in double_paren            div_zero in the context of double_paren
    at most 1 <call> outside <loop>

A pattern is its name, ``<name>`` for any tree of a non-terminal, or its text in quotes. By itself
it says that the derivation tree has it somewhere, at least once. ``a in b`` are the occurrences of
a strictly below the root of an occurrence of b, ``a in b in c`` those below a b that is below a c;
``a outside b`` are those that are below no b. ``not`` binds tighter than ``and``, ``and`` tighter
than ``or``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn

from gramspect.algebra.notation import Notation
from gramspect.algebra.patterns import Pattern
from gramspect.errors import GramspectError

__all__ = [
    "And", "Constant", "Count", "Expression", "Named", "Not", "Occurrences", "Or",
    "expression_text", "parse_expression", "pattern_names",
]  # fmt: skip

MOST = 1000
"""The largest number of occurrences that can be asked for: an automaton counts up to it."""


@dataclass(frozen=True, slots=True)
class Named:
    """A pattern as an expression names it."""

    name: str
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The nodes where the first pattern occurs, below nodes where the second does, and so on.

    With `outside`, which takes two patterns, those that are below no node where the second does.
    """

    chain: tuple[Named, ...]
    outside: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """There are at least `least` such occurrences, and at most `most` unless that is None."""

    occurrences: Occurrences
    least: int = 1
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """All inputs, or none."""

    value: bool


@dataclass(frozen=True, slots=True)
class Not:
    """The inputs that are not meant by `part`."""

    part: Expression


@dataclass(frozen=True, slots=True)
class And:
    """The inputs that all parts mean."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """The inputs that some part means."""

    parts: tuple[Expression, ...]


Expression = Count | Constant | Not | And | Or


# --- text ----------------------------------------------------------------------------------


def expression_text(expression: Expression) -> str:
    """An expression as it would be written."""
    match expression:
        case Constant(value):
            return "true" if value else "false"
        case Not(part):
            return f"not {_inner(part)}"
        case And(parts):
            return " and ".join(map(_inner, parts)) if parts else "true"
        case Or(parts):
            return " or ".join(map(_inner, parts)) if parts else "false"
        case Count(occurrences, least, most):
            word = " outside " if occurrences.outside else " in "
            return _count_text(word.join(each.name for each in occurrences.chain), least, most)


def _count_text(chain: str, least: int, most: int | None) -> str:
    if most is None:
        return chain if least == 1 else f"at least {least} {chain}"
    if least == most:
        return f"exactly {most} {chain}"
    upper = f"at most {most} {chain}"
    return upper if least == 0 else f"(at least {least} {chain} and {upper})"


def _inner(part: Expression) -> str:
    text = expression_text(part)
    return f"({text})" if isinstance(part, And | Or) and len(part.parts) > 1 else text


def pattern_names(text: str) -> frozenset[str]:
    """The words of an expression that could be names of patterns."""
    words = (match for match in _WORD.finditer(text) if match["name"] is not None)
    return frozenset(match["name"] for match in words) - _KEYWORDS


# --- reading -------------------------------------------------------------------------------

_WORD = re.compile(
    r"""\s*(?:(?P<name>[\w][\w.-]*)|(?P<abstract><[^<>\s]+>)|"(?P<double>[^"]*)"|'(?P<single>[^']*)'
    |(?P<bracket>[()])|(?P<other>\S))""",
    re.VERBOSE,
)
_NUMBERS = {word: n for n, word in enumerate(
    "zero one two three four five six seven eight nine ten".split())}  # fmt: skip
_KEYWORDS = frozenset("and or not at least most exactly in outside true false".split())


def parse_expression(text: str, patterns: Mapping[str, Pattern], notation: Notation) -> Expression:
    """The expression that a text stands for.

    Raises:
        GramspectError: the text is no expression, or names a pattern that there is not.
    """
    return _Parser(text, patterns, notation).whole()


@dataclass(frozen=True, slots=True)
class _Word:
    kind: str
    text: str
    start: int


class _Parser:
    """Reads one expression, a word of lookahead."""

    def __init__(self, text: str, patterns: Mapping[str, Pattern], notation: Notation) -> None:
        self.text = text
        self.patterns = patterns
        self.notation = notation
        found = (m for m in _WORD.finditer(text.rstrip()))
        self.words = [_Word(str(m.lastgroup), m[str(m.lastgroup)], m.start(str(m.lastgroup)))
                      for m in found]  # fmt: skip
        self.words.append(_Word("end", "", len(text)))
        self.place = 0

    @property
    def ahead(self) -> _Word:
        return self.words[self.place]

    def whole(self) -> Expression:
        if self.ahead.kind == "end":
            raise GramspectError(
                "the expression is empty; write one such as 'NAME and not OTHER_NAME'"
            )
        found = self.alternatives(0)
        if self.ahead.kind != "end":
            self.refuse("'and', 'or' or the end")
        return found

    def refuse(self, wanted: str) -> NoReturn:
        word = self.ahead
        shown = "the end" if word.kind == "end" else repr(word.text)
        raise GramspectError(
            f"the expression {self.text!r} has {shown} at column {word.start + 1}, where {wanted}"
            " should be"
        )

    def taken(self, *words: str) -> bool:
        """Whether these words come next; they are passed over then."""
        ahead = [w.text.lower() for w in self.words[self.place : self.place + len(words)]
                 if w.kind == "name"]  # fmt: skip
        if ahead != list(words):
            return False
        self.place += len(words)
        return True

    def alternatives(self, depth: int) -> Expression:
        parts = [self.conjunction(depth)]
        while self.taken("or"):
            parts.append(self.conjunction(depth))
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def conjunction(self, depth: int) -> Expression:
        parts = [self.negation(depth)]
        while self.taken("and"):
            parts.append(self.negation(depth))
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def negation(self, depth: int) -> Expression:
        if depth > _DEEPEST:
            raise GramspectError(f"the expression is nested more than {_DEEPEST} deep")
        if self.taken("not"):
            return Not(self.negation(depth + 1))
        if self.ahead.kind == "bracket" and self.ahead.text == "(":
            self.place += 1
            inner = self.alternatives(depth + 1)
            if self.ahead.text != ")" or self.ahead.kind != "bracket":
                self.refuse("')'")
            self.place += 1
            return inner
        if self.taken("true"):
            return Constant(True)
        if self.taken("false"):
            return Constant(False)
        return self.count()

    def count(self) -> Count:
        if self.taken("at", "least"):
            least = self.number()
            return Count(self.occurrences(), least)
        if self.taken("at", "most"):
            most = self.number()
            return Count(self.occurrences(), 0, most)
        if self.taken("exactly"):
            number = self.number()
            return Count(self.occurrences(), number, number)
        return Count(self.occurrences())

    def number(self) -> int:
        word = self.ahead
        value = _NUMBERS.get(word.text.lower())
        if value is None and word.text.isascii() and word.text.isdigit() and len(word.text) < 9:
            value = int(word.text)
        if value is None or value > MOST:
            self.refuse(f"a number up to {MOST}")
        self.place += 1
        return value

    def occurrences(self) -> Occurrences:
        chain = [self.named()]
        while True:
            if self.taken("in"):
                if self.taken("the", "context"):
                    self.taken("of")
                chain.append(self.named())
            elif len(chain) == 1 and self.taken("outside"):
                return Occurrences((chain[0], self.named()), outside=True)
            else:
                return Occurrences(tuple(chain))

    def named(self) -> Named:
        word = self.ahead
        if word.kind == "abstract":
            symbol = self.notation.nonterminal(word.text[1:-1])
            named = Named(word.text, Pattern.any(symbol))
        elif word.kind in ("single", "double"):
            named = Named(repr(word.text), self.notation.parse(word.text))
        elif word.kind == "name" and word.text in self.patterns:
            named = Named(word.text, self.patterns[word.text])
        elif word.kind == "name" and word.text.lower() not in _KEYWORDS:
            known = ", ".join(self.patterns) or "none"
            raise GramspectError(
                f"the expression {self.text!r} names the pattern {word.text!r}, which there is not;"
                f" there are: {known}"
            )
        else:
            self.refuse("a pattern")
        self.place += 1
        return named


_DEEPEST = 100


def evaluated(expression: Expression, number: Callable[[Occurrences], int]) -> bool:
    """What an expression says of a tree, given how many of some occurrences the tree has."""
    match expression:
        case Constant(value):
            return value
        case Not(part):
            return not evaluated(part, number)
        case And(parts):
            return all(evaluated(part, number) for part in parts)
        case Or(parts):
            return any(evaluated(part, number) for part in parts)
        case Count(occurrences, least, most):
            found = number(occurrences)
            return least <= found and (most is None or found <= most)


def counted(expression: Expression) -> dict[Occurrences, int]:
    """The occurrences that an expression counts, each with the number that counts as many."""
    match expression:
        case Not(part):
            return counted(part)
        case And(parts) | Or(parts):
            found: dict[Occurrences, int] = {}
            for part in parts:
                for occurrences, enough in counted(part).items():
                    found[occurrences] = max(enough, found.get(occurrences, 0))
            return found
        case Count(occurrences, least, most):
            return {occurrences: least if most is None else most + 1}
        case _:
            return {}
