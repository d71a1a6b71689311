"""Grammars that the present release of the ANTLR tool refuses and earlier ones of ANTLR 4 load.

What is accepted and what not follows from the text of each grammar, as its author meant it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from g4 import Load

from command import Command
from gramspect.errors import GrammarError
from gramspect.recognition.recognizer import CodeSkipping
from gramspect.recognition.trace import ChartTrace, Undecided
from gramspect.suites.suite import Expectation, TestCase
from gramspect_antlr.recognizer import AntlrRecognizer

SPACE = "WS : [ \\n]+ -> skip ;"


@dataclass(frozen=True)
class Older:
    """A grammar, its inputs, and the codes of the errors that are tolerated."""

    text: str
    accepted: Sequence[str]
    rejected: Sequence[str]
    codes: tuple[int, ...]


OLDER = {
    "a repetition of the empty string in a lexer rule": Older(
        f"s : A* EOF ; A : ('a'*)+ 'b' ; {SPACE}", ["b", "aab ab"], ["a", "ba"], (153,)
    ),
    "a repetition of the empty string in a parser rule": Older(
        f"s : t* 'x' ; t : A* ; A : 'a' ; {SPACE}", ["x", "a a x"], ["a", "x x"], (153,)
    ),
    "a positive repetition of the empty string in a parser rule": Older(
        f"s : t+ 'x' EOF ; t : A? B? ; A : 'a' ; B : 'b' ; {SPACE}",
        ["x", "a x", "b a b x"],
        ["a", "x a"],
        (153,),
    ),
    "left recursion with nothing after it": Older(
        f"s : e EOF ; e : e A? | B ; A : 'a' ; B : 'b' ; {SPACE}",
        ["b", "b a", "b a a"],
        ["a", "b b"],
        (148,),
    ),
    "the end of the input in a repetition of a lexer rule": Older(
        "s : A* EOF ; A : '#' (~'\\n' | EOF)* ; N : '\\n' -> skip ;",
        ["#", "# a\n#b"],
        ["a", "\na"],
        (186,),
    ),
    "a lexer rule that waits at the end of the input": Older(
        "s : A* EOF ; A : '#' (EOF | .)*? '!' ;", ["#a!", "#!#!"], ["#a", "a"], (186,)
    ),
    "the end of the input in a repetition of a parser rule": Older(
        f"s : (A (B | EOF))+ ; A : 'a' ; B : 'b' ; {SPACE}",
        ["a", "a b", "a b a"],
        ["b", "a a"],
        (),
    ),
    "escapes in literals that need none": Older(
        f"s : A '\\-' '\\\"' EOF ; A : '\\<' ; {SPACE}", ['< - "'], ['\\< - "', "<"], (156,)
    ),
    "escapes in sets that need none": Older(
        f"s : A EOF ; A : [\\<\\.\\[\\]\\-\\'a-c]+ ; {SPACE}",
        ["<", ".[]-'abc"],
        ["\\", "d", "="],
        (156,),
    ),
    "ranges from high to low": Older(
        f"s : (A | B) EOF ; A : 'z'..'a' | 'b' ; B : [z-ac] ; {SPACE}",
        ["b", "c"],
        ["d", "z"],
        (174,),
    ),
    "an empty set": Older(f"s : A EOF ; A : [] | 'a' ; {SPACE}", ["a"], ["b", ""], (174,)),
    "literals of several characters in a negated set": Older(
        "s : A EOF ; A : ~('ab' | 'c')+ ;", ["d", "ab"], ["c"], (144,)
    ),
    "names of constants as names of rules": Older(
        f"s : SKIP MORE HIDDEN EOF ; SKIP : 'skip' ; MORE : 'more' ; HIDDEN : 'h' ; {SPACE}",
        ["skip more h"],
        ["skip"],
        (159,),
    ),
    "channels that are constants of the members": Older(
        "@lexer::members { public static final int W = 1; }\n"
        "s : A A EOF ; A : 'a' ; WS : ' ' -> channel(W) ;",
        ["a a", "aa"],
        ["a"],
        (177,),
    ),
    "channels that nobody declares": Older(
        "s : A A EOF ; A : 'a' ; WS : ' ' -> channel(hidden) ; C : '#' -> channel(COMMENTS) ;",
        ["a a", "#aa"],
        ["a"],
        (177,),
    ),
    "channels of a combined grammar": Older(
        "channels { C } s : A A EOF ; A : 'a' ; WS : ' ' -> channel(C) ;", ["a a"], ["a"], (164,)
    ),
    "modes of a combined grammar": Older(
        "s : A B EOF ; A : 'a' -> pushMode(M) ; mode M ; B : 'b' -> popMode ;",
        ["ab"],
        ["a", "bb"],
        (120,),
    ),
    "a mode without rules": Older(
        "s : A B EOF ; A : 'a' ; B : 'b' ; mode M ; fragment F : 'f' ;", ["ab"], ["a"], (120, 145)
    ),
    "types that only the parser names": Older(
        f"s : A X EOF ; A : 'a' ; B : 'b' -> type(X) ; {SPACE}", ["a b"], ["a", "b"], (175,)
    ),
    "commands within alternatives": Older(
        "s : A A EOF ; A : 'a' ; WS : ' ' -> skip | '\\n' -> channel(HIDDEN) ;",
        ["a a", "a\na"],
        ["a"],
        (133,),
    ),
    "unknown commands": Older(
        "s : A B EOF ; A : 'a' ; B : 'b' -> mark ;", ["ab"], ["a"], (149,)
    ),
    "capital commands": Older(
        "s : A A EOF ; A : 'a' ; WS : ' ' -> Skip ; C : '#' -> Channel(HIDDEN) ;",
        ["a a", "a#a"],
        ["a"],
        (),
    ),
    "semicolons between tokens": Older(
        f"tokens {{ X; Y; }} s : A EOF ; A : 'a' ; {SPACE}", ["a"], ["b"], (202,)
    ),
    "labels in lexer rules": Older(
        f"s : A EOF ; A : x='a' y+=('b' | 'c')* ; {SPACE}", ["a", "abc"], ["b"], (201,)
    ),
    "gated and syntactic predicates": Older(
        f"s : {{ok}}?=> A t EOF ; t : (A B)=> A B | A ; A : 'a' ; B : 'b' ; {SPACE}",
        ["a a b", "a a"],
        ["a", "a b"],
        (204, 205),
    ),
    "a file of tokens that is not there": Older(
        f"options {{ tokenVocab = Gone; }} s : A EOF ; A : 'a' ; {SPACE}", ["a"], ["b"], (114,)
    ),
    "an import that is not there": Older(
        f"import Gone; s : A EOF ; A : 'a' ; {SPACE}", ["a"], ["b"], (110,)
    ),
    "options of other tools and languages": Older(
        "options { language = Delphi; superClass = Base; k = 2; backtrack = true; }\n"
        f"s options {{ k = 1; }} : A EOF ; A : 'a' ; {SPACE}",
        ["a"],
        ["b"],
        (),
    ),
    "two sets of options and of tokens": Older(
        "options { language = Java; } options { superClass = B; } tokens { X } tokens { Y }\n"
        f"s : A EOF ; A : 'a' ; {SPACE}",
        ["a"],
        ["b"],
        (54,),
    ),
    "labels that clash": Older(
        f"s : x=A x+=B t=t EOF ; t : y=('c' 'd')? ; A : 'a' ; B : 'b' ; {SPACE}",
        ["a b", "a b c d"],
        ["a", "a b c"],
        (130, 69, 75),
    ),
    "labels of alternatives": Older(
        f"s : A t EOF # s | EOF # x ; t : B # x | A ; A : 'a' ; B : 'b' ; {SPACE}",
        ["", "a b", "a a"],
        ["a", "b"],
        (122, 123, 124),
    ),
    "attributes, arguments and actions": Older(
        "@members { x } @members { y }\n"
        "s : t { $foo = $t.bar; } u[1] EOF ; t [int x] : A ; u : B ;\n"
        f"A : 'a' ; B : 'b' ; {SPACE}",
        ["a b"],
        ["a", "b"],
        (63, 65, 79, 80, 94),
    ),
    "the associativity at the operator": Older(
        f"s : e EOF ; e : e '^'<assoc=right> e | A ; A : 'a' ; {SPACE}",
        ["a", "a ^ a ^ a"],
        ["^"],
        (),
    ),
}  # fmt: skip


def is_accepted(system: AntlrRecognizer, text: str) -> bool:
    trace = system.trace(TestCase("test", Expectation.ACCEPT, text))
    assert not isinstance(trace, Undecided), trace
    return not isinstance(trace, ChartTrace)


@pytest.mark.parametrize("name", OLDER)
def test_a_grammar_of_an_earlier_release(load: Load, name: str) -> None:
    older = OLDER[name]
    system = load("s", G=f"grammar G;\n{older.text}\n")
    assert [text for text in older.accepted if not is_accepted(system, text)] == []
    assert [text for text in older.rejected if is_accepted(system, text)] == []
    notes = [str(d) for d in system.grammar.diagnostics if "loaded all the same" in d.message]
    assert all(any(f"error {code}:" in note for note in notes) for code in older.codes), notes
    assert len(notes) == len(older.codes), notes


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("WS : [ \\t]* -> skip ;", "a #"),
        ("WS : [ \\t]* -> more ;", "a #"),
        ("WS : [ \\t]* -> channel(HIDDEN) ;", "a #"),
        ("WS : ' '* { skip(); } ;", "a #"),
    ],
)
def test_empty_tokens_for_ever_cost_one_test(load: Load, rule: str, text: str) -> None:
    system = load(G=f"grammar G; s : A* EOF ; A : 'a' ; {rule}")
    tests = [TestCase(t, Expectation.ACCEPT, t) for t in ("a a", text, "aa")]
    first, second, third = system.traces(tests)
    assert isinstance(second, Undecided)
    assert "the lexer makes empty tokens for ever at line 1, column 3" in second.reason
    assert not isinstance(first, Undecided | ChartTrace)
    assert not isinstance(third, Undecided | ChartTrace)


@pytest.mark.parametrize(
    "action",
    [
        "skip();",
        "Skip();",
        "self.skip()",
        "this->skip();",
        "$channel = HIDDEN;",
        "channel = HIDDEN;",
        "_channel = Token.HIDDEN_CHANNEL;",
        "setChannel(HIDDEN);",
        "this.setChannel(COMMENTS);",
        "Channel = Lexer.Hidden;",
    ],
)
def test_actions_that_mean_commands_are_run(load: Load, action: str) -> None:
    system = load(G=f"grammar G; s : A A EOF ; A : 'a' ; WS : ' ' {{ {action} }} ;")
    assert is_accepted(system, "a a")
    assert not [d for d in system.grammar.diagnostics if d.code == "foreign-code"]


def test_actions_that_set_types_and_modes(load: Load) -> None:
    system = load(
        GParser="""
        parser grammar GParser;
        options { tokenVocab = GLexer; }
        s : (NAME | IF | TEXT)* EOF ;
        """,
        GLexer="""
        lexer grammar GLexer;
        tokens { TEXT }
        NAME : [a-z] ;
        OTHER : '!' { setType(IF); } ;
        IF : 'if' ;
        QUOTE : '"' { more(); pushMode(INSIDE); } ;
        mode INSIDE ;
        END : '"' { popMode(); _type = TEXT; } ;
        CHARACTER : . -> more ;
        """,
    )
    tokens = system.tokens(TestCase("test", Expectation.ACCEPT, 'a!b"c!"d'))
    assert tokens is not None
    names = [system.grammar.symbols[token].name for token in tokens]
    assert names == ["NAME", "IF", "NAME", "TEXT", "NAME", "EOF"]


def test_lexer_code_that_a_test_meets(load: Load) -> None:
    system = load(
        G="""
        grammar G;
        s : (A | B)* EOF ;
        A : 'a' { count(); } ;
        B : {here()}? 'b' ;
        C : 'c' { far(); } ;
        WS : ' ' { skip(); } ;
        """
    )
    assert isinstance(system, CodeSkipping)
    met = [
        [d.message for d in system.code_not_run(TestCase("t", Expectation.ACCEPT, text))]
        for text in (" ", "a", "a b")
    ]
    action = "the action in the token rule A is not run"
    assert met == [
        [],
        [action],
        [action, "the predicate, taken as true, in the token rule B is not run"],
    ]


def test_lexer_code_of_failing_tests_is_named_before_the_ranking(
    command: Command, tmp_path: Path
) -> None:
    grammar = tmp_path / "G.g4"
    grammar.write_text("grammar G; s : A A EOF ; A : 'a' ; N : '\\n' { count(); } ; B : 'b' ;")
    (tmp_path / "in").mkdir()
    for name, text in (("one", "aa"), ("two", "a\na"), ("three", "ab")):
        (tmp_path / "in" / name).write_text(text)
    result = command("localize", str(grammar), "--accept", str(tmp_path / "in"))
    told = "the action in the token rule N is not run; 1 of the failing tests may fail"
    assert told in " ".join(result.out.split())
    assert result.out.index("token rule N") < result.out.index("rank")


def test_a_literal_that_no_lexer_rule_makes(load: Load) -> None:
    system = load(
        GParser="parser grammar GParser; s : A ('x' | A) EOF ;",
        GLexer="lexer grammar GLexer; A : 'a' ;",
    )
    assert is_accepted(system, "aa")
    assert any("error 126" in str(d) for d in system.grammar.diagnostics)


def test_positions_in_rewritten_texts(load: Load) -> None:
    text = "grammar G;\ntokens { X; Y; }\ns : A '\\<' B EOF ;\nA : x='a' ; B : 'b' ;"
    grammar = load(G=text).grammar
    (rule,) = (grammar.rules[r] for r in grammar.rules_of[grammar.start])
    assert [(s.line, s.column, s.end_column) for s in rule.rhs_spans if s] == [
        (3, 5, 6), (3, 7, 11), (3, 12, 13), (3, 14, 17)
    ]  # fmt: skip


def test_what_no_release_loads_is_refused(load: Load) -> None:
    with pytest.raises(GrammarError, match=r"error 119: .*mutually left-recursive"):
        load(G="grammar G; s : t 'x' ; t : s 'y' ;")
