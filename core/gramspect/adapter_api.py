"""All of gramspect that an adapter imports. It needs nothing else, and these names are stable.

The names come in groups:

* what an adapter is: the protocols `Adapter` and `Recognizer`, and those of what either can do
  beyond that (`Batching`, `Tokenizing`, ...);
* what goes in: `TestCase`, `TestSuite`, `LoadOptions`;
* what comes out: `Trace` and its forms, `ParseError`, and the errors that users see;
* grammars: definitions as users write them (`Definition` and what it consists of), which `expand`
  makes into a `Grammar`; `Span` and `SourceText` for where things are;
* parsing: `parse_chart` for any grammar, `LRAutomaton` for the tables of LR parsers, `Networks` for
  the rules of predictive parsers, `TokenSequence` for parsers without a lexer;
* texts for terminals: `regex_texts`, `Network`;
* token rules: `TokenRule` with its `Automaton`, definitions of them as they are written
  (`Pattern`), and texts as a lexer reads them (`LexedText`);
* the user's code: `import_file`, `Surroundings`, `silenced`; `Patience` with lexers that may be
  endless; `cancelled_by` for code that is not in Python; `Execution` for programs that are watched.

A name that is removed, or that changes its meaning, is announced in the change log one release
before. What is named here is imported when it is first used, so that an adapter costs only what it
uses.
"""

# ruff: noqa: PLC0414  # "as" says that the name is public

from __future__ import annotations

from typing import TYPE_CHECKING

from gramspect.lazy import on_first_use

