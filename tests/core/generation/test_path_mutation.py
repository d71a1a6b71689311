"""Mutated paths: what they are, that none is a sentence, and how they are numbered."""

from __future__ import annotations

import signal
import subprocess
import sys
import tracemalloc
from collections import Counter
from itertools import islice
from pathlib import Path

import lark
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from judge import Judge
from subjects import yacc

import sql_like
import strategies
from cfg import Cfg, Word
from command import Command
from gramspect.generation.generate import Generation, Plan
from gramspect.generation.generated import GeneratedTest, PathMutation
from gramspect.generation.path_suite import PathWays
from gramspect.grammars.grammar import Grammar
from gramspect.lrgraph.analyses import AnalysisKind, PathAnalysis
from gramspect.lrgraph.graph import AutomatonKind, lr_graph
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.registry import adapter
from gramspect.suites.suite import Expectation
from graph_oracle import OracleGraph, OracleMutations
from lr_graph_grammars import (
    DYCK_A,
    EXPRESSION,
    FIGURES,
    STRATIFIED,
    grammar_of,
    messy_grammars,
)
from lr_tables import c_grammar
from oracle import Derivations

OPERATORS = ("insertion", "substitution", "deletion")
ANALYSES = list(AnalysisKind)
KINDS = [f"{of}-{operator}" for of in ("edge", "stack") for operator in OPERATORS]


def names(grammar: Grammar, tokens: tuple[int, ...]) -> Word:
    return tuple(grammar.symbols[token].name for token in tokens)


def suite(grammar: Grammar, *kinds: str, **plan: object) -> Generation:
    return Generation(grammar, Plan((), negative=kinds, **plan))  # type: ignore[arg-type]


def mutants(grammar: Grammar, kind: str, ways: PathWays, of: str | None = None) -> set[str]:
    """The outcomes; only those of one sentence if it is given."""
    tests = suite(grammar, kind, paths=ways)
    return {
        " ".join(names(grammar, test.tokens))
        for test in tests
        if of is None or " ".join(names(grammar, test.derivation.tokens)) == of
    }


# --- the worked examples -----------------------------------------------------------------


@pytest.mark.parametrize("analysis", ANALYSES)
def test_the_examples_of_section_6_1(analysis: AnalysisKind) -> None:
    grammar, ways = grammar_of(DYCK_A), PathWays(analysis=analysis)
    assert mutants(grammar, "edge-insertion", ways, "[ ]") == {"] [ ]", "[ ] ["}
    assert mutants(grammar, "edge-substitution", ways, "[ ]") == {"] ]", "[ ["}
    assert mutants(grammar, "edge-deletion", ways, "[ ]") == {"]", "["}
    without = PathWays(analysis=analysis, at_end=False)
    assert mutants(grammar, "edge-insertion", without, "[ ]") == {"] [ ]"}


def test_the_frontiers_of_section_6_1() -> None:
    grammar = grammar_of(DYCK_A)
    graph = lr_graph(grammar)
    analysis = PathAnalysis(graph)
    left, right = grammar.symbol("["), grammar.symbol("]")
    contexts = analysis.contexts((left, right))

    def vertices(context: int) -> set[str]:
        return {graph.names[vertex] for vertex in analysis.frontier(context)}

    def tokens(context: int) -> set[str]:
        bits = analysis.follow(context)
        return {s.name for s in grammar.symbols[: grammar.n_terminals] if bits >> s.index & 1}

    # The paper's left frontiers have what reductions lead to as well: that follows by hops.
    assert [vertices(context) for context in contexts] == [{"q_init"}, {"q2"}, {"q4"}]
    assert [tokens(context) for context in contexts] == [
        {"[", "$end"}, {"[", "]"}, {"[", "]", "$end"},
    ]  # fmt: skip
    assert vertices(analysis.step(contexts[0], left)) == {"q2"}
    assert vertices(analysis.step(contexts[1], right)) == {"q4"}
    assert vertices(analysis.step(contexts[2], right)) == {"q4"}
    assert vertices(analysis.step(contexts[2], left)) == {"q2"}
    assert vertices(analysis.step(contexts[0], right)) == set()


