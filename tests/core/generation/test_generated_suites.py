"""Whole suites: streams, texts, manifests and the command."""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from checker import tree_of
from judge import Judge
from subjects import FIXTURES, YACC, words, yacc

import toy
from command import Command
from gramspect.errors import GramspectError, SuiteError
from gramspect.generation import generate as suites
from gramspect.generation.generate import NEGATIVES, Generation, Plan, as_suite, generate
from gramspect.generation.generated import PathMutation, RuleMutation, TokenMutation
from gramspect.generation.words import TokenNames
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutation
from gramspect.localization.localize import localize
from gramspect.suites.suite import Expectation, TestSuite
from gramspect.yacc import read_yacc

TOY = str(YACC["toy"])
FAULTY = str(FIXTURES / "toy" / "toy-faulty.y")


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


class TestPlans:
    def test_kinds_of_negative_tests(self) -> None:
        grammar = yacc("toy")
        for kind in NEGATIVES:
            found = Counter(
                (type(test.mutation), test.mutation.operator)
                for test in generate(grammar, Plan((), negative=(kind,)))
                if test.mutation is not None
            )
            of, _, operator = kind.partition("-")
            assert {each for each, _ in found} == {
                {"token": TokenMutation, "rule": RuleMutation}.get(
                    of.removesuffix("s"), PathMutation
                )
            }
            if operator:
                assert {each for _, each in found} == {Mutation(operator)}

    def test_sentences_of_the_suite_are_mutated_unless_others_are_named(self) -> None:
        grammar = yacc("toy")

        def bases(plan: Plan) -> set[str]:
            return {test.criterion for test in generate(grammar, plan) if test.mutation}

        assert bases(Plan(("pll",), negative=("tokens",))) == {"pll"}
        assert bases(Plan(("pll",), negative=("tokens",), base=("cdrc",))) == {"cdrc"}
        assert bases(Plan((), negative=("tokens",))) == {"rule"}
        assert bases(Plan((), n_random=5, negative=("tokens",))) == {"random"}

    def test_positive_tests_come_first_and_both_kinds_are_limited(self) -> None:
        plan = Plan(("cdrc",), negative=("rules",), limit=7)
        found = [test.expectation for test in generate(yacc("toy"), plan)]
        assert found == [Expectation.ACCEPT] * 7 + [Expectation.REJECT] * 7

    def test_no_tokens_twice(self) -> None:
        plan = Plan(("rule", "cdrc", "pairs"), 200, negative=("tokens", "rules"), per_sentence=20)
        found = [test.tokens for test in generate(yacc("toy"), plan)]
        assert len(found) == len(set(found)) > 1000

    def test_a_suite_can_be_iterated_again(self) -> None:
        plan = Plan(("cdrc",), 20, negative=("tokens",), per_sentence=5, seed=5)
        generation = Generation(yacc("toy"), plan)
        assert list(generation) == list(generation) == list(generate(yacc("toy"), plan))

    def test_seeds(self) -> None:
        suite_of = {
            seed: frozenset(t.tokens for t in generate(yacc("simpl"), Plan(("cdrc",), seed=seed)))
            for seed in (None, 1, 2)
        }
        assert len(set(suite_of.values())) == 3

    @pytest.mark.parametrize(
        ("plan", "message"),
        [
            (Plan(("rules",)), "there is no criterion 'rules'"),
            (Plan(base=("cover",)), "there is no criterion 'cover'"),
            (
                Plan(negative=("token",)),
                "there is no negative test 'token'; there are: tokens, rules",
            ),
        ],
    )
    def test_unknown_names(self, plan: Plan, message: str) -> None:
        with pytest.raises(GramspectError, match=message):
            generate(yacc("toy"), plan)

    @pytest.mark.slow
    def test_memory_does_not_grow(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(suites, "REMEMBERED", 5_000)
        plan = Plan((), negative=("tokens",), base=("step:3",))
        tests = generate(yacc("simpl"), plan)
        tracemalloc.start()
        try:
            peaks = []
            for _ in range(2):
                assert sum(1 for _ in islice(tests, 60_000)) == 60_000
                peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
        assert peaks[1] < 1.2 * peaks[0]


class TestTexts:
    @pytest.mark.parametrize("name", YACC)
    def test_token_names_are_read_back(self, name: str) -> None:
        grammar = yacc(name)
        texts = TokenNames(grammar)
        for test in generate(grammar, Plan(("cdrc",))):
            text = texts.text(test.tokens)
            assert [grammar.token(word) for word in text.split()] == list(test.tokens)
            starts = texts.starts(test.tokens)
            assert starts[-1] == len(text)
            for start, token in zip(starts, test.tokens, strict=False):
                assert grammar.token(text[start:].split()[0]) == token

    def test_terminals_without_a_text(self) -> None:
        """Of two literals, one cannot be written between blanks, one is written like the other."""
        grammar = Grammar.from_rules([("s", ["a", "t"]), ("t", ["two words"]), ("t", ["b"])])
        texts = TokenNames(grammar)
        assert [grammar.symbols[t].name for t in texts.missing] == ["two words"]
        generation = Generation(grammar, Plan(("rule",), negative=("tokens", "rules")), texts)
        for test in generation:
            assert texts.missing.isdisjoint(test.tokens)
        assert generation.notes() == ("two words has no known text; tests with it are left out",)

    def test_the_end_of_the_file_is_not_written(self) -> None:
        grammar = toy.grammar("s -> list EOF\nlist -> list x\nlist -> x\nlist -> ( s )")
        end = grammar.symbol("EOF")
        texts = TokenNames(grammar, [end])
        found = list(generate(grammar, Plan(("cdrc",), negative=("tokens", "rules")), texts))
        accepted = {texts.text(t.tokens) for t in found if t.expectation is Expectation.ACCEPT}
        rejected = {texts.text(t.tokens) for t in found if t.expectation is Expectation.REJECT}
        assert accepted == {"x", "x x", "x x x"}
        assert {"", "(", ")", "( )"} <= rejected
        without = toy.grammar("s -> list\nlist -> list x\nlist -> x\nlist -> ( s )")
        judge = Judge(without)
        for test in found:
            text = texts.text(test.tokens)
            accepted_text = judge([without.symbol(word) for word in text.split()])[1]
            assert accepted_text == (test.expectation is Expectation.ACCEPT), text
            assert texts.starts(test.tokens)[-1] == len(texts.text(test.tokens))


class TestLocalization:
    def test_the_generated_rule_suite_is_as_good_as_the_one_of_the_paper(self) -> None:
        grammar = yacc("toy")
        generated = as_suite(grammar, generate(grammar))
        papers = TestSuite.load([FIXTURES / "toy" / "accept.txt"], lines=True)
        for spectrum in ("rule", "item"):
            for metric in ("tarantula", "ochiai", "jaccard", "dstar"):
                ranks = [
                    _ranks(
                        localize(FAULTY, each, spectrum=spectrum, metric=metric, evidence="both")
                    )
                    for each in (generated, papers)
                ]
                for label in ("stmt:2", "stmt:3"):
                    assert ranks[0][label] <= ranks[1][label]

    def test_with_negative_tests(self) -> None:
        grammar = yacc("toy")
        plan = Plan(("cdrc",), negative=("rules", "tokens"), per_sentence=10)
        ranks = _ranks(
            localize(FAULTY, as_suite(grammar, generate(grammar, plan)), evidence="both")
        )
        assert (ranks["stmt:3"], ranks["stmt:2"]) == (1, 2)


def _ranks(result: Any) -> dict[str, float]:
    """The best rank of each rule."""
    ranks: dict[str, float] = {}
    for element in result.ranking:
        label = ":".join(element.label.split(":")[:2])
        ranks[label] = min(element.rank, ranks.get(label, sys.maxsize))
    return ranks


class TestManifests:
    def test_what_is_in_one(self, command: Command, tmp_path: Path) -> None:
        output = tmp_path / "suite.jsonl"
        answer = command(
            "generate", TOY, "--criterion", "cdrc", "--negative", "tokens", "--negative", "rules",
            "--per-sentence", "5", "-o", output,
        )  # fmt: skip
        assert (answer.status, answer.out, answer.err) == (0, "", "")
        header, *tests = map(json.loads, output.read_text().splitlines())
        grammar = yacc("toy")
        assert header["schema"] == "gramspect/suite/1"
        assert header["grammar"] == {"name": "toy", "files": [TOY], "start": "prog"}
        assert header["rules"] == [rule.label for rule in grammar.rules]
        assert (header["seed"], header["embedding"]) == (None, "shortest")
        kinds = Counter(t["mutation"]["of"] if "mutation" in t else None for t in tests)
        assert kinds.keys() == {None, "token", "rule"}
        for test in tests:
            assert test["expect"] == ("reject" if "mutation" in test else "accept")
            if "mutation" not in test:
                tree = tree_of(grammar, test["derivation"])
                assert words(grammar, tree.words) == test["text"]
            else:
                assert 0 <= test["mutation"]["error"] <= len(test["text"].split())
                assert test["mutation"]["what"]

    def test_localize_reads_it(self, command: Command, tmp_path: Path) -> None:
        output = tmp_path / "suite.jsonl"
        command("generate", TOY, "--criterion", "rule", "--negative", "rules", "-o", output)
        answer = command("localize", FAULTY, "--suite", output, "--format", "json")
        assert answer.status == 1
        first = {row["label"] for row in answer.json["ranking"][:2]}
        assert first == {"stmt:3:3", "stmt:2:4"}
        failing = answer.json["tests"]["failing"]
        assert all(test["name"].startswith(f"{output}:") for test in failing)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "there is no test in this suite"),
            ("{", ":1: this is no suite, the line is no JSON object"),
            ("[]", ":1: this is no suite, the line is no JSON object"),
            ("{}", ":1: this is no suite that gramspect generate wrote"),
            ('{"schema": "gramspect/suite/1"}', "there is no test in this suite"),
            (
                '{"schema": "gramspect/suite/1"}\n{"text": 1}',
                ':2: a test needs "text" and "expect"',
            ),
            ('{"schema": "gramspect/suite/1"}\n{"text": "a", "expect": []}', ":2: a test needs"),
            ('{"schema": "gramspect/suite/1"}\n' + "[" * 100_000, ":2: this is no suite"),
        ],
    )
    def test_what_is_none(self, tmp_path: Path, text: str, message: str) -> None:
        path = tmp_path / "suite.jsonl"
        path.write_text(text)
        with pytest.raises(SuiteError, match=message):
            TestSuite.load(manifests=[path])

    def test_files_that_cannot_be_read(self, tmp_path: Path) -> None:
        binary = tmp_path / "suite.jsonl"
        binary.write_bytes(b"\xff\xfe")
        with pytest.raises(SuiteError, match="is not UTF-8"):
            TestSuite.load(manifests=[binary])
        with pytest.raises(SuiteError, match="cannot be read"):
            TestSuite.load(manifests=[tmp_path / "none.jsonl"])


