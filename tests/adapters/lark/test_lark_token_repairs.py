"""Repairs of terminals, each tried in a parser of its own."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from gramspect import LoadOptions, TestSuite, suggest
from gramspect.edits.confirmation import Agreement
from gramspect.recognition.recognizer import TokenRuleWriting
from gramspect.recognition.registry import adapter
from gramspect.suites.suite import Expectation, TestCase
from token_repairs import mended

CALC = """
    start: (assign ";")*
    assign: NAME "=" sum
    sum: sum ("+" | "-") term | term
    term: NUMBER | FUNCTION "(" sum ")" | NAME | TEXT | "(" sum ")"
    FUNCTION.2: "SIN" | "COS"
              | "EXP"
    NAME: /[a-zA-Z]+/
    NUMBER: INT ("." INT)? EXPONENT?
    EXPONENT: "e"i INT
    INT: "0".."9"+
    TEXT: /"[^"\\n]*"/
    COMMENT: "#" /[^\\n]*/
    %ignore /[ \\n]+/
    %ignore COMMENT
"""
GOOD = ("x = 1;", "x = 1.5 + y;", "x = SIN(1) - COS(y);  # so it is", 'x = "a b";', "x = 2e5;")


@pytest.fixture
def calc(tmp_path: Path) -> Path:
    file = tmp_path / "calc.lark"
    file.write_text(dedent(CALC))
    return file


@pytest.mark.parametrize(
    ("failing", "expected"),
    [
        (("x = TAN(1);", "x = 1 + TAN(y);"), '| "EXP" | "TAN"'),
        (("x = 1e-5;", "x = 2 - 1E-7;"), 'EXPONENT: "e"i "-"? INT'),
        (("x_1 = 1;", "zet = x_1 + a_2;", "abc_2 = 1;"), "NAME: /[a-zA-Z_0-9]+/"),
        (("x = 1; ~ one\ny = 2; ~ two", "x = 1; ~"), 'COMMENT: ("#" | "~") /[^\\n]*/'),
    ],
)
def test_a_repair_that_makes_the_tests_pass(
    calc: Path, failing: tuple[str, ...], expected: str
) -> None:
    assert mended(calc, (*GOOD, *failing), adapter="lark-lalr") == expected


def test_a_terminal_that_reads_too_much(tmp_path: Path) -> None:
    """Numbers with any character between: two numbers are one where a blank stands between."""
    file = tmp_path / "pairs.lark"
    file.write_text('start: ("(" N N ")")*\nN: /[0-9]+(.[0-9]+)?/\n%ignore " "\n')
    good = ("(1.5 2.5)", "(1  2)", "()" * 0, "(1.5 2)")
    assert mended(file, (*good, "(1 2)", "(3 4)(5 6)"), adapter="lark-lalr") == (
        r"N: /[0-9]+(\.[0-9]+)?/"
    )


def test_a_terminal_of_an_imported_file(tmp_path: Path) -> None:
    """The file that has the terminal has no rules."""
    (tmp_path / "words.lark").write_text('KIND: "int" | "real"\nNAME: /[a-z]+/\n')
    file = tmp_path / "main.lark"
    file.write_text(
        'start: (KIND NAME ";")*\n%import .words.KIND\n%import .words.NAME\n%ignore " "\n'
    )
    parser = adapter("lark-lalr").load(str(file), LoadOptions())
    assert [Path(name).name for name in parser.grammar.files] == ["main.lark", "words.lark"]
    assert isinstance(parser, TokenRuleWriting)
    pattern = parser.token_pattern("KIND")
    assert pattern is not None
    assert Path(pattern.named.file).name == "words.lark"


def test_a_regular_expression_in_a_rule(tmp_path: Path) -> None:
    file = tmp_path / "pairs.lark"
    file.write_text('start: (NAME ":" /[0-9]+/ ";")*\nNAME: /[a-z]+/\n%ignore " "\n')
    texts = ("a: 1;", "b: 23; c: 4;", "abc: 1.5;", "b: 2; c: 12.25;")
    line = mended(file, texts, adapter="lark-lalr")
    assert line == r'start: (NAME ":" /[0-9]+(?:\.[0-9]+)?/ ";")*'


def test_a_token_that_comes_first_by_its_priority(tmp_path: Path) -> None:
    file = tmp_path / "dashed.lark"
    file.write_text(
        'start: (NAME "=" (NAME | DASHED) ";")*\n'
        'NAME.2: /[a-z]+/\nDASHED: /[a-z]+-[0-9]+/\n%ignore " "\n'
    )
    texts = ("a = b;", "c = d; e = f;", "x = abc-12;", "y = d-1; z = a;")
    tests = TestSuite(tuple(TestCase(text, Expectation.ACCEPT, text) for text in texts))
    found = suggest(file, tests, load=LoadOptions(adapter="lark-lalr"))
    lines = [line for s in found.validated if s.change for _, line, _ in s.change.new_lines()]
    assert "DASHED.3: /[a-z]+-[0-9]+/" in lines


def test_a_keyword_that_is_read_as_a_name(tmp_path: Path) -> None:
    """Lark prefers the longer pattern, and the expression of a keyword may be short."""
    file = tmp_path / "always.lark"
    file.write_text(
        'start: formula\nformula: ALWAYS bounds? formula | NAME\nbounds: "[" NUMBER "]"\n'
        'ALWAYS: /G(?!\\d)/\nNAME: /[a-zA-Z]+/\nNUMBER: /[0-9]+/\n%ignore " "\n'
    )
    texts = ("p", "q", "G p", "G[3] p")
    assert mended(file, texts, adapter="lark-lalr") == r"ALWAYS.1: /G(?!\d)/"


def test_several_keywords_that_are_read_as_names(tmp_path: Path) -> None:
    """Each failing text has two of them, so that no change of a single one is enough."""
    file = tmp_path / "always.lark"
    file.write_text(
        "start: formula\nformula: (ALWAYS | FINALLY | NEXT) bounds? formula | NAME\n"
        'bounds: "[" NUMBER "]"\n'
        "ALWAYS: /G(?!\\d)/\nFINALLY: /F(?!\\d)/\nNEXT: /X(?!\\d)/\n"
        'NAME: /[a-zA-Z]+/\nNUMBER: /[0-9]+/\n%ignore " "\n'
    )
    suite = TestSuite.from_texts(("p", "q", "G F[3] p", "G[1] F[2] G q"))
    found = suggest(file, suite, load=LoadOptions(adapter="lark-lalr")).validated
    repair = next(one for one in found if one.nonterminal.startswith("token "))
    assert repair.describe() == "take precedence over NAME, and FINALLY, too"
    assert repair.change is not None
    lines = [line for _, line, _ in repair.change.new_lines()]
    assert lines == [r"ALWAYS.1: /G(?!\d)/", r"FINALLY.1: /F(?!\d)/"]


def test_what_a_definition_says_already_is_said_again(tmp_path: Path) -> None:
    file = tmp_path / "types.lark"
    file.write_text(
        'start: (TYPE ";")*\n'
        'TYPE: NAME ("." " "? NAME)* ("<" NAME ">")?\nNAME: /[A-Z][a-z]*/\n%ignore "\\n"\n'
    )
    texts = ("Int;", "List<Int>;", "My. Own;", "List<My. Own>;", "Set<A.B>;Set<A>;")
    line = mended(file, texts, adapter="lark-lalr")
    assert line == 'TYPE: NAME ("." " "? NAME)* ("<" NAME ("." " "? NAME)* ">")?'


SEVERAL_TIMES = """
    start: (NAME "=" PATH ";" | KIND_AND_BLANKS NAME ";" | DATA ";" | MARKED ";")*
    NAME: /[a-z]+/
    PATH: "/" PART ("/" PART)*
    PART: (LETTER | /[0-9.]/)+
    KIND_AND_BLANKS.2: KIND / +/
    KIND: "int" | "real" | "bool"
    DATA: "[" TEXT ("," TEXT)* "]"
    TEXT: /"[^"]*"/
    MARKED: "<" /[a-z.]+/ ">"
    %import common.LETTER
    %ignore " "
