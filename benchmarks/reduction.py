"""Compares `gramspect reduce` with Picireny on real failing inputs.

For each case of `reduction_cases.toml` the two releases of a program, from PyPI, run in servers of
their own. An input fails if the older one raises the exception of the case and the newer one
raises none. Where the older one is a grammar, the newer one is the same with one fault mended, and
both raise `REJECTED`. Picireny (in an environment of its own) and gramspect get the same inputs,
the same ANTLR grammars and the same predicate, in turn. Shown are the calls of the predicate, the
seconds, the tokens that are left as the grammar's lexer counts them, and the characters that are
not blank.

    python benchmarks/reduction.py --folder /tmp/reduction

The folder keeps what was downloaded. ANTLR 4.9.3 for Picireny is taken from Maven's repository.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from gramspect import Expectation, LoadOptions, Recognizer, TestCase, reduce
from gramspect.generation.parsing import rejects
from gramspect.reduction.inputs import read_input
from gramspect.running.loading import load_parser

HERE = Path(__file__).parent
ROOT = HERE.parent
GRAMMARS = HERE / "reduction_grammars"
PEER = "picireny==21.8"
ANTLR = "org.antlr:antlr4:4.9.3:jar:complete"

REJECTED = "rejected"

SERVER = """
import importlib, json, sys
out, sys.stdout = sys.stdout, sys.stderr
module, _, path = sys.argv[1].partition(":")
head, _, rest = path.partition("()")
target = getattr(importlib.import_module(module), head)
sys.setrecursionlimit(5000)
for line in sys.stdin:
    function = getattr(target(), rest[1:]) if rest else target
    try:
        function(json.loads(line))
        said = ""
    except Exception as problem:
        said = type(problem).__name__
    print(json.dumps(said), file=out, flush=True)
"""


class Program:
    """A release of a program that says which exception it raises on a text."""

    def __init__(self, requirement: str, call: str, folder: Path) -> None:
        place = folder / "programs" / requirement.replace("==", "-")
        if not place.is_dir():
            install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(place)]
            subprocess.run([*install, requirement], check=True, stderr=subprocess.DEVNULL)
        self._process = subprocess.Popen(
            [sys.executable, "-c", SERVER, call],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONPATH": str(place)},
            text=True,
        )

    def raised(self, text: str) -> str:
        """The name of the exception, empty if there is none."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(text) + "\n")
        self._process.stdin.flush()
        found: str = json.loads(self._process.stdout.readline())
        return found

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()


class Parser:
    """A grammar in the place of a release: it raises `REJECTED` on what it does not accept."""

    def __init__(self, grammar: Path) -> None:
        self._recognizer = load_parser(str(grammar), LoadOptions()).recognizer

    def raised(self, text: str) -> str:
        """`REJECTED`, empty if the text is accepted."""
        return REJECTED if rejects(self._recognizer, text, None) else ""

    def close(self) -> None:
        """Nothing is left to end."""


def releases(case: Mapping[str, Any], call: str, folder: Path) -> Sequence[Program | Parser]:
    """The two releases of a program, or of a grammar that is named by its path."""
    if "mended" not in case:
        return [Program(case[which], call, folder) for which in ("bad", "good")]
    faulty = ROOT / case["bad"]
    mended = folder / "grammars" / case["name"] / faulty.name
    mended.parent.mkdir(parents=True, exist_ok=True)
    old, new = case["mended"]
    text = faulty.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise RuntimeError(f"{case['name']}: {faulty.name} should have {old!r} once")
    mended.write_text(text.replace(old, new), encoding="utf-8")
    return [Parser(faulty), Parser(mended)]


@dataclass
class Fails:
    """The predicate of a case; it counts how often it was asked."""

    bad: Program | Parser
    good: Program | Parser
    raises: str
    calls: int = 0

    def __call__(self, text: str) -> bool:
        self.calls += 1
        return self.bad.raised(text) == self.raises and not self.good.raised(text)


@dataclass(frozen=True)
class Result:
    """What one tool made of a case."""

    calls: int
    seconds: float
    text: str
    tokens: int

    @property
    def characters(self) -> int:
        """Those that are not blank."""
        return len("".join(self.text.split()))


