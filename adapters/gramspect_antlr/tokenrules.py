"""The rules of an ANTLR lexer as automata, from the one that ANTLR has made of them (ATN).

A fragment is copied to each place that calls it, so that each edge knows the calls that lead to it.
One that calls itself (nested comments) is unrolled a few times.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from gramspect.adapter_api import Automaton, Chain, CharSet, Pattern, SourceText, Span, TokenRule
from gramspect_antlr.patterns import read_rule
from gramspect_jvm import java_class

__all__ = ["LexerRules"]

_ATN = "org.antlr.v4.runtime.atn"
_LAST = 0x10FFFF
_DEEPEST = 3
"""How many calls of one fragment may be open at a time."""
_MOST_STATES = 20_000
_IMPLICIT = "T__"
"""Rules of this name are literals in rules of the parser."""

_DEFINITION = re.compile(
    r"""(?: '(?:\\.|[^'\\\n])*' | \[(?:\\.|[^\]\\])*\] | //[^\n]* | /\*.*?\*/
         | \{(?:[^{}]|\{[^{}]*\})*\} | [^;] )*""",
    re.VERBOSE | re.DOTALL,
)


_COMMENT = re.compile(r"\s*(?://[^\n]*)?\n")
_ANY_CASE = re.compile(r"caseInsensitive\s*=\s*true")
_EITHER_CASE = " options { caseInsensitive = true; }"
"""The option of a rule, since ANTLR 4.10."""


class _Unknown(Exception):
    """A rule that cannot be made into an automaton."""


class LexerRules:
    """The rules of one lexer; `terminals` are those of the core grammar by token type."""

    def __init__(self, java: Any, terminals: Mapping[int, int], files: Sequence[str]) -> None:
        self._lexer = java.lexerGrammar()
        self._terminals = terminals
        self._files = files

    @cached_property
    def all(self) -> Sequence[TokenRule]:
        """The rules that the grammar spells out, in its order, fragments included."""
        found = []
        for number, rule in enumerate(self._lexer.rules.values()):
            name = str(rule.name)
            if not name.startswith(_IMPLICIT):
                found.append(self._rule(number, name, rule))
        return found

    def _rule(self, number: int, name: str, rule: Any) -> TokenRule:
        actions = self._actions.get(number, {})
        token_type = actions.get("TYPE", int(self._atn.ruleToTokenType[number]))
        terminal = self._terminals.get(token_type)
        dropped = "SKIP" in actions or actions.get("CHANNEL", 0) != 0
        unfinished = bool(rule.isFragment()) or "MORE" in actions
        own = frozenset(() if terminal is None or dropped or unfinished else (terminal,))
        automaton = None if "MORE" in actions else self._automaton(number)
        span, text = self._definition(rule)
        return TokenRule(name, automaton, own, dropped and not unfinished, span, text or name)

    @cached_property
    def _atn(self) -> Any:
        return self._lexer.getATN()

    @cached_property
    def _names(self) -> list[str]:
        return [str(rule.name) for rule in self._lexer.rules.values()]

    @cached_property
    def _actions(self) -> Mapping[int, dict[str, int]]:
        """For each rule the command on the text that it reads, with the argument if it has one."""
        acting = java_class(f"{_ATN}.ActionTransition")
        found: dict[int, dict[str, int]] = {}
        for state in self._atn.states:
            for transition in () if state is None else state.getTransitions():
                if isinstance(transition, acting) and transition.actionIndex >= 0:
                    action = self._atn.lexerActions[transition.actionIndex]
                    kind = str(action.getActionType())
                    value = 0
                    if kind == "TYPE":
                        value = int(action.getType())
                    elif kind == "CHANNEL":
                        value = int(action.getChannel())
                    found.setdefault(int(transition.ruleIndex), {})[kind] = value
        return found

    # --- automata ----------------------------------------------------------------------------

    def _automaton(self, number: int) -> Automaton | None:
        automaton = Automaton()
        chain = (self._names[number],)
        try:
            automaton.final = self._put_in(
                automaton, self._atn.ruleToStartState[number], automaton.start, chain
            )
        except _Unknown:
            return None
        return automaton

    def _put_in(self, automaton: Automaton, start: Any, state: int, chain: Chain) -> int:
        """Add a rule to the automaton after a state; give the state after the rule."""
        call = java_class(f"{_ATN}.RuleTransition")
        stop = java_class(f"{_ATN}.RuleStopState")
        known = {int(start.stateNumber): state}
        pending, end = [start], automaton.state()
        while pending:
            at = pending.pop()
            source = known[int(at.stateNumber)]
            if isinstance(at, stop):
                automaton.skip(source, end)
                continue
            if automaton.n_states > _MOST_STATES:
                raise _Unknown
            if getattr(at, "nonGreedy", False):
                automaton.exact = False
            for transition in at.getTransitions():
                following = transition.followState if isinstance(transition, call) else None
                target = transition.target if following is None else following
                if int(target.stateNumber) not in known:
                    known[int(target.stateNumber)] = automaton.state()
                    pending.append(target)
                to = known[int(target.stateNumber)]
                if following is not None:
                    self._call(automaton, transition.target, source, to, chain)
                elif transition.isEpsilon():
                    automaton.skip(source, to)
                else:
                    automaton.read(source, to, _characters(transition), chain)
        return end

    def _call(self, automaton: Automaton, start: Any, source: int, to: int, chain: Chain) -> None:
        name = self._names[int(start.ruleIndex)]
        if chain.count(name) >= _DEEPEST:
            automaton.exact = False
            return
        automaton.skip(self._put_in(automaton, start, source, (*chain, name)), to)

    # --- definitions -------------------------------------------------------------------------

    def pattern(self, name: str) -> Pattern | None:
        """The definition of a rule as written; None if it is unknown or cannot be found in the
        text."""
        for rule in self._lexer.rules.values():
            found = self._place(rule) if str(rule.name) == name else None
            if found is not None:
                source, start, end = found
                any_case = _ANY_CASE.search(source.text) is not None
                written = read_rule(source, start, end, any_case=any_case)
                return written and replace(
                    written,
                    ordered=_lines(source, start, end),
                    any_case=None if any_case else (written.named.after(), _EITHER_CASE),
                )
        return None

    def _definition(self, rule: Any) -> tuple[Span | None, str]:
        """Where a rule stands, and how it is written, on one line."""
        found = self._place(rule)
        if found is None:
            return None, ""
        source, start, end = found
        return source.span(start, end), " ".join(source.text[start:end].split())

    def _place(self, rule: Any) -> tuple[SourceText, int, int] | None:
        """The text that a rule is written in, and where it begins and ends."""
        token = rule.ast.getChild(0).getToken()
        line, column = int(token.getLine()), int(token.getCharPositionInLine())
        name = Path(str(rule.g.fileName)).name
        source = next((s for s in self._sources if Path(s.file).name == name), None)
        if source is None or line <= 0:
            return None
        lines = source.text.split("\n")
        start = sum(len(one) + 1 for one in lines[: line - 1]) + column
        found = _DEFINITION.match(source.text, start)
        if found is None or not found[0].startswith(str(rule.name)):
            return None
        return source, start, start + len(found[0].rstrip())

    @cached_property
    def _sources(self) -> list[SourceText]:
        found = []
        for file in self._files:
            try:
                found.append(SourceText(file, Path(file).read_text(encoding="utf-8")))
            except (OSError, ValueError):
                continue
        return found


def _lines(source: SourceText, start: int, end: int) -> tuple[Span, str] | None:
    """The lines of a definition without its semicolon, if they hold nothing else but a comment."""
    last = source.text.index(";", end) + 1
    span = source.span(start, last)
    found, text = source.lines(span.line, span.end_line)
    before, after = text[: span.column - 1], text.rpartition(source.text[end:last])[2]
    alone = not before.strip() and _COMMENT.fullmatch(after) is not None
    return (found, text) if alone else None


def _characters(transition: Any) -> CharSet:
    kind = str(transition.getClass().getSimpleName())
    if kind == "WildcardTransition":
        return CharSet(((0, _LAST),))
    label = transition.label()
    ranges = [] if label is None else [(int(i.a), int(i.b)) for i in label.getIntervals()]
    found = CharSet.of((max(0, first), last) for first, last in ranges if last >= 0)
    return found.complement() if kind == "NotSetTransition" else found