"""
READ = ("a = /usr/lib;", "int x;  real y; bool z;", '["a","b"]; ["c"];', "<a.b>;", "b = /x.2;")


@pytest.mark.parametrize(
    ("failing", "expected"),
    [
        (("d = /usr/my-own-files/a-b;",), 'PART: (LETTER | /[0-9.]/ | "-")+'),
        (('["a",12,"b",7];', "[1,2,3];"), 'TEXT: /"[^"]*"/ | /[0-9]+/'),
        (("char x;", "int y; text z;"), 'KIND: "int" | "real" | "bool" | "char" | "text"'),
        (("<a:b:c>;",), 'MARKED: "<" /[a-z.:]+/ ">"'),
        (("<a:b>;",), 'MARKED: "<" /[a-z.:]+/ ">"'),  # a sign among signs
    ],
)
def test_a_change_that_a_token_needs_several_times(
    tmp_path: Path, failing: tuple[str, ...], expected: str
) -> None:
    file = tmp_path / "several.lark"
    file.write_text(dedent(SEVERAL_TIMES))
    assert mended(file, (*READ, *failing), adapter="lark-lalr") == expected


def test_a_new_word_of_a_list_has_the_flags_of_the_others(calc: Path) -> None:
    calc.write_text(calc.read_text().replace('"EXP"', '"EXP"i'))
    line = mended(calc, (*GOOD, "x = TAN(1);", "x = 1 + TAN(y);"), adapter="lark-lalr")
    assert line == '| "EXP"i | "TAN"i'


@pytest.mark.parametrize(
    ("words", "expected"),
    [('"show"i NAME | "list"i', '"sort"i'), ('"show" NAME | "list"i', '"sort"')],
)
def test_a_new_word_of_a_rule_has_the_flags_of_most_words(
    tmp_path: Path, words: str, expected: str
) -> None:
    file = tmp_path / "commands.lark"
    file.write_text(f'start: (command ";")*\ncommand: {words}\nNAME: /\\$[a-z]/\n%ignore " "\n')
    suite = TestSuite.from_texts(["show $x; list;", "sort;"])
    found = suggest(file, suite, load=LoadOptions(adapter="lark-lalr")).suggestions
    changed = [one.change.changed.text for one in found if one.change is not None]
    assert changed
    assert all(expected in text for text in changed)
    assert not any(f"{expected}i" in text for text in changed)


def test_a_new_token_in_quotes_is_any_text_in_quotes(tmp_path: Path) -> None:
    file = tmp_path / "names.lark"
    file.write_text('start: (name "=" name ";")*\nname: NAME\nNAME: /[a-z]+/\n%ignore " "\n')
    suite = TestSuite.from_texts(["x = y;", "x = `a b`;"])
    found = suggest(file, suite, load=LoadOptions(adapter="lark-lalr")).suggestions
    new = [one for one in found if one.edit is not None and one.edit.texts == ("`a b`",)]
    assert new
    for one in new:
        assert one.change is not None
        assert "/`[^`]*`/" in one.change.changed.text
        assert one.confirmation is not None
        assert one.confirmation.agreement is Agreement.CONFIRMED


WORDS = """
    start: (entry ";")*
    entry: CODE NUMBER | NAME "=" NUMBER
    CODE.2: {definition}
    NAME: /[a-z_]+/
    NUMBER: /[0-9]+/
    %ignore " "
