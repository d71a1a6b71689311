"""What a source may be, and what is said of one that cannot be used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gramspect.errors import AdapterError, NoSuchFile
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.registry import adapter, adapter_for
from gramspect.recognition.trace import LRTrace, Undecided
from gramspect.suites.suite import Expectation, TestCase

HEAD = "from ply import lex, yacc\n"
LEXER = "tokens = ('A', 'B')\nt_A = 'a'\nt_B = 'b'\n"
RULES = "def p_s(p):\n    '''s : A s\n    | B'''\n"
QUIET = "debug=False, write_tables=False, errorlog=yacc.NullLogger()"
PARSER = f"lexer = lex.lex()\nparser = yacc.yacc({QUIET})\n"


def write(folder: Path, text: str, name: str = "grammar.py") -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return str(folder / name)


def load(source: str, start: str | None = None) -> Recognizer:
    return adapter("ply").load(source, LoadOptions(start=start))


def accepts(recognizer: Recognizer, text: str) -> bool:
    trace = recognizer.trace(TestCase("test", Expectation.ACCEPT, text))
    assert isinstance(trace, LRTrace), trace
    return trace.error is None


def works(recognizer: Recognizer) -> None:
    assert [rule.label for rule in recognizer.grammar.rules] == ["s:1", "s:2"]
    assert accepts(recognizer, "aab")
    assert not accepts(recognizer, "aba")


def complaint(source: str, start: str | None = None) -> str:
    with pytest.raises(AdapterError) as caught:
        load(source, start)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(source)
    return message.removeprefix(source).lstrip(": ")


# --- what works -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        HEAD + LEXER + RULES + PARSER,
        HEAD + LEXER + RULES + PARSER + "same = parser\nscan = lexer\n",
        HEAD + LEXER + RULES + PARSER + "del lexer\n",
        HEAD + LEXER + RULES + "lex.lex()\nyacc.yacc(" + QUIET + ")\n",
        LEXER + RULES,
        "import ply.yacc as generator\n" + LEXER + RULES,
        "from ply.yacc import yacc\nfrom ply.lex import lex\n" + LEXER + RULES,
        HEAD
        + LEXER
        + RULES
        + PARSER
        + "while True: parser.parse(input('calc > '))\n".replace(
            "while True:", "try:\n    while True:"
        )
        + "except EOFError:\n    pass\n",
    ],
    ids=[
        "parser and lexer",
        "two names",
        "PLY's own lexer",
        "nothing kept",
        "nothing made",
        "nothing made, PLY renamed",
        "nothing made, functions imported",
        "asks the user",
    ],
)
def test_modules(tmp_path: Path, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    recognizer = load(write(tmp_path, text))
    works(recognizer)
    assert capfd.readouterr() == ("", "")
    assert [file.name for file in tmp_path.iterdir()] == ["grammar.py"]


HOLDERS = f"""
class Both:
    def __init__(self):
        self.scanner = lex.lex(module=sys.modules[__name__])
        self.inner = yacc.yacc(module=sys.modules[__name__], {QUIET})

class WithParse(Both):
    def parse(self, text, debug=False):
        return self.inner.parse(text.strip("! "), lexer=self.scanner)

class Outer:
    def __init__(self):
        self.tool = Both()
        self.lexer = self.tool.scanner

class Two(Both):
    def __init__(self):
        super().__init__()
        self.other = yacc.yacc(module=sys.modules[__name__], {QUIET})

class Late(Both):
    # Its parser is made by one method, and another one gives its actions what they need.
    def __init__(self):
        self.texts = []

    def build(self, **options):
        Both.__init__(self)

    def parse_string(self, text):
        self.texts.append(text)
        return self.inner.parse(text.strip("! "), lexer=self.scanner)

class Prepared(Late):
    def __init__(self):
        super().__init__()
        self.build()

def factory(kind=Both):
    return kind()

