"""A reader, somebody else who reads, decides which of the first definitions is at fault."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import Command
from gramspect import LoadOptions, Localization, TestSuite, localize, suggest
from gramspect.edits.validation import Status
from gramspect.effort import counting, now, waiting
from gramspect.errors import GramspectError
from gramspect.localization import reader as module
from gramspect.localization.conclusion import conclusion
from gramspect.localization.reader import Reader, answer, chosen_by, question
from gramspect.report.conclusion import sentence

GRAMMAR = """start: (assign ";")*
assign: NAME "=" sum
sum: sum "+" term | term
term: NUMBER | NAME

NAME: /[a-z]+/
NUMBER: INT EXPONENT?
EXPONENT: "e" INT
INT: "0".."9"+
%ignore /[ \\n]+/
"""
PASSING, FAILING = ["x = 1;", "x = 2e5 + y;"], ["y = 1 + 2;\nx = (1);", "x = 1 + (2 + y);"]


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Localization:
    path = tmp_path_factory.mktemp("reader") / "calc.lark"
    path.write_text(GRAMMAR)
    suite = TestSuite.from_texts([*PASSING, *FAILING])
    return localize(path, suite, load=LoadOptions(adapter="lark-lalr"))


def definitions(result: Localization) -> list[str]:
    return list(dict.fromkeys(element.nonterminal for element in result.ranking))


def reader(*lines: str, status: int = 0, seconds: float = 60) -> Reader:
    """A reader that says these lines whatever it is asked."""
    code = f"print({chr(10).join(lines)!r}); raise SystemExit({status})"
    return Reader(f"{sys.executable} -c {json.dumps(code)}", seconds)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("ANSWER: 2, 1, 5", "2, 1, 5"),
        ("2 is best, so\nANSWER: 2", "2"),
        ("**ANSWER: 3, 1**", "3, 1**"),
        ("> **Answer:** 3", "** 3"),
        ("ANSWER: 1\nNo.\nANSWER: 4\n", "4"),
        ("The answer: 1", ""),
        ("ANSWER:", ""),
        ("-\n" * 100_000, ""),
    ],
)
def test_answers(said: str, expected: str) -> None:
    """The last line counts."""
    assert answer(said) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("2, 1", [1, 0]),
        ("** [2], #1, 1.", [1, 0]),
        ("2 (value), and 3", [1, 2]),
        ("`rule {1}`, 'token {0}'", [1, 0]),
        ("{0}s, x{0}, 20, {1}", [1]),
    ],
)
def test_how_definitions_are_named(result: Localization, said: str, expected: list[int]) -> None:
    """By their numbers or whole names, whatever people and models put around."""
    before = definitions(result)
    asked = Reader(f"echo {shlex.quote(f'ANSWER: {said.format(*before)}')}", 60)
    found = chosen_by(asked, result)
    assert found.choice is not None
    assert [one.nonterminal for one in found.choice.chosen] == [before[n] for n in expected]


def test_templates_and_long_answers(tmp_path: Path) -> None:
    """A name may have commas, and the last line comes after more than is kept of an output."""
    path = tmp_path / "lists.lark"
    path.write_text('start: sep{NAME, ","}\nsep{x, y}: x (y x)*\nNAME: /[a-z]+/\n')
    result = localize(path, TestSuite.from_texts(["a,b", "a;b"]))
    name = next(name for name in definitions(result) if "{" in name)
    program = tmp_path / "model.py"
    program.write_text(f"print('ANSWER: start')\nprint('x' * 200_000)\nprint('ANSWER: {name}')\n")
    found = chosen_by(Reader(f"{sys.executable} {program}", 60), result)
    assert definitions(found)[0] == name


def test_long_lines(tmp_path: Path) -> None:
    """Of a line that is too long what is around the error is shown."""
    path = tmp_path / "calc.lark"
    path.write_text(GRAMMAR)
    text = f"{'x = 1; ' * 400}y = (2); {'z = 3; ' * 400}"
    asked = question(localize(path, TestSuite.from_texts([text])))
    (line,) = (line for line in asked.splitlines() if "y = (2)" in line)
    assert len(line) < 500


def test_question(result: Localization) -> None:
    """It has the failing tests with the place of the error, the definitions, and the grammar."""
    asked = question(result)
    assert "it should be accepted and is rejected; line 2, column 5: " in asked
    assert "    2 x = (1);\n" in asked
    assert "(2 tests have the verdict that they should have.)" in asked
    first, *_ = definitions(result)
    assert f"\n1. rule {first} (" in asked
    assert "; the tool confirms it" in asked
    assert GRAMMAR in asked


def test_question_on_a_large_grammar(result: Localization, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of such a grammar it has the first definitions and their neighbours alone."""
    monkeypatch.setattr(module, "MOST_GRAMMAR", 200)
    asked = question(result)
    assert GRAMMAR not in asked
    assert "term: term -> NUMBER" in asked


