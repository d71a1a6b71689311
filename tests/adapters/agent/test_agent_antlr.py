"""ANTLR parsers recorded in running programs: what is read of them is what is seen here."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from programs import Program, compiled, generated_by_antlr, observed_here, with_broken_ones

from gramspect.adapter_api import GramspectError, LoadOptions
from gramspect.recognition.trace import Extraction, Observation, Verdict
from gramspect.recordings.reading import read_run
from gramspect.recordings.suites import Parse, parses_of, recorded_suite
from gramspect_antlr import adapter
from gramspect_antlr.recognizer import AntlrRecognizer
from gramspect_jvm.locating import jar
from jars import maven_jar
from ranks import sampled

GRAMMAR = """
    grammar G;
    start : (stat ';')+ EOF ;
    stat : e | ID '=' e | 'if' e stat ('else' stat)? | '{' stat* '}' | call ;
    call : 'call' ID '(' (e (',' e)*)? ')' ('.' ID)* ~(';' | ID) . ;
    e : <assoc=right> e '^' e | '-' e | e ('*' | '/') e | e '+' e | e '?' e ':' e | e '!'
      | ID | INT | '(' e ')' ;
    ID : [a-z]+ ;
    INT : [0-9]+ ;
    WS : [ \\n]+ -> skip ;
    HIDE : '#' ~[\\n]* -> channel(HIDDEN) ;
"""

MAIN = """
    import java.nio.file.*;
    import java.util.*;
    import org.antlr.v4.runtime.*;
    import org.antlr.v4.runtime.atn.PredictionMode;

    public class Main {
        static GParser parser(CharStream text) {
            GParser parser = new GParser(new CommonTokenStream(new GLexer(text)));
            parser.removeErrorListeners();
            return parser;
        }

        static void twice(String text) {
            GParser parser = parser(CharStreams.fromString(text));
            parser.setErrorHandler(new BailErrorStrategy());
            parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
            try {
                parser.start();
            } catch (RuntimeException first) {
                parser.getTokenStream().seek(0);
                parser.reset();
                parser.setErrorHandler(new DefaultErrorStrategy());
                parser.getInterpreter().setPredictionMode(PredictionMode.LL);
                parser.start();
            }
        }

        static void parse(String how, String text) throws Exception {
            GParser parser = parser(CharStreams.fromString(text));
            switch (how) {
                case "plain" -> parser.start();
                case "bail" -> {
                    parser.setErrorHandler(new BailErrorStrategy());
                    try {
                        parser.start();
                    } catch (RuntimeException stopped) {
                    }
                }
                case "twice" -> twice(text);
                case "throw" -> {
                    parser.addErrorListener(new BaseErrorListener() {
                        @Override
                        public void syntaxError(Recognizer<?, ?> r, Object s, int l, int c,
                                String message, RecognitionException e) {
                            throw new IllegalStateException(message);
                        }
                    });
                    try {
                        parser.start();
                    } catch (IllegalStateException stopped) {
                    }
                }
                case "inner" -> parser.e();
                case "threads" -> {
                    Thread thread = new Thread(() -> parser(CharStreams.fromString(text)).start());
                    thread.start();
                    parser.start();
                    thread.join();
                }
            }
        }

        public static void main(String[] arguments) throws Exception {
            List<String> texts = arguments.length > 1
                    ? Files.readAllLines(Path.of(arguments[1])) : List.of("a = 1;");
            for (int round = 0; round == 0 || arguments[0].equals("endless"); round++) {
                for (String text : texts) {
                    parse(arguments[0].equals("endless") ? "plain" : arguments[0], text);
                }
                System.out.println(round + 1);
            }
        }
    }
