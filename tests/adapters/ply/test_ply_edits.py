"""Edits of PLY grammars: docstrings are text, too, and PLY itself has the last word."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

import gramspect
from edited import apply_diff, edits
from examples import fewer
from gramspect import Grammar, LoadOptions, TestSuite, adapter
from gramspect.edits import Edit, EditKind, applied
from gramspect.edits.confirmation import Agreement
from gramspect.edits.model import generalizes
from gramspect.edits.validation import Status
from gramspect.edits.writing import SourceFile, Unwritable, written

MODULE = '''
"""A desk calculator with lists."""

import ply.lex as lex
import ply.yacc as yacc

tokens = ["NUM", "ID", "LET", "IN"]
literals = "+-*/()=,[]"
precedence = [("left", "+", "-"), ("left", "*", "/"), ("right", "NEG")]
reserved = {"let": "LET", "in": "IN"}

t_NUM = r"[0-9]+"
t_ignore = " \\n"


def t_ID(t):
    r"[a-z]+"
    t.type = reserved.get(t.value, "ID")
    return t


def t_error(t):
    raise ValueError(t.value[0])


def p_expr(p):
    """expr : LET ID '=' expr IN expr
    | expr '+' expr
    | expr '-' expr"""
    p[0] = p[1:]


def p_product(p):
    \'\'\'
    expr : expr '*' expr
         | expr '/' expr

         | '-' expr %prec NEG
    \'\'\'
    p[0] = p[1:]


def p_group(p):
    "expr : '(' expr ')'"
    p[0] = p[2]


def p_list(p):
    "expr : '[' items ']'"
    p[0] = p[2]


def p_items(p):
    """items : expr
             | items ',' expr
    """
    p[0] = p[1:]


def p_atom(p):
    r"""expr : NUM
             | ID"""
    p[0] = p[1]


def p_error(p):
    raise SyntaxError(str(p))


lexer = lex.lex()
parser = yacc.yacc(debug=False, write_tables=False)
'''

ACCEPT = ["1 + 2", "let x = 3 in x * x", "(1)", "[1]", "[1, 2, x]", "[]", "- - 1", "[[], (2)]"]
REJECT = ["", "1 +", "[1 2]", "[1,]", "let x in x", "()", "[,]"]


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ply") / "calculator.py"
    path.write_text(MODULE)
    return path


def load(path: Path) -> Grammar:
    return adapter("ply").load(str(path), LoadOptions()).grammar


def rules(grammar: Grammar) -> list[tuple[str, tuple[str, ...]]]:
    names = [symbol.name for symbol in grammar.symbols]
    return sorted((names[r.lhs], tuple(names[s] for s in r.rhs)) for r in grammar.rules)


@fewer(0.6)
@given(data=st.data())
def test_what_is_written_is_the_edited_grammar(module: Path, data: st.DataObject) -> None:
    grammar = load(module)
    edit = data.draw(edits(grammar))
    lhs = grammar.rules[grammar.split_item(edit.item)[0]].lhs
    assume(edit.kind is not EditKind.DROP or len(grammar.rules_of[lhs]) > 1)
    try:
        changed = written(grammar, edit, apart=data.draw(st.booleans())).changed
    except Unwritable:
        assert edit.kind is EditKind.DROP, "only what stands alone in its function has to stay"
        reject()
    edited = module.with_name("edited.py")
    edited.write_bytes(changed.encoded())
    compile(changed.text, "edited.py", "exec")
    kind = EditKind.NARROW if generalizes(grammar, edit) else edit.kind
    expected = applied(grammar, replace(edit, kind=kind))
    # PLY refuses the same rule twice, what derives nothing, precedences of unused tokens, and
    # reductions where the input could be accepted.
    assume(set("+-*/") <= {name for _, rhs in rules(expected) for name in rhs})
    assume(len(set(rules(expected))) == expected.n_rules)
    assume(not expected.analysis.cyclic and expected.start not in expected.analysis.nullable)
    assume(all(s.index in expected.analysis.productive for s in expected.nonterminals))
    assume(grammar.symbol("NEG") not in edit.symbols)
    assume(any(rule.precedence == expected.symbol("NEG") for rule in expected.rules))
    assert rules(load(edited)) == rules(expected)


def test_a_docstring_on_one_line(module: Path) -> None:
    grammar = load(module)
    place = next(i for i in range(grammar.n_items) if "• ')'" in grammar.item_text(i))
    edit = Edit(place, EditKind.INSERT, (grammar.symbol("NUM"),), 0, 1.0)
    text = written(grammar, edit).changed.text
    assert """    \"\"\"expr : '(' expr ')'\n            | '(' expr NUM ')'\"\"\"\n""" in text


