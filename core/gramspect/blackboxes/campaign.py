"""The main job: where do a grammar and a system that cannot be instrumented differ?

The grammar is a model of the system's language. Tests are generated from it, the system is asked
about each, and the derivations of the tests are the spectra (Raselimo and Fischer 2024, Sections
5.3 and 9).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gramspect.blackboxes.answers import Reaction
from gramspect.blackboxes.asking import Interview, System
from gramspect.blackboxes.callables import InProcess
from gramspect.blackboxes.deviations import Deviation, deviations_of, localized
from gramspect.blackboxes.observed import Asked, observed
from gramspect.blackboxes.state import Round, State, load_state, save_state
from gramspect.errors import GramspectError
from gramspect.files import check_writable
from gramspect.generation.generate import Generation, Plan
from gramspect.generation.generated import GeneratedTest
from gramspect.generation.sources import read_grammar
from gramspect.generation.texts import Spacing
from gramspect.generation.words import Texts, TokenNames
from gramspect.grammars.grammar import Grammar
from gramspect.localization.results import Localization, Method, Note
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import Verdict
from gramspect.running.options import Progress
from gramspect.scoring.evidence import Evidence
from gramspect.scoring.metrics import metric as metric_named
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.suites.suite import Expectation

__all__ = ["DEFAULT_METHOD", "BlackBox", "blackbox"]

DEFAULT_METHOD = Method(evidence=Evidence.SPECTRUM)
"""How elements are ranked: by the spectra alone. The positions that a parser considered at an error
are not known, so the distance from the error says less than with a parser."""


@dataclass(frozen=True)
class BlackBox:
    """Where a grammar and a system differ.

    `localization` is the ranking for all tests, and `deviations` the differences one after the
    other, if rounds were asked for. `reactions` counts what the system did with the tests. `asked`
    is the number of inputs that the system was asked about: tests that the state file does not
    have, and beginnings of tests (`gramspect.blackboxes.places`). `earlier` are the runs that the
    state file has.
    """

    localization: Localization
    deviations: tuple[Deviation, ...] = field(repr=False)
    reactions: Mapping[Reaction, int]
    asked: int
    earlier: tuple[Round, ...] = ()


def blackbox(
    source: str | os.PathLike[str] | Grammar,
    system: System | Callable[[str], object],
    plan: Plan | None = None,
    *,
    texts: Texts | None = None,
    load: LoadOptions = LoadOptions(),
    model: str | None = None,
    samples: str | None = None,
    spacing: Spacing = Spacing.BLANK,
    method: Method | None = None,
    other: Verdict = Verdict.ACCEPTED,
    positions: bool = True,
    rounds: int = 0,
    timeout: float | None = None,
    jobs: int = 1,
    state: str | os.PathLike[str] | None = None,
    all_spectra: bool = False,
    progress: Progress | None = None,
) -> BlackBox:
    """Generate tests from a grammar, ask a system about them, rank where the two differ.

    Args:
        source: a grammar, or a grammar file as the adapter takes it.
        system: a `Command`, a `PythonCallable`, anything with their methods, or a function of a
            text, which accepts by returning and rejects by raising (`PythonCallable`).
        plan: the tests; by default ``cdrc``.
        texts: how the tokens of a `Grammar` become text, if not by their names or literals.
        load: how a grammar file is loaded, as for `localize`. No parser runs.
        model, samples, spacing: which part of the grammar is tested, and how its tokens become
        text, as for
            `gramspect.generation.sources.read_grammar`.
        method: which elements are ranked, and how; by default `DEFAULT_METHOD`. The evidence
            ``edits`` needs a parser, and is refused.
        other: how a rejection for other reasons than syntax counts.
        positions: whether a test uses only what its derivation has before a reported error.
        rounds: how many differences, at most, are told apart, one after the other.
        timeout: seconds that the system may take for an input; each system has its own default.
        jobs: how many inputs it gets at the same time.
        state: a file of answers; inputs in it are not asked again, and new answers are added.
        all_spectra: keep the spectra of all three kinds, as the HTML report needs them.
        progress: called after each answer.

    Raises:
        GramspectError: the grammar, the plan, the system or the state file cannot be used.
        ValueError: `timeout`, `jobs` or `rounds` is out of range.
    """
    if jobs < 1 or rounds < 0 or (timeout is not None and timeout <= 0):
        raise ValueError("the time limit, the jobs and the rounds must be positive")
    how = method or DEFAULT_METHOD
    metric_named(how.metric)
    if how.evidence is Evidence.EDITS:
        raise GramspectError("the evidence 'edits' needs a parser; a black box has none")
    if isinstance(source, Grammar):
        grammar, written = source, texts or TokenNames(source)
    else:
        grammar, written = read_grammar(
            os.fspath(source), load=replace(load, actions=False),
            model=model, samples=samples, spacing=spacing, seed=None if plan is None else plan.seed,
        )  # fmt: skip
    generation = Generation(grammar, plan or Plan(("cdrc",)), written)
    asked_system = system if isinstance(system, System) else InProcess(system)
    path = None if state is None else os.fspath(state)
    if path is not None:
        check_writable(path)
    known = State("") if path is None else load_state(path, asked_system.identity)
    interview = Interview(asked_system, known.answers, timeout=timeout, jobs=jobs)
    try:
        asked = _asked(generation, interview, progress)
        kinds = list(SpectrumKind) if all_spectra else [how.spectrum]
        seen = observed(grammar, written, asked, interview, kinds, other=other, positions=positions)
        earlier = tuple(known.rounds)
        result = localized(seen, how, tuple(_notes(generation, asked, other)))
        known.rounds.append(Round(len(asked), result.n_failing, interview.n_asked))
    finally:
        if path is not None:
            save_state(path, known)
    return BlackBox(
        result,
        tuple(deviations_of(seen, how, result, rounds)),
        Counter(each.answer.reaction for each in asked),
        interview.n_asked,
        earlier,
    )


def _asked(generation: Generation, interview: Interview, progress: Progress | None) -> list[Asked]:
    """The tests, each text once, with the system's answers.

    Different tokens may have the same text: the first test with it counts.
    """
    tests: dict[str, GeneratedTest] = {}
    for test in generation:  # now, while the lexer still has the last texts in its cache
        tests.setdefault(generation.texts.text(test.tokens), test)
    if not tests:
        why = "".join(f"; {note}" for note in generation.notes()[:1])
        raise GramspectError(f"there is no such test for this grammar{why}")
    listed = [(test, text) for text, test in tests.items()]
    answers = interview.answers([text for _, text in listed], progress)
    return [Asked(*each, answer) for each, answer in zip(listed, answers, strict=True)]


# --- notes for the reader ---------------------------------------------------------------


def _notes(generation: Generation, asked: Sequence[Asked], other: Verdict) -> Iterator[Note]:
    yield Note(
        "synthetic",
        "the system is a black box: a test uses what its derivation uses, up to the place of the"
        " error if the system tells it",
    )
    uncovered = generation.notes()
    if uncovered:
        others = f" (and {len(uncovered) - 1} more)" if len(uncovered) > 1 else ""
        yield Note("uncovered", f"{uncovered[0]}{others}", uncovered)
    elsewhere = [each for each in asked if each.answer.reaction is Reaction.OTHER]
    if elsewhere:
        counted = {
            Verdict.ACCEPTED: "count as accepted",
            Verdict.REJECTED: "count as rejected",
            Verdict.UNDECIDED: "do not count",
        }[other]
        text = f"{len(elsewhere):,} tests are rejected for other reasons than syntax and {counted}"
        examples = (f"{each.text}: {each.answer.message}" for each in elsewhere[:_EXAMPLES])
        yield Note("other", text, tuple(examples))
    yield from _one_sided(asked)


_EXAMPLES = 20


def _one_sided(asked: Sequence[Asked]) -> Iterator[Note]:
    """Notes for a system that treats all inputs alike: it may not judge them at all."""
    judged = [each for each in asked if each.answer.reaction is not Reaction.NONE]
    sentences = [each for each in judged if each.expectation is Expectation.ACCEPT]
    others = [each for each in judged if each.expectation is Expectation.REJECT]
    if sentences and all(each.answer.reaction is Reaction.SYNTAX for each in sentences):
        yield Note(
            "all-rejected",
            "the system rejects every sentence of the grammar; check how it is called, and the"
            f" pattern for syntax errors: the first says {sentences[0].answer.message!r}",
        )
    if others and all(each.answer.reaction is Reaction.ACCEPTED for each in others):
        yield Note(
            "all-accepted",
            "the system accepts every test that is no sentence; check that it tells errors by its"
            " exit status, or give a pattern for its messages",
        )
