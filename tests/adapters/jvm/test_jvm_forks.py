"""Python parsers beside a JVM: they are loaded in processes that are forked from it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gramspect import TestSuite, localize
from gramspect_jvm import start

PARSER = r"""
import gc
import sys
from lark import Lark

try:
    import a_module_that_nobody_has
except ImportError:
    pass

assert not [one for one in sys.meta_path if type(one).__module__ == "jpype.imports"]
assert not [one for one in gc.callbacks if one.__module__ == "_jpype"]
parser = Lark("start: A+\nA: /a/", parser="lalr")
"""


def test_a_parser_with_an_optional_module_is_loaded_beside_a_jvm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import jpype.imports  # some programs do, and so do some of JPype's own modules

    start()
    ours = [one for one in sys.meta_path if type(one).__module__ == jpype.imports.__name__]
    (tmp_path / "beside_java.py").write_text(PARSER)
    monkeypatch.chdir(tmp_path)
    result = localize(str(tmp_path / "beside_java.py:parser"), TestSuite.from_texts(["a", "aa"]))
    assert not result.failing
    assert set(ours) <= set(sys.meta_path), "in this process nothing changes"
