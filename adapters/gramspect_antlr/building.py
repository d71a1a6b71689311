"""ANTLR parsers for core grammars, over sequences of token names.

Every rule of the grammar becomes an alternative of an ANTLR rule, helpers included; token i is
called ``Ti``, non-terminal i ``ri``. The start rule is wrapped in one that ends in EOF, so that
ANTLR's predictions look for a parse of the whole input.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gramspect.adapter_api import (
    AdapterError,
    Alternative,
    Definition,
    Grammar,
    Networks,
    Reference,
    TokenSequence,
    Trace,
    joined,
    rejected_sequence,
)
from gramspect.adapter_api import SequenceRecognizer as Sequences
from gramspect_antlr.outcomes import DIFFERS, Decoder, Rejection
from gramspect_jvm import java_class, java_memory

__all__ = ["SequenceRecognizer"]

_ENTRY = "entry"
_ENTRY_ELEMENTS = 2
_STRANGE = "STRANGE"
"""The token that stands for words that name no terminal."""


class SequenceRecognizer(Sequences):
    """A core grammar run by ANTLR. Tests are sequences of token names
    (`gramspect.recognition.tokens`)."""

    def __init__(self, grammar: Grammar) -> None:
        """Make the parser.

        Raises:
            AdapterError: ANTLR cannot build it (indirect left recursion, a symbol without rules).
            MissingDependency: JPype or Java is missing.
        """
        loader = java_class("org.gramspect.antlr.Loader")
        result = loader.build(_grammar_text(grammar))
        for message in result.messages():
            if message.isError():
                raise AdapterError(_cannot(grammar, str(message.text())))
        java = result.grammar()
        rules = [str(name) for name in java.ruleNames()]
        self._java = java.runner(rules.index(_ENTRY), "", False)
        self._types = _token_types(grammar, [str(name) for name in java.tokenNames()])
        self._grammar = grammar
        networks = Networks(grammar, _definitions(grammar), foreign=_ENTRY_ELEMENTS)
        self._decoder = Decoder(grammar, networks, rules)

    @property
    def grammar(self) -> Grammar:
        return self._grammar

    def parsed(self, sequences: Sequence[TokenSequence]) -> list[Trace]:
        """Parse many sequences in one crossing into Java."""
        terminals, starts = joined(sequences)
        with java_memory():
            results = self._java.runTypes(self._types[terminals], starts, self._decoder.n_pairs)
        outcomes = self._decoder.outcomes(results, len(sequences))
        return [
            rejected_sequence(tokens, outcome.token, DIFFERS)
            if isinstance(outcome, Rejection)
            else outcome
            for outcome, tokens in zip(outcomes, sequences, strict=True)
        ]


def _grammar_text(grammar: Grammar) -> str:
    """The grammar in ANTLR's notation, the entry rule last."""
    tokens = ", ".join([*(f"T{s.index}" for s in grammar.terminals), _STRANGE])
    lines = ["parser grammar Built;", f"tokens {{ {tokens} }}"]
    for symbol in grammar.nonterminals:
        rules = grammar.rules_of[symbol.index]
        if not rules:
            raise AdapterError(_cannot(grammar, f"r{symbol.index} has no rules"))
        bodies = (" ".join(_name(grammar, s) for s in grammar.rules[r].rhs) for r in rules)
        lines.append(f"{_name(grammar, symbol.index)} : {' | '.join(bodies)} ;")
    lines.append(f"{_ENTRY} : {_name(grammar, grammar.start)} EOF ;")
    return "\n".join(lines)


def _name(grammar: Grammar, symbol: int) -> str:
    return f"{'T' if grammar.is_terminal(symbol) else 'r'}{symbol}"


def _cannot(grammar: Grammar, message: str) -> str:
    """Why a grammar cannot be built, in the words of the user."""

    def written(found: re.Match[str]) -> str:
        return grammar.symbols[int(found[1])].display

    text = re.sub(r"\br(\d+)\b", written, " ".join(message.split()))
    return f"ANTLR cannot build the grammar {grammar.name}: {text}"


def _token_types(grammar: Grammar, names: Sequence[str]) -> NDArray[np.int32]:
    """ANTLR's token type of each terminal, and last that of `UNKNOWN`, which is -1."""
    type_of = {name: number for number, name in enumerate(names, start=1)}
    types = np.full(grammar.n_terminals + 1, type_of[_STRANGE], np.int32)
    for symbol in grammar.terminals:
        types[symbol.index] = type_of[f"T{symbol.index}"]
    return types


def _definitions(grammar: Grammar) -> list[Definition]:
    """The non-terminals as definitions, whose elements ANTLR sees in the same order."""
    return [
        Definition(
            symbol.name,
            tuple(
                Alternative(tuple(Reference(grammar.symbols[s].name) for s in rule.rhs))
                for rule in map(grammar.rules.__getitem__, grammar.rules_of[symbol.index])
            ),
        )
        for symbol in grammar.nonterminals
    ]
