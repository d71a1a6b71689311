"""Comparisons as a whole: the same rankings, refusals, several sources."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from command import ACCEPT, CORRECT, FAULTY, ROOT
from gramspect import (
    AdapterError,
    Grammar,
    GramspectError,
    RunOptions,
    TestCase,
    TestSuite,
    compare,
    localize,
)
from gramspect.comparison import Cause, Comparison
from gramspect.recognition.registry import adapter, adapters
from gramspect.suites.suite import Expectation
from lr_oracle import is_lalr1
from strategies import grammars, words
from toy import grammar as grammar_of

LALR = [name for name in ("native", "ply", "lark-lalr", "cup") if name in adapters()]
"""The techniques that have the same LALR(1) tables."""

TOY_SUITE = TestSuite.load([ACCEPT], lines=True)


def same(first: Comparison, names: Sequence[str]) -> None:
    """Techniques with identical verdicts, spectra and rankings."""
    assert [t.name for t in first.taking_part] == list(names)
    for agreement in first.agreements:
        assert agreement.same_spectra == len(first.suite)
        assert agreement.tau is None or agreement.tau == pytest.approx(1)
    if first.any_failing:
        assert all(a.tau is not None for a in first.agreements) or len(first.units) < 2


class TestCompare:
    def test_the_toy_in_all_techniques(self) -> None:
        """Each technique, whichever are installed, ranks as `localize` does by itself."""
        found = compare(FAULTY, TOY_SUITE)
        names = [technique.name for technique in found.taking_part]
        assert {"antlr", "chart", "native", "ply"} <= set(names)
        alone = localize(FAULTY, TOY_SUITE, evidence="both")
        for column, technique in enumerate(found.taking_part):
            ranks = {e.label: e.rank for e in technique.result.ranking}
            assert ranks == {e.label: e.rank for e in alone.ranking}, technique.name
            for unit, rank in zip(found.units, found.ranks[:, column].tolist(), strict=True):
                assert ranks.get(unit.label, rank) == rank
        assert found.disagreements == ()

    def test_elements_that_are_not_ranked_share_the_last_ranks(self) -> None:
        found = compare(FAULTY, TOY_SUITE, adapters=["native"])
        n, ranked = len(found.units), len(found.taking_part[0].result.ranking)
        last = [r for r in found.ranks[:, 0].tolist() if r > ranked]
        assert len(last) == n - ranked
        assert set(last) == {(ranked + 1 + n) / 2}

    @pytest.mark.parametrize("spectrum", ["rule", "item", "shift"])
    @pytest.mark.parametrize("group", [False, True])
    def test_spectra_and_groups(self, spectrum: str, group: bool) -> None:
        names = ["native", "ply"]
        same(compare(FAULTY, TOY_SUITE, adapters=names, spectrum=spectrum, group=group), names)

    @given(st.data())
    def test_lalr_techniques_are_the_same(self, data: st.DataObject) -> None:
        """On LALR(1) grammars all of them do what core's own parser does."""
        cfg = data.draw(grammars(keep=is_lalr1))
        assume(is_lalr1(cfg))
        drawn = data.draw(st.lists(words(cfg), min_size=1, max_size=6, unique=True))
        expected = data.draw(
            st.lists(st.sampled_from(Expectation), min_size=len(drawn), max_size=len(drawn))
        )
        suite = TestSuite(
            tuple(
                TestCase(str(n), e, " ".join(w), w)
                for n, (w, e) in enumerate(zip(drawn, expected, strict=True))
            )
        )
        grammar = Grammar.from_rules(cfg.rules, start=cfg.start)
        found = compare(grammar, suite, adapters=LALR)
        same(found, LALR)
        assert found.disagreements == ()

    def test_a_technique_that_cannot_build_has_a_row_that_says_why(self) -> None:
        grammar = grammar_of("s -> x\nx -> y a\ny -> x b\ny -> c")  # indirect left recursion
        suite = TestSuite.from_texts(accept=["c a", "c"])
        found = compare(grammar, suite, adapters=["antlr", "native"])
        antlr, native = found.techniques
        assert antlr.localization is None
        assert antlr.refusal is not None
        assert "mutually left-recursive [x, y]" in antlr.refusal
        assert found.taking_part == (native,)
        assert len(native.result.failing) == 1

    def test_a_missing_dependency_has_a_row(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(type(adapter("ply")), "missing", lambda _: "PLY is not there")
        found = compare(FAULTY, TOY_SUITE, adapters=["native", "ply"])
        assert [t.refusal for t in found.techniques] == [None, "PLY is not there"]
        everybody = compare(FAULTY, TOY_SUITE)
        assert "ply" not in [t.name for t in everybody.techniques]

    def test_no_technique_takes_it(self) -> None:
        with pytest.raises(AdapterError, match=r"there is no technique to compare: antlr-python: "):
            compare(FAULTY, TOY_SUITE, adapters=["antlr-python"])

    def test_an_extraction_that_only_some_have(self) -> None:
        found = compare(FAULTY, TOY_SUITE, adapters=["chart", "native"], extraction="stack")
        chart, native = found.techniques
        assert "needs the stack of an LR parser" in (chart.refusal or "")
        assert native.localization is not None

    def test_time_limits_run_built_parsers_in_workers(self) -> None:
        found = compare(FAULTY, TOY_SUITE, run=RunOptions(timeout=60), adapters=["native", "ply"])
        same(found, ["native", "ply"])

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"metric": "best"}, "best"),
            ({"spectrum": "words"}, "there is no 'words'; choose one of rule, item, shift"),
            ({"adapters": ["yacc"]}, "there is no adapter 'yacc'"),
        ],
    )
    def test_arguments(self, arguments: dict[str, object], message: str) -> None:
        with pytest.raises(GramspectError, match=message):
            compare(FAULTY, TOY_SUITE, **arguments)  # type: ignore[arg-type]


