"""Which token rules could be at fault, judged on the text of a failing input.

A *hypothesis* says: from here to there stands one token of this rule, although the lexer made
something else of it, or nothing. Wherever the parse could go on with the token (or with one that is
skipped), at the error and a few tokens before it, the rules are tried whose language is near to the
text there (`gramspect.lexical.nearness`). The tool's own lexer reads the text after the token
again, and the chart says how far the input is read then. A fault in a token rule shows wherever the
token occurs, so a hypothesis is taken up again at the next error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from gramspect.effort import now
from gramspect.grammars.grammar import Grammar
from gramspect.lexer_faults.candidates import (
    BELOW,
    LIMIT,
    Candidate,
    Candidates,
    Cause,
)
from gramspect.lexer_faults.costs import SLIGHT, Weigher
from gramspect.lexer_faults.forms import Form
from gramspect.lexer_faults.relexing import Reading, Relexer
from gramspect.lexical.rules import Splice
from gramspect.recognition.recognizer import TokenRuleKnowing
from gramspect.suites.suite import TestCase

__all__ = ["Hypothesis", "TokenSearched", "search_tokens"]

MOST_TESTS = 12
"""How many failing tests are searched, spread over the suite."""
ALIGNED, TRIED, FOLLOWED = 120, 32, 5
"""How many candidates of a test are examined, tried in the lexer, and followed to later errors."""
REPEATED = 40
"""How often a hypothesis is taken up again in one input."""
LONGEST = 4000
"""Inputs with more tokens than this are not searched."""
AGAIN = 0.02
"""The cost of taking a hypothesis up again."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The assumption that stretches of a text are tokens of one rule, or of several keywords, and
    its consequences.

    Attributes:
        rule: the number of the rule, of the first one if several keywords are read as names.
        cost: how far the text is from what the rule reads.
        blamed: the numbers of the rules that may be at fault for that, with the cost of each.
        splices: the stretches, in order.
        accepted: whether the input is accepted then.
        reached: the offset up to which it is read, if not.
        word: the word that the rule lacks, if it is a list of words.
        escape: what comes before a quote inside of quotes, if the rule should know that.
        cause: what is wrong with several tokens at once.
        form: the usual look of tokens that the rule lacks.
    """

    rule: int
    cost: float
    blamed: tuple[tuple[int, float], ...]
    splices: tuple[Splice, ...]
    accepted: bool = False
    reached: int = 0
    word: str = ""
    escape: str = ""
    cause: Cause | None = None
    form: Form | None = None

    @property
    def is_usual(self) -> bool:
        """Whether the text is a token as other languages have it."""
        return self.form is not None or self.cause is Cause.SPELLED


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
        relexer = Relexer(recognizer, grammar, test)
        read = relexer.read(lexing)
        if not read.accepted:
            search = _Search(
                relexer, Candidates(rules, test.text), Weigher(rules, test.text), deadline
            )
            hypotheses = tuple(search.run(read))
            lexical = read.at_lexer
            found.append(TokenSearched(number, read.offset, len(test.text), hypotheses, lexical))
    return tuple(found)


@dataclass(frozen=True)
class _Search:
    relexer: Relexer
    candidates: Candidates
    weigher: Weigher
    deadline: float

    def run(self, first: Reading) -> Iterator[Hypothesis]:
        """The hypotheses that get the parse further."""
        candidates = sorted(self.candidates.found(first), key=lambda c: c.cost)[:ALIGNED]
        weighed = sorted((self.weigher.weighed(first, c) for c in candidates), key=lambda c: c.cost)
        followed = 0
        best: dict[int, float] = {}
        for candidate in weighed[:TRIED]:
            if now() >= self.deadline:
                return
            if candidate.cost > LIMIT:
                break
            if best.get(candidate.rule, LIMIT) < candidate.cost:
                continue
            if candidate.cause is Cause.ANY_CASE and not followed:
                everywhere = self._in_any_case(candidate, first)
                if everywhere is not None:
                    best[candidate.rule] = candidate.cost
                    yield everywhere
                    continue
            read = self.relexer.spliced([candidate.splice])
            if read is None or not _gets_further(first, read, candidate.splice):
                continue
            if not read.accepted and followed < FOLLOWED:
                followed += 1
                found = self._followed(candidate, read)
            else:
                found = _made(candidate, [candidate.splice], candidate.cost, read)
            if found.accepted and candidate.form is None:
                best[candidate.rule] = candidate.cost
            yield found

    def _followed(self, candidate: Candidate, read: Reading) -> Hypothesis:
        """The hypothesis, taken up again at every further error."""
        splices, cost = [candidate.splice], candidate.cost
        blamed = dict(candidate.blamed)
        while not read.accepted and len(splices) < REPEATED and now() < self.deadline:
            again = self._again(candidate, read)
            if again is None:
                break
            further = self.relexer.spliced([*splices, again.splice])
            if further is None or not _gets_further(read, further, again.splice):
                break
            splices.append(again.splice)
            after = BELOW if candidate.cause is not None else 0.0  # one keyword is named first
            blamed = {**{number: cost + after for number, cost in again.blamed}, **blamed}
            cost += AGAIN
            read = further
        same = replace(candidate, blamed=tuple(blamed.items()))
        return _made(same, splices, cost, read)

    def _in_any_case(self, candidate: Candidate, first: Reading) -> Hypothesis | None:
        """The hypothesis that all keywords may have letters of either case, if that is enough."""
        found = list(self.candidates.keywords_in_other_case(first.lexing.lexemes))
        read = self.relexer.spliced([splice for _, splice in found])
        if read is None or not read.accepted:
            return None
        blamed = {number: BELOW * (number != candidate.rule) for number, _ in found}
        same = replace(candidate, blamed=tuple(blamed.items()))
        return _made(same, [splice for _, splice in found], candidate.cost, read)

    def _again(self, candidate: Candidate, read: Reading) -> Candidate | None:
        """The next token of the same rule that costs no more; of a keyword that is read as a name
        also the next keyword that is."""
        last, cause = candidate.splice, candidate.cause
        likely = [
            self.weigher.weighed(read, c)
            for c in self.candidates.found(read, candidate.rule if cause is None else None)
            if c.splice.start >= last.end
            and (c.word or not candidate.word)
            and c.escape == candidate.escape
            and c.form == candidate.form
        ]
        likely = [
            c
            for c in likely
            if c.cost <= candidate.cost + SLIGHT
            and (c.rule == candidate.rule or c.cause == cause is not None)
        ]
        return min(likely, key=lambda c: (c.cost, c.splice.start, -c.splice.end), default=None)


def _made(
    candidate: Candidate, splices: Sequence[Splice], cost: float, read: Reading
) -> Hypothesis:
    return Hypothesis(
        candidate.rule, cost, candidate.blamed, tuple(splices), read.accepted, read.offset,
        candidate.word, candidate.escape,
        candidate.cause if isinstance(candidate.cause, Cause) else None, candidate.form,
    )  # fmt: skip


def _gets_further(before: Reading, after: Reading, splice: Splice) -> bool:
    """Whether at least one token is read after the assumed one."""
    return after.accepted or after.offset > max(before.offset, splice.end)
