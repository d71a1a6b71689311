"""Patterns that fix texts of tokens, against all trees up to a size with all texts."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import product as combinations
from pathlib import Path

import brute
import pytest
from calculator import LALR, notation_in
from hypothesis import given
from hypothesis import strategies as st

import gramspect
import strategies
from command import Command
from gramspect.algebra.automaton import TreeAutomaton
from gramspect.algebra.deciding import difference, is_empty
from gramspect.algebra.expressions import (
    And,
    Constant,
    Count,
    Expression,
    Named,
    Not,
    Occurrences,
    Or,
)
from gramspect.algebra.notation import Notation
from gramspect.algebra.pattern_files import NamedPattern, patterns_toml, read_patterns
from gramspect.algebra.patterns import FixedText, Pattern, leaves, occurrences, outline
from gramspect.algebra.specialized import specialized
from gramspect.algebra.texts import TextGrammar, fixed_texts
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart

TEXTS = ("0", "1", "other")
"""The texts that tokens have in these tests; patterns fix the first two."""


# --- brute force ---------------------------------------------------------------------------


def with_all_texts(grammar: Grammar, rules: brute.Rules, some: Sequence[int]) -> Iterator[Pattern]:
    """A tree with every choice of texts for its tokens of some kinds."""
    tree = Pattern(grammar.start, rules)
    places = [at for at in leaves(grammar, tree) if at.symbol in some]
    for texts in combinations(TEXTS, repeat=len(places)):
        fixed = (FixedText(*at[1:], text) for at, text in zip(places, texts, strict=True))
        yield Pattern(grammar.start, rules, tuple(sorted(fixed)))


def numbered(grammar: Grammar, tree: Pattern) -> brute.Nested:
    """A tree whose tokens with texts are nodes: their text is their rule, which -1 is none of."""
    texts = {(at.node, at.position): TEXTS.index(at.text) for at in tree.texts}
    rules = iter(enumerate(tree.rules))

    def node(symbol: int) -> brute.Nested:
        index, rule = next(rules)
        if rule < 0:
            return symbol, rule, ()
        children = tuple(
            (s, texts.get((index, place), -1), ()) if grammar.is_terminal(s) else node(s)
            for place, s in enumerate(grammar.rules[rule].rhs)
        )
        return symbol, rule, children

    return node(tree.symbol)


def number(grammar: Grammar, each: Occurrences, tree: Pattern) -> int:
    """How many nodes have the first pattern, below one that has the second, if there is one."""
    patterns = [numbered(grammar, named.pattern) for named in each.chain]
    terminals = range(grammar.n_terminals)
    found = 0
    for path in brute.with_ancestors(numbered(grammar, tree)):
        if path[-1][0] not in terminals and brute.has_at_root(path[-1], patterns[0]):
            above = [any(brute.has_at_root(node, p) for node in path[:-1]) for p in patterns[1:]]
            found += any(above) != each.outside if above else 1
    return found


def holds(grammar: Grammar, expression: Expression, tree: Pattern) -> bool:
    return brute.evaluated(expression, lambda each: number(grammar, each, tree))


@st.composite
def expressions(draw: st.DrawFn, grammar: Grammar) -> Expression:
    """Two patterns with some texts fixed, put together in some way."""
    named = []
    for name in "ab":
        pattern = draw(brute.patterns(grammar, 3))
        places = [at for at in leaves(grammar, pattern) if grammar.is_terminal(at.symbol)]
        chosen = draw(st.lists(st.sampled_from([None, *TEXTS[:2]]), min_size=len(places),
                               max_size=len(places)))  # fmt: skip
        fixed = (FixedText(*at[1:], t) for at, t in zip(places, chosen, strict=True) if t)
        named.append(Named(name, Pattern(pattern.symbol, pattern.rules, tuple(sorted(fixed)))))
    a, b = (Count(Occurrences((each,)), draw(st.integers(1, 2))) for each in named)
    pair = Count(Occurrences((named[0], named[1]), draw(st.booleans())))
    exactly = Count(Occurrences((named[0],)), 1, 1)
    options = [And((a, Not(b))), Or((a, Not(b))), And((a, b)), pair, And((exactly, Not(pair)))]
    return draw(st.sampled_from(options))


def refined(grammar: Grammar, expression: Expression) -> TextGrammar:
    return TextGrammar.of(grammar, fixed_texts(grammar, expression), lambda *_: "other")


def trees_with_texts(grammar: Grammar, size: int, texts: Mapping[int, object]) -> set[Pattern]:
    return {
        each
        for rules in brute.all_trees(grammar, size)
        for each in with_all_texts(grammar, rules, list(texts))
        if all(
            at.text == "other" or at.text in fixed
            for at in each.texts
            for fixed in [texts[grammar.rules[each.rules[at.node]].rhs[at.position]]]
            if isinstance(fixed, tuple)
        )
    }


@given(st.data())
def test_a_grammar_has_the_trees_and_texts_that_its_expression_means(data: st.DataObject) -> None:
    cfg = data.draw(strategies.grammars())
    grammar = Grammar.from_rules(cfg.rules, start=cfg.start)
    expression = data.draw(expressions(grammar))
    texts = refined(grammar, expression)
    size = 1
    while size < 5 and len(trees_with_texts(grammar, size + 1, texts.texts)) <= 200:
        size += 1
    trees = trees_with_texts(grammar, size, texts.texts)
    meant = {tree for tree in trees if holds(grammar, expression, tree)}
    lowered = texts.expression(expression)
    automaton = TreeAutomaton(texts.grammar, lowered)
    assert {tree for tree in trees if automaton.holds(texts.pattern(tree))} == meant
    assert all(texts.original(texts.pattern(tree)) == tree for tree in trees)
    found = specialized(texts.grammar, lowered)
    assert (found is None) == is_empty(texts.grammar, lowered)
    made = set()
    if found is not None:
        costs = [int(origin is not None and origin < grammar.n_rules) for origin in found.origins]
        made = {
            texts.original(found.original(Pattern(found.grammar.start, tree)))
            for tree in brute.all_trees(found.grammar, size, costs)
        }
    assert made == meant
    for named in (n for each in [expression] for n in _named(each)):
        assert all(
            len(occurrences(grammar, named.pattern, tree))
            == number(grammar, Occurrences((named,)), tree)
            for tree in trees
        )


def _named(expression: Expression) -> Iterator[Named]:
    match expression:
        case Not(part):
            yield from _named(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _named(part)
        case Count(occurrences, _, _):
            yield from occurrences.chain


def test_where_a_token_has_no_other_text_nothing_else_is_meant() -> None:
    grammar = Grammar.from_rules([("s", ["bit"]), ("s", ["bit", "s"])])
    bit = Pattern(grammar.start, (0,))
    zero, one = (
        Count(Occurrences((Named(text, Pattern(bit.symbol, (0,), (FixedText(0, 0, text),))),)))
        for text in "01"
    )
    for others, same in [({}, True), ({grammar.symbol("bit"): "2"}, False)]:
        both = fixed_texts(grammar, Or((zero, one)))
        texts = TextGrammar.of(grammar, both, lambda terminal, _, known=others: known.get(terminal))
        either = difference(texts.grammar, texts.expression(Or((zero, one))), Constant(True))
        assert (either is None) == same


# --- as users write them -------------------------------------------------------------------


@pytest.fixture
def notation(tmp_path: Path) -> Notation:
    return notation_in(tmp_path)


def test_what_is_written_counts_and_a_name_is_any_text(notation: Notation) -> None:
    def fixed(text: str) -> list[str]:
        return [each.text for each in notation.parse(text).texts]

    assert fixed("<term> / 0") == ["0"]
    assert fixed("<term>/<NUMBER>") == []
    assert fixed("(1.5 + ab)/10") == ["1.5", "ab", "10"]
    assert fixed("if yes + IF no") == ["yes", "no"], "a keyword has no other text"
    assert notation.text(notation.parse("<term> / 0")) == "<term> /0"
    assert notation.text(notation.parse("a / <NAME>")) == "a/ <NAME>"
    one = notation.parse("1 / 0")
    zero = notation.parse("<term> / 0")
    assert occurrences(notation.grammar, zero, one) == [0]
    assert occurrences(notation.grammar, zero, notation.parse("1 / 1")) == []


def test_patterns_with_texts_are_read_as_they_were_written(
    notation: Notation, tmp_path: Path
) -> None:
    texts = ["<term> / 0", "<NUMBER> / 0", "(a + <NAME>)", "if yes / if 0.5"]
    named = [NamedPattern(f"p{i}", notation.parse(text)) for i, text in enumerate(texts)]
    shape = outline(notation.grammar, named[2].pattern)
    below = named[2].pattern.subtree(shape, 1)
    named += [NamedPattern("below", below), NamedPattern("root", notation.parse("0", "expr"))]
    path = tmp_path / "p.toml"
    path.write_text(patterns_toml(named, notation))
    assert read_patterns(str(path), notation) == {each.name: each for each in named}
    path.write_text('[z]\ntree = ["factor:1"]\ntexts = [[0, 0, "0"]]\n')
    assert read_patterns(str(path), notation)["z"].pattern == notation.parse("0")
    path.write_text('[z]\ntree = ["factor:1"]\ntexts = [[0, 1, "0"]]\n')
    with pytest.raises(GramspectError, match="a list of nodes, positions and texts"):
        read_patterns(str(path), notation)


@pytest.mark.usefixtures("notation")
def test_division_by_zero(command: Command, tmp_path: Path) -> None:
    """What is written is read by Lark's own lexer, which tells the texts apart."""
    source = tmp_path / "calculator.lark"
    found = gramspect.specialize(source, "'<term> / <NUMBER>' and not '<term> / 0'", load=LALR)
    assert found.smallest() is not None
    where = "('<term> / 0' or '<term> / 00') and not 'x'"
    output = tmp_path / "zero.lark"
    answer = command("specialize", source, "--adapter", "lark-lalr", "--where", where, "-o", output)
    assert (answer.status, answer.err) == (0, "")
    (tmp_path / "in.txt").write_text("1 / 0\nno / (1 + yes / 00)\n")
    (tmp_path / "out.txt").write_text("1 / 10\n0 / 1\nx / 0\n0 / 0.0\n")
    options = ("--adapter", "lark-earley", "--option", "lexer=basic", "--lines")
    told = command("localize", output, *options, "--accept", tmp_path / "in.txt", "--reject",
                   tmp_path / "out.txt")  # fmt: skip
    assert (told.status, told.err) == (0, "")
    assert "priority" in command.fails("specialize", source, "--adapter", "lark-lalr", "--where",
                                       "not 'yes'", "-o", output)  # fmt: skip


