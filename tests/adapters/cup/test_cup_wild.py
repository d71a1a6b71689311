"""Jars with CUP parsers that others have made, from Maven Central."""

from __future__ import annotations

from pathlib import Path

import pytest
from cup_tools import load, simpl_jar, texts

from gramspect.adapter_api import AdapterError
from gramspect.spectrum.extraction import observe
from gramspect_cup.classes import parsers_in
from jars import maven_jar


def cup_10k() -> Path:
    """CUP of 1999 with its runtime: it has no factories of symbols."""
    return maven_jar(
        "edu.princeton.cup:java-cup:10k",
        "15894fad0a81611e351b5200bbc3bd21359fc6aed53af54a48998390e4b2700d",
    )


def test_only_parsers_are_called_parsers() -> None:
    """CUP's own code holds the names of what it generates, in texts."""
    assert parsers_in(str(cup_10k())) == ["java_cup.parser", "java_cup.simple_calc.parser"]


def test_a_runtime_that_is_too_old_is_not_called_missing() -> None:
    with pytest.raises(AdapterError) as raised:
        load(simpl_jar(), classpath=str(cup_10k()))
    assert str(raised.value) == (
        "the CUP runtime on the classpath (java_cup.runtime) is older than the parser: it has no"
        " SymbolFactory; add the one that the parser was generated for before it"
    )


def test_a_jar_may_hold_what_the_jdk_keeps_to_itself() -> None:
    """The parser in the jar runs, not the JDK's own class of the same name."""
    jar = maven_jar(
        "com.sun.org.apache:jaxp-ri:1.4",
        "1815fc4d6f3af68f8342d76de57e268ef53adb27c10a2acd443e7c5def5d881e",
    )
    recognizer = load(jar, actions=False)
    tests = ["<EXPRESSION>//a[@b = 1]", "<PATTERN>a/b|c", "<EXPRESSION>//a[@b = 1"]
    found = [observe(recognizer.trace(test)).verdict.value for test in texts(*tests)]
    assert found == ["accepted", "accepted", "rejected"]


def test_a_runtime_beside_the_parser_in_a_package_of_any_name() -> None:
    """Joost's is net.sf.joost.grammar.cup; the scanner is found by it."""
    jar = maven_jar(
        "net.sf.joost:joost:0.9.1",
        "79546ea187b321ecab5e2679e84e021575d40aff6f78250c49e43d0ba7c0e4bc",
    )
    recognizer = load(f"{jar}:net.sf.joost.grammar.ExprParser", actions=False)
    tests = ["a/b[@c]", "position() < 3 and not(@a)", "//a", "f(1,)"]
    found = [observe(recognizer.trace(test)).verdict.value for test in texts(*tests)]
    assert found == ["rejected", "accepted", "accepted", "rejected"]
