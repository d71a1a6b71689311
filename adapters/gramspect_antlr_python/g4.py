"""A light reader of .g4 files: the parser rules with their positions.

A generated parser does not need its grammar, so this reads only what a report shows: alternatives,
blocks and elements, and where they are. Actions, arguments, labels, options and comments are passed
over; lexer rules too. Text that this reader does not understand costs the rule that it is in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gramspect.adapter_api import (
    Alternative,
    Block,
    Definition,
    Element,
    Operator,
    Reference,
    SourceText,
    Span,
)
from gramspect_antlr_python.vocabulary import Vocabulary

__all__ = ["read_rules"]

_TOKEN = re.compile(
    r"""
      (?P<space>  \s+ | //[^\n]* | /\*.*?\*/ )
    | (?P<literal> '(?: \\. | [^'\\\n] )*' )
    | (?P<name>   [^\W\d]\w* )
    | (?P<mark>   -> | \+= | :: | \.\. | . )
    """,
    re.VERBOSE | re.DOTALL,
)
_IN_ACTION = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | \\. | [{}]""",
    re.VERBOSE | re.DOTALL,
)
_IN_BRACKETS = re.compile(r"\\.|[\[\]]", re.DOTALL)
_BEFORE_COLON = ("returns", "locals", "throws", ",", "options")
_SUFFIXES = {"?": Operator.OPTION, "*": Operator.STAR, "+": Operator.PLUS}


class _NotUnderstood(Exception):
    pass


@dataclass(frozen=True, slots=True)
class _Lexeme:
    """`kind` is ``name``, ``literal``, ``action``, ``brackets``, ``mark`` or ``end``."""

    kind: str
    text: str
    start: int
    end: int


def read_rules(path: Path, vocabulary: Vocabulary) -> dict[str, Definition]:
    """The parser rules of a grammar and of those it imports from the same folder, by name."""
    found: dict[str, Definition] = {}
    pending, known = [path], {path}
    while pending:
        file = pending.pop(0)
        try:
            text = file.read_text(encoding="utf-8-sig", errors="replace")
        except OSError:
            continue
        reader = _Reader(SourceText(str(file), text), vocabulary.numbers(), vocabulary)
        for definition in reader.rules():
            found.setdefault(definition.name, definition)
        imported = [path.parent / f"{name}.g4" for name in reader.imports]
        pending += [file for file in imported if file not in known]
        known.update(imported)
    return found


def _lexemes(text: str) -> Iterator[_Lexeme]:
    """The lexemes of a grammar. Actions and bracketed texts are one each."""
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        assert found is not None
        kind, end = found.lastgroup or "", found.end()
        if found[0] in ("{", "["):
            kind = "action" if found[0] == "{" else "brackets"
            end = _closed(text, end, _IN_ACTION if kind == "action" else _IN_BRACKETS)
        if kind != "space":
            yield _Lexeme(kind, text[at:end], at, end)
        at = end
    yield _Lexeme("end", "", len(text), len(text))


def _closed(text: str, at: int, inside: re.Pattern[str]) -> int:
    """The end of an action or of brackets (which do not nest); `inside` finds their marks."""
    depth = 1
    for found in inside.finditer(text, at):
        if found[0] == "{":
            depth += 1
        elif found[0] in ("}", "]"):
            depth -= 1
        if depth == 0:
            return found.end()
    return len(text)


