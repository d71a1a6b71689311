"""The grammar and JFlex specification of Weka's JSON, against the parser that Weka made of them.

It was made by an older JFlex. Both are from Maven Central, untouched.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from zipfile import ZipFile

from cup_tools import load, runtime, scratch, texts
from legacy import mutations

from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.trace import Extraction
from gramspect.running.observing import observe_test
from jars import maven_jar

JSON = [
    '{"a": {"b": 1.5, "c": true}}',
    '{ "x": null, "y": [1, 2, 3], "z": -7.25 }',
    '{"text": "so \\"it\\" is", "list": ["a", "b"], "more": {"n": 0}}',
    "{}",
]


@cache
def sources() -> Path:
    """The folder of Weka's package, with older classes beside grammar and specification."""
    jar = maven_jar(
        "nz.ac.waikato.cms.weka:weka-stable:3.8.6:jar:sources",
        "2f7f9af17a19ba1bea0f266195db871f5011c531502c2fc13b8f2d3c0177cf6d",
    )
    folder = scratch("weka")
    with ZipFile(jar) as archive:
        archive.extractall(
            folder, [n for n in archive.namelist() if n.startswith("weka/core/json/")]
        )
    return folder / "weka" / "core" / "json"


@cache
def written() -> Recognizer:
    return load(sources() / "Parser.cup", scanner=str(sources() / "Scanner.jflex"))


@cache
def compiled() -> Recognizer:
    jar = maven_jar(
        "nz.ac.waikato.cms.weka:weka-stable:3.8.6",
        "932ea2f342b58fe45736389e9c426d5b5955e610d1f5f6485117f532068915e9",
    )
    return load(
        f"{jar}:weka.core.json.Parser",
        scanner="weka.core.json.Scanner",
        classpath=str(runtime()),
        actions=False,
    )


def test_verdicts_are_those_of_weka() -> None:
    tests = texts(*mutations(JSON, 150))
    seen = [
        [observe_test(parser, test, Extraction.EXACT) for test in tests]
        for parser in (written(), compiled())
    ]
    ours, theirs = ([(one.verdict, one.error and one.error.token) for one in some] for some in seen)
    assert ours == theirs
    assert len({verdict for verdict, _ in ours}) == 2


def test_rules_and_their_terminals() -> None:
    parser = written()
    symbols = parser.grammar.symbols
    made = {
        rule.name: {symbols[terminal].name for terminal in rule.terminals}
        for rule in parser.token_rules()  # type: ignore[attr-defined]
        if rule.terminals
    }
    assert made == {
        **{name: {name} for name in ("LCURLY", "RCURLY", "LSQUARE", "RSQUARE", "COMMA", "COLON")},
        **{"NULL": {"NULL"}, "INTEGER": {"INTEGER"}, "STRING": {"STRING"}},
        **{'"true"': {"BOOLEAN"}, '"false"': {"BOOLEAN"}},
        **{r"[0-9][0-9]*\.?[0-9]*": {"DOUBLE"}, r"-[0-9][0-9]*\.?[0-9]*": {"DOUBLE"}},
    }
