"""The core grammar of a Lark grammar: rules, places, and what they are called."""

from __future__ import annotations

import os
from pathlib import Path

import lark
import pytest
from lark_cases import Load, text_test

from gramspect.errors import GrammarError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.registry import adapter
from gramspect.source import SourceText
from gramspect_lark.scanner import words
from gramspect_lark.syntax import read_grammar

LARK = Path(lark.__file__).parent


def rules(grammar: Grammar) -> list[str]:
    """What the user wrote, rule by rule."""
    return [
        grammar.rule_text(rule.index)
        for rule in grammar.rules
        if grammar.symbols[rule.lhs].operator is None
    ]


def text_at(folder: Path, grammar: Grammar, item: int) -> str:
    """The text at the place of an item."""
    span = grammar.item_span(item)
    assert span is not None
    lines = Path(folder / Path(span.file).name).read_text().split("\n")
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    return lines[span.line - 1][span.column - 1 :]


def places(folder: Path, grammar: Grammar, label: str) -> list[str]:
    """The texts at the symbols of a rule."""
    rule = next(r for r in grammar.rules if r.label == label)
    return [text_at(folder, grammar, grammar.item(rule.index, dot)) for dot in range(len(rule.rhs))]


def test_every_operator(load: Load) -> None:
    grammar = load(
        "lark-earley",
        """
        start: a? b* c+ [a b] (a | b c)~2 "x"~1..2
             | "y" (b ("," b)*)?
             |
        a: "a"
        b: "b"
        c: "c"
        """,
    ).grammar
    assert rules(grammar)[:3] == [
        'start -> a? b* c+ [a b] (a | b c)~2 "x"~1..2',
        'start -> "y" ( b ( "," b )* )?',
        "start ->",
    ]


def test_places_of_symbols(load: Load) -> None:
    grammar = load(
        "lark-lalr",
        """
        start: first "," second?   // a comment
             | ( first
             | "." )* second ";"
        first: WORD
        second: "=" [ "a".."c" first ]
        WORD: /[d-z]+/
        """,
        extra={"lexer": "basic"},
    ).grammar
    folder = load.folder
    assert places(folder, grammar, "start:1") == ["first", '","', "second?"]
    assert places(folder, grammar, "start:2")[1] == "second"
    assert places(folder, grammar, "start:2.1.1:2") == ['"."']
    assert places(folder, grammar, "second:1") == ['"="', '[ "a".."c" first ]']
    assert places(folder, grammar, "second:1.1:1") == ['"a".."c"', "first"]


def test_what_shows_up_as_the_user_wrote_it(load: Load) -> None:
    """Modifiers, aliases, priorities and inlined rules change trees, not what is parsed."""
    grammar = load(
        "lark-earley",
        """
        ?start.2: _item+ -> items
                | "(" _item ")"
        !_item: WORD | "let"i /[=:]/ WORD
        WORD.1: "a".."z"
        """,
    ).grammar
    assert rules(grammar) == [
        "start -> _item+",
        'start -> "(" _item ")"',
        "_item -> WORD",
        '_item -> "let"i /[=:]/ WORD',
    ]
    let = next(s for s in grammar.terminals if s.display == '"let"i')
    assert let.name == "LET"


def test_templates(load: Load) -> None:
    grammar = load(
        "lark-earley",
        """
        start: list{word, ","} "." list{pair{word}, SEMI}
        list{item, sep}: item (sep item)*
        pair{x}: x "=" x
        word: "w"
        SEMI: ";"
        """,
    ).grammar
    assert rules(grammar) == [
        'start -> list{word,COMMA} "." list{pair{word},SEMI}',
        'word -> "w"',
        'list{word,COMMA} -> word ( "," word )*',
        'pair{word} -> word "=" word',
        "list{pair{word},SEMI} -> pair{word} ( SEMI pair{word} )*",
    ]
    assert places(load.folder, grammar, "pair{word}:1") == ["x", '"="', "x"]


def test_imports_lead_to_their_files(load: Load) -> None:
    parser = load(
        "lark-lalr",
        """
        %import .numbers.sum
        %import common.WS
        %ignore WS
        start: "=" sum
        """,
        numbers="""
        %import common.INT
        sum: sum "+" term | term
        term: INT | "(" sum ")"
        """,
    )
    grammar = parser.grammar
    assert rules(grammar) == [
        'start -> "=" sum',
        'sum -> sum "+" numbers__term',
        "sum -> numbers__term",
        "numbers__term -> numbers__INT",
        'numbers__term -> "(" sum ")"',
    ]
    item = next(i for i in range(grammar.n_items) if grammar.item_label(i).startswith("numbers__t"))
    span = grammar.item_span(item)
    assert span is not None
    assert (Path(span.file).name, span.line, span.column) == ("numbers.lark", 4, 7)
    assert {Path(file).name for file in grammar.files} == {"main.lark", "numbers.lark"}
    integer = next(s for s in grammar.terminals if "INT" in s.name)
    assert integer.span is not None
    assert Path(integer.span.file).parts[-2:] == ("grammars", "common.lark")
    assert Path(integer.span.file).is_file()
    error = parser.trace(text_test("= 1 + (2 +")).error  # type: ignore[union-attr]
    assert error is not None
    assert error.token == 6