def test_the_order_is_that_of_the_reader(result: Localization) -> None:
    before = definitions(result)
    found = chosen_by(reader("Well.", "ANSWER: 3, 2"), result)
    expected = [before[2], before[1], before[0], *before[3:]]
    assert definitions(found) == expected
    scores = [element.score for element in found.ranking]
    assert scores == sorted(scores, reverse=True)
    assert len(found.ranking) == len(result.ranking)
    assert max(scores) == pytest.approx(max(element.score for element in result.ranking))
    assert found.notes == result.notes
    concluded = conclusion(found)
    assert concluded is not None
    said = sentence(found, concluded)
    assert said.startswith(f"The reader says `{expected[0]}`, line ")
    assert "place 3 by the tests alone" in said
    assert f"Otherwise look at `{expected[1]}` (line " in said


def test_a_definition_by_its_name(result: Localization) -> None:
    """It need not be among those that are shown; what is no definition is passed over."""
    before = definitions(result)
    found = chosen_by(reader(f"ANSWER: no_such_rule, 99, {before[-1]}, 1"), result)
    assert definitions(found) == [before[-1], *before[:-1]]


def test_a_definition_without_a_score(result: Localization) -> None:
    """Nothing but the reader speaks for it."""
    first = result.ranking[0].definition
    alone = replace(result, ranking=tuple(e for e in result.ranking if e.definition == first))
    found = chosen_by(reader("ANSWER: assign"), alone)
    assert definitions(found) == ["assign", result.ranking[0].nonterminal]
    assert found.ranking[0].label == "assign:1:0"
    assert found.ranking[0].ef == 2
    concluded = conclusion(found)
    assert concluded is not None
    assert "not ranked by the tests alone" in sentence(found, concluded)


@given(data=st.data())
def test_scores_are_dealt_out_anew(result: Localization, data: st.DataObject) -> None:
    """Whatever it names, chosen definitions come first, and nothing is lost."""
    before = definitions(result)
    chosen = data.draw(st.permutations(before))[: data.draw(st.integers(1, len(before)))]
    asked = Reader(f"echo ANSWER: {chr(44).join(chosen)}", 60)
    found = chosen_by(asked, result)
    assert definitions(found) == [*chosen, *(name for name in before if name not in chosen)]
    scores = [element.score for element in found.ranking]
    assert scores == sorted(scores, reverse=True)
    assert sorted(e.label for e in found.ranking) == sorted(e.label for e in result.ranking)


def test_a_reader_that_agrees_changes_nothing(result: Localization) -> None:
    found = chosen_by(reader("ANSWER: 1"), result)
    assert definitions(found) == definitions(result)
    assert [e.rank for e in found.ranking] == [e.rank for e in result.ranking]


@pytest.mark.parametrize(
    ("said", "status", "why"),
    [
        ("ANSWER: 1", 3, "gave no answer: exit status 3: ANSWER: 1"),
        ("", 4, "gave no answer: exit status 4: it says nothing"),
        (
            "I do not know.",
            0,
            "was not understood: no line of its answer is such as 'ANSWER: 2, 1'",
        ),
        ("ANSWER: 99, x", 0, "was not understood: '99, x' names no definition"),
    ],
)
def test_without_an_answer_the_order_stays(
    result: Localization, said: str, status: int, why: str
) -> None:
    asked = reader(said, status=status)
    found = chosen_by(asked, result)
    assert found.ranking == result.ranking
    assert found.choice is None
    (note,) = (note for note in found.notes if note.code == "reader")
    assert note.text == f"the reader {asked.command!r} {why}; the order is that of the tests alone"


