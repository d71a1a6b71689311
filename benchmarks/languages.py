"""The languages that faults are seeded into, and their test suites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

from gramspect.builtin.native import NativeRecognizer, adapter
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.trace import Extraction
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.yacc import read_yacc
from lr_tables import c_grammar
from sentences import Sentence, context_coverage, mutations, pack, random_sentences

__all__ = ["LANGUAGES", "Language", "language"]

FIXTURES = Path(__file__).parents[1] / "fixtures"
LANGUAGES = ("toy", "SIMPL", "C")
FILES = 300
"""How many sentences single files are drawn from."""


@dataclass(frozen=True, eq=False)
class Language:
    """A grammar with its suites: sentences, and non-sentences after them."""

    name: str
    grammar: Grammar
    coverage: tuple[Sentence, ...]
    negative: tuple[Sentence, ...]
    files: tuple[Sentence, ...]


@cache
def language(name: str) -> Language:
    """A language by its name; sentences are what the parser of the correct grammar accepts."""
    random = Random(1)
    if name == "C":
        grammar = c_grammar()
        files = c_files(grammar, random)
    else:
        grammar = read_yacc(FIXTURES / name.lower() / f"{name.lower()}.y")
        depth, longest = (14, 60) if name == "toy" else (20, 150)
        files = (s for s in random_sentences(grammar, random, depth, longest) if len(s) > 15)
    recognizer = adapter.build(grammar)
    coverage = verdicts_split(recognizer, context_coverage(grammar))[0]
    drawn = islice(mutations(grammar, coverage, random), 5 * len(coverage))
    negative = verdicts_split(recognizer, tuple(dict.fromkeys(drawn)))[1]
    files = verdicts_split(recognizer, tuple(islice(files, FILES)))[0]
    return Language(name, grammar, coverage, negative[: len(coverage)], files)


def verdicts_split(
    recognizer: NativeRecognizer, sentences: Sequence[Sentence]
) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]]:
    """The accepted and the rejected ones."""
    method = Extraction.STACK, SpectrumKind.RULE
    verdicts = recognizer.record_tokens(*pack(sentences), *method, compiled=True)[1]
    paired = list(zip(sentences, verdicts, strict=True))
    return tuple(s for s, v in paired if v == 0), tuple(s for s, v in paired if v == 1)


def c_files(grammar: Grammar, random: Random) -> Iterator[Sentence]:
    """Some of the accepted snippets of C, one after the other."""
    snippets = list(c_snippets(grammar))
    while True:
        chosen = random.sample(snippets, random.randint(3, 10))
        yield tuple(token for snippet in chosen for token in snippet)


def c_snippets(grammar: Grammar) -> Iterator[Sentence]:
    """The accepted snippets as pycparser's lexer reads them (it asks the parser for types)."""
    from pycparser.c_parser import CParser

    numbers = {symbol.name: symbol.index for symbol in grammar.terminals}
    for path in sorted((FIXTURES / "c" / "accept").glob("*.c")):
        parser = CParser()
        read: list[int] = []
        next_token = parser.clex.token

        def token(read: list[int] = read, next_token=next_token) -> object:  # type: ignore[no-untyped-def]
            found = next_token()
            if found is not None:
                read.append(numbers[found.type])
            return found

        parser.clex.token = token
        parser.parse(path.read_text())
        yield tuple(read)
