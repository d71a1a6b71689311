"""k-paths on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import ACCEPT, CORRECT, Command
from gramspect.grammar_coverage.kpaths import k_path_coverage
from gramspect.grammars.grammar import Grammar
from gramspect.report.coverage_kpaths import k_path_lines
from gramspect.report.words import plain
from gramspect.yacc import read_yacc

COVERAGE = ("coverage", CORRECT, "--lines", "--accept")


class TestCoverage:
    def test_text(self, command: Command) -> None:
        answer = command(*COVERAGE, ACCEPT, "--k-paths", "1", "--top", "2")
        assert answer.status == 0
        *_, last = answer.out.split("\n\n")
        assert last.startswith("1-paths: ")
        assert command(*COVERAGE, ACCEPT, "--top", "2").out in answer.out

    def test_json(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / "in.txt").write_text("program id = { } .\nprogram ? id\n")
        answer = command(
            *COVERAGE, tmp_path / "in.txt", "--k-paths", "2", "--top", "3", "--format", "json"
        )
        value = answer.json["k_paths"]
        grammar = read_yacc(CORRECT)
        expected = k_path_coverage(grammar, [_tokens("program id = { } .")], 2)
        assert value["covered"] == len(expected.covered)
        assert value["total"] == expected.paths.count
        assert value["percent"] == pytest.approx(float(100 * expected.ratio))
        assert (value["k"], value["tests"], len(value["missing"])) == (2, 1, 3)
        plain_value = command(*COVERAGE, tmp_path / "in.txt", "--format", "json").json
        assert answer.json == plain_value | {"k_paths": value}

    def test_a_generated_suite_covers_all(self, command: Command, tmp_path: Path) -> None:
        suite = tmp_path / "suite.txt"
        suite.write_text(command("generate", CORRECT, "--criterion", "k-paths:2").out)
        out = command(*COVERAGE, suite, "--k-paths", "2").out
        number = len(suite.read_text().splitlines())
        assert f"2-paths: 277 of 277 (100.0 %), in {number} of {number} tests\n" in out

    def test_other_formats_do_not_have_them(self, command: Command, tmp_path: Path) -> None:
        output = tmp_path / "report"
        answer = command(*COVERAGE, ACCEPT, "--k-paths", "2", "--format", "lcov", "-o", output)
        assert answer.status == 2
        assert "--k-paths is reported as text and json, not as lcov" in answer.err
        assert not output.exists()

    def test_percentages_are_never_rounded_up(self) -> None:
        rules = [("s", [f"t{n}"]) for n in range(2100)]
        grammar = Grammar.from_rules(rules)
        result = k_path_coverage(grammar, [[n] for n in range(1, 2100)], 1)
        text = plain(list(k_path_lines(result, 1)))
        assert text.startswith("1-paths: 2,099 of 2,100 (99.9 %), in 2,099 of 2,099 tests\n")
        assert "  t2099@s:2100:0" in text


class TestGenerate:
    def test_too_large(self, command: Command, tmp_path: Path) -> None:
        answer = command("generate", CORRECT, "--criterion", "k-paths:30", "-o", tmp_path / "x")
        assert answer.status == 2
        assert "30-paths, more than the 100,000,000 that a suite can cover" in answer.err
        assert not (tmp_path / "x").exists()

    def test_too_shallow(self, command: Command) -> None:
        answer = command("generate", CORRECT, "--criterion", "k-paths:2:1")
        assert answer.status == 2
        assert "the limit on depth, 1, is too small" in answer.err


def _tokens(text: str) -> list[int]:
    grammar = read_yacc(CORRECT)
    found = [grammar.token(word) for word in text.split()]
    return [token for token in found if token is not None]
