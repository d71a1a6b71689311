"""Generated parsers as users have them: jars, scanners of all kinds, code that misbehaves."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from cup_tools import SIMPL, SIMPL_SUITE, classpath, load, parser_of, runtime, simpl_jar, texts

from command import Command
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.trace import Extraction, LRTrace, Undecided, Verdict
from gramspect.running.loading import LoadSpec
from gramspect.running.runner import run
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation
from gramspect.yacc import read_yacc
from gramspect_jvm import java_class

PARSER, SCANNER = "simpl.SimplParser", "simpl.SimplScanner"
WAYS = {
    "jar": {},
    "jar with its grammar": {"parser": PARSER, "scanner": SCANNER},
    "grammar with a scanner": {"scanner": SCANNER},
}


def simpl(way: str) -> Recognizer:
    if way == "jar":
        return load(simpl_jar(), classpath=str(runtime()))
    return load(SIMPL / "simpl.cup", classpath=classpath(simpl_jar(), runtime()), **WAYS[way])


@pytest.mark.parametrize("way", WAYS)
def test_verdicts(way: str) -> None:
    recognizer = simpl(way)
    for test, found in zip(SIMPL_SUITE, run(recognizer, SIMPL_SUITE.tests), strict=True):
        expected = test.expectation is Expectation.ACCEPT
        assert found.verdict is (Verdict.ACCEPTED if expected else Verdict.REJECTED), test.text


def test_the_three_ways_agree() -> None:
    """The tables on disk, those that CUP makes now, and the grammar rebuilt without any source."""
    found = [
        [
            (seen.verdict, seen.error, seen.rules, seen.items, seen.shift_items, seen.active)
            for extraction in Extraction
            for seen in run(simpl(way), SIMPL_SUITE.tests, extraction)
        ]
        for way in WAYS
    ]
    assert found[0] == found[1] == found[2]


def test_the_rebuilt_grammar_is_that_of_the_file() -> None:
    rebuilt, written = simpl("jar").grammar, simpl("jar with its grammar").grammar
    texts_of = [
        [grammar.rule_text(rule) for rule in range(grammar.n_rules)]
        for grammar in (rebuilt, written)
    ]
    assert texts_of[0] == texts_of[1]
    assert [s.name for s in rebuilt.symbols] == [s.name for s in written.symbols]


def test_the_grammar_is_that_of_yacc() -> None:
    """SIMPL has the same rules, in the same order, in both notations."""
    ours, theirs = simpl("jar").grammar, read_yacc(SIMPL.parents[1] / "simpl" / "simpl.y")
    shapes = [
        [(grammar.symbols[rule.lhs].name, len(rule.rhs)) for rule in grammar.rules]
        for grammar in (ours, theirs)
    ]
    assert shapes[0] == shapes[1]
    assert len(shapes[0]) >= 70


def test_positions() -> None:
    recognizer = simpl("jar with its grammar")
    (trace,) = [recognizer.trace(t) for t in texts("program a;\nbegin\n  a := = 3 end.")]
    assert isinstance(trace, LRTrace)
    assert trace.error is not None
    assert (trace.error.token, trace.error.line, trace.error.column) == (6, 3, 8)
    assert trace.error.message == "unexpected EQ"
    (trace,) = [recognizer.trace(t) for t in texts("program a; begin a = bb end.")]
    assert isinstance(trace, LRTrace)
    assert trace.error is not None
    assert (trace.error.line, trace.error.column) == (1, 20)


def test_tokens_of_edits() -> None:
    recognizer = simpl("jar")
    names = [s.name for s in recognizer.grammar.symbols]
    good, bad = texts("program a; begin skip end.", "program ?")
    tokens = recognizer.tokens(good)  # type: ignore[attr-defined]
    assert [names[t] for t in tokens] == "PROGRAM ID SEMI BEGIN SKIP END DOT".split()
    assert recognizer.tokens(bad) is None  # type: ignore[attr-defined]


def test_a_lexical_error() -> None:
    (trace,) = [simpl("jar").trace(t) for t in texts('program a; begin write "x end.')]
    assert isinstance(trace, LRTrace)
    assert trace.error is not None
    assert (trace.error.kind, trace.error.token) == ("lexical", 5)
    assert "a text does not end in line 1" in trace.error.message
    assert observe(trace).verdict is Verdict.REJECTED


def test_on_the_command_line(command: Command, tmp_path: Path) -> None:
    tests = tmp_path / "tests.txt"
    tests.write_text("program a; begin skip end.\nprogram a; begin skip; end.\n")
    answer = command(
        *("localize", SIMPL / "simpl.cup", "--accept", tests, "--lines", "--top", "2"),
        *("--option", f"classpath={classpath(simpl_jar(), runtime())}"),
        *("--option", f"parser={PARSER}", "--option", f"scanner={SCANNER}"),
    )
    assert answer.status == 1
    assert "tests.txt:2:24 should be accepted: unexpected END" in answer.out
    assert "statements -> statements SEMI • statement" in answer.out
    answer = command(
        *("localize", simpl_jar(), "--accept", tests, "--lines", "--timeout", "60"),
        *("--option", f"classpath={runtime()}"),
    )
    assert answer.status == 1
    assert "statements -> statements SEMI • statement" in answer.out


def test_workers() -> None:
    options = LoadOptions(extra={"classpath": str(runtime())})
    spec = LoadSpec("cup", str(simpl_jar()), options)
    found = run(spec(), SIMPL_SUITE.tests[:6], loader=spec, timeout=60, jobs=2)
    assert [f.verdict for f in found] == [Verdict.ACCEPTED] * 6


# --- small parsers -------------------------------------------------------------------------

LISTS = """
parser code {: PARSER_CODE :};
action code {: static int made; int own; :};
terminal A, B;
non terminal list, item;
start with list;
list ::= list {: own++; :} item | item ;
item ::= A {: ITEM_CODE :} | B ;
"""
LETTERS = """
import java.io.*;
import java_cup.runtime.*;

