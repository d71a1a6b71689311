"""JavaCC parsers recorded in running programs: what is read of them is what is seen here."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import Program, compiled, generated_by_javacc, observed_here, with_broken_ones

from gramspect.adapter_api import GramspectError, LoadOptions
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.recordings.reading import read_run
from gramspect.recordings.suites import Parse, parses_of, recorded_suite
from gramspect_javacc import adapter
from gramspect_javacc.recognizer import JavaccRecognizer

GRAMMAR = """
options { STATIC = %s; }
PARSER_BEGIN(Parser)
public class Parser {
    int depth;
    static boolean isName(Token token) { return token.kind == NAME; }
}
PARSER_END(Parser)
SKIP : { " " | "\\n" | <"#" (~["\\n"])*> }
TOKEN : { <NAME: (["a"-"z"])+> | <NUMBER: (["0"-"9"])+> }
TOKEN : { "=" | ";" | "{" | "}" | "(" | ")" | "," | "+" | "*" | "!" | "$" }
void file() : {} { ( stat() )* <EOF> }
void stat() : {} {
    LOOKAHEAD(2) <NAME> "=" expr() end()
  | LOOKAHEAD(call() ";") call() ";"
  | LOOKAHEAD({ isName(getToken(1)) }) call() "!" ( ";" )+
  | "{" ( stat() )* "}"
  | "$" jump()
}
void end() : {} { try { ";" } catch (ParseException problem) {
    while (getToken(1).kind != EOF && getNextToken().image != ";") {}
} }
void call() : {} { <NAME> "(" [ expr() ( "," expr() )* ] ")" }
JAVACODE void jump() { getNextToken(); jj_consume_token(NUMBER); }
void expr() : {} { term() ( "+" term() )* }
void term() : {} { factor() ( LOOKAHEAD(2) "*" factor() )* }
void factor() : {} { <NAME> | <NUMBER> | "(" expr() ")" | "+" "*" factor() }
"""

MAIN = """
    import java.io.StringReader;
    import java.nio.file.*;
    import java.util.List;

    public class Main {
        public static void main(String[] arguments) throws Exception {
            String how = arguments[0];
            Parser parser = null;
            List<String> texts = Files.readAllLines(Path.of(arguments[1]));
            for (int i = 0; i < texts.size() || how.equals("endless"); i++) {
                String text = texts.get(i % texts.size());
                if (parser == null || how.equals("plain")) {
                    parser = new Parser(new StringReader(text));
                } else {
                    parser.ReInit(new StringReader(text));
                }
                try {
                    if (how.equals("inner")) {
                        parser.expr();
                    } else {
                        parser.file();
                    }
                    System.out.println("ends");
                } catch (ParseException | TokenMgrError problem) {
                    System.out.println("throws");
                }
            }
        }
    }
"""
N_TEXTS = 200


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("javacc")
    generated_by_javacc(folder, GRAMMAR % "false")
    (folder / "texts").write_text("\n".join(texts()), encoding="utf-8")
    return compiled(folder, MAIN, "Parser")


@pytest.fixture(scope="module")
def system(program: Program) -> JavaccRecognizer:
    return adapter.load(str(program.folder / "Parser.jj"), LoadOptions())


def texts() -> list[str]:
    """Sentences, and what comes of them when a token is lost, doubled or changed."""
    words = "a = 1 ; b { } ( ) , + * ! $ # \u00e9".split()
    good = [
        "a = 1 ;", "{ a = b + 2 * c ; f ( ) ; } g ( 1 , x , + * y ) ! ; ;", "{ { } { } } # b",
        "f ( a ) ; a = ( b * ( 1 + 2 ) ) * + * c ;", "a = b ; c = d ; e = 1 * 2 * 3 ;",
    ]  # fmt: skip
    return with_broken_ones(good, words, N_TEXTS)


def recorded(system: JavaccRecognizer, path: Path) -> list[Parse]:
    return list(parses_of(read_run(path), system, Extraction.EXACT))


@pytest.mark.parametrize("how", ["plain", "again"])
def test_what_is_recorded_is_what_is_observed_here(
    program: Program, system: JavaccRecognizer, tmp_path: Path, how: str
) -> None:
    printed = program.run(tmp_path / "run.gsp", how, str(program.folder / "texts"))
    found, expected = recorded(system, tmp_path / "run.gsp"), observed_here(system, texts())
    verdicts = [seen.verdict for seen in expected]
    assert min(verdicts.count(Verdict.ACCEPTED), verdicts.count(Verdict.REJECTED)) > 20
    ends = printed.split()
    for text, parse, seen, end in zip(texts(), found, expected, ends, strict=True):
        assert parse.observation == seen, text
        assert end == "ends" or seen.verdict is Verdict.REJECTED


@pytest.mark.slow
def test_a_program_that_is_killed_loses_no_parse_that_has_ended(
    program: Program, system: JavaccRecognizer, tmp_path: Path
) -> None:
    run = tmp_path / "run.gsp"
    said = program.killed_after(300, run, "endless", str(program.folder / "texts"))
    found = [parse.observation for parse in recorded(system, run)]
    assert said <= len(found) <= said + 1
    expected = observed_here(system, texts())
    assert found == [expected[i % len(expected)] for i in range(len(found))]


@pytest.mark.slow
def test_other_starts_and_other_grammars(
    program: Program, system: JavaccRecognizer, tmp_path: Path
) -> None:
    (tmp_path / "inner").write_text("1 + 2\n1 + )\na b", encoding="utf-8")
    program.run(tmp_path / "run.gsp", "inner", str(tmp_path / "inner"))
    sum_, broken, part = recorded(system, tmp_path / "run.gsp")
    grammar = program.folder / "Parser.jj"
    alone = adapter.load(str(grammar), LoadOptions(start="expr"))
    assert [sum_.observation, broken.observation] == observed_here(alone, ["1 + 2", "1 + )"])
    assert part.observation.verdict is Verdict.ACCEPTED  # the program does not look at the rest

    run = read_run(tmp_path / "run.gsp")
    for before, after, said in (
        ('"," expr()', '"," [ expr() ]', "its production call is another"),
        ("JAVACODE", "void more() : {} { expr() } JAVACODE", "this one 9"),
    ):
        changed = tmp_path / "Parser.jj"
        changed.write_text(grammar.read_text().replace(before, after), encoding="utf-8")
        with pytest.raises(GramspectError, match=said):
            recorded_suite([run], adapter.load(str(changed), LoadOptions()))


@pytest.mark.slow
def test_a_static_parser(system: JavaccRecognizer, tmp_path: Path) -> None:
    generated_by_javacc(tmp_path, GRAMMAR % "true")
    static = compiled(tmp_path, MAIN, "Parser")
    (tmp_path / "texts").write_text("\n".join(texts()), encoding="utf-8")
    static.run(tmp_path / "run.gsp", "again", str(tmp_path / "texts"))
    found = [parse.observation for parse in recorded(system, tmp_path / "run.gsp")]
    assert found == observed_here(system, texts())