def peer_python(folder: Path) -> Path:
    """The interpreter of Picireny's environment."""
    python = folder / "peer" / "bin" / "python"
    if not python.is_file():
        subprocess.run([sys.executable, "-m", "venv", str(folder / "peer")], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", PEER], check=True)
    return python


def antlr_jar() -> Path:
    """The ANTLR tool that goes with Picireny's runtime."""
    group, name, version, *_ = ANTLR.split(":")
    home = Path.home() / ".m2" / "repository"
    jar = home.joinpath(*group.split("."), name, version, f"{name}-{version}-complete.jar")
    if not jar.is_file():
        get = ["mvn", "--batch-mode", "--quiet", "dependency:get", f"-Dartifact={ANTLR}"]
        subprocess.run(get, check=True)
    return jar


def by_peer(grammar: Path, text: str, fails: Fails, folder: Path, phases: str) -> tuple[str, float]:
    """What Picireny leaves of a text; the predicate is asked here. Seconds without its start."""
    script = HERE / "reduction_peer.py"
    process = subprocess.Popen(
        [peer_python(folder), script, grammar, antlr_jar(), folder / "work", phases],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    begin = time.monotonic()
    print(json.dumps(text), file=process.stdin, flush=True)
    for line in process.stdout:
        kind, said = json.loads(line)
        if kind == "result":
            process.wait()
            return said, time.monotonic() - begin
        if kind == "begin":
            begin = time.monotonic()
            continue
        print(json.dumps(fails(said)), file=process.stdin, flush=True)
    raise RuntimeError("Picireny ended without a result")


def tokens(parser: Recognizer, text: str) -> int:
    """The tokens of a text."""
    given = read_input(parser, TestCase("text", Expectation.ACCEPT, text))
    return len([word for word in given.words if word.text])


def run(case: Mapping[str, Any], language: Mapping[str, Any], folder: Path) -> dict[str, Result]:
    """Both tools on one case."""
    call = case.get("call", language.get("call", ""))
    bad, good = releases(case, call, folder)
    text = language["file"].replace("@@", case["text"])
    grammar = GRAMMARS / language["grammar"]
    parser = load_parser(str(grammar), LoadOptions()).recognizer
    found = {}
    try:
        if bad.raised(language["file"].replace("@@", "")):
            raise RuntimeError(f"{case['name']}: {case['bad']} fails without the text of the case")
        for name, phases in (("picireny", "prune"), ("with hoist", "prune,hoist")):
            fails = Fails(bad, good, case["raises"])
            left, seconds = by_peer(grammar, text, fails, folder, phases)
            found[name] = Result(fails.calls, seconds, left, tokens(parser, left))
        fails = Fails(bad, good, case["raises"])
        begin = time.monotonic()
        ours = reduce(parser, text, fails)
        seconds = time.monotonic() - begin
        found["gramspect"] = Result(fails.calls, seconds, ours.text, tokens(parser, ours.text))
        found["input"] = Result(0, 0, text, tokens(parser, text))
    finally:
        bad.close()
        good.close()
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--folder", type=Path, default=Path("/tmp/gramspect-reduction"))
    options.add_argument("--case", help="only this one; shows what is left")
    given = options.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    table = tomllib.loads((HERE / "reduction_cases.toml").read_text(encoding="utf-8"))
    cases = [c for c in table["cases"] if given.case in (None, c["name"])]
    head = "".join(f"{tool:>24}" for tool in ("picireny", "picireny, with hoist", "gramspect"))
    print(f"{'':30}{'input':>7}{head}\n{'':30}{'tokens':>7}"
          + f"{'calls':>7}{'s':>5}{'tokens':>7}{'chars':>5}" * 3)  # fmt: skip
    rows = []
    for case in cases:
        found = run(case, table["languages"][case["language"]], given.folder)
        rows.append(found)
        columns = "".join(
            f"{r.calls:>7}{r.seconds:>5.1f}{r.tokens:>7}{r.characters:>5}"
            for r in (found["picireny"], found["with hoist"], found["gramspect"])
        )
        print(f"{case['name']:30}{found['input'].tokens:>7}{columns}", flush=True)
        if given.case:
            for name in ("picireny", "with hoist", "gramspect"):
                print(f"--- {name}\n{found[name].text.strip()}")
    for peer in ("picireny", "with hoist"):
        share = median(row["gramspect"].calls / row[peer].calls for row in rows)
        larger = sum(row["gramspect"].tokens > row[peer].tokens for row in rows)
        longer = sum(row["gramspect"].characters > row[peer].characters for row in rows)
        print(
            f"{peer}: median share of its calls {share:.2f}; more tokens left in {larger} of"
            f" {len(rows)} cases, more characters in {longer}"
        )


if __name__ == "__main__":
    main()
