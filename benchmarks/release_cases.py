"""Real faults with real texts: grammars of older releases, and the tests of the projects.

    python benchmarks/release_cases.py CACHE FOLDER [--only NAME...] [--most NUMBER]

``release_cases.toml`` lists projects of PyPI whose source archives have tests. Of every two
releases in order between which the grammar differs, the texts in the project's tests are given to
both parsers, as their adapters load them. What the newer accepts and the older rejects is a failing
test of the older one; what both accept is a passing one. To blame are the rules that, as they were
in the older release, make the newer grammar reject the text, by core's chart. The failing texts
with the same rules to blame are a case (`fault_cases.py`): one to three of them, and ten passing
ones. FOLDER gets a folder for each, CACHE keeps the releases. The parsers of PLY are run.

A repair of a case can be judged by texts that no test shows (`repairs_on_texts.py`): up to 20 more
that fail for the same reason are in its folder ``held``, and in ``wrong`` up to 20 that neither
parser accepts: failing texts with one word or sign left out, or twice.

With --tokens the cases are faults in token definitions alone: texts whose tokens, as the newer
lexer makes them, the older grammar derives. To blame are the changed definitions of the tokens that
the older lexer does not make of the text (`release_tokens.py`). The program also counts the failing
texts of each kind, for that is how often a fault is one of tokens.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import ChartTooLarge, parse_chart
from gramspect.recognition.recognizer import LoadOptions, Recognizer, Tokenizing
from gramspect.recognition.trace import Verdict
from gramspect.running.isolated import IsolatedRecognizer
from gramspect.running.loading import load_parser
from gramspect.running.runner import run
from gramspect.suites.suite import Expectation, TestCase
from history_grammars import Written, grammar_of, symbols_of, terminal_names, written
from release_sources import Project, Release, releases, text_of, texts_of, unpack_newest
from release_tokens import TokenJudge

PROJECTS = Path(__file__).with_suffix(".toml")
FAILING, PASSING = 3, 10
MOST_BLAMED = 6
"""A text that needs more rules than this is in another language."""
MOST_JUDGED = 60
"""Failing texts of two releases that are looked at."""
HELD_OUT = 20
"""Texts of each kind by which a repair is judged."""
MOST_SECONDS = 10.0
"""How long a parser may read a text: regular expressions may take forever for one."""
MOST_SPOILED = 100
"""Spoiled texts that are given to both parsers."""
_WORD = re.compile(r"\w+|[^\w\s]")

_LARK = """from lark import Lark
from lark.indenter import PythonIndenter


def parser():
    return Lark.open("grammar.lark", rel_to=__file__, {options})
"""
_PLY = """import collections.abc
import os
import sys
import types
import unittest.mock

# Older releases look for these where Python had them before 3.10.
for name in collections.abc.__all__:
    setattr(collections, name, getattr(collections.abc, name))
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "src"), os.path.join(here, "lib")]
for stub in {stubs}:
    sys.modules[stub] = unittest.mock.MagicMock()
for bare in {bare}:
    sys.modules[bare] = types.ModuleType(bare)
    sys.modules[bare].__path__ = [os.path.join(f, *bare.split(".")) for f in sys.path[:3]]
"""


@dataclass(frozen=True)
class Pair:
    """Two releases as parsers: the older one, which rejects something, and the newer one."""

    project: Project
    older: Release
    newer: Release
    folder: Path

    def load(self, which: str) -> Recognizer:
        """The parser in the folder `before` or `after`."""
        os.chdir(self.folder / which)
        options = LoadOptions(
            self.project.start, self.project.actions, adapter=adapter_of(self.project)
        )
        return load_parser(source_of(self.project), options).recognizer


def main() -> None:
    arguments = argparse.ArgumentParser(description="Makes faults of releases and their tests.")
    arguments.add_argument("cache", type=Path, help="for the source archives")
    arguments.add_argument("folder", type=Path, help="for the cases")
    arguments.add_argument("--only", nargs="+", help="names of projects")
    arguments.add_argument("--most", type=int, default=20, help="cases of a project")
    arguments.add_argument("--tokens", action="store_true", help="faults in token definitions")
    options = arguments.parse_args()
    cache, folder = options.cache.resolve(), options.folder.resolve()
    listed = tomllib.loads(PROJECTS.read_text(encoding="utf-8"))
    for name in options.only or listed:
        project = Project(name, **listed[name])
        made, kinds = 0, Counter[str]()
        for made, case in enumerate(
            project_cases(project, cache, folder, kinds, tokens=options.tokens), 1
        ):
            print(f"  {case}", flush=True)
            if made == options.most:
                break
        counted = ", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds))
        print(f"{name:24} {made:3} cases; failing texts: {counted or 'none'}", flush=True)


def project_cases(
    project: Project, cache: Path, folder: Path, kinds: Counter[str], *, tokens: bool
) -> Iterator[str]:
    """Write the cases of a project, those of its newest releases first.

    `kinds` gets the number of failing texts of each kind.
    """
    found = releases(project, cache)
    others = [*filter(None, [project.tests_of])]
    for other in (*others, *project.needs):
        unpack_newest(other, project.texts, cache)
    texts = texts_of([project.package, *others], cache, project.texts)
    Random(project.name).shuffle(texts)
    seen: set[str] = set()
    for older, newer in reversed(list(pairwise(found))):
        with TemporaryDirectory() as scratch:
            pair = Pair(project, older, newer, Path(scratch))
            try:
                lay_out(project, older, pair.folder / "before")
                lay_out(project, newer, pair.folder / "after")
                for blame in _pair_cases(pair, texts[: project.most_texts], seen, kinds):
                    if bool(blame.tokens) is tokens:
                        yield _written(pair, blame, folder)
            except (GramspectError, OSError) as problem:
                print(f"  {project.name} {newer.version}: {str(problem)[:150]}", flush=True)
            os.chdir(cache)


# --- parsers -------------------------------------------------------------------------------------


def adapter_of(project: Project) -> str:
    """The adapter of a project's parser."""
    return project.adapter or {"lark": "lark-lalr"}.get(project.tool, project.tool)


