"""Tokens as they usually look, written for the real JavaCC."""

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

KNOWN = [form for form in FORMS if not form.written]
"""Those that JavaCC can say: it has no names for the letters of all languages."""
HEAD = """
options { STATIC = false; UNICODE_INPUT = true; }
PARSER_BEGIN(Forms)
public class Forms {}
PARSER_END(Forms)
"""

LATIN = st.characters(max_codepoint=0x24F)
"""Characters that are letters for every version of Unicode, or are not."""


def accepts(parser: Recognizer, text: str) -> bool:
    test = TestCase("t", Expectation.ACCEPT, text)
    return observe_test(parser, test, Extraction.EXACT).verdict is Verdict.ACCEPTED


def test_javacc_reads_every_form_as_one_token(tmp_path: Path) -> None:
    written = [translated(form.pattern, Style.JAVACC) for form in KNOWN]
    assert None not in written
    rules = "\n| ".join(f"<T{n}: {text}>" for n, text in enumerate(written))
    choice = " | ".join(f"<T{n}>" for n in range(len(KNOWN)))
    file = tmp_path / "Forms.jj"
    file.write_text(HEAD + f"TOKEN : {{\n{rules}\n}}\nvoid start() : {{}} {{ ({choice}) <EOF> }}\n")
    parser = adapter("javacc").load(str(file), LoadOptions())

    @settings(deadline=None)
    @given(form=st.sampled_from(KNOWN), data=st.data())
    def as_one_token(form: Form, data: st.DataObject) -> None:
        text = data.draw(st.from_regex(form.pattern, fullmatch=True, alphabet=LATIN))
        assert accepts(parser, text)

    as_one_token()
