"""Definitions of token rules as they are written, and how they read stretches of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gramspect.edits.writing.files import SourceFile
from gramspect.lexer_faults.candidates import LIMIT, WINDOW
from gramspect.lexer_faults.letters import lacking
from gramspect.lexer_faults.mended import Mended, mended
from gramspect.lexer_faults.paths import parts_of
from gramspect.lexical.automaton import Edge
from gramspect.lexical.nearness import UNIT, End, Step, Way, alignment, reads
from gramspect.lexical.parts import Call, Part, Pattern, Repeat, Style
from gramspect.lexical.patterns import automaton_of
from gramspect.recognition.recognizer import TokenRuleWriting

__all__ = ["Definitions"]


@dataclass(frozen=True)
class Definitions:
    """The definitions of one parser's token rules, by their names; each is read once.

    `files` are those of the user's own definitions.
    """

    writing: TokenRuleWriting
    files: frozenset[str]
    _patterns: dict[str, Pattern | None] = field(default_factory=dict)

    def pattern(self, name: str) -> Pattern | None:
        """The definition of a rule; none if the adapter cannot give it."""
        if name not in self._patterns:
            self._patterns[name] = self.writing.token_pattern(name)
        return self._patterns[name]

    def steps(self, name: str, text: str, start: int, end: int) -> list[Step] | None:
        """How a stretch of text is aligned with a definition."""
        automaton = automaton_of(name, self.pattern)
        if automaton is None:
            return None
        window = max(WINDOW, end - start)
        aligned = alignment(automaton, text, start, round((LIMIT + 1) * UNIT), window)
        cost = next((found.cost for found in aligned.ends() if found.place == end), None)
        return None if cost is None else aligned.steps(End(end, cost))

    def ends(self, name: str, text: str, start: int) -> list[int]:
        """Where tokens of a definition end that begin at a place, the longest first."""
        automaton = automaton_of(name, self.pattern)
        found = [] if automaton is None else alignment(automaton, text, start, 0, WINDOW).ends()
        return [end.place for end in reversed(found)]

    def lacking(self, name: str, text: str, start: int) -> list[Edge]:
        """The edges of a definition that lack a letter of the word at a place only in its case."""
        automaton = automaton_of(name, self.pattern)
        return [] if automaton is None else lacking(automaton, text, start, WINDOW)[1]

    def mended(self, name: str, text: str, start: int, end: int) -> Iterator[Mended]:
        """The changes of a definition, used several times, with which it reads a stretch."""
        automaton = automaton_of(name, self.pattern)
        if automaton is not None:
            found = mended(automaton, text, start, max(WINDOW, end - start))
            yield from (one for one in found if one.end == end and one.n_changes == 1)

    def is_foreign(self, call: Part) -> bool:
        """Whether a part calls a definition that comes with the tool."""
        pattern = self.pattern(call.name) if isinstance(call, Call) else None
        return pattern is not None and pattern.named.file not in self.files

    def is_single(self, name: str) -> bool:
        """Whether a definition reads nothing but single characters."""
        automaton = automaton_of(name, self.pattern)
        return automaton is not None and automaton.single

    def body(self, name: str) -> Part | None:
        """The parts of a definition."""
        pattern = self.pattern(name)
        return None if pattern is None else pattern.body

    def alike(self, name: str, style: Style, text: str) -> Iterator[str]:
        """What a definition repeats, or lets be left out, and reads a text, as it is written."""
        for part in parts_of(self.body(name)):
            optional_part = isinstance(part, Repeat) and part.least == 0 and part.style is style
            if optional_part and self._part_reads(part, text):
                file = SourceFile.read(part.span.file)
                start, end = file.range(part.span)
                yield file.text[start:end]

    def _part_reads(self, part: Part, text: str) -> bool:
        alone = Pattern("", part.span, part)
        automaton = automaton_of("", lambda name: self.pattern(name) if name else alone)
        return automaton is not None and reads(automaton, text)

    def reads(self, name: str, text: str) -> bool:
        """Whether a definition reads a text as it is."""
        steps = self.steps(name, text, 0, len(text))
        return steps is not None and all(step.way is Way.READ for step in steps)
