"""Patterns: trees with abstract nodes, how they are read from charts and texts, and TOML files."""

import itertools
from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest
from arithmetic import ARITHMETIC, NOTATION
from hypothesis import given
from hypothesis import strategies as st

import strategies
from cfg import Cfg, Word
from gramspect.algebra.notation import Notation
from gramspect.algebra.pattern_files import NamedPattern, patterns_toml, read_patterns
from gramspect.algebra.patterns import ABSTRACT, Pattern, occurrences, outline
from gramspect.algebra.trees import first_tree
from gramspect.errors import GramspectError
from gramspect.generation.derivation import nodes
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart


def labels(grammar: Grammar, pattern: Pattern) -> str:
    return " ".join("<>" if r == ABSTRACT else grammar.rules[r].label for r in pattern.rules)


def tree_of(text: str) -> Pattern:
    tokens = [ARITHMETIC.symbol(character) for character in text]
    return first_tree(parse_chart(ARITHMETIC, tokens))


# --- trees ---------------------------------------------------------------------------------


def test_of_ambiguous_inputs_the_first_tree_leans_to_the_left() -> None:
    grammar = Grammar.from_rules([("e", ["e", "+", "e"]), ("e", ["1"])])
    plus, one = grammar.symbol("+"), grammar.symbol("1")
    tree = first_tree(parse_chart(grammar, [one, plus, one, plus, one]))
    assert labels(grammar, tree) == "e:1 e:1 e:2 e:2 e:2"


def test_a_cyclic_grammar_has_a_finite_first_tree() -> None:
    grammar = Grammar.from_rules([("a", ["b"]), ("a", ["x"]), ("b", ["a"]), ("b", ["b", "b"])])
    tree = first_tree(parse_chart(grammar, [grammar.symbol("x")]))
    assert labels(grammar, tree) == "a:2"


def test_long_lists_are_no_deep_recursion() -> None:
    grammar = Grammar.from_rules([("l", ["l", "x"]), ("l", ["x"])])
    tree = first_tree(parse_chart(grammar, [grammar.symbol("x")] * 5000))
    shape = outline(grammar, tree)
    assert len(tree.rules) == len(shape.frontier) == 5000
    assert shape.ends[0] == 5000
    assert len(occurrences(grammar, Pattern(grammar.start, (0, ABSTRACT)), tree)) == 4999


@given(st.data())
def test_the_first_tree_of_any_sentence_derives_it(data: st.DataObject) -> None:
    cfg = data.draw(strategies.grammars())
    word = data.draw(strategies.sentences(cfg))
    grammar = Grammar.from_rules(cfg.rules, start=cfg.start)
    tokens = tuple(map(grammar.symbol, word))
    chart = parse_chart(grammar, tokens)
    assert chart.accepted
    tree = first_tree(chart)
    shape = outline(grammar, tree)
    assert tree.is_concrete
    assert shape.frontier == tokens
    agree_with_nodes(grammar, tree)


def agree_with_nodes(grammar: Grammar, tree: Pattern) -> None:
    """Outlines say of concrete trees what `derivation.nodes` says."""
    shape = outline(grammar, tree)
    for node in nodes(grammar, tree.rules):
        i = node.index
        assert (shape.parents[i], shape.positions[i]) == (node.parent, node.position)
        assert (shape.firsts[i], shape.lasts[i]) == (node.bounds[0], node.bounds[-1])
        assert list(shape.children(i)) == [
            j for j in range(i + 1, shape.ends[i]) if shape.parents[j] == i
        ]


def trees(cfg: Cfg, symbol: str, height: int) -> list[tuple[int, ...]]:
    """All trees of a symbol up to a height, as rules in preorder, from the definition."""
    if height == 0:
        return []
    found = []
    for rule in cfg.rules_of(symbol):
        below = [trees(cfg, x, height - 1) for x in cfg.rhs(rule) if x in cfg.nonterminals]
        found += [(rule, *itertools.chain(*parts)) for parts in itertools.product(*below)]
    return found


AMBIGUOUS = Cfg(
    (
        ("s", ("a", "b", "a")),
        ("s", ("c", "c")),
        ("a", ("x",)),
        ("a", ("x", "x")),
        ("a", ()),
        ("b", ("c", "a")),
        ("b", ("x", "c")),
        ("c", ("a", "a")),
        ("c", ("x",)),
    ),
    "s",
)


def test_the_first_tree_is_first_in_the_stated_order() -> None:
    """Among all trees that there are it is the least, node by node."""
    grammar = Grammar.from_rules(AMBIGUOUS.rules, start="s")
    words: dict[Word, list[Pattern]] = {}
    for rules in trees(AMBIGUOUS, "s", 4):
        tree = Pattern(grammar.start, rules)
        frontier = outline(grammar, tree).frontier
        words.setdefault(tuple(grammar.symbols[s].name for s in frontier), []).append(tree)
    assert max(map(len, words.values())) > 10
    for word, candidates in words.items():
        found = first_tree(parse_chart(grammar, [grammar.symbol(x) for x in word]))
        assert found == min(candidates, key=lambda tree: place(grammar, tree))


