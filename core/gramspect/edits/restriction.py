"""Which small edits make a wrongly accepted input be rejected.

Every derivation of the input has to break, so the candidates are the rules of any one of them and
the positions in these: a rule is dropped, an option made mandatory, a repetition forbidden,
demanded or given separators, a call replaced by one of what it may stand for, two neighbours
swapped. Dozens of rules have an edit of that kind. What tells them apart is whether rightly
accepted inputs stay accepted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import inf

from gramspect.edits.candidates import item_table
from gramspect.edits.model import SWAPPED, Edit, EditKind, Key
from gramspect.edits.search import Outcome
from gramspect.edits.trial import Trial
from gramspect.effort import now
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Operator, Rule
from gramspect.recognition.chart import Chart
from gramspect.recognition.trace import ChartTrace
from gramspect.spectrum.extraction import observe

__all__ = ["rejecting", "requiring", "restrictions", "stricter"]

COST = {EditKind.DROP: 1.5, EditKind.REQUIRE: 1.0, EditKind.NARROW: 1.5, EditKind.SWAP: SWAPPED}
"""The cost of edits, except for those that turn one operator of the user's into another."""
OPERATOR_COST = 1.0
"""The cost of making an option, a repetition or a list stricter."""
SEPARATOR_COST = 1.5
"""The cost of asking for a separator between the elements of a list."""
TOKEN_COST = 1.5
"""The cost of asking for a token that the input does not have."""
PER_SYMBOL = 0.5
"""The cost of each symbol after the first that a narrower call puts in."""
LONGEST_CALL = 3
"""The most symbols that a narrower call is made of."""
PER_ITEM = 3
"""How many edits at one position are tried in place of what the rule says there."""
BATCH = 64
"""How many edits are tried before the clock is looked at again."""


_INSTEAD = {EditKind.INSERT: EditKind.REQUIRE, EditKind.REPLACE: EditKind.NARROW}


def restrictions(grammar: Grammar, rules: Iterable[int]) -> Iterator[Edit]:
    """The edits of these rules that may make the language smaller, each once."""
    for rule in sorted(rules):
        yield from _of_rule(grammar, rule)


def _of_rule(grammar: Grammar, index: int) -> Iterator[Edit]:
    rule = grammar.rules[index]
    operator = grammar.symbols[rule.lhs].operator
    if operator is not Operator.ACTION:
        yield from _of_list(grammar, rule)
        if operator is Operator.STAR:
            yield from _of_star(grammar, rule)
        else:
            yield from _without(grammar, rule)
        if operator is not Operator.PLUS:
            yield from _of_symbols(grammar, rule)


def _of_list(grammar: Grammar, rule: Rule) -> Iterator[Edit]:
    """A separator between the elements of a left-recursive list: what may stand at their ends."""
    if len(rule.rhs) == 2 and rule.rhs[0] == rule.lhs:
        item = grammar.item(rule.index, 1)
        kind = EditKind.REQUIRE
        if any(not grammar.rules[other].rhs for other in grammar.rules_of[rule.lhs]):
            kind = EditKind.SEPARATE
        for separator in _optional_at_ends(grammar, rule.rhs[1]):
            yield _edit(item, kind, separator, SEPARATOR_COST)


def _of_star(grammar: Grammar, rule: Rule) -> Iterator[Edit]:
    first = grammar.item(rule.index, 0)
    if rule.rhs:
        yield _edit(first, EditKind.NARROW, (), OPERATOR_COST)
    else:
        body = grammar.rules[grammar.rules_of[rule.lhs][-1]].rhs[1:]
        yield _edit(first, EditKind.REQUIRE, body, OPERATOR_COST)


def _without(grammar: Grammar, rule: Rule) -> Iterator[Edit]:
    """Drop the rule, if another one is left; of a repetition only the rule that repeats."""
    operator = grammar.symbols[rule.lhs].operator
    recursive = rule.lhs in rule.rhs[:1] + rule.rhs[-1:]
    if len(grammar.rules_of[rule.lhs]) > 1 and (recursive or operator is not Operator.PLUS):
        stricter = recursive or (operator is Operator.OPTION and not rule.rhs)
        cost = OPERATOR_COST if stricter else COST[EditKind.DROP]
        yield _edit(grammar.item(rule.index, 0), EditKind.DROP, (), cost)


def _of_symbols(grammar: Grammar, rule: Rule) -> Iterator[Edit]:
    for dot, symbol in enumerate(rule.rhs):
        item = grammar.item(rule.index, dot)
        for call in _narrower(grammar, symbol):
            cost = COST[EditKind.NARROW] + PER_SYMBOL * (len(call) - 1)
            yield _edit(item, EditKind.NARROW, call, cost)
        if dot + 1 < len(rule.rhs) and rule.rhs[dot + 1] != symbol:
            yield _edit(item, EditKind.SWAP, (), COST[EditKind.SWAP])


def _edit(item: int, kind: EditKind, symbols: tuple[int, ...], cost: float) -> Edit:
    return Edit(item, kind, symbols, 0, cost)


