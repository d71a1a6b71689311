"""Edits in grammars with groups, options and repetitions: ANTLR's, Lark's and JavaCC's.

Most edits are made in place: ``( q )?`` before a symbol, ``( x | q )`` around it, ``( rest )?``
around the end of a rule. Where that is not possible, or is asked for, there is a new alternative.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from gramspect.edits.model import NEW_TOKEN, Edit, EditKind, applied, left_out, new_texts, replaced
from gramspect.edits.writing import layout
from gramspect.edits.writing.calls import around_call, as_calls, calls_in
from gramspect.edits.writing.files import Replacement, SourceFile, Unwritable
from gramspect.edits.writing.regions import Notation, Region
from gramspect.edits.writing.spelling import as_the_file_says, names_in
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Operator, Rule

__all__ = ["ebnf_edit"]

_ATOM = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"i?|[^\W\d]\w*|/(?:\\.|[^/\\])+/\w*""")
_PARENTHESES = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[()]""")
_LABEL = re.compile(r"[^\W\d]\w*\s*\+?=\s*\Z")
_ARGUMENTS = re.compile(r"\[[^\]]*\]|<[^>]*>")
_SUFFIX = re.compile(r"[?*+]\??\Z")
_LABEL_AT_END = re.compile(r"(?:#|->)\s*\w+\s*\Z")


def ebnf_edit(
    grammar: Grammar,
    edit: Edit,
    file: SourceFile,
    notation: Notation,
    *,
    apart: bool = False,
    new: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Replacement, ...]:
    """The edit as changes of the text; with `apart` as a new alternative if it can be one.

    `new` says how rules name the texts of new tokens; others are literals.

    Raises:
        Unwritable: it cannot be written there.
    """
    index, dot = grammar.split_item(edit.item)
    rule = grammar.rules[index]
    writer = _Writer(grammar, rule, dot, edit, file, notation, new)
    operator = grammar.symbols[rule.lhs].operator
    if operator in (Operator.STAR, Operator.PLUS):
        return (writer.in_repetition(operator),)
    if operator is Operator.SET:
        if edit.kind in (EditKind.REPLACE, EditKind.END) and dot == 0 and edit.symbols:
            block = writer.block()
            return (Replacement(block.start, block.end, f"( {block.text} | {writer.new} )"),)
        raise Unwritable("one token of a set cannot be changed by itself")
    if operator is Operator.OPTION and (change := writer.in_option()) is not None:
        return (change,)
    if edit.kind.restrictive:
        return writer.restricted()
    return (writer.alternative() if apart else writer.extended(),)


@dataclass(frozen=True, slots=True)
class _Block:
    """A group, option or repetition in the text: ``body`` with its parentheses, and the suffix."""

    start: int
    end: int
    text: str
    body: str
    suffix: str


@dataclass(frozen=True)
class _Writer:
    grammar: Grammar
    rule: Rule
    dot: int
    edit: Edit
    file: SourceFile
    notation: Notation
    named: Mapping[str, str]

    # --- words ---------------------------------------------------------------------------

    @property
    def new(self) -> str:
        """The new symbols as the user would write them."""
        return " ".join(self._words(self.edit.symbols))

    def _words(
        self, symbols: Sequence[int], replaced: Mapping[int, str] = MappingProxyType({})
    ) -> Iterator[str]:
        """Symbols that are not in the text yet; `replaced` are texts of those that they replace."""
        known, new = self.grammar.symbols, new_texts(symbols, self.edit.texts)
        for symbol in symbols:
            if symbol in replaced:
                yield replaced[symbol]
            elif symbol == NEW_TOKEN:
                text = next(new)
                yield self.named.get(text) or self.notation.literal(text, self.file.text)
            elif self.notation.importing:
                word = known[symbol].display
                yield as_the_file_says(word, self._names, self.grammar, self.file)
            elif self.notation.methods:
                yield as_calls(known[symbol].display, self._calls, self.grammar)
            else:
                yield known[symbol].display

    @cached_property
    def _names(self) -> Mapping[str, str]:
        return names_in(self.grammar, self.file)

    @cached_property
    def _calls(self) -> Mapping[str, str]:
        return calls_in(self.grammar, self.file)

    @property
    def maybe_new(self) -> str:
        """The new symbols as an option."""
        symbols = self.edit.symbols
        operator = self.grammar.symbols[symbols[0]].operator if len(symbols) == 1 else None
        return self._optional(self.new, operator)

    def _range(self, dot: int) -> tuple[int, int]:
        """Where an element is written, with its label and its arguments."""
        span = self.rule.rhs_spans[dot]
        if span is None:
            raise Unwritable("it is not known where the symbol is written")
        start, end = self.file.range(span)
        if self.notation.methods:
            return around_call(self.file.text, start, end)
        if self.notation.name != "antlr":
            return start, end
        label = _LABEL.search(self.file.text, max(0, start - 200), start)
        arguments = _ARGUMENTS.match(self.file.text, end)
        return label.start() if label else start, arguments.end() if arguments else end

    def _text(self, dot: int) -> str:
        return self.file.text[slice(*self._range(dot))]

    def _region(self) -> Region:
        if self.rule.span is None:
            raise Unwritable("the rule is in no file")
        return self.notation.region(self.file, *self.file.range(self.rule.span))

    # --- extending an alternative --------------------------------------------------------

    def extended(self) -> Replacement:
        """The edit in place, or as a new alternative where that is no change inside this one."""
        kind, dot, length = self.edit.kind, self.dot, len(self.rule.rhs)
        recursive = dot == 0 and self.rule.rhs[:1] == (self.rule.lhs,)  # ANTLR wants that in front
        instead = kind is EditKind.REPLACE and length == 1 and self.new
        if (n_left_out := left_out(self.grammar, self.edit)) and not recursive:
            start, end = self._range(dot)[0], self._range(dot + n_left_out - 1)[1]
            operator = self.grammar.symbols[self.rule.rhs[dot]].operator
            own = operator if n_left_out == 1 else None
            return Replacement(start, end, self._optional(self.file.text[start:end], own))
        if not length or recursive or instead or (kind is EditKind.END and dot == 0):
            return self.alternative()
        if dot == length:
            _, end = self._range(dot - 1)
            return Replacement(end, end, f" {self.maybe_new}")
        start, _ = self._range(dot)
        if kind is EditKind.INSERT:
            return Replacement(start, start, f"{self.maybe_new} ")
        n_replaced, n_new = replaced(self.grammar, self.edit)
        last = dot if kind is EditKind.REPLACE else dot + (n_replaced or length - dot) - 1
        _, end = self._range(last)
        new = self.edit.symbols[:n_new] if n_replaced else self.edit.symbols
        return Replacement(start, end, self._or_new(self.file.text[start:end], dot, last, new))

    def _or_new(self, text: str, first: int, last: int, symbols: Sequence[int]) -> str:
        """Some elements, or the new symbols instead."""
        operator = self.grammar.symbols[self.rule.rhs[first]].operator if first == last else None
        is_group = operator is Operator.GROUP and _is_group(text)
        if not symbols:
            return f"{text}?" if is_group else self._optional(text, operator)
        own: dict[int, str] = {}
        if self.notation.methods:  # code after it may need what it is assigned to
            own = {self.rule.rhs[dot]: self._text(dot) for dot in range(first, last + 1)}
        new = " ".join(self._words(symbols, own))
        inner = _ended(text[:-1].rstrip()) if is_group else f"( {_ended(text)}"
        return f"{inner} | {new} )"

    def alternative(self) -> Replacement:
        """A new alternative after this one, with the same label or alias."""
        region = self._region()
        index, _ = self.grammar.split_item(self.edit.item)
        rule = applied(self.grammar, self.edit).rules[index + 1]
        known = {span: dot for dot, span in enumerate(self.rule.rhs_spans) if span is not None}
        spans = rule.rhs_spans
        new = self._words([s for s, span in zip(rule.rhs, spans, strict=True) if span is None])
        words = [next(new) if span is None else self._text(known[span]) for span in spans]
        if self.notation.methods and rule.rhs[:1] == (rule.lhs,):
            raise Unwritable("JavaCC takes no left recursion")
        label = None
        if not self.notation.methods:  # there it is a node, of the last symbol or of a group
            label = _LABEL_AT_END.search(self.file.text[region.start : region.end])
        if self.notation.methods and not words:
            words = ["{}"]
        return layout.added(self.file, region, " ".join([*words, *([label[0]] if label else [])]))

    # --- restricting one -----------------------------------------------------------------

    def restricted(self) -> tuple[Replacement, ...]:
        """A changed alternative, or none."""
        kind, dot = self.edit.kind, self.dot
        if kind is EditKind.DROP:
            return (layout.dropped(self.file, self._region()),)
        if kind is EditKind.SWAP:
            one, other = self._range(dot), self._range(dot + 1)
            return Replacement(*one, self._text(dot + 1)), Replacement(*other, self._text(dot))
        if kind is EditKind.NARROW:
            start, end = self._range(dot)
            if not self.new:
                alone = self.notation.methods and len(self.rule.rhs) == 1
                gone = Replacement(start, end, "{}")
                return (gone if alone else layout.removed(self.file, start, end),)
            span = self.rule.rhs_spans[dot]
            if len(self.edit.symbols) == 1 and span is not None:
                start, end = self._range_of_name(start, end, *self.file.range(span))
            return (Replacement(start, end, self.new),)
        if dot < len(self.rule.rhs):
            start, _ = self._range(dot)
            return (Replacement(start, start, f"{self.new} "),)
        _, end = self._range(dot - 1) if dot else (0, self._region().end)
        return (Replacement(end, end, f" {self.new}"),)

    # --- operators -----------------------------------------------------------------------

    def _is_single(self, text: str) -> bool:
        """Whether an operator may follow a text."""
        return _is_group(text) or (not self.notation.methods and _ATOM.fullmatch(text) is not None)

    def _optional(self, text: str, operator: Operator | None = None) -> str:
        """A text as an option; `operator` is its own one if it is a single element."""
        suffix = _SUFFIX.search(text)
        if suffix and operator is Operator.PLUS:
            return f"{text[: suffix.start()]}{suffix[0].replace('+', '*')}"
        if operator in (Operator.OPTION, Operator.STAR):
            return text
        return f"{text}?" if self._is_single(text) else f"( {text} )?"

    def _grouped(self, text: str, *, bare: bool = False) -> str:
        """A text as one element; with `bare` it may be several, but no alternatives."""
        if bare and " | " not in text:
            return text
        return text if self._is_single(text) else f"( {text} )"

    def _range_of_name(self, start: int, end: int, first: int, last: int) -> tuple[int, int]:
        """What goes for another symbol: the name without its label, but with its arguments; all
        where a token goes for a call, or a call for a token."""
        if not self.notation.methods:
            return first, last
        old, new = self.rule.rhs[self.dot], self.edit.symbols[0]
        calls = [s != NEW_TOKEN and not self.grammar.is_terminal(s) for s in (old, new)]
        if calls[0] != calls[1]:
            return start, end
        return first, end if calls[0] else last

    # --- inside of operators -------------------------------------------------------------

    def block(self) -> _Block:
        """The operator that the rule is in, as it is written."""
        span = self.grammar.symbols[self.rule.lhs].span
        if span is None:
            raise Unwritable("it is not known where the operator is written")
        start, end = self.file.range(span)
        text = self.file.text[start:end]
        suffix = _SUFFIX.search(text)
        body = text[: suffix.start()].rstrip() if suffix else text
        return _Block(start, end, text, body, suffix[0] if suffix else "")

    def repeated(self) -> Replacement:
        """An option that may be taken several times."""
        block = self.block()
        body = f"({block.text[1:-1]})" if block.text.startswith("[") else block.body
        suffix = block.suffix.replace("?", "*", 1) or "*"
        return Replacement(block.start, block.end, f"{body}{suffix}")

    def in_option(self) -> Replacement | None:
        """An edit of an option as a whole; None if it is one of what stands in its parentheses."""
        if not self.rule.rhs:
            return self.in_empty_option()
        if self.edit.symbols[:1] == (self.rule.lhs,):
            return self.repeated()
        is_alone = len(self.grammar.rules_of[self.rule.lhs]) == 2
        if self.edit.kind is EditKind.DROP and is_alone:
            return self.without_option()
        return None if self.block().body.startswith(("(", "[")) else self.in_bare_option()

    def without_option(self) -> Replacement:
        """The option taken out, with its label."""
        block = self.block()
        label = _LABEL.search(self.file.text, max(0, block.start - 200), block.start)
        start = label.start() if label and self.notation.name == "antlr" else block.start
        return layout.removed(self.file, start, block.end)

    def in_bare_option(self) -> Replacement:
        """An edit in ``x?``, which needs parentheses then."""
        block, kind = self.block(), self.edit.kind
        if kind is EditKind.NARROW:
            body = self.new
        elif kind is EditKind.REQUIRE:
            body = f"{block.body} {self.new}" if self.dot else f"{self.new} {block.body}"
        elif not kind.restrictive:
            body = self._round(block.body, self.dot)
        else:
            body = ""
        if not (body and (self.new or kind.restrictive)):
            raise Unwritable("nothing would be left of the option")
        return Replacement(block.start, block.end, f"{self._grouped(body)}{block.suffix}")

    def in_empty_option(self) -> Replacement:
        """An edit at the empty alternative of an option."""
        block = self.block()
        if self.edit.kind is EditKind.DROP:
            body = f"({block.text[1:-1]})" if block.text.startswith("[") else block.body
            return Replacement(block.start, block.end, body)
        if self.edit.kind.restrictive:
            raise Unwritable("the option has no text of its own for nothing")
        return Replacement(block.start, block.end, f"{_either(block.body, self.new)}{block.suffix}")

    def in_repetition(self, operator: Operator) -> Replacement:
        """An edit of ``x*`` or ``x+``: in the first round, in further ones, or of the operator."""
        block = self.block()
        again = self.rule.rhs[:1] == (self.rule.lhs,)
        if self.edit.kind.restrictive:
            text = self._separated(operator, block) if again and self.dot == 1 else None
            text = text or block.body + self._other_suffix(operator, again, block)
            return Replacement(block.start, block.end, text)
        rest = f"{block.body}{block.suffix.replace('+', '*')}"
        if not again:
            text = self._first_round(operator, block, rest)
        elif self.dot == 0:
            raise Unwritable("a repetition cannot be changed in front of what it has read")
        else:
            further = self._round(block.body, self.dot - 1)
            first = f"{block.body} " if operator is Operator.PLUS else ""
            text = f"{first}{self._grouped(further)}{block.suffix.replace('+', '*')}"
        return Replacement(block.start, block.end, text)

    def _first_round(self, operator: Operator, block: _Block, rest: str) -> str:
        if operator is Operator.STAR:
            return f"{self.maybe_new} {block.text}"
        if self.edit.kind is EditKind.REPLACE and not self.new:
            return rest
        if self.edit.kind is EditKind.INSERT and self.dot == 0:
            return f"{self.maybe_new} {block.text}"
        return f"{self._grouped(self._round(block.body, self.dot), bare=True)} {rest}"

    def _round(self, body: str, dot: int) -> str:
        """One round with the edit made before it (0) or after it (1)."""
        if not self.new:
            raise Unwritable("it changes nothing")
        if self.edit.kind is EditKind.INSERT:
            inner = self._single(body)
            return f"{self.maybe_new} {inner}" if dot == 0 else f"{inner} {self.maybe_new}"
        return _either(body, self.new)

    def _single(self, body: str) -> str:
        """A body without its parentheses, if they hold one alternative."""
        symbol = self.rule.rhs[-1] if self.rule.rhs else -1
        alone = len(self.grammar.rules_of.get(symbol, ())) == 1
        return _ended(body[1:-1].strip()) if body.startswith("(") and alone else body

    def _separated(self, operator: Operator, block: _Block) -> str | None:
        """A list with the new symbols between any two of its elements."""
        inner = self._single(block.body)
        star = block.suffix.replace("+", "*")
        if self.edit.kind is EditKind.REQUIRE and operator is Operator.PLUS:
            return f"{block.body} ( {self.new} {inner} ){star}"
        if self.edit.kind is EditKind.SEPARATE and operator is Operator.STAR:
            return f"( {inner} ( {self.new} {inner} ){star} )?"
        return None

    def _other_suffix(self, operator: Operator, again: bool, block: _Block) -> str:
        lazy = block.suffix[1:]
        match self.edit.kind:
            case EditKind.DROP if operator is Operator.PLUS and again:
                return ""
            case EditKind.REQUIRE if operator is Operator.STAR and not again:
                return f"+{lazy}"
            case EditKind.NARROW if operator is Operator.STAR and again and not self.new:
                return f"?{lazy}"
            case _:
                raise Unwritable("no operator says this")


def _is_group(text: str) -> bool:
    """Whether a text is one pair of parentheses with all that is in it."""
    depth = 0
    for match in _PARENTHESES.finditer(text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return match[0] == ")" and match.end() == len(text) and text.startswith("(")
    return False


def _either(body: str, new: str) -> str:
    """A body in parentheses with another alternative."""
    inner = body[1:-1].strip() if _is_group(body) else body
    return f"( {_ended(inner)} | {new} )"


_REMARK_AT_END = re.compile(r"""(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[^"'\n])*?//[^\n]*\Z""")


def _ended(text: str) -> str:
    """A text with the end of its line if a remark goes up to that."""
    last = text[text.rfind("\n") + 1 :]
    return f"{text}\n" if _REMARK_AT_END.match(last) else text
