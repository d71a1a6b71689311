"""Files and live objects; what is wrong with them, in one line with its place."""

from __future__ import annotations

import re
import shutil
import sys
import threading
from pathlib import Path
from textwrap import dedent

import lark
import pytest
from lark_cases import Load, text_test

from command import Command
from gramspect import TestSuite, localize
from gramspect.edits.confirmation import Agreement
from gramspect.errors import (
    AdapterError,
    GrammarError,
    GramspectError,
    MissingDependency,
    NoSuchFile,
)
from gramspect.localization.conclusion import best_first
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.registry import adapter, adapter_for
from gramspect.recognition.trace import LRTrace, Undecided, Verdict
from gramspect.spectrum.extraction import observe
from gramspect_lark.finding import grammars_below
from gramspect_lark.problems import collisions

BOTH = pytest.mark.parametrize("name", ["lark-lalr", "lark-earley"])


def verdict(parser: Recognizer, text: str) -> Verdict:
    return observe(parser.trace(text_test(text))).verdict


# --- broken grammars -----------------------------------------------------------------------------

BROKEN = [
    ('start: ( "a"\n', "1:13: the line ends too early; Lark expects ')'"),
    ('start: "a"\nb: "c"??\n', "2:8: Expecting a value"),
    ('start: a\na "b"\n', "2:3: unexpected '\"b\"'; Lark expects '.' or ':' or '{'"),
    ("start: a $ b\n", "1:10: Unexpected input"),
    ('start: "a"\n  | foo bar\nfoo: "x"\n', "2:9: Rule 'bar' used but not defined (in rule start)"),
    ('start: "a" FOO\n', "1:12: Rule 'FOO' used but not defined (in rule start)"),
    ('start: "a"\nb: "x"\nstart: "b"\n', "3:1: Rule 'start' defined more than once"),
    ("start: A\nA: B\nB: A\n", "2:1: Recursion in terminal 'A' (recursion is only allowed in"),
    ('%extend foo: "a"\nstart: "b"\n', "1:9: Can't extend rule foo as it wasn't defined before"),
    ('%override foo: "a"\nstart: "b"\n', "1:11: Cannot override a nonexisting rule foo"),
    ('start: t{"a","b"}\nt{x}: x\n', "Wrong number of template arguments used for t"),
    ('start: "a"\n%ignore FOO\n', "Terminals {'FOO'} were marked to ignore but were not defined!"),
    ('start: A\nA: ("." B{{{{T~1..3)?\n', "2:11: expected '}', not '{'"),
    (
        f'start: {200 * "a{"}b{200 * "}"}\na{{x}}: x\nb: "b"\n',
        "groups are nested more than 100 deep",
    ),
    ('start: "a"~3..1\n', "Bad Range for Terminal('A') (3..1 isn't allowed)"),
    (
        'foo: bar "x"\nbar: "y" | bar\nlist{x}: x+\nbaz: list{bar}\n',
        "there is no rule 'start' to start with; name one with --start, such as foo or baz, which"
        " no other uses",
    ),
    ("", "there is no rule 'start' to start with; name one with --start"),
    (
        "%import missing.thing.X\nstart: X\n",
        "1:1: the imported grammar missing/thing.lark is not found; "
        "name the folder that has it with --option imports=FOLDER",
    ),
]


@BOTH
@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_broken_grammars(load: Load, name: str, text: str, message: str) -> None:
    with pytest.raises(GramspectError) as caught:
        load(name, text)
    shown = str(caught.value)
    assert "\n" not in shown
    assert shown.startswith(f"{load.folder / 'main.lark'}:")
    assert message in shown


def test_errors_in_imported_grammars(load: Load) -> None:
    with pytest.raises(GramspectError) as caught:
        load("lark-lalr", "%import .other.a\nstart: a\n", other='a: "x"\nb c\n')
    place, _, message = str(caught.value).partition(": ")
    assert place == f"{load.folder / 'other.lark'}:2:3"
    assert message == "unexpected 'c'; Lark expects '.' or ':' or '{'"


