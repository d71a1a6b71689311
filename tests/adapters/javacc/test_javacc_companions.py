"""Java files beside the grammar: those that are not needed do no harm."""

from __future__ import annotations

from pathlib import Path

import pytest
from jj import Load, observed

from gramspect.errors import CodeError

BODY = 'void start() : {} { ( "a" { Help.help(); } )* <EOF> }'
HELP = "class Help { static void help() {} }"
NEEDS_LIBRARY = "import junit.framework.TestCase;\npublic class %s extends TestCase {}"


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.java").write_text(text)


def test_files_that_need_a_library_that_is_not_there(load: Load) -> None:
    write(
        load.folder,
        Help=HELP,
        ParserTest=NEEDS_LIBRARY % "ParserTest",
        AllTests="class AllTests { ParserTest test = new ParserTest(); }",
        Broken="class Broken {",
        Other="class Parser {}",  # a class of the same name as the parser
    )
    (load.folder / "Latin.java").write_bytes(b'class Latin { String s = "\xe9"; }')
    found = observed(load(BODY), "a a", "a b")
    assert [one.verdict for one in found] == ["accepted", "rejected"]


def test_classes_that_are_loaded_by_their_names(load: Load) -> None:
    """Nothing tells the Java compiler that they are needed."""
    write(
        load.folder,
        Plugin="public class Plugin implements Runnable { public void run() { Help.help(); } }",
        Help=HELP,
        ParserTest=NEEDS_LIBRARY % "ParserTest",
    )
    run = '((Runnable) Class.forName("Plugin").getDeclaredConstructor().newInstance()).run();'
    code = f"try {{ {run} }} catch (ReflectiveOperationException e) {{ throw new Error(e); }}"
    found = observed(load(f'void start() : {{}} {{ "a" {{ {code} }} <EOF> }}'), "a", "b")
    assert [one.verdict for one in found] == ["accepted", "rejected"]


def test_own_versions_of_generated_classes(load: Load) -> None:
    """They are the ones that are compiled, also beside files that do not compile."""
    write(
        load.folder,
        ParserTest=NEEDS_LIBRARY % "ParserTest",
        Token="public class Token { public int kind, beginLine, beginColumn, endLine, endColumn;"
        " public String image; public Token next, specialToken; int own() { return 1; }"
        " public static Token newToken(int kind, String image)"
        " { Token t = new Token(); t.kind = kind; t.image = image; return t; }"
        " public static Token newToken(int kind) { return newToken(kind, null); } }",
        ParserConstants="an old one, which JavaCC makes anew",
    )
    body = 'void start() : { Token t; } { t = "a" { t.own(); } <EOF> }'
    found = observed(load(body), "a", "b")
    assert [one.verdict for one in found] == ["accepted", "rejected"]


@pytest.mark.parametrize("broken", ["Help", "Parser"])
def test_errors_in_what_is_needed(load: Load, broken: str) -> None:
    write(
        load.folder,
        Help=HELP if broken == "Parser" else "class Help { static void help() { no(); } }",
        ParserTest=NEEDS_LIBRARY % "ParserTest",
    )
    code = "no();" if broken == "Parser" else ""
    with pytest.raises(CodeError) as caught:
        load(BODY.replace("<EOF>", f"<EOF> {{ {code} }}"))
    assert f"cannot find symbol symbol: method no() location: class {broken}" in str(caught.value)
    assert f"({broken}.java:" in str(caught.value)
