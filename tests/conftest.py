"""What all tests share: the command line, and Hypothesis profiles (``--hypothesis-profile``).

`default` looks at a few new examples each time, `ci` at more, which are always the same, and
`thorough` at very many.
"""

import gc
import os
import signal
import sys
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings

from command import Command
from jars import BRIEF

# The JVMs of tests, also those of processes that tests start.
os.environ["JAVA_TOOL_OPTIONS"] = BRIEF

# Tests start thousands of processes: each module is compiled once, whatever the environment says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# No deadline: how long an example takes depends on the machine and its load.
settings.register_profile(
    "default",
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.register_profile("ci", settings.get_profile("default"), max_examples=40, derandomize=True)
settings.register_profile("thorough", settings.get_profile("default"), max_examples=20_000)
settings.load_profile("default")

# A shell starts what it runs in the background with interrupts ignored, and that is inherited.
# Tests of interrupts, here and in processes of their own, would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


LIVELY = 50_000
"""New objects after which the garbage collector looks for garbage; Python's own number is 700."""


SAMPLED = (
    "adapters/", "core/test_asked_texts.py", "core/test_conformance_kit.py",
    "core/test_unread.py", "core/lexer_faults/test_forms.py",
)  # fmt: skip
"""Tests of adapters, and others that run real tools for each case."""

JAVA = tuple(f"adapters/{name}/" for name in ("agent", "antlr", "cup", "javacc", "jvm"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests of Java's tools last, and one case of those that run real tools.

    Parsers of users run in forks of this process, and a fork costs by what the process has in
    memory, which is several times as much once it has a JVM. All but the first case of each test
    in `SAMPLED` are slow ones (``make test-all``).
    """
    items.sort(key=lambda item: _path(item).startswith(JAVA))
    seen: set[str] = set()
    for item in items:
        function, _, case = item.nodeid.partition("[")
        if case and _path(item).startswith(SAMPLED) and function in seen:
            item.add_marker(pytest.mark.slow)
        seen.add(function)


def _path(item: pytest.Item) -> str:
    return item.nodeid.removeprefix("tests/")


def pytest_collection_finish() -> None:
    """Spare the collector what stays to the end: all modules and tests, and what tests share.

    It would look through them again and again, here and in each fork: a seventh of all work.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(LIVELY)


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command line, in this process."""
    monkeypatch.delenv("GRAMSPECT_DEBUG", raising=False)
    return Command(capsys, monkeypatch)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says what was skipped: a line for each reason."""
    skipped = terminalreporter.stats.get("skipped", ())
    for reason, n in Counter(report.longrepr[2] for report in skipped).items():
        terminalreporter.write_line(f"{n} tests left out: {reason.removeprefix('Skipped: ')}")