def place(grammar: Grammar, tree: Pattern) -> list[tuple[int, list[int]]]:
    """Where a tree stands in the order: rules, and lengths from the last symbol to the first."""
    return [
        (node.rule, [b - a for a, b in itertools.pairwise(node.bounds)][::-1])
        for node in sorted(nodes(grammar, tree.rules), key=lambda node: node.index)
    ]


# --- patterns ------------------------------------------------------------------------------


def test_the_pattern_of_the_post_is_a_factor() -> None:
    pattern = NOTATION.parse("((<expr>))")
    assert labels(ARITHMETIC, pattern) == "factor:3 expr:3 term:3 factor:3 <>"
    assert NOTATION.text(pattern) == "( ( <expr> ) )"
    tree = tree_of("1+((2*3/4))")
    (node,) = occurrences(ARITHMETIC, pattern, tree)
    shape = outline(ARITHMETIC, tree)
    below = tree.subtree(shape, node)
    assert NOTATION.text(below) == "( ( 2 * 3 / 4 ) )"
    assert NOTATION.text(tree.abstracted(shape, node)) == "1 + <factor>"
    assert not occurrences(ARITHMETIC, pattern, tree_of("(1)+(2)"))


def test_a_root_that_is_named_is_taken() -> None:
    pattern = NOTATION.parse("((<expr>))", "expr")
    assert labels(ARITHMETIC, pattern) == "expr:3 term:3 factor:3 expr:3 term:3 factor:3 <>"


@pytest.mark.parametrize(
    ("text", "symbol", "said"),
    [
        ("((<exp>))", None, "no non-terminal 'exp'; did you mean 'expr'?"),
        ("((<expr>)", None, "is not derived from any symbol of the grammar arithmetic"),
        ("<expr>", "digit", "is not derived from a digit"),
        ("2 & 3", None, "has no tokens of the grammar arithmetic in '2 & 3'"),
        ("1", "digits", "no non-terminal 'digits'"),
    ],
)
def test_what_is_no_pattern_is_said(text: str, symbol: str | None, said: str) -> None:
    with pytest.raises(GramspectError) as problem:
        NOTATION.parse(text, symbol)
    assert said in str(problem.value)


def test_what_is_no_name_in_angle_brackets_is_text() -> None:
    grammar = Grammar.from_rules([("c", ["e", "<", "e", ">", "e"]), ("e", ["x"])])
    notation = Notation.of(grammar)
    assert notation.text(notation.parse("x <x> <e>")) == "x < x > <e>"
    assert labels(grammar, notation.parse("x < e > x".replace("e", "x"))) == "c:1 e:1 e:1 e:1"


@given(st.data())
def test_patterns_are_read_from_files_as_they_were_written(data: st.DataObject) -> None:
    cfg = data.draw(strategies.grammars())
    grammar = Grammar.from_rules(cfg.rules, start=cfg.start)
    word = data.draw(strategies.sentences(cfg))
    pattern = first_tree(parse_chart(grammar, tuple(map(grammar.symbol, word))))
    for _ in range(data.draw(st.integers(0, 3))):
        shape = outline(grammar, pattern)
        pattern = pattern.abstracted(shape, data.draw(st.integers(0, len(pattern.rules) - 1)))
    shape = outline(grammar, pattern)
    pattern = pattern.subtree(shape, data.draw(st.integers(0, len(pattern.rules) - 1)))
    notation = Notation.of(grammar)
    name = data.draw(st.text(st.characters(codec="utf-8"), min_size=1))
    named = NamedPattern(name, pattern, {"trials": 100, "said": 'a "quote"\n', "share": 0.5})
    with NamedTemporaryFile("w", suffix=".toml", encoding="utf-8", newline="") as file:
        file.write(patterns_toml([named], notation))
        file.flush()
        assert read_patterns(file.name, notation) == {name: named}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1", "a.toml:1:1: a must be a table"),
        ("[a]", "a.toml:1:2: the pattern a: there is no text; write pattern ="),
        ('[a]\npattern = "2 &"', "a.toml:1:2: the pattern a: the pattern '2 &' has no tokens"),
        ('[a]\ntree = ["expr:9"]', "no rule 'expr:9'"),
        ('[a]\ntree = ["expr:1"]', "the tree does not fit the grammar: the tree is not complete"),
        ('[a]\ntree = ["<>"]', "name its symbol"),
        ('[a]\npattern = "1"\nsymbol = 3', "symbol must be the name"),
    ],
)
def test_mistakes_in_files_are_said_where_they_are(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.toml").write_text(text, encoding="utf-8")
    with pytest.raises(GramspectError) as problem:
        read_patterns("a.toml", NOTATION)
    assert said in str(problem.value)
