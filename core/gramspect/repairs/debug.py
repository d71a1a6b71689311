"""One fault at a time: localize, mend what comes first, run the tests again.

This is how Raselimo and Fischer (2024, Section 8) mend grammars with many faults; Zakari et al.
(2020) call it one-bug-at-a-time debugging. Changes are made in a draft; the user's files
stay as they are.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import monotonic

from gramspect.edits.confirmation import Runs
from gramspect.edits.drafts import Draft, LoadedDraft
from gramspect.edits.suggestion import Suggestion
from gramspect.edits.validation import Status
from gramspect.edits.writing import Change, SourceFile, Unwritable
from gramspect.effort import Effort, counting, now
from gramspect.errors import GramspectError
from gramspect.lexical.rules import TokenRule
from gramspect.localization.localize import BUDGET, FOR_CHECKS, choice, localize
from gramspect.localization.reader import Reader
from gramspect.localization.results import Localization
from gramspect.localization.selection import bench_of
from gramspect.recognition.recognizer import LoadOptions
from gramspect.repairs.suggest import Suggestions, suggestions_for
from gramspect.running.loading import Loaded, spec_of
from gramspect.running.observing import silenced
from gramspect.running.options import RunOptions
from gramspect.running.recording import UndecidedTest
from gramspect.scoring.evidence import Evidence
from gramspect.suites.suite import TestSuite

__all__ = ["Debugger", "Debugging", "Round", "debug"]

MOST_ROUNDS = 100
SUGGESTED = 10
CONFIRMED = 3


@dataclass(frozen=True)
class Round:
    """One localization, and what was done about it.

    `number` counts from 1. `chosen` is the edit that was made; None for a change of the user's own.
    `rank` is that of the edited rule in the ranking of rules, ties as their mean; None if it is not
    ranked. `failing` and `left` are the numbers of failing and undecided tests before the change
    and after it.
    """

    number: int
    found: Suggestions = field(repr=False)
    chosen: Suggestion | None
    rank: float | None
    failing: int
    left: int


@dataclass(frozen=True)
class Debugging:
    """The outcome for a grammar: the rounds, and its files as they are now.

    `left` is the number of tests that still fail or are undecided, which are the `undecided`;
    `changes` are the changed files.
    """

    rounds: tuple[Round, ...]
    n_tests: int
    left: int
    changes: tuple[Change, ...] = field(repr=False)
    undecided: tuple[UndecidedTest, ...] = field(default=(), repr=False)
    interrupted: bool = False


class Debugger:
    """A grammar that is being mended.

    Call `look` at the beginning of each round; then `make` an edit, or `take` a file that somebody
    has changed. `back` undoes a round, and `result` gives the outcome so far.
    """

    def __init__(
        self,
        source: str | os.PathLike[str],
        suite: TestSuite,
        *,
        load: LoadOptions = LoadOptions(),
        run: RunOptions = RunOptions(),
        effort: str = Effort.NORMAL,
        budget: float = BUDGET,
        reduce: bool = False,
        reader: Reader | None = None,
    ) -> None:
        """Load the grammar.

        Args:
            source, suite, load, run: as for `localize`; but the source has to be a file or folder.
            effort: how much work the search of each round may be, as for `localize`.
            budget: seconds that each round may take to find edits and to check them.
            reduce: whether to search with smaller failing tests, as for `localize`.
            reader: says in each round which definitions are at fault, as for `localize`.

        Raises:
            GramspectError: the source cannot be used.
        """
        path = os.fspath(source)
        with silenced():
            spec = spec_of(path, load)
            grammar = spec().grammar
        try:
            draft = Draft.of(spec, grammar)
        except Unwritable as reason:
            raise GramspectError(str(reason)) from None
        self.suite = suite
        self.rounds: list[Round] = []
        self._originals: dict[str, SourceFile] = {}
        self._loaded = draft.load()
        self._run = run
        self._effort = choice(Effort, effort, "effort")
        self._budget = budget
        self._reduce = reduce
        self._reader = reader
        self._found: Suggestions | None = None
        self._best = (len(suite) + 1, 0, draft)
        self._undecided: tuple[UndecidedTest, ...] = ()
        self._before: list[LoadedDraft] = []

    @property
    def draft(self) -> Draft:
        """The grammar as it is now."""
        return self._loaded.draft

    @property
    def path(self) -> str:
        """The file that the user works on: the first one of the grammar."""
        return self.draft.known[0]

    def look(self) -> Suggestions:
        """Run the suite, rank, and search for edits; once for every state of the grammar."""
        if self._found is None:
            loaded, begin = self._loaded, monotonic()
            result = localize(
                loaded.recognizer, self.suite, run=replace(self._run, loader=loaded.loader),
                evidence=Evidence.EDITS, effort=self._effort, budget=self._budget / 2,
                reduce=self._reduce, confirm=None,
            )  # fmt: skip
            name = self.draft.spec.adapter
            result = _relocated(replace(result, adapter=name), loaded)
            runs = Runs(self._run.timeout, self._run.jobs)
            bench = bench_of(Loaded(loaded.recognizer, name, loaded.loader), result, runs)
            bench = replace(bench, draft=self.draft, kept=loaded, path_of=loaded.user_path)
            with counting(max(begin + self._budget, monotonic() + self._budget / 10)):
                deadline = now() + FOR_CHECKS * self._effort.steps
                self._found = suggestions_for(
                    bench,
                    result,
                    deadline,
                    most=SUGGESTED,
                    confirm=CONFIRMED,
                    settle=True,
                    reader=self._reader,
                )
            left = _n_left(result)
            if left < self._best[0]:
                self._best = (left, len(self.rounds), self.draft)
                self._undecided = result.undecided
        return self._found

    @property
    def left(self) -> int:
        """How many tests fail or are undecided."""
        return _n_left(self.look().localization)

    def make(self, chosen: Suggestion) -> None:
        """Make an edit.

        Raises:
            GramspectError: it cannot be written, or the tool refuses it; nothing has changed then.
        """
        if chosen.change is None:
            raise GramspectError(f"the repair cannot be written into the file: {chosen.unwritable}")
        self._go_on(chosen.change.results, chosen)

    def take(self, file: SourceFile) -> None:
        """Go on with a file as it is given.

        Raises:
            GramspectError: the tool refuses it; nothing has changed then.
        """
        self._go_on([file], None)

    def _go_on(self, files: Sequence[SourceFile], chosen: Suggestion | None) -> None:
        before, failing = self.look(), self.left
        loaded = self.draft.with_files(files).load()
        for file in files:
            self._originals.setdefault(file.path, self.draft.read(file.path))
        self._before.append(self._loaded)
        self._loaded = loaded
        self._found = None
        rank = None if chosen is None else _rank_of(before.localization, chosen.steps[0])
        number = len(self.rounds) + 1
        self.rounds.append(Round(number, before, chosen, rank, failing, failing))
        self.rounds[-1] = replace(self.rounds[-1], left=self.left)

    def back(self) -> None:
        """Undo the last round, which made no test pass."""
        self._loaded = self._before.pop()
        self._found = self.rounds.pop().found

    def result(self, *, interrupted: bool = False) -> Debugging:
        """The result so far, up to the last round that made tests pass.

        Raises:
            KeyboardInterrupt: it was interrupted before the suite had been run once.
        """
        left, n_rounds, draft = self._best
        if interrupted and left > len(self.suite):
            raise KeyboardInterrupt
        changes = tuple(
            Change(original, draft.files[path])
            for path, original in self._originals.items()
            if path in draft.files
        )
        rounds = tuple(self.rounds[:n_rounds])
        return Debugging(rounds, len(self.suite), left, changes, self._undecided, interrupted)


def debug(
    source: str | os.PathLike[str],
    suite: TestSuite,
    *,
    load: LoadOptions = LoadOptions(),
    run: RunOptions = RunOptions(),
    effort: str = Effort.NORMAL,
    budget: float = BUDGET,
    reduce: bool = False,
    reader: Reader | None = None,
    watch: Callable[[Round], None] | None = None,
) -> Debugging:
    """Mend a grammar by edits, one after the other, until its suite passes or nothing helps.

    Each round makes the best edit that the tool confirms; if none fixes a test, one with which a
    failing input is parsed further and that breaks no passing test. After a ``KeyboardInterrupt``
    once the suite has run, it returns the outcome so far.

    Args:
        source, suite, load, run, effort, budget, reduce, reader: as for `Debugger`.
        watch: called after each round.

    Raises:
        GramspectError: the source cannot be used.
    """
    debugger = Debugger(
        source,
        suite,
        load=load,
        run=run,
        effort=effort,
        budget=budget,
        reduce=reduce,
        reader=reader,
    )
    with _interrupts() as noted:
        try:
            while debugger.left and not noted and len(debugger.rounds) < MOST_ROUNDS:
                if not _one_round(debugger):
                    break
                if watch is not None:
                    watch(debugger.rounds[-1])
        except KeyboardInterrupt:
            noted.append(signal.SIGINT)
    return debugger.result(interrupted=bool(noted))


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Notes interrupts from the keyboard, which a search ends with what it has, not with an error.

    Only the main thread gets any.
    """
    noted: list[int] = []

    def note(number: int, _: object) -> None:
        noted.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield noted
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)