def test_a_function_of_its_own(module: Path) -> None:
    grammar = load(module)
    place = next(i for i in range(grammar.n_items) if "• ')'" in grammar.item_text(i))
    edit = Edit(place, EditKind.INSERT, (grammar.symbol("NUM"),), 0, 1.0)
    text = written(grammar, edit, apart=True).changed.text
    assert (
        "    p[0] = p[2]\n\n\ndef p_group_more(p):\n"
        """    \"\"\"expr : '(' expr NUM ')'\"\"\"\n"""
    ) in text


def test_suggestions_hold_in_ply(module: Path, tmp_path: Path) -> None:
    suite = TestSuite.from_texts(ACCEPT, REJECT)
    found = gramspect.suggest(module, suite, budget=600)
    assert [one.status for one in found.suggestions[:1]] == [Status.VALIDATED]
    for one in found.validated:
        assert one.change is not None
        content = one.change.changed.encoded()
        assert [apply_diff(one.change, tmp_path, program) for program in ("patch", "git")] == [
            content,
            content,
        ]
        mended = tmp_path / "mended.py"
        mended.write_bytes(content)
        result = gramspect.localize(str(mended), suite, confirm=None)
        still = {failing.test.name for failing in result.failing}
        assert still.isdisjoint(suite.tests[number].name for number in one.effect.fixed)
        assert not result.undecided
        assert still < {failing.test.name for failing in found.localization.failing}


def test_rules_made_from_templates() -> None:
    from pycparser.c_parser import CParser

    from gramspect_ply import PlyRecognizer

    grammar = PlyRecognizer.from_parser(CParser().cparser, CParser().clex).grammar
    made = next(r for r in grammar.rules if r.label == "id_declarator:1")
    edit = Edit(grammar.item(made.index, 0), EditKind.INSERT, (1,), 0, 1.0)
    with pytest.raises(Unwritable, match="made from a template"):
        written(grammar, edit, SourceFile.read)


@pytest.mark.slow
def test_an_action_that_counts_symbols(tmp_path: Path) -> None:
    """An alternative that its action cannot take gets a function of its own."""
    path = tmp_path / "counting.py"
    path.write_text(
        MODULE.replace(
            "    p[0] = p[2]\n\n\ndef p_items", "    p[0], = (p[2], p[3])[:1]\n\n\ndef p_items"
        )
    )
    found = gramspect.suggest(path, TestSuite.from_texts(ACCEPT, REJECT), budget=600)
    best = found.suggestions[0]
    assert best.status is Status.VALIDATED
    assert best.change is not None
    assert "def p_list_more(p):" in best.change.changed.text


@pytest.mark.slow
def test_the_demo() -> None:
    """pycparser's C with a fault: the edit is the one that undoes it, in a function of its own."""
    fixtures = Path(__file__).parents[3] / "fixtures"
    suite = TestSuite.load([fixtures / "c" / "accept"], [fixtures / "c" / "reject"])
    source = f"{fixtures / 'demo' / 'faulty_c.py'}:FaultyCParser"
    found = gramspect.suggest(source, suite, budget=600, most=1)
    (best,) = found.suggestions
    assert best.status is Status.VALIDATED
    assert best.describe() == "make expression optional"
    assert best.change is not None
    assert "def p_iteration_statement_3_more(self, p):" in best.change.changed.text
    assert best.confirmation is not None
    assert best.confirmation.tool.startswith("PLY 3")


COUNTING = '''
import ply.lex as lex
import ply.yacc as yacc

tokens = ["NUM"]
literals = "[],-"
t_NUM, t_ignore = "[0-9]+", " "


def t_error(t):
    raise SyntaxError(t)


def p_list(p):
    "list : '[' items ']'"
    p[0] = sum(p[2])


def p_items(p):
    """items : item
    | items ',' item"""
    p[0] = [p[1]] if len(p) == 2 else [*p[1], p[3]]


def p_item(p):
    """item : NUM
    | '-' NUM"""
    p[0] = int(p[1]) if len(p) == 2 else -int(p[2])


def p_error(p):
    raise SyntaxError(p)


lexer = lex.lex()
parser = yacc.yacc(debug=False, write_tables=False)
'''


