"""The reports: JSON by its documented schema, text that fits and cannot be forged."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import ACCEPT, FAULTY, ROOT
from gramspect import Localization, TestSuite, adapter, json_report, localize
from gramspect.grammars.ebnf import Alternative, Block, Definition, Reference
from gramspect.grammars.grammar import Grammar, expand
from gramspect.grammars.symbols import Operator
from gramspect.report.edits import excerpt
from gramspect.report.json import json_value
from gramspect.report.text import report_lines, text_report
from gramspect.report.words import elided, plain, printable

LOCATION = {"file": str, "line": int, "column": int, "end_line": int, "end_column": int}
ERROR = {"kind": str, "token": int, "line": (int, None), "column": (int, None), "message": str}
TRAIT = {"text": str, "tokens": [(str, None)], "label": (str, None)}
SCHEMA: dict[str, Any] = {
    "schema": str,
    "adapter": (str, None),
    "grammar": {
        "name": str,
        "files": [str],
        "start": str,
        "rules": int,
        "nonterminals": int,
        "terminals": int,
        "diagnostics": [{"code": str, "message": str, "location": (LOCATION, None)}],
    },
    "spectrum": str,
    "extraction": str,
    "evidence": str,
    "metric": str,
    "ties": str,
    "grouped": bool,
    "tests": {
        "total": int,
        "passed": int,
        "failed": int,
        "undecided": int,
        "failing": [{"name": str, "expected": str, "verdict": str, "error": (ERROR, None)}],
        "undecided_tests": [{"name": str, "expected": str, "reason": str}],
    },
    "warnings": [{"code": str, "message": str, "details": [str]}],
    "conclusion": (
        {
            "text": str,
            "confidence": str,
            "nonterminal": str,
            "token": bool,
            "share": float,
            "explains_all": bool,
            "confirmed": bool,
            "otherwise": (str, None),
            "reader": ({"command": str, "chosen": [str], "without": [str]}, None),
        },
        None,
    ),
    "groups": [
        {
            "tests": [str],
            "definitions": [
                {
                    "nonterminal": str,
                    "token": bool,
                    "label": str,
                    "location": (LOCATION, None),
                    "score": float,
                }
            ],
            "edit": (
                {
                    "label": str,
                    "kind": str,
                    "symbols": [str],
                    "text": str,
                    "cost": float,
                    "tests": [str],
                },
                None,
            ),
        }
    ],
    "patterns": [{"read": str, "found": str, "accepted": bool, "tests": [str]}],
    "common": [{"present": [TRAIT], "absent": [TRAIT], "failing": [str], "passing": [str]}],
    "ranking": [
        {
            "rank": float,
            "ties": int,
            "score": float,
            "label": str,
            "nonterminal": str,
            "token": bool,
            "rule": str,
            "dot": (int, None),
            "location": (LOCATION, None),
            "ef": int,
            "ep": int,
            "nf": int,
            "np": int,
            "edits": [
                {
                    "label": str,
                    "nonterminal": str,
                    "kind": str,
                    "symbols": [str],
                    "text": str,
                    "cost": float,
                    "status": str,
                    "tests": [str],
                    "further": [str],
                    "broken": [str],
                    "checked": bool,
                    "alike": [str],
                    "location": (LOCATION, None),
                    "diff": (str, None),
                    "not_written": (str, None),
                    "confirmation": (
                        {
                            "tool": str,
                            "agreement": str,
                            "tests": int,
                            "message": (str, None),
                            "built": bool,
                        },
                        None,
                    ),
                }
            ],
        }
    ],
}
"""Types by key; a tuple lists alternatives, a list has the schema of its elements."""


def conforms(value: Any, schema: Any) -> bool:
    if schema is None:
        return value is None
    if isinstance(schema, tuple):
        return any(conforms(value, alternative) for alternative in schema)
    if isinstance(schema, list):
        return isinstance(value, list) and all(conforms(v, schema[0]) for v in value)
    if isinstance(schema, dict):
        return (
            isinstance(value, dict)
            and value.keys() == schema.keys()
            and all(conforms(value[key], schema[key]) for key in schema)
        )
    if schema is float:
        return type(value) in (int, float) and math.isfinite(value)
    return type(value) is schema


def keys(schema: Any, prefix: str = "") -> list[str]:
    """The paths of all keys but those of locations, as the documentation writes them."""
    if isinstance(schema, tuple):
        return [] if schema[0] is LOCATION else keys(schema[0], prefix)
    if isinstance(schema, list):
        return keys(schema[0], f"{prefix[:-1]}[].")
    if isinstance(schema, dict):
        return [k for key in schema for k in (prefix + key, *keys(schema[key], f"{prefix}{key}."))]
    return []


def toy(**how: Any) -> Localization:
    return localize(FAULTY, TestSuite.load(accept=[ACCEPT], lines=True), **how)


def built(grammar: Grammar, accept: list[str], **how: Any) -> Localization:
    return localize(adapter("native").build(grammar), TestSuite.from_texts(accept), **how)


class TestJson:
    @pytest.mark.parametrize(
        "how",
        [
            {},
            {"spectrum": "rule", "metric": "dstar", "ties": "mid"},
            {"spectrum": "shift", "evidence": "error"},
            {"group": True, "extraction": "stack"},
            {"evidence": "edits"},
        ],
    )
    def test_it_follows_its_schema(self, how: dict[str, Any]) -> None:
        value = json.loads(json_report(toy(**how)))
        assert conforms(value, SCHEMA)
        assert value["schema"] == "gramspect/localization/1"
        assert value["tests"]["failing"]
        assert value["ranking"]

    def test_grammars_and_tests_without_files(self) -> None:
        grammar = Grammar.from_rules([("s", ["a", "b"])])
        value = json.loads(json_report(built(grammar, ["a b", "a", "a \ud800"])))
        assert conforms(value, SCHEMA)
        assert value["ranking"][0]["location"] is None
        assert value["adapter"] is None

    def test_every_key_is_documented(self) -> None:
        table = (ROOT / "docs" / "json.md").read_text().partition("\n## ")[0]
        documented = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
        inner = ("grammar", "tests")
        nested = [key for key in keys(SCHEMA) if key not in inner]
        nested = [key for key in nested if not key.startswith("grammar.diagnostics[]")]
        assert documented == nested

    def test_what_is_odd_in_the_grammar(self) -> None:
        grammar = Grammar.from_rules([("s", ["a"]), ("s", ["a"]), ("t", ["s"])])
        result = built(grammar, ["a"])
        value: Any = json_value(result)
        codes = [diagnostic["code"] for diagnostic in value["grammar"]["diagnostics"]]
        assert codes == ["duplicate-rule", "unreachable"]
        assert [note.code for note in result.notes][:1] == ["grammar"]
        assert "'t' is not reachable" in text_report(result, verbose=True)

    def test_top(self) -> None:
        everything = json_value(toy())["ranking"]
        assert isinstance(everything, list)
        assert json_value(toy(), 3)["ranking"] == everything[:3]

    def test_the_ranking(self) -> None:
        value: Any = json_value(toy(evidence="spectrum"))
        first, second = value["ranking"][:2]
        assert first["label"] == "stmt:3:3"
        assert first["nonterminal"] == "stmt"
        assert first["rule"] == "stmt -> while expr do block"
        assert first["dot"] == 3
        assert first["location"]["line"] == 34
        assert (first["ef"], first["ep"], first["nf"], first["np"]) == (1, 0, 1, 14)
        assert first["score"] == pytest.approx(math.sqrt(1 / 2))
        assert second["rank"] > first["rank"]

    def test_ranks_are_sorted_and_scores_positive(self) -> None:
        ranking = toy(ties="mid", evidence="spectrum").ranking
        assert all(element.score > 0 for element in ranking)
        scores = [element.score for element in ranking]
        assert scores == sorted(scores, reverse=True)
        ranks = [element.rank for element in ranking]
        assert ranks == sorted(ranks)
        for rank in set(ranks):
            assert {e.ties for e in ranking if e.rank == rank} == {ranks.count(rank)}


class TestText:
    def test_lines_fit_a_terminal_of_100_columns(self) -> None:
        rhs = [f"token_number_{number}" for number in range(60)]
        grammar = Grammar.from_rules([("a_rather_long_name", rhs)])
        text = text_report(built(grammar, [" ".join(rhs[:30])]), top=None)
        rules = [line for line in text.splitlines() if "->" in line]
        assert len(rules) == 31
        assert max(map(len, rules)) <= 100
        assert all(line.count("•") == 1 for line in rules)
        assert all(line.lstrip().startswith("a_rather_long_name ->") for line in rules)
        assert max(map(len, text.splitlines())) <= 100
        assert "-> ... token_number_28 token_number_29 • token_number_30 ...\n" in text

    def test_verbose_shows_whole_rules_and_all_tests(self) -> None:
        rhs = [f"t{number}" for number in range(60)]
        result = built(Grammar.from_rules([("s", rhs)]), [" ".join(rhs[:n]) for n in range(9)])
        assert "... and 6 more" in text_report(result)
        whole = text_report(result, verbose=True)
        assert f"{' '.join(rhs[8:])}\n" in whole
        assert whole.count("should be accepted") == 9

    def test_one_of_many_files_is_named(self) -> None:
        grammar = replace(Grammar.from_rules([("s", ["x"])]), files=("a.py", "b.py", "c.py"))
        result = built(grammar, ["x"])
        about = "1 rule, 1 non-terminal, 1 terminal, start symbol s\n"
        assert text_report(result).endswith(f"\n\na.py and 2 other files\n{about}")
        assert text_report(result, verbose=True).endswith(f"\n\na.py, b.py, c.py\n{about}")

    def test_the_mark_is_found_in_spite_of_a_token_like_it(self) -> None:
        grammar = Grammar.from_rules([("s", ["•", "•", "x"])])
        lines = report_lines(built(grammar, ["• •"]), 1, mark="@")
        assert "s -> • • @ x\n" in plain(lines)

    def test_positions_inside_operators(self) -> None:
        group = Block(Operator.STAR, (Alternative((Reference("comma"), Reference("x"))),))
        grammar = expand([Definition("s", (Alternative((Reference("x"), group)),))])
        result = built(grammar, ["x comma x", "x comma"])
        assert result.ranking[0].nonterminal == "s"
        assert "s -> x ( comma • x )*\n" in text_report(result, 1)

    def test_ties_are_marked(self) -> None:
        text = text_report(toy(evidence="spectrum", ties="worst"))
        ranked = re.findall(r"^ *([\d.]+)(=?) +\d", text, re.MULTILINE)
        ranks = [rank for rank, _ in ranked]
        assert any(tie for _, tie in ranked)
        assert all(tie or ranks.count(rank) == 1 for rank, tie in ranked)

    def test_nothing_of_the_user_reaches_the_terminal_as_it_is(self) -> None:
        grammar = Grammar.from_rules([("s", ["\x1b[31m", "[bold]", "b\u202ed"])], name="\x1b]0;x")
        result = built(grammar, ["\x1b[31m", "\x1b[2J x", "[bold]"])
        text = text_report(result)
        assert all(char.isprintable() or char == "\n" for char in text)
        assert "[bold]" in text
        assert "\\x1b[31m" in text

    @given(st.text())
    def test_printable(self, text: str) -> None:
        shown = printable(text)
        assert shown.isprintable()
        if text.isprintable():
            assert shown == text

    @given(st.data())
    def test_elided(self, data: st.DataObject) -> None:
        words = ["lhs", "->", *data.draw(st.lists(st.text("abc", min_size=1, max_size=12)))]
        place = data.draw(st.none() | st.integers(2, len(words)))
        if place is not None:
            words.insert(place, "•")
        width = data.draw(st.integers(40, 100))
        kept, where = elided(words, place, width)
        assert len(" ".join(kept)) <= width
        assert kept[:2] == ["lhs", "->"]
        shown = [word for word in kept[2:] if word != "..."]
        assert any(shown == words[i : i + len(shown)] for i in range(2, len(words) + 1))
        assert (None if where is None else kept[where]) == (None if place is None else "•")
        if len(" ".join(words)) <= width:
            assert kept == words

    @given(st.text("ab ", max_size=200), st.integers(0, 199), st.integers(20, 80))
    def test_excerpts(self, text: str, place: int, room: int) -> None:
        shown = excerpt(text, place, room)
        assert len(shown) <= room
        if len(text) <= room:
            assert shown == text
        marked = f"{text[:place]}!{text[place:]}"
        if place <= len(text):
            assert "!" in excerpt(marked, place, room)
