"""Targets: what inputs execute or cause, whoever observes it.

An observer looks at a sequence of tests and says for each which targets it has, or why that is not
known. There are three: a parser under test, a Python program, and any other program.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from gramspect.associations.gcov import Gcov
from gramspect.errors import GramspectError
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import Extraction, Observation, Verdict
from gramspect.running.executions import Execution, Program
from gramspect.running.hosts import how_it_ended
from gramspect.running.loading import load_parser
from gramspect.running.options import RunOptions
from gramspect.running.programs import program_words, run_program
from gramspect.running.runner import run as run_tests
from gramspect.suites.suite import Expectation, TestCase

__all__ = [
    "CommandObserver",
    "Found",
    "Observer",
    "ParserObserver",
    "ProgramObserver",
    "Target",
    "TargetKind",
    "is_wrong",
    "observer_for",
]


class TargetKind(StrEnum):
    """What kind of thing an input executes or causes."""

    FAILS = "fails"
    RULES = "rules"
    POSITIONS = "positions"
    FUNCTIONS = "functions"
    LINES = "lines"
    EXCEPTIONS = "exceptions"
    STATUSES = "statuses"


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that an input may execute or cause."""

    kind: TargetKind
    name: str


@dataclass(frozen=True, slots=True)
class Found:
    """The targets of one input; `lost` says why they are not known."""

    targets: frozenset[Target] = frozenset()
    lost: str | None = None


class Observer(Protocol):
    """Says what inputs execute or cause."""

    def observe(self, tests: Sequence[TestCase]) -> Iterator[Found]:
        """The targets of each test, in order.

        Raises:
            GramspectError: nothing can be observed at all.
        """
        ...


@dataclass(frozen=True)
class ParserObserver:
    """A parser under test: whether a test fails, and which rules and positions it executes."""

    source: str
    load: LoadOptions
    kinds: frozenset[TargetKind]
    run: RunOptions = RunOptions()

    def observe(self, tests: Sequence[TestCase]) -> Iterator[Found]:
        """The targets of each test."""
        loaded = load_parser(self.source, self.load)
        grammar = loaded.recognizer.grammar
        rules = [Target(TargetKind.RULES, f"rule {rule.label}") for rule in grammar.rules]
        positions = [
            Target(TargetKind.POSITIONS, f"position {grammar.item_label(item)}")
            for item in range(grammar.n_items)
        ]
        fails = Target(TargetKind.FAILS, "fails")
        observations = run_tests(
            loaded.recognizer, tests, Extraction.EXACT,
            loader=loaded.loader, timeout=self.run.timeout, jobs=self.run.jobs,
        )  # fmt: skip
        for test, seen in zip(tests, observations, strict=True):
            if seen.verdict is Verdict.UNDECIDED:
                yield Found(lost=seen.reason)
                continue
            found: set[Target] = set()
            if TargetKind.RULES in self.kinds:
                found.update(map(rules.__getitem__, seen.rules))
            if TargetKind.POSITIONS in self.kinds:
                found.update(map(positions.__getitem__, seen.items))
            if TargetKind.FAILS in self.kinds and is_wrong(test, seen):
                found.add(fails)
            yield Found(frozenset(found))


def is_wrong(test: TestCase, seen: Observation) -> bool:
    """Whether a decided test fails."""
    wanted = Verdict.ACCEPTED if test.expectation is Expectation.ACCEPT else Verdict.REJECTED
    return seen.verdict is not wanted


@dataclass(frozen=True)
class ProgramObserver:
    """A program that is watched: the functions and lines that it executes, and what it raises."""

    program: Program
    kinds: frozenset[TargetKind]

    def observe(self, tests: Sequence[TestCase]) -> Iterator[Found]:
        """The targets of each test."""
        for seen in self.program.executions(test.text for test in tests):
            yield _of_execution(seen, self.kinds)


