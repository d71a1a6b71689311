"""The data for the script of an HTML report: elements, tests and spectra as compact JSON values.

Everything from the user's files is escaped for display here (`visible`, `printable`): control
characters and those that change the direction of text are shown by their codes.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.lexical.rules import TokenRule
from gramspect.report.html_text import GrammarText
from gramspect.report.words import printable
from gramspect.running.recording import FailingTest, UndecidedTest
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import TestSuite

__all__ = ["Data", "element_data", "spectra_data", "suite_data", "visible"]

Data: TypeAlias = dict[str, Any]

_MOST_BYTES = 64 << 20
"""Spectra that take more would not open in a browser."""
_BEFORE, _AFTER = 1500, 500
"""How many characters of a test are shown before and after its error."""
_SHOWN = 600
"""How many characters of other tests are shown."""
_ALL_TEXTS = 2_000_000
"""How many characters of all tests together are shown; the first tests come first."""


def visible(text: str) -> str:
    """The text with what would not show as itself escaped, but for line ends and tabs."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else printable(c) for c in text)


# --- elements ------------------------------------------------------------------------------


def element_data(grammar: Grammar, text: GrammarText, tokens: Sequence[TokenRule] = ()) -> Data:
    """Rules and items by number: texts, places in the page, places in the files.

    Token rules follow, each as a rule with one item, from number `firstToken` of the rules on.

    An item's text is that of its rule with a sign at ``marks[item]``, an offset in UTF-16 units;
    where the sign changes more (``( • a )?`` of ``a?``), `itemTexts` has what is before and after.
    """
    owners = [grammar.user_nonterminal(rule.lhs) for rule in grammar.rules]
    numbers = {symbol: number for number, symbol in enumerate(dict.fromkeys(owners))}
    rules = [printable(grammar.rule_text(rule.index)) for rule in grammar.rules]
    items = range(grammar.n_items)
    mark = _mark(grammar)
    marked = [grammar.item_text(item, mark).split(mark) for item in items]
    parts = [(printable(before), printable(after)) for before, after in marked]
    names = [grammar.symbols[symbol].name for symbol in numbers]
    last = grammar.n_items
    where = [_where(token.span) for token in tokens]
    return {
        "firstToken": grammar.n_rules,
        "nonterminals": [printable(name) for name in (*names, *(t.label for t in tokens))],
        "owners": [*(numbers[symbol] for symbol in owners), *_next(len(names), tokens)],
        "labels": [
            *(printable(rule.label) for rule in grammar.rules),
            *(printable(token.label) for token in tokens),
        ],
        "rules": [*rules, *(printable(token.text or token.name) for token in tokens)],
        "marks": [*(_utf16(before) for before, _ in parts), *(0 for _ in tokens)],
        "itemTexts": {
            item: [before, after]
            for item, (before, after) in enumerate(parts)
            if not _is_rule_with_mark(rules[grammar.split_item(item)[0]], before, after)
        },
        "itemStart": [*grammar.item_start, *_next(last + 1, tokens)],
        "itemPlaces": list(text.item_places),
        "rulePlaces": list(text.rule_places),
        "ruleWhere": [*(_where(grammar.rule_span(rule.index)) for rule in grammar.rules), *where],
        "itemWhere": [*(_where(grammar.item_span(item)) for item in items), *where],
    }


def _next(first: int, tokens: Sequence[TokenRule]) -> range:
    """As many numbers as there are token rules."""
    return range(first, first + len(tokens))


def _mark(grammar: Grammar) -> str:
    """A word that no rule contains."""
    runs = re.findall("\0+", "".join(symbol.display for symbol in grammar.symbols))
    return "\0" * (1 + max(map(len, runs), default=0))


def _is_rule_with_mark(rule: str, before: str, after: str) -> bool:
    """Whether a text with a sign is the rule's, with the sign between two words or at its end."""
    return f"{before}{after[1:]}" == rule if after else before == f"{rule} "


def _where(span: object) -> str:
    return "" if span is None else printable(str(span))


def _utf16(text: str) -> int:
    """The length of a text as scripts count it."""
    return len(text) + sum(char > "\uffff" for char in text)


# --- spectra -------------------------------------------------------------------------------


