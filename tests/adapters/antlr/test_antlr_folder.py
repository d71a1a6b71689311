"""Folders laid out as in the public collection of grammars."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Command
from gramspect.errors import AdapterError, GramspectError, SuiteError
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.registry import adapter_for, own_tests
from gramspect.suites.suite import Expectation
from gramspect_antlr import adapter
from gramspect_antlr.collection import read_folder

LIST = "grammar List; file : list+ EOF ; list : '[' (X (',' X)*)? ']' ; X : [A-Z]+ ; "
WS = "WS : [ \\n]+ -> skip ;"
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><build><plugins>
<plugin><artifactId>antlr4-maven-plugin</artifactId>
<configuration><includes><include>List.g4</include></includes></configuration></plugin>
<plugin><artifactId>antlr4test-maven-plugin</artifactId><configuration>
<entryPoint>list</entryPoint><grammarName>List</grammarName>
<caseInsensitiveType>UPPER</caseInsensitiveType><exampleFiles>samples/</exampleFiles>
</configuration></plugin></plugins></build></project>"""
DESC = """<?xml version="1.0" encoding="UTF-8" ?>
<desc><targets>Java</targets><test><targets>Go</targets><inputs>go/*.txt</inputs></test>
<test><targets>CSharp;Java</targets><entry-point>file</entry-point><inputs>more/**/*.txt</inputs>
</test></desc>"""


def write(folder: Path, **files: str) -> Path:
    """Files by name; ``__`` stands for a slash, ``_`` for a dot."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def names(folder: Path, expectation: Expectation) -> list[str]:
    suite = own_tests(str(folder))
    assert suite is not None
    return [Path(t.path or "").name for t in suite if t.expectation is expectation]


def test_a_folder_with_a_grammar_and_examples(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        List_g4=LIST + WS,
        examples__a_txt="[A, B]",
        examples__sub__b_txt="[]",
        examples__bad_txt="[A",
        examples__bad_txt_errors="line 1:2 missing ']'",
        examples__a_txt_tree="(file ...)",
    )
    assert adapter_for(str(folder)) is adapter
    assert names(folder, Expectation.ACCEPT) == ["a.txt", "b.txt"]
    assert names(folder, Expectation.REJECT) == ["bad.txt"]
    system = adapter.load(str(folder), LoadOptions())
    assert system.grammar.symbols[system.grammar.start].name == "file"


def test_pom(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        List_g4=LIST + WS,
        Other_g4="grammar Other; s : 'x' ;",
        pom_xml=POM,
        samples__a_txt="[a]",
        examples__b_txt="[b]",
    )
    collected = read_folder(folder)
    assert (collected.grammar.name, collected.start, collected.letters) == (
        "List.g4",
        "list",
        "upper",
    )
    assert names(folder, Expectation.ACCEPT) == ["a.txt"]
    system = adapter.load(str(folder), LoadOptions())
    suite = own_tests(str(folder))
    assert suite is not None
    assert [type(trace).__name__ for trace in system.traces(suite.tests)] == ["LLTrace"]
    elsewhere = adapter.load(str(folder), LoadOptions(start="file"))
    assert elsewhere.grammar.symbols[elsewhere.grammar.start].name == "file"


def test_desc_comes_before_pom(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        List_g4=LIST + WS,
        pom_xml=POM,
        desc_xml=DESC,
        more__deep__a_txt="[A]",
        samples__b_txt="[B]",
        go__c_txt="[C]",
    )
    collected = read_folder(folder)
    assert (collected.start, collected.letters) == ("file", "upper")
    assert names(folder, Expectation.ACCEPT) == ["a.txt"]


def test_parser_lexer_and_imports_are_told_apart(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        PLexer_g4="lexer grammar PLexer; A : 'a' ;",
        PParser_g4="/* lexer grammar X; */ parser grammar PParser; import Rules;\ns : r EOF ;",
        Rules_g4="parser grammar Rules; r : A ;",
    )
    assert read_folder(folder).grammar.name == "PParser.g4"


def test_what_is_unclear(tmp_path: Path) -> None:
    with pytest.raises(AdapterError, match="there is no parser grammar"):
        read_folder(tmp_path)
    two = write(tmp_path / "two", A_g4="grammar A; s : 'x' ;", B_g4="grammar B; s : 'x' ;")
    with pytest.raises(AdapterError, match=r"several grammars \(A\.g4, B\.g4\)"):
        read_folder(two)
    broken = write(tmp_path / "broken", A_g4="grammar A; s : 'x' ;", desc_xml="<desc>")
    with pytest.raises(GramspectError, match=r"desc\.xml: cannot be read"):
        read_folder(broken)
    none = write(tmp_path / "none", A_g4="grammar A; s : 'x' ;")
    with pytest.raises(SuiteError, match=r"there are no examples \(examples\); use --accept"):
        own_tests(str(none))


def test_from_the_command_line(tmp_path: Path, command: Command) -> None:
    faulty = LIST.replace("(X (',' X)*)?", "(X (',' X)?)?") + WS
    folder = write(
        tmp_path,
        List_g4=faulty,
        examples__a_txt="[A, B]",
        examples__b_txt="[A]",
        examples__c_txt="[A, B, C] [D]",
        examples__d_txt="[,]",
        examples__d_txt_errors="",
    )
    answer = command("localize", folder, "--format", "json")
    assert answer.status == 1
    assert answer.json["ranking"][0]["nonterminal"] == "list"
    assert answer.json["ranking"][0]["location"]["file"] == str(folder / "List.g4")
    assert [test["name"] for test in answer.json["tests"]["failing"]] == [
        (folder / "examples" / "c.txt").as_posix()
    ]


def test_imports_where_the_folder_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A JVM knows the working directory that it was started in, and no later one."""
    for sign in "+-":
        folder = tmp_path / sign
        folder.mkdir()
        (folder / "Sum.g4").write_text("grammar Sum; import Parts; sum : X op X EOF ;")
        (folder / "Parts.g4").write_text(f"grammar Parts; op : '{sign}' ; X : [A-Z] ;")
        monkeypatch.chdir(folder)
        loaded = adapter.load("Sum.g4", LoadOptions())
        (rule,) = (r for r in loaded.grammar.rules if r.label == "op:1")
        assert loaded.grammar.rule_text(rule.index) == f"op -> '{sign}'"
        span = loaded.grammar.rule_span(rule.index)
        assert span is not None
        assert span.file == "Parts.g4"