class _Reader:
    def __init__(
        self, source: SourceText, types: Mapping[str, int], vocabulary: Vocabulary
    ) -> None:
        self._source = source
        self._types = types
        self._vocabulary = vocabulary
        self._lexemes = list(_lexemes(source.text))
        self._at = 0
        self.imports: list[str] = []

    # --- lexemes -------------------------------------------------------------------------

    @property
    def _next(self) -> _Lexeme:
        return self._lexemes[self._at]

    def _take(self) -> _Lexeme:
        taken = self._next
        self._at = min(self._at + 1, len(self._lexemes) - 1)
        return taken

    def _is(self, *texts: str) -> bool:
        return self._next.kind in ("mark", "name") and self._next.text in texts

    def _skip(self, *texts: str) -> bool:
        """Pass one of some lexemes if it is there."""
        if self._is(*texts):
            self._take()
            return True
        return False

    def _skip_to(self, *texts: str) -> None:
        while self._next.kind != "end" and not self._is(*texts):
            self._take()

    def _span(self, start: int) -> Span:
        """From an offset to the end of the lexeme taken last."""
        return self._source.span(start, max(start, self._lexemes[self._at - 1].end))

    # --- the file ------------------------------------------------------------------------

    def rules(self) -> Iterator[Definition]:
        """The parser rules. One that is not understood is left out."""
        while self._next.kind != "end":
            name = self._take()
            if name.text == "@":
                self._named_action()
            elif name.kind != "name":
                continue
            elif name.text == "import":
                start = self._at
                self._skip_to(";")
                names = [lexeme.text for lexeme in self._lexemes[start : self._at]]
                self.imports += [t for t in names if t not in (",", "=")]
            elif not self._heads_rule():
                continue
            elif name.text[0].islower():
                start = self._at
                try:
                    yield self._rule(name)
                except _NotUnderstood:
                    self._at = start
                    self._skip_to(";")
            else:
                self._skip_to(";")

    def _heads_rule(self) -> bool:
        """Whether the name before this is that of a rule; what is before its colon is passed."""
        start = self._at
        while True:
            if self._skip("@"):
                self._named_action()
            elif self._next.kind == "brackets" or self._skip(*_BEFORE_COLON):
                self._take()
            else:
                break
        if self._is(":"):
            return True
        self._at = start
        return False

    def _named_action(self) -> None:
        """What is after the ``@`` of an action such as ``@parser::members {...}``."""
        while self._next.kind == "name" or self._is("::", ":"):
            self._take()
        if self._next.kind == "action":
            self._take()

    def _rule(self, name: _Lexeme) -> Definition:
        self._take()
        alternatives = self._alternatives()
        if not self._skip(";"):
            raise _NotUnderstood
        return Definition(name.text, alternatives, self._source.span(name.start, name.end))

    # --- alternatives and elements -------------------------------------------------------

    def _alternatives(self) -> tuple[Alternative, ...]:
        found = [self._alternative()]
        while self._skip("|"):
            found.append(self._alternative())
        return tuple(found)

    def _alternative(self) -> Alternative:
        self._options()
        elements: list[Element] = []
        while not self._is("|", ";", ")", "#", "->"):
            if self._next.kind == "end":
                raise _NotUnderstood
            if self._next.kind == "action":
                self._take()
                self._skip("?")
                self._options()
            else:
                elements.append(self._element())
        if self._skip("#"):
            self._take()
        spans = [element.span for element in elements if element.span is not None]
        here = self._source.span(self._next.start, self._next.start)
        return Alternative(tuple(elements), spans[0].to(spans[-1]) if spans else here)

    def _options(self) -> None:
        """``<assoc=right>`` and the like."""
        if self._skip("<"):
            self._skip_to(">")
            self._take()

    def _element(self) -> Element:
        start = self._next.start
        labelled = self._next.kind == "name" and self._lexemes[self._at + 1].text in ("=", "+=")
        if labelled:
            self._take()
            self._take()
        element = self._atom()
        self._options()
        if self._is(*_SUFFIXES):
            operator = _SUFFIXES[self._take().text]
            self._skip("?")
            alternatives: tuple[Alternative, ...] = (Alternative((element,), element.span),)
            if isinstance(element, Block) and element.operator is Operator.GROUP and not labelled:
                alternatives = element.alternatives  # a label belongs to the group, ? to both
            return Block(operator, alternatives, self._span(start))
        return element

    def _atom(self) -> Element:
        taken = self._take()
        if taken.kind == "literal":
            return self._token(taken)
        if taken.kind == "name":
            span = self._source.span(taken.start, taken.end)
            if taken.text[0].isupper():
                return self._token(taken)
            if self._next.kind == "brackets":
                self._take()
            return Reference(taken.text, span)
        if taken.text == ".":
            return self._vocabulary.all_but([], self._span(taken.start), ".")
        if taken.text == "~":
            return self._complement(taken.start)
        if taken.text == "(":
            return self._group(taken.start)
        raise _NotUnderstood

    def _token(self, lexeme: _Lexeme) -> Reference:
        token = self._types.get(lexeme.text)
        if token is None:
            raise _NotUnderstood
        name = self._vocabulary.name(token)
        return Reference(name, self._source.span(lexeme.start, lexeme.end), lexeme.text)

    def _group(self, start: int) -> Block:
        if self._is("options", "@"):
            self._skip_to(":")
        self._skip(":")
        alternatives = self._alternatives()
        if not self._skip(")"):
            raise _NotUnderstood
        return Block(Operator.GROUP, alternatives, self._span(start))

    def _complement(self, start: int) -> Block:
        tokens = []
        if self._skip("("):
            while True:
                tokens.append(self._token(self._take()))
                self._options()
                if not self._skip("|"):
                    break
            if not self._skip(")"):
                raise _NotUnderstood
        else:
            tokens.append(self._token(self._take()))
        span = self._span(start)
        text = self._source.text[start : self._lexemes[self._at - 1].end]
        types = [self._types[token.name] for token in tokens]
        return self._vocabulary.all_but(types, span, " ".join(text.split()))
