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
from dataclasses import dataclass, replace
from functools import cached_property

from gramspect.grammars.analysis import Analysis
from gramspect.grammars.ebnf import Alternative, Definition, Reference, Token
from gramspect.grammars.expansion import expanded
from gramspect.grammars.productions import Productions
from gramspect.grammars.symbols import Associativity, Diagnostic, Operator, Rule, block_text
from gramspect.source import Span

__all__ = ["Grammar", "expand"]


@dataclass(frozen=True, eq=False)
class Grammar(Productions):
    """An immutable context-free grammar. Made by `gramspect.grammars.grammar.expand` or
    `from_rules`."""

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
        chosen = rule_precedence or {}
        definitions = [
            Definition(
                lhs,
                (Alternative(tuple(Reference(x) for x in rhs), precedence=chosen.get(i)),),
            )
            for i, (lhs, rhs) in enumerate(rules)
        ]
        return expand(definitions, start=start, name=name, precedence=precedence)

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
                rule = rule.numbered(index, nth, label)  # noqa: PLW2901
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

    # --- analyses ------------------------------------------------------------------------

    @cached_property
    def analysis(self) -> Analysis:
        """Nullable, first, follow, shortest yields and the like, computed on demand."""
        return Analysis(self)

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

    def home_of(self, helper: int) -> tuple[int, int] | None:
        """Rule and position where a helper is written; None of what the user wrote."""
        return self._home_of_helper.get(helper)

    def user_nonterminal(self, symbol: int) -> int:
        """The non-terminal the user wrote whose definition `symbol` lies in."""
        while (owner := self.symbols[symbol].owner) is not None:
            symbol = owner
        return symbol

    def definition_of(self, item: int) -> int:
        """The non-terminal the user wrote whose definition an item lies in."""
        return self.user_nonterminal(self.rules[self.split_item(item)[0]].lhs)

    @cached_property
    def calls(self) -> tuple[frozenset[int], ...]:
        """For each non-terminal that the user wrote, the others that its definition calls."""
        found: list[set[int]] = [set() for _ in self.symbols]
        for rule in self.rules:
            caller = self.user_nonterminal(rule.lhs)
            found[caller].update(
                symbol
                for symbol in rule.rhs
                if symbol != caller
                and not self.is_terminal(symbol)
                and self.symbols[symbol].owner is None
            )
        return tuple(map(frozenset, found))

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
        """Where to look for an item: the symbol after the dot, or the end of the alternative."""
        rule_index, dot = self.split_item(item)
        rule = self.rules[rule_index]
        if dot < len(rule.rhs) and rule.rhs_spans[dot] is not None:
            return rule.rhs_spans[dot]
        if dot and rule.rhs_spans[dot - 1] is not None:
            last = rule.rhs_spans[dot - 1]
            return None if last is None else last.after()
        return rule.span


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

    Terminals are numbered in the order of `tokens`, then of first use, then of `precedence`, which
    goes from the loosest level to the tightest. `start` defaults to the first definition.

    Raises:
        GrammarError: there is no rule, the start symbol has none, a name is both a token and a
            non-terminal, a rule uses ``$end``, blocks are nested more than `MAX_NESTING` deep, or
            an alternative has more than `MAX_LENGTH` symbols.
    """
    return Grammar(
        **vars(
            expanded(
                definitions,
                tokens=tokens,
                start=start,
                name=name,
                files=files,
                precedence=precedence,
                diagnostics=diagnostics,
            )
        )
    )
