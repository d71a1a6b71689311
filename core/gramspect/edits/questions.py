"""Questions: short inputs whose verdict tells the repairs in question apart.

One failing test often has many repairs: at a rule, at a caller of it, at a rule that it calls. They
are different languages, so there are inputs that one repair accepts and another does not, and the
author knows at a glance whether such an input is correct. What is asked is the input whose answer
is least foreseeable, given how likely each repair is, as in algorithmic debugging (E. Y. Shapiro,
"Algorithmic Program Debugging", 1983) with questions chosen by their information (J. R. Quinlan,
"Induction of Decision Trees", 1986).

Candidates are, for every repair, the shortest sentences of the repaired grammar with the edited
rule in them: once for each occurrence of what it derives, outwards. If the repair has a token that
the lexer does not have yet, so have they: only repairs with the same one accept them, unless the
lexer reads its text as something else now (`Inquiry.reread`).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log2

from gramspect.edits.failing import trial_of
from gramspect.edits.model import NEW_TOKEN, Edit, EditKind, applied
from gramspect.edits.scores import Proposal
from gramspect.edits.trial import UNKNOWN
from gramspect.edits.weights import likelihood
from gramspect.errors import GrammarError
from gramspect.generation.derivation import Derivation
from gramspect.generation.minimal import Minimal
from gramspect.grammars.grammar import Grammar

__all__ = ["Inquiry", "Question", "Suspect", "inquiry", "suspects"]

DEFINITIONS = 8
"""Of how many definitions, the most suspicious ones, repairs are in question."""
OF_DEFINITION = 8
"""How many repairs of each."""
LONGEST = 60
"""The most tokens of an input that is asked about."""
MOST_OF_EDIT = 60
"""The most inputs that are made for one repair."""
MOST_TRIED = 300
"""The most inputs, the shortest ones, on which all repairs are tried."""
CONTRADICTED = 0.1
"""How much less likely an answer makes a repair that contradicts it. Not 0: the right place may be
known by an edit that is not all of the repair."""
UNNAMED = 0.2
"""What a definition keeps of its weight if answers contradict all its repairs that are in question:
the right one may be another one there."""
FORESEEN = 0.02
"""An answer that is as unlikely as this is not asked for."""
SETTLED = 0.9
"""A definition with this part of all weight needs no further question."""
DIGITS = 1
"""Of inputs whose information, in bits, differs in later digits only, the shortest one is asked."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A repair in question: the definition that it changes, the edit, and how likely it is."""

    nonterminal: int
    edit: Edit
    weight: float


@dataclass(frozen=True, slots=True)
class Question:
    """An input, whether the grammar derives it now, and whether it does with each repair.

    `new` are the texts of its tokens that the lexer does not have (`NEW_TOKEN`), in their order.
    """

    tokens: tuple[int, ...]
    derived: bool
    verdicts: tuple[bool, ...]
    new: tuple[str, ...] = ()

    @property
    def input(self) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """What tells one input from another."""
        return self.tokens, self.new


