"""The class with the numbers of a grammar's symbols, as CUP would write it.

Its name and its package are those that the specification of the scanner uses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gramspect_cup.jflex.syntax import FlexFile

__all__ = ["package_of", "symbol_classes"]

_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_USUAL = "sym"
_RESERVED = frozenset(
    "abstract assert boolean break byte case catch char class const continue default do double else"
    " enum extends false final finally float for goto if implements import instanceof int interface"
    " long native new null package private protected public return short static strictfp super"
    " switch synchronized this throw throws transient true try void volatile while _".split()
)
"""Words that are no names in Java: non-terminals may be called so."""


def package_of(file: FlexFile) -> str:
    """The package of the scanner."""
    found = _PACKAGE.search(file.code)
    return "" if found is None else found[1]


def symbol_classes(file: FlexFile, generated: Any, usual: str, given: str | None) -> dict[str, str]:
    """Sources by the names of their classes.

    `generated` is what CUP has made of the grammar, `usual` the class in which CUP puts the
    numbers if it is not told otherwise, `given` the one that the user has named.
    """
    names = [given or _qualified(file, file.value("cupsym") or _USUAL, usual)]
    other = usual.rpartition(".")[2]
    if other not in names[0] and re.search(rf"\b{other}\b", file.source.text):
        names.append(_qualified(file, other, usual))  # an action may say what CUP calls it
    terminals = [str(name) for name in generated.terminals()]
    nonterminals = [str(name) for name in generated.nonterminals()]
    return {name: _source(file, name, terminals, nonterminals) for name in names}


def _qualified(file: FlexFile, name: str, usual: str) -> str:
    """The class of a name, in the package that is imported, of the grammar, or of the scanner."""
    if "." in name:
        return name
    imported = re.search(rf"^\s*import\s+(?:static\s+)?([\w.]+)\.{name}\b", file.code, re.MULTILINE)
    home = imported[1] if imported else usual.rpartition(".")[0] or package_of(file)
    return f"{home}.{name}" if home else name


def _source(
    file: FlexFile, name: str, terminals: Sequence[str], nonterminals: Sequence[str]
) -> str:
    """An interface where the scanner implements it, as CUP makes one with ``-interface``."""
    home, _, simple = name.rpartition(".")
    implemented = re.split(r"[\s,]+", file.value("implements"))
    kind = "interface" if simple in implemented or name in implemented else "class"
    known = set(terminals)
    numbers = [*enumerate(terminals)]
    numbers += [(n, other) for n, other in enumerate(nonterminals) if other not in known]
    constants = "".join(
        f"  public static final int {constant} = {number};\n"
        for number, constant in numbers
        if constant.isidentifier() and constant not in _RESERVED
    )
    listed = ", ".join(f'"{terminal}"' for terminal in terminals)
    return (
        f"{f'package {home};' if home else ''}\npublic {kind} {simple} {{\n{constants}"
        f"  public static final String[] terminalNames = new String[] {{{listed}}};\n}}\n"
    )
