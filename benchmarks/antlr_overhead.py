"""What recording costs: gramspect's recorder against ANTLR's plain interpreter, in one JVM.

    python benchmarks/antlr_overhead.py GRAMMAR INPUT... [--start RULE]

Both sides lex and parse the same texts with the same tool (lexer and parser interpreters, no parse
trees, errors end the parse) and take turns; the first rounds, in which prediction caches fill and
code is compiled, are not counted. Recorded time includes all that crosses to Python and is made of
it there, without the charts of rejected texts. A first line gives the time from nothing to the
first result: Python's imports, the start of the JVM, loading the grammar, one text.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from gramspect.suites.suite import TestSuite

if TYPE_CHECKING:
    from gramspect_antlr.loading import LoadedGrammar
    from gramspect_antlr.recognizer import AntlrRecognizer


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures ANTLR with and without recording.")
    arguments.add_argument("grammar", type=Path)
    arguments.add_argument("inputs", nargs="+", type=Path)
    arguments.add_argument("--start", help="the start rule")
    arguments.add_argument("--warm-up", type=int, default=5, metavar="ROUNDS")
    arguments.add_argument("--rounds", type=int, default=9)
    options = arguments.parse_args()

    began = time.perf_counter()
    from gramspect_antlr.loading import load_grammar
    from gramspect_antlr.recognizer import AntlrRecognizer

    loaded = load_grammar(str(options.grammar), options.start)
    system = AntlrRecognizer(loaded)
    texts = [test.text for test in TestSuite.load(options.inputs)]
    list(system.outcomes(texts[:1]))
    print(f"first result after {time.perf_counter() - began:.2f} s")

    compare(loaded, system, texts, options.warm_up, options.rounds)


def compare(
    loaded: LoadedGrammar, system: AntlrRecognizer, texts: list[str], warm_up: int, rounds: int
) -> None:
    """Prints the speed of both."""
    plain = plain_runner(loaded, texts)
    n_tokens = plain()

    def recorded() -> None:
        list(system.outcomes(texts))

    times: dict[str, list[float]] = {"plain": [], "recorded": []}
    for number in range(warm_up + rounds):
        for name, run in (("plain", plain), ("recorded", recorded)):
            seconds = timed(run)
            if number >= warm_up:
                times[name].append(seconds)
    for name, seconds_of in times.items():
        middle = median(seconds_of)
        print(f"{name:9} {middle * 1000:9.1f} ms  {n_tokens / middle:12,.0f} tokens/s")
    print(f"ratio {median(times['recorded']) / median(times['plain']):.2f}"
          f" ({len(texts)} texts, {n_tokens:,} tokens)")  # fmt: skip


def timed(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def plain_runner(loaded: LoadedGrammar, texts: list[str]) -> Callable[[], int]:
    """Lexes and parses all texts with what ANTLR offers; gives the number of tokens."""
    import jpype

    runtime = jpype.JPackage("org").antlr.v4.runtime
    grammar = loaded.java.parserGrammar()
    start = grammar.getRule(loaded.grammar.symbols[loaded.grammar.start].name).index
    lexer = loaded.java.lexerGrammar().createLexerInterpreter(runtime.CharStreams.fromString(""))
    parser = grammar.createParserInterpreter(runtime.CommonTokenStream(lexer))
    for recognizer in (lexer, parser):
        recognizer.removeErrorListeners()
    parser.setBuildParseTree(False)
    parser.setErrorHandler(runtime.BailErrorStrategy())
    cancelled = jpype.JClass("org.antlr.v4.runtime.misc.ParseCancellationException")

    def run() -> int:
        n_tokens = 0
        for text in texts:
            lexer.setInputStream(runtime.CharStreams.fromString(text))
            tokens = runtime.CommonTokenStream(lexer)
            parser.setTokenStream(tokens)
            with suppress(cancelled):
                parser.parse(start)
            tokens.fill()
            n_tokens += int(tokens.size())
        return n_tokens

    return run


if __name__ == "__main__":
    main()
