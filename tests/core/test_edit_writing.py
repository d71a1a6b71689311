"""Edits as changes of yacc grammars and of docstrings: what is written is what was meant."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from edited import apply_diff, edits
from gramspect.edits import Edit, EditKind, applied
from gramspect.edits.model import generalizes, left_out
from gramspect.edits.writing import Change, Replacement, SourceFile, Unwritable, written
from gramspect.edits.writing.regions import notation_in
from gramspect.errors import GrammarError
from gramspect.grammars.grammar import Grammar
from gramspect.yacc import parse_yacc, read_yacc

FIXTURES = Path(__file__).parents[2] / "fixtures"
GRAMMARS = ["yacc/calc.y", "yacc/blocks.y", "yacc/bisonisms.y", "toy/toy-faulty.y", "simpl/simpl.y"]


@cache
def fixture(name: str) -> Grammar:
    return read_yacc(FIXTURES / name)


def rules(grammar: Grammar) -> list[tuple[str, tuple[str, ...], str | None]]:
    """The rules by names, actions left out, in an order of their own."""
    names = [symbol.name for symbol in grammar.symbols]
    found = [
        (
            names[rule.lhs],
            tuple(names[s] for s in rule.rhs if not grammar.symbols[s].operator),
            None if rule.precedence is None else names[rule.precedence],
        )
        for rule in grammar.rules
        if not grammar.symbols[rule.lhs].operator
    ]
    return sorted(found, key=repr)


@pytest.mark.parametrize("name", GRAMMARS)
@given(data=st.data())
def test_what_is_written_is_the_edited_grammar(name: str, data: st.DataObject) -> None:
    grammar = fixture(name)
    edit = data.draw(edits(grammar))
    lhs = grammar.rules[grammar.split_item(edit.item)[0]].lhs
    if edit.kind is EditKind.DROP and len(grammar.rules_of[lhs]) == 1:
        with pytest.raises(Unwritable, match="only alternative"):
            written(grammar, edit)
        reject()
    try:
        change = written(grammar, edit)
    except Unwritable as problem:  # a non-terminal may be defined in two places
        assert (name, edit.kind) == ("yacc/bisonisms.y", EditKind.DROP)
        assert "only alternative that is written there" in str(problem)  # noqa: PT017
        reject()
    again = parse_yacc(change.changed.text, grammar.files[0])
    if generalizes(grammar, edit):
        edit = replace(edit, kind=EditKind.NARROW)
    assert rules(again) == rules(applied(grammar, edit))


@pytest.mark.parametrize("program", ["patch", "git"])
@pytest.mark.parametrize("name", GRAMMARS)
def test_diffs_apply(name: str, program: str, tmp_path: Path) -> None:
    grammar = fixture(name)
    new = (grammar.terminals[0].index,)
    for item in range(0, grammar.n_items, 7):
        change = written(grammar, Edit(item, EditKind.INSERT, new, 0, 1.0))
        assert apply_diff(change, tmp_path, program) == change.changed.encoded()


def inserted(text: str, label: str, symbols: str, kind: EditKind = EditKind.INSERT) -> str:
    """A grammar's text after an edit at the item of that label."""
    grammar = parse_yacc(text, "g.y")
    items = {grammar.item_label(item): item for item in range(grammar.n_items)}
    new = tuple(map(grammar.symbol, symbols.split()))
    edit = Edit(items[label], kind, new, 0, 1.0)
    return written(grammar, edit, lambda path: SourceFile(path, text)).changed.text