class TestCommand:
    def test_lines(self, command: Command) -> None:
        answer = command("generate", TOY)
        assert answer.status == 0
        paper = (FIXTURES / "toy" / "accept.txt").read_text()
        assert sorted(answer.out.splitlines()) == sorted(paper.splitlines())

    def test_a_folder(self, command: Command, tmp_path: Path) -> None:
        folder = tmp_path / "suite"
        args = ("generate", TOY, "--criterion", "rule", "--negative", "rules", "--limit", "20")
        assert command(*args, "-o", f"{folder}/").status == 0
        assert sorted(each.name for each in folder.iterdir()) == [
            "accept",
            "manifest.jsonl",
            "reject",
        ]
        from_files = TestSuite.load([folder / "accept"], [folder / "reject"])
        from_manifest = TestSuite.load(manifests=[folder / "manifest.jsonl"])
        assert [t.text for t in from_files] == [t.text for t in from_manifest]
        assert len(from_files) == 36
        assert "is there already" in command.fails(*args, "-o", folder)
        assert sorted(each.name for each in tmp_path.iterdir()) == ["suite"]

    def test_random_sentences(self, command: Command) -> None:
        args = ("generate", TOY, "--random", "30", "--max-tokens", "25", "--weight", "stmt:1=0")
        lines = command(*args, "--seed", "4").out.splitlines()
        assert len(set(lines)) == 30
        assert max(len(line.split()) for line in lines) <= 25
        assert command(*args, "--seed", "4").out.splitlines() == lines
        assert command(*args, "--seed", "5").out.splitlines() != lines

    def test_what_is_left_out_is_said(self, command: Command, tmp_path: Path) -> None:
        source = tmp_path / "g.y"
        source.write_text("%%\ns: 'a' | 'b' loop;\nloop: 'c' loop;\nlost: 'd';\n")
        answer = command("generate", source)
        assert (answer.status, answer.out) == (0, "a\n")
        assert answer.err.startswith(
            f"gramspect: note: {source}:3:1: 'loop' is in no test: it derives no sentence\n"
            f"gramspect: note: {source}:4:1: 'lost' is in no test: no sentence contains it\n"
        )

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (("--criterion", "rules"), "there is no criterion 'rules'; did you mean 'rule'?"),
            (("--criterion", "step"), "the criterion 'step' needs a number from 1 to 100"),
            (("--negative", "token"), "Invalid value for '--negative'"),
            (("--weight", "stmt=2"), "--weight stmt=2: the grammar has no rule 'stmt'"),
            (("--weight", "stmt:1=x"), "--weight stmt:1=x: 'x' is no number"),
            (("--random", "5", "--max-tokens", "2"), "the limit on tokens, 2, is too small"),
            (("--criterion", "rule", "--negative", "rules"), "lines do not say which tests"),
            (("--format", "files"), "a file per test needs a folder"),
            (("--start", "nothing"), "nothing"),
        ],
    )
    def test_what_cannot_be_used(
        self, command: Command, args: tuple[str, ...], message: str
    ) -> None:
        assert message in command.fails("generate", TOY, *args)

    def test_an_unproductive_start_symbol(self, command: Command, tmp_path: Path) -> None:
        source = tmp_path / "g.y"
        source.write_text("%%\ns: 'a' s;\n")
        message = command.fails("generate", source, "-o", tmp_path / "suite.jsonl")
        assert message.startswith(f"{source}:2:1: the start symbol 's' derives no sentence")
        assert not (tmp_path / "suite.jsonl").exists()

    def test_nothing_is_left_half_written(self, command: Command, tmp_path: Path) -> None:
        output = tmp_path / "suite.jsonl"
        output.write_text("before")
        command.fails("generate", TOY, "--random", "5", "--max-tokens", "2", "-o", output)
        assert output.read_text() == "before"
        assert [each.name for each in tmp_path.iterdir()] == ["suite.jsonl"]


def test_a_grammar_by_its_path() -> None:
    """The public function, from a file to tests that `localize` takes."""
    grammar = read_yacc(TOY)
    suite = as_suite(grammar, generate(grammar, Plan(("rule",))))
    assert [test.name for test in suite][:2] == ["accept:1", "accept:2"]
