"""Which token rules could be at fault, judged on the text of a failing input.

A *hypothesis* says: from here to there stands one token of this rule, although the lexer made
something else of it, or nothing. Wherever the parse could go on with the token (or with one that is
skipped), at the error and a few tokens before it, the rules are tried whose language is near to the
text there (`gramspect.lexical.nearness`). The tool's own lexer reads the text after the token
again, and the chart says how far the input is read then. A fault in a token rule shows wherever the
token occurs, so a hypothesis is taken up again at the next error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from gramspect.effort import now, spend
from gramspect.grammars.grammar import Grammar
from gramspect.kernel import can_compile
from gramspect.lexical.nearness import UNIT, Alignment, End, Step, Way, alignment
from gramspect.lexical.rules import LexedText, Lexeme, Splice, TokenRule
from gramspect.recognition.chart import Chart, parse_chart
from gramspect.recognition.recognizer import TokenRuleKnowing
from gramspect.suites.suite import TestCase

__all__ = ["Hypothesis", "TokenSearched", "search_tokens"]

MOST_TESTS = 12
"""How many failing tests are searched, spread over the suite."""
LOOK_BACK = 4
"""How many tokens before the error a token that was meant to be another may begin."""
LIMIT = 1.9
"""The highest cost at which a text may be read as a token of a rule."""
WINDOW = 400
"""How many characters are looked at from the beginning of a token."""
ALIGNED, TRIED, FOLLOWED = 120, 32, 5
"""How many candidates of a test are examined, tried in the lexer, and followed to later errors."""
PER_RULE, SHORTER = 5, 2
"""Ends of a token of one rule at one place that are; of those, that are not the farthest."""
REPEATED = 40
"""How often a hypothesis is taken up again in one input."""
LONGEST = 4000
"""Inputs with more tokens than this are not searched."""
COMPILE_FROM = 300
"""The number of tokens in an input from which on compiled code is worth loading."""

AGAIN = 0.02
"""The cost of taking a hypothesis up again."""
EARLIER = 0.25
"""The cost of every token between the end of the token and the error."""
BELOW = 0.25
"""The cost of blaming a rule for what a fragment in it lacks, or the other way round."""
UNREAD = 1.5
"""The cost if the rule reads no character of the text, or only by sets of nearly all."""
SAME = 0.6
"""The cost if the lexer has made a token of just this word."""
ANYTHING = 0.3
"""The cost of the latter where the lexer knows nothing else."""
STEPS_PER_CHARACTER = 20
"""The cost, for every character, of reading a text again."""
SLIGHT = 0.5
"""The cost if it reads one character only, or fewer than are changed, or could as well read on."""
INSIDE = 0.3
"""The cost if the token begins inside of what looks like a word."""
FIXED = 1.0
"""The cost if the rule reads a list of words: such a rule can only lack a word."""
CUT = -0.4
"""The cost if the lexer has cut in two what looks like one word."""
SWALLOWED, ANCHORED, BLANK, AT_END = 0.6, 0.15, 0.5, 1.0
"""What each further token costs that the lexer had made of the text: at all; if the rule reads what
is around it; if a blank is put in, too; if the token is put in at an end."""
TOO_MUCH_SPACE, TOO_MUCH = 0.8, 1.3
"""The cost of a token that should have ended earlier: before a blank, at another boundary."""
TOO_LITTLE = 1.0
"""The cost of a token that should not have ended where the rule lets it end."""
STOLEN, KEYWORD = 1.3, 2.0
"""The cost if another token came first: one of another length, one of the same."""
NEW_WORD, ODD_WORD, FEW_WORDS = 0.7, 0.6, 0.5
"""The cost of a word that a list of words lacks; more if it looks different, if two are lacking."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The assumption that stretches of a text are tokens of one rule, and its consequences.

    Attributes:
        rule: the number of the rule.
        cost: how far the text is from what the rule reads.
        blamed: the numbers of the rules that may be at fault for that, with the cost of each.
        splices: the stretches, in order.
        accepted: whether the input is accepted then.
        reached: the offset up to which it is read, if not.
        word: the word that the rule lacks, if it is a list of words.
    """

    rule: int
    cost: float
    blamed: tuple[tuple[int, float], ...]
    splices: tuple[Splice, ...]
    accepted: bool = False
    reached: int = 0
    word: str = ""


@dataclass(frozen=True)
class TokenSearched:
    """A failing input with the hypotheses that get it further: its error is at offset `error`."""

    test: int
    error: int
    n_characters: int
    hypotheses: tuple[Hypothesis, ...]
    lexical: bool = False


def search_tokens(
    recognizer: TokenRuleKnowing,
    grammar: Grammar,
    tests: Iterable[tuple[int, TestCase]],
    deadline: float,
) -> tuple[TokenSearched, ...]:
    """Search hypotheses for inputs that are wrongly rejected, given with their numbers.

    Of many tests some are taken, spread over the suite. After `deadline` (by
    `gramspect.effort.now`) no other test is begun.
    """
    chosen = list(tests)
    chosen = chosen[:: max(1, -(-len(chosen) // MOST_TESTS))]
    rules = recognizer.token_rules()
    if not chosen or not any(rule.automaton is not None for rule in rules):
        return ()
    found = []
    for number, test in chosen:
        if now() >= deadline:
            break
        lexing = recognizer.lexing(test)
        if lexing is None or len(lexing.lexemes) > LONGEST:
            continue
        search = _Search(recognizer, grammar, rules, test, deadline)
        read = search.read(lexing)
        if not read.accepted:
            hypotheses = tuple(search.run(read))
            lexical = read.at_lexer
            found.append(TokenSearched(number, read.offset, len(test.text), hypotheses, lexical))
    return tuple(found)


@dataclass(frozen=True)
class _Read:
    """A text as it is read with some stretches told; `chart` ends before token number `token`."""

    lexing: LexedText
    chart: Chart
    offset: int
    accepted: bool

    @property
    def token(self) -> int:
        return self.chart.end

    @property
    def at_lexer(self) -> bool:
        """Whether it is the lexer that cannot go on."""
        return self.lexing.failed is not None and self.token == len(self.lexing.lexemes)


@dataclass(frozen=True)
class _Candidate:
    """A token of a rule at a place, before it is tried."""

    rule: int
    splice: Splice
    cost: float
    blamed: tuple[tuple[int, float], ...] = ()
    alignment: Alignment | None = None
    end: End | None = None
    actual: Lexeme | None = None
    word: str = ""
    before: int = 0
    """Tokens between its end and the error."""


@dataclass
class _Search:
    recognizer: TokenRuleKnowing
    grammar: Grammar
    rules: Sequence[TokenRule]
    test: TestCase
    deadline: float
    numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.numbers = {rule.name: number for number, rule in enumerate(self.rules)}

    @property
    def text(self) -> str:
        return self.test.text

    # --- the text as the tool reads it -----------------------------------------------------

    def read(self, lexing: LexedText) -> _Read:
        """How far a text is read that the lexer has made tokens of."""
        spend(STEPS_PER_CHARACTER * len(self.text))
        terminals = [lexeme.terminal for lexeme in lexing.lexemes]
        large = len(terminals) >= COMPILE_FROM and can_compile()
        chart = parse_chart(self.grammar, terminals, large)
        if chart.end < len(terminals):
            offset = lexing.lexemes[chart.end].start
        else:
            offset = len(self.text) if lexing.failed is None else lexing.failed
        accepted = chart.accepted if lexing.accepted is None else lexing.accepted
        return _Read(lexing, chart, offset, accepted and lexing.failed is None)

    def _spliced(self, splices: Sequence[Splice]) -> _Read | None:
        lexing = self.recognizer.lexing(self.test, splices)
        return None if lexing is None else self.read(lexing)

    # --- the search ---------------------------------------------------------------------------

    def run(self, first: _Read) -> Iterator[Hypothesis]:
        """The hypotheses that get the parse further."""
        candidates = sorted(self._candidates(first), key=lambda c: c.cost)[:ALIGNED]
        weighed = sorted((self._weighed(first, c) for c in candidates), key=lambda c: c.cost)
        followed = 0
        best: dict[int, float] = {}
        for candidate in weighed[:TRIED]:
            if now() >= self.deadline:
                return
            if candidate.cost > LIMIT:
                break
            if best.get(candidate.rule, LIMIT) < candidate.cost:
                continue
            read = self._spliced([candidate.splice])
            if read is None or not _gets_further(first, read, candidate.splice):
                continue
            if not read.accepted and followed < FOLLOWED:
                followed += 1
                found = self._followed(candidate, read)
            else:
                found = _made(candidate, [candidate.splice], candidate.cost, read)
            if found.accepted:
                best[candidate.rule] = candidate.cost
            yield found

    def _followed(self, candidate: _Candidate, read: _Read) -> Hypothesis:
        """The hypothesis, taken up again at every further error."""
        splices, cost = [candidate.splice], candidate.cost
        while not read.accepted and len(splices) < REPEATED and now() < self.deadline:
            again = self._again(candidate, read)
            if again is None:
                break
            further = self._spliced([*splices, again])
            if further is None or not _gets_further(read, further, again):
                break
            splices.append(again)
            cost += AGAIN
            read = further
        return _made(candidate, splices, cost, read)

    def _again(self, candidate: _Candidate, read: _Read) -> Splice | None:
        """The next token of the same rule that costs no more."""
        last = candidate.splice
        likely = [
            self._weighed(read, c)
            for c in self._candidates(read, candidate.rule)
            if c.splice.start >= last.end and (c.word or not candidate.word)
        ]
        likely = [c for c in likely if c.cost <= candidate.cost + SLIGHT]
        if not likely:
            return None
        return min(likely, key=lambda c: (c.cost, c.splice.start, -c.splice.end)).splice

    # --- candidates ---------------------------------------------------------------------------

    def _candidates(self, read: _Read, only: int | None = None) -> Iterator[_Candidate]:
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
                    behind = sum(
                        found.splice.end <= lexeme.start < lexeme.end
                        for lexeme in lexemes[token : read.token]
                    )
                    yield replace(found, before=behind, cost=found.cost + EARLIER * behind)

    def _place(self, read: _Read, token: int) -> tuple[int | None, Lexeme | None]:
        lexemes = read.lexing.lexemes
        if token == len(lexemes):
            return read.lexing.failed, None
        lexeme = lexemes[token]
        return (None, None) if lexeme.start == lexeme.end else (lexeme.start, lexeme)

    def _at(
        self, number: int, rule: TokenRule, start: int, terminal: int | None, actual: Lexeme | None
    ) -> Iterator[_Candidate]:
        """The tokens of a rule at a place."""
        assert rule.automaton is not None
        if (word := self._new_word(rule, start, actual)) is not None:
            splice = Splice(start, start + len(word), terminal)
            cost = self._cost_of_word(rule, word)
            yield _Candidate(number, splice, cost, ((number, 0.0),), word=word)
        limit = round(LIMIT * UNIT)
        aligned = alignment(rule.automaton, self.text, start, limit, WINDOW)
        for end in _likely_ends(self.text, aligned.ends()):
            if actual is None or (actual.terminal, actual.end) != (terminal, end.place):
                splice = Splice(start, end.place, terminal)
                cost = end.cost / UNIT
                yield _Candidate(number, splice, cost, (), aligned, end, actual)

    def _new_word(self, rule: TokenRule, start: int, actual: Lexeme | None) -> str | None:
        """The word at a place, if the rule is a list of words and lacks it."""
        words = rule.automaton.words if rule.automaton is not None else None
        if words is None or sum(_WORD.fullmatch(word) is not None for word in words) < 2:
            return None
        found = _WORD.match(self.text, start)
        if found is None or (actual is not None and actual.end != found.end()):
            return None
        known = {word.casefold() for word in words}
        return None if found[0].casefold() in known else found[0]

    def _cost_of_word(self, rule: TokenRule, word: str) -> float:
        assert rule.automaton is not None
        words = rule.automaton.words or ()
        alike = _shape(word) in {_shape(known) for known in words}
        return NEW_WORD + (0.0 if alike else ODD_WORD) + (FEW_WORDS if len(words) < 3 else 0.0)

    # --- the cost of a candidate ---------------------------------------------------------------

    def _weighed(self, read: _Read, candidate: _Candidate) -> _Candidate:
        """The candidate with all that it costs, and whom it blames."""
        if candidate.alignment is None or candidate.end is None:
            return candidate
        further = EARLIER * candidate.before
        if candidate.end.cost == 0:
            cost, blamed = self._unchanged(candidate)
        else:
            steps = candidate.alignment.steps(candidate.end)
            cost, blamed = self._changed(read, candidate, steps)
        return replace(candidate, cost=cost + further, blamed=blamed)

    def _unchanged(self, candidate: _Candidate) -> tuple[float, tuple[tuple[int, float], ...]]:
        """The rule reads the text as it is; then it is the lexer's choice that is wrong."""
        actual, own, splice = candidate.actual, candidate.rule, candidate.splice
        if actual is None:
            return TOO_LITTLE, ((own, 0.0),)
        if actual.terminal == splice.terminal:
            if splice.end > actual.end:
                return TOO_LITTLE, ((own, 0.0),)
            blank = self.text[splice.end].isspace() and not self.text[splice.end - 1].isspace()
            return (TOO_MUCH_SPACE if blank else TOO_MUCH), ((own, 0.0),)
        cost = KEYWORD if actual.end == splice.end else STOLEN
        thief = next(
            (n for n, rule in enumerate(self.rules) if actual.terminal in rule.terminals), None
        )
        blamed = [(own, BELOW)] if thief is not None else [(own, 0.0)]
        return cost, (*(() if thief is None else ((thief, 0.0),)), *blamed)

    def _changed(
        self, read: _Read, candidate: _Candidate, steps: Sequence[Step]
    ) -> tuple[float, tuple[tuple[int, float], ...]]:
        """The rule would have to be changed."""
        assert candidate.end is not None
        assert candidate.alignment is not None
        cost = candidate.end.cost / UNIT - _same_again(steps, self.text)
        at_lexer = read.at_lexer and candidate.splice.start == read.offset
        cost += _doubt(steps, at_lexer, self.text)
        start, end = candidate.splice.start, candidate.end
        cost += INSIDE * (start > 0 and not _is_boundary(self.text, start))
        automaton = candidate.alignment.automaton
        if automaton.exact and End(end.place + 1, end.cost) in candidate.alignment.ends():
            cost += SLIGHT
        if automaton.words is not None:
            cost += FIXED
        covered = [
            lexeme
            for lexeme in read.lexing.lexemes[max(0, read.token - LOOK_BACK) : read.token + LIMITED]
            if candidate.splice.start <= lexeme.start < lexeme.end <= candidate.splice.end
        ]
        cost += _swallowed(covered, steps, self.text)
        return cost, self._blamed(candidate.rule, steps)

    def _blamed(self, rule: int, steps: Sequence[Step]) -> tuple[tuple[int, float], ...]:
        """The rule in whose definition the first change is, and those around it.

        A part that is a token of its own comes last: a change of it changes that token, too.
        """
        place = next(n for n, step in enumerate(steps) if step.way is not Way.READ)
        own = steps[place].edge
        before = [s.edge for s in steps[:place] if s.edge is not None][-1:]
        behind = [s.edge for s in steps[place:] if s.way is Way.READ and s.edge is not None][:1]
        if own is not None and before and behind and behind[0].characters == own.characters:
            own = None  # it may as well be put in before
        chains = [edge.chain for edge in ([own] if own is not None else [*before, *behind])]
        names = _common(chains) if len(chains) > 1 or own is not None else ()
        names = names or (self.rules[rule].name,)
        known = [self.numbers[name] for name in reversed(names) if name in self.numbers]
        known.sort(key=lambda number: bool(self.rules[number].terminals) and number != rule)
        costs = {number: BELOW * depth for depth, number in enumerate(known)}
        costs.setdefault(rule, BELOW)
        return tuple(costs.items())


