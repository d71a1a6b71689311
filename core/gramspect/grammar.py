"""Context-free grammars as data: symbols, rules and items as small integers.

A *rule* is one alternative of a non-terminal, an *item* a rule with a designated position
(Raselimo and Fischer 2024, Section 2). Numbering:

* symbols: terminals first, ``0 .. n_terminals - 1``, then non-terminals. Terminal 0 is the end
  of the input, written ``$end``;
* rules: ``0 .. n_rules - 1`` in the order of the source;
* items: the items of rule ``r`` are ``item_start[r] + dot`` for ``dot`` in ``0 .. len(rhs)``.

A non-terminal that the user did not write (a repetition, option, group or embedded action)
is a *helper*: it remembers its operator and source text, and reports show it inside the rule that
the user wrote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from gramspect.errors import GrammarError
from gramspect.source import Span

if TYPE_CHECKING:
    from gramspect.analysis import Analysis

__all__ = [
    "END",
    "Associativity",
    "Diagnostic",
    "Grammar",
    "Operator",
    "Precedence",
    "Rule",
    "Symbol",
    "block_text",
]

END = 0
"""The index of the end-of-input terminal."""


class Operator(StrEnum):
    """What a helper non-terminal stands for in the user's text."""

    GROUP = "()"
    OPTION = "?"
    STAR = "*"
    PLUS = "+"
    ACTION = "{}"
    SET = "~"
    """One of many tokens, such as ``~A`` or ``.``; always shown as written."""


class Associativity(StrEnum):
    """How yacc resolves a conflict between a rule and a token of the same precedence."""

    LEFT = "left"
    RIGHT = "right"
    NONASSOC = "nonassoc"
    NONE = "precedence"


@dataclass(frozen=True, slots=True)
class Precedence:
    """A precedence level (higher binds tighter) with its associativity."""

    level: int
    associativity: Associativity


@dataclass(frozen=True, slots=True)
class Symbol:
    """A terminal or non-terminal.

    `display` is how the user writes it, `spellings` are the other texts that name this token in
    a test (a literal without its quotes, an alias). `span` is where it is declared or defined.
    `operator` and `owner`, the non-terminal that it was written in, are set for helpers only.
    """

    index: int
    name: str
    terminal: bool
    display: str
    span: Span | None = None
    spellings: tuple[str, ...] = ()
    operator: Operator | None = None
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One alternative ``lhs -> rhs``.

    `alternative` counts from 1 within the non-terminal. `span` covers the alternative in the
    source (empty for an empty one), `rhs_spans` the symbol occurrences.
    `precedence` is the terminal whose precedence the rule has, if any.
    """

    index: int
    lhs: int
    rhs: tuple[int, ...]
    alternative: int
    label: str
    span: Span | None
    rhs_spans: tuple[Span | None, ...]
    precedence: int | None = None


def block_text(operator: Operator, alternatives: Sequence[Sequence[str]]) -> str:
    """A block on one line, such as ``( a | b )*`` or ``a?``."""
    words = [word for alternative in alternatives for word in ("|", *alternative)][1:]
    if operator is Operator.ACTION:
        return " ".join([*words, "{}"])
    if operator is Operator.GROUP:
        return " ".join(["(", *words, ")"])
    if len(words) == 1 and words[0][-1:] not in ("?", "*", "+"):
        return f"{words[0]}{operator}"
    return " ".join(["(", *words, f"){operator}"])


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something odd in a grammar that does not keep it from being used."""

    code: str
    message: str
    span: Span | None = None

    def __str__(self) -> str:
        return self.message if self.span is None else f"{self.span}: {self.message}"


