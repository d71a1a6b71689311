"""JFlex specifications as scanners: JFlex and the Java compiler run, CUP's tables are fed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cup_tools import load, runtime, texts
from flex import CALC_CUP, CALC_FLEX, flex_parser, specification, written
from legacy import jflex_old

from gramspect import LoadOptions, RunOptions, TestSuite, localize, suggest
from gramspect.edits.confirmation import Agreement
from gramspect.errors import CodeError
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.trace import ErrorKind, ParseError, Trace, Undecided
from gramspect.suites.suite import Expectation, TestCase
from gramspect_cup.jflex import making

CUP = "terminal A, B; terminal String T; non terminal s; s ::= s A | s B | s T | ;"


def trace(parser: Recognizer, text: str) -> Trace:
    return parser.trace(TestCase("t", Expectation.ACCEPT, text))


def error(parser: Recognizer, text: str) -> ParseError:
    found = trace(parser, text).error  # type: ignore[union-attr]
    assert isinstance(found, ParseError)
    return found


def place(parser: Recognizer, text: str) -> tuple[int | None, int | None]:
    found = error(parser, text)
    return found.line, found.column


def names(parser: Recognizer, text: str) -> list[str]:
    tokens = parser.tokens(texts(text)[0])  # type: ignore[attr-defined]
    return [parser.grammar.symbols[terminal].name for terminal in tokens]


def test_verdicts_and_places(tmp_path: Path) -> None:
    """The symbols of this scanner have no positions."""
    parser = flex_parser(tmp_path, CALC_CUP, CALC_FLEX)
    assert error_free(parser, "x = 1;", 'x = SIN(1) + "a b"; # so\ny = <<a/b>>;')
    assert place(parser, "x = 1;\n  y = ;") == (2, 7)
    assert place(parser, "x = 1") == (1, 6)
    lexical = error(parser, "x = 1;\ny = ?;")
    assert (lexical.kind, lexical.line, lexical.column) == (ErrorKind.LEXICAL, 2, 5)
    assert "could not match input" in lexical.message
    assert names(parser, "x = 1;") == ["NAME", "EQ", "NUMBER", "SEMI"]


def error_free(parser: Recognizer, *accepted: str) -> bool:
    return all(trace(parser, text).error is None for text in accepted)  # type: ignore[union-attr]


def test_places_of_tokens_of_several_matches(tmp_path: Path) -> None:
    """A string begins where the scanner leaves the state that it is in; comments are no part."""
    rules = r"""
