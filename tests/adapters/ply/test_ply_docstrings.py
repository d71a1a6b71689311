"""Docstrings that are put together from several strings or have escapes, and what is written
there; comments at the ends of functions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gramspect
from edited import assert_written_edit, text_with
from examples import fewer
from gramspect import Grammar, LoadOptions, TestSuite, adapter
from gramspect.edits import Edit, EditKind
from gramspect.edits.confirmation import Agreement
from gramspect.edits.writing import Unwritable, written
from gramspect.source import Span
from gramspect_ply.literals import placed

HEAD = """from ply import lex, yacc

tokens = ("A", "B", "C")
t_A, t_B, t_C = "a", "b", "c"
literals = "+"
t_ignore = " "


def t_error(t):
    raise SyntaxError(t.value)


"""
FOOT = """

def p_error(p):
    raise SyntaxError


lexer = lex.lex()
parser = yacc.yacc(write_tables=False, debug=False, errorlog=yacc.NullLogger())
"""
JOINED = r'''def p_s(p):
    ("s : A"  # é "no string"
     '    B   t'
     "  C "  """  t
       """ r"| t '+'")


def p_t(p):
    u"t :\x20\
    A\n  | B " \
    '''
JOINED += '''"""C"""
    p[0] = p[1]
    # the end
'''


def grammar_of(path: Path, rules: str = JOINED) -> Grammar:
    path.write_text(HEAD + rules + FOOT)
    return adapter("ply").load(str(path), LoadOptions()).grammar


def shown(span: Span | None) -> str:
    """The text that a span covers, with its line counted from the first rule."""
    assert span is not None
    lines = Path(span.file).read_text().splitlines()
    assert span.line == span.end_line
    text = lines[span.line - 1][span.column - 1 : span.end_column - 1]
    return f"{span.line - HEAD.count(chr(10))}: {text}"


def test_places_of_symbols(tmp_path: Path) -> None:
    grammar = grammar_of(tmp_path / "joined.py")
    places = {rule.label: [shown(span) for span in rule.rhs_spans] for rule in grammar.rules}
    assert places == {
        "s:1": ["2: A", "3: B", "3: t", "4: C", "4: t"],
        "s:2": ["5: t", "5: '+'"],
        "t:1": ["10: A"],
        "t:2": ["10: B", "11: C"],
    }
    assert [shown(one.span) for one in grammar.nonterminals] == ["2: s", "9: t"]


def test_a_word_from_several_strings(tmp_path: Path) -> None:
    """It begins in one, and ends in another."""
    text = HEAD.replace('"A", "B"', '"A", "BB"').replace("t_B", "t_BB")
    path = tmp_path / "apart.py"
    path.write_text(text + 'def p_s(p):\n    ("s : A B"\n     "B")\n' + FOOT)
    grammar = adapter("ply").load(str(path), LoadOptions()).grammar
    (rule,) = grammar.rules
    span = rule.rhs_spans[1]
    assert span is not None
    line = HEAD.count("\n") + 2
    assert (span.line, span.column, span.end_line, span.end_column) == (line, 13, line + 1, 8)
    with pytest.raises(Unwritable, match="the word BB is written in several strings"):
        text_with(grammar, "s:1:1", EditKind.INSERT, "A")


@pytest.mark.filterwarnings("ignore:invalid escape sequence")
@pytest.mark.parametrize(
    "literals",
    [
        r"""'a"b' "c'd" """.strip(),
        r"""r'\n\'x' '\n\'x' '\\n' '\|' '\d'""",
        r"""'\x41\u00e9\U0001F600\N{BULLET}\101\0' 'é' """.strip(),
        "'a\\\nb'\n  # 'c'\n  'd'",
        "'''a\n\n  b'''  \\\n \"\"\"\nc\n\"\"\"",
        "''  u'a'  ''",
    ],
)
def test_where_characters_are_written(literals: str) -> None:
    found = placed(literals, 3, 7)
    assert "".join(one.character for one in found) == eval(f"({literals})")
    lines = (" " * 7 + literals).split("\n")
    for one in found:
        here = lines[one.line - 3][one.start : one.end]
        if one.character not in "\n":
            assert here == one.character or here.startswith("\\")
    assert [(one.line, one.start) for one in found] == sorted(
        {(one.line, one.start) for one in found}
    )


@fewer(0.5)
@given(data=st.data())
def test_what_is_written_is_the_edited_grammar(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp()

    def load(path: Path) -> Grammar:
        compile(path.read_text(), str(path), "exec")
        return adapter("ply").load(str(path), LoadOptions()).grammar

    grammar = grammar_of(folder / "joined.py")
    refusals = ("Unable to build parser", "Unable to construct parser", "Undefined")
    assert_written_edit(data, grammar, load, folder / "joined_edited.py", refusals)


def test_a_new_alternative_gets_a_function_of_its_own(tmp_path: Path) -> None:
    grammar = grammar_of(tmp_path / "joined.py")
    text = text_with(grammar, "s:1:1", EditKind.INSERT, "A")
    assert """r"| t '+'")\n\n\ndef p_s_more(p):\n    \"\"\"s : A A B t C t\"\"\"\n""" in text
    text = text_with(grammar, "t:2:1", EditKind.INSERT, "A")
    assert '    # the end\n\n\ndef p_t_more(p):\n    """t : B A C"""\n' in text


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        ("s:2:0", "the docstring is put together from several strings"),
        ("t:1:0", "the docstring has escapes for blanks or line ends"),
    ],
)
def test_why_no_alternative_is_taken_out(tmp_path: Path, label: str, reason: str) -> None:
    rules = JOINED.replace('B " \\\n    """C"""', 'B C"')
    grammar = grammar_of(tmp_path / "joined.py", rules)
    with pytest.raises(Unwritable, match=f"^{reason}$"):
        text_with(grammar, label, EditKind.DROP, "")


