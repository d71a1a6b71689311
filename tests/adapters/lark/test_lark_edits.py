"""Edits of .lark grammars: what is written means what was meant, and Lark agrees."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gramspect
from command import Command
from edited import apply_diff, assert_written_edit, text_with
from examples import fewer
from gramspect import Grammar, LoadOptions, TestSuite, adapter
from gramspect.edits import EditKind
from gramspect.edits.validation import Status

CALCULATOR = """\
// A calculator
start: stmt (";" stmt)*

?stmt: "let" NAME "=" expr    -> assign
     | "print" args           // several
     | expr

args: expr ("," expr)*

?expr: term
     | expr ("+" | "-") term  -> sum

?term: factor
     | term "*" factor -> mul

?factor: NUMBER       -> number
       | NAME         -> var
       | "(" expr ")"
       | NAME "(" args ")" -> call
       | "[" [expr ("," expr)*] "]" -> list
       | unit+ "!"

unit: "m" | "s" | "k"? "g"

NAME.-1: /[a-z]+/
%import common.NUMBER
%import common.WS
%ignore WS
"""

ACCEPT = ["let x = 1 + 2", "print 1, 2", "f(1, 2) * 3", "[1, 2]", "[]", "f()", "f() + 1", "m s !"]
REJECT = ["1 +", "f(1", "[1,]", "f(,)", "let x", "1 2"]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lark") / "calculator.lark"
    path.write_text(CALCULATOR)
    return path


@fewer(0.6)
@given(data=st.data())
def test_what_is_written_is_the_edited_grammar(path: Path, data: st.DataObject) -> None:
    lark = adapter("lark-earley")

    def load(file: Path) -> Grammar:
        return lark.load(str(file), LoadOptions()).grammar

    copy = path.with_name("edited.lark")
    assert_written_edit(data, load(path), load, copy, ("Rules defined twice",))


@pytest.mark.parametrize(
    ("before", "label", "kind", "after"),
    [
        ('s: A B\n', "s:1:1", EditKind.INSERT, 's: A C? B\n'),
        ('s: A B -> x\n', "s:1:0", EditKind.END, 's: A B -> x | C -> x\n'),
        ('s: A B -> x\n | B\n', "s:1:0", EditKind.END, 's: A B -> x\n | C -> x\n | B\n'),
        ('s: A B // one | two\n | B\n', "s:1:0", EditKind.DROP, 's: B\n'),
        ('s: A\n | B // two\n | C\n', "s:2:0", EditKind.DROP, 's: A\n  // two\n | C\n'),
        ('s: A [B] C\n', "s:1.1:2:0", EditKind.DROP, 's: A (B) C\n'),
        ('s: A [B] C\n', "s:1.1:1:1", EditKind.INSERT, 's: A [B C?] C\n'),
        ('s: A ("x" | B) C\n', "s:1:1", EditKind.REPLACE, 's: A ("x" | B | C ) C\n'),
    ],
)  # fmt: skip
def test_notation(before: str, label: str, kind: EditKind, after: str, tmp_path: Path) -> None:
    tail = 'start: s C\nA: "a"\nB: "b"\nC: "c"\n'
    path = tmp_path / "g.lark"
    path.write_text(before + tail)
    grammar = adapter("lark-earley").load(str(path), LoadOptions()).grammar
    new = "" if kind is EditKind.DROP else "C"
    assert text_with(grammar, label, kind, new) == after + tail


@pytest.mark.parametrize("name", ["lark-earley", "lark-lalr"])
def test_suggestions_hold_in_lark(name: str, path: Path, tmp_path: Path) -> None:
    suite = TestSuite.from_texts(ACCEPT, REJECT)
    found = gramspect.suggest(
        path, suite, load=LoadOptions(adapter=name), budget=600, most=3, confirm=3
    )
    assert found.suggestions[0].status is Status.VALIDATED
    for number, one in enumerate(found.validated):
        assert one.change is not None
        content = apply_diff(one.change, tmp_path, ("patch", "git")[number % 2])
        assert content == one.change.changed.encoded()
        result = gramspect.localize(
            str(tmp_path / path.name), suite, load=LoadOptions(adapter=name)
        )
        fixed = {suite.tests[number].name for number in one.effect.fixed}
        before = {failing.test.name for failing in found.localization.failing}
        assert {failing.test.name for failing in result.failing} == before - fixed


def test_what_several_files_became_is_still_shown(tmp_path: Path, command: Command) -> None:
    """A fault in each of two files: one working copy cannot hold both changes."""
    (tmp_path / "part.lark").write_text('x: "a" "b"\n')
    main, tests = tmp_path / "main.lark", tmp_path / "tests.txt"
    main.write_text('%import .part.x\nstart: x "c" "d" | "e"\n')
    tests.write_text("abcd\ne\nacd\nabc\n")
    answer = command(
        "debug", "--auto", main, "--lines", "--accept", tests, "-o", tmp_path / "mended.lark"
    )  # fmt: skip
    assert answer.status == 2
    assert "All 4 tests pass." in answer.out
    assert "several files were changed" in answer.err
    assert "part.lark" in answer.err
    assert not (tmp_path / "mended.lark").exists()


OPTIONAL_COMMA = """\
start: "(" NAME ("," NAME)* ")" | "<" NAME [","] ">"
NAME: /[a-z]+/
"""


def test_no_two_suggestions_come_to_the_same(tmp_path: Path) -> None:
    """``","`` before the bracket, and the ``[","]`` that the grammar has elsewhere."""
    (tmp_path / "g.lark").write_text(OPTIONAL_COMMA)
    (tmp_path / "tests.txt").write_text("(a)\n(a,b)\n<a,>\n(a,b,)\n")
    suite = TestSuite.load(accept=[tmp_path / "tests.txt"], lines=True)
    found = gramspect.suggest(tmp_path / "g.lark", suite, most=20).suggestions
    diffs = [one.change.changed.text.replace('[","]', '","?') for one in found if one.change]
    assert len(diffs) == len(set(diffs)) > 1


LETS = 'start: st*\nst: "let" NAME "=" e ";" | "do" e\ne: NAME | e "+" NAME\n'
INDICES = """start: st*
st: NAME "." NAME "=" NUMBER | "[" index "]" ";"
index: NUMBER | "(" index ")"
NUMBER: /[0-9]+/
"""


@pytest.mark.parametrize(
    ("rules", "accept", "said", "written"),
    [
        (
            LETS,
            ["let a = b;", "do a + b let a = b + c;", "let a;", "let a; let b = c;"],
            'make ( "=" e ) optional',
            '"let" NAME ( "=" e )? ";"',
        ),
        (
            INDICES,
            ["a.b = 1", "[1];", "[(2)]; a.c = 2", "a[(1)] = 2", "a[2] = 1 [1];"],
            'also allow "[" index "]" instead of ( "." NAME )',
            'NAME ( "." NAME | "[" index "]" ) "=" NUMBER',
        ),
    ],
    ids=["optional", "replaced"],
)
def test_adjacent_symbols_are_changed_in_one_group(
    rules: str, accept: list[str], said: str, written: str, tmp_path: Path
) -> None:
    path = tmp_path / "grammar.lark"
    path.write_text(rules + "NAME: /[a-z]+/\n%ignore /\\s+/\n")
    found = gramspect.suggest(path, TestSuite.from_texts(accept=accept), budget=600, most=1)
    first = found.suggestions[0]
    assert (first.describe(), first.status) == (said, Status.VALIDATED)
    assert first.change is not None
    assert written in first.change.changed.text


def test_flags_that_only_the_dynamic_lexer_takes(tmp_path: Path) -> None:
    """The rest of a text is read by the basic lexer, which joins the patterns."""
    path = tmp_path / "pragmas.lark"
    text = 'start: (item ";")*\nitem: NAME "=" NAME | "[" NAME "," NAME "]" | PRAGMA\n'
    text += 'PRAGMA: /(?s){.*?}/ "!"?\nNAME: /[a-z]+/\n%ignore /\\s+/\n'
    path.write_text(text)
    suite = TestSuite.from_texts(accept=["a = b;", "[a, b]; {x\ny};", "a = b, c; {x\ny}!; d = e;"])
    first = gramspect.suggest(path, suite, budget=600, most=1).suggestions[0]
    assert (first.status, first.effect.fixed) == (Status.VALIDATED, (2,))


OPERATORS = """start: st*
st: NAME op e ";"
op: "=" | "+=" | "-=" | "*="
e: t | e ("+" | "-") t
t: NAME | NUMBER | t ("*" | "/") NAME
NAME: /[a-z]+/
NUMBER: /[0-9]+/
%ignore /\\s+/
"""


@pytest.mark.parametrize("name", ["lark-earley", "lark-lalr"])
def test_an_operator_that_the_lexer_cuts_is_a_new_token(name: str, tmp_path: Path) -> None:
    path = tmp_path / "ops.lark"
    path.write_text(OPERATORS)
    accept = ["a = b + c;", "a += 2; b *= a * c;", "a **= 2;", "a = 1; b **= a * c;"]
    suite = TestSuite.from_texts(accept=accept, reject=["a * = 2;"])
    load = LoadOptions(adapter=name)
    first = gramspect.suggest(path, suite, load=load, budget=600, most=1, confirm=1).suggestions[0]
    assert first.describe() == 'add the alternative "**="'
    assert (first.status, first.effect.fixed) == (Status.VALIDATED, (2, 3))
    assert first.confirmation is not None
    assert first.change is not None
    assert '"=" | "**=" | "+="' in first.change.changed.text


@pytest.mark.parametrize("name", ["lark-lalr", "lark-earley"])
def test_a_keyword_that_was_read_as_a_name_is_tried_as_what_it_is(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / "when.lark"
    path.write_text(
        """\
