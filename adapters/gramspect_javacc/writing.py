"""Core grammars written as JavaCC grammars.

Every non-terminal becomes a production; helpers are written back as the blocks that they stand for,
as JavaCC takes no left recursion. Token i is called ``Ti``, non-terminal i ``ri``. JavaCC takes the
first alternative that the next token allows. One that may be empty is always allowed, so such
alternatives come last. Of alternatives that begin alike it would only take the first, so what they
share is written once, as people do: ``a b d | a c d`` as ``a ( b | c ) d``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from gramspect.adapter_api import (
    AdapterError,
    Alternative,
    Block,
    Definition,
    Diagnostic,
    Element,
    Grammar,
    Operator,
    Reference,
    block_text,
)

__all__ = ["ENTRY", "STRANGE", "Written", "write"]

ENTRY = "entry"
"""The production that expects the end of the input after the start symbol; it comes last."""

STRANGE = "STRANGE"
"""The token for words that name no terminal."""

_FRAME = """\
options {{ STATIC = false; USER_TOKEN_MANAGER = true; }}
PARSER_BEGIN(Built)
public class Built {{}}
class GramspectSequence implements TokenManager {{
  private final int[] kinds;
  private final int end;
  private int at;
  GramspectSequence(int[] kinds, int start, int end) {{
    this.kinds = kinds;
    this.at = start;
    this.end = end;
  }}
  public Token getNextToken() {{
    return new Token(at < end ? kinds[at++] : 0, "");
  }}
  public static Built parser(int[] kinds, int start, int end) {{
    return new Built(new GramspectSequence(kinds, start, end));
  }}
}}
PARSER_END(Built)
TOKEN : {{ {tokens} }}
"""

_PLACES = re.compile(r" at line \d+, column \d+( and line \d+,? column \d+ respectively)?")

_OPENING = {Operator.OPTION: "[ ", Operator.STAR: "( ", Operator.PLUS: "( "}
_CLOSING = {Operator.OPTION: " ]", Operator.STAR: " )*", Operator.PLUS: " )+"}


@dataclass(frozen=True)
class Written:
    """A grammar in JavaCC's notation.

    `definitions` hold the productions as the grammar has them; `elements` gives the elements
    (`gramspect.recognition.networks`) of the definitions in the order of the text, `symbol_at` the
    non-terminal whose production a line (from 1) holds. `notes` say what was left out.
    """

    text: str
    definitions: tuple[Definition, ...]
    elements: tuple[int, ...]
    symbol_at: dict[int, int]
    grammar: Grammar
    notes: tuple[Diagnostic, ...]

    def readable(self, message: str) -> str:
        """A message of JavaCC's in the words of the user."""

        def written(found: re.Match[str]) -> str:
            return self.grammar.symbols[int(found[1])].display

        return re.sub(r"\br(\d+)\b", written, message)

    def note(self, conflict: Diagnostic) -> Diagnostic:
        """What JavaCC says about a choice, told of the user's non-terminal."""
        line = 0 if conflict.span is None else conflict.span.line
        symbol = self.grammar.symbols[self.symbol_at.get(line, self.grammar.start)]
        message = _PLACES.sub("", conflict.message)
        message = f"in {symbol.display}: {self.readable(message)}"
        return Diagnostic(conflict.code, message, symbol.span)


def write(grammar: Grammar) -> Written:
    """Write a grammar.

    Raises:
        AdapterError: a non-terminal has no rules.
    """
    return _Writer(grammar).written()