def parser_factory():
    return Both().inner

def needs(argument):
    return Both()

def fails():
    raise OSError("no licence")

class Space:
    made = Both()

ready = Both()
"""


@pytest.mark.parametrize(
    "attribute",
    [
        "Both",
        "Outer",
        "factory",
        "parser_factory",
        "Two.inner",
        "Space.made",
        "ready",
        "ready.inner",
    ],
)
def test_attributes(tmp_path: Path, attribute: str) -> None:
    source = write(tmp_path, "import sys\n" + HEAD + LEXER + RULES + HOLDERS)
    works(load(f"{source}:{attribute}"))


def test_the_holders_own_parse_is_used(tmp_path: Path) -> None:
    source = write(tmp_path, "import sys\n" + HEAD + LEXER + RULES + HOLDERS)
    recognizer = load(f"{source}:WithParse")
    works(recognizer)
    assert accepts(recognizer, "ab !")


def test_a_method_that_makes_the_parser(tmp_path: Path) -> None:
    source = write(tmp_path, "import sys\n" + HEAD + LEXER + RULES + HOLDERS)
    works(load(f"{source}:Late.build"))
    assert complaint(f"{source}:Late") == "Late holds no PLY parser"
    assert adapter_for(f"{source}:Late.build").name == "ply"


def test_a_method_that_reads_the_text(tmp_path: Path) -> None:
    source = write(tmp_path, "import sys\n" + HEAD + LEXER + RULES + HOLDERS)
    recognizer = load(f"{source}:Prepared.parse_string")
    works(recognizer)
    assert accepts(recognizer, "ab !")


def test_a_method_that_would_help_is_named(tmp_path: Path) -> None:
    action = RULES + "    prepared.texts[0]\n"
    text = "import sys\n" + HEAD + LEXER + action + HOLDERS + "prepared = Prepared()\n"
    source = write(tmp_path, text)
    trace = load(f"{source}:prepared").trace(TestCase("test", Expectation.ACCEPT, "b"))
    assert isinstance(trace, Undecided)
    assert "IndexError" in trace.reason
    assert "if Prepared.parse_string prepares the parse, name the method" in trace.reason
    assert accepts(load(f"{source}:prepared.parse_string"), "b")


@pytest.mark.parametrize(
    ("source", "accepted", "rejected"),
    [
        ("pycparser.c_parser:CParser", "typedef int T; T x;", "int x"),
        ("pycparser:CParser", "int x;", "x = 1;"),
        ("jsonpath_ng.parser:JsonPathParser", "$.a[0]", "$.a["),
        ("jsonpath_ng.ext.parser:ExtendedJsonPathParser", "$.a[?(@.b > 3)]", "$.a[?(]"),
    ],
)
def test_installed_parsers(source: str, accepted: str, rejected: str) -> None:
    assert adapter_for(source).name == "ply"
    recognizer = load(source)
    assert accepts(recognizer, accepted)
    assert not accepts(recognizer, rejected)


def test_a_grammar_without_a_lexer_takes_token_names(tmp_path: Path) -> None:
    load(write(tmp_path, HEAD + LEXER + RULES + PARSER))  # whose lexer PLY takes for the last one
    recognizer = load(write(tmp_path, "tokens = ('A', 'B')\n" + RULES, "bare.py"))
    for text, message in (
        ("A A B", None),
        ("A\n  A", "unexpected end of input"),
        ("A C", "unknown token 'C'"),
    ):
        trace = recognizer.trace(TestCase("test", Expectation.ACCEPT, text))
        assert isinstance(trace, LRTrace)
        assert message is None if trace.error is None else trace.error.message == message


@pytest.mark.parametrize("last", ["lexer = lex.lex()", "lex.lex()", ""])
def test_a_lexer_in_the_module_that_has_the_tokens(tmp_path: Path, last: str) -> None:
    write(tmp_path, f"from ply import lex\n{LEXER}{last}\n", "letters.py")
    works(load(write(tmp_path, "from letters import tokens\n" + RULES)))


def test_neighbours_are_found_and_kept_apart(tmp_path: Path) -> None:
    """Two folders, each with a lexer.py of its own; one grammar imports again when it parses."""
    for name, pattern in (("one", "a"), ("two", "x")):
        write(
            tmp_path / name,
            f"from ply import lex\ntokens = ('A', 'B')\nt_A = '{pattern}'\n"
            "t_B = 'b'\nlexer = lex.lex()\n",
            "lexer.py",
        )
        write(tmp_path / name, "VALUE = 1\n", "values.py")
        write(
            tmp_path / name,
            HEAD
            + "from lexer import lexer, tokens\n"
            + RULES
            + "    import lexer, values\n    assert lexer.t_A == "
            + repr(pattern)
            + f"\nparser = yacc.yacc({QUIET})\n",
        )
    modules = set(sys.modules)
    path = list(sys.path)
    one, two = (load(str(tmp_path / name / "grammar.py")) for name in ("one", "two"))
    for _ in range(2):
        assert accepts(one, "ab")
        assert accepts(two, "xb")
    assert sys.path == path
    assert not {"lexer", "values", "grammar"} & (set(sys.modules) - modules)


def test_a_users_own_table_file(tmp_path: Path) -> None:
    """A module loads from the tables that it has written; loaded by us it writes none."""
    text = HEAD + LEXER + RULES + "lexer = lex.lex()\nparser = yacc.yacc(debug=False)\n"
    source = write(tmp_path, text)
    first = load(source)
    assert not (tmp_path / "parsetab.py").exists()
    subprocess.run([sys.executable, source], check=True, capture_output=True)
    assert (tmp_path / "parsetab.py").exists()
    second = load(source)
    works(first)
    works(second)
    assert [r.rhs_spans for r in second.grammar.rules] == [r.rhs_spans for r in first.grammar.rules]


def test_start_symbol(tmp_path: Path) -> None:
    text = LEXER + RULES + "def p_t(p):\n    't : s s'\n"
    assert accepts(load(write(tmp_path, text), start="t"), "bab")
    assert accepts(load(write(tmp_path, text), start="s"), "ab")


def test_what_is_claimed() -> None:
    ply = adapter("ply")
    for source in ("x.py", "a/b.py:Name", "pycparser", "pycparser.c_parser:CParser.cparser"):
        assert ply.claims(source), source
    for source in (
        "no_such.y",
        "grammar.g4",
        "no_such_package",
        "folder/",
        "a b",
        "",
        "no_such.mod:X",
    ):
        assert not ply.claims(source), source


# --- what does not ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "x = 1\nraise KeyError('lost\\nkey')\n",
            "does not import: KeyError: 'lost\\nkey' (line 2)",
        ),
        ("import no_such_module\n", "does not import: ModuleNotFoundError: No module named"),
        ("def broken(:\n", "does not import: SyntaxError: invalid syntax (grammar.py, line 1)"),
        ("import sys\nopen(sys.argv[1])\n", "does not import: IndexError: list index out of range"),
        ("exit(3)\n", "does not import: SystemExit: 3 (line 1)"),
        ("x = 1\n", "holds no PLY parser and no p_ functions; if a class or function makes the"),
        (
            HEAD + LEXER + RULES + PARSER + f"second = yacc.yacc({QUIET})\n",
            "holds several parsers (parser, second); name one, such as",
        ),
    ],
)
def test_modules_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    assert complaint(write(tmp_path, text)).startswith(message)


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("Bot", "there is no 'Bot'; did you mean 'Both'?"),
        ("Both.thing", "there is no 'thing'"),
        ("needs", "needs needs arguments; name a class or function that needs none"),
        ("fails", "fails() raised OSError: no licence"),
        ("Two", "holds several parsers (inner, other); name one, such as SOURCE:Two.inner"),
        ("tokens", "tuple holds no PLY parser"),
        ("sys", "holds no PLY parser and no p_ functions"),
    ],
)
def test_attributes_that_cannot_be_used(tmp_path: Path, attribute: str, message: str) -> None:
    file = write(tmp_path, "import sys\n" + HEAD + LEXER + RULES + HOLDERS)
    found = complaint(f"{file}:{attribute}").removeprefix("holds").strip()
    assert found.startswith(message.replace("SOURCE", file).removeprefix("holds").strip())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LEXER + "def p_s(p):\n    's : A t'\n", "Symbol 't' used, but not defined"),
        (LEXER + "def p_s(p):\n    's : A s'\n", "Infinite recursion detected for symbol 's'"),
        (RULES, "No token list is defined"),
        (LEXER + "def p_s(p):\n    's A B'\n", "Syntax error. Expected ':'"),
        (LEXER.replace("'a'", "'('") + RULES, "Invalid regular expression for rule 't_A'"),
    ],
)
def test_grammars_that_ply_refuses(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(
        AdapterError, match=r"^PLY cannot build a (parser|lexer) for grammar: "
    ) as caught:
        load(write(tmp_path, text))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_another_start_symbol_than_the_parsers(tmp_path: Path) -> None:
    source = write(tmp_path, HEAD + LEXER + RULES + PARSER)
    assert complaint(source, start="t").startswith("the parser was built for the start symbol 's'")


def test_missing_files_and_modules(tmp_path: Path) -> None:
    none = tmp_path / "none.py"
    with pytest.raises(NoSuchFile) as caught:
        load(str(none))
    assert str(caught.value) == f"{none}: there is no such file; check the path"
    assert complaint("no_such_module").startswith("does not import: ModuleNotFoundError")
    with pytest.raises(NoSuchFile, match="there is no such file or module"):
        load(str(tmp_path / "none.g4"))


def test_what_ply_says_of_a_lexer_that_the_users_code_makes(tmp_path: Path) -> None:
    """It is in the log only, which nobody sees."""
    said = complaint(write(tmp_path, 'import ply.lex\ntokens = ["A"]\nt_A = "("\nply.lex.lex()\n'))
    assert "Can't build lexer" in said
    assert "; PLY says: Invalid regular expression for rule 't_A'" in said


def test_a_file_of_another_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "toy.g4"
    file.write_text("grammar Toy;")
    monkeypatch.chdir(tmp_path)
    for name in (str(file), "toy.g4"):  # the latter could be a module
        assert complaint(name).startswith("is no Python file; without --adapter")


WITHOUT_PLY = """
import sys
sys.modules["ply"] = None
sys.modules["ply.lex"] = sys.modules["ply.yacc"] = None
from gramspect.errors import MissingDependency
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.registry import adapter
ply = adapter("ply")
print(ply.missing())
for attempt in (
    lambda: ply.load({bare!r}, LoadOptions()),
    lambda: ply.load({importing!r}, LoadOptions()),
    lambda: ply.build(Grammar.from_rules([("s", ["a"])])),
):
    try:
        attempt()
    except MissingDependency as problem:
        print(problem)
print(ply.load("pycparser:CParser", LoadOptions()).grammar.n_rules)
"""


def test_without_ply(tmp_path: Path) -> None:
    """Only parsers that bring their own copy of PLY can be used."""
    bare = write(tmp_path / "bare", LEXER + RULES)
    importing = write(tmp_path / "importing", HEAD + LEXER + RULES + PARSER)
    code = WITHOUT_PLY.format(bare=bare, importing=importing)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    install = 'pip install "gramspect[ply]"'
    missing = f"PLY is not installed: {install}"
    assert done.stdout.splitlines() == [
        missing,
        missing,
        f"{importing} needs PLY, which is not installed: {install}",
        missing,
        "340",
    ]
