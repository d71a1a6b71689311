"""The lexer of a file that is written: that of the user's own grammar file, which it imports.

Only a file beside the user's can refer to it: both Lark and ANTLR look there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gramspect.errors import GramspectError
from gramspect.grammars.grammar_file import read_grammar_file

__all__ = ["Lexer", "lexer_beside"]

_HEAD = re.compile(r"^\s*(?P<kind>parser\s+|lexer\s+)?grammar\s+(?P<name>\w+)\s*;", re.MULTILINE)
_VOCABULARY = re.compile(r"\btokenVocab\s*=\s*(\w+)")
_IGNORED = re.compile(r"^%ignore\s+(?P<what>.+?)\s*$", re.MULTILINE)
_PRIOR = re.compile(r"^(_?[A-Z][A-Z0-9_]*)\.[+-]?\d+\s*:", re.MULTILINE)
_TOKEN = re.compile(r"[A-Z_][A-Z0-9_]*")


@dataclass(frozen=True, slots=True)
class Lexer:
    """Where token rules come from.

    `name` is what the file is imported as. Of Lark, `ignored` are the lines that say what is
    between tokens, and `prior` the tokens that have a priority. Of ANTLR, `vocabulary` is the lexer
    of a parser grammar, which is named instead.
    """

    name: str
    ignored: tuple[str, ...] = ()
    vocabulary: str | None = None
    prior: frozenset[str] = frozenset()

    def check_texts(self, tokens: Iterable[str]) -> None:
        """Refuse to write single texts of some tokens if the lexer would not read them as such.

        Lark's lexer and ANTLR's read a text that stands in a rule as a token of its own, whatever
        else matches it. Lark does so only of tokens without a priority, ANTLR not in the rules of a
        parser grammar.

        Raises:
            GramspectError: it would not.
        """
        if self.vocabulary is not None:
            raise GramspectError(
                f"{self.name} has its lexer in a file of its own, and so its rules cannot have"
                " single texts of tokens; write another notation with --format"
            )
        for token in tokens:
            if token in self.prior:
                raise GramspectError(
                    f"the token {token} has a priority in {self.name}.lark, so Lark would not read"
                    " single texts of it as tokens; write another notation with --format"
                )

    def lark_lines(self, tokens: Sequence[str]) -> list[str]:
        """The lines that import these tokens."""
        between = [line.removeprefix("%ignore").strip() for line in self.ignored]
        names = dict.fromkeys([*tokens, *(each for each in between if _TOKEN.fullmatch(each))])
        return [*(f"%import .{self.name}.{each}" for each in names), *self.ignored]

    def antlr_lines(self, name: str) -> list[str]:
        """The head of a grammar of that name."""
        if self.vocabulary is not None:
            return [f"parser grammar {name};", f"options {{ tokenVocab = {self.vocabulary}; }}"]
        return [f"grammar {name};", f"import {self.name};"]


def lexer_beside(source: str, output: str | None) -> Lexer | None:
    """The lexer of a grammar file for one in the same folder and notation; None if there is none.

    Without an output, what is written is for the working directory.
    """
    path = Path(source)
    folder = Path() if output is None else Path(output).parent
    if not path.is_file() or path.resolve().parent != folder.resolve():
        return None
    if output is not None and Path(output).suffix != path.suffix:
        return None
    text = read_grammar_file(path)[0].text
    if path.suffix == ".lark" and path.stem.isidentifier():
        ignored = tuple(match[0] for match in _IGNORED.finditer(text))
        return Lexer(path.stem, ignored, prior=frozenset(_PRIOR.findall(text)))
    head = _HEAD.search(text) if path.suffix == ".g4" else None
    if head is None:
        return None
    vocabulary = _VOCABULARY.search(text)
    if head["kind"] is None:
        return Lexer(head["name"])
    return None if vocabulary is None else Lexer(head["name"], (), vocabulary[1])
