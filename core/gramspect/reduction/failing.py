"""Failing tests made smaller for whatever needs them, by a parser and grammars alone.

`smaller_with` knows a repair: what is left is rejected without it and derived with it. Where none
is known (`smaller_test`), a test that should be accepted must stay one, and nobody can be asked. So
only what the parser had read completely is changed: a node gets the shortest sentence of its
symbol, or one below it takes its place; elements of lists are left out. What comes after the place
where it stopped stays. If the grammar forbids too much, as nearly all faulty ones do, and what it
allows before that place is right, the smaller test should be accepted as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from gramspect.effort import clock
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.recognizer import Recognizer, Tokenizing
from gramspect.reduction.inputs import Input, read_input, tree_of
from gramspect.reduction.judging import Judge, OutOfBudget
from gramspect.reduction.passes import Parse, Reducer
from gramspect.reduction.predicates import Predicate, StillWrong
from gramspect.reduction.sentences import Sentences
from gramspect.reduction.spelling import Speller
from gramspect.reduction.trees import Tree, Word
from gramspect.running.alarm import TimeIsUp, until
from gramspect.running.observing import tokens_of
from gramspect.suites.suite import Expectation, TestCase, TestSuite

__all__ = ["smaller_suite", "smaller_test", "smaller_with"]

MOST_READ = 40_000
"""About how many tokens all tries for one test have."""
MOST_CALLS = 300
"""How many tries there are at the most."""
MOST_TESTS = 24
"""How many failing tests are made smaller; no more are searched for edits."""


def smaller_suite(recognizer: Recognizer, suite: TestSuite, failing: Collection[int]) -> TestSuite:
    """The suite with smaller tests in the place of some that fail, given by their numbers."""
    tests = list(suite.tests)
    for number in sorted(failing)[:MOST_TESTS]:
        tests[number] = smaller_test(recognizer, tests[number]) or tests[number]
    return TestSuite(tuple(tests))


def smaller_test(recognizer: Recognizer, test: TestCase) -> TestCase | None:
    """A smaller test that the parser rejects at the same place; None if none is found.

    The same items wait there for the same token, and the message is the same (`StillWrong`).
    """
    given = _given(recognizer, test)
    if given is None:
        return None
    tree, is_sentence = tree_of(recognizer.grammar, given.words, keep=True)
    if is_sentence:
        return None
    predicate = StillWrong(recognizer, test, place=True)
    return _smaller(
        recognizer, recognizer.grammar, test, given, tree, predicate,
        lambda reducer: reducer.hoist(reducer.prune(tree)),
    )  # fmt: skip


def smaller_with(recognizer: Recognizer, repaired: Grammar, test: TestCase) -> TestCase | None:
    """A smaller test that the parser's grammar does not derive and the repaired one does.

    The repaired grammar is what tells an input that should be accepted from any other one. None if
    none is found.
    """
    given = _given(recognizer, test)
    if given is None or not isinstance(recognizer, Tokenizing):
        return None
    tree, is_sentence = tree_of(repaired, given.words)
    if not is_sentence:
        return None
    tokenizing, grammar = recognizer, recognizer.grammar

    def shows(text: str) -> bool:
        tokens = tokens_of(tokenizing, replace(test, text=text, tokens=None))
        return (
            tokens is not None
            and min(tokens, default=0) >= 0
            and not parse_chart(grammar, tokens).accepted
            and parse_chart(repaired, tokens).accepted
        )

    def parsed(words: Sequence[Word]) -> Tree | None:
        found, ok = tree_of(repaired, words)
        return found if ok else None

    return _smaller(
        recognizer, repaired, test, given, tree, shows,
        lambda reducer: reducer.reduced(tree), parsed,
    )  # fmt: skip


def _given(recognizer: Recognizer, test: TestCase) -> Input | None:
    """The words of a test that should be accepted, if they are known."""
    if test.expectation is not Expectation.ACCEPT or not isinstance(recognizer, Tokenizing):
        return None
    given = read_input(recognizer, test)
    return given if given.known and given.words else None


def _smaller(
    recognizer: Recognizer,
    grammar: Grammar,
    test: TestCase,
    given: Input,
    tree: Tree,
    predicate: Predicate,
    reduced: Callable[[Reducer], Tree],
    parse: Parse = lambda _: None,
) -> TestCase | None:
    """What is left of a test when the work or the time is over."""
    stop = clock().stop
    most = min(MOST_CALLS, MOST_READ // len(given.words))
    judge = Judge(predicate, given.after, stop=stop, most=most)
    try:
        with until(stop):
            if judge.holds(tree):
                sentences = Sentences(grammar, Speller(recognizer, given.words).texts)
                judge.tidy = True
                judge.tidy = judge.says(judge.text(tree))
                reduced(Reducer(sentences, judge, parse))
    except (OutOfBudget, TimeIsUp):
        pass
    best = judge.best
    if best is None or len(best.words) >= len(given.words):
        return None
    tokens = None if test.tokens is None else tuple(word.text for word in best.words)
    return replace(test, text=judge.text(best), tokens=tokens)
