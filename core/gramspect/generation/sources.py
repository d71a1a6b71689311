"""Grammars to generate from: whatever an adapter loads."""

from __future__ import annotations

from typing import NamedTuple

from gramspect.generation.texts import Spacing, read_model, read_samples, sample_texts
from gramspect.generation.words import Texts, TokenNames
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Lexing, LoadOptions, Recognizer
from gramspect.recognition.registry import adapter, check_options, claiming
from gramspect.recognition.sequences import SequenceRecognizer
from gramspect.running.loading import load_parser

__all__ = ["END_OF_FILE", "Subject", "loaded_grammar", "read_grammar", "read_subject", "texts_of"]

_YACC = ("native", "chart")
"""Adapters whose grammars are read without making a parser of them."""

END_OF_FILE = ("EOF", "<EOF>")
"""The names that tools give to the end of the input in rules."""


class Subject(NamedTuple):
    """A grammar with what makes tests of its tokens, and its own parser.

    There is no parser where the grammar says all, and under a model, whose tests may be parts of
    inputs.
    """

    grammar: Grammar
    texts: Texts
    parser: Recognizer | None


def read_grammar(
    source: str,
    *,
    load: LoadOptions = LoadOptions(),
    model: str | None = None,
    samples: str | None = None,
    spacing: Spacing = Spacing.BLANK,
    seed: int | None = None,
) -> tuple[Grammar, Texts]:
    """The grammar of a source as an adapter takes it, and what makes tests of its tokens.

    See `read_subject`; no parser is made of a yacc grammar.
    """
    found = read_subject(
        source, load=load, model=model, samples=samples, spacing=spacing, seed=seed, parsing=False
    )
    return found.grammar, found.texts


def read_subject(
    source: str,
    *,
    load: LoadOptions = LoadOptions(),
    model: str | None = None,
    samples: str | None = None,
    spacing: Spacing = Spacing.BLANK,
    seed: int | None = None,
    parsing: bool = True,
) -> Subject:
    """The grammar of a source as an adapter takes it, and what makes tests of its tokens.

    If the adapter knows the lexer, or samples are given, tests are texts, else token names
    separated by blanks. Of other tools' grammars, a terminal
    for the end of the input, such as ANTLR's EOF, is not written.

    Args:
        source, load: those of `localize`.
        model: a file that says which part of the language is tested
            (`gramspect.generation.texts.model`).
        samples: a file with texts of tokens (`gramspect.generation.texts.subject`).
        spacing: the separator that is tried first between two tokens.
        seed: draws among the samples of tokens.
        parsing: whether the parser of the grammar is wanted.

    Raises:
        GramspectError: no adapter takes the source, its grammar or one of the files is broken, or
            tokens have no text.
        MissingDependency: something the adapter needs is not installed.
    """
    grammar, lexer = loaded_grammar(source, load)
    parser = None
    if parsing and model is None:
        parser = _of_yacc(source, load) if lexer is None else lexer
    written = texts_of(grammar, lexer, model=model, samples=samples, spacing=spacing, seed=seed)
    return Subject(*written, parser)


def _of_yacc(source: str, load: LoadOptions) -> Recognizer | None:
    """The parser of a yacc grammar as it is loaded; None if it accepts what the grammar derives."""
    name = load.adapter or claiming(source)[0].name
    if name == "chart":
        return None
    parser = adapter(name).load(source, load)
    table = getattr(parser, "table", None)
    return parser if table is None or table.conflicts else None


def texts_of(
    grammar: Grammar,
    lexer: Recognizer | None,
    *,
    model: str | None = None,
    samples: str | None = None,
    spacing: Spacing = Spacing.BLANK,
    seed: int | None = None,
    partial: bool = False,
) -> tuple[Grammar, Texts]:
    """The grammar, under the model if there is one, and what makes tests of its tokens.

    `lexer` is the parser of the grammar, if it has one, `partial` says whether tokens without a
    text may be missing; the others are those of `read_subject`.

    Raises:
        GramspectError: a file is broken, or tokens have no text.
    """
    silent = [s.index for s in grammar.terminals if s.name in END_OF_FILE and lexer is not None]
    if not isinstance(lexer, Lexing):
        if samples is None and model is None:
            named = lexer is None or isinstance(lexer, SequenceRecognizer)
            return grammar, TokenNames(grammar, silent, for_lexer=not named)
        lexer = None
    given = {} if samples is None else read_samples(samples, grammar)
    return sample_texts(
        grammar,
        lexer,
        given=given,
        model=None if model is None else read_model(model),
        silent=silent,
        spacing=spacing,
        seed=seed,
        partial=partial,
    )


def loaded_grammar(source: str, options: LoadOptions) -> tuple[Grammar, Recognizer | None]:
    """The grammar of a source, and its parser unless the grammar is only read.

    Raises:
        GramspectError: no adapter takes the source, or its grammar is broken.
        MissingDependency: something the adapter needs is not installed.
    """
    found = claiming(source) if options.adapter is None else [adapter(options.adapter)]
    if found[0].name in _YACC:
        from gramspect.yacc import read_yacc

        check_options(found[0], options)
        return read_yacc(source, start=options.start), None
    recognizer = load_parser(source, options).recognizer
    return recognizer.grammar, recognizer
