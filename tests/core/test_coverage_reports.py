"""Reports of grammar coverage: text, JSON, and what CI servers read."""

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
from gramspect.grammars.ebnf import Alternative, Definition, Reference
from gramspect.grammars.grammar import expand
from gramspect.report.coverage_cobertura import coverage_cobertura
from gramspect.report.coverage_json import coverage_value
from gramspect.report.coverage_lcov import coverage_lcov
from gramspect.report.coverage_text import coverage_text
from gramspect.report.line_coverage import line_coverage
from gramspect.source import SourceText


@cache
def toy() -> Coverage:
    return coverage(FAULTY, TestSuite.load(accept=[ACCEPT], lines=True))


def covered(grammar: Grammar, accept: list[str], reject: list[str] | None = None) -> Coverage:
    return coverage(adapter("chart").build(grammar), TestSuite.from_texts(accept, reject or []))


class TestText:
    def test_percentages_are_never_rounded_up(self) -> None:
        rules = [("s", [f"t{n}"]) for n in range(2100)]
        result = covered(Grammar.from_rules(rules), [f"t{n}" for n in range(2099)])
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
        (records,) = lcov(coverage_lcov(toy())).values()
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
        for report in (coverage_lcov, coverage_cobertura):
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
        text = coverage_cobertura(toy())
        assert text.splitlines()[1].startswith("<!DOCTYPE coverage SYSTEM")
        root = ElementTree.fromstring(text)
        assert_valid(root)

    def test_numbers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1234567890")
        root = ElementTree.fromstring(coverage_cobertura(toy()))
        assert root.get("timestamp") == "1234567890000"
        assert (root.get("lines-covered"), root.get("lines-valid")) == ("21", "22")
        assert root.get("line-rate") == "0.9545"
        lines = {line.get("number"): line for line in root.iterfind(".//class/lines/line")}
        assert lines["34"].get("hits") == "0"
        assert lines["34"].get("condition-coverage") == "0% (0/1)"
        assert lines["10"].get("branch") is None
        (records,) = lcov(coverage_lcov(toy())).values()
        hits = {number: line.get("hits") for number, line in lines.items()}
        assert hits == dict(records["DA"])
        assert len(list(root.iterfind(".//method"))) == len(records["FN"])

    def test_names_that_xml_cannot_have(self, tmp_path: Path) -> None:
        text = coverage_cobertura(of_file(tmp_path, "%%\ns : '<' | '\\001' '\"' ;\n", ["<"]))
        assert_valid(ElementTree.fromstring(text))


def test_the_correct_grammar_and_both_expectations(command: Command, tmp_path: Path) -> None:
    reject = tmp_path / "reject.txt"
    reject.write_text("program id = { sleep } .\n")
    how = ["--lines", "--accept", ACCEPT, "--reject", reject, "--format", "json"]
    value = command("coverage", CORRECT, *how).json
    assert value["tests"]["failed"] == 0
    assert value["tests"]["rejected"] == 1
