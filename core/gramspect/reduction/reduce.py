"""The smallest input that still fails: ``reduce``."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from gramspect.errors import GramspectError
from gramspect.generation.minimal import Minimal
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.reduction.inputs import Input, read_input, text_of, tree_of
from gramspect.reduction.judging import Judge, OutOfBudget
from gramspect.reduction.passes import Reducer
from gramspect.reduction.predicates import Predicate, StillWrong
from gramspect.reduction.sentences import Sentences
from gramspect.reduction.spelling import Speller
from gramspect.reduction.trees import Tree, Word
from gramspect.running.loading import load_parser
from gramspect.running.options import Progress
from gramspect.suites.suite import Expectation, TestCase

__all__ = ["INTERRUPTED", "Reduction", "reduce", "reduced_tree"]

INTERRUPTED = "interrupted"
"""Why a reduction ended early if somebody pressed Ctrl-C."""

Source = str | os.PathLike[str] | Recognizer

_OTHERS = 8
"""How many other sentences are asked about if the shortest one fails, too."""


@dataclass(frozen=True)
class Reduction:
    """A smaller input.

    Attributes:
        test: the test that was made smaller.
        text: the smaller input.
        words, n_words: its tokens, and the number of tokens of the test.
        tree: its derivation tree.
        grammar: the grammar of that tree.
        is_sentence: whether the test is a sentence of that grammar.
        calls: how often the predicate was asked.
        seconds: how long the search took.
        interrupted: whether somebody, or the budget, ended the search early.
        notes: notes for readers: answers that differ, no answers, what is not known.
        parser, judge: the parser that the grammar is from, and the one that was asked.
    """

    test: TestCase
    text: str
    words: Sequence[Word]
    n_words: int
    tree: Tree
    grammar: Grammar
    is_sentence: bool
    calls: int
    seconds: float
    interrupted: str | None = None
    notes: tuple[str, ...] = ()
    parser: Recognizer | None = field(default=None, repr=False)
    judge: Judge | None = field(default=None, repr=False)

    @property
    def reduced(self) -> TestCase:
        """The test with the smaller input."""
        return replace(self.test, text=self.text, tokens=None)


def reduce(
    source: Source,
    test: TestCase | str,
    predicate: Predicate | None = None,
    *,
    reference: Source | None = None,
    load: LoadOptions = LoadOptions(),
    reference_load: LoadOptions = LoadOptions(),
    same_place: bool | None = None,
    timeout: float | None = 10.0,
    budget: float = math.inf,
    most_calls: float = math.inf,
    progress: Progress | None = None,
) -> Reduction:
    """Make an input smaller while a predicate holds; by default while a parser is wrong about it.

    The smaller input is a sentence of the grammar if the input is one. Unless the search was
    interrupted, the predicate holds for no sentence in which one more token is left out, or a node
    is replaced by the shortest sentence of its symbol or by a node below it.

    Args:
        source: the parser under test; with a predicate, the grammar of the input.
        test: the input; a text is a test that should be accepted.
        predicate: what must hold; a function of a text. One that raises has no answer.
        reference: a parser that knows the language: it must give the test, and the smaller input,
            the other verdict. The derivation tree is that of the parser that accepts the input.
        load, reference_load: how the parsers are loaded.
        same_place: whether the parser must fail where it fails on the whole input. None means: if
            nothing else tells what the language is, that is, without a reference and for an
            input that the grammar does not derive.
        timeout: seconds that a predicate in Python may take.
        budget: seconds for all of it.
        most_calls: how often the predicate may be asked.
        progress: called with the number of tokens left out and of all.

    Raises:
        GramspectError: a source cannot be used, the predicate does not hold for the input, or it
            holds for any input.
    """
    begin = monotonic()
    if isinstance(test, str):
        test = TestCase("input", Expectation.ACCEPT, test)
    parser = load_parser(source, load).recognizer
    judge_of_language = None
    if reference is not None:
        judge_of_language = load_parser(reference, reference_load).recognizer
    wanted = test.expectation is Expectation.ACCEPT
    known = judge_of_language if judge_of_language is not None and wanted else parser
    given = read_input(known, test)
    tree, is_sentence = tree_of(known.grammar, given.words)
    notes: list[str] = []
    if predicate is None:
        blind = reference is None and not is_sentence
        place = blind if same_place is None else same_place
        predicate = StillWrong(parser, test, judge_of_language, place)
        if blind and place:
            notes.append(
                "no reference says whether what is left should be accepted; it is rejected at the"
                " same place of the grammar, with the same message"
            )
    judge = Judge(predicate, given.after, timeout, begin + budget, most_calls)
    if progress is not None:
        total = len(given.words)
        judge.watch = lambda left: progress(total - left, total)
    interrupted = reduced_tree(known, given, tree, judge, is_sentence, notes)
    best = judge.best or tree
    notes += _said_of(judge)
    return Reduction(
        test, judge.text(best), best.words, len(given.words), best, known.grammar, is_sentence,
        judge.calls, monotonic() - begin, interrupted, tuple(notes), known, judge,
    )  # fmt: skip


def reduced_tree(
    parser: Recognizer, given: Input, tree: Tree, judge: Judge, is_sentence: bool, notes: list[str]
) -> str | None:
    """Make a tree smaller: what is left is the judge's best. Returns why it ended early, if so.

    Raises:
        GramspectError: the predicate does not hold for the input, or holds for any.
    """
    try:
        if not judge.look(tree):
            raise GramspectError(_does_not_fail(judge))
        judge.best = tree
        speller = Speller(parser, given.words)
        sentences = Sentences(parser.grammar, speller.texts)

        def parsed(words: Sequence[Word]) -> Tree | None:
            found, ok = tree_of(parser.grammar, words)
            return found if ok or not is_sentence else None

        left = Reducer(sentences, judge, parsed).reduced(tree)
        _check_meaning(parser.grammar, sentences, judge, left)
        speller.shorten(judge, left)
        _confirm(judge, notes)
    except OutOfBudget:
        return "the budget is used up"
    except KeyboardInterrupt:
        return INTERRUPTED
    return None


def _does_not_fail(judge: Judge) -> str:
    why = "".join(f" ({trouble})" for trouble in list(judge.troubles)[:1])
    return f"the input does not fail: the predicate does not hold for it{why}"


def _check_meaning(grammar: Grammar, sentences: Sentences, judge: Judge, left: Tree) -> None:
    """If the shortest sentence is what is left, see whether others are different.

    Raises:
        GramspectError: the predicate holds for every one of them.
    """
    shortest = sentences.shortest(grammar.start)
    if (
        shortest is None
        or len(left.words) != shortest.n_words
        or isinstance(judge.predicate, StillWrong)
    ):
        return
    texts = ["", *_others(grammar, sentences.texts)]
    if len(texts) > 1 and all(judge.says(text) for text in texts):
        raise GramspectError(
            f"the predicate holds for the shortest sentence and for {len(texts)} other inputs: it"
            " does not tell inputs that fail from others"
        )


def _others(grammar: Grammar, texts: Mapping[int, str]) -> list[str]:
    """Some sentences, each with another rule in it."""
    minimal = Minimal(grammar)
    step = max(1, len(minimal.rules) // _OTHERS)
    found: dict[str, None] = {}
    for rule in minimal.rules[::step]:
        around = minimal.context(grammar.rules[rule].lhs)
        tokens = around.filled(minimal.whole(rule)).tokens
        if all(token in texts for token in tokens):
            found[text_of([Word(token, texts[token], " ") for token in tokens])] = None
    return list(found)[:_OTHERS]


def _confirm(judge: Judge, notes: list[str]) -> None:
    """Ask once more about what is left; a predicate that now says no gives different answers."""
    best = judge.best
    assert best is not None
    if not judge.flaky and judge.ask(judge.text(best)):
        return
    if not judge.flaky:
        judge.share = 0.5
    n = 10
    seen = sum(judge.ask(judge.text(best)) for _ in range(n))
    notes.append(f"asked {n} times about what is left, the predicate held {seen} times")


def _said_of(judge: Judge) -> list[str]:
    notes = []
    if judge.flaky:
        notes.append(
            "the predicate gives different answers for the same input; a smaller one was given up"
            f" after it had not held {judge.repeats} times"
        )
    if judge.unfinished:
        notes.append("so much is left that not each single token was tried")
    for trouble, count in list(judge.troubles.items())[:3]:
        notes.append(f"the predicate had no answer {count} times: {trouble}")
    return notes
