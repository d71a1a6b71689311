"""Questions about repairs, and ``gramspect ask``, which puts them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from cfg import Cfg, Word
from command import ACCEPT, CORRECT, FAULTY, Command
from edited import edits
from gramspect import Grammar, TestSuite, ask
from gramspect.edits import Edit, EditKind, applied
from gramspect.edits.model import NEW_TOKEN
from gramspect.edits.questions import (
    CONTRADICTED,
    UNNAMED,
    Inquiry,
    Question,
    Suspect,
    inquiry,
)
from oracle import Derivations
from strategies import grammars

Answers = Callable[[str], None]

ARRAYS = """
%%
value    : 'n' | 's' | 't' | 'f' | 'u' | array ;
array    : '[' elements ']' ;
elements : value | elements ',' value ;
"""
LARK = """
start: (NAME "=" value ";")*
value: "-" atom | atom
atom: NUMBER | "(" value ")"
NAME: /[a-z]+/
NUMBER: /[0-9]+/
%ignore " "
"""


def as_cfg(grammar: Grammar, new: str = "") -> Cfg:
    """The grammar as the oracle sees it; `new` is the text of its new token."""
    names = [symbol.name for symbol in grammar.symbols]
    names[NEW_TOKEN] = f"new {new}"
    rules = [(names[rule.lhs], tuple(names[s] for s in rule.rhs)) for rule in grammar.rules]
    return Cfg(tuple(rules), names[grammar.start])


def is_sentence(cfg: Cfg, word: Word) -> bool:
    return Derivations(cfg, word).derives((cfg.start,), 0, len(word))


@st.composite
def some_new(draw: st.DrawFn, grammar: Grammar) -> Edit:
    """An edit; one of its symbols may be a new token with one of two texts."""
    edit = draw(edits(grammar))
    if not edit.symbols or draw(st.booleans()):
        return edit
    place = draw(st.integers(0, len(edit.symbols) - 1))
    symbols = (*edit.symbols[:place], NEW_TOKEN, *edit.symbols[place + 1 :])
    return replace(edit, symbols=symbols, texts=(draw(st.sampled_from("!?")),))


@given(data=st.data())
def test_verdicts_are_those_of_the_edited_grammars(data: st.DataObject) -> None:
    """Every verdict on every input that could be asked about, by the brute-force oracle."""
    source = data.draw(grammars())
    grammar = Grammar.from_rules(source.rules, start=source.start)
    drawn = data.draw(st.lists(some_new(grammar), min_size=2, max_size=4))
    found = inquiry(grammar, [Suspect(0, edit, 1.0) for edit in drawn])
    if not found.questions:
        reject()
    for question in found.questions[:10]:
        new = iter(question.new)
        word = tuple(
            f"new {next(new)}" if token == NEW_TOKEN else grammar.symbols[token].name
            for token in question.tokens
        )
        assert question.derived is is_sentence(as_cfg(grammar), word)
        for one, verdict in zip(found.suspects, question.verdicts, strict=True):
            edited = as_cfg(applied(grammar, one.edit), one.edit.text)
            assert verdict is is_sentence(edited, word), one.edit.describe(grammar)
        assert len(set(question.verdicts)) == 2, "an input on which all agree tells nothing"


def test_what_the_lexer_makes_of_a_new_word_now_is_what_other_repairs_see() -> None:
    """``a is a`` is three names to a lexer without ``is``, and some repair may allow them."""
    grammar = Grammar.from_rules([("s", ("name",)), ("s", ("name", "=", "name"))])
    name, first = grammar.symbol("name"), grammar.item(0, 1)
    keyword = Edit(first, EditKind.END, (NEW_TOKEN, name), 0, 1.0, texts=("is",))
    names = Edit(first, EditKind.END, (name, name), 0, 1.0)
    other = Edit(first, EditKind.END, (name,), 0, 1.0)
    found = inquiry(grammar, [Suspect(n, e, 1.0) for n, e in enumerate((keyword, names, other))])
    (question,) = (one for one in found.questions if one.new)
    assert (question.tokens, question.new) == ((name, NEW_TOKEN, name), ("is",))
    assert question.verdicts == (True, False, False)
    seen = found.reread(question, (name, name, name))
    assert seen is not None
    assert seen.verdicts == (True, True, False)
    assert seen in found.corrected(seen).questions
    assert question not in found.corrected(seen).questions
    assert found.reread(question, None) == question, "a lexer that cannot read it"


def test_repairs_with_a_token_that_nobody_knows_the_text_of_are_not_in_question() -> None:
    grammar = Grammar.from_rules([("s", ("a",)), ("s", ("b", "s"))])
    unknown = Edit(grammar.item(0, 1), EditKind.END, (NEW_TOKEN,), 0, 1.0)
    known = Edit(grammar.item(0, 1), EditKind.END, (grammar.symbol("b"),), 0, 1.0)
    found = inquiry(grammar, [Suspect(0, unknown, 1.0), Suspect(1, known, 1.0)])
    assert [one.edit for one in found.suspects] == [known]


def made_up(*verdicts: str, weights: tuple[float, ...] = (4.0, 2.0, 1.0)) -> Inquiry:
    """Repairs of as many definitions as there are weights; ``yn`` are verdicts on an input."""
    grammar = Grammar.from_rules([("s", ("a",))])
    edit = Edit(0, EditKind.INSERT, (1,), 0, 1.0)
    known = [Suspect(number, edit, weight) for number, weight in enumerate(weights)]
    asked = [
        Question((1,) * (length + 1), False, tuple(letter == "y" for letter in told))
        for length, told in enumerate(verdicts)
    ]
    return Inquiry(grammar, tuple(known), tuple(asked))


class TestInquiry:
    def test_the_least_foreseeable_answer_is_asked_for(self) -> None:
        found = made_up("nny", "ynn", "nyy")
        best = found.best()
        assert best is not None
        assert best.verdicts in ((True, False, False), (False, True, True))
        assert len(best.tokens) == 2, "of equally good ones the shortest"

    def test_an_answer_speaks_against_what_contradicts_it(self) -> None:
        found = made_up("ynn")
        after = found.answered(found.questions[0], False)
        assert [one.weight for one in after.suspects] == [4.0 * CONTRADICTED, 2.0, 1.0]
        assert after.leading() == (1, 2, 0)
        assert after.questions == ()
        assert found.without(found.questions[0]).leading() == (0, 1, 2)

    def test_a_definition_keeps_something_for_a_repair_that_is_not_in_question(self) -> None:
        found = replace(made_up("nyy", "nyy", weights=(4.0, 2.0, 0.5)), unnamed={0: 4.0 * UNNAMED})
        for question in found.questions:
            found = found.answered(question, True)
        first, *others = found.suspects
        assert first.weight == 4.0 * CONTRADICTED**2
        assert found.standing(first) == 4.0 * UNNAMED
        assert [found.standing(one) for one in others] == [2.0, 0.5]
        assert found.leading() == (1, 0, 2)

    def test_nothing_is_asked_that_can_be_foreseen(self) -> None:
        assert made_up("ynn", weights=(1000.0, 1.0, 1.0)).best() is None
        assert made_up().best() is None

    @given(truth=st.integers(0, 3), told=st.lists(st.text("yn", min_size=4, max_size=4)))
    def test_the_right_repair_is_never_weakened(self, truth: int, told: list[str]) -> None:
        found = made_up(*told, weights=(4.0, 3.0, 2.0, 1.0))
        while (question := found.best()) is not None:
            found = found.answered(question, question.verdicts[truth])
        assert found.suspects[truth].weight == 4.0 - truth


def test_a_repair_at_a_callee_is_told_from_one_at_its_caller(tmp_path: Path) -> None:
    file, good, bad = _arrays(tmp_path)
    asking = ask(file, TestSuite.load([good], [bad], lines=True))
    names = [asking.localization.grammar.symbols[one.nonterminal].name for one in asking.leading]
    assert names == ["array", "elements", "value"]
    asking, asked = asking.next()
    assert asked is not None
    assert asked.text.split() in (["[", ",", "n", "]"], ["[", "n", ",", "]"])
    favoured = {
        answer: [asking.localization.grammar.symbols[s.nonterminal].name
                 for s in asking.in_favour(asked, answer)]
        for answer in (True, False)
    }  # fmt: skip
    assert favoured == {True: ["elements"], False: ["array", "value"]}
    assert asking.answered(asked, True).leading[0] == asking.leading[1]
    assert asking.answered(asked, None).leading == asking.leading
    assert [test.text for test in asking.answered(asked, False).answers] == [asked.text]


def _arrays(folder: Path) -> tuple[str, str, str]:
    """A grammar whose arrays are never empty, and tests that say they may be."""
    (folder / "arrays.y").write_text(ARRAYS)
    good = _lines(folder / "good.txt", "n", "[ n , s ]", "[ ]", "[ [ ] , t ]")
    return str(folder / "arrays.y"), good, _lines(folder / "bad.txt", "[ n , ]")


def _lines(file: Path, *tests: str) -> str:
    file.write_text("".join(f"{test}\n" for test in tests))
    return str(file)


class TestCommand:
    @pytest.fixture
    def answers(self, monkeypatch: pytest.MonkeyPatch) -> Answers:
        return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))

    @pytest.fixture
    def asking(self, tmp_path: Path) -> tuple[str, ...]:
        file, good, bad = _arrays(tmp_path)
        return "ask", file, "--lines", "--accept", good, "--reject", bad

    def test_dialogue(
        self, command: Command, answers: Answers, asking: tuple[str, ...], tmp_path: Path
    ) -> None:
        kept = tmp_path / "answers.jsonl"
        answers("maybe\nY\nq\n")
        answer = command(*asking, "-o", kept)
        assert answer.status == 1
        assert "  yes speaks for elements\n  no  speaks for array, value\n" in answer.out
        assert answer.out.count("Answer [y yes, n no, s skip, q quit]: ") == 3
        *_, first, second, _, told = answer.out.splitlines()
        assert re.fullmatch(r"  1\. .*arrays\.y:5:12: in elements, .* \(was 2\)", first)
        assert re.fullmatch(r"  2\. .*arrays\.y:4:16: in array, .* \(was 1\)", second)
        assert told == f"The answers are tests now: --suite {kept}"
        again = command("localize", *asking[1:], "--suite", kept)
        assert again.status == 1
        assert f"{kept}:2" in again.out, "what should be accepted fails"

    def test_an_answer_no_is_a_test_too(
        self, command: Command, answers: Answers, asking: tuple[str, ...], tmp_path: Path
    ) -> None:
        kept = tmp_path / "answers.jsonl"
        answers("no\n")
        assert "in array" in command(*asking, "-o", kept).out.splitlines()[-4]
        assert [test.expectation for test in TestSuite.load(manifests=[kept]).tests] == ["reject"]

    def test_the_end_of_the_input_ends_the_questions(
        self, command: Command, answers: Answers, asking: tuple[str, ...], tmp_path: Path
    ) -> None:
        for text in ("", "q\n", "quit\n"):
            answers(text)
            answer = command(*asking, "-o", tmp_path / "answers.jsonl")
            assert answer.out.count("Is this input correct?") == 1
            assert "after 0 answers" in answer.out
        assert not (tmp_path / "answers.jsonl").exists(), "there is no answer"

    def test_the_number_of_questions(
        self, command: Command, answers: Answers, asking: tuple[str, ...]
    ) -> None:
        for most in (1, 2):
            answers("s\n" * 9)
            out = command(*asking, "--most", str(most)).out
            assert out.count("Is this input correct?") == most

    def test_json(self, command: Command, asking: tuple[str, ...]) -> None:
        answer = command(*asking, "--format", "json")
        assert answer.status == 1
        question = answer.json["question"]
        assert question["text"].split() == [name.strip("'\"") for name in question["tokens"]]
        assert (question["yes"], question["no"]) == (["elements"], ["array", "value"])
        assert {one["nonterminal"] for one in answer.json["repairs"]} == {
            "array",
            "elements",
            "value",
        }
        assert question["accepted"] is False

    def test_nothing_to_ask(self, command: Command) -> None:
        answer = command("ask", FAULTY, "--lines", "--accept", ACCEPT)
        assert answer.status == 1
        assert "The questions are about 1 of 2 failing tests with one cause: " in answer.out
        assert "there is nothing to ask" in answer.out
        assert "in stmt, also allow" in answer.out

    def test_texts_are_those_of_the_lexer(
        self, command: Command, answers: Answers, tmp_path: Path
    ) -> None:
        file = tmp_path / "calc.lark"
        file.write_text(LARK)
        answers("n\nn\nn\n")
        tests = _lines(tmp_path / "tests.txt", "a = - 1 ;", "a = 2 ;", "b = ( 1 ) ;", "a = - - 2 ;")
        answer = command("ask", file, "--lines", "--accept", tests)
        assert answer.status == 1
        asked = answer.out.splitlines()[1].strip()
        assert not asked.startswith("NAME"), "texts, not names of tokens"
        assert "in value" in answer.out

    def test_no_test_fails(self, command: Command) -> None:
        answer = command("ask", CORRECT, "--lines", "--accept", ACCEPT)
        assert answer.status == 0
        assert answer.out.startswith("No test fails, so there is nothing to ask about")
        assert (
            command("ask", CORRECT, "--lines", "--accept", ACCEPT, "--format", "json").json[
                "question"
            ]
            is None
        )

    def test_errors(self, command: Command, asking: tuple[str, ...], tmp_path: Path) -> None:
        assert "leave out one" in command.fails(*asking, "--format", "json", "-o", tmp_path / "a")
        assert "no such file" in command.fails("ask", "nothing.y", "--accept", ACCEPT)
        assert "one of the tests" in command.fails(*asking, "-o", asking[-1])
        wrong = tmp_path / "samples.toml"
        wrong.write_text('nowhere = ["x"]\n')
        assert f"{wrong}:1" in command.fails(*asking, "--samples", wrong)


def test_faults_with_several_causes_are_asked_about_one_at_a_time() -> None:
    root = Path(CORRECT).parents[1] / "student"
    suite = TestSuite.load([root / "accept.txt"], [root / "reject.txt"], lines=True)
    asking = ask(str(root / "Small.g4"), suite)
    groups = asking.localization.groups
    assert len(groups) > 1
    assert asking.tests == groups[0].tests
    first = {element.nonterminal for element in groups[0].definitions}
    grammar = asking.localization.grammar
    assert {grammar.symbols[one.nonterminal].name for one in asking.leading} <= first
