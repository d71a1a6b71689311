"""Grammar coverage: what is counted, what is missing, and the reports that CI servers read."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfg import Cfg
from command import ACCEPT, CORRECT, FAULTY, ROOT, Command
from gramspect import (
    Coverage,
    Grammar,
    GramspectError,
    TestSuite,
    adapter,
    coverage,
    read_yacc,
)
from gramspect.ebnf import Alternative, Block, Definition, Reference, expand
from gramspect.extraction import observe
from gramspect.grammar import Operator
from gramspect.grammar_coverage import Level, State, Tally
from gramspect.report.cobertura import cobertura_report
from gramspect.report.coverage_json import coverage_value
from gramspect.report.coverage_text import coverage_text
from gramspect.report.lcov import lcov_report
from gramspect.report.line_coverage import line_coverage
from gramspect.source import SourceText
from gramspect.trace import Extraction, Verdict
from strategies import grammars, words


@cache
def toy() -> Coverage:
    return coverage(FAULTY, TestSuite.load(accept=[ACCEPT], lines=True))


def covered(grammar: Grammar, accept: list[str], reject: list[str] | None = None) -> Coverage:
    return coverage(adapter("chart").build(grammar), TestSuite.from_texts(accept, reject or []))


def option(*symbols: str) -> Block:
    return block(Operator.OPTION, *symbols)


def block(operator: Operator, *alternatives: str) -> Block:
    return Block(
        operator,
        tuple(Alternative(tuple(Reference(x) for x in text.split())) for text in alternatives),
    )


def ebnf(*elements: Reference | Block) -> Grammar:
    return expand([Definition("s", (Alternative((Reference("x"), *elements)),))])


class TestCounting:
    def test_toy(self) -> None:
        result = toy()
        assert result.levels[Level.NONTERMINALS] == Tally(8, 0, 0)
        assert result.levels[Level.RULES] == result.levels[Level.ALTERNATIVES] == Tally(21, 1, 0)
        assert result.levels[Level.CHOICES] == Tally(0, 0, 0)
        assert result.levels[Level.ITEMS] == Tally(76, 4, 1)
        assert result.percent == pytest.approx(100 * 21 / 22)
        assert (result.n_accepted, result.n_rejected, len(result.failing)) == (14, 2, 2)

    def test_tests_of_elements(self) -> None:
        (test,) = toy().tests_of_rule(14)
        assert test.name.endswith(":14")
        assert toy().rule_hits[14] == 0
        assert toy().rule_state(14) is State.TOUCHED
        assert toy().tests_of_item(toy().grammar.item(14, 4)) == ()

    @given(st.data())
    def test_against_single_observations(self, data: st.DataObject) -> None:
        cfg: Cfg = data.draw(grammars())
        grammar = Grammar.from_rules(cfg.rules, start=cfg.start)
        texts = data.draw(st.lists(words(cfg), min_size=1, max_size=5, unique=True))
        recognizer = adapter("chart").build(grammar)
        suite = TestSuite.from_texts([" ".join(word) for word in texts])
        result = coverage(recognizer, suite)
        seen = [observe(recognizer.trace(test), Extraction.EXACT) for test in suite]
        accepted = [one for one in seen if one.verdict is Verdict.ACCEPTED]
        rejected = [one for one in seen if one.verdict is Verdict.REJECTED]
        for rule in range(grammar.n_rules):
            hits = sum(rule in one.rules for one in accepted)
            touched = any(rule in one.rules for one in rejected)
            state = State.COVERED if hits else State.TOUCHED if touched else State.MISSED
            assert (result.rule_hits[rule], result.rule_state(rule)) == (hits, state)
        for item in range(grammar.n_items):
            hits = sum(item in one.items for one in accepted)
            touched = any(item in one.items for one in rejected)
            state = State.COVERED if hits else State.TOUCHED if touched else State.MISSED
            assert (result.item_hits[item], result.item_state(item)) == (hits, state)

    @pytest.mark.parametrize(
        ("element", "tests", "expected"),
        [
            (option("a"), ["x a"], Tally(1, 0, 1)),
            (option("a"), ["x a", "x"], Tally(2, 0, 0)),
            (option("a", "b"), ["x", "x b"], Tally(2, 0, 1)),
            (block(Operator.GROUP, "a", "b c"), ["x a"], Tally(1, 0, 1)),
            (block(Operator.GROUP, "a b"), ["x a b"], Tally(0, 0, 0)),
            (block(Operator.STAR, "a"), ["x"], Tally(0, 0, 1)),
            (block(Operator.STAR, "a"), ["x a"], Tally(1, 0, 0)),
            (block(Operator.PLUS, "a"), ["x a"], Tally(0, 0, 1)),
            (block(Operator.PLUS, "a"), ["x a a"], Tally(1, 0, 0)),
            (block(Operator.STAR, "a", "b"), ["x a"], Tally(2, 0, 1)),
            (block(Operator.SET, "a", "b", "c"), ["x a"], Tally(0, 0, 0)),
            (block(Operator.ACTION, ""), ["x"], Tally(0, 0, 0)),
        ],
    )
    def test_choices(self, element: Block, tests: list[str], expected: Tally) -> None:
        result = covered(ebnf(element), tests)
        assert result.levels[Level.CHOICES] == expected
        assert result.levels[Level.RULES] == Tally(1, 0, 0)

    def test_useless_parts_are_no_misses(self) -> None:
        rules = [("s", "a"), ("s", "dead"), ("dead", "dead b"), ("lost", "a"), ("s", "c")]
        grammar = Grammar.from_rules([(lhs, rhs.split()) for lhs, rhs in rules], start="s")
        result = covered(grammar, ["a"])
        assert result.levels[Level.RULES] == Tally(1, 0, 1)
        assert result.levels[Level.NONTERMINALS] == Tally(1, 0, 0)
        assert [(u.label, u.why) for u in result.useless] == [
            ("s:2", "unproductive"),
            ("dead", "unproductive"),
            ("lost", "unreachable"),
        ]
        assert [gap.label for gap in result.gaps] == ["s:3"]

    def test_only_reached_through_what_derives_nothing(self) -> None:
        rules = [("s", "a"), ("s", "dead far"), ("dead", "dead"), ("far", "a")]
        grammar = Grammar.from_rules([(lhs, rhs.split()) for lhs, rhs in rules])
        result = covered(grammar, ["a"])
        assert {u.label: u.why for u in result.useless}["far"] == "unreachable"
        assert result.percent == 100

    def test_an_empty_language(self) -> None:
        grammar = Grammar.from_rules([("s", ["s", "a"])])
        result = covered(grammar, [], ["a"])
        assert result.levels[Level.ALTERNATIVES] == Tally(0, 0, 0)
        assert result.percent == 100
        assert result.gaps == ()
        assert [u.label for u in result.useless] == ["s"]

    def test_unknown_extraction(self) -> None:
        with pytest.raises(GramspectError, match="there are: exact, all, stack"):
            coverage(FAULTY, TestSuite.from_texts(["x"]), extraction="most")


class TestGaps:
    def test_the_shortest_first(self) -> None:
        rules = [("s", "a"), ("s", "( s )"), ("s", "long"), ("long", "b b b b"), ("long", "c")]
        grammar = Grammar.from_rules([(lhs, rhs.split()) for lhs, rhs in rules])
        gaps = covered(grammar, ["a"]).gaps
        assert [(gap.kind, gap.label, gap.sentence) for gap in gaps] == [
            ("rule", "s:3", ("c",)),
            ("nonterminal", "long", ("c",)),
            ("rule", "s:2", ("(", "a", ")")),
        ]

    @pytest.mark.parametrize(
        ("element", "test", "what"),
        [
            (option("a"), "x", "a? is never a"),
            (option("a"), "x a", "a? is never left out"),
            (block(Operator.STAR, "a"), "x", "a* is never taken"),
            (block(Operator.PLUS, "a b"), "x a b", "( a b )+ is never repeated"),
            (block(Operator.GROUP, "a", "b c"), "x a", "( a | b c ) is never b c"),
        ],
    )
    def test_choices_in_words(self, element: Block, test: str, what: str) -> None:
        (gap,) = covered(ebnf(element), [test]).gaps
        assert gap.kind == "choice"
        assert gap.what.startswith("s -> x ")
        assert gap.what.endswith(f": {what}")

    def test_choices_of_what_is_never_entered_are_not_named(self) -> None:
        inner = Definition("t", (Alternative((Reference("b"), option("c"))),))
        outer = Definition("s", (Alternative((Reference("a"),)), Alternative((Reference("t"),))))
        result = covered(expand([outer, inner]), ["a"])
        assert {gap.label for gap in result.gaps} == {"s:2", "t"}
        assert result.levels[Level.CHOICES] == Tally(0, 0, 2)

    @given(grammars())
    def test_what_is_proposed_leads_to_full_coverage(self, cfg: Cfg) -> None:
        """Each round of proposed tests covers what it was proposed for; in the end all is."""
        grammar = Grammar.from_rules(cfg.rules, start=cfg.start)
        recognizer = adapter("chart").build(grammar)
        tests = {"z"}
        result = coverage(recognizer, TestSuite.from_texts(sorted(tests)), extraction="all")
        while result.gaps:
            proposed = {" ".join(gap.sentence or ()) for gap in result.gaps}
            assert not proposed <= tests
            tests |= proposed
            suite = TestSuite.from_texts(sorted(tests))
            before, result = result, coverage(recognizer, suite, extraction="all")
            assert result.n_accepted == len(tests) - 1
            for gap in before.gaps:
                if gap.kind == "rule":
                    assert result.rule_state(gap.rule) is State.COVERED
        assert result.percent == 100
        assert set(map(result.rule_state, range(grammar.n_rules))) == {State.COVERED}


# --- reports -------------------------------------------------------------------------------


class TestText:
    def test_percentages_are_never_rounded_up(self) -> None:
        rules = [("s", [f"t{n}"]) for n in range(3000)]
        result = covered(Grammar.from_rules(rules), [f"t{n}" for n in range(2999)])
        assert "    99.9 " in coverage_text(result)

    def test_gaps_and_useless_parts(self) -> None:
        rules = [("s", ["a"]), ("s", ["b"]), ("s", []), ("t", ["\x1b[31m"])]
        text = coverage_text(covered(Grammar.from_rules(rules), ["a"]))
        assert "test: the empty input\n" in text
        assert "test: b\n" in text
        assert "t  unreachable\n" in text

    def test_command(self, command: Command) -> None:
        answer = command("coverage", FAULTY, "--accept", ACCEPT, "--lines")
        assert (answer.status, answer.err) == (0, "")
        assert answer.out == coverage_text(toy())
        assert "test: program id = { while id do { } ; } .\n" in answer.out

    @pytest.mark.parametrize(
        ("percent", "status"), [("95.4", 0), ("95.5", 1), ("100", 1), ("0", 0)]
    )
    def test_fail_under(self, command: Command, percent: str, status: int) -> None:
        how = ["coverage", FAULTY, "--accept", ACCEPT, "--lines", "--fail-under", percent]
        answer = command(*how)
        assert answer.status == status
        assert bool(answer.err) is bool(status)
        if status:
            assert answer.err.startswith("gramspect: 95.45 % of the alternatives are covered")

    def test_full_coverage_is_enough(self, command: Command, tmp_path: Path) -> None:
        tests = tmp_path / "tests.txt"
        tests.write_text(Path(ACCEPT).read_text() + "program id = { while id do { } ; } .\n")
        how = ["coverage", FAULTY, "--accept", tests, "--lines", "--fail-under", "100"]
        assert command(*how).status == 0

    def test_unusable_arguments(self, command: Command, tmp_path: Path) -> None:
        assert "no/such" in command.fails("coverage", "no/such.y", "--accept", ACCEPT)
        assert "--fail-under" in command.fails("coverage", FAULTY, "--fail-under", "101")
        target = tmp_path / "no" / "report.xml"
        message = command.fails("coverage", FAULTY, "--accept", ACCEPT, "--lines", "-o", target)
        assert "does not exist" in message


class TestJson:
    def test_it_agrees_with_the_result(self, command: Command) -> None:
        value = command("coverage", FAULTY, "--accept", ACCEPT, "--lines", "--format", "json").json
        assert value == coverage_value(toy()) == json.loads(json.dumps(value))
        assert value["schema"] == "gramspect/coverage/1"
        assert value["levels"]["rules"] == {
            "covered": 21,
            "touched": 1,
            "missed": 0,
            "total": 22,
            "percent": pytest.approx(95.4545, abs=1e-4),
        }
        rules = [rule for n in value["nonterminals"] for rule in n["rules"]]
        assert Counter(rule["state"] for rule in rules) == {"covered": 21, "touched": 1}
        assert Counter(i["state"] for rule in rules for i in rule["items"])["missed"] == 1

    def test_every_key_is_documented(self) -> None:
        text = (ROOT / "docs" / "coverage.md").read_text().split("## The JSON report")[1]
        documented = set(re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE))
        useless = covered(Grammar.from_rules([("s", ["a"]), ("t", ["a"])]), ["a"])
        values = [coverage_value(toy()), coverage_value(useless)]
        assert {key for value in values for key in _keys(value, "")} == documented


def _keys(value: Any, prefix: str) -> list[str]:
    """The paths of all keys; those of levels and locations once, as the documentation has them."""
    if isinstance(value, list):
        return [key for one in value for key in _keys(one, f"{prefix[:-1]}[].")]
    if not isinstance(value, dict) or prefix.endswith("location."):
        return []
    if prefix == "levels.":
        return [key for one in value.values() for key in _keys(one, "levels.LEVEL.")]
    inner = [key for name, one in value.items() for key in _keys(one, f"{prefix}{name}.")]
    return [*(prefix + name for name, one in value.items() if not _nested(one)), *inner]


def _nested(value: Any) -> bool:
    """Whether a value has documented keys of its own, so that it is no entry itself."""
    return isinstance(value, dict) and "file" not in value


def lcov(text: str) -> dict[str, dict[str, list[list[str]]]]:
    """A tracefile, read as geninfo(1) describes it: the records of each file by their kinds."""
    files: dict[str, dict[str, list[list[str]]]] = {}
    current: dict[str, list[list[str]]] | None = None
    for line in text.splitlines():
        if line == "end_of_record":
            assert current is not None
            current = None
            continue
        kind, colon, rest = line.partition(":")
        assert colon
        if kind == "TN":
            assert current is None
        elif kind == "SF":
            current = files.setdefault(rest, {})
        else:
            assert current is not None
            parts = {"FN": 2, "FNDA": 2, "DA": 2, "BRDA": 4}.get(kind, 1)
            fields = rest.split(",", parts - 1)
            assert len(fields) == parts
            current.setdefault(kind, []).append(fields)
    assert current is None
    return files


class TestLcov:
    def test_records(self) -> None:
        (records,) = lcov(lcov_report(toy())).values()
        assert records["FN"][0] == ["10", "prog"]
        assert ["14", "prog"] in records["FNDA"]
        assert records["FNF"] == records["FNH"] == [["8"]]
        lines = {int(line): int(hits) for line, hits in records["DA"]}
        assert lines[34] == 0
        assert lines[10] == 14
        assert records["LF"] == [[str(len(lines))]] == [["22"]]
        assert records["LH"] == [["21"]]
        branches = [(int(line), taken) for line, _, _, taken in records["BRDA"]]
        assert (34, "0") in branches
        assert {line for line, _ in branches} <= set(lines)
        assert records["BRF"] == [[str(len(branches))]]
        assert records["BRH"] == [[str(sum(taken not in "0-" for _, taken in branches))]]

    def test_lines_count_the_tests_that_use_them(self) -> None:
        """A line with several alternatives is used by tests that use one of them."""
        text = "s : a | b | c d\n  | e ;\nt : e ;"
        source = SourceText("g.x", text)

        def reference(name: str, at: int) -> Reference:
            return Reference(name, source.span(at, at + 1))

        a, b, c, d, e = (reference(name, text.index(f" {name}") + 1) for name in "abcde")
        groups = ((a,), (b,), (c, d), (e,))
        alternatives = tuple(
            Alternative(g, g[0].span.to(g[-1].span)) for g in groups if g[0].span and g[-1].span
        )
        grammar = expand([Definition("s", alternatives, source.span(0, 1))])
        (file,) = line_coverage(covered(grammar, ["a", "b", "c d"], ["c", "e e"]))
        assert (file.file, file.lines) == ("g.x", {1: 3, 2: 0})
        assert [(b.line, b.number, b.taken) for b in file.branches] == [
            (1, 0, 1), (1, 1, 1), (1, 2, 1), (2, 3, 0),
        ]  # fmt: skip
        assert file.functions == (("s", 1, 3),)

    def test_decisions_that_no_test_reaches(self, tmp_path: Path) -> None:
        rules = "%%\ns : a | t ;\nt : b | c ;\n"
        (file,) = line_coverage(of_file(tmp_path, rules, ["a"]))
        assert [branch.taken for branch in file.branches] == [1, 0, None, None]
        assert file.lines == {2: 1, 3: 0}

    def test_grammars_without_files(self) -> None:
        result = covered(Grammar.from_rules([("s", ["a"])]), ["a"])
        for report in (lcov_report, cobertura_report):
            with pytest.raises(GramspectError, match="in no file"):
                report(result)


def of_file(folder: Path, text: str, accept: list[str]) -> Coverage:
    """The coverage of a yacc grammar in a file."""
    file = folder / "g.y"
    file.write_text(text)
    return covered(read_yacc(str(file)), accept)


DTD: dict[str, tuple[tuple[str, ...], str, tuple[str, ...], tuple[str, ...]]] = {
    "coverage": (
        ("sources", "packages"), "sequence",
        ("line-rate", "branch-rate", "lines-covered", "lines-valid", "branches-covered",
         "branches-valid", "complexity", "version", "timestamp"), (),
    ),
    "sources": (("source",), "many", (), ()),
    "source": ((), "text", (), ()),
    "packages": (("package",), "many", (), ()),
    "package": (("classes",), "sequence", ("name", "line-rate", "branch-rate", "complexity"), ()),
    "classes": (("class",), "many", (), ()),
    "class": (
        ("methods", "lines"), "sequence",
        ("name", "filename", "line-rate", "branch-rate", "complexity"), (),
    ),
    "methods": (("method",), "many", (), ()),
    "method": (("lines",), "sequence", ("name", "signature", "line-rate", "branch-rate"), ()),
    "lines": (("line",), "many", (), ()),
    "line": (("conditions",), "many", ("number", "hits"), ("branch", "condition-coverage")),
    "conditions": (("condition",), "many", (), ()),
    "condition": ((), "empty", ("number", "type", "coverage"), ()),
}  # fmt: skip
"""Cobertura's coverage-04.dtd: the children and how they follow each other, the attributes that
are required and those that may be there."""


def assert_valid(element: Element) -> None:
    children, how, required, optional = DTD[element.tag]
    names = tuple(child.tag for child in element)
    if how == "sequence":
        assert names == children
    else:
        assert set(names) <= set(children)
    if how != "text":
        assert not (element.text or "").strip()
    assert set(required) <= set(element.attrib) <= {*required, *optional}
    for child in element:
        assert_valid(child)


class TestCobertura:
    def test_it_follows_its_dtd(self) -> None:
        text = cobertura_report(toy())
        assert text.splitlines()[1].startswith("<!DOCTYPE coverage SYSTEM")
        root = ElementTree.fromstring(text)
        assert_valid(root)

    def test_numbers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1234567890")
        root = ElementTree.fromstring(cobertura_report(toy()))
        assert root.get("timestamp") == "1234567890000"
        assert (root.get("lines-covered"), root.get("lines-valid")) == ("21", "22")
        assert root.get("line-rate") == "0.9545"
        lines = {line.get("number"): line for line in root.iterfind(".//class/lines/line")}
        assert lines["34"].get("hits") == "0"
        assert lines["34"].get("condition-coverage") == "0% (0/1)"
        assert lines["10"].get("branch") is None
        (records,) = lcov(lcov_report(toy())).values()
        hits = {number: line.get("hits") for number, line in lines.items()}
        assert hits == dict(records["DA"])
        assert len(list(root.iterfind(".//method"))) == len(records["FN"])

    def test_names_that_xml_cannot_have(self, tmp_path: Path) -> None:
        text = cobertura_report(of_file(tmp_path, "%%\ns : '<' | '\\001' '\"' ;\n", ["<"]))
        assert_valid(ElementTree.fromstring(text))


def test_the_correct_grammar_and_both_expectations(command: Command, tmp_path: Path) -> None:
    reject = tmp_path / "reject.txt"
    reject.write_text("program id = { sleep } .\n")
    how = ["--lines", "--accept", ACCEPT, "--reject", reject, "--format", "json"]
    value = command("coverage", CORRECT, *how).json
    assert value["tests"]["failed"] == 0
    assert value["tests"]["rejected"] == 1
