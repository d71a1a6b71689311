"""More general edits, for more inputs: a non-terminal in place of a token that it derives.

An edit is found with one input, so its symbols are the tokens of that one: ``'=' NUMBER``. Another
failing input may have another token there. If a non-terminal that derives the first token makes
both pass, ``'=' expression``, it is what was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import inf

from gramspect.edits.model import Edit, EditKind, generality
from gramspect.edits.suggestion import Bench, Suggestion
from gramspect.edits.validation import Status, effects
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Operator
from gramspect.grammars.units import deriving_alone

__all__ = ["derives_alone", "generalized"]

SURCHARGE = 0.1
"""The extra cost of a more general edit: serving several inputs is evidence enough."""
MOST = 40
"""How many edits are looked at."""


def generalized(
    bench: Bench, suggestions: Sequence[Suggestion], deadline: float = inf
) -> list[Suggestion]:
    """The suggestions, the first ones replaced by more general ones that fix more tests."""
    failing = [case for case in bench.cases if not case.passes]
    found = list(suggestions)
    for place, one in enumerate(found[:MOST]):
        if len(one.effect.fixed) >= len(failing) or not _has_examples(bench.grammar, one.edit):
            continue
        variants = _variants(bench.grammar, one.edit)
        some = effects(bench.grammar, variants, failing, deadline)
        gains = {id(v): len(e.fixed) for v, e in zip(variants, some, strict=True)}
        more = [v for v in variants if gains[id(v)] > len(one.effect.fixed)]
        more.sort(key=lambda variant: -gains[id(variant)])
        for variant, effect in zip(
            more, effects(bench.grammar, more, bench.cases, deadline), strict=True
        ):
            if effect.status is Status.VALIDATED:
                edit = replace(variant, cost=one.edit.cost + SURCHARGE)
                found[place] = Suggestion(bench.grammar, edit, effect)
                break
    return found


def _has_examples(grammar: Grammar, edit: Edit) -> bool:
    """Whether the new symbols of an edit were taken from an input."""
    if edit.kind in (EditKind.REQUIRE, EditKind.NARROW):
        rule = grammar.rules[grammar.split_item(edit.item)[0]]
        return grammar.symbols[rule.lhs].operator not in (Operator.STAR, Operator.PLUS)
    return not edit.kind.restrictive


def _variants(grammar: Grammar, edit: Edit) -> list[Edit]:
    """The edit with a token replaced by each non-terminal that derives it, least general first."""
    found = []
    for place, symbol in enumerate(edit.symbols):
        if grammar.is_terminal(symbol):
            for call in derives_alone(grammar, symbol):
                symbols = (*edit.symbols[:place], call, *edit.symbols[place + 1 :])
                found.append(replace(edit, symbols=symbols))
    return found


@lru_cache(maxsize=256)
def derives_alone(grammar: Grammar, token: int) -> tuple[int, ...]:
    """The non-terminals that the user wrote and that derive this one token, least general first.

    Of equally general ones those come first that the grammar calls more often.
    """
    units = deriving_alone(grammar, token)
    calls = [s for s in units if grammar.symbols[s].operator is None]
    general = generality(grammar)
    uses = Counter(symbol for rule in grammar.rules for symbol in rule.rhs)
    return tuple(sorted(calls, key=lambda call: (general[call], -uses[call], call)))