public class Letters implements Scanner {
    private final Reader input;
    static int lines;
    private int offset;
    public Letters(Reader input) { this.input = input; }
    public Symbol next_token() throws Exception {
        int c = input.read();
        while (c == ' ') { c = input.read(); offset++; }
        offset++;
        SCANNER_CODE
        switch (c) {
            case 'a': return new Symbol(sym.A, offset - 1, offset);
            case 'b': return new Symbol(sym.B, offset - 1, offset);
            case -1: return null;
            default: throw new Error("strange letter " + (char) c);
        }
    }
}
"""


def letters(
    folder: Path, scanner: str = "", item: str = "", parser: str = "", **extra: str
) -> Recognizer:
    """A parser of lists of two letters, with code of the test's own in it."""
    cup = LISTS.replace("PARSER_CODE", parser).replace("ITEM_CODE", item)
    jar = parser_of(cup, folder, LETTERS.replace("SCANNER_CODE", scanner))
    return load(jar, classpath=str(runtime()), **extra)


def verdicts(recognizer: Recognizer, *inputs: str) -> list[str]:
    """The reasons of what is undecided, and the verdicts of the rest."""
    traces = recognizer.traces(texts(*inputs))  # type: ignore[attr-defined]
    return [
        t.reason if isinstance(t, Undecided) else "rejected" if t.error else "accepted"
        for t in traces
    ]


def test_embedded_actions_are_shown_as_such(tmp_path: Path) -> None:
    grammar = letters(tmp_path).grammar
    assert [grammar.rule_text(rule) for rule in range(grammar.n_rules)] == [
        *["list -> list {} item"] * 2,
        *("list -> item", "item -> A", "item -> B"),
    ]


def test_offsets_are_told_from_lines_and_columns(tmp_path: Path) -> None:
    (trace,) = [letters(tmp_path).trace(t) for t in texts("a bb a?")]
    assert isinstance(trace, LRTrace)
    (trace,) = [
        load(tmp_path / "parser.jar", classpath=str(runtime())).trace(t) for t in texts("  ab")
    ]
    assert isinstance(trace, LRTrace)
    assert trace.error is None
    cup = LISTS.replace("PARSER_CODE", "").replace("ITEM_CODE", "").replace("item | item", "item A")
    recognizer = load(
        parser_of(cup, tmp_path / "other", LETTERS.replace("SCANNER_CODE", "")),
        classpath=str(runtime()),
    )
    (trace,) = [recognizer.trace(t) for t in texts(" a  b b")]
    assert isinstance(trace, LRTrace)
    assert trace.error is not None
    assert (trace.error.token, trace.error.line, trace.error.column) == (0, 1, 2)


def test_a_scanner_that_throws_rejects(tmp_path: Path) -> None:
    traces = letters(tmp_path).traces(texts("ab", "a?b", "ab"))  # type: ignore[attr-defined]
    errors = [trace.error for trace in traces]
    assert errors[0] is errors[2] is None
    assert errors[1].message == "the scanner fails: java.lang.Error: strange letter ?"
    assert (errors[1].kind, errors[1].token) == ("lexical", 1)


