"""Grammars as they are written in ``.lark`` files, with the place of every symbol.

Lark reads the same text and says what is wrong with it. This reader keeps what Lark forgets: where
the symbols stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gramspect.adapter_api import GrammarError, Operator, SourceText, Span
from gramspect_lark.scanner import Kind, Word, words

__all__ = [
    "Branch",
    "Element",
    "GrammarText",
    "Group",
    "Import",
    "Literal",
    "Name",
    "Range",
    "Statement",
    "Usage",
    "all_elements",
    "read_grammar",
]


@dataclass(frozen=True, slots=True)
class Name:
    """A rule or terminal by its name."""

    text: str
    span: Span

    @property
    def is_terminal(self) -> bool:
        return self.text.isupper()


@dataclass(frozen=True, slots=True)
class Literal:
    """A string or regular expression, as it is written."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Range:
    """``"a".."z"``, both ends as they are written."""

    first: str
    last: str
    span: Span

    @property
    def text(self) -> str:
        return f"{self.first}..{self.last}"


@dataclass(frozen=True, slots=True)
class Usage:
    """A template with its arguments, ``list{item, ","}``."""

    name: Name
    arguments: tuple[Element, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Group:
    """A group, option or repetition; `bounds` are those of ``x ~ n..m``, `text` is all of it."""

    operator: Operator
    branches: tuple[Branch, ...]
    span: Span
    text: str
    bounds: tuple[int, int] | None = None


Element = Name | Literal | Range | Usage | Group


@dataclass(frozen=True, slots=True)
class Branch:
    """An alternative; an empty one has the empty span where it could be."""

    elements: tuple[Element, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Statement:
    """The definition of a rule or terminal; `how` is ``""``, ``override`` or ``extend``.

    `text` is the definition on one line. `priority` is where its priority stands, or would, and
    that.
    """

    name: Name
    parameters: tuple[str, ...]
    branches: tuple[Branch, ...]
    how: str = ""
    text: str = ""
    priority: tuple[Span, int] | None = None


@dataclass(frozen=True, slots=True)
class Import:
    """An ``%import``: the path of the grammar, and where the statement stands.

    `names` are those that it brings, as they are called here. `own` is what the only one is called
    there; None if there is a list of them.
    """

    path: tuple[str, ...]
    span: Span
    names: tuple[Name, ...] = ()
    own: Name | None = None


@dataclass(frozen=True, slots=True)
class GrammarText:
    """What a grammar's text says. `declared` are the names that are only declared."""

    statements: tuple[Statement, ...]
    imports: tuple[Import, ...]
    declared: tuple[Name, ...]


def read_grammar(source: SourceText, start: int = 0, end: int | None = None) -> GrammarText:
    """Read a stretch of a text.

    Raises:
        GrammarError: it is no Lark grammar.
    """
    return _Reader(source, words(source, start, end)).grammar()


_VALUES = (Kind.RULE, Kind.TERMINAL, Kind.STRING, Kind.REGEXP)
_MAX_NESTING = 100

_OPERATORS = {"?": Operator.OPTION, "*": Operator.STAR, "+": Operator.PLUS}


class _Reader:
    """Recursive descent over the words."""

    def __init__(self, source: SourceText, found: Iterable[Word]) -> None:
        self._source = source
        self._words = list(found)
        self._next = 0
        self._depth = 0

    # --- words ---------------------------------------------------------------------------

    @property
    def _word(self) -> Word:
        return self._words[self._next]

    def _take(self) -> Word:
        word = self._words[self._next]
        self._next += word.kind is not Kind.END
        return word

    def _at(self, *marks: str) -> bool:
        return self._word.kind is Kind.MARK and self._word.text in marks

    def _skip(self, mark: str) -> bool:
        """Whether the mark was there; it is passed."""
        if self._at(mark):
            self._next += 1
            return True
        return False

    def _expect(self, mark: str) -> Word:
        if not self._at(mark):
            raise self._unexpected(repr(mark))
        return self._take()

    def _name(self) -> Name:
        if self._word.kind not in (Kind.RULE, Kind.TERMINAL):
            raise self._unexpected("a name")
        word = self._take()
        return Name(word.text, word.span)

    def _unexpected(self, wanted: str) -> GrammarError:
        shown = self._word.text.strip() or str(self._word.kind)
        return GrammarError(f"expected {wanted}, not {shown!r}", self._word.span)

    def _text(self, first: int) -> str:
        """What stands from word number `first` to here, on one line."""
        begin, last = self._words[first], self._words[self._next - 1]
        if begin.span.line == last.span.end_line:
            return self._source.text[begin.start : last.start + len(last.text)]
        return " ".join(word.text for word in self._words[first : self._next])

    # --- statements ------------------------------------------------------------------------

    def grammar(self) -> GrammarText:
        statements: list[Statement] = []
        imports: list[Import] = []
        declared: list[Name] = []
        while self._word.kind is not Kind.END:
            if self._word.kind is Kind.LINE_END:
                self._take()
            elif self._word.kind is not Kind.STATEMENT:
                statements.append(self._definition())
            elif self._word.text == "%import":
                imports.append(self._import())
            elif self._word.text == "%declare":
                self._take()
                while self._word.kind in (Kind.RULE, Kind.TERMINAL):
                    declared.append(self._name())
            elif self._word.text == "%ignore":
                self._take()
                self._branches()
            else:
                how = self._take().text.removeprefix("%")
                statements.append(self._definition(how))
        return GrammarText(tuple(statements), tuple(imports), tuple(declared))

    def _import(self) -> Import:
        begin = self._take().span
        path = []
        self._skip(".")
        while self._word.kind in (Kind.RULE, Kind.TERMINAL):
            path.append(self._name())
            self._skip(".")
        several = self._at("(")
        brought = [] if several else path[-1:]
        while self._word.kind not in (Kind.LINE_END, Kind.END):
            if self._word.kind in (Kind.RULE, Kind.TERMINAL):
                brought = [*brought, self._name()] if several else [self._name()]
            else:
                self._take()
        names = [name.text for name in path]
        own = path[-1] if path and not several else None
        return Import(tuple(names if several else names[:-1]), begin, tuple(brought), own)

    def _definition(self, how: str = "") -> Statement:
        while self._at("!", "?"):
            self._take()
        first = self._next
        name = self._name()
        parameters = []
        if self._skip("{"):
            while not self._skip("}"):
                parameters.append(self._name().text)
                self._skip(",")
        priority = self._words[self._next - 1].span.after(), 0
        if self._skip("."):
            begin, number = self._words[self._next - 1], self._take()
            value = int(number.text) if number.kind is Kind.NUMBER else 0
            priority = begin.span.to(number.span), value
        self._expect(":")
        branches = self._branches()
        text = " ".join(self._text(first).split())
        return Statement(name, tuple(parameters), branches, how, text, priority)

    # --- what is on the right-hand sides ----------------------------------------------------

    def _branches(self) -> tuple[Branch, ...]:
        found = [self._branch()]
        while self._at_bar():
            found.append(self._branch())
        return tuple(found)

    def _at_bar(self) -> bool:
        """Whether another branch follows, maybe on a new line; its bar is passed."""
        ahead = self._next
        while self._words[ahead].kind is Kind.LINE_END:
            ahead += 1
        word = self._words[ahead]
        if word.kind is not Kind.MARK or word.text != "|":
            return False
        self._next = ahead + 1
        return True

    def _branch(self) -> Branch:
        elements = []
        begin = self._words[self._next - 1].span.after()
        while self._starts_element():
            elements.append(self._repeated(self._atom()))
        span = elements[0].span.to(elements[-1].span) if elements else begin
        if self._skip("->"):
            self._name()
        return Branch(tuple(elements), span)

    def _starts_element(self) -> bool:
        return self._word.kind in _VALUES or self._at("(", "[")

    def _atom(self) -> Element:
        word, first = self._word, self._next
        if self._skip("("):
            branches = self._inside(word)
            span = word.span.to(self._expect(")").span)
            return Group(Operator.GROUP, branches, span, self._text(first))
        if self._skip("["):
            branches = self._inside(word)
            span = word.span.to(self._expect("]").span)
            return Group(Operator.OPTION, branches, span, self._text(first))
        return self._value()

    def _inside(self, opening: Word) -> tuple[Branch, ...]:
        self._deepen(opening)
        branches = self._branches()
        self._depth -= 1
        return branches

    def _deepen(self, opening: Word) -> None:
        self._depth += 1
        if self._depth > _MAX_NESTING:
            raise GrammarError(f"groups are nested more than {_MAX_NESTING} deep", opening.span)

    def _value(self) -> Element:
        word = self._take()
        if word.kind is Kind.STRING and self._skip(".."):
            last = self._take()
            return Range(word.text, last.text, word.span.to(last.span))
        if word.kind in (Kind.STRING, Kind.REGEXP):
            return Literal(word.text, word.span)
        name = Name(word.text, word.span)
        if not self._skip("{"):
            return name
        arguments = []
        self._deepen(word)
        while not self._at("}"):
            if self._word.kind not in _VALUES:
                raise self._unexpected("'}'")
            arguments.append(self._value())
            self._skip(",")
        self._depth -= 1
        return Usage(name, tuple(arguments), word.span.to(self._take().span))

    def _repeated(self, atom: Element) -> Element:
        """An element with the operator after it, if there is one."""
        operator = _OPERATORS.get(self._word.text) if self._word.kind is Kind.MARK else None
        if operator is None and not self._at("~"):
            return atom
        plain = isinstance(atom, Group) and atom.operator is Operator.GROUP and not atom.bounds
        body = atom.branches if plain and isinstance(atom, Group) else (_alone(atom),)
        span = self._take().span
        if operator is not None:
            return Group(operator, body, atom.span.to(span), "")
        least = most = self._take()
        if self._skip(".."):
            most = self._take()
        bounds = int(least.text), int(most.text)
        text = f"{_shown(atom)}~{least.text}"
        if most is not least:
            text += f"..{most.text}"
        return Group(Operator.GROUP, body, atom.span.to(most.span), text, bounds)


def _alone(element: Element) -> Branch:
    return Branch((element,), element.span)


def _shown(element: Element) -> str:
    """An element as it is written, on one line."""
    if isinstance(element, Group):
        return element.text or "( ... )"
    return element.name.text if isinstance(element, Usage) else element.text


def all_elements(branch: Branch) -> Iterator[Element]:
    """The elements of a branch, including those inside others."""
    pending: list[Iterable[Element]] = [branch.elements]
    while pending:
        for element in pending.pop():
            yield element
            if isinstance(element, Usage):
                pending.append((element.name, *element.arguments))
            elif isinstance(element, Group):
                pending.extend(inner.elements for inner in element.branches)
