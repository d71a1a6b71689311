"""What gramspect reads in JFlex's expressions, against what scanners of JFlex read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from flex import flex_parser, specification
from hypothesis import given
from hypothesis import strategies as st

from gramspect.lexical.automaton import Automaton
from gramspect.lexical.characters import CharSet
from gramspect.lexical.nearness import End, alignment
from gramspect.lexical.parts import Leaf, Style
from gramspect.lexical.patterns import automaton_of
from gramspect.lexical.rewriting import widened
from gramspect.lexical.written import in_set, quoted
from gramspect.recognition.recognizer import Recognizer, TokenRuleKnowing, TokenRuleWriting
from gramspect.source import Span
from gramspect.suites.suite import Expectation, TestCase

CUP = "terminal A, B; non terminal s; s ::= s A | s B | ;"
TEXTS = (
    *(
        "a",
        "b",
        "ab",
        "ba",
        "aa",
        "aab",
        "abab",
        "A",
        "AB",
        "aB",
        "1",
        "12",
        "a1",
        "1a",
        "-",
        "a-b",
    ),
    *(
        '"',
        '""',
        '"a"',
        "\\",
        "\\n",
        "n",
        ".",
        "..",
        " ",
        "a b",
        "\n",
        "\r\n",
        "\r",
        "a\n",
        "^",
        "]",
    ),
    *(
        "é",
        "É",
        "\U0001d4b3",
        "a\U0001d4b3",
        "\u2028",
        "_",
        "a_1",
        "$",
        "x",
        "xyz",
        "[",
        "{",
        "&",
        "~",
    ),
    *("/", "//", "aaa", "aaaa", "\t", "|", "ß", "\u00a0", "\u0660"),
)


def whole(parser: Recognizer, text: str) -> bool:
    """Whether the scanner makes one A of all of a text."""
    assert isinstance(parser, TokenRuleKnowing)
    lexed = parser.lexing(TestCase("t", Expectation.ACCEPT, text))
    assert lexed is not None
    found = [(parser.grammar.symbols[x.terminal].name, x.start, x.end) for x in lexed.lexemes]
    return found == [("A", 0, len(text))]


def reads(automaton: Automaton, text: str) -> bool:
    return End(len(text), 0) in alignment(automaton, text, 0, 0, len(text)).ends()


def check(expression: str, options: str = "", macros: str = "") -> None:
    rules = f"{expression} {{ return symbol(sym.A); }}\n[^] {{ return symbol(sym.B); }}\n"
    with TemporaryDirectory() as folder:
        parser = flex_parser(Path(folder), CUP, specification(rules, f"{options}\n{macros}\n"))
    assert isinstance(parser, TokenRuleWriting)
    automaton = automaton_of("A", parser.token_pattern)
    assert automaton is not None
    for text in TEXTS:
        assert reads(automaton, text) == whole(parser, text), (expression, text)


@pytest.mark.parametrize(
    "expression",
    [
        *('"a" ("b" | "1"){1,2}', "a{2}", "[ab1]{2,3}", r"\"[^\"\n]*\"", r"\\[n]?", r"\x61\142?"),
        *(".", r"\R", r".|\R", "[^]", r"[^a-z\n]", "[a-z&&[^b]]+", "[a-z--[b]]+", "[[ab]||[b1]]+"),
        *(
            "[ab~~bx]+",
            "[-a]+",
            "[a-]+",
            '["a-"]+',
            r"[\]\^\\]",
            "[^-a]",
            r"[\-\^]",
            "[]",
            "[a&&b]|b",
        ),
        *("[:digit:]+", "[:letter:]+", "[[:letter:]_$][[:letter:][:digit:]_]*", r"\d+", r"[\d\s]+"),
        *("[:jletter:][:jletterdigit:]*", "[:uppercase:]", "[:lowercase:]", r"\w+", r"\W", r"[\S]"),
        *(r"\p{L}+", r"\p{Nd}", r"[\P{L}]", r"\u{1D4B3}", r"\u{61 62}", r"\U01D4B3", r"\u0061b"),
        *('"a"+ "b"?', "( a | b )+", "a | b a", "a\n  | b", "a // remark\n  (b)", "a/* remark */b"),
        *("{Letter} {Any}*", "[{Letter}1]+", "({Letter}){2}", r'"\""', r'"\x61"', '"a b"', "a\\ b"),
        *("[^{Letter}]", "{ Letter }", "a{1}b{0,1}"),
    ],
)
@pytest.mark.parametrize("options", ["", pytest.param("%ignorecase", marks=pytest.mark.slow)])
def test_patterns_read_what_the_scanner_reads(expression: str, options: str) -> None:
    check(expression, options, "Letter = [a-y]\nAny = {Letter} | [0-9]")


@pytest.mark.parametrize(
    "expression",
    ['!"a"', r"\p{Greek}", "~!b", r"\p{Script=Greek}", "a ! b", "[{Two}]"],
)
def test_what_is_not_understood(tmp_path: Path, expression: str) -> None:
    """Such a rule has no pattern; the others do."""
    rules = f'{expression}  {{ return symbol(sym.A); }}\n"b" {{ return symbol(sym.B); }}\n'
    macros = "Two = a b\n" if "Two" not in expression else "Two = {Two2}\nTwo2 = [:letter:]\n"
    parser = flex_parser(tmp_path, CUP, specification(rules, macros))
    assert isinstance(parser, TokenRuleWriting)
    if "Two" not in expression:
        assert parser.token_pattern("A") is None
    assert parser.token_pattern("B") is not None
    assert isinstance(parser, TokenRuleKnowing)
    assert parser.token_rules()


@pytest.mark.parametrize(
    "expression", ["~b", 'a ~"-"', '"a" ~("a" | "1")', "^a", "a$", 'a / "b"', "^[ab]+$"]
)
def test_what_is_read_in_part(tmp_path: Path, expression: str) -> None:
    """What the scanner reads, the automaton does; what restricts it is left out."""
    rules = f"{expression} {{ return symbol(sym.A); }}\n[^] {{ return symbol(sym.B); }}\n"
    parser = flex_parser(tmp_path, CUP, specification(rules))
    assert isinstance(parser, TokenRuleWriting)
    automaton = automaton_of("A", parser.token_pattern)
    assert automaton is not None
    assert not automaton.exact
    for text in TEXTS:
        assert reads(automaton, text) or not whole(parser, text), text


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """All printable characters, as repairs write them: in quotes, and in sets."""
    signs = "".join(map(chr, range(32, 127))) + "\t\n\u00e9\u20ac"
    leaf = Leaf(Span("x", 1, 1, 1, 1), Style.JFLEX, "[^-]", CharSet(()))
    sets = [f"[{in_set(signs, Style.JFLEX)}]"]
    sets += [widened(replace(leaf, text=t), None, signs, True)[0][1]  # type: ignore[index]
             for t in ("[xy-]", "[x&&[y]]", "x", "-", "[:digit:]", "]")]  # fmt: skip
    for number, written in enumerate([quoted(Style.JFLEX, signs), *sets]):
        rules = f"{written} {{ return symbol(sym.A); }}\n[^] {{ return symbol(sym.B); }}\n"
        parser = flex_parser(tmp_path / str(number), CUP, specification(rules))
        assert isinstance(parser, TokenRuleWriting)
        automaton = automaton_of("A", parser.token_pattern)
        assert automaton is not None
        for text in [signs] if number == 0 else signs:
            assert whole(parser, text), (written, text)
            assert reads(automaton, text), (written, text)


def test_letters_of_one_case_where_case_is_ignored(tmp_path: Path) -> None:
    """Unicode has rules of its own for them."""
    rules = r"\p{Lu} { return symbol(sym.A); } [\p{lower}] { return symbol(sym.B); }"
    for number, (options, known) in enumerate([("%caseless", False), ("", True)]):
        flex = specification(rules.replace("} [", "}\n["), options)
        parser = flex_parser(tmp_path / str(number), CUP, flex)
        assert isinstance(parser, TokenRuleWriting)
        assert [parser.token_pattern(name) is not None for name in "AB"] == [known, known]


LITERAL = st.sampled_from(
    ['"a"', '"ab"', "b", "1", r"\.", r"\"", '"-"', r"\n", "[ab]", "[^b]", "."]
)
CLASS = st.builds(
    lambda hat, one, operator, other: f"[{hat}{one}{operator}{other}]",
    st.sampled_from(["", "^"]),
    st.sampled_from(["a-b", "ab1", r"\n-1", "[:letter:]", r"\d_", '"a-"']),
    st.sampled_from(["", "&&", "--", "~~", "||"]),
    st.sampled_from(["[b-z]", "[^a]", "1", r"[a\n]"]),
)
EXPRESSION = st.recursive(
    LITERAL | CLASS,
    lambda inner: st.one_of(
        st.builds(" ".join, st.lists(inner, min_size=2, max_size=3)),
        st.builds(lambda parts: f"({' | '.join(parts)})", st.lists(inner, min_size=2, max_size=3)),
        st.builds(lambda body, mark: f"({body}){mark}", inner, st.sampled_from("?*+")),
        st.builds(lambda body, mark: f"({body}){mark}", inner, st.sampled_from(["{2}", "{1,3}"])),
    ),
    max_leaves=5,
)


@given(EXPRESSION, st.sampled_from(["", "%caseless"]))
def test_any_expression(expression: str, options: str) -> None:
    check(expression, options)
