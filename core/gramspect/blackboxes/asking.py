"""Many inputs for one system; each text is asked once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, runtime_checkable

from gramspect.blackboxes.answers import Answer, Reaction
from gramspect.errors import GramspectError
from gramspect.running.options import Progress

__all__ = ["Interview", "System"]

HOPELESS = 10
"""The campaign ends if this many questions in a row, from the first on, have no answer."""


@runtime_checkable
class System(Protocol):
    """A black box."""

    @property
    def identity(self) -> str:
        """A text for all that answers depend on: systems with the same text answer alike."""
        ...

    def ask(
        self, texts: Sequence[str], *, timeout: float | None = None, jobs: int = 1
    ) -> Iterator[Answer]:
        """The answers to `texts`, in their order; `timeout` in seconds for each.

        Raises:
            GramspectError: the system cannot be asked at all.
        """
        ...


class Interview:
    """Asks a system, and remembers: `known` answers are taken from there, new ones put there.

    Questions without an answer are not remembered. `n_asked` counts all questions.
    """

    def __init__(
        self,
        system: System,
        known: dict[str, Answer],
        *,
        timeout: float | None = None,
        jobs: int = 1,
    ) -> None:
        self._ask: Callable[[Sequence[str]], Iterator[Answer]] = lambda texts: system.ask(
            texts, timeout=timeout, jobs=jobs
        )
        self._known = known
        self.n_asked = 0

    def answers(self, texts: Sequence[str], progress: Progress | None = None) -> list[Answer]:
        """The answers to `texts`, in their order.

        Raises:
            GramspectError: the system cannot be asked, or never answers.
        """
        unknown = [text for text in dict.fromkeys(texts) if text not in self._known]
        silent: dict[str, Answer] = {}
        for number, answer in enumerate(self._ask(unknown) if unknown else ()):
            text = unknown[number]
            if answer.reaction is Reaction.NONE:
                silent[text] = answer
            else:
                self._known[text] = answer
            if number + 1 == len(silent) == min(HOPELESS, len(unknown)):
                raise GramspectError(
                    f"the system answers none of the first {len(silent)} inputs:"
                    f" {answer.message}; try it by hand"
                )
            self.n_asked += 1
            if progress is not None:
                progress(number + 1, len(unknown))
        return [silent.get(text) or self._known[text] for text in texts]
