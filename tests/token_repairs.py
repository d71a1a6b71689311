"""Repairs of token rules, written into a copy of the file that the tool then loads by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gramspect import LoadOptions, TestSuite, suggest
from gramspect.edits.validation import Status
from gramspect.recognition.registry import adapter as adapter_named
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.running.observing import observe_test
from gramspect.suites.suite import Expectation, TestCase


def mended(
    source: Path,
    texts: Sequence[str],
    *,
    adapter: str,
    start: str | None = None,
    scanner: Path | None = None,
) -> str:
    """The lines that the first suggestion makes; with them, all texts are accepted.

    `scanner` is the file with the token rules, if it is another one.
    """
    tests = [TestCase(f"t{n}", Expectation.ACCEPT, text) for n, text in enumerate(texts)]
    extra = {} if scanner is None else {"scanner": str(scanner)}
    load = LoadOptions(adapter=adapter, start=start, extra=extra)
    found = suggest(source, TestSuite(tuple(tests)), load=load)
    best = found.suggestions[0]
    assert best.status is Status.VALIDATED
    assert best.nonterminal.startswith("token ")
    assert len(best.effect.fixed) == found.localization.n_failing
    assert best.change is not None
    lexer = source if scanner is None else scanner
    assert Path(best.change.file.path).samefile(lexer)
    folder = source.parent / "mended"
    folder.mkdir()
    (folder / source.name).write_bytes(source.read_bytes())
    (folder / lexer.name).write_bytes(best.change.changed.encoded())
    extra = {} if scanner is None else {"scanner": str(folder / lexer.name)}
    load = replace(load, extra=extra)
    parser = adapter_named(adapter).load(str(folder / source.name), load)
    verdicts = [observe_test(parser, test, Extraction.EXACT).verdict for test in tests]
    assert set(verdicts) == {Verdict.ACCEPTED}
    return "\n".join(line.strip() for _, line, _ in best.change.new_lines())
