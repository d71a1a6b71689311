"""The faulty toy grammar of Raselimo and Fischer (2024, Figure 1), for unit tests."""

from __future__ import annotations

from gramspect.grammars.grammar import Grammar
from gramspect.testing.toy import toy

__all__ = ["grammar", "toy"]


def grammar(text: str, start: str | None = None) -> Grammar:
    """The grammar of lines ``lhs -> symbols``."""
    pairs = (line.split("->") for line in text.strip().splitlines())
    return Grammar.from_rules([(lhs.strip(), rhs.split()) for lhs, rhs in pairs], start=start)
