"""The file with a system's answers, from which a later campaign goes on.

The answers are known by the text of the input, so after a change of the grammar only tests that
are new are asked. The file holds JSON lines. The first one says what the answers are of::

    {"schema": "gramspect/answers/1", "system": identity, "rounds": [{"tests", "failing", "asked"}]}

and every other one is an answer::

    {"text", "reaction", "message", "offset", "near"}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from gramspect.blackboxes.answers import Answer, Place, Reaction
from gramspect.errors import GramspectError
from gramspect.files import writing_whole
from gramspect.reading import read_whole

__all__ = ["Round", "State", "load_state", "save_state"]

SCHEMA = "gramspect/answers/1"


class Round(NamedTuple):
    """One campaign: how many tests it had, how many failed, how many had to be asked."""

    tests: int
    failing: int
    asked: int


@dataclass
class State:
    """The answers by text, and the campaigns that brought them."""

    system: str
    rounds: list[Round] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)


def load_state(path: str, system: str) -> State:
    """Read the file; the state is empty if there is no file yet.

    Raises:
        GramspectError: it cannot be read, is something else, or is about another system.
    """
    file = Path(path)
    if not file.exists():
        return State(system)
    try:
        with StringIO(read_whole(file).decode()) as stream:
            return _read(path, system, stream)
    except OSError as problem:
        raise GramspectError(f"{path}: cannot be read ({problem.strerror})") from problem
    except UnicodeDecodeError:
        raise GramspectError(f"{path}: holds no answers, it is not UTF-8") from None


def _read(path: str, system: str, lines: Iterable[str]) -> State:
    state = State(system)
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
            if number == 1:
                _check(path, system, record)
                state.rounds = [
                    Round(r["tests"], r["failing"], r["asked"]) for r in record["rounds"]
                ]
            else:
                state.answers[record["text"]] = _answer(record)
        except (ValueError, KeyError, TypeError, RecursionError):
            raise GramspectError(
                f"{path}:{number}: holds no answers of a campaign; name another state file"
            ) from None
    return state


def _check(path: str, system: str, header: dict[str, Any]) -> None:
    if header["schema"] != SCHEMA:
        raise ValueError
    if header["system"] != system:
        raise GramspectError(
            f"{path}: holds answers of another system, or with other patterns; name another state"
            " file, or delete this one"
        )


def _answer(record: dict[str, Any]) -> Answer:
    place = Place(record["offset"], record["near"])
    return Answer(Reaction(record["reaction"]), record["message"], place)


def save_state(path: str, state: State) -> None:
    """Write the file, whole or not at all.

    Raises:
        GramspectError: it cannot be written.
    """
    with writing_whole(path) as stream:
        stream.writelines(json.dumps(record) + "\n" for record in _records(state))


def _records(state: State) -> Iterator[dict[str, object]]:
    rounds = [each._asdict() for each in state.rounds]
    yield {"schema": SCHEMA, "system": state.system, "rounds": rounds}
    for text, (reaction, message, place) in state.answers.items():
        yield {"text": text, "reaction": reaction, "message": message, **place._asdict()}
