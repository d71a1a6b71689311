"""PLY parsers under observation: over texts, with the user's lexer, and over token names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gramspect.adapter_api import (
    UNKNOWN,
    ErrorKind,
    Grammar,
    LexedText,
    Lexeme,
    LoopGuard,
    ParseError,
    Pattern,
    Splice,
    TestCase,
    TokenRule,
    TokenSequence,
    Trace,
    Undecided,
    sequence_of,
)
from gramspect_ply.building import SequenceLexer, build_parser
from gramspect_ply.errors import offset_in_lexer, parse_error
from gramspect_ply.hook import Hook
from gramspect_ply.loading import Target
from gramspect_ply.loops import default_lexer
from gramspect_ply.outcomes import Failure, Recording
from gramspect_ply.reading import read_grammar
from gramspect_ply.samples import LexerSamples, lexers_within
from gramspect_ply.shapes import Lexer, Parser, Token
from gramspect_ply.snapshot import Snapshot
from gramspect_ply.splicing import SplicedLexers, Stretch
from gramspect_ply.tables_files import nothing_written
from gramspect_ply.tokenrules import LexerRules
from gramspect_ply.tracing import Tables, trace_of

__all__ = ["PlyRecognizer", "SequenceRecognizer", "recognizer_for"]


class PlyRecognizer:
    """A parser with its lexer. Tests are texts.

    Before each test the objects that hold parser and lexer, and what they hold, get back the
    attributes that they had at the start: line numbers, lexer states, scopes. State that the user's
    code keeps elsewhere is not restored.
    """

    def __init__(
        self,
        target: Target,
        parse: Callable[[str], object],
        *,
        actions: bool = True,
        name: str = "grammar",
        strict: bool = False,
    ) -> None:
        known = target.lexer or default_lexer(target.parser)
        self._grammar, rules = read_grammar(target.parser, name, known)
        self._tables = Tables.of(target.parser, self._grammar)
        self._hook = Hook(target.parser, rules, actions, strict)
        self._surroundings = target.surroundings
        self._parse = parse
        self._hint = _other_ways(target)
        self._snapshot = Snapshot.of(*target.state, target.lexer)
        lexer, parser, state = target.lexer, target.parser, target.state
        self._samples = LexerSamples(
            lambda: lexers_within((lexer or default_lexer(parser), *state)), self._types
        )
        self._rules = LexerRules(self._lexers, self._grammar)

    @classmethod
    def from_parser(
        cls,
        parser: Parser,
        lexer: Lexer | None = None,
        *,
        parse: Callable[[str], object] | None = None,
        actions: bool = True,
        name: str = "grammar",
        strict: bool = False,
    ) -> PlyRecognizer:
        """A recognizer for a live ``ply.yacc.LRParser``, also one of a bundled copy of PLY.

        Args:
            parser: the parser.
            lexer: what it reads from; by default, as in PLY, the last lexer that was made.
            parse: a function that runs the parser on a text, if that takes more than calling its
                method.
            actions: whether semantic actions run.
            name: what reports call the grammar.
            strict: whether the first syntax error rejects even if the parser's error function puts
                in a token.

        Raises:
            AdapterError: the parser's tables do not belong to its productions.
        """
        lexer = lexer or default_lexer(parser)
        target = Target(parser, parse, lexer)
        run = parse or _plain_parse(parser, lexer)
        return cls(target, run, actions=actions, name=name, strict=strict)

    @property
    def grammar(self) -> Grammar:
        return self._grammar

    def tokens(self, test: TestCase) -> list[int] | None:
        """The terminals of a text as the parser's lexer makes them; None if it fails."""
        types = self._types(test.text)
        return None if types is None else self._terminals(types)

    def lexed(self, texts: Sequence[str]) -> list[list[int] | None]:
        """The terminals of each text; None if the lexer fails."""
        found = (self._types(text) for text in texts)
        return [None if types is None else self._terminals(types) for types in found]

    def samples(self, terminal: int, limit: int) -> list[str]:
        """Texts that the lexer reads as that terminal, the shortest first."""
        return self._samples.of(self._grammar.symbols[terminal].name, limit)

    def token_rules(self) -> Sequence[TokenRule]:
        """The rules of the lexers that this parser uses."""
        with self._surroundings.entered():
            return self._rules.all

    def token_pattern(self, name: str) -> Pattern | None:
        """The regular expression of a rule as it is written."""
        with self._surroundings.entered():
            return self._rules.pattern(name)

    def lexing(self, test: TestCase, splices: Sequence[Splice] = ()) -> LexedText | None:
        """The tokens of a text with some stretches read as told; None if that cannot be done."""
        names = self._grammar.symbols
        stretches = [
            Stretch(s.start, s.end, None if s.terminal is None else names[s.terminal].name)
            for s in splices
        ]
        tokens, recording, spliced = self._spliced(test.text, stretches)
        if spliced.is_foreign or not spliced.lexers:
            return None
        lexemes: list[Lexeme] = []
        length = len(test.text)
        for token, terminal in zip(tokens, self._terminals([t.type for t in tokens]), strict=True):
            place = lexemes[-1].end if lexemes else 0
            start, end = spliced.span(token) or (place, place)
            # A lexer may read a line break that it has put after the text by itself.
            lexemes.append(Lexeme(terminal, min(start, length), min(end, length)))
        failure = recording.failure
        accepted = failure is None and recording.problem is None and spliced.is_complete
        failed = None
        if recording.problem is not None or not spliced.is_complete:
            failed = spliced.place
        elif failure is not None and failure.kind is ErrorKind.LEXICAL:
            offset = offset_in_lexer(failure.cause)
            failed = spliced.place if offset is None else spliced.offset(offset)
        return LexedText(lexemes, failed, accepted)

    def _spliced(
        self, text: str, stretches: Sequence[Stretch]
    ) -> tuple[list[Token], Recording, SplicedLexers]:
        self._snapshot.restore()
        spliced = SplicedLexers(text, stretches)
        with self._surroundings.entered(), spliced.installed():
            return *self._hook.tokens(lambda: self._parse(text)), spliced

    def _lexers(self) -> list[object]:
        """The lexers that a parse asks for tokens."""
        *_, spliced = self._spliced("", ())
        return list(spliced.lexers.values())

    def _types(self, text: str) -> list[str] | None:
        """The types of a text's tokens; None if the lexer fails."""
        self._snapshot.restore()
        with self._surroundings.entered(), nothing_written():
            most = self._hook.most_mended(lambda: self._parse(text))
            if most is not None:
                self._snapshot.restore()
            return self._hook.token_types(lambda: self._parse(text), most)

    def _terminals(self, types: Sequence[str]) -> list[int]:
        known = self._grammar.token
        return [UNKNOWN if (t := known(x)) is None else t for x in types]

    def trace(self, test: TestCase) -> Trace:
        """Parse one text."""
        self._snapshot.restore()
        with self._surroundings.entered(), nothing_written():
            recording = self._hook.observe(lambda: self._parse(test.text))

        def error(failure: Failure, token: int) -> ParseError:
            rule = None if failure.rule is None else self._grammar.rule_text(failure.rule)
            return parse_error(failure, token, test.text, recording.text, rule)

        trace = trace_of(self._tables, recording, error)
        return Undecided(trace.reason + self._hint) if isinstance(trace, Undecided) else trace