<YYINITIAL> {
  a     { return symbol(sym.A); }
  b     { return symbol(sym.B); }
  \"    { yybegin(TEXT); }
  "/*"  { yybegin(REMARK); }
  [ \n] { }
}
<TEXT> {
  \"      { yybegin(YYINITIAL); return symbol(sym.T); }
  [^\"]+  { yypushback(yylength() - 1); }
}
<REMARK> {
  "*/" { yybegin(YYINITIAL); }
  [^] { }
}
"""
    options = "%xstate TEXT, REMARK"
    cup = CUP.replace("s ::= s A | s B | s T | ;", "s ::= A | A T B ;")
    parser = flex_parser(tmp_path, cup, specification(rules, options))
    assert error_free(parser, 'a "x y" b')
    assert place(parser, 'a\n "x y" "z"') == (2, 8)
    assert place(parser, 'a "x"\n /* a */ /**/ a') == (2, 15)
    assert place(parser, "a \U0001d4b3 a") == (1, 3)  # what no rule reads
    assert place(parser, 'a "\U0001d4b3\U0001d4b3" a') == (1, 8)


def test_tokens_at_the_end(tmp_path: Path) -> None:
    """They stand for no text."""
    rules = "a { return symbol(sym.A); }\n[ ] { }\n"
    options = (
        "%{\n  int left = 2;\n%}\n"
        "%eofval{\n  return symbol(left-- > 0 ? sym.B : sym.EOF);\n%eofval}"
    )
    parser = flex_parser(tmp_path, CUP, specification(rules, options))
    assert names(parser, "a  ") == ["A", "B", "B"]
    lexed = parser.lexing(texts("a  ")[0])  # type: ignore[attr-defined]
    assert [(x.start, x.end) for x in lexed.lexemes] == [(0, 1), (3, 3), (3, 3)]


def test_symbols_with_wrong_positions_do_not_matter(tmp_path: Path) -> None:
    flex = CALC_FLEX.replace("new Symbol(type)", "new Symbol(type, 77, 3)")
    parser = flex_parser(tmp_path, CALC_CUP, flex)
    assert place(parser, "x = 1;\n  y = ;") == (2, 7)


def test_long_texts(tmp_path: Path) -> None:
    """JFlex's buffer holds 16384 characters at first."""
    parser = flex_parser(tmp_path, CALC_CUP, CALC_FLEX)
    lines = "x = SIN(1) + y;\n" * 5000
    assert place(parser, lines + "x = = 1;") == (5001, 5)


@pytest.mark.parametrize(
    ("cup", "options", "symbols"),
    [
        ("", "%cupsym Tokens", "Tokens"),
        ("package lang; ", "", "sym"),
        ("", "%implements sym", "sym"),
        ("", "%cupsym other.Tokens", "other.Tokens"),
    ],
)
def test_the_class_of_the_symbols(tmp_path: Path, cup: str, options: str, symbols: str) -> None:
    simple = symbols.rpartition(".")[2]
    for number, package in enumerate(("", "lang")):
        head = f"package {package};\n" if package else "import lang.*;\n" if cup else ""
        rules = f"a {{ return symbol({symbols}.A); }}\n"
        if "implements" in options:
            rules += "b { return symbol(B); }\n"
        flex = head + specification(rules, "").replace("%cup\n", f"{options}\n%cup\n")
        flex = flex.replace("sym.", f"{simple}.") if not options.startswith("%imp") else flex
        parser = flex_parser(tmp_path / str(number), cup + CUP, flex)
        assert names(parser, "aa") == ["A", "A"]


def test_symbols_that_are_words_of_java(tmp_path: Path) -> None:
    cup = "terminal A; non terminal s, null, final; s ::= null | final; null ::= A; final ::=;"
    assert names(flex_parser(tmp_path, cup, specification("a { return symbol(sym.A); }\n")), "a")


def test_the_name_that_the_user_gives(tmp_path: Path) -> None:
    flex = specification(
        "a { return symbol(p.Numbers.A); }\n", "%eofval{\n  return null;\n%eofval}"
    )
    assert names(flex_parser(tmp_path, CUP, flex, symbols="p.Numbers"), "a") == ["A"]


def test_a_scanner_that_is_declared_by_hand(tmp_path: Path) -> None:
    flex = specification("a { return symbol(sym.A); }\n").replace(
        "%cup\n",
        "%implements java_cup.runtime.Scanner\n%function next_token\n"
        "%type java_cup.runtime.Symbol\n%eofval{\n  return new Symbol(sym.EOF);\n%eofval}\n",
    )
    assert names(flex_parser(tmp_path, CUP, flex), "aa") == ["A", "A"]


def test_java_files_beside_the_specification(tmp_path: Path) -> None:
    """Only those are compiled that the scanner needs; an old scanner is none of them."""
    (tmp_path / "Helper.java").write_text("class Helper { static int a() { return sym.A; } }\n")
    (tmp_path / "Broken.java").write_text("class Broken extends Missing { }\n")
    (tmp_path / "Lexer.java").write_text("class Lexer { }\n")
    (tmp_path / "sym.java").write_text("public class sym { public static final int A = 99; }\n")
    flex = specification("a { return symbol(Helper.a()); }\n")
    assert names(flex_parser(tmp_path, CUP, flex), "a") == ["A"]


def test_other_classes_of_the_project(tmp_path: Path) -> None:
    """They are found from the folder of the package."""
    home = tmp_path / "src" / "org" / "lang"
    (tmp_path / "src" / "org" / "tools").mkdir(parents=True)
    home.mkdir()
    (home / "Helper.java").write_text(
        "package org.lang;\nclass Helper { int a = org.tools.Far.code(sym.A); }\n"
    )
    far = "package org.tools;\npublic class Far { public static int code(int n) { return n; } }\n"
    (tmp_path / "src" / "org" / "tools" / "Far.java").write_text(far)
    flex = "package org.lang;\n" + specification("a { return symbol(new Helper().a); }\n")
    parser = flex_parser(tmp_path / "flex", "package org.lang; " + CUP, flex, home=str(home))
    assert names(parser, "a") == ["A"]
    grammar, scanner = written(home, "package org.lang; " + CUP, flex)
    assert names(load(grammar, scanner=str(scanner)), "a") == ["A"]


@pytest.mark.parametrize("jar", [runtime, jflex_old])
def test_the_runtime_of_the_user(tmp_path: Path, jar: Callable[[], Path]) -> None:
    """JFlex 1.9.1 runs with one of its own; the older JFlex has that of CUP 0.11a in its jar."""
    flex = specification("a { return symbol(sym.A); }\n")
    parser = flex_parser(tmp_path, CUP, flex, classpath=str(jar()))
    assert names(parser, "aa") == ["A", "A"]
    assert error_free(parser, "aa")


def test_an_included_file(tmp_path: Path) -> None:
    tmp_path.joinpath("letters.inc").write_text("Letter = [a-c]\n")
    flex = specification("{Letter} { return symbol(sym.A); }\n", "%include letters.inc")
    parser = flex_parser(tmp_path, CUP, flex)
    assert names(parser, "c") == ["A"]
    assert any(file.endswith("letters.inc") for file in parser.grammar.files)
    rule = next(r for r in parser.token_rules() if r.name == "Letter")  # type: ignore[attr-defined]
    assert rule.span.file.endswith("letters.inc")


def test_a_file_in_latin_1(tmp_path: Path) -> None:
    grammar, scanner = written(tmp_path, CUP, "")
    scanner.write_bytes(specification('"é" { return symbol(sym.A); }\n').encode("latin-1"))
    assert names(load(grammar, scanner=str(scanner)), "é") == ["A"]


def test_a_byte_order_mark(tmp_path: Path) -> None:
    grammar, scanner = written(tmp_path, CUP, "")
    scanner.write_text(specification("a { return symbol(sym.A); }\n"), encoding="utf-8-sig")
    assert names(load(grammar, scanner=str(scanner)), "a") == ["A"]


def test_lines_that_end_as_on_windows(tmp_path: Path) -> None:
    grammar, scanner = written(tmp_path, CALC_CUP, "")
    scanner.write_bytes(CALC_FLEX.replace("\n", "\r\n").encode())
    parser = load(grammar, scanner=str(scanner))
    assert place(parser, "x = 1;\n  y = ;") == (2, 7)
    assert all(r.automaton is not None for r in parser.token_rules())  # type: ignore[attr-defined]


def test_an_endless_scanner_costs_its_test(tmp_path: Path) -> None:
    rules = "a { return symbol(sym.A); }\nb { while (true) { } }\nc { System.exit(3); }\n"
    grammar, scanner = written(tmp_path, CUP, specification(rules))
    suite = TestSuite.from_texts(["a", "b", "c", "aa"])
    load_options = LoadOptions(extra={"scanner": str(scanner)})
    found = localize(str(grammar), suite, load=load_options, run=RunOptions(timeout=2))
    assert [one.test.text for one in found.undecided] == ["b"]
    assert found.n_failing == 1


def test_nothing_is_printed_and_no_file_is_left(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    flex = specification('a { System.out.println("a"); return symbol(sym.A); }\n', "Unused = x")
    assert names(flex_parser(tmp_path, CUP, flex), "a") == ["A"]
    assert capfd.readouterr() == ("", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Lang.cup", "Lang.flex"]


def test_a_fault_before_the_first_token(tmp_path: Path) -> None:
    flex = specification("a { Object o = null; o.hashCode(); }\n")
    assert isinstance(trace(flex_parser(tmp_path, CUP, flex), "a"), Undecided)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The specifications that JFlex has been given."""
    paths = list[str]()
    maker = making.java_class("org.gramspect.jflex.ScannerMaker")

    class Counting:
        @staticmethod
        def make(path: str, *rest: object) -> object:
            paths.append(path)
            return maker.make(path, *rest)

    monkeypatch.setattr(making, "java_class", lambda _: Counting)
    making._made.cache_clear()
    return paths


def test_the_same_specification_is_made_once(tmp_path: Path, made: list[str]) -> None:
    """Wherever it lies; and anew if it, a class beside it or the numbers of symbols change."""
    flex = specification(f"a {{ return symbol(Helper.A); }} // {tmp_path}\n")
    helper = "class Helper { static final int A = sym.%s; }\n"

    def tokens(folder: str, cup: str = CUP, symbol: str = "A", flex: str = flex) -> list[str]:
        home = tmp_path / folder
        home.mkdir(exist_ok=True)
        (home / "Helper.java").write_text(helper % symbol)
        grammar, scanner = written(home, cup, flex)
        return names(load(grammar, scanner=str(scanner), home=str(home)), "a")

    assert tokens("one") == tokens("one", CUP + "s ::= A A ;") == ["A"]
    assert len(made) == 1
    assert tokens("one", symbol="B") == ["B"]
    assert len(made) == 2
    assert tokens("one", flex=flex + "b { return symbol(sym.B); }\n") == ["A"]
    assert tokens("one", "terminal C, A, B; terminal String T; non terminal s; s ::= A ;") == ["A"]
    assert len(made) == 4


def test_repairs_of_the_grammar_leave_the_scanner(tmp_path: Path, made: list[str]) -> None:
    grammar, scanner = written(tmp_path, CALC_CUP, CALC_FLEX)
    suite = TestSuite.from_texts(["x = 1;", "x = (1) + (y);"])
    options = LoadOptions(extra={"scanner": str(scanner)})
    best = suggest(str(grammar), suite, load=options).suggestions[0]
    assert best.confirmation is not None
    assert best.confirmation.agreement is Agreement.CONFIRMED
    assert made == [str(scanner)]


def test_warnings_are_in_the_file_that_is_loaded(tmp_path: Path) -> None:
    """Also where the scanner was made of another copy of it."""
    flex = specification('a { return symbol(sym.A); }\n"a" { return symbol(sym.B); }\n')
    for name in ("one", "two"):
        parser = flex_parser(tmp_path / name, CUP, flex)
        (warning,) = [one for one in parser.grammar.diagnostics if one.code == "jflex-warning"]
        assert warning.span is not None
        assert Path(warning.span.file).parent.name == name


def test_paths_are_those_of_the_folder_that_we_are_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The JVM stays in the one that it was started in."""
    for name, letter in [("one", "a"), ("two", "b")]:
        flex = specification(f"{letter} {{ return symbol(sym.A); }}\n")
        written(tmp_path / name, CUP, flex)
        monkeypatch.chdir(tmp_path / name)
        assert names(load(Path("Lang.cup"), scanner="Lang.flex"), letter) == ["A"]


OLDER = """
import java.io.InputStream;
import java.util.Map;
import java_cup.runtime.Symbol;
%%
%class Lexer
%public
%cup
%char
%ctorarg Map<String, Integer> known
%ctorarg int size
%{
  public Lexer(InputStream in) throws java.io.IOException { this(in, null, 1); }
  private Symbol symbol(int type) { return new Symbol(type, yychar, yychar + yylength()); }
%}
%%
a { return symbol(sym.A); }
b { return symbol(sym.B); }
"""
"""The code of a specification for JFlex 1.4: yychar is an int, and streams are read."""


def test_specifications_for_older_versions(tmp_path: Path) -> None:
    """What they generated otherwise is there for code that needs it; lines stay the same."""
    parser = flex_parser(tmp_path, CUP, OLDER.lstrip())
    assert error_free(parser, "ab", "a")
    assert place(parser, "ac") == (1, 2)
    broken = OLDER.lstrip().replace("sym.B", "sum.B")
    with pytest.raises(CodeError, match=r"Lang\.flex:17:19: .*cannot find symbol.* sum"):
        flex_parser(tmp_path, CUP, broken)


def test_a_specification_with_the_constructor_of_its_own(tmp_path: Path) -> None:
    """One that was written where JFlex no longer made it."""
    flex = OLDER.lstrip().replace("%ctorarg Map<String, Integer> known\n%ctorarg int size\n", "")
    own = "public Lexer(InputStream in) { this(new java.io.InputStreamReader(in)); }"
    flex = re.sub(r"public Lexer\(.*\}", own, flex)
    assert error_free(flex_parser(tmp_path, CUP, flex), "ab")
