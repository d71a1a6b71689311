"""Texts of tokens: those that sentences are made of, and shorter ones for what is left."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Lexing, Recognizer
from gramspect.reduction.deletion import leave_out
from gramspect.reduction.judging import Judge
from gramspect.reduction.trees import Change, Tree, Word
from gramspect.running.observing import silenced

__all__ = ["Speller"]

_SAMPLES = 6
_MATTERS = 0.2
"""How probable it is that a text of a token matters, and not only its kind."""
_NAME = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"[\d.]+")
_NAMES = "abcdefghijklmnopqrstuvwxyz"


class Speller:
    """The texts that tokens can have.

    `texts` has the shortest text that a terminal has in an input, or else a text of it that the
    lexer knows.
    """

    def __init__(self, parser: Recognizer, words: Sequence[Word]) -> None:
        self.parser = parser
        self.texts = _texts(parser, words)

    def shorten(self, judge: Judge, tree: Tree) -> Tree:
        """Give tokens shorter texts, the same one wherever the same text stands."""
        shorter = self._shorter(tree.words)
        changes: list[Change] = []
        olds: list[tuple[int, str]] = []
        for old, new in shorter.items():
            changes.append(Change(len(old[1]) - len(new), ((len(olds), len(olds)),)))
            olds.append(old)
        if not changes:
            return tree

        def spelled(some: Sequence[Change]) -> Tree:
            chosen = {olds[change.cuts[0][0]] for change in some}
            nodes = [
                node._replace(text=shorter[node.terminal, node.text])
                if isinstance(node, Word) and (node.terminal, node.text) in chosen
                else node
                for node in tree.nodes
            ]
            return replace(tree, nodes=nodes)

        return spelled(
            leave_out(changes, [_MATTERS] * len(changes), lambda some: judge.holds(spelled(some)))
        )

    def _shorter(self, words: Sequence[Word]) -> dict[tuple[int, str], str]:
        """A shorter text for each text of a token that has one; none is used twice."""
        used = {word.text for word in words}
        found: dict[tuple[int, str], str] = {}
        for word in words:
            key = word.terminal, word.text
            if key in found or len(word.text) < 2 or word.terminal < 0:
                continue
            for text in _candidates(word.text):
                if text not in used and self._is_read_as(text, word.terminal):
                    found[key] = text
                    used.add(text)
                    break
        return found

    def _is_read_as(self, text: str, terminal: int) -> bool:
        if not isinstance(self.parser, Lexing):
            return False
        with silenced():
            return [list(read or ()) for read in self.parser.lexed([text])] == [[terminal]]


def _candidates(text: str) -> Iterator[str]:
    """Shorter texts that may be of the same kind: names, numbers, what stands in quotes."""
    if _NAME.fullmatch(text):
        yield from _NAMES
        return
    if _NUMBER.fullmatch(text):
        yield from "0123456789"
        return
    for inner in ("", "a"):
        for edge in range(1, 4):
            if 2 * edge + len(inner) < len(text):
                yield text[:edge] + inner + text[-edge:]
    yield text[0]


def _texts(parser: Recognizer, words: Sequence[Word]) -> dict[int, str]:
    found: dict[int, str] = {}
    for word in words:
        if word.terminal >= 0 and len(word.text) < len(found.get(word.terminal, word.text + " ")):
            found[word.terminal] = word.text
    grammar: Grammar = parser.grammar
    used = {symbol for rule in grammar.rules for symbol in rule.rhs}
    for symbol in grammar.terminals:
        if symbol.index in used and symbol.index not in found:
            text = _text(parser, symbol.index)
            if text is not None:
                found[symbol.index] = text
    return found


def _text(parser: Recognizer, terminal: int) -> str | None:
    if isinstance(parser, Lexing):
        with silenced():
            return next(iter(parser.samples(terminal, 1)), None)
    symbol = parser.grammar.symbols[terminal]
    return next(iter(symbol.spellings), symbol.name)
