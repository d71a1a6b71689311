"""What a failing input is about: ``abstract``.

A node of a small failing input is *abstract* if every sentence of its non-terminal can stand in its
place and the input still fails, as far as a number of trials shows (R. Gopinath, A. Kampmann,
N. Havrikov, E. Soremekun and A. Zeller, "Abstracting failure-inducing inputs", 2020).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

from gramspect.algebra.constructions import at_least_one_grammar, smallest_part
from gramspect.algebra.patterns import ABSTRACT, FixedText, Pattern
from gramspect.algebra.texts import TextGrammar, texts_of
from gramspect.errors import GrammarError, GramspectError
from gramspect.generation.minimal import Minimal
from gramspect.generation.sampling import Sampling, random_derivations
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Lexing, Recognizer
from gramspect.reduction.inputs import text_of
from gramspect.reduction.judging import Judge, OutOfBudget
from gramspect.reduction.reduce import Reduction
from gramspect.reduction.trees import Tree, Word
from gramspect.running.observing import silenced

__all__ = ["TRIALS", "AbstractNode", "Abstraction", "abstract", "anywhere"]

TRIALS = 20
"""How many other sentences are tried for a node unless another number is given."""
_CONFIDENCE = 0.95
_SAMPLES = 6
_LONGEST = Sampling(max_rules=12)
"""What is tried in the place of a node."""
_ANYWHERE = Sampling(max_rules=40)
"""What is tried around a part of a pattern."""
_TRIES = 4
"""How many sentences are drawn for each trial, as some make no sense."""


@dataclass(frozen=True)
class AbstractNode:
    """A node that can be any sentence of its symbol, or a token that can have any text of its kind.

    Of the `trials` that made sense all failed; `invalid` ones made none.
    """

    symbol: int
    trials: int
    invalid: int

    @property
    def share(self) -> float:
        """With a confidence of 95%, at least this share of all such inputs fails.

        It is p with p^trials = 0.05: were it less, so many failures in a row would be less likely.
        """
        return float((1 - _CONFIDENCE) ** (1 / self.trials))


@dataclass(frozen=True)
class Abstraction:
    """The pattern of a failing input.

    `text` shows the pattern with the texts of its tokens and ``<name>`` for abstract nodes; `nodes`
    are the abstract nodes in order, tokens among them. `exact` are tokens that must keep their
    texts, because inputs with other texts of their kinds need not fail. `pattern` is the tree,
    with these texts. `interrupted` is the reason why the search ended early, or None.
    """

    reduction: Reduction
    pattern: Pattern
    text: str
    nodes: Sequence[AbstractNode]
    calls: int
    interrupted: str | None = None
    exact: tuple[Word, ...] = ()


def abstract(found: Reduction, *, trials: int = TRIALS, seed: int = 0) -> Abstraction:
    """The pattern behind an input that `reduce` made small.

    From the top of the tree down, each node is tried: `trials` random sentences of its symbol stand
    in its place, and at the same time others in the place of the nodes that are abstract already.
    If all of those that make sense fail, it is abstract. The root stays. The tokens that are left
    are tried in the same way, with other texts of their kind.

    Raises:
        GramspectError: the input is no sentence of the grammar.
    """
    if not found.is_sentence or found.parser is None or found.judge is None:
        raise GramspectError(
            "the input is no sentence of the grammar, so it has no pattern; give the grammar of the"
            " language with --reference"
        )
    tried = _Trials(found.parser, found.judge, found.tree, trials, Random(seed))
    calls = found.judge.calls
    interrupted = None
    try:
        tried.abstract()
    except OutOfBudget:
        interrupted = "the budget is used up"
    except KeyboardInterrupt:
        interrupted = "interrupted"
    return Abstraction(
        found,
        tried.pattern(),
        tried.text(),
        [tried.known[node] for node in sorted(tried.known)],
        found.judge.calls - calls,
        interrupted,
        tuple(tried.exact),
    )


def anywhere(found: Abstraction, *, trials: int = TRIALS, seed: int = 0) -> Abstraction:
    """The smallest part of a pattern that is enough for the failure, wherever it stands.

    A part is enough if of the random sentences that have it somewhere and make sense `trials` fail,
    and none does not (R. Gopinath, "Specializing Grammars for Inducing Faults"). What is left of
    the budget is used; when it is over, the smallest part so far is returned.
    """
    reduction = found.reduction
    assert reduction.parser is not None
    assert reduction.judge is not None
    tried = _Parts(_Trials(reduction.parser, reduction.judge, reduction.tree, trials, Random(seed)))
    calls, interrupted = reduction.judge.calls, found.interrupted
    try:
        smallest_part(reduction.grammar, found.pattern, tried.is_enough)
    except OutOfBudget:
        interrupted = "the budget is used up"
    except KeyboardInterrupt:
        interrupted = "interrupted"
    asked = found.calls + reduction.judge.calls - calls
    part = tried.smallest or found.pattern
    return replace(found, pattern=part, calls=asked, interrupted=interrupted)


class _Parts:
    """Which parts of a pattern are enough; `smallest` is the last that was."""

    def __init__(self, trials: _Trials) -> None:
        self.trials = trials
        self.smallest: Pattern | None = None

    def is_enough(self, part: Pattern) -> bool:
        trials, grammar = self.trials, self.trials.parser.grammar
        texts = TextGrammar.of(grammar, texts_of(grammar, [part]), trials.other_text)
        try:
            made = at_least_one_grammar(texts.grammar, texts.pattern(part))
        except GrammarError:
            return False  # it stands in no sentence
        spelled = {number: text for (_, text), number in texts.terminals.items()}
        drawn = random_derivations(Minimal(made), trials.random, _ANYWHERE)
        failed = 0
        for derivation in islice(drawn, _TRIES * trials.trials):
            text = trials.spelled(derivation.tokens, spelled, texts)
            answer = None if text is None else trials.judge.answer(text)
            if answer is False:
                return False
            failed += answer is True
            if failed == trials.trials:
                self.smallest = part
                return True
        return False


class _Trials:
    """Which nodes of a tree are abstract."""

    def __init__(
        self, parser: Recognizer, judge: Judge, tree: Tree, trials: int, random: Random
    ) -> None:
        self.parser, self.judge, self.tree = parser, judge, tree
        self.trials, self.random = trials, random
        self.known: dict[int, AbstractNode] = {}
        self.exact: list[Word] = []
        self._draws: dict[int, Iterator[Sequence[int]]] = {}
        self._texts: dict[int, Sequence[str]] = {}
        self._of_input: dict[int, set[str]] = {}
        for word in tree.words:
            self._of_input.setdefault(word.terminal, set()).add(word.text)

    def abstract(self) -> None:
        """Find the abstract nodes, from the top down, and then the abstract tokens."""
        node = 1
        while node < len(self.tree):
            found = None if self.tree.is_leaf(node) else self._tried(node)
            if found is None:
                node += 1
            else:
                self.known[node] = found
                node = self.tree.ends[node]
        for node, word in [(node, self.tree.nodes[node]) for node in self._outer()]:
            if isinstance(word, Word) and self._other_texts(word):
                found = self._tried(node)
                if found is None:
                    self.exact.append(word)
                else:
                    self.known[node] = found

    def _other_texts(self, word: Word) -> list[str]:
        """Texts of the same kind, but for one in other letters as of a keyword."""
        if word.terminal < 0:
            return []
        own = word.text.casefold()
        return [text for text in self._known_texts(word.terminal) if text.casefold() != own]

    def _tried(self, node: int) -> AbstractNode | None:
        symbol = self.tree.symbol(node)
        here = text_of(self._words(node, self.tree.ends[node])).strip()
        different = failed = invalid = 0
        for _ in range(_TRIES * self.trials):
            filling = self._filling(node)
            if filling is None:
                return None
            fillings = {node: filling}
            for other in self.known:
                fillings[other] = self._filling(other) or ()
            answer = self.judge.answer(self._text(fillings))
            if answer is None:
                invalid += 1
            elif not answer:
                return None
            else:
                failed += 1
                different += text_of(filling).strip() != here
            if failed == self.trials:
                return AbstractNode(symbol, failed, invalid) if different else None
        return None

    def _words(self, first: int, end: int) -> list[Word]:
        return [node for node in self.tree.nodes[first:end] if isinstance(node, Word)]

    def _filling(self, node: int) -> tuple[Word, ...] | None:
        """The words of a random sentence of the symbol of a node; a token with another text."""
        here, symbol = self.tree.nodes[node], self.tree.symbol(node)
        if isinstance(here, Word):
            return (here._replace(text=self.random.choice(self._other_texts(here))),)
        if symbol not in self._draws:
            grammar = replace(self.parser.grammar, start=symbol)
            self._draws[symbol] = (
                derivation.tokens
                for derivation in random_derivations(Minimal(grammar), self.random, _LONGEST)
            )
        tokens = next(self._draws[symbol], None)
        if tokens is None or not all(map(self._known_texts, tokens)):
            return None
        return tuple(
            Word(token, self.random.choice(self._known_texts(token)), " ") for token in tokens
        )

    def _known_texts(self, terminal: int) -> Sequence[str]:
        """Texts of a terminal: those of the input, and those that the lexer knows."""
        if terminal not in self._texts:
            found = dict.fromkeys(sorted(self._of_input.get(terminal, ())))
            if isinstance(self.parser, Lexing):
                with silenced():
                    found |= dict.fromkeys(self.parser.samples(terminal, _SAMPLES))
            else:
                symbol = self.parser.grammar.symbols[terminal]
                found |= dict.fromkeys([next(iter(symbol.spellings), symbol.name)])
            self._texts[terminal] = list(found)
        return self._texts[terminal]

    def other_text(self, terminal: int, texts: Collection[str]) -> str | None:
        """A text of a terminal that is none of these; None if none is known."""
        known = self._known_texts(terminal)
        return next((text for text in known if text not in texts), None)

    def spelled(
        self, tokens: Sequence[int], fixed: Mapping[int, str], texts: TextGrammar
    ) -> str | None:
        """The text of a sentence of a grammar with texts; None if a token has none."""
        words = []
        for token in tokens:
            if token in fixed:
                words.append(Word(token, fixed[token], " "))
                continue
            without = texts.texts.get(token, ())
            options = [text for text in self._known_texts(token) if text not in without]
            if not options:
                return None
            words.append(Word(token, self.random.choice(options), " "))
        return text_of(words)

    def _text(self, fillings: Mapping[int, Sequence[Word]]) -> str:
        words: list[Word] = []
        node = 0
        while node < len(self.tree):
            if node in fillings:
                words += fillings[node]
                node = self.tree.ends[node]
                continue
            here = self.tree.nodes[node]
            if isinstance(here, Word):
                words.append(here)
            node += 1
        return text_of(words, self.judge.after, tidy=self.judge.tidy)

    def pattern(self) -> Pattern:
        """The tree with its abstract nodes, as a pattern."""
        rules: list[int] = []
        texts: list[FixedText] = []
        pending = [(-1, 0)]  # where the next nodes stand: in the rule of a node of the pattern
        for node in self._outer():
            here, (above, position) = self.tree.nodes[node], pending.pop()
            if isinstance(here, Word):
                if node not in self.known and self._other_texts(here):
                    texts.append(FixedText(above, position, here.text))
                continue
            rules.append(ABSTRACT if node in self.known else here)
            if node not in self.known:
                places = range(len(self.tree.productions[here][1]))
                pending += [(len(rules) - 1, place) for place in reversed(places)]
        return Pattern(self.tree.symbol(0), tuple(rules), tuple(sorted(texts)))

    def _outer(self) -> Iterator[int]:
        """The nodes that are below no abstract one."""
        node = 0
        while node < len(self.tree):
            yield node
            node = self.tree.ends[node] if node in self.known else node + 1

    def text(self) -> str:
        """The pattern on one line, with the texts of the input."""
        grammar: Grammar = self.parser.grammar
        words: list[Word] = []
        for node in self._outer():
            here = self.tree.nodes[node]
            if node in self.known:
                name = f"<{grammar.symbols[self.tree.symbol(node)].display}>"
                at = here if isinstance(here, Word) else Word(-1, "", " ")
                words.append(at._replace(text=name))
            elif isinstance(here, Word):
                words.append(here)
        return re.sub(r"\s+", " ", text_of(words, tidy=True)).strip()
