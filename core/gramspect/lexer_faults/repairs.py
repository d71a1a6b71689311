"""Changes of token rules that would make hypotheses true.

A hypothesis says that a stretch of text is one token of a rule. The text is aligned with the
definition as it is written; where the definition does not read it, `changes` says what could be
written instead. Several changes may do; the tool and the tests decide between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from gramspect.edits.tokens import TokenEdit, token_edit
from gramspect.lexer_faults.changes import Option, widening
from gramspect.lexer_faults.definitions import Definitions
from gramspect.lexer_faults.options import Maker
from gramspect.lexer_faults.search import TokenSearched
from gramspect.lexical.parts import Leaf
from gramspect.recognition.recognizer import TokenRuleKnowing, TokenRuleWriting
from gramspect.suites.suite import TestSuite

__all__ = ["TokenProposal", "token_proposals"]

PER_TEST = 6
"""How many hypotheses of a test are turned into changes."""
NAMED = 4
"""How many of the words that a list gets are named."""
LATER = 0.05
"""The cost of each further way to write the same change."""
USUAL_LATER = 0.2
"""The cost of a change for tokens as they usually look: what reads just the text comes first."""


@dataclass(frozen=True)
class TokenProposal:
    """A change of a token rule, and the numbers of the failing tests that call for it.

    `tests` should pass with it, `further` should get further.
    """

    edit: TokenEdit
    tests: tuple[int, ...]
    further: tuple[int, ...] = ()


@dataclass
class _Found:
    option: Option
    cost: float
    tests: dict[int, bool] = field(default_factory=dict)
    """The tests that call for it, and whether they should pass with it."""


def token_proposals(
    recognizer: TokenRuleKnowing, suite: TestSuite, searched: Sequence[TokenSearched]
) -> list[TokenProposal]:
    """The changes of token rules that hypotheses call for, those of most tests first."""
    if not isinstance(recognizer, TokenRuleWriting):
        return []
    rules = recognizer.token_rules()
    files = frozenset(r.span.file for r in rules if r.span is not None and not r.fixed)
    maker = Maker(recognizer, Definitions(recognizer, files), rules)
    found: dict[object, _Found] = {}
    for one in searched:
        test = suite.tests[one.test]
        accepted = [h for h in one.hypotheses if h.accepted] or list(one.hypotheses)
        for hypothesis in sorted(accepted, key=lambda h: h.cost)[:PER_TEST]:
            for place, option in enumerate(maker.options(test, hypothesis)):
                cost = hypothesis.cost + LATER * place + maker.aside(hypothesis.rule, option)
                cost += USUAL_LATER if hypothesis.form is not None else 0.0
                known = found.setdefault((option.rule, option.rewriting), _Found(option, cost))
                known.cost = min(known.cost, cost)
                known.tests[one.test] = known.tests.get(one.test, False) or hypothesis.accepted
    several = [*found.values(), *_together(found.values())]
    several.sort(key=lambda one: (-len(one.tests), one.cost))
    return [_proposal(maker, one) for one in several]


def _together(found: Iterable[_Found]) -> Iterator[_Found]:
    """Join changes that put different characters, or words, in one place: all are allowed."""
    groups: dict[Leaf | str, list[_Found]] = {}
    for one in found:
        if one.option.widens is not None:
            groups.setdefault(one.option.widens[0], []).append(one)
        elif one.option.adds:
            groups.setdefault(one.option.rule, []).append(one)
    for place, calling in groups.items():
        group = _cheapest(calling) if isinstance(place, str) else calling
        if len({test for one in group for test in one.tests}) > 1:
            options = [one.option for one in group]
            option = _all_words(options) if isinstance(place, str) else _all_read(place, options)
            if option is not None:
                tests = {test: passes for one in group for test, passes in one.tests.items()}
                yield _Found(option, max(one.cost for one in group), tests)


def _cheapest(found: Sequence[_Found]) -> list[_Found]:
    """For each test the cheapest change that it calls for, of several that do."""
    best: dict[int, _Found] = {}
    for test in dict.fromkeys(test for one in found for test in one.tests):
        calling = (one for one in found if test in one.tests)
        cheapest = min(calling, key=lambda one: one.cost)
        best[id(cheapest)] = cheapest
    return list(best.values())


def _all_read(leaf: Leaf, options: Sequence[Option]) -> Option | None:
    members = "".join(dict.fromkeys(one.widens[1] for one in options if one.widens))
    return widening(options[0].rule, leaf, None, members, plain=True) if len(members) > 1 else None


def _all_words(options: Sequence[Option]) -> Option | None:
    """The words are added at one place, one after the other."""
    words = dict.fromkeys(one.adds for one in options)
    places = {one.rewriting[0][0] for one in options}
    if len(words) < 2 or len(places) > 1:
        return None
    (place,) = places
    written = "".join(dict.fromkeys(one.rewriting[0][1] for one in options))
    said = ", ".join(map(repr, list(words)[:NAMED]))
    more = f" and {len(words) - NAMED} more" if len(words) > NAMED else ""
    return Option(options[0].rule, f"add the words {said}{more}", ((place, written),))


def _proposal(maker: Maker, found: _Found) -> TokenProposal:
    number = maker.numbers[found.option.rule]
    words, rewriting = found.option.words, found.option.rewriting
    edit = token_edit(number, maker.rules[number], words, rewriting, found.cost)
    tests = tuple(test for test, passes in found.tests.items() if passes)
    further = tuple(test for test, passes in found.tests.items() if not passes)
    return TokenProposal(edit, tests, further)
