"""Lookahead decides as without observation: compared with the same parser in a plain JVM."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from jj import FRAME, Load, labels, observed
from plain import plain_verdicts

from gramspect.recognition.trace import LLTrace, Undecided, Verdict

SYNTACTIC = """
void start() : {} { ( item() ";" )* <EOF> }
void item() : {} {
    LOOKAHEAD(pair() "!") pair() "!"
  | LOOKAHEAD(2) "a" "b"
  | LOOKAHEAD(3) "a" "a" [ LOOKAHEAD("b" "b") "b" ] "b"
  | "a"
  | "b" [ "a" ] ( LOOKAHEAD(2) "a" "b" )* "!"
}
void pair() : {} { nested() [ "b" ] }
void nested() : {} { LOOKAHEAD("a" "a") "a" nested() | "a" }
"""

SEMANTIC = """
void start() : {} {
  ( LOOKAHEAD({ getToken(1).kind != EOF && count() < 3 }) item() )* [ ";" ] <EOF>
}
void item() : { int before = looked; } {
    LOOKAHEAD("a" { looked++; }) "a" { seen++; }
  | LOOKAHEAD(2, { looked == before }) "b" "a" { seen += 2; }
  | "b" LOOKAHEAD({ seen > 1 }) "!"
}
"""
MEMBERS = "int seen; int looked; int count() { looked++; return seen; }"

WORDS = [
    " ".join(word) for n in range(6) for word in product("ab!;", repeat=n) if word[:1] != ("!",)
]


@pytest.mark.parametrize(
    ("body", "members"),
    [
        pytest.param(SYNTACTIC, "", id="syntactic"),
        pytest.param(SEMANTIC, MEMBERS, id="semantic", marks=pytest.mark.slow),
    ],
)
def test_verdicts_are_those_of_a_plain_jvm(
    load: Load, tmp_path: Path, body: str, members: str
) -> None:
    recognizer = load(body, members=members, trailing="allow")
    found = [
        "accepted" if isinstance(outcome, LLTrace) else "rejected"
        for outcome in recognizer.outcomes(WORDS)
        if not isinstance(outcome, Undecided)
    ]
    grammar = tmp_path / "again" / "Parser.jj"
    grammar.parent.mkdir()
    grammar.write_text(FRAME.format(body=body, members=members, static="false"))
    assert found == plain_verdicts(grammar, WORDS)
    assert set(found) == {"accepted", "rejected"}


def test_what_looking_ahead_passes_is_not_taken(load: Load) -> None:
    recognizer = load(SYNTACTIC)
    (found,) = observed(recognizer, "a a b b ;")
    assert found.verdict is Verdict.ACCEPTED
    assert "item:3" in labels(recognizer.grammar, found)
    assert not {"item:1", "pair:1"} & labels(recognizer.grammar, found)


def test_the_frontier_is_seen_through_lookahead(load: Load) -> None:
    """The choice fails before anything of it is entered, at the first token; the chart goes on."""
    recognizer = load(
        """
        void start() : {} { choice() <EOF> }
        void choice() : {} {
            LOOKAHEAD(one() "!") one() "!"
          | LOOKAHEAD(two()) two()
        }
        void one() : {} { "a" "b" last() }
        void two() : {} { "a" "c" }
        void last() : {} { "x" | "y" }
        """
    )
    (found,) = observed(recognizer, "a b z")
    assert found.error is not None
    assert found.verdict is Verdict.REJECTED
    (found,) = observed(recognizer, "a b a")
    assert found.error is not None
    assert (found.error.token, found.error.column) == (2, 5)
    assert "(the parser reports it at line 1, column 1)" in found.error.message
    expected = {"start:1", "choice:1", "one:1", "last:1", "last:2"}
    assert labels(recognizer.grammar, found) == expected
