"""Tables of docs/associations.md: what programs do, foretold, and inputs made for it.

    pip install grammarinator json5 simplejson hjson demjson3 dirtyjson
    python benchmarks/associations.py [SUBJECT...] [--inputs N] [--made N] [--seed N] [--speed]

The experiment of Havrikov, Kampmann and Zeller (2024, Section 5.4): inputs that Grammarinator makes
from a grammar in ``association_subjects`` (depth 30) are run, a tree is learned for each function
that some of them execute and others do not, and measured with as many inputs of another
seed. Then inputs are made for each function, and compared with as many of Grammarinator's: which
part reaches it (*relative*, the median of all functions), and for how many functions one does
(*absolute*); and how many functions an input executes. Python subjects are functions of packages
from PyPI; the code of Java ones is fetched from Maven Central. With ``--speed`` it only says how
many inputs are run and watched in a second of the processor, that of the subject's process and ours
together (on Linux).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from statistics import mean, median

from gramspect.associations.associate import associate_inputs
from gramspect.associations.features import Labelled, Paths
from gramspect.associations.making import inputs_for
from gramspect.associations.python_programs import PythonProgram
from gramspect.associations.targets import Found, Target, TargetKind
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect.running.executions import Execution
from gramspect.running.loading import load_parser
from gramspect.suites.suite import Expectation, TestCase
from gramspect_jvm.programs import JavaProgram as Watched

HERE = Path(__file__).parent / "association_subjects"
JARS = Path(__file__).parents[1] / "build" / "jars"

JACOCO = (
    "org.jacoco:org.jacoco.agent:0.8.12:jar:runtime",
    "org.jacoco:org.jacoco.core:0.8.12",
    "org.ow2.asm:asm:9.7",
    "org.ow2.asm:asm-commons:9.7",
    "org.ow2.asm:asm-tree:9.7",
)


@dataclass(frozen=True)
class Java:
    """A subject on the JVM: its jar and those that it needs, its package, how it is called, and
    what its inputs are."""

    jars: tuple[str, ...]
    package: str
    call: str
    grammar: str = "Json"

    @cached_property
    def paths(self) -> list[Path]:
        return [jar(each) for each in self.jars]


GRAMMARS = ("Json", "Url", "JavaScript")

PYTHON = {
    "json5": PythonProgram("json5:loads", seconds=20),
    "hjson": PythonProgram("hjson:loads"),
    "demjson3": PythonProgram("demjson3:decode"),
    "dirtyjson": PythonProgram("dirtyjson:loads"),
    "simplejson": PythonProgram(f"{HERE / 'python_subjects.py'}:simple", ("simplejson",)),
}
JAVA = {
    "gson": Java(
        ("com.google.code.gson:gson:2.8.6",),
        "com.google.gson",
        "new com.google.gson.Gson().toJson(new com.google.gson.JsonParser().parse(text));"
        " new com.google.gson.Gson().fromJson(text, Object.class);",
    ),
    "json-java": Java(
        ("org.json:json:20200518",),
        "org.json",
        "Object found = new org.json.JSONTokener(text).nextValue(); found.toString();",
    ),
    "json-simple": Java(
        ("com.googlecode.json-simple:json-simple:1.1.1",),
        "org.json.simple",
        "org.json.simple.JSONValue.toJSONString("
        "new org.json.simple.parser.JSONParser().parse(text));",
    ),
    "json-cliftonlabs": Java(
        ("com.github.cliftonlabs:json-simple:3.1.1",),
        "com.github.cliftonlabs",
        "com.github.cliftonlabs.json_simple.Jsoner.serialize("
        "com.github.cliftonlabs.json_simple.Jsoner.deserialize(text));",
    ),
    "minimal-json": Java(
        ("com.eclipsesource.minimal-json:minimal-json:0.9.5",),
        "com.eclipsesource.json",
        "com.eclipsesource.json.Json.parse(text)"
        ".toString(com.eclipsesource.json.WriterConfig.PRETTY_PRINT);",
    ),
    "json-flattener": Java(
        (
            "com.github.wnameless.json:json-flattener:0.12.0",
            "com.github.wnameless.json:json-base:2.0.0",
            "com.fasterxml.jackson.core:jackson-databind:2.12.0",
            "com.fasterxml.jackson.core:jackson-core:2.12.0",
            "com.fasterxml.jackson.core:jackson-annotations:2.12.0",
            "org.apache.commons:commons-lang3:3.12.0",
            "org.apache.commons:commons-text:1.9",
        ),
        "com.github.wnameless",
        "new com.github.wnameless.json.flattener.JsonFlattener(text).flatten();",
    ),
    "fastjson": Java(
        ("com.alibaba:fastjson:1.2.73",),
        "com.alibaba.fastjson",
        "com.alibaba.fastjson.JSON.toJSONString(com.alibaba.fastjson.JSON.parse(text));",
    ),
    "genson": Java(
        ("com.owlike:genson:1.6",),
        "com.owlike.genson",
        "com.owlike.genson.Genson genson = new com.owlike.genson.Genson();"
        " genson.serialize(genson.deserialize(text, Object.class));",
    ),
    "argo": Java(
        ("net.sourceforge.argo:argo:5.16",),
        "argo",
        "new argo.format.PrettyJsonFormatter().format(new argo.jdom.JdomParser().parse(text));",
    ),
    "javax.json": Java(
        ("org.glassfish:javax.json:1.1.4",),
        "org.glassfish.json",
        "javax.json.Json.createReader(new java.io.StringReader(text)).readValue().toString();",
    ),
    "autolink": Java(
        ("org.nibor.autolink:autolink:0.10.0",),
        "org.nibor.autolink",
        "for (org.nibor.autolink.LinkSpan link :"
        " org.nibor.autolink.LinkExtractor.builder().build().extractLinks(text)) {"
        " link.getType(); link.getBeginIndex(); link.getEndIndex(); }",
        "Url",
    ),
    "url-detector": Java(
        (
            "com.linkedin.urls:url-detector:0.1.17",
            "org.apache.commons:commons-lang3:3.12.0",
        ),
        "com.linkedin.urls",
        "for (com.linkedin.urls.Url url : new com.linkedin.urls.detection.UrlDetector(text,"
        " com.linkedin.urls.detection.UrlDetectorOptions.Default).detect()) {"
        " url.getHost(); url.getPath(); url.getQuery(); url.getFragment(); url.getPort();"
        " url.getUsername(); url.getPassword(); url.normalize().getFullUrl(); }",
        "Url",
    ),
    "rhino": Java(
        ("org.mozilla:rhino:1.7.13",),
        "org.mozilla.javascript",
        "org.mozilla.javascript.Context context = org.mozilla.javascript.Context.enter();"
        ' try { context.setOptimizationLevel(-1); context.compileString(text, "input", 1, null);'
        ' new org.mozilla.javascript.Parser().parse(text, "input", 1).toSource(); }'
        " finally { org.mozilla.javascript.Context.exit(); }",
        "JavaScript",
    ),
    "jackson-core": Java(
        ("com.fasterxml.jackson.core:jackson-core:2.11.2",),
        "com.fasterxml.jackson",
        "com.fasterxml.jackson.core.JsonFactory made ="
        " new com.fasterxml.jackson.core.JsonFactory();"
        " java.io.StringWriter to = new java.io.StringWriter();"
        " com.fasterxml.jackson.core.JsonGenerator generator = made.createGenerator(to);"
        " com.fasterxml.jackson.core.JsonParser parser = made.createParser(text);"
        " while (parser.nextToken() != null) { generator.copyCurrentEvent(parser); }",
    ),
}


def jar(coordinates: str) -> Path:
    """A jar from Maven Central, fetched once."""
    _, artifact, version, *classifier = coordinates.split(":")
    found = JARS / f"{'-'.join([artifact, version, *classifier[1:]])}.jar"
    if not found.is_file():
        JARS.mkdir(parents=True, exist_ok=True)
        plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
        command = ["mvn", "-q", "-B", plugin, f"-Dartifact={coordinates}"]
        subprocess.run([*command, f"-DoutputDirectory={JARS}"], check=True, cwd=JARS)
    return found


@dataclass(frozen=True)
class JavaProgram:
    """A Java subject that is watched by JaCoCo, in a JVM of its own."""

    subject: Java
    seconds: float = 10.0

    def executions(self, texts: Iterable[str]) -> Iterator[Execution]:
        """What each text executes, as gramspect watches it."""
        with tempfile.TemporaryDirectory() as folder:
            path = self.compiled(Path(folder), [folder, *map(str, self.subject.paths)])
            watched = Watched(f"{path}:Subject::run", (self.subject.package,), self.seconds)
            yield from watched.executions(texts)

    def compiled(self, folder: Path, path: Sequence[str], *others: Path) -> str:
        """Compile the call of the subject, and other sources; gives the class path."""
        source = folder / "Subject.java"
        source.write_text(
            "public final class Subject { public static void run(String text) throws Exception { "
            + self.subject.call
            + " } }"
        )
        joined = ":".join(path)
        compiling = ["javac", "-nowarn", "-cp", joined, "-d", str(folder)]
        subprocess.run([*compiling, str(source), *map(str, others)], check=True)
        return joined

    def started(self, folder: Path) -> subprocess.Popen[bytes]:
        """A JVM that waits for inputs and counts branches."""
        agent, *needed = [jar(each) for each in JACOCO]
        places = [agent, *needed, *self.subject.paths, folder]
        path = self.compiled(folder, [*map(str, places)], HERE / "Watcher.java")
        options = f"-javaagent:{agent}=output=none,includes={self.subject.package}.*"
        running = ["java", "-Xss8m", options, "-cp", path, "Watcher", str(self.subject.paths[0])]
        return subprocess.Popen(running, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def raised(process: subprocess.Popen[bytes], text: str) -> str:
    """The exception that one input raises, empty if none."""
    assert process.stdin is not None
    assert process.stdout is not None
    content = text.encode("utf-8")
    process.stdin.write(b"I" + len(content).to_bytes(4, "big") + content)
    process.stdin.flush()
    line = process.stdout.readline().decode("utf-8").rstrip("\n")
    if not line.startswith("R"):
        raise RuntimeError(f"the JVM has ended on {text!r}")
    return line[1:]


def branches(process: subprocess.Popen[bytes]) -> tuple[int, int]:
    """The branches that all inputs since the last call covered, and all that there are."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"F")
    process.stdin.flush()
    covered, total = process.stdout.readline().split()
    return int(covered), int(total)


