"""What cannot be used is said in one line, with what to do next."""

from __future__ import annotations

import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from cup_tools import SIMPL, classpath, compile_java, load, pack, parser_of, runtime, simpl_jar

from command import Command
from gramspect.errors import AdapterError, GrammarError, GramspectError, MissingDependency
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.registry import claiming
from gramspect_cup import adapter

GRAMMAR = SIMPL / "simpl.cup"
PARSER, SCANNER = "simpl.SimplParser", "simpl.SimplScanner"


def message(source: str | Path, start: str | None = None, **extra: str) -> str:
    with pytest.raises(GramspectError) as raised:
        load(source, start, **extra)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_class_that_is_not_there() -> None:
    jars = classpath(simpl_jar(), runtime())
    for key in ("parser", "scanner"):
        said = message(GRAMMAR, classpath=jars, **{key: "simpl.Nothing"})
        assert said == "there is no class simpl.Nothing on the classpath"
    said = message(GRAMMAR, classpath=jars, parser=PARSER, scanner=SCANNER, symbols="simpl.sym")
    assert "the class simpl.sym with the numbers of the terminals is not on the classpath" in said
    said = message(GRAMMAR, classpath=jars, scanner=SCANNER, symbols="simpl.sym")
    assert "the class simpl.sym with the numbers of the terminals is not on the classpath" in said


def test_a_missing_runtime() -> None:
    said = message(simpl_jar())
    assert said == (
        "the CUP runtime that the parser was generated for (java_cup.runtime) is not on the"
        " classpath; add its jar, such as java-cup-runtime"
    )


def test_another_class_is_missing(tmp_path: Path) -> None:
    whole = parser_of(
        "parser code {: Helper helper = new Helper(); :}; terminal A; non terminal s; s ::= A;",
        tmp_path,
        "public class Helper { }",
    )
    with ZipFile(whole) as archive, ZipFile(tmp_path / "part.jar", "w") as part:
        for name in archive.namelist():
            if name != "Helper.class":
                part.writestr(name, archive.read(name))
    said = message(tmp_path / "part.jar", classpath=str(runtime()))
    assert said == "the class parser needs Helper, which is not on the classpath; add its jar"


def test_a_class_of_a_newer_java(tmp_path: Path) -> None:
    with ZipFile(simpl_jar()) as archive, ZipFile(tmp_path / "new.jar", "w") as new:
        for name in archive.namelist():
            content = bytearray(archive.read(name))
            content[7] = 200  # the major version of the class file
            new.writestr(name, bytes(content))
    said = message(tmp_path / "new.jar", classpath=str(runtime()))
    assert "SimplParser was compiled for Java 156, this is Java " in said
    assert said.endswith("; set JAVA_HOME to a newer one")


def test_a_class_that_is_none_of_cup() -> None:
    jars = classpath(simpl_jar(), runtime())
    said = message(GRAMMAR, classpath=jars, parser=PARSER, scanner=PARSER)
    assert said == ("simpl.SimplParser is no scanner of CUP: it is no java_cup.runtime.Scanner")
    said = message(GRAMMAR, classpath=jars, parser=SCANNER, scanner=SCANNER)
    assert said == "simpl.SimplScanner is no parser of CUP: it is no java_cup.runtime.lr_parser"


def test_a_broken_class(tmp_path: Path) -> None:
    with ZipFile(simpl_jar()) as archive, ZipFile(tmp_path / "broken.jar", "w") as broken:
        for name in archive.namelist():
            broken.writestr(name, archive.read(name)[:40] if "Parser.class" in name else b"")
    said = message(tmp_path / "broken.jar", classpath=str(runtime()), parser=PARSER)
    assert said == (
        "the class simpl.SimplParser cannot be used: java.lang.ClassFormatError:"
        " simpl.SimplParser is no class file"
    )


def test_a_constructor_that_is_not_there() -> None:
    jars = classpath(simpl_jar(), runtime())
    said = message(GRAMMAR, classpath=jars, parser=PARSER, scanner=f"{SCANNER}(File)")
    assert said == "simpl.SimplScanner has no constructor (File); it has (Reader)"
    said = message(GRAMMAR, classpath=jars, parser=PARSER, scanner=f"{SCANNER}::make")
    assert said == (
        "simpl.SimplScanner has no static method make that takes a Reader, an InputStream,"
        " a String, a scanner or nothing"
    )


