"""Java programs, unchanged, under the agent: with parsers of ANTLR, JavaCC and CUP.

    python benchmarks/recorded_jvm.py FOLDER [checkstyle] [druid] [jexl] [jflex]

Checkstyle 10.5.0 (Maven Central, ANTLR's runtime 4.11.1) checks its own sources. Druid 0.22.1
(Maven Central, ANTLR's runtime 4.5.1) runs the JUnit tests of its expressions; their grammar,
``Expr.g4`` of the same release, must be in FOLDER. JEXL 3.1 (Maven Central) runs its JUnit tests,
of which seven fail in any case: they read files that the jar lacks, or need another Java. JFlex
1.7.0 (Maven Central; its CUP grammar and inputs are in Debian's source package, whose unpacked
folder ``jflex-1.7.0`` must be in FOLDER) generates scanners from the specifications that come with
it, each in a process of its own, since it stops at the first broken one; its cost is measured with
the others in one process. Then a fault is seeded into each
grammar, the parser is generated anew and put before the library on the class path, and the same
runs are recorded again: what fails is what its users would see.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.registry import adapter_for
from gramspect.recognition.trace import Extraction
from gramspect.recordings.reading import read_run
from gramspect.recordings.suites import parses_of
from gramspect.running.runner import run as run_tests
from gramspect.suites.suite import Expectation, TestCase
from gramspect_jvm.locating import agent, jar

GRAMSPECT = [sys.executable, "-m", "gramspect"]
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>x</groupId><artifactId>x</artifactId><version>1</version><dependencies><dependency>
<groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency></dependencies>
</project>"""
DEPENDENCY = """<dependency><groupId>{}</groupId><artifactId>{}</artifactId>
<version>{}</version></dependency>"""
CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE module PUBLIC "-//Checkstyle//DTD Checkstyle Configuration 1.3//EN"
  "https://checkstyle.org/dtds/configuration_1_3.dtd">
<module name="Checker"><property name="haltOnException" value="false"/>
<module name="TreeWalker"><module name="AvoidStarImport"/></module></module>"""
ROUNDS = 3


def shell(*command: str | Path, folder: Path, check: bool = True) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=folder, check=check, capture_output=True, text=True
    )
    return done.stdout + done.stderr


def library(folder: Path, group: str, artifact: str, version: str) -> None:
    """A library from Maven Central with what it depends on, in folder/lib."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pom.xml").write_text(POM.format(group, artifact, version))
    goal = "dependency:copy-dependencies"
    shell("mvn", "-B", "-q", goal, "-DoutputDirectory=lib", folder=folder)


def recording(out: Path, parser: str) -> str:
    return f"-javaagent:{agent()}=out={out},parser={parser}"


def measure(run: Callable[[Sequence[str]], object], option: str) -> None:
    """The seconds of whole runs without and with the agent, in turns, the least of each."""
    clock: dict[bool, list[float]] = {False: [], True: []}
    processor: dict[bool, list[float]] = {False: [], True: []}
    for recorded in [False, True] * ROUNDS:
        began, used = time.perf_counter(), processor_time()
        run([option] if recorded else [])
        clock[recorded].append(time.perf_counter() - began)
        processor[recorded].append(processor_time() - used)
    for what, seconds in (("clock", clock), ("processor", processor)):
        plain, under = min(seconds[False]), min(seconds[True])
        print(f"{what}: {plain:.1f} s without, {under:.1f} s with the agent, {under / plain:.2f}x")


def processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def report(grammar: Path, runs: Sequence[Path], command: str, *options: str) -> None:
    spectra = [part for run in runs for part in ("--spectra", str(run))]
    told = shell(
        *GRAMSPECT, command, grammar, *spectra, *options, folder=grammar.parent, check=False
    )
    lines = told.splitlines()
    first = next((n for n, line in enumerate(lines) if line.startswith("rank ")), 0)
    print("\n".join([*lines[: min(first, 4)], *lines[first : first + 20]]), "\n")