"""


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ("/code/i", r"CODE.2: /code(?!\w)/i"),
        ("/code|key/", r"CODE.2: /(?:code|key)(?!\w)/"),
        ('"code"i', r'CODE.2: "code"i /(?!\w)/'),
        ('"code"i | "key"', r'CODE.2: ("code"i | "key") /(?!\w)/'),
        ('("code" | "key")', r'CODE.2: ("code" | "key") /(?!\w)/'),
    ],
)
def test_a_keyword_that_swallows_the_beginning_of_a_name(
    tmp_path: Path, definition: str, expected: str
) -> None:
    file = tmp_path / "words.lark"
    file.write_text(dedent(WORDS).format(definition=definition))
    texts = ("code 1;", "a = 2; b = 3;", "code 4; c = 1;", "codes = 5;", "a = 1; code_x = 7;")
    assert mended(file, texts, adapter="lark-lalr") == expected


def test_the_keyword_is_mended_where_the_name_comes_with_the_tool(tmp_path: Path) -> None:
    imported = "%import common.CNAME -> NAME"
    text = dedent(WORDS).format(definition='"call"i').replace("NAME: /[a-z_]+/", imported)
    file = tmp_path / "words.lark"
    file.write_text(text)
    texts = ("call 1;", "a = 2; CALL 3;", "CALLFL = 0;")
    assert mended(file, texts, adapter="lark-lalr") == r'CODE.2: "call"i /(?!\w)/'


IMPORTED = """
    start: (VARIABLE "=" (AMOUNT | VARIABLE) ";")*
    VARIABLE: CNAME
    AMOUNT: INT LETTER LETTER+
    %import common.CNAME
    %import common.INT
    %import common.LETTER
    %ignore " "
