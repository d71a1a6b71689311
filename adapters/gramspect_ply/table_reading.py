"""Tables that PLY has written count only if they were made of the rules that are there now.

With ``optimize=1`` PLY takes the tables that it finds, under whatever name, without a look at the
signature of the rules; then a change of a rule has no effect, neither one by the user nor one that
is tried as a repair. While a parser is loaded, the signatures are compared all the same, and where
they differ PLY makes the tables anew, as it does by itself without ``optimize=1``. Tables of lexers
have no signature and are quickly made, so they are always made anew.

Of a parser that was made anew, the first production knows whose place it takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from gramspect_ply.copies import Method, methods_replaced

__all__ = ["replaced_tables", "tables_of_these_rules"]

_METHODS = {
    "ParserReflect": ("signature",),
    "LRTable": ("read_table", "read_pickle", "bind_callables"),
    "Lexer": ("readtab",),
}
"""The classes of PLY that read tables, and the methods by which they do."""


class _Comparison:
    """What takes the place of PLY's methods.

    PLY asks for the signature of the rules, reads tables, gives the functions of the rules to those
    that it uses, and makes others if that raises.
    """

    def __init__(self) -> None:
        self._signature: object = None
        self._refused = ""

    def instead_of(self, method: str, original: Method) -> Method:
        """What a class of PLY is given in the place of its method."""
        replacements: dict[str, Method] = {
            "signature": self._asked,
            "bind_callables": self._taken,
            "readtab": self._unread,
        }
        make: Method = replacements.get(method, self._read)

        def replacement(this: Any, *args: Any, **options: Any) -> Any:
            return make(original, this, *args, **options)

        return replacement

    def _asked(self, original: Method, rules: Any) -> object:
        self._signature = original(rules)
        return self._signature

    def _read(self, original: Method, table: Any, source: Any) -> object:
        signature = original(table, source)
        table.read_from = getattr(source, "__name__", None) or str(source), signature
        return signature

    def _taken(self, original: Method, table: Any, known: Any) -> None:
        """Raise for tables that PLY has decided to use unseen."""
        name, signature = getattr(table, "read_from", ("", self._signature))
        if _words(signature) != _words(self._signature):
            self._refused = name
            raise ValueError(f"the tables in {name} were made of other rules")
        table.lr_productions[0].made_instead_of, self._refused = self._refused, ""
        original(table, known)

    def _unread(self, original: Method, lexer: Any, *args: Any) -> None:
        raise ImportError("the tables of a lexer do not say which rules they were made of")


def replaced_tables(productions: Sequence[object]) -> str:
    """The module or file of the tables, made of other rules, that a parser has others instead of;
    empty if there are none."""
    name = getattr(productions[0], "made_instead_of", "")
    return name if isinstance(name, str) else ""


def tables_of_these_rules() -> AbstractContextManager[None]:
    """Have every copy of PLY make tables anew where those in files were made of other rules."""
    comparison = _Comparison()
    return methods_replaced(
        {
            name: {method: partial(comparison.instead_of, method) for method in methods}
            for name, methods in _METHODS.items()
        }
    )


def _words(signature: object) -> object:
    """A signature as the words of the rules: Python 3.13 indents docstrings otherwise."""
    return signature.split() if isinstance(signature, str) else signature