def checkstyle(folder: Path) -> None:
    library(folder, "com.puppycrawl.tools", "checkstyle", "10.5.0")
    sources = "com.puppycrawl.tools:checkstyle:10.5.0:jar:sources"
    shell("mvn", "-B", "-q", "dependency:copy", f"-Dartifact={sources}", "-DoutputDirectory=.",
          folder=folder)  # fmt: skip
    shell("unzip", "-qo", "checkstyle-10.5.0-sources.jar", "-d", "src", folder=folder)
    (folder / "c.xml").write_text(CONFIGURATION)
    package = "com.puppycrawl.tools.checkstyle.grammar.java"
    place = folder / "src" / package.replace(".", "/")
    parser, out = f"{package}.JavaLanguageParser", folder / "run.gsp"

    def run(options: Sequence[str], before: str = "") -> None:
        shell("java", *options, "-cp", f"{before}lib/*", "com.puppycrawl.tools.checkstyle.Main",
              "-c", "c.xml", "src/com/puppycrawl/tools/checkstyle/checks",
              folder=folder, check=False)  # fmt: skip

    measure(run, recording(out, parser))
    report(place / "JavaLanguageParser.g4", [out], "coverage")

    faulty = folder / "faulty"
    faulty.mkdir(exist_ok=True)
    (faulty / "JavaLanguageLexer.g4").write_text((place / "JavaLanguageLexer.g4").read_text())
    text = (place / "JavaLanguageParser.g4").read_text()
    before = "classOrInterfaceType[false] (BOR classOrInterfaceType[false])*"
    assert before in text
    (faulty / "JavaLanguageParser.g4").write_text(text.replace(before, before.split(" (", 1)[0]))
    tool = ["java", "-cp", str(jar()), "org.antlr.v4.Tool", "-visitor", "-package", package]
    for grammar in ("JavaLanguageLexer.g4", "JavaLanguageParser.g4"):
        shell(*tool, "-o", "java", "-lib", "java" if "Parser" in grammar else ".", grammar,
              folder=faulty)  # fmt: skip
    shell("javac", "-nowarn", "-proc:none", "-d", "classes", "-cp", "../lib/*",
          *(faulty / "java").glob("*.java"), folder=faulty)  # fmt: skip
    run([recording(folder / "faulty.gsp", parser)], before="faulty/classes:")
    report(faulty / "JavaLanguageParser.g4", [folder / "faulty.gsp"], "localize", "--top", "3")


def fetch(folder: Path, artifact: str, to: str) -> None:
    goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
    shell("mvn", "-B", "-q", goal, f"-Dartifact={artifact}", f"-DoutputDirectory={to}",
          folder=folder)  # fmt: skip


def jexl(folder: Path) -> None:
    library(folder, "org.apache.commons", "commons-jexl3", "3.1")
    name = "org.apache.commons:commons-jexl3:3.1:jar"
    for artifact in (f"{name}:sources", f"{name}:tests"):
        fetch(folder, artifact, ".")
    fetch(folder, "com.google.code.gson:gson:2.8.6", "lib")
    launcher = "junit-platform-console-standalone"
    fetch(folder, f"org.junit.platform:{launcher}:1.13.4", ".")
    for kind in ("sources", "tests"):
        shell("unzip", "-qo", f"commons-jexl3-3.1-{kind}.jar", "-d", kind, folder=folder)
    place = folder / "sources/org/apache/commons/jexl3/parser"
    parser, out = "org.apache.commons.jexl3.parser.Parser", folder / "run.gsp"
    jars = ":".join(f"lib/{path.name}" for path in sorted((folder / "lib").glob("*.jar")))

    def run(options: Sequence[str], before: str = "") -> None:
        said = shell("java", *options, "-jar", f"{launcher}-1.13.4.jar", "execute",
                     "--scan-class-path", "tests", "-cp", f"tests:{before}{jars}",
                     "--details", "none", "--disable-banner",
                     folder=folder, check=False)  # fmt: skip
        print(*(line for line in said.splitlines() if "tests successful" in line))

    measure(run, recording(out, parser))
    by_class = ("--start", "JexlScript", "--option", f"grammar={place / 'Parser.jjt'}")
    report(folder / f"lib/commons-jexl3-3.1.jar:{parser}", [out], "coverage", *by_class)

    faulty = folder / "faulty"
    shutil.rmtree(faulty, ignore_errors=True)
    shutil.copytree(place, faulty / "java")
    text = (place / "Parser.jjt").read_text()
    before = "<LPAREN> (Expression() (<COMMA> Expression())* )? <RPAREN>\n}\n\nvoid FunctionCallL"
    assert text.count(before) == 1
    broken = before.replace(" (<COMMA> Expression())*", "")
    (faulty / "java/Parser.jjt").write_text(text.replace(before, broken))
    made = ["Parser.java", "ParserConstants.java", "ParserTokenManager.java"]
    for name in made:
        (faulty / "java" / name).unlink()
    for tool, grammar in (("jjtree", "Parser.jjt"), ("javacc", "Parser.jj")):
        shell("java", "-cp", jar(), tool, grammar, folder=faulty / "java")
    lexer = faulty / "java/ParserTokenManager.java"  # TokenMgrError is of an older JavaCC
    lexer.write_text(lexer.read_text().replace(", curChar, TokenM", ", (char) curChar, TokenM"))
    shell("javac", "-nowarn", "-proc:none", "-d", "../classes", "-cp", "../../lib/*", *made,
          folder=faulty / "java")  # fmt: skip
    run([recording(folder / "faulty.gsp", parser)], "faulty/classes:")
    by_class = ("--start", "JexlScript", "--option", f"grammar={faulty / 'java/Parser.jjt'}",
                "--option", f"classpath={folder / 'lib/commons-jexl3-3.1.jar'}")  # fmt: skip
    report(faulty / f"classes:{parser}", [folder / "faulty.gsp"], "localize", *by_class,
           "--top", "3")  # fmt: skip


