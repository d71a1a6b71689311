"""What a conformance test needs to know of an adapter: its technique, and sources to load."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Adapter, LoadOptions
from gramspect.running.loading import LoadSpec
from gramspect.suites.suite import Expectation, TestCase
from gramspect.testing.grammars import is_lalr1, is_ll1

__all__ = ["Loadable", "Technique", "sequence", "text"]


class Technique(Enum):
    """How a tool parses. It decides for which grammars its parser must agree with the chart."""

    LL1 = "LL(1)"
    """One token of lookahead, top-down: LL(1) grammars."""
    LL = "LL"
    """Top-down with more lookahead: LALR(1) grammars, except those that the tool refuses."""
    LR = "LALR(1)"
    """Bottom-up: LALR(1) grammars. Shift items are those of an LR parser."""
    GENERAL = "general"
    """Any context-free grammar, ambiguous ones included."""

    def takes(self, grammar: Grammar) -> bool:
        """Whether the parser that is made of a grammar must accept what the grammar derives."""
        if self is Technique.LL1:
            return is_ll1(grammar)
        return self is Technique.GENERAL or is_lalr1(grammar)


@dataclass(frozen=True, eq=False)
class Loadable:
    """A source that an adapter loads, with inputs and what is true of them.

    Attributes:
        source: what `load` takes; or a function that makes it in a folder and returns its name.
        accept: inputs that its parser accepts, at least one.
        reject: inputs that it rejects.
        options: how it is loaded; or a function that returns this for the folder.
        context_free: whether the parser accepts exactly what its grammar derives, and stops where
            the grammar does: no predicates, no conflicts, no priorities.
        spans: whether rules and symbols have places in a text.
        claimed: whether the adapter claims the source by itself.
        toy: whether the source is the worked example (`gramspect.testing.toy`), rule by rule.
        spelled: texts of tokens that are not written as in the worked example.
        crashing: inputs on which the user's code raises an exception.
        endless: inputs on which it never ends.
    """

    source: str | Callable[[Path], str]
    accept: Sequence[str] = ()
    reject: Sequence[str] = ()
    options: LoadOptions | Callable[[Path], LoadOptions] = field(default_factory=LoadOptions)
    context_free: bool = True
    spans: bool = True
    claimed: bool = True
    toy: bool = False
    spelled: Mapping[str, str] = field(default_factory=dict)
    crashing: Sequence[str] = ()
    endless: Sequence[str] = ()

    def __str__(self) -> str:
        """What pytest calls it."""
        if callable(self.source):
            return self.source.__name__
        return Path(self.source).name

    def made(self, adapter: Adapter, folder: Path) -> LoadSpec:
        """What loads it, made in a folder if it has to be made."""
        source = self.source(folder) if callable(self.source) else self.source
        options = self.options(folder) if callable(self.options) else self.options
        return LoadSpec(adapter.name, source, options)


def text(text: str) -> TestCase:
    """A test of a text."""
    return TestCase("text", Expectation.ACCEPT, text)


def sequence(word: Sequence[str]) -> TestCase:
    """A test that is a sequence of token names by construction."""
    return TestCase("word", Expectation.ACCEPT, " ".join(word), tuple(word))