class TestLayout:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("s: A B | C ;\n", "s: A B | A X B | C ;\n"),
            ("s : A B\n  | C\n  ;\n", "s : A B\n  | A X B\n  | C\n  ;\n"),
            ("s : A B\n  ;\n", "s : A B\n  | A X B\n  ;\n"),
            ("s\n\t: A B\n\t| C\n\t;\n", "s\n\t: A B\n\t| A X B\n\t| C\n\t;\n"),
            ("s : A B { f(); }\n  | C ;\n", "s : A B { f(); }\n  | A X B\n  | C ;\n"),
            ("s : A B  // both\n  | C ;\n", "s : A B  // both\n  | A X B\n  | C ;\n"),
            ("s : A B /* ; | */\n  | C ;\n", "s : A B /* ; | */\n  | A X B\n  | C ;\n"),
            ("s : A B\nt : C\n", "s : A B\n  | A X B\nt : C\n"),
            ("s : A B", "s : A B | A X B"),
            ("s: A B %prec C ;\n", "s: A B %prec C | A X B ;\n"),
            ("%left C\n%%\ns: A B %prec C ;\n", "%left C\n%%\ns: A B %prec C | A X B %prec C ;\n"),
            ("s: A[a] { f(); } B ;\n", "s: A[a] { f(); } B | A X B ;\n"),
        ],
    )
    def test_new_alternatives(self, before: str, after: str) -> None:
        before, after = (f"%token X\n{text}" for text in (before, after))
        dot = 2 if "f(); } B" in before else 1
        assert inserted(before, f"s:1:{dot}", "X") == after

    @pytest.mark.parametrize(
        ("before", "label", "after"),
        [
            ("s: A | B | C ;\n", "s:2:0", "s: A | C ;\n"),
            ("s: A | B ;\n", "s:1:0", "s: B ;\n"),
            ("s : A\n  | B { f(); }\n  | C\n  ;\n", "s:2:0", "s : A\n  | C\n  ;\n"),
            ("s : A  { f(); }\n  | B\n  ;\n", "s:1:0", "s : B\n  ;\n"),
            ("s : A\n  | B ;\n", "s:2:0", "s : A\n   ;\n"),
            ("s : A\n  | B // the last\n  ;\n", "s:2:0", "s : A\n   // the last\n  ;\n"),
        ],
    )
    def test_dropped_alternatives(self, before: str, label: str, after: str) -> None:
        assert inserted(before, label, "", EditKind.DROP) == after

    def test_the_only_alternative_stays(self) -> None:
        with pytest.raises(Unwritable, match="the only alternative"):
            inserted("s: A ;\n", "s:1:0", "", EditKind.DROP)

    def test_in_place(self) -> None:
        text = "s: A B C { $$ = $1; } ;\n"
        assert inserted(text, "s:1:1", "A A", EditKind.REQUIRE) == text.replace("B", "A A B")
        assert inserted(text, "s:1:1", "A A", EditKind.NARROW) == text.replace("B", "A A")
        assert inserted(text, "s:1:1", "", EditKind.NARROW) == text.replace("B ", "")
        assert inserted(text, "s:1:1", "", EditKind.SWAP) == text.replace("B C", "C B")

    def test_a_separator(self) -> None:
        text = "%token X\nl: %empty | l A ;\n"
        after = "%token X\nl: %empty | l X A | A ;\n"
        assert inserted(text, "l:2:1", "X", EditKind.SEPARATE) == after

    def test_an_empty_alternative(self) -> None:
        assert inserted("s: %empty | A ;\n", "s:1:0", "A", EditKind.REQUIRE) == "s: A | A ;\n"
        assert inserted("s: A | ;\n", "s:2:0", "A A") == "s: A | | A A ;\n"


class TestBytes:
    """All that an edit does not touch stays as it is."""

    @pytest.mark.parametrize("program", ["patch", "git"])
    @pytest.mark.parametrize(
        "content",
        [
            b"%token X\r\n%%\r\ns : A B\r\n  | C\r\n  ;\r\n",
            "\ufeff%token X\n%%\ns : A /* \u00e4\u20ac\U0001f600 */ B\n  | C\n  ;".encode(),
            "%token X\n%%\n/* \u00e4 */ s : A B | C ;\n".encode("latin-1"),
            b"%token X\n%%\ns\t: A  B \t\n\t| C   \n\t;   \n\n\n",
            b"%token X\n%%\ns : A B\r\n  | C\n  ;\r\n",
        ],
        ids=["crlf", "bom", "latin-1", "blanks", "mixed"],
    )
    def test_they_stay(self, content: bytes, program: str, tmp_path: Path) -> None:
        path = tmp_path / "g.y"
        path.write_bytes(content)
        grammar = read_yacc(path)
        change = written(grammar, Edit(grammar.item(0, 1), EditKind.INSERT, (1,), 0, 1.0))
        after = change.changed.encoded()
        assert rules(parse_yacc(change.changed.text.removeprefix("\ufeff"))) == rules(
            applied(grammar, Edit(grammar.item(0, 1), EditKind.INSERT, (1,), 0, 1.0))
        )
        assert len(after) > len(content)
        (part,) = change.replacements
        encoding = change.file.encoding
        head = change.file.text[: part.start].encode(encoding)
        tail = change.file.text[part.end :].encode(encoding)
        assert after.startswith(head)
        assert after.endswith(tail)
        folder = tmp_path / "there"
        folder.mkdir()
        assert apply_diff(change, folder, program) == after