if TYPE_CHECKING:
    from gramspect.errors import (
        AdapterError as AdapterError,
    )
    from gramspect.errors import (
        CodeError as CodeError,
    )
    from gramspect.errors import (
        GrammarError as GrammarError,
    )
    from gramspect.errors import (
        GramspectError as GramspectError,
    )
    from gramspect.errors import (
        MissingDependency as MissingDependency,
    )
    from gramspect.errors import (
        NoSuchFile as NoSuchFile,
    )
    from gramspect.errors import (
        SuiteError as SuiteError,
    )
    from gramspect.generation.texts.candidates import fitting as fitting
    from gramspect.generation.texts.network import Network as Network
    from gramspect.generation.texts.network import preferred as preferred
    from gramspect.generation.texts.regular import (
        alternatives as alternatives,
    )
    from gramspect.generation.texts.regular import (
        regex_texts as regex_texts,
    )
    from gramspect.grammars.analysis import nullable_tail as nullable_tail
    from gramspect.grammars.ebnf import (
        Alternative as Alternative,
    )
    from gramspect.grammars.ebnf import (
        Block as Block,
    )
    from gramspect.grammars.ebnf import (
        Definition as Definition,
    )
    from gramspect.grammars.ebnf import (
        Element as Element,
    )
    from gramspect.grammars.ebnf import (
        Reference as Reference,
    )
    from gramspect.grammars.ebnf import (
        Token as Token,
    )
    from gramspect.grammars.grammar import Grammar as Grammar
    from gramspect.grammars.grammar import expand as expand
    from gramspect.grammars.grammar_file import (
        read_bytes as read_bytes,
    )
    from gramspect.grammars.grammar_file import (
        read_grammar_file as read_grammar_file,
    )
    from gramspect.grammars.grammar_file import (
        undecodable as undecodable,
    )
    from gramspect.grammars.grammar_file import (
        unix_lines as unix_lines,
    )
    from gramspect.grammars.reader import Reader as Reader
    from gramspect.grammars.relations import on_cycles as on_cycles
    from gramspect.grammars.relations import united as united
    from gramspect.grammars.symbols import (
        END as END,
    )
    from gramspect.grammars.symbols import (
        Associativity as Associativity,
    )
    from gramspect.grammars.symbols import (
        Diagnostic as Diagnostic,
    )
    from gramspect.grammars.symbols import (
        Operator as Operator,
    )
    from gramspect.grammars.symbols import (
        Symbol as Symbol,
    )
    from gramspect.grammars.symbols import (
        block_text as block_text,
    )
    from gramspect.kernel import is_compiled as is_compiled
    from gramspect.kernel.tables import as_numbers as as_numbers
    from gramspect.kernel.workspace import ChartSpace as ChartSpace
    from gramspect.kernel.workspace import Space as Space
    from gramspect.lexical.automaton import Automaton as Automaton
    from gramspect.lexical.automaton import Chain as Chain
    from gramspect.lexical.characters import CharSet as CharSet
    from gramspect.lexical.parts import Blank as Blank
    from gramspect.lexical.parts import Call as Call
    from gramspect.lexical.parts import Choice as Choice
    from gramspect.lexical.parts import Leaf as Leaf
    from gramspect.lexical.parts import Part as Part
    from gramspect.lexical.parts import Pattern as Pattern
    from gramspect.lexical.parts import Quoted as Quoted
    from gramspect.lexical.parts import Repeat as Repeat
    from gramspect.lexical.parts import Row as Row
    from gramspect.lexical.parts import Style as Style
    from gramspect.lexical.patterns import automaton_of as automaton_of
    from gramspect.lexical.regextext import read_regex as read_regex
    from gramspect.lexical.regular import (
        MOST_COPIES as MOST_COPIES,
    )
    from gramspect.lexical.regular import (
        add_regex as add_regex,
    )
    from gramspect.lexical.regular import (
        of_groups as of_groups,
    )
    from gramspect.lexical.rules import (
        LexedText as LexedText,
    )
    from gramspect.lexical.rules import (
        Lexeme as Lexeme,
    )
    from gramspect.lexical.rules import (
        Splice as Splice,
    )
    from gramspect.lexical.rules import (
        Substitute as Substitute,
    )
    from gramspect.lexical.rules import (
        TokenRule as TokenRule,
    )
    from gramspect.lr.automaton import LRAutomaton as LRAutomaton
    from gramspect.lr.conflicts import Conflict as Conflict
    from gramspect.lr.tables import lalr_table as lalr_table
    from gramspect.recognition.chart import Chart as Chart
    from gramspect.recognition.chart import parse_chart as parse_chart
    from gramspect.recognition.endless import EndlessParse as EndlessParse
    from gramspect.recognition.endless import LoopGuard as LoopGuard
    from gramspect.recognition.faults import fault_in_setting_up as fault_in_setting_up
    from gramspect.recognition.live import Attachment as Attachment
    from gramspect.recognition.live import NoteParse as NoteParse
    from gramspect.recognition.networks import Networks as Networks
    from gramspect.recognition.networks import NoWay as NoWay
    from gramspect.recognition.networks import Way as Way
    from gramspect.recognition.recognizer import (
        Adapter as Adapter,
    )
    from gramspect.recognition.recognizer import (
        Batching as Batching,
    )
    from gramspect.recognition.recognizer import (
        BatchRecording as BatchRecording,
    )
    from gramspect.recognition.recognizer import (
        CodeRunning as CodeRunning,
    )
    from gramspect.recognition.recognizer import (
        CodeSkipping as CodeSkipping,
    )
    from gramspect.recognition.recognizer import (
        ConflictKnowing as ConflictKnowing,
    )
    from gramspect.recognition.recognizer import (
        ContextualLexing as ContextualLexing,
    )
    from gramspect.recognition.recognizer import (
        Deciding as Deciding,
    )
    from gramspect.recognition.recognizer import (
        Holding as Holding,
    )
    from gramspect.recognition.recognizer import (
        LexerKnowing as LexerKnowing,
    )
    from gramspect.recognition.recognizer import (
        Lexing as Lexing,
    )
    from gramspect.recognition.recognizer import (
        LoadOptions as LoadOptions,
    )
    from gramspect.recognition.recognizer import (
        OutcomeReading as OutcomeReading,
    )
    from gramspect.recognition.recognizer import (
        Recognizer as Recognizer,
    )
    from gramspect.recognition.recognizer import (
        SuiteKnowing as SuiteKnowing,
    )
    from gramspect.recognition.recognizer import (
        Tokenizing as Tokenizing,
    )
    from gramspect.recognition.recognizer import (
        TokenRuleKnowing as TokenRuleKnowing,
    )
    from gramspect.recognition.recognizer import (
        TokenRuleWriting as TokenRuleWriting,
    )
    from gramspect.recognition.recognizer import (
        ToolNaming as ToolNaming,
    )
    from gramspect.recognition.rejection import chart_of_rejected as chart_of_rejected
    from gramspect.recognition.rejection import end_of_input as end_of_input
    from gramspect.recognition.rejection import rejected_sequence as rejected_sequence
    from gramspect.recognition.sequences import SequenceRecognizer as SequenceRecognizer
    from gramspect.recognition.sequences import joined as joined
    from gramspect.recognition.surroundings import (
        Surroundings as Surroundings,
    )
    from gramspect.recognition.surroundings import followed as followed
    from gramspect.recognition.surroundings import (
        import_file as import_file,
    )
    from gramspect.recognition.surroundings import (
        import_name as import_name,
    )
    from gramspect.recognition.surroundings import module_file as module_file
    from gramspect.recognition.surroundings import (
        named_object as named_object,
    )
    from gramspect.recognition.surroundings import (
        names_python as names_python,
    )
    from gramspect.recognition.surroundings import (
        one_line as one_line,
    )
    from gramspect.recognition.surroundings import reads_text as reads_text
    from gramspect.recognition.surroundings import (
        split_source as split_source,
    )
    from gramspect.recognition.tokens import (
        UNKNOWN as UNKNOWN,
    )
    from gramspect.recognition.tokens import (
        TokenSequence as TokenSequence,
    )
    from gramspect.recognition.tokens import sequence_of as sequence_of
    from gramspect.recognition.tokens import (
        split_tokens as split_tokens,
    )
    from gramspect.recognition.trace import (
        ChartTrace as ChartTrace,
    )
    from gramspect.recognition.trace import (
        ErrorKind as ErrorKind,
    )
    from gramspect.recognition.trace import (
        LLTrace as LLTrace,
    )
    from gramspect.recognition.trace import (
        LRTrace as LRTrace,
    )
    from gramspect.recognition.trace import (
        ParseError as ParseError,
    )
    from gramspect.recognition.trace import (
        Trace as Trace,
    )
    from gramspect.recognition.trace import (
        Undecided as Undecided,
    )
    from gramspect.running.alarm import cancelled_by as cancelled_by
    from gramspect.running.executions import Execution as Execution
    from gramspect.running.hosts import how_it_ended as how_it_ended
    from gramspect.running.observing import silenced as silenced
    from gramspect.running.patience import Patience as Patience
    from gramspect.source import SourceText as SourceText
    from gramspect.source import Span as Span
    from gramspect.spectrum.ll import closure as closure
    from gramspect.suites.suite import (
        Expectation as Expectation,
    )
    from gramspect.suites.suite import (
        TestCase as TestCase,
    )
    from gramspect.suites.suite import (
        TestSuite as TestSuite,
    )
    from gramspect.yacc.names import NearMisses as NearMisses
else:
    __getattr__, __all__ = on_first_use(__name__)
