"""The first line of a report: where the fault most likely is, what to do, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable

from gramspect.edits.suggestion import nonterminal_of
from gramspect.localization.conclusion import Conclusion, Confidence, conclusion
from gramspect.localization.results import Choice, Localization, RankedElement
from gramspect.report.groups import definition_name
from gramspect.report.values import Json
from gramspect.report.words import counted, printable
from gramspect.scoring.evidence import Evidence
from gramspect.source import Span

__all__ = ["can_be_asked", "choice_value", "conclusion_value", "sentence"]

_LISTED = 12
"""How many definitions are listed as they are without a reader."""
_NAMED = 3
"""How many definitions are named if it is not clear which one is at fault."""
_WORDS = {Confidence.LIKELY: "Most likely", Confidence.PROBABLE: "Perhaps"}


def sentence(result: Localization, found: Conclusion) -> str:
    """The conclusion of a localization in one sentence.

    Others follow where a second rule may be the one to change, and where tests are undecided.
    """
    said = [_sentence(result, found)]
    if result.choice is not None:
        others = _placed(result, result.choice.chosen[1:2])
        said += (f"Otherwise look at {other}." for other in others)
    elif found.other is not None:
        said.append(_instead(result, found.element, found.other))
    if result.undecided:
        verb = "is" if len(result.undecided) == 1 else "are"
        said.append(f"{counted(len(result.undecided), 'test')} {verb} undecided.")
    return " ".join(said)


def _instead(result: Localization, first: RankedElement, other: RankedElement) -> str:
    """The other rule of a pair, and which of them calls the other."""
    (placed,) = _placed(result, [other])
    if first.definition < 0:
        return f"Otherwise look at {placed}, a rule of the parser."
    called = other.definition in result.grammar.calls[first.definition]
    return f"Otherwise look at {placed}, which {'it calls' if called else 'calls it'}."


def _sentence(result: Localization, found: Conclusion) -> str:
    degree = _WORDS.get(found.confidence)
    if result.choice is not None:
        degree = "The reader says"
    elif found.confidence is Confidence.SEVERAL:
        return _several(result, found.element)
    if degree is None:
        return _unclear(result, found)
    # A long rule has many lines, and its repair may be at another one than its first element.
    name, place = _place(result, found.element, None if found.repair is None else found.repair.span)
    where = f"{degree} {name}" + (f", {place}" if place else "")
    said = ""
    if found.repair is not None:
        said = f": it should {printable(found.repair.describe())}"
    reasons = _reasons(result, found)
    return f"{where}{said}" + (f" ({'; '.join(reasons)})" if reasons else "") + "."


def _reasons(result: Localization, found: Conclusion) -> list[str]:
    reasons = []
    said = found.repair.confirmation if found.repair is not None else None
    if found.confirmed and said is not None:
        reasons.append(f"confirmed with {said.tool}")
    if found.repair is None and found.element.token is None:
        if result.method.evidence is Evidence.EDITS:
            reasons.append("no small repair was found")
    elif not found.explains_all:
        explained = found.repair.effect.fixed if found.repair else found.element.tests
        of_all = counted(result.among(explained), "failing test")
        reasons.append(f"explains {len(explained)} of {of_all}")
    if result.choice is not None:
        rank = result.choice.own_rank(found.element.definition)
        place = "not ranked" if rank is None else f"place {rank}"
        reasons.append(f"{place} by the tests alone")
    else:
        reasons.append(f"{found.share:.0%} of all suspicion")
    return reasons


def _unclear(result: Localization, found: Conclusion) -> str:
    *others, last = _enumerated(_placed(result, found.near))
    if not others:
        return f"Not clear: perhaps {last}, but many others are suspicious too."
    return f"Not clear: {', '.join(others)} or {last}; they are about as suspicious."


def _several(result: Localization, first: RankedElement) -> str:
    """The first definition of all and then that of each group of tests, the largest group first."""
    of_groups = (group.definitions[0] for group in result.groups if group.definitions)
    different: dict[str, RankedElement] = {}
    for element in (first, *of_groups):
        different.setdefault(definition_name(element), element)
    *others, last = _enumerated(_placed(result, different.values()))
    listed = f"{', '.join(others)} and {last}" if others else last
    return f"Not clear, perhaps {len(result.groups)} faults: {listed}."


def _enumerated(named: list[str]) -> list[str]:
    """The first names, and how many others there are."""
    more = len(named) - _NAMED
    return [*named[:_NAMED], *([counted(more, "other")] if more > 0 else [])]


def can_be_asked(result: Localization, found: Conclusion) -> bool:
    """Whether questions could tell which of several definitions it is: two of them have repairs."""
    if found.confidence is Confidence.SEVERAL:
        return False
    named = found.near if found.other is None else (found.element, found.other)
    mended = {nonterminal_of(result.grammar, item) for item in result.proposals}
    return len(mended & {one.nonterminal for one in named if one.token is None}) > 1


def _placed(result: Localization, elements: Iterable[RankedElement]) -> list[str]:
    """The names of definitions with their places."""
    places = (_place(result, element) for element in elements)
    return [f"{name} ({place})" if place else name for name, place in places]


def _place(result: Localization, element: RankedElement, at: Span | None = None) -> tuple[str, str]:
    """The name of a rule or token and its line, with the file where there are several.

    The line is that of the element, if it is not given.
    """
    name = definition_name(element)
    span = at or element.span
    if span is None:
        return name, ""
    alone = set(result.grammar.files) <= {span.file}
    file, line = span.file, span.line
    return name, f"line {line}" if alone else printable(f"{file}:{line}")


def conclusion_value(result: Localization) -> Json:
    """The conclusion as JSON values (docs/json.md); None where nothing is ranked."""
    found = conclusion(result)
    if found is None:
        return None
    return {
        "text": sentence(result, found),
        "confidence": found.confidence,
        "nonterminal": found.element.nonterminal,
        "token": found.element.definition < 0,
        "share": found.share,
        "explains_all": found.explains_all,
        "confirmed": found.confirmed,
        "otherwise": _otherwise(result, found),
        "reader": None if result.choice is None else choice_value(result.choice),
    }


def _otherwise(result: Localization, found: Conclusion) -> str | None:
    """The definition that the first line names beside the first."""
    if result.choice is not None:
        return next((one.nonterminal for one in result.choice.chosen[1:2]), None)
    return found.other.nonterminal if found.other is not None else None


def choice_value(choice: Choice) -> Json:
    """What a reader has said, and what would be first without it."""
    return {
        "command": choice.reader,
        "chosen": [one.nonterminal for one in choice.chosen],
        "without": [one.nonterminal for one in choice.own[:_LISTED]],
    }