def test_terminals_that_lark_refuses(load: Load) -> None:
    for name, text, message in (
        ("lark-lalr", "start: A\nA: /x*/\n", "2:1: Lexer does not allow zero-width terminals."),
        ("lark-earley", "start: A\nA: /x*/\n", "Dynamic Earley doesn't allow zero-width regexps"),
        ("lark-lalr", "start: A\nA: /x(/\n", "Cannot compile token A: 'x('"),
        ("lark-earley", "start: A\nA: /x(/\n", "2:4: no regular expression: missing )"),
    ):
        with pytest.raises(GramspectError) as caught:
            load(name, text)
        assert message in str(caught.value)
        assert "main.lark:2:" in str(caught.value)


@BOTH
def test_patterns_of_the_package_regex(load: Load, name: str) -> None:
    """Python's own module has no properties of characters; the message says what is to be done."""
    text = 'start: WORD ("," WORD)*\nWORD: /\\p{Lu}\\p{L}*/\n'
    with pytest.raises(
        GramspectError, match="patterns of the package regex use --option regex=yes"
    ):
        load(name, text)
    parser = load(name, text, None, {"regex": "yes"})
    assert verdict(parser, "Äpfel,Öl") is Verdict.ACCEPTED
    assert verdict(parser, "Äpfel,öl") is Verdict.REJECTED
    suite = TestSuite.from_texts(["Äpfel", "A,B", "A,B,", "Öl,"])
    result = localize(
        load.folder / "main.lark", suite, load=LoadOptions(extra={"regex": "yes"}, adapter=name)
    )
    repair = best_first(result, result.ranking[0])[0]
    assert result.ranking[0].nonterminal == "start"
    assert repair.confirmation is not None
    assert repair.confirmation.agreement is Agreement.CONFIRMED


