"""The protocols that adapters and recognizers implement.

Two are mandatory: `Adapter` and `Recognizer`. Each of the others is a capability, with which
gramspect can do more. An object that has the methods has the capability.

| of a recognizer | what it is for |
|---|---|
| `Batching` | suites run faster: many tests in one call |
| `Deciding` | repairs are confirmed faster: verdicts without traces |
| `BatchRecording` | large suites run faster: spectra without traces |
| `Tokenizing` | repairs are searched and confirmed |
| `ConflictKnowing` | reports say what conflicts cost |
| `LexerKnowing` | reports name the token rules at a lexical error |
| `CodeSkipping` | reports name the lexer's code that tests meet but that is not run |
| `Lexing` | tests are generated as texts |
| `ContextualLexing` | repairs are searched with keywords that the lexer did not expect |
| `TokenRuleKnowing` | token rules are ranked beside parser rules |
| `TokenRuleWriting` | repairs of token rules are suggested |
| `OutcomeReading` | runs that were recorded elsewhere are read |

| of an adapter | what it is for |
|---|---|
| `CodeRunning` | the user's code runs in a process of its own |
| `Holding` | live Python objects find their adapter |
| `Sheltering` | its tool leaves files alone while live Python objects are made |
| `Inspecting` | `gramspect check` lists what else a jar holds |
| `ToolNaming` | reports name the tool and its release |
| `SuiteKnowing` | tests that come with a source need not be named |
| `live.Attaching` | parsers are recorded where a program runs them |

Adapters are found by `gramspect.recognition.registry`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Diagnostic
from gramspect.recognition.trace import Extraction, ParseError, Trace, Undecided

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from gramspect.lexical.parts import Pattern
    from gramspect.lexical.rules import LexedText, Splice, TokenRule
    from gramspect.lr.conflicts import Conflict
    from gramspect.suites.suite import TestCase, TestSuite

__all__ = [
    "Adapter",
    "BatchRecording",
    "Batching",
    "CodeRunning",
    "CodeSkipping",
    "ConflictKnowing",
    "ContextualLexing",
    "Deciding",
    "Holding",
    "Inspecting",
    "LexerKnowing",
    "Lexing",
    "LoadOptions",
    "OutcomeReading",
    "Recognizer",
    "Sheltering",
    "SuiteKnowing",
    "TokenRuleKnowing",
    "TokenRuleWriting",
    "Tokenizing",
    "ToolNaming",
]

Kind_contra = TypeVar("Kind_contra", contravariant=True)
Matrix_co = TypeVar("Matrix_co", covariant=True)
"""The kinds of spectra and the matrices of the room above: `gramspect.spectrum.matrix`."""


@runtime_checkable
class Recognizer(Protocol):
    """A parser under observation."""

    @property
    def grammar(self) -> Grammar:
        """The grammar of the parser; its rules and items are the elements of spectra."""
        ...

    def trace(self, test: TestCase) -> Trace:
        """The record of the parse of one test. No content of a test makes it raise."""
        ...


@runtime_checkable
class Batching(Protocol):
    """A recognizer for which many tests at once cost less than one after the other."""

    def traces(self, tests: Sequence[TestCase]) -> Sequence[Trace]:
        """The `Recognizer.trace` of each of the tests."""
        ...


@runtime_checkable
class Deciding(Protocol):
    """A recognizer that says sooner whether it accepts tests than what it does with them."""

    def decisions(self, tests: Sequence[TestCase]) -> Sequence[ParseError | Undecided | None]:
        """For each of the tests the error as the tool reports it, why it is undecided, or None if
        it is accepted: the verdicts are those of `Recognizer.trace`."""
        ...


@runtime_checkable
class BatchRecording(Protocol[Kind_contra, Matrix_co]):
    """A recognizer that writes the spectra of a whole suite at once, without traces.

    The kind is a `SpectrumKind` and the result a `SpectrumMatrix`, both of `gramspect`.
    """

    def record(
        self, tests: Sequence[TestCase], extraction: Extraction, kind: Kind_contra
    ) -> Matrix_co:
        """The spectra of one kind of the tests, in their order, undecided ones included."""
        ...


@runtime_checkable
class Tokenizing(Protocol):
    """A recognizer that can say what terminals a test consists of; edits are searched with them."""

    def tokens(self, test: TestCase) -> Sequence[int] | None:
        """The terminals of a test as the parser's lexer makes them.

        The end of the input is left out, unless it is a terminal of the grammar (ANTLR's EOF).
        -1 stands for a token that the grammar does not know; None if the lexer fails.
        """
        ...


@runtime_checkable
class ConflictKnowing(Protocol):
    """A recognizer with LR tables that knows where conflicts were resolved in them."""

    @property
    def conflicts(self) -> Sequence[Conflict]:
        """The conflicts of the tables; those that precedences have settled may be left out."""
        ...


@runtime_checkable
class LexerKnowing(Protocol):
    """A recognizer that knows the rules of its lexer."""

    def lexer_rules_at_error(self, test: TestCase) -> Sequence[Diagnostic]:
        """The token rules that may be to blame for the first lexical error of a test, if known."""
        ...


@runtime_checkable
class CodeSkipping(Protocol):
    """A recognizer that does not run all code of the user's lexer."""

    def code_not_run(self, test: TestCase) -> Sequence[Diagnostic]:
        """The actions and predicates of token rules that a test meets and that are not run."""
        ...


@runtime_checkable
class Lexing(Protocol):
    """A recognizer with a lexer that can be run by itself; texts are made of tokens with it."""

    def samples(self, terminal: int, limit: int) -> Sequence[str]:
        """At most `limit` texts that the lexer reads as that terminal and nothing else.

        The most readable ones first, always the same ones; none if none is found.
        """
        ...

    def lexed(self, texts: Sequence[str]) -> Sequence[Sequence[int] | None]:
        """The `Tokenizing.tokens` of each text, without the end of the input."""
        ...


@runtime_checkable
class ContextualLexing(Protocol):
    """A recognizer whose lexer may ask the parser what is expected."""

    def keywords(self, text: str) -> Sequence[int]:
        """The terminals that are this text alone; none if the lexer does not ask the parser.

        Where none of them is expected, the lexer may read the text as another terminal.
        """
        ...

    def matching(self, text: str) -> Sequence[int]:
        """The terminals that this text may be, as a whole; none if the lexer does not ask."""
        ...


@runtime_checkable
class TokenRuleKnowing(Protocol):
    """A recognizer that knows the rules of its lexer, and can run it from any place."""

    def token_rules(self) -> Sequence[TokenRule]:
        """The rules of the lexer, those of fragments too; none if they are not known."""
        ...

    def lexing(self, test: TestCase, splices: Sequence[Splice] = ()) -> LexedText | None:
        """The tokens of a test as the tool's lexer makes them; None if it cannot be asked.

        The lexer reads the text up to the start of each splice, takes that stretch as prescribed,
        and goes on after it in the state that it was in. The end of the input is left out.
        """
        ...


@runtime_checkable
class TokenRuleWriting(Protocol):
    """A recognizer that knows how the rules of its lexer are written: they can be mended."""

    def token_pattern(self, name: str) -> Pattern | None:
        """A token rule as it is written; None if that is not known. Calls are by name, too."""
        ...


@runtime_checkable
class OutcomeReading(Protocol):
    """A recognizer that reads what a recorder of the same adapter wrote while a program ran
    (`gramspect.recordings`)."""

    def check_identity(self, identity: object) -> str | None:
        """In words, how the recorded parser differs from this one; None if it does not."""
        ...

    def learn(self, entries: object) -> None:
        """Take the data of the recorder that the outcomes after it refer to."""
        ...

    def trace_of(self, outcome: object, text: str | None) -> Trace:
        """The trace of a recorded parse; `text` is None if the run does not have it.

        Raises:
            GramspectError: the outcome is not in the form that the recorder writes.
        """
        ...


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How a grammar or parser is loaded.

    Attributes:
        start: the start symbol, if not the grammar's own.
        actions: whether the semantic actions of the user's parser run.
        extra: options of single adapters by name, such as ``case``; see the page of the adapter.
        adapter: the name of the adapter; by default the first that claims the source. If the
            source is a recognizer, the adapter that it is from.
        seconds: how long loading may take if it runs Python code.
    """

    start: str | None = None
    actions: bool = True
    extra: Mapping[str, str] = field(default_factory=dict)
    adapter: str | None = None
    seconds: float = 120.0


class Adapter(Protocol):
    """One parser generator."""

    @property
    def name(self) -> str:
        """What users call it: the value of ``--adapter``."""
        ...

    @property
    def summary(self) -> str:
        """One line: which grammars and parsers it takes."""
        ...

    @property
    def options(self) -> frozenset[str]:
        """The keys of `LoadOptions.extra` that it knows."""
        ...

    def missing(self) -> str | None:
        """None if everything that it needs is installed, else how to install the rest."""
        ...

    def claims(self, source: str) -> bool:
        """Whether `load` should be tried on this source when the user names no adapter."""
        ...

    def load(self, source: str, options: LoadOptions) -> Recognizer:
        """A recognizer for a source of the user: a grammar file, a module, an object's name."""
        ...

    def build(self, grammar: Grammar) -> Recognizer:
        """A recognizer for a core grammar, over sequences of its token names."""
        ...


@runtime_checkable
class Holding(Protocol):
    """An adapter that takes live Python objects, and knows those that it takes."""

    def holds(self, thing: object) -> bool:
        """Whether an object is a parser of this kind, or has one."""
        ...


@runtime_checkable
class Sheltering(Protocol):
    """An adapter whose tool would read or write files that it should not, while the user's modules
    are imported to see which adapter they belong to."""

    def sheltered(self) -> AbstractContextManager[object]:
        """Inside of it the tool behaves as while a parser is loaded."""
        ...


@runtime_checkable
class CodeRunning(Protocol):
    """An adapter that runs the user's Python code; it gets a process of its own for that."""

    def runs_code(self, source: str, options: LoadOptions) -> bool:
        """Whether loading that source, or parsing with it, runs code of the user."""
        ...


@runtime_checkable
class Inspecting(Protocol):
    """An adapter whose sources may hold several parsers."""

    def inside(self, source: str) -> Sequence[str]:
        """What could be loaded from the place of a source, each as a source.

        Raises:
            GramspectError: the place cannot be read.
        """
        ...


@runtime_checkable
class ToolNaming(Protocol):
    """An adapter that can say what its tool is called."""

    def tool(self) -> str:
        """The tool and its release, such as ``PLY 3.11``; may start the tool to ask it."""
        ...


@runtime_checkable
class SuiteKnowing(Protocol):
    """An adapter that finds the tests that come with a source."""

    def tests(self, source: str) -> TestSuite | None:
        """The tests that come with a source; None if there is no place for them.

        Raises:
            GramspectError: they cannot be read.
        """
        ...
