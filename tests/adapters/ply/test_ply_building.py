"""PLY parsers made from core grammars."""

from __future__ import annotations

from pathlib import Path

import pytest
from ply import yacc

from gramspect.errors import AdapterError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import ErrorKind, LRTrace, Undecided, Verdict
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase
from gramspect.yacc import read_yacc
from gramspect_ply.recognizer import SequenceRecognizer


def build(*rules: str, **options: object) -> SequenceRecognizer:
    pairs = [(rule.split()[0], rule.split()[2:]) for rule in rules]
    made = adapter("ply").build(Grammar.from_rules(pairs, **options))  # type: ignore[arg-type]
    assert isinstance(made, SequenceRecognizer)
    return made


def trace(recognizer: Recognizer, text: str) -> LRTrace:
    found = recognizer.trace(TestCase("test", Expectation.ACCEPT, text))
    assert isinstance(found, LRTrace)
    return found


def labels(recognizer: Recognizer, text: str) -> list[str]:
    """The rules that an accepted text uses."""
    found = trace(recognizer, text)
    assert found.error is None
    return sorted(recognizer.grammar.rules[rule].label for rule in found.reduced)


def test_rules_are_numbered_as_in_the_grammar() -> None:
    recognizer = build("s -> a t", "t -> b", "s -> t t", "t ->")
    assert labels(recognizer, "a b") == ["s:1", "t:1"]
    assert labels(recognizer, "b") == ["s:2", "t:1", "t:2"]


def test_names_that_ply_would_refuse(tmp_path: Path) -> None:
    file = tmp_path / "odd.y"
    file.write_text(
        "%token ARROW \"->\"\n%%\nstart : 'x' ARROW { go(); } \"->\" '%' error | ';' \"'\" ;\n"
    )
    recognizer = adapter("ply").build(read_yacc(file))
    assert trace(recognizer, "x -> -> % error").error is None
    found = trace(recognizer, "x -> %").error
    assert found is not None
    assert (found.token, found.message) == (2, "unexpected '%'")


def test_errors_of_token_sequences() -> None:
    recognizer = build("s -> a s", "s -> b")
    found = trace(recognizer, "a\n  a c")
    assert found.error is not None
    assert (found.error.token, found.error.line, found.error.column) == (2, 2, 5)
    assert (found.error.kind, found.error.message) == (ErrorKind.LEXICAL, "unknown token 'c'")
    test = TestCase("test", Expectation.ACCEPT, "", tokens=("a", "b", "b"))
    sequence = recognizer.trace(test)
    assert isinstance(sequence, LRTrace)
    assert sequence.error is not None
    assert (sequence.error.token, sequence.error.line) == (2, None)


@pytest.mark.parametrize(
    ("associativity", "text", "verdict"),
    [
        (Associativity.LEFT, "n - n - n", "s:2"),
        (Associativity.RIGHT, "n - n - n", "s:2"),
        (Associativity.NONE, "n - n - n", "s:2"),
        (Associativity.NONASSOC, "n - n - n", None),
        (Associativity.NONASSOC, "n - n", "s:2"),
    ],
)
def test_associativity(associativity: Associativity, text: str, verdict: str | None) -> None:
    recognizer = build("s -> s - s", "s -> n", precedence=[(associativity, ["-"])])
    found = trace(recognizer, text)
    assert (found.error is None) == (verdict is not None)
    assert recognizer.messages == ()


def sum_comes_first(recognizer: Recognizer) -> bool:
    """Whether a sum has been reduced when the operator of a product after it is read."""
    found = trace(recognizer, "n + n *")
    return "s:1" in {recognizer.grammar.rules[rule].label for rule in found.reduced}


def test_precedence_levels_and_prec() -> None:
    rules = ("s -> s + s", "s -> s * s", "s -> n")
    levels = [(Associativity.LEFT, ["+"]), (Associativity.LEFT, ["*"])]
    assert not sum_comes_first(build(*rules, precedence=levels))
    assert sum_comes_first(build(*rules, precedence=levels[::-1]))
    swapped = build(
        *rules, precedence=[*levels, (Associativity.LEFT, ["^"])], rule_precedence={0: "^"}
    )
    assert sum_comes_first(swapped)


def test_what_ply_warns_of() -> None:
    recognizer = build("s -> s + s", "s -> n", "s -> t", "t -> n", "u -> x")
    unused, shift_reduce, reduce_reduce, *_ = recognizer.messages
    assert unused == "u is not used"
    assert shift_reduce.startswith("shift/reduce conflict on + in state ")
    assert shift_reduce.endswith(" resolved as shift")
    assert reduce_reduce.startswith("reduce/reduce conflict in state ")
    assert reduce_reduce.endswith(" resolved as s -> n, not t -> n")


def test_the_earlier_rule_wins() -> None:
    assert labels(build("s -> t", "s -> u", "u -> n", "t -> n"), "n") == ["s:2", "u:1"]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (("s -> a s",), "infinite recursion: s derives no sentence"),
        (("s -> a", "t -> t b"), "infinite recursion: t derives no sentence"),
        (("s -> a", "s -> a"), "Duplicate rule s -> a"),
    ],
)
def test_what_ply_cannot_build(rules: tuple[str, ...], message: str) -> None:
    with pytest.raises(AdapterError) as caught:
        build(*rules)
    assert str(caught.value).startswith("the grammar grammar cannot be built by PLY: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (("t -> t", "t -> a", "s -> t"), "a"),
        (("e ->", "s -> e s b", "s -> f", "f ->"), "b"),
    ],
    ids=["cycle", "hidden left recursion"],
)
def test_parsers_that_never_end(rules: tuple[str, ...], text: str) -> None:
    found = build(*rules, start="s").trace(TestCase("test", Expectation.ACCEPT, text))
    assert found == Undecided("the parser does not terminate: it reduces for ever")


def test_long_inputs_are_no_loops() -> None:
    """Right recursion reduces everything at the end."""
    recognizer = build("s -> u s", "s ->", "u -> v", "v -> w", "w -> a")
    assert observe(trace(recognizer, "a " * 5_000)).verdict is Verdict.ACCEPTED


def test_the_table_class_of_later_releases(monkeypatch: pytest.MonkeyPatch) -> None:
    """After 3.11 it is called otherwise; projects bring such copies along."""
    monkeypatch.setattr(yacc, "LRTable", yacc.LRGeneratedTable)
    monkeypatch.delattr(yacc, "LRGeneratedTable")
    assert labels(build("s -> a t", "t -> b"), "a b") == ["s:1", "t:1"]