def test_what_differs_differs_in_a_text(notation: Notation, tmp_path: Path) -> None:
    algebra = gramspect.input_algebra(tmp_path / "calculator.lark", load=LALR)
    one, other = map(algebra.expression, ("'<term> / 0'", "'<term> / <NUMBER>'"))
    found = algebra.difference(one, other)
    assert found is not None
    assert not found.by_first
    shown = notation.sentence(found.tree)
    assert "/" in shown
    assert not shown.endswith("/0")
    assert algebra.difference(algebra.expression("'yes' or 'no'"),
                              algebra.expression("'<FLAG>'")) is None  # fmt: skip
    assert algebra.specialize(algebra.expression("'0' and not '<NUMBER>'")).reason is not None


@pytest.mark.usefixtures("notation")
def test_the_smallest_inputs_of_texts(tmp_path: Path) -> None:
    found = gramspect.specialize(tmp_path / "calculator.lark", "not '<term> / 0'", load=LALR)
    assert found.grammar is not None
    made = found.grammar
    tokens = {"0": made.symbol('"0"'), "n": made.symbol("NUMBER"), "/": made.token("/")}
    for word, meant in [("0", True), ("n/0", False), ("0/n", True), ("0/n/0", False)]:
        assert parse_chart(made, [tokens[c] or 0 for c in word]).accepted == meant


