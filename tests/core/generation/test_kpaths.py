"""k-paths against the published figures and against the definitions."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import islice
from random import Random

import kpaths_oracle as oracle
import pytest
from checker import tree_of
from hypothesis import assume, given, reject
from hypothesis import strategies as st
from judge import Judge
from subjects import YACC, derivations, yacc

import toy
from examples import fewer
from gramspect.errors import GramspectError
from gramspect.generation import kpaths_cover
from gramspect.generation.criteria import criterion_named
from gramspect.generation.generate import Plan, generate
from gramspect.generation.kpaths import KPaths
from gramspect.generation.kpaths_cover import KPathCover
from gramspect.generation.kpaths_graph import GrammarGraph
from gramspect.generation.minimal import Embedding, Minimal
from gramspect.grammar_coverage.kpaths import k_path_coverage, k_paths_of
from gramspect.grammars.ebnf import Alternative, Block, Definition, Reference
from gramspect.grammars.grammar import Grammar, expand
from gramspect.grammars.symbols import Operator, Rule

GROUP, OPTION, STAR, PLUS = Operator.GROUP, Operator.OPTION, Operator.STAR, Operator.PLUS


def alternative(*elements: str | Block) -> Alternative:
    return Alternative(tuple(Reference(e) if isinstance(e, str) else e for e in elements))


def block(operator: Operator, *alternatives: tuple[str | Block, ...]) -> Block:
    return Block(operator, tuple(alternative(*each) for each in alternatives))


def one_of(characters: str) -> tuple[Alternative, ...]:
    return tuple(map(alternative, characters))


EXPRESSIONS = [
    Definition("Expr", (alternative("AddExpr"),)),
    Definition(
        "AddExpr",
        (alternative("MultExpr"), alternative("AddExpr", block(GROUP, ("+",), ("-",)), "MultExpr")),
    ),
    Definition(
        "MultExpr",
        (
            alternative("UnaryExpr"),
            alternative("MultExpr", block(GROUP, ("*",), ("/",), ("%",)), "UnaryExpr"),
        ),
    ),
    Definition(
        "UnaryExpr",
        (
            alternative("Identifier"),
            *(alternative(sign, "UnaryExpr") for sign in ("+", "-", "++", "--")),
            alternative("(", "AddExpr", ")"),
            alternative("DecDigits"),
        ),
    ),
    Definition("DecDigits", (alternative(block(PLUS, ("DecDigit",))),)),
    Definition("DecDigit", one_of("0123456789")),
    Definition("Identifier", one_of("xyz")),
]
"""The JavaScript expressions of Havrikov, Kampmann and Zeller (2024, Figure 1)."""

BLOCKS = [
    Definition(
        "s",
        (
            alternative("a", block(STAR, ("s", block(OPTION, ("b",), ("t", "t")))), "t"),
            alternative(block(PLUS, ("t",)), block(Operator.SET, ("a",), ("b",))),
            alternative("gone"),
        ),
    ),
    Definition("t", (alternative("b"), alternative(block(Operator.ACTION, ()), "c", "s"))),
    Definition("gone", (alternative("a", "gone"),)),
    Definition("far", (alternative("s"),)),
]
"""Every operator, something unproductive and something unreachable."""


def expressions() -> Grammar:
    return expand(EXPRESSIONS)


def keys(paths: KPaths, number: int) -> oracle.Path:
    """A path of core's as the oracle names it."""
    grammar = paths.graph.grammar
    items = [paths.graph.nodes[node].item for node in paths.path(number)]
    found = [oracle.key_of(grammar, *grammar.split_item(item)) for item in items]
    assert None not in found
    return tuple(key for key in found if key is not None)


def all_keys(paths: KPaths) -> set[oracle.Path]:
    return {keys(paths, number) for number in range(paths.count)}


@st.composite
def definitions(draw: st.DrawFn) -> list[Definition]:
    """Small EBNF grammars of whatever shape, with a sentence."""
    names = ["s", "t", "u"][: draw(st.integers(1, 3))]
    leaves: st.SearchStrategy[Reference | Block] = st.sampled_from([*names, "a", "b"]).map(
        Reference
    )
    sets = st.just(block(Operator.SET, ("a",), ("b",)))
    operators = st.sampled_from([GROUP, OPTION, STAR, PLUS])

    def blocks(inner: st.SearchStrategy[Reference | Block]) -> st.SearchStrategy[Reference | Block]:
        alternatives = st.lists(st.lists(inner, max_size=2), min_size=1, max_size=2)
        made = alternatives.map(lambda found: tuple(Alternative(tuple(each)) for each in found))
        return st.builds(Block, operators, made)

    elements = st.recursive(leaves | sets, blocks, max_leaves=3)
    found = [
        Definition(
            name,
            tuple(
                Alternative(tuple(each))
                for each in draw(st.lists(st.lists(elements, max_size=3), min_size=1, max_size=3))
            ),
        )
        for name in names
    ]
    grammar = expand(found)
    assume(grammar.start in grammar.analysis.productive)
    return found


