"""The parser of a mutant: built from its rules, or loaded from its text."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from gramspect.builtin.native import NativeRecognizer
from gramspect.campaigns.config import TEXT
from gramspect.campaigns.counting import Baseline
from gramspect.campaigns.faults import Faulty, Spot
from gramspect.campaigns.plan import Subject
from gramspect.campaigns.suites import Tests
from gramspect.edits.drafts import LoadedDraft
from gramspect.errors import GramspectError
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.registry import adapter

__all__ = ["Made", "make"]


class Made(NamedTuple):
    """A parser of a mutant, the tests in the form that it takes, and where the faults are in it.

    `known` is what the parser of the grammar without faults does, where that can be used for the
    mutant, too (`gramspect.campaigns.counting`). `loaded` keeps the files of the parser as long as
    it is used.
    """

    recognizer: Recognizer
    tests: Tests
    spots: tuple[Spot, ...]
    known: tuple[Baseline, Faulty] | None = None
    loaded: LoadedDraft | None = None


class _Refused(GramspectError):
    """A mutant with conflicts, where these are not to be resolved."""


def make(
    subject: Subject, recognizer: str, faulty: Faulty | None, conflicts: str = "resolve"
) -> Made:
    """The parser that a recognizer makes of a mutant; of the grammar itself without one.

    Args:
        subject: the grammar.
        recognizer: the name of an adapter, or `TEXT`.
        faulty: the mutant.
        conflicts: what becomes of a mutant with conflicts (`FaultConfig`).

    Raises:
        Unwritable, NotFromDraft: the mutant cannot be written into the text.
        GramspectError: the tool makes no parser of it.
    """
    if recognizer == TEXT and subject.text is not None:
        loaded, spots = subject.text.mutant(faulty)
        made = Made(loaded.recognizer, replace(subject.tests, in_text=True), spots, None, loaded)
    elif faulty is None:
        made = Made(adapter(recognizer).build(subject.grammar), subject.tests, ())
    else:
        parser = adapter(recognizer).build(faulty.grammar)
        known = (subject.baseline, faulty) if isinstance(parser, NativeRecognizer) else None
        made = Made(parser, subject.tests, faulty.spots, known)
    if conflicts == "refuse":
        _check_conflicts(made.recognizer)
    return made


def _check_conflicts(recognizer: Recognizer) -> None:
    if isinstance(recognizer, NativeRecognizer) and recognizer.conflicts:
        number = len(recognizer.conflicts)
        raise _Refused(f"{number} unresolved conflict{'s' if number > 1 else ''}")