@dataclass(frozen=True)
class Inquiry:
    """Repairs in question, and the questions that could still be asked about them.

    `unnamed` is, by definition, how likely a repair of it is that is not in question.
    """

    grammar: Grammar
    suspects: tuple[Suspect, ...]
    questions: tuple[Question, ...]
    unnamed: Mapping[int, float] = field(default_factory=dict)

    def best(self) -> Question | None:
        """The question with the most information, of nearly equal ones the shortest.

        None if all that is open can be foreseen.
        """
        if self.settled:
            return None
        told = [(self._information(question), question) for question in self.questions]
        open_ones = [(round(bits, DIGITS), -len(q.tokens), q) for bits, q in told if bits > 0]
        return max(open_ones, key=lambda one: one[:2])[2] if open_ones else None

    def answered(self, question: Question, correct: bool) -> Inquiry:
        """What is left when the author has said whether an input is correct."""
        weighed = (
            one if verdict is correct else replace(one, weight=one.weight * CONTRADICTED)
            for one, verdict in zip(self.suspects, question.verdicts, strict=True)
        )
        return replace(self.without(question), suspects=tuple(weighed))

    def without(self, question: Question) -> Inquiry:
        """The same if the author cannot say."""
        left = tuple(one for one in self.questions if one.input != question.input)
        return replace(self, questions=left)

    def corrected(self, question: Question) -> Inquiry:
        """The same with other verdicts on an input."""
        return replace(self, questions=(*self.without(question).questions, question))

    def reread(self, question: Question, tokens: Sequence[int] | None) -> Question | None:
        """A question with new tokens, when it is known what the lexer makes of its text now.

        That is what repairs without these tokens see. None if a verdict is not computed.
        """
        if not question.new or tokens is None or min(tokens, default=0) < 0:
            return question
        own = _different(question.new)
        others = [n for n, s in enumerate(self.suspects) if _different(s.edit.new) != own]
        trial = trial_of(self.grammar, tokens)
        reached = trial.reached([self.suspects[number].edit for number in others])
        if UNKNOWN in reached:
            return None
        verdicts = list(question.verdicts)
        for number, end in zip(others, reached, strict=True):
            verdicts[number] = end > len(tokens)
        return replace(question, derived=trial.chart.accepted, verdicts=tuple(verdicts))

    def standing(self, suspect: Suspect) -> float:
        """How likely the definition of a repair is, if the repair is the likeliest one there."""
        return max(suspect.weight, self.unnamed.get(suspect.nonterminal, 0.0))

    def leading(self) -> tuple[int, ...]:
        """For each definition the number of its most likely repair, by standing, highest first."""
        best: dict[int, int] = {}
        for number, one in enumerate(self.suspects):
            known = best.setdefault(one.nonterminal, number)
            if one.weight > self.suspects[known].weight:
                best[one.nonterminal] = number
        return tuple(sorted(best.values(), key=lambda n: -self.standing(self.suspects[n])))

    @property
    def settled(self) -> bool:
        """Whether one definition is much likelier than all others together."""
        weights = [self.suspects[number].weight for number in self.leading()]
        return bool(weights) and max(weights) >= SETTLED * sum(weights)

    def _information(self, question: Question) -> float:
        """How many bits the answer has, where each definition stands for its likeliest repair."""
        leading = self.leading()
        total = sum(self.suspects[number].weight for number in leading)
        for_yes = sum(self.suspects[n].weight for n in leading if question.verdicts[n])
        yes = for_yes / total if total else 0.0
        if not FORESEEN < yes < 1 - FORESEEN:
            return 0.0
        return -(yes * log2(yes) + (1 - yes) * log2(1 - yes))


def suspects(
    grammar: Grammar,
    scores: Mapping[int, float],
    proposals: Mapping[int, Sequence[Proposal]],
) -> tuple[Suspect, ...]:
    """The best repairs of the most suspicious definitions.

    The weight of one is the score of the definition, less for being less likely than the best one
    there by its cost and by what it lets pass, and for tests that it does not mend.

    Args:
        grammar: the grammar.
        scores: those of definitions, by symbol, the highest first.
        proposals: edits that help, by item (`gramspect.edits.scores.proposals`).
    """
    repairs: dict[int, list[Proposal]] = {}
    for item, listed in proposals.items():
        repairs.setdefault(grammar.definition_of(item), []).extend(listed)
    found = []
    for owner in [symbol for symbol in scores if repairs.get(symbol)][:DEFINITIONS]:
        likely = [(len(one.tests), likelihood(grammar, one.edit), one) for one in repairs[owner]]
        likely.sort(key=lambda found: found[:2], reverse=True)
        most, best, _ = likely[0]
        for n_tests, worth, one in likely[:OF_DEFINITION]:
            part = n_tests / most * min(1.0, worth / best)
            found.append(Suspect(owner, one.edit, scores[owner] * part))
    return tuple(found)


