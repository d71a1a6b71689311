"""The parsers of a comparison: built from one grammar, or loaded from several sources."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gramspect.errors import AdapterError, GramspectError, MissingDependency, NoSuchFile
from gramspect.grammars.grammar import Grammar
from gramspect.localization.results import Note
from gramspect.recognition.recognizer import LoadOptions, Recognizer, Tokenizing
from gramspect.recognition.registry import adapter, adapters
from gramspect.recognition.tokens import split_tokens
from gramspect.recognition.trace import Verdict
from gramspect.running.loading import LoadSpec, load_parser, runs_code, spec_of
from gramspect.running.observing import silenced
from gramspect.running.options import Loader
from gramspect.running.runner import run
from gramspect.suites.suite import TestCase, TestSuite

__all__ = ["BuildSpec", "Candidate", "Common", "built", "loaded", "read_common", "split_source"]


@dataclass(frozen=True, slots=True)
class BuildSpec:
    """A recognizer by the name of an adapter and a grammar; calling it builds the recognizer.

    Raises:
        AdapterError: there is no such adapter, or it cannot build the grammar.
        MissingDependency: something the adapter needs is not installed.
    """

    adapter: str
    grammar: Grammar

    def __call__(self) -> Recognizer:
        found = adapter(self.adapter)
        missing = found.missing()
        if missing is not None:
            raise MissingDependency(missing)
        return found.build(self.grammar)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A technique before it is run: its parser, or why there is none."""

    name: str
    adapter: str
    source: str | None
    loader: Loader | None
    recognizer: Recognizer | None
    refusal: str | None = None
    build_seconds: float = 0.0


# --- one grammar ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Common:
    """A grammar, and the tests as sequences of its tokens.

    `own` is the parser that the grammar was read from, if the source is one and no grammar file.
    """

    grammar: Grammar
    suite: TestSuite
    notes: tuple[Note, ...]
    own: Candidate | None = None


def read_common(
    source: str,
    suite: TestSuite,
    options: LoadOptions,
    name: str | None,
    timeout: float | None = None,
) -> Common:
    """The grammar of a source as its own tool reads it, and the tests through its lexer.

    Where the words of a text are its tokens, the test keeps its text, so that errors have lines
    and columns. What the lexer rejects is the same for all techniques and left out, as is what the
    source's own tool does not come to an end with in `timeout` seconds.

    Raises:
        GramspectError: the source cannot be loaded, or nothing is left of the suite.
    """
    begin = time.perf_counter()
    chosen = replace(options, adapter=name or options.adapter)
    recognizer, _, loader = load_parser(source, chosen)
    assert isinstance(loader, LoadSpec)  # of a source that has a name
    grammar = recognizer.grammar
    own = None
    if _is_parser(loader, grammar):
        seconds = time.perf_counter() - begin
        known = loader.adapter
        own = Candidate(f"{known} itself", known, source, loader, recognizer, None, seconds)
    if not isinstance(recognizer, Tokenizing):
        return Common(grammar, suite, (), own)
    tests: list[TestCase] = []
    rejected: list[str] = []
    decided, found = _decided(recognizer, suite, loader, timeout)
    for test in decided:
        tokens = test.tokens or _tokens(recognizer, test)
        if tokens is None:
            rejected.append(test.name)
        elif _is_split(grammar, test, tokens):
            tests.append(test)
        else:
            tests.append(replace(test, tokens=tokens))
    if not tests and not rejected:
        why = "its own tool fails on every test within the time limit"
        raise GramspectError(f"{source}: {why}; give it more with --timeout")
    if not tests:
        raise GramspectError(f"{source}: the lexer rejects every test, so no parser can be run")
    notes = suite.notes
    if rejected:
        text = (
            f"{len(rejected)} of {len(suite)} tests are left out: the lexer rejects them, so that"
            " no parser sees them"
        )
        found = (*found, Note("lexer", text, tuple(rejected)))
    return Common(grammar, TestSuite(tuple(tests), notes), found, own)


def _is_parser(spec: LoadSpec, grammar: Grammar) -> bool:
    """Whether a source is a parser that exists: a Python object, classes in a jar or folder.

    Those that adapters build from its grammar lack its lookahead, its code and its recovery. A
    grammar that is in a file, of any name, is no such parser, unless code of the user goes with it.
    """
    return not grammar.files or runs_code(adapter(spec.adapter), spec.source, spec.options)


