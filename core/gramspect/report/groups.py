"""The groups of failing tests in words, for the reports that people read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gramspect.localization.conclusion import best_first
from gramspect.localization.results import Localization, RankedElement
from gramspect.report.words import printable

__all__ = ["GroupInWords", "definition_name", "groups_in_words"]

_SHOWN_SUSPECTS = 3


@dataclass(frozen=True)
class GroupInWords:
    """One group: its tests, the most suspicious definition and its place, the next ones, an edit.

    What is not known is empty.
    """

    tests: str
    first: str
    where: str
    others: str
    edit: str


def groups_in_words(result: Localization, verbose: bool = False) -> Iterator[GroupInWords]:
    """The groups of a result; `verbose` names all tests of each."""
    for group in result.groups:
        names = [result.suite.tests[number].name for number in group.tests]
        named = names if verbose else names[:1]
        more = f" and {len(names) - len(named):,} more" if len(names) > len(named) else ""
        first, *others = group.definitions[:_SHOWN_SUSPECTS] or (None,)
        edit = group.proposal.edit.describe(result.grammar) if group.proposal else ""
        if first is not None and first.token is not None:
            repairs = best_first(result, first)
            edit = repairs[0].describe() if repairs else ""
        yield GroupInWords(
            printable(", ".join(named)) + more,
            definition_name(first) if first else "",
            "" if first is None or first.span is None else _place(first),
            ", ".join(definition_name(one) for one in others if one is not None),
            printable(edit),
        )


def definition_name(element: RankedElement) -> str:
    """The name of the definition that an element lies in, in quotes."""
    name = printable(f"`{element.nonterminal}`")
    return name if element.definition >= 0 else f"the lexer's {name}"


def _place(element: RankedElement) -> str:
    span = element.span
    return "" if span is None else printable(f"{span.file}:{span.line}")
