"""PLY parsers under observation: over texts, with the user's lexer, and over token names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from gramspect.grammar import Grammar
from gramspect.suite import TestCase
from gramspect.tokens import UNKNOWN, split_tokens
from gramspect.trace import ErrorKind, ParseError, Trace, Undecided

from gramspect_ply.building import LoopGuard, SequenceLexer, build_parser
from gramspect_ply.errors import offset_in_lexer, parse_error
from gramspect_ply.hook import Failure, Hook, Recording, Stop, default_lexer
from gramspect_ply.loading import Target
from gramspect_ply.reading import read_grammar
from gramspect_ply.shapes import Lexer, Parser
from gramspect_ply.snapshot import Snapshot
from gramspect_ply.surroundings import one_line
from gramspect_ply.tracing import Tables

__all__ = ["PlyRecognizer", "SequenceRecognizer", "recognizer_for"]


class PlyRecognizer:
    """A parser with its lexer. Tests are texts.

    Before each test the objects that hold parser and lexer get back the attributes that they had at
    the start: line numbers, lexer states, scopes. What the user's code keeps elsewhere stays.
    """

    def __init__(
        self,
        target: Target,
        parse: Callable[[str], object],
        *,
        actions: bool = True,
        name: str = "grammar",
    ) -> None:
        self._grammar, rules = read_grammar(target.parser, name)
        self._tables = Tables.of(target.parser, self._grammar, rules)
        self._hook = Hook(target.parser, actions)
        self._surroundings = target.surroundings
        self._parse = parse
        self._snapshot = Snapshot.of(*target.state, target.lexer)

    @classmethod
    def from_parser(
        cls,
        parser: Parser,
        lexer: Lexer | None = None,
        *,
        parse: Callable[[str], object] | None = None,
        actions: bool = True,
        name: str = "grammar",
    ) -> PlyRecognizer:
        """A recognizer for a live ``ply.yacc.LRParser``, also one of a bundled copy of PLY.

        Args:
            parser: the parser.
            lexer: what it reads from; by default, as in PLY, the last lexer that was made.
            parse: how to run the parser on a text, if that takes more than calling its method.
            actions: whether semantic actions run.
            name: what reports call the grammar.

        Raises:
            AdapterError: the parser's tables do not belong to its productions.
        """
        lexer = lexer or default_lexer(parser)
        target = Target(parser, parse, lexer)
        return cls(target, parse or _plain_parse(parser, lexer), actions=actions, name=name)

    @property
    def grammar(self) -> Grammar:
        return self._grammar

    def trace(self, test: TestCase) -> Trace:
        """Parse one text."""
        self._snapshot.restore()
        with self._surroundings.entered():
            return _traced(
                self._hook,
                self._tables,
                lambda: self._parse(test.text),
                lambda recording: parse_error(recording, self._tables, test.text),
            )


class SequenceRecognizer:
    """A parser without a lexer. Tests are sequences of token names (`gramspect.tokens`)."""

    def __init__(
        self,
        parser: Parser,
        tables: Tables,
        names: Sequence[str],
        *,
        actions: bool = True,
        messages: tuple[str, ...] = (),
        guard: LoopGuard | None = None,
    ) -> None:
        self._parser = parser
        self._tables = tables
        self._names = names
        self._hook = Hook(parser, actions)
        self._guard = guard
        self.messages = messages
        """What PLY said about conflicts when it made the parser."""

    @classmethod
    def build(cls, grammar: Grammar) -> SequenceRecognizer:
        """A recognizer for a core grammar.

        Raises:
            AdapterError: PLY cannot build it.
            MissingDependency: PLY is not installed.
        """
        built = build_parser(grammar)
        rules = (0, *range(grammar.n_rules))
        tables = Tables.of(built.parser, grammar, rules, built.names)
        return cls(built.parser, tables, built.names, messages=built.messages, guard=built.guard)

    @property
    def grammar(self) -> Grammar:
        return self._tables.automaton.grammar

    def trace(self, test: TestCase) -> Trace:
        """Parse one sequence of token names."""
        tokens = split_tokens(self.grammar, test.text if test.tokens is None else test.tokens)
        names = self._names
        kinds = ["" if t == UNKNOWN else names[t] for t in tokens.terminals]
        lexer = SequenceLexer(kinds, self._guard)

        def error(recording: Recording) -> ParseError:
            return tokens.error(self._tables.offending_token(recording))

        return _traced(self._hook, self._tables, lambda: self._parser.parse(lexer=lexer), error)


def recognizer_for(
    target: Target, *, actions: bool = True, name: str = "grammar"
) -> PlyRecognizer | SequenceRecognizer:
    """The recognizer for a parser that was found: over token names if it has no lexer."""
    if target.parse is not None or target.lexer is not None:
        parse = target.parse or _plain_parse(target.parser, target.lexer)
        return PlyRecognizer(target, parse, actions=actions, name=name)
    grammar, rules = read_grammar(target.parser, name)
    tables = Tables.of(target.parser, grammar, rules)
    names = [symbol.name for symbol in grammar.symbols]
    return SequenceRecognizer(target.parser, tables, names, actions=actions)


def _plain_parse(parser: Parser, lexer: Lexer | None) -> Callable[[str], object]:
    return lambda text: parser.parse(text, lexer=lexer)


def _traced(
    hook: Hook,
    tables: Tables,
    parse: Callable[[], object],
    error: Callable[[Recording], ParseError],
) -> Trace:
    """What the hook sees while `parse` runs."""
    problem: BaseException | None = None
    with hook.recording():
        try:
            parse()
        except Stop:
            pass
        except (Exception, SystemExit) as raised:
            problem = raised
    recording = hook.result()
    if problem is not None and not recording.ran and offset_in_lexer(problem) is not None:
        failure = Failure(ErrorKind.LEXICAL, 0, None, 0, (0,), problem)
        recording = replace(recording, failure=failure)  # a lexer that runs before the parser
    if recording.failure is not None:
        return tables.trace(recording, error(recording))
    if problem is not None:
        return Undecided(_reason(recording, tables, problem))
    if not recording.ran:
        return Undecided("the parser was not called")
    return tables.trace(recording)


def _reason(recording: Recording, tables: Tables, problem: BaseException) -> str:
    """Why a test is undecided. An exception of an action may well mean an error in the input."""
    if recording.raised is None:
        where = "the parser" if recording.ran else "the code around the parser"
    else:
        rule = tables.rules[recording.raised]
        where = f"the semantic action of {tables.automaton.grammar.rule_text(rule)}"
    return f"{where} raised {one_line(problem)}"
