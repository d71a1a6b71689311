"""The syntax of a CUP grammar: lexemes in, declarations and productions as written out.

This reader takes the parts in any order; CUP itself, which reads the same text, insists on its own.
Types, labels and code are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from gramspect.adapter_api import Associativity, Diagnostic, Reader, SourceText
from gramspect_cup.lexemes import Kind, Lexeme, scan

__all__ = ["Syntax", "WrittenAlternative", "WrittenProduction", "parse"]

_ASSOCIATIVITY = {
    "left": Associativity.LEFT,
    "right": Associativity.RIGHT,
    "nonassoc": Associativity.NONASSOC,
}
_CODE = {"action": "code", "parser": "code", "init": "with", "scan": "with"}
"""The words that begin a part with code, and the second word of each."""


@dataclass(slots=True)
class WrittenAlternative:
    """Symbols and pieces of code in order. `begin` is the offset where an empty one stands."""

    begin: int
    elements: list[Lexeme] = field(default_factory=list)
    precedence: Lexeme | None = None


@dataclass(slots=True)
class WrittenProduction:
    """The alternatives written after one name."""

    name: Lexeme
    alternatives: list[WrittenAlternative]


@dataclass(slots=True)
class Syntax:
    """All that a grammar file says about its language.

    `starts` are the names after ``start with``, `start_parts` the offsets of the whole parts.
    `empties` are the places of ``%empty``, which CUP does not know. `package` and `class_name` say
    what CUP calls the parser.
    """

    terminals: list[Lexeme] = field(default_factory=list)
    nonterminals: list[Lexeme] = field(default_factory=list)
    precedence: list[tuple[Associativity, list[Lexeme]]] = field(default_factory=list)
    starts: list[Lexeme] = field(default_factory=list)
    start_parts: list[tuple[int, int]] = field(default_factory=list)
    productions: list[WrittenProduction] = field(default_factory=list)
    empties: list[Lexeme] = field(default_factory=list)
    package: str = ""
    class_name: str | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)


def parse(source: SourceText) -> Syntax:
    """Read a grammar.

    Raises:
        GrammarError: it is not one; the span is where reading stopped.
    """
    parser = _Parser(source)
    parser.specification()
    return parser.syntax


class _Parser(Reader[Lexeme]):
    """A predictive parser. Strange characters are skipped."""

    def __init__(self, source: SourceText) -> None:
        self.syntax = Syntax()
        super().__init__(source, self._known(source))

    # --- lexemes -------------------------------------------------------------------------

    def _known(self, source: SourceText) -> Iterator[Lexeme]:
        """The lexemes of a text, strange characters left out."""
        for lexeme in scan(source):
            if lexeme.kind is Kind.STRAY:
                message = f"CUP skips the character {lexeme.text!r}; remove it"
                place = source.span(lexeme.start, lexeme.end)
                self.syntax.diagnostics.append(Diagnostic("stray", message, place))
            else:
                yield lexeme

    def fail(self, expected: str, lexeme: Lexeme | None = None) -> NoReturn:
        """Say what should stand where a lexeme, by default the one ahead, stands."""
        lexeme = lexeme or self.ahead
        found = "the end" if lexeme.kind is Kind.END else repr(_short(lexeme.text))
        self.refuse(f"expected {expected}, found {found}", lexeme)

    def sees(self, *texts: str) -> bool:
        """Whether one of these names or signs is ahead."""
        return self.ahead.kind in (Kind.NAME, Kind.SIGN) and self.ahead.text in texts

    def optional(self, text: str) -> bool:
        if found := self.sees(text):
            self.next()
        return found

    def require(self, text: str, after: str) -> Lexeme:
        if not self.sees(text):
            self.fail(f"{text!r} after {after}")
        return self.next()

    def name(self, what: str) -> Lexeme:
        if self.ahead.kind is not Kind.NAME:
            self.fail(what)
        return self.next()

    # --- parts ---------------------------------------------------------------------------

    def specification(self) -> None:
        while self.ahead.kind is not Kind.END:
            self.part()
        if not self.syntax.productions:
            self.fail("a production, written as 'name ::= symbols ;'")

    def part(self) -> None:
        """One declaration, piece of code, or production."""
        if self.optional(";"):
            return
        word = self.name("a declaration or a production")
        if self.sees("::="):
            self.production(word)
        elif word.text == "package":
            self.syntax.package = self.up_to_semicolon(word)
        elif word.text == "class":
            self.syntax.class_name = self.up_to_semicolon(word)
        elif word.text == "import":
            self.up_to_semicolon(word)
        elif word.text in _CODE:
            self.code(word)
        elif word.text == "terminal":
            self.syntax.terminals += self.declared(word)
        elif word.text == "nonterminal":
            self.syntax.nonterminals += self.declared(word)
        elif word.text == "non":
            self.require("terminal", "'non'")
            self.syntax.nonterminals += self.declared(word)
        elif word.text == "precedence":
            self.precedence()
        elif word.text == "start":
            self.start(word)
        else:
            self.fail(f"'::=' after the name {word.text!r}")

    def up_to_semicolon(self, word: Lexeme) -> str:
        """What is written there, without spaces."""
        written = ""
        while not self.sees(";"):
            if self.ahead.kind in (Kind.END, Kind.CODE):
                self.fail(f"';' after {word.text!r} and what belongs to it")
            written += self.next().text
        self.next()
        return written

    def code(self, word: Lexeme) -> None:
        """``action code {: :} ;``, where the semicolon may be missing."""
        second = _CODE[word.text]
        self.require(second, repr(word.text))
        if self.ahead.kind is not Kind.CODE:
            self.fail(f"code in {{: :}} after '{word.text} {second}'")
        self.next()
        self.optional(";")

    def declared(self, word: Lexeme) -> list[Lexeme]:
        """``[type] name, name ... ;`` with types such as ``java.util.Map<String, ?>[]``."""
        names = [self.name(f"a name or a type after {word.text!r}")]
        if not self.sees(",", ";"):
            self.rest_of_type()
            names = [self.name("a name after the type")]
        while self.optional(","):
            names.append(self.name("a name after ','"))
        if not self.sees(";"):
            self.fail("',' or ';' after the declared name")
        self.next()
        return names

    def rest_of_type(self) -> None:
        """What follows the first name of a type."""
        depth = 0
        while depth or self.sees(".", "<", "["):
            if self.sees("<", "["):
                depth += 1
            elif self.sees(">", "]"):
                depth -= 1
            elif self.ahead.kind is Kind.END or self.sees(";"):
                self.fail("the end of the type")
            if self.next().text == "." and not depth:
                self.name("a name after '.'")

    def precedence(self) -> None:
        side = self.name("left, right or nonassoc after 'precedence'")
        if side.text not in _ASSOCIATIVITY:
            self.fail("left, right or nonassoc after 'precedence'", side)
        names = [self.name(f"a terminal after {side.text!r}")]
        while self.optional(","):
            names.append(self.name("a terminal after ','"))
        self.require(";", "the terminals")
        self.syntax.precedence.append((_ASSOCIATIVITY[side.text], names))

    def start(self, word: Lexeme) -> None:
        self.require("with", "'start'")
        self.syntax.starts.append(self.name("a non-terminal after 'start with'"))
        end = self.require(";", "the start symbol").end
        self.syntax.start_parts.append((word.start, end))

    # --- productions ---------------------------------------------------------------------

    def production(self, name: Lexeme) -> None:
        """``name ::= symbols | symbols ;``"""
        production = WrittenProduction(name, [])
        self.syntax.productions.append(production)
        begin = self.next().end
        while True:
            production.alternatives.append(self.alternative(begin))
            begin = self.ahead.end
            if not self.optional("|"):
                break
        if not self.sees(";"):
            self.fail("a symbol, '|' or ';'")
        self.next()

    def alternative(self, begin: int) -> WrittenAlternative:
        found = WrittenAlternative(begin)
        while True:
            if self.ahead.kind is Kind.CODE:
                found.elements.append(self.next())
            elif self.ahead.kind is Kind.NAME:
                found.elements.append(self.next())
                if self.optional(":"):
                    self.name("a label after ':'")
            elif self.sees("%prec"):
                self.next()
                found.precedence = self.name("a terminal after '%prec'")
            elif self.sees("%empty"):
                self.syntax.empties.append(self.next())
            else:
                break
        if self.sees("::="):
            last = found.elements[-1] if found.elements else self.ahead
            self.fail("';' at the end of the production before", last)
        return found


def _short(text: str) -> str:
    """A lexeme cut to fit a message."""
    line = text.split("\n", 1)[0]
    return line if len(line) <= 30 else f"{line[:27]}..."
