"""Tables of generated parsers with what no input uses, and runtimes with less than usual."""

from __future__ import annotations

from pathlib import Path

from cup_tools import (
    SIMPL,
    classpath,
    compile_java,
    load,
    pack,
    parser_of,
    runtime,
    simpl_jar,
    texts,
)

from gramspect.recognition.trace import LRTrace
from jars import maven_jar

ALLOY = (
    "org.alloytools:org.alloytools.alloy.dist:6.2.0",
    "6037cbeee0e8423c1c468447ed10f5fcf2f2743a2ffc39cb1c81f2905c0fdb9d",
)
GLUE = """
package edu.mit.csail.sdg.parser;

public class Glue {
    public static CompParser make(java.io.Reader text) throws Exception {
        CompModule module = new CompModule(null, "", "");
        CompParser parser = new CompParser(new CompFilter(
                module, new java.util.ArrayList<Object>(), "", 0,
                new java.io.BufferedReader(text)));
        parser.alloymodule = module;
        return parser;
    }
}
"""
MODEL = """
module farm
sig Animal { eats: set Animal, home: one Barn }
sig Barn {}
fact { no a: Animal | a in a.^eats }
pred full[b: Barn] { #home.b > 2 }
run full for 5 but exactly 2 Barn
"""

LOWERED = """
package simpl;

public class Lowered {
    public static SimplParser make(String text) throws Exception {
        return new SimplParser(new SimplScanner(new java.io.StringReader(text.toLowerCase())));
    }
}
"""

CONFLICTS = """
terminal A, B, C;
non terminal all, one, other, more, last;
start with all;
all   ::= A B one | A other | more all | C C last;
one   ::= C ;
other ::= B C | B last ;
more  ::= C A ;
last  ::= C ;
"""


def test_productions_that_are_never_reduced_are_left_out(tmp_path: Path) -> None:
    """CUP resolves reduce/reduce conflicts for the earlier one: ``last`` loses after A B C."""
    cup = "terminal A, B; non terminal s, one, two; s ::= one | two; one ::= A B; two ::= A B;"
    scannerless = load(parser_of(cup, tmp_path, options=("-expect", "1")), classpath=str(runtime()))
    grammar = scannerless.grammar
    assert [grammar.rule_text(rule) for rule in range(grammar.n_rules)] == [
        "s -> one",
        "one -> A B",
    ]
    (note,) = [d.message for d in grammar.diagnostics if d.code == "cup"]
    assert note == (
        "the tables have 2 productions that the parser never reduces; they are left out, as"
        " nothing tells the symbols"
    )
    traces = [scannerless.trace(test) for test in texts("A B", "A", "A B B")]
    assert [t.error is None for t in traces if isinstance(t, LRTrace)] == [True, False, False]


def test_traces_of_what_is_left_out_may_remain(tmp_path: Path) -> None:
    """States in the middle of a production that is never reduced are still in the tables."""
    jar = parser_of(CONFLICTS, tmp_path, options=("-expect", "9"))
    recognizer = load(jar, classpath=str(runtime()))
    inputs = {"A B C": True, "C A A B C": True, "C C C": True, "A B": False, "C C": False}
    for test in texts(*inputs):
        trace = recognizer.trace(test)
        assert isinstance(trace, LRTrace), test.text
        assert (trace.error is None) is inputs[test.text], test.text


def test_alloy(tmp_path: Path) -> None:
    """Alloy 6.2.0: a stripped runtime, two scanners of which one feeds the other, productions that
    nobody reduces, and a loop of its own, which takes symbols that the scanner uses again."""
    jar = maven_jar(*ALLOY)
    source = tmp_path / "Glue.java"
    source.write_text(GLUE)
    compile_java([source], tmp_path / "classes", "-cp", str(jar))
    glue = pack(tmp_path / "classes", tmp_path / "glue.jar")
    recognizer = load(jar, classpath=classpath(glue), parser="edu.mit.csail.sdg.parser.Glue::make")
    broken = MODEL.replace("set Animal,", "set Animal home")
    traces = [recognizer.trace(test) for test in texts(MODEL, broken)]
    errors = [trace.error for trace in traces if isinstance(trace, LRTrace)]
    assert errors[0] is None
    assert errors[1] is not None
    assert errors[1].token == 9  # home


def test_a_method_that_makes_the_parser_brings_its_scanner(tmp_path: Path) -> None:
    """The one scanner of the jar, which would be found beside a parser, is left alone."""
    (tmp_path / "Lowered.java").write_text(LOWERED)
    jars = classpath(simpl_jar(), runtime())
    compile_java([tmp_path / "Lowered.java"], tmp_path / "classes", "-cp", jars)
    made = classpath(pack(tmp_path / "classes", tmp_path / "made.jar"), runtime())
    recognizer = load(simpl_jar(), classpath=made, parser="simpl.Lowered::make")
    text = (SIMPL / "accept.txt").read_text().splitlines()[0]
    assert text.upper() != text
    (trace,) = (recognizer.trace(test) for test in texts(text.upper()))
    assert isinstance(trace, LRTrace)
    assert trace.error is None
