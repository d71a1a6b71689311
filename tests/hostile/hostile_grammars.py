"""Grammars of every notation that are almost right, and tests that are almost in the language."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

from hostile_runs import Case

__all__ = ["NOTATIONS", "grammar_case", "grammar_cases"]

_YACC = """%token NUM ID
%left '+' '-'
%%
list : /* empty */ | list stmt ;
stmt : ID '=' expr ';' | '{' list '}' | "if" '(' expr ')' stmt ;
expr : expr '+' expr { $$ = $1 + $3; } | expr '-' expr | '(' expr ')' | NUM | ID %prec '+' ;
%%
"""
_LARK = """start: stmt*
stmt: NAME "=" expr ";" -> assign
    | "{" stmt* "}"
?expr: term (("+" | "-") term)*
?term: NUMBER | NAME | "(" expr ")" | list{expr, ","}
list{x, sep}: "[" [x (sep x)*] "]"
NAME.2: /[a-z_]+/i
NUMBER: DIGIT+ ("." DIGIT~1..3)?
%import common.DIGIT
%import common.WS
%ignore WS
"""
_PLY = """import ply.lex, ply.yacc
tokens = ("NUM", "ID")
literals = "=+-;{}()"
t_NUM = r"[0-9]+"
t_ID = r"[a-z_]+"
t_ignore = " \\n"
precedence = (("left", "+", "-"),)
def t_error(t):
    raise SyntaxError(t.value[0])
def p_list(p):
    '''list : list stmt
            | '''
def p_stmt(p):
    '''stmt : ID '=' expr ';'
            | '{' list '}' '''
def p_expr(p):
    '''expr : expr '+' expr
            | expr '-' expr
            | '(' expr ')'
            | NUM
            | ID'''
def p_error(p):
    raise SyntaxError("here")
