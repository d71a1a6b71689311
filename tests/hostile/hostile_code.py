"""User code that does what no parser should: when it is imported, in a lexer, in an action."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from hostile_runs import Case

__all__ = ["DEEDS", "ENDLESS", "PLACES", "SPOILING", "code_case", "code_cases", "many_deeds_case"]

DEEDS = {
    "nothing": "pass",
    "exit": "os._exit(0)",
    "exit 1": "os._exit(1)",
    "kill": "os.kill(os.getpid(), signal.SIGKILL)",
    "terminate": "os.kill(os.getpid(), signal.SIGTERM)",
    "kill parent": "os.kill(os.getppid(), signal.SIGKILL)",
    "kill group": "os.killpg(0, signal.SIGKILL)",
    "segfault": "ctypes.string_at(0)",
    "abort": "os.abort()",
    "interrupt": "raise KeyboardInterrupt",
    "system exit": "sys.exit(0)",
    "generator exit": "raise GeneratorExit",
    "exception": "raise ValueError('no \\ud800 such\\nvalue')",
    "odd exception": "raise type('Odd', (Exception,), {'__str__': lambda self: 1 / 0})()",
    "recursion": "(lambda f: f(f))(lambda f: f(f))",
    "recursion limit": "sys.setrecursionlimit(60)",
    "memory": "bytearray(10**13)",
    "endless": "while True: pass",
    "stop": "os.kill(os.getpid(), signal.SIGSTOP)",
    "sleep": "time.sleep(10**6)",
    "thread": "threading.Thread(target=time.sleep, args=(10**6,)).start()",
    "thread that exits": "threading.Timer(0.01, os._exit, (0,)).start()",
    "fork": "os.fork()",
    "fork that stays": "os.fork() or time.sleep(10**6)",
    "subprocess": "subprocess.run(['echo', 'JUNK'])",
    "subprocess that stays": "subprocess.Popen(['sleep', '1000'])",
    "write": "os.write(1, b'JUNK')",
    "write everywhere": "[os.write(int(n), b'JUNK') for n in os.listdir('/dev/fd')[:-1]]",
    "print": "print('JUNK', flush=True)",
    "print to the end": "sys.__stdout__.write('JUNK')",
    "close output": "os.close(1)",
    "close errors": "os.close(2)",
    "close all": "os.closerange(0, 1000)",
    "close stream": "sys.stdout.close()",
    "no stream": "sys.stdout = sys.stderr = None",
    "read": "input()",
    "alarm": "signal.alarm(1)",
    "timer": "signal.setitimer(signal.ITIMER_REAL, 0.01)",
    "ignore interrupts": "signal.signal(signal.SIGINT, signal.SIG_IGN)",
    "at exit": "atexit.register(os._exit, 0)",
    "folder": "os.chdir('/')",
    "no folder": "f = tempfile.mkdtemp(); os.chdir(f); os.rmdir(f)",
    "no modules": "sys.modules.clear()",
    "no builtins": "builtins.isinstance = None",
    "no path": "sys.path.clear()",
    "trace": "sys.settrace(lambda *a: 1 / 0)",
    "open files": "resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))",
    "no processes": "resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))",
    "warning": "warnings.simplefilter('error'); warnings.warn('JUNK')",
}
"""What the code does, as a statement."""

SPOILING = (
    "alarm", "close all", "folder", "ignore interrupts", "no builtins", "no folder", "no modules",
    "no path", "no processes", "no stream", "open files", "recursion limit", "thread that exits",
    "timer", "trace", "warning",
)  # fmt: skip
"""Deeds that may cost later tests, too, which run in the same process."""

ENDLESS = ("endless", "sleep", "stop")
"""Deeds that take a time limit to stop."""

PLACES = ("import", "lexer", "action", "error")

_IMPORTS = (
    "import atexit, builtins, ctypes, os, resource, signal, subprocess, sys, tempfile, threading,"
    " time, warnings\n"
)

_PLY = """{imports}
import ply.lex, ply.yacc
tokens = ("N", "BAD")
literals = "+"
t_ignore = " "
def t_BAD(t):
    r"bad[0-9]*"
    {lexer}
    return t