def test_the_package_regex_is_asked_for(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gramspect_lark.settings.find_spec", lambda _: None)
    with pytest.raises(MissingDependency, match="pip install regex"):
        load("lark-lalr", "start: A\nA: /x/\n", None, {"regex": "yes"})


def test_colliding_reductions(load: Load) -> None:
    """Lark's finding, with the rules that it is about; Earley takes the grammar."""
    text = 'start: a | b\na: "x"\nb: "x"\n'
    with pytest.raises(GramspectError) as caught:
        load("lark-lalr", text)
    file = load.folder / "main.lark"
    assert str(caught.value) == (
        f"{file}:2:1: Lark cannot choose between reductions: reduce/reduce collision before $END "
        f"between a -> X ({file}:2:1) and b -> X ({file}:3:1); "
        "give one of the rules a higher priority, or use lark-earley"
    )
    assert verdict(load("lark-earley", text), "x") is Verdict.ACCEPTED
    repeated = 'start: "z"* "z"*\n'
    with pytest.raises(GramspectError) as caught:
        load("lark-lalr", repeated)
    assert "between a repetition in start, of " in str(caught.value)


def test_collisions_are_told_in_one_order() -> None:
    """Lark goes through sets, so its own order is another one in each process."""
    text = 'start: a "x" | b "x" | a "y" | b "y"\na: "z"\nb: "z"\n'
    with pytest.raises(lark.exceptions.GrammarError) as raised:
        lark.Lark(text, parser="lalr")
    parts = str(raised.value).split("\n\n")
    told = collisions("\n\n".join(parts))
    assert [each.terminal for each in told] == ["X", "Y"]
    assert collisions("\n\n".join(reversed(parts))) == told


def test_a_priority_resolves_a_collision(load: Load) -> None:
    text = 'start: a | b\na.1: "x"\nb.2: "x"\n'
    parser = load("lark-lalr", text)
    trace = parser.trace(text_test("x"))
    assert isinstance(trace, LRTrace)
    assert {parser.grammar.rules[rule].label for rule in trace.reduced} == {"b:1", "start:2"}


@pytest.mark.parametrize(
    ("name", "extra", "message"),
    [
        ("lark-lalr", {"lexer": "dynamic"}, "lexer=dynamic: there are contextual, basic"),
        ("lark-earley", {"lexer": "contextual"}, "lexer=contextual: there are dynamic,"),
        ("lark-earley", {"ambiguity": "all"}, "ambiguity=all: there are resolve, explicit, forest"),
        ("lark-lalr", {"priority": "x"}, "priority=x: there are auto, normal, invert"),
        ("lark-lalr", {"regex": "1"}, "regex=1: there are yes, no"),
        ("lark-lalr", {"postlex": "nowhere:X"}, "nowhere does not import: ModuleNotFoundError"),
        ("lark-lalr", {"postlex": "lark.indenter:PythonIndentor"}, "did you mean 'PythonIndenter'"),
        (
            "lark-lalr",
            {"postlex": "lark.indenter"},
            "name what is in the module: lark.indenter:name",
        ),
    ],
)
def test_options_that_make_no_sense(
    load: Load, name: str, extra: dict[str, str], message: str
) -> None:
    with pytest.raises(AdapterError) as caught:
        load(name, 'start: "a"\n', None, extra)
    assert message in str(caught.value)


def test_folders_of_imports(load: Load, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "words.lark").write_text('WORD: "w"\n')
    text = "%import words.WORD\nstart: WORD\n"
    parser = load("lark-lalr", text, None, {"imports": str(tmp_path / "shared")})
    assert verdict(parser, "w") is Verdict.ACCEPTED


def test_missing_and_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(GrammarError, match=r"no\.lark: there is no such file; check the path"):
        adapter("lark-lalr").load(str(tmp_path / "no.lark"), LoadOptions())
    (tmp_path / "folder.lark").mkdir()
    with pytest.raises(GrammarError, match="is a directory; name a grammar file in it"):
        adapter("lark-lalr").load(str(tmp_path / "folder.lark"), LoadOptions())
    latin = tmp_path / "latin.lark"
    for content, place in {
        b'start: "\xe9"\n': "1:9",
        'start: "ö"\r\n  | "ö'.encode() + b'\xff"': "2:7",
        b"\x7fELF\x02\x01\n\x80": "2:1",
    }.items():
        latin.write_bytes(content)
        byte = re.escape(f"latin.lark:{place}: the byte 0x") + ".. is not UTF-8; save the file as"
        with pytest.raises(GrammarError, match=byte):
            adapter("lark-lalr").load(str(latin), LoadOptions())
    (tmp_path / "main.lark").write_text("start: X\n%import .latin (X)\n")
    with pytest.raises(GrammarError, match=r"latin\.lark:2:1: the byte 0x80 is not UTF-8; save"):
        adapter("lark-lalr").load(str(tmp_path / "main.lark"), LoadOptions())


def test_who_takes_a_file(tmp_path: Path) -> None:
    """Earley as Lark itself does; LALR for tokens that only a postlexer can make."""
    plain, declaring = tmp_path / "plain.lark", tmp_path / "declaring.lark"
    plain.write_text('start: "a"\n')
    declaring.write_text("start: A\n%declare A\n")
    assert adapter_for(str(plain)).name == "lark-earley"
    assert adapter_for(str(declaring)).name == "lark-lalr"
    assert adapter_for(str(tmp_path / "missing.lark")).name == "lark-earley"


# --- live objects --------------------------------------------------------------------------------

MODULE = '''
from lark import Lark, Transformer

GRAMMAR = r"""
start: pair ("," pair)*
pair: NAME "=" NUMBER
NAME: /[a-z]+/
NUMBER: /[0-9]+/
%ignore " "
"""


class Doubling(Transformer):
    def pair(self, children):
        name, number = children
        if name == "bad":
            raise ValueError("bad name")
        return name, 2 * int(number)


lalr = Lark(GRAMMAR, parser="lalr")
earley = Lark(GRAMMAR)
several = Lark(GRAMMAR, parser="lalr", start=["start", "pair"])
cyk = Lark(GRAMMAR, parser="cyk")
acting = Lark(GRAMMAR, parser="lalr", transformer=Doubling())
binary = Lark(GRAMMAR, parser="lalr", use_bytes=True)


def made():
    return Lark(GRAMMAR, parser="lalr")


class Holder:
    def __init__(self):
        self.parser = made()


class Full:
    def __init__(self):
        self.one, self.two = made(), made()


number = 3
'''


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.py"
    path.write_text(dedent(MODULE))
    return path


def live(module: Path, attribute: str, name: str = "lark-lalr", **how: object) -> Recognizer:
    return adapter(name).load(f"{module}:{attribute}", LoadOptions(**how))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("attribute", "name"),
    [("lalr", "lark-lalr"), ("earley", "lark-earley"), ("made", "lark-lalr"),
     ("Holder", "lark-lalr"), ("Holder.parser", "lark-lalr"), ("binary", "lark-lalr")],
)  # fmt: skip
def test_live_objects(module: Path, attribute: str, name: str) -> None:
    """Places lead into the module that has the grammar as a string."""
    parser = live(module, attribute, name)
    assert verdict(parser, "a = 1, b = 2") is Verdict.ACCEPTED
    assert verdict(parser, "a = 1, b 2") is Verdict.REJECTED
    grammar = parser.grammar
    span = grammar.item_span(
        grammar.item(next(r.index for r in grammar.rules if r.label == "pair:1"), 1)
    )
    assert span is not None
    assert Path(span.file).name == "pairs.py"
    assert module.read_text().split("\n")[span.line - 1][span.column - 1 :] == '"=" NUMBER'


