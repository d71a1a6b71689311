"""Code of the user's that runs the parser: with grammar files, and several parses in one test."""

from __future__ import annotations

from pathlib import Path

import pytest
from jj import Load, case, observed

from gramspect import LoadOptions, TestSuite, suggest
from gramspect.edits.confirmation import Agreement
from gramspect_javacc import adapter

BODY = """
TOKEN : { <NAME: (["a"-"z"])+> }
void file()  : {} { ( entry() )* <EOF> }
void entry() : {} { <NAME> "=" <NAME> ";" }
void other() : {} { <NAME> }
"""
READER = "new java.io.StringReader"

PROBES = {
    "another parser": f"p = new Parser({READER}(probe));",
    "the same parser": f"p.ReInit({READER}(probe));",
    "the parser's class": f"Parser.ReInit({READER}(probe));",
}


@pytest.mark.parametrize("again", PROBES)
@pytest.mark.parametrize("probe", ["x", "=", "?"])
@pytest.mark.parametrize("end", ["throw e;", "throw new RuntimeException(e.getMessage());"])
def test_parses_that_ask_what_could_stand_at_an_error(
    load: Load, again: str, probe: str, end: str
) -> None:
    """Their outcome, and their text, is not that of the test."""
    call = (
        f'Parser p = new Parser({READER}(text)); String probe = "{probe}";'
        f" try {{ p.file(); }} catch (ParseException e) {{ {PROBES[again]}"
        f" try {{ p.other(); }} catch (ParseException | TokenMgrError f) {{ }} {end} }}"
    )
    recognizer = load(BODY, static=again == "the parser's class", start="file", call=call)
    texts = ["a = b;", "a = b; c = d e; f = g;", "a = b"]
    found = observed(recognizer, *texts)
    assert [one.verdict for one in found] == ["accepted", "rejected", "rejected"]
    plain = observed(load(BODY, static=again == "the parser's class", start="file"), *texts)
    if end == "throw e;":
        assert [one.error for one in found] == [one.error for one in plain]
    assert [one.error and one.error.token for one in found] == [None, 7, 3]
    assert [one.items for one in found] == [one.items for one in plain]
    tokens = [recognizer.tokens(case(text)) for text in texts]
    assert [len(some or ()) for some in tokens] == [5, 14, 4]


def test_parses_with_other_options(load: Load) -> None:
    """A parser that is run again where it has failed: what counts is what the code finds out."""
    body = """
TOKEN : { <NAME: (["a"-"z"])+> }
void file() : {} { "(" <NAME> [ LOOKAHEAD({ all }) "," <NAME> ] ")" <EOF> }
"""
    call = (
        f"try {{ new Parser({READER}(text)).file(); }} catch (ParseException e) {{"
        f" Parser p = new Parser({READER}(text)); p.all = true; p.file(); }}"
    )
    recognizer = load(body, members="boolean all;", call=call)
    found = observed(recognizer, "(a)", "(a, b)", "(a, b")
    assert [one.verdict for one in found] == ["accepted", "accepted", "rejected"]
    assert found[2].error is not None
    assert found[2].error.token == 4
    strict = load(body, members="boolean all;", call=call, errors="reject")
    assert observed(strict, "(a)")[0].verdict == "accepted"


def test_the_start_production_that_a_call_has(load: Load) -> None:
    """It is the one that has failed, not one that is asked about the error."""
    call = (
        f"Parser p = new Parser({READER}(text)); try {{ p.file(); }} catch (ParseException e) {{"
        f' new Parser({READER}("x")).other(); throw e; }}'
    )
    recognizer = load(BODY, start="entry", call=call)
    (found,) = observed(recognizer, "a = b")
    assert found.reason == "the call starts the parser with file; use --start file"


def test_parsers_that_actions_run(load: Load) -> None:
    """What such a parser finds is the business of the action."""
    code = f'try {{ new Parser({READER}("=")).t(); }} catch (ParseException e) {{ }}'
    body = f'void s() : {{}} {{ "=" {{ {code} }} <EOF> }} void t() : {{}} {{ "x" }}'
    found = observed(load(body, start="s"), "=", "= =")
    assert [one.verdict for one in found] == ["accepted", "rejected"]


@pytest.mark.parametrize("package", ["", "com.x"])
def test_calls_with_a_grammar_file(tmp_path: Path, package: str) -> None:
    """The code is compiled with the generated classes, those of a repair that is tried, too."""
    begin = f"package {package}; " if package else ""
    (tmp_path / "Facade.java").write_text(
        f"{begin}public class Facade {{ public static void parse(String text) throws Exception"
        f" {{ new Parser({READER}(text)).file(); }} }}"
    )
    file = tmp_path / "Parser.jj"
    file.write_text(
        "options { STATIC = false; }\n"
        f"PARSER_BEGIN(Parser) {begin}public class Parser {{}} PARSER_END(Parser)\n"
        'SKIP : { " " }\nTOKEN : { <NAME: (["a"-"z"])+> }\n'
        'void file() : {} { <NAME> [ "," <NAME> ] <EOF> }\n'
    )
    suite = TestSuite.from_texts(["a", "a, b", "a, b, c", "a, b, c, d"], ["a b"])
    for call in (f"new Parser({READER}(text)).file()", "Facade.parse(text)"):
        load = LoadOptions(extra={"call": call})
        found = observed(adapter.load(str(file), load), "a, b", "a b")
        assert [one.verdict for one in found] == ["accepted", "rejected"]
        best = suggest(str(file), suite, load=load).suggestions[0]
        assert best.confirmation is not None
        assert best.confirmation.agreement is Agreement.CONFIRMED
        assert not best.confirmation.built


def test_a_parse_that_goes_on_with_the_same_tokens(load: Load) -> None:
    """What the first parse has left is read by the second one."""
    body = """
TOKEN : { <NAME: (["a"-"z"])+> }
void stmt() : {} { <NAME> "=" <NAME> ";" }
"""
    call = f"Parser p = new Parser({READER}(text)); p.stmt(); p.ReInit(p.token_source); p.stmt();"
    found = observed(load(body, start="stmt", call=call), "a = b; c = d;", "a = b; c d;")
    assert [one.verdict for one in found] == ["accepted", "rejected"]