def test_actions_that_do_not_know_a_new_alternative(tmp_path: Path) -> None:
    """A new kind of item has no value that `p_list` can sum: actions are left out."""
    path = tmp_path / "counting_items.py"
    path.write_text(COUNTING)
    suite = TestSuite.from_texts(["[1]", "[1, -2]", "[--2]"], ["[1,]", "[,]", "[-]"])
    found = gramspect.localize(path, suite)
    said = [one.confirmation for one in found.suggestions if one.confirmation]
    confirmed = [one for one in said if one.agreement is Agreement.CONFIRMED]
    assert any(one.tool.endswith(" without actions") for one in confirmed)
    assert "without actions" in gramspect.text_report(found)


def test_a_token_that_is_in_no_rule(tmp_path: Path) -> None:
    """It is a terminal with a name, which a repair can write."""
    path = tmp_path / "unused_token.py"
    path.write_text(
        COUNTING.replace('["NUM"]', '["NUM", "NAME"]').replace(
            "t_NUM, t_ignore", 't_NAME = "[a-z]+"\nt_NUM, t_ignore'
        )
    )
    assert "NAME" in [symbol.name for symbol in load(path).terminals]
    suite = TestSuite.from_texts(["[1]", "[1, -2]", "[x]", "[1, y]"], ["[1,]", "[x-]"])
    best = gramspect.suggest(path, suite).suggestions[0]
    assert best.describe() == "add the alternative NAME"
    assert best.change is not None
    assert "| NAME" in best.change.changed.text


CACHED = """

import os
import pickle

cache = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cached.pickle")
if os.path.exists(cache):
    with open(cache, "rb") as file:
        parser = pickle.load(file)
else:
    with open(cache, "wb") as file:
        pickle.dump(parser, file)
"""
ASSEMBLER = '''from ply import lex, yacc

tokens = ("PUSH", "POP", "AF", "BC")
t_PUSH, t_POP, t_AF, t_BC, t_ignore = "push", "pop", "af", "bc", " "


def t_error(t):
    raise SyntaxError(t)


def p_asm(p):
    """asm : PUSH AF
    | PUSH BC
    | POP BC"""


def p_error(p):
    pass


lexer = lex.lex()
parser = yacc.yacc(write_tables=False, debug=False)
'''


@pytest.mark.parametrize("cached", [False, True])
def test_a_parser_that_is_kept_in_a_file(
    cached: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy has the old parser beside the changed rules: that says nothing of the change."""
    package = tmp_path / f"assembler_{cached}"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "asm.py").write_text(ASSEMBLER + (CACHED if cached else ""))
    monkeypatch.syspath_prepend(tmp_path)
    suite = TestSuite.from_texts(["push af", "push bc", "pop bc", "pop af"], ["push", "af"])
    best = gramspect.suggest(f"{package.name}.asm:parser", suite).suggestions[0]
    assert best.describe() == "also allow POP instead of PUSH"
    assert best.confirmation is not None
    wanted = Agreement.UNTRIED if cached else Agreement.CONFIRMED
    assert best.confirmation.agreement is wanted


@pytest.mark.parametrize(
    "quotes", ["'''", '"""', *(pytest.param(one, marks=pytest.mark.slow) for one in ("'", '"'))]
)
def test_a_literal_at_the_end_of_a_docstring(quotes: str, tmp_path: Path) -> None:
    """The quote of a literal is none of those that end the docstring."""
    comma = '","' if quotes == "'" else "','"
    path = tmp_path / "lists.py"
    path.write_text(
        "from ply import lex, yacc\n"
        "tokens = ('NAME',)\nliterals = ',;'\nt_NAME = '[a-z]+'\nt_ignore = ' '\n"
        "def t_error(t):\n    raise SyntaxError(t.value[0])\n"
        f"def p_start(p):\n    {quotes}start : names{quotes}\n"
        f"def p_names(p):\n    {quotes}names : NAME{quotes}\n"
        f"def p_more(p):\n    {quotes}names : names {comma} NAME{quotes}\n"
        "def p_error(p):\n    raise SyntaxError\n"
        "lexer = lex.lex()\nparser = yacc.yacc(write_tables=False, debug=False)\n"
    )
    suite = TestSuite.from_texts(["a", "a, b", "a, b,"])
    found = gramspect.suggest(f"{path}:parser", suite).suggestions
    changed = [one.change.changed.text for one in found if one.change is not None]
    assert any(re.search(rf"""names ['"],['"] ?{quotes}""", text) for text in changed)
    for text in changed:
        compile(text, "lists.py", "exec")
    assert found[0].confirmation is not None
    assert found[0].confirmation.agreement is Agreement.CONFIRMED
