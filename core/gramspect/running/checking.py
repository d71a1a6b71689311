"""What would be loaded, how, and what is missing: a look before the first run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice

from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Diagnostic
from gramspect.recognition.recognizer import (
    Adapter,
    Inspecting,
    Lexing,
    LoadOptions,
    Recognizer,
    Tokenizing,
    TokenRuleKnowing,
    ToolNaming,
)
from gramspect.recognition.registry import adapter, claiming
from gramspect.recognition.trace import Observation
from gramspect.running.loading import load_parser
from gramspect.running.options import RunOptions
from gramspect.running.runner import run as run_tests
from gramspect.suites.suite import TestCase, TestSuite

__all__ = ["Check", "check"]

MOST_TESTS = 20
"""So many tests are run."""


@dataclass(frozen=True)
class Check:
    """What came of a look at a source.

    Attributes:
        claimants: the adapters that would take it, the one that is used first.
        tool: what the tool of that one is called, if it could be asked.
        missing: what has to be installed, if anything.
        options: the options that it knows.
        inside: what else could be loaded from the same place, such as the parsers in a jar.
        grammar: what was loaded.
        problem: why nothing was.
        abilities: what gramspect can do with it besides rankings, and what it cannot.
        tests: the first tests of the suite with what the parser does.
    """

    source: str
    load: LoadOptions
    claimants: Sequence[str] = ()
    tool: str = ""
    missing: str | None = None
    options: Sequence[str] = ()
    inside: Sequence[str] = ()
    grammar: Grammar | None = None
    problem: str = ""
    abilities: Sequence[tuple[str, bool]] = ()
    tests: Sequence[tuple[TestCase, Observation]] = field(default=(), repr=False)

    @property
    def diagnostics(self) -> Sequence[Diagnostic]:
        """What is odd in the grammar."""
        return () if self.grammar is None else self.grammar.diagnostics


def check(
    source: str,
    suite: TestSuite | None = None,
    *,
    load: LoadOptions = LoadOptions(),
    run: RunOptions = RunOptions(),
) -> Check:
    """Load a source, run the first tests of a suite, and say what came of it; never raises for it.

    Args:
        source: a grammar or parser as an adapter takes it.
        suite: tests, of which the first ones are run.
        load, run: as for `localize`.
    """
    try:
        found = claiming(source) if load.adapter is None else [adapter(load.adapter)]
    except GramspectError as problem:
        return Check(source, load, problem=str(problem))
    first = found[0]
    known = Check(
        source,
        load,
        [each.name for each in found],
        missing=first.missing(),
        options=sorted(first.options) if len(found) == 1 else [],
    )
    return known if known.missing is not None else _loaded(known, first, suite, run)


def _loaded(known: Check, first: Adapter, suite: TestSuite | None, run: RunOptions) -> Check:
    if isinstance(first, Inspecting):
        with suppress(GramspectError):  # loading says it better
            known = replace(known, inside=tuple(first.inside(known.source)))
    try:
        loaded = load_parser(known.source, known.load)
        name = loaded.adapter or first.name
        recognizer = loaded.recognizer
        tests = list(islice(suite or (), MOST_TESTS))
        seen = list(
            run_tests(
                recognizer, tests, None, loader=loaded.loader,
                timeout=run.timeout, jobs=run.jobs,
            )
        )  # fmt: skip
    except GramspectError as problem:
        return replace(known, problem=str(problem))
    used = adapter(name)
    others = [each for each in known.claimants if each != name]
    return replace(
        known,
        claimants=(name, *others),
        options=sorted(used.options),
        tool=used.tool() if isinstance(used, ToolNaming) else "",
        grammar=recognizer.grammar,
        abilities=(
            ("search repairs", isinstance(recognizer, Tokenizing)),
            ("rank token rules", _knows_token_rules(recognizer)),
            ("generate texts", isinstance(recognizer, Lexing)),
        ),
        tests=tuple(zip(tests, seen, strict=True)),
    )


def _knows_token_rules(recognizer: Recognizer) -> bool:
    """Whether a recognizer has token rules: those of a parser in a jar are not known."""
    return isinstance(recognizer, TokenRuleKnowing) and len(recognizer.token_rules()) > 0
