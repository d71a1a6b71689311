"""Tokens as they usually look, written for the real JavaCC."""

from __future__ import annotations

from pathlib import Path

from gramspect import LoadOptions
from gramspect.lexer_faults.forms import FORMS
from gramspect.lexical.parts import Style
from gramspect.lexical.translated import translated
from gramspect.recognition.registry import adapter
from token_forms import check_forms

KNOWN = [form for form in FORMS if not form.written]
"""Those that JavaCC can say: it has no names for the letters of all languages."""
HEAD = """
options { STATIC = false; UNICODE_INPUT = true; }
PARSER_BEGIN(Forms)
public class Forms {}
PARSER_END(Forms)
"""


def test_javacc_reads_every_form_as_one_token(tmp_path: Path) -> None:
    written = [translated(form.pattern, Style.JAVACC) for form in KNOWN]
    assert None not in written
    rules = "\n| ".join(f"<T{n}: {text}>" for n, text in enumerate(written))
    choice = " | ".join(f"<T{n}>" for n in range(len(KNOWN)))
    start = f"void start() : {{}} {{ ({choice}) <EOF> }}\n"
    file = tmp_path / "Forms.jj"
    file.write_text(f"{HEAD}TOKEN : {{\n{rules}\n}}\n{start}", encoding="utf-8")
    check_forms(adapter("javacc").load(str(file), LoadOptions()), KNOWN)