def druid(folder: Path, source: Path) -> None:
    excluded = "</version><exclusions><exclusion><groupId>org.hyperic</groupId><artifactId>sigar"
    others = "".join(
        DEPENDENCY.format(*one.split(":"))
        for one in ("junit:junit:4.13.2", "org.easymock:easymock:4.3",
                    "org.hamcrest:hamcrest-all:1.3", "nl.jqno.equalsverifier:equalsverifier:3.16.1")
    )  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    pom = POM.format("org.apache.druid", "druid-core", "0.22.1")
    pom = pom.replace("</version></dep", f"{excluded}</artifactId></exclusion></exclusions></dep")
    (folder / "pom.xml").write_text(pom.replace("</dependencies>", f"{others}</dependencies>"))
    copy = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
    shell("mvn", "-B", "-q", copy, "-DoutputDirectory=lib", folder=folder)
    fetch(folder, "org.apache.druid:druid-core:0.22.1:jar:tests", ".")
    library(folder / "tool", "org.antlr", "antlr4", "4.5.1")
    launcher = "junit-platform-console-standalone"
    fetch(folder, f"org.junit.platform:{launcher}:1.13.4", ".")
    shell("unzip", "-qo", "druid-core-0.22.1-tests.jar", "-d", "tests", folder=folder)
    package = "org.apache.druid.math.expr"
    parser, out = f"{package}.antlr.ExprParser", folder / "run.gsp"
    jars = ":".join(f"lib/{path.name}" for path in sorted((folder / "lib").glob("*.jar")))

    def run(options: Sequence[str], before: str = "") -> None:
        said = shell("java", *options, "-jar", f"{launcher}-1.13.4.jar", "execute", "-p", package,
                     "-cp", f"tests:{before}{jars}", "--details", "summary", "--disable-banner",
                     folder=folder, check=False)  # fmt: skip
        print(*(line for line in said.splitlines() if "tests successful" in line))

    # ANTLR 4.5 puts prefix operators before the other alternatives; later ones keep their order.
    lines = source.read_text().splitlines(keepends=True)
    ends = ("# null\n", "# unaryOpExpr\n")
    null, prefix = (n for n, line in enumerate(lines) if line.endswith(ends))
    first, second = lines[null].split(":", 1), lines[prefix].split("|", 1)
    lines[null], lines[prefix] = f"{first[0]}:{second[1]}", f"{second[0]}|{first[1]}"
    text = "".join(lines)
    grammar = folder / "Expr.g4"
    grammar.write_text(text)
    measure(run, recording(out, parser))
    report(grammar, [out], "coverage", "--start", "expr")
    compare(grammar, out, LoadOptions(start="expr", extra={"trailing": "allow"}))

    faulty = folder / "faulty"
    faulty.mkdir(exist_ok=True)
    before = "fnArgs : expr (',' expr)*"
    assert text.count(before) == 1
    (faulty / "Expr.g4").write_text(text.replace(before, "fnArgs : expr (',' expr)?"))
    shell("java", "-cp", "../tool/lib/*", "org.antlr.v4.Tool", "-visitor", "-package",
          f"{package}.antlr", "-o", "java", "Expr.g4", folder=faulty)  # fmt: skip
    shell("javac", "-nowarn", "-proc:none", "-d", "classes", "-cp", "../lib/*",
          *(faulty / "java").glob("*.java"), folder=faulty)  # fmt: skip
    run([recording(folder / "faulty.gsp", parser)], "faulty/classes:")
    report(faulty / "Expr.g4", [folder / "faulty.gsp"], "localize", "--start", "expr",
           "--top", "3")  # fmt: skip


