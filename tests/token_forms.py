"""Tokens as they usually look, read by a tool's own lexer."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from gramspect.lexer_faults.forms import Form
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.running.observing import observe_test
from gramspect.suites.suite import Expectation, TestCase

__all__ = ["check_forms"]

_LATIN = st.characters(max_codepoint=0x24F, exclude_categories=["No"])
"""Characters that are letters for every version of Unicode, or are not.

Without ``²`` and the like, with which names begin for Python's expressions, but for no Java tool.
"""


def check_forms(parser: Recognizer, forms: Sequence[Form]) -> None:
    """Check that a parser accepts any token of the forms."""

    @settings(deadline=None)
    @given(form=st.sampled_from(forms), data=st.data())
    def is_accepted(form: Form, data: st.DataObject) -> None:
        text = data.draw(st.from_regex(form.pattern, fullmatch=True, alphabet=_LATIN))
        test = TestCase("t", Expectation.ACCEPT, text)
        assert observe_test(parser, test, Extraction.EXACT).verdict is Verdict.ACCEPTED

    is_accepted()
