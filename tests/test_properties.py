"""A property test reaches its assertions: it has no way around them that goes unnoticed.

An example that says nothing is rejected (`assume`, `reject`). Hypothesis counts those, and its
health check fails a test that rejects nearly all of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, errors, given, settings
from hypothesis import strategies as st

TESTS = Path(__file__).parent
FILES = sorted(path for path in TESTS.rglob("*.py") if "@given" in path.read_text())


def is_property(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(call, ast.Call) and ast.unparse(call.func) == "given"
        for call in node.decorator_list
    )


def early_returns(function: ast.AST) -> Iterator[ast.Return]:
    """The return statements of a function, but for those of functions within."""
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.Return):
            yield node
        elif not isinstance(node, ast.FunctionDef | ast.Lambda):
            yield from early_returns(node)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_examples_are_rejected_and_not_passed(path: Path) -> None:
    found = [
        f"{path.name}:{line.lineno}: {node.name} returns early; reject the example"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and is_property(node)
        for line in early_returns(node)
    ]
    assert not found


def test_early_returns_are_seen() -> None:
    (function,) = ast.parse(
        "@given(x)\ndef test(x):\n  if x:\n    return\n  def f(): return 1"
    ).body
    assert is_property(function)
    assert [line.lineno for line in early_returns(function)] == [4]


def test_a_property_that_hardly_ever_reaches_its_assertion_fails() -> None:
    """In the profile that the tests run in."""

    @given(st.integers(0, 10_000))
    def property_of_few(number: int) -> None:
        assume(number % 100 == 7)

    with pytest.raises(errors.FailedHealthCheck, match="filtered out"):
        property_of_few()


def test_no_test_turns_that_check_off() -> None:
    allowed = {HealthCheck.too_slow}
    assert set(settings().suppress_health_check) <= allowed
    found = [
        path.name for path in TESTS.rglob("test_*.py") if "suppress_health" in path.read_text()
    ]
    assert set(found) <= {Path(__file__).name}
