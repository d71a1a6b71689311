"""Edits with all that is known about them: their effect, their text, what the tool says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import monotonic

from gramspect.edits.confirmation import (
    Agreement,
    Confirmation,
    Runs,
    confirm,
    confirm_built,
    tool_name,
)
from gramspect.edits.drafts import Draft
from gramspect.edits.model import NEW_TOKEN, Edit, EditKind, applied
from gramspect.edits.scores import Proposal
from gramspect.edits.tokens import TokenEdit
from gramspect.edits.validation import Case, Effect, Status, effects
from gramspect.edits.writing import Change, Unwritable, written
from gramspect.effort import clock
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.relations import united
from gramspect.grammars.symbols import Operator
from gramspect.recognition.recognizer import Recognizer, TokenRuleKnowing
from gramspect.running.loading import LoadSpec
from gramspect.running.options import Loader
from gramspect.source import Span
from gramspect.suites.suite import TestSuite

__all__ = [
    "Bench",
    "Suggestion",
    "alike",
    "all_confirmed",
    "checked",
    "confirmed",
    "distinct",
    "nonterminal_of",
    "with_text",
]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An edit of `grammar`, and what is known about it.

    Attributes:
        effect: its effect on the suite; of a sequence, the effect of all its edits.
        alike: items at which an edit of the same kind with the same symbols has the same effect:
            callers and callees of this one.
        change: the edit in the user's text; None if it cannot be written (`unwritable` says why).
        confirmation: the tool's verdict on it; None if the tool was not asked.
        first: the suggestion that has to be made before this one; `grammar` already includes it.
    """

    grammar: Grammar = field(repr=False)
    edit: Edit
    effect: Effect
    alike: tuple[int, ...] = ()
    change: Change | None = field(default=None, repr=False)
    unwritable: str = ""
    confirmation: Confirmation | None = None
    first: Suggestion | None = None

    @property
    def status(self) -> Status:
        """The status after the tool's verdict: `Status.HARMFUL` if the tool does not agree."""
        said = self.confirmation
        if said is not None and said.agreement in (Agreement.DIFFERS, Agreement.REFUSED):
            return Status.HARMFUL
        if said is not None and said.agreement is Agreement.CONFIRMED and self.effect.fixed:
            return Status.VALIDATED
        return self.effect.status

    @property
    def cost(self) -> float:
        """The cost of all edits."""
        return self.edit.cost + (self.first.cost if self.first else 0.0)

    @property
    def steps(self) -> tuple[Suggestion, ...]:
        """The suggestions to be made one after the other, this one last."""
        return (*(self.first.steps if self.first else ()), self)

    @property
    def label(self) -> str:
        """The label of the position that is changed, as in rankings; ``token NAME``."""
        if isinstance(self.edit, TokenEdit):
            return self.edit.rule.label
        return self.grammar.item_label(self.edit.item)

    @property
    def span(self) -> Span | None:
        """Where to look in the grammar's files."""
        if isinstance(self.edit, TokenEdit):
            return self.edit.rule.span
        return self.grammar.item_span(self.edit.item)

    @property
    def definition(self) -> int:
        """The non-terminal that the user wrote whose definition is changed, or the token rule.

        The number of a token rule with a name is negative.
        """
        item = self.edit.item
        if item >= 0:
            return self.grammar.definition_of(item)
        written_in = self.edit.rule.definition if isinstance(self.edit, TokenEdit) else None
        return item if written_in is None else written_in

    @property
    def nonterminal(self) -> str:
        """The non-terminal, or token, that the user wrote whose definition is changed."""
        if isinstance(self.edit, TokenEdit):
            return self.edit.rule.label
        return nonterminal_of(self.grammar, self.edit.item)

    def describe(self) -> str:
        """The edits in words."""
        words = self.edit.describe(self.grammar)
        if self.first is None:
            return words
        return f"{self.first.describe()}; then, in {self.nonterminal}, {words}"


def nonterminal_of(grammar: Grammar, item: int) -> str:
    """The name of the non-terminal that the user wrote whose definition an item lies in."""
    return grammar.symbols[grammar.definition_of(item)].name


