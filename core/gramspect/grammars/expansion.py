"""The expansion of EBNF to plain rules, each helper remembering its operator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from gramspect.errors import GrammarError
from gramspect.grammars.ebnf import Alternative, Block, Definition, Element, Reference, Token
from gramspect.grammars.productions import Productions
from gramspect.grammars.symbols import (
    Associativity,
    Diagnostic,
    Operator,
    Precedence,
    Rule,
    Symbol,
    block_text,
)
from gramspect.source import Span

__all__ = ["MAX_LENGTH", "MAX_NESTING", "expanded"]

MAX_LENGTH: Final = 10_000
"""Symbols of the longest alternative. Memory grows with the square of it: all that `localize` takes
is 106 MB with an alternative of that length, and 5.1 GB with ten times that."""

MAX_NESTING: Final = 100
"""How deep blocks may be nested. Grammars that people write stay below ten."""


def expanded(
    definitions: Sequence[Definition],
    *,
    tokens: Iterable[Token],
    start: str | None,
    name: str,
    files: Sequence[str],
    precedence: Sequence[tuple[Associativity, Sequence[str]]],
    diagnostics: Iterable[Diagnostic],
) -> Productions:
    """The plain rules of some definitions; see `gramspect.grammars.grammar.expand`."""
    expansion = _Expansion(definitions, tokens)
    for token in (token for _, names in precedence for token in names):
        expansion.reference(Reference(token))
    if not expansion.written:
        raise GrammarError(f"the grammar {name} has no rules")
    chosen = definitions[0].name if start is None else start
    if not expansion.drafts.get(chosen):
        raise GrammarError(_no_start(chosen, list(expansion.defined)))
    return expansion.productions(chosen, name, tuple(files), precedence, tuple(diagnostics))


def _no_start(start: str, defined: list[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(start, defined)
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
    """Names and draft rules collected while definitions are walked.

    `written` holds the rules in the order of the source, each embedded action before the rule that
    it stands in: so yacc numbers them, which decides reduce/reduce conflicts. Other helpers come
    later.
    """

    definitions: Sequence[Definition]
    declared: Iterable[Token]
    defined: dict[str, Definition] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    helpers: dict[str, tuple[Block, str]] = field(default_factory=dict)
    drafts: dict[str, list[_Draft]] = field(default_factory=dict)
    written: list[_Draft] = field(default_factory=list)

    def __post_init__(self) -> None:
        for definition in self.definitions:
            self.defined.setdefault(definition.name, definition)
            self.drafts[definition.name] = []
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
        if len(alternative.elements) > MAX_LENGTH:
            raise GrammarError(
                f"an alternative of {lhs} has {len(alternative.elements):,} symbols, which is more"
                f" than {MAX_LENGTH:,}; split it into several rules",
                alternative.span,
            )
        rules = self.drafts[lhs]
        draft = _Draft(lhs, [], len(rules) + 1, alternative.span, alternative.precedence)
        rules.append(draft)
        blocks = 0
        for element in alternative.elements:
            if isinstance(element, Block):
                blocks += 1
                draft.rhs.append(self._helper(f"{lhs}:{draft.alternative}.{blocks}", element, lhs))
            else:
                draft.rhs.append(self.reference(element))
        if lhs in self.defined or self.helpers[lhs][0].operator is Operator.ACTION:
            self.written.append(draft)

    def reference(self, reference: Reference) -> Reference:
        """The reference, its name made a token if it is no non-terminal."""
        if reference.name == "$end":
            raise GrammarError("$end ends every input by itself; remove it here", reference.span)
        if reference.name not in self.defined:
            token = Token(reference.name, reference.span, reference.display)
            self.tokens.setdefault(reference.name, token)
        return reference

    def _helper(self, name: str, block: Block, owner: str) -> Reference:
        if name.count(".") > MAX_NESTING:
            raise GrammarError(f"blocks are nested more than {MAX_NESTING} deep", block.span)
        self.helpers[name] = (block, owner)
        self.drafts[name] = []
        if block.operator in (Operator.STAR, Operator.PLUS):
            self._repetition(name, block)
        else:
            for alternative in block.alternatives:
                self._rule(name, alternative)
            if block.operator is Operator.OPTION:
                self._rule(name, Alternative((), block.span and block.span.after()))
        return Reference(name, block.span)

    def _repetition(self, name: str, block: Block) -> None:
        """``H -> (empty) | H x`` or ``H -> x | H x``."""
        alternative = block.alternatives[0]
        body: Element
        if len(block.alternatives) == 1 and len(alternative.elements) == 1:
            body = alternative.elements[0]
        else:
            body = Block(Operator.GROUP, block.alternatives, block.span)
        if isinstance(body, Block):
            once = self._helper(f"{name}.1", body, name)
        else:
            once = self.reference(body)
        again = [Reference(name, block.span and block.span.before()), once]
        first = [] if block.operator is Operator.STAR else [once]
        self.drafts[name] = [
            _Draft(
                name, first, 1, block.span if first else block.span and block.span.before(), None
            ),
            _Draft(name, again, 2, block.span, None),
        ]

    def productions(
        self,
        start: str,
        name: str,
        files: tuple[str, ...],
        precedence: Sequence[tuple[Associativity, Sequence[str]]],
        diagnostics: tuple[Diagnostic, ...],
    ) -> Productions:
        symbols = self._symbols()
        index = {symbol.name: symbol.index for symbol in symbols}
        levels = {
            index[token]: Precedence(level, associativity)
            for level, (associativity, names) in enumerate(precedence, start=1)
            for token in names
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
        return Productions(
            name,
            files,
            tuple(symbols),
            tuple(rules),
            index[start],
            n_terminals,
            levels,
            diagnostics,
        )

    def _symbols(self) -> list[Symbol]:
        symbols = [Symbol(0, "$end", True, "end of input")]
        for token in self.tokens.values():
            display = token.display or token.name
            symbols.append(
                Symbol(len(symbols), token.name, True, display, token.span, token.spellings)
            )
        index = {name: i for i, name in enumerate([*self.defined, *self.helpers], len(symbols))}
        for name, definition in self.defined.items():
            symbols.append(Symbol(index[name], name, False, name, definition.span))
        for name, (block, owner) in self.helpers.items():
            text, operator = _display(block), block.operator
            symbols.append(
                Symbol(index[name], name, False, text, block.span, (), operator, index[owner])
            )
        return symbols

    def _in_source_order(self) -> list[_Draft]:
        """What the user wrote, then the helpers that are no embedded actions."""
        later = [
            draft
            for name, (block, _) in self.helpers.items()
            if block.operator is not Operator.ACTION
            for draft in self.drafts[name]
        ]
        return self.written + later


def _display(element: Element) -> str:
    """An element as the user would write it, on one line."""
    if isinstance(element, Reference):
        return element.display or element.name
    if element.text is not None:
        return element.text
    texts = [[_display(e) for e in alternative.elements] for alternative in element.alternatives]
    return block_text(element.operator, texts)