def inquiry(grammar: Grammar, in_question: Sequence[Suspect]) -> Inquiry:
    """The questions that tell some repairs of a grammar apart.

    Repairs with a token that the lexer does not have are left out if its text is not known.
    """
    known = tuple(one for one in in_question if all(one.edit.new))
    made = {found for one in known for found in _inputs(grammar, one.edit)}
    tried = sorted(made, key=lambda one: (len(one[0]), one))[:MOST_TRIED]
    found = (_question(grammar, known, *one) for one in tried)
    unnamed: dict[int, float] = {}
    for one in known:
        unnamed[one.nonterminal] = max(unnamed.get(one.nonterminal, 0.0), UNNAMED * one.weight)
    return Inquiry(grammar, known, tuple(one for one in found if one is not None), unnamed)


def _question(
    grammar: Grammar, known: Sequence[Suspect], tokens: tuple[int, ...], new: tuple[str, ...]
) -> Question | None:
    """The input with all verdicts on it; None if they are all the same."""
    trial = trial_of(grammar, tokens)
    own = _different(new)
    able = [n for n, one in enumerate(known) if not new or _different(one.edit.new) == own]
    reached = trial.reached([known[number].edit for number in able])
    if UNKNOWN in reached:
        return None
    accepting = {number for number, end in zip(able, reached, strict=True) if end > len(tokens)}
    if len(accepting) in (0, len(known)):
        return None
    verdicts = tuple(number in accepting for number in range(len(known)))
    return Question(tokens, trial.chart.accepted, verdicts, new)


def _different(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _inputs(grammar: Grammar, edit: Edit) -> Iterator[tuple[tuple[int, ...], tuple[str, ...]]]:
    """Inputs that show an edit: their tokens, and the texts of the new ones among them.

    New tokens with different texts are one to the grammar, so only inputs with each of them once
    are known to be in order.
    """
    own = edit.new
    for tokens in _sentences(grammar, edit):
        n = tokens.count(NEW_TOKEN)
        if len(_different(own)) <= 1:
            yield tokens, own[:1] * n
        elif n in (0, len(own)):
            yield tokens, own[:n]


def _sentences(grammar: Grammar, edit: Edit) -> Iterator[tuple[int, ...]]:
    """Sentences that show an edit, the edited rule nearest to the start first.

    Of an edit that takes something away they are sentences of the grammar as it is.
    """
    rule = grammar.split_item(edit.item)[0]
    if not edit.kind.restrictive:
        grammar, rule = applied(grammar, edit), rule + 1
    elif edit.kind is not EditKind.DROP:
        yield from _through(applied(grammar, edit), rule)
    yield from _through(grammar, rule)


def _through(grammar: Grammar, rule: int) -> Iterator[tuple[int, ...]]:
    """Shortest sentences with a rule in them, one for each occurrence of what derives it."""
    try:
        minimal = Minimal(grammar)
    except GrammarError:
        return
    if rule not in minimal.rules:
        return
    occurrences: defaultdict[int, list[int]] = defaultdict(list)
    for index in minimal.rules:
        for dot, symbol in enumerate(grammar.rules[index].rhs):
            occurrences[symbol].append(grammar.item(index, dot))
    pending: deque[tuple[int, Derivation]] = deque([(grammar.rules[rule].lhs, minimal.whole(rule))])
    seen: set[int] = set()
    made = 0
    while pending and made < MOST_OF_EDIT:
        symbol, phrase = pending.popleft()
        sentence = minimal.context(symbol).filled(phrase).tokens
        if len(sentence) <= LONGEST:
            made += 1
            yield sentence
        for item in occurrences[symbol]:
            if item not in seen and len(phrase.tokens) <= LONGEST:
                seen.add(item)
                lhs = grammar.rules[grammar.split_item(item)[0]].lhs
                pending.append((lhs, minimal.around(item).filled(phrase)))
