"""Are faults localized better, or faster, if the failing tests are made smaller first?

    python benchmarks/reduced_tests.py [FOLDER...] [--faults FOLDER] [--only NAME...]
        [--each N] [--first N] [--keep FILE]

Each FOLDER holds real faults (`fault_cases.py`), ``--faults`` is the folder ``faults`` of
`history_cases.py`. Each case is searched three times: with its tests as they are (``whole``), with
smaller ones that should still be accepted if the whole ones should (``kept``:
`gramspect.reduction.failing`), and with the smallest that are rejected at the same place, whether
they should be accepted or not (``place``: `gramspect.reduction.reduce`). The table says how many
tokens the tests have, how long the search took, and how often a rule that is to blame came first.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

import fault_cases
from evidence import Faults
from fault_cases import Case, _antlr
from gramspect import Expectation, LoadOptions, TestCase, TestSuite, adapter
from gramspect.edits.weights import chosen_weights
from gramspect.errors import GramspectError
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.reduction.failing import smaller_suite
from gramspect.reduction.reduce import reduce
from gramspect.running.loading import load_parser
from gramspect.running.observing import observe_test
from history_grammars import grammar_of, read_written

MOST_CALLS = 200
WAYS = ("whole", "kept", "place")


def kept(recognizer: Recognizer, suite: TestSuite, failing: Sequence[int]) -> TestSuite:
    return smaller_suite(recognizer, suite, failing)


def at_place(recognizer: Recognizer, suite: TestSuite, failing: Sequence[int]) -> TestSuite:
    tests = list(suite.tests)
    for number in failing[:24]:
        test = tests[number]
        if test.expectation is Expectation.ACCEPT:
            try:
                found = reduce(recognizer, test, same_place=True, most_calls=MOST_CALLS)
            except GramspectError:
                continue
            tokens = None if test.tokens is None else tuple(found.text.split())
            tests[number] = replace(test, text=found.text, tokens=tokens)
    return TestSuite(tuple(tests))


def real_fault(folder: Path) -> tuple[Case, Recognizer, TestSuite]:
    """The parser and the tests of a real fault."""
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    os.chdir(folder / "before")
    if "parser_file" in meta:
        source, name, options = _antlr(meta)
        rules = meta.get("core_rules") or meta["changed_parser_rules"]
        head = Case(folder.name, "antlr", folder.name.split("-")[1], frozenset(rules), frozenset())
    else:
        source, name, options = meta["source"], meta["adapter"], LoadOptions()
        family = folder.name.rsplit("-", 1)[0]
        rules, tokens = frozenset(meta["core_rules"]), frozenset(meta["core_terminals"])
        head = Case(folder.name, meta["tool"], family, rules, tokens)
    recognizer = load_parser(source, replace(options, adapter=name)).recognizer
    rejected = ["../reject"] if Path("../reject").is_dir() else []
    return head, recognizer, TestSuite.load(["../accept"], rejected)


def mined_fault(path: Path) -> tuple[Case, Recognizer, TestSuite]:
    """The chart of a faulty grammar from `history_cases.py`, and its tests."""
    note: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    recognizer = adapter("chart").build(grammar_of(read_written(note["grammar"])))
    tests = [
        TestCase(str(number), Expectation.ACCEPT, " ".join(words), tokens=tuple(words))
        for number, words in enumerate((*note["failing"], *note["passing"]))
    ]
    head = Case(note["case"], note["tool"], note["family"], frozenset({note["rule"]}), frozenset())
    return head, recognizer, TestSuite(tuple(tests))


def three(path: Path) -> dict[str, tuple[Case, int, float]]:
    """For each way the searched case, the tokens of its failing tests, and seconds to reduce."""
    head, recognizer, suite = (mined_fault if path.suffix == ".json" else real_fault)(path)
    failing = [
        number
        for number, test in enumerate(suite)
        if _is_wrong(observe_test(recognizer, test, Extraction.EXACT).verdict, test)
    ]
    found = {}
    changes: dict[str, Callable[[Recognizer, TestSuite, Sequence[int]], TestSuite]]
    changes = {"whole": lambda _, suite, __: suite, "kept": kept, "place": at_place}
    for way, change in changes.items():
        begin = time.process_time()
        smaller = change(recognizer, suite, failing)
        seconds = time.process_time() - begin
        size = sum(len(recognizer.tokens(smaller.tests[number]) or ()) for number in failing)  # type: ignore[attr-defined]
        found[way] = fault_cases.searched(head, recognizer, smaller), size, seconds
    return found


def _is_wrong(verdict: Verdict, test: TestCase) -> bool:
    wanted = Verdict.ACCEPTED if test.expectation is Expectation.ACCEPT else Verdict.REJECTED
    return verdict not in (wanted, Verdict.UNDECIDED)


def _paths(options: argparse.Namespace) -> Iterator[Path]:
    for folder in options.folders:
        yield from (path.parent.resolve() for path in folder.glob("*/meta.json"))
    if options.faults is not None:
        for path in sorted(options.faults.resolve().glob("*.json")):
            if json.loads(path.read_text(encoding="utf-8"))["failing"]:
                yield path


def main() -> None:
    arguments = argparse.ArgumentParser(description="Localizes with smaller tests.")
    arguments.add_argument("folders", type=Path, nargs="*")
    arguments.add_argument("--faults", type=Path)
    arguments.add_argument("--only", nargs="+", help="names of cases")
    arguments.add_argument("--each", type=int, default=1, help="take one of so many cases")
    arguments.add_argument("--first", type=int, default=0, help="which one is the first")
    arguments.add_argument("--jobs", type=int, default=1)
    arguments.add_argument("--keep", type=Path, help="where to keep what was searched")
    options = arguments.parse_args()
    chosen = sorted(p for p in _paths(options) if options.only is None or p.stem in options.only)
    chosen = chosen[options.first :: options.each]
    once = 1 if options.folders else None  # parsers are modules of one name
    pool = ProcessPoolExecutor(
        options.jobs, mp_context=get_context("spawn"), max_tasks_per_child=once
    )
    found = []
    with pool:
        for path, pending in [(path, pool.submit(three, path)) for path in chosen]:
            try:
                found.append(pending.result())
            except Exception as problem:  # one case that cannot be loaded is not the end
                print(f"{path.stem}: {problem}", flush=True)
            if options.keep and len(found) % 10 == 0:
                options.keep.write_bytes(pickle.dumps(found))
    if options.keep:
        options.keep.write_bytes(pickle.dumps(found))
    show(found)


def show(found: Sequence[dict[str, tuple[Case, int, float]]]) -> None:
    """The table."""
    usual = [one for one in found if one["whole"][0].rules]
    ranks = {way: Faults([one[way][0] for one in usual]).ranks(chosen_weights()) for way in WAYS}
    head = "".join(f"{f'top {n}':>8}" for n in (1, 3, 5)) + f"{'better':>8}{'worse':>7}"
    print(f"{len(usual)} cases\n{'':8}{'tokens':>8}{'seconds':>9}{'reducing':>10}{head}")
    for way in WAYS:
        sizes = [one[way][1] for one in usual]
        seconds = [one[way][0].seconds for one in usual]
        reducing = [one[way][2] for one in usual]
        tops = "".join(f"{(ranks[way] <= n).sum():>8}" for n in (1, 3, 5))
        better = (ranks[way] < ranks["whole"]).sum()
        worse = (ranks[way] > ranks["whole"]).sum()
        print(
            f"{way:8}{median(sizes):>8.0f}{sum(seconds):>9.0f}{sum(reducing):>10.0f}"
            f"{tops}{better:>8}{worse:>7}"
        )


if __name__ == "__main__":
    main()