def test_code_that_fails_while_loading(tmp_path: Path) -> None:
    scanner = (
        "import java_cup.runtime.*; public class Bad implements Scanner {"
        " static { if (true) throw new IllegalStateException(\"not\\ntoday\"); }"
        " public Symbol next_token() { return null; } }"
    )  # fmt: skip
    jar = parser_of("terminal A; non terminal s; s ::= A;", tmp_path, scanner)
    said = message(jar, classpath=str(runtime()))
    assert said == ("the class Bad cannot be used: java.lang.IllegalStateException: not today")


def test_a_jar_that_is_none(tmp_path: Path) -> None:
    text = tmp_path / "text.jar"
    text.write_text("no archive")
    assert message(text) == (
        f"{text}: this is no jar; the classpath takes jars and folders of classes"
    )
    assert "there is no such jar or folder" in message(tmp_path / "missing.jar")
    assert "there is no such jar or folder" in message(GRAMMAR, classpath="missing.jar")


def test_a_jar_without_a_parser(tmp_path: Path) -> None:
    source = tmp_path / "Plain.java"
    source.write_text("class Plain { }")
    jar = pack(compile_java([source], tmp_path / "classes"), tmp_path / "plain.jar")
    assert "there is no CUP parser (no subclass of lr_parser) in it" in message(jar)
    assert not adapter.claims(str(jar))
    assert adapter.claims(str(simpl_jar()))
    assert not adapter.claims(str(tmp_path / "missing.jar"))


def test_several_parsers(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        cup = f"package {folder.name}; terminal A; non terminal s; s ::= A;"
        parser_of(cup, folder)
    with ZipFile(tmp_path / "both.jar", "w") as both:
        for folder in folders:
            for file in (folder / "classes").rglob("*.class"):
                both.write(file, file.relative_to(folder / "classes"))
    jar = tmp_path / "both.jar"
    said = message(jar, classpath=str(runtime()))
    assert said.endswith(f"which CUP parser? Use {jar}:one.parser (or two.parser)")
    assert [each.name for each in claiming(f"{jar}:two.parser")] == ["cup"]
    options = LoadOptions(extra={"classpath": str(runtime())})
    assert adapter.load(f"{jar}:two.parser", options).grammar.n_rules == 1


def test_a_grammar_of_another_parser(tmp_path: Path) -> None:
    jars = classpath(simpl_jar(), runtime())
    other = tmp_path / "other.cup"
    text = GRAMMAR.read_text()
    for old, new, what in (
        ("statement   ::= SKIP\n              |", "statement ::= ", "83 productions, the grammar"
         " 82"),
        ("| RETURN expression", "| RETURN expression SKIP", "another production where the grammar"
         " has statement:10"),
    ):  # fmt: skip
        assert old in text
        other.write_text(text.replace(old, new))
        said = message(other, classpath=jars, parser=PARSER, scanner=SCANNER)
        assert f"the parser was made from another version of {other}: it has {what}" in said


def test_options_that_make_no_sense() -> None:
    assert "unknown value 'maybe' of the option fresh" in message(GRAMMAR, fresh="maybe")
    said = message(simpl_jar(), start="unit", classpath=str(runtime()))
    assert said == "a generated parser has its start symbol; leave out --start"


def test_grammars_that_cup_cannot_build() -> None:
    long = Grammar.from_rules([("s", ["a"] * 200)])
    with pytest.raises(AdapterError, match="s:1 has 200 symbols, CUP takes 199"):
        adapter.build(long)


def test_no_java(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_: str) -> object:
        raise MissingDependency("no Java 17 or newer was found")

    monkeypatch.setattr("gramspect_cup.generating.java_class", nothing)
    with pytest.raises(MissingDependency, match="no Java"):
        load(GRAMMAR)


def test_errors_on_the_command_line(command: Command, tmp_path: Path) -> None:
    broken = tmp_path / "broken.cup"
    broken.write_text("terminal A;\nnon terminal s;\ns ::= B;\n")
    tests = tmp_path / "tests.txt"
    tests.write_text("A")
    assert command.fails("localize", broken, "--accept", tests).startswith(
        f"{broken}:3:7: 'B' is not declared"
    )
    said = command.fails(
        *("localize", GRAMMAR, "--accept", tests, "--option", f"scanner={SCANNER}"),
        *("--option", f"classpath={simpl_jar()}"),
    )
    assert "the CUP runtime" in said
    with pytest.raises(GrammarError, match="there is no such file"):
        load(tmp_path / "missing.cup")


def test_nothing_of_java_is_loaded_for_claims() -> None:
    """The list of adapters stays fast."""
    assert adapter.missing() is None
    assert "gramspect_cup" in sys.modules
    assert adapter.claims("x.cup")
    assert not adapter.claims("x.g4")
