"""EBNF expansion: the rules it makes, their labels and spans, and how reports show them."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramspect.errors import GrammarError
from gramspect.grammars.ebnf import Alternative, Block, Definition, Element, Reference, Token
from gramspect.grammars.expansion import MAX_LENGTH, MAX_NESTING
from gramspect.grammars.grammar import Grammar, expand
from gramspect.grammars.symbols import END, Associativity, Operator, Symbol
from gramspect.source import SourceText, Span

OPERATORS = {operator.value: operator for operator in Operator}
TOKENS = re.compile(r"\(|\)[?*+]?|\||\{\}|[?*+]|[^\s()|?*+{}]+")


class Reader:
    """A reader of lines ``name: a ( b | c )* d? {}``, with spans."""

    def __init__(self, text: str) -> None:
        self.source = SourceText("g.ebnf", text)
        self.tokens: list[tuple[str, int]] = []

    def definitions(self) -> list[Definition]:
        found = []
        offset = 0
        for line in self.source.text.splitlines(keepends=True):
            if line.strip():
                name = line[: line.index(":")]
                body = offset + len(name) + 1
                self.tokens = [
                    (match.group(), match.start())
                    for match in TOKENS.finditer(self.source.text, body, offset + len(line))
                ]
                self.end = offset + len(line.rstrip())
                span = self.source.span(offset, offset + len(name))
                found.append(Definition(name, self.alternatives(), span))
            offset += len(line)
        return found

    def alternatives(self) -> tuple[Alternative, ...]:
        found = [self.alternative()]
        while self.tokens and self.tokens[0][0] == "|":
            self.tokens.pop(0)
            found.append(self.alternative())
        return tuple(found)

    def alternative(self) -> Alternative:
        start = self.tokens[0][1] if self.tokens else self.end
        end = start
        elements: list[Element] = []
        while self.tokens and self.tokens[0][0][0] not in ")|":
            element, end = self.element()
            elements.append(element)
        return Alternative(tuple(elements), self.source.span(start, end))

    def element(self) -> tuple[Element, int]:
        text, start = self.tokens.pop(0)
        end = start + len(text)
        if text == "{}":
            empty = Alternative((), self.source.span(end, end))
            return Block(Operator.ACTION, (empty,), self.source.span(start, end)), end
        if text == "(":
            alternatives = self.alternatives()
            close, at = self.tokens.pop(0)
            end = at + len(close)
            operator = OPERATORS[close[1:] or "()"]
            return Block(operator, alternatives, self.source.span(start, end)), end
        element: Element = Reference(text, self.source.span(start, end))
        if self.tokens and self.tokens[0][0] in ("?", "*", "+"):
            operator = OPERATORS[self.tokens.pop(0)[0]]
            body = Alternative((element,), element.span)
            return Block(operator, (body,), self.source.span(start, end + 1)), end + 1
        return element, end


def read(text: str) -> Grammar:
    return expand(Reader(text).definitions(), files=("g.ebnf",))


def rules(grammar: Grammar) -> list[str]:
    return [
        f"{rule.label}: {' '.join(grammar.symbols[s].name for s in rule.rhs)}".rstrip()
        for rule in grammar.rules
    ]


# --- the rules -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s: a | b c |", ["s:1: a", "s:2: b c", "s:3:"]),
        ("s: ( a | b )", ["s:1: s:1.1", "s:1.1:1: a", "s:1.1:2: b"]),
        ("s: a?", ["s:1: s:1.1", "s:1.1:1: a", "s:1.1:2:"]),
        ("s: a*", ["s:1: s:1.1", "s:1.1:1:", "s:1.1:2: s:1.1 a"]),
        ("s: a+", ["s:1: s:1.1", "s:1.1:1: a", "s:1.1:2: s:1.1 a"]),
        (
            "s: ( a b )*",
            ["s:1: s:1.1", "s:1.1:1:", "s:1.1:2: s:1.1 s:1.1.1", "s:1.1.1:1: a b"],
        ),
        (
            "s: x | a ( b? )+ c*",
            [
                "s:1: x",
                "s:2: a s:2.1 s:2.2",
                "s:2.1:1: s:2.1.1",
                "s:2.1:2: s:2.1 s:2.1.1",
                "s:2.1.1:1: b",
                "s:2.1.1:2:",
                "s:2.2:1:",
                "s:2.2:2: s:2.2 c",
            ],
        ),
    ],
)
def test_expansion(text: str, expected: list[str]) -> None:
    assert rules(read(text)) == expected


def test_rules_keep_the_order_of_the_source() -> None:
    grammar = read("s: t\nt: a*\ns: x\nt: b")
    assert rules(grammar) == [
        "s:1: t",
        "t:1: t:1.1",
        "s:2: x",
        "t:2: b",
        "t:1.1:1:",
        "t:1.1:2: t:1.1 a",
    ]


def test_an_embedded_action_comes_before_its_rule() -> None:
    assert rules(read("s: x | a {} b? {}")) == [
        "s:1: x",
        "s:2.1:1:",
        "s:2.3:1:",
        "s:2: a s:2.1 b? s:2.3".replace("b?", "s:2.2"),
        "s:2.2:1: b",
        "s:2.2:2:",
    ]


def test_numbering_of_terminals() -> None:
    grammar = expand(
        [Definition("s", (Alternative((Reference("b"), Reference("c"))),))],
        tokens=[Token("a"), Token("b", display="'b'", spellings=("bee",))],
        precedence=[(Associativity.LEFT, ["LOW", "a"])],
    )
    assert [s.name for s in grammar.symbols] == ["$end", "a", "b", "c", "LOW", "s"]
    assert grammar.token("bee") == grammar.token("b") == 2
    assert grammar.symbols[2].display == "'b'"
    assert grammar.symbols[END] == Symbol(0, "$end", True, "end of input")


def test_a_rule_takes_the_precedence_of_its_last_token_or_of_the_one_chosen() -> None:
    """One without a level gives none."""
    body = tuple(map(Reference, ["LOW", "s", "HIGH", "s"]))
    chosen = [None, "LOW", "OTHER", "c"]
    alternatives = [Alternative(body, precedence=token) for token in chosen]
    grammar = expand(
        [Definition("s", (*alternatives, Alternative((Reference("c"), Reference("s")))))],
        precedence=[(Associativity.LEFT, ["LOW"]), (Associativity.RIGHT, ["OTHER", "HIGH"])],
    )
    found = [rule.precedence for rule in grammar.rules]
    assert found == [*map(grammar.symbol, ["HIGH", "LOW", "OTHER"]), None, None]


def test_helpers_know_operator_owner_and_span() -> None:
    grammar = read("s: x ( a | b? )*")
    repetition, group, option = (grammar.symbol(n) for n in ("s:1.1", "s:1.1.1", "s:1.1.1:2.1"))
    assert [grammar.symbols[h].operator for h in (repetition, group, option)] == [
        Operator.STAR,
        Operator.GROUP,
        Operator.OPTION,
    ]
    assert [grammar.symbols[h].owner for h in (repetition, group, option)] == [
        grammar.start,
        repetition,
        group,
    ]
    assert {grammar.user_nonterminal(h) for h in (repetition, group, option)} == {grammar.start}
    assert grammar.symbols[repetition].span == Span("g.ebnf", 1, 6, 1, 17)
    assert grammar.symbols[option].span == Span("g.ebnf", 1, 12, 1, 14)


# --- the same language -----------------------------------------------------------------------

LIMIT = 4

elements = st.recursive(
    st.sampled_from("abt").map(Reference),
    lambda inner: st.builds(
        Block,
        st.sampled_from([Operator.GROUP, Operator.OPTION, Operator.STAR, Operator.PLUS]),
        st.lists(
            st.lists(inner, max_size=2).map(lambda e: Alternative(tuple(e))),
            min_size=1,
            max_size=2,
        ).map(tuple),
    ),
    max_leaves=6,
)
bodies = st.lists(elements, max_size=3).map(lambda e: Alternative(tuple(e)))

Words = set[tuple[str, ...]]


def joined(left: Words, right: Words) -> Words:
    return {a + b for a, b in product(left, right) if len(a + b) <= LIMIT}


def ebnf_words(element: Element, of_t: Words) -> Words:
    """The words of an element by the meaning of the operators."""
    if isinstance(element, Reference):
        return of_t if element.name == "t" else {(element.name,)}
    once: Words = set()
    for alternative in element.alternatives:
        once |= sequence_words(alternative, of_t)
    if element.operator is Operator.GROUP:
        return once
    if element.operator is Operator.OPTION:
        return once | {()}
    found = once | {()} if element.operator is Operator.STAR else once
    while found != (found := found | joined(found, once)):
        pass
    return found


def sequence_words(alternative: Alternative, of_t: Words) -> Words:
    found: Words = {()}
    for element in alternative.elements:
        found = joined(found, ebnf_words(element, of_t))
    return found


def grammar_words(grammar: Grammar) -> dict[int, Words]:
    found: dict[int, Words] = {
        s.index: {(s.name,)} if s.terminal else set() for s in grammar.symbols
    }
    size = -1
    while size != (size := sum(map(len, found.values()))):
        for rule in grammar.rules:
            parts: Words = {()}
            for symbol in rule.rhs:
                parts = joined(parts, found[symbol])
            found[rule.lhs] |= parts
    return found


@given(bodies, bodies)
def test_expansion_keeps_the_language(body: Alternative, other: Alternative) -> None:
    grammar = expand([Definition("t", (body, other))])
    expected: Words = set()
    while expected != (
        expected := expected | sequence_words(body, expected) | sequence_words(other, expected)
    ):
        pass
    assert grammar_words(grammar)[grammar.start] == expected


def bare(text: str) -> str:
    """A rule without its mark, parentheses, bars and operators, which can differ around a mark."""
    return " ".join(re.sub(r"[•()|?*+]", " ", text).split())


@given(bodies, bodies)
def test_the_mark_stands_once_in_the_rule_of_the_user(
    body: Alternative, other: Alternative
) -> None:
    grammar = expand([Definition("t", (body, other))])
    written = [bare(grammar.rule_text(i)) for i in range(grammar.n_rules)]
    for item in range(grammar.n_items):
        text = grammar.item_text(item)
        assert text.startswith("t -> ")
        assert text.count("•") == 1
        rule, _ = grammar.split_item(item)
        number = int(re.findall(r"t:(\d+)", grammar.rules[rule].label)[0])
        whole = next(r.index for r in grammar.rules if r.label == f"t:{number}")
        assert bare(text) == written[whole]


def test_references_and_sets_are_shown_as_they_are_written() -> None:
    choice = Alternative((Reference("PLUS", display="'+'"),)), Alternative((Reference("MINUS"),))
    blocks = Block(Operator.GROUP, choice), Block(Operator.SET, choice, text="~NUMBER")
    grammar = expand([Definition("s", (Alternative(blocks),))])
    assert grammar.rule_text(0) == "s -> ( '+' | MINUS ) ~NUMBER"
    assert [grammar.symbols[s].display for s in grammar.rules[0].rhs] == [
        "( '+' | MINUS )",
        "~NUMBER",
    ]


# --- how reports show it -----------------------------------------------------------------------


def shown(grammar: Grammar, label: str) -> str:
    texts = {grammar.item_label(item): grammar.item_text(item) for item in range(grammar.n_items)}
    return texts[label]


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("s: a b", "s:1:1", "s -> a • b"),
        ("s: a b", "s:1:2", "s -> a b •"),
        ("s: a | ", "s:2:0", "s -> •"),
        ("s: a b?", "s:1:1", "s -> a • b?"),
        ("s: a b?", "s:1.1:1:0", "s -> a ( • b )?"),
        ("s: a b?", "s:1.1:2:0", "s -> a ( b | • )?"),
        ("s: a b* c", "s:1.1:1:0", "s -> a ( • b )* c"),
        ("s: a b* c", "s:1.1:2:0", "s -> a ( • b )* c"),
        ("s: a b* c", "s:1.1:2:1", "s -> a ( • b )* c"),
        ("s: a b* c", "s:1.1:2:2", "s -> a ( b • )* c"),
        ("s: a b+ c", "s:1.1:1:0", "s -> a ( • b )+ c"),
        ("s: a ( b | c d )+", "s:1.1:1:0", "s -> a ( • b | c d )+"),
        ("s: a ( b | c d )+", "s:1.1.1:2:1", "s -> a ( b | c • d )+"),
        ("s: a ( b | c d )+", "s:1.1:2:2", "s -> a ( b | c d • )+"),
        ("s: a ( b | )", "s:1.1:2:0", "s -> a ( b | • )"),
        ("s: a ( b | )", "s:1:1", "s -> a • ( b | )"),
        ("s: ( ( a | b )? c )*", "s:1.1.1:1.1:2:1", "s -> ( ( a | b • )? c )*"),
        ("s: a {} b", "s:1:1", "s -> a • {} b"),
        ("s: a {} b", "s:1.1:1:0", "s -> a • {} b"),
        ("s: ( a? )*", "s:1:0", "s -> • ( a? )*"),
    ],
)
def test_item_text(text: str, label: str, expected: str) -> None:
    assert shown(read(text), label) == expected


def spelled(source: str, span: Span | None) -> str:
    """The text that a one-line span covers, with its column."""
    assert span is not None
    line = source.splitlines()[span.line - 1]
    return f"{span.column}:{line[span.column - 1 : span.end_column - 1]}"


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("s:1:0", "4:a"),
        ("s:1:1", "6:( b | c d )*"),
        ("s:1:2", "19:e?"),
        ("s:1:3", "21:"),
        ("s:1.1:1:0", "6:"),
        ("s:1.1:2:0", "6:"),
        ("s:1.1:2:1", "6:( b | c d )*"),
        ("s:1.1.1:2:1", "14:d"),
        ("s:1.1.1:2:2", "15:"),
        ("s:1.2:1:0", "19:e"),
        ("s:1.2:2:0", "21:"),
    ],
)
def test_item_spans_lead_into_the_text(label: str, expected: str) -> None:
    source = "s: a ( b | c d )* e?"
    grammar = read(source)
    items = {grammar.item_label(item): item for item in range(grammar.n_items)}
    assert spelled(source, grammar.item_span(items[label])) == expected


def test_rule_spans() -> None:
    source = "s: a b | c\n"
    grammar = read(source)
    assert [spelled(source, grammar.rule_span(r)) for r in (0, 1)] == ["4:a b", "10:c"]


@pytest.mark.parametrize(("operator", "first"), [("*", "6:"), ("+", "6:b{}")])
def test_spans_of_the_rules_of_a_repetition(operator: str, first: str) -> None:
    """What is empty stands in front of the block, all else is the block."""
    source = f"s: a b{operator}"
    spans = {rule.label: spelled(source, rule.span) for rule in read(source).rules}
    assert spans["s:1.1:1"] == first.format(operator)
    assert spans["s:1.1:2"] == f"6:b{operator}"


# --- errors --------------------------------------------------------------------------------


def one(name: str, *elements: Element) -> Definition:
    return Definition(name, (Alternative(elements),), Span("g", 3, 1, 3, 2))


def test_no_rules() -> None:
    for definitions in ([], [Definition("s", ())]):
        with pytest.raises(GrammarError, match="the grammar g has no rules"):
            expand(definitions, name="g")


def test_unknown_start() -> None:
    with pytest.raises(GrammarError, match="start symbol 'stmnt' has no rule; did you mean stmt"):
        expand([one("stmt"), one("expr")], start="stmnt")
    with pytest.raises(GrammarError, match="has no rule; the first rule is 'stmt'"):
        expand([one("stmt")], start="zzz")
    with pytest.raises(GrammarError, match="start symbol 's' has no rule"):
        expand([Definition("s", ()), one("t")])


def test_a_token_with_a_rule() -> None:
    with pytest.raises(GrammarError, match=r"g:3:1: 'a' is declared as a token and also"):
        expand([one("s", Reference("a")), one("a")], tokens=[Token("a")])


def test_the_end_of_input_in_a_rule() -> None:
    with pytest.raises(GrammarError, match=r"g:1:5: \$end ends every input by itself"):
        expand([one("s", Reference("$end", Span("g", 1, 5, 1, 9)))])


@pytest.mark.parametrize("operator", [Operator.GROUP, Operator.STAR])
def test_blocks_nested_too_deep(operator: Operator) -> None:
    def nested(depth: int) -> Element:
        element: Element = Reference("a")
        for _ in range(depth):
            element = Block(operator, (Alternative((element, Reference("b"))),))
        return element

    assert expand([one("s", nested(MAX_NESTING // 2))]).n_rules > MAX_NESTING // 2
    with pytest.raises(GrammarError, match="blocks are nested more than 100 deep"):
        expand([one("s", nested(10 * MAX_NESTING))])


def test_an_alternative_that_is_too_long() -> None:
    longest = Alternative((Reference("a"),) * MAX_LENGTH, Span("g", 4, 1, 4, 9))
    assert len(expand([Definition("s", (longest,))]).rules[0].rhs) == MAX_LENGTH
    longer = Alternative((*longest.elements, Reference("a")), longest.span)
    with pytest.raises(GrammarError, match=r"g:4:1: .* s has 10,001 symbols, .* than 10,000;"):
        expand([Definition("s", (longer,))])
