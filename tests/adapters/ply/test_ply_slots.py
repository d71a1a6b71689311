"""Objects whose attributes are in slots: parsers are found there, and state is put back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import LRTrace
from gramspect.suites.suite import Expectation, TestCase
from gramspect_ply.attributes import attributes_of
from gramspect_ply.snapshot import Snapshot

NAMES = """
from ply import lex, yacc

class Base:
    __slots__ = ("_lexer", "__parser", "_known")

    def _make(self):
        self._known = set()
        self._lexer = self.__parser = None  # PLY asks for all attributes of its module
        self._lexer = lex.lex(object=self)
        self.__parser = yacc.yacc(module=self, write_tables=False, debug=False)

    def parse(self, text):
        return self.__parser.parse(text, lexer=self._lexer)

class Names(Base):
    __slots__ = "count"
    tokens = ("KNOWN", "NAME", "IS")
    t_IS = "="
    t_ignore = " "

    def t_NAME(self, t):
        "[a-z]+"
        t.type = "KNOWN" if t.value in self._known else "NAME"
        return t

    def t_error(self, t):
        raise SyntaxError(t.value)

    def __init__(self):
        self.count = 0
        self._make()
        del self.count

    def p_s(self, p):
        '''s : NAME IS NAME
             | KNOWN'''
        self.count = getattr(self, "count", 0) + 1
        assert self.count == 1, "the state of another test"
        if len(p) == 4:
            self._known.add(p[1])

    def p_error(self, p):
        raise SyntaxError
"""


@pytest.mark.parametrize("attribute", ["Names", "Names._Base__parser", "Names.parse"])
def test_a_parser_in_a_slot(tmp_path: Path, attribute: str) -> None:
    """Of a base class, with a private name; each test starts from the same state."""
    path = tmp_path / "names.py"
    path.write_text(NAMES)
    recognizer = adapter("ply").load(f"{path}:{attribute}", LoadOptions())
    for text, is_accepted in [("x = y", True), ("x = y", True), ("x", False), ("x = y", True)]:
        trace = recognizer.trace(TestCase("test", Expectation.ACCEPT, text))
        assert isinstance(trace, LRTrace), trace
        assert (trace.error is None) is is_accepted


class Plain:
    """An object with a dictionary."""

    def __init__(self) -> None:
        self.held = Slotted()


class Slotted:
    __slots__ = ("__hidden", "filled", "unset")

    def __init__(self) -> None:
        self.filled: Any = [1]
        self.__hidden = "private"

    def hide(self, text: str) -> None:
        self.__hidden = text


class Both(Slotted):
    """Slots of a base class, one of them hidden by its own, and a dictionary."""

    __slots__ = ("__dict__", "filled")

    def __init__(self) -> None:
        super().__init__()
        self.more = 1


def test_slots_are_put_back() -> None:
    """They are found in what an object holds; one without a value has none afterwards."""
    plain, both = Plain(), Both()
    snapshot = Snapshot.of(plain, both)
    for thing in (plain.held, both):
        thing.filled.append(2)
        thing.filled = thing.unset = None
        thing.hide("another")
    both.more = 2
    del both.filled
    snapshot.restore()
    assert attributes_of(plain.held) == {"filled": [1], "_Slotted__hidden": "private"}
    assert attributes_of(both) == {"filled": [1], "_Slotted__hidden": "private", "more": 1}
    snapshot.restore()
    assert not hasattr(plain.held, "unset")


def test_a_slot_that_was_emptied_is_filled_again() -> None:
    slotted = Slotted()
    snapshot = Snapshot.of(slotted)
    del slotted.filled
    snapshot.restore()
    assert slotted.filled == [1]
