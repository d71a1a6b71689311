"""Measures the language server: how soon what a save says is shown, and its memory over many saves.

    python benchmarks/language_server.py [SAVES]

The grammar is `sql_like`, written for Lark and parsed by LALR(1), with 200 generated tests and one
fault. After each save the fault is another one. Times are from the editor's message to the first
diagnostics, and to the end of the run, when repairs are offered; memory is the resident set of the
server, without the runs. The memory is that after many saves, of which one in ten waits for its
diagnostics; the others come so soon that the next one ends their runs.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import statistics
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from lsprotocol import types
from pygls.lsp.client import LanguageClient

import sql_like
from gramspect import Grammar, LoadOptions, Plan, TestSuite, generate, localize

TESTS = 200
SAVES = 200
TIMED = 11
TO_THE_END = 1
SOON = 0.4
FAULTS = (
    (" | source CROSS JOIN source_primary", ""),
    ("from_part:  | FROM sources", "from_part: FROM sources"),
    ("when: WHEN expr THEN expr", "when: WHEN expr"),
)
"""Texts of the grammar, and what they become."""
LEFT_OUT = (
    ("query_primary", ["'('", "query", "')'"]),  # Lark's tables would be ambiguous
    *(("statement", [name]) for name in ("alter", "drop", "procedural", "session", "grant")),
)
"""Rules without which the others are about 400."""
TEXTS = {"ID": "x", "NUMBER": "1", "STRING": "'s'"}
PATTERNS = {"ID": "/[a-z]+/", "NUMBER": "/[0-9]+/", "STRING": "/'[^']*'/"}


def rules() -> list[tuple[str, list[str]]]:
    """The first rules that hang together without `LEFT_OUT`."""
    known = [rule for rule in sql_like.rules() if rule not in LEFT_OUT]
    reached, pending = set(), [known[0][0]]
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending += (symbol for lhs, rhs in known if lhs == name for symbol in rhs)
    return [rule for rule in known if rule[0] in reached]


def lark_grammar() -> str:
    """The grammar in Lark's notation, its start symbol first."""
    lines: dict[str, list[str]] = {}
    for lhs, rhs in rules():
        lines.setdefault(lhs, []).append(" ".join(map(_symbol, rhs)))
    first = next(iter(lines))
    tokens = {word for _, rhs in rules() for word in rhs if word.isupper()}
    return "\n".join(
        [
            f"start: {first}",
            *(f"{lhs}: {' | '.join(alternatives)}" for lhs, alternatives in lines.items()),
            *(f"{name}: {PATTERNS.get(name, _quoted(name.lower()))}" for name in sorted(tokens)),
            "%ignore /\\s+/\n",
        ]
    )


def _symbol(word: str) -> str:
    return _quoted(word[1:-1]) if word[0] == "'" else word


def _quoted(text: str) -> str:
    return f'"{text}"'


def tests() -> Iterator[str]:
    """Sentences of the grammar, in an order without meaning."""
    grammar = Grammar.from_rules(rules(), name="sql_like")
    made = list(generate(grammar, Plan(criteria=("cdrc",), distinct=True)))
    random.Random(1).shuffle(made)
    for test in made:
        names = [grammar.symbols[token].name for token in test.tokens]
        yield " ".join(TEXTS.get(n, n[1:-1] if n[0] == "'" else n.lower()) for n in names)


class Editor(LanguageClient):
    """A client that knows when something was shown."""

    def __init__(self) -> None:
        super().__init__("benchmark", "1")
        self.shown = asyncio.Event()
        self.ended = asyncio.Event()
        self.version = 1

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _published(params: types.PublishDiagnosticsParams) -> None:
            if params.diagnostics and params.uri.endswith((".lark", ".toml")):
                self.shown.set()

        @self.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def _created(_: types.WorkDoneProgressCreateParams) -> None:
            pass

        @self.feature(types.PROGRESS)
        def _progress(params: types.ProgressParams) -> None:
            if params.value["kind"] == "end":
                self.ended.set()

    def changed(self, path: Path, text: str) -> float:
        """Save another text; when that was."""
        self.shown.clear()
        self.ended.clear()
        path.write_text(text, encoding="utf-8")
        self.version += 1
        state = types.VersionedTextDocumentIdentifier(uri=path.as_uri(), version=self.version)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(types.DidChangeTextDocumentParams(state, [change]))
        named = types.TextDocumentIdentifier(path.as_uri())
        self.text_document_did_save(types.DidSaveTextDocumentParams(named))
        return time.monotonic()


