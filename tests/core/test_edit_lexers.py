"""New tokens in lexers of PLY, ANTLR and JFlex: where they are defined, what rules call them."""

import ast
from textwrap import dedent

import pytest

from gramspect.edits.writing import SourceFile, Unwritable
from gramspect.edits.writing.lexers import define_tokens

TERMINALS = ["NAME", "NUMBER", "LET", "LESS", "PLUS"]


def defined(*texts: str, lexer: str, rest: str = "") -> tuple[list[str], str]:
    """What rules call the texts, and the lines that are new in the lexer."""
    files = [SourceFile(f"{n}.py", dedent(text)) for n, text in enumerate((rest, lexer))]
    found = define_tokens(texts, TERMINALS, files)
    changed = found.file.replaced(found.replacements).text
    ast.parse(changed)
    before = found.file.text.splitlines()
    new = [line for line in changed.splitlines() if line.strip() and line not in before]
    return [found.symbols[text] for text in texts], "\n".join(new)


MODULE = """
tokens = ("NAME", "LESS")
t_LESS = "<"
t_PLUS = r"\\+"

def t_NAME(t):
    "[a-z]+"
    return t
"""


def test_a_sign_is_a_variable() -> None:
    names, new = defined("<=>", lexer=MODULE)
    assert names == ["LESS_EQUALS_GREATER"]
    assert new == 'tokens = ("NAME", "LESS", "LESS_EQUALS_GREATER")\n' + (
        "t_LESS_EQUALS_GREATER = r'<=>'"
    )


def test_signs_that_regular_expressions_take_for_something_else() -> None:
    names, new = defined("\\", "'", lexer=MODULE)
    assert names == ["BACKSLASH", "SIGN"]
    assert new.splitlines()[1:] == [r"t_BACKSLASH = r'\\'", 't_SIGN = r"\'"']


def test_a_word_is_a_function_before_the_others() -> None:
    names, new = defined("let_it", lexer=MODULE)
    assert names == ["LET_IT"]
    assert new.splitlines()[1:] == ["def t_LET_IT(t):", r"    r'\blet_it\b'"]


def test_a_word_where_there_are_only_variables() -> None:
    _, new = defined("let", lexer='tokens = ["NAME"]\nt_NAME = "[a-z]+"\n')
    assert new == """tokens = ["NAME", "LET_2"]\nt_LET_2 = r'let'"""


WORDS = """
class Lexer:
    words = {
        'let': 'LET',
    }
    tokens = ['NAME', 'NUMBER'] + list(words.values())
    literals = ['+', '-']

    @TOKEN(NAMES)
    def t_NAME(self, token):
        return token
"""


def test_a_word_among_others_of_which_tokens_are_made() -> None:
    assert defined("in", lexer=WORDS) == (["IN"], "        'in': 'IN',")


def test_a_word_among_others_whose_tokens_are_listed_once_more() -> None:
    lexer = WORDS.replace("['NAME', 'NUMBER'] + list(words.values())", "['NAME', 'LET']")
    new = "        'in': 'IN',\n    tokens = ['NAME', 'LET', 'IN']"
    assert defined("in", lexer=lexer) == (["IN"], new)


def test_words_and_names_are_written_like_the_others() -> None:
    lexer = WORDS.replace("'let': 'LET'", "'LET': 'K_LET'").replace("'NUMBER'", "'K_LET'")
    terminals = [*TERMINALS, "K_LET"]
    found = define_tokens(["in"], terminals, [SourceFile("l.py", dedent(lexer))])
    assert found.symbols == {"in": "K_IN"}
    assert "    'IN': 'K_IN',\n" in found.file.replaced(found.replacements).text


def test_a_list_of_names_of_which_words_are_made() -> None:
    lexer = """
    keywords = ("LET", "PLUS")
    keywords_new = ("_A", "_B")
    words = {keyword.lower(): keyword for keyword in keywords}
    tokens = keywords + keywords_new + ("NAME", "NUMBER")
    t_NUMBER = "[0-9]+"

    def t_NAME(t):
        "[a-z]+"
        t.type = words.get(t.value, "NAME")
        return t
    """
    assert defined("in", lexer=lexer) == (["IN"], 'keywords = ("LET", "PLUS", "IN")')
    found = define_tokens(["_In"], [*TERMINALS, "_A", "_B"], [SourceFile("l.py", dedent(lexer))])
    assert 'keywords_new = ("_A", "_B", "_IN")' in found.file.replaced(found.replacements).text


