"""Makes recognizers from what users have."""

from __future__ import annotations

from dataclasses import replace

from gramspect.recognizer import LoadOptions, Recognizer
from gramspect_cup.generating import generate
from gramspect_cup.reading import read_cup
from gramspect_cup.sequences import SequenceRecognizer
from gramspect_cup.tables import Tables

__all__ = ["load"]


def load(source: str, options: LoadOptions) -> Recognizer:
    read = read_cup(source, options.start)
    generation = generate(read.text, read.source)
    grammar = replace(
        read.grammar, diagnostics=read.grammar.diagnostics + generation.diagnostics
    )
    return SequenceRecognizer(Tables.of_generated(generation.java, grammar))