"""


@pytest.mark.parametrize(
    ("failing", "expected"),
    [
        (("my-own = 12kg;", "a = my-other-one;"), 'VARIABLE: CNAME ("-" CNAME)*'),
        (("a = 1V;", "b = 25A;"), "AMOUNT: INT LETTER? LETTER+"),
    ],
)
def test_what_the_tool_defines_is_changed_where_it_is_used(
    tmp_path: Path, failing: tuple[str, ...], expected: str
) -> None:
    file = tmp_path / "imported.lark"
    file.write_text(dedent(IMPORTED))
    texts = ("a = 10kg;", "b = 2min; c = 7km;", "d = e;", *failing)
    assert mended(file, texts, adapter="lark-lalr") == expected


def test_the_definition_that_a_token_is_nothing_else_than_is_to_blame(tmp_path: Path) -> None:
    """A token that others are made of comes after these, unless they are that token."""
    file = tmp_path / "fields.lark"
    file.write_text(
        'start: (FIELD "=" INT ";" | "use" WORD "!")*\nFIELD: WORD\nWORD: LETTER (LETTER | "_")*\n'
        'LETTER: /[a-z]/\n%import common.INT\n%ignore " "\n'
    )
    texts = ("a = 1;", "b_c = 2; d = 3;", "use x!", "_a = 4;", "b = 1; _c = 5;")
    tests = TestSuite.from_texts(texts)
    found = suggest(file, tests, load=LoadOptions(adapter="lark-lalr")).localization
    tokens = [e.label for e in found.ranking if e.token is not None]
    assert tokens.index("token WORD") < tokens.index("token FIELD")


QUOTED = """
    start: (NAME "=" (TEXT | NAME) ";")*
    NAME: /[a-z]+/
    TEXT: {definition}
    %ignore " "