@pytest.mark.parametrize(
    ("attribute", "name", "message"),
    [
        ("earley", "lark-lalr", "has the parser 'earley'; use --adapter lark-earley"),
        ("lalr", "lark-earley", "has the parser 'lalr'; use --adapter lark-lalr"),
        ("cyk", "lark-lalr", "has the parser 'cyk', which gramspect cannot observe"),
        ("several", "lark-lalr", "several start symbols (start, pair); name one with --start"),
        ("Full", "lark-lalr", "holds several Lark objects; name one, such as"),
        ("number", "lark-lalr", "is no Lark object but int"),
        ("lalrr", "lark-lalr", "there is no 'lalrr'; did you mean 'lalr'?"),
    ],
)
def test_what_is_no_such_parser(module: Path, attribute: str, name: str, message: str) -> None:
    with pytest.raises(AdapterError) as caught:
        live(module, attribute, name)
    assert message in str(caught.value)


def test_start_symbols_of_live_objects(module: Path) -> None:
    assert verdict(live(module, "several", start="pair"), "a = 1") is Verdict.ACCEPTED
    with pytest.raises(AdapterError, match="was made for the start symbol start, not 'pair'"):
        live(module, "lalr", start="pair")


def test_transformers_run(module: Path) -> None:
    parser = live(module, "acting")
    assert verdict(parser, "a = 1") is Verdict.ACCEPTED
    found = parser.trace(text_test("bad = 1"))
    assert isinstance(found, Undecided)
    assert "ValueError" in found.reason
    assert verdict(live(module, "acting", actions=False), "bad = 1") is Verdict.ACCEPTED


