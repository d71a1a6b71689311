"""What the answers to a few questions are worth on real texts, with the real parsers.

    python benchmarks/asked_authors.py FOLDER... [--rounds N] [--jobs N] [--keep FOLDER]

The folders hold cases of `release_cases.py`: the faulty parser, the texts, and the newer parser, in
which the authors have mended the fault. `gramspect ask` puts its questions about the faulty one,
and the newer parser answers each by accepting or rejecting the text. After each answer the fault is
localized anew with the answers as further tests, as ``--suite answers.jsonl`` does it, and ranked
as in `first_lines.py`. A case that has no further question keeps its ranks.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from fault_cases import Told, arguments, loading_of, suite_of, told_of_each
from first_lines import rank, shares, told
from gramspect.errors import GramspectError
from gramspect.generation.parsing import rejects
from gramspect.localization import localize as localization
from gramspect.repairs.ask import ask
from gramspect.running.loading import load_parser
from gramspect.suites.suite import TestSuite


def main() -> None:
    parser = arguments("Asks about faults that authors have mended.")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--author", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.author:
        print(json.dumps(accepted(options.author, sys.stdin.read())))
        return
    found = told_of_each(partial(case, options.rounds), options)
    show([one for one in found if one["rules"] and not one["problem"]], options.rounds)


def case(rounds: int, folder: Path) -> Told:
    """The reports on a case before any question and after each answer."""
    head, source, options = loading_of(folder)
    found: Told = {"name": head.name, "tool": head.tool, "problem": "", "asked": []}
    found |= {"rules": sorted(head.rules), "tokens": sorted(head.tokens)}
    try:
        suite = suite_of(folder)
        found["reports"] = [told(localization.localize(source, suite, load=options))]
        asking, asked = ask(source, suite, load=options).next()
        while asked is not None and len(found["asked"]) < rounds:
            answer = answered(folder, asked.text)
            found["asked"].append([asked.text, answer])
            asking = asking.answered(asked, answer)
            further = TestSuite((*suite.tests, *asking.answers))
            found["reports"].append(told(localization.localize(source, further, load=options)))
            asking, asked = asking.next()
    except GramspectError as problem:
        found["problem"] = str(problem)
    return found


def answered(folder: Path, text: str) -> bool | None:
    """What the newer parser says, in a process of its own: both are modules of one name."""
    command = [sys.executable, __file__, "--author", str(folder)]
    made = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    said: bool | None = json.loads((made.stdout.splitlines() or ["null"])[-1])
    return said


def accepted(folder: Path, text: str) -> bool | None:
    with TemporaryDirectory() as scratch:
        newer = Path(scratch) / "case"
        newer.mkdir()
        shutil.copy(folder / "meta.json", newer)
        shutil.copytree(folder / "after", newer / "before")
        _, source, options = loading_of(newer)
        try:
            parser = load_parser(source, options, None).recognizer
        except GramspectError:
            return None
        return not rejects(parser, text, None)


def show(cases: list[Told], rounds: int) -> None:
    """A line for each number of answers."""
    n_asked = sum(bool(one["asked"]) for one in cases)
    print(f"{len(cases)} cases, of which {n_asked} have a question")
    for answers in range(rounds + 1):
        reports = [one["reports"][: answers + 1][-1] for one in cases]
        ranks = [rank({**one, **told}, "rules") for one, told in zip(cases, reports, strict=True)]
        print(f"{answers} answers: {shares(ranks)}")


if __name__ == "__main__":
    main()
