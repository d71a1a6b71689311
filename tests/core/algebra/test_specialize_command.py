"""``gramspect specialize``, its manners, and `specialize` for programs."""

import json
from pathlib import Path

import pytest
from shapes import shape

import gramspect
from command import Command
from gramspect.algebra.writing import read_dictionary
from gramspect.generation.sources import read_grammar
from gramspect.recognition.chart import parse_chart
from gramspect.yacc import read_yacc

CALC = """%token NUMBER
%%
expr   : expr '+' term | expr '-' term | term ;
term   : term '*' factor | term '/' factor | factor ;
factor : '(' expr ')' | '-' factor | NUMBER | '0' ;
"""
FAULTS = """[double_paren]
pattern = "((<expr>))"

[div_zero]
pattern = "<term> / 0"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("calc.y").write_text(CALC)
    Path("faults.toml").write_text(FAULTS)
    return tmp_path


def words(text: str) -> list[str]:
    return ["NUMBER" if c == "n" else c for c in text]


@pytest.mark.parametrize(
    ("where", "meant", "others"),
    [
        ("double_paren and not div_zero", ["n+((n))", "((n/n))"], ["n", "((n/0))", "(n)"]),
        ("div_zero outside double_paren", ["n/0", "((n))/0"], ["((n/0))", "n"]),
    ],
)
def test_the_grammar_that_is_written_has_these_inputs(
    command: Command, where: str, meant: list[str], others: list[str]
) -> None:
    answer = command("specialize", "calc.y", "--patterns", "faults.toml", "--where", where,
                     "-o", "out.y")  # fmt: skip
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("out.y: ")
    made = read_yacc("out.y")
    for text in [*meant, *others]:
        accepted = parse_chart(made, [made.token(w) or 0 for w in words(text)]).accepted
        assert accepted == (text in meant), text


def test_all_forms_are_the_same_grammar(command: Command) -> None:
    arguments = ("specialize", "calc.y", "--where", "'((<expr>))'")
    plain = command(*arguments)
    Path("plain.y").write_text(plain.out)
    wanted = shape(read_yacc("plain.y"))
    assert wanted == shape(gramspect.specialize("calc.y", "'((<expr>))'").grammar)
    dictionary = json.loads(command(*arguments, "--format", "json").out)
    assert dictionary["<start>"] == [["<expr>"]] or "<expr_with1>" in dictionary
    assert command(*arguments, "-o", "again.json").status == 0
    again = read_dictionary(Path("again.json").read_text())
    assert again.n_rules - len(dictionary["<start>"]) - len(dictionary["<NUMBER>"]) == sum(
        map(len, wanted)
    )


def test_lark_grammars_come_with_their_tokens(command: Command) -> None:
    Path("calc.lark").write_text(
        'start: expr\nexpr: expr "+" term | term\nterm: "(" expr ")" | NUMBER | "0"\n'
        "%import common.INT -> NUMBER\n%import common.WS\n%ignore WS\n"
    )
    answer = command("specialize", "calc.lark", "--where", "'((<expr>))'", "-o", "out.lark")
    assert answer.out.endswith("the smallest input is: ((1))\n")
    Path("yes.txt").write_text("12 + ((3)) + 4\n")
    Path("no.txt").write_text("(12) + (3)\n")
    answer = command("localize", "out.lark", "--accept", "yes.txt", "--reject", "no.txt")
    assert answer.status == 0
    made, _ = read_grammar("out.lark")
    found = gramspect.specialize("calc.lark", "'((<expr>))'")
    assert found.grammar is not None
    assert shape(made) == shape(found.grammar)
    assert command("specialize", "calc.lark", "--where", "'((<expr>))'").out.count("%import") == 2
    Path("elsewhere").mkdir()
    command("specialize", "calc.lark", "--where", "'((<expr>))'", "-o", "elsewhere/out.lark")
    assert "%declare NUMBER" in Path("elsewhere/out.lark").read_text()


def test_what_is_empty_is_said_with_the_reason(command: Command) -> None:
    answer = command("specialize", "calc.y", "--patterns", "faults.toml", "--where",
                     "double_paren and div_zero and not '0'", "-o", "out.y")  # fmt: skip
    assert (answer.status, answer.err) == (1, "")
    assert answer.out == "There is no such input: no input has div_zero and is without '0'.\n"
    assert not Path("out.y").exists()


def test_what_means_the_same_is_said_with_a_witness(command: Command) -> None:
    def compared(one: str, other: str) -> tuple[int, str]:
        answer = command("specialize", "calc.y", "--patterns", "faults.toml", "--where", one,
                         "--same-as", other)  # fmt: skip
        return answer.status, answer.out

    status, said = compared("not (div_zero or double_paren)", "not div_zero and not double_paren")
    assert (status, said.endswith("mean the same inputs of calc.\n")) == (0, True)
    assert compared("div_zero", "true") == (
        1,
        "They differ. This one is meant by 'true' and not by 'div_zero':\n  NUMBER\n",
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--where", ""], "the expression is empty; write one such as"),
        (["--where", "a"], "names the pattern 'a', which there is not; there are: div_zero, doub"),
        (["--where", "div_zero xor div_zero"], "has 'xor' at column 10"),
        (["--where", "<exp>"], "the grammar calc has no non-terminal 'exp'; did you mean 'expr'?"),
        (
            ["--where", "'(('"],
            "the pattern '((' is not derived from any symbol of the grammar calc",
        ),
        (["--where", "true", "-o", "out.txt"], "out.txt: its ending is none of .y, .lark, .g4"),
        (["--where", "true", "-o", "calc.y"], "calc.y is the grammar itself; name another file"),
        (["--where", "true", "-o", "faults.toml"], "faults.toml is the patterns; name another"),
        (["--where", "true", "--same-as", "true", "-o", "o.y"], "--same-as writes no grammar"),
        ([], "Missing option '--where'; see gramspect specialize --help"),
    ],
)
def test_mistakes_are_one_line(command: Command, arguments: list[str], said: str) -> None:
    message = command.fails("specialize", "calc.y", "--patterns", "faults.toml", *arguments)
    assert said.replace("div_zero, doub", "double_paren, div_zero") in message
    assert sorted(p.name for p in Path().iterdir()) == ["calc.y", "faults.toml"]


def test_patterns_that_are_none_of_the_grammar(command: Command) -> None:
    Path("other.toml").write_text('[call]\npattern = "f ( <args> )"\n')
    message = command.fails("specialize", "calc.y", "--patterns", "other.toml", "--where", "call")
    assert message.startswith("other.toml:1:2: the pattern call: the grammar calc has no non-")


def test_for_programs() -> None:
    found = gramspect.input_algebra("calc.y", {"parens": "(<expr>)"})
    result = found.specialize(found.expression("exactly 2 parens"))
    assert result.smallest() in ("( ( NUMBER ) )", "( ( 0 ) )")
    assert result.text == "exactly 2 parens"
    empty = gramspect.specialize(found.grammar, "at least 1 '0' and false")
    assert (empty.grammar, empty.smallest()) == (None, None)


def test_tokens_with_a_name_and_a_text_keep_their_name(tmp_path: Path, command: Command) -> None:
    (tmp_path / "g.y").write_text('%token ID ASSIGN ":="\n%%\ns : ID ":=" ID | ID ;\n')
    command("specialize", tmp_path / "g.y", "--where", "true", "-o", tmp_path / "same.y")
    written = (tmp_path / "same.y").read_text()
    assert "ID ASSIGN ID" in written
    (tmp_path / "ok.txt").write_text("ID ASSIGN ID")
    same = command("localize", tmp_path / "same.y", "--accept", tmp_path / "ok.txt")
    assert same.status == 0
