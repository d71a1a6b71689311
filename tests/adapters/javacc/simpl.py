"""The teaching language in JavaCC with seeded faults, and where the rankings have them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from simpl_faults import Fault

from gramspect import Localization, RankedElement, TestSuite, localize
from gramspect.recognition.recognizer import LoadOptions
from gramspect.spectrum.matrix import SpectrumKind
from gramspect_javacc import adapter
from gramspect_javacc.recognizer import JavaccRecognizer
from ranks import Replayed, rank_of

FOLDER = Path(__file__).parents[3] / "fixtures" / "javacc" / "simpl"
GRAMMAR = FOLDER / "Simpl.jj"
SUITE = TestSuite.load([FOLDER / "accept.txt"], [FOLDER / "reject.txt"], lines=True)
RECORD = FOLDER / "ranks.json"

Ranks = dict[str, dict[str, float | None]]
"""By setting (spectrum and evidence), then ``production`` or ``place``."""


def ranks(fault: Fault) -> Ranks:
    """The ranks of the faulty production and of the faulty place, by spectrum and evidence.

    ``production`` is the rank among productions, ``place`` that of the best element which covers
    the place of the fault among all elements that are not alike. Members of a tie share its middle.
    """
    text = GRAMMAR.read_text()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "Simpl.jj"
        path.write_text(fault.seeded(text))
        recognizer = adapter.load(str(path), LoadOptions())
        traces = recognizer.traces(SUITE.tests)
    names = (test.name for test in SUITE)
    replayed = Replayed(recognizer, dict(zip(names, traces, strict=True)))
    found: Ranks = {}
    for spectrum in (SpectrumKind.RULE, SpectrumKind.ITEM):
        for evidence in ("spectrum", "both"):
            result = localize(replayed, SUITE, spectrum=spectrum, evidence=evidence)
            assert not result.undecided, [(u.test.name, u.reason) for u in result.undecided]
            assert result.failing, f"no test shows the fault {fault.name}"
            found[f"{spectrum}-{evidence}"] = {
                "production": rank_of(result, fault.production, lambda e: e.nonterminal),
                "place": place_rank(result, *fault.line_and_column(text)),
            }
    return found


def place_rank(result: Localization, line: int, column: int) -> float | None:
    """The rank of the first element whose place in the file holds, or ends at, a position."""
    elements = list(result.ranking)
    at = next((e.rank for e in elements if covers(e, line, column)), None)
    if at is None:
        return None
    before = sum(element.rank < at for element in elements)
    return before + (sum(element.rank == at for element in elements) + 1) / 2


def covers(element: RankedElement, line: int, column: int) -> bool:
    place = element.span
    if place is None:
        return False
    start, end = (place.line, place.column), (place.end_line, place.end_column + 1)
    return start <= (line, column) <= end


def correct() -> JavaccRecognizer:
    return adapter.load(str(GRAMMAR), LoadOptions())