def spectra_data(
    matrices: Mapping[SpectrumKind, SpectrumMatrix], tokens: Sequence[Sequence[int]] = ()
) -> Data:
    """The bits of all kinds: different rows once, in base64, and the row of each element.

    `tokens` are the tests that use each token rule; their rows follow those of all kinds.

    Test ``t`` is bit ``t % 8`` of byte ``t // 8`` of a row of ``width`` bytes.

    Raises:
        GramspectError: they are too many for a page.
    """
    n_tests = next(iter(matrices.values())).n_tests
    width = max(1, -(-n_tests // 8))
    used = np.zeros((len(tokens), width), np.uint8)
    for number, some in enumerate(tokens):
        for test in some:
            used[number, test // 8] |= 1 << test % 8
    rows = np.concatenate([*(_octets(matrix, width) for matrix in matrices.values()), used])
    different, row_of = np.unique(rows, axis=0, return_inverse=True)
    if different.nbytes > _MOST_BYTES:
        raise GramspectError(
            f"the spectra of {n_tests:,} tests are too large for an HTML report; use fewer tests,"
            " or --format json"
        )
    data: Data = {"width": width, "rows": b64encode(different.tobytes()).decode()}
    first = 0
    for kind, matrix in matrices.items():
        data[kind] = row_of[first : first + matrix.n_elements].tolist()
        first += matrix.n_elements
    for kind in matrices:
        data[kind] += row_of[first:].tolist()
    return data


def _octets(matrix: SpectrumMatrix, width: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    octets = np.ascontiguousarray(matrix.bits.astype("<u8", copy=False)).view(np.uint8)
    return octets.reshape(matrix.n_elements, -1)[:, :width]


# --- tests ---------------------------------------------------------------------------------


def suite_data(
    suite: TestSuite,
    matrix: SpectrumMatrix,
    failing: Sequence[FailingTest],
    undecided: Sequence[UndecidedTest],
) -> Data:
    """Tests by number, as arrays of one length, and what is known of some under their numbers.

    `failed` holds for each failing test its text around the error; `reasons` says why a test is
    undecided.
    """
    number = {test.name: n for n, test in enumerate(suite)}
    room = _Room(_ALL_TEXTS)
    failed = {number[f.test.name]: _failed(f, room) for f in failing}
    return {
        "names": [printable(test.name) for test in suite],
        "expectations": matrix.expectations.tolist(),
        "verdicts": matrix.verdicts.tolist(),
        "texts": [
            None if n in failed else room.part(test.text, 0, _SHOWN) for n, test in enumerate(suite)
        ],
        "failed": failed,
        "reasons": {number[u.test.name]: printable(u.reason) for u in undecided},
    }


class _Room:
    """Hands out texts until there is no room for more."""

    def __init__(self, characters: int) -> None:
        self._left = characters

    def part(self, text: str, start: int, end: int) -> str | None:
        """A part of a text, with dots where it was cut; None if there is no room."""
        if self._left <= 0:
            return None
        before, after = "…" if start > 0 else "", "…" if end < len(text) else ""
        part = text[max(0, start) : end]
        self._left -= len(part)
        return f"{before}{visible(part)}{after}"


def _failed(failing: FailingTest, room: _Room) -> Data:
    """What is shown of a failing test: the text before, at and after the error."""
    error, text = failing.error, failing.test.text
    if error is None:
        return {"place": printable(failing.place), "before": room.part(text, 0, _SHOWN)}
    data: Data = {
        "place": printable(failing.place),
        "message": printable(error.message),
        "kind": error.kind,
        "token": error.token,
    }
    bounds = _error_bounds(failing)
    if bounds is None:
        return {**data, "before": room.part(text, 0, _SHOWN)}
    start, end = bounds
    before = room.part(text[:start], start - _BEFORE, start)
    if before is not None:
        data |= {"before": before, "at": visible(text[start:end])}
        data["after"] = room.part(text[end:], 0, _AFTER)
    return data


def _error_bounds(failing: FailingTest) -> tuple[int, int] | None:
    """Where the offending token begins and ends in the text, as far as can be said.

    Its end is not recorded: a word is taken as a whole, of anything else one character.
    """
    test, error = failing.test, failing.error
    assert error is not None
    if error.line is None or error.column is None:
        return _token_bounds(test.text, test.tokens, error.token)
    start = sum(len(line) + 1 for line in test.text.split("\n")[: error.line - 1])
    start = min(start + error.column - 1, len(test.text))
    return start, start + len(_word(test.text[start : start + 80]))


def _token_bounds(text: str, tokens: Sequence[str] | None, number: int) -> tuple[int, int] | None:
    """The place of a token in a text that joins its tokens by blanks."""
    if tokens is None or " ".join(tokens) != text:
        return None
    if number >= len(tokens):
        return len(text), len(text)
    start = sum(len(token) + 1 for token in tokens[:number])
    return start, start + len(tokens[number])


def _word(text: str) -> str:
    """The word at the beginning of a text, or else its first character."""
    ends = (n for n, char in enumerate(text) if not (char.isalnum() or char == "_"))
    return text[: max(1, next(ends, len(text)))]
