"""The cost of assuming a token where the lexer made something else of the text, and whom it blames.

The cost grows with the changes that the rule would need and with the doubt that it is meant at all:
if it knows little of the text, swallows other tokens, or does not end where a word ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from gramspect.lexer_faults.candidates import (
    BELOW,
    CUT,
    EARLIER,
    LIMIT,
    LOOK_BACK,
    WINDOW,
    WORD,
    Candidate,
    is_boundary,
)
from gramspect.lexer_faults.forms import is_new
from gramspect.lexer_faults.relexing import Reading
from gramspect.lexical.nearness import UNIT, End, Step, Way, alignment, reads
from gramspect.lexical.rules import Lexeme, Splice, TokenRule

__all__ = ["SLIGHT", "Weigher"]

UNREAD = 1.5
"""The cost if the rule reads no character of the text, or only by sets of nearly all."""
SAME = 0.6
"""The cost if the lexer has made a token of just this word."""
CHOSEN = -0.05
"""The cost if the lexer has chosen this rule at the place."""
ANYTHING = 0.3
"""The cost of the latter where the lexer knows nothing else."""
SLIGHT = 0.5
"""The cost if it reads one character only, or fewer than are changed, or could as well read on."""
INSIDE = 0.3
"""The cost if the token begins inside of what looks like a word."""
FIXED = 1.0
"""The cost if the rule reads a list of words: such a rule can only lack a word."""
SWALLOWED, ANCHORED, BLANK, AT_END = 0.6, 0.15, 0.5, 1.0
"""What each further token costs that the lexer had made of the text: at all; if the rule reads what
is around it; if a blank is put in, too; if the token is put in at an end."""
TOO_MUCH_SPACE, TOO_MUCH = 0.8, 1.3
"""The cost of a token that should have ended earlier: before a blank, at another boundary."""
TOO_LITTLE = 1.0
"""The cost of a token that should not have ended where the rule lets it end."""
SIGNED = 0.5
"""The cost of a sign that is part of a number, though the parser wants it by itself."""
STOLEN, KEYWORD, MISREAD = 1.3, 2.0, 0.8
"""The cost if another token came first: one of another length, one of the same (a name that is a
keyword elsewhere: a rule of the parser can allow that), and a name where the rule is a keyword."""
BRACKET = 1.0
"""The cost of a bracket at an end that the rule does not read: brackets are for the parser."""
SKIPPED = 0.25
"""The cost if what the rule reads is left out: with the text gone much is a sentence."""
LIMITED = 60
"""How many tokens after the error are looked at for text that a token swallows."""


@dataclass
class Weigher:
    """Weighs the candidates in one text."""

    rules: Sequence[TokenRule]
    text: str
    numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.numbers = {rule.name: number for number, rule in enumerate(self.rules)}

    def weighed(self, read: Reading, candidate: Candidate) -> Candidate:
        """The candidate with all that it costs, and whom it blames."""
        if candidate.form is not None:
            return replace(candidate, blamed=self._of_form(candidate))
        if candidate.end is None:
            return candidate
        further = EARLIER * candidate.before
        cause = None
        if candidate.escape and candidate.alignment is not None:
            steps = candidate.alignment.steps(candidate.end)
            cost, blamed = candidate.cost - further, self._of_place(candidate, steps)
        elif candidate.end.cost == 0:
            cost, blamed = self._unchanged(candidate)
            cause = blamed[-1][0] if cost == MISREAD else None
        elif candidate.alignment is None:
            cost, blamed = self._changed(read, candidate, _in_short(candidate.steps))
        else:
            steps = candidate.alignment.steps(candidate.end)
            cost, blamed = self._changed(read, candidate, steps)
            cost -= _same_again(steps, self.text)
        if candidate.end.cost and self.rules[candidate.rule].skipped:
            cost += SKIPPED
        return replace(candidate, cost=cost + further, blamed=blamed, cause=cause)

    def _unchanged(self, candidate: Candidate) -> tuple[float, tuple[tuple[int, float], ...]]:
        """The rule reads the text as it is; then it is the lexer's choice that is wrong."""
        actual, own, splice = candidate.actual, candidate.rule, candidate.splice
        if actual is None:
            return TOO_LITTLE, ((own, 0.0),)
        if actual.terminal == splice.terminal:
            if splice.end > actual.end:
                return TOO_LITTLE, ((own, 0.0),)
            blank = self.text[splice.end].isspace() and not self.text[splice.end - 1].isspace()
            return (TOO_MUCH_SPACE if blank else TOO_MUCH), ((own, 0.0),)
        same_length = actual.end == splice.end
        cost = KEYWORD if same_length else STOLEN
        if splice.end > actual.end and not is_boundary(self.text, actual.end):
            cost += CUT
        thief = next(
            (n for n, rule in enumerate(self.rules) if actual.terminal in rule.terminals), None
        )
        if thief is None:
            return cost, ((own, 0.0),)
        if self._is_sign_of(self.rules[thief], splice, actual):
            cost = SIGNED
        elif same_length and self._is_of_words(own) and not self._is_of_words(thief):
            return MISREAD, ((own, 0.0), (thief, BELOW))
        return cost, ((thief, 0.0), (own, BELOW))

    def _is_sign_of(self, rule: TokenRule, splice: Splice, actual: Lexeme) -> bool:
        """Whether a token is a sign and then what its rule reads without that, too."""
        sign, rest = self.text[splice.start : splice.end], self.text[splice.end : actual.end]
        known = sign in ("+", "-") and rest[:1].isdigit()
        return known and rule.automaton is not None and reads(rule.automaton, rest)

    def _changed(
        self, read: Reading, candidate: Candidate, steps: Sequence[Step]
    ) -> tuple[float, tuple[tuple[int, float], ...]]:
        """The rule would have to be changed."""
        assert candidate.end is not None
        cost = candidate.end.cost / UNIT
        at_lexer = read.at_lexer and candidate.splice.start == read.offset
        in_part = candidate.alignment is None and any(_is_word(step) for step in steps)
        cost += 0.0 if in_part else _doubt(steps, at_lexer, self.text)
        start, end = candidate.splice.start, candidate.end
        cost += INSIDE * (start > 0 and not is_boundary(self.text, start))
        aligned = candidate.alignment
        if aligned is not None and aligned.automaton.exact:
            before_blank = self.text[end.place : end.place + 1].isspace()
            reads_on = End(end.place + 1, end.cost) in aligned.ends()
            if reads_on and (_has_new_blank(steps, self.text) or not before_blank):
                cost += SLIGHT
        if self._is_of_words(candidate.rule):
            cost += FIXED
        cost += BRACKET * _takes_a_bracket(steps, self.text)
        covered = [
            lexeme
            for lexeme in read.lexing.lexemes[max(0, read.token - LOOK_BACK) : read.token + LIMITED]
            if candidate.splice.start <= lexeme.start < lexeme.end <= candidate.splice.end
        ]
        if candidate.alignment is None:
            cost += ANCHORED * max(0, len(covered) - 1)
            changed = (step.place for step in steps if step.way is not Way.READ)
            cost += BLANK * any(self.text[place].isspace() for place in changed)
        else:
            cost += _swallowed(covered, steps, self.text)
        if candidate.actual is not None and candidate.actual.terminal == candidate.splice.terminal:
            cost += CHOSEN
        return cost, self._blamed(candidate.rule, steps, again=candidate.alignment is None)

    def _blamed(
        self, rule: int, steps: Sequence[Step], *, again: bool, form: bool = False
    ) -> tuple[tuple[int, float], ...]:
        """The rule in whose definition the first change is, and those around it.

        A part that is a token of its own comes last: a change of it changes that token, too, unless
        the rule is made of nothing else; where the change is needed `again` and again it does not.
        Parts of one character are left out where the change is between two of them.
        """
        place = next(n for n, step in enumerate(steps) if step.way is not Way.READ)
        own = steps[place].edge
        before = [s.edge for s in steps[:place] if s.edge is not None][-1:]
        after = [s.edge for s in steps[place:] if s.way is Way.READ and s.edge is not None][:1]
        if own is not None and before and after and after[0].characters == own.characters:
            own = None  # it may as well be put in before
        between = again or form or own is None
        chains = [edge.chain for edge in ([own] if own is not None else [*before, *after])]
        names = _common(chains) if len(chains) > 1 or own is not None else ()
        names = names or (self.rules[rule].name,)
        known = [self.numbers[name] for name in reversed(names) if name in self.numbers]
        if between:
            known = [number for number in known if not self._single(number)] or known
        if not again:
            automaton = self.rules[rule].automaton
            whole = None if automaton is None else automaton.within
            known.sort(
                key=lambda n: (
                    bool(self.rules[n].terminals) and n != rule and self.rules[n].name != whole
                )
            )
        return _by_depth(known, rule)

    def _of_form(self, candidate: Candidate) -> tuple[tuple[int, float], ...]:
        """The rule in whose definition the first change is that it needs to read the text."""
        automaton, splice = self.rules[candidate.rule].automaton, candidate.splice
        if candidate.form is None or automaton is None:
            return candidate.blamed
        if is_new(candidate.form, automaton, self.text[splice.start : splice.end]):
            return candidate.blamed
        aligned = alignment(automaton, self.text, splice.start, round(LIMIT * UNIT), WINDOW)
        end = next((end for end in aligned.ends() if end.place == splice.end), None)
        if end is None:
            return candidate.blamed
        return self._blamed(candidate.rule, aligned.steps(end), again=False, form=True)

    def _of_place(
        self, candidate: Candidate, steps: Sequence[Step]
    ) -> tuple[tuple[int, float], ...]:
        """The rule in whose definition a place is read, and those around it."""
        edge = next((s.edge for s in steps if s.place == candidate.place), None)
        chain = edge.chain if edge is not None else ()
        known = [self.numbers[name] for name in reversed(chain) if name in self.numbers]
        return _by_depth(known, candidate.rule)

    def _is_of_words(self, number: int) -> bool:
        automaton = self.rules[number].automaton
        return automaton is not None and automaton.words is not None

    def _single(self, number: int) -> bool:
        automaton = self.rules[number].automaton
        return automaton is not None and automaton.single