LIMITED = 60
"""How many tokens after the error are looked at for text that a token swallows."""

_WORD = re.compile(r"[^\W\d][\w$-]*")


def _made(candidate: _Candidate, splices: Sequence[Splice], cost: float, read: _Read) -> Hypothesis:
    return Hypothesis(
        candidate.rule, cost, candidate.blamed, tuple(splices), read.accepted, read.offset,
        candidate.word,
    )  # fmt: skip


def _gets_further(before: _Read, after: _Read, splice: Splice) -> bool:
    """Whether at least one token is read after the assumed one."""
    return after.accepted or after.offset > max(before.offset, splice.end)


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
    """The cheapest of the ends after which another character would cost more.

    And the first ones that cost least, at boundaries of words.
    """
    costs = {end.place: end.cost for end in ends}
    full = [end for end in ends if costs.get(end.place + 1, end.cost + 1) > end.cost]
    full.sort(key=lambda end: (end.cost, -end.place))
    least = min(costs.values(), default=0)
    bounded = [e for e in ends if e.cost == least and _is_boundary(text, e.place)]
    return list(dict.fromkeys([*full[:PER_RULE], *bounded[:SHORTER]]))


def _is_boundary(text: str, place: int) -> bool:
    """Whether the word before a place does not seem to go on after it."""
    if place >= len(text):
        return True
    return not (_is_letter(text[place - 1]) and _is_letter(text[place]))


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"


