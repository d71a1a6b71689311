"""The grammars and words of the conformance kit, as the oracles see them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from hypothesis.strategies import SearchStrategy

from cfg import Cfg, Word
from gramspect.grammars.grammar import Grammar
from gramspect.testing import grammars as kit
from gramspect.testing.grammars import FOREIGN, NONTERMINALS, TERMINALS

__all__ = ["FOREIGN", "NONTERMINALS", "TERMINALS", "grammars", "sentences", "words"]


def grammars(keep: Callable[[Cfg], bool] | None = None) -> SearchStrategy[Cfg]:
    """Reduced grammars of whatever shape; with `keep`, those that have a property."""
    kept = None if keep is None else lambda rules: keep(_cfg(rules))
    return kit.rule_sets(kept).map(_cfg)


def words(grammar: Cfg, max_size: int = 8) -> SearchStrategy[Word]:
    """Sentences, damaged sentences, and anything else, the empty word included."""
    return kit.words(_core(grammar), max_size)


def sentences(grammar: Cfg, max_choices: int = 12) -> SearchStrategy[Word]:
    """Sentences by leftmost derivation: chosen rules first, then the shortest way to the end."""
    return kit.sentences(_core(grammar), max_choices)


def _cfg(rules: kit.Rules) -> Cfg:
    return Cfg(rules, NONTERMINALS[0])


@lru_cache(maxsize=16)
def _core(grammar: Cfg) -> Grammar:
    return Grammar.from_rules(grammar.rules, start=grammar.start)
