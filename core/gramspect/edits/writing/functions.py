"""New functions for new alternatives of PLY grammars.

The action of a function serves all alternatives of its docstring, and often counts on their length.
A function of its own leaves it alone.
"""

from __future__ import annotations

import ast
import re
from itertools import chain, count

from gramspect.edits.writing.files import Replacement, SourceFile, Unwritable

__all__ = ["new_function"]


def new_function(file: SourceFile, offset: int, rule: str) -> Replacement:
    """A function with the docstring `rule` after the one that `offset` is in.

    It takes the same parameters and has no action: the value of the rule is None.

    Raises:
        Unwritable: there is no function there.
    """
    node = _function_at(file, offset)
    end = file.offset(_last_line(file, node), 1)
    end += len(_line(file, end))
    indent = _indent(file, node)
    known = set(re.findall(r"\bp_\w+", file.text))
    name = f"{node.name}_more"  # not the next number: a base class may have that
    name = next(n for n in chain([name], (f"{name}_{i}" for i in count(2))) if n not in known)
    arguments = ", ".join(argument.arg for argument in node.args.args)
    blank = "\n" if indent else "\n\n"
    text = f'\n{blank}{indent}def {name}({arguments}):\n{indent}    """{rule}"""'
    return Replacement(end, end, text)


def _function_at(file: SourceFile, offset: int) -> ast.FunctionDef:
    line = sum(start <= offset for start in file.line_offsets)
    try:
        tree = ast.parse(file.text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError):
        raise Unwritable("the file is no Python that can be read") from None
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    if not found or not found[-1].name.startswith("p_"):
        raise Unwritable("the rule is not written in a function of its own")
    return found[-1]


def _last_line(file: SourceFile, node: ast.FunctionDef) -> int:
    """The last line of a function, with the comments that follow at the indent of its body."""
    last = node.end_lineno or node.lineno
    within = re.compile(rf"{re.escape(_indent(file, node))}[ \t]+#")
    for number, start in enumerate(file.line_offsets[last:], last + 1):
        line = _line(file, start)
        if within.match(line):
            last = number
        elif line.strip():
            break
    return last


def _indent(file: SourceFile, node: ast.FunctionDef) -> str:
    return _line(file, file.line_offsets[node.lineno - 1])[: node.col_offset]


def _line(file: SourceFile, start: int) -> str:
    """The rest of the line at an offset, without its end."""
    found = re.compile(r"[^\r\n]*").match(file.text, start)
    return found[0] if found else ""