def compare(grammar: Path, run: Path, load: LoadOptions) -> None:
    """How many different inputs were recorded, and of how many the adapter says something else."""
    recognizer = adapter_for(str(grammar)).load(str(grammar), load)
    recorded = {
        parse.text: parse.observation
        for parse in parses_of(read_run(run), recognizer, Extraction.EXACT)
        if parse.text is not None
    }
    tests = [TestCase(text, Expectation.ACCEPT, text) for text in recorded]
    others = [
        test.text
        for test, seen in zip(tests, run_tests(recognizer, tests), strict=True)
        if seen != recorded[test.text]
    ]
    print(f"{len(tests)} texts, other results of {len(others)}:", *others[:3])


def jflex(folder: Path, source: Path) -> None:
    library(folder, "de.jflex", "jflex", "1.7.0")
    inputs = sorted(source.rglob("*.flex"))
    grammar = source / "src/main/cup/LexParse.cup"

    def run(options: Sequence[str], before: str = "") -> None:
        for number, text in enumerate(inputs):
            (folder / "out").mkdir(exist_ok=True)
            shell("java", *(o.replace("{n}", str(number)) for o in options), "-cp",
                  f"{before}lib/*", "jflex.Main", "-q", "--nobak", "-d", "out", text,
                  folder=folder, check=False)  # fmt: skip

    def runs(name: str) -> list[Path]:
        return [folder / f"{name}{n}.gsp" for n in range(len(inputs))]

    def together(options: Sequence[str]) -> None:
        right = [text for text in inputs if text.name != "LexScan.flex"]
        shell("java", *options, "-cp", "lib/*", "jflex.Main", "-q", "--nobak", "-d", "out", *right,
              folder=folder)  # fmt: skip

    print("each in a process of its own:")
    measure(run, recording(folder / "run{n}.gsp", "jflex.LexParse"))
    print("together:")
    measure(together, recording(folder / "together.gsp", "jflex.LexParse"))
    # The jar's parser is of an older CUP, which has made other tables of the same grammar.
    library_parser = folder / "lib/jflex-1.7.0.jar:jflex.LexParse"
    runtime = f"classpath={folder / 'lib/cup_runtime-11b.jar'}"
    report(library_parser, runs("run"), "coverage", "--option", runtime)

    faulty = folder / "faulty"
    faulty.mkdir(exist_ok=True)
    text = grammar.read_text()
    lines = text.splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if "regexp:r QUESTION" in line)
    (faulty / "LexParse.cup").write_text("".join(lines[:first] + lines[first + 2 :]))
    shell("java", "-cp", str(jar()), "java_cup.Main", "-interface", "-package", "jflex",
          "-parser", "LexParse", "-nowarn", "LexParse.cup", folder=faulty)  # fmt: skip
    newer = str(jar())  # CUP's newer runtime
    shell("javac", "-nowarn", "-proc:none", "-d", "classes", "-cp", f"{newer}:../lib/*",
          *faulty.glob("*.java"), folder=faulty)  # fmt: skip
    run([recording(folder / "faulty{n}.gsp", "jflex.LexParse")], f"faulty/classes:{newer}:")
    report(faulty / "LexParse.cup", runs("faulty"), "localize", "--top", "3")


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    programs: dict[str, Callable[[], None]] = {
        "checkstyle": lambda: checkstyle(folder / "checkstyle"),
        "druid": lambda: druid(folder / "druid", folder / "Expr.g4"),
        "jexl": lambda: jexl(folder / "jexl"),
        "jflex": lambda: jflex(folder / "jflex", folder / "jflex-1.7.0"),
    }
    for name in sys.argv[2:] or programs:
        print(f"## {name}")
        programs[name]()


if __name__ == "__main__":
    main()
