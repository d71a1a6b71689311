"""Reads JFlex specifications: options, macros and rules with their places.

JFlex itself reads the same file and says what is wrong with it; this reader takes more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from gramspect.adapter_api import GrammarError, SourceText, read_grammar_file
from gramspect_cup.jflex.lexemes import (
    Ending,
    end_of_code,
    end_of_comment,
    scan,
)
from gramspect_cup.jflex.syntax import FlexFile, FlexRule, Macro, Option

__all__ = ["read_flex"]

_DIVIDER = re.compile(r"^%%.*\n?", re.MULTILINE)
_BLOCK = re.compile(r"%(?:init|initthrow|eof|eofthrow|yylexthrow|eofval)?\{.*\n?")
_BLOCK_END = re.compile(
    r"^%(?:init|initthrow|eof|eofthrow|yylexthrow|eofval)?\}.*\n?", re.MULTILINE
)
_OPTION = re.compile(r"%(\w+)[ \t]*([^\n]*)\n?")
_MACRO = re.compile(r"([^\W\d][\w$]*)\s*=[ \t]*")
_STATES = re.compile(r"<(\s*[^\W\d][\w$]*(?:[\s,]+[^\W\d][\w$]*)*\s*)>\s*")
_END_RULE = re.compile(r"<<EOF>>\s*")
_INCLUDE = re.compile(r"[ \t]*%include[ \t]+([^\n]*)\n?")
_USE = re.compile(r"\{[ \t]*(?:[^\W\d][\w$]*[ \t]*\}|\d)")
_STATE_OPTIONS = {"s": False, "state": False, "states": False, "x": True, "xstate": True}
_STATE_OPTIONS |= {"xstates": True}
_SAME = {"full": "8bit", "16bit": "unicode"}


def read_flex(path: str | Path) -> FlexFile:
    """Read a specification.

    Raises:
        GrammarError: it cannot be read, or is none.
    """
    source, _ = read_grammar_file(path)
    return _Reader(source).file()


@dataclass
class _Reader:
    source: SourceText
    sources: list[SourceText] = field(default_factory=list)
    options: dict[str, Option] = field(default_factory=dict)
    exclusive: dict[str, bool] = field(default_factory=dict)
    macros: list[Macro] = field(default_factory=list)
    rules: list[FlexRule] = field(default_factory=list)
    groups: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    n_groups: int = 0

    def file(self) -> FlexFile:
        self.sources.append(self.source)
        first = _DIVIDER.search(self.source.text)
        if first is None:
            raise GrammarError(
                "this is no JFlex specification: no line begins with %%",
                self.source.span(0, 0),
            )
        self.rules_of(self.source, self.declarations(self.source, first.end()))
        return FlexFile(
            tuple(self.sources),
            self.source.text[: first.start()],
            self.options,
            self.exclusive,
            tuple(self.macros),
            tuple(self.rules),
            self.source.span(first.end(), first.end()),
        )

    # --- the second part ---------------------------------------------------------------------

    def declarations(self, source: SourceText, place: int) -> int:
        """Options and macros from an offset on; where the rules begin."""
        text = source.text
        while place < len(text):
            if (divider := _DIVIDER.match(text, place)) is not None and _begins_line(text, place):
                return divider.end()
            if (block := _BLOCK.match(text, place)) is not None:
                place = self._after_block(source, block)
            elif (option := _OPTION.match(text, place)) is not None:
                self._option(source, option)
                place = option.end()
            elif text.startswith("/*", place):
                place = end_of_comment(source, place)
            elif text.startswith("//", place):
                place = _after_line(text, place)
            elif (macro := _MACRO.match(text, place)) is not None:
                place = self._macro(source, macro)
            else:
                place += 1
        return place

    def _after_block(self, source: SourceText, block: re.Match[str]) -> int:
        end = _BLOCK_END.search(source.text, block.end())
        if end is None:
            written = block[0].split("{")[0]
            raise GrammarError(
                f"this code does not end; close it with a line {written}}}",
                source.span(block.start(), block.start() + len(written) + 1),
            )
        return end.end()

    def _option(self, source: SourceText, found: re.Match[str]) -> None:
        name, value = found[1], found[2].split("//")[0].strip()
        if name in _STATE_OPTIONS:
            for state in re.findall(r"[^\W\d][\w$]*", value):
                self.exclusive[state] = _STATE_OPTIONS[name]
        elif name == "include":
            self._include(source, value, found.start())
        else:
            known = self.options.get(name)
            whole = f"{known.value}, {value}" if known and name == "implements" else value
            span = source.span(found.start(), found.start() + 1 + len(name))
            self.options[_SAME.get(name, name)] = Option(whole, span)

    def _include(self, source: SourceText, name: str, place: int, *, rules: bool = False) -> None:
        path = Path(source.file).parent / name
        known = {Path(one.file).resolve() for one in self.sources}
        if path.resolve() in known:
            return  # JFlex says that files go round in circles, if they do
        try:
            included, _ = read_grammar_file(path)
        except GrammarError as problem:
            raise GrammarError(
                f"the included file cannot be read: {problem.message}",
                source.span(place, place + len("%include")),
            ) from None
        self.sources.append(included)
        if rules:
            self.rules_of(included, 0)
        else:
            self.declarations(included, 0)

    def _macro(self, source: SourceText, found: re.Match[str]) -> int:
        expression = scan(source, found.end(), macro=True)
        words = expression.words
        end = words[-1].end if words else found.end()
        self.macros.append(Macro(found[1], source, words, found.start(), end))
        return expression.place

    # --- the third part ----------------------------------------------------------------------

    def rules_of(self, source: SourceText, place: int) -> None:
        """The rules from an offset on."""
        text = source.text
        while place < len(text):
            if (include := _INCLUDE.match(text, place)) is not None and _begins_line(text, place):
                self._include(source, include[1].strip(), include.start(), rules=True)
                place = include.end()
            elif text[place].isspace():
                place += 1
            elif text.startswith("/*", place):
                place = end_of_comment(source, place)
            elif text.startswith("//", place):
                place = _after_line(text, place)
            elif text[place] == "}":
                if self.groups:
                    self.groups.pop()
                place += 1
            else:
                place = self._rule(source, place)

    def _rule(self, source: SourceText, first: int) -> int:
        """A rule, or the beginning of a group of rules in some states; where it ends."""
        text, place, own = source.text, first, tuple[str, ...]()
        if (states := _STATES.match(text, place)) is not None:
            own, place = tuple(re.findall(r"[\w$]+", states[1])), states.end()
            if text.startswith("{", place) and _USE.match(text, place) is None:
                self.n_groups += 1
                self.groups.append((self.n_groups, own))
                return place + 1
        if (end_rule := _END_RULE.match(text, place)) is not None:
            place = end_rule.end()
            return end_of_code(source, place) if text.startswith("{", place) else place + 1
        expression = scan(source, place)
        if not expression.words:
            return max(expression.place, place + 1)
        last, action = expression.place, None
        if expression.ending is Ending.ACTION:
            last = end_of_code(source, expression.place)
            action = text[expression.place + 1 : last - 1]
        outer = [state for _, states in self.groups for state in states]
        self.rules.append(
            FlexRule(
                source, expression.words, tuple(dict.fromkeys((*own, *outer))), first,
                expression.words[0].start, expression.words[-1].end, last, action,
                self.groups[-1][0] if self.groups else 0,
            )
        )  # fmt: skip
        return last


def _begins_line(text: str, place: int) -> bool:
    return place == 0 or text[place - 1] == "\n"


def _after_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end + 1
