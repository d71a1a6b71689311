"""Texts of token sequences: samples, separators, what the lexer reads; models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge import Judge
from toy_lexer import ToyLexer

from gramspect.errors import GramspectError
from gramspect.generation.generate import NEGATIVES, Generation, Plan
from gramspect.generation.sources import read_grammar
from gramspect.generation.texts import (
    Model,
    SampleTexts,
    Spacing,
    read_model,
    read_samples,
    sample_texts,
)
from gramspect.grammars.grammar import Grammar
from gramspect.suites.suite import Expectation

GRAMMAR = Grammar.from_rules(
    [
        ("prog", ["stmt"]),
        ("prog", ["prog", "semi", "stmt"]),
        ("stmt", ["create", "table"]),
        ("stmt", ["drop", "table"]),
        ("stmt", ["print", "expr"]),
        ("table", ["name"]),
        ("table", ["table", "dot", "name"]),
        ("expr", ["name"]),
        ("expr", ["num"]),
        ("expr", ["expr", "minus", "expr"]),
        ("expr", ["minus", "expr"]),
        ("expr", ["print"]),
    ]
)
PATTERNS = {
    "create": "create",
    "drop": "drop",
    "print": "print",
    "name": "[a-z]+",
    "num": r"[0-9]+(\.[0-9]+)?",
    "dot": r"\.",
    "minus": "-",
    "semi": ";",
}
TEXTS = {
    **{word: [word] for word in ("create", "drop", "print")},
    "name": ["a", "b", "c"],
    "num": ["1", "2"],
    "dot": ["."],
    "minus": ["-"],
    "semi": [";"],
}
WORDS = list(PATTERNS)
SEQUENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8)


def lexer(**changes: str) -> ToyLexer:
    """With ``--`` as the beginning of a comment, unless changed."""
    comment = {"skipped": r"(?:[ \n]|--[^\n]*)+"}
    return ToyLexer(GRAMMAR, PATTERNS, **{**comment, **changes}, texts=TEXTS)


def texts_of(
    spacing: Spacing = Spacing.BLANK, seed: int | None = None, **changes: str
) -> SampleTexts:
    found = sample_texts(GRAMMAR, lexer(**changes), spacing=spacing, seed=seed)
    return found[1]


def numbers(words: Sequence[str]) -> tuple[int, ...]:
    return tuple(GRAMMAR.symbol(word) for word in words)


class TestSpacing:
    @given(SEQUENCES, st.sampled_from(Spacing), st.none() | st.integers(0, 9))
    def test_texts_are_read_back(
        self, words: list[str], spacing: Spacing, seed: int | None
    ) -> None:
        tokens, texts = numbers(words), texts_of(spacing, seed)
        assert texts.read_back([tokens]) == [True]
        text = texts.text(tokens)
        assert lexer().lexed([text]) == [list(tokens)]
        starts = texts.starts(tokens)
        ends = [*starts[1:-1], len(text)]
        parts = [text[a:b].strip() for a, b in zip(starts, ends, strict=False)]
        assert len(starts) == len(tokens) + 1
        assert starts[-1] == len(text)
        assert [lexer().lexed([part])[0] for part in parts] == [[token] for token in tokens]

    def test_least_needs_blanks_between_words_only(self) -> None:
        texts = texts_of(Spacing.LEAST)
        words = "create name dot name semi print minus minus num minus num"
        assert texts.text(numbers(words.split())) == "create a.a;print- -1-1"
        assert texts_of().text(numbers(words.split())) == "create a . a ; print - - 1 - 1"

    def test_three_tokens_that_pairs_do_not_tell_about(self) -> None:
        """1 . 1 by themselves, but 1.1 is a number."""
        texts = texts_of(Spacing.LEAST)
        assert texts.text(numbers(["num", "dot"])) == "1."
        assert texts.text(numbers(["num", "dot", "num"])) == "1. 1"

    def test_no_blanks_where_the_lexer_takes_none(self) -> None:
        texts = texts_of(skipped=r"\n")
        assert texts.text(numbers(["num", "minus", "num"])) == "1-1"
        assert texts.text(numbers(["print", "name"])) == "print\na"

    def test_what_is_not_read_back_is_left_out_and_noted(self) -> None:
        """Nothing may stand between tokens, so words cannot follow each other."""
        toy = lexer(skipped="(?!)")
        grammar, texts = sample_texts(GRAMMAR, toy)
        generation = Generation(grammar, Plan(("cdrc",)), texts)
        left = {texts.text(test.tokens) for test in generation}
        assert {"print1", "print-1"} <= left
        assert not any(" " in text or "create" in text for text in left)
        assert "tests are left out: the lexer does not read the text" in generation.notes()[0]
        assert "'create a'" in generation.notes()[0]

    def test_a_pair_is_asked_about_once(self) -> None:
        toy = lexer()
        _, texts = sample_texts(GRAMMAR, toy)
        tokens = numbers(["print", "name", "minus", "name"])
        texts.text(tokens)
        before = toy.asked
        assert texts.read_back([tokens[:2], tokens]) == [True, True]
        assert toy.asked == before + 2

    def test_the_same_seed_gives_the_same_texts(self) -> None:
        tokens = [numbers(["print", *(["name", "minus"] * n), "name"]) for n in range(20)]
        first, again, other, plain = (
            [texts_of(seed=seed).text(each) for each in tokens] for seed in (0, 0, 1, None)
        )
        assert first == again != other
        assert set(" ".join(first).split()) == {"print", "-", "a", "b", "c"}
        assert set(" ".join(plain).split()) == {"print", "-", "a"}

    def test_silent_tokens_have_no_text(self) -> None:
        end = GRAMMAR.symbol("semi")
        _, texts = sample_texts(GRAMMAR, lexer(), silent=[end])
        tokens = (*numbers(["print", "name"]), end)
        assert texts.text(tokens) == "print a"
        assert texts.starts(tokens) == [0, 6, 7, 7]


class TestSamples:
    def test_tokens_without_a_text(self) -> None:
        toy = replace(lexer(), texts={k: v for k, v in TEXTS.items() if k not in ("dot", "num")})
        with pytest.raises(GramspectError, match=r"no text is known for num, dot|for dot, num"):
            sample_texts(GRAMMAR, toy)

    def test_given_samples_come_first(self) -> None:
        name = GRAMMAR.symbol("name")
        _, texts = sample_texts(GRAMMAR, lexer(), given={name: ("foo", "bar")})
        assert texts.text(numbers(["print", "name"])) == "print foo"

    def test_an_empty_list_leaves_a_token_out(self) -> None:
        _, texts = sample_texts(GRAMMAR, lexer(), given={GRAMMAR.symbol("num"): ()})
        generation = Generation(GRAMMAR, Plan(("cdrc",)), texts)
        assert all(GRAMMAR.symbol("num") not in test.tokens for test in generation)
        assert generation.notes() == ("num has no known text; tests with it are left out",)

    def test_a_file(self, tmp_path: Path) -> None:
        file = tmp_path / "samples.toml"
        file.write_text('name = ["x", "y"]\n"num" = "7"\nsemi = []\n')
        found = read_samples(str(file), GRAMMAR)
        by_name = {GRAMMAR.symbols[t].name: texts for t, texts in found.items()}
        assert by_name == {"name": ("x", "y"), "num": ("7",), "semi": ()}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("name = [\n", "2:1: is no TOML: "),
            ("name = [ ,\n", "1:10: is no TOML: "),
            ("\n nam = 'x'", "2:2: the grammar has no token 'nam'"),
            ("name = 3", "1:1: name must be a text or a list of texts"),
            ("name = ['a', '']", "1:1: name must be a text"),
            ("stmt = 'a'", "1:1: the grammar has no token 'stmt'"),
        ],
    )
    def test_mistakes_in_a_file(self, tmp_path: Path, text: str, message: str) -> None:
        file = tmp_path / "samples.toml"
        file.write_text(text)
        with pytest.raises(GramspectError) as error:
            read_samples(str(file), GRAMMAR)
        assert str(error.value).startswith(f"{file}:{message}")
        assert "\n" not in str(error.value)

    def test_yacc_grammars_take_samples_too(self, tmp_path: Path) -> None:
        grammar = tmp_path / "g.y"
        grammar.write_text("%token id num\n%%\ns : s '-' e | e ;\ne : id | num ;\n")
        samples = tmp_path / "samples.toml"
        samples.write_text("id = ['x']\nnum = ['1']\n\"'-'\" = '-'\n")
        loaded, texts = read_grammar(str(grammar), samples=str(samples))
        tests = [texts.text(test.tokens) for test in Generation(loaded, Plan(("rule",)), texts)]
        assert sorted(tests) == ["1", "x", "x - x"]


def model(tmp_path: Path, text: str) -> Model:
    file = tmp_path / "model.toml"
    file.write_text(text)
    return read_model(str(file))


MODEL = """
start = ["stmt", "stmt ';' stmt"]
prefix = "create t; "