@dataclass(frozen=True, eq=False)
class Bench:
    """A parser, a suite and what failed: all that suggestions are made and checked with.

    `cases` are the tests as tokens (`gramspect.edits.validation.cases`), `failing` the numbers of
    those that fail or are undecided, `undecided` those of the latter.
    """

    recognizer: Recognizer
    grammar: Grammar
    suite: TestSuite
    failing: Sequence[int]
    cases: Sequence[Case]
    adapter: str | None = None
    loader: Loader | None = None
    runs: Runs = field(default_factory=Runs)
    draft: Draft | None = None
    undecided: frozenset[int] = frozenset()
    kept: object = None
    """An object that has to live as long as the recognizer."""
    path_of: Callable[[str], str] = str
    """The user's path of a file that the recognizer was made of."""

    def lexers(self) -> Sequence[str]:
        """The files that token rules are in, as far as the recognizer says so."""
        return self._lexers

    @cached_property
    def _lexers(self) -> Sequence[str]:
        known = self.recognizer
        rules = known.token_rules() if isinstance(known, TokenRuleKnowing) else ()
        files = (rule.span.file for rule in rules if rule.span is not None)
        return tuple(dict.fromkeys(map(self.path_of, files)))

    def own_draft(self) -> Draft:
        """The source as a draft.

        Raises:
            Unwritable: there is no source that could be loaded again.
        """
        if self.draft is not None:
            return self.draft
        if not isinstance(self.loader, LoadSpec):
            raise Unwritable("the parser was not loaded from a file")
        return Draft.of(self.loader, self.grammar)


def checked(bench: Bench, proposals: Iterable[Proposal], deadline: float) -> list[Suggestion]:
    """The proposals with what they do to the suite, in their order."""
    edits = [proposal.edit for proposal in proposals]
    found = effects(bench.grammar, edits, bench.cases, deadline)
    return [Suggestion(bench.grammar, e, f) for e, f in zip(edits, found, strict=True)]


def with_text(bench: Bench, suggestion: Suggestion, *, apart: bool = False) -> Suggestion:
    """The suggestion as a change of the user's text, if it can be one."""
    try:
        draft = bench.own_draft()
        change = written(
            suggestion.grammar, suggestion.edit, draft.to_change, apart=apart, lexers=bench.lexers
        )
    except Unwritable as reason:
        return replace(suggestion, change=None, unwritable=str(reason))
    except GramspectError as problem:
        return replace(suggestion, change=None, unwritable=str(problem))
    return replace(suggestion, change=change, unwritable="")


def confirmed(
    bench: Bench, suggestion: Suggestion, deadline: float, *, in_forms: bool = True
) -> Suggestion:
    """The suggestion with what the tool says about it.

    If the tool does not agree and `in_forms` is set, the same is offered in other forms: as a new
    alternative of its own, and instead of what the rule said. The old form beside the new one may
    be a conflict. If only code of the user's fails in all of them, it is left out: the same parser
    without its actions is asked, or one that the tool makes of gramspect's form of the grammar.
    """
    found = _confirmed(bench, suggestion, deadline)
    if not _is_denied(found) or found.first or found.edit.kind.restrictive or not in_forms:
        return found
    for other in _other_forms(bench, suggestion):
        if not bench.runs.in_time(deadline):
            return found
        again = _confirmed(bench, other, deadline)
        if not _is_denied(again):
            return again
    return _without_actions(bench, found, deadline)


def _is_denied(one: Suggestion) -> bool:
    denials = (Agreement.DIFFERS, Agreement.REFUSED, Agreement.UNDECIDED)
    said = one.confirmation
    return one.status is Status.HARMFUL or (said is not None and said.agreement in denials)