def test_a_character_that_is_a_token_by_itself() -> None:
    assert defined("?", lexer=WORDS) == (["'?'"], "    literals = ['+', '-', '?']")
    lexer = WORDS.replace("['+', '-']", '"+-"')
    assert defined("?", lexer=lexer) == (["'?'"], '    literals = "+-?"')


def test_a_function_with_a_decorator_and_other_parameters() -> None:
    lexer = WORDS.replace("'let': 'LET',", "").replace("+ list(words.values())", "")
    names, new = defined("in", "<=", lexer=lexer)
    assert names == ["IN", "LESS_EQUALS"]
    assert new.splitlines() == [
        "    tokens = ['NAME', 'NUMBER', 'IN', 'LESS_EQUALS'] ",
        "    def t_IN(self, token):",
        r"        r'\bin\b'",
        "    t_LESS_EQUALS = r'<='",
    ]


def test_text_in_quotes_is_any_such_text() -> None:
    _, new = defined("`abc`", lexer=MODULE)
    assert new.splitlines()[1:] == ["t_QUOTED = r'`[^`]*`'"]


def test_names_listed_elsewhere_than_in_tokens() -> None:
    """As in lexers of astutils, which makes the list of tokens of several."""
    lexer = MODULE.replace("tokens =", "operators = ['LESS', 'PLUS']\nmisc =")
    _, new = defined("=", lexer=lexer)
    assert new.splitlines()[0] == "operators = ['LESS', 'PLUS', 'EQUALS']"


def test_lists_with_a_name_on_each_line() -> None:
    lexer = "tokens = [\n    'NAME',\n    'LESS'  # less\n]\nt_LESS = '<'\n"
    _, new = defined("=", lexer=lexer)
    assert new.splitlines()[:2] == ["    'LESS',  # less", "    'EQUALS'"]
    _, new = defined("=", lexer=lexer.replace("'LESS'  #", "'LESS',  #"))
    assert new.splitlines()[0] == "    'EQUALS',"
    assert "t_EQUALS" in new


def test_comments_and_tabs_stay_as_they_are() -> None:
    lexer = "class L:\n\ttokens = ['NAME']\n\tt_LESS = '<'  # less\n\n\tdef t_NAME(t):\n\t\t'a'\n"
    assert defined("=", "let", lexer=lexer)[1].splitlines() == [
        "\ttokens = ['NAME', 'EQUALS', 'LET_2']",
        "\tt_EQUALS = r'='",
        "\tdef t_LET_2(t):",
        "\t\tr'\\blet\\b'",
        "\t\treturn t",
    ]


def test_the_lexer_with_most_of_the_tokens() -> None:
    other = 'tokens = ["NUMBER"]\nt_NUMBER = "[0-9]+"\n'
    assert defined("=", lexer=MODULE, rest=other) == defined("=", lexer=MODULE)


def test_columns_in_lines_with_other_letters() -> None:
    lexer = MODULE.replace('("NAME",', '("NAME", "Ä",')
    assert '"NAME", "Ä", "LESS", "EQUALS")' in defined("=", lexer=lexer)[1]


@pytest.mark.parametrize("lexer", ["", "def broken(:", "x = 1", 't_OTHER = "x"'])
def test_no_lexer(lexer: str) -> None:
    with pytest.raises(Unwritable, match="no token for this text"):
        defined("=", lexer=lexer)


def test_no_list_of_tokens() -> None:
    with pytest.raises(Unwritable, match="add it to the list of tokens"):
        defined("=", lexer='tokens = MADE\nt_NAME = "[a-z]+"\n')


# --- ANTLR ------------------------------------------------------------------------------------


def in_grammar(text: str, *texts: str) -> list[str]:
    """The lines of a lexer grammar with new tokens."""
    found = define_tokens(texts, TERMINALS, [SourceFile("L.g4", text)])
    return found.file.replaced(found.replacements).text.splitlines()