def t_N(t):
    r"[0-9]+"
    return t
def t_error(t):
    raise SyntaxError(t.value[0])
def p_sum(p):
    "sum : sum '+' value"
def p_one(p):
    "sum : value"
def p_value(p):
    "value : N"
def p_bad(p):
    "value : BAD"
    {action}
def p_error(p):
    {error}
    raise SyntaxError("here")
lexer = ply.lex.lex()
parser = ply.yacc.yacc(debug=False, write_tables=False)
{at_import}
"""

_LARK = """{imports}
import lark
def bad(token):
    {lexer}
    return token
class Actions(lark.Transformer):
    def worse(self, children):
        {action}
{at_import}
parser = lark.Lark('''
start: value ("+" value)*
?value: N | BAD -> worse
N: /[0-9]+/
BAD: /bad[0-9]*/
%ignore " "
''', parser="lalr", lexer_callbacks={{"BAD": bad}}, transformer=Actions())
"""

_BAD_TOKEN = {
    ("ply", "lexer"): "t.value",
    ("ply", "action"): "p[1]",
    ("lark", "lexer"): "token",
    ("lark", "action"): "children[0]",
}

_TESTS = "1 + 2\n3\nbad\n1 + bad\n1 1\n4 + 5 + 6\n"


def code_case(kind: str, place: str, deed: str, arguments: tuple[str, ...] = ()) -> Case:
    """A parser of the kind ``ply`` or ``lark`` in which something is done at a place."""
    at = {"lexer": "pass", "action": "pass", "error": "pass", "at_import": "pass"}
    at["at_import" if place == "import" else place] = DEEDS[deed]
    source = (_PLY if kind == "ply" else _LARK).format(imports=_IMPORTS, **at)
    target = "p.py" if kind == "ply" else "p.py:parser"
    return Case(
        f"{kind} {place} {deed} {' '.join(arguments)}",
        (
            "localize", target, "--lines", "--accept", "t.txt", "--format", "json",
            "--load-timeout", "20", "--timeout", "5", "--budget", "2", *arguments,
        ),
        {"p.py": source, "t.txt": _TESTS},
        seconds=60,
        statuses=frozenset((1,) if place != "import" and deed not in SPOILING else (0, 1, 2)),
    )  # fmt: skip


def many_deeds_case(kind: str, place: str) -> Case:
    """A parser that does something else in every second test; the others are harmless.

    The deeds are those that come to an end and do not spoil their process for what comes after.
    """
    bad = _BAD_TOKEN[kind, place]
    at = {"lexer": "pass", "action": "pass", "error": "pass", "at_import": f"DEEDS = {DEEDS!r}"}
    at[place] = f"exec(list(DEEDS.values())[int({bad}[3:])])"
    source = (_PLY if kind == "ply" else _LARK).format(imports=_IMPORTS, **at)
    left_out = (*SPOILING, *ENDLESS)
    tests = [f"1 + bad{n}\n1 + {n}" for n, deed in enumerate(DEEDS) if deed not in left_out]
    return Case(
        f"{kind} {place}: all deeds",
        (
            "localize", "p.py" if kind == "ply" else "p.py:parser", "--lines", "--accept", "t.txt",
            "--format", "json", "--evidence", "both", "--jobs", "2",
        ),
        {"p.py": source, "t.txt": "\n".join(tests)},
    )  # fmt: skip


_EXTRA = ((), ("--jobs", "2"), ("--evidence", "both"), ("--no-actions",))


def code_cases(seed: int) -> Iterator[Case]:
    """Cases without end; all that there are come before one of them comes again."""
    rng = random.Random(seed)
    every = list(product(("ply", "lark"), PLACES, DEEDS, _EXTRA))
    while True:
        rng.shuffle(every)
        for kind, place, deed, extra in every:
            yield code_case(kind, place, deed, extra)
