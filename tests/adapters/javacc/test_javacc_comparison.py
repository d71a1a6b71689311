"""A parser in a jar beside those that are made of the grammar in its byte code."""

from __future__ import annotations

import pytest

from gramspect import TestSuite
from gramspect.comparison import compare
from jars import maven_jar

OGNL = (
    "ognl:ognl:3.3.4",
    "47fdd450407ff09b57df02f466f9b4c7d32818962d65f9d98e445c8b4d047603",
)
"""Its rules look ahead by code, and JavaCC parsers of the rules alone take the first that fits."""


@pytest.mark.slow
def test_the_parser_of_a_jar_takes_part_itself() -> None:
    suite = TestSuite.from_texts(accept=["1+2", "a.b", "a[0]", "a.b(1)"], reject=["(a"])
    found = compare(str(maven_jar(*OGNL)), suite, evidence="both")
    failing = {technique.name: len(technique.result.failing) for technique in found.taking_part}
    assert found.taking_part[0].name == "javacc itself"
    assert failing["javacc itself"] == failing["chart"] == 0
    assert failing["javacc"] > 0
    own = found.taking_part[0].result
    assert own.grammar.n_rules == 194
    assert found.grammar is not None
    assert len(found.units) == found.grammar.n_items


def test_named_adapters_alone_take_part() -> None:
    suite = TestSuite.from_texts(accept=["1+2"])
    found = compare(str(maven_jar(*OGNL)), suite, adapters=["chart", "native"])
    assert [technique.name for technique in found.techniques] == ["chart", "native"]
