"""Loads .g4 grammars with the ANTLR tool in the JVM."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gramspect.adapter_api import (
    AdapterError,
    Definition,
    Diagnostic,
    Grammar,
    Span,
    Token,
    expand,
    read_bytes,
)
from gramspect_antlr.messages import refuse_errors, tool_notes
from gramspect_antlr.outline import Vocabulary, read_outline
from gramspect_antlr.starting import choose_start, references

__all__ = ["LoadedGrammar", "load_grammar"]

_FOREIGN = {
    "parser predicate": "semantic predicates in parser rules, taken as true",
    "lexer predicate": "semantic predicates in lexer rules, taken as true",
    "parser action": "actions in parser rules, not run",
    "lexer action": "actions in lexer rules, not run",
    "members": "members for the generated classes, which predicates and actions may need, left out",
    "superClass": "base classes for the generated ones, with what they override, left out",
}


@dataclass(frozen=True, eq=False)
class LoadedGrammar:
    """A grammar, its definitions as written, and its Java side (``LoadedGrammar.java``)."""

    grammar: Grammar
    definitions: tuple[Definition, ...]
    vocabulary: Vocabulary
    java: Any


def load_grammar(
    source: str, start: str | None = None, lexer: str | None = None, described: str | None = None
) -> LoadedGrammar:
    """Load a combined grammar, or a parser grammar with the lexer grammar beside it.

    `start` is the start rule that the user wants, `described` that of a description beside the
    grammar, which may be out of date.

    Raises:
        GrammarError: a file cannot be read, or ANTLR refuses the grammar; the message is ANTLR's.
        AdapterError: there is no Java.
    """
    from gramspect_jvm import java_class

    for path in filter(None, (source, lexer)):
        read_bytes(path)
    loader = java_class("org.gramspect.antlr.Loader")
    try:
        result = loader.load(source, lexer, str(Path.cwd()))
    except Exception as problem:  # whatever Java throws; JPype maps it to Python's classes too
        raise AdapterError(f"{source}: the ANTLR tool failed ({problem})") from problem
    messages = list(result.messages())
    refuse_errors(messages)
    java = result.grammar()
    told = [*tool_notes(messages), *_foreign_code(java)]
    return _translate(java, start, described, told)


def _foreign_code(java: Any) -> Iterator[Diagnostic]:
    """What an interpreter cannot run, once per kind."""
    found = {str(code.kind()): code for code in java.foreignCode()}
    for kind, text in _FOREIGN.items():
        if kind in found:
            code = found[kind]
            line, column = int(code.line()), int(code.column())
            span = Span(str(code.file()), line, column, line, column)
            message = f"code of the target language that ANTLR's interpreter cannot run: {text}"
            yield Diagnostic("foreign-code", f"{message} ({int(code.count())})", span)


def _translate(
    java: Any, start: str | None, described: str | None, told: Sequence[Diagnostic]
) -> LoadedGrammar:
    files = [str(file) for file in java.files()]
    rules = [str(rule) for rule in java.ruleNames()]
    vocabulary = Vocabulary(_strings(java.tokenNames()), _strings(java.tokenLiterals()))
    outline = np.asarray(java.outline()).tolist()
    definitions = read_outline(outline, rules, vocabulary, files, _text_of)
    chosen = choose_start(definitions, start, described)
    grammar = expand(
        definitions,
        tokens=_tokens(vocabulary, definitions, np.asarray(java.tokenSpans()).tolist(), files),
        start=chosen.name,
        name=str(java.name()),
        files=files,
        diagnostics=[*chosen.notes, *told],
    )
    return LoadedGrammar(grammar, definitions, vocabulary, java)


def _strings(array: Any) -> list[str | None]:
    return [None if text is None else str(text) for text in array]


def _text_of(span: Span) -> str:
    lines = _lines(span.file)[span.line - 1 : span.end_line]
    if not lines:
        return "~"
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


@cache
def _lines(file: str) -> list[str]:
    data = Path(file).read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.split("\n")


def _tokens(
    vocabulary: Vocabulary,
    definitions: Sequence[Definition],
    spans: Sequence[int],
    files: Sequence[str],
) -> Iterator[Token]:
    """All tokens in the order of their types, shown as they are written first."""
    written: dict[str, str | None] = {}
    for reference in references(definitions):
        written.setdefault(reference.name, reference.display)
    for index in range(len(vocabulary)):
        name, literal = vocabulary.name(index + 1), vocabulary.literals[index]
        file, *place = spans[5 * index : 5 * index + 5]
        yield Token(
            name,
            Span(files[file], *place) if file >= 0 else None,
            written.get(name),
            (literal[1:-1],) if literal else (),
        )
