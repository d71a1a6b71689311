"""The answers of a predicate: each text is asked about once, and the smallest one is kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from gramspect.errors import GramspectError
from gramspect.recognition.surroundings import one_line
from gramspect.reduction.inputs import text_of
from gramspect.reduction.predicates import Invalid, Predicate, Undecidable
from gramspect.reduction.trees import Tree, Word
from gramspect.running.alarm import TimeIsUp, until

__all__ = ["Judge", "OutOfBudget"]

_MOST_REPEATS = 10
_MISSED = 0.02
"""How often, at most, a failure that shows now and then may be missed."""
_FIRST_LOOKS = 8
"""How often an input is asked about to see how often its failure shows."""


class OutOfBudget(Exception):
    """The time, or the number of questions, is over."""


@dataclass
class Judge:
    """Asks a predicate and remembers.

    Attributes:
        predicate: what must hold.
        after: the text after the last word of an input.
        timeout: seconds that a question may take; it is the alarm of this process, so for
            predicates in Python.
        stop: when to end, by `time.monotonic`.
        calls: how often the predicate was asked.
        best: the smallest tree that it holds for.
        repeats: how often it is asked before it counts as not holding; more than once if its
            answers differ for the same text.
        tidy: whether blanks and comments between words are made short.
        unfinished: whether not all single tokens of what is left were tried.
        troubles: why it had no answer, with how often.
    """

    predicate: Predicate
    after: str = ""
    timeout: float | None = None
    stop: float = math.inf
    most: float = math.inf
    watch: Callable[[int], None] | None = None
    calls: int = 0
    best: Tree | None = None
    repeats: int = 1
    share: float = 1.0
    tidy: bool = False
    unfinished: bool = False
    troubles: dict[str, int] = field(default_factory=dict)
    _known: dict[str, bool] = field(default_factory=dict)

    def text(self, tree: Tree) -> str:
        """The text of a tree as it is asked about."""
        return text_of(tree.words, self.after, tidy=self.tidy)

    def holds(self, tree: Tree) -> bool:
        """Whether the predicate holds for the text of a tree; if so, it is the best one."""
        text = self.text(tree)
        if text not in self._known:
            self._known[text] = self.says(text)
            if self.watch is not None:
                self.watch(len((self.best or tree).words))
        if self._known[text] and (self.best is None or _rank(tree) <= _rank(self.best)):
            self.best = tree
        return self._known[text]

    def says(self, text: str) -> bool:
        """Whether the predicate holds for a text in one of `repeats` attempts."""
        return any(self.ask(text) for _ in range(self.repeats))

    def ask(self, text: str) -> bool:
        """One answer of the predicate; what has none does not hold.

        Raises:
            OutOfBudget: there may be no more questions.
        """
        return bool(self.answer(text))

    def answer(self, text: str) -> bool | None:
        """One answer of the predicate, None if it has none.

        Raises:
            OutOfBudget: there may be no more questions.
        """
        if monotonic() >= self.stop or self.calls >= self.most:
            raise OutOfBudget
        self.calls += 1
        end = math.inf if self.timeout is None else monotonic() + self.timeout
        try:
            with until(min(end, self.stop)):
                return bool(self.predicate(text))
        except TimeIsUp:
            if monotonic() >= self.stop:
                raise OutOfBudget from None
            self._note("it took too long")
        except Invalid:
            return None
        except Undecidable as problem:
            self._note(str(problem))
        except (KeyboardInterrupt, GramspectError):
            raise
        except BaseException as problem:  # it is the user's code
            self._note(f"it raised {one_line(problem)}")
        return None

    def _note(self, trouble: str) -> None:
        if trouble in self.troubles or len(self.troubles) < 100:
            self.troubles[trouble] = self.troubles.get(trouble, 0) + 1

    def look(self, tree: Tree) -> bool:
        """Ask about the whole input twice, the second time with short blanks if it fails with them.

        If the answers differ, find out how often it holds.
        """
        text = self.text(tree)
        answers = [self.ask(text)]
        self.tidy = True
        tidied = self.text(tree)
        self.tidy = answers[0] and tidied != text and self.ask(tidied)
        answers.append(self.tidy or self.ask(text))
        if answers[0] != answers[1]:
            answers += [self.ask(text) for _ in range(_FIRST_LOOKS)]
            self.share = sum(answers) / len(answers)
            needed = math.log(_MISSED) / math.log(1 - self.share)
            self.repeats = min(_MOST_REPEATS, math.ceil(needed))
            self.tidy = self.says(tidied)
        return any(answers)

    @property
    def flaky(self) -> bool:
        """Whether the predicate has given different answers for the same text."""
        return self.share < 1


def _rank(tree: Tree) -> tuple[int, int]:
    words: tuple[Word, ...] = tree.words
    return len(words), sum(len(word.text) for word in words)
