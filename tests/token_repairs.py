"""Repairs of token rules, written into a copy of the file that the tool then loads by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gramspect import LoadOptions, TestSuite, suggest
from gramspect.edits.validation import Status
from gramspect.recognition.registry import adapter as adapter_named
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.running.observing import observe_test
from gramspect.suites.suite import Expectation, TestCase


def mended(source: Path, texts: Sequence[str], *, adapter: str, start: str | None = None) -> str:
    """The lines that the first suggestion makes; with them, all texts are accepted."""
    tests = [TestCase(f"t{n}", Expectation.ACCEPT, text) for n, text in enumerate(texts)]
    load = LoadOptions(adapter=adapter, start=start)
    found = suggest(source, TestSuite(tuple(tests)), load=load)
    best = found.suggestions[0]
    assert best.status is Status.VALIDATED
    assert best.nonterminal.startswith("token ")
    assert len(best.effect.fixed) == found.localization.n_failing
    assert best.change is not None
    assert Path(best.change.file.path).samefile(source)
    folder = source.parent / "mended"
    folder.mkdir()
    (folder / source.name).write_bytes(best.change.changed.encoded())
    parser = adapter_named(adapter).load(str(folder / source.name), load)
    verdicts = [observe_test(parser, test, Extraction.EXACT).verdict for test in tests]
    assert set(verdicts) == {Verdict.ACCEPTED}
    return "\n".join(line.strip() for _, line, _ in best.change.new_lines())