def _shape(word: str) -> tuple[bool, bool]:
    """The common traits of words of one kind: letters of one case, letters only."""
    return word.isupper(), word.isalpha()


def _same_again(steps: Sequence[Step], text: str) -> float:
    """The amount that the alignment overcharged: one more character is one change, however
    often."""
    runs: list[str] = []
    last = None
    for step in steps:
        if step.way in (Way.PUT_IN, Way.IN_PLACE):
            if last is step.way:
                runs[-1] += text[step.place]
            else:
                runs.append(text[step.place])
        last = step.way
    if len(runs) > 1 and len(set("".join(runs))) == 1:
        return (len(runs) - 1) * 1.0
    return 0.0


def _doubt(steps: Sequence[Step], at_lexer: bool, text: str) -> float:
    """The cost if the rule knows little of the text that it would have to read.

    It knows what it reads by narrow sets of characters that are no blanks. A rule that begins with
    one thing and goes on with anything (a comment) is near to every text: that is worth something
    only where the lexer knows nothing else, or if it does begin so.
    """
    knows = [_knows(step, text) for step in steps]
    n_read = sum(step.way is Way.READ for step in steps)
    n_changed = len(steps) - n_read
    anything = sum(
        s.edge is not None and s.way is Way.READ and s.edge.characters.is_wide for s in steps
    )
    known = sum(knows)
    if not known or (2 * anything > n_read and not knows[0]):
        return ANYTHING if at_lexer and anything else UNREAD
    return SLIGHT * (known < 1 and not at_lexer) + SLIGHT * (n_changed > n_read)