class SequenceRecognizer:
    """A parser without a lexer. Tests are sequences of token names
    (`gramspect.recognition.tokens`)."""

    def __init__(
        self,
        parser: Parser,
        tables: Tables,
        names: Sequence[str],
        rules: Sequence[int],
        *,
        actions: bool = True,
        messages: tuple[str, ...] = (),
        guard: LoopGuard | None = None,
    ) -> None:
        self._parser = parser
        self._tables = tables
        self._names = names
        self._hook = Hook(parser, rules, actions, strict=True)
        self._guard = guard
        self.messages = messages
        """What PLY warned of when it made the parser: conflicts, unused symbols."""

    @classmethod
    def build(cls, grammar: Grammar) -> SequenceRecognizer:
        """A recognizer for a core grammar.

        Raises:
            AdapterError: PLY cannot build it.
            MissingDependency: PLY is not installed.
        """
        built = build_parser(grammar)
        rules = (0, *range(grammar.n_rules))
        tables = Tables.of(built.parser, grammar, built.names)
        return cls(
            built.parser, tables, built.names, rules, messages=built.messages, guard=built.guard
        )

    @property
    def grammar(self) -> Grammar:
        return self._tables.automaton.grammar

    def _split(self, test: TestCase) -> TokenSequence:
        return sequence_of(self.grammar, test)

    def tokens(self, test: TestCase) -> Sequence[int]:
        """The terminals that the words of a test name."""
        return self._split(test).terminals

    def trace(self, test: TestCase) -> Trace:
        """Parse one sequence of token names."""
        tokens = self._split(test)
        names = self._names
        kinds = ["" if t == UNKNOWN else names[t] for t in tokens.terminals]
        lexer = SequenceLexer(kinds, self._parser, self._guard)
        recording = self._hook.observe(lambda: self._parser.parse(lexer=lexer))
        return trace_of(self._tables, recording, lambda _, token: tokens.error(token))


def _other_ways(target: Target) -> str:
    """What to say of methods that may prepare what a failing test lacks."""
    if not target.others:
        return ""
    return f"; if {' or '.join(target.others)} prepares the parse, name the method"


def recognizer_for(
    target: Target, *, actions: bool = True, name: str = "grammar", strict: bool = False
) -> PlyRecognizer | SequenceRecognizer:
    """The recognizer for a parser that was found: over token names if it has no lexer."""
    if target.parse is not None or target.lexer is not None:
        parse = target.parse or _plain_parse(target.parser, target.lexer)
        return PlyRecognizer(target, parse, actions=actions, name=name, strict=strict)
    grammar, rules = read_grammar(target.parser, name)
    tables = Tables.of(target.parser, grammar)
    names = [symbol.name for symbol in grammar.symbols]
    return SequenceRecognizer(target.parser, tables, names, rules, actions=actions)


def _plain_parse(parser: Parser, lexer: Lexer | None) -> Callable[[str], object]:
    return lambda text: parser.parse(text, lexer=lexer)
