"""The pytest plugin: ``pytest --gramspect package.module:parser`` records the parses of each test.

It is off unless that option is given, and imports nothing of gramspect until then. With
pytest-xdist the workers record, each into a file of its own, and the process that leads them puts
the files together.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from gramspect.grammar_coverage.counts import CountedCoverage
    from gramspect.recognition.recognizer import LoadOptions
    from gramspect.recordings.format import Line
    from gramspect.recordings.reading import RecordedRun
    from gramspect.recordings.recorder import Recorder
    from gramspect.recordings.suites import RecordedGrammar
    from gramspect.recordings.writing import RunWriter
    from gramspect.running.options import RunOptions
    from gramspect.suites.suite import Expectation, TestSuite

    Recorded = tuple[RecordedGrammar, TestSuite, LoadOptions, RunOptions]

__all__: list[str] = []

_FILE = "run.gsp"
_TOP = 5
"""How many positions and gaps are shown."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("gramspect", "what tests say about a grammar")
    group.addoption(
        "--gramspect",
        metavar="PARSER",
        help="Record the parses of this parser: module:object, as for gramspect localize.",
    )
    group.addoption(
        "--gramspect-out",
        metavar="FILE",
        default=_FILE,
        help="Where the run is recorded, for gramspect localize --spectra FILE [%(default)s].",
    )
    group.addoption(
        "--gramspect-fail-under",
        metavar="PERCENT",
        type=float,
        help="Fail if less of the alternatives of the grammar is covered.",
    )
    group.addoption("--gramspect-adapter", metavar="NAME", help="Adapter to use.")
    group.addoption("--gramspect-start", metavar="SYMBOL", help="The start symbol.")
    group.addoption(
        "--gramspect-no-texts", action="store_true", help="Leave the inputs out of the file."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark, and with the option what records and what concludes."""
    config.addinivalue_line(
        "markers",
        'gramspect(expect): what all parses in the test should do, "accept" or "reject"',
    )
    if config.getoption("--gramspect") is None:
        return
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    if worker is not None:
        out = Path(f"{worker['gramspect_out']}.{worker['workerid']}")
        config.pluginmanager.register(Recording(config, out))
        return
    out = Path(config.getoption("--gramspect-out")).absolute()
    # What concludes comes first: of the hooks at the end, those that come later run earlier.
    config.pluginmanager.register(Concluding(config, out))
    if config.getoption("numprocesses", None) is None:
        config.pluginmanager.register(Recording(config, out))


class Recording:
    """Records the tests that run in this process."""

    def __init__(self, config: pytest.Config, out: Path) -> None:
        self._config, self._out = config, out
        self._recorder: Recorder | None = None
        self._writer: RunWriter | None = None
        self._outcomes: dict[str, str] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """The tests can be imported, so the parser can be, too."""
        from gramspect.errors import GramspectError
        from gramspect.recognition.recognizer import LoadOptions
        from gramspect.recordings.recorder import Recorder
        from gramspect.recordings.writing import RunWriter

        for item in session.items:
            expected(item)
        option = self._config.getoption
        load = LoadOptions(option("--gramspect-start"), adapter=option("--gramspect-adapter"))
        texts = not option("--gramspect-no-texts")
        try:
            self._recorder = Recorder(option("--gramspect"), self._take, load, texts=texts)
            self._writer = RunWriter(str(self._out), self._recorder.header)
        except GramspectError as problem:
            raise pytest.UsageError(f"--gramspect: {problem}") from problem

    def _take(self, line: Line) -> None:
        if self._writer is not None:
            self._writer.write(line)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Parses from here on are in the test."""
        from gramspect.recordings.format import Outcome, TestLine

        if self._recorder is None:
            return (yield)
        self._recorder.test = item.nodeid
        try:
            return (yield)
        finally:
            self._recorder.test = None
            outcome = self._outcomes.pop(item.nodeid, Outcome.SKIPPED)
            self._take(TestLine(item.nodeid, outcome, expected(item)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """How a test ended: in its call, or before it. What fails after it is no parse of it."""
        if report.when == "call" or (report.when == "setup" and not report.passed):
            said = "skipped" if hasattr(report, "wasxfail") else report.outcome
            self._outcomes[report.nodeid] = said

    def pytest_sessionfinish(self) -> None:
        """Leave the parser alone."""
        if self._recorder is not None:
            self._recorder.close()
        if self._writer is not None:
            self._writer.close()


def expected(item: pytest.Item) -> Expectation | None:
    """What a test expects of its parses, if a mark says so.

    Raises:
        UsageError: the mark says something else.
    """
    from gramspect.suites.suite import Expectation

    mark = item.get_closest_marker("gramspect")
    if mark is None:
        return None
    if mark.args or mark.kwargs.get("expect") not in list(Expectation) or len(mark.kwargs) > 1:
        raise pytest.UsageError(
            f'{item.nodeid}: the mark is gramspect(expect="accept") or gramspect(expect="reject")'
        )
    return Expectation(mark.kwargs["expect"])


class Concluding:
    """Looks at what was recorded when all tests have run."""

    def __init__(self, config: pytest.Config, out: Path) -> None:
        self._config, self._out = config, out
        for old in (out, *self._parts()):
            old.unlink(missing_ok=True)
        self._below: str | None = None

    def _parts(self) -> list[Path]:
        """The files of workers."""
        return sorted(self._out.parent.glob(f"{self._out.name}.gw*"))

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """A worker writes beside the file of the run."""
        node.workerinput["gramspect_out"] = str(self._out)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Put the files of workers together, and look at the limit."""
        from gramspect.errors import GramspectError
        from gramspect.recordings.merging import merge_runs

        parts = self._parts()
        limit: float | None = self._config.getoption("--gramspect-fail-under")
        try:
            if parts:
                merge_runs(parts, self._out)
            if limit is not None:
                self._below = self._what_is_missing(limit)
        except GramspectError as problem:
            self._below = None if limit is None else str(problem)
        for part in parts:
            part.unlink()
        if self._below is not None and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _what_is_missing(self, limit: float) -> str | None:
        percent = self._coverage.percent
        return None if percent >= limit else f"{percent:.1f} % are covered, less than {limit:g} %"

    @cached_property
    def _coverage(self) -> CountedCoverage:
        """The coverage by what was recorded, with little that is imported for it."""
        from gramspect.grammar_coverage.counts import CountedCoverage
        from gramspect.recognition.trace import Extraction
        from gramspect.running.recording import record

        source, suite, load, run = self._recorded(judged=False)
        recording = record(source, suite, Extraction.EXACT, (), run)
        observations = [(run.recorded or {})[test.name] for test in suite]
        return CountedCoverage(
            source.grammar,
            suite,
            load.adapter,
            observations,
            recording.failing,
            recording.undecided,
        )

    @cached_property
    def _run(self) -> RecordedRun:
        """What was recorded, when the files of workers have been put together."""
        from gramspect.recordings.reading import read_run

        return read_run(self._out)

    def _recorded(self, *, judged: bool) -> Recorded:
        from gramspect.recognition.recognizer import LoadOptions
        from gramspect.recordings.suites import RecordedGrammar, recorded_suite
        from gramspect.running.options import RunOptions

        found = recorded_suite([self._run], judged=judged)
        load = LoadOptions(adapter=self._run.header.adapter)
        options = RunOptions(recorded=found.observations)
        return RecordedGrammar(found.grammar), found.suite, load, options

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Coverage, and if tests failed the ranking."""
        from gramspect.errors import GramspectError

        terminalreporter.section(f"gramspect: {self._config.getoption('--gramspect')}")
        try:
            for line in self._summary():
                terminalreporter.write_line(line)
        except GramspectError as problem:
            terminalreporter.write_line(str(problem))
        if self._below is not None:
            terminalreporter.write_line(f"FAILED --gramspect-fail-under: {self._below}", red=True)

    def _summary(self) -> Iterator[str]:
        from gramspect.errors import SuiteError
        from gramspect.report.coverage_text import coverage_lines
        from gramspect.report.words import plain

        if not self._out.exists():
            yield "nothing was recorded"
            return
        yield plain(coverage_lines(self._coverage, _TOP)).rstrip("\n")
        yield ""
        file = self._shown(self._out)
        try:
            judged = self._recorded(judged=True)
        except SuiteError:  # only skipped tests have parsed
            yield f"recorded in {file}"
            return
        ranking = _ranking(judged)
        if ranking:
            yield ranking
            yield ""
            yield f"recorded in {file}; gramspect suggest --spectra {file} looks for repairs"
        else:
            yield f"recorded in {file}"

    def _shown(self, path: Path) -> str:
        here = self._config.invocation_params.dir
        return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _ranking(recorded: Recorded) -> str:
    """The report on failing tests; "" if none fails, for which little is imported."""
    from gramspect.recognition.trace import Extraction
    from gramspect.running.recording import record

    source, suite, load, run = recorded
    if not record(source, suite, Extraction.EXACT, (), run).failing_numbers:
        return ""
    from gramspect.localization.localize import localize
    from gramspect.report.text import report_lines
    from gramspect.report.words import plain

    result = localize(source, suite, load=load, run=run)
    return plain(report_lines(result, _TOP)).rstrip("\n")
