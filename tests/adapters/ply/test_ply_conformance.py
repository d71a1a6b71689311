"""The adapter for PLY, by the conformance kit."""

from pathlib import Path

from gramspect.testing import AdapterConformance, Loadable, Technique
from gramspect_ply import adapter

TOY = '''
from ply import lex, yacc

tokens = "program id var bool int sleep if then else while do num".split()
literals = "=.{}:;+()"
t_ignore = " \\n"
precedence = ()
types = {word: word for word in tokens}


def t_word(t):
    r"[a-z]+"
    t.type = types.get(t.value, "?")
    if t.type == "?":
        raise lex.LexError("no such word", t.value)
    return t


def t_error(t):
    raise lex.LexError("no such sign", t.value)


def p_prog(p):
    "prog : program id '=' block '.'"


def p_block(p):
    """block : '{' decls stmts '}'
             | '{' decls '}'
             | '{' stmts '}'
             | '{' '}'"""


def p_decls(p):
    """decls : decl ';' decls
             | decl ';'"""


def p_decl(p):
    "decl : var id ':' type"


def p_type(p):
    """type : bool
            | int"""


def p_stmts(p):
    """stmts : stmt ';' stmts
             | stmt ';'"""


def p_stmt(p):
    """stmt : sleep
            | if expr then stmt else stmt
            | while expr do block
            | id '=' expr
            | block"""


def p_expr(p):
    """expr : expr '=' expr
            | expr '+' expr
            | '(' expr ')'
            | id
            | num"""


def p_error(p):
    raise SyntaxError


lexer = lex.lex()
parser = yacc.yacc(debug=False, write_tables=False, start="prog")
'''
CALC = '''
from ply import lex, yacc

tokens = ("NUMBER",)
literals = "+/()"
t_ignore = " "


def t_NUMBER(t):
    r"[0-9]+"
    t.value = int(t.value)
    return t


def t_error(t):
    raise SyntaxError("strange sign")


def p_sum(p):
    """sum : sum '+' quotient
           | quotient"""


def p_quotient(p):
    """quotient : quotient '/' atom
                | atom"""
    p[0] = p[1] // p[3] if len(p) == 4 else p[1]


def p_atom(p):
    """atom : NUMBER
            | '(' sum ')'"""
    p[0] = p[1] if len(p) == 2 else 1
    while p[0] == 13:
        pass


def p_error(p):
    raise SyntaxError


lexer = lex.lex()
parser = yacc.yacc(debug=False, write_tables=False)
'''


def toy(folder: Path) -> str:
    path = folder / "toy_of_ply.py"
    path.write_text(TOY)
    return str(path)


def calc(folder: Path) -> str:
    path = folder / "calc_of_ply.py"
    path.write_text(CALC)
    return str(path)


class TestPly(AdapterConformance):
    adapter = adapter
    technique = Technique.LR
    time_limit = 1.0
    loadables = (
        Loadable(toy, toy=True, context_free=False),
        Loadable(
            calc,
            accept=["1", "1 + 2", "(1 + 2) / 3", "((4))/5/6"],
            reject=["", "1 +", "1 2", "(1", "1 ? 2", "/"],
            crashing=["1 / 0"],
            endless=["13"],
        ),
    )
