"""Which of several repairs is right: the author is asked about short inputs.

See `gramspect.edits.questions` for which ones.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

from gramspect.edits.questions import Inquiry, Question, Suspect, inquiry, suspects
from gramspect.effort import Effort
from gramspect.localization.localize import BUDGET, localize
from gramspect.localization.results import Localization
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.repairs.asked_texts import AskedTexts
from gramspect.running.loading import load_parser
from gramspect.running.options import RunOptions
from gramspect.scoring.evidence import Evidence
from gramspect.suites.suite import Expectation, TestCase, TestSuite

__all__ = ["Asked", "Asking", "ask"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the author sees it: the text of the input."""

    question: Question
    text: str


@dataclass(frozen=True)
class Asking:
    """A localization, and the questions about it that are still open.

    `tests` are the numbers of the failing tests that the questions are about: all, or the largest
    group with one cause. `answers` are the inputs that were answered, as tests.
    """

    localization: Localization
    tests: tuple[int, ...]
    inquiry: Inquiry
    answers: tuple[TestCase, ...] = ()
    _texts: AskedTexts | None = field(default=None, repr=False)

    def next(self) -> tuple[Asking, Asked | None]:
        """The next question, if there is one, after dropping those that cannot be asked.

        An input is asked about if it has a text, which the lexer reads as these tokens, and if the
        parser says of it what the grammar says.
        """
        asking = self.inquiry
        while self._texts is not None and (question := asking.best()) is not None:
            text = self._texts.text(question)
            seen = None if text is None else asking.reread(question, self._texts.read(text))
            if text is None or seen is None:
                asking = asking.without(question)
            elif seen != question:
                asking = asking.corrected(seen)
            elif self._texts.accepts(text) is not question.derived:
                asking = asking.without(question)
            else:
                return replace(self, inquiry=asking), Asked(question, text)
        return replace(self, inquiry=asking), None

    def answered(self, asked: Asked, correct: bool | None) -> Asking:
        """The same after an answer; None if the author cannot say."""
        if correct is None:
            return replace(self, inquiry=self.inquiry.without(asked.question))
        expectation = Expectation.ACCEPT if correct else Expectation.REJECT
        test = TestCase(f"answer {len(self.answers) + 1}", expectation, asked.text)
        left = self.inquiry.answered(asked.question, correct)
        return replace(self, inquiry=left, answers=(*self.answers, test))

    @property
    def leading(self) -> tuple[Suspect, ...]:
        """The likeliest repair of each definition, the likeliest first."""
        return tuple(self.inquiry.suspects[number] for number in self.inquiry.leading())

    def in_favour(self, asked: Asked, correct: bool) -> tuple[Suspect, ...]:
        """Those of `leading` that an answer speaks for."""
        known, verdicts = self.inquiry.suspects, asked.question.verdicts
        return tuple(known[n] for n in self.inquiry.leading() if verdicts[n] is correct)


def ask(
    source: str | os.PathLike[str] | Recognizer,
    suite: TestSuite,
    *,
    load: LoadOptions = LoadOptions(),
    run: RunOptions = RunOptions(),
    effort: str = Effort.NORMAL,
    budget: float = BUDGET,
    reduce: bool = False,
    samples: str | None = None,
) -> Asking:
    """Localize a fault, and find the inputs whose verdict tells the likeliest repairs apart.

    If the failing tests have several causes, the questions are about the most frequent one.

    Args:
        source, suite, load, run, effort, budget, reduce: as for `localize`.
        samples: a file with texts of tokens, as for `generate`.

    Raises:
        GramspectError: the source, the suite or an argument cannot be used.
    """
    loaded = load_parser(source, load, run.loader)
    result = localize(
        loaded.recognizer, suite, run=replace(run, loader=loaded.loader), evidence=Evidence.EDITS,
        effort=effort, budget=budget, reduce=reduce, confirm=None,
    )  # fmt: skip
    result = replace(result, adapter=loaded.adapter)
    tests = result.groups[0].tests if result.groups else _failing(result)
    in_question = _suspects(result, frozenset(tests))
    if not in_question:
        return Asking(result, tests, Inquiry(result.grammar, (), ()))
    failing = frozenset(_failing(result))
    texts = AskedTexts.of(
        loaded.recognizer,
        [test for number, test in enumerate(result.suite.tests) if number not in failing],
        [result.suite.tests[number] for number in sorted(failing)],
        samples,
    )
    return Asking(result, tests, inquiry(result.grammar, in_question), _texts=texts)


def _failing(result: Localization) -> tuple[int, ...]:
    """The numbers of the failing tests."""
    names = {failing.test.name for failing in result.failing}
    return tuple(n for n, test in enumerate(result.suite.tests) if test.name in names)


def _suspects(result: Localization, tests: frozenset[int]) -> tuple[Suspect, ...]:
    """The repairs in question, by the scores of the definitions in the ranking of these tests.

    Repairs of other tests are no alternatives to these, but answers to other questions.
    """
    grammar = result.grammar
    ranking = result.groups[0].definitions if result.groups else result.ranking
    scores: dict[int, float] = {}
    for element in ranking:
        if element.token is None:
            scores.setdefault(element.definition, element.score)
    proposals = {
        item: [replace(one, tests=mended) for one in listed if (mended := _both(one.tests, tests))]
        for item, listed in result.proposals.items()
    }
    return suspects(grammar, scores, proposals)


def _both(some: tuple[int, ...], others: frozenset[int]) -> tuple[int, ...]:
    return tuple(number for number in some if number in others)