class TestSources:
    def test_the_same_language_in_two_notations(self) -> None:
        toy = str(ROOT / "fixtures" / "antlr" / "Toy.g4")
        found = compare([toy, FAULTY, f"chart={FAULTY}"], TOY_SUITE)
        assert [t.adapter for t in found.taking_part] == ["antlr", "native", "chart"]
        assert found.grammar is None
        assert {unit.label for unit in found.units} >= {"stmt", "block", "prog"}
        assert all(a.tau == pytest.approx(1) for a in found.agreements)
        assert all(a.same_spectra is None for a in found.agreements)
        assert not any(note.code == "unmatched" for note in found.notes)

    def test_names_differ_in_case_and_signs(self, tmp_path: Path) -> None:
        one, other = tmp_path / "one.y", tmp_path / "other.y"
        one.write_text("%%\nprogram : if_stmt ;\nif_stmt : 'a' 'b' | only ;\nonly : 'c' ;\n")
        other.write_text("%%\nProgram : IfStmt ;\nIfStmt : 'a' 'b' | 'c' ;\n")
        found = compare([str(one), str(other)], TestSuite.from_texts(accept=["a b", "c", "a"]))
        assert [unit.label for unit in found.units] == ["program", "if_stmt", "only"]
        assert np.isnan(found.ranks[2, 1])
        assert not np.isnan(found.ranks[:2]).any()
        (note,) = (note for note in found.notes if note.code == "unmatched")
        assert note.text == (
            f"native {one}: 1 of 3 non-terminals have no counterpart by name: only"
        )
        assert found.agreements[0].n_units == 2

    def test_grammars_that_differ(self, tmp_path: Path) -> None:
        one, other = tmp_path / "one.y", tmp_path / "other.y"
        one.write_text("%%\ns : 'a' | 'b' 'a' ;\n")
        other.write_text("%%\ns : 'a' | 'b' ;\n")
        suite = TestSuite.from_texts(accept=["a", "b a"])
        (found,) = compare([str(one), str(other)], suite).disagreements
        assert found.test.name == "accept:2"
        assert found.derivable == (True, False)
        assert found.explanations[0] is None
        assert found.explanations[1] is not None
        assert found.explanations[1].cause is Cause.GRAMMAR
        (found,) = compare(
            [str(one), str(other)], TestSuite.from_texts(accept=["a"], reject=["b"])
        ).disagreements
        assert found.explanations[1] is not None
        assert found.explanations[1].text == "its grammar derives the test"

    def test_tokens_that_one_does_not_have(self, tmp_path: Path) -> None:
        one, other = tmp_path / "one.y", tmp_path / "other.y"
        one.write_text("%%\ns : 'a' | 'b' ;\n")
        other.write_text("%%\ns : 'a' ;\n")
        suite = TestSuite.from_texts(accept=["a", "b"])
        (found,) = compare([str(one), str(other)], suite).disagreements
        assert found.explanations[1] is not None
        assert found.explanations[1].cause is Cause.LEXING

    def test_lexers_that_differ(self, tmp_path: Path) -> None:
        for name, word in (("Letters", "[a-z]"), ("Words", "[a-z]+")):
            (tmp_path / f"{name}.g4").write_text(
                f"grammar {name}; s : WORD WORD EOF ; WORD : {word} ; WS : ' ' -> skip ;\n"
            )
        (tmp_path / "Signs.g4").write_text(
            "grammar Signs; s : WORD WORD SIGN? EOF ; WORD : [a-z] ; SIGN : '!' ;\n"
        )
        files = [str(tmp_path / f"{name}.g4") for name in ("Letters", "Words", "Signs")]
        suite = TestSuite.from_texts(accept=["ab", "ab!"])
        first, second = compare(files, suite).disagreements
        assert [e and e.text for e in first.explanations] == [
            None, "its lexer makes 1 tokens where another one makes 2", None,
        ]  # fmt: skip
        assert [e and e.text for e in second.explanations] == [
            "its lexer rejects the input", "its lexer rejects the input", None,
        ]  # fmt: skip
        assert all(e is None or e.cause is Cause.LEXING for e in second.explanations)

    def test_one_grammar_with_a_lexer(self, tmp_path: Path) -> None:
        """The tokens of ANTLR's lexer go to every technique; what it rejects goes to none."""
        g4 = tmp_path / "Sum.g4"
        g4.write_text("grammar Sum; s : N ('+' N)* EOF ; N : [0-9]+ ; WS : ' ' -> skip ;\n")
        suite = TestSuite.from_texts(accept=["1", "1+2+3", "1 + 2"], reject=["1 +", "1 & 2"])
        found = compare(str(g4), suite, adapters=["antlr", "chart", "native", "ply"])
        same(found, ["antlr", "chart", "native", "ply"])
        assert [test.tokens for test in found.suite] == [
            ("N", "EOF"), ("N", "'+'", "N", "'+'", "N", "EOF"), ("N", "'+'", "N", "EOF"),
            ("N", "'+'", "EOF"),
        ]  # fmt: skip
        (note,) = (note for note in found.notes if note.code == "lexer")
        assert note.text.startswith("1 of 5 tests are left out")

    @pytest.mark.parametrize("place", ["grammar", "folder"])
    def test_a_grammar_whose_name_has_no_suffix_is_no_parser(
        self, tmp_path: Path, place: str
    ) -> None:
        """It is built by every adapter, and has no row of its own."""
        if place == "grammar":
            (tmp_path / place).write_text("%%\ns : 'a' s | ;\n")
        else:
            (tmp_path / place / "examples").mkdir(parents=True)
            (tmp_path / place / "L.g4").write_text("grammar L; s : 'a'* EOF ; W : ' ' -> skip ;\n")
        name = "native" if place == "grammar" else "antlr"
        found = compare(f"{name}={tmp_path / place}", TestSuite.from_texts(accept=["a a"]))
        assert f"{name} itself" not in [technique.name for technique in found.techniques]
        assert name in [technique.name for technique in found.taking_part]

    def test_a_source_that_does_not_load_has_a_row(self, tmp_path: Path) -> None:
        broken = tmp_path / "broken.y"
        broken.write_text("%%\ns : 'a\n")
        found = compare([FAULTY, str(broken)], TOY_SUITE)
        assert found.techniques[1].refusal is not None
        assert str(broken) in found.techniques[1].refusal

    def test_arguments(self) -> None:
        with pytest.raises(AdapterError, match="write ADAPTER=SOURCE"):
            compare([FAULTY, CORRECT], TOY_SUITE, adapters=["native"])
        with pytest.raises(AdapterError, match="named twice"):
            compare([FAULTY, FAULTY], TOY_SUITE)
        with pytest.raises(GramspectError, match="nothing to compare"):
            compare([], TOY_SUITE)
