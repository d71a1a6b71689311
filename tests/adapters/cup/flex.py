"""CUP grammars with JFlex specifications, for tests."""

from __future__ import annotations

from pathlib import Path

from cup_tools import load

from gramspect.recognition.recognizer import Recognizer

__all__ = ["CALC_CUP", "CALC_FLEX", "flex_parser", "specification", "written"]

CALC_CUP = """
terminal PLUS, LPAREN, RPAREN, SEMI, EQ;
terminal String FUNCTION, NAME, NUMBER, TEXT, PARTS, HEX;
non terminal prog, assign, sum, term;

start with prog;

prog   ::= prog assign SEMI | ;
assign ::= NAME EQ sum ;
sum    ::= sum PLUS term | term ;
term   ::= NUMBER | FUNCTION LPAREN sum RPAREN | NAME | TEXT | PARTS | HEX ;
"""
CALC_FLEX = r"""import java_cup.runtime.Symbol;

%%

%class Lexer
%unicode
%cup

%{
  private Symbol symbol(int type) { return new Symbol(type); }
  private Symbol symbol(int type, Object value) { return new Symbol(type, value); }
%}

Blank    = [ \t\r\n]
Digit    = [0-9]
Exponent = [eE] {Digit}+ // of ten
Letter   = [a-z]
Part     = ({Letter} | [0-9.])+

%%

"+"  { return symbol(sym.PLUS); }
"("  { return symbol(sym.LPAREN); }
")"  { return symbol(sym.RPAREN); }
";"  { return symbol(sym.SEMI); }
"="  { return symbol(sym.EQ); }
"SIN" | "COS" | "EXP"        { return symbol(sym.FUNCTION, yytext()); }
{Letter} [a-z0-9]*           { return symbol(sym.NAME, yytext()); }
{Digit}+ {Exponent}?         { return symbol(sym.NUMBER, yytext()); }
"0x" [0-9]+                  { return symbol(sym.HEX, yytext()); }
\" [^\"\n]* \"               { return symbol(sym.TEXT, yytext()); }
"<<" {Part} ("/" {Part})* ">>"  { return symbol(sym.PARTS, yytext()); }
{Blank}                      { /* nothing */ }
"#" [^\n;]*                  { }
"""


def specification(rules: str, options: str = "") -> str:
    """A specification with these rules, written with ``symbol(sym.NAME)``."""
    return (
        "import java_cup.runtime.Symbol;\n%%\n%class Lexer\n%cup\n%unicode\n"
        f"{options}\n%{{\n  Symbol symbol(int type) {{ return new Symbol(type); }}\n%}}\n"
        f"%%\n{rules}"
    )


def written(folder: Path, cup: str, flex: str) -> tuple[Path, Path]:
    """The files of a grammar and of its scanner."""
    folder.mkdir(parents=True, exist_ok=True)
    grammar, scanner = folder / "Lang.cup", folder / "Lang.flex"
    grammar.write_text(cup)
    scanner.write_text(flex)
    return grammar, scanner


def flex_parser(folder: Path, cup: str, flex: str, **options: str) -> Recognizer:
    """The parser of a grammar with that scanner."""
    grammar, scanner = written(folder, cup, flex)
    return load(grammar, scanner=str(scanner), **options)
