"""EBNF as readers see it, and its expansion to plain rules.

A reader describes a grammar with `Definition`, `Alternative`, `Reference` and `Block`; `expand`
turns that into a `Grammar`. Every block becomes a *helper* non-terminal named after the place
where it stands (``stmt:2.1``: the first block in the second alternative of ``stmt``), so labels are
stable and lead back to the text. The expansions are

* ``( a | b )``    ``H -> a | b``
* ``( a | b )?``   ``H -> a | b | (empty)``
* ``x*``           ``H -> (empty) | H x``
* ``x+``           ``H -> x | H x``

where ``x`` is a helper of its own if it is more than one symbol. Repetitions are left-recursive, so that LR
stacks and charts stay shallow on long lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gramspect.errors import GrammarError
from gramspect.grammar import (
    Associativity,
    Diagnostic,
    Grammar,
    Operator,
    Precedence,
    Rule,
    Symbol,
)
from gramspect.source import Span

__all__ = ["Alternative", "Block", "Definition", "Element", "Reference", "Token", "expand"]


@dataclass(frozen=True, slots=True)
class Reference:
    """An occurrence of a symbol; `display` is how it is written, if not by its name."""

    name: str
    span: Span | None = None
    display: str | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A group, option, repetition or (as an empty alternative) embedded action."""

    operator: Operator
    alternatives: tuple[Alternative, ...]
    span: Span | None = None


Element = Reference | Block


