"""Real faults of all tools as one collection of cases, each loaded and searched once.

A folder holds cases in one of two layouts. Faults of ANTLR grammars: see ``realfaults.py``. Faults
of Lark and PLY parsers: ``before/`` holds the faulty parser, ``accept/`` inputs that it should
accept, and ``meta.json`` says how to load it (``source``, ``adapter``) and what is to blame
(``core_rules``, ``core_terminals``).
"""

from __future__ import annotations

import json
import os
import pickle
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from gramspect.edits.failing import Searched, search_failing
from gramspect.effort import Effort
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.running.loading import load_parser
from gramspect.running.recording import record
from gramspect.scoring.evidence import Scores, depth_scores
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import TestSuite

__all__ = [
    "Case",
    "Told",
    "arguments",
    "cases",
    "kept_cases",
    "loading_of",
    "metas",
    "of_each",
    "searched",
    "suite_of",
    "told_of_each",
]

T = TypeVar("T")
Told = dict[str, Any]
"""What a program says of a case; it can be written as JSON."""


@dataclass(frozen=True)
class Case:
    """What rankings of one fault are made of, or why there is nothing.

    `family` is the grammar or project that the fault is from: faults of one family never are in
    different folds. `seconds` are processor time from loading to the end of the search.
    """

    name: str
    tool: str
    family: str
    rules: frozenset[str]
    tokens: frozenset[str]
    seconds: float = 0.0
    problem: str = ""
    grammar: Grammar | None = None
    matrix: SpectrumMatrix | None = None
    depths: Scores | None = None
    searched: tuple[Searched, ...] = ()

    @property
    def blamed(self) -> frozenset[int]:
        """The non-terminals to blame; empty if the fault lies in token definitions alone."""
        if self.grammar is None:
            return frozenset()
        names = {symbol.name: symbol.index for symbol in self.grammar.nonterminals}
        return frozenset(names[name] for name in self.rules if name in names)


def cases(folders: Sequence[Path], jobs: int = 2, cache: Path | None = None) -> Iterator[Case]:
    """The cases below folders, each in a process of its own: parsers are modules of one name."""
    run = partial(_cached, None if cache is None else cache.resolve())
    yield from of_each(run, folders, jobs)


def of_each(run: Callable[[Path], T], folders: Sequence[Path], jobs: int) -> Iterator[T]:
    """What is found for the folder of each case, in order; there must be some."""
    cases = sorted(path.parent.resolve() for folder in folders for path in metas(folder))
    if not cases:
        raise SystemExit(f"{', '.join(map(str, folders))}: there is no case; make some first")
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, max_tasks_per_child=1) as pool:
        yield from pool.map(run, cases)


def arguments(description: str) -> ArgumentParser:
    """The arguments of a program that looks at each case: folders, ``--jobs`` and ``--keep``."""
    parser = ArgumentParser(description=description)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="keeps what was found, a file for each case")
    return parser


def told_of_each(run: Callable[[Path], Told], options: Namespace) -> list[Told]:
    """What is told of each case. What ``--keep`` has is not run again."""
    keep: Path | None = options.keep and options.keep.resolve()
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
    found = list(of_each(partial(_kept, keep, run), options.folders, options.jobs))
    for one in found:
        if one["problem"]:
            print(f"{one['name']}: {one['problem']}")
    return found


def _kept(keep: Path | None, run: Callable[[Path], Told], folder: Path) -> Told:
    if keep is None:
        return run(folder)
    kept = keep / f"{folder.name}.json"
    if not kept.exists():
        whole = kept.with_suffix(".new")
        whole.write_text(json.dumps(run(folder)))
        whole.replace(kept)
    found: Told = json.loads(kept.read_text())
    return found


def kept_cases(folder: Path) -> Iterator[Case]:
    """The cases that a folder keeps, one in a file; there must be some."""
    found = sorted(folder.glob("*.pickle"))
    if not found:
        raise SystemExit(f"{folder}: there is no case; make some with history_cases.py")
    for path in found:
        case: Case = pickle.loads(path.read_bytes())
        yield case


def metas(folder: Path) -> Iterator[Path]:
    """The descriptions of the cases below a folder."""
    return folder.glob("*/meta.json")


def _cached(cache: Path | None, folder: Path) -> Case:
    if cache is None:
        return _case(folder)
    kept = cache / f"{folder.name}.pickle"
    if kept.exists():
        found: Case = pickle.loads(kept.read_bytes())
        return found
    case = _case(folder)
    cache.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(pickle.dumps(case))
    return case


def _case(folder: Path) -> Case:
    head, source, options = loading_of(folder)
    try:
        begin = time.process_time()
        recognizer = load_parser(source, options).recognizer
        return searched(head, recognizer, suite_of(folder), begin)
    except GramspectError as problem:
        return replace(head, problem=str(problem))


def loading_of(folder: Path) -> tuple[Case, str, LoadOptions]:
    """What is known of a case before it is loaded, and how it is, from its own folder."""
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    os.chdir(folder / "before")
    if "parser_file" in meta:
        source, adapter, options = _antlr(meta)
        rules = meta.get("core_rules") or meta["changed_parser_rules"]
        head = Case(folder.name, "antlr", folder.name.split("-")[1], frozenset(rules), frozenset())
    else:
        source, adapter = meta["source"], meta["adapter"]
        extra = meta.get("extra", {})
        options = LoadOptions(meta.get("start"), meta.get("actions", True), extra)
        family = folder.name.rsplit("-", 1)[0]
        rules, tokens = frozenset(meta["core_rules"]), frozenset(meta["core_terminals"])
        head = Case(folder.name, meta["tool"], family, rules, tokens)
    return head, source, replace(options, adapter=adapter)


def suite_of(folder: Path) -> TestSuite:
    """The tests of a case, named from the folder of its parser."""
    rejected = ["../reject"] if (folder / "reject").is_dir() else []
    return TestSuite.load(["../accept"], rejected)


def _antlr(meta: dict[str, Any]) -> tuple[str, str, LoadOptions]:
    extra = {}
    if meta["lexer_file"]:
        extra["lexer"] = meta["lexer_file"]
    if meta["case_insensitive"]:
        extra["case"] = meta["case_insensitive"]
    return meta["parser_file"], "antlr", LoadOptions(start=meta["start_rule"], extra=extra)


def searched(
    head: Case, recognizer: Recognizer, suite: TestSuite, begin: float | None = None
) -> Case:
    """A case whose suite was run and whose failing tests were searched.

    `begin` is the processor time at which the work on it began, if not now.
    """
    begin = time.process_time() if begin is None else begin
    recording = record(recognizer, suite, Extraction.EXACT, [SpectrumKind.ITEM])
    unexpected = recording.unexpected
    expectations = [suite.tests[number].expectation for number in unexpected]
    depths = depth_scores(SpectrumKind.ITEM, recognizer.grammar, unexpected.values(), expectations)
    failing = [
        (number, suite.tests[number])
        for number, seen in unexpected.items()
        if seen.verdict is not Verdict.UNDECIDED
    ]
    passing = [test for number, test in enumerate(suite) if number not in unexpected]
    edits = search_failing(recognizer, failing, Effort.NORMAL.steps, passing)
    return Case(
        head.name, head.tool, head.family, head.rules, head.tokens,
        time.process_time() - begin, "", recognizer.grammar,
        recording.matrices[SpectrumKind.ITEM], depths, edits,
    )  # fmt: skip