def test_objects_from_a_cache(tmp_path: Path) -> None:
    """Lark keeps no path then: the file with the same text beside the module is the grammar."""
    (tmp_path / "kept.lark").write_text('start: "a" other?\nother: "b"\n')
    module = tmp_path / "caching.py"
    module.write_text(
        "from pathlib import Path\n"
        "from lark import Lark\n"
        "here = Path(__file__).parent\n"
        "def parser():\n"
        "    cache = str(here / 'cache.bin')\n"
        "    return Lark.open(str(here / 'kept.lark'), parser='lalr', cache=cache)\n"
    )
    for _ in range(2):  # makes the cache, uses it
        parser = live(module, "parser")
        assert parser.grammar.diagnostics == ()
        assert verdict(parser, "ab") is Verdict.ACCEPTED
        span = parser.grammar.item_span(0)
        assert span is not None
        assert (Path(span.file).name, span.line, span.column) == ("kept.lark", 1, 8)


def test_folders_that_vanish_are_passed_over(tmp_path: Path) -> None:
    """Whatever else writes below the module's folder, the grammars that stay are found."""
    kept = tmp_path / "kept.lark"
    kept.write_text('start: "a"\n')
    done = threading.Event()

    def write_and_remove() -> None:
        while not done.is_set():
            for name in "abcd":
                (tmp_path / name / "below").mkdir(parents=True)
            for name in "abcd":
                shutil.rmtree(tmp_path / name)

    other = threading.Thread(target=write_and_remove)
    other.start()
    try:
        assert all(grammars_below(tmp_path) == [kept] for _ in range(500))
    finally:
        done.set()
        other.join()


def test_objects_without_a_text(tmp_path: Path) -> None:
    """Saved and loaded again: the rules are Lark's, and the report says so."""
    module = tmp_path / "saved.py"
    module.write_text(
        "from io import BytesIO\n"
        "from lark import Lark\n"
        "file = BytesIO()\n"
        "Lark('start: \"a\" \"b\"?\\n', parser='lalr').save(file)\n"
        "file.seek(0)\n"
        "parser = Lark.load(file)\n"
    )
    parser = live(module, "parser")
    (note,) = parser.grammar.diagnostics
    assert str(note) == (
        "the rules are shown as Lark has them, without places: its text is not known"
    )
    assert verdict(parser, "ab") is Verdict.ACCEPTED
    assert isinstance(parser.trace(text_test("ab")), LRTrace)


def test_modules_that_need_lark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "needy.py"
    module.write_text("import lark\n")
    monkeypatch.setitem(sys.modules, "lark", None)
    with pytest.raises(MissingDependency) as caught:
        live(module, "parser")
    assert str(caught.value) == (
        f'{module} needs Lark, which is not installed: pip install "gramspect[lark]"'
    )


# --- the command --------------------------------------------------------------------------------


def test_localize(command: Command, tmp_path: Path) -> None:
    grammar, tests = tmp_path / "list.lark", tmp_path / "tests.txt"
    grammar.write_text('start: "[" [item ("," item)?] "]"\nitem: /[a-z]+/ | start\n%ignore " "\n')
    tests.write_text("[]\n[a]\n[a, b]\n[a, [b, c]]\n[a, b, c]\n")
    for options in ([], ["--option", "lexer=basic"], ["--adapter", "lark-lalr"]):
        answer = command("localize", grammar, "--accept", tests, "--lines", "--top", "1", *options)
        assert answer.status == 1
        assert 'start -> "[" ( item ( • "," item )? )? "]"' in answer.out
        assert '1 + start: "[" [item ("," item)*] "]"' in answer.out
        assert "unexpected ',' (COMMA)" in answer.out
        assert f"{grammar}:1:" in answer.out


def test_usage_of_options(command: Command, tmp_path: Path) -> None:
    grammar = tmp_path / "g.lark"
    grammar.write_text('start: "a"\n')
    answer = command("localize", grammar, "--accept", grammar, "--option", "lexer")
    assert answer.status == 2
    assert "'lexer' is not KEY=VALUE" in answer.err


@pytest.mark.parametrize("name", ["nosuch.txt", "nosuch.lark", "nosuch.g"])
def test_a_file_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NoSuchFile, match=f"^{name}: there is no such file"):
        adapter("lark-lalr").load(name, LoadOptions())
