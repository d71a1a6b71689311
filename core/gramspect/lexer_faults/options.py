"""How hypotheses of token rules can be made true: changes of their definitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from gramspect.lexer_faults.candidates import Cause, is_boundary
from gramspect.lexer_faults.changes import Change, Option, changes, widening
from gramspect.lexer_faults.definitions import Definitions
from gramspect.lexer_faults.escapes import masked
from gramspect.lexer_faults.forms import is_new, usual_part
from gramspect.lexer_faults.paths import definition_of
from gramspect.lexer_faults.search import Hypothesis
from gramspect.lexer_faults.spellings import listing
from gramspect.lexical.nearness import Step, Way
from gramspect.lexical.parts import Leaf, Part, Pattern, Quoted, Repeat, Row, Style
from gramspect.lexical.rewriting import (
    excluded,
    ignoring_case,
    lazily,
    of_whole_words,
    preferred,
    with_alternative,
    with_escapes,
    with_form,
    without,
)
from gramspect.lexical.rules import Lexeme, Splice, TokenRule
from gramspect.recognition.recognizer import TokenRuleKnowing
from gramspect.source import Span
from gramspect.suites.suite import TestCase

__all__ = ["Maker"]

SPLICES = 3
"""How many stretches of one hypothesis are looked at."""
SUBSTITUTES = 3
"""How many rules are tried in the place of one that comes with the tool."""
FEW = 2
"""So few characters of a token are read where they are missing; more are a usual part of it."""
ASIDE = 0.4
"""The cost of changing another token, too, of which the one at fault is made."""


def _also_changed(patterns: Sequence[Pattern | None]) -> str:
    """What else is read in either case, in words."""
    known = [pattern for pattern in patterns if pattern is not None]
    if any(pattern.body.style is Style.JFLEX for pattern in known):
        return " (with all of the scanner)"
    return " (with all of the section)" if any(pattern.section for pattern in known) else ""


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
class Maker:
    """Makes options of the hypotheses for one parser."""

    recognizer: TokenRuleKnowing
    definitions: Definitions
    rules: Sequence[TokenRule]
    numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.numbers = {rule.name: number for number, rule in enumerate(self.rules)}

    def aside(self, number: int, option: Option) -> float:
        """The cost of an option that does not change the one at fault: another, or beside it."""
        changed = self.numbers.get(option.rule, number)
        another = changed != number and self.rules[changed].terminals
        return ASIDE if another or option.aside else 0.0

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
            yield from self._new_words(rule, test.text, hypothesis)
            return
        if hypothesis.escape:
            yield from self._escapes(rule, test.text, hypothesis)
            return
        if hypothesis.cause is Cause.ANY_CASE:
            yield from self._any_case(rule, hypothesis)
            return
        if hypothesis.cause is Cause.LETTERS:
            yield from self._letters(rule, test.text, hypothesis)
        form = list(self._usual(rule, hypothesis))
        whole = self._comes_first(rule, test.text, hypothesis)
        yield from form if whole else ()
        if form and not whole:
            parts = self._with_usual_part(rule, test.text, hypothesis.splices[0])
            yield from islice(parts, 1)
        options = [
            (own, option)
            for own, splice, actual in self._stretches(rule, test, hypothesis)
            for option in self._of_stretch(own, test.text, splice.start, splice.end, actual)
        ]
        preferred = {own.name: option for own, option in options if option.precedes}
        if len(preferred) > 1:
            yield _all_preferred(list(preferred.values()))
        yield from (option for own, option in options if own is rule)
        yield from () if whole else (replace(one, aside=True) for one in form)

    def _usual(self, rule: TokenRule, hypothesis: Hypothesis) -> Iterator[Option]:
        """Let the rule read tokens of another look, too."""
        pattern, form = self.definitions.pattern(rule.name), hypothesis.form
        written = form and pattern and with_form(pattern, form.written or form.pattern)
        if form is not None and written:
            yield Option(rule.name, f"also read {form.name}", written)

    @staticmethod
    def _comes_first(rule: TokenRule, text: str, hypothesis: Hypothesis) -> bool:
        """Whether a form is to be an alternative of its own, rather than a change of another."""
        form, splice = hypothesis.form, hypothesis.splices[0]
        if form is None or rule.automaton is None:
            return False
        token = text[splice.start : splice.end]
        return bool(form.written) or is_new(form, rule.automaton, token)

    def _with_usual_part(self, rule: TokenRule, text: str, splice: Splice) -> Iterator[Option]:
        """Let what the rule reads go on with a usual part of such tokens, if it lacks more of that
        than a few characters."""
        aligned = self.definitions.steps(rule.name, text, splice.start, splice.end) or ()
        changed = [step.way for step in aligned if step.way is not Way.READ]
        for end in self.definitions.ends(rule.name, text, splice.start):
            small = 0 < len(changed) <= FEW and 2 * len(changed) < splice.end - end
            if small and Way.PASSED not in changed:
                return
            if splice.start < end < splice.end and usual_part(text[end : splice.end]):
                before = self.definitions.steps(rule.name, text, splice.start, end) or ()
                after = [Step(Way.PUT_IN, place, None) for place in range(end, splice.end)]
                yield from Change(before, after, ()).with_usual_part(rule.name, text)
                return

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
            words += _also_changed(patterns)
            places = dict.fromkeys(one for some in written for one in some or ())
            yield Option(rule.name, words, tuple(places))

    def _letters(self, rule: TokenRule, text: str, hypothesis: Hypothesis) -> Iterator[Option]:
        """Let names have letters of the other case, wherever one has them."""
        found: dict[Leaf, Option] = {}
        for splice in hypothesis.splices:
            if splice.terminal not in rule.terminals:
                return
            for edge in self.definitions.lacking(rule.name, text, splice.start):
                leaf = edge.path[-1]
                small = isinstance(leaf, Leaf) and any(c in leaf.characters for c in "az")
                option = self._with_letters(rule, edge.path, "A-Z" if small else "a-z")
                if option is None or not isinstance(leaf, Leaf):
                    return
                found[leaf] = option
        if found:
            first, *others = found.values()
            places = tuple(place for one in (first, *others) for place in one.rewriting)
            yield replace(first, rewriting=places, words="read letters of either case")

    @staticmethod
    def _with_letters(rule: TokenRule, path: Sequence[Part], letters: str) -> Option | None:
        """Let a set read more letters; a single one has a meaning of its own."""
        leaf, above = path[-1], path[-2] if len(path) > 1 else None
        if not isinstance(leaf, Leaf) or leaf.characters.size < 2 or isinstance(above, Quoted):
            return None
        return widening(definition_of(rule.name, path, len(path)), leaf, None, letters, plain=False)

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

    def _new_words(self, rule: TokenRule, text: str, hypothesis: Hypothesis) -> Iterator[Option]:
        """Add a word, or one to each of several rules."""
        words: dict[str, TokenRule] = {}
        for splice in hypothesis.splices:
            makers = (r for r in self.rules if splice.terminal in r.terminals)
            own = rule if splice.terminal in (None, *rule.terminals) else next(makers, rule)
            words.setdefault(text[splice.start : splice.end], own)
        found = []
        in_order = sorted(words.items(), key=lambda one: (self.numbers[one[1].name], one[0]))
        for word, own in in_order:
            spelled = own.automaton and listing(own.automaton, word)
            name = spelled if spelled in self.numbers else own.name
            pattern = self.definitions.pattern(name)
            if pattern is None:
                return
            found.append(self._new_word(name, pattern, word))
        first, *others = found
        if not others:
            yield first
            return
        too = " and ".join(f"{one.adds!r} to {one.rule}" for one in others)
        places = tuple(place for one in found for place in one.rewriting)
        yield replace(first, words=f"{first.words}, and {too}", rewriting=places, adds="")

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
        yield from self._without_first(maker, steps[0], text, end)
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

    @staticmethod
    def _without_first(maker: TokenRule, step: Step, text: str, end: int) -> Iterator[Option]:
        """Leave out a sign that may come first, if the token should end behind it."""
        path = step.edge.path if step.edge is not None and step.place + 1 == end else ()
        depth = next(
            (n for n, part in enumerate(path) if isinstance(part, Repeat) and part.least == 0), 0
        )
        if depth and text[step.place] in "+-":
            words = f"leave out what reads {text[step.place]!r}"
            yield Option(definition_of(maker.name, path, depth), words, without(path[depth]))
