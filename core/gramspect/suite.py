"""Test suites: inputs with the verdict that the language asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Expectation", "TestCase", "TestSuite"]


class Expectation(StrEnum):
    """What the language says about an input."""

    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class TestCase:
    """One input. `name` is unique within its suite and stable; `path` and `line` say where it is from.

    `tokens` is set for tests that are token sequences by construction; adapters that need text lex `text`.
    """

    __test__ = False  # not a pytest class

    name: str
    expectation: Expectation
    text: str
    tokens: tuple[str, ...] | None = None
    path: str | None = None
    line: int = 1


@dataclass(frozen=True)
class TestSuite:
    """An ordered collection of tests."""

    __test__ = False

    tests: tuple[TestCase, ...]

    def __len__(self) -> int:
        return len(self.tests)

    def __iter__(self) -> Iterator[TestCase]:
        return iter(self.tests)