def test_override_and_extend(load: Load) -> None:
    grammar = load(
        "lark-earley",
        """
        %import .base.start
        %import .base.word
        %override word: "new"
        %extend start: "more" word
        """,
        base="""
        start: word | word start
        word: "old"
        """,
    ).grammar
    assert rules(grammar) == [
        "start -> word",
        "start -> word start",
        'start -> "more" word',
        'word -> "new"',
    ]
    assert places(load.folder, grammar, "start:3") == ['"more"', "word"]
    assert [Path(r.span.file).name for r in grammar.rules if r.span] == [
        "base.lark", "base.lark", "main.lark", "main.lark",
    ]  # fmt: skip


def test_literals_that_name_a_terminal(load: Load) -> None:
    """Lark takes the user's name for a literal that is defined; so does the report."""
    grammar = load(
        "lark-lalr",
        """
        start: "if" IF "\\n" "->" /x+/ XS
        IF: "if"
        XS: /x+/
        """,
    ).grammar
    names = {symbol.name: symbol.display for symbol in grammar.terminals}
    assert names["IF"] == "IF"
    assert names["XS"] == "XS"
    assert '"\\n"' in names.values()
    assert '"->"' in names.values()
    assert len(names) == 4


def test_declared_tokens(load: Load) -> None:
    grammar = load(
        "lark-lalr",
        """
        start: "a" _INDENT "b" _DEDENT
        %declare _INDENT _DEDENT
        """,
    ).grammar
    token = grammar.symbols[grammar.symbol("_DEDENT")]
    assert token.span is not None
    assert (token.span.line, token.span.column) == (3, 18)


def test_alternatives_on_new_lines_and_comments(load: Load) -> None:
    grammar = load(
        "lark-earley",
        """
        start: "a"  # one
             // two

             | "b" \\
               "c"
             |
        """,
    ).grammar
    assert rules(grammar) == ['start -> "a"', 'start -> "b" "c"', "start ->"]


@pytest.mark.parametrize("name", ["common", "lark", "python", "unicode"])
def test_bundled_grammars_are_read(name: str) -> None:
    path = LARK / "grammars" / f"{name}.lark"
    text = path.read_text()
    read = read_grammar(SourceText(name, text))
    headers = [line for line in text.split("\n") if line.strip() and line[0] not in "/%| #\t"]
    assert len(read.statements) == len(headers)
    for word in words(SourceText(name, text)):
        lines = text.split("\n")
        if word.span.line == word.span.end_line and word.text:
            line = lines[word.span.line - 1]
            assert line[word.span.column - 1 : word.span.end_column - 1] == word.text


def test_no_lark_grammar() -> None:
    with pytest.raises(GrammarError, match=r"G:1:10: unexpected character '\$' in a Lark grammar"):
        read_grammar(SourceText("G", 'start: a $ "b"'))
    with pytest.raises(GrammarError, match=r"G:1:3: expected ':', not 'b'"):
        read_grammar(SourceText("G", "a b\n"))


def test_start_symbols(load: Load) -> None:
    text = 'one: "1" two\ntwo: "2"\n'
    assert load("lark-lalr", text, "two").grammar.symbols[-1].name == "two"
    grammar = load("lark-lalr", text, "one").grammar
    assert grammar.symbols[grammar.start].name == "one"


def test_unused_rules_are_shown(load: Load) -> None:
    """Lark drops them; the grammar has them, so that the report can say so."""
    parser = load("lark-lalr", 'start: "a"\nother: "b" start\n')
    assert rules(parser.grammar) == ['start -> "a"', 'other -> "b" start']


def test_relative_paths_are_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "grammars").mkdir()
    (tmp_path / "grammars" / "g.lark").write_text('start: "a"\n')
    monkeypatch.chdir(tmp_path)
    name = os.path.join("grammars", "g.lark")  # noqa: PTH118
    grammar = adapter("lark-earley").load(name, LoadOptions()).grammar
    assert str(grammar.item_span(0)) == "grammars/g.lark:1:8"


def test_python_lark_leads_back_to_its_text() -> None:
    """Every element of a large grammar has a place with the text that it stands for."""
    path = LARK / "grammars" / "python.lark"
    options = LoadOptions("file_input", extra={"postlex": "lark.indenter:PythonIndenter"})
    grammar = adapter("lark-lalr").load(str(path), options).grammar
    lines = path.read_text().split("\n")
    for rule in grammar.rules:
        for symbol, span in zip(rule.rhs, rule.rhs_spans, strict=True):
            assert span is not None
            known = grammar.symbols[symbol]
            text = lines[span.line - 1][span.column - 1 : span.end_column - 1]
            if known.operator is not None or span.line != span.end_line:
                continue
            if text.startswith('"'):
                defined = known.span is not None and lines[known.span.line - 1]
                assert known.display == text or (defined and text in defined), rule.label
            elif text in ("item", "comp_result"):
                home = grammar.symbols[grammar.user_nonterminal(rule.lhs)].name
                assert known.name in home.partition("{")[2], rule.label
            else:
                assert known.name.partition("{")[0] == text.partition("{")[0], rule.label