def test_a_scanner_that_exits_rejects(tmp_path: Path) -> None:
    recognizer = letters(tmp_path, scanner="if (c == '!') System.exit(1);")
    traces = recognizer.traces(texts("ab", "a!", "ab"))  # type: ignore[attr-defined]
    errors = [trace.error for trace in traces]
    assert errors[0] is errors[2] is None
    assert errors[1].message == "the scanner fails: the scanner called System.exit(1)"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("if (made == 0) throw new IllegalStateException(\"no\\nway\");",
         "raised java.lang.IllegalStateException: no way"),
        ("System.exit(0);", "called System.exit(0)"),
        ("try { System.exit(3); } catch (Throwable all) { }", "called System.exit(3)"),
        ("int[][] all = new int[100][]; for (int i = 0; i < 100; i++)"
         " all[i] = new int[Integer.MAX_VALUE - 8];", "needs more memory than the JVM has"),
    ],
)  # fmt: skip
def test_an_action_that_fails_is_undecided(tmp_path: Path, code: str, reason: str) -> None:
    """It costs its test, not those after it; without actions nothing happens."""
    recognizer = letters(tmp_path, item=code)
    found = verdicts(recognizer, "b", "ba", "bb")
    expected = f"the action of item -> A {reason}; --no-actions leaves actions out"
    assert found[0] == found[2] == "accepted"
    # An exit that the action catches is seen when the parse has ended.
    assert found[1] in (expected, f"the parser {reason}")
    quiet = load(tmp_path / "parser.jar", actions=False, classpath=str(runtime()))
    assert verdicts(quiet, "b", "ba", "bb", "b b ?") == [*["accepted"] * 3, "rejected"]


def test_static_fields_are_put_back(tmp_path: Path) -> None:
    code = "if (++made > 1) throw new IllegalStateException();"
    assert verdicts(letters(tmp_path, item=code), "a", "a", "aa", "a") == [
        *["accepted"] * 2,
        "the action of item -> A raised java.lang.IllegalStateException"
        "; --no-actions leaves actions out",
        "accepted",
    ]


DEEP_STATE = (
    "static final Object[] held = {new StringBuilder()};"
    " static boolean first() { ((StringBuilder) held[0]).append('x');"
    " return ((StringBuilder) held[0]).length() == 1; }"
)


def test_what_is_deeper_is_fresh_if_asked_for(tmp_path: Path) -> None:
    code = "if (!parser.first()) throw new IllegalStateException();"
    recognizer = letters(tmp_path, item=code, parser=DEEP_STATE)
    failed = (
        "the action of item -> A raised java.lang.IllegalStateException"
        "; --no-actions leaves actions out"
    )
    assert verdicts(recognizer, "a", "a") == ["accepted", failed]
    fresh = load(tmp_path / "parser.jar", classpath=str(runtime()), fresh="yes")
    assert verdicts(fresh, "a", "a", "a") == ["accepted"] * 3


