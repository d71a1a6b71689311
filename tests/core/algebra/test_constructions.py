"""The constructions of the post, on its examples and against all trees of small grammars."""

from random import Random

import brute
import pytest
from arithmetic import ARITHMETIC, NOTATION
from hypothesis import assume, given
from hypothesis import strategies as st
from shapes import shape

import strategies
from cfg import Cfg
from gramspect.algebra.constructions import (
    at_least_one_grammar,
    grammar_gc,
    insertion_grammar,
    pattern_grammar,
    reachable_nonterminals,
    reachable_positions,
    recovered_pattern,
    smallest_evocative_subtree,
)
from gramspect.algebra.expressions import Count, Named, Occurrences
from gramspect.algebra.patterns import ABSTRACT, Pattern, occurrences, outline
from gramspect.algebra.trees import first_tree
from gramspect.algebra.writing import Form, grammar_text, read_dictionary
from gramspect.errors import GrammarError
from gramspect.generation.minimal import Minimal
from gramspect.generation.sampling import random_derivations
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart
from gramspect.yacc import parse_yacc

DOUBLE_PAREN = NOTATION.parse("((<expr>))")


def names(grammar: Grammar, symbols: frozenset[int]) -> set[str]:
    return {grammar.symbols[s].name for s in symbols}


def tree_of(tokens: tuple[int, ...]) -> Pattern:
    return first_tree(parse_chart(ARITHMETIC, tokens))


# --- the post ------------------------------------------------------------------------------


def test_what_is_reachable_in_arithmetic() -> None:
    below = reachable_nonterminals(ARITHMETIC)
    assert names(ARITHMETIC, below[ARITHMETIC.symbol("integer")]) == {"digit", "integer"}
    assert names(ARITHMETIC, below[ARITHMETIC.symbol("digit")]) == set()
    places = reachable_positions(ARITHMETIC, ARITHMETIC.symbol("factor"))
    shown = {ARITHMETIC.rules[rule].label: at for rule, at in places.items()}
    assert shown == {
        "start:1": (0,), "expr:1": (0, 2), "expr:2": (0, 2), "expr:3": (0,), "term:1": (0, 2),
        "term:2": (0, 2), "term:3": (0,), "factor:1": (1,), "factor:2": (1,), "factor:3": (1,),
    }  # fmt: skip


def test_the_grammar_with_at_least_one_fault_looks_as_in_the_post() -> None:
    found = at_least_one_grammar(ARITHMETIC, DOUBLE_PAREN)
    of = {found.symbols[r.lhs].name: [] for r in found.rules}
    for rule in found.rules:
        of[found.symbols[rule.lhs].name].append(" ".join(found.symbols[s].name for s in rule.rhs))
    assert found.symbols[found.start].name == "start F1"
    assert of["start F1"] == ["expr F1"]
    assert of["expr F1"] == [
        "term F1 + expr", "term + expr F1", "term F1 - expr", "term - expr F1", "term F1",
    ]  # fmt: skip
    assert of["factor F1"] == ["( expr F1.1 )", "+ factor F1", "- factor F1", "( expr F1 )"]
    assert of["factor F1.3"] == ["( expr )"]
    assert "integer F1" not in of