APART = 1_000_000
"""Grammarinator makes each input with the seed plus its number, so seeds must lie far apart."""


def grammarinator(folder: Path, count: int, seed: int, grammar: str = "Json") -> list[str]:
    """Inputs that Grammarinator makes."""
    tools = Path(sys.executable).parent
    module = f"{grammar}Generator"
    if not (folder / f"{module}.py").exists():
        source = HERE / f"{grammar}.g4"
        made = [tools / "grammarinator-process", source, "-o", folder, "--no-actions"]
        subprocess.run(list(map(str, made)), check=True, capture_output=True)
    out = folder / f"inputs{grammar}{seed}"
    command = [
        tools / "grammarinator-generate", f"{module}.{module}", "-r", grammar.lower(), "-d", "30",
        "-n", count, "--random-seed", seed * APART, "--sys-path", folder, "-o", out / "%d",
    ]  # fmt: skip
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    return [(out / str(n)).read_bytes().decode("utf-8") for n in range(count)]


class Language:
    """A grammar over characters."""

    def __init__(self, k: int, grammar: str = "Json") -> None:
        source = str(HERE / f"{grammar}.g4")
        self.grammar: Grammar = load_parser(source, LoadOptions()).recognizer.grammar
        self.paths = Paths(self.grammar, k, compiled=True)
        self._tokens = {
            _character(symbol.display): symbol.index
            for symbol in self.grammar.terminals
            if symbol.display.startswith("'")
        }
        self._characters = {token: text for text, token in self._tokens.items()}
        self._end = self.grammar.token("EOF")
        self._known: dict[str, frozenset[int] | None] = {}

    def features(self, texts: Iterable[str]) -> list[frozenset[int] | None]:
        found = []
        for text in texts:
            if text not in self._known:
                self._known[text] = self.paths.of(self.tokens(text))
            found.append(self._known[text])
        return found

    def tokens(self, text: str) -> list[int]:
        found = [self._tokens.get(character, -1) for character in text]
        return found if self._end is None else [*found, self._end]

    def text(self, tokens: Iterable[int]) -> str:
        return "".join(self._characters.get(token, "") for token in tokens)