def test_noise_and_threads(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code = (
        'System.out.println("noise"); System.err.println("noise"); System.setOut(null);'
        " new Thread(() -> { while (true) { try { Thread.sleep(10000); }"
        " catch (InterruptedException e) { break; } } }).start();"
    )
    recognizer = letters(tmp_path, item=code)
    assert verdicts(recognizer, "a", "ab") == ["accepted"] * 2
    assert capfd.readouterr() == ("", "")


def test_the_first_error_decides(tmp_path: Path) -> None:
    """CUP's own parser would recover and go on."""
    cup = LISTS.replace("PARSER_CODE", "").replace("ITEM_CODE", "").replace("| B", "| B | error A")
    jar = parser_of(cup, tmp_path, LETTERS.replace("SCANNER_CODE", ""))
    recognizer = load(jar, classpath=str(runtime()))
    assert verdicts(recognizer, "ab", "") == ["accepted", "rejected"]
    assert "item -> error A" in map(recognizer.grammar.rule_text, range(recognizer.grammar.n_rules))


def test_done_parsing_accepts(tmp_path: Path) -> None:
    """An action may end the parse; the rest of the input is not read then."""
    recognizer = letters(tmp_path, item="parser.done_parsing();")
    assert verdicts(recognizer, "bab?", "b?") == ["accepted", "rejected"]


SELF_SCANNING = """
parser code {:
    private java.io.Reader input;
    public parser(java.io.Reader input) { this.input = input; }
:};
scan with {:
    int c = input.read();
    return new java_cup.runtime.Symbol(c == 'a' ? sym.A : c == 'b' ? sym.B : sym.EOF);
:};
terminal A, B;
non terminal s;
s ::= A s B | ;
"""
FROM_STANDARD_INPUT = """
parser code {:
    static int ahead;
:};
init with {: ahead = System.in.read(); :};
scan with {:
    int c = ahead;
    ahead = System.in.read();
    return new java_cup.runtime.Symbol(c == 'a' ? sym.A : c == 'b' ? sym.B : sym.EOF);
:};
terminal A, B;
non terminal s;
s ::= A s B | ;
"""


@pytest.mark.parametrize("cup", [SELF_SCANNING, FROM_STANDARD_INPUT], ids=["reader", "stdin"])
def test_a_parser_that_scans_by_itself(tmp_path: Path, cup: str) -> None:
    recognizer = load(parser_of(cup, tmp_path), classpath=str(runtime()))
    assert verdicts(recognizer, "aabb", "aab", "", "b") == [
        *("accepted", "rejected", "accepted", "rejected")
    ]


FACTORY = """
import java.io.*;
import java_cup.runtime.*;

public class Complex implements Scanner {
    private final ComplexSymbolFactory symbols;
    private final LineNumberReader input;
    private int column;
    public Complex(Reader input) { throw new IllegalStateException("the wrong constructor"); }
    public Complex(InputStream input, ComplexSymbolFactory symbols) {
        this.input = new LineNumberReader(new InputStreamReader(input));
        this.symbols = symbols;
    }
    static Complex of(String text) {
        return new Complex(new ByteArrayInputStream(text.getBytes()), new ComplexSymbolFactory());
    }
    public Symbol next_token() throws Exception {
        int line = input.getLineNumber() + 1;
        int c = input.read();
        column = c == '\\n' ? 0 : column + 1;
        if (c == '\\n') { return next_token(); }
        var place = new ComplexSymbolFactory.Location(line, column);
        int kind = c == 'a' ? sym.A : c == 'b' ? sym.B : sym.EOF;
        return symbols.newSymbol("letter", kind, place, place, "" + (char) c);
    }
}
"""


@pytest.mark.parametrize(
    "scanner", ["Complex", "Complex(InputStream, ComplexSymbolFactory)", "Complex::of"]
)
def test_complex_symbols(tmp_path: Path, scanner: str) -> None:
    """Scanner and parser share a factory if the scanner takes one; the same for a static method."""
    cup = "terminal A, B; non terminal s; s ::= A:a s:b B:c | ;"
    jar = parser_of(cup, tmp_path, FACTORY, options=["-locations"])
    recognizer = load(jar, classpath=str(runtime()), scanner=scanner)
    if scanner != "Complex::of":  # whose factory the parser cannot know
        assert verdicts(recognizer, "ab", "aabb", "aab") == ["accepted", "accepted", "rejected"]
    (trace,) = [recognizer.trace(t) for t in texts("\na\nba")]
    assert isinstance(trace, LRTrace)
    assert trace.error is not None
    assert (trace.error.line, trace.error.column) == (3, 2)
    assert trace.error.message == "unexpected A 'a'"


def test_names_of_non_terminals_in_the_class_of_symbols(tmp_path: Path) -> None:
    """With -nonterms they are there; the terminals come first, both counted from 0."""
    jar = parser_of(LISTS.replace("PARSER_CODE", "").replace("ITEM_CODE", ""), tmp_path,
                    LETTERS.replace("SCANNER_CODE", ""), options=["-nonterms"])  # fmt: skip
    grammar = load(jar, classpath=str(runtime())).grammar
    assert [s.name for s in grammar.terminals] == ["A", "B"]
    assert [s.name for s in grammar.nonterminals][:2] == ["list", "item"]


def test_a_folder_of_classes(tmp_path: Path) -> None:
    with ZipFile(simpl_jar()) as archive:
        archive.extractall(tmp_path)
    recognizer = load(tmp_path, classpath=str(runtime()))
    assert verdicts(recognizer, "program a; begin skip end.", "begin") == ["accepted", "rejected"]


def relocated(jar: Path, package: str, target: Path) -> Path:
    """A jar whose CUP runtime is in another package, as shading tools make it."""
    asm = "org.objectweb.asm"
    with ZipFile(runtime()) as archive:
        owners = [Path(name).stem for name in archive.namelist() if name.endswith(".class")]
    with ZipFile(jar) as before, ZipFile(target, "w") as after:
        for name in filter(lambda name: name.endswith(".class"), before.namelist()):
            reader = java_class(f"{asm}.ClassReader")(java_class("byte[]")(before.read(name)))
            writer = java_class(f"{asm}.ClassWriter")(0)
            names = java_class("java.util.HashMap")()
            for owner in owners:
                names.put(f"java_cup/runtime/{owner}", f"{package}/{owner}")
            renaming = java_class(f"{asm}.commons.SimpleRemapper")(names)
            reader.accept(java_class(f"{asm}.commons.ClassRemapper")(writer, renaming), 0)
            place = name.replace("java_cup/runtime", package)
            after.writestr(place, bytes(writer.toByteArray()))
    return target


@pytest.mark.parametrize("package", ["shaded/runtime", "lang/grammar/cup"])
def test_a_runtime_in_another_package(tmp_path: Path, package: str) -> None:
    jars = [relocated(j, package, tmp_path / j.name) for j in (simpl_jar(), runtime())]
    recognizer = load(jars[0], classpath=str(jars[1]))
    tests = SIMPL_SUITE.tests[::9]
    found = [observe(t) for t in recognizer.traces(tests)]  # type: ignore[attr-defined]
    assert found == [observe(simpl("jar").trace(test)) for test in tests]


def test_a_jar_without_a_scanner_takes_token_names(tmp_path: Path) -> None:
    jar = parser_of(LISTS.replace("PARSER_CODE", "").replace("ITEM_CODE", ""), tmp_path)
    recognizer = load(jar, classpath=str(runtime()))
    assert verdicts(recognizer, "A B", "A C", "") == ["accepted", "rejected", "rejected"]


def test_spectra_do_not_depend_on_what_was_run_before() -> None:
    """Order of tests, batches, single tests."""
    recognizer = simpl("jar")
    tests = list(SIMPL_SUITE)[::7]
    whole = recognizer.traces(tests)  # type: ignore[attr-defined]
    order = np.random.default_rng(1).permutation(len(tests)).tolist()
    for index in order:
        assert observe(recognizer.trace(tests[index])) == observe(whole[index])


SCANNER_OF_ITS_OWN = """
parser code {:
    public java_cup.runtime.Scanner getScanner() {
        return new java_cup.runtime.Scanner() {
            public java_cup.runtime.Symbol next_token() throws Exception {
                int c = System.in.read();
                return new java_cup.runtime.Symbol(c == 'a' ? sym.A : c == 'b' ? sym.B : sym.EOF);
            }
        };
    }
:};
terminal A, B;
non terminal s;
s ::= A s B | ;
"""
PARSE_OF_ITS_OWN = """
parser code {:
    private java.io.Reader input;
    private int depth = 100;
    public parser(java.io.Reader input) { this.input = input; }
    public java_cup.runtime.Symbol parse() throws Exception {
        depth = 0;
        try {
            if (input.read() != ':') { throw new IllegalStateException("no colon"); }
            java_cup.runtime.Symbol found = super.parse();
            if (((Integer) found.value) == 3) { throw new java.io.IOException("three"); }
            return found;
        } catch (RuntimeException swallowed) {
            return null;
        }
    }
:};
scan with {:
    int c = input.read();
    return new java_cup.runtime.Symbol(c == 'a' ? sym.A : c == 'b' ? sym.B : sym.EOF);
:};
terminal A, B;
non terminal Integer s;
s ::= A s:n B {: RESULT = n + 1; :} | {: RESULT = parser.depth; :} ;
"""


def test_a_parser_that_gets_its_scanner_by_itself(tmp_path: Path) -> None:
    recognizer = load(parser_of(SCANNER_OF_ITS_OWN, tmp_path), classpath=str(runtime()))
    assert verdicts(recognizer, "aabb", "aab", "") == ["accepted", "rejected", "accepted"]


@pytest.mark.parametrize("loop", ["parse", "debug_parse"])
def test_a_parser_with_a_parse_method_of_its_own(tmp_path: Path, loop: str) -> None:
    """What it does before CUP's loop and after it is done; where it fails, nothing was judged."""
    cup = PARSE_OF_ITS_OWN.replace("super.parse", f"super.{loop}")
    jar = parser_of(cup, tmp_path)
    recognizer = load(jar, classpath=str(runtime()))
    assert verdicts(recognizer, ":aabb", ":aab", ":", ":b") == [
        *("accepted", "rejected", "accepted", "rejected")
    ]
    (colon, three) = (recognizer.trace(test) for test in texts("ab", ":aaabbb"))
    assert isinstance(colon, Undecided)
    assert isinstance(three, Undecided)
    assert colon.reason == "the parser's own parse() ends without calling that of CUP"
    assert three.reason == "the parser raised java.io.IOException: three"
    without = load(jar, actions=False, classpath=str(runtime()))
    assert verdicts(without, ":aaabbb", ":aab") == ["accepted", "rejected"]
