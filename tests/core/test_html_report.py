"""The HTML report as text: self-contained, escaped, and cut where the grammar's places are.

What it does in a browser is tested in `tests/browser`.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import ACCEPT, FAULTY, ROOT, Command
from gramspect import (
    Grammar,
    GramspectError,
    LoadOptions,
    Localization,
    TestSuite,
    adapter,
    adapter_for,
    html_report,
    localize,
)
from gramspect.grammars.ebnf import Alternative, Definition, Reference
from gramspect.grammars.grammar import expand
from gramspect.report.html_data import element_data, spectra_data, visible
from gramspect.report.html_text import GrammarText, Line, grammar_text, read_sources
from gramspect.source import SourceText
from hostile import RIGHT_TO_LEFT, hostile_localization

QUERY = str(ROOT / "fixtures" / "antlr" / "query" / "Query.g4")
SIMPL = str(ROOT / "fixtures" / "simpl" / "simpl.y")
FAULTY_C = f"{ROOT / 'fixtures' / 'demo' / 'faulty_c.py'}:FaultyCParser"


@cache
def toy() -> Localization:
    suite = TestSuite.load(accept=[ACCEPT], lines=True)
    return localize(FAULTY, suite, all_spectra=True)


@cache
def grammar(source: str) -> Grammar:
    return adapter_for(source).load(source, LoadOptions()).grammar


class Markup(HTMLParser):
    """The elements and attributes of a page, and the text of its scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self._open = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag in self.raw:
            self._open = tag
            self.raw[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:
            self.raw[self._open][-1] += data


def data_of(page: str) -> Any:
    return json.loads(Markup(page).raw["script"][0])


class TestPage:
    def test_it_needs_nothing_else(self) -> None:
        page = Markup(html_report(toy()))
        assert not {"link", "img", "iframe", "object", "embed", "base"} & set(page.tags)
        loading = {"src", "srcset", "action", "formaction", "style", "background", "data"}
        assert not [(n, v) for n, v in page.attributes if n in loading or n.startswith("on")]
        assert [v for n, v in page.attributes if n == "href"] == ["#ranking"]
        (style,) = page.raw["style"]
        assert "url(" not in style
        assert "@import" not in style

    def test_its_policy_allows_its_own_script_and_style_only(self) -> None:
        page = Markup(html_report(toy()))
        (policy,) = [v for n, v in page.attributes if n == "content" and v and "default-src" in v]
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
        for kind, text in (("script", page.raw["script"][1]), ("style", page.raw["style"][0])):
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert rules[f"{kind}-src"] == f"'sha256-{digest}'"

    def test_hostile_texts_stay_text(self, tmp_path: Path) -> None:
        harmless = set(Markup(html_report(toy(), {})).tags)
        for result in hostile_localization(tmp_path):
            page = html_report(result)
            markup = Markup(page)
            assert set(markup.tags) <= harmless | {"details", "summary", "ul", "li"}
            assert len(markup.raw["script"]) == 2
            assert all(char.isprintable() or char == "\n" for char in page)
            assert RIGHT_TO_LEFT not in page
            shown = json.dumps(json.loads(markup.raw["script"][0]), ensure_ascii=False)
            assert RIGHT_TO_LEFT not in shown
            assert "</script>" in shown

    def test_no_spectra_no_report(self) -> None:
        suite = TestSuite.load(accept=[ACCEPT], lines=True)
        with pytest.raises(GramspectError, match="all_spectra"):
            html_report(localize(FAULTY, suite))

    def test_too_many_bits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("gramspect.report.html_data._MOST_BYTES", 10)
        with pytest.raises(GramspectError, match="16 tests are too large"):
            html_report(toy())

    def test_command(self, command: Command, tmp_path: Path) -> None:
        target = tmp_path / "report.html"
        answer = command(
            "localize", FAULTY, "--accept", ACCEPT, "--lines", "--format", "html", "-o", target
        )
        assert (answer.status, answer.out, answer.err) == (1, "", "")
        assert target.read_text().startswith("<!doctype html>\n")

    def test_files_that_have_gone(self) -> None:
        """Then the rules are listed."""
        page = html_report(toy(), {})
        assert "Rules that are in no file" in page
        assert "stmt -&gt;" in page or "stmt ->" in page


class TestData:
    @pytest.mark.parametrize("source", [FAULTY, QUERY, FAULTY_C])
    def test_texts_of_items(self, source: str) -> None:
        """The page puts the sign into the text of the rule, at the right place."""
        known = grammar(source)
        data = element_data(known, grammar_text(known, read_sources(known)))
        for item in range(known.n_items):
            rule, _ = known.split_item(item)
            text, mark = data["rules"][rule], data["marks"][item]
            marked = f"{text} •" if mark >= len(text) else f"{text[:mark]}• {text[mark:]}"
            if item in data["itemTexts"]:
                marked = "•".join(data["itemTexts"][item])
            assert marked == known.item_text(item)

    def test_marks_count_as_scripts_do(self) -> None:
        known = Grammar.from_rules([("𝒰", ["🙂", "b"])])
        data = element_data(known, grammar_text(known, {}))
        assert data["marks"] == [len("𝒰 -> ".encode("utf-16-le")) // 2 + n for n in (0, 3, 5)]

    def test_bits(self) -> None:
        matrices = toy().basis.matrices
        data = spectra_data(matrices)
        octets = np.frombuffer(base64.b64decode(data["rows"]), np.uint8).reshape(-1, data["width"])
        assert len(np.unique(octets, axis=0)) == len(octets)
        for kind, matrix in matrices.items():
            rows = octets[data[kind]]
            bits = np.unpackbits(rows, axis=1, bitorder="little", count=matrix.n_tests)
            assert (bits.astype(bool) == matrix.dense()).all()

    def test_failing_tests(self) -> None:
        data = data_of(html_report(toy()))["tests"]
        shown = [data["failed"][str(n)] for n in (5, 13)]
        assert [one["at"] for one in shown] == [";", "sleep"]
        for failing, one in zip(toy().failing, shown, strict=True):
            assert one["before"] + one["at"] + one["after"] == failing.test.text
            assert one["place"] == failing.place

    def test_errors_at_the_end_and_without_text(self) -> None:
        known = Grammar.from_rules([("s", ["a", "b"])])
        suite = TestSuite.from_texts(["a", "a b", "a a"])
        result = localize(adapter("native").build(known), suite, all_spectra=True)
        failed = data_of(html_report(result))["tests"]["failed"]
        assert (failed["0"]["before"], failed["0"]["at"]) == ("a", "")
        assert (failed["2"]["before"], failed["2"]["at"]) == ("a ", "a")

    def test_long_tests_are_cut_around_the_error(self) -> None:
        known = Grammar.from_rules([("s", ["s", "a"]), ("s", ["a"])])
        text = "a " * 5000 + "b " + "a " * 5000
        suite = TestSuite.from_texts(["a", text])
        result = localize(adapter("native").build(known), suite, all_spectra=True)
        one = data_of(html_report(result))["tests"]["failed"]["1"]
        assert one["at"] == "b"
        assert one["before"].startswith("…")
        assert one["after"].endswith("…")
        assert len(one["before"]) + len(one["after"]) < 2100

    @given(st.text())
    def test_visible(self, text: str) -> None:
        shown = visible(text)
        assert all(char.isprintable() or char in "\n\t" for char in shown)
        if text.isprintable():
            assert shown == text


# --- places --------------------------------------------------------------------------------


def lines_of(text: GrammarText) -> list[list[Line]]:
    return [[line for stretch in file.stretches for line in stretch.lines] for file in text.files]


class TestPlaces:
    @pytest.mark.parametrize("source", [FAULTY, QUERY, FAULTY_C])
    def test_nothing_is_lost(self, source: str) -> None:
        known = grammar(source)
        sources = read_sources(known)
        text = grammar_text(known, sources)
        for file, lines in zip(text.files, lines_of(text), strict=True):
            joined = "\n".join("".join(s.text for s in line.segments) for line in lines)
            assert joined == sources[file.name]
            assert [line.number for line in lines] == list(range(1, len(lines) + 1))
        segments = [s for lines in lines_of(text) for line in lines for s in line.segments]
        assert set(text.item_places) == {s.item_place for s in segments} - {-1}
        assert set(text.rule_places) == {s.rule_place for s in segments} - {-1}
        folded = [s for file in text.files for s in file.stretches if s.folded]
        outside = [line for stretch in folded for line in stretch.lines]
        assert all(s.rule_place == -1 for line in outside for s in line.segments)

    @pytest.mark.parametrize("source", [FAULTY, SIMPL])
    def test_symbols_are_at_their_places(self, source: str) -> None:
        """In plain BNF, the text at an item's place is the symbol after the dot."""
        known = grammar(source)
        text = grammar_text(known, read_sources(known))
        shown: dict[int, str] = {}
        for lines in lines_of(text):
            for segment in (s for line in lines for s in line.segments):
                place = segment.item_place
                shown[place] = shown.get(place, "") + segment.text
        for rule in known.rules:
            for dot, symbol in enumerate(rule.rhs):
                found = shown[text.item_places[known.item(rule.index, dot)]]
                assert found == known.symbols[symbol].display

    def test_imported_grammars(self, tmp_path: Path) -> None:
        (tmp_path / "Main.g4").write_text("grammar Main;\nimport Part;\ns : part EOF ;\n")
        (tmp_path / "Part.g4").write_text("grammar Part;\npart : 'a' | 'b' part* ;\n")
        source = str(tmp_path / "Main.g4")
        result = localize(
            source, TestSuite.from_texts(["a", "ba", "bb"], ["a a"]), all_spectra=True
        )
        text = grammar_text(result.grammar, read_sources(result.grammar))
        assert [Path(file.name).name for file in text.files] == ["Main.g4", "Part.g4"]
        (line,) = [line for line in lines_of(text)[1] if line.number == 2]
        assert [s.text for s in line.segments if s.item_place >= 0 and s.text][:2] == ["'a'", "'b'"]

    def test_listing(self) -> None:
        known = Grammar.from_rules([("s", ["a", "t"]), ("t", []), ("t", ["b"])])
        (lines,) = lines_of(grammar_text(known, {}))
        assert ["".join(s.text for s in line.segments) for line in lines] == [
            "s -> a t",
            "t -> ",
            "t -> b",
            "",
        ]

    def test_files_by_spans(self) -> None:
        """Several files, one of which cannot be read."""
        texts = {"one.x": "s : t ;", "two.x": "t : 'a' ;"}

        def reference(file: str, name: str) -> Reference:
            start = texts[file].index(name)
            return Reference(name, SourceText(file, texts[file]).span(start, start + len(name)))

        definitions = [
            Definition(lhs, (Alternative((symbol,), symbol.span),))
            for lhs, symbol in (("s", reference("one.x", "t")), ("t", reference("two.x", "'a'")))
        ]
        known = expand(definitions, files=list(texts))
        assert [file.name for file in grammar_text(known, texts).files] == ["one.x", "two.x"]
        del texts["two.x"]
        one, listing = grammar_text(known, texts).files
        assert (one.name, listing.name) == ("one.x", "")
        assert listing.stretches[0].lines[0].segments[0].text == "t -> "

    def test_a_text_that_has_changed(self) -> None:
        """Places outside of a shorter text are moved to its edge."""
        known = grammar(FAULTY)
        (lines,) = lines_of(grammar_text(known, {FAULTY: "prog\n"}))
        assert "".join(s.text for line in lines for s in line.segments) == "prog"

    @given(st.data())
    def test_smallest_place_around_each_character(self, data: st.DataObject) -> None:
        text = data.draw(st.text("ab\n", min_size=1, max_size=30))
        source = SourceText("f", text)
        spans = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
        some = st.lists(spans, min_size=1, max_size=4)
        chosen = data.draw(st.lists(some, min_size=1, max_size=4))
        definitions = []
        for n, symbols in enumerate(chosen):
            low, high = min(s[0] for s in symbols), max(s[1] for s in symbols)
            references = tuple(Reference(f"t{i}", source.span(*s)) for i, s in enumerate(symbols))
            alternative = Alternative(references, source.span(low, high))
            definitions.append(Definition(f"n{n}", (alternative,)))
        known = expand(definitions, start="n0", files=["f"])
        cut = grammar_text(known, {"f": text})
        (lines,) = lines_of(cut)
        extents = list(dict.fromkeys(rule_sizes(chosen)))
        offset = 0
        for line in lines:
            for segment in line.segments:
                for at in range(offset, offset + len(segment.text)):
                    assert segment.rule_place == smallest(extents, at)
                offset += len(segment.text)
            offset += 1


def rule_sizes(chosen: list[list[list[int]]]) -> list[tuple[int, int]]:
    return [(min(s[0] for s in group), max(s[1] for s in group)) for group in chosen]


def smallest(extents: list[tuple[int, int]], at: int) -> int:
    """The place of the smallest extent around a character, of equal ones the last."""
    around = [
        (start - end, place) for place, (start, end) in enumerate(extents) if start <= at < end
    ]
    return max(around, default=(0, -1))[1]
