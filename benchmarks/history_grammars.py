"""Faults that somebody mended in a release: one rule of a newer grammar as it was in an older one.

Grammars of two releases are compared by names, helpers of EBNF expanded. Terminals that are written
as a literal are called by it, so that their numbers in a vocabulary do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any, TypeAlias

from gramspect.grammars.ebnf import Alternative, Block, Definition, Reference, Token
from gramspect.grammars.ebnf import Element as WrittenElement
from gramspect.grammars.grammar import Grammar, expand
from gramspect.grammars.symbols import Operator

__all__ = [
    "Fault",
    "Written",
    "faults",
    "grammar_of",
    "read_written",
    "symbols_of",
    "terminal_names",
    "written",
]

Element: TypeAlias = "str | tuple[Operator, Alternatives]"
Sequent: TypeAlias = "tuple[Element, ...]"
Alternatives: TypeAlias = "tuple[Sequent, ...]"

MOST_RULES = 1_500
"""Rules of a grammar under test; the search of larger ones takes long."""
LEAST_KEPT = 0.5
"""The share of the older definition that has to be in the newer one: else it was written anew."""
ERROR = "error"
"""The token of yacc, PLY and CUP that stands for what cannot be parsed."""
MOST_BROUGHT = 1
"""Rules that only the older definition needs."""


@dataclass(frozen=True)
class Written:
    """A grammar by names: the definitions of the non-terminals that the user wrote."""

    start: str
    rules: Mapping[str, Alternatives]
    display: Mapping[str, str]
    """How terminals are shown."""
    spellings: Mapping[str, str] = field(default_factory=dict)
    """What terminals look like that are not called by it, as far as that is known."""


@dataclass(frozen=True)
class Fault:
    """A grammar in which one rule is as it was before a release, and the mended grammar.

    Both have the same terminals under the same numbers. `kind` says what was added to the rule,
    `brought` which rules only its older form needs.
    """

    rule: str
    kind: str
    source: Written
    """The faulty grammar by names, rules that nothing reaches included."""
    before: Grammar
    after: Grammar
    brought: tuple[str, ...]


# --- grammars by names -------------------------------------------------------------------------


def written(grammar: Grammar) -> Written:
    """The definitions of a grammar by names."""
    return _Describing(grammar).written()


def terminal_names(grammar: Grammar) -> list[str]:
    """What the symbols of a grammar are called in `Written`, by number."""
    return _Describing(grammar).names


class _Describing:
    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.names = [
            symbol.display if symbol.terminal and symbol.display[:1] in "'\"/" else symbol.name
            for symbol in grammar.symbols
        ]
        for symbol in grammar.terminals:
            if symbol.spellings:
                self.names[symbol.index] = repr(symbol.spellings[0])

    def written(self) -> Written:
        users = [symbol for symbol in self.grammar.nonterminals if symbol.owner is None]
        rules = {self.names[s.index]: self.alternatives(s.index) for s in users}
        display = {self.names[s.index]: s.display for s in self.grammar.terminals}
        return Written(self.names[self.grammar.start], rules, display)

    def alternatives(self, symbol: int) -> Alternatives:
        """Those that say how to go on after an error are left out."""
        rules = (self.grammar.rules[rule] for rule in self.grammar.rules_of[symbol])
        found = (self.elements(rule.rhs) for rule in rules)
        return tuple(sequence for sequence in found if ERROR not in sequence)

    def elements(self, rhs: Sequence[int]) -> Sequent:
        symbols = (self.grammar.symbols[index] for index in rhs)
        return tuple(self.element(s.index) for s in symbols if s.operator is not Operator.ACTION)

    def element(self, index: int) -> Element:
        operator = self.grammar.symbols[index].operator
        if operator is None:
            return self.names[index]
        if operator in (Operator.STAR, Operator.PLUS):
            body = self.grammar.rules[self.grammar.rules_of[index][1]].rhs[1]
            if self.grammar.symbols[body].operator is Operator.GROUP:
                return operator, self.alternatives(body)
            return operator, ((self.element(body),),)
        found = self.alternatives(index)
        return operator, found[:-1] if operator is Operator.OPTION else found


def symbols_of(alternatives: Alternatives) -> Iterator[str]:
    """The names in a definition, in the order of the text."""
    for sequence in alternatives:
        for element in sequence:
            if isinstance(element, str):
                yield element
            else:
                yield from symbols_of(element[1])


def _words(alternatives: Alternatives) -> Iterator[str]:
    """A definition in words, structure included."""
    for sequence in alternatives:
        yield "|"
        for element in sequence:
            if isinstance(element, str):
                yield element
            else:
                yield "("
                yield from _words(element[1])
                yield f"){element[0]}"


def read_written(data: Mapping[str, Any]) -> Written:
    """A grammar by names as JSON keeps it."""

    def element(kept: Any) -> Element:
        return kept if isinstance(kept, str) else (Operator(kept[0]), alternatives(kept[1]))

    def alternatives(kept: Any) -> Alternatives:
        return tuple(tuple(map(element, sequence)) for sequence in kept)

    rules = {name: alternatives(kept) for name, kept in data["rules"].items()}
    return Written(data["start"], rules, data["display"], data.get("spellings", {}))


def grammar_of(found: Written) -> Grammar:
    """The grammar of what the start symbol reaches, with all the terminals."""
    rules = found.rules
    reached, waiting = {found.start}, [found.start]
    while waiting:
        new = set(symbols_of(rules[waiting.pop()])) & rules.keys() - reached
        reached |= new
        waiting.extend(new)
    definitions = [
        Definition(name, tuple(map(_alternative, alternatives)))
        for name, alternatives in rules.items()
        if name in reached
    ]
    tokens = [
        Token(name, display=shown, spellings=_spellings(name, found))
        for name, shown in found.display.items()
        if name not in rules
    ]
    return expand(definitions, tokens=tokens, start=found.start)


def _spellings(name: str, found: Written) -> tuple[str, ...]:
    if name in found.spellings:
        return (found.spellings[name],)
    return (name[1:-1],) if len(name) > 2 and name[0] == name[-1] and name[0] in "'\"" else ()


def _alternative(sequence: Sequent) -> Alternative:
    return Alternative(tuple(map(_element, sequence)))


def _element(element: Element) -> WrittenElement:
    if isinstance(element, str):
        return Reference(element)
    operator, alternatives = element
    return Block(operator, tuple(map(_alternative, alternatives)))


# --- faults ------------------------------------------------------------------------------------


def faults(older: Written, newer: Written) -> Iterator[Fault]:
    """The rules of the newer grammar that were changed, each as it was before by itself.

    Left out are rules that were written anew, and those whose older form needs more than one rule
    or any terminal that the newer grammar does not have: what the lexer makes is another matter.
    """
    older = _renamed(older, newer)
    after = grammar_of(newer)
    if after.n_rules > MOST_RULES:
        return
    names = {symbol.name for symbol in after.nonterminals}
    for name in newer.rules.keys() & older.rules.keys() & names:
        old, new = older.rules[name], newer.rules[name]
        if old == new or not _is_edit(old, new):
            continue
        brought = _brought(name, older, newer)
        if brought is None or len(brought) > MOST_BROUGHT:
            continue
        rules = {**newer.rules, name: old, **{rule: older.rules[rule] for rule in brought}}
        source = replace(newer, rules=rules)
        yield Fault(name, _kind(old, new), source, grammar_of(source), after, brought)


def _is_edit(old: Alternatives, new: Alternatives) -> bool:
    before, now = list(symbols_of(old)), list(symbols_of(new))
    blocks = SequenceMatcher(None, before, now, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) >= LEAST_KEPT * len(before)


def _brought(name: str, older: Written, newer: Written) -> tuple[str, ...] | None:
    """The rules that only the older form of a rule needs; None if it needs what cannot be had."""
    found: list[str] = []
    waiting = [name]
    while waiting:
        for symbol in dict.fromkeys(symbols_of(older.rules[waiting.pop()])):
            if symbol in newer.rules or symbol in newer.display or symbol in found:
                if (symbol in newer.rules) is not (symbol in older.rules) and symbol not in found:
                    return None
            elif symbol in older.rules:
                found.append(symbol)
                waiting.append(symbol)
            else:
                return None
    return tuple(found)


def _renamed(older: Written, newer: Written) -> Written:
    """The older grammar with the new names of non-terminals that were only renamed."""
    gone = {name: older.rules[name] for name in older.rules.keys() - newer.rules.keys()}
    come: dict[Alternatives, list[str]] = {}
    for name in sorted(newer.rules.keys() - older.rules.keys() - older.display.keys()):
        come.setdefault(newer.rules[name], []).append(name)
    names = {old: come[rule].pop() for old, rule in sorted(gone.items()) if come.get(rule)}

    def new_name(element: Element) -> Element:
        if isinstance(element, str):
            return names.get(element, element)
        return element[0], all_of(element[1])

    def all_of(alternatives: Alternatives) -> Alternatives:
        return tuple(tuple(map(new_name, sequence)) for sequence in alternatives)

    rules = {names.get(name, name): all_of(rule) for name, rule in older.rules.items()}
    return Written(names.get(older.start, older.start), rules, older.display)


def _kind(old: Alternatives, new: Alternatives) -> str:
    """What was added: ``alternative``, ``option``, ``repetition`` or ``other``."""
    if all(_within(sequence, new) for sequence in old):
        return "alternative"
    if _without_blocks(old, Operator.OPTION, Operator.STAR) <= _without_blocks(
        new, Operator.OPTION, Operator.STAR
    ) or _bare(old, Operator.OPTION) <= _bare(new, Operator.OPTION):
        return "option"
    repeating = (Operator.OPTION, Operator.STAR, Operator.PLUS)
    if _bare(old, *repeating) <= _bare(new, *repeating):
        return "repetition"
    return "other"


def _within(sequence: Sequent, new: Alternatives) -> bool:
    """Whether a sequence is among some alternatives, or with more alternatives in its blocks."""
    return any(_is_extended(sequence, other) for other in new)


def _is_extended(old: Sequent, new: Sequent) -> bool:
    if len(old) != len(new):
        return False
    for one, other in zip(old, new, strict=True):
        if one == other:
            continue
        if isinstance(other, str) or other[0] is Operator.SET:
            return False
        alternatives = ((one,),) if isinstance(one, str) else one[1]
        operator = Operator.GROUP if isinstance(one, str) else one[0]
        if operator is not other[0] or not all(_within(s, other[1]) for s in alternatives):
            return False
    return True


def _without_blocks(alternatives: Alternatives, *operators: Operator) -> set[Sequent]:
    """The sequences without what can be left out."""

    def kept(sequence: Sequent) -> Sequent:
        inner = (e for e in sequence if isinstance(e, str) or e[0] not in operators)
        return tuple(
            e if isinstance(e, str) else (e[0], tuple(sorted(map(kept, e[1]), key=repr)))
            for e in inner
        )

    return {kept(sequence) for sequence in alternatives}


def _bare(alternatives: Alternatives, *operators: Operator) -> set[Sequent]:
    """The sequences with what is in some kinds of blocks as if it were there once."""

    def flat(sequence: Sequent) -> Iterator[Element]:
        for element in sequence:
            if isinstance(element, str):
                yield element
            elif element[0] in operators and len(element[1]) == 1:
                yield from flat(element[1][0])
            else:
                yield element[0], tuple(tuple(flat(inner)) for inner in element[1])

    return {tuple(flat(sequence)) for sequence in alternatives}
