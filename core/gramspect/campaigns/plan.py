"""All that a worker needs to know, made from the configuration.

What is sent to workers is small: the grammars as objects, the tests of files, and how the others
are generated. A worker makes mutants and tests of it once, and keeps them; they are the same in
every process.
"""

from __future__ import annotations

import json
import os
import pickle
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from gramspect.builtin.native import adapter as native
from gramspect.campaigns.config import TEXT, CampaignConfig, GrammarConfig
from gramspect.campaigns.counting import Baseline
from gramspect.campaigns.faults import Faulty, faulty_grammars
from gramspect.campaigns.placing import Method, methods_of
from gramspect.campaigns.suites import Key, Tests, tests_of, text_tests
from gramspect.campaigns.written import TextSource
from gramspect.edits.drafts import relocated
from gramspect.errors import MissingDependency
from gramspect.generation.sources import Subject as Whole
from gramspect.generation.sources import loaded_grammar, read_grammar, read_subject
from gramspect.generation.words import TokenNames
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.registry import adapter
from gramspect.running.loading import spec_of
from gramspect.suites.suite import TestSuite

__all__ = ["Context", "Plan", "Subject", "UnitName", "make_plan"]


class UnitName(NamedTuple):
    """A unit: the mutant of that number of a grammar, through a recognizer."""

    grammar: str
    recognizer: str
    number: int


class Context(NamedTuple):
    """What the results of a grammar through a recognizer depend on, as JSON of named parts."""

    grammar: str
    recognizer: str
    parts: str


@dataclass(frozen=True, eq=False)
class Subject:
    """A grammar with its mutants and tests."""

    name: str
    grammar: Grammar
    faulty: Sequence[Faulty]
    tests: Tests
    text: TextSource | None = None
    """What faults are written into, if that is wanted."""

    @cached_property
    def baseline(self) -> Baseline:
        """What the native parser of the grammar does with the tests."""
        return Baseline.of(native.build(self.grammar), self.tests)


@dataclass(frozen=True)
class Plan:
    """A campaign as it is sent to workers. `content` holds grammars and tests of files.

    Tests that are texts are made by the grammar's own parser, so they are sent themselves.
    """

    config: CampaignConfig
    content: bytes

    @cached_property
    def digest(self) -> str:
        """Equal for equal plans."""
        told = sha256(self.content)
        told.update(repr(tuple(self.config.grammars)).encode())
        told.update(self.config.described().encode())
        return told.hexdigest()

    @cached_property
    def methods(self) -> tuple[Method, ...]:
        """The ways of ranking, in the order in which results have them."""
        return methods_of(self.config.methods)

    def subject(self, name: str) -> Subject:
        """A grammar by its name; made once in a process."""
        return _subject(_ByDigest(self.digest, self), name)

    def units(self) -> Iterator[UnitName]:
        """All units, in their order."""
        for name in self.config.grammars:
            numbers = range(len(self.subject(name).faulty))
            for recognizer in self.config.recognizers:
                yield from (UnitName(name, recognizer, number) for number in numbers)

    def contexts(self) -> Iterator[Context]:
        """What the units depend on."""
        for name in self.config.grammars:
            subject = self.subject(name)
            faults = asdict(self.config.faults)
            if self.config.faults.sample is not None:
                faults["sample"] = "some"
            parts: dict[str, object] = {
                "grammar": _grammar_digest(subject.grammar),
                "tests": subject.tests.digest,
                "faults": faults,
                "methods": asdict(self.config.methods),
            }
            for recognizer in self.config.recognizers:
                own = dict(parts)
                if recognizer == TEXT and subject.text is not None:
                    own["text"] = subject.text.digest
                yield Context(name, recognizer, json.dumps(own, sort_keys=True))


def _grammar_digest(grammar: Grammar) -> str:
    """Equal for grammars with equal symbols, rules and precedences."""
    told = [(symbol.name, symbol.terminal) for symbol in grammar.symbols]
    rules = [(rule.lhs, rule.rhs, rule.precedence) for rule in grammar.rules]
    shown = repr((told, rules, grammar.start, sorted(grammar.precedence.items())))
    return sha256(shown.encode()).hexdigest()[:16]


class _ByDigest:
    """A plan that is the same key for equal plans."""

    def __init__(self, digest: str, plan: Plan) -> None:
        self.digest, self.plan = digest, plan

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByDigest) and self.digest == other.digest


@lru_cache(maxsize=8)
def _subject(plan: _ByDigest, name: str) -> Subject:
    config = plan.plan.config
    grammars: Mapping[str, _Sent]
    files: Mapping[str, TestSuite]
    grammars, files = pickle.loads(zlib.decompress(plan.plan.content))
    grammar, text, texts = grammars[name]
    tests = tests_of(grammar, config.suites, files, texts)
    return Subject(name, grammar, faulty_grammars(grammar, config.faults), tests, text)


class _Sent(NamedTuple):
    """A grammar as workers get it: its text and tests by suite, where the text is loaded."""

    grammar: Grammar
    text: TextSource | None = None
    texts: Mapping[str, Sequence[Key]] | None = None


def make_plan(config: CampaignConfig) -> Plan:
    """Read the files that a campaign names.

    Raises:
        GramspectError: one cannot be read or used.
        MissingDependency: what a recognizer needs is not installed.
    """
    for name in config.recognizers:
        if name != TEXT and (missing := adapter(name).missing()):
            raise MissingDependency(f"the recognizer {name} cannot be used: {missing}")
    files = {
        name: TestSuite.load(accept=suite.accept, reject=suite.reject, lines=suite.lines)
        for name, suite in config.suites.items()
        if suite.accept or suite.reject
    }
    grammars = {name: _read(config, each, files) for name, each in config.grammars.items()}
    return Plan(config, zlib.compress(pickle.dumps((grammars, files), protocol=5)))


def _read(config: CampaignConfig, source: GrammarConfig, files: Mapping[str, TestSuite]) -> _Sent:
    """A grammar, called as its file wherever that lies; with its text, if that is loaded.

    The text knows the whole path of the file, for workers with another working folder.
    """
    name = Path(source.file).name
    if TEXT not in config.recognizers:
        return _Sent(replace(read_grammar(source.file, load=source.load)[0], name=name))
    path = os.path.abspath(source.file)  # noqa: PTH100  # an attribute may follow a colon
    if any(suite.generates for suite in config.suites.values()):
        subject = read_subject(path, load=source.load, samples=source.samples)
    else:
        read, lexer = loaded_grammar(path, source.load)
        subject = Whole(read, TokenNames(read), lexer)
    grammar = replace(relocated(subject.grammar, os.path.abspath), name=name)
    text = TextSource.of(spec_of(path, source.load), grammar)
    return _Sent(grammar, text, text_tests(subject, config.suites, files))