def _swallowed(covered: Sequence[Lexeme], steps: Sequence[Step], text: str) -> float:
    """The cost if the lexer has made tokens of the text that a grammar can put together.

    Less than nothing if it has cut a word in two; little if the rule itself reads what stands on
    both sides of the change. Where whole tokens are to be put in at an end, a rule of the parser
    can do that.
    """
    pairs = list(pairwise(covered))
    places = [step.place for step in steps if step.way is not Way.PASSED]
    span = places[0], places[-1] + 1
    if [(one.start, one.end) for one in covered] == [span] and _WORD.fullmatch(text, *span):
        return SAME
    if any(a.end == b.start and not _is_boundary(text, a.end) for a, b in pairs):
        return CUT
    changed = {step.place for step in steps if step.way in (Way.PUT_IN, Way.IN_PLACE)}
    knows = [_knows(step, text) == 1.0 for step in steps]
    first = next(n for n, step in enumerate(steps) if step.way is not Way.READ)
    if any(knows[:first]) and any(knows[first:]):
        return ANCHORED * len(pairs)
    blanks = any(text[place].isspace() for place in changed)
    cost = SWALLOWED * len(pairs) + BLANK * blanks * max(1, len(pairs))
    for end in (covered[:1], covered[-1:]):
        if pairs and changed.issuperset(range(end[0].start, end[0].end)):
            cost += AT_END
    return cost


def _knows(step: Step, text: str) -> float:
    """How much is known of a character."""
    if step.way is not Way.READ or step.edge is None or text[step.place].isspace():
        return 0.0
    characters = step.edge.characters
    return 0.0 if characters.is_wide else 1.0 if characters.size <= 2 else 0.5


def _common(chains: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The common beginning of chains."""
    found = chains[0]
    for chain in chains[1:]:
        n = 0
        while n < min(len(found), len(chain)) and found[n] == chain[n]:
            n += 1
        found = found[:n]
    return found