def _narrower(grammar: Grammar, symbol: int) -> Iterator[tuple[int, ...]]:
    """The replacements of a symbol that derive less: one of its alternatives.

    And those of alternatives that are a single call. Helpers are what the user wrote in place, so
    there is another edit for them.
    """
    if grammar.is_terminal(symbol) or grammar.symbols[symbol].operator is not None:
        return
    pending = [symbol]
    seen: set[tuple[int, ...]] = {(symbol,)}
    while pending:
        called = pending.pop()
        alternatives = grammar.rules_of[called]
        for index in alternatives:
            rhs = grammar.rules[index].rhs
            if rhs in seen or not 0 < len(rhs) <= LONGEST_CALL or called in rhs:
                continue
            seen.add(rhs)
            if len(alternatives) > 1 or called != symbol:
                yield rhs
            if len(rhs) == 1 and not grammar.is_terminal(rhs[0]):
                pending.append(rhs[0])


def _optional_at_ends(grammar: Grammar, symbol: int) -> Iterator[tuple[int, ...]]:
    """The optional symbols at the front or the end of what a symbol derives."""
    nullable = grammar.analysis.nullable
    seen = {symbol}
    pending = [symbol]
    found: dict[tuple[int, ...], None] = {}
    while pending:
        for index in grammar.rules_of.get(pending.pop(), ()):
            rhs = grammar.rules[index].rhs
            for end in {*rhs[:1], *rhs[-1:]} - seen:
                seen.add(end)
                if end in nullable:
                    found.update((each, None) for each in _once(grammar, end))
                else:
                    pending.append(end)
    yield from found


def _once(grammar: Grammar, symbol: int) -> Iterator[tuple[int, ...]]:
    """The shorter alternatives of an optional symbol; of a repetition what it repeats."""
    for index in grammar.rules_of[symbol]:
        rhs = tuple(s for s in grammar.rules[index].rhs if s != symbol)
        if 0 < len(rhs) <= LONGEST_CALL:
            yield rhs


def rejecting(chart: Chart, tokens: Sequence[int], deadline: float = inf) -> tuple[Edit, ...]:
    """The restrictions with which the accepted `tokens` are rejected, cheapest first.

    `chart` is theirs. After `deadline` (by `gramspect.effort.now`) the search ends with what
    it has.
    """
    rules = observe(ChartTrace(chart)).rules
    return _effective(restrictions(chart.grammar, rules), Trial(chart, tokens), deadline)


def requiring(chart: Chart, tokens: Sequence[int], deadline: float = inf) -> tuple[Edit, ...]:
    """The same, and edits that ask for one more token where a derivation of the input has none.

    The token is one that may stand there already, as the start of what follows: if the author
    forgot it, that is how inputs that have it are read.
    """
    starts = item_table(chart.grammar).starts
    items = observe(ChartTrace(chart)).items
    helpers = (Operator.ACTION, Operator.STAR, Operator.PLUS, Operator.SET)
    edits = (
        _edit(item, EditKind.REQUIRE, (token,), TOKEN_COST)
        for item in sorted(items)
        if _operator(chart.grammar, item) not in helpers
        for token in starts(item)
    )
    return _effective(edits, Trial(chart, tokens), deadline)


def _operator(grammar: Grammar, item: int) -> Operator | None:
    rule, _ = grammar.split_item(item)
    return grammar.symbols[grammar.rules[rule].lhs].operator


def _effective(edits: Iterable[Edit], trial: Trial, deadline: float) -> tuple[Edit, ...]:
    """The edits with which an accepted input is rejected."""
    candidates = sorted(edits, key=lambda edit: (edit.cost, edit.item))
    found = []
    for start in range(0, len(candidates), BATCH):
        batch = candidates[start : start + BATCH]
        for edit, reached in zip(batch, trial.reached(batch), strict=True):
            if 0 <= reached <= len(trial.tokens):
                found.append(replace(edit, column=reached))
        if now() >= deadline:
            break
    return tuple(found)


def stricter(grammar: Grammar, outcomes: Iterable[Iterable[Outcome]]) -> list[Edit]:
    """For every test the cheapest edits of each item as changes of the rule itself, each once.

    A new alternative that is one symbol may be meant for any of the rules that are one symbol.
    """
    found: dict[Key, Edit] = {}
    for of_test in outcomes:
        used: Counter[int] = Counter()
        for edit in sorted((outcome.edit for outcome in of_test), key=lambda edit: edit.cost):
            used[edit.item] += 1
            if edit.kind in _INSTEAD and used[edit.item] <= PER_ITEM:
                found.update((made.key, made) for made in _as_change(grammar, edit))
    return list(found.values())


def _as_change(grammar: Grammar, edit: Edit) -> Iterator[Edit]:
    kind = _INSTEAD[edit.kind]
    rule = grammar.rules[grammar.split_item(edit.item)[0]]
    items = [edit.item]
    if len(rule.rhs) == 1 and kind is EditKind.NARROW:
        others = (grammar.rules[index] for index in grammar.rules_of[rule.lhs])
        items = [grammar.item(other.index, 0) for other in others if len(other.rhs) == 1]
    yield from (replace(edit, item=item, kind=kind) for item in items)
