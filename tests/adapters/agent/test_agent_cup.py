"""CUP parsers recorded in running programs: what is read of them is what is seen here."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from programs import Program, compiled, generated_by_cup

from gramspect.adapter_api import GramspectError, LoadOptions
from gramspect.recognition.trace import Extraction, Observation, Verdict
from gramspect.recordings.reading import read_run
from gramspect.recordings.suites import parses_of, recorded_suite
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase
from gramspect_cup import adapter
from gramspect_jvm.locating import jar

GRAMMAR = """
import java_cup.runtime.*;
parser code {:
    public void report_error(String message, Object info) {}
:};
terminal ID, NUM, EQ, SEMI, PLUS, TIMES, LPAREN, RPAREN, LBRACE, RBRACE;
non terminal all, stats, stat, expr;
precedence left PLUS;
precedence left TIMES;
start with all;
all ::= stats ;
stats ::= stats stat | ;
stat ::= ID EQ expr SEMI | LBRACE stats RBRACE | error SEMI ;
expr ::= expr PLUS expr | expr TIMES expr | LPAREN expr RPAREN | NUM | ID ;
"""

MAIN = """
    import java.io.PrintStream;
    import java.nio.file.*;
    import java.util.*;
    import java_cup.runtime.*;

    public class Main {
        public static void main(String[] arguments) throws Exception {
            PrintStream said = System.out;
            System.setOut(System.err); // the runtime prints, too
            List<String> texts = Files.readAllLines(Path.of(arguments[0]));
            boolean isEndless = arguments.length > 1;
            for (int i = 0; i < texts.size() || isEndless; i++) {
                String text = texts.get(i % texts.size());
                Iterator<String> words = List.of(text.trim().split(" +")).iterator();
                parser parser = new parser(() -> {
                    if (!words.hasNext()) {
                        return new Symbol(sym.EOF);
                    }
                    String word = words.next();
                    if (word.isEmpty()) {
                        return new Symbol(sym.EOF);
                    }
                    int number = sym.class.getField(word).getInt(null);
                    return new Symbol(number, 0, 0, word.equals("ID") ? "x" : null);
                });
                try {
                    parser.parse();
                    said.println("ends");
                } catch (Exception problem) {
                    said.println("throws");
                }
            }
        }
    }
"""
N_TEXTS = 150


def texts() -> list[str]:
    chosen = random.Random(18)
    words = ["ID", "NUM", "EQ", "SEMI", "PLUS", "TIMES", "LPAREN", "RPAREN", "LBRACE", "RBRACE"]
    good = [
        "", "ID EQ NUM SEMI", "LBRACE ID EQ ID PLUS NUM TIMES LPAREN ID RPAREN SEMI RBRACE",
        "ID EQ NUM TIMES NUM PLUS NUM SEMI ID EQ ID SEMI", "LBRACE LBRACE RBRACE RBRACE",
    ]  # fmt: skip
    found = list(good)
    while len(found) < N_TEXTS:
        tokens = chosen.choice(good).split()
        place = chosen.randrange(len(tokens) + 1)
        tokens[place : place + chosen.randrange(2)] = chosen.choice([[], [chosen.choice(words)]])
        found.append(" ".join(tokens))
    return found


def without_words(seen: Observation) -> Observation:
    error = seen.error and replace(seen.error, message="", line=None, column=None)
    return replace(seen, error=error)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("cup")
    generated_by_cup(folder, GRAMMAR)
    lines = [*texts(), "ID NONE"]
    (folder / "texts").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return compiled(folder, MAIN, "parser", jar())


def test_a_program_that_is_killed_loses_no_parse_that_has_ended(
    program: Program, tmp_path: Path
) -> None:
    path = tmp_path / "run.gsp"
    said = program.killed_after(400, path, str(program.folder / "texts"), "endless")
    system = adapter.load(str(program.folder / "G.cup"), LoadOptions())
    found = [parse.observation for parse in parses_of(read_run(path), system, Extraction.EXACT)]
    assert said <= len(found) <= said + 1
    assert found == [found[i % (N_TEXTS + 1)] for i in range(len(found))]


def test_what_is_recorded_is_what_is_observed_here(program: Program, tmp_path: Path) -> None:
    lines = texts()
    printed = program.run(tmp_path / "run.gsp", str(program.folder / "texts"))
    said = printed.split()

    system = adapter.load(str(program.folder / "G.cup"), LoadOptions())
    run = read_run(tmp_path / "run.gsp")
    *found, unread = parses_of(run, system, Extraction.EXACT)
    assert len(found) == len(lines)
    accepted = 0
    for line, parse, end in zip(lines, found, said[:-1], strict=True):
        case = TestCase(line, Expectation.ACCEPT, line, tuple(line.split()))
        expected = observe(system.trace(case))
        assert without_words(parse.observation) == without_words(expected), line
        accepted += expected.verdict is Verdict.ACCEPTED
        assert end == "ends" or expected.verdict is Verdict.REJECTED
    assert 20 < accepted < len(lines) - 20

    error = unread.observation.error
    assert error is not None
    assert error.message == "the scanner fails: NONE"
    assert error.token == 1

    other = tmp_path / "other.cup"
    other.write_text(GRAMMAR.replace("| NUM ", "| NUM NUM"), encoding="utf-8")
    with pytest.raises(GramspectError, match="its parser has other tables"):
        recorded_suite([run], adapter.load(str(other), LoadOptions()))