@dataclass(frozen=True, eq=False)
class Grammar:
    """An immutable context-free grammar. Made by `gramspect.ebnf.expand` or `from_rules`."""

    name: str
    files: tuple[str, ...]
    symbols: tuple[Symbol, ...]
    rules: tuple[Rule, ...]
    start: int
    n_terminals: int
    precedence: Mapping[int, Precedence] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()

    @classmethod
    def from_rules(
        cls,
        rules: Iterable[tuple[str, Sequence[str]]],
        start: str | None = None,
        name: str = "grammar",
        precedence: Sequence[tuple[Associativity, Sequence[str]]] = (),
        rule_precedence: Mapping[int, str] | None = None,
    ) -> Grammar:
        """A grammar from ``(lhs, rhs)`` pairs; names that are no left-hand side are terminals.

        `precedence` lists levels from the loosest to the tightest, `rule_precedence` maps rule
        numbers (from 0) to the token whose precedence the rule takes (``%prec``).

        Raises:
            GrammarError: there is no rule, or the start symbol has none.
        """
        from gramspect import ebnf

        chosen = rule_precedence or {}
        definitions = [
            ebnf.Definition(
                lhs,
                (
                    ebnf.Alternative(
                        tuple(ebnf.Reference(x) for x in rhs), precedence=chosen.get(i)
                    ),
                ),
            )
            for i, (lhs, rhs) in enumerate(rules)
        ]
        return ebnf.expand(definitions, start=start, name=name, precedence=precedence)

    # --- edits ---------------------------------------------------------------------------

    def with_rules(self, rules: Iterable[Rule]) -> Grammar:
        """The same symbols under other rules, which are numbered and labelled anew in order."""
        placed: list[Rule] = []
        alternatives: Counter[int] = Counter()
        for index, rule in enumerate(rules):
            alternatives[rule.lhs] += 1
            nth = alternatives[rule.lhs]
            if (rule.index, rule.alternative) != (index, nth):
                label = f"{self.symbols[rule.lhs].name}:{nth}"
                rule = replace(rule, index=index, alternative=nth, label=label)  # noqa: PLW2901
            placed.append(rule)
        return replace(self, rules=tuple(placed))

    def edited(self, rule: Rule, rhs: tuple[int, ...], rhs_spans: tuple[Span | None, ...]) -> Rule:
        """A rule under another right-hand side; a precedence from its last token is taken anew."""
        explicit = rule.precedence != self._inherited_precedence(rule.rhs)
        precedence = rule.precedence if explicit else self._inherited_precedence(rhs)
        return replace(rule, rhs=rhs, rhs_spans=rhs_spans, precedence=precedence)

    def _inherited_precedence(self, rhs: tuple[int, ...]) -> int | None:
        last = next((symbol for symbol in reversed(rhs) if self.is_terminal(symbol)), None)
        return last if last in self.precedence else None

    # --- sizes and numbering -------------------------------------------------------------

    @property
    def n_rules(self) -> int:
        return len(self.rules)

    @property
    def n_nonterminals(self) -> int:
        return len(self.symbols) - self.n_terminals

    @cached_property
    def item_start(self) -> tuple[int, ...]:
        """The first item of each rule, and behind them the number of items."""
        return tuple(accumulate((len(rule.rhs) + 1 for rule in self.rules), initial=0))

    @property
    def n_items(self) -> int:
        return self.item_start[-1]

    @cached_property
    def _item_rule(self) -> tuple[int, ...]:
        return tuple(rule.index for rule in self.rules for _ in range(len(rule.rhs) + 1))

    def item(self, rule: int, dot: int) -> int:
        """The number of the item of `rule` with the dot before its symbol `dot` (from 0)."""
        return self.item_start[rule] + dot

    def split_item(self, item: int) -> tuple[int, int]:
        """Rule and dot of an item."""
        rule = self._item_rule[item]
        return rule, item - self.item_start[rule]

    @cached_property
    def rules_of(self) -> Mapping[int, tuple[int, ...]]:
        """The rules of each non-terminal, in order."""
        found: dict[int, list[int]] = {s.index: [] for s in self.symbols if not s.terminal}
        for rule in self.rules:
            found[rule.lhs].append(rule.index)
        return {symbol: tuple(indices) for symbol, indices in found.items()}

    def is_terminal(self, symbol: int) -> bool:
        return symbol < self.n_terminals

    @property
    def nonterminals(self) -> tuple[Symbol, ...]:
        return self.symbols[self.n_terminals :]

    @property
    def terminals(self) -> tuple[Symbol, ...]:
        """All terminals but the end of the input."""
        return self.symbols[1 : self.n_terminals]

    @cached_property
    def analysis(self) -> Analysis:
        """Nullable, first, follow, shortest yields and the like, computed on demand."""
        from gramspect.analysis import Analysis

        return Analysis(self)

    # --- names ---------------------------------------------------------------------------

    @cached_property
    def _by_name(self) -> Mapping[str, int]:
        return {symbol.name: symbol.index for symbol in reversed(self.symbols)}

    @cached_property
    def _by_spelling(self) -> Mapping[str, int]:
        found = {text: s.index for s in reversed(self.terminals) for text in s.spellings}
        found.update((s.name, s.index) for s in reversed(self.terminals))
        return found

    def symbol(self, name: str) -> int:
        """The symbol of that name.

        Raises:
            GrammarError: there is none.
        """
        try:
            return self._by_name[name]
        except KeyError:
            raise GrammarError(f"the grammar {self.name} has no symbol {name!r}") from None

    def token(self, text: str) -> int | None:
        """The terminal that `text` names in a token-sequence test, or None."""
        return self._by_spelling.get(text)

    def item_label(self, item: int) -> str:
        """The stable label of an item, such as ``stmt:3:2``."""
        rule, dot = self.split_item(item)
        return f"{self.rules[rule].label}:{dot}"

    # --- where and how the user wrote it -------------------------------------------------

    @cached_property
    def _home_of_helper(self) -> Mapping[int, tuple[int, int]]:
        """Rule and position where each helper was written, unless an edit has removed it there."""
        found: dict[int, tuple[int, int]] = {}
        for rule in self.rules:
            for position, symbol in enumerate(rule.rhs):
                if self.symbols[symbol].owner == rule.lhs:
                    found.setdefault(symbol, (rule.index, position))
        return found

    def user_nonterminal(self, symbol: int) -> int:
        """The non-terminal the user wrote whose definition `symbol` lies in."""
        while (owner := self.symbols[symbol].owner) is not None:
            symbol = owner
        return symbol

    def rule_text(self, rule: int) -> str:
        """A rule on one line as the user wrote it, ``stmt -> while expr do block``."""
        return self._marked_text(rule, None, "")

    def item_text(self, item: int, mark: str = "•") -> str:
        """A rule on one line with `mark` at the designated position."""
        rule, dot = self.split_item(item)
        return self._marked_text(rule, dot, mark)

    def _marked_text(self, rule: int, dot: int | None, mark: str) -> str:
        """The text of the user's rule that `rule` lies in, the mark inside nested helpers."""
        lhs = self.rules[rule].lhs
        words = self._words(rule, dot, mark)
        while lhs in self._home_of_helper:
            inner = self._helper_text(lhs, rule, words)
            rule, position = self._home_of_helper[lhs]
            words = self._words(rule, instead={position: inner})
            lhs = self.rules[rule].lhs
        return " ".join([self.symbols[lhs].display, "->", *words])

    def _words(
        self,
        rule: int,
        dot: int | None = None,
        mark: str = "",
        instead: Mapping[int, list[str]] | None = None,
    ) -> list[str]:
        """What stands on a right-hand side, without what expansion has put there."""
        lhs, rhs = self.rules[rule].lhs, self.rules[rule].rhs
        repeats = self.symbols[lhs].operator in (Operator.STAR, Operator.PLUS)
        words: list[str] = []
        for position, symbol in enumerate(rhs):
            if dot == position:
                words.append(mark)
            if instead and position in instead:
                words.extend(instead[position])
            elif repeats and self._is_body_of(symbol, lhs):
                words.extend(self.symbols[symbol].display[2:-2].split(" "))
            elif not (repeats and symbol == lhs):
                words.append(self.symbols[symbol].display)
        if dot == len(rhs):
            words.append(mark)
        return words

    def _is_body_of(self, symbol: int, repetition: int) -> bool:
        """Whether `symbol` is the group under a repetition, whose parentheses are written once."""
        return (
            self.symbols[symbol].operator is Operator.GROUP
            and self.symbols[symbol].owner == repetition
            and self.symbols[repetition].operator in (Operator.STAR, Operator.PLUS)
        )

    def _helper_text(self, helper: int, rule: int, words: list[str]) -> list[str]:
        """A helper as the user wrote it, its alternative `rule` shown as `words`."""
        symbol = self.symbols[helper]
        if symbol.operator is None or symbol.owner is None:
            return words
        if symbol.operator is Operator.SET:
            token = self.symbols[self.rules[rule].rhs[0]].display
            return [symbol.display if word == token else word for word in words]
        rules = self.rules_of[helper]
        shown = [words if r == rule else self._words(r) for r in rules]
        if symbol.operator in (Operator.STAR, Operator.PLUS):
            if not self.rules[rule].rhs:
                words = [*words, *max((self._words(r) for r in rules), key=len)]
            shown = [words]
        elif symbol.operator is Operator.OPTION and not shown[-1]:
            shown.pop()
        text = block_text(symbol.operator, shown)
        return text[2:-2].split(" ") if self._is_body_of(helper, symbol.owner) else [text]

    def rule_span(self, rule: int) -> Span | None:
        """Where the alternative is written."""
        return self.rules[rule].span

    def item_span(self, item: int) -> Span | None:
        """Where to look for an item: the symbol behind the dot, or the end of the alternative."""
        rule_index, dot = self.split_item(item)
        rule = self.rules[rule_index]
        if dot < len(rule.rhs) and rule.rhs_spans[dot] is not None:
            return rule.rhs_spans[dot]
        if dot and rule.rhs_spans[dot - 1] is not None:
            last = rule.rhs_spans[dot - 1]
            return None if last is None else last.after()
        return rule.span
