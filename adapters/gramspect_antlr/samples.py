"""Texts for the tokens of an ANTLR lexer, found on its automaton (ATN).

Every token rule is a part of one network, and fragments are parts that others call. Sets, negations
and case-insensitive letters are what the automaton has made of them. Predicates are taken as true,
and no token ends by reading the end of the input. A text counts if ANTLR's own lexer, in the mode
of the rule, makes the token of it and nothing else. A rule that goes on in another mode (``more``)
is put before the tokens of that mode.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from gramspect.adapter_api import Network, fitting, preferred
from gramspect_antlr.loading import LoadedGrammar
from gramspect_jvm import java_class

__all__ = ["LexerSamples"]

_ATN = "org.antlr.v4.runtime.atn"


@dataclass(frozen=True)
class _TokenRule:
    """A rule of the lexer that is no fragment: `entry` is its state in the network.

    `next_mode` is set if the token is not complete at the end of the rule (``more``).
    """

    entry: int
    token_type: int
    mode: int
    next_mode: int | None


class LexerSamples:
    """Finds texts for the tokens of one lexer."""

    def __init__(self, loaded: LoadedGrammar, letters: str = "") -> None:
        self._java = loaded.java.lexerGrammar()
        self._letters = letters
        self._networks: dict[bool, Network] = {}

    def of(self, token_type: int, limit: int) -> list[str]:
        """Up to a number of texts of a token type, the shortest first."""
        rules = [r for r in self._rules if r.token_type == token_type and r.next_mode is None]
        for wide in (False, True):
            for rule in rules:
                found = self._texts(rule, limit, wide)
                if found:
                    return found
        return []

    def _texts(self, rule: _TokenRule, limit: int, wide: bool) -> list[str]:
        """The texts of a rule that the lexer reads as its token."""
        network = self._network(wide)

        def texts(mode: int, opening: str = "") -> list[str]:
            return fitting(
                (opening + text for text in network.texts(rule.entry)),
                lambda text: self._reads(text, mode, rule.token_type),
                limit,
            )

        for other in self._rules:
            if other.next_mode == rule.mode:
                for opening in islice(network.texts(other.entry), 1):
                    if found := texts(other.mode, opening):
                        return found
        return texts(rule.mode)

    # --- the automaton -------------------------------------------------------------------

    @cached_property
    def _atn(self) -> Any:
        return self._interpreter.getATN()

    def _network(self, wide: bool) -> Network:
        """The automaton with the most readable characters of each set, or with all of ASCII."""
        if wide not in self._networks:
            self._networks[wide] = self._read_automaton(wide)
        return self._networks[wide]

    def _read_automaton(self, wide: bool) -> Network:
        stop = java_class(f"{_ATN}.RuleStopState")
        call = java_class(f"{_ATN}.RuleTransition")
        network = Network()
        states = list(self._atn.states)
        for _ in states:
            network.state()
        for number, state in enumerate(states):
            if isinstance(state, stop):
                network.finals.add(number)
            elif state is not None:
                for transition in state.getTransitions():
                    target = int(transition.target.stateNumber)
                    if isinstance(transition, call):
                        network.call(number, int(transition.followState.stateNumber), target)
                    elif transition.isEpsilon():
                        network.skip(number, target)
                    else:
                        network.read(number, target, _characters(transition, wide))
        return network

    @cached_property
    def _rules(self) -> list[_TokenRule]:
        """Those of the default mode first, in the order in which the lexer tries them."""
        acting = java_class(f"{_ATN}.ActionTransition")
        types: dict[int, int] = dict(enumerate(map(int, self._atn.ruleToTokenType)))
        following: dict[int, int | None] = {}
        more: set[int] = set()
        for state in self._atn.states:
            for transition in () if state is None else state.getTransitions():
                if isinstance(transition, acting) and transition.actionIndex >= 0:
                    action = self._atn.lexerActions[transition.actionIndex]
                    rule = int(transition.ruleIndex)
                    match str(action.getActionType()):
                        case "TYPE":
                            types[rule] = int(action.getType())
                        case "MORE":
                            more.add(rule)
                        case "MODE" | "PUSH_MODE":
                            following[rule] = int(action.getMode())
        found = []
        for mode, start in enumerate(self._atn.modeToStartState):
            for transition in start.getTransitions():
                rule = int(transition.target.ruleIndex)
                following_mode = following.get(rule, mode) if rule in more else None
                entry = int(transition.target.stateNumber)
                found.append(_TokenRule(entry, types[rule], mode, following_mode))
        return found

    # --- the lexer -----------------------------------------------------------------------

    @cached_property
    def _interpreter(self) -> Any:
        lexer = self._java.createLexerInterpreter(_stream(""))
        lexer.removeErrorListeners()
        return lexer

    def _reads(self, text: str, mode: int, token_type: int) -> bool:
        """Whether the text is one token of that type, on the parser's channel."""
        lexer = self._interpreter
        seen = {"upper": text.upper(), "lower": text.lower()}.get(self._letters, text)
        stream = _stream(seen)
        lexer.setInputStream(stream)
        lexer.pushMode(mode)  # a token may pop it
        try:
            token = lexer.nextToken()
        except Exception:  # whatever Java throws
            return False
        whole = int(token.getStopIndex()) == int(stream.size()) - 1
        return whole and int(token.getType()) == token_type and int(token.getChannel()) == 0


def _stream(text: str) -> Any:
    return java_class("org.antlr.v4.runtime.CharStreams").fromString(text)


def _characters(transition: Any, wide: bool) -> str:
    """Characters that a transition reads; the end of the input is none."""
    found = preferred(lambda c: bool(transition.matches(ord(c), 0, 0x10FFFF)), wide)
    if found:
        return found
    label = transition.label()
    if label is None or label.isNil():
        return ""
    least = int(label.getMinElement())
    return chr(least) if least >= 0 else ""