ply.lex.lex()
ply.yacc.yacc(debug=False, write_tables=False)
"""
_ANTLR = """grammar G;
list : stmt* EOF ;
stmt : ID '=' expr ';' # assign | '{' stmt* '}' # block ;
expr : expr ('+' | '-') expr | '(' expr ')' | NUM | ID ;
ID : [a-z_]+ ;
NUM : [0-9]+ ('.' [0-9]+)? ;
WS : [ \\t\\r\\n]+ -> skip ;
COMMENT : '//' ~[\\n]* -> channel(HIDDEN) ;
"""
_JAVACC = """options { STATIC = false; }
PARSER_BEGIN(P) public class P {} PARSER_END(P)
SKIP : { " " | "\\n" }
TOKEN : { < NUM: (["0"-"9"])+ > | < ID: (["a"-"z"])+ > }
void list() : {} { ( stmt() )* <EOF> }
void stmt() : {} { <ID> "=" expr() ";" | "{" ( stmt() )* "}" }
void expr() : { int n; } { term() ( ( "+" | "-" ) term() )* }
void term() : {} { <NUM> | <ID> | "(" expr() ")" }
"""
_CUP = """terminal NUM, ID, EQ, PLUS, MINUS, SEMI, LB, RB, LP, RP;
non terminal list, stmt, expr;
precedence left PLUS, MINUS;
start with list;
list ::= list stmt | ;
stmt ::= ID EQ expr SEMI | LB list RB ;
expr ::= expr PLUS expr | expr:e MINUS expr {: int n = 1; :} | LP expr RP | NUM | ID ;
"""

NOTATIONS: Mapping[str, tuple[str, str]] = {
    "y": (_YACC, "ID = NUM + ID ;\n{ ID = NUM ; }\nID = NUM NUM ;\n"),
    "lark": (_LARK, "a = 1 + b;\n{ a = 1.5; }\na = [1, b];\na = 1 1;\n"),
    "py": (_PLY, "a = 1 + b;\n{ a = 1; }\na = 1 1;\n"),
    "g4": (_ANTLR, "a = 1 + b;\n{ a = 1.5; }\na = 1 1;\n"),
    "jj": (_JAVACC, "a = 1 + b;\n{ a = 1; }\na = 1 1;\n"),
    "cup": (_CUP, "ID EQ NUM PLUS ID SEMI\nLB RB\nID EQ NUM NUM SEMI\n"),
}
"""By suffix a grammar, and tests of which the last should fail."""

_JVM = ("g4", "jj", "cup")

_ODD = (
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", "\u202e\u2066".encode(), b"\r",
    b"\x1b[2J", b"\\ud800", b"\\u{110000}", b"\\x", b"'", b'"', b"/*", b"*/", b"//", b"#", b"{",
    b"}", b"(", b")", b"[", b"]", b"<", b">", b"|", b";", b":", b"::=", b"%%", b"%{", b"%prec",
    b"%import x.y", b"~99999999", b"~3..1", b"*", b"+", b"?", b"->", b"$end", b"error", b"EOF",
    b"@", b"..", b"\xc2", b"</script>", b"{" * 60, b"(" * 150, b"((" * 40 + b"'a'" + b"))" * 40,
    b"9" * 5000, b"a" * 5000, b"%left " + b"x " * 300, b"\n" * 300, b"=", b"import os; ",
    b"0" * 30, b"fragment ", b"mode X;",
)  # fmt: skip


def grammar_case(notation: str, rng: random.Random) -> Case:
    """A grammar and tests that have been changed somewhere, and a command for them."""
    text, tests = NOTATIONS[notation]
    grammar = _large(notation, rng) if rng.random() < 0.1 else text.encode()
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 8))):
        grammar = _changed(grammar, rng)
    inputs = tests.encode()
    for _ in range(rng.choice((0, 0, 1, 2))):
        inputs = _changed(inputs, rng)
    name = f"g.{notation}"
    command, *arguments = rng.choice(_COMMANDS)
    arguments = [name if one == "GRAMMAR" else one for one in arguments]
    return Case(
        f"{notation} {command}", [command, *arguments], {name: grammar, "t.txt": inputs},
        jvm=notation in _JVM,
    )  # fmt: skip


_TESTS = ("--lines", "--accept", "t.txt")
_COMMANDS = (
    ("localize", "GRAMMAR", *_TESTS, "--budget", "1", "--format", "json"),
    ("localize", "GRAMMAR", *_TESTS, "--evidence", "both"),
    ("localize", "GRAMMAR", *_TESTS, "--evidence", "both", "--format", "sarif"),
    ("localize", "GRAMMAR", *_TESTS, "--evidence", "both", "--format", "html"),
    ("localize", "GRAMMAR", *_TESTS, "--timeout", "5", "--evidence", "both", "--format", "json"),
    ("coverage", "GRAMMAR", *_TESTS),
    ("spectra", "GRAMMAR", *_TESTS, "-o", "out.npz"),
    ("generate", "GRAMMAR", "--limit", "20"),
    ("suggest", "GRAMMAR", *_TESTS, "--budget", "1"),
    ("lrgraph", "GRAMMAR"),
    ("compare", "GRAMMAR", *_TESTS, "--adapters", "native,chart"),
)


def _changed(text: bytes, rng: random.Random) -> bytes:
    a = rng.randrange(len(text) + 1)
    b = min(len(text), a + rng.choice((0, 1, 1, 2, 5, 30)))
    piece = text[a:b]
    how = rng.randrange(6)
    if how == 0:
        return text[:a] + text[b:]
    if how == 1:
        return text[:a] + piece + piece + text[b:]
    if how == 2:
        return text[:a]
    if how == 3:
        c = rng.randrange(len(text) + 1)
        rest = text[:a] + text[b:]
        return rest[:c] + piece + rest[c:]
    return text[:a] + rng.choice(_ODD) + text[b if how == 4 else a :]


def _large(notation: str, rng: random.Random) -> bytes:
    """A grammar of which there is too much of something.

    Lark itself takes a minute to load an alternative of 1,000 symbols, so it gets fewer.
    """
    n = min(rng.choice((3, 50, 120, 300, 1000)), 300 if notation == "lark" else 1000)
    write: Callable[[str, list[str]], str]
    if notation == "y":
        head, write = "%token a b\n%%\n", _written(" : ", " ;")
    elif notation == "lark":
        head, write = "", _written(": ", "")
    elif notation == "g4":
        head, write = "grammar G;\n", _written(" : ", " ;")
    else:
        return NOTATIONS[notation][0].encode()
    a = '"a"' if notation == "lark" else "'a'"
    start = "start"
    rules = rng.choice((
        lambda: [write(start, [" ".join([a] * n)])],
        lambda: [write(start, [a] * n)],
        lambda: [write(start, [f"{a} {'x' * k}" for k in range(1, min(n, 120))]), *(
            write("x" * k, [a]) for k in range(1, min(n, 120)))],
        lambda: [write(start, ["r0"]), *(write(f"r{k}", [f"r{k + 1}", a]) for k in range(n)),
                 write(f"r{n}", [a])],
        lambda: [write(start, ["(" * n + a + ")" * n])],
        lambda: [write(start, [f"{start} {start}", a, ""])],
        lambda: [write(start, [start])],
    ))()  # fmt: skip
    return (head + "\n".join(rules) + "\n").encode()


def _written(sign: str, end: str) -> Callable[[str, list[str]], str]:
    return lambda name, alternatives: f"{name}{sign}{' | '.join(alternatives)}{end}"


def grammar_cases(seed: int, notations: tuple[str, ...] = tuple(NOTATIONS)) -> Iterator[Case]:
    """Cases without end."""
    rng = random.Random(seed)
    while True:
        yield grammar_case(rng.choice(notations), rng)
