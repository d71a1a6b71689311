"""Tokens that could stand at an error or a few tokens before it: place, rule and end.

Wherever the parse could go on with a token of a rule (or with one that is skipped), the text there
is aligned with what the rule reads (`gramspect.lexical.nearness`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from gramspect.grammars.grammar import Grammar
from gramspect.lexer_faults.escapes import BACKSLASH, escaped
from gramspect.lexer_faults.forms import Form, is_likely, is_new, usual_forms
from gramspect.lexer_faults.letters import WORD, lacking
from gramspect.lexer_faults.mended import mended
from gramspect.lexer_faults.relexing import Reading
from gramspect.lexer_faults.spellings import OPERATORS, listing, other_spelling
from gramspect.lexical.nearness import (
    UNIT,
    Alignment,
    End,
    Step,
    Way,
    alignment,
    begins_with,
    put_in_cost,
    reads,
)
from gramspect.lexical.rules import Lexeme, Splice, TokenRule
from gramspect.recognition.chart import Chart

__all__ = [
    "BELOW",
    "CUT",
    "EARLIER",
    "LIMIT",
    "LOOK_BACK",
    "WINDOW",
    "WORD",
    "Candidate",
    "Candidates",
    "Cause",
    "is_boundary",
]

LOOK_BACK = 4
"""How many tokens before the error a token that was meant to be another may begin."""
LIMIT = 1.9
"""The highest cost at which a text may be read as a token of a rule."""
WINDOW = 400
"""How many characters are looked at from the beginning of a token."""
PER_RULE, SHORTER = 5, 2
"""How many ends of a token of one rule at one place are examined: full ones, and first ones."""

BELOW = 0.25
"""The cost of blaming a rule for what a fragment in it lacks, or the other way round; and further
ones of several keywords with the same fault."""
EARLIER = 0.25
"""The cost of every token between the end of the token and the error."""
REUSED = 0.02
"""What a change of a rule costs more each time that a token needs it."""
NEW_WORD, ODD_WORD, FEW_WORDS, ANOTHER = 0.7, 0.6, 0.5, 0.6
"""The cost of a word, or a sign, that a list of such lacks; more if it looks different, if the list
has two, if the sign is a token already."""
SHORT_FORM = 0.5
"""The cost of a word that is the beginning of one in the list, or begins with one."""

OTHER_CASE, CAPITALS = 0.5, 0.5
"""The cost of a keyword, or of a name, in letters of another case; more for a name in capitals."""
CUT = -0.4
"""The cost if the lexer has cut in two what looks like one word, or one operator."""
OTHER_SPELLING = 0.5
"""The cost of an operator as other languages write it."""
USUAL, LEFT_OUT, OTHER_LOOK, UNLIKELY, ANOTHER = 0.4, 0.3, 0.05, 0.6, 1.0
"""The cost of a token as it usually looks; more if tokens that the lexer has made are left out, if
the rule reads nothing that begins so, if it looks like something else, and if the token there is
that of another rule, of which this one reads a part."""
ESCAPED, DOUBLED = 0.5, 0.7
"""The cost of quotes inside of quotes that the rule does not know: after a backslash, and twice."""

SIGN = re.compile(r"[^\w\s()\[\]{}\"'`]+")
"""What looks like one sign, such as an operator."""


class Cause(Enum):
    """What may be wrong with several tokens at once."""

    ANY_CASE = "keywords in letters of another case"
    SPELLED = "operators that are written otherwise"
    LETTERS = "names in letters of another case"


@dataclass(frozen=True)
class Candidate:
    """A token of a rule at a place, before it is tried."""

    rule: int
    splice: Splice
    cost: float
    blamed: tuple[tuple[int, float], ...] = ()
    alignment: Alignment | None = None
    end: End | None = None
    steps: tuple[Step, ...] = ()
    """Those of a rule that was changed and aligned anew; then there is no alignment."""
    actual: Lexeme | None = None
    word: str = ""
    before: int = 0
    """Tokens between its end and the error."""
    escape: str = ""
    """What comes before a quote inside of quotes, if the rule should know that."""
    place: int = 0
    """Where such a quote is."""
    form: Form | None = None
    """The usual look of tokens that the rule lacks."""
    cause: Cause | int | None = None
    """What makes it one fault with others, or the rule of names as which keywords are read."""


@dataclass(frozen=True)
class Candidates:
    """Finds the candidates in one text."""

    rules: Sequence[TokenRule]
    text: str

    def found(self, read: Reading, only: int | None = None) -> Iterator[Candidate]:
        """Tokens that could stand at the error or before it, with the cost of the alignment."""
        lexemes = read.lexing.lexemes
        for token in range(read.token, max(-1, read.token - LOOK_BACK - 1), -1):
            start, actual = self._place(read, token)
            if start is None or start >= len(self.text):
                continue
            expected = _expected(read.chart, token)
            for number, rule in enumerate(self.rules):
                if only is not None and number != only:
                    continue
                own = rule.terminals & expected
                if rule.automaton is None or not (own or rule.skipped):
                    continue
                terminal = min(own) if own else None
                for found in self._at(number, rule, start, terminal, actual):
                    between = sum(
                        found.splice.end <= lexeme.start < lexeme.end
                        for lexeme in lexemes[token : read.token]
                    )
                    yield replace(found, before=between, cost=found.cost + EARLIER * between)

    def _place(self, read: Reading, token: int) -> tuple[int | None, Lexeme | None]:
        lexemes = read.lexing.lexemes
        if token == len(lexemes):
            return read.lexing.failed, None
        lexeme = lexemes[token]
        return (None, None) if lexeme.start == lexeme.end else (lexeme.start, lexeme)

    def _at(
        self, number: int, rule: TokenRule, start: int, terminal: int | None, actual: Lexeme | None
    ) -> Iterator[Candidate]:
        """The tokens of a rule at a place."""
        assert rule.automaton is not None
        if (word := self._new_word(rule, start, actual)) is not None:
            splice = Splice(start, start + len(word), terminal)
            cost = self._cost_of_word(rule, word)
            if actual is not None and actual.end < splice.end:
                cost += CUT
            elif actual is not None and SIGN.match(word):
                cost += ANOTHER
            yield Candidate(number, splice, cost, ((number, 0.0),), word=word)
        if actual is not None and actual.terminal in rule.terminals:
            for quoted in escaped(rule.automaton, self.text, start, actual.end, WINDOW):
                splice = Splice(start, quoted.end.place, terminal)
                cost = ESCAPED if quoted.mark == BACKSLASH else DOUBLED
                yield Candidate(
                    number, splice, cost, (), quoted.alignment, quoted.end,
                    escape=quoted.mark, place=quoted.place,
                )  # fmt: skip
        if (stop := self._in_other_case(rule, start, actual)) is not None:
            splice = Splice(start, stop, terminal)
            yield Candidate(number, splice, OTHER_CASE, ((number, 0.0),), cause=Cause.ANY_CASE)
        if (sign := self._other_spelling(rule, start)) is not None:
            splice = Splice(start, start + len(sign), terminal)
            cut = actual is not None and actual.end < splice.end
            cost = OTHER_SPELLING + CUT * cut
            blamed = self._listing(number, sign)
            yield Candidate(number, splice, cost, blamed, word=sign, cause=Cause.SPELLED)
        yield from self._in_other_letters(number, rule, start, terminal)
        yield from self._as_usual(number, rule, start, terminal, actual)
        limit = round(LIMIT * UNIT)
        aligned = alignment(rule.automaton, self.text, start, limit, WINDOW)
        for end in _likely_ends(self.text, aligned.ends()):
            if actual is None or (actual.terminal, actual.end) != (terminal, end.place):
                splice = Splice(start, end.place, terminal)
                cost = end.cost / UNIT
                yield Candidate(number, splice, cost, (), aligned, end, actual=actual)
        for one in mended(rule.automaton, self.text, start, WINDOW):
            first = next(step.place for step in one.steps if step.way is not Way.READ)
            cost = one.n_changes + put_in_cost(self.text[first]) / UNIT + REUSED * one.n_used
            if cost <= LIMIT:
                splice, end = Splice(start, one.end, terminal), End(one.end, round(cost * UNIT))
                yield Candidate(number, splice, cost, (), None, end, one.steps, actual)

    def _new_word(self, rule: TokenRule, start: int, actual: Lexeme | None) -> str | None:
        """The word, or the sign, at a place, if the rule is a list of such and lacks it."""
        words = rule.automaton.words if rule.automaton is not None else None
        kind = next((kind for kind in (WORD, SIGN) if _is_list_of(kind, words or ())), None)
        found = kind.match(self.text, start) if kind is not None else None
        if words is None or found is None or (actual is not None and actual.end > found.end()):
            return None
        if actual is not None and actual.end < found.end():  # the lexer has cut it
            likely = found[0] in OPERATORS if kind is SIGN else is_boundary(self.text, found.end())
            if not likely or (start > 0 and not is_boundary(self.text, start)):
                return None
        known = {word.casefold() for word in words}
        return None if found[0].casefold() in known else found[0]

    def keywords_in_other_case(self, lexemes: Sequence[Lexeme]) -> Iterator[tuple[int, Splice]]:
        """All tokens that are keywords in letters of another case, with the rules of those."""
        keywords = {
            word.casefold(): (number, word)
            for number, rule in enumerate(self.rules)
            if rule.terminals and rule.automaton is not None
            for word in rule.automaton.words or ()
        }
        for lexeme in lexemes:
            text = self.text[lexeme.start : lexeme.end]
            number, word = keywords.get(text.casefold(), (None, text))
            terminals = frozenset[int]() if number is None else self.rules[number].terminals
            if number is not None and text != word and lexeme.terminal not in terminals:
                yield number, Splice(lexeme.start, lexeme.end, min(terminals))

    def _in_other_case(self, rule: TokenRule, start: int, actual: Lexeme | None) -> int | None:
        """The end of a word that the rule has in letters of another case."""
        words = rule.automaton.words if rule.automaton is not None else None
        found = WORD.match(self.text, start)
        if not words or found is None or (actual is not None and actual.end != found.end()):
            return None
        if found[0].casefold() not in {word.casefold() for word in words}:
            return None
        assert rule.automaton is not None
        reads = alignment(rule.automaton, self.text, start, 0, WINDOW).ends()
        return None if End(found.end(), 0) in reads else found.end()

    def _other_spelling(self, rule: TokenRule, start: int) -> str | None:
        """The operator at a place if the rule has it as other languages write it."""
        words = rule.automaton.words if rule.automaton is not None and rule.terminals else None
        return other_spelling(words, self.text, start) if words else None

    def _listing(self, number: int, operator: str) -> tuple[tuple[int, float], ...]:
        """Whom to blame for the spelling of an operator: the definition that has another one."""
        automaton = self.rules[number].automaton
        name = None if automaton is None else listing(automaton, operator)
        inner = next((n for n, rule in enumerate(self.rules) if rule.name == name), number)
        return ((inner, 0.0),) if inner == number else ((inner, 0.0), (number, BELOW))

    def _in_other_letters(
        self, number: int, rule: TokenRule, start: int, terminal: int | None
    ) -> Iterator[Candidate]:
        """The word at a place if the rule reads such words in letters of the other case."""
        if terminal is None or rule.automaton is None or rule.automaton.words is not None:
            return
        end, edges = lacking(rule.automaton, self.text, start, WINDOW)
        if edges:
            in_capitals = end - start > 1 and self.text[start:end].isupper()
            cost = OTHER_CASE + CAPITALS * in_capitals
            splice = Splice(start, end, terminal)
            yield Candidate(number, splice, cost, ((number, 0.0),), cause=Cause.LETTERS)

    def _as_usual(
        self, number: int, rule: TokenRule, start: int, terminal: int | None, actual: Lexeme | None
    ) -> Iterator[Candidate]:
        """The token at a place as other languages have it, if no rule reads that."""
        if rule.automaton is None:
            return
        if start > 0 and not is_boundary(self.text, start):
            return
        for form, stop in usual_forms(rule, self.text, start):
            if actual is not None and (actual.end >= stop or form.is_blank):
                continue
            token = self.text[start:stop]
            if not self._is_token(token):
                cut = actual is not None and not is_boundary(self.text, actual.end)
                left_out = rule.skipped and actual is not None
                cost = USUAL + form.doubt + CUT * cut + LEFT_OUT * left_out
                cost += OTHER_LOOK * is_new(form, rule.automaton, token)
                cost += ANOTHER * (actual is not None and self._is_part(rule, actual))
                cost += UNLIKELY * (not is_likely(form, self.text, start, stop))
                splice = Splice(start, stop, terminal)
                yield Candidate(number, splice, cost, ((number, 0.0),), form=form)

    def _is_part(self, rule: TokenRule, actual: Lexeme) -> bool:
        """Whether a rule reads only a part of the token that is there."""
        read = self.text[actual.start : actual.end]
        assert rule.automaton is not None
        is_own = actual.terminal in rule.terminals or rule.skipped
        return not is_own and not begins_with(rule.automaton, read)

    def _is_token(self, text: str) -> bool:
        """Whether some rule makes a token of a text as it is."""
        return any(
            rule.automaton is not None and reads(rule.automaton, text)
            for rule in self.rules
            if rule.terminals or rule.skipped
        )

    def _cost_of_word(self, rule: TokenRule, word: str) -> float:
        assert rule.automaton is not None
        words = rule.automaton.words or ()
        if any(_is_longer(word, known) or _is_longer(known, word) for known in words):
            return SHORT_FORM
        alike = _shape(word) in {_shape(known) for known in words}
        return NEW_WORD + (0.0 if alike else ODD_WORD) + (FEW_WORDS if len(words) < 3 else 0.0)


def _is_list_of(kind: re.Pattern[str], words: Sequence[str]) -> bool:
    return sum(kind.fullmatch(word) is not None for word in words) >= 2


def _expected(chart: Chart, column: int) -> frozenset[int]:
    """The terminals that some rule goes on with in a column."""
    grammar = chart.grammar
    found: set[int] = set()
    for item, _ in chart.column(column):
        rule, dot = grammar.split_item(item)
        found.update(grammar.rules[rule].rhs[dot : dot + 1])
    for nonterminal in chart.predicted(column):
        for index in grammar.rules_of[nonterminal]:
            found |= _beginnings(grammar, grammar.rules[index].rhs)
    return frozenset(symbol for symbol in found if grammar.is_terminal(symbol))


def _beginnings(grammar: Grammar, rhs: Sequence[int]) -> set[int]:
    """The symbols that a rule may go on with at its front."""
    found = set()
    for symbol in rhs:
        found.add(symbol)
        if symbol not in grammar.analysis.nullable:
            break
    return found


def _likely_ends(text: str, ends: Sequence[End]) -> list[End]:
    """The cheapest of the full ends, after which another character would cost more, and the first
    ones of those that cost least, at boundaries of words."""
    costs = {end.place: end.cost for end in ends}
    full = [end for end in ends if costs.get(end.place + 1, end.cost + 1) > end.cost]
    full.sort(key=lambda end: (end.cost, -end.place))
    least = min(costs.values(), default=0)
    bounded = [e for e in ends if e.cost == least and is_boundary(text, e.place)]
    return list(dict.fromkeys([*full[:PER_RULE], *bounded[:SHORTER]]))


def is_boundary(text: str, place: int) -> bool:
    """Whether the word before a place does not seem to go on after it."""
    if place >= len(text):
        return True
    return not (_is_letter(text[place - 1]) and _is_letter(text[place]))


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"


def _is_longer(word: str, other: str) -> bool:
    """Whether a word begins with another one, of several letters: `descending`, `desc`."""
    return len(other) > 1 and other.isalpha() and word.casefold().startswith(other.casefold())


def _shape(word: str) -> tuple[bool, bool, str]:
    """The common traits of words of one kind: letters of one case, letters only, kinds of signs."""
    return word.isupper(), word.isalpha(), next((k for k in _KINDS if set(word) <= set(k)), "")


_KINDS = ("+-*/%", "=<>!~", "&|")
"""Signs that operators of one kind consist of."""
