"""Tokens as they usually look, written for the real ANTLR."""

from __future__ import annotations

from pathlib import Path

from gramspect import LoadOptions
from gramspect.lexer_faults.forms import FORMS
from gramspect.lexical.parts import Style
from gramspect.lexical.translated import translated
from gramspect.recognition.registry import adapter
from token_forms import check_forms


def test_antlr_reads_every_form_as_one_token(tmp_path: Path) -> None:
    written = [translated(form.written or form.pattern, Style.ANTLR) for form in FORMS]
    assert None not in written
    rules = "".join(f"T{n} : {text} ;\n" for n, text in enumerate(written))
    choice = " | ".join(f"T{n}" for n in range(len(FORMS)))
    file = tmp_path / "Forms.g4"
    file.write_text(f"grammar Forms;\nstart : ({choice}) EOF ;\n{rules}", encoding="utf-8")
    check_forms(adapter("antlr").load(str(file), LoadOptions()), FORMS)
