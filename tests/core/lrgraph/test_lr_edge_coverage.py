"""Which edges of an LR graph inputs use, and shortest sentences for the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import unescape
from itertools import islice, product
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import strategies
from cfg import Cfg, Word
from command import Command
from gramspect.generation.minimal import Minimal
from gramspect.generation.pop_edges import PopEdgeCover
from gramspect.grammar_coverage.lr_edges import ShortestCover, edge_coverage, edges_of
from gramspect.lrgraph.graph import AutomatonKind, lr_graph
from lr_graph_grammars import grammar_of, messy_grammars
from oracle import Derivations


def left_parses(cfg: Cfg, word: Word, most: int) -> list[tuple[int, ...]]:
    """All derivations of a word, of a grammar without cycles; at most one more than `most`."""
    derivations = Derivations(cfg, word)

    @cache
    def of(symbol: str, start: int, end: int) -> list[tuple[int, ...]]:
        if symbol in cfg.terminals:
            return [()]
        found: list[tuple[int, ...]] = []
        for rule in cfg.rules_of(symbol):
            for split in derivations.splits(cfg.rhs(rule), start, end):
                parts = product(*(of(*span) for span in split))
                found.extend(
                    (rule, *(r for part in chosen for r in part))
                    for chosen in islice(parts, most + 1 - len(found))
                )
        return found

    return of(cfg.start, 0, len(word)) if derivations.derives((cfg.start,), 0, len(word)) else []


def has_cycles(cfg: Cfg) -> bool:
    return bool(grammar_of(cfg).analysis.cyclic)


@given(
    strategies.grammars(lambda cfg: not has_cycles(cfg)),
    st.data(),
    st.sampled_from(list(AutomatonKind)),
)
def test_edges_are_those_of_all_derivations(
    cfg: Cfg, data: st.DataObject, kind: AutomatonKind
) -> None:
    word = data.draw(strategies.words(cfg, max_size=5))
    grammar = grammar_of(cfg)
    graph = lr_graph(grammar, kind)
    tokens = [-1 if (t := grammar.token(x)) is None else t for x in word]
    parses = left_parses(cfg, word, 200)
    assume(len(parses) <= 200)
    expected = {edge for parse in parses for edge in graph.accepting_path(parse)}
    assert edges_of(graph, tokens) == (expected or None)


def takes_moments(sentences: Iterable[Sequence[int]]) -> bool:
    """The time for a sentence with very many derivations grows with a power of its length."""
    return sum(len(tokens) ** 4 for tokens in sentences) < 50_000


@given(messy_grammars(), st.sampled_from(list(AutomatonKind)))
def test_suites_for_pop_edges_use_all_useful_edges(cfg: Cfg, kind: AutomatonKind) -> None:
    grammar = grammar_of(cfg)
    graph = lr_graph(grammar, kind)
    tests = [derivation.tokens for _, derivation in PopEdgeCover(graph, Minimal(grammar))]
    assume(takes_moments(tests))
    result = edge_coverage(graph, [*tests, (-1,)])
    assert result.missing == ()
    assert result.rejected == (len(tests),)
    for pop in (False, True):
        covered, total = result.counts(pop=pop)
        assert covered == total


@given(strategies.grammars(), st.sampled_from(list(AutomatonKind)))
def test_no_shorter_sentence_uses_the_edge(cfg: Cfg, kind: AutomatonKind) -> None:
    grammar = grammar_of(cfg)
    graph = lr_graph(grammar, kind)
    cover = ShortestCover(graph)
    sentences = [tuple(cover.sentence(edge).tokens) for edge in range(graph.n_edges)]
    different = set(sentences)
    assume(takes_moments(different))
    used = {tokens: edges_of(graph, tokens) or set() for tokens in different}
    assert all(edge in used[tokens] for edge, tokens in enumerate(sentences))
    lengths = [len(tokens) for tokens in sentences]
    longest = min(4, max(lengths))
    for n in range(longest):
        for tokens in product(range(1, grammar.n_terminals), repeat=n):
            assert all(lengths[edge] <= n for edge in edges_of(graph, tokens) or ())


class TestCommand:
    TOY = Path(__file__).parents[3] / "fixtures" / "toy"

    def test_report(self, command: Command, tmp_path: Path) -> None:
        grammar = self.TOY / "toy.y"
        args = ["coverage", grammar, "--lines", "--criterion", "lr-graph"]
        some = command(*args, "--accept", self.TOY / "accept.txt", "--format", "json").json
        edges = some["lr_graph"]
        assert 0 < edges["pop_edges"]["covered"] < edges["pop_edges"]["total"]
        assert len(edges["missing"]) == 10
        suite = tmp_path / "pec.txt"
        suite.write_text(command("generate", grammar, "--criterion", "pec").out)
        answer = command(*args, "--accept", suite)
        assert answer.status == 0
        n = edges["pop_edges"]["total"]
        assert f"pop edges of the lr0 graph: {n} of {n} (100.0 %)" in answer.out

    def test_only_as_text_and_json(self, command: Command) -> None:
        answer = command(
            "coverage", self.TOY / "toy.y", "--criterion", "lr-graph", "--format", "lcov"
        )
        assert answer.status == 2
        assert "--criterion is reported as text and json, not as lcov" in answer.err

    @pytest.mark.parametrize("automaton", AutomatonKind)
    def test_the_graph_as_text_json_and_pictures(
        self, command: Command, automaton: AutomatonKind, tmp_path: Path
    ) -> None:
        source = tmp_path / "expr.y"
        source.write_text("%token num\n%%\nE: E '+' E | '(' E ')' | num ;\n")
        args = ["lrgraph", source, "--automaton", automaton]
        value = command(*args, "--format", "json").json
        graph = lr_graph(grammar_of(Cfg((
            ("E", ("E", "+", "E")), ("E", ("(", "E", ")")), ("E", ("num",)),
        ), "E")), automaton)  # fmt: skip
        assert (value["automaton"], value["states"]) == (automaton, graph.n_vertices)
        assert (value["push_edges"], value["pop_edges"]) == (graph.n_push, graph.n_pop)
        assert set(value["conflicts"]) == {
            "shift_reduce", "shift_reduce_states", "reduce_reduce", "reduce_reduce_states",
        }  # fmt: skip
        text = command(*args).out
        assert f"push edges               {graph.n_push}\n" in text
        dot = command(*args, "--format", "dot").out
        svg = command(*args, "--format", "svg").out
        for vertex in graph.names:
            assert f"  {vertex}" in dot
            assert f">{vertex}</text>" in svg
        pairs = {
            (int(s), int(t), e >= graph.n_push)
            for e, (s, t) in enumerate(zip(graph.source, graph.target, strict=True))
        }
        assert dot.count(" -> ") == len(pairs)
        assert svg.count("marker-end") == len(pairs)
        assert svg.count("stroke-dasharray") == sum(pop for *_, pop in pairs)

    def test_the_page_has_the_picture_and_all_paths(self, command: Command, tmp_path: Path) -> None:
        source = tmp_path / "less.y"
        source.write_text("%%\nE: E '<' E | '&' ;\n")
        page = command("lrgraph", source, "--format", "html").out
        text = unescape(page)
        svg = command("lrgraph", source, "--format", "svg").out
        assert svg.strip() in page
        for line in command("lrgraph", source, "--format", "paths").out.splitlines():
            assert line.split("  ")[-1].strip() in text
        for line in command("lrgraph", source).out.splitlines():
            assert line in text
        large = command("lrgraph", self.TOY / "toy.y", "--automaton", "lr1", "--format", "html")
        assert large.status == 0
        assert "<svg" not in large.out
        assert "No picture: " in large.out
        assert "--around NAME" in large.out

    def test_a_part_of_the_graph_is_drawn(self, command: Command) -> None:
        toy = ["lrgraph", self.TOY / "toy.y", "--format"]
        whole = command(*toy, "dot").out.splitlines()
        at_state = command(*toy, "dot", "--around", "q5").out.splitlines()
        assert [line for line in at_state if "->" in line] == [
            line for line in whole if "->" in line and "q5" in line.partition(" [")[0].split()
        ]
        paths = command(*toy, "paths").out.splitlines()
        edges = [line.split() for line in paths if line[0] != " "]
        pops = {source for source, label, _ in edges if label.startswith("=block/")}
        drawn = command(*toy, "svg", "--around", "block").out
        assert pops
        assert all(f">{state}</text>" in drawn for state in pops)
        assert 0 < drawn.count("marker-end") <= 60
        nothing = command(*toy, "svg", "--around", "blok")
        assert (nothing.status, nothing.err.count("\n")) == (2, 1)
        assert "no state and no non-terminal 'blok'" in nothing.err
        assert command("lrgraph", self.TOY / "toy.y", "--around", "block").status == 2

    def test_large_graphs_have_no_picture(self, command: Command, tmp_path: Path) -> None:
        answer = command("lrgraph", self.TOY / "toy.y", "--automaton", "lr1", "--format", "svg")
        assert answer.status == 2
        assert "write it as dot" in answer.err
        target = tmp_path / "graph.svg"
        small = command("lrgraph", self.TOY / "toy.y", "--max-states", "9", "-o", target)
        assert (small.status, small.out, small.err.count("\n")) == (2, "", 1)
        assert not target.exists()
        assert "more than 9 states" in small.err

    def test_odd_grammars(self, command: Command, tmp_path: Path) -> None:
        source = tmp_path / "odd.y"
        source.write_text("%%\nS: ;\n")  # no terminals
        assert command("generate", source, "--criterion", "pec").out == "\n"
        assert command("generate", source, "--negative", "edges", "--count").out == "0\n"
        assert command("generate", source, "--negative", "edges").status == 2
        source.write_text("%%\nS: S X ;\nX: ;\n")  # derives nothing
        assert command("lrgraph", source).status == 0
        for args in (["--criterion", "pec"], ["--negative", "stacks"], ["--criterion", "lr-bfs"]):
            answer = command("generate", source, *args)
            assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
            assert "derives no sentence" in answer.err
        source.write_text("%%\nS: S | 'a' | A ;\nA: S | B B ;\nB: | 'b' ;\n")  # cycles
        assert set(command("generate", source, "--criterion", "pec").out.split("\n")) == {
            "", "a", "b",
        }  # fmt: skip
        for analysis in ("global", "path"):
            answer = command("generate", source, "--negative", "edges", "--analysis", analysis)
            assert answer.status == 0
            assert {"a a", "b a"} <= set(answer.out.splitlines())