@pytest.mark.parametrize("analysis", ANALYSES)
def test_the_examples_of_section_6_2(analysis: AnalysisKind) -> None:
    grammar, ways = grammar_of(EXPRESSION), PathWays(analysis=analysis)
    assert "( num ( num ) )" in mutants(grammar, "stack-insertion", ways, "( num )")
    assert "( )" in mutants(grammar, "stack-deletion", ways, "( num )")


@pytest.mark.parametrize("analysis", ANALYSES)
@pytest.mark.parametrize("cfg", FIGURES, ids=["dyck-a", "dyck-b", "dyck-c", "expression"])
def test_the_figures_allow_no_stack_substitution(cfg: Cfg, analysis: AnalysisKind) -> None:
    assert mutants(grammar_of(cfg), "stack-substitution", PathWays(analysis=analysis)) == set()


# --- against the definitions -------------------------------------------------------------


@given(
    strategies.grammars(),
    st.sampled_from(ANALYSES),
    st.sampled_from([AutomatonKind.LR0, AutomatonKind.LR1]),
)
def test_mutations_are_those_of_the_definitions(
    cfg: Cfg, analysis: AnalysisKind, automaton: AutomatonKind
) -> None:
    grammar = grammar_of(cfg)
    oracle = OracleMutations(OracleGraph(cfg, automaton is AutomatonKind.LR1))
    ways = PathWays(automaton, analysis)
    paths = suite(grammar, "edges", "stacks", paths=ways).paths
    chosen = sorted(range(len(paths.base)), key=lambda i: len(paths.base[i].tokens))[:3]
    expected: Counter[tuple[str, int, int, int, Word]] = Counter()
    for index in chosen:
        base = paths.base[index]
        word = names(grammar, base.tokens)
        assume(len(word) < 9)
        frontiers = []
        for at in range(len(word) + 1):
            frontiers.append(oracle.left_frontier(word[:at], 3 * len(word) + 8))
            assume(frontiers[-1] is not None)
        by_path = analysis is AnalysisKind.PATH
        for part in paths.parts:
            spans = {
                "insertion": [(at, at) for at in range(len(word) + 1)],
                "edge": [(at, at + 1) for at in range(len(word))],
                "stack": sorted(spans_of(cfg, base.derivation.rules)),
            }["insertion" if part.operator == "insertion" else part.of]
            for first, last in spans:
                for phrase in part.phrases if part.operator != "deletion" or first < last else ():
                    new = names(grammar, phrase)
                    frontier = frontiers[first] if by_path else None
                    if oracle.is_negative(word, first, last, new, frontier):
                        expected[part.name, index, first, last, new] += 1
    found = Counter(
        (part.name, block.sentence, block.first, block.last, names(grammar, part.phrases[phrase]))
        for part in paths.parts
        for block in part.blocks()
        if block.sentence in chosen
        for phrase in block.phrases
    )
    assert found == expected


def spans_of(cfg: Cfg, left_parse: tuple[int, ...]) -> set[tuple[int, int]]:
    rules = iter(left_parse)
    found = set()

    def walk(symbol: str, start: int) -> int:
        if symbol in cfg.terminals:
            return start + 1
        end = start
        for part in cfg.rhs(next(rules)):
            end = walk(part, end)
        found.add((start, end))
        return end

    walk(cfg.start, 0)
    return found


@given(messy_grammars(), st.sampled_from(list(AutomatonKind)), st.sampled_from(ANALYSES))
def test_no_mutant_is_a_sentence(
    cfg: Cfg, automaton: AutomatonKind, analysis: AnalysisKind
) -> None:
    grammar = grammar_of(cfg)
    tests = suite(grammar, "edges", "stacks", paths=PathWays(automaton, analysis))
    reduced = cfg.reduced()
    for test in islice(tests, 150):
        word = names(grammar, test.tokens)
        assert not Derivations(reduced, word).derives((reduced.start,), 0, len(word))


@given(strategies.grammars(), st.sampled_from(list(AutomatonKind)))
def test_the_path_sensitive_analysis_finds_what_the_global_one_does(
    cfg: Cfg, automaton: AutomatonKind
) -> None:
    grammar = grammar_of(cfg)
    found: list[list[set[tuple[object, ...]]]] = []
    for analysis in (AnalysisKind.GLOBAL, AnalysisKind.PATH):
        paths = suite(grammar, "edges", "stacks", paths=PathWays(automaton, analysis)).paths
        found.append(
            [
                {(b.sentence, b.first, b.last, p) for b in part.blocks() for p in b.phrases}
                for part in paths.parts
            ]
        )
    for of_global, of_path in zip(*found, strict=True):
        assert of_global <= of_path


