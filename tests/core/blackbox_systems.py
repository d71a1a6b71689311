"""Systems for the tests of black boxes: functions of a text, as ``--python`` takes them."""

from __future__ import annotations

import json
import os
import signal
import time

from gramspect.blackboxes.answers import Answer, Place, Reaction


def hangs_on_null(text: str) -> None:
    if "null" in text:
        time.sleep(1000)
    json.loads(text)


def dies_on_null(text: str) -> None:
    if "null" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    json.loads(text)


def exits(text: str) -> None:
    raise SystemExit(len(text))


def too_deep(text: str) -> None:
    too_deep(text)


def hates_numbers(text: str) -> None:
    """JSON whose numbers are no use: a semantic error, found before any syntax error."""
    if "1" in text:
        raise TypeError("numbers are out of fashion")
    json.loads(text)


def answers(text: str) -> Answer:
    return Answer(Reaction.SYNTAX, "no", Place(near="null")) if "null" in text else _YES


_YES = Answer(Reaction.ACCEPTED)

NOT_CALLABLE = 1
