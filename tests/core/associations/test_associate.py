"""Associations learned from real runs, with what must be found known beforehand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from command import Command
from gramspect.associations.model import SCHEMA, Model

pytestmark = pytest.mark.usefixtures("folder")

CALC = """%token NUMBER
%%
expr   : expr '+' term | expr '-' term | term ;
term   : term '*' factor | term '/' factor | factor ;
factor : '(' expr ')' | '-' factor | NUMBER ;
"""

PROGRAM = """import os, sys, time

def run(text):
    Tree(text.split()).walk()

class Tree:
    def __init__(self, words):
        self.words = words

    def walk(self):
        if "*" in self.words and "(" in self.words:
            self.distribute()
        if "/" in self.words:
            raise ZeroDivisionError("never divide")

    def distribute(self):
        return [None for _ in self.words]

def crash(text):
    if "*" in text:
        os._exit(3)
    if "/" in text:
        while True:
            pass
    return run(text)

not_a_function = 1
"""


def sentence(random: Random, depth: int = 4) -> str:
    """A random expression; tests must not depend on the generators of gramspect."""
    if depth == 0 or random.random() < 0.2:
        return "NUMBER"
    inner = sentence(random, depth - 1)
    choice = random.randrange(5)
    if choice == 0:
        return f"( {inner} )"
    if choice == 1:
        return f"- {'NUMBER' if inner[0] == '-' else f'( {inner} )'}"
    return f"{inner} {random.choice('+-*/')} NUMBER"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("calc.y").write_text(CALC)
    Path("subject.py").write_text(PROGRAM)
    random = Random(5)
    texts = dict.fromkeys(sentence(random) for _ in range(300))
    Path("inputs.txt").write_text("\n".join(texts) + "\n")
    return tmp_path


def learn(command: Command, *args: str) -> dict[str, Any]:
    """The report of a run, by target."""
    answer = command(
        "associate", "calc.y", "--lines", "--accept", "inputs.txt", "--format", "json", *args
    )
    assert answer.status == 0, answer.err
    return {target["target"]: target for target in answer.json["targets"]}


def test_functions_and_exceptions_of_a_python_program(command: Command) -> None:
    found = learn(command, "--program", "subject.py:run", "-o", "model.json")
    raised = next(name for name in found if name.startswith("raises"))
    assert raised == "raises ZeroDivisionError at subject.py:14"
    assert set(found) == {
        "subject.py:run", "subject.py:Tree.__init__", "subject.py:Tree.walk",
        "subject.py:Tree.distribute", raised,
    }  # fmt: skip
    texts = Path("inputs.txt").read_text().splitlines()
    distribute = found["subject.py:Tree.distribute"]
    assert distribute["covering"] == sum("*" in text and "(" in text for text in texts)
    assert distribute["agreement"] == 1
    (way,) = distribute["ways"]
    assert {(clause["text"], clause["present"]) for clause in way["clauses"]} == {
        ("has <term> '*' <factor>", True), ("has '(' <expr> ')'", True),
    }  # fmt: skip
    assert found["subject.py:run"]["covering"] == len(texts)

    unseen = ["( NUMBER ) * NUMBER", "NUMBER * NUMBER", "NUMBER / NUMBER", "NUMBER NUMBER"]
    Path("unseen.txt").write_text("\n".join(unseen) + "\n")
    asked = "predict", "calc.y", "--model", "model.json", "--lines", "--accept", "unseen.txt"
    answer = command(*asked)
    assert answer.status == 0
    lines = [line.partition(": ")[2].split(", ") for line in answer.out.splitlines()]
    assert ["subject.py:Tree.distribute" in line for line in lines] == [True, False, False, False]
    assert [raised in line for line in lines] == [False, False, True, False]
    assert lines[3] == ["it is no sentence of the grammar"]
    one = command(*asked, "--target", "subject.py:Tree.distribute", "--format", "json")
    names = [each["targets"] for each in one.json["inputs"]]
    assert names == [["subject.py:Tree.distribute"], [], [], None]
    unknown = command.fails(*asked, "--target", "walk")
    assert "inputs that it was learned from executed it" in unknown
    assert "did you mean 'subject.py:Tree.walk'" in unknown


def test_lines_of_a_python_program(command: Command) -> None:
    found = learn(command, "--program", "subject.py:run", "--targets", "lines")
    texts = Path("inputs.txt").read_text().splitlines()
    counts = {name: target["covering"] for name, target in found.items()}
    assert counts["subject.py:12"] == counts["subject.py:17"]
    assert counts["subject.py:14"] == sum("/" in text for text in texts)
    assert counts["subject.py:4"] == len(texts)


def test_what_a_crash_or_an_endless_run_costs(command: Command) -> None:
    Path("inputs.txt").write_text("NUMBER + NUMBER\nNUMBER * NUMBER\nNUMBER / NUMBER\n( NUMBER )\n")
    answer = command(
        "associate", "calc.y", "--lines", "--accept", "inputs.txt", "--format", "json",
        "--program", "subject.py:crash", "--timeout", "1",
    )  # fmt: skip
    assert answer.json["inputs"] == 2
    reasons = {each["input"]: each["reason"] for each in answer.json["left_out"]}
    assert reasons["inputs.txt:2"] == "the program ended (exit status 3)"
    endless = re.fullmatch(r"the program did not end in (\S+) s", reasons["inputs.txt:3"])
    assert endless
    assert float(endless[1]) >= 1


def test_failing_tests_of_a_parser(command: Command) -> None:
    Path("faulty.y").write_text(CALC.replace(" | '-' factor", ""))
    found = learn(command, "--parser", "faulty.y")["fails"]
    assert found["agreement"] == 1
    (way,) = found["ways"]
    assert [(clause["text"], clause["present"]) for clause in way["clauses"]] == [
        ("has '-' <factor>", True)
    ]


def test_rules_that_a_parser_executes(command: Command) -> None:
    found = learn(command, "--targets", "rules", "--targets", "positions")
    assert found["rule term:2"]["agreement"] == 1
    assert found["position term:2:2"]["covering"] == found["rule term:2"]["covering"]


def test_how_a_command_ends(command: Command) -> None:
    Path("inputs.txt").write_text("NUMBER * NUMBER\nNUMBER\nNUMBER + NUMBER\n- NUMBER * NUMBER\n")
    found = learn(command, "--command", "grep -q '[*]' {file}")
    assert found["ends with exit status 1"]["covering"] == 2
    assert found["ends with exit status 0"]["ways"][0]["covering"] == 2


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--program", "subject.py:nothing"], "subject.py:nothing: there is no 'nothing'"),
        (["--program", "subject.py:not_a_function"], "is no function"),
        (["--program", "no_such_module:run"], "no_such_module"),
        (["--program", "subject.py:run", "--watch", "no_such_package"], "cannot be imported"),
        (["--program", "subject.py:run", "--parser", "calc.y"], "only one of"),
        (["--targets", "lines"], "is nothing that a parser tells"),
        (["--program", "subject.py:run", "--targets", "rules"], "nothing that this program tells"),
        (["--watch", "json"], "name it with --program"),
        (["--command", "no-such-program {file}"], "is not found"),
        ([], "none of the"),  # no test fails
    ],
)
def test_what_cannot_be_used(command: Command, args: list[str], message: str) -> None:
    asked = "associate", "calc.y", "--lines", "--accept", "inputs.txt", "-o", "model.json"
    assert message in command.fails(*asked, *args)
    assert not Path("model.json").exists()


def test_inputs_without_a_sentence(command: Command) -> None:
    Path("inputs.txt").write_text("NUMBER NUMBER\n")
    message = command.fails(
        "associate", "calc.y", "--lines", "--accept", "inputs.txt", "--program", "subject.py:run"
    )
    assert message == (
        "nothing can be learned: none of the 1 inputs can be used; inputs.txt:1: it is no sentence"
        " of the grammar"
    )


def _other_version(content: dict[str, Any]) -> None:
    content["schema"] = SCHEMA.rpartition("/")[0] + "/99"


def _other_grammar(content: dict[str, Any]) -> None:
    content["identity"] = "0" * 16


def _damaged(content: dict[str, Any]) -> None:
    del content["associations"][0]["tree"]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_other_version, "is a model of version 99, and this gramspect reads version 1"),
        (_other_grammar, "is not the grammar that the model was learned with"),
        (_damaged, "is no whole model"),
        (dict.clear, "is no model; gramspect associate writes one"),
    ],
)
def test_models_that_do_not_fit(
    command: Command, damage: Callable[[dict[str, Any]], None], message: str
) -> None:
    learn(command, "--program", "subject.py:run", "-o", "model.json")
    model = Path("model.json")
    assert Model.read("model.json").text() == model.read_text()
    content = json.loads(model.read_text())
    damage(content)
    model.write_text(json.dumps(content))
    asked = "predict", "calc.y", "--lines", "--accept", "inputs.txt", "--model"
    assert message in command.fails(*asked, "model.json")
    assert "there is no such file" in command.fails(*asked, "other.json")


def test_inputs_made_for_a_target(command: Command) -> None:
    learn(command, "--program", "subject.py:run", "-o", "model.json")
    asked = "generate", "calc.y", "--model", "model.json", "--random", "20", "--target"
    made = command(*asked, "subject.py:Tree.distribute").out.splitlines()
    assert len(set(made)) == 20
    assert all("*" in text and "(" in text for text in made)
    assert len(made[0].split()) == min(len(text.split()) for text in made) == 5
    raised = "raises ZeroDivisionError at subject.py:14"
    answer = command(*asked, raised, "-o", "made.jsonl")
    assert answer.status == 0
    tests = [json.loads(line) for line in Path("made.jsonl").read_text().splitlines()[1:]]
    assert {test["covers"] for test in tests} == {raised}
    assert all("/" in test["text"] for test in tests)
    assert "name its file with --model" in command.fails("generate", "calc.y", "--target", raised)
    assert "goes with --random N only" in command.fails(*asked, raised, "--negative", "tokens")


def test_what_is_too_much_to_be_solved_is_searched(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gramspect.associations.solving.MOST_RULES", 3)
    learn(command, "--program", "subject.py:run", "-o", "model.json")
    asked = "generate", "calc.y", "--model", "model.json", "--random", "3", "--target"
    answer = command(*asked, "subject.py:Tree.distribute")
    assert answer.status == 0
    assert "way 1 of 1 asks too much to be solved; it is searched" in answer.err
    made = answer.out.splitlines()
    assert made
    assert all("*" in text and "(" in text for text in made)


def test_a_target_that_is_impossible(command: Command) -> None:
    """A tree may ask for what no input has: here for a product without its operator."""
    learn(command, "--program", "subject.py:run", "-o", "model.json")
    content = json.loads(Path("model.json").read_text())
    none = {"covering": 0, "inputs": 1}
    content["associations"][0]["tree"] = {
        "path": ["term:1:0", "term:3:0"],
        "yes": {"path": ["term:1:0"], "yes": none, "no": {"covering": 1, "inputs": 1}},
        "no": none,
    }
    content["associations"][1]["tree"] = {"covering": 0, "inputs": 7}
    Path("model.json").write_text(json.dumps(content))
    first, second = (each["target"] for each in content["associations"][:2])
    asked = "generate", "calc.y", "--model", "model.json", "--target"
    assert command.fails(*asked, first) == (
        f"no input can be made for {first!r}: way 1 of 1 is impossible: no derivation tree has what"
        " it asks for"
    )
    assert "no input that it was learned from had it" in command.fails(*asked, second)
