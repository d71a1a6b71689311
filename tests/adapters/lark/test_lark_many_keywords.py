"""Large grammars, and texts that are looked at from many sides."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gramspect import LoadOptions, TestSuite, localize
from gramspect.edits import likeness
from gramspect.recognition.registry import adapter
from gramspect_lark.earley import EarleyHook
from gramspect_lark.earley_recognizer import EarleyRecognizer

EARLEY = LoadOptions(adapter="lark-earley")


def keywords(folder: Path, count: int) -> Path:
    """A grammar of statements, each with a keyword of its own."""
    choices = " | ".join(f'"kw{n}" NAME ";"' for n in range(count))
    file = folder / f"keywords{count}.lark"
    file.write_text(f'start: stmt+\nstmt: {choices}\nNAME: /[A-Z]+/\n%ignore " "\n')
    return file


@pytest.mark.parametrize("lexer", ["dynamic", "basic"])
def test_each_text_is_parsed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lexer: str
) -> None:
    """With all that is asked about failing and passing texts, also by the search for edits."""
    parses: Counter[tuple[int, Any, bool]] = Counter()
    hooks: list[EarleyHook] = []  # kept, so that no two have the same number
    observe = EarleyHook.observe

    def counted(self: EarleyHook, text: Any, stretches: Any = ()) -> Any:
        hooks.append(self)
        parses[id(self), text, bool(stretches)] += 1
        return observe(self, text, stretches)

    monkeypatch.setattr(EarleyHook, "observe", counted)
    texts = ["kw1 A; kw2 B;", "kw3 B;", "kw1 A kw2 B;", "kw1;", "kw1 A;;"]
    load = LoadOptions(adapter="lark-earley", extra={"lexer": lexer})
    result = localize(keywords(tmp_path, 20), TestSuite.from_texts(accept=texts), load=load)
    assert len(result.failing) == 3
    assert {text for _, text, _ in parses} >= set(texts)
    assert max(parses.values()) == 1


def test_a_text_is_parsed_again_when_there_is_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The results are the same."""
    texts = ["kw1 A; kw2 B;", "kw1 A kw2 B;", "!", ""]
    tests = TestSuite.from_texts(accept=texts).tests
    recognizer = adapter("lark-earley").load(str(keywords(tmp_path, 5)), EARLEY)
    assert isinstance(recognizer, EarleyRecognizer)
    kept = [(recognizer.trace(test), recognizer.tokens(test)) for test in tests * 2]
    monkeypatch.setattr("gramspect_lark.remembering._ROOM", 0)
    other = adapter("lark-earley").load(str(keywords(tmp_path, 5)), EARLEY)
    assert isinstance(other, EarleyRecognizer)
    again = [(other.trace(test), other.tokens(test)) for test in tests * 2]
    for (one, tokens), (two, others) in zip(kept, again, strict=True):
        assert (one.error, tokens) == (two.error, others)  # type: ignore[union-attr]


def test_what_may_follow_keywords_is_kept_once(tmp_path: Path) -> None:
    recognizer = adapter("lark-earley").load(str(keywords(tmp_path, 300)), EARLEY)
    followers = recognizer._subject.followers  # type: ignore[attr-defined]
    assert followers["KW7"] == {"NAME"}
    assert len(followers["SEMICOLON"]) == 300
    assert len(followers) == 302
    assert len({id(found) for found in followers.values()}) == 3


@pytest.mark.slow
def test_names_are_compared_once_for_all_alternatives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice as many alternatives, twice as many comparisons."""
    counts = []
    cosine = likeness._cosine
    for size in (100, 200):
        calls = 0

        def counted(*vectors: Any) -> float:
            nonlocal calls
            calls += 1
            return cosine(*vectors)

        monkeypatch.setattr(likeness, "_cosine", counted)
        suite = TestSuite.from_texts(accept=["kw1 A; kw2 B;", "kw1 A kw2 B;"])
        localize(keywords(tmp_path, size), suite, load=EARLEY)
        counts.append(calls)
    assert counts[0] > 100
    assert counts[1] < 2.2 * counts[0]