@dataclass(frozen=True, slots=True)
class Alternative:
    """A sequence of elements. `precedence` names the token of a ``%prec``."""

    elements: tuple[Element, ...]
    span: Span | None = None
    precedence: str | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """The alternatives of one non-terminal; `span` covers its name.

    Several definitions of one name are joined in order, as yacc does.
    """

    name: str
    alternatives: tuple[Alternative, ...]
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A declared token. `spellings` are further texts that name it in a test."""

    name: str
    span: Span | None = None
    display: str | None = None
    spellings: tuple[str, ...] = ()


def expand(
    definitions: Sequence[Definition],
    *,
    tokens: Iterable[Token] = (),
    start: str | None = None,
    name: str = "grammar",
    files: Sequence[str] = (),
    precedence: Sequence[tuple[Associativity, Sequence[str]]] = (),
    diagnostics: Iterable[Diagnostic] = (),
) -> Grammar:
    """Build the grammar; names without a definition become tokens.

    Terminals are numbered in the order of `tokens`, then of first use. `start` defaults to the first
    definition. `precedence` goes from the loosest level to the tightest.

    Raises:
        GrammarError: there is no definition, the start symbol has none, or a name is both a token
            and a non-terminal.
    """
    if not definitions:
        raise GrammarError(f"the grammar {name} has no rules")
    expansion = _Expansion(definitions, tokens)
    chosen = definitions[0].name if start is None else start
    if chosen not in expansion.defined:
        raise GrammarError(_no_start(chosen, list(expansion.defined)))
    return expansion.grammar(chosen, name, tuple(files), precedence, tuple(diagnostics))


def _no_start(start: str, defined: list[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(start, defined, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else f"; the first rule is {defined[0]!r}"
    return f"the start symbol {start!r} has no rule{hint}"


@dataclass
class _Draft:
    """A rule whose symbols are still names."""

    lhs: str
    rhs: list[Reference]
    alternative: int
    span: Span | None
    precedence: str | None


@dataclass
class _Expansion:
    """Names and draft rules collected while definitions are walked."""

    definitions: Sequence[Definition]
    declared: Iterable[Token]
    defined: dict[str, Definition] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    helpers: dict[str, tuple[Operator, str, Span | None]] = field(default_factory=dict)
    drafts: dict[str, list[_Draft]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for definition in self.definitions:
            self.defined.setdefault(definition.name, definition)
        for token in self.declared:
            self.tokens.setdefault(token.name, token)
            if token.name in self.defined:
                where = self.defined[token.name].span
                raise GrammarError(
                    f"{token.name!r} is declared as a token and also has a rule; rename one", where
                )
        for definition in self.definitions:
            for alternative in definition.alternatives:
                self._rule(definition.name, alternative)

    def _rule(self, lhs: str, alternative: Alternative) -> None:
        """Add one alternative to `lhs`, its blocks as helpers numbered within it."""
        rules = self.drafts.setdefault(lhs, [])
        draft = _Draft(lhs, [], len(rules) + 1, alternative.span, alternative.precedence)
        rules.append(draft)
        blocks = 0
        for element in alternative.elements:
            if isinstance(element, Block):
                blocks += 1
                draft.rhs.append(self._helper(f"{lhs}:{draft.alternative}.{blocks}", element))
            else:
                draft.rhs.append(self._reference(element))

    def _reference(self, reference: Reference) -> Reference:
        if reference.name not in self.defined and reference.name not in self.helpers:
            token = Token(reference.name, reference.span, reference.display)
            self.tokens.setdefault(reference.name, token)
        return reference

    def _helper(self, name: str, block: Block) -> Reference:
        text = _display(block)
        self.helpers[name] = (block.operator, text, block.span)
        self.drafts.setdefault(name, [])
        if block.operator in (Operator.STAR, Operator.PLUS):
            self._repetition(name, block)
        else:
            for alternative in block.alternatives:
                self._rule(name, alternative)
            if block.operator is Operator.OPTION:
                self._rule(name, Alternative((), block.span and block.span.after()))
        return Reference(name, block.span, text)

    def _repetition(self, name: str, block: Block) -> None:
        """``H -> (empty) | H x`` or ``H -> x | H x``."""
        alternative = block.alternatives[0]
        body: Element
        if len(block.alternatives) == 1 and len(alternative.elements) == 1:
            body = alternative.elements[0]
        else:
            body = Block(Operator.GROUP, block.alternatives, block.span)
        once = self._helper(f"{name}.1", body) if isinstance(body, Block) else self._reference(body)
        again = [Reference(name, block.span and _start(block.span)), once]
        first = [] if block.operator is Operator.STAR else [once]
        self.drafts[name] = [
            _Draft(name, first, 1, block.span if first else block.span and _start(block.span), None),
            _Draft(name, again, 2, block.span, None),
        ]

    def grammar(
        self,
        start: str,
        name: str,
        files: tuple[str, ...],
        precedence: Sequence[tuple[Associativity, Sequence[str]]],
        diagnostics: tuple[Diagnostic, ...],
    ) -> Grammar:
        symbols = self._symbols()
        index = {symbol.name: symbol.index for symbol in symbols}
        levels = {
            index[token]: Precedence(level, associativity)
            for level, (associativity, names) in enumerate(precedence, start=1)
            for token in names
            if token in index
        }
        n_terminals = 1 + len(self.tokens)
        rules: list[Rule] = []
        for draft in self._in_source_order():
            rhs = tuple(index[reference.name] for reference in draft.rhs)
            last = next((s for s in reversed(rhs) if s < n_terminals), None)
            chosen = index.get(draft.precedence, last) if draft.precedence is not None else last
            rules.append(
                Rule(
                    index=len(rules),
                    lhs=index[draft.lhs],
                    rhs=rhs,
                    alternative=draft.alternative,
                    label=f"{draft.lhs}:{draft.alternative}",
                    span=draft.span,
                    rhs_spans=tuple(reference.span for reference in draft.rhs),
                    precedence=chosen if chosen in levels else None,
                )
            )
        return Grammar(
            name, files, tuple(symbols), tuple(rules), index[start], n_terminals, levels, diagnostics
        )

    def _symbols(self) -> list[Symbol]:
        symbols = [Symbol(0, "$end", True, "end of input")]
        for token in self.tokens.values():
            display = token.display or token.name
            symbols.append(
                Symbol(len(symbols), token.name, True, display, token.span, token.spellings)
            )
        for name, definition in self.defined.items():
            symbols.append(Symbol(len(symbols), name, False, name, definition.span))
        for name, (operator, text, span) in self.helpers.items():
            symbols.append(Symbol(len(symbols), name, False, text, span, (), operator))
        return symbols

    def _in_source_order(self) -> list[_Draft]:
        """User rules in order of definition, each non-terminal's helpers behind all of them."""
        users = [draft for name in self.defined for draft in self.drafts[name]]
        return users + [draft for name in self.helpers for draft in self.drafts[name]]


def _start(span: Span) -> Span:
    return Span(span.file, span.line, span.column, span.line, span.column)


def _display(element: Element) -> str:
    """An element as the user would write it, on one line."""
    if isinstance(element, Reference):
        return element.display or element.name
    if element.operator is Operator.ACTION:
        return "{}"
    texts = [[_display(e) for e in alternative.elements] for alternative in element.alternatives]
    body = " | ".join(" ".join(text) for text in texts)
    if element.operator is Operator.GROUP:
        return f"( {body} )"
    single = len(texts) == 1 and len(texts[0]) == 1
    return f"{body}{element.operator}" if single else f"( {body} ){element.operator}"