def _character(display: str) -> str:
    """What a literal of ANTLR stands for."""
    text = display[1:-1]
    return {"\\n": "\n", "\\t": "\t", "\\\\": "\\", "\\'": "'"}.get(text, text)


@dataclass(frozen=True)
class Recorded:
    """An observer of what has been seen already."""

    seen: Sequence[Execution]

    def observe(self, tests: Sequence[TestCase]) -> Iterator[Found]:
        for test in tests:
            one = self.seen[int(test.name)]
            targets = frozenset(Target(TargetKind.FUNCTIONS, name) for name in one.functions)
            yield Found(targets, one.lost)


WARMING = 50
"""How many inputs run before others count: the first ones also fill caches and load classes."""


def run(
    program: PythonProgram | JavaProgram, texts: Sequence[str]
) -> tuple[list[Execution], float]:
    """What each text executes after the first ones, and the seconds that it takes."""
    executions = program.executions([*WARM, *texts])
    for _ in WARM:
        next(executions)
    began = time.perf_counter()
    found = list(executions)
    return found, time.perf_counter() - began


WARM: list[str] = []


def processor_seconds() -> float:
    """What this process and those below it have used of the processor so far."""
    ticks, pending = 0, ["self"]
    while pending:
        for children in Path(f"/proc/{pending.pop()}/task").glob("*/children"):
            for child in children.read_text().split():
                fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
                pending.append(child)
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def speed(program: PythonProgram | JavaProgram, texts: Sequence[str]) -> tuple[float, float]:
    """Inputs in a second of the processor: of the first pass, and of the third."""
    executions = program.executions([*WARM, *texts, *texts, *texts])
    for _ in WARM:
        next(executions)
    rates = []
    for _ in range(3):
        began = processor_seconds()
        for _ in texts:
            next(executions)
        rates.append(len(texts) / (processor_seconds() - began))
    return rates[0], rates[-1]


