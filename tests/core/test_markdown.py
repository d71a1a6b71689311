"""Reports in Markdown, read by a parser of Markdown's own rules for tables and code."""

from __future__ import annotations

import re

from command import ACCEPT, FAULTY, Command
from gramspect import coverage, coverage_markdown, localize, markdown_report
from gramspect.adapter_api import Grammar
from gramspect.builtin.native import adapter as native
from gramspect.suites.suite import TestSuite


def cells(line: str) -> list[str]:
    """The cells of a row as GitHub's rules have them: bars that are not escaped end a cell."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def code(cell: str) -> str:
    found = re.fullmatch(r"(`+) ?(.*?) ?\1", cell)
    assert found is not None, cell
    return found[2].replace("\\|", "|")


def test_a_ranking_says_what_the_text_says(command: Command) -> None:
    arguments = ("localize", FAULTY, "--accept", ACCEPT, "--lines", "--top", "4")
    said = command(*arguments, "--format", "markdown")
    expected = command(*arguments, "--format", "json").json["ranking"]
    assert said.status == 1
    rows = [cells(line) for line in said.out.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == len(expected) == 4
    for row, element in zip(rows, expected, strict=True):
        assert code(row[2]) == element["label"]
        assert row[1] == f"{element['score']:.3f}"
        assert code(row[4]).endswith(f":{element['location']['line']}:"
                                     f"{element['location']['column']}")  # fmt: skip
    covered = command("coverage", FAULTY, "--accept", ACCEPT, "--lines", "--format", "markdown")
    rules = command("coverage", FAULTY, "--accept", ACCEPT, "--lines", "--format", "json").json
    row = next(cells(line) for line in covered.out.splitlines() if line.startswith("| rules"))
    assert row[1:3] == [str(rules["levels"]["rules"][key]) for key in ("covered", "total")]


def test_what_means_something_to_markdown_is_shown_as_it_is() -> None:
    rules = [("s", ["`", "|", "x"]), ("s", ["``", "<b>"]), ("s", ["|"])]
    grammar = Grammar.from_rules(rules, name="a_b*c|<i>")
    parser = native.build(grammar)
    suite = TestSuite.from_texts(["` | y", "|", "`` <b>", "` y"])
    report = markdown_report(localize(parser, suite, evidence="both"))
    assert report.startswith(r"### gramspect: a\_b\*c\|\<i\>" + "\n")
    rows = [cells(line) for line in report.splitlines() if line.startswith("| ")]
    assert {len(row) for row in rows} == {5}
    assert any("` • | x" in code(row[3]) for row in rows[1:])
    gaps = coverage_markdown(coverage(parser, suite))
    assert {len(cells(line)) for line in gaps.splitlines() if line.startswith("| ")} == {4}
    assert "` | x" in [code(cells(line)[2]) for line in gaps.splitlines() if line[:4] == "| `s"]
