"""Changes of token rules that would make hypotheses true.

A hypothesis says that a stretch of text is one token of a rule. The text is aligned with the
definition as it is written (`gramspect.lexical.patterns`). The characters that the alignment puts
in, replaces or passes over show where the definition has to be changed. Several changes may do; the
tool and the tests decide between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, takewhile

from gramspect.edits.tokens import TokenEdit, token_edit
from gramspect.edits.writing.files import SourceFile
from gramspect.lexer_faults.search import LIMIT, WINDOW, Hypothesis, TokenSearched
from gramspect.lexical.nearness import UNIT, End, Step, Way, alignment
from gramspect.lexical.parts import Call, Choice, Leaf, Part, Pattern, Quoted, Repeat, Row, Style
from gramspect.lexical.patterns import automaton_of
from gramspect.lexical.rewriting import (
    Rewriting,
    excluded,
    family,
    generalized,
    inserted,
    lazily,
    optional,
    preferred,
    quoted,
    widened,
    with_alternative,
    without,
)
from gramspect.lexical.rules import Lexeme, TokenRule
from gramspect.recognition.recognizer import TokenRuleKnowing, TokenRuleWriting
from gramspect.suites.suite import TestCase, TestSuite

__all__ = ["TokenProposal", "token_proposals"]

PER_TEST = 6
"""How many hypotheses of a test are turned into changes."""
SPLICES = 3
"""How many stretches of one hypothesis are looked at."""
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


@dataclass(frozen=True)
class _Option:
    """One way to write a change: its rule, the change in words, and that of the text."""

    rule: str
    words: str
    rewriting: Rewriting
    widens: tuple[Leaf, str] | None = None


@dataclass
class _Found:
    option: _Option
    cost: float
    tests: dict[int, bool] = field(default_factory=dict)
    """The tests that call for it, and whether they should pass with it."""


def token_proposals(
    recognizer: TokenRuleKnowing, suite: TestSuite, searched: Sequence[TokenSearched]
) -> list[TokenProposal]:
    """The changes of token rules that hypotheses call for, those of most tests first."""
    if not isinstance(recognizer, TokenRuleWriting):
        return []
    maker = _Maker(recognizer, recognizer, recognizer.token_rules())
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
    return [maker.proposal(one) for one in several if one.option.rule in maker.numbers]


def _together(found: Iterable[_Found]) -> Iterator[_Found]:
    """Join changes that put different characters in one place: all of them are allowed."""
    groups: dict[Leaf, list[_Found]] = {}
    for one in found:
        if one.option.widens is not None:
            groups.setdefault(one.option.widens[0], []).append(one)
    for leaf, group in groups.items():
        members = "".join(dict.fromkeys(o.option.widens[1] for o in group if o.option.widens))
        if len(members) > 1 and len({test for one in group for test in one.tests}) > 1:
            option = _widening(group[0].option.rule, leaf, None, members, plain=True)
            if option is not None:
                tests = {test: passes for one in group for test, passes in one.tests.items()}
                yield _Found(option, max(one.cost for one in group), tests)


@dataclass
class _Maker:
    """Makes options of the hypotheses for one parser."""

    recognizer: TokenRuleKnowing
    writing: TokenRuleWriting
    rules: Sequence[TokenRule]
    numbers: dict[str, int] = field(init=False)
    _patterns: dict[str, Pattern | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.numbers = {rule.name: number for number, rule in enumerate(self.rules)}

    def proposal(self, found: _Found) -> TokenProposal:
        number = self.numbers[found.option.rule]
        words, rewriting = found.option.words, found.option.rewriting
        edit = token_edit(number, self.rules[number], words, rewriting, found.cost)
        tests = tuple(test for test, passes in found.tests.items() if passes)
        further = tuple(test for test, passes in found.tests.items() if not passes)
        return TokenProposal(edit, tests, further)

    def aside(self, number: int, option: _Option) -> float:
        """The cost of an option if it changes other tokens than the one at fault."""
        changed = self.numbers.get(option.rule, number)
        return ASIDE if changed != number and self.rules[changed].terminals else 0.0

    def pattern(self, name: str) -> Pattern | None:
        if name not in self._patterns:
            self._patterns[name] = self.writing.token_pattern(name)
        return self._patterns[name]

    def options(self, test: TestCase, hypothesis: Hypothesis) -> Iterator[_Option]:
        """The ways to make a hypothesis true, the likeliest first."""
        rule = self.rules[hypothesis.rule]
        if hypothesis.word:
            pattern = self.pattern(rule.name)
            if pattern is not None:
                yield self._new_word(rule.name, pattern, hypothesis.word)
            return
        for place, splice in enumerate(hypothesis.splices[:SPLICES]):
            lexing = self.recognizer.lexing(test, hypothesis.splices[:place])
            lexemes = () if lexing is None else lexing.lexemes
            actual = next((x for x in lexemes if x.start == splice.start), None)
            yield from self._of_stretch(rule, test.text, splice.start, splice.end, actual)

    def _new_word(self, name: str, pattern: Pattern, word: str) -> _Option:
        return _Option(name, f"add the word {word!r}", with_alternative(pattern, word))

    def _of_stretch(
        self, rule: TokenRule, text: str, start: int, end: int, actual: Lexeme | None
    ) -> Iterator[_Option]:
        """The ways to let a rule read a stretch of text."""
        steps = self._steps(rule.name, text, start, end)
        if steps is None:
            return
        if all(step.way is Way.READ for step in steps):
            if actual is not None:
                yield from self._preferred(rule, actual)
                if actual.end > end:
                    yield from self._shorter(rule, text, end, actual)
            return
        for change in _changes(steps):
            yield from change.options(rule.name, text, self)

    def _steps(self, name: str, text: str, start: int, end: int) -> list[Step] | None:
        """How a stretch of text is aligned with a definition."""
        automaton = automaton_of(name, self.pattern)
        if automaton is None:
            return None
        window = max(WINDOW, end - start)
        aligned = alignment(automaton, text, start, round((LIMIT + 1) * UNIT), window)
        cost = next((found.cost for found in aligned.ends() if found.place == end), None)
        return None if cost is None else aligned.steps(End(end, cost))

    def body(self, name: str) -> Part | None:
        """The parts of a definition."""
        pattern = self.pattern(name)
        return None if pattern is None else pattern.body

    def alike(self, name: str, style: Style, text: str) -> Iterator[str]:
        """What a definition repeats, or lets be left out, and reads a text, as it is written."""
        for part in _parts(self.body(name)):
            optional_part = isinstance(part, Repeat) and part.least == 0 and part.style is style
            if optional_part and self._part_reads(part, text):
                file = SourceFile.read(part.span.file)
                start, end = file.range(part.span)
                yield file.text[start:end]

    def _part_reads(self, part: Part, text: str) -> bool:
        alone = Pattern("", part.span, part)
        automaton = automaton_of("", lambda name: self.pattern(name) if name else alone)
        if automaton is None:
            return False
        return End(len(text), 0) in alignment(automaton, text, 0, 0, len(text)).ends()

    def reads(self, name: str, text: str) -> bool:
        """Whether a definition reads a text as it is."""
        steps = self._steps(name, text, 0, len(text))
        return steps is not None and all(step.way is Way.READ for step in steps)

    def _preferred(self, rule: TokenRule, actual: Lexeme) -> Iterator[_Option]:
        """The rule before that of the token that was made."""
        maker = next((r for r in self.rules if actual.terminal in r.terminals), rule)
        own, other = self.pattern(rule.name), self.pattern(maker.name)
        if maker is not rule and own is not None and other is not None:
            written = preferred(own, other)
            if written is not None:
                yield _Option(rule.name, f"prefer it to {maker.name}", written)

    # --- tokens that should end earlier ------------------------------------------------------

    def _shorter(self, rule: TokenRule, text: str, end: int, actual: Lexeme) -> Iterator[_Option]:
        """The ways to let the token that was made end earlier."""
        makers = (r for r in self.rules if actual.terminal in r.terminals)
        maker = rule if actual.terminal in rule.terminals else next(makers, None)
        steps = maker and self._steps(maker.name, text, actual.start, actual.end)
        if maker is None or not steps:
            return
        step = next((s for s in steps if s.place == end and s.way is Way.READ), None)
        if step is None or step.edge is None or not isinstance(step.edge.path[-1], Leaf):
            return
        path, leaf = step.edge.path, step.edge.path[-1]
        name, shown = _definition(maker.name, step.edge.path, len(path)), repr(text[end])
        if leaf.style.is_regex and leaf.text == ".":
            yield _Option(name, "read '.' as a full stop only", ((leaf.span, "\\."),))
        for depth in range(len(path) - 1, 0, -1):
            part = path[depth]
            if isinstance(part, Repeat) and part.least == 0:
                whose = _definition(maker.name, path, depth)
                if (written := lazily(part)) is not None:
                    yield _Option(whose, "end the repetition as soon as possible", written)
                row = path[depth - 1]
                if isinstance(row, Row) and len(row.parts) > 1:
                    yield _Option(whose, f"leave out what reads {shown}", without(part))
        quoted_there = isinstance(path[-2] if len(path) > 1 else None, Quoted)
        if not quoted_there and (written := excluded(leaf, text[end])) is not None:
            yield _Option(name, f"do not read {shown}", written)


# --- changes -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Change:
    """Steps of an alignment that read nothing as it is, and the steps around them."""

    before: Sequence[Step]
    steps: Sequence[Step]
    after: Sequence[Step]

    def options(self, rule: str, text: str, maker: _Maker) -> Iterator[_Option]:
        """The ways to write it, the likeliest first."""
        way, place = self.steps[0].way, self.steps[0].place
        if way is Way.PASSED:
            if len(self.steps) == 1 and place < len(text):
                yield from _wider(rule, self.steps[0], text[place])
            yield from self._optional(rule)
            return
        wider = list(self._widened(rule, text[place : self.steps[-1].place + 1]))
        edge = self.steps[0].edge
        put_in = way is Way.PUT_IN or (edge is not None and _is_repeated(edge.path))
        inserted = list(self._inserted(rule, text, maker)) if put_in else []
        part_of_word = text[place].isalnum() or text[place] == "_"
        first = inserted if put_in and not part_of_word else wider
        yield from first
        yield from inserted if first is wider else wider

    def _widened(self, rule: str, new: str) -> Iterator[_Option]:
        """Let a part that reads there, or is repeated beside the place, read more characters."""
        if len(new) > _SHORT or (len(set(map(family, new))) > 1 and not _WORD.fullmatch(new)):
            return
        if self.steps[0].way is Way.IN_PLACE:
            if len({_path([step])[-1:] for step in self.steps}) == 1:
                yield from _wider(rule, self.steps[0], new)
            return
        for step in dict.fromkeys((*self.before[-1:], *self.after[:1])):
            if step.edge is not None and _is_repeated(step.edge.path):
                yield from _wider(rule, step, new)

    def _inserted(self, rule: str, text: str, maker: _Maker) -> Iterator[_Option]:
        for path, after, new in dict.fromkeys(self._gaps(text)):
            style = path[-1].style
            name = _definition(rule, path, len(path))
            known = [part.name for part in _parts(maker.body(name)) if isinstance(part, Call)]
            for like in maker.alike(name, style, new):
                words = f"also allow {like} {'after' if after else 'before'} {_shown(path[-1])}"
                yield _Option(name, words, inserted(path, after, like, ""))
            names = [(n, run) for n in known for run in _runs(new) if maker.reads(n, run)]
            general, several = generalized(style, new, names)
            exact = quoted(style, new)
            forms = [(general, "?"), (general, "*"), (exact, "?")][several:]
            for written, operator in forms:
                more = {"?": "", "*": " any number of times"}[operator]
                words = f"also allow {written}{more} {'after' if after else 'before'} "
                words += _shown(path[-1])
                if operator == "*" or written != exact or general == exact:
                    yield _Option(name, words, inserted(path, after, written, operator))

    def _gaps(self, text: str) -> Iterator[tuple[tuple[Part, ...], bool, str]]:
        """The places for an insertion: the way to a part, whether it goes after that, and the
        text."""
        first, last = self.steps[0].place, self.steps[-1].place + 1
        new = text[first:last]
        before, after = _path(self.before[-1:]), _path(self.after[:1])
        same = len(list(_common(before, after)))
        calls = [n for n, part in enumerate(before[:same]) if isinstance(part, Call)]
        if before and before[-1:] == after[-1:]:  # a repetition there may begin again
            part = _outermost_atom(before)
            again = list(takewhile(lambda s: _path([s])[-1:] == before[-1:], self.after))
            yield part, True, text[first : again[-1].place + 1]
        if calls:  # a definition that is called there may begin again
            call = calls[-1] + 1
            inside = [s for s in self.after if _path([s])[:call] == before[:call]]
            yield before[:call], True, text[first : inside[-1].place + 1]
        if before:
            if after and same < len(before):
                yield before[: same + 1], True, new
            yield _outermost_atom(before), True, new
            if not after:
                yield _in_root_row(before), True, new
        if after:
            yield _outermost_atom(after), False, new
            if not before:
                yield _in_root_row(after), False, new

    def _optional(self, rule: str) -> Iterator[_Option]:
        """Let the part that was passed over be left out."""
        paths = [step.edge.path for step in self.steps if step.edge is not None]
        first, last = paths[0], paths[-1]
        depth = len(list(_common(first, last)))
        if depth == len(first):
            first, stop = _outermost_atom(first), None
        else:
            first, stop = first[: depth + 1], last[depth]
        written = optional(first, stop or first[-1])
        if written is not None:
            words = f"make {_shown(first[-1])} optional"
            yield _Option(_definition(rule, first, len(first)), words, written)


_SHORT = 6
"""The most inserted characters for which a set of characters is widened."""
_WORD = re.compile(r"\w+", re.ASCII)


def _changes(steps: Sequence[Step]) -> Iterator[_Change]:
    """The changes of an alignment, each with the steps around it."""
    groups = [(way, list(group)) for way, group in groupby(steps, key=lambda step: step.way)]
    for place, (way, group) in enumerate(groups):
        if way is not Way.READ:
            before = groups[place - 1][1] if place else ()
            after = [step for _, later in groups[place + 1 :] for step in later]
            yield _Change(before, group, after)


def _path(steps: Sequence[Step]) -> tuple[Part, ...]:
    """The way to the part that reads in the first of some steps; empty if none does."""
    edge = steps[0].edge if steps else None
    return () if edge is None else edge.path


def _wider(rule: str, step: Step, new: str) -> Iterator[_Option]:
    """Let the part of a step read the other characters, or those of their kinds."""
    if step.edge is None:
        return
    path = step.edge.path
    leaf, above = path[-1], path[-2] if len(path) > 1 else None
    if not isinstance(leaf, Leaf):
        return
    within = above if isinstance(above, Quoted) else None
    name = _definition(rule, path, len(path))
    characters = "".join(dict.fromkeys(c for c in new if c not in leaf.characters))
    kinds = "".join(dict.fromkeys(map(family, characters)))
    if kinds != characters and leaf.characters.size > 1:
        option = _widening(name, leaf, within, kinds, plain=False)
        if option is not None:
            yield option
    option = _widening(name, leaf, within, characters, plain=True)
    if option is not None:
        yield option


def _widening(
    rule: str, leaf: Leaf, within: Quoted | None, members: str, *, plain: bool
) -> _Option | None:
    written = widened(leaf, within, members, plain)
    if written is None:
        return None
    words = f"also read {repr(members) if plain else f'[{members}]'} where {leaf.text} is read"
    return _Option(rule, words, written, (leaf, members) if plain and within is None else None)


def _definition(rule: str, path: Sequence[Part], depth: int) -> str:
    """The name of the definition that the first `depth` parts of a way lead into."""
    calls = [part.name for part in path[: depth - 1] if isinstance(part, Call)]
    return calls[-1] if calls else rule


def _common(one: Sequence[Part], other: Sequence[Part]) -> Iterator[Part]:
    """The common beginning of two ways."""
    for part, also in zip(one, other, strict=False):
        if part is not also:
            return
        yield part


def _is_repeated(path: Sequence[Part]) -> bool:
    """Whether a character is read in a repetition of nothing else."""
    for part in reversed(path[:-1]):
        if isinstance(part, Repeat):
            return part.most != 1
        alone = isinstance(part, Row) and len(part.parts) == 1
        if not (alone or isinstance(part, Choice)):
            return False
    return False


def _outermost_atom(path: tuple[Part, ...]) -> tuple[Part, ...]:
    """The way to the largest part around a leaf that holds nothing else of its row."""
    depth = len(path) - 1
    while depth > 1:
        above = path[depth - 1]
        alone = isinstance(above, Row) and len(above.parts) == 1 and not isinstance(above, Quoted)
        if not (alone or isinstance(above, Repeat)):
            break
        depth -= 1
    return path[: depth + 1]


def _in_root_row(path: tuple[Part, ...]) -> tuple[Part, ...]:
    """The way to the part of the outermost row that a leaf is in."""
    for depth, part in enumerate(path[:-1]):
        if isinstance(part, Row):
            return path[: depth + 2]
    return path


def _parts(body: Part | None) -> list[Part]:
    """The parts of a definition, outer ones first."""
    found = [] if body is None else [body]
    for part in found:
        match part:
            case Row(parts=inner) | Choice(rows=inner):
                found.extend(inner)
            case Repeat(body=only):
                found.append(only)
    return list(dict.fromkeys(found))


def _runs(text: str) -> list[str]:
    """The words and numbers in a text."""
    return ["".join(run) for known, run in groupby(text, key=lambda c: c.isalnum()) if known]


def _shown(part: Part) -> str:
    """A part in words."""
    match part:
        case Leaf(text=shown) | Call(name=shown):
            return shown
        case Quoted():
            return repr("".join(leaf.text for leaf in part.parts if isinstance(leaf, Leaf)))
        case Repeat(body=inner) | Row(parts=(inner,)):
            return _shown(inner)
        case Row(parts=(inner, *_)) | Choice(rows=(inner, *_)):
            return f"what begins with {_shown(inner)}"
    return "that"
