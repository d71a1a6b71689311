"""Texts of tokens in the algebra: a grammar in which some texts are terminals of their own.

A pattern such as ``<term> / 0`` is about a number whose text is 0. Tree automata know rules and no
texts. So a token that patterns fix the text of becomes a non-terminal: ``any NUMBER`` is ``0`` or
``NUMBER``, which from then on is a number with any other text. A text that is fixed is a node with
a rule like all others, one that is not is an abstract node, and what holds of trees holds of texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gramspect.algebra.expressions import And, Count, Expression, Not, Or, counted
from gramspect.algebra.patterns import ABSTRACT, FixedText, Pattern
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Rule, Symbol
from gramspect.yacc.literals import canonical

__all__ = ["TextGrammar", "fixed_texts", "texts_of"]

Other = Callable[[int, Collection[str]], str | None]
"""Gives a text of a terminal that is none of some texts; None if there is none."""


def fixed_texts(grammar: Grammar, expression: Expression) -> Mapping[int, tuple[str, ...]]:
    """The texts that the patterns of an expression fix, by terminal, each once."""
    occurrences = counted(expression)
    return texts_of(grammar, [named.pattern for each in occurrences for named in each.chain])


def texts_of(grammar: Grammar, patterns: Iterable[Pattern]) -> Mapping[int, tuple[str, ...]]:
    """The texts that patterns fix, by terminal, each once."""
    found: dict[int, dict[str, None]] = {}
    for pattern in patterns:
        for node, position, text in pattern.texts:
            terminal = grammar.rules[pattern.rules[node]].rhs[position]
            found.setdefault(terminal, {})[text] = None
    return {terminal: tuple(texts) for terminal, texts in found.items()}


@dataclass(frozen=True, eq=False)
class TextGrammar:
    """A grammar in which `texts` of terminals are terminals.

    Its rules are those of `base` under the same numbers, and after them one for each text and one
    for any other text. Terminals keep their numbers, those of texts come after them; non-terminals
    follow as before, and then one for each terminal with texts.

    `others` has a text for each terminal that can have another than those; where there is none,
    every text of the terminal is one of `texts`.
    """

    grammar: Grammar
    base: Grammar
    texts: Mapping[int, tuple[str, ...]]
    others: Mapping[int, str]
    terminals: Mapping[tuple[int, str], int]
    """The terminals that are texts."""
    _rules: Mapping[tuple[int, str | None], int]
    """By terminal of the base and text, None for any other: the rule."""

    @classmethod
    def of(cls, base: Grammar, texts: Mapping[int, tuple[str, ...]], other: Other) -> TextGrammar:
        """The grammar with these texts; without any it is the base."""
        if not texts:
            return cls(base, base, {}, {}, {}, {})
        found = {terminal: other(terminal, known) for terminal, known in texts.items()}
        others = {terminal: text for terminal, text in found.items() if text is not None}
        return _Making(base, texts, others).result()

    # --- patterns ------------------------------------------------------------------------

    def expression(self, expression: Expression) -> Expression:
        """An expression over patterns of the base as one over patterns of `grammar`."""
        match expression:
            case Not(part):
                return Not(self.expression(part))
            case And(parts):
                return And(tuple(map(self.expression, parts)))
            case Or(parts):
                return Or(tuple(map(self.expression, parts)))
            case Count(occurrences, least, most):
                chain = tuple(
                    replace(each, pattern=self.pattern(each.pattern)) for each in occurrences.chain
                )
                return Count(replace(occurrences, chain=chain), least, most)
            case _:
                return expression

    def pattern(self, pattern: Pattern) -> Pattern:
        """A pattern of the base as one of `grammar`, which fixes no texts.

        Tokens of `texts` whose text it does not fix are abstract; a text that is none of them is
        any other.
        """
        fixed = {(each.node, each.position): each.text for each in pattern.texts}
        rules: list[int] = []
        pending = [(pattern.symbol, -1, 0)]
        node = -1
        while pending:
            symbol, above, position = pending.pop()
            if symbol in self.texts:
                text = fixed.get((above, position))
                known = text if text in self.texts[symbol] else None
                rules.append(ABSTRACT if text is None else self._rules[symbol, known])
            elif not self.base.is_terminal(symbol):
                node += 1
                rules.append(pattern.rules[node])
                if rules[-1] != ABSTRACT:
                    rhs = self.base.rules[rules[-1]].rhs
                    pending += [(rhs[i], node, i) for i in reversed(range(len(rhs)))]
        return Pattern(self._moved(pattern.symbol), tuple(rules))

    def original(self, tree: Pattern) -> Pattern:
        """A tree of `grammar` as one of the base, in which all tokens of `texts` have a text: for
        any other one, one of `others`."""
        text_of = {
            rule: self.others[terminal] if text is None else text
            for (terminal, text), rule in self._rules.items()
        }
        rules: list[int] = []
        texts: list[FixedText] = []
        pending = [(tree.symbol, -1, 0)]
        for rule in tree.rules:
            symbol, above, position = pending.pop()
            if symbol >= len(self.base.symbols) + len(self.terminals):
                if rule != ABSTRACT:
                    texts.append(FixedText(above, position, text_of[rule]))
                continue
            node = len(rules)
            rules.append(rule)
            if rule != ABSTRACT:
                rhs = self.grammar.rules[rule].rhs
                pending += [
                    (rhs[i], node, i)
                    for i in reversed(range(len(rhs)))
                    if not self.grammar.is_terminal(rhs[i])
                ]
        return Pattern(tree.symbol - len(self.terminals), tuple(rules), tuple(sorted(texts)))

    def _moved(self, symbol: int) -> int:
        return symbol if symbol < self.base.n_terminals else symbol + len(self.terminals)

    @property
    def told_apart(self) -> Sequence[int]:
        """The terminals that share the texts of one of the base."""
        return [*self.others, *self.terminals.values()]

    # --- in words ------------------------------------------------------------------------

    def remarks(self) -> Iterator[str]:
        """What terminals stand for that have lost some of their texts."""
        for terminal in self.others:
            shown = ", ".join(repr(text) for text in self.texts[terminal])
            yield f"{self.base.symbols[terminal].name}: any text of it but {shown}"


class _Making:
    """Makes the grammar of a base, texts by terminal and other texts."""

    def __init__(
        self, base: Grammar, texts: Mapping[int, tuple[str, ...]], others: Mapping[int, str]
    ) -> None:
        self.base, self.texts, self.others = base, texts, others
        first = base.n_terminals
        pairs = [(terminal, text) for terminal, known in texts.items() for text in known]
        self.terminals = {pair: first + number for number, pair in enumerate(pairs)}
        anything = len(base.symbols) + len(pairs)
        self.anything = {terminal: anything + number for number, terminal in enumerate(texts)}
        self._names = {symbol.name for symbol in base.symbols}

    def result(self) -> TextGrammar:
        base = self.base
        rules = [
            replace(rule, lhs=self._moved(rule.lhs), rhs=tuple(map(self._moved, rule.rhs)))
            for rule in base.rules
        ]
        numbers: dict[tuple[int, str | None], int] = {}
        for terminal, known in self.texts.items():
            for text in (*known, *((None,) if terminal in self.others else ())):
                numbers[terminal, text] = len(rules)
                rhs = terminal if text is None else self.terminals[terminal, text]
                rules.append(Rule(-1, self.anything[terminal], (rhs,), 0, "", None, (None,)))
        precedence = dict(base.precedence)
        for (terminal, _), number in self.terminals.items():
            if terminal in precedence:
                precedence[number] = precedence[terminal]
        changed = replace(
            base, symbols=tuple(self._symbols()), rules=(), start=self._moved(base.start),
            n_terminals=base.n_terminals + len(self.terminals), precedence=precedence,
        )  # fmt: skip
        grammar = changed.with_rules(rules)
        return TextGrammar(grammar, base, self.texts, self.others, self.terminals, numbers)

    def _moved(self, symbol: int) -> int:
        """A symbol on a right-hand or left-hand side of a rule of the base."""
        if symbol in self.anything:
            return self.anything[symbol]
        return symbol if symbol < self.base.n_terminals else symbol + len(self.terminals)

    def _symbols(self) -> Iterable[Symbol]:
        base, shift = self.base, len(self.terminals)
        yield from base.symbols[: base.n_terminals]
        for (_, text), number in self.terminals.items():
            display = canonical(json.dumps(text, ensure_ascii=False))
            name = self._fresh(display)
            yield Symbol(number, name, terminal=True, display=display, spellings=(text,))
        for symbol in base.nonterminals:
            yield replace(symbol, index=symbol.index + shift, owner=None, operator=None)
        for terminal, number in self.anything.items():
            name = self._fresh(f"any {base.symbols[terminal].name}")
            yield Symbol(number, name, terminal=False, display=base.symbols[terminal].display)

    def _fresh(self, name: str) -> str:
        while name in self._names:
            name += "'"
        self._names.add(name)
        return name