@pytest.mark.parametrize(
    ("docstring", "changed"),
    [
        ("'s : A B'", "'''s : A '+' B'''"),
        ("('s : A'\n     ' B')", "('s : A'\n     ''' '+' B''')"),
        ('"s : A B"', "\"s : A '+' B\""),
    ],
)
def test_a_literal_in_the_quotes_of_the_docstring(
    tmp_path: Path, docstring: str, changed: str
) -> None:
    rules = f"def p_s(p):\n    {docstring}\n\ndef p_more(p):\n    \"s : C '+' C\"\n"
    grammar = grammar_of(tmp_path / "quotes.py", rules)
    text = text_with(grammar, "s:1:1", EditKind.REQUIRE, "+")
    assert f"    {changed}\n" in text


def test_a_repair_is_confirmed(tmp_path: Path) -> None:
    path = tmp_path / "joined.py"
    path.write_text(HEAD + 'def p_s(p):\n    ("s : A"\n     "    B"\n     "    C")\n' + FOOT)
    found = gramspect.suggest(path, TestSuite.from_texts(["a b c", "a b"], ["a"])).suggestions
    best = next(one for one in found if one.change is not None)
    assert shown(best.span) == "4: C"
    assert best.confirmation is not None
    assert best.confirmation.agreement is Agreement.CONFIRMED


def text_apart(grammar: Grammar) -> str:
    """The text with a C between A and B in an alternative of its own function."""
    place = next(i for i in range(grammar.n_items) if grammar.item_label(i) == "s:1:1")
    edit = Edit(place, EditKind.INSERT, (grammar.symbol("C"),), 0, 1.0)
    return written(grammar, edit, apart=True).changed.text


BODY = """def p_s(p):
    "s : A B"
    p[0] = p[2]
"""


@pytest.mark.parametrize(
    ("comments", "n_kept"),
    [
        ("    # print(p[0])\n", 1),
        ("\t# one\n    # two\n", 2),
        ("    # one\n\n        # two\n\n\n", 3),
        ("# of what follows\n", 0),
        ("    # one\n# of what follows\n    # two\n", 1),
        ("\n\n# of what follows\n", 0),
    ],
)
def test_comments_at_the_end_stay_in_their_function(
    tmp_path: Path, comments: str, n_kept: int
) -> None:
    grammar = grammar_of(tmp_path / "comments.py", BODY + comments)
    lines = comments.splitlines(keepends=True)
    new = '\n\ndef p_s_more(p):\n    """s : A C B"""\n'
    text = text_apart(grammar)
    assert BODY + "".join(lines[:n_kept]) + new + "".join(lines[n_kept:]) + FOOT in text


def test_comments_between_methods_stay_where_they_are(tmp_path: Path) -> None:
    body = "".join(f"    {line}\n" for line in BODY.splitlines())
    inside, behind = "        # print(p[0])\n", "    # of what follows\n\n"
    rules = f"class Rules:\n    tokens = tokens\n\n{body}{inside}{behind}"
    foot = "    def p_error(self, p):\n        raise SyntaxError\n\nlexer = lex.lex()\n"
    foot += "parser = yacc.yacc(module=Rules(), write_tables=False, debug=False)\n"
    path = tmp_path / "methods.py"
    path.write_text(HEAD + rules.replace("(p)", "(self, p)") + foot)
    text = text_apart(adapter("ply").load(str(path), LoadOptions()).grammar)
    new = '\n    def p_s_more(self, p):\n        """s : A C B"""\n'
    assert inside + new + behind in text