def _by_depth(known: Sequence[int], rule: int) -> tuple[tuple[int, float], ...]:
    """Rules with the cost of blaming each, the likeliest first; the rule of the token is one."""
    costs = {number: BELOW * depth for depth, number in enumerate(known)}
    costs.setdefault(rule, BELOW if costs else 0.0)
    return tuple(costs.items())


def _in_short(steps: Sequence[Step]) -> list[Step]:
    """The steps with one for all characters in a row that a change reads."""
    before = [None, *(step.way for step in steps)]
    kept = zip(steps, before, strict=False)
    return [step for step, way in kept if step.way is Way.READ or step.way is not way]


def _is_word(step: Step) -> bool:
    """Whether a step reads something in the place of a part that is made of words."""
    edge = step.edge
    return step.way is Way.IN_PLACE and edge is not None and edge.characters.size <= 2


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


def _takes_a_bracket(steps: Sequence[Step], text: str) -> bool:
    """Whether the rule would have to read a bracket that opens first, or one that closes last."""
    first, last = steps[0], steps[-1]
    opens = first.way is not Way.READ and text[first.place : first.place + 1] in ("(", "[", "{")
    closes = last.way is not Way.READ and text[last.place : last.place + 1] in (")", "]", "}")
    return opens or closes


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
    if [(one.start, one.end) for one in covered] == [span] and WORD.fullmatch(text, *span):
        return SAME
    blanks = _has_new_blank(steps, text)
    if any(a.end == b.start and not is_boundary(text, a.end) for a, b in pairs):
        return CUT + BLANK * blanks
    changed = {step.place for step in steps if step.way in (Way.PUT_IN, Way.IN_PLACE)}
    knows = [_knows(step, text) == 1.0 for step in steps]
    first = next(n for n, step in enumerate(steps) if step.way is not Way.READ)
    if any(knows[:first]) and any(knows[first:]):
        return ANCHORED * len(pairs)
    cost = SWALLOWED * len(pairs) + BLANK * blanks * max(1, len(pairs))
    for end in (covered[:1], covered[-1:]):
        if pairs and changed.issuperset(range(end[0].start, end[0].end)):
            cost += AT_END
    return cost


def _has_new_blank(steps: Sequence[Step], text: str) -> bool:
    """Whether the rule would have to read a blank where it does not."""
    return any(text[s.place].isspace() for s in steps if s.way in (Way.PUT_IN, Way.IN_PLACE))


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
