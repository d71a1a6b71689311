"""Texts read by a lexer of which the caller says how some stretches are read.

The lexer sees the text end before a stretch, and goes on after it in the lexical state that it is
in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from gramspect.adapter_api import LexedText, Lexeme, Splice

__all__ = ["Read", "read_spliced"]


class Read(NamedTuple):
    """A token in one of several texts, from the first character to after the last one.

    The last one may have no terminal: there the lexer could not read on.
    """

    number: int
    terminal: int | None
    start: int
    end: int


def read_spliced(
    text: str,
    splices: Sequence[Splice],
    read: Callable[[Sequence[str]], Iterable[Read] | None],
    end: int | None = None,
) -> LexedText | None:
    """The tokens of a text up to where the lexer fails; None if it cannot be asked.

    `read` lets the lexer read the texts between the splices, one after the other. `end` is the
    terminal that stands for the end of the input, if the grammar has it.
    """
    starts = [0, *(splice.end for splice in splices)]
    ends = [*(splice.start for splice in splices), len(text)]
    found = read([text[start:stop] for start, stop in zip(starts, ends, strict=True)])
    if found is None:
        return None
    made: list[list[Lexeme]] = [[] for _ in starts]
    failed = None
    for one in found:
        begin = starts[one.number] + one.start
        if one.terminal is None:
            failed = begin
        else:
            made[one.number].append(Lexeme(one.terminal, begin, starts[one.number] + one.end))
    return _joined(text, splices, made, failed, end)


def _joined(
    text: str,
    splices: Sequence[Splice],
    made: Sequence[Sequence[Lexeme]],
    failed: int | None,
    end: int | None,
) -> LexedText:
    """The tokens of the stretches, and between them what was told."""
    lexemes: list[Lexeme] = []
    for number, own in enumerate(made):
        for lexeme in own:  # the lexer's code may have put back a part of the one before
            if lexemes and lexemes[-1].start <= lexeme.start < lexemes[-1].end:
                lexemes[-1] = replace(lexemes[-1], end=lexeme.start)
            lexemes.append(lexeme)
        told = splices[number] if number < len(splices) else None
        if failed is not None and (told is None or failed <= told.start):
            return LexedText(lexemes, failed)
        if told is not None and told.terminal is not None:
            lexemes.append(Lexeme(told.terminal, told.start, told.end))
    if end is not None:
        lexemes.append(Lexeme(end, len(text), len(text)))
    return LexedText(lexemes)
