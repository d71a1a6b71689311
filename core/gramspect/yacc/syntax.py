"""The syntax of a yacc grammar: lexemes in, declarations and rules as written out.

Both sections are read by one loop, so a file with nothing but rules needs no ``%%``. What bison
3.8 accepts is accepted, with these liberties: commas and prologues may stand wherever older
yaccs took them, unknown directives are skipped, and literals may be declared by ``%token``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NoReturn

from gramspect.errors import GrammarError
from gramspect.grammars.reader import Reader
from gramspect.grammars.symbols import Associativity, Diagnostic
from gramspect.source import SourceText
from gramspect.yacc.names import NearMisses
from gramspect.yacc.scanner import DIRECTIVES, Kind, Lexeme, scan

__all__ = ["Construction", "Syntax", "WrittenAlternative", "WrittenRule", "WrittenToken", "parse"]

_ASSOCIATIVITY = {
    "left": Associativity.LEFT,
    "right": Associativity.RIGHT,
    "nonassoc": Associativity.NONASSOC,
    "binary": Associativity.NONASSOC,
    "precedence": Associativity.NONE,
}
_SYMBOLS = (Kind.NAME, Kind.CHAR, Kind.STRING)
_ENDS_RULE = (Kind.RULE, Kind.SEMICOLON, Kind.DIRECTIVE, Kind.SKIPPED, Kind.SECTION, Kind.END)
_HARMLESS = frozenset(
    """
    code debug default-prec define defines error-verbose expect file-prefix fixed-output-files
    glr-parser header ident initial-action language lex-param locations name-prefix no-default-prec
    no-lines nondeterministic-parser output param parse-param pure-parser require skeleton
    token-table union verbose yacc
    """.split()
)
"""The directives that say nothing about the language, but for ``%no-default-prec`` and those in
`_CONSTRUCTIONS`."""


class Construction(StrEnum):
    """How bison makes a parser of a grammar; IELR accepts the same inputs as canonical LR."""

    LALR = "lalr"
    CANONICAL = "canonical"
    GLR = "glr"


_CONSTRUCTIONS = (
    (re.compile(r"%(glr-parser|nondeterministic-parser|skeleton\s*\"glr)"), Construction.GLR),
    (re.compile(r"%define\s+lr\.type\s+\W*(ielr|canonical)"), Construction.CANONICAL),
)
"""What lines with directives say of it. Of several the first of these holds."""


@dataclass(slots=True)
class WrittenToken:
    """A token of a declaration, with its number and its alias."""

    name: Lexeme
    number: Lexeme | None = None
    alias: Lexeme | None = None


@dataclass(slots=True)
class WrittenAlternative:
    """Symbols and embedded actions in order. `begin` is the offset where an empty one stands."""

    begin: int
    elements: list[Lexeme] = field(default_factory=list)
    empty: Lexeme | None = None
    precedence: Lexeme | None = None


@dataclass(slots=True)
class WrittenRule:
    """The alternatives written after one name."""

    name: Lexeme
    alternatives: list[WrittenAlternative]


@dataclass(slots=True)
class Syntax:
    """All that a grammar file says about its language."""

    tokens: list[WrittenToken] = field(default_factory=list)
    precedence: list[tuple[Associativity, list[WrittenToken]]] = field(default_factory=list)
    starts: list[Lexeme] = field(default_factory=list)
    nonterminals: list[Lexeme] = field(default_factory=list)
    rules: list[WrittenRule] = field(default_factory=list)
    declares_tokens: bool = False
    default_precedence: bool = True
    construction: Construction = Construction.LALR
    diagnostics: list[Diagnostic] = field(default_factory=list)


def parse(source: SourceText) -> Syntax:
    """Read a grammar.

    Raises:
        GrammarError: it is not one; the span is where reading stopped.
    """
    parser = _Parser(source)
    parser.file()
    return parser.syntax


class _Parser(Reader[Lexeme]):
    """A predictive parser."""

    def __init__(self, source: SourceText) -> None:
        super().__init__(source, scan(source))
        self.syntax = Syntax()

    # --- lexemes -------------------------------------------------------------------------

    def optional(self, kind: Kind) -> Lexeme | None:
        return self.next() if self.ahead.kind is kind else None

    @cached_property
    def _near_directives(self) -> NearMisses:
        return NearMisses(f"%{name}" for name in DIRECTIVES | _HARMLESS)

    def note(self, code: str, message: str, lexeme: Lexeme) -> None:
        self.syntax.diagnostics.append(Diagnostic(code, message, self.span(lexeme)))

    # --- declarations --------------------------------------------------------------------

    def file(self) -> None:
        """Declarations and rules in any order."""
        while True:
            lexeme = self.ahead
            if lexeme.kind is Kind.END:
                break
            if lexeme.kind is Kind.RULE:
                self.rule()
            elif lexeme.kind is Kind.DIRECTIVE:
                self.declaration()
            elif lexeme.kind is Kind.SKIPPED:
                self.skipped()
            elif lexeme.kind is Kind.BAR and self.syntax.rules:
                self.more_alternatives()
            elif lexeme.kind in (Kind.SECTION, Kind.SEMICOLON):
                self.next()
            else:
                self.misplaced(lexeme)
        if not self.syntax.rules:
            raise GrammarError(
                "the grammar has no rules; write them after %%, each as 'name: symbols ;'",
                self.span(lexeme),
            )

    def declaration(self) -> None:
        directive = self.next()
        name = directive.text
        if name in ("token", "term"):
            self.syntax.declares_tokens = True
            self.syntax.tokens.extend(self.declared_tokens(aliases=True))
        elif name in _ASSOCIATIVITY:
            level = list(self.declared_tokens())
            self.syntax.tokens.extend(level)
            self.syntax.precedence.append((_ASSOCIATIVITY[name], level))
        elif name == "start":
            self.start(directive)
        elif name == "nterm":
            self.syntax.nonterminals.extend(token.name for token in self.declared_tokens())
        elif name in ("type", "destructor", "printer"):
            self.typed()
        elif name in ("expect", "expect-rr"):
            self.optional(Kind.NUMBER)
        else:
            self.refuse(
                f"%{name} stands outside a rule; move it after the symbols it is for", directive
            )

    def declared_tokens(self, *, aliases: bool = False) -> Iterator[WrittenToken]:
        """``<tag> NAME 258 "alias" 'x' ...``; without aliases a string is a token of its own."""
        current: WrittenToken | None = None
        while True:
            lexeme = self.ahead
            if aliases and lexeme.kind is Kind.STRING and current and not current.alias:
                current.alias = lexeme
            elif lexeme.kind in _SYMBOLS:
                if current:
                    yield current
                current = WrittenToken(lexeme)
            elif lexeme.kind is Kind.NUMBER and current:
                current.number = lexeme
            elif lexeme.kind not in (Kind.TAG, Kind.COMMA):
                break
            self.next()
        if current:
            yield current

    def start(self, directive: Lexeme) -> None:
        """``%start symbol ...``"""
        before = len(self.syntax.starts)
        while self.ahead.kind in (Kind.NAME, Kind.TAG, Kind.COMMA):
            lexeme = self.next()
            if lexeme.kind is Kind.NAME:
                self.syntax.starts.append(lexeme)
        if len(self.syntax.starts) == before:
            self.refuse("%start needs the name of a non-terminal after it", directive)

    def typed(self) -> None:
        """``%type <tag> symbol ...``, ``%destructor { code } <tag> symbol ...``."""
        taken = (*_SYMBOLS, Kind.TAG, Kind.ACTION, Kind.COMMA)
        while self.ahead.kind in taken:
            self.next()

    def skipped(self) -> None:
        """A directive that says nothing about the language."""
        directive = self.next()
        name = directive.text
        if name.endswith("default-prec"):
            self.syntax.default_precedence = name == "default-prec"
        line = self.source.text[directive.start : directive.end]
        for pattern, construction in _CONSTRUCTIONS:
            if pattern.match(line) and self.syntax.construction is not Construction.GLR:
                self.syntax.construction = construction
        if name not in _HARMLESS:
            end = directive.start + len(name) + 1
            hint = self._near_directives.hint(f"%{name}")
            self.note(
                "unknown-directive",
                f"the directive %{name} is not known{hint}; its line is skipped",
                directive._replace(end=end),
            )

    # --- rules ---------------------------------------------------------------------------

    def rule(self) -> None:
        name = self.next()
        self.optional(Kind.NAMED_REFERENCE)
        self.syntax.rules.append(WrittenRule(name, []))
        self.more_alternatives()

    def more_alternatives(self) -> None:
        """Alternatives of the last rule, each after its ``:`` or ``|``."""
        alternatives = self.syntax.rules[-1].alternatives
        while True:
            alternatives.append(self.alternative(self.next().end))
            if self.ahead.kind is not Kind.BAR:
                break

    def alternative(self, begin: int) -> WrittenAlternative:
        found = WrittenAlternative(begin)
        action: Lexeme | None = None
        while True:
            lexeme = self.ahead
            if lexeme.kind in _SYMBOLS or lexeme.kind is Kind.ACTION:
                # An action is embedded once something follows it.
                if action:
                    found.elements.append(action)
                action = lexeme if lexeme.kind is Kind.ACTION else None
                if not action:
                    found.elements.append(lexeme)
                self.next()
                self.optional(Kind.NAMED_REFERENCE)
            elif lexeme.kind is Kind.DIRECTIVE and self.rule_directive(found):
                pass
            elif lexeme.kind in (Kind.TAG, Kind.EQUALS):
                self.before_action()
            elif lexeme.kind is Kind.COMMA:
                message = "a bare comma is white space in a rule; the token is written ','"
                self.note("comma", message, self.next())
            else:
                break
        if self.ahead.kind is not Kind.BAR and self.ahead.kind not in _ENDS_RULE:
            self.misplaced(self.ahead)
        if found.empty and found.elements:
            self.refuse("%empty stands in an alternative that has symbols; remove it", found.empty)
        return found

    def rule_directive(self, found: WrittenAlternative) -> bool:
        """Read a directive that may stand in a rule; False if it is a declaration."""
        directive = self.ahead
        if directive.text not in ("prec", "empty", "dprec", "merge", "expect", "expect-rr"):
            return False
        self.next()
        if directive.text == "empty":
            if found.empty:
                self.refuse("%empty stands twice in this alternative; remove one", directive)
            found.empty = directive
        elif directive.text == "prec":
            if self.ahead.kind not in _SYMBOLS:
                self.refuse("%prec needs the token after it whose precedence is meant", directive)
            if found.precedence:
                self.refuse("%prec stands twice in this alternative; remove one", directive)
            found.precedence = self.next()
        elif not self.optional(Kind.TAG if directive.text == "merge" else Kind.NUMBER):
            argument = "a <function>" if directive.text == "merge" else "a number"
            self.refuse(f"%{directive.text} needs {argument} after it", directive)
        return True

    def before_action(self) -> None:
        """A type tag or the ``=`` of old yaccs, good only before an action."""
        lexeme = self.next()
        if self.ahead.kind is not Kind.ACTION:
            what = lexeme.text[0]
            self.refuse(
                f"{what!r} stands only before an action; the token is written {what!r}", lexeme
            )

    def misplaced(self, lexeme: Lexeme) -> NoReturn:
        """Explain a lexeme that cannot stand where it stands."""
        shown = repr(_short(lexeme))
        if lexeme.kind is Kind.NAME:
            self.next()
            following = self.ahead
            seen = "the end" if following.kind is Kind.END else repr(_short(following))
            message = (
                f"expected ':' after the rule's name {shown}, but {seen} follows; put it there"
            )
        elif lexeme.kind is Kind.NUMBER:
            message = f"unexpected number {shown}; begin a name with a letter, or quote the token"
        elif lexeme.kind is Kind.ACTION:
            message = "this action belongs to no rule; write it after 'name: symbols'"
        elif lexeme.text == "#":
            message = "'#' begins no comment in a yacc grammar; use // or /* */"
        elif lexeme.text == "}":
            message = "this '}' closes no action; remove it, or quote it if it is a token"
        else:
            message = (
                f"unexpected {shown}; write rules as 'name: symbols ;' and quote a token that is a "
                "character"
            )
        self.refuse(message, lexeme)


def _short(lexeme: Lexeme) -> str:
    """A lexeme as the user wrote it, cut to fit a message."""
    text = f"%{lexeme.text}" if lexeme.kind in (Kind.DIRECTIVE, Kind.SKIPPED) else lexeme.text
    text = text.split("\n", 1)[0]
    return text if len(text) <= 30 else f"{text[:27]}..."
