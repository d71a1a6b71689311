"""SQLite as a black box: its messages, and a small grammar with deviations of a large one."""

from __future__ import annotations

import pytest

from command import ROOT
from gramspect import Plan, PythonCallable, Reaction, Wording, blackbox

FOLDER = ROOT / "fixtures" / "blackbox" / "sqlite"
WORDING = Wording(
    (": syntax error$", "unrecognized token|incomplete input"),
    ('near "(?P<near>.*)": syntax error', "(?P<end>incomplete input)"),
)
SQLITE = PythonCallable(f"{FOLDER / 'system.py'}:check", WORDING)


@pytest.mark.parametrize(
    ("text", "reaction", "near", "offset"),
    [
        ("select 1", Reaction.ACCEPTED, None, None),
        ("select ?", Reaction.ACCEPTED, None, None),
        ("explain select 1", Reaction.ACCEPTED, None, None),
        ("", Reaction.ACCEPTED, None, None),
        (" ; ;", Reaction.ACCEPTED, None, None),
        ("select 1 in 1", Reaction.SYNTAX, "1", None),
        ("select", Reaction.SYNTAX, None, 6),
        ("select * from nowhere", Reaction.OTHER, None, None),
        ("select * from nowhere; select from", Reaction.SYNTAX, "from", None),
        ("select 'a;b'; drop table STAFF", Reaction.ACCEPTED, None, None),
        ("attach 'x.db' as y", Reaction.ACCEPTED, None, None),
        (
            "create trigger T delete on STAFF begin select 1; select 2; end ; drop trigger T",
            Reaction.OTHER,
            None,
            None,
        ),
        (
            "create trigger T delete on STAFF begin select 1; select; end",
            Reaction.SYNTAX,
            ";",
            None,
        ),
    ],
)
def test_answers(text: str, reaction: Reaction, near: str | None, offset: int | None) -> None:
    [answer] = SQLITE.ask([text])
    assert (answer.reaction, *answer.place) == (reaction, offset, near), answer


def test_nothing_is_run() -> None:
    """A table that is dropped is still there for the next statement."""
    answers = list(SQLITE.ask(["drop table STAFF", "select Name from STAFF"]))
    assert [answer.reaction for answer in answers] == [Reaction.ACCEPTED] * 2


def test_the_deviations_are_found() -> None:
    """Each by an element of its own, among the first five; nothing else fails."""
    result = blackbox(FOLDER / "queries.y", SQLITE, Plan(("cdrc", "bfs:2")), rounds=10)
    texts = [deviation.element.text() for deviation in result.deviations]
    rules = {deviation.element.label.rsplit(":", 1)[0] for deviation in result.deviations}
    assert {"expr:10"} <= rules, texts
    assert rules & {"expr:9", "expr:12"}, texts
    assert rules & {"query:2", "select:2"}, texts
    assert len(rules) <= 5
    for failing in result.localization.failing:
        words = failing.test.text.split()
        assert {"in", "between", "limit"}.intersection(words), failing.test.text


def test_a_mended_grammar_agrees(tmp_path_factory: pytest.TempPathFactory) -> None:
    text = (FOLDER / "queries.y").read_text()
    for old, new in (
        ('| expr "in" expr ', ""),
        ('"between" expr "and"', "\"between\" '(' expr ')' \"and\""),
        (
            'query  : select | select "limit" expr ;',
            'query : select | "select" expr "limit" expr ;',
        ),
    ):
        assert old in text
        text = text.replace(old, new)
    grammar = tmp_path_factory.mktemp("sql") / "mended.y"
    grammar.write_text(text)
    result = blackbox(grammar, SQLITE, Plan(("cdrc", "bfs:2")))
    assert not result.localization.failing, result.localization.failing[:3]
