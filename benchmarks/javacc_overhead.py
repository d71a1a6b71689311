"""What recording costs generated JavaCC parsers: ``python benchmarks/javacc_overhead.py``.

Each library from Maven Central parses the same texts, most of them with errors, as its users call
it: in a JVM of its own, as it is (plain), and under observation (recorded), which includes guarding
each test, putting static fields back and reading on after an error. A round is all texts;
the best of many counts, so that both are compiled code. Last: traces, charts of the rejected texts
included, in Python. Needs Maven and a JDK.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "adapters" / "javacc")]

from javacc_legacy import LEGACY, Legacy  # noqa: E402

from gramspect.suites.suite import Expectation, TestCase  # noqa: E402

TEXTS = 200
ROUNDS = 120

PLAIN = """
{package}
public class PlainLoop {{
  static void call(String text) throws Throwable {{ {call}; }}
  public static void main(String[] arguments) throws Throwable {{
    var texts = java.nio.file.Files.readAllLines(java.nio.file.Path.of(arguments[0]));
    long best = Long.MAX_VALUE;
    for (int round = 0; round < {rounds}; round++) {{
      long start = System.nanoTime();
      for (String text : texts) {{
        try {{ call(text); }} catch (Throwable rejected) {{ }}
      }}
      best = Math.min(best, System.nanoTime() - start);
    }}
    System.out.println(best);
    System.exit(0);
  }}
}}
"""


def plain(legacy: Legacy, texts: list[str]) -> float:
    """The seconds of the best round without gramspect."""
    package, _, _ = legacy.parser.rpartition(".")
    source = PLAIN.format(package=f"package {package};", call=legacy.call, rounds=ROUNDS)
    with tempfile.TemporaryDirectory() as folder:
        path = ":".join(map(str, legacy.paths()))
        (Path(folder) / "PlainLoop.java").write_text(source)
        (Path(folder) / "texts").write_text("\n".join(texts) + "\n")
        subprocess.run(
            ["javac", "-nowarn", "-cp", path, "-d", folder, f"{folder}/PlainLoop.java"], check=True
        )
        done = subprocess.run(
            ["java", "-XX:+UseSerialGC", "-cp", f"{folder}:{path}", f"{package}.PlainLoop",
             f"{folder}/texts"],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
    return int(done.stdout) / 1e9


def best(work: Callable[[], object], rounds: int) -> float:
    def once() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return min(once() for _ in range(rounds))


def measure(legacy: Legacy) -> str:
    """The line of one library."""
    texts = legacy.texts(TEXTS)
    start = time.perf_counter()
    recognizer = legacy.load()
    load = time.perf_counter() - start
    tests = [TestCase(text, Expectation.ACCEPT, text) for text in texts]
    without = plain(legacy, texts)
    recorded = best(lambda: recognizer.outcomes(texts), ROUNDS)
    traces = best(lambda: recognizer.traces(tests), 2)
    grammar = recognizer.grammar
    productions = sum(s.operator is None for s in grammar.nonterminals)
    micro = 1e6 / len(texts)
    return (
        f"{legacy.name:12}{productions:11}{grammar.n_rules:7}{load:7.1f}"
        f"{without * micro:9.0f}{recorded * micro:9.0f}{recorded / without:7.2f}"
        f"{traces * micro:9.0f}"
    )


def main() -> None:
    print("parser      productions  rules   load   plain  recorded  ratio   traces")
    print("                                    s   us/text  us/text         us/text")
    for legacy in LEGACY.values():
        print(measure(legacy), flush=True)


if __name__ == "__main__":
    main()
