"""Tokens as they usually look, written for the real ANTLR."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gramspect import LoadOptions
from gramspect.lexer_faults.forms import FORMS, Form
from gramspect.lexical.parts import Style
from gramspect.lexical.translated import translated
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.running.observing import observe_test
from gramspect.suites.suite import Expectation, TestCase

LATIN = st.characters(max_codepoint=0x24F)
"""Characters that are letters for every version of Unicode, or are not."""


def accepts(parser: Recognizer, text: str) -> bool:
    test = TestCase("t", Expectation.ACCEPT, text)
    return observe_test(parser, test, Extraction.EXACT).verdict is Verdict.ACCEPTED


def test_antlr_reads_every_form_as_one_token(tmp_path: Path) -> None:
    written = {form: translated(form.written or form.pattern, Style.ANTLR) for form in FORMS}
    assert None not in written.values()
    rules = "".join(f"T{n} : {text} ;\n" for n, text in enumerate(written.values()))
    choice = " | ".join(f"T{n}" for n in range(len(FORMS)))
    file = tmp_path / "Forms.g4"
    file.write_text(f"grammar Forms;\nstart : ({choice}) EOF ;\n{rules}", encoding="utf-8")
    parser = adapter("antlr").load(str(file), LoadOptions())

    @settings(deadline=None)
    @given(form=st.sampled_from(FORMS), data=st.data())
    def as_one_token(form: Form, data: st.DataObject) -> None:
        text = data.draw(st.from_regex(form.pattern, fullmatch=True, alphabet=LATIN))
        assert accepts(parser, text)

    as_one_token()
