"""Which changes of token rules to suggest, each tried in the tool."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from math import inf

from gramspect.edits.confirmation import Agreement
from gramspect.edits.suggestion import Bench, Suggestion, all_confirmed
from gramspect.edits.tokens import TokenEdit
from gramspect.edits.validation import Effect, Status
from gramspect.edits.writing import Unwritable
from gramspect.effort import now
from gramspect.errors import GramspectError
from gramspect.lexer_faults.repairs import TokenProposal, token_proposals
from gramspect.localization.results import Localization, RankedElement
from gramspect.recognition.recognizer import TokenRuleKnowing
from gramspect.running.observing import silenced
from gramspect.source import Span

__all__ = ["token_suggestions"]

MOST = 3
"""The most token rules that are mended."""
ENOUGH = 3
"""After this many changes that make all failing tests pass no other is tried."""


def token_suggestions(
    bench: Bench, result: Localization, most: int, among: Iterable[RankedElement]
) -> list[Suggestion]:
    """Changes of suspicious token rules that the tool confirms, or that could not be tried.

    The rules are the first ones among `among`, elements of the ranking; at most `most` changes are
    tried. Core does not know what another lexer would make of a text, so only
    the tool can say what a change does.
    """
    recognizer = bench.recognizer
    tokens = (e.element for e in among if e.token is not None)
    suspicious = set(islice(tokens, MOST))
    if not most or not suspicious or not isinstance(recognizer, TokenRuleKnowing):
        return []
    with silenced():
        proposals = token_proposals(recognizer, bench.suite, result.token_faults)
    found: list[Suggestion] = []
    n_whole = 0
    for proposal in _spread(proposals, suspicious)[:most]:
        if now() == inf or n_whole == ENOUGH:
            break
        suggestion = _tried(bench, proposal)
        if suggestion.status in (Status.HARMFUL, Status.USELESS):
            continue
        found.append(suggestion)
        n_whole += len(suggestion.effect.fixed) == len(bench.failing)
    return found


def _spread(proposals: list[TokenProposal], suspicious: set[int]) -> list[TokenProposal]:
    """Those that begin with a suspicious rule, the best first."""
    blamed = {p.edit.item for p in proposals} & suspicious
    return [p for p in proposals if p.edit.item in blamed] or proposals[:ENOUGH]


def _tried(bench: Bench, proposal: TokenProposal) -> Suggestion:
    effect = Effect(proposal.tests, proposal.further, complete=False)
    edit = _relocated(proposal.edit, bench)
    suggestion = Suggestion(bench.grammar, edit, effect)
    try:
        draft = bench.own_draft()
        suggestion = replace(suggestion, change=edit.written(draft.to_change))
    except (Unwritable, GramspectError) as reason:
        return replace(suggestion, unwritable=str(reason))
    (suggestion,) = all_confirmed(bench, [suggestion])
    said = suggestion.confirmation
    if said is not None and said.agreement is Agreement.CONFIRMED:
        return replace(suggestion, effect=replace(suggestion.effect, complete=True))
    return suggestion


def _relocated(edit: TokenEdit, bench: Bench) -> TokenEdit:
    """The change with spans in the user's files."""

    def moved(span: Span) -> Span:
        return replace(span, file=bench.path_of(span.file))

    rule = replace(edit.rule, span=edit.rule.span and moved(edit.rule.span))
    rewriting = tuple((moved(span), text) for span, text in edit.rewriting)
    return replace(edit, rewriting=rewriting, rule=rule)
