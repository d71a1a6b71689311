"""Whether the tool agrees: the edited grammar is given to it, and the tests are run again.

Core judges edits as changes of a context-free grammar. A tool may refuse such a change (left
recursion), or read it in its own way (conflicts, ordered choice), and what counts is the tool.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from time import monotonic

from gramspect.edits.drafts import Draft, LoadedDraft, NotFromDraft
from gramspect.edits.model import Edit, applied
from gramspect.edits.validation import Effect
from gramspect.edits.writing import Change
from gramspect.effort import spend
from gramspect.errors import CodeError, GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Recognizer, Tokenizing, ToolNaming
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import Observation, Verdict
from gramspect.running.alarm import TimeIsUp, until
from gramspect.running.observing import tokens_of
from gramspect.running.options import Loader
from gramspect.running.runner import run
from gramspect.suites.suite import Expectation, TestCase, TestSuite

__all__ = ["Agreement", "Confirmation", "Runs", "confirm", "tool_name"]


MOST_SECONDS, MUCH_LONGER = 10.0, 10.0
"""How long an edited parser may take, and how many times longer than the original."""
STEPS_PER_PARSER = 3e6
"""The steps that making and running a parser counts as."""
BATCH = 8
"""The most tests that are run before the clock is looked at again."""


class Agreement(StrEnum):
    """Outcome of confirming an edit with the tool."""

    CONFIRMED = "confirmed"
    """All tests have the verdicts that were promised."""
    DIFFERS = "differs"
    """Some test has another verdict than was promised."""
    UNDECIDED = "undecided"
    """Some test has no verdict: the user's code does not compile, or fails on it, or the time for a
    test was up."""
    REFUSED = "refused"
    """The tool makes no parser of the edited grammar."""
    UNTRIED = "untried"
    """The tool was not asked: the parser that it loads is not made of the changed file."""
    UNFINISHED = "unfinished"
    """The time was up; the tests that were run, if any, agree."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The outcome of giving an edited grammar to a tool.

    `message` is why it was refused or not tried, or what differs.

    `built` says that the parser was made from gramspect's form of the grammar, not from the text.
    `also` are the numbers of failing tests that pass then although nobody promised it: they may
    have failed because of a conflict, of which a context-free grammar knows nothing.
    """

    tool: str
    agreement: Agreement
    n_tests: int = 0
    message: str = ""
    built: bool = False
    also: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Runs:
    """How tests are run: seconds for each, and worker processes.

    `load` is how many seconds the parser took to be made, `suite` how many all tests took.
    """

    timeout: float | None = None
    jobs: int = 1
    load: float = 0.0
    suite: float = 0.0

    @property
    def patience(self) -> float:
        """The seconds that an edited parser may take for both: it may be wildly ambiguous."""
        return MOST_SECONDS + MUCH_LONGER * (self.load + self.suite)

    def in_time(self, deadline: float) -> bool:
        """Whether an edited parser can be made before a point in time (by `time.monotonic`)."""
        return monotonic() + self.load <= deadline


def tool_name(name: str | None) -> str:
    """What the tool of an adapter is called, if the adapter can say so (`ToolNaming`)."""
    if name is None:
        return "the parser"
    found = adapter(name)
    return found.tool() if isinstance(found, ToolNaming) else name


def confirm(
    draft: Draft,
    change: Change,
    effect: Effect,
    suite: TestSuite,
    failing: Sequence[int],
    runs: Runs,
    deadline: float,
    before: Grammar | None = None,
) -> Confirmation:
    """Load the changed text and run the tests that should pass then, those it fixes first.

    If they do, the other failing tests are run as well. `before` is the grammar that is changed, if
    the change is one of its rules: a parser with the same rules is not the changed one.
    """
    tool = tool_name(draft.spec.adapter)
    spend(STEPS_PER_PARSER)
    try:
        loaded = _loaded(draft, change, before, runs, deadline)
    except TimeIsUp:
        return Confirmation(tool, Agreement.UNFINISHED)
    except NotFromDraft as problem:
        return Confirmation(tool, Agreement.UNTRIED, message=str(problem))
    except CodeError as problem:
        return Confirmation(tool, Agreement.UNDECIDED, message=str(problem))
    except GramspectError as problem:
        return Confirmation(tool, Agreement.REFUSED, message=str(problem))
    numbers = _expected_to_pass(effect, suite, failing)
    tests = [suite.tests[number] for number in numbers]
    said = _run(tool, loaded.recognizer, tests, loaded.loader, runs, deadline)
    if said.agreement is not Agreement.CONFIRMED:
        return said
    left = {n: suite.tests[n] for n in failing if n not in effect.fixed}
    also = _passing(loaded.recognizer, left, loaded.loader, runs, deadline) if left else ()
    return replace(said, also=also)


def _loaded(
    draft: Draft, change: Change, before: Grammar | None, runs: Runs, deadline: float
) -> LoadedDraft:
    """The changed parser.

    Raises:
        TimeIsUp: there is no time for it.
        NotFromDraft: it is not the changed one.
        GramspectError: the tool refuses it.
    """
    if not runs.in_time(deadline):
        raise TimeIsUp
    with until(deadline):
        loaded = draft.with_change(change).load()
    if before is not None and _rules(loaded.recognizer.grammar) == _rules(before):
        raise NotFromDraft(
            "the parser that is loaded does not have the change; perhaps it is kept in a file"
        )
    return loaded


def _rules(grammar: Grammar) -> list[tuple[str, tuple[str, ...]]]:
    """The rules by the names of their symbols."""
    names = [symbol.name for symbol in grammar.symbols]
    return [(names[rule.lhs], tuple(names[s] for s in rule.rhs)) for rule in grammar.rules]


def confirm_built(
    name: str,
    recognizer: Recognizer,
    grammar: Grammar,
    edit: Edit,
    effect: Effect,
    suite: TestSuite,
    failing: Sequence[int],
    runs: Runs,
    deadline: float,
) -> Confirmation:
    """The same where there is no text to change: the tool builds a parser from the grammar.

    That parser may be another than the user's, whose options and conflicts are not in the grammar.
    So a refusal and a difference count only if the tool builds the grammar without the edit, too,
    and the tests that pass do so with that parser.
    """
    tool = tool_name(name)
    spend(STEPS_PER_PARSER)
    if not runs.in_time(deadline):
        return Confirmation(tool, Agreement.UNFINISHED, built=True)
    fixed = _sequences(recognizer, grammar, [suite.tests[number] for number in effect.fixed])
    numbers = _expected_to_pass(effect, suite, failing)[len(effect.fixed) :]
    passing = _sequences(recognizer, grammar, [suite.tests[number] for number in numbers])
    said = _built(tool, name, applied(grammar, edit), [*fixed, *passing], deadline)
    if said.agreement in (Agreement.REFUSED, Agreement.DIFFERS):
        as_it_is = _built(tool, name, grammar, passing, deadline)
        if as_it_is.agreement is not Agreement.CONFIRMED:
            why = "the grammar by itself, without its text, makes another parser"
            return Confirmation(tool, Agreement.UNTRIED, message=why, built=True)
    return said


def _built(
    tool: str, name: str, grammar: Grammar, tests: Sequence[TestCase], deadline: float
) -> Confirmation:
    """What a parser says of tests that the tool builds from a grammar."""
    try:
        with until(deadline):
            built = adapter(name).build(grammar)
    except TimeIsUp:
        return Confirmation(tool, Agreement.UNFINISHED, built=True)
    except GramspectError as problem:
        return Confirmation(tool, Agreement.REFUSED, message=str(problem), built=True)
    return replace(_run(tool, built, tests, None, Runs(), deadline), built=True)


def _sequences(
    recognizer: Recognizer, grammar: Grammar, tests: Sequence[TestCase]
) -> list[TestCase]:
    """The tests as sequences of token names, without those that are none."""
    found = []
    for test in tests:
        tokens = tokens_of(recognizer, test) if isinstance(recognizer, Tokenizing) else None
        if tokens is not None and min(tokens, default=0) >= 0:
            names = tuple(grammar.symbols[token].name for token in tokens)
            found.append(replace(test, tokens=names))
    return found


def _expected_to_pass(effect: Effect, suite: TestSuite, failing: Sequence[int]) -> list[int]:
    """The tests that the edit fixes, then those that pass already, short ones first."""
    known = {*failing, *effect.broken}
    passing = [number for number in range(len(suite)) if number not in known]
    return [*effect.fixed, *sorted(passing, key=lambda number: len(suite.tests[number].text))]


def _run(
    tool: str,
    recognizer: Recognizer,
    tests: Sequence[TestCase],
    loader: Loader | None,
    runs: Runs,
    deadline: float,
) -> Confirmation:
    """Run the tests up to the first that differs, or until the next would end too late.

    The time for it is estimated from the tests before it.
    """
    here = runs.timeout is None and runs.jobs == 1
    begin, done = monotonic(), 0
    while done < len(tests):
        size = len(tests)
        if here:
            now = monotonic()
            size = _in_time(tests, done, now - begin, deadline - now)
            if not size:
                return Confirmation(tool, Agreement.UNFINISHED, done)
        batch = tests[done : done + size]
        seen = run(recognizer, batch, None, loader=loader, timeout=runs.timeout, jobs=runs.jobs)
        try:
            with until(deadline):
                for test, observation in zip(batch, seen, strict=True):
                    message = _difference(test, observation)
                    if message:
                        undecided = observation.verdict is Verdict.UNDECIDED
                        agreement = Agreement.UNDECIDED if undecided else Agreement.DIFFERS
                        return Confirmation(tool, agreement, done, message)
                    done += 1
        except TimeIsUp:  # an edit can make a grammar so ambiguous that a parse takes forever
            return Confirmation(tool, Agreement.UNFINISHED, done)
    return Confirmation(tool, Agreement.CONFIRMED, len(tests))


def _passing(
    recognizer: Recognizer,
    tests: Mapping[int, TestCase],
    loader: Loader | None,
    runs: Runs,
    deadline: float,
) -> tuple[int, ...]:
    """The numbers of the tests that pass, among those for which there is time."""
    found = []
    some = list(tests.values())
    seen = run(recognizer, some, None, loader=loader, timeout=runs.timeout, jobs=runs.jobs)
    try:
        with until(deadline):
            for number, observation in zip(tests, seen, strict=True):
                if not _difference(tests[number], observation):
                    found.append(number)
    except TimeIsUp:
        pass
    return tuple(found)


def _in_time(tests: Sequence[TestCase], done: int, spent: float, left: float) -> int:
    """How many of the next tests to run at once: none if the first would end too late.

    Times are assumed to be proportional to the number of characters, and the size of a batch
    follows from that. Each batch is at most as large as all before it: starting one takes as long
    as some tests do.
    """
    read = sum(len(test.text) + 1 for test in tests[:done])
    if not read:
        return int(left >= 0)
    size, expected = 0, 0.0
    for test in tests[done : done + max(BATCH, done)]:
        expected += (len(test.text) + 1) * spent / read
        if expected > left or (size and expected > _BATCH_SECONDS):
            break
        size += 1
    return size


_BATCH_SECONDS = 0.5


def _difference(test: TestCase, observation: Observation) -> str:
    """Why a test fails; empty if it passes."""
    if observation.verdict is Verdict.UNDECIDED:
        return f"{test.name} is undecided: {observation.reason}"
    accepted = observation.verdict is Verdict.ACCEPTED
    if accepted is (test.expectation is Expectation.ACCEPT):
        return ""
    reason = f": {observation.error.message}" if observation.error else ""
    return f"{test.name} is {observation.verdict}{reason}"