def test_rules_of_lexer_grammars_come_before_all_others() -> None:
    text = """lexer grammar L;
options { language = Java; } // a : b
@lexer::header { int a = b ? c : d; }
tokens { X }
fragment Letter : [a-z] ;
ID : Letter+ ;
"""
    assert in_grammar(text, "let", "=>", "'a'")[3:] == [
        "tokens { X }",
        "EQUALS_GREATER : '=>' ;",
        "LET : 'let' ;",
        "QUOTED : '\\'' ~[']* '\\'' ;",
        "fragment Letter : [a-z] ;",
        "ID : Letter+ ;",
    ]
    assert "LET_2 : 'let' ;" in in_grammar("lexer grammar L;\nLET : 'LET' ;\n", "let")


def test_a_lexer_grammar_without_rules() -> None:
    with pytest.raises(Unwritable, match="define one first"):
        in_grammar("lexer grammar L; import M;", "let")


CUP = "terminal String NAME;\nterminal LET, PLUS; // and so on\nnon terminal x;\nx ::= NAME;\n"
FLEX = """import java_cup.runtime.Symbol;
%%
%cup
%%
<YYINITIAL> {
  /* words */
  [a-z]+       { return symbol(sym.NAME, yytext()); }
  "let"        { return symbol(sym.LET); }
  "+" {
    return symbol(sym.PLUS); }
  "<"          { return symbol(sym.LESS, "<"); }
}
<TEXT> {
  "+"  { return symbol(sym.PLUS); }
}
"""


def in_specification(*texts: str, flex: str = FLEX, cup: str = CUP) -> tuple[list[str], str, str]:
    """What rules call the texts, and the texts of both files."""
    files = [SourceFile("x.cup", cup), SourceFile("x.flex", flex)]
    found = define_tokens(texts, TERMINALS, files)
    assert found.file is files[1]
    grammar, scanner = files[0].replaced(found.declared), files[1].replaced(found.replacements)
    return [found.symbols[text] for text in texts], grammar.text, scanner.text


def test_rules_of_specifications_come_before_those_around_them() -> None:
    names, grammar, scanner = in_specification("in", "=>")
    assert names == ["IN", "EQUALS_GREATER"]
    assert "terminal LET, PLUS, IN, EQUALS_GREATER; // and so on\n" in grammar
    new = '  "=>"         { return symbol(sym.EQUALS_GREATER); }\n'
    new += '  "in"         { return symbol(sym.IN); }\n'
    assert scanner == FLEX.replace("  /* words */", f"{new}  /* words */")


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [
        ('"+"\t{ return symbol(PLUS); }', "-", '"-"\t{ return symbol(MINUS); }'),
        ('  "+"\n    { return A(PLUS); }', "-", '  "-"\n    { return A(MINUS); }'),
        ('<A> "let"  { return sym(PLUS); }', "to", '<A> "to"   { return sym(TO); }'),
        ('"let" { return sym(LET); }', "until", '"until" { return sym(UNTIL); }'),
        ('"+"  { return A(PLUS); }', '"a"', '"\\"" [^\\"\\n]* "\\"" { return A(QUOTED); }'),
        ('"+"  { return symbol(sym.PLUS); }', "\\", '"\\\\" { return symbol(sym.BACKSLASH); }'),
    ],
)  # fmt: skip
def test_a_rule_is_written_like_another_one(rule: str, text: str, expected: str) -> None:
    _, _, scanner = in_specification(text, flex=f"%%\n%%\n{rule}\n")
    assert scanner == f"%%\n%%\n{expected}\n{rule}\n"


def test_terminals_that_all_have_a_type() -> None:
    _, grammar, _ = in_specification("in", cup="non terminal x;\nterminal String NAME;\n")
    assert grammar == "non terminal x;\nterminal IN;\nterminal String NAME;\n"


@pytest.mark.parametrize(
    ("flex", "cup"),
    [
        ("%%\n%%\n[a-z] { return symbol(sym.NAME); }\n", CUP),
        (FLEX, "parser code {: terminal x; :};"),
    ],
)
def test_a_specification_without_anything_to_write_like(flex: str, cup: str) -> None:
    with pytest.raises(Unwritable):
        in_specification("in", flex=flex, cup=cup)


def test_a_grammar_of_cup_alone() -> None:
    with pytest.raises(Unwritable, match="define one first"):
        define_tokens(["in"], TERMINALS, [SourceFile("x.cup", CUP)])