@pytest.mark.parametrize("analysis", ANALYSES)
@pytest.mark.parametrize(
    "name",
    ["toy", "simpl", *(pytest.param(x, marks=pytest.mark.slow) for x in ("C", "sql", "Python"))],
)
def test_no_mutant_of_a_language_is_a_sentence(name: str, analysis: AnalysisKind) -> None:
    grammar = language(name)
    judge = Judge(grammar, 400)
    for kind in KINDS:
        tests = suite(grammar, kind, paths=PathWays(analysis=analysis), seed=1)
        for test in tests.sample(300):
            end, accepted = judge(test.tokens)
            assert not accepted
            assert isinstance(test.mutation, PathMutation)
            assert end <= test.mutation.error
            check_mutation(test)


def language(name: str) -> Grammar:
    if name == "Python":  # a grammar in use, expanded from EBNF
        source = Path(lark.__file__).parent / "grammars" / "python.lark"
        return adapter("lark-earley").load(str(source), LoadOptions(start="file_input")).grammar
    return c_grammar() if name == "C" else sql_like.grammar() if name == "sql" else yacc(name)


@pytest.mark.parametrize("automaton", [AutomatonKind.LR0, AutomatonKind.LR1])
@pytest.mark.parametrize("cfg", [*FIGURES, STRATIFIED], ids=repr)
def test_all_tests_of_small_grammars_are_what_they_should_be(
    cfg: Cfg, automaton: AutomatonKind
) -> None:
    """The small form of `benchmarks/lr_graph_judging.py`."""
    grammar, judge = grammar_of(cfg), Judge(grammar_of(cfg))
    for analysis in ANALYSES:
        plan = Plan(("pec",), negative=("edges", "stacks"), paths=PathWays(automaton, analysis))
        tests = list(Generation(grammar, plan))
        assert len(tests) == Generation(grammar, plan).count()
        for test in tests:
            assert judge(test.tokens)[1] is (test.expectation is Expectation.ACCEPT)


