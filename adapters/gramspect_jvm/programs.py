"""Java programs that are watched: which of their methods an input executes.

The program runs in a JVM of its own, with JaCoCo's probes in its classes (the Java class
``org.gramspect.coverage.Watcher``), so an input that ends the JVM, or on which the program never
ends, costs that input and a new JVM.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from select import select
from typing import IO

from gramspect.adapter_api import Execution, GramspectError, how_it_ended
from gramspect_jvm.classpath import parse_classpath
from gramspect_jvm.locating import jar, java

__all__ = ["JavaProgram", "JavaPrograms", "programs"]

LOADING = 60.0
"""Seconds that a program may take to load."""

_WATCHER = "org.gramspect.coverage.Watcher"
_OPTIONS = (
    *("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g"),
    *("-XX:+DisplayVMOutputToStderr", "-XX:ErrorFile=/dev/null"),
)
"""A JVM that starts quickly: most inputs take less than a millisecond.

With a bound of its memory, an input that needs more and more soon ends with an OutOfMemoryError,
and other programs keep theirs; by default a JVM takes a quarter of the machine's.
``_JAVA_OPTIONS`` overrides it. If native code crashes the JVM, it says so at length on the standard
output, where the answers are, and in a file in the current folder, unless it is told not to.
"""


@dataclass(frozen=True)
class JavaProgram:
    """A method of one text in a Java program, and the code that is watched while it runs.

    Args:
        name: ``lib.jar:p.Class::method``, with as many places before the class as are needed.
        packages: the packages or classes that are watched; by default those of the first place.
        seconds: how long an input may take.
    """

    name: str
    packages: tuple[str, ...] = ()
    seconds: float = 10.0

    @property
    def tells(self) -> frozenset[str]:
        """What it tells of an execution."""
        return frozenset({"functions", "exceptions"})

    def executions(self, texts: Iterable[str]) -> Iterator[Execution]:
        """What each text executes, in order.

        Raises:
            GramspectError: there is no such method or no JVM.
        """
        running: _Running | None = None
        try:
            for text in texts:
                if running is None:
                    running = _Running(self)
                found = running.execution(text)
                if found.lost is not None:
                    running.kill()
                    running = None
                yield found
        finally:
            if running is not None:
                running.kill()

    def command(self) -> list[str]:
        """What starts the JVM."""
        places, _, method = self.name.replace("::", "\0").rpartition(":")
        method = method.replace("\0", "::")
        if not places or not all(method.partition("::")[::2]):
            raise GramspectError(
                f"{self.name}: is no method; write PLACE:p.Class::method, where PLACE is a jar or a"
                " folder of classes"
            )
        classpath = parse_classpath(places.replace("\0", "::"))
        jvm = [str(java()), *_OPTIONS, "-cp", str(jar())]
        return [*jvm, _WATCHER, method, os.pathsep.join(classpath), *self.packages]


class JavaPrograms:
    """What gramspect asks who watches Java programs."""

    def claims(self, name: str) -> bool:
        """Whether that is how a Java method is named."""
        return "::" in name or ".jar:" in name

    def program(self, name: str, packages: tuple[str, ...], seconds: float) -> JavaProgram:
        """The program of that name."""
        return JavaProgram(name, packages, seconds)


programs = JavaPrograms()


class _Running:
    """A JVM that waits for inputs."""

    def __init__(self, program: JavaProgram) -> None:
        self._seconds = program.seconds
        self._names: list[str] = []
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  (`kill` closes it)
        self._process = subprocess.Popen(
            program.command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            bufsize=0,
            start_new_session=True,
        )
        self._rest = b""
        try:
            first = self._line(LOADING) or f"E it is not loaded in {LOADING:g} s"
        except EOFError:
            self._said.seek(0)
            said = self._said.read().decode("utf-8", "replace").strip()
            first = f"E the JVM does not start: {said.partition(chr(10))[0]}"
        if first != "S":
            self.kill()
            raise GramspectError(f"{program.name}: {first[2:]}")

    def execution(self, text: str) -> Execution:
        """What one input executes; if that is lost, the JVM must be started again."""
        content = text.encode("utf-8", "surrogatepass")
        began = time.monotonic()
        try:
            self._stream(self._process.stdin).write(len(content).to_bytes(4, "big") + content)
            while (line := self._line(self._seconds - time.monotonic() + began)) is not None:
                if line.startswith("M "):
                    self._names.append(line[2:])
                    continue
                if not line.startswith("R") or "\t" not in line:
                    continue  # native code has printed something
                numbers, _, raised = line[1:].partition("\t")
                executed = frozenset(self._names[int(number)] for number in numbers.split())
                return Execution(executed, raised=raised or None)
        except (EOFError, OSError):
            return Execution(lost=f"the program ended ({how_it_ended(self._process.wait())})")
        return Execution(lost=f"the program did not end in {self._seconds:g} s")

    def kill(self) -> None:
        """End the JVM."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._said):
            self._stream(stream).close()

    def _line(self, seconds: float) -> str | None:
        """The next line; None if there is none in so many seconds.

        Raises:
            EOFError: the JVM has ended.
        """
        out = self._stream(self._process.stdout)
        deadline = time.monotonic() + seconds
        while b"\n" not in self._rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select([out], [], [], left)[0]:
                return None
            chunk = os.read(out.fileno(), 1 << 16)
            if not chunk:
                raise EOFError
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace")

    @staticmethod
    def _stream(stream: IO[bytes] | None) -> IO[bytes]:
        assert stream is not None
        return stream
