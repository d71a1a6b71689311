r"""Tokens as they usually look: a lexer that has some of them may lack another one.

People extend tokens to what other languages have: numbers get exponents, texts other quotes,
comments another sign. A *form* is such a look, as a regular expression that every notation can say.
What a rule reads already tells for which forms it may be meant: one that reads ``1`` for those of
numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from gramspect.lexical.automaton import Automaton
from gramspect.lexical.nearness import begins_with, reads
from gramspect.lexical.rules import TokenRule

__all__ = ["FORMS", "Form", "is_likely", "is_new", "usual_forms", "usual_part"]


class _Kind(Enum):
    """What a rule is meant for, with texts of which it reads one, and those that it does not."""

    BLANK = (" ", "\n", "\t"), ()
    COMMENT = (), ()
    NUMBER = ("1", "12", "1.5", "1.50", "1.5e5"), ("a",)
    REAL = ("1.5", "1.50", "12.5", "1.5e5", "1.5E5"), ("a",)
    BASED = ("0x12", "0X12", "0b11", "0o11"), ("a",)
    TEXT = ('"a"', "'a'", '"ab"', "'ab'", '"""a"""'), ()
    NAME = ("a", "ab", "A", "AB"), ("1",)
    DATE = ("2020-10-10", "2020-10-10T10:10", "2020-10-10T10:10:10", "2020-10-10T10:10:10Z"), ()
    TIME = ("10:10", "10:10:10"), ()


@dataclass(frozen=True)
class Form:
    """A look of tokens, and what it is called.

    Where no token of a rule begins with the first `opening` characters, the form is another look of
    the whole token (never if that is 0). `doubt` is what its text costs more than that of others,
    as it may be meant for something else.
    """

    name: str
    pattern: str
    kind: _Kind
    opening: int = 0
    doubt: float = 0.0
    written: str = ""
    """How it is written, if no change of what the rule reads would be the same."""

    @property
    def is_blank(self) -> bool:
        """Whether it consists of blanks."""
        return self.kind is _Kind.BLANK

    def end(self, text: str, start: int) -> int | None:
        """Where such a token ends that begins at a place; it does not end inside of a word."""
        last = min(len(text), start + _LONGEST)
        found = _compiled(self.pattern).match(text, start, last)
        if found is None or not found[0] or found.end() == last < len(text):
            return None
        following = _GOES_ON.get(found[0][-1], _LETTER if found[0][-1].isalnum() else None)
        inside = following is not None and following.match(text, found.end())
        return None if inside and self.kind is not _Kind.COMMENT else found.end()


_PREFIXED = 2
_LONGEST = 4000
"""Tokens of more characters are not looked at."""
_LETTER = re.compile(r"\w")
_GOES_ON = {".": re.compile(r"[\w.]"), "_": _LETTER}
"""What may not follow the last character of a token: then it may be that of another one."""
_SIGNS = ("#", "//", "--", "/*", "(*", "<!--", ";", "%", "!", "'", '"', "{", "*", "REM", "@")
"""What comments begin with: a rule that reads blanks may read them, too."""
_REMARK = re.compile(r"[ \t]*\W*(?:\w[\w',.]*[ \t]+\w|$)")
"""What stands behind the sign of a remark: words, or nothing."""
_DIGITS = "[0-9]+(?:_[0-9]+)*"
_EXPONENT = "[eE][+-]?[0-9]+"
_SUFFIX = "[fFdDlLuUjJnm]"
_CLOCK = r"[0-9]{1,2}:[0-9][0-9](?::[0-9][0-9](?:\.[0-9]+)?)?"
_ZONE = "(?:Z|[+-][0-9][0-9](?::?[0-9][0-9])?)"
_QUOTED = r'"(?:\\[^\n]|[^"\\\n])*"', r"'(?:\\[^\n]|[^'\\\n])*'"
_BASED = (
    ("hexadecimal numbers", "0[xX][0-9a-fA-F]+(?:_[0-9a-fA-F]+)*[lLuU]?"),
    ("binary numbers", "0[bB][01]+(?:_[01]+)*"),
    ("octal numbers", "0[oO][0-7]+(?:_[0-7]+)*"),
)
_REAL = (
    ("numbers with a fraction", rf"{_DIGITS}\.{_DIGITS}", 0.0),
    ("numbers with an exponent", rf"{_DIGITS}(?:\.[0-9]*)?{_EXPONENT}", 0.0),
    ("numbers with a point first", rf"\.{_DIGITS}(?:{_EXPONENT})?", 0.2),
    ("numbers with a point last", rf"{_DIGITS}\.", 0.2),
)

FORMS = (
    Form("such blanks", "[ \t\r\n\f\v\xa0\u200b\ufeff]+", _Kind.BLANK, doubt=-0.2),
    Form("comments from // on", "//[^\n\r]*", _Kind.COMMENT, opening=2),
    Form("comments from # on", "#[^\n\r]*", _Kind.COMMENT, opening=1),
    Form("comments from -- on", "--[^\n\r]*", _Kind.COMMENT, opening=2),
    Form("comments from ; on", ";[^\n\r]*", _Kind.COMMENT, opening=1, doubt=0.5),
    Form("comments from % on", "%[^\n\r]*", _Kind.COMMENT, opening=1, doubt=0.5),
    Form("comments in /* */", r"/\*(?:[^*]|\*+[^*/])*\*+/", _Kind.COMMENT, opening=2),
    Form("comments in (* *)", r"\(\*(?:[^*]|\*+[^*)])*\*+\)", _Kind.COMMENT, opening=2),
    Form("comments in <!-- -->", "<!--(?:[^-]|-[^-]|--+[^->])*--+>", _Kind.COMMENT, opening=4),
    *(Form(name, pattern, kind, doubt=doubt + 0.1 * (kind is _Kind.NUMBER))
      for name, pattern, doubt in _REAL for kind in (_Kind.REAL, _Kind.NUMBER)),
    Form("the number 0", "0", _Kind.NUMBER),
    Form("numbers with 0 first", "0[0-9]+", _Kind.NUMBER, doubt=0.2),
    Form("numbers with _ between digits", "[0-9]+(?:_[0-9]+)+", _Kind.NUMBER),
    Form("numbers with a letter behind them",
         rf"{_DIGITS}(?:\.[0-9]+)?{_SUFFIX}", _Kind.NUMBER, doubt=0.2),
    *(Form(name, pattern, _Kind.BASED) for name, pattern in _BASED),
    *(Form(name, pattern, _Kind.NUMBER, doubt=0.3, written=pattern) for name, pattern in _BASED),
    *(Form(f"texts in {quote}", pattern, _Kind.TEXT, opening=1)
      for quote, pattern in zip(('"', "'"), _QUOTED, strict=True)),
    Form("texts in `", "`[^`]*`", _Kind.TEXT, opening=1, doubt=0.2),
    Form("texts of several lines", "\"[^\"]*\"|'[^']*'", _Kind.TEXT, doubt=0.2),
    *(Form(f"texts in {3 * q}", f"{3 * q}(?:[^{q}]|{q}[^{q}]|{2 * q}[^{q}])*{3 * q}",
           _Kind.TEXT, opening=3) for q in ('"', "'")),
    Form("texts with a letter before them", f"[rRbBuUfFnNxXeE@](?:{'|'.join(_QUOTED)})",
         _Kind.TEXT, opening=2),
    Form("names with digits", "[a-zA-Z_]+[0-9][a-zA-Z_0-9]*", _Kind.NAME),
    Form("names with letters of other languages", r"[^\W\d]*[^\W\d\x00-\x7f]\w*",
         _Kind.NAME, written=r"[^\W\d]\w*"),
    Form("names with - between letters", "[a-zA-Z_][a-zA-Z_0-9]*(?:-[a-zA-Z][a-zA-Z_0-9]*)+",
         _Kind.NAME, doubt=0.1),
    Form("names with $ or @ first", "[$@][a-zA-Z_][a-zA-Z_0-9]*", _Kind.NAME, doubt=0.2),
    Form("names with ' at the end", "[a-zA-Z_][a-zA-Z_0-9]*'+", _Kind.NAME, doubt=0.5),
    Form("names in `", "`[^`\n]+`", _Kind.NAME, opening=1),
    Form('names in "', '"[^"\n]+"', _Kind.NAME, opening=1, doubt=0.5),
    Form("dates with a time", f"[0-9]{{4}}-[0-9][0-9]-[0-9][0-9][T ]{_CLOCK}(?:{_ZONE})?",
         _Kind.DATE),
    Form("times with seconds, or a zone", f"{_CLOCK}(?:{_ZONE})?", _Kind.TIME),
)  # fmt: skip
_PARTS = (
    _EXPONENT,
    r"\.[0-9]+",
    rf"\.[0-9]+(?:{_EXPONENT})?",
    f"[T ]{_CLOCK}(?:{_ZONE})?",
    _ZONE,
    _SUFFIX,
)
"""What is put in between, or at the end, as it usually looks."""


def is_likely(form: Form, text: str, start: int, end: int) -> bool:
    """Whether a stretch of a text is likelier to be such a token than something else.

    A remark begins its line, or has words in it: else the sign may be an operator, or stand between
    two statements. What begins with a letter and a quote has no blank behind the quote.
    """
    if form.kind is _Kind.COMMENT and not form.pattern.endswith("]*"):
        return True
    if form.kind is _Kind.COMMENT:
        begins = not text[text.rfind("\n", 0, start) + 1 : start].strip()
        return begins or _REMARK.match(text, start + form.opening, end) is not None
    return form.opening != _PREFIXED or not text[start + form.opening].isspace()


def usual_forms(rule: TokenRule, text: str, start: int) -> Iterator[tuple[Form, int]]:
    """The forms of the tokens that may begin at a place for which a rule may be meant, though it
    reads no such token there: each with the end of that."""
    automaton = rule.automaton
    if automaton is None or automaton.words is not None:
        return
    for form in FORMS:
        end = form.end(text, start) if _is_for(rule, form.kind) else None
        if end is not None and not reads(automaton, text[start:end]):
            yield form, end


def is_new(form: Form, automaton: Automaton, text: str) -> bool:
    """Whether a token of a form, at the beginning of a text, is another look of the whole token: if
    the rule reads none that begins so."""
    opening = text[: form.opening]
    return bool(opening) and not begins_with(automaton, opening)


def usual_part(text: str) -> str | None:
    """The part of tokens as a text is one, as a regular expression."""
    return next((part for part in _PARTS if _compiled(part).fullmatch(text)), None)


def _is_for(rule: TokenRule, kind: _Kind) -> bool:
    if rule.skipped is not (kind in (_Kind.BLANK, _Kind.COMMENT)):
        return False
    return rule.automaton is not None and _reads_as(rule.automaton, kind)


@lru_cache(maxsize=2048)
def _reads_as(automaton: Automaton, kind: _Kind) -> bool:
    if kind is _Kind.COMMENT:
        return any(begins_with(automaton, sign) for sign in _SIGNS)
    some, never = kind.value
    known = not some or any(reads(automaton, sample) for sample in some)
    return known and not any(reads(automaton, sample) for sample in never)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
