"""What failing tests have in common, in words and as values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gramspect.grammars.grammar import Grammar
from gramspect.localization.common import BEFORE, CommonTrait, Trait
from gramspect.localization.results import Localization
from gramspect.report.values import Json
from gramspect.report.words import printable
from gramspect.spectrum.matrix import SpectrumKind

__all__ = ["COMMON", "CommonInWords", "common_in_words", "common_values"]

COMMON = "What failing tests have in common"
"""What the reports say before it."""


@dataclass(frozen=True)
class CommonInWords:
    """How many tests it is true of, and what it is."""

    tests: str
    traits: str


def common_in_words(result: Localization) -> Iterator[CommonInWords]:
    """What failing tests have in common, the surest first."""
    for one in result.common:
        passing = f"{len(one.passing):,}" if one.passing else "no"
        words = " and ".join(_words(result, trait) for trait in one.present)
        if one.absent:
            words += f", but not {' nor '.join(_words(result, trait) for trait in one.absent)}"
        yield CommonInWords(f"{len(one.failing):,} failing, {passing} passing", printable(words))


def _words(result: Localization, trait: Trait) -> str:
    grammar = result.grammar
    if trait.element is not None:
        if result.method.spectrum is SpectrumKind.RULE:
            return grammar.rule_text(trait.element)
        return grammar.item_text(trait.element)
    first, *others = trait.tokens
    if not others:
        return _token(grammar, first)
    (second,) = others
    if first == BEFORE:
        return f"{_token(grammar, second)} at the beginning"
    if second == 0:
        return f"{_token(grammar, first)} at the end"
    return f"{_token(grammar, first)} right before {_token(grammar, second)}"


def _token(grammar: Grammar, terminal: int) -> str:
    return grammar.symbols[terminal].display if terminal >= 0 else "an unknown token"


def common_values(result: Localization) -> list[Json]:
    """The same as JSON values."""
    return [_value(result, one) for one in result.common]


def _value(result: Localization, one: CommonTrait) -> Json:
    tests = result.suite.tests
    return {
        "present": [_trait_value(result, trait) for trait in one.present],
        "absent": [_trait_value(result, trait) for trait in one.absent],
        "failing": [tests[number].name for number in one.failing],
        "passing": [tests[number].name for number in one.passing],
    }


def _trait_value(result: Localization, trait: Trait) -> Json:
    grammar = result.grammar
    label = None
    if trait.element is not None:
        is_rule = result.method.spectrum is SpectrumKind.RULE
        label = grammar.rules[trait.element].label if is_rule else grammar.item_label(trait.element)
    return {
        "text": _words(result, trait),
        "tokens": [
            grammar.symbols[token].display if token >= 0 else None for token in trait.tokens
        ],
        "label": label,
    }
