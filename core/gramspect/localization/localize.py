"""The main job: run a suite through a parser and rank what its failures point at."""

from __future__ import annotations

import os
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from gramspect.edits.failing import Searched, search_failing
from gramspect.edits.groups import Group, best_of_groups
from gramspect.edits.scores import proposals
from gramspect.edits.weights import edit_weights
from gramspect.effort import Effort, counting, now
from gramspect.errors import GramspectError
from gramspect.lexer_faults.scores import token_evidence, token_odds
from gramspect.lexer_faults.search import TokenSearched, search_tokens
from gramspect.localization.common import common_traits
from gramspect.localization.groups import rank_in_groups, shown_groups, stops_of
from gramspect.localization.notes import (
    code_notes,
    grammar_notes,
    lexer_notes,
    suite_notes,
    technique_notes,
)
from gramspect.localization.patterns import stop_patterns
from gramspect.localization.results import (
    Basis,
    Localization,
    Method,
    ranked_elements,
    with_tokens,
)
from gramspect.recognition.recognizer import LoadOptions, Recognizer, Tokenizing, TokenRuleKnowing
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.reduction.failing import smaller_suite
from gramspect.running.loading import load_parser
from gramspect.running.observing import silenced
from gramspect.running.options import RunOptions
from gramspect.running.recording import Recording, record
from gramspect.scoring.evidence import Evidence, depth_scores, of_elements
from gramspect.scoring.metrics import metric as metric_named
from gramspect.scoring.ranking import Ranking, Ties, rank_spectra
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.suites.suite import Expectation, TestCase, TestSuite

if TYPE_CHECKING:
    from gramspect.localization.reader import Reader

__all__ = ["localize"]

BUDGET = 120.0
"""The seconds after which everything ends, unless another budget is given."""

CONFIRMED_EDITS = 3
"""How many edits are tried in the tool itself unless another number is given."""

PUNCTUAL = 0.95
"""The part of the budget after which no step is begun: a test that runs then is not stopped."""

_LEFT_FOR_EDITS = 0.5
"""The part of the budget that remains for edits if running the suite took longer than the rest."""

_FOR_TOKENS = 0.25
"""The part of the work for edits in which token rules are looked at."""

FOR_CHECKS = 0.3
"""The part of the time for edits that is kept for checking them, and how much more work that is."""


def localize(
    source: str | os.PathLike[str] | Recognizer,
    suite: TestSuite,
    *,
    load: LoadOptions = LoadOptions(),
    run: RunOptions = RunOptions(),
    spectrum: str = Method.spectrum,
    extraction: str = Method.extraction,
    evidence: str | None = None,
    metric: str = Method.metric,
    ties: str = Method.ties,
    group: bool = False,
    effort: str = Effort.NORMAL,
    budget: float = BUDGET,
    reduce: bool = False,
    confirm: int | None = CONFIRMED_EDITS,
    reader: Reader | None = None,
    all_spectra: bool = False,
) -> Localization:
    """Run the suite and rank the rules or positions of the grammar by how suspicious they are.

    Args:
        source: a grammar or parser as the adapter takes it, or a recognizer.
        suite: the tests.
        load: how the source is loaded.
        run: how the suite is run.
        spectrum: ``rule``, ``item`` or ``shift`` (`SpectrumKind`).
        extraction: ``exact``, ``all`` or ``stack`` (`Extraction`).
        evidence: ``spectrum``, ``error``, ``both`` or ``edits`` (`Evidence`); by default ``edits``
            if the recognizer knows the tokens of a test (`Tokenizing`), else ``both``.
        metric: a name in `gramspect.scoring.metrics.METRICS`.
        ties: ``mid``, ``worst`` or ``kmax`` (`Ties`).
        group: rank the non-terminals that the user wrote, by the best element of each.
        effort: ``low``, ``normal`` or ``high`` (`Effort`): how much work the search for edits may
            do. Its result does not depend on the machine.
        budget: seconds after which everything ends, with the evidence ``edits``. The suite always
            runs to its end; half of the time is kept for the search for edits.
        reduce: make failing tests smaller (`gramspect.reduction.failing`), and rank and search by
            these, with the evidence ``edits``. Edits are still checked on the tests as they are.
        confirm: how many of the edits that are found are tried in the tool itself, with the best
            one of each of the first definitions, whose order depends on the outcome
            (`gramspect.localization.settling`); with None they are not even checked on the suite.
        reader: says which of the first definitions is at fault (`gramspect.localization.reader`).
        all_spectra: keep the spectra of all three kinds (`Localization.basis`), as the HTML report
            needs them.

    Raises:
        GramspectError: the source, the suite or an argument cannot be used.
        ValueError: worker processes are asked for and the loader is missing.
    """
    method = Method(
        choice(SpectrumKind, spectrum, "spectrum"),
        choice(Extraction, extraction, "extraction"),
        choice(Evidence, evidence or Evidence.BOTH, "kind of evidence"),
        metric,
        choice(Ties, ties, "way to resolve ties"),
        group,
    )
    steps = choice(Effort, effort, "effort").steps
    metric_named(metric)
    begin = monotonic()
    loaded = load_parser(source, load, run.loader)
    seconds_to_load = monotonic() - begin
    recognizer, name, loader = loaded
    if evidence is None and isinstance(recognizer, Tokenizing):
        method = replace(method, evidence=Evidence.EDITS)
    others = [kind for kind in SpectrumKind if all_spectra and kind is not method.spectrum]
    run = replace(run, loader=loader)
    kinds = [method.spectrum, *others]
    recording = record(recognizer, suite, method.extraction, kinds, run)
    smaller = None
    if reduce and method.evidence is Evidence.EDITS:
        tests = smaller_suite(recognizer, suite, recording.failing_numbers)
        if tests != suite:
            smaller = record(recognizer, tests, method.extraction, kinds, run)
    recorded = monotonic()
    stop = max(begin + PUNCTUAL * budget, recorded + _LEFT_FOR_EDITS * budget)
    with counting(stop if confirm is None else stop - FOR_CHECKS * (stop - recorded)):
        result = _result(recognizer, method, recording, smaller, adapter=name, steps=steps)
    if (result.proposals or result.token_faults) and confirm is not None:
        from gramspect.edits.confirmation import Runs
        from gramspect.localization.selection import advise, bench_of
        from gramspect.localization.settling import rescored, settled

        seconds = recorded - begin - seconds_to_load
        bench = bench_of(loaded, result, Runs(run.timeout, run.jobs, seconds_to_load, seconds))
        with counting(stop):
            suggestions = advise(bench, result, now() + FOR_CHECKS * steps, confirm)
        factors = settled(result.ranking, suggestions, result.n_failing)
        result = replace(
            result,
            ranking=rescored(result.ranking, factors, method.ties),
            suggestions=tuple(suggestions),
            basis=replace(result.basis, settled=factors),
        )
    if reader is None:
        return result
    from gramspect.localization.reader import chosen_by

    return chosen_by(reader, result)


