"""What is wrong with a JFlex specification is said in one line, with its place and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from cup_tools import SIMPL, classpath, load, runtime, simpl_jar
from flex import specification, written

from command import Command
from gramspect.errors import CodeError, GrammarError, GramspectError

CUP = "terminal A, PLUS; non terminal s; s ::= s A | PLUS | ;"
RULES = """
a           { return symbol(sym.A); }
"+"         { return symbol(sym.PLUS); }
{Digit}     { }
"""
FLEX = specification(RULES.removeprefix("\n"), "Digit = [0-9]\n")


def message(folder: Path, flex: str, cup: str = CUP, **options: str) -> str:
    grammar, scanner = written(folder, cup, flex)
    with pytest.raises(GramspectError) as raised:
        load(grammar, scanner=str(scanner), **options)
    said = str(raised.value)
    assert "\n" not in said
    assert "Exception" not in said
    return said.replace(f"{folder}/", "")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("%cup\n", "", "Lang.flex:3:1: this specification has no %cup, so its scanner is none that"
         " CUP's parsers take; add a line %cup after the first %%"),
        ("%cup\n", "%cup2\n", "Lang.flex:4:1: %cup2: scanners of CUP2 are for another parser"
         " generator; gramspect takes specifications with %cup"),
        ("%cup\n", "%byaccj\n", "Lang.flex:4:1: %byaccj: its scanner is for BYACC/J"),
        ("%cup\n", "%cup\n%standalone\n", "Lang.flex:5:1: %standalone: its scanner runs alone"),
        ("%%", "", "Lang.flex:1:1: this is no JFlex specification: no line begins with %%"),
        ("Digit =", "Digits =", "Lang.flex:14:1: JFlex: Macro has not been declared; define it"
         " above the rules"),
        ("[0-9]", "{Other}", "Lang.flex:6:1: JFlex: Found no definition for macro"),
        ("[0-9]", "{Digit}", "Lang.flex:6:1: JFlex: Macro Digit contains a cycle"),
        ("[0-9]", "[0-9", "Lang.flex:6:9: this class does not end; close it with ]"),
        ("[0-9]", "([0-9]", "Lang.flex:6:15: JFlex: Syntax error"),
        ("[0-9]", "[9-0]", "JFlex: Impossible character class range (end is less than start)"),
        ("%unicode", "%unicod", "Lang.flex:5:1: JFlex: Unknown %-option; check how it is spelled"),
        ("sym.PLUS", "sym.PLUSS", "Lang.flex:13:33: 'PLUSS' is no terminal of the grammar; declare"
         " it there: 'terminal PLUSS;'; did you mean 'PLUS'?"),
        ("symbol(sym.A)", "symbl(sym.A)", "Lang.flex:12:22: the scanner does not compile: cannot"
         " find symbol symbol: method symbl(int) location: class Lexer; give the jars and folders"
         " of other classes with --option classpath=..."),
        ("symbol(sym.A);", "symbol(sym.A)", "the scanner does not compile: ';' expected"),
        ("{ }", "{ ", "Lang.flex:14:13: this action does not end; close it with }"),
        ("a     ", "<IN> a", "Lang.flex:12:2: JFlex: Lexical state has not been declared; add it to"
         " a line %state or %xstate"),
    ],
)  # fmt: skip
def test_a_broken_specification(tmp_path: Path, before: str, after: str, expected: str) -> None:
    assert before in FLEX
    count = -1 if before == "%%" else 1
    assert expected in message(tmp_path, FLEX.replace(before, after, count))


def test_errors_of_java_where_lines_end_as_in_windows(tmp_path: Path) -> None:
    text = FLEX.replace("new Symbol(type)", "new Symbl(type)").replace("\n", "\r\n")
    grammar, scanner = written(tmp_path, CUP, "")
    scanner.write_text(text, newline="")
    with pytest.raises(CodeError, match=r"Lang\.flex:\d+:\d\d: the scanner does not compile"):
        load(grammar, scanner=str(scanner))


def test_what_is_not_there(tmp_path: Path) -> None:
    said = message(tmp_path, FLEX, home="nowhere")
    assert said == "Lang.flex: there is no folder nowhere; check the option home"
    with pytest.raises(GrammarError, match=r"None\.flex: there is no such file; check the path"):
        load(tmp_path / "Lang.cup", scanner=str(tmp_path / "None.flex"))
    said = message(tmp_path, FLEX.replace("%unicode", "%include none.inc"))
    assert "Lang.flex:5:1: the included file cannot be read" in said


def test_errors_of_java_say_nothing_of_the_grammar(tmp_path: Path) -> None:
    grammar, scanner = written(tmp_path, CUP, FLEX.replace("{ }", "{ Missing.call(); }"))
    with pytest.raises(CodeError):
        load(grammar, scanner=str(scanner))


def test_the_class_of_the_symbols_has_another_name(tmp_path: Path) -> None:
    said = message(tmp_path, FLEX.replace("sym.", "Tokens."))
    assert "say so: --option symbols=Tokens" in said
    eof = "%eofval{\n  return symbol(Tokens.EOF);\n%eofval}\n"
    flex = FLEX.replace("sym.", "Tokens.").replace("%cup\n", f"%cup\n{eof}")
    grammar, scanner = written(tmp_path, CUP, flex)
    assert load(grammar, scanner=str(scanner), symbols="Tokens").grammar.n_rules == 3


def test_a_scanner_that_cannot_be_made(tmp_path: Path) -> None:
    said = message(tmp_path, FLEX.replace("%unicode", "%ctorarg int size"))
    assert "Lexer has no constructor that takes a Reader, an InputStream or nothing" in said


def test_a_class_that_the_scanner_needs(tmp_path: Path) -> None:
    """The error is in another file."""
    (tmp_path / "Helper.java").write_text("class Helper {\n  int a = missing;\n}\n")
    said = message(tmp_path, FLEX.replace("{ }", "{ new Helper(); }"))
    assert "cannot find symbol symbol: variable missing" in said
    assert "(Helper.java:2)" in said


def test_a_parser_of_classes_has_a_scanner_of_classes(tmp_path: Path) -> None:
    with pytest.raises(GramspectError, match="takes the class of its scanner, not "):
        load(
            SIMPL / "simpl.cup",
            parser="simpl.SimplParser",
            scanner=str(written(tmp_path, CUP, FLEX)[1]),
            classpath=classpath(simpl_jar(), runtime()),
        )


def test_on_the_command_line(tmp_path: Path, command: Command) -> None:
    grammar, scanner = written(tmp_path, CUP, FLEX.replace("[0-9]", "([0-9]"))
    said = command.fails(
        *("localize", grammar, "--option", f"scanner={scanner}", "--accept", grammar)
    )
    assert said.startswith(f"{scanner}:6:15: JFlex: Syntax error")