def write_project(folder: Path) -> Path:
    """The grammar, its tests and the configuration; the tests are those that it accepts."""
    grammar = folder / "sql.lark"
    grammar.write_text(lark_grammar(), encoding="utf-8")
    (folder / "tests").mkdir()
    for number, text in enumerate(islice(tests(), 2 * TESTS)):
        (folder / "tests" / f"{number:03}.sql").write_text(text, encoding="utf-8")
    suite = TestSuite.load(accept=[folder / "tests"])
    load = LoadOptions(adapter="lark-lalr")
    wrong = {
        one.test.name for one in localize(str(grammar), suite, load=load, confirm=None).failing
    }
    right = [test for test in suite if test.name not in wrong]
    for test in [*right[TESTS:], *(test for test in suite if test.name in wrong)]:
        Path(test.name).unlink()
    lines = ('grammar = "sql.lark"', 'adapter = "lark-lalr"', 'accept = ["tests"]')
    (folder / "gramspect.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return grammar


def faulty(text: str, number: int) -> str:
    right, wrong = FAULTS[number % len(FAULTS)]
    assert right in text, right
    return text.replace(right, wrong)


def resident(pid: int) -> float:
    """The resident set in megabytes."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(encoding="utf-8"))
    assert found
    return int(found[1]) / 1024


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8")
    return [int(word) for word in text.split()]


def processor_time(pid: int) -> float:
    """The seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measured(grammar: Path, saves: int) -> None:
    text = grammar.read_text(encoding="utf-8")
    n_rules, n_tests = len(rules()), len(list((grammar.parent / "tests").iterdir()))
    print(f"{n_rules} rules, {n_tests} tests, load {os.getloadavg()[0]:.1f}")
    client = Editor()
    begin = time.monotonic()
    await client.start_io(sys.executable, "-m", "gramspect", "lsp")
    assert client._server is not None
    pid = client._server.pid
    window = types.WindowClientCapabilities(work_done_progress=True)
    await client.initialize_async(
        types.InitializeParams(capabilities=types.ClientCapabilities(window=window))
    )
    client.initialized(types.InitializedParams())
    grammar.write_text(faulty(text, 0), encoding="utf-8")
    item = types.TextDocumentItem(grammar.as_uri(), "lark", 1, faulty(text, 0))
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await client.shown.wait()
    print(f"first diagnostics {time.monotonic() - begin:.2f} s after the start of the server")
    await client.ended.wait()
    print(f"their repairs {time.monotonic() - begin:.2f} s after it")
    firsts, ends, used = [], [], []
    for number in range(1, 1 + TIMED):
        before = {run: processor_time(run) for run in children(pid)}
        begin = client.changed(grammar, faulty(text, number))
        await client.shown.wait()
        firsts.append(time.monotonic() - begin)
        used.append(sum(processor_time(run) - before.get(run, 0) for run in children(pid)))
        if number <= TO_THE_END:
            await client.ended.wait()
            ends.append(time.monotonic() - begin)
    uses = (("diagnostics", firsts), ("processor time until then", used), ("repairs", ends))
    for what, found in uses:
        low, middle, high = min(found), statistics.median(found), max(found)
        print(f"later {what}: {middle:.2f} s (median of {len(found)}, {low:.2f} to {high:.2f})")
    memory = [resident(pid)]
    for number in range(saves):
        client.changed(grammar, faulty(text, number))
        if number % 10 == 9:
            await client.shown.wait()
        else:
            await asyncio.sleep(SOON)
        memory.append(resident(pid))
    print(
        "memory after every 50 saves (MB):",
        *(f"{memory[n]:.0f}" for n in range(0, len(memory), 50)),
    )
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()


def main() -> None:
    saves = int(sys.argv[1]) if len(sys.argv) > 1 else SAVES
    with TemporaryDirectory() as folder:
        asyncio.run(measured(write_project(Path(folder)), saves))


if __name__ == "__main__":
    main()
