"""Where a grammar and a black box differ, with Python's `json` as the box."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import gramspect
from command import ROOT, Command
from gramspect import Grammar, Plan, SpectrumKind, Verdict, blackbox, blackbox_json, blackbox_text
from gramspect.blackboxes.answers import Answer, Place, Reaction, Wording
from gramspect.blackboxes.callables import PythonCallable
from gramspect.blackboxes.campaign import BlackBox
from gramspect.blackboxes.state import Round
from gramspect.errors import GramspectError
from gramspect.generation.synthetic import Outcome, synthetic_matrix
from gramspect.generation.words import TokenNames
from gramspect.localization.results import Method
from gramspect.recognition.chart import parse_chart
from gramspect.scoring.evidence import Evidence
from gramspect.scoring.metrics import metric
from gramspect.scoring.ranking import Ties, rank_spectra
from gramspect.suites.suite import Expectation
from gramspect.yacc import read_yacc

FIXTURES = ROOT / "fixtures" / "blackbox"
JSON = str(FIXTURES / "json.y")
LOOSE = str(FIXTURES / "json-loose.y")
SYSTEMS = str(ROOT / "tests" / "core" / "blackbox_systems.py")


def texts(result: BlackBox) -> set[str]:
    return {test.test.text for test in result.localization.failing}


class TestJson:
    def test_every_sentence_of_rfc_8259_is_taken(self) -> None:
        result = blackbox(JSON, json.loads, Plan(("cdrc", "deriv", "pairs"), n_random=200))
        assert not result.localization.failing
        assert not result.localization.ranking
        assert result.reactions == {Reaction.ACCEPTED: len(result.localization.suite)}

    def test_python_takes_numbers_that_are_none(self) -> None:
        """NaN and Infinity, and nothing else that is no sentence."""
        plan = Plan((), negative=("tokens",), base=("cdrc",))
        result = blackbox(JSON, json.loads, plan, rounds=5)
        assert texts(result)
        for text in texts(result):
            json.loads(text)
            assert {"NaN", "Infinity", "-Infinity"}.intersection(text.split())
        assert "NaN" in texts(result)
        assert result.localization.ranking[0].label == "number:1:0"

    def test_deviations_are_found_one_after_the_other(self) -> None:
        """Exactly those that the grammar was given, each at its place."""
        result = blackbox(LOOSE, json.loads, rounds=10)
        grammar = result.localization.grammar
        found = [(d.element.label, len(d.explained)) for d in result.deviations]
        assert [grammar.item_text(d.element.element) for d in result.deviations] == [
            "member -> • NAME ':' value",
            "array -> '[' values • ';' value ']'",
            "text -> •",
        ]
        assert sum(number for _, number in found) == result.localization.n_failing
        assert [d.found.n_failing for d in result.deviations] == [17, 9, 1]
        assert {d.found.n_passing for d in result.deviations} == {32}

    def test_rounds_are_limited(self) -> None:
        assert len(blackbox(LOOSE, json.loads, rounds=2).deviations) == 2
        assert not blackbox(LOOSE, json.loads).deviations

    def test_a_fix_leaves_only_the_others(self, tmp_path: Path) -> None:
        """As a user would: localize, edit the file, run again."""
        grammar, state = tmp_path / "json.y", tmp_path / "answers"
        shutil.copy(LOOSE, grammar)
        edits = [(" | NAME ':' value", ""), (" | '[' values ';' value ']'", ""), (" | %empty", "")]
        first = blackbox(grammar, json.loads, state=state)
        assert first.asked == len(first.localization.suite)
        failing = texts(first)
        for number, (old, new) in enumerate(edits, start=1):
            assert failing
            grammar.write_text(grammar.read_text().replace(old, new))
            result = blackbox(grammar, json.loads, state=state)
            assert len(result.earlier) == number
            assert texts(result) < failing
            assert result.asked == 0, "what is left was asked in the first round"
            failing = texts(result)
        assert not failing
        assert result.earlier[0] == Round(49, 17, 49)


class TestAgreesWithItsParts:
    @pytest.mark.parametrize("kind", list(SpectrumKind))
    @pytest.mark.parametrize("positions", [True, False])
    def test_spectra(self, kind: SpectrumKind, positions: bool) -> None:
        """The matrix is that of `gramspect.generation.synthetic` for the errors that json
        reports."""
        grammar = read_yacc(LOOSE)
        plan = Plan(("cdrc",), negative=("rules", "token-deletion"))
        method = Method(kind, evidence=Evidence.SPECTRUM)
        result = blackbox(grammar, json.loads, plan, method=method, positions=positions)
        outcomes = []
        for test in gramspect.generate(grammar, plan):
            text = gramspect.as_suite(grammar, [test]).tests[0].text
            words, error = text.split(), None
            try:
                json.loads(text)
            except json.JSONDecodeError as problem:
                error = len(text[: problem.pos].split())
                outcomes.append(Outcome(test, Verdict.REJECTED, min(error, len(words))))
            else:
                outcomes.append(Outcome(test, Verdict.ACCEPTED))
        matrix = synthetic_matrix(kind, grammar, outcomes, positions=positions)
        found = result.localization.basis.matrices[kind]
        assert np.array_equal(found.verdicts, matrix.verdicts)
        assert np.array_equal(found.dense(), matrix.dense())
        ranking = rank_spectra(matrix, grammar, metric("ochiai"), Ties.KMAX)
        shown = [element.element for element in result.localization.ranking]
        assert shown == ranking.elements[: ranking.n_significant].tolist()

    def test_a_system_that_names_the_token_is_as_good_as_one_that_counts(self) -> None:
        def near(text: str) -> Answer:
            try:
                json.loads(text)
            except json.JSONDecodeError as problem:
                rest = text[problem.pos :].split()
                end = Place(len(text))
                place = Place(near=rest[0]) if rest else end
                return Answer(Reaction.SYNTAX, "no", place)
            return Answer(Reaction.ACCEPTED)

        named, counted = blackbox(LOOSE, near), blackbox(LOOSE, json.loads)
        assert [e.label for e in named.localization.ranking] == [
            e.label for e in counted.localization.ranking
        ]
        assert [t.place for t in named.localization.failing] == [
            t.place for t in counted.localization.failing
        ]


class TestOutcomes:
    SYSTEM = PythonCallable(f"{SYSTEMS}:hates_numbers", Wording(("JSONDecodeError",)))

    @pytest.mark.parametrize(
        ("other", "failing", "undecided"),
        [(Verdict.ACCEPTED, 0, 0), (Verdict.REJECTED, 1, 0), (Verdict.UNDECIDED, 0, 1)],
    )
    def test_rejections_for_other_reasons(
        self, other: Verdict, failing: int, undecided: int
    ) -> None:
        result = blackbox(JSON, self.SYSTEM, other=other)
        with_numbers = sum("1" in test.text for test in result.localization.suite)
        assert with_numbers == result.reactions[Reaction.OTHER] > 0
        assert result.localization.n_failing == failing * with_numbers
        assert len(result.localization.undecided) == undecided * with_numbers
        assert any(note.code == "other" for note in result.localization.notes)

    def test_all_rejected(self) -> None:
        def nothing(text: str) -> None:
            raise ValueError(f"not {text[:0]}again")

        result = blackbox(JSON, nothing)
        notes = {note.code: note.text for note in result.localization.notes}
        assert "'ValueError: not again'" in notes["all-rejected"]
        assert "no-passing-test" in notes

    def test_all_accepted(self) -> None:
        result = blackbox(JSON, str, Plan(("rule",), negative=("tokens",)))
        assert "all-accepted" in {note.code for note in result.localization.notes}
        assert not any(
            t.test.expectation is Expectation.ACCEPT for t in result.localization.failing
        )

    def test_tests_without_an_answer_do_not_count(self) -> None:
        result = blackbox(JSON, PythonCallable(f"{SYSTEMS}:dies_on_null"), Plan(("rule",)))
        assert [each.test.text for each in result.localization.undecided] == ["null"]
        assert result.localization.n_passing == len(result.localization.suite) - 1

    def test_an_unproductive_start_symbol(self) -> None:
        grammar = Grammar.from_rules([("s", ["a", "s"])])
        with pytest.raises(GramspectError, match="derives no sentence"):
            blackbox(grammar, json.loads)

    def test_no_parser_no_edits(self) -> None:
        with pytest.raises(GramspectError, match="needs a parser"):
            blackbox(JSON, json.loads, method=Method(evidence=Evidence.EDITS))

    def test_negative_tests_of_a_model(self, tmp_path: Path) -> None:
        """Whatever the model leaves out, they are no sentences of the grammar."""
        model = tmp_path / "model.toml"
        model.write_text('start = "array"\n[values]\nobject = []\n')
        grammar = read_yacc(JSON)
        texts = TokenNames(grammar)
        known = {s.name: texts.text([s.index]) for s in grammar.terminals if s.index}
        samples = tmp_path / "samples.toml"
        lines = (f"{json.dumps(name)} = [{json.dumps(text)}]\n" for name, text in known.items())
        samples.write_text("".join(lines))
        plan = Plan((), negative=("tokens", "rules"), base=("cdrc",))
        result = blackbox(JSON, json.loads, plan, model=str(model), samples=str(samples))
        assert len(result.localization.suite) > 300
        for test in result.localization.suite:
            tokens = [grammar.token(word) for word in test.text.split()]
            assert None not in tokens
            assert not parse_chart(grammar, [t for t in tokens if t is not None]).accepted
        failing = [failing.test.text for failing in result.localization.failing]
        assert failing
        assert all("NaN" in text or "Infinity" in text for text in failing)

    @pytest.mark.parametrize("wrong", [{"jobs": 0}, {"timeout": 0.0}, {"rounds": -1}])
    def test_numbers_out_of_range(self, wrong: dict[str, int]) -> None:
        with pytest.raises(ValueError, match="must be positive"):
            blackbox(JSON, json.loads, **wrong)  # type: ignore[arg-type]


class TestState:
    def test_an_interrupted_campaign_goes_on(self, tmp_path: Path) -> None:
        asked: list[str] = []

        def interrupted(text: str) -> None:
            asked.append(text)
            if len(asked) == 10:
                raise KeyboardInterrupt
            json.loads(text)

        state = tmp_path / "answers"
        with pytest.raises(KeyboardInterrupt):
            blackbox(LOOSE, interrupted, state=state)
        result = blackbox(LOOSE, interrupted, state=state)
        assert len(asked) == 10 + result.asked
        assert result.asked == len(result.localization.suite) - 9

    def test_it_is_about_one_system(self, tmp_path: Path) -> None:
        state = tmp_path / "answers"
        blackbox(JSON, PythonCallable("json:loads"), state=state)
        before = state.read_bytes()
        for other in (PythonCallable("ast:parse"), PythonCallable("json:loads", Wording(("x",)))):
            with pytest.raises(GramspectError, match="answers of another system"):
                blackbox(JSON, other, state=state)
        assert state.read_bytes() == before

    @pytest.mark.parametrize(
        "content",
        [b"[]\n", b"{}\n", b"no json", b'{"schema": "gramspect/suite/1"}\n', b"\xff", b"{" * 9999],
    )
    def test_other_files_are_left_alone(self, tmp_path: Path, content: bytes) -> None:
        state = tmp_path / "answers"
        state.write_bytes(content)
        with pytest.raises(GramspectError, match="holds no answers"):
            blackbox(JSON, json.loads, state=state)
        assert state.read_bytes() == content

    def test_answers_with_odd_characters(self, tmp_path: Path) -> None:
        def odd(text: str) -> Answer:
            return Answer(Reaction.SYNTAX, f"\ud800 {text}\n\x00é", Place(0, "\u2028"))

        state = tmp_path / "answers"
        first = blackbox(JSON, odd, state=state)
        again = blackbox(JSON, odd, state=state)
        assert again.asked == 0
        assert again.localization.failing == first.localization.failing


class TestReports:
    def test_text(self) -> None:
        report = blackbox_text(blackbox(LOOSE, json.loads, rounds=2), top=3)
        assert "17 of 49 tests fail:" in report
        assert "system: 32 accepted, 17 rejected for syntax; asked about 49 inputs" in report
        assert "  1  member:2:0  8 tests of 17  " in report
        assert "     1 other test fails; --rounds looks further" in report
        assert "  (empty) at 1:1 should be accepted: JSONDecodeError" in report

    def test_json(self) -> None:
        result = blackbox(LOOSE, json.loads, rounds=3)
        value = json.loads(blackbox_json(result, top=1))
        assert value["schema"] == "gramspect/blackbox/1"
        assert value["reactions"] == {"accepted": 32, "syntax": 17}
        assert value["localization"]["schema"] == "gramspect/localization/1"
        assert [d["label"] for d in value["deviations"]] == ["member:2:0", "array:3:2", "text:2:0"]
        assert value["deviations"][2]["explained"][0]["name"] == "(empty)"


class TestCommand:
    POSITION = r"line (?P<line>\d+) column (?P<column>\d+)"

    def test_a_program(self, command: Command) -> None:
        line = f"'{sys.executable}' -m json.tool {{file}}"
        answer = command(
            "blackbox", LOOSE, "--command", line, "--position", self.POSITION, "--suffix", ".json",
            "--criterion", "rule", "--rounds", "5", "--format", "json", "--jobs", "2",
        )  # fmt: skip
        assert answer.status == 1
        found = {d["label"] for d in answer.json["deviations"]}
        assert found == {"member:2:0", "array:3:2", "text:2:0"}

    def test_a_function(self, command: Command) -> None:
        answer = command("blackbox", JSON, "--python", "json:loads", "--negative", "rules")
        assert answer.status == 0, "no rule mutation inserts a token that no rule has"
        answer = command("blackbox", LOOSE, "--python", "json:loads", "--spectrum", "rule")
        assert answer.status == 1
        assert "member -> NAME ':' value" in answer.out

    def test_html(self, command: Command, tmp_path: Path) -> None:
        page = tmp_path / "report.html"
        command("blackbox", LOOSE, "--python", "json:loads", "--format", "html", "-o", page)
        assert "<html" in page.read_text()

    def test_state(self, command: Command, tmp_path: Path) -> None:
        arguments = ("blackbox", LOOSE, "--python", "json:loads", "--state", tmp_path / "answers")
        assert "asked about 49 inputs" in command(*arguments).out
        again = command(*arguments).out
        assert "asked about 0 inputs" in again
        assert "round 2: 17 of 49 tests fail, 17 of 49 in the round before" in again

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((), "name the system with --command or --python, one of them"),
            (("--command", "x", "--python", "y:z"), "name the system with"),
            (("--command", "no-such-program"), "the program 'no-such-program' is not found"),
            (("--python", "json:nosuch"), "json:nosuch: cannot be loaded"),
            (("--python", "json:loads", "--syntax-error", "("), "is no regular expression"),
            (("--python", "json:loads", "--position", "x"), "has no named group"),
            (("--python", "json:loads", "--criterion", "x"), "there is no criterion"),
            (("--python", "json:loads", "--metric", "x"), "metric"),
            (("--python", "json:loads", "--state", "/nowhere/x"), "cannot be written"),
            (("--python", "json:loads", "--evidence", "edits"), "Invalid value for '--evidence'"),
        ],
    )
    def test_errors(self, command: Command, arguments: tuple[str, ...], message: str) -> None:
        assert message in command.fails("blackbox", JSON, *arguments)