@pytest.mark.slow
def test_a_stream_takes_the_same_memory_however_long_it_is() -> None:
    tests = suite(yacc("simpl"), "edges", "stacks")
    total = sum(text.count("\n") for text in tests.lines())  # tables that all parts share
    assert total == tests.count() > 1_000_000
    peaks = []
    for size in (20_000, 200_000):
        tracemalloc.start()
        try:
            lines = sum(text.count("\n") for text in tests.lines(total // 2, total // 2 + size))
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
        assert lines == size
    assert peaks[1] < 1.2 * peaks[0] + 100_000


def check_mutation(test: GeneratedTest) -> None:
    """The outcome is what the mutation says, of the sentence it says."""
    mutation, sentence = test.mutation, test.derivation.tokens
    assert isinstance(mutation, PathMutation)
    end = mutation.position + len(mutation.removed)
    assert sentence[mutation.position : end] == mutation.removed
    assert test.tokens == (sentence[: mutation.position] + mutation.inserted + sentence[end:])


# --- numbered tests ----------------------------------------------------------------------


@given(strategies.grammars(), st.data())
def test_parts_together_are_the_whole(cfg: Cfg, data: st.DataObject) -> None:
    grammar = grammar_of(cfg)
    plan = Plan(("pec",), negative=("edges", "stacks", "tokens"))
    tests = Generation(grammar, plan)
    whole = list(tests)
    assert len(whole) == tests.count()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=4)))
    parts = [list(tests.part(a, b)) for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert [test for part in parts for test in part] == whole
    lines = "".join(tests.lines()).splitlines()
    assert lines == [tests.texts.text(test.tokens) for test in whole]
    if whole:
        first = data.draw(st.integers(0, len(whole) - 1))
        assert "".join(tests.lines(first, first + 3)).splitlines() == lines[first : first + 3]
    sample = list(tests.sample(5))
    assert len(sample) == min(5, len(whole))
    places = {id(test): None for test in sample}
    assert len(places) == len(sample)
    assert not Counter(sample) - Counter(whole)


def test_samples_are_uniform() -> None:
    """Each of all tests is drawn as often as any other, by Pearson's statistic over 200 seeds."""
    grammar = grammar_of(EXPRESSION)
    every = Counter(t.tokens for t in Generation(grammar, Plan(("pec",), negative=("edges",))))
    total, draws, size = every.total(), 200, 40
    found: Counter[tuple[int, ...]] = Counter()
    for seed in range(draws):
        tests = Generation(grammar, Plan(("pec",), negative=("edges",), seed=seed))
        assert Counter(t.tokens for t in tests) == every  # the seed draws nothing else here
        sample = [t.tokens for t in tests.sample(size)]
        assert len(sample) == size
        found.update(sample)
    # Without replacement the statistic is smaller, by (total - size) / total.
    expected = {word: draws * size * n / total for word, n in every.items()}
    statistic = sum((found[word] - n) ** 2 / n for word, n in expected.items())
    freedom = len(every) - 1
    assert abs(statistic - freedom * (total - size) / total) < 5 * (2 * freedom) ** 0.5
    assert found.keys() == every.keys()


@given(strategies.grammars())
def test_distinct_tests_are_all_words_once(cfg: Cfg) -> None:
    grammar = grammar_of(cfg)
    every = [t.tokens for t in suite(grammar, "edges", "stacks")]
    once = [t.tokens for t in suite(grammar, "edges", "stacks", distinct=True)]
    assert once == list(dict.fromkeys(every))
    assert suite(grammar, "edges", "stacks", distinct=True).count() == len(once)


def test_other_criteria_are_mutated_as_well() -> None:
    grammar = yacc("toy")
    tests = list(suite(grammar, "stack-deletion", base=("rule",)))
    rules = {test.tokens for test in Generation(grammar, Plan(("rule",)))}
    assert {test.derivation.tokens for test in tests} <= rules
    assert all(test.criterion == "rule" for test in tests)


class TestCommand:
    def run(self, command: Command, *args: str) -> list[str]:
        answer = command("generate", yacc("toy").files[0], "--negative", "edges", *args)
        assert answer.status == 0, answer.err
        return answer.out.splitlines()

    @pytest.mark.slow
    def test_count_range_and_sample(self, command: Command) -> None:
        whole = self.run(command)
        assert self.run(command, "--count") == [str(len(whole))]
        assert self.run(command, "--range", "0:100") == whole[:100]
        half = len(whole) // 2
        assert self.run(command, "--range", f"{half}:{len(whole) + 9}") == whole[half:]
        sample = self.run(command, "--sample", "50", "--seed", "3")
        assert len(sample) == 50
        once = self.run(command, "--distinct")
        assert once == list(dict.fromkeys(whole))
        assert self.run(command, "--distinct", "--count") == [str(len(once))]

    def test_an_interrupted_stream_is_whole_lines(self) -> None:
        program = [sys.executable, "-m", "gramspect", "generate", yacc("simpl").files[0]]
        args = ["--negative", "stacks", "--base", "step:3"]
        with subprocess.Popen([*program, *args], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            read = [process.stdout.readline() for _ in range(1000)]
            process.send_signal(signal.SIGINT)
            read += process.stdout.readlines()
        assert process.returncode == 130
        assert all(line.endswith(b"\n") for line in read)
        grammar = yacc("simpl")
        assert all(grammar.token(word) is not None for word in read[-1].decode().split())

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (["--range", "5:5"], "has no number in it"),
            (["--range", "5"], "is not two numbers"),
            (["--count", "--sample", "3"], "only one of"),
            (["--count", "--limit", "3"], "--limit does not go with"),
            (["--distinct", "--sample", "3"], "do not go with --distinct"),
            (["--range", "999999998:999999999"], "there is no such test"),
        ],
    )
    def test_what_cannot_be_asked_for(
        self, command: Command, args: list[str], message: str
    ) -> None:
        answer = command("generate", yacc("toy").files[0], "--negative", "edges", *args)
        assert answer.status == 2
        assert message in answer.err
        assert answer.err.count("\n") == 1
