"""Faults put into the parser of the package openqasm3, and where they are ranked.

A generated parser is code and an automaton. A fault changes the automaton of a copy, from which
predictions and the grammar are read, and what the copy's ``match`` asks for in the changed state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from antlr4.atn.ATNDeserializer import ATNDeserializer
from antlr4.atn.Transition import AtomTransition
from antlr4.dfa.DFA import DFA
from antlr4.PredictionContext import PredictionContextCache
from openqasm3._antlr import qasm3Lexer, qasm3Parser

from gramspect import Localization, RankedElement, TestSuite, localize
from gramspect_antlr_python.automaton import RuleReader
from gramspect_antlr_python.recognizer import AntlrPythonRecognizer
from gramspect_antlr_python.vocabulary import Vocabulary

FIXTURES = Path(__file__).parents[3] / "fixtures" / "openqasm3"
SUITE = TestSuite.load([FIXTURES / "accept.txt"], [FIXTURES / "reject.txt"], lines=True)
RECORD = FIXTURES / "ranks.json"

Parser: Any = qasm3Parser.qasm3Parser
Lexer: Any = qasm3Lexer.qasm3Lexer


@dataclass(frozen=True)
class WrongToken:
    """The element of that number in a rule reads another token. `label` is that of its item."""

    name: str
    rule: str
    element: int
    token: str
    label: str

    def parser(self) -> Any:
        atn = _new_automaton()
        index = Parser.ruleNames.index(self.rule)
        vocabulary = Vocabulary(atn.maxTokenType, Parser.literalNames, Parser.symbolicNames)
        leaf = RuleReader(atn, Parser.ruleNames, vocabulary).rule(index).leaves[self.element]
        assert leaf is not None
        state = atn.states[leaf.state]
        (transition,) = state.transitions
        token = Parser.symbolicNames.index(self.token)
        assert isinstance(transition, AtomTransition)
        assert transition.label_ != token
        state.transitions[0] = AtomTransition(transition.target, token)
        return _copy(atn, {leaf.state: token})


@dataclass(frozen=True)
class NoWayPast:
    """An optional block of a rule, the nth one, has to be there. `label` is that of its item."""

    name: str
    rule: str
    block: int
    label: str

    def parser(self) -> Any:
        atn = _new_automaton()
        index = Parser.ruleNames.index(self.rule)
        options = [
            state
            for state in atn.decisionToState
            if state.ruleIndex == index
            and state.transitions[-1].target is getattr(state, "endState", None)
        ]
        options[self.block].transitions.pop()
        return _copy(atn, {})


Fault = WrongToken | NoWayPast

FAULTS: tuple[Fault, ...] = (
    WrongToken("while-in-brackets", "whileStatement", 1, "LBRACKET", "whileStatement:1:1"),
    WrongToken("for-without-in", "forStatement", 3, "EQUALS", "forStatement:1:3"),
    WrongToken("let-with-colon", "aliasDeclarationStatement", 2, "COLON",
               "aliasDeclarationStatement:1:2"),
    WrongToken("break-with-comma", "breakStatement", 1, "COMMA", "breakStatement:1:1"),
    WrongToken("switch-in-brackets", "switchStatement", 4, "LBRACKET", "switchStatement:1:4"),
    WrongToken("def-of-a-qubit", "defStatement", 1, "HardwareQubit", "defStatement:1:1"),
    WrongToken("power-of-pluses", "expression", 6, "DOUBLE_PLUS", "expression:3:1"),
    WrongToken("box-without-keyword", "boxStatement", 0, "VOID", "boxStatement:1:0"),
    WrongToken("reset-with-comma", "resetStatement", 2, "COMMA", "resetStatement:1:2"),
    NoWayPast("if-needs-else", "ifStatement", 0, "ifStatement:1:5"),
)  # fmt: skip


def _new_automaton() -> Any:
    return ATNDeserializer().deserialize(qasm3Parser.serializedATN())


def _copy(atn: Any, tokens: dict[int, int]) -> Any:
    """The parser with another automaton, and other tokens in some states."""

    def match(self: Any, token: int) -> Any:
        return Parser.match(self, tokens.get(self.state, token))

    members = {
        "atn": atn,
        "decisionsToDFA": [DFA(state, i) for i, state in enumerate(atn.decisionToState)],
        "sharedContextCache": PredictionContextCache(),
        "match": match,
    }
    return type("qasm3Parser", (Parser,), members)


def recognizer(parser: Any = Parser) -> AntlrPythonRecognizer:
    return AntlrPythonRecognizer.from_classes(parser, Lexer)


def ranks(fault: Fault) -> dict[str, dict[str, float | None]]:
    """The mean ranks of the faulty item and of the best items of its rule and non-terminal."""
    faulty = recognizer(fault.parser())
    found = {}
    for evidence in ("spectrum", "both"):
        result = localize(faulty, SUITE, evidence=evidence)
        assert result.failing
        assert not result.undecided
        rule = fault.label.rpartition(":")[0]
        found[evidence] = {
            "item": _rank(result, fault.label, lambda e: e.label),
            "rule": _rank(result, rule, lambda e: e.label.rpartition(":")[0]),
            "nonterminal": _rank(result, fault.rule, lambda e: e.nonterminal),
        }
    return found


def _rank(result: Localization, wanted: str, name: Any) -> float | None:
    """The rank among the best elements of each name; members of a tie share its middle."""
    best: dict[str, RankedElement] = {}
    for element in result.ranking:
        best.setdefault(name(element), element)
    if wanted not in best:
        return None
    before = sum(element.rank < best[wanted].rank for element in best.values())
    tied = sum(element.rank == best[wanted].rank for element in best.values())
    return before + (tied + 1) / 2


def all_ranks() -> Iterator[tuple[str, dict[str, dict[str, float | None]]]]:
    for fault in FAULTS:
        yield fault.name, ranks(fault)