DIVIDES = r"""
import re, sys
sys.exit(7 if re.search(r"/ *0(?![0-9.])", open(sys.argv[1]).read()) else 0)
"""


@pytest.mark.slow
def test_what_abstract_finds_is_what_specialize_reads(
    command: Command, notation: Notation, tmp_path: Path
) -> None:
    (tmp_path / "program.py").write_text(DIVIDES)
    (tmp_path / "crash.txt").write_text("1 + (no / (12 + x) / 0 + 3)\n")
    source, patterns = tmp_path / "calculator.lark", tmp_path / "p.toml"
    line = f"{sys.executable} -I -S {tmp_path / 'program.py'} {{file}}"
    answer = command("abstract", source, tmp_path / "crash.txt", "--adapter", "lark-lalr",
                     "--command", line, "--name", "zero", "-o", patterns)  # fmt: skip
    assert (answer.status, answer.out) == (0, "<term> / 0\n")
    (named,) = read_patterns(str(patterns), notation).values()
    assert named.pattern == notation.parse("<term> / 0", "start")
    answer = command("abstract", source, tmp_path / "crash.txt", "--adapter", "lark-lalr",
                     "--command", line, "--name", "zero", "--anywhere", "-o", patterns)  # fmt: skip
    assert (answer.status, answer.out) == (0, "<term> /0\n")
    (named,) = read_patterns(str(patterns), notation).values()
    assert named.pattern == notation.parse("<term> / 0")
    answer = command("specialize", source, "--adapter", "lark-lalr", "--patterns", patterns,
                     "--where", "zero", "--same-as", "'<term> / 0'")  # fmt: skip
    assert answer.status == 0
