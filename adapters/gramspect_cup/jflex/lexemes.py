"""The words of JFlex's regular expressions, and the Java code between them.

An expression ends where an action begins (a brace after a blank), at a bar that ends its line, or
with its line, unless the next line begins with what cannot begin another rule.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import NamedTuple

from gramspect.adapter_api import GrammarError, SourceText

__all__ = ["Ending", "Expression", "Kind", "Word", "end_of_code", "end_of_comment", "scan"]


class Kind(Enum):
    """The kinds of words: ``"text"``, ``[a-z]``, ``{Name}``, ``{2,3}``, ``\\n``, and signs."""

    STRING = auto()
    CLASS = auto()
    MACRO = auto()
    REPEAT = auto()
    CHARACTER = auto()
    SIGN = auto()


class Word(NamedTuple):
    """A stretch of the text, from `start` to `end`."""

    kind: Kind
    text: str
    start: int
    end: int


class Ending(Enum):
    """What ends an expression: an action, a bar without one, or the line."""

    ACTION = auto()
    BAR = auto()
    LINE = auto()


class Expression(NamedTuple):
    """The words of an expression. `place` is where it goes on: at the brace, behind the bar or the
    line."""

    words: tuple[Word, ...]
    ending: Ending
    place: int


_SPACE = "[ \\t\\b\\n\\v\\f\\r\\x85\\u2028\\u2029]"
_BLANK = "[ \\t\\b]"
_SHARED_ACTION = re.compile(rf"{_SPACE}*\|{_BLANK}*(?=\n|\Z)")
_COMMENT = re.compile(rf"{_SPACE}*(?://[^\n]*|(?P<long>/\*))")
_WORD = re.compile(
    rf"""{_SPACE}*(?:
      (?P<string> " (?: [^"\\\n] | \\[^\n] )* " )
    | (?P<macro> \{{ {_BLANK}* [^\W\d][\w$]* {_BLANK}* \}} )
    | (?P<repeat> \{{ {_BLANK}* \d+ {_BLANK}* (?: , {_BLANK}* \d+ {_BLANK}* )? \}} )
    | (?P<class> \[ )
    | (?P<character> \\u\{{[^}}\n]*\}} | \\[pP]\{{[^}}\n]*\}} )
    | (?P<sign> \\R | [|!~()*+?$^./] )
    )""",
    re.VERBOSE,
)
_ACTION = re.compile(rf"{_SPACE}+(?=\{{)")
_CHARACTER = re.compile(
    r"\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{6}|\\[0-3]?[0-7]{1,2}|\\[^\n]|[^\s\\]"
)
_JAVA = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|[{}]', re.DOTALL)


def scan(source: SourceText, start: int, *, macro: bool = False) -> Expression:
    """The expression that begins at an offset.

    Raises:
        GrammarError: a class or a comment does not end, or no word begins where one should.
    """
    text, words, place = source.text, list[Word](), start
    while place < len(text):
        if not macro and (bar := _SHARED_ACTION.match(text, place)) is not None:
            return Expression(tuple(words), Ending.BAR, bar.end())
        if (comment := _COMMENT.match(text, place)) is not None:
            place = comment.end()
            if comment["long"] is not None:
                place = end_of_comment(source, place - 2)
            continue
        if (word := _WORD.match(text, place)) is not None:
            words.append(_word(source, word))
            place = words[-1].end
        elif (action := _ACTION.match(text, place)) is not None and not macro:
            return Expression(tuple(words), Ending.ACTION, action.end())
        elif text[place] in "\n\r":
            return Expression(tuple(words), Ending.LINE, place + 1)
        elif text[place].isspace() or text[place] == "\b":
            place += 1
        elif (character := _CHARACTER.match(text, place)) is not None:
            place = character.end()
            words.append(Word(Kind.CHARACTER, character[0], *character.span()))
        else:
            raise GrammarError("this is no regular expression", source.span(place, place + 1))
    return Expression(tuple(words), Ending.LINE, place)


def _word(source: SourceText, found: re.Match[str]) -> Word:
    name = found.lastgroup or ""
    start, end = found.span(name)
    if name == "class":
        end = _end_of_class(source, start)
    return Word(Kind[name.upper()], source.text[start:end], start, end)


_NAMED = re.compile(r"\[:\w+:\]")
_IN_CLASS = re.compile(r'\[:\w+:\]|\\[^\n]|"(?:[^"\\\n]|\\.)*"|[\[\]]')


def _end_of_class(source: SourceText, start: int) -> int:
    depth = 0
    if (named := _NAMED.match(source.text, start)) is not None:
        return named.end()
    for found in _IN_CLASS.finditer(source.text, start):
        if found[0] in ("[", "]"):
            depth += 1 if found[0] == "[" else -1
            if not depth:
                return found.end()
    raise GrammarError("this class does not end; close it with ]", source.span(start, start + 1))


def end_of_comment(source: SourceText, start: int) -> int:
    """Where a comment ends that begins at an offset; such comments may hold others."""
    depth = 0
    for mark in re.compile(r"/+\*|\*+/").finditer(source.text, start):
        depth += 1 if mark[0].endswith("*") else -1
        if not depth:
            return mark.end()
    raise GrammarError("this comment does not end; close it with */", source.span(start, start + 2))


def end_of_code(source: SourceText, start: int) -> int:
    """Where the braces end that begin at an offset, with Java code in them."""
    depth = 0
    for mark in _JAVA.finditer(source.text, start):
        if mark[0] in ("{", "}"):
            depth += 1 if mark[0] == "{" else -1
            if not depth:
                return mark.end()
    raise GrammarError("this action does not end; close it with }", source.span(start, start + 1))