class TestFiles:
    def test_a_file_that_has_changed(self, tmp_path: Path) -> None:
        path = tmp_path / "g.y"
        path.write_text("\n\n\ns: A B ;\n")
        grammar = read_yacc(path)
        path.write_text("s: A B ;\n")
        with pytest.raises(Unwritable, match="has changed since it was loaded"):
            written(grammar, Edit(1, EditKind.INSERT, (1,), 0, 1.0))

    def test_a_file_that_is_gone(self, tmp_path: Path) -> None:
        path = tmp_path / "g.y"
        path.write_text("s: A B ;\n")
        grammar = read_yacc(path)
        path.unlink()
        with pytest.raises(GrammarError, match="cannot be read"):
            written(grammar, Edit(1, EditKind.INSERT, (1,), 0, 1.0))

    def test_grammars_without_files(self) -> None:
        grammar = Grammar.from_rules([("s", ["a", "b"])])
        with pytest.raises(Unwritable, match="in no file"):
            written(grammar, Edit(1, EditKind.INSERT, (1,), 0, 1.0))

    def test_files_of_other_kinds(self) -> None:
        grammar = parse_yacc("s: A B ;", "g.grm")
        with pytest.raises(Unwritable, match=r"cannot change \.grm files"):
            written(grammar, Edit(1, EditKind.INSERT, (1,), 0, 1.0))

    @pytest.mark.parametrize(
        ("text", "writable"),
        [
            ("s: A B\n", True),
            ('// ;\ns: A B "%%;"\nA: /;/\n', True),
            ("  ?s: A B\n%ignore A\n", True),
            ("s: A B ;\n", False),
            ("%%\ns: A B\n", False),
            ("s ::= A B\n", False),
            ("", False),
        ],
    )
    def test_files_of_any_name_may_be_lark_grammars(self, text: str, writable: bool) -> None:
        """Lark takes all names; in other notations rules end in signs, or sections do."""
        file = SourceFile("g.grm", text)
        if writable:
            assert notation_in(file, 0).name == "lark"
            return
        with pytest.raises(Unwritable, match=r"cannot change \.grm files"):
            notation_in(file, 0)

    def test_several_replacements(self) -> None:
        file = SourceFile("f", "a b c\r\n")
        change = Change.of(file, [Replacement(4, 5, "x\ny"), Replacement(0, 1, "")])
        assert change.changed.text == " b x\r\ny\r\n"
        assert change.new_lines() == [(1, " b x", 0), (2, "y", 0)]

    def test_where_a_line_is_new(self) -> None:
        file = SourceFile("f", "s\n  : a | b | c\n  ;\n")
        change = Change.of(file, [Replacement(11, 11, " x")])
        assert change.new_lines() == [(2, "  : a | b x | c", 10)]

    def test_new_lines_among_lines_that_are_alike(self) -> None:
        lines = ["s", "  : a", "  | b", "  | b", "  ;"]
        file = SourceFile("f", "\n".join(lines))
        for number in range(len(lines) + 1):
            changed = [*lines[:number], "  | b", *lines[number:]]
            place = min(len("\n".join([*lines[:number], ""])), len(file.text))
            text = "  | b\n" if number < len(lines) else "\n  | b"
            change = Change.of(file, [Replacement(place, place, text)])
            assert change.changed.text.splitlines() == changed
            ((new, line, _),) = change.new_lines()
            assert [*changed[: new - 1], *changed[new:]] == lines
            assert line == "  | b"
        assert Change.of(file, [Replacement(0, 1, "s")]).new_lines() == []


class TestSaidInOne:
    """Edits that come to something simpler than what they were found as."""

    GRAMMAR = "%%\ns : L n E e S | p ;\ne : n | e P n ;\np : L q ;\nq : n ;\n"

    def edit(self, rule: int, dot: int, kind: EditKind, *symbols: str) -> tuple[Grammar, Edit]:
        grammar = parse_yacc(self.GRAMMAR, "g.y")
        new = tuple(grammar.symbol(name) for name in symbols)
        return grammar, Edit(grammar.item(rule, dot), kind, new, 0, 1.0)

    def test_several_symbols_are_left_out(self) -> None:
        grammar, edit = self.edit(0, 2, EditKind.END, "S")
        assert left_out(grammar, edit) == 2
        assert edit.describe(grammar) == "make ( E e ) optional"

    def test_one_is(self) -> None:
        grammar, edit = self.edit(0, 3, EditKind.END, "S")
        assert edit.describe(grammar) == "make e optional"

    def test_something_else_is_put_in(self) -> None:
        grammar, edit = self.edit(0, 2, EditKind.END, "P", "S")
        assert left_out(grammar, edit) == 0
        assert edit.describe(grammar) == "also allow P instead of ( E e )"

    def test_a_more_general_symbol_replaces(self) -> None:
        grammar, edit = self.edit(4, 1, EditKind.REPLACE, "e")
        assert not generalizes(grammar, edit)
        grammar, edit = self.edit(5, 0, EditKind.REPLACE, "e")
        assert generalizes(grammar, edit)
        assert edit.describe(grammar) == "allow any e instead of n"
        file = SourceFile("g.y", self.GRAMMAR)
        changed = written(grammar, edit, lambda _: file).changed.text
        assert changed == self.GRAMMAR.replace("q : n", "q : e")