class TestPublishedFigures:
    @pytest.mark.parametrize(("k", "count"), [(1, 39), (2, 125), (3, 523), (4, 2331), (5, 10_245)])
    def test_number_of_paths(self, k: int, count: int) -> None:
        assert KPaths(GrammarGraph(expressions()), k).count == count
        assert len(oracle.PaperGraph(EXPRESSIONS).paths(k)) == count

    def test_coverage_of_an_input(self) -> None:
        grammar = expressions()
        coverage = k_path_coverage(grammar, [[grammar.symbol(each) for each in "x+42"]], 2)
        assert coverage.ratio == Fraction(12, 125)
        found = {
            tuple(
                coverage.paths.graph.label(node).partition("@")[0]
                for node in coverage.paths.path(number)
            )
            for number in coverage.covered
        }
        assert found == {
            ("AddExpr", "AddExpr"),
            ("AddExpr", "MultExpr"),
            ("MultExpr", "UnaryExpr"),
            ("UnaryExpr", "Identifier"),
            ("Identifier", "x"),
            ("AddExpr", "+"),
            ("UnaryExpr", "DecDigits"),
            ("DecDigits", "DecDigit"),
            ("DecDigit", "4"),
            ("DecDigit", "2"),
        }  # AddExpr -> MultExpr and MultExpr -> UnaryExpr twice, for different occurrences


