"""ANTLR on a large suite: 1,000 generated files on a generated grammar of 400 rules.

    python benchmarks/antlr_scale.py [--families N] [--files N] [--rounds N]

The grammar has families of statements, in pairs that begin alike, so that ANTLR has to look far
ahead, and shares expressions and types among them. Files are random programs; one alternative
of the grammar that is run lacks a token, so that some of them are rejected. Printed are

* the time from nothing to the report of a single file, and of the suite, with the memory that the
  process had at most: imports, the start of the JVM, loading the grammar, all tests, the ranking;
* the speed of ANTLR's plain interpreter and with recording (`antlr_overhead`), on all files.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from antlr_overhead import compare
from ranking import machine

Rules = dict[str, list[str]]
"""Alternatives by the name of the rule; elements are apart, ``*`` and ``?`` after a name."""

COMMON: Rules = {
    "type": ["'map' '<' type ',' type '>'", "typeName dimension*"],
    "typeName": ["'int'", "'text'", "qualified"],
    "dimension": ["'[' NUMBER? ']'"],
    "qualified": ["NAME part*"],
    "part": ["'.' NAME"],
    "expression": [
        "expression '*' expression",
        "expression '+' expression",
        "expression '<' expression",
        "expression 'and' expression",
        "'-' expression",
        "primary",
    ],
    "primary": ["qualified call?", "'(' expression ')'", "NUMBER"],
    "call": ["'(' arguments? ')'"],
    "arguments": ["expression further*"],
    "further": ["',' expression"],
}

TOKENS = """
NAME : [a-z]+ ;
NUMBER : [0-9]+ ;
SPACE : [ \\n]+ -> skip ;
"""

DEPTH = 6
"""How deep derivations branch freely."""


def family(number: int) -> Rules:
    """Eight rules: two statements that are told apart after their clauses, and what is in them."""
    n = str(number)
    return {
        f"make{n}": [f"'make{n}' clause{n}* 'to' qualified option{n}? ';'"],
        f"take{n}": [f"'make{n}' clause{n}* 'of' type block{n}? ';'"],
        f"clause{n}": [f"'with{n}' '(' arguments ')'", f"'as{n}' type", f"from{n}"],
        f"from{n}": [f"'from{n}' item{n} rest{n}*"],
        f"rest{n}": [f"',' item{n}"],
        f"item{n}": ["qualified", f"'key{n}' expression 'end'"],
        f"option{n}": [f"'if{n}' expression block{n}?", f"'else{n}' NAME"],
        f"block{n}": ["'{' statement* '}'"],
    }


def rules_of(families: int) -> Rules:
    statements = [f"{kind}{n}" for n in range(families) for kind in ("make", "take")]
    rules = {"program": ["statement* EOF"], "statement": statements, **COMMON}
    for number in range(families):
        rules |= family(number)
    return rules


def grammar_text(rules: Rules) -> str:
    lines = (f"{name} : {' | '.join(alternatives)} ;" for name, alternatives in rules.items())
    return "\n".join(["grammar Large;", *lines, TOKENS])


def with_fault(rules: Rules, number: int = 3) -> Rules:
    """The rules without the ``of`` of a statement."""
    name = f"take{number}"
    return {**rules, name: [rules[name][0].replace(" 'of'", "")]}


def program(rules: Rules, source: random.Random, statements: int) -> str:
    words: list[str] = []
    for _ in range(statements):
        words += derive(rules, "statement", source, 0)
    return " ".join(words)


def derive(rules: Rules, element: str, source: random.Random, depth: int) -> Iterator[str]:
    """The tokens of a random derivation. Deep in it, rules take their last alternative."""
    operator = element[-1] if element[-1] in "*?" else ""
    name = element.removesuffix(operator)
    times = {"": 1, "?": source.random() < 0.5, "*": source.choice((0, 1, 1, 2))}[operator]
    if operator and depth > DEPTH:
        times = 0
    for _ in range(times):
        if name == "NAME":
            yield "".join(source.choices("xyzuvw", k=4))
        elif name == "NUMBER":
            yield str(source.randrange(1000))
        elif name.startswith("'"):
            yield name.strip("'")
        else:
            alternatives = rules[name]
            chosen = alternatives[-1] if depth > DEPTH else source.choice(alternatives)
            for part in chosen.split():
                yield from derive(rules, part, source, depth + 1)


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures ANTLR on a large suite.")
    arguments.add_argument("--families", type=int, default=48)
    arguments.add_argument("--files", type=int, default=1000)
    arguments.add_argument("--statements", type=int, default=20, help="of a file")
    arguments.add_argument("--rounds", type=int, default=3)
    options = arguments.parse_args()
    rules = rules_of(options.families)
    source = random.Random(1)
    with TemporaryDirectory() as name:
        folder = Path(name)
        tests = folder / "tests"
        tests.mkdir()
        grammar, faulty = folder / "Large.g4", folder / "Faulty.g4"
        grammar.write_text(grammar_text(rules))
        faulty.write_text(grammar_text(with_fault(rules)).replace("Large", "Faulty"))
        for number in range(options.files):
            text = program(rules, source, options.statements)
            (tests / f"{number:04}.txt").write_text(text)
        print(f"{len(rules)} rules, {options.files} files")
        report("one file", faulty, tests / "0000.txt")
        print(report("all files", faulty, tests))
        speed(grammar, tests, options.rounds)
    print(machine())


def report(label: str, grammar: Path, tests: Path) -> str:
    """Run the command in a process of its own; its output."""
    command = [sys.executable, "-m", "gramspect", "localize", str(grammar), "--accept", str(tests)]
    began = time.perf_counter()
    done = subprocess.run([*command, "--top", "1"], capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - began
    if done.returncode > 1:
        sys.exit(done.stderr)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{label}: report after {seconds:.1f} s, at most {peak:,.0f} MB")
    return done.stdout


def speed(grammar: Path, tests: Path, rounds: int) -> None:
    from gramspect_antlr.loading import load_grammar
    from gramspect_antlr.recognizer import AntlrRecognizer

    loaded = load_grammar(str(grammar))
    texts = [path.read_text() for path in sorted(tests.iterdir())]
    compare(loaded, AntlrRecognizer(loaded), texts, 1, rounds)


if __name__ == "__main__":
    main()
