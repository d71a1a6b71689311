"""Changes of token rules that would make hypotheses true.

A hypothesis says that a stretch of text is one token of a rule. The text is aligned with the
definition as it is written; where the definition does not read it, `changes` says what could be
written instead. Several changes may do; the tool and the tests decide between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from gramspect.edits.tokens import TokenEdit, token_edit
from gramspect.lexer_faults.candidates import is_boundary
from gramspect.lexer_faults.changes import Option, changes, widening
from gramspect.lexer_faults.definitions import Definitions
from gramspect.lexer_faults.escapes import masked
from gramspect.lexer_faults.paths import definition_of
from gramspect.lexer_faults.search import Hypothesis, TokenSearched
from gramspect.lexical.nearness import Step, Way
from gramspect.lexical.parts import Leaf, Pattern, Quoted, Repeat, Row
from gramspect.lexical.rewriting import (
    excluded,
    ignoring_case,
    lazily,
    of_whole_words,
    preferred,
    with_alternative,
    with_escapes,
    without,
)
from gramspect.lexical.rules import Lexeme, Splice, TokenRule
from gramspect.recognition.recognizer import TokenRuleKnowing, TokenRuleWriting
from gramspect.source import Span
from gramspect.suites.suite import TestCase, TestSuite

__all__ = ["TokenProposal", "token_proposals"]

PER_TEST = 6
"""How many hypotheses of a test are turned into changes."""
SPLICES = 3
"""How many stretches of one hypothesis are looked at."""
SUBSTITUTES = 3
"""How many rules are tried in the place of one that comes with the tool."""
NAMED = 4
"""How many of the words that a list gets are named."""
LATER = 0.05
"""The cost of each further way to write the same change."""
ASIDE = 0.4
"""The cost of changing another token, too, of which the one at fault is made."""


@dataclass(frozen=True)
class TokenProposal:
    """A change of a token rule, and the numbers of the failing tests that call for it.

    `tests` should pass with it, `further` should get further.
    """

    edit: TokenEdit
    tests: tuple[int, ...]
    further: tuple[int, ...] = ()


@dataclass
class _Found:
    option: Option
    cost: float
    tests: dict[int, bool] = field(default_factory=dict)
    """The tests that call for it, and whether they should pass with it."""


def token_proposals(
    recognizer: TokenRuleKnowing, suite: TestSuite, searched: Sequence[TokenSearched]
) -> list[TokenProposal]:
    """The changes of token rules that hypotheses call for, those of most tests first."""
    if not isinstance(recognizer, TokenRuleWriting):
        return []
    rules = recognizer.token_rules()
    files = frozenset(r.span.file for r in rules if r.span is not None and not r.fixed)
    maker = _Maker(recognizer, Definitions(recognizer, files), rules)
    found: dict[object, _Found] = {}
    for one in searched:
        test = suite.tests[one.test]
        accepted = [h for h in one.hypotheses if h.accepted] or list(one.hypotheses)
        for hypothesis in sorted(accepted, key=lambda h: h.cost)[:PER_TEST]:
            for place, option in enumerate(maker.options(test, hypothesis)):
                cost = hypothesis.cost + LATER * place + maker.aside(hypothesis.rule, option)
                known = found.setdefault((option.rule, option.rewriting), _Found(option, cost))
                known.cost = min(known.cost, cost)
                known.tests[one.test] = known.tests.get(one.test, False) or hypothesis.accepted
    several = [*found.values(), *_together(found.values())]
    several.sort(key=lambda one: (-len(one.tests), one.cost))
    return [maker.proposal(one) for one in several]


def _together(found: Iterable[_Found]) -> Iterator[_Found]:
    """Join changes that put different characters, or words, in one place: all are allowed."""
    groups: dict[Leaf | str, list[_Found]] = {}
    for one in found:
        if one.option.widens is not None:
            groups.setdefault(one.option.widens[0], []).append(one)
        elif one.option.adds:
            groups.setdefault(one.option.rule, []).append(one)
    for place, calling in groups.items():
        group = _cheapest(calling) if isinstance(place, str) else calling
        if len({test for one in group for test in one.tests}) > 1:
            options = [one.option for one in group]
            option = _all_words(options) if isinstance(place, str) else _all_read(place, options)
            if option is not None:
                tests = {test: passes for one in group for test, passes in one.tests.items()}
                yield _Found(option, max(one.cost for one in group), tests)


def _cheapest(found: Sequence[_Found]) -> list[_Found]:
    """For each test the cheapest change that it calls for, of several that do."""
    best: dict[int, _Found] = {}
    for test in dict.fromkeys(test for one in found for test in one.tests):
        calling = (one for one in found if test in one.tests)
        cheapest = min(calling, key=lambda one: one.cost)
        best[id(cheapest)] = cheapest
    return list(best.values())


def _all_read(leaf: Leaf, options: Sequence[Option]) -> Option | None:
    members = "".join(dict.fromkeys(one.widens[1] for one in options if one.widens))
    return widening(options[0].rule, leaf, None, members, plain=True) if len(members) > 1 else None


def _all_words(options: Sequence[Option]) -> Option | None:
    """The words are added at one place, one after the other."""
    words = dict.fromkeys(one.adds for one in options)
    if len(words) < 2:
        return None
    (place, _), *_ = options[0].rewriting
    written = "".join(dict.fromkeys(one.rewriting[0][1] for one in options))
    said = ", ".join(map(repr, list(words)[:NAMED]))
    more = f" and {len(words) - NAMED} more" if len(words) > NAMED else ""
    return Option(options[0].rule, f"add the words {said}{more}", ((place, written),))


def _all_preferred(options: Sequence[Option]) -> Option:
    """Several tokens before that of which each is a part, which goes behind the last of them if it
    goes."""
    first, *others = options
    rewriting: dict[Span, str] = {}
    behind: dict[str, Span] = {}
    for option in options:
        moves = any(not written for _, written in option.rewriting)
        for place, written in option.rewriting:
            earlier = behind.get(written) if moves and written else None
            if earlier is not None and earlier != place:
                rewriting.pop(min(earlier, place), None)
                rewriting[max(earlier, place)] = written
            else:
                rewriting[place] = rewriting.get(place, "") + written
            behind[written] = place if earlier is None else max(earlier, place)
    names = " and ".join(option.rule for option in others)
    return replace(
        first, words=f"{first.words}, and {names}, too", rewriting=tuple(rewriting.items())
    )


@dataclass
class _Maker:
    """Makes options of the hypotheses for one parser."""

    recognizer: TokenRuleKnowing
    definitions: Definitions
    rules: Sequence[TokenRule]
    numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.numbers = {rule.name: number for number, rule in enumerate(self.rules)}

    def proposal(self, found: _Found) -> TokenProposal:
        number = self.numbers[found.option.rule]
        words, rewriting = found.option.words, found.option.rewriting
        edit = token_edit(number, self.rules[number], words, rewriting, found.cost)
        tests = tuple(test for test, passes in found.tests.items() if passes)
        further = tuple(test for test, passes in found.tests.items() if not passes)
        return TokenProposal(edit, tests, further)

    def aside(self, number: int, option: Option) -> float:
        """The cost of an option if it changes other tokens than the one at fault."""
        changed = self.numbers.get(option.rule, number)
        return ASIDE if changed != number and self.rules[changed].terminals else 0.0

    def options(self, test: TestCase, hypothesis: Hypothesis) -> Iterator[Option]:
        """The ways to make a hypothesis true, the likeliest first."""
        rule = self.rules[hypothesis.rule]
        if rule.fixed:
            yield from self._instead(rule, test, hypothesis)
        for option in self._own_options(rule, test, hypothesis):
            if option.rule in self.numbers and not self.rules[self.numbers[option.rule]].fixed:
                yield option

    def _instead(self, rule: TokenRule, test: TestCase, hypothesis: Hypothesis) -> Iterator[Option]:
        """What reads all that the rule should read, in the place of it."""
        texts = [test.text[splice.start : splice.end] for splice in hypothesis.splices]
        reading = (
            one
            for one in rule.substitutes
            if all(self.definitions.reads(one.name, text) for text in texts)
        )
        for one in islice(reading, SUBSTITUTES):
            yield Option(rule.name, one.words, one.rewriting)

    def _own_options(
        self, rule: TokenRule, test: TestCase, hypothesis: Hypothesis
    ) -> Iterator[Option]:
        """The ways to change the user's rules."""
        if hypothesis.word:
            pattern = self.definitions.pattern(rule.name)
            if pattern is not None:
                yield self._new_word(rule.name, pattern, hypothesis.word)
            return
        if hypothesis.escape:
            yield from self._escapes(rule, test.text, hypothesis)
            return
        if hypothesis.any_case:
            yield from self._any_case(rule, hypothesis)
            return
        options = [
            (own, option)
            for own, splice, actual in self._stretches(rule, test, hypothesis)
            for option in self._of_stretch(own, test.text, splice.start, splice.end, actual)
        ]
        preferred = {own.name: option for own, option in options if option.precedes}
        if len(preferred) > 1:
            yield _all_preferred(list(preferred.values()))
        yield from (option for own, option in options if own is rule)

    def _escapes(self, rule: TokenRule, text: str, hypothesis: Hypothesis) -> Iterator[Option]:
        """Let what stands between quotes be a quote after a mark, too."""
        start, end = hypothesis.splices[0].start, hypothesis.splices[0].end
        shown = hypothesis.escape + text[end - 1]
        letters = masked(text[start:end], hypothesis.escape)
        steps = self.definitions.steps(rule.name, letters, 0, len(letters)) or ()
        places = (step for step in steps if text[start + step.place :].startswith(shown))
        step = next((s for s in places if s.place and s.way is Way.READ), None)
        if step is None or step.edge is None or not isinstance(step.edge.path[-1], Leaf):
            return
        path, leaf = step.edge.path, step.edge.path[-1]
        within = len(path) > 1 and isinstance(path[-2], Quoted)
        written = None if within else with_escapes(leaf, hypothesis.escape, text[end - 1])
        if written is not None:
            name = definition_of(rule.name, path, len(path))
            yield Option(name, f"also read {shown} where {leaf.text} is read", written)

    def _any_case(self, rule: TokenRule, hypothesis: Hypothesis) -> Iterator[Option]:
        """Let keywords be written in letters of either case."""
        terminals = dict.fromkeys(splice.terminal for splice in hypothesis.splices)
        owners = dict.fromkeys(r for t in terminals for r in self.rules if t in r.terminals)
        patterns = [self.definitions.pattern(one.name) for one in (owners or (rule,))]
        written = [ignoring_case(pattern) for pattern in patterns if pattern is not None]
        if written and None not in written:
            others = [one.name for one in owners if one is not rule]
            also = f", and so {', '.join(others)}" if others else ""
            words = f"be read in letters of either case{also}"
            places = dict.fromkeys(one for some in written for one in some or ())
            yield Option(rule.name, words, tuple(places))

    def _stretches(
        self, rule: TokenRule, test: TestCase, hypothesis: Hypothesis
    ) -> Iterator[tuple[TokenRule, Splice, Lexeme | None]]:
        """The first stretches of a hypothesis: whose token each is, and what was made of it."""
        for place, splice in enumerate(hypothesis.splices[:SPLICES]):
            lexing = self.recognizer.lexing(test, hypothesis.splices[:place])
            lexemes = () if lexing is None else lexing.lexemes
            actual = next((x for x in lexemes if x.start == splice.start), None)
            makers = (r for r in self.rules if splice.terminal in r.terminals)
            own = rule if splice.terminal in (None, *rule.terminals) else next(makers, rule)
            yield own, splice, actual

    def _new_word(self, name: str, pattern: Pattern, word: str) -> Option:
        rewriting = with_alternative(pattern, word)
        return Option(name, f"add the word {word!r}", rewriting, adds=word)

    def _of_stretch(
        self, rule: TokenRule, text: str, start: int, end: int, actual: Lexeme | None
    ) -> Iterator[Option]:
        """The ways to let a rule read a stretch of text."""
        for mended in self.definitions.mended(rule.name, text, start, end):
            yield from self._of_mended(rule, text, mended.steps)
        steps = self.definitions.steps(rule.name, text, start, end)
        if steps is None:
            return
        if all(step.way is Way.READ for step in steps):
            if actual is not None:
                if actual.end < end and not is_boundary(text, actual.end):
                    yield from self._whole_words(actual)
                yield from self._preferred(rule, actual)
                if actual.end > end:
                    yield from self._shorter(rule, text, end, actual)
            return
        for change in changes(steps):
            yield from change.options(rule.name, text, self.definitions)

    def _of_mended(self, rule: TokenRule, text: str, steps: Sequence[Step]) -> Iterator[Option]:
        """The ways to write a change that the stretch needs several times, or in a part of it."""
        change = next(changes(steps))
        if change.part is None:
            yield from change.widened(rule.name, text)
        elif (pattern := self.definitions.pattern(change.part)) is not None:
            new = change.text_of_part(text).strip()
            if new.isdigit():
                any_number = with_alternative(pattern, new, like=True)
                yield Option(change.part, "also read any number", any_number)
            elif new:
                yield self._new_word(change.part, pattern, new)

    def _preferred(self, rule: TokenRule, actual: Lexeme) -> Iterator[Option]:
        """The rule before that of the token that was made."""
        maker = next((r for r in self.rules if actual.terminal in r.terminals), rule)
        own, other = self.definitions.pattern(rule.name), self.definitions.pattern(maker.name)
        if maker is not rule and own is not None and other is not None:
            written = preferred(own, other)
            if written is not None:
                words = f"take precedence over {maker.name}"
                yield Option(rule.name, words, written, precedes=True)

    def _whole_words(self, actual: Lexeme) -> Iterator[Option]:
        """The token that was made of the beginning of a word reads whole words only."""
        for maker in self.rules:
            pattern = self.definitions.pattern(maker.name)
            if actual.terminal in maker.terminals and pattern is not None:
                written = of_whole_words(pattern)
                if written is not None:
                    yield Option(maker.name, "end only where a word ends", written)
                return

    # --- tokens that should end earlier ------------------------------------------------------

    def _shorter(self, rule: TokenRule, text: str, end: int, actual: Lexeme) -> Iterator[Option]:
        """The ways to let the token that was made end earlier."""
        makers = (r for r in self.rules if actual.terminal in r.terminals)
        maker = rule if actual.terminal in rule.terminals else next(makers, None)
        steps = maker and self.definitions.steps(maker.name, text, actual.start, actual.end)
        if maker is None or not steps:
            return
        step = next((s for s in steps if s.place == end and s.way is Way.READ), None)
        if step is None or step.edge is None or not isinstance(step.edge.path[-1], Leaf):
            return
        path, leaf = step.edge.path, step.edge.path[-1]
        name, shown = definition_of(maker.name, step.edge.path, len(path)), repr(text[end])
        if leaf.style.is_regex and leaf.text == ".":
            yield Option(name, "read '.' as a full stop only", ((leaf.span, "\\."),))
        for depth in range(len(path) - 1, 0, -1):
            part = path[depth]
            if isinstance(part, Repeat) and part.least == 0:
                whose = definition_of(maker.name, path, depth)
                if (written := lazily(part)) is not None:
                    yield Option(whose, "end the repetition as soon as possible", written)
                row = path[depth - 1]
                if isinstance(row, Row) and len(row.parts) > 1:
                    yield Option(whose, f"leave out what reads {shown}", without(part))
        quoted_there = isinstance(path[-2] if len(path) > 1 else None, Quoted)
        if not quoted_there and (written := excluded(leaf, text[end])) is not None:
            yield Option(name, f"do not read {shown}", written)