Choice = TypeVar("Choice", SpectrumKind, Extraction, Evidence, Ties, Effort)


def choice(choices: type[Choice], name: str, what: str) -> Choice:
    try:
        return choices(name)
    except ValueError:
        known = ", ".join(choices)
        raise GramspectError(f"there is no {what} {name!r}; there are: {known}") from None


# --- the result ----------------------------------------------------------------------------


def _result(
    recognizer: Recognizer,
    method: Method,
    told: Recording,
    smaller: Recording | None,
    *,
    adapter: str | None,
    steps: float,
) -> Localization:
    """What a report tells is of the tests as they are, what is ranked of smaller ones if given."""
    recording = smaller or told
    grammar, suite = recognizer.grammar, recording.suite
    matrix = recording.matrices[method.spectrum]
    expectations = [suite.tests[number].expectation for number in recording.unexpected]
    item_depths = depth_scores(
        SpectrumKind.ITEM, grammar, recording.unexpected.values(), expectations
    )
    depths = None
    if item_depths is not None and method.evidence is not Evidence.SPECTRUM:
        depths = of_elements(method.spectrum, grammar, item_depths)
    searched: tuple[Searched, ...] = ()
    tokens: tuple[TokenSearched, ...] = ()
    if method.evidence is Evidence.EDITS:
        # Of an undecided test the lexer may not come to an end, so only failing ones are searched.
        failing = [(number, suite.tests[number]) for number in recording.failing_numbers]
        if isinstance(recognizer, TokenRuleKnowing):
            rejected = _wrongly_rejected(recording)
            with silenced():
                tokens = search_tokens(recognizer, grammar, rejected, now() + _FOR_TOKENS * steps)
        searched = search_failing(recognizer, failing, steps, recording.passing)
    metric = metric_named(method.metric)
    found: tuple[Group, ...] = ()
    by_groups: Ranking | None = None
    if method.evidence is Evidence.EDITS:
        stops = stops_of(grammar, recording)
        grouped = rank_in_groups(matrix, grammar, metric, method.ties, depths, searched, stops)
        ranking, found, by_groups = grouped.of_all, grouped.groups, grouped.by_groups
    else:
        ranking = rank_spectra(
            matrix, grammar, metric, method.ties, evidence=method.evidence, depths=depths
        )
    elements = ranked_elements(grammar, matrix, by_groups or ranking, method.grouped)
    odds = token_odds(tokens, searched)
    if tokens and isinstance(recognizer, TokenRuleKnowing):
        best = max((element.score for element in elements), default=1.0)
        evidence = token_evidence(odds, best, {} if by_groups is None else best_of_groups(found))
        rules = recognizer.token_rules() if evidence else ()
        elements = with_tokens(elements, grammar, matrix, rules, evidence, method.ties)
    return Localization(
        grammar=grammar,
        suite=told.suite,
        adapter=adapter,
        method=method,
        n_passing=matrix.n_passing,
        failing=told.failing,
        undecided=told.undecided,
        ranking=elements,
        notes=(
            *grammar_notes(recognizer),
            *technique_notes(recognizer, told.failing),
            *lexer_notes(recognizer, told.failing),
            *code_notes(recognizer, told.failing),
            *suite_notes(suite, ranking),
        ),
        proposals=proposals(searched),
        groups=shown_groups(grammar, matrix, found, searched, elements, odds),
        patterns=stop_patterns(recognizer, told),
        common=common_traits(recognizer, told, method.spectrum),
        token_faults=tokens,
        basis=Basis(
            recording.matrices,
            item_depths,
            edit_weights(SpectrumKind.ITEM, grammar, searched) if searched else None,
            None if by_groups is None else by_groups.scores_of_elements,
        ),
    )


def _wrongly_rejected(recording: Recording) -> list[tuple[int, TestCase]]:
    """The tests that are rejected and should not be, with their numbers."""
    found = []
    for number in recording.failing_numbers:
        test = recording.suite.tests[number]
        rejected = recording.unexpected[number].verdict is Verdict.REJECTED
        if rejected and test.expectation is Expectation.ACCEPT:
            found.append((number, test))
    return found