def _decided(
    recognizer: Recognizer, suite: TestSuite, loader: Loader, timeout: float | None
) -> tuple[Sequence[TestCase], tuple[Note, ...]]:
    """The tests that the source's own tool comes to an end with, and a note on the others."""
    if timeout is None:
        return suite.tests, ()
    observed = run(recognizer, suite.tests, loader=loader, timeout=timeout)
    verdicts = [observation.verdict for observation in observed]
    pairs = list(zip(suite.tests, verdicts, strict=True))
    endless = tuple(test.name for test, verdict in pairs if verdict is Verdict.UNDECIDED)
    decided = [test for test, verdict in pairs if verdict is not Verdict.UNDECIDED]
    if not endless:
        return decided, ()
    text = (
        f"{len(endless)} of {len(suite)} tests are left out: the grammar's own tool fails on them"
    )
    return decided, (Note("lexer", text, endless),)


def _tokens(recognizer: Tokenizing, test: TestCase) -> tuple[str, ...] | None:
    """The names of a test's tokens; None if the lexer fails."""
    with silenced():
        numbers = recognizer.tokens(test)
    if numbers is None:
        return None
    grammar: Grammar = recognizer.grammar  # type: ignore[attr-defined]
    unknown = _no_token(grammar)
    return tuple(unknown if n < 0 else grammar.symbols[n].name for n in numbers)


def _no_token(grammar: Grammar) -> str:
    """A word that names no terminal."""
    word = "?"
    while grammar.token(word) is not None:
        word += "?"
    return word


def _is_split(grammar: Grammar, test: TestCase, tokens: Sequence[str]) -> bool:
    """Whether splitting the text at white space gives these tokens."""
    words = split_tokens(grammar, test.text).terminals
    return test.tokens is None and list(words) == [
        -1 if (number := grammar.token(token)) is None else number for token in tokens
    ]


def built(grammar: Grammar, names: Sequence[str] | None) -> Iterator[Candidate]:
    """The parsers of the named adapters; by default of all that are there and can build any.

    Raises:
        AdapterError: a named adapter does not exist.
    """
    for name in names or adapters():
        if name not in adapters():
            adapter(name)  # says which there are
        begin = time.perf_counter()
        loader = BuildSpec(name, grammar)
        try:
            with silenced():
                recognizer = loader()
        except Exception as problem:  # a tool that cannot build the grammar drops out alone
            if names is not None or _can_build(name):
                yield Candidate(name, name, None, loader, None, _reason(problem))
            continue
        seconds = time.perf_counter() - begin
        yield Candidate(name, name, None, loader, recognizer, None, seconds)


def _can_build(name: str) -> bool:
    """Whether an adapter builds anything: a grammar of one token."""
    try:
        with silenced():
            BuildSpec(name, Grammar.from_rules([("start", ["token"])]))()
    except Exception:
        return False
    return True


def _reason(problem: Exception) -> str:
    if isinstance(problem, GramspectError):
        return str(problem)
    if isinstance(problem, RecursionError):
        return "the grammar is nested too deeply for this tool"
    return f"{type(problem).__name__}: {problem}"


# --- several sources -----------------------------------------------------------------------


def split_source(source: str) -> tuple[str | None, str]:
    """The adapter and source of ``ADAPTER=SOURCE``, where only a known adapter counts."""
    name, sign, rest = source.partition("=")
    return (name, rest) if sign and name in adapters() else (None, source)


def loaded(sources: Sequence[str], options: LoadOptions) -> Iterator[Candidate]:
    """The parsers of sources as their own tools make them.

    Raises:
        NoSuchFile: a source is a file that does not exist.
        GramspectError: no adapter takes a source.
    """
    asked = [split_source(source) for source in sources]
    usual = LoadOptions(adapter=options.adapter)
    chosen = [(name or spec_of(source, usual).adapter, source) for name, source in asked]
    if len(set(chosen)) < len(chosen):
        raise AdapterError("the same source is named twice for the same adapter; name it once")
    known = {key for name, _ in chosen for key in adapter(name).options}
    for name, source in chosen:
        begin = time.perf_counter()
        others = known - adapter(name).options
        own = {key: value for key, value in options.extra.items() if key not in others}
        loader = LoadSpec(name, source, replace(options, extra=own))
        label = f"{name} {source}"
        try:
            with silenced():
                recognizer = loader()
        except NoSuchFile:
            raise
        except GramspectError as problem:
            yield Candidate(label, name, source, loader, None, str(problem))
            continue
        seconds = time.perf_counter() - begin
        yield Candidate(label, name, source, loader, recognizer, None, seconds)