"""
ESCAPED = ('a = "x\\"y";', 'b = "\\"q\\""; c = "d";')
DOUBLED = ("a = 'it''s';", "b = '''q'''; c = 'd';")


@pytest.mark.parametrize(
    ("definition", "failing", "expected"),
    [
        (r'/"[^"]*"/', ESCAPED, r'TEXT: /"(?:\\.|[^"\\])*"/'),
        (r'/"[^"\n]*"/', ESCAPED, r'TEXT: /"(?:\\.|[^"\n\\])*"/'),
        (r'/".*?"/', ESCAPED, r'TEXT: /"(?:\\.|.)*?"/'),
        (r'"\"" /[^"]*/ "\""', ESCAPED, r'TEXT: "\"" /(?:\\.|[^"\\])*/ "\""'),
        (r"/'[^']*'/", DOUBLED, r"TEXT: /'(?:''|[^'])*'/"),
    ],
)
def test_quotes_inside_of_quotes(
    tmp_path: Path, definition: str, failing: tuple[str, ...], expected: str
) -> None:
    file = tmp_path / "quoted.lark"
    file.write_text(dedent(QUOTED).format(definition=definition))
    quote = failing[0][4]
    good = (f"a = {quote}x{quote};", "b = c;", f"a = {quote}x y{quote}; b = {quote}z{quote};")
    assert mended(file, (*good, *failing), adapter="lark-lalr") == expected


def test_keywords_in_letters_of_another_case(tmp_path: Path) -> None:
    """All that a text has are one fault, each written with its flag."""
    file = tmp_path / "query.lark"
    file.write_text(
        'start: (query ";")*\nquery: SELECT NAME FROM NAME | DROP NAME ("," NAME)*\n'
        'SELECT: "SELECT"\nFROM: "FROM" | "OF"i\nDROP: /DROP/\nNAME: /[a-zA-Z]+/\n%ignore " "\n'
    )
    texts = ("SELECT a FROM b;", "DROP a; DROP b, c;", "SELECT a of b;")
    failing = ("select a from b;", "SELECT c from d;", "Select a From b;")
    lines = mended(file, (*texts, *failing), adapter="lark-lalr")
    assert lines == 'SELECT: "SELECT"i\nFROM: "FROM"i | "OF"i'


def test_a_keyword_that_is_a_regular_expression_in_either_case(tmp_path: Path) -> None:
    file = tmp_path / "drop.lark"
    file.write_text(
        'start: (DROP NAME ("," NAME)* ";")*\nDROP.2: /DROP|ERASE/\nNAME: /[a-zA-Z]+/\n'
        '%ignore " "\n'
    )
    texts = ("DROP a;", "ERASE b, c; DROP d;", "drop a, b;", "DROP c; Erase a, d;")
    assert mended(file, texts, adapter="lark-lalr") == "DROP.2: /(?i:DROP|ERASE)/"


@pytest.mark.parametrize(
    ("definition", "failing", "expected"),
    [
        ("NUMBER: /[0-9]+/", "x = 1.5e-3;", "NUMBER: /[0-9]+/ /\\.[0-9]+(?:[eE][+-]?[0-9]+)?/?"),
        ("NUMBER: /[0-9]+/", "x = 2e5;", "NUMBER: /[0-9]+/ /[eE][+-]?[0-9]+/?"),
        ("HEX.2: /0x[0-9a-f]+/", "x = 0xFF;", "HEX.2: /0x[0-9a-fA-F]+/"),
        (
            'TEXT: /"[^"]*"/',
            "x = 'a b';",
            "TEXT: /\"[^\"]*\"/ | /'(?:\\\\[^\\n]|[^'\\\\\\n])*'/",
        ),
        ("COMMENT: /#[^\\n]*/", "x = 1; // so it is", "COMMENT: /#[^\\n]*/ | /\\/\\/[^\\n\\r]*/"),
        ("COMMENT: /#[^\\n]*\\n/", "x = 1; # so it is", "COMMENT: /#[^\\n]*\\n?/"),
        ("BLANK: / +/", "x =\t1;", "BLANK: /[ \\t]+/"),
        ('OP: "+" | "-"', "x = 1 ** 2;", 'OP: "+" | "-" | "**"'),
    ],
)
def test_tokens_as_they_usually_look(
    tmp_path: Path, definition: str, failing: str, expected: str
) -> None:
    usual = {
        "NUMBER": "NUMBER: /[0-9]+([.][0-9]+)?([eE][0-9]+)?/",
        "HEX.2": "HEX.2: /0x[0-9a-fA-F]+/",
        "TEXT": 'TEXT: /"[^"]*"/',
        "OP": 'OP: "+" | "-"',
        "COMMENT": "COMMENT: /#[^\\n]*/",
        "BLANK": "BLANK: /[ \\n]+/",
    }
    usual[definition.partition(":")[0]] = definition
    rules = (
        'start: (NAME "=" value ";")*\nvalue: atom (OP atom)*\natom: NUMBER | HEX | TEXT | NAME\n'
    )
    ends = "NAME: /[a-z]+/\n%ignore COMMENT\n%ignore BLANK\n"
    file = tmp_path / "usual.lark"
    file.write_text(rules + "\n".join(usual.values()) + "\n" + ends)
    good = ("x = 1 + 2;", 'y = "a b" - x;', "z = 0x12;")
    assert mended(file, (*good, failing), adapter="lark-lalr") == expected
