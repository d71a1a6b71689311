"""What a JFlex specification says: options, macros, lexical states, rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gramspect.adapter_api import SourceText, Span
from gramspect_cup.jflex.lexemes import Word

__all__ = ["INITIAL", "FlexFile", "FlexRule", "Macro", "Option"]

INITIAL = "YYINITIAL"
"""The lexical state in which scanners begin."""


@dataclass(frozen=True, slots=True)
class Option:
    """A line such as ``%class Lexer``: what stands after the name, and where it stands."""

    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class Macro:
    """``Name = expression``, from `start` to `end` in its file."""

    name: str
    source: SourceText = field(repr=False)
    words: tuple[Word, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FlexRule:
    """A rule: an expression from `start` to `end`, and what is done with what it reads.

    `states` are those that are named before it and around it; without any it belongs to all that
    are not exclusive. `first` is where it begins with its states, `last` where it ends with its
    action. `action` is the code between the braces, None if it is that of the rule after it
    (``|``). `group` is the number of the braces that it stands in, 0 for none.
    """

    source: SourceText = field(repr=False)
    words: tuple[Word, ...]
    states: tuple[str, ...]
    first: int
    start: int
    end: int
    last: int
    action: str | None
    group: int = 0


@dataclass(frozen=True)
class FlexFile:
    """A specification. `sources` are its file and those that it includes; `code` is what stands
    before all else, `option_lines` where another option may be written.

    `exclusive` says of each declared state whether rules without states are left out in it.
    """

    sources: tuple[SourceText, ...] = field(repr=False)
    code: str = field(repr=False)
    options: Mapping[str, Option]
    exclusive: Mapping[str, bool]
    macros: tuple[Macro, ...]
    rules: tuple[FlexRule, ...]
    option_lines: Span

    @property
    def source(self) -> SourceText:
        return self.sources[0]

    def value(self, option: str) -> str:
        """What stands after an option; nothing if it is not there."""
        found = self.options.get(option)
        return "" if found is None else found.value

    @property
    def any_case(self) -> bool:
        """Whether letters are read in either case."""
        return "ignorecase" in self.options or "caseless" in self.options

    def is_initial(self, rule: FlexRule) -> bool:
        """Whether a rule belongs to the state in which scanners begin."""
        return not rule.states or INITIAL in rule.states
