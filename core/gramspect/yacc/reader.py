"""From a yacc grammar's text to a `Grammar`: names resolved, oddities reported.

This is also the neutral format for bare grammars: rules alone are enough, names without a rule are
tokens then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from gramspect.errors import GrammarError
from gramspect.grammars import ebnf
from gramspect.grammars.grammar import Grammar, expand
from gramspect.grammars.grammar_file import read_grammar_file, unix_lines
from gramspect.grammars.symbols import Associativity, Diagnostic, Operator
from gramspect.source import SourceText, Span
from gramspect.yacc import literals
from gramspect.yacc.names import NearMisses
from gramspect.yacc.scanner import Kind, Lexeme
from gramspect.yacc.syntax import Construction, Syntax, WrittenAlternative, WrittenToken, parse

__all__ = ["construction_of", "parse_yacc", "read_yacc"]

_PREDEFINED = frozenset({"error", "YYUNDEF", "YYEOF"})
_NO_PRECEDENCE = "$end"
"""The end of the input never has a precedence, so a rule that names it has none."""


def read_yacc(path: str | Path, start: str | None = None) -> Grammar:
    """Read a grammar file. It is taken as UTF-8, or as Latin-1 with a diagnostic if it is not.

    Raises:
        GrammarError: the file cannot be read, is not text, or is no grammar.
    """
    source, diagnostics = read_grammar_file(path)
    return _Reading(source, diagnostics).grammar(Path(path).stem, start)


def construction_of(path: str | Path) -> Construction:
    """How bison is to make the parser; `Construction.LALR` of a file that is no grammar."""
    try:
        return parse(read_grammar_file(path)[0]).construction
    except GrammarError:
        return Construction.LALR


def parse_yacc(
    text: str, file: str = "<text>", name: str | None = None, start: str | None = None
) -> Grammar:
    """Read a grammar from its text; `file` is what spans and messages say.

    `start` overrides ``%start``; `name` defaults to the file's name without its suffix.

    Raises:
        GrammarError: it is no grammar.
    """
    source = SourceText(file, unix_lines(text))
    default = "grammar" if file == "<text>" else Path(file).stem
    return _Reading(source, []).grammar(default if name is None else name, start)


@dataclass
class _Terminal:
    """What is known about a token so far. `display` is how it is first written in a rule."""

    span: Span
    display: str | None = None
    spellings: list[str] = field(default_factory=list)


@dataclass
class _Reading:
    """One grammar on its way from syntax to symbols."""

    source: SourceText
    diagnostics: list[Diagnostic]
    terminals: dict[str, _Terminal] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    ends: set[str] = field(default_factory=lambda: {"YYEOF"})

    def grammar(self, name: str, start: str | None) -> Grammar:
        self.declare()
        levels = self.levels()
        precedences = {token for _, names in levels for token in names}
        definitions = [
            ebnf.Definition(
                rule.name.text,
                tuple(self.alternative(written, precedences) for written in rule.alternatives),
                self.span(rule.name),
            )
            for rule in self.syntax.rules
        ]
        chosen = self.start() if start is None else start
        tokens = self.tokens()
        self.note_ambiguous_spellings(tokens)
        return expand(
            definitions,
            tokens=tokens,
            start=chosen,
            name=name,
            files=(self.source.file,),
            precedence=levels,
            diagnostics=sorted([*self.diagnostics, *self.syntax.diagnostics], key=_place),
        )

    @cached_property
    def syntax(self) -> Syntax:
        return parse(self.source)

    @cached_property
    def defined(self) -> dict[str, Lexeme]:
        """The first occurrence of each rule's name."""
        found: dict[str, Lexeme] = {}
        for rule in self.syntax.rules:
            first = found.setdefault(rule.name.text, rule.name)
            if first is not rule.name:
                self.note(
                    "redefined-rule",
                    f"{first.text!r} has rules already on line {self.span(first).line}; these are "
                    "added to them",
                    rule.name,
                )
        return found

    @cached_property
    def near(self) -> NearMisses:
        names = (token.name.text for token in self.syntax.tokens if token.name.kind is Kind.NAME)
        return NearMisses({**self.defined, **dict.fromkeys(names)})

    def span(self, lexeme: Lexeme) -> Span:
        return self.source.span(lexeme.start, lexeme.end)

    def note(self, code: str, message: str, lexeme: Lexeme) -> None:
        self.diagnostics.append(Diagnostic(code, message, self.span(lexeme)))

    # --- tokens --------------------------------------------------------------------------

    def declare(self) -> None:
        """Enter the declared tokens, the aliases first: a declaration may use one."""
        for token in self.syntax.tokens:
            if token.alias:
                self.alias(token, token.alias)
        for token in self.syntax.tokens:
            name = self.name(token.name)
            if name in self.defined:
                self.clash(name, token.name)
            terminal = self.terminal(name, token.name)
            if token.alias and self.name(token.alias) == name:
                terminal.spellings.append(literals.value(token.alias.text))
            if token.number and not token.number.text.lower().lstrip("0x"):
                self.ends.add(name)

    def alias(self, token: WrittenToken, alias: Lexeme) -> None:
        name, literal = token.name.text, literals.canonical(alias.text)
        first = self.aliases.setdefault(literal, self.name(token.name))
        if first != self.name(token.name):
            self.note("alias", f"{alias.text} names {first!r} already, not {name!r}", alias)

    def clash(self, name: str, lexeme: Lexeme) -> None:
        line = self.span(self.defined[name]).line
        raise GrammarError(
            f"{name!r} is declared as a token and also has a rule on line {line}; rename one",
            self.span(lexeme),
        )

    def name(self, lexeme: Lexeme) -> str:
        """The name of the symbol that a lexeme names."""
        if lexeme.kind is Kind.NAME:
            return "error" if lexeme.text == "YYerror" else lexeme.text
        if not literals.inner(lexeme.text):
            message = f"{lexeme.text} is empty and names no token; write what it stands for"
            raise GrammarError(message, self.span(lexeme))
        literal = literals.canonical(lexeme.text)
        return self.aliases.get(literal, literal)

    def terminal(self, name: str, lexeme: Lexeme) -> _Terminal:
        """The terminal of that name, entered if it is new."""
        found = self.terminals.get(name)
        if found is None:
            found = self.terminals[name] = _Terminal(self.span(lexeme))
            if lexeme.kind is not Kind.NAME and name == literals.canonical(lexeme.text):
                found.spellings.extend(_spellings(name))
            if lexeme.kind is Kind.CHAR and len(literals.value(lexeme.text)) > 1:
                message = f"{lexeme.text} is one token here, yet bison takes one character in ''"
                self.note("long-character", f'{message}; write such tokens in ""', lexeme)
        return found

    def tokens(self) -> list[ebnf.Token]:
        """All terminals, but the end of the input (number 0) only if a rule has it."""
        return [
            ebnf.Token(
                name, found.span, found.display or name, tuple(dict.fromkeys(found.spellings))
            )
            for name, found in self.terminals.items()
            if found.display or name not in self.ends
        ]

    def levels(self) -> list[tuple[Associativity, list[str]]]:
        """The precedence levels, loosest first."""
        seen: set[str] = set()
        levels: list[tuple[Associativity, list[str]]] = []
        for associativity, tokens in self.syntax.precedence:
            names = [self.name(token.name) for token in tokens]
            for name, token in zip(names, tokens, strict=True):
                if name in seen:
                    message = f"{token.name.text} has a precedence already; this one counts"
                    self.note("precedence-redeclared", message, token.name)
                seen.add(name)
            levels.append((associativity, names))
        return levels

    def note_ambiguous_spellings(self, tokens: list[ebnf.Token]) -> None:
        """Report texts that name two tokens in a test; a name wins over a spelling."""
        owners = {text: token for token in reversed(tokens) for text in token.spellings}
        owners.update((token.name, token) for token in tokens)
        for token in tokens:
            for text in token.spellings:
                owner = owners[text]
                if owner is not token:
                    message = (
                        f"in a token sequence {text!r} means {owner.display}, not {token.display}; "
                        f"write {token.name} for that"
                    )
                    self.diagnostics.append(Diagnostic("ambiguous-spelling", message, token.span))

    # --- rules ---------------------------------------------------------------------------

    def alternative(self, written: WrittenAlternative, precedences: set[str]) -> ebnf.Alternative:
        elements = tuple(self.element(lexeme) for lexeme in written.elements)
        if written.elements:
            span = self.source.span(written.elements[0].start, written.elements[-1].end)
        elif written.empty:
            span = self.span(written.empty)
        else:
            span = self.source.span(written.begin, written.begin)
        return ebnf.Alternative(elements, span, self.precedence(written, precedences))

    def precedence(self, written: WrittenAlternative, precedences: set[str]) -> str | None:
        """What ``%prec`` names; None leaves it to the last token."""
        if written.precedence is None:
            return None if self.syntax.default_precedence else _NO_PRECEDENCE
        name = self.name(written.precedence)
        if name in precedences:
            return name
        text = written.precedence.text
        if name in self.defined:
            raise GrammarError(
                f"%prec names {text!r}, which has rules; name a token",
                self.span(written.precedence),
            )
        self.note(
            "precedence",
            f"%prec names {text}, which has no declared precedence, so the rule has none; declare "
            f"it with %left, %right, %nonassoc or %precedence{self.near.hint(text)}",
            written.precedence,
        )
        return _NO_PRECEDENCE

    def element(self, lexeme: Lexeme) -> ebnf.Element:
        span = self.span(lexeme)
        if lexeme.kind is Kind.ACTION:
            nothing = ebnf.Alternative((), self.source.span(lexeme.start, lexeme.start))
            return ebnf.Block(Operator.ACTION, (nothing,), span)
        name = self.name(lexeme)
        if name not in self.defined:
            known = name in self.terminals
            terminal = self.terminal(name, lexeme)
            if terminal.display is None:
                terminal.display = lexeme.text
                self.note_first_use(name, lexeme, known)
        return ebnf.Reference(name, span, lexeme.text)

    def note_first_use(self, name: str, lexeme: Lexeme, known: bool) -> None:
        """Report a token that was not declared, and one that is the end of the input."""
        if name in self.ends:
            self.note(
                "end-token",
                f"{lexeme.text} is the end of the input (its number is 0), yet a rule has it: where"
                " the rule is used, a token sequence has to name it",
                lexeme,
            )
        expected = self.syntax.declares_tokens or name in self.nonterminals
        if expected and not known and lexeme.kind is Kind.NAME and name not in _PREDEFINED:
            self.note(
                "undefined",
                f"{name!r} is neither declared as a token nor has it a rule; it is taken as a token"
                f"{self.near.hint(name)}",
                lexeme,
            )

    @cached_property
    def nonterminals(self) -> set[str]:
        """The names that ``%nterm`` declares."""
        return {lexeme.text for lexeme in self.syntax.nonterminals}

    def start(self) -> str | None:
        """The symbol that ``%start`` names, the first of several."""
        if not self.syntax.starts:
            return None
        chosen, *others = self.syntax.starts
        for other in others:
            if other.text != chosen.text:
                message = (
                    f"{other.text!r} is a further start symbol; {chosen.text!r} is the one taken"
                )
                self.note("several-starts", message, other)
        if chosen.text not in self.defined:
            hint = (
                self.near.hint(chosen.text) or f"; the first rule is {next(iter(self.defined))!r}"
            )
            raise GrammarError(
                f"the start symbol {chosen.text!r} has no rule{hint}", self.span(chosen)
            )
        return chosen.text


def _spellings(literal: str) -> Iterator[str]:
    """How a test may write a literal without its quotes: the text, escaped if it is not visible."""
    text = literals.value(literal)
    if text:
        yield text
    if not text.isprintable() or text.strip() != text or " " in text:
        yield literals.inner(literal)


def _place(diagnostic: Diagnostic) -> tuple[int, int]:
    span = diagnostic.span
    return (span.line, span.column) if span else (0, 0)