start: rule*
rule: "when" cond effect ";"
cond: "(" NAME NAME* ")" | "(" AND cond* ")"
effect: "(" NAME NAME* ")"
block: "(" AND effect* ")" | effect
AND: "and"
NAME: /[a-z]+/
%ignore " "
"""
    )
    suite = TestSuite.from_texts(
        accept=[
            "when (a) (and (b) (c d));",
            "when (and (a) (b)) (and (c));",
            "when (a) (b);",
            "when (and (a b) (c)) (d e);",
        ],
        reject=["when (a);", "when a (b);", "when (a) (b (c));"],
    )
    found = gramspect.suggest(path, suite, load=LoadOptions(adapter=name)).suggestions
    (wanted,) = (one for one in found if "allow any block instead of effect" in one.describe())
    assert wanted.change is not None
    assert 'rule: "when" cond block ";"' in wanted.change.changed.text
    assert wanted.status is Status.VALIDATED
    assert wanted.effect.fixed == (0, 1)


@pytest.mark.parametrize("name", ["lark-lalr", "lark-earley"])
def test_a_new_keyword_that_the_lexer_reads_as_a_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / "commands.lark"
    path.write_text(
        """\
start: (command ";")*
command: "show" NAME | "drop" NAME "from" NAME | "list"
NAME: /[a-z]+/
%ignore " "
"""
    )
    accept = ["show a;", "drop b from c; list;", "create b;", "show c; create d;"]
    suite = TestSuite.from_texts(accept=accept, reject=["a;", "show;", "drop a b;"])
    found = gramspect.suggest(path, suite, load=LoadOptions(adapter=name)).suggestions
    (wanted,) = (one for one in found if one.describe() == 'also allow "create" instead of "show"')
    assert wanted.change is not None
    assert '( "show" | "create" ) NAME' in wanted.change.changed.text
    assert (wanted.status, wanted.effect.fixed) == (Status.VALIDATED, (2, 3))
    assert wanted.confirmation is not None
    assert wanted.confirmation.agreement.value == "confirmed"


def test_a_word_of_a_passing_test_is_no_new_keyword(tmp_path: Path) -> None:
    path = tmp_path / "commands.lark"
    path.write_text(
        'start: ("show" NAME "in" NAME ";")*\nNAME: /[a-z]+/\n%ignore " "\n', encoding="utf-8"
    )
    suite = TestSuite.from_texts(accept=["show a in b;", "show c in a;", "a b;"])
    found = gramspect.suggest(path, suite, load=LoadOptions(adapter="lark-lalr")).suggestions
    assert not [one for one in found if '"a"' in one.describe() or '"b"' in one.describe()]