@pytest.mark.parametrize("number", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_every_one_of_many_sentences_has_the_fragment(number: int) -> None:
    found = at_least_one_grammar(ARITHMETIC, DOUBLE_PAREN)
    drawn = random_derivations(Minimal(found), Random(1))
    sentences = {next(drawn).tokens for _ in range(number)}
    assert len(sentences) > number / 2
    for tokens in sentences:
        assert occurrences(ARITHMETIC, DOUBLE_PAREN, tree_of(tokens))


def fails_on_double_parens(tokens: tuple[int, ...]) -> bool:
    """The predicate of the post: a pair of parentheses directly around another."""
    text = "".join(ARITHMETIC.symbols[t].name for t in tokens)
    stack, closed = [], {}
    for i, character in enumerate(text):
        if character == "(":
            stack.append(i)
        elif character == ")":
            closed[stack.pop()] = i
    return any(closed.get(i + 1) == closed[i] - 1 for i in closed)


def fails_on_division_by_zero(tokens: tuple[int, ...]) -> bool:
    """A division whose right factor is the digit 0, or 0 and what multiplies it."""
    text = "".join(ARITHMETIC.symbols[t].name for t in tokens)
    return any(
        text[i : i + 2] == "/0" and text[i + 2 : i + 3] not in {*"0123456789."}
        for i in range(len(text))
    )


@pytest.mark.parametrize(
    ("text", "root", "fails", "smallest"),
    [
        ("((<expr>))", "start", fails_on_double_parens, "((<expr>))"),
        ("<factor>/0", "start", fails_on_division_by_zero, "<factor>/0"),
        ("1+<factor>/0", "start", fails_on_division_by_zero, "<factor>/0"),
    ],
)
def test_the_smallest_evocative_subtree(text, root, fails, smallest) -> None:  # type: ignore[no-untyped-def]
    whole = NOTATION.parse(text, root)
    found = smallest_evocative_subtree(ARITHMETIC, whole, fails)
    assert found == NOTATION.parse(smallest)
    drawn = random_derivations(Minimal(at_least_one_grammar(ARITHMETIC, found)), Random(7))
    assert all(fails(next(drawn).tokens) for _ in range(1_000))


# --- any grammar ---------------------------------------------------------------------------


def core(cfg: Cfg) -> Grammar:
    return Grammar.from_rules(cfg.rules, start=cfg.start)


def sentences(grammar: Grammar, trees: set[brute.Rules]) -> set[tuple[int, ...]]:
    return {outline(grammar, Pattern(grammar.start, t)).frontier for t in trees}


@given(st.data())
def test_at_least_one_is_what_it_says(data: st.DataObject) -> None:
    """The trees are those with the pattern: sentences of the same size are the same."""
    grammar = core(data.draw(strategies.grammars()))
    pattern = data.draw(brute.patterns(grammar))
    size = 1
    while size < 6 and len(brute.all_trees(grammar, size + 1)) <= 300:
        size += 1
    wanted = Count(Occurrences((Named("p", pattern),)))
    meant = brute.meant(grammar, wanted, brute.all_trees(grammar, size))
    found = at_least_one_grammar(grammar, pattern)
    inserted = pattern == Pattern.any(pattern.symbol)
    costs = [0 if inserted and len(r.rhs) == 1 and found.symbols[r.lhs].name ==
             f"{found.symbols[r.rhs[0]].name} F1" else 1 for r in found.rules]  # fmt: skip
    assert sentences(found, brute.all_trees(found, size, costs)) == sentences(grammar, meant)


@given(st.data())
def test_a_pattern_comes_back_from_its_grammar(data: st.DataObject) -> None:
    grammar = core(data.draw(strategies.grammars()))
    pattern = data.draw(brute.patterns(grammar))
    assume(len({(r.lhs, r.rhs) for r in grammar.rules}) == grammar.n_rules)
    found = pattern_grammar(grammar, pattern)
    assert recovered_pattern(found, grammar) == pattern
    assert found.rules_of.keys() == {r.lhs for r in found.rules}


def test_garbage_is_collected() -> None:
    rules = [("s", ["a"]), ("s", ["b"]), ("a", ["x"]), ("b", ["b", "y"]), ("c", ["x"])]
    found = grammar_gc(Grammar.from_rules(rules))
    assert [found.rule_text(r) for r in range(found.n_rules)] == ["s -> a", "a -> x"]
    with pytest.raises(GrammarError, match=r"the start symbol 's' .* derives no sentence"):
        grammar_gc(Grammar.from_rules([("s", ["s"])]))
    garbage = Grammar.from_rules(rules)
    with pytest.raises(GrammarError, match="no sentence of the grammar grammar has at least one"):
        at_least_one_grammar(garbage, Pattern(garbage.symbol("b"), (3, ABSTRACT)))


def test_insertions() -> None:
    found = insertion_grammar(ARITHMETIC, ARITHMETIC.symbol("digit"))
    integer = found.symbol("integer F1")
    assert [found.rule_text(r) for r in found.rules_of[integer]] == [
        "integer F1 -> digit F1 integer",
        "integer F1 -> digit integer F1",
        "integer F1 -> digit F1",
    ]


# --- files ---------------------------------------------------------------------------------


@given(st.data())
def test_written_grammars_are_read_as_the_same(data: st.DataObject) -> None:
    grammar = core(data.draw(strategies.grammars()))
    made = at_least_one_grammar(grammar, data.draw(brute.patterns(grammar)))
    assert shape(parse_yacc(grammar_text(made, Form.YACC))) == shape(made)
    texts = {symbol.index: (symbol.name,) for symbol in made.terminals}
    again = read_dictionary(grammar_text(made, Form.DICTIONARY, texts=texts))
    inner = again.rules[again.rules_of[again.start][0]].rhs[0]
    assert shape(again, inner) == shape(made)


def test_the_dictionary_of_the_post() -> None:
    text = grammar_text(at_least_one_grammar(ARITHMETIC, DOUBLE_PAREN), Form.DICTIONARY)
    assert text.startswith('{\n  "<start>": [\n    ["<start F1>"]\n  ],')
    assert '  "<factor F1.3>": [\n    ["(", "<expr>", ")"]\n  ]' in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "g: is no JSON"),
        ("[]", "must be a dictionary"),
        ('{"a": []}', "the key 'a' is no name such as <expr>"),
        ('{"<a>": 1}', "<a> must have a list of alternatives"),
        ('{"<a>": [[1]]}', "an alternative of <a> is no list of texts"),
        ('{"<a>": ["x<expt>"], "<expr>": []}', "uses <expt>, which has no alternatives; did you"),
        ('{"<a>": []}', "g: the grammar g has no rules"),
    ],
)
def test_what_is_no_dictionary_is_said(text: str, said: str) -> None:
    with pytest.raises(GrammarError) as problem:
        read_dictionary(text, "g")
    assert said in str(problem.value)


def test_tokens_and_precedences_are_kept_in_yacc() -> None:
    source = """%token NUMBER ID "name"
%left '+'
%right UMINUS
%%
e: e '+' e | '-' e %prec UMINUS | NUMBER | ID | '\\'' "==" | ;
"""
    grammar = parse_yacc(source)
    again = parse_yacc(grammar_text(grammar, Form.YACC))
    assert shape(again) == shape(grammar)
    levels = [
        {g.symbols[t].name: (p.level, p.associativity) for t, p in g.precedence.items()}
        for g in (grammar, again)
    ]
    assert levels[0] == levels[1]
    assert [r.precedence is None for r in again.rules] == [
        r.precedence is None for r in grammar.rules
    ]