"""

N_TEXTS = 150


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("antlr")
    generated_by_antlr(folder, GRAMMAR)
    (folder / "texts").write_text("\n".join(texts()), encoding="utf-8")
    return compiled(folder, MAIN, "GParser", jar())


@pytest.fixture(scope="module")
def system(program: Program) -> AntlrRecognizer:
    return adapter.load(str(program.folder / "G.g4"), LoadOptions())


def texts() -> list[str]:
    """Sentences, and what comes of them when a token is lost, doubled or changed."""
    words = "a = 1 ; if b else { } call ( , ) . + * / ^ ? : ! - $ # \u00e9".split()
    good = [
        "a = 1 ;", "if a b = 1 else - 2 ;", "{ a b = 1 { } } ; 3 * 4 / 5 ! ;",
        "call a ( ) + + ;", "call a ( 1 , b ^ c ^ d ) . x . y . ; ; ( a ? b : c ) ; ",
        "a + b * c ! ; if a if b c else d ;",
    ]  # fmt: skip
    return with_broken_ones(good, words, N_TEXTS)


def recorded(system: AntlrRecognizer, path: Path) -> list[Parse]:
    run = read_run(path)
    assert system.check_identity(run.header.identity) is None
    return list(parses_of(run, system, Extraction.EXACT))


def without_message(seen: Observation) -> Observation:
    """Generated parsers word some errors in other ways than the interpreter."""
    return seen if seen.error is None else replace(seen, error=replace(seen.error, message=""))


@pytest.mark.parametrize("how", sampled(map(pytest.param, ["plain", "bail", "twice", "throw"]), 4))
def test_what_is_recorded_is_what_is_observed_here(
    program: Program, system: AntlrRecognizer, tmp_path: Path, how: str
) -> None:
    lines = texts()
    program.run(tmp_path / "run.gsp", how, str(program.folder / "texts"))
    found = recorded(system, tmp_path / "run.gsp")
    assert [parse.text for parse in found] == lines
    expected = observed_here(system, lines)
    verdicts = [seen.verdict for seen in expected]
    assert min(verdicts.count(Verdict.ACCEPTED), verdicts.count(Verdict.REJECTED)) > 20
    for line, parse, seen in zip(lines, found, expected, strict=True):
        assert without_message(parse.observation) == without_message(seen), line


@pytest.mark.slow
def test_an_older_release(system: AntlrRecognizer, tmp_path: Path) -> None:
    """The parser and its runtime are of 2017; their automaton is written in another format."""
    release = maven_jar(
        "org.antlr:antlr4:4.7:jar:complete",
        "cd8bc38c2b72426f8d5922843c1b8ffcd0238fa34722597a944a153d8c570864",
    )
    generated_by_antlr(tmp_path, GRAMMAR, release)
    (tmp_path / "texts").write_text("\n".join(texts()), encoding="utf-8")
    older = compiled(tmp_path, MAIN, "GParser", release)
    older.run(tmp_path / "run.gsp", "twice", str(tmp_path / "texts"))
    found = [without_message(p.observation) for p in recorded(system, tmp_path / "run.gsp")]
    assert found == [without_message(seen) for seen in observed_here(system, texts())]


def test_threads_and_other_start_rules(
    program: Program, system: AntlrRecognizer, tmp_path: Path
) -> None:
    program.run(tmp_path / "run.gsp", "threads", str(program.folder / "texts"), options=",text=no")
    found = recorded(system, tmp_path / "run.gsp")
    assert not any(parse.text for parse in found)
    counts = {True: 0, False: 0}
    for seen in observed_here(system, texts()):
        counts[seen.verdict is Verdict.ACCEPTED] += 2
    accepted = sum(parse.observation.verdict is Verdict.ACCEPTED for parse in found)
    assert (accepted, len(found) - accepted) == (counts[True], counts[False])

    (tmp_path / "inner").write_text("1 + 2\n1 + )\na b", encoding="utf-8")
    program.run(tmp_path / "inner.gsp", "inner", str(tmp_path / "inner"))
    sum_, broken, part = recorded(system, tmp_path / "inner.gsp")
    alone = adapter.load(str(program.folder / "G.g4"), LoadOptions(start="e"))
    for parse, text in ((sum_, "1 + 2"), (broken, "1 + )")):
        assert without_message(parse.observation) == without_message(
            observed_here(alone, [text])[0]
        )
    assert part.observation.verdict is Verdict.ACCEPTED  # the program does not look at the rest
    assert part.text is None


def test_a_program_that_is_killed_loses_no_parse_that_has_ended(
    program: Program, system: AntlrRecognizer, tmp_path: Path
) -> None:
    said = program.killed_after(300, tmp_path / "run.gsp", "endless")
    found = recorded(system, tmp_path / "run.gsp")
    assert said <= len(found) <= said + 1
    assert {parse.observation.verdict for parse in found} == {Verdict.ACCEPTED}


def test_other_grammars_and_options_are_refused(program: Program, tmp_path: Path) -> None:
    program.run(tmp_path / "run.gsp", "plain")
    run = read_run(tmp_path / "run.gsp")
    changed = tmp_path / "G.g4"
    for before, after, said in (
        ("'{' stat* '}'", "'{' stat+ '}'", "its rule stat is another"),
        ("stat : e |", "other : 'x' ; stat : e |", "it has no rule other"),
    ):
        changed.write_text(GRAMMAR.replace(before, after), encoding="utf-8")
        with pytest.raises(GramspectError, match=said):
            recorded_suite([run], adapter.load(str(changed), LoadOptions()))

    wrong = replace(program, parser="other.Parser")
    done = subprocess.run(
        wrong.command(tmp_path / "none.gsp", "plain"), capture_output=True, text=True, check=True
    )
    assert "no parser of the class other.Parser was made" in done.stderr
    done = subprocess.run(
        program.command(tmp_path / "none.gsp", "plain", options=",txt=no"),
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2
    assert "gramspect: the agent does not know 'txt=no'" in done.stderr