def test_a_reader_that_takes_too_long_is_stopped(result: Localization) -> None:
    sleeping = Reader(f"{sys.executable} -c 'import time; time.sleep(600)'", 0.2)
    (note,) = (n for n in chosen_by(sleeping, result).notes if n.code == "reader")
    assert "gave no answer: time limit of 0.2 s" in note.text


def test_a_reader_that_is_no_program() -> None:
    with pytest.raises(GramspectError, match="the program 'no-such-reader' is not found"):
        Reader("no-such-reader --model x", 1)


def test_nothing_fails(tmp_path: Path) -> None:
    """Then there is nothing to ask about."""
    path = tmp_path / "calc.lark"
    path.write_text(GRAMMAR)
    suite = TestSuite.from_texts(PASSING)
    load = LoadOptions(adapter="lark-lalr")
    found = localize(path, suite, load=load, reader=reader("ANSWER: 1", status=1))
    assert not found.notes


def test_on_the_command_line(tmp_path: Path, command: Command) -> None:
    """The question comes on standard input, and the answer is in the report and its JSON."""
    (tmp_path / "calc.lark").write_text(GRAMMAR)
    (tmp_path / "bad.txt").write_text(FAILING[0])
    program = tmp_path / "reader.py"
    program.write_text(
        "import sys\nasked = sys.stdin.read()\nprint('ANSWER:', 2 + (GRAMMAR in asked))"
    )
    program.write_text(f"GRAMMAR = {GRAMMAR!r}\n{program.read_text()}")
    arguments = [
        "localize", str(tmp_path / "calc.lark"), "--accept", str(tmp_path / "bad.txt"),
        "--reader", f"{sys.executable} {program}",
    ]  # fmt: skip
    plain = command(*arguments)
    assert plain.out.startswith("The reader says ")
    assert "(place 3 by the tests alone)" in " ".join(plain.out.split()) or "; place 3" in plain.out
    told = json.loads(command(*arguments, "--format", "json").out)["conclusion"]["reader"]
    assert told["chosen"] == told["without"][2:3]
    missing = command(*arguments[:-1], "no-such-reader")
    assert (missing.status, missing.out) == (2, "")
    assert missing.err.count("\n") == 1


def test_repairs_where_the_reader_says(result: Localization) -> None:
    """The same repair can be written in several rules; only what helps comes first."""
    source = Path(result.grammar.files[0])
    suite = TestSuite.from_texts([*PASSING, *FAILING])
    load = LoadOptions(adapter="lark-lalr")
    for name in ("term", "sum", "assign"):
        asked = Reader(f"echo ANSWER: start, {name}", 60)
        first, *others = suggest(source, suite, load=load, reader=asked).suggestions
        assert first.nonterminal == name
        assert first.status is Status.VALIDATED
        assert first.confirmation is not None
        assert all(one.nonterminal != "start" for one in others if one.status is Status.VALIDATED)


def test_suggest_and_debug_on_the_command_line(tmp_path: Path, command: Command) -> None:
    source, mended = tmp_path / "calc.lark", tmp_path / "mended.lark"
    source.write_text(GRAMMAR)
    (tmp_path / "bad.txt").write_text(FAILING[1])
    arguments = (source, "--accept", tmp_path / "bad.txt", "--adapter", "lark-lalr")
    said = command("suggest", *arguments, "--reader", "echo ANSWER: term").out
    assert said.startswith(f"# the reader says: term\n# 1. {source}:4:")
    told = json.loads(command("suggest", *arguments, "--format", "json").out)
    assert told["reader"] is None
    silent = command("suggest", *arguments, "--reader", "echo nothing").out
    assert silent.startswith("# note: the reader 'echo nothing' was not understood: ")
    done = command("debug", *arguments, "--auto", "-o", mended, "--reader", "echo ANSWER: term")
    assert done.status == 0
    changed = [n for n, pair in enumerate(
        zip(GRAMMAR.splitlines(), mended.read_text().splitlines(), strict=True)
    ) if pair[0] != pair[1]]  # fmt: skip
    assert changed == [3]
    assert "'no-such-reader' is not found" in command.fails(
        "debug", *arguments, "--reader", "no-such-reader"
    )


def test_waiting_for_a_reader_costs_no_time() -> None:
    with counting(monotonic() + 0.2):
        with waiting():
            sleep(0.3)
        assert now() == 0