[values]
table = ["t", "t.u"]
name = ["n"]
"""


class TestModels:
    def test_figure_8(self, tmp_path: Path) -> None:
        """Start symbol, values, one statement after another."""
        grammar, texts = sample_texts(GRAMMAR, lexer(), model=model(tmp_path, MODEL))
        tests = [texts.text(test.tokens) for test in Generation(grammar, Plan(("cdrc",)), texts)]
        assert all(test.startswith("create t; ") for test in tests)
        assert "create t; create t.u" in tests
        assert any(";" in test.removeprefix("create t; ") for test in tests)
        assert {word for t in tests for word in t.split()} <= {
            *("create", "drop", "print", "t;", "t", "t.u", "n", "-", "1", ";"),
        }

    def test_rules_and_items_keep_their_numbers(self, tmp_path: Path) -> None:
        grammar, _ = sample_texts(GRAMMAR, lexer(), model=model(tmp_path, MODEL))
        for old, new in zip(GRAMMAR.rules, grammar.rules, strict=False):
            assert (old.index, old.label, len(old.rhs)) == (new.index, new.label, len(new.rhs))
            assert grammar.rule_text(new.index) == GRAMMAR.rule_text(old.index)
        added = [grammar.rules[r].label for r in range(GRAMMAR.n_rules, grammar.n_rules)]
        assert added == ["model.table:1", "model.table:2", "model:1", "model:2"]
        assert str(grammar.rules[-1].span) == f"{tmp_path}/model.toml:2:1"
        assert grammar.item_start[GRAMMAR.n_rules] == GRAMMAR.n_items

    def test_a_symbol_without_values_is_not_used(self, tmp_path: Path) -> None:
        text = "start = 'stmt'\n[values]\nexpr = []\n"
        grammar, texts = sample_texts(GRAMMAR, lexer(), model=model(tmp_path, text))
        tests = [texts.text(test.tokens) for test in Generation(grammar, Plan(("cdrc",)), texts)]
        assert {"create a", "drop a", "create a . a"} <= set(tests)
        assert not any("print" in test for test in tests)

    @pytest.mark.parametrize("spacing", Spacing)
    @pytest.mark.parametrize("seed", [None, 1])
    def test_negative_tests_are_none_of_the_whole_language(
        self, tmp_path: Path, spacing: Spacing, seed: int | None
    ) -> None:
        """Judged by the chart of the grammar without the model, on what the lexer reads."""
        grammar, texts = sample_texts(
            GRAMMAR, lexer(), model=model(tmp_path, MODEL), spacing=spacing, seed=seed
        )
        judge = Judge(GRAMMAR)
        plan = Plan(("cdrc",), negative=("tokens", "rules"), per_sentence=60)
        verdicts = dict.fromkeys(Expectation, 0)
        for test in Generation(grammar, plan, texts):
            [read] = lexer().lexed([texts.text(test.tokens)])
            assert read is not None
            viable, accepted = judge(read)
            assert accepted == (test.expectation is Expectation.ACCEPT), texts.text(test.tokens)
            if test.mutation is not None and viable < len(read):
                error = texts.starts(test.tokens)[test.mutation.error]
                before = lexer().lexed([texts.text(test.tokens)[:error]])[0]
                assert before is not None
                assert viable <= len(before)
            verdicts[test.expectation] += 1
        assert verdicts[Expectation.ACCEPT] > 10
        assert verdicts[Expectation.REJECT] > 300

    def test_a_value_that_is_another_sentence_of_the_language_is_not_negative(
        self, tmp_path: Path
    ) -> None:
        """``print t`` is none for the model, which has only n for names, but one it must not be."""
        grammar, texts = sample_texts(GRAMMAR, lexer(), model=model(tmp_path, MODEL))
        kinds = tuple(kind for kind in NEGATIVES if not kind.startswith(("edge", "stack")))
        plan = Plan((), negative=kinds, base=("cdrc",))
        negatives = {texts.text(test.tokens) for test in Generation(grammar, plan, texts)}
        assert "create t; print t" not in negatives
        assert "create t; print create" in negatives

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("strat = 'stmt'", "1:1: unknown key 'strat'"),
            ("start = 'smt'", "1:1: the grammar has no symbol 'smt' (did you mean 'stmt'?)"),
            ("start = []\nprefix = 1", "2:1: prefix must be a text"),
            ("start = ['']", "1:1: start must be a list"),
            ("start = 3", "1:1: start must be a list"),
            ("""start = "stmt ';" """, "1:1: a quote in"),
            ("values = 1", "1:1: values must be a table"),
            ("[values]\ntabel = 't'", "2:1: the grammar has no symbol 'tabel'"),
            ("[values]\ntable = [1]", "2:1: table must be a text or a list of texts"),
            ("[values]\ntable = '7'", "2:1: table does not derive '7', which the lexer reads as"),
            ("start = 'stmt'\nstart = 'stmt'", "2:1: is no TOML"),
        ],
    )
    def test_mistakes(self, tmp_path: Path, text: str, message: str) -> None:
        with pytest.raises(GramspectError) as error:
            sample_texts(GRAMMAR, lexer(), model=model(tmp_path, text))
        assert str(error.value).startswith(f"{tmp_path}/model.toml:{message}")
        assert "\n" not in str(error.value)

    def test_files_that_cannot_be_read(self, tmp_path: Path) -> None:
        with pytest.raises(GramspectError, match=r"nothing\.toml: cannot be read"):
            read_model(str(tmp_path / "nothing.toml"))
        (tmp_path / "latin.toml").write_bytes(b"start = '\xe9'")
        with pytest.raises(GramspectError, match="is not UTF-8 text"):
            read_model(str(tmp_path / "latin.toml"))


def test_a_text_that_several_tests_have_is_read_once() -> None:
    """Shortest sentences of a chain of rules are all alike, and a lexer may take seconds."""
    asked: list[str] = []

    def lexed(texts: Sequence[str]) -> list[list[int]]:
        asked.extend(texts)
        return [[1] * len(text) for text in texts]

    texts = SampleTexts({1: ("a",)}, lexed=lexed)
    assert texts.read_back([(1,)] * 3) == [True] * 3
    assert asked.count("a") == 1
