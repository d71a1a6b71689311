"""From a CUP grammar's text to a `Grammar`: names resolved, every symbol with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gramspect.adapter_api import (
    Alternative,
    Block,
    Definition,
    Diagnostic,
    Element,
    Grammar,
    GrammarError,
    NearMisses,
    Operator,
    Reference,
    SourceText,
    Token,
    expand,
    read_grammar_file,
)
from gramspect_cup.lexemes import Kind, Lexeme
from gramspect_cup.syntax import Syntax, WrittenAlternative, parse

__all__ = ["ERROR", "ReadGrammar", "read_cup"]

ERROR = "error"
"""The terminal that every CUP grammar has, for productions that recover from errors."""


@dataclass(frozen=True, slots=True)
class ReadGrammar:
    """A grammar, and the text of it that CUP is given.

    The text differs from the file only where a start symbol is chosen and where an empty
    alternative is written as ``%empty``; every line is where it was. `symbols` is the name of the
    class in which CUP puts the numbers of the terminals, unless it is told otherwise.
    """

    grammar: Grammar
    source: SourceText
    text: str
    symbols: str


def read_cup(path: str | Path, start: str | None = None) -> ReadGrammar:
    """Read a grammar file; `start` overrides ``start with``.

    Raises:
        GrammarError: the file cannot be read, or is no grammar.
    """
    source, diagnostics = read_grammar_file(path)
    syntax = parse(source)
    reading = _Reading(source, syntax)
    chosen = start or reading.start(diagnostics)
    diagnostics += syntax.diagnostics
    grammar = expand(
        list(reading.definitions()),
        tokens=reading.tokens(),
        start=chosen,
        name=Path(path).stem,
        files=[source.file],
        precedence=[
            (side, [reading.terminal(name) for name in names]) for side, names in syntax.precedence
        ],
        diagnostics=diagnostics,
    )
    symbols = "sym" if syntax.class_name is None else f"{syntax.class_name}Sym"
    return ReadGrammar(
        grammar,
        source,
        _text_for_cup(source.text, syntax, chosen),
        f"{syntax.package}.{symbols}".lstrip("."),
    )


class _Reading:
    """The names of a grammar, and what is written with them."""

    def __init__(self, source: SourceText, syntax: Syntax) -> None:
        self.source = source
        self.syntax = syntax
        self.terminals = self._declared(syntax.terminals, {})
        self.nonterminals = self._declared(syntax.nonterminals, self.terminals)
        names = {**self.terminals, **self.nonterminals}
        self._near = NearMisses(names)

    def _declared(self, lexemes: list[Lexeme], others: Mapping[str, Lexeme]) -> dict[str, Lexeme]:
        found: dict[str, Lexeme] = {}
        for lexeme in lexemes:
            if lexeme.text in found or lexeme.text in others:
                first = found.get(lexeme.text) or others[lexeme.text]
                line, _ = self.source.position(first.start)
                self._fail(f"{lexeme.text!r} is declared in line {line} already", lexeme)
            found[lexeme.text] = lexeme
        return found

    def _fail(self, message: str, lexeme: Lexeme) -> None:
        raise GrammarError(message, self.source.span(lexeme.start, lexeme.end))

    def start(self, diagnostics: list[Diagnostic]) -> str:
        """The symbol of ``start with``, the first of several, or that of the first production."""
        if not self.syntax.starts:
            return self.syntax.productions[0].name.text
        chosen, *others = self.syntax.starts
        for other in others:
            message = f"{other.text!r} is a further start symbol; {chosen.text!r} is the one taken"
            span = self.source.span(other.start, other.end)
            diagnostics.append(Diagnostic("several-starts", message, span))
        if chosen.text not in self.nonterminals:
            self._fail(
                f"the start symbol {chosen.text!r} is no non-terminal"
                f"{self._near.hint(chosen.text)}",
                chosen,
            )
        return chosen.text

    def tokens(self) -> Iterator[Token]:
        for lexeme in self.syntax.terminals:
            yield Token(lexeme.text, self.source.span(lexeme.start, lexeme.end))

    def terminal(self, lexeme: Lexeme) -> str:
        """The name of a terminal that is used for its precedence."""
        if lexeme.text not in self.terminals:
            self._fail(
                f"{lexeme.text!r} is no terminal, so it has no precedence"
                f"{self._near.hint(lexeme.text)}",
                lexeme,
            )
        return lexeme.text

    def definitions(self) -> Iterator[Definition]:
        """The productions in order, then the non-terminals that have none."""
        missing = dict(self.nonterminals)
        for production in self.syntax.productions:
            name = production.name
            if name.text not in self.nonterminals:
                self._fail(
                    f"{name.text!r} is not declared; add 'non terminal {name.text};'"
                    f"{self._near.hint(name.text)}",
                    name,
                )
            missing.pop(name.text, None)
            alternatives = tuple(map(self._alternative, production.alternatives))
            span = self.source.span(name.start, name.end)
            yield Definition(name.text, alternatives, span)
        for name in missing.values():
            yield Definition(name.text, (), self.source.span(name.start, name.end))

    def _alternative(self, written: WrittenAlternative) -> Alternative:
        elements = tuple(self._elements(written.elements))
        symbols = [e for e in written.elements if e.kind is Kind.NAME]
        begin, end = written.begin, written.begin
        if written.elements:
            begin = written.elements[0].start
            end = symbols[-1].end if symbols else begin
        precedence = None if written.precedence is None else self.terminal(written.precedence)
        return Alternative(elements, self.source.span(begin, max(begin, end)), precedence)

    def _elements(self, written: list[Lexeme]) -> Iterator[Element]:
        """The symbols; code before one of them is a non-terminal of its own, as CUP makes it."""
        code: Lexeme | None = None
        for lexeme in written:
            if lexeme.kind is Kind.CODE:
                code = code or lexeme
                continue
            if code is not None:
                place = self.source.span(code.start, code.end)
                yield Block(Operator.ACTION, (Alternative((), place.before()),), place)
                code = None
            known = lexeme.text in self.terminals or lexeme.text in self.nonterminals
            if not known and lexeme.text != ERROR:
                self._fail(
                    f"{lexeme.text!r} is not declared; add it to a 'terminal' or 'non terminal'"
                    f" declaration{self._near.hint(lexeme.text)}",
                    lexeme,
                )
            yield Reference(lexeme.text, self.source.span(lexeme.start, lexeme.end))


def _text_for_cup(text: str, syntax: Syntax, start: str) -> str:
    """The text with one declaration of the start symbol, and without ``%empty``."""
    blanks = [(e.start, e.end) for e in syntax.empties]
    if [lexeme.text for lexeme in syntax.starts] != [start]:
        blanks += syntax.start_parts
    for begin, end in blanks:
        hidden = "".join(c if c == "\n" else " " for c in text[begin:end])
        text = text[:begin] + hidden + text[end:]
    if [lexeme.text for lexeme in syntax.starts] == [start]:
        return text
    first = syntax.productions[0].name.start
    # On the line of the first production, so that no line moves.
    return f"{text[:first]}start with {start}; {text[first:]}"