def _one_round(debugger: Debugger) -> bool:
    """Make the first edit that the tool takes and that then helps; False if there is none."""
    wanted = (Status.VALIDATED, Status.PROGRESS)
    for one in debugger.look().suggestions:
        if one.status in wanted and one.change is not None:
            before = debugger.look().localization
            try:
                debugger.make(one)
            except GramspectError:
                continue
            if _has_helped(before, debugger.look().localization):
                return True
            debugger.back()
    return False


def _has_helped(before: Localization, after: Localization) -> bool:
    """Whether fewer tests fail, or as many, one of which is read further.

    The tool may not do what was expected of an edit: not all are confirmed before they are made.
    """
    if _n_left(after) != _n_left(before):
        return _n_left(after) < _n_left(before)
    read = {one.test.name: one.error.token for one in before.failing if one.error is not None}
    return any(
        one.error.token > read.get(one.test.name, one.error.token)
        for one in after.failing
        if one.error is not None
    )


def _n_left(result: Localization) -> int:
    return len(result.failing) + len(result.undecided)


def _relocated(result: Localization, loaded: LoadedDraft) -> Localization:
    """The result with spans in the user's files."""

    def moved(rule: TokenRule | None) -> TokenRule | None:
        if rule is None or rule.span is None:
            return rule
        return replace(rule, span=replace(rule.span, file=loaded.user_path(rule.span.file)))

    ranking = tuple(
        replace(element, grammar=loaded.grammar, token=moved(element.token))
        for element in result.ranking
    )
    return replace(result, grammar=loaded.grammar, ranking=ranking)


def _rank_of(result: Localization, one: Suggestion) -> float | None:
    """The rank of an edited rule among all rules, of the lexer too, each by its best element."""
    best: dict[int, float] = {}
    for element in result.ranking:
        rule = element.rule if element.token is None else element.element
        best[rule] = min(element.rank, best.get(rule, element.rank))
    item = one.edit.item
    own = best.get(result.grammar.split_item(item)[0] if item >= 0 else item)
    if own is None:
        return None
    ranks = list(best.values())
    return sum(rank < own for rank in ranks) + (ranks.count(own) + 1) / 2