class TestNumbers:
    @pytest.mark.parametrize("k", [1, 2, 3])
    @pytest.mark.parametrize("subject", [EXPRESSIONS, BLOCKS], ids=["expressions", "blocks"])
    def test_paths_are_those_of_the_definition(self, subject: list[Definition], k: int) -> None:
        paths = KPaths(GrammarGraph(expand(subject)), k)
        assert all_keys(paths) == oracle.PaperGraph(subject).paths(k)
        assert paths.count == len(all_keys(paths))

    @given(definitions(), st.integers(1, 4))
    def test_of_any_grammar(self, subject: list[Definition], k: int) -> None:
        paths = KPaths(GrammarGraph(expand(subject)), k)
        assume(paths.count < 5000)
        expected = oracle.PaperGraph(subject).paths(k)
        assert paths.count == len(expected)
        assert all_keys(paths) == expected
        for number in range(paths.count):
            assert paths.number(paths.path(number)) == number

    def test_counts_are_exact_however_large(self) -> None:
        grammar = toy.grammar("s -> s s\ns -> a")
        for k in (1, 2, 3, 40, 100):  # s, s and a are the nodes; s is followed by any of them
            paths = KPaths(GrammarGraph(grammar), k)
            assert paths.count == 3 * 2 ** (k - 1)
            for number in (0, paths.count // 3, paths.count - 1):
                assert paths.number(paths.path(number)) == number

    def test_what_is_no_path_has_no_number(self) -> None:
        paths = KPaths(GrammarGraph(expressions()), 2)
        for path in [(0,), (0, 0), (3, 1), (0, 1, 6)]:
            with pytest.raises(KeyError):
                paths.number(path)
        for number in (-1, 125):
            with pytest.raises(IndexError):
                paths.path(number)

    @pytest.mark.parametrize("k", [0, -1, 101])
    def test_k_is_out_of_range(self, k: int) -> None:
        with pytest.raises(GramspectError, match="from 1 to 100 nodes"):
            KPaths(GrammarGraph(expressions()), k)

    def test_a_grammar_without_so_long_paths(self) -> None:
        paths = KPaths(GrammarGraph(toy.grammar("s -> a t\nt -> b")), 3)
        assert paths.count == 0
        with pytest.raises(IndexError):
            paths.path(0)

    def test_a_repetition_that_was_edited_is_a_group(self) -> None:
        grammar = expand([Definition("s", (alternative(block(STAR, ("a",))),))])
        once, again = (grammar.rules[rule] for rule in grammar.rules_of[grammar.symbol("s:1.1")])
        doubled = Rule(
            again.index, again.lhs, (*again.rhs, again.rhs[1]), 2, again.label, None,
            (*again.rhs_spans, None),
        )  # fmt: skip
        edited = grammar.with_rules([grammar.rules[0], once, doubled])
        graph = GrammarGraph(edited)
        assert [graph.label(node) for node in range(len(graph.nodes))] == [
            "a@s:1.1:2:1",
            "a@s:1.1:2:2",
        ]


class TestSuites:
    @pytest.mark.parametrize("embedding", list(Embedding))
    @pytest.mark.parametrize("k", [1, 2, 3])
    @pytest.mark.parametrize("name", YACC)
    def test_all_paths_of_languages(self, name: str, k: int, embedding: Embedding) -> None:
        grammar = yacc(name)
        judge = Judge(grammar)
        found: set[oracle.Path] = set()
        made = derivations(Minimal(grammar, embedding), f"k-paths:{k}")
        for derivation in made:
            assert tree_of(grammar, derivation.rules).words == derivation.tokens
            found |= oracle.paths_in(grammar, derivation.rules, k)
        for derivation in islice(made, 50):
            assert judge(derivation.tokens)[1]
        paths = KPaths(GrammarGraph(grammar), k)
        assert found == all_keys(paths)
        assert len(made) < paths.count

    @fewer(0.6)
    @given(definitions(), st.integers(1, 3), st.sampled_from(list(Embedding)), st.integers(0, 9))
    def test_all_paths_of_any_grammar(
        self, subject: list[Definition], k: int, embedding: Embedding, seed: int
    ) -> None:
        grammar = expand(subject)
        cover = KPathCover(Minimal(grammar, embedding, Random(seed)), k)
        assume(cover.paths.count < 2000)
        found: set[oracle.Path] = set()
        for derivation, _ in cover.derivations():
            new = oracle.paths_in(grammar, derivation.rules, k) - found
            assert new  # otherwise the paths found before were not taken out
            found |= new
            assert {keys(cover.paths, n) for n in cover.paths.within(derivation.rules)} >= new
            assert tree_of(grammar, derivation.rules).words == derivation.tokens
        assert found == oracle.PaperGraph(subject).paths(k)

    @fewer(0.6)
    @given(definitions(), st.integers(1, 3), st.integers(0, 8), st.integers(0, 9))
    def test_within_a_depth(self, subject: list[Definition], k: int, depth: int, seed: int) -> None:
        grammar = expand(subject)
        graph = oracle.PaperGraph(subject)
        minimal = Minimal(grammar, random=Random(seed))
        if not graph.fits(graph.root, depth):
            with pytest.raises(GramspectError, match="too small: the shallowest tree has depth"):
                KPathCover(minimal, k, depth)
            reject()
        cover = KPathCover(minimal, k, depth)
        assume(cover.paths.count < 500)
        expected = graph.paths_within(k, depth)
        found: set[oracle.Path] = set()
        for derivation, _ in cover.derivations():
            found |= oracle.paths_in(grammar, derivation.rules, k)
            assert tree_of(grammar, derivation.rules).words == derivation.tokens
        assert found == expected
        assert cover.beyond() == cover.paths.count - len(expected)

    def test_within_a_depth_of_a_language(self) -> None:
        grammar, graph = expressions(), oracle.PaperGraph(EXPRESSIONS)
        for k, depth in ((2, 10), (2, 14), (3, 18)):
            found: set[oracle.Path] = set()
            for derivation, _ in criterion_named(f"k-paths:{k}:{depth}")(Minimal(grammar)):
                found |= oracle.paths_in(grammar, derivation.rules, k)
            assert found == graph.paths_within(k, depth)
        assert found < graph.paths(3)

    def test_the_path_that_a_test_is_for(self) -> None:
        grammar = expressions()
        for test in generate(grammar, Plan(("k-paths:2",))):
            above, below = test.target.split()
            found = oracle.paths_in(grammar, test.derivation.rules, 2)
            labels = {tuple(f"{name}:{a}:{p}" for name, a, p in path) for path in found}
            named = tuple(
                label.replace("DecDigits:1.1:1:0", "DecDigits:1.1:x:0") for label in (above, below)
            )
            assert named in labels

    def test_suites_are_the_same_for_the_same_seed(self) -> None:
        grammar = expressions()

        def suite(criterion: str, seed: int | None) -> list[tuple[int, ...]]:
            return [test.tokens for test in generate(grammar, Plan((criterion,), seed=seed))]

        for criterion in ("k-paths:2", "k-paths:2:20"):
            assert suite(criterion, 1) == suite(criterion, 1)
            assert suite(criterion, 1) != suite(criterion, 2)
            assert suite(criterion, None) == suite(criterion, None)

    def test_trees_that_branch_stay_finite(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(kpaths_cover, "LARGEST", 50)
        grammar = toy.grammar("s -> s s s\ns -> s s\ns -> a")
        sizes = [
            len(derivation.rules)
            for derivation, _ in criterion_named("k-paths:2:60")(Minimal(grammar))
        ]
        assert max(sizes) < 1000

    def test_too_many_paths(self) -> None:
        with pytest.raises(GramspectError, match=r"has [\d,]{11,} 9-paths, more than the 100,000,"):
            list(criterion_named("k-paths:9")(Minimal(yacc("calc"))))

    @pytest.mark.parametrize(
        "name", ["k-paths", "k-paths:", "k-paths:0", "k-paths:2:", "k-paths:2:0", "step:2:9"]
    )
    def test_a_parameter_is_missing_or_wrong(self, name: str) -> None:
        with pytest.raises(GramspectError, match="needs a number from 1 to 100"):
            criterion_named(name)


AMBIGUOUS = [
    "s -> s s\ns -> a\ns ->",
    "s -> t s\ns -> t\nt -> a\nt -> s b\nt -> t",
    "s -> s + s\ns -> s * s\ns -> a\ns -> ( s )",
    "s -> a u\nu -> a u\nu ->",
]


class TestCoverage:
    @pytest.mark.parametrize("text", AMBIGUOUS)
    def test_of_ambiguous_grammars(self, text: str) -> None:
        grammar = toy.grammar(text)
        for k in (1, 2, 3):
            paths = KPaths(GrammarGraph(grammar), k)
            for test in islice(generate(grammar, Plan(("step:3",))), 20):
                self.check(paths, test.tokens[:7])

    @fewer(0.6)
    @given(definitions(), st.lists(st.sampled_from("ab"), max_size=4), st.integers(1, 4))
    def test_of_any_input(self, subject: list[Definition], words: list[str], k: int) -> None:
        grammar = expand(subject)
        tokens = [grammar.token(word) for word in words]
        self.check(
            KPaths(GrammarGraph(grammar), k), [-1 if token is None else token for token in tokens]
        )

    @fewer(0.4)
    @given(definitions(), st.integers(1, 3))
    def test_of_sentences(self, subject: list[Definition], k: int) -> None:
        grammar = expand(subject)
        paths = KPaths(GrammarGraph(grammar), k)
        for test in islice(generate(grammar, Plan(("rule",))), 5):
            if len(test.tokens) < 6:
                assert self.check(paths, test.tokens) is not None
                assert (k_paths_of(paths, test.tokens) or set()) >= set(
                    paths.within(test.derivation.rules)
                )

    @staticmethod
    def check(paths: KPaths, tokens: list[int] | tuple[int, ...]) -> set[int] | None:
        found = k_paths_of(paths, tokens)
        expected = oracle.paths_of_input(paths.graph.grammar, tokens, paths.k)
        assert (found is None) == (expected is None)
        assert {keys(paths, number) for number in found or ()} == (expected or set())
        return found

    @pytest.mark.parametrize("name", YACC)
    def test_a_suite_reaches_all(self, name: str) -> None:
        grammar = yacc(name)
        tests = [test.tokens for test in generate(grammar, Plan(("k-paths:3",)))]
        coverage = k_path_coverage(grammar, tests, 3)
        assert coverage.ratio == 1
        assert list(coverage.missing()) == []
        assert coverage.n_inputs == len(tests)

    def test_what_is_missing(self) -> None:
        grammar = toy.grammar("s -> a s\ns -> b")
        coverage = k_path_coverage(grammar, [[grammar.symbol("b")], [grammar.symbol("a")]], 1)
        assert [coverage.paths.text(path) for path in coverage.missing()] == ["a@s:1:0", "s@s:1:1"]
        assert coverage.rejected == (1,)
        assert coverage.ratio == Fraction(1, 3)

    def test_nothing_to_cover(self) -> None:
        grammar = toy.grammar("s -> a")
        assert k_path_coverage(grammar, [], 2).ratio == 1

    @pytest.mark.slow
    def test_long_lists(self) -> None:
        """Trees that are deeper than Python's stack."""
        depth = sys.getrecursionlimit() + 50
        for text in ("s -> l\nl -> l x\nl -> x\nx -> a", "s -> l\nl -> x l\nl -> x\nx -> a"):
            grammar = toy.grammar(text)
            token = grammar.symbol("a")
            coverage = k_path_coverage(grammar, [[token] * n for n in (1, 2, depth)], 3)
            assert coverage.ratio == 1
