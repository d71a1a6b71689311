"""Edits in reports: what they do in words, the lines that they make, and their JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from gramspect.edits.confirmation import Agreement, Confirmation
from gramspect.edits.model import NEW_TOKEN
from gramspect.edits.suggestion import distinct, nonterminal_of
from gramspect.edits.validation import Status
from gramspect.edits.writing import from_here
from gramspect.localization.conclusion import best_first
from gramspect.report.values import location
from gramspect.report.words import counted, printable

if TYPE_CHECKING:
    from gramspect.edits.suggestion import Suggestion
    from gramspect.localization.results import Localization, RankedElement
    from gramspect.suites.suite import TestSuite

__all__ = [
    "edit_value",
    "excerpt",
    "new_lines",
    "signed_lines",
    "suggestion_value",
    "summary",
    "worth_showing",
]

_SHOWN = 3
_DEARER = 1.0  # edits that cost so much more than the best one of an element are not shown
_SHOWN_LINES = 2
_DEFINING = 2  # so many lines more are shown where a token is defined, too
_SHOWN_NAMES = 3


def worth_showing(
    result: Localization, element: RankedElement, shown: set[object]
) -> Iterator[Suggestion]:
    """The best edits of an element, without those whose like is in `shown`, which it adds to.

    The first, which fixes most, is among them whatever it costs.
    """
    found = best_first(result, element)
    helping = [one for one in found if one.status not in (Status.HARMFUL, Status.USELESS)]
    first, rest = (helping or found)[:1], helping[1:]
    dearest = min((one.cost for one in (*first, *rest)), default=0.0) + _DEARER
    near = (*first, *(one for one in rest if one.cost <= dearest))
    yield from islice(distinct(near, shown), _SHOWN)


def summary(one: Suggestion, n_failing: int, told: set[str] | None = None) -> str:
    """What an edit does to the suite, where else it could be made, and what the tool says.

    Why an edit has no diff is left out if it is in `told`, to which it is added.
    """
    effect = one.effect
    parts = [f"fixes {len(effect.fixed) or 'none'} of {n_failing}"]
    if effect.further:
        parts.append(f"gets {len(effect.further)} further")
    if effect.broken:
        parts.append(f"but breaks {len(effect.broken)} that now pass")
    else:
        parts.append("breaks none" if effect.complete else "not checked on all tests")
    said = [", ".join(parts)]
    if names := _elsewhere(one):
        more = f" and {len(names) - _SHOWN_NAMES} more" if len(names) > _SHOWN_NAMES else ""
        said.append(f"the same in {', '.join(names[:_SHOWN_NAMES])}{more}")
    if one.confirmation is not None:
        said.append(_confirmation(one.confirmation, bool(effect.fixed)))
    if one.change is None and one.unwritable and one.unwritable not in (told or ()):
        said.append(f"not written as a diff: {one.unwritable}")
        if told is not None:
            told.add(one.unwritable)
    return "; ".join(said)


def _elsewhere(one: Suggestion) -> list[str]:
    names = (nonterminal_of(one.grammar, item) for item in one.alike)
    return [name for name in dict.fromkeys(names) if name != one.nonterminal]


def _confirmation(said: Confirmation, fixes: bool) -> str:
    match said.agreement:
        case Agreement.CONFIRMED if not fixes:
            return f"breaks none with {said.tool}"
        case Agreement.CONFIRMED:
            return f"confirmed with {said.tool}"
        case Agreement.UNFINISHED if not said.n_tests:
            return f"not tried with {said.tool}: unfinished, the time was up"
        case Agreement.UNFINISHED:
            return f"confirmed with {said.tool} on {counted(said.n_tests, 'test')} so far"
        case Agreement.UNTRIED:
            words = f"not tried with {said.tool}:"
        case Agreement.REFUSED:
            words = f"but {said.tool} refuses it:"
        case Agreement.DIFFERS | Agreement.UNDECIDED:
            words = f"but with {said.tool}"
    return f"{words} {said.message}"


def new_lines(one: Suggestion, room: int) -> list[tuple[str, str]]:
    """The first lines that an edit makes in each file, with their numbers; no blank ones.

    Those of another file than the rule's have its name before the number. A line that is longer
    than `room` is cut so that what is new in it can be seen.
    """
    if one.change is None:
        return []
    found: list[tuple[str, str]] = []
    most = _SHOWN_LINES + _DEFINING * (NEW_TOKEN in one.edit.symbols)
    for change in one.change.of_each_file:
        is_own = change.file.path == one.change.file.path
        name = "" if is_own else f"{from_here(change.file.path)}:"
        lines = []
        for number, line, place in change.new_lines():
            text = printable(line.strip())
            indent = len(line) - len(line.lstrip())
            lines += [(f"{name}{number}", excerpt(text, place - indent, room))] if text else []
        found += lines[:most]
    return found


def excerpt(text: str, place: int, room: int) -> str:
    """At most `room` characters of a text, with those after `place` among them."""
    start = 0 if len(text) <= room or place < room // 2 else place - room // 4
    shown = ("... " if start else "") + text[start:]
    return shown if len(shown) <= room else f"{shown[: room - 4].rstrip()} ..."


def signed_lines(diff: str) -> Iterator[tuple[str, str]]:
    """The lines of a diff with the sign of each; those that name files have none."""
    in_header = True
    for line in diff.split("\n")[:-1]:
        in_header = in_header and not line.startswith("@")
        yield ("" if in_header else line[:1]), line


def edit_value(one: Suggestion, suite: TestSuite) -> dict[str, Any]:
    """An edit as JSON values (docs/json.md)."""
    grammar, edit, said, span = one.grammar, one.edit, one.confirmation, one.span
    return {
        "label": one.label,
        "nonterminal": one.nonterminal,
        "kind": edit.kind,
        "symbols": [grammar.symbols[symbol].display for symbol in edit.symbols],
        "text": one.describe(),
        "cost": one.cost,
        "status": one.status,
        "tests": _names(suite, one.effect.fixed),
        "further": _names(suite, one.effect.further),
        "broken": _names(suite, one.effect.broken),
        "checked": one.effect.complete,
        "alike": [grammar.item_label(item) for item in one.alike],
        "location": location(span),
        "diff": None if one.change is None else one.change.diff(),
        "not_written": one.unwritable or None,
        "confirmation": None
        if said is None
        else {
            "tool": said.tool,
            "agreement": said.agreement,
            "tests": said.n_tests,
            "message": said.message or None,
            "built": said.built,
        },
    }


def suggestion_value(one: Suggestion, suite: TestSuite) -> dict[str, Any]:
    """An edit that may have to follow others, its `steps`."""
    steps = [edit_value(step, suite) for step in one.steps[:-1]]
    return {**edit_value(one, suite), "steps": steps}


def _names(suite: TestSuite, numbers: Sequence[int]) -> list[str]:
    return [suite.tests[number].name for number in numbers]