@dataclass
class _Writer:
    grammar: Grammar
    elements: list[int] = field(default_factory=list)
    number_of: dict[int, int] = field(default_factory=dict)
    current: int = 0
    notes: list[Diagnostic] = field(default_factory=list)

    def __post_init__(self) -> None:
        grammar = self.grammar
        self.uses = Counter(
            symbol for rule in grammar.rules for symbol in rule.rhs if symbol != rule.lhs
        )
        self.user = {
            symbol: rule.lhs
            for rule in grammar.rules
            for symbol in rule.rhs
            if symbol != rule.lhs and grammar.symbols[symbol].operator is not None
        }

    def written(self) -> Written:
        grammar = self.grammar
        inlined = {s.index for s in grammar.nonterminals if self.is_block(s.index)}
        productions = [s.index for s in grammar.nonterminals if s.index not in inlined]
        for symbol in productions:
            if not grammar.rules_of[symbol]:
                name = grammar.symbols[symbol].display
                raise AdapterError(
                    f"JavaCC cannot build the grammar {grammar.name}: {name} has no rules"
                )
        definitions = tuple(
            Definition(grammar.symbols[s].name, self.alternatives(s)) for s in productions
        )
        self.number(definitions)
        text = _FRAME.format(tokens=" | ".join(self.tokens()))
        symbol_at: dict[int, int] = {}
        for symbol, definition in zip(productions, definitions, strict=True):
            symbol_at[text.count("\n") + 1] = self.current = symbol
            text += f"void r{symbol}() : {{}} {{ {self.production(definition)} }}\n"
        text += f"void {ENTRY}() : {{}} {{ r{grammar.start}() <EOF> }}\n"
        n = len(self.number_of)
        elements = (*self.elements, n, n + 1)
        return Written(text, definitions, elements, symbol_at, grammar, tuple(self.notes))

    def tokens(self) -> Iterator[str]:
        """The tokens; their texts are for messages only, but must differ."""
        seen = {"", STRANGE}
        for symbol in self.grammar.terminals:
            shown = symbol.display if symbol.display not in seen else f"T{symbol.index}"
            seen.add(shown)
            yield f"<T{symbol.index} : {json.dumps(shown)}>"
        yield f'<{STRANGE} : "{STRANGE}">'

    # --- helpers as blocks ---------------------------------------------------------------

    def is_block(self, symbol: int) -> bool:
        """Whether a non-terminal is a helper of the form that its operator has, used once."""
        operator = self.grammar.symbols[symbol].operator
        if operator is None or self.uses[symbol] != 1 or symbol == self.grammar.start:
            return False
        if self.is_within_itself(symbol):
            return False
        shapes = [self.grammar.rules[rule].rhs for rule in self.grammar.rules_of[symbol]]
        if operator is Operator.STAR:
            return len(shapes) == 2 and shapes[0] == () and self.repeats(symbol, shapes[1])
        if operator is Operator.PLUS:
            twice = len(shapes) == 2 and len(shapes[0]) == 1
            return twice and shapes[1] == (symbol, *shapes[0]) and self.repeats(symbol, shapes[1])
        if operator is Operator.OPTION:
            return len(shapes) > 1 and shapes[-1] == () and not any(symbol in s for s in shapes)
        return len(shapes) > 0 and not any(symbol in shape for shape in shapes)

    def is_within_itself(self, symbol: int) -> bool:
        """Whether helpers that are used once lead from a helper back to it."""
        at, seen = self.user.get(symbol), {symbol}
        while at is not None and at not in seen and self.uses[at] == 1:
            seen.add(at)
            at = self.user.get(at)
        return at == symbol

    def repeats(self, symbol: int, shape: tuple[int, ...]) -> bool:
        return len(shape) == 2 and shape[0] == symbol and shape[1] != symbol

    def alternatives(self, symbol: int) -> tuple[Alternative, ...]:
        rules = (self.grammar.rules[rule].rhs for rule in self.grammar.rules_of[symbol])
        return tuple(Alternative(tuple(map(self.element, rhs))) for rhs in rules)

    def element(self, symbol: int) -> Element:
        if self.grammar.is_terminal(symbol) or not self.is_block(symbol):
            return Reference(self.grammar.symbols[symbol].name)
        operator = self.grammar.symbols[symbol].operator
        assert operator is not None  # of a block
        if operator in (Operator.STAR, Operator.PLUS):
            return Block(
                operator, self.body(self.grammar.rules[self.grammar.rules_of[symbol][1]].rhs[1])
            )
        alternatives = self.alternatives(symbol)
        if operator is Operator.OPTION:
            return Block(operator, alternatives[:-1])
        return Block(Operator.GROUP, alternatives)

    def body(self, symbol: int) -> tuple[Alternative, ...]:
        """What a repetition repeats: a group that is one for it alone gives its alternatives."""
        if not self.grammar.is_terminal(symbol) and self.is_block(symbol):
            alternatives = self.alternatives(symbol)
            several = len(alternatives) > 1 or len(alternatives[0].elements) != 1
            if self.grammar.symbols[symbol].operator is Operator.GROUP and several:
                return alternatives
        return (Alternative((self.element(symbol),)),)

    # --- text ----------------------------------------------------------------------------

    def number(self, definitions: Sequence[Definition]) -> None:
        """Number the references in the order in which networks do, by identity."""
        number = 0

        def within(alternatives: Sequence[Alternative]) -> None:
            nonlocal number
            for alternative in alternatives:
                for element in alternative.elements:
                    if isinstance(element, Block):
                        within(element.alternatives)
                    else:
                        self.number_of[id(element)] = number
                        number += 1

        for definition in definitions:
            within(definition.alternatives)

    def production(self, definition: Definition) -> str:
        """An option that an edit lets come several times is a repetition: JavaCC takes no left
        recursion."""
        alternatives = definition.alternatives
        own = Reference(definition.name)
        once = [a for a in alternatives if own not in a.elements[:1]]
        further = [a.elements[1:] for a in alternatives if own in a.elements[:1]]
        if further and [*further, ()] == [a.elements for a in once]:
            return f"( {self.choice(once[:-1])} )*"
        return self.choice(alternatives)

    def choice(self, alternatives: Sequence[Alternative]) -> str:
        """Alternatives as text, those that may be empty last; their elements are noted.

        What begins with tokens of earlier alternatives only is left out, as it is never chosen: the
        code that JavaCC generates for it does not compile.
        """
        texts: list[str] = []
        covered: set[int] = set()
        for alike in sorted(_alike(alternatives), key=self.any_may_be_empty):
            first = set[int]().union(*map(self.first, alike))
            if texts and first <= covered and not self.any_may_be_empty(alike):
                for alternative in alike:
                    self.note_shadowed(alternative)
                continue
            covered |= first
            texts.append(self.factored(alike))
        return " | ".join(texts)

    def factored(self, alike: Sequence[Alternative]) -> str:
        """Alternatives that begin alike, with what all of them begin and end with written once.

        The elements that are noted for that are those of the first. So a parse that takes another
        alternative has no derivation that could be told from its sites, and is charted.
        """
        begin = _n_shared([one.elements for one in alike])
        end = _n_shared([one.elements[begin:][::-1] for one in alike])
        whole = alike[0].elements
        texts = [self.sequence(whole[:begin])] if begin else []
        between = [one.elements[begin : len(one.elements) - end] for one in alike]
        some = [Alternative(elements) for elements in dict.fromkeys(between) if elements]
        if some:
            optional = () in between and not self.any_may_be_empty(some)
            texts.append(f"[ {self.choice(some)} ]" if optional else f"( {self.choice(some)} )")
        if end:
            texts.append(self.sequence(whole[len(whole) - end :]))
        return " ".join(texts) or "{}"

    def sequence(self, elements: Sequence[Element]) -> str:
        return " ".join(map(self.part, elements))

    def part(self, element: Element) -> str:
        if isinstance(element, Reference):
            self.elements.append(self.number_of[id(element)])
            symbol = self.grammar.symbol(element.name)
            return f"<T{symbol}>" if self.grammar.is_terminal(symbol) else f"r{symbol}()"
        text = self.choice(element.alternatives)
        opening = _OPENING.get(element.operator, "( ")
        return f"{opening}{text}{_CLOSING.get(element.operator, ' )')}"

    def any_may_be_empty(self, alternatives: Sequence[Alternative]) -> bool:
        return any(map(self.may_be_empty, alternatives))

    def may_be_empty(self, alternative: Alternative) -> bool:
        return all(map(self.element_may_be_empty, alternative.elements))

    def element_may_be_empty(self, element: Element) -> bool:
        if isinstance(element, Reference):
            symbol = self.grammar.symbol(element.name)
            return symbol in self.grammar.analysis.nullable
        if element.operator in (Operator.OPTION, Operator.STAR):
            return True
        return self.any_may_be_empty(element.alternatives)

    def note_shadowed(self, alternative: Alternative) -> None:
        symbol = self.grammar.symbols[self.current]
        text = block_text(Operator.GROUP, [[self.shown(e) for e in alternative.elements]])
        message = (
            f"in {symbol.display}: JavaCC never chooses {text[2:-2]}, as earlier alternatives"
            " begin with the same tokens"
        )
        self.notes.append(Diagnostic("choice-conflict", message, symbol.span))

    def shown(self, element: Element) -> str:
        if isinstance(element, Reference):
            return self.grammar.symbols[self.grammar.symbol(element.name)].display
        words = [[self.shown(e) for e in a.elements] for a in element.alternatives]
        return block_text(element.operator, words)

    def first(self, alternative: Alternative) -> set[int]:
        """The terminals that an alternative can begin with."""
        found: set[int] = set()
        for element in alternative.elements:
            if isinstance(element, Reference):
                symbol = self.grammar.symbol(element.name)
                found |= self.grammar.analysis.first(symbol)
            else:
                found |= {t for a in element.alternatives for t in self.first(a)}
            if not self.element_may_be_empty(element):
                break
        return found


def _alike(alternatives: Sequence[Alternative]) -> list[list[Alternative]]:
    """Alternatives by what they begin with, in the order of the first ones."""
    found: dict[tuple[Element, ...], list[Alternative]] = {}
    for alternative in alternatives:
        found.setdefault(alternative.elements[:1], []).append(alternative)
    return list(found.values())


def _n_shared(sequences: Sequence[Sequence[Element]]) -> int:
    """With how many equal elements all sequences begin."""
    columns = takewhile(lambda column: len(set(column)) == 1, zip(*sequences, strict=False))
    return sum(1 for _ in columns)