def _without_actions(bench: Bench, one: Suggestion, deadline: float) -> Suggestion:
    """The same where a test is undecided, for an action may not know the new alternative."""
    said = one.confirmation
    if one.change is None or said is None or said.agreement is not Agreement.UNDECIDED:
        return one
    again = _confirmed(replace(bench, draft=bench.own_draft().without_actions()), one, deadline)
    told = again.confirmation
    if told is not None and told.agreement is Agreement.CONFIRMED:
        return replace(again, confirmation=replace(told, tool=f"{told.tool} without actions"))
    said = _built(bench, one, deadline)
    if said is not None and said.agreement is Agreement.CONFIRMED:
        return replace(one, confirmation=said)
    return one


def _built(bench: Bench, one: Suggestion, deadline: float) -> Confirmation | None:
    """What a parser says that the tool makes of gramspect's form of the grammar, if it can be
    asked."""
    has_form = not isinstance(one.edit, TokenEdit) and not _has_new_token(one)
    if not bench.adapter or bench.draft is not None or not has_form:
        return None
    return confirm_built(
        bench.adapter, bench.recognizer, one.grammar, one.edit, one.effect, bench.suite,
        bench.failing, bench.runs, deadline,
    )  # fmt: skip


def all_confirmed(
    bench: Bench, suggestions: Sequence[Suggestion], in_forms: int | None = None
) -> list[Suggestion]:
    """Each with what the tool says about it, as far as there is time (`gramspect.effort.Clock`).

    Only the first `in_forms` are tried in other forms if the tool does not agree; by default all.

    None takes longer than `Runs.patience`, and the first ones leave the later ones as much time as
    it takes to make a parser and to run what they fix, as far as there is that much.
    """
    cost, deadline = 2 * bench.runs.load, clock().stop
    found = []
    many = len(suggestions) if in_forms is None else in_forms
    for number, one in enumerate(suggestions):
        later = len(suggestions) - 1 - number
        room = max(0.0, (deadline - monotonic()) / cost - 1) if cost else 0.0
        end = min(deadline - int(min(later, room)) * cost, monotonic() + bench.runs.patience)
        found.append(confirmed(bench, one, end, in_forms=number < many))
    return found


def _other_forms(bench: Bench, one: Suggestion) -> Iterator[Suggestion]:
    apart = with_text(bench, one, apart=True)
    texts = [form.change and form.change.results for form in (one, apart)]
    if None not in texts and texts[0] != texts[1]:
        yield apart
    yield from _instead(bench, one)
    for item in one.alike[:_ALIKE]:
        edit = replace(one.edit, item=item)
        other = with_text(bench, Suggestion(bench.grammar, edit, one.effect))
        yield other
        yield from _instead(bench, other)


def _instead(bench: Bench, one: Suggestion) -> Iterator[Suggestion]:
    """The edit with the new symbols replacing the old ones, if no test needs those."""
    strict = _STRICT.get(one.edit.kind)
    rule, _ = bench.grammar.split_item(one.edit.item)
    nothing_left = not one.edit.symbols and len(bench.grammar.rules[rule].rhs) == 1
    if strict is not None and not nothing_left:
        edit = replace(one.edit, kind=strict)
        (effect,) = effects(bench.grammar, [edit], bench.cases)
        if effect.status is Status.VALIDATED:
            yield with_text(bench, Suggestion(bench.grammar, edit, effect))


_ALIKE = 4
"""How many of the places that are alike are tried where the tool does not agree."""
_STRICT = {EditKind.INSERT: EditKind.REQUIRE, EditKind.REPLACE: EditKind.NARROW}
"""The kinds of edit that put the new symbols in the place of what the rule said."""


def _confirmed(bench: Bench, suggestion: Suggestion, deadline: float) -> Suggestion:
    effect, suite, failing = suggestion.effect, bench.suite, bench.failing
    if suggestion.change is not None:
        draft = bench.own_draft()
        paths = [each.file.path for each in suggestion.change.of_each_file]
        path = next((path for path in paths if not draft.loads(path)), None)
        if path is not None:
            why = f"{draft.spec.source} is not made of {path} when it is loaded"
            untried = Confirmation(tool_name(bench.adapter), Agreement.UNTRIED, message=why)
            return replace(suggestion, confirmation=untried)
        before = None if isinstance(suggestion.edit, TokenEdit) else bench.grammar
        said = confirm(
            draft, suggestion.change, effect, suite, failing, bench.runs, deadline, before
        )
    else:
        built = _built(bench, suggestion, deadline)
        if built is None:
            return suggestion
        said = built
    return replace(suggestion, confirmation=said, effect=effect.with_fixed(said.also))