@dataclass(frozen=True)
class CommandObserver:
    """A program that is started for each input: how it ends, and with gcov what it executes.

    `line` is a command with ``{file}`` for the input, as `gramspect.running.programs` takes it;
    `build` the folder of a program that was built for gcov.
    """

    line: str
    kinds: frozenset[TargetKind]
    seconds: float = 10.0
    build: str | None = None

    def observe(self, tests: Sequence[TestCase]) -> Iterator[Found]:
        """The targets of each test; a program that is stopped says nothing."""
        words = program_words(self.line)
        with tempfile.TemporaryDirectory(prefix="gramspect-") as folder:
            file, counters = Path(folder, "input"), Path(folder, "counters")
            counters.mkdir()
            gcov = None if self.build is None else Gcov(Path(self.build), counters)
            environment = {} if gcov is None else gcov.environment
            for test in tests:
                file.write_text(test.text, encoding="utf-8", errors="surrogatepass", newline="")
                status, message = run_program(words, file, self.seconds, environment)
                if status is None:
                    yield Found(lost=message)
                    continue
                ended = how_it_ended(status)
                alone = self.kinds == {TargetKind.STATUSES}  # a crash is known without counters
                seen = Execution() if gcov is None or alone else gcov.executed(ended)
                found = _of_execution(seen, self.kinds)
                if TargetKind.STATUSES in self.kinds:
                    target = Target(TargetKind.STATUSES, f"ends with {ended}")
                    found = replace(found, targets=found.targets | {target})
                yield found


def _of_execution(seen: Execution, kinds: frozenset[TargetKind]) -> Found:
    """Those of the kinds that are asked for."""
    if seen.lost is not None:
        return Found(lost=seen.lost)
    found: set[Target] = set()
    if TargetKind.FUNCTIONS in kinds:
        found.update(Target(TargetKind.FUNCTIONS, name) for name in seen.functions)
    if TargetKind.LINES in kinds:
        found.update(Target(TargetKind.LINES, name) for name in seen.lines)
    if TargetKind.EXCEPTIONS in kinds and seen.raised is not None:
        found.add(Target(TargetKind.EXCEPTIONS, f"raises {seen.raised}"))
    return Found(frozenset(found))


def observer_for(
    grammar: str,
    load: LoadOptions,
    kinds: frozenset[TargetKind],
    *,
    parser: str | None = None,
    program: Program | None = None,
    command: str | None = None,
    gcov: str | None = None,
    run: RunOptions = RunOptions(),
) -> Observer:
    """The observer that a user has named: a program, a command, or a parser.

    The parser is by default that of the grammar. Without kinds, they are those that suit it.

    Raises:
        GramspectError: several were named, or the kinds are not those of what was named.
    """
    if sum(each is not None for each in (parser, program, command)) > 1:
        raise GramspectError("only one of --parser, --program and --command can be given")
    if gcov is not None and command is None:
        raise GramspectError("--gcov is about a program that --command starts")
    if program is not None:
        chosen = kinds or frozenset({TargetKind.FUNCTIONS, TargetKind.EXCEPTIONS})
        _check_kinds(
            chosen, "this program", [kind for kind in _OF_PROGRAMS if kind in program.tells]
        )
        return ProgramObserver(program, chosen)
    if command is not None:
        of_gcov = (TargetKind.FUNCTIONS, TargetKind.LINES) if gcov is not None else ()
        what = "a command with --gcov" if of_gcov else "a command without --gcov"
        _check_kinds(kinds, what, (TargetKind.STATUSES, *of_gcov))
        chosen = kinds or frozenset({TargetKind.STATUSES, *of_gcov[:1]})
        return CommandObserver(command, chosen, run.timeout or CommandObserver.seconds, gcov)
    chosen = kinds or frozenset({TargetKind.FAILS})
    _check_kinds(chosen, "a parser", _OF_PARSERS)
    if parser is None:
        return ParserObserver(grammar, load, chosen, run)
    return ParserObserver(parser, LoadOptions(seconds=load.seconds), chosen, run)


_OF_PROGRAMS = (TargetKind.FUNCTIONS, TargetKind.LINES, TargetKind.EXCEPTIONS)
_OF_PARSERS = (TargetKind.FAILS, TargetKind.RULES, TargetKind.POSITIONS)


def _check_kinds(kinds: frozenset[TargetKind], what: str, known: Sequence[TargetKind]) -> None:
    for kind in sorted(kinds - set(known)):
        raise GramspectError(
            f"--targets {kind} is nothing that {what} tells; it tells {', '.join(known)}"
        )
