"""From the place of an error, as a system reports it, to the token of the test.

Where a system names only the text of the offending token, and several tokens have that text, it is
asked again about the beginnings of the input that end with one of them. A parser that reads from
left to right accepts the beginnings that end before the offending token, and complains about the
first that contains it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gramspect.blackboxes.answers import Answer, Reaction
from gramspect.blackboxes.asking import Interview

__all__ = ["Rejection", "error_tokens"]


class Rejection(NamedTuple):
    """A rejected input: its text, where its tokens begin (the end comes last), the answer."""

    text: str
    starts: Sequence[int]
    answer: Answer


def error_tokens(rejections: Iterable[Rejection], interview: Interview) -> list[int | None]:
    """The index of the offending token of each, the number of tokens for the end.

    None where the system does not tell.
    """
    listed = list(rejections)
    found = [_tokens(each) for each in listed]
    doubtful = [number for number, tokens in enumerate(found) if len(tokens) > 1]
    beginnings = {
        (number, token): listed[number].text[: _end(listed[number], token)]
        for number in doubtful
        for token in found[number]
    }
    answers = dict(zip(beginnings, interview.answers(list(beginnings.values())), strict=True))
    for number in doubtful:
        near = listed[number].answer.place.near
        blamed = (t for t in found[number] if _blames(answers[number, t], near))
        found[number] = list(blamed)[:1]
    return [tokens[0] if tokens else None for tokens in found]


def _blames(answer: Answer, near: str | None) -> bool:
    return answer.reaction is Reaction.SYNTAX and answer.place.near == near


def _tokens(rejection: Rejection) -> list[int]:
    """The tokens that may be the offending one."""
    text, starts, (_, _, (offset, near)) = rejection
    if offset is not None:
        return [_token_at(rejection, offset)]
    if near is None:
        return []
    tokens = range(len(starts) - 1)
    words = [text[starts[token] : _end(rejection, token)] for token in tokens]
    same = [token for token in tokens if words[token] == near]
    if not same:
        same = [token for token in tokens if words[token].casefold() == near.casefold()]
    if not same and text.count(near) == 1:
        same = [_token_at(rejection, text.index(near))]
    return same


def _token_at(rejection: Rejection, offset: int) -> int:
    """The token at an offset, or the next one if there is white space."""
    starts = rejection.starts
    last = len(starts) - 1
    return next(
        (t for t in range(last) if starts[t] >= offset or _end(rejection, t) > offset), last
    )


def _end(rejection: Rejection, token: int) -> int:
    """Where a token ends, without the white space after it."""
    start, following = rejection.starts[token : token + 2]
    return start + len(rejection.text[start:following].rstrip())