def _has_new_token(suggestion: Suggestion) -> bool:
    return any(NEW_TOKEN in step.edit.symbols for step in suggestion.steps)


def alike(suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """The suggestions, each with the places where the same edit does the same.

    Of a caller and its callee both may offer a place for the same symbols at the same token; then
    it is a matter of taste where they are written.
    """
    groups: dict[object, list[Suggestion]] = {}
    for one in suggestions:
        edit = one.edit
        key = (edit.kind, edit.symbols, edit.column, one.effect.fixed, one.effect.broken)
        groups.setdefault(key, []).append(one)
    places: dict[int, tuple[int, ...]] = {}
    calls = _calls(suggestions[0].grammar) if len(groups) < len(suggestions) else {}
    for group in groups.values():
        for one in group if len(group) > 1 else ():
            items = (other.edit.item for other in group if other is not one)
            related = (i for i in items if _related(one.grammar, calls, one.edit.item, i))
            places[id(one)] = tuple(dict.fromkeys(related))
    return [replace(one, alike=places.get(id(one), ())) for one in suggestions]


def _related(grammar: Grammar, calls: Mapping[int, int], one: int, other: int) -> bool:
    """Whether one item's non-terminal calls, perhaps through others, that of the other one."""
    first, second = (grammar.rules[grammar.split_item(item)[0]].lhs for item in (one, other))
    return bool(calls[first] >> second & 1 or calls[second] >> first & 1)


def _calls(grammar: Grammar) -> dict[int, int]:
    """For every non-terminal the symbols that it reaches, as bits."""
    own = [1 << symbol.index for symbol in grammar.symbols]
    called: list[list[int]] = [[] for _ in grammar.symbols]
    for rule in grammar.rules:
        called[rule.lhs] += rule.rhs
    return dict(enumerate(united(own, called)))


def distinct(
    suggestions: Iterable[Suggestion], seen: set[object] | None = None
) -> Iterator[Suggestion]:
    """The suggestions without repetitions, and without those that amount to an earlier one.

    Two edits may lead to the same rule: leaving out the one symbol before the last, and ending the
    rule early with the last one. No two have the same diff. `seen` carries the earlier ones over to
    the next call.
    """
    seen = set() if seen is None else seen
    for one in suggestions:
        edit = one.edit
        if one.first is not None:
            yield one
            continue
        places = [(item, edit.kind, edit.symbols) for item in (edit.item, *one.alike)]
        results = [_result_of(one.grammar, edit)]
        if one.change is not None:
            results.append(one.change.results)
        if seen.isdisjoint(results) and seen.isdisjoint(places):
            yield one
        seen.update((*results, places[0]))


def _result_of(grammar: Grammar, edit: Edit) -> object:
    """A key that two edits share if they make the same grammar."""
    if isinstance(edit, TokenEdit):
        return edit.item, edit.rewriting
    rule = grammar.rules[grammar.split_item(edit.item)[0]]
    if edit.kind.restrictive:
        return rule.index, edit
    if edit.kind is EditKind.INSERT:  # the inserted symbols may be left out anyway
        bare = tuple(_without_option(grammar, symbol) for symbol in edit.symbols)
        edit = replace(edit, symbols=bare)
    new = applied(grammar, edit).rules[rule.index + 1]
    return new.lhs, new.rhs


def _without_option(grammar: Grammar, symbol: int) -> int:
    """The content of an option, if it is one symbol."""
    if grammar.symbols[symbol].operator is not Operator.OPTION:
        return symbol
    bodies = [rhs for index in grammar.rules_of[symbol] if (rhs := grammar.rules[index].rhs)]
    return bodies[0][0] if len(bodies) == 1 and len(bodies[0]) == 1 else symbol