def source_of(project: Project) -> str:
    """What is loaded in the folder of a parser."""
    return project.file or "g.py:parser"


def lay_out(project: Project, release: Release, folder: Path) -> None:
    """The files of a parser in a folder of their own.

    Raises:
        GramspectError: the release has none.
    """
    files = release.grammar(project.grammar)
    if not files:
        raise GramspectError(f"there is no {project.grammar}")
    folder.mkdir()
    if project.tool == "ply" or project.code:
        home = files[0].relative_to(release.folder)
        package = Path(*home.parts[: 2 if home.parts[0] in ("src", "lib") else 1])
        left_out = shutil.ignore_patterns("*tab.py", "parser.out")
        shutil.copytree(release.folder / package, folder / package, ignore=left_out)
        for need in project.needs:
            for found in (release.folder.parent.parent / need).glob(f"*/{need}"):
                shutil.copytree(found, folder / need, ignore=left_out)
        module, _, name = project.make.rpartition(".")
        code = project.code or f"from {module} import {name} as parser\n"
        (folder / "g.py").write_text(
            _PLY.format(stubs=list(project.stubs), bare=list(project.bare)) + code
        )
        return
    for path in files:
        shutil.copy(path, folder)
    if project.tool == "lark":
        for near in (files[-1].parent, files[-1].parent.parent):
            for other in near.glob("*.lark"):
                shutil.copy(other, folder)
        if project.variables:
            try:
                text = text_of(files[-1], project.variables)
            except (ValueError, SyntaxError) as problem:
                raise GramspectError(str(problem)) from problem
            (folder / "grammar.lark").write_text(text, "utf-8")
        else:
            shutil.copy(files[-1], folder / "grammar.lark")
        options = {"parser": adapter_of(project).removeprefix("lark-"), **project.options}
        given = [f"{name}={value!r}" for name, value in options.items()]
        given += ["postlex=PythonIndenter()"] * project.indented
        (folder / "g.py").write_text(_LARK.format(options=", ".join(given)))


def accepts(parser: Recognizer, texts: Sequence[str]) -> list[bool | None]:
    """Whether a parser accepts each text; None where it comes to no end."""
    tests = [*map(_test, texts)]
    isolated = isinstance(parser, IsolatedRecognizer)
    seen = parser.run(tests, None, MOST_SECONDS, 1) if isolated else run(parser, tests, None)
    verdicts = {Verdict.ACCEPTED: True, Verdict.REJECTED: False}
    return [verdicts.get(observation.verdict) for observation in seen]


def _test(text: str) -> TestCase:
    return TestCase("text", Expectation.ACCEPT, text)


# --- cases ---------------------------------------------------------------------------------------


@dataclass
class Blame:
    """What is to blame for failing texts, rules or else token definitions, and texts that pass."""

    rules: tuple[str, ...]
    tokens: tuple[str, ...]
    passing: Sequence[str]
    failing: list[str] = field(default_factory=list)
    wrong: Sequence[str] = ()


def _pair_cases(
    pair: Pair, texts: Sequence[str], seen: set[str], kinds: Counter[str]
) -> Iterator[Blame]:
    after, before = pair.load("after"), pair.load("before")
    right = [text for text, ok in zip(texts, accepts(after, texts), strict=True) if ok]
    verdicts = list(zip(right, accepts(before, right), strict=True))
    failing = [text for text, ok in verdicts if ok is False and text not in seen]
    passing = [text for text, ok in verdicts if ok]
    if len(passing) < FAILING:
        return
    seen.update(failing)
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], Blame] = {}
    judge, of_tokens = Judge(written(before.grammar), after), TokenJudge(before, after)
    for text in failing[:MOST_JUDGED]:
        rules = judge.blamed(text)
        tokens = () if rules else of_tokens.blamed(_test(text))
        kinds["of rules" if rules else "of tokens" if tokens else "unclear"] += 1
        found.setdefault((rules, tokens), Blame(rules, tokens, passing)).failing.append(text)
    for one in found.values():
        if 0 < len(one.rules + one.tokens) <= MOST_BLAMED:
            yield replace(one, wrong=_wrong(one.failing, after, before))