def measured(
    name: str, program: PythonProgram | JavaProgram, language: Language, inputs: list[list[str]],
    n_made: int,
) -> str:  # fmt: skip
    """A line of the tables."""
    training, testing, pool = inputs
    seen, running = run(program, training)
    tests = [TestCase(str(n), Expectation.ACCEPT, text) for n, text in enumerate(training)]
    features = language.features(training)
    began = time.process_time()
    found = associate_inputs(language.paths, tests, features, Recorded(seen))
    learning = time.process_time() - began
    trainable = [
        one for one in found.model.associations.values()
        if 0 < one.counts.covering < found.model.inputs
    ]  # fmt: skip
    labelled = Labelled(language.paths)
    tested, _ = run(program, testing)
    unseen = list(zip(tested, language.features(testing), strict=True))
    has = [labelled.has(each or frozenset()) for _, each in unseen]
    quality = []
    for one in trainable:
        told = [one.foretold(each) for each in has]
        true = [one.target in each.functions for each, _ in unseen]
        both = sum(a and b for a, b in zip(told, true, strict=True))
        right = sum(a == b for a, b in zip(told, true, strict=True))
        quality.append(
            (
                right / len(true),
                both / sum(told) if any(told) else float(not any(true)),
                both / sum(true) if any(true) else 1.0,
            )
        )
    random = Random(0)
    wanted: list[str] = []
    spans: list[tuple[int, int]] = []
    unmade = 0
    for one in trainable:
        try:
            made = inputs_for(language.paths, one, n_made, random).derivations
        except GramspectError:
            unmade, made = unmade + 1, ()
        spans.append((len(wanted), len(wanted) + len(made)))
        wanted += [language.text(each.tokens) for each in made]
    reached, _ = run(program, wanted)
    drawn, _ = run(program, pool)
    ours, theirs = [], []
    for one, (first, end) in zip(trainable, spans, strict=True):
        ours.append([one.target in each.functions for each in reached[first:end]])
        others = random.sample(drawn, end - first)
        theirs.append([one.target in each.functions for each in others])
    at_random = [len(each.functions) for each in (*tested, *drawn)]
    on_purpose = [len(each.functions) for each in reached]
    accuracy, precision, recall = (mean(column) for column in zip(*quality, strict=True))
    cells = [
        name, len(found.model.associations), len(trainable),
        f"{accuracy:.3f}", f"{precision:.3f}", f"{recall:.3f}",
        f"{median(mean(each) if each else 0 for each in theirs):.3f}",
        f"{median(mean(each) if each else 0 for each in ours):.3f}",
        f"{mean(any(each) for each in theirs):.3f}", f"{mean(any(each) for each in ours):.3f}",
        f"{mean(mean(each) if each else 0 for each in theirs):.3f}",
        f"{mean(mean(each) if each else 0 for each in ours):.3f}",
        f"{median(at_random):g}", f"{mean(at_random):.1f}",
        f"{median(on_purpose):g}", f"{mean(on_purpose):.1f}",
        unmade, f"{len(training) / running:,.0f}", f"{learning:.1f}",
    ]  # fmt: skip
    return " | ".join(map(str, cells))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("subjects", nargs="*", default=[*PYTHON, *JAVA])
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--made", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-k", type=int, default=4)
    parser.add_argument("--speed", action="store_true")
    chosen = parser.parse_args()
    print(
        "subject | inputs a second of the processor, first pass | third"
        if chosen.speed
        else
        "subject | observed | trainable | accuracy | precision | recall | relative random |"
        " relative ours | absolute random | absolute ours | mean random | mean ours |"
        " functions random median | mean | functions ours median | mean |"
        " without input | inputs/s | learning s", flush=True,
    )  # fmt: skip
    for grammar in GRAMMARS:
        subjects = [
            name
            for name in chosen.subjects
            if (JAVA[name].grammar if name in JAVA else "Json") == grammar
        ]
        if not subjects:
            continue
        language = Language(chosen.k, grammar)
        with tempfile.TemporaryDirectory() as folder:
            inputs = [
                grammarinator(Path(folder), chosen.inputs, chosen.seed + n, grammar)
                for n in range(4)
            ]
        WARM[:] = inputs.pop()[:WARMING]
        for name in subjects:
            program = PYTHON[name] if name in PYTHON else JavaProgram(JAVA[name])
            if chosen.speed:
                first, third = speed(program, inputs[0])
                print(f"{name} | {first:,.0f} | {third:,.0f}", flush=True)
                continue
            print(measured(name, program, language, inputs, chosen.made), flush=True)


if __name__ == "__main__":
    main()
