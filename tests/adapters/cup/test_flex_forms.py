"""Tokens as they usually look, written for the real JFlex."""

from __future__ import annotations

from pathlib import Path

from cup_tools import load

from gramspect.lexer_faults.forms import FORMS
from gramspect.lexical.parts import Style
from gramspect.lexical.translated import translated
from token_forms import check_forms


def test_jflex_reads_every_form_as_one_token(tmp_path: Path) -> None:
    written = [translated(form.written or form.pattern, Style.JFLEX) for form in FORMS]
    assert None not in written
    rules = "".join(f"{text} {{ return new Symbol(sym.T); }}\n" for text in written)
    grammar, flex = tmp_path / "Forms.cup", tmp_path / "Forms.flex"
    grammar.write_text("terminal T; non terminal s; s ::= T ;\n")
    head = "import java_cup.runtime.Symbol;\n%%\n%class Lexer\n%unicode\n%cup\n%%\n"
    flex.write_text(head + rules, encoding="utf-8")
    check_forms(load(grammar, scanner=str(flex)), FORMS)