def _wrong(texts: Sequence[str], after: Recognizer, before: Recognizer) -> list[str]:
    """Texts with a word or a sign left out, or twice, that both parsers reject."""
    random = Random(texts[0])
    spoiled: dict[str, None] = {}
    for _ in range(MOST_SPOILED):
        text = random.choice(texts)
        word = random.choice(list(_WORD.finditer(text)) or [None])
        if word is not None:
            instead = random.choice(("", f"{word[0]} {word[0]}"))
            spoiled[text[: word.start()] + instead + text[word.end() :]] = None
    wrong = [t for t, ok in zip(spoiled, accepts(after, [*spoiled]), strict=True) if ok is False]
    return [t for t, ok in zip(wrong, accepts(before, wrong), strict=True) if ok is False]


class Judge:
    """Says which rules are to blame for the rejection of a text by the older grammar."""

    def __init__(self, older: Written, after: Recognizer) -> None:
        self.parser = after
        newer = written(after.grammar)
        self.names = terminal_names(after.grammar)
        changed = [
            name
            for name, rule in newer.rules.items()
            if name in older.rules and older.rules[name] != rule
        ]
        self.reverted: Mapping[str, Grammar] = {
            name: grammar_of(_reverted(name, older, newer)) for name in changed
        }

    def blamed(self, text: str) -> tuple[str, ...]:
        """The rules that reject the text as they were; none if its tokens are not known."""
        assert isinstance(self.parser, Tokenizing)
        tokens = self.parser.tokens(_test(text))
        if tokens is None or min(tokens, default=-1) < 0:
            return ()
        names = [self.names[token] for token in tokens]
        return tuple(
            sorted(rule for rule, old in self.reverted.items() if not _derives(old, names))
        )


def _reverted(rule: str, older: Written, newer: Written) -> Written:
    """The newer grammar with one rule as it was, and what that alone needs."""
    rules, display = {**newer.rules, rule: older.rules[rule]}, dict(newer.display)
    waiting = list(symbols_of(older.rules[rule]))
    while waiting:
        name = waiting.pop()
        if name not in rules and name in older.rules:
            rules[name] = older.rules[name]
            waiting += symbols_of(older.rules[name])
        elif name not in rules and name not in display:
            display[name] = older.display[name]
    return Written(newer.start, rules, display, newer.spellings)


def _derives(grammar: Grammar, names: Sequence[str]) -> bool:
    numbers = {symbol.name: symbol.index for symbol in grammar.symbols}
    if any(name not in numbers for name in names):
        return False
    try:
        return parse_chart(grammar, [numbers[name] for name in names]).accepted
    except ChartTooLarge:
        return True


def _written(pair: Pair, blame: Blame, folder: Path) -> str:
    """Write a case; its name."""
    project = pair.project
    number = sha256(" ".join(blame.rules or blame.tokens).encode()).hexdigest()[:6]
    name = f"{project.name}-{pair.newer.version}_{number}"
    home = folder / name
    shutil.rmtree(home, ignore_errors=True)
    for which in ("before", "after"):
        shutil.copytree(pair.folder / which, home / which)
    random = Random(name)
    failing = random.sample(blame.failing, min(FAILING, len(blame.failing)))
    passing = random.sample(blame.passing, min(PASSING, len(blame.passing)))
    _write(home / "accept", fail=failing, **{"pass": passing})
    further = [text for text in blame.failing if text not in failing]
    _write(home / "held", text=further[:HELD_OUT])
    _write(home / "wrong", text=blame.wrong[:HELD_OUT])
    meta = {
        "id": name, "tool": project.tool, "source": source_of(project),
        "adapter": adapter_of(project), "start": project.start,
        "kind": "token" if blame.tokens else "rule", "actions": project.actions,
        "core_rules": list(blame.rules), "core_terminals": list(blame.tokens),
        "older": pair.older.version, "newer": pair.newer.version,
    }  # fmt: skip
    (home / "meta.json").write_text(json.dumps(meta, indent=1) + "\n")
    return name


def _write(folder: Path, **kinds: Sequence[str]) -> None:
    """Write texts to a folder, a file for each, named by their kind."""
    folder.mkdir()
    for kind, texts in kinds.items():
        for place, text in enumerate(texts):
            (folder / f"{kind}-{place:02}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
