"""Which edits to suggest for a localization, best first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import inf, prod

from gramspect.edits.confirmation import STEPS_PER_PARSER, Runs
from gramspect.edits.failing import trial_of
from gramspect.edits.generalizing import generalized
from gramspect.edits.model import Edit, EditKind, applied, makes_cyclic, worth_of
from gramspect.edits.scores import Proposal
from gramspect.edits.search import Outcome, search
from gramspect.edits.suggestion import (
    Bench,
    Suggestion,
    alike,
    all_confirmed,
    checked,
    distinct,
    with_text,
)
from gramspect.edits.validation import Case, Effect, Status, cases, effects
from gramspect.edits.weights import likelihood
from gramspect.effort import now, spend
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.localization.results import Localization
from gramspect.localization.settling import first_definitions
from gramspect.localization.token_repairs import token_suggestions
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.trace import ErrorKind
from gramspect.running.loading import Loaded

__all__ = ["advise", "against_conflicts", "bench_of", "in_sequence", "of_others", "ordered"]

ELEMENTS = 30
"""How many elements of a ranking have their edits looked at."""
FURTHER = 10
"""How many later elements are looked at because an edit there serves as many tests as any."""
PER_ELEMENT = 4
"""How many edits of each element are looked at."""
MARGIN = 2.0
"""Edits that cost this much more than the best one of their element are left out."""
FIRST_EDITS = 6
"""How many first edits, for an input that needs two, are followed by a search for a second."""
WITHOUT = 8
"""How many symbols and rules are left out on trial if only a conflict rejects an input."""
WITHOUT_SYMBOL, WITHOUT_RULE = 1.0, 2.0
"""The cost of leaving one of them out."""
SEQUENCES = 3
"""The number of inputs for which two edits are searched."""

_WORTH = (Status.VALIDATED, Status.UNCHECKED)
"""The status of edits that the tool is asked about."""
_ORDER = {
    Status.VALIDATED: 0,
    Status.UNCHECKED: 1,
    Status.PROGRESS: 2,
    Status.USELESS: 3,
    Status.HARMFUL: 4,
}


def bench_of(loaded: Loaded, result: Localization, runs: Runs) -> Bench:
    """The context in which the suggestions for a localization are checked."""
    failing = failing_numbers(result)
    names = {one.test.name for one in result.undecided}
    undecided = frozenset(number for number in failing if result.suite.tests[number].name in names)
    return Bench(
        loaded.recognizer,
        result.grammar,
        result.suite,
        failing,
        tuple(cases(loaded.recognizer, result.suite, failing, undecided)),
        loaded.adapter,
        loaded.loader,
        runs,
        undecided=undecided,
    )


def failing_numbers(result: Localization) -> list[int]:
    """The numbers of the tests that fail or are undecided."""
    numbers = {test.name: number for number, test in enumerate(result.suite)}
    tests = [one.test for one in result.failing] + [one.test for one in result.undecided]
    return sorted(numbers[test.name] for test in tests)


def advise(bench: Bench, result: Localization, deadline: float, confirm: int) -> list[Suggestion]:
    """The edits at the first elements, best first, each checked on the suite.

    The `confirm` best of them have been given to the tool, and the best one of each of the first
    definitions (`gramspect.localization.settling`); before them as many changes of token rules,
    where those are suspicious.
    """
    tokens = token_suggestions(bench, result, confirm, first_definitions(result.ranking))
    proposals = [p for p in _promising(result) if not makes_cyclic(bench.grammar, p.edit)]
    found = ordered(checked(bench, proposals, deadline), result)
    found = alike(generalized(bench, found, deadline))
    found = [with_text(bench, suggestion) for suggestion in found]
    best = _to_confirm(ordered(found, result), result, confirm)
    tried = all_confirmed(bench, best, in_forms=confirm)
    said = {id(one): again for one, again in zip(best, tried, strict=True)}
    return [*tokens, *_one_per_text(found, said)]


def _to_confirm(
    found: Sequence[Suggestion], result: Localization, confirm: int
) -> list[Suggestion]:
    """The best ones, and the best one of each definition whose order is to be settled."""
    best = list(islice(_confirmable(found), confirm))
    return [*best, *of_others(found, result, best)] if best else []


def of_others(
    found: Sequence[Suggestion], result: Localization, asked: Sequence[Suggestion]
) -> Iterator[Suggestion]:
    """The best one of each of the first definitions of which none is among those `asked`."""
    known = {one.definition for one in asked}
    for element in first_definitions(result.ranking):
        of_it = (one for one in found if one.definition == element.definition)
        if element.definition not in known:
            yield from islice((one for one in of_it if one.status in _WORTH), 1)


def _one_per_text(
    found: Sequence[Suggestion], said: Mapping[int, Suggestion]
) -> Iterator[Suggestion]:
    """The suggestions with what was `said` of them or of another one that writes the same text.

    Edits of different kinds may do so. Of those at one item only one is left.
    """
    told = {one.change.results: said[id(one)] for one in found if one.change and id(one) in said}
    texts = {(one.edit.item, one.change.results) for one in said.values() if one.change}
    for one in found:
        if id(one) in said:
            yield said[id(one)]
            continue
        if one.change is not None:
            place = one.edit.item, one.change.results
            if place in texts:
                continue
            texts.add(place)
            twin = told.get(one.change.results)
            if twin and twin.change and twin.change.results == one.change.results:
                yield replace(one, effect=twin.effect, confirmation=twin.confirmation)
                continue
        yield one


def _promising(result: Localization) -> Iterator[Proposal]:
    """Edits at the first elements, and after them those that serve all failing tests.

    A definition may have more elements than that before the next one has any, so the edits of each
    of the first definitions are among them wherever they are.
    """
    most = max((len(p.tests) for found in result.proposals.values() for p in found), default=0)
    unseen = {element.definition for element in first_definitions(result.ranking)}
    further = 0
    for place, element in enumerate(result.ranking):
        proposals = _worth_a_look(result.proposals_for(element))
        if place < ELEMENTS or (proposals and element.definition in unseen):
            yield from proposals
            if proposals:
                unseen.discard(element.definition)
        elif further < FURTHER and proposals and len(proposals[0].tests) == most > 1:
            yield proposals[0]
            further += 1


def _worth_a_look(proposals: Sequence[Proposal]) -> Sequence[Proposal]:
    """The cheapest proposals of an element that serve most tests."""
    near = [p for p in proposals if p.edit.cost <= proposals[0].edit.cost + MARGIN]
    return near[:PER_ELEMENT]


def _confirmable(suggestions: Sequence[Suggestion]) -> Iterator[Suggestion]:
    return (s for s in distinct(suggestions) if s.status in _WORTH)


def ordered(suggestions: Sequence[Suggestion], result: Localization) -> list[Suggestion]:
    """Best first: validated ones, and of these what fixes most, costs least and is suspected most.

    Edits that fix all failing tests come before the rest, and those that fix nearly all before
    those that fix half: one fault that explains them all is likelier than several. The worth of an
    edit is what its cost and the growth of the language say, times the score of its element, times
    the square of the tests that it fixes by those that it leaves. Between calls of equal worth the
    one that the grammar makes more often comes first.
    """
    scores = _scores(result)
    uses = Counter(symbol for rule in result.grammar.rules for symbol in rule.rhs)

    reading = min((one.edit.reading for one in suggestions), default=0.0)
    kinds = [one.error.kind for one in result.failing if one.error is not None]
    fixable = result.n_failing - kinds.count(ErrorKind.LEXICAL)

    def key(one: Suggestion) -> tuple[int, bool, float, int]:
        item = one.steps[0].edit.item
        left = max(0, fixable - len(one.effect.fixed))
        served = (len(one.effect.fixed) or 0.1 * len(one.effect.further)) / (1 + left)
        likely = prod(_likelihood(step, reading) for step in one.steps)
        worth = served**2 * likely * scores.get(item, 0.0)
        calls = [s for s in one.edit.symbols if not one.grammar.is_terminal(s)]
        return _ORDER[one.status], left > 0, -worth, -min((uses[s] for s in calls), default=0)

    return sorted(suggestions, key=key)


def _likelihood(step: Suggestion, reading: float) -> float:
    """`reading` is what a new word saves: it may as well be one that a token rule lacks."""
    edit = step.edit
    if edit.kind is EditKind.TOKEN:
        edit = replace(edit, cost=edit.cost + reading)
    return likelihood(step.grammar, edit)


def _scores(result: Localization) -> dict[int, float]:
    """The score of each item: its own, or that of its rule."""
    return {item: e.score for e in result.ranking for item in e.items}


# --- inputs that only a conflict rejects ---------------------------------------------------


def against_conflicts(bench: Bench, result: Localization, deadline: float) -> list[Suggestion]:
    """For failing inputs that the grammar derives: suspicious symbols and rules left out.

    A fault may add something that no test needs, but that conflicts with what they need. A
    context-free grammar knows nothing of conflicts, so only the tool can say whether that helps.
    """
    unsolved = [c for c in bench.cases if c.wanted and not c.passes][:SEQUENCES]
    if not any(trial_of(bench.grammar, case.tokens).chart.accepted for case in unsolved):
        return []
    proposals = [Proposal(edit, ()) for edit in islice(_left_out(result), 2 * WITHOUT)]
    looked_at = checked(bench, proposals, deadline)
    harmless = [s for s in looked_at if s.effect.complete and not s.effect.broken]
    written = [with_text(bench, suggestion) for suggestion in harmless[:WITHOUT]]
    found = all_confirmed(bench, [s for s in written if s.change is not None])
    return [suggestion for suggestion in found if suggestion.status is Status.VALIDATED]


def _left_out(result: Localization) -> Iterator[Edit]:
    """The next symbol of each element left out, and its rule; the most suspicious first."""
    grammar = result.grammar
    dropped: set[int] = set()
    for element in result.ranking:
        for item in () if element.token is not None else element.items:
            rule, dot = grammar.split_item(item)
            length = len(grammar.rules[rule].rhs)
            if dot < length > 1:
                yield Edit(item, EditKind.NARROW, (), 0, WITHOUT_SYMBOL)
            if rule not in dropped and len(grammar.rules_of[grammar.rules[rule].lhs]) > 1:
                dropped.add(rule)
                yield Edit(grammar.item_start[rule], EditKind.DROP, (), 0, WITHOUT_RULE)


# --- inputs that need two edits ------------------------------------------------------------


def in_sequence(bench: Bench, solved: set[int], deadline: float = inf) -> list[Suggestion]:
    """For failing inputs that no single edit serves: a second edit after a first one.

    The first edit is one that gets the parse further and harms no test, the second is searched from
    where the parse got to.
    """
    unsolved = [c for c in bench.cases if c.wanted and not c.passes and c.test not in solved]
    found: list[Suggestion] = []
    for case in unsolved[:SEQUENCES]:
        if now() >= deadline:
            break
        if not any(case.test in one.effect.fixed for one in found):
            found += islice(_for_case(bench, case, deadline), 1)
    return found


def _for_case(bench: Bench, case: Case, deadline: float) -> Iterator[Suggestion]:
    for first in _first_edits(bench, case, deadline):
        after = _after(bench, first)
        if after is None:
            continue
        then = next((c for c in after.cases if c.test == case.test), None)
        if then is None:
            continue
        outcomes = [o for o in _searched(after.grammar, then, deadline) if o.accepted]
        edits = [outcome.edit for outcome in outcomes[:FIRST_EDITS]]
        for edit, effect in zip(
            edits, effects(after.grammar, edits, after.cases, deadline), strict=True
        ):
            if effect.status is Status.VALIDATED:
                yield _joined(after, first, edit, effect)


def _first_edits(bench: Bench, case: Case, deadline: float) -> list[Suggestion]:
    """Edits that get an input further, the most promising first; one for each place it gets to."""
    error = parse_chart(bench.grammar, case.tokens).end
    outcomes = [o for o in _searched(bench.grammar, case, deadline) if not o.accepted]
    worth = {id(o): worth_of(o.edit.cost) * (o.reached - error) for o in outcomes}
    outcomes.sort(key=lambda outcome: -worth[id(outcome)])
    proposals = [Proposal(o.edit, (case.test,)) for o in outcomes[: 4 * FIRST_EDITS]]
    found = checked(bench, proposals, deadline)
    helping = [one for one in found if one.status in (Status.PROGRESS, Status.VALIDATED)]
    return [with_text(bench, one) for one in helping[:FIRST_EDITS]]


def _searched(grammar: Grammar, case: Case, deadline: float) -> tuple[Outcome, ...]:
    chart = trial_of(grammar, case.tokens).chart
    return () if chart.accepted else search(chart, case.tokens, deadline=deadline)


def _after(bench: Bench, first: Suggestion) -> Bench | None:
    """The parser and suite with an edit made; None if the tool does not take it."""
    fixed = set(first.effect.fixed)
    failing = [number for number in bench.failing if number not in fixed]
    if first.change is None:
        known = [replace(c, accepted=c.accepted is not (c.test in fixed)) for c in bench.cases]
        grammar = applied(bench.grammar, first.edit)
        return replace(bench, grammar=grammar, failing=failing, cases=known)
    spend(STEPS_PER_PARSER)
    try:
        loaded = bench.own_draft().with_change(first.change).load()
    except GramspectError:
        return None
    return replace(
        bench,
        recognizer=loaded.recognizer,
        grammar=loaded.grammar,
        failing=failing,
        cases=tuple(cases(loaded.recognizer, bench.suite, failing, bench.undecided)),
        loader=loaded.loader,
        draft=loaded.draft,
        kept=loaded,
        path_of=loaded.user_path,
    )


def _joined(after: Bench, first: Suggestion, edit: Edit, effect: Effect) -> Suggestion:
    both = Effect(
        tuple(sorted({*first.effect.fixed, *effect.fixed})),
        effect.further,
        effect.broken,
        effect.complete,
    )
    if first.change is None:
        reason = first.unwritable
        return Suggestion(after.grammar, edit, both, unwritable=reason, first=first)
    second = with_text(after, Suggestion(after.grammar, edit, both, first=first))
    if second.change is None or second.change.file.path != first.change.file.path:
        reason = second.unwritable or "the two edits are in different files"
        return replace(second, change=None, unwritable=reason)
    return replace(second, change=first.change.then(second.change))
