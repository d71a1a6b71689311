"""Which of several repairs is right: the author is asked about short inputs.

See `gramspect.edits.questions` for which ones.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

from gramspect.edits.questions import Inquiry, Question, Suspect, inquiry, suspects
from gramspect.effort import Effort
from gramspect.generation.parsing import rejects
from gramspect.generation.sources import texts_of
from gramspect.generation.words import Checked, Texts, TokenNames
from gramspect.localization.localize import BUDGET, localize
from gramspect.localization.results import Localization
from gramspect.recognition.recognizer import LoadOptions, Recognizer
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
    _texts: Texts | None = field(default=None, repr=False)
    _parser: Recognizer | None = field(default=None, repr=False)

    def next(self) -> tuple[Asking, Asked | None]:
        """The next question, if there is one, after dropping those that cannot be asked.

        An input is asked about if it has a text, which the lexer reads as these tokens, and if the
        parser says of it what the grammar says.
        """
        asking = self.inquiry
        while (question := asking.best()) is not None:
            if (text := self._text(question)) is not None:
                return replace(self, inquiry=asking), Asked(question, text)
            asking = asking.without(question)
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

    def _text(self, question: Question) -> str | None:
        texts, parser = self._texts, self._parser
        if texts is None or parser is None or set(texts.missing) & set(question.tokens):
            return None
        if isinstance(texts, Checked) and not texts.read_back([question.tokens])[0]:
            return None
        text = texts.text(question.tokens)
        names = text.split() if isinstance(texts, TokenNames) else None
        return text if rejects(parser, text, names) is not question.derived else None


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
    _, texts = texts_of(result.grammar, loaded.recognizer, samples=samples, partial=True)
    found = inquiry(result.grammar, in_question)
    return Asking(result, tests, found, _texts=texts, _parser=loaded.recognizer)


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
