"""The file that holds a generated suite: JSON lines, written and read as a stream.

The first line says what follows::

    {"schema": "gramspect/suite/1", "grammar": {"name", "files", "start"}, "rules": [labels],
     "seed": number or null, "embedding": "shortest"}

and every other line is a test::

    {"text", "expect": "accept" or "reject", "criterion", "covers", "derivation": [numbers],
     "mutation": {...}}

`derivation` is a left parse: numbers of `rules`, from 0, in preorder. Only negative tests have a
`mutation`; it has "of" (``token``, ``rule``, ``edge`` or ``stack``), "operator", "error" (the index
of the token at which an error must be reported at the latest), "what" (in words), and "position"
and "token", or "item" (its label), "symbol" and "node" (an index into `derivation`). Of mutated
paths, where "of" is ``edge`` or ``stack``, it has "position", "removed" and "inserted" (lists of
tokens).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring_ascii as quoted
from pathlib import Path

from gramspect.generation.generate import Plan
from gramspect.generation.generated import GeneratedTest, PathMutation, TokenMutation
from gramspect.generation.words import Texts
from gramspect.grammars.grammar import Grammar
from gramspect.suites.suite import MANIFEST_SCHEMA, Expectation

__all__ = ["manifest_lines", "write_folder"]


def manifest_lines(
    grammar: Grammar, plan: Plan, texts: Texts, tests: Iterable[GeneratedTest]
) -> Iterator[str]:
    """The lines of a manifest, with their ends."""
    header = {
        "schema": MANIFEST_SCHEMA,
        "grammar": {
            "name": grammar.name,
            "files": list(grammar.files),
            "start": grammar.symbols[grammar.start].name,
        },
        "rules": [rule.label for rule in grammar.rules],
        "seed": plan.seed,
        "embedding": plan.embedding,
    }
    yield json.dumps(header) + "\n"
    for test in tests:
        yield _line(grammar, test, texts.text(test.tokens))


def _line(grammar: Grammar, test: GeneratedTest, text: str) -> str:
    """One test; put together by hand, which is several times faster than `json.dumps`."""
    derivation = ", ".join(map(str, test.derivation.rules))
    mutation = "" if test.mutation is None else f', "mutation": {_mutation(grammar, test)}'
    return (
        f'{{"text": {quoted(text)}, "expect": "{test.expectation.value}",'
        f' "criterion": {quoted(test.criterion)}, "covers": {quoted(test.target)},'
        f' "derivation": [{derivation}]{mutation}}}\n'
    )


def _mutation(grammar: Grammar, test: GeneratedTest) -> str:
    mutation = test.mutation
    assert mutation is not None
    if isinstance(mutation, TokenMutation):
        of, what = "token", mutation.describe(grammar, test.derivation.tokens)
        details = f'"position": {mutation.position}, "token": {_name(grammar, mutation.token)}'
    elif isinstance(mutation, PathMutation):
        of, what = mutation.of, mutation.describe(grammar)
        removed, inserted = (
            ", ".join(_name(grammar, token) for token in tokens)
            for tokens in (mutation.removed, mutation.inserted)
        )
        details = (
            f'"position": {mutation.position}, "removed": [{removed}], "inserted": [{inserted}]'
        )
    else:
        of, what = "rule", mutation.describe(grammar)
        item = quoted(grammar.item_label(mutation.item))
        symbol = _name(grammar, mutation.symbol)
        details = f'"item": {item}, "symbol": {symbol}, "node": {mutation.node}'
    return (
        f'{{"of": "{of}", "operator": "{mutation.operator.value}", {details},'
        f' "error": {mutation.error}, "what": {quoted(what)}}}'
    )


def _name(grammar: Grammar, symbol: int | None) -> str:
    return "null" if symbol is None else quoted(grammar.symbols[symbol].name)


def write_folder(
    folder: Path, grammar: Grammar, plan: Plan, texts: Texts, tests: Iterable[GeneratedTest]
) -> None:
    """A file for every test, ``accept/000001.txt`` and so on, and ``manifest.jsonl`` beside them.

    Raises:
        OSError: something cannot be written.
    """
    for expectation in Expectation:
        (folder / expectation).mkdir()
    written = _written(folder, texts, tests)
    with (folder / "manifest.jsonl").open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(manifest_lines(grammar, plan, texts, written))


def _written(folder: Path, texts: Texts, tests: Iterable[GeneratedTest]) -> Iterator[GeneratedTest]:
    """The tests, each after its file has been written."""
    numbers = dict.fromkeys(Expectation, 0)
    for test in tests:
        numbers[test.expectation] += 1
        target = folder / test.expectation / f"{numbers[test.expectation]:06}.txt"
        target.write_bytes(texts.text(test.tokens).encode("utf-8", "backslashreplace"))
        yield test
