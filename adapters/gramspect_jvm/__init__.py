"""The one JVM of a process, and gramspect's Java classes in it.

A JVM cannot be started twice in a process, so everything that needs Java asks here. Importing this
package starts nothing.
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from typing import Any

from gramspect.adapter_api import (
    AdapterError,
    GramspectError,
    MissingDependency,
    cancelled_by,
)
from gramspect_jvm.classpath import parse_classpath, place_and_class
from gramspect_jvm.locating import agent, jar, jvm_library

__all__ = [
    "agent",
    "for_java",
    "from_java",
    "java_class",
    "java_memory",
    "missing",
    "parse_classpath",
    "place_and_class",
    "start",
]

_SURROGATE = re.compile("[\ud800-\udfff]")

_LATE_OPTIMIZATION = (
    "-XX:Tier4InvocationThreshold=50000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000",
    "-XX:Tier4BackEdgeThreshold=400000",
)
"""Ten times the usual: a run of some seconds ends before the optimizing compiler has paid off."""

INSTALL = 'pip install "gramspect[antlr]"'


def missing() -> str | None:
    """None if a JVM could be started, else what to do. Starts nothing."""
    if find_spec("jpype") is None:
        return f"JPype is not installed: {INSTALL}"
    try:
        jvm_library()
        jar()
    except GramspectError as problem:
        return str(problem)
    return None


@cache
def start() -> None:
    """Start the JVM unless it runs.

    Raises:
        MissingDependency: JPype, a JVM or gramspect's jar is missing.
        AdapterError: the JVM does not start, or somebody else has started it without our jar and
            the jar cannot be added.
    """
    if find_spec("jpype") is None:
        raise MissingDependency(f"JPype is not installed: {INSTALL}")
    import jpype

    archive = str(jar())
    if jpype.isJVMStarted():
        jpype.addClassPath(archive)
        return
    library = str(jvm_library())
    try:
        jpype.startJVM(
            library,
            "-XX:+UseSerialGC",
            *_LATE_OPTIMIZATION,
            "--enable-native-access=ALL-UNNAMED",  # JPype's; newer releases warn of it
            classpath=[archive],
            convertStrings=False,
        )
    except (OSError, RuntimeError, ValueError) as problem:
        raise AdapterError(f"the JVM {library} does not start: {problem}") from problem
    atexit.register(_do_not_wait_for_threads)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_ask_nothing_of_java)
    cancelled_by(lambda wanted: jpype.JClass("org.gramspect.isolation.Cancellation").set(wanted))


def _ask_nothing_of_java() -> None:
    """Keep JPype out of imports and garbage collection in a forked process: no JVM runs there.

    It asks the JVM about every module that Python does not find, such as a parser's optional ones,
    and has it collect garbage when Python does, for which the process would wait for ever.
    """
    finders = [one for one in sys.meta_path if type(one).__module__ != "jpype.imports"]
    sys.meta_path[:] = finders
    gc.callbacks[:] = [one for one in gc.callbacks if getattr(one, "__module__", None) != "_jpype"]


def _do_not_wait_for_threads() -> None:
    """Choose how the JVM ends: one that is destroyed waits for threads that user code left running.

    One that is not destroyed does not stop JPype's own threads, so that is the exception.
    """
    import jpype
    import jpype.config

    threads = jpype.JClass("java.lang.Thread").getAllStackTraces().keySet()
    current = jpype.JClass("java.lang.Thread").currentThread()
    if any(thread != current and not thread.isDaemon() for thread in threads):
        jpype.config.destroy_jvm = False


def for_java(text: str) -> str:
    """A text of the same length that Java takes: it takes no half of a surrogate pair."""
    return text if text.isascii() else _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def from_java(text: Any) -> str:
    """A string of Java's, in which halves of surrogate pairs are replaced."""
    try:
        return str(text)
    except UnicodeDecodeError:
        return bytes(text.getBytes("UTF-16LE")).decode("utf-16-le")


@contextmanager
def java_memory() -> Iterator[None]:
    """Turn Java's out-of-memory error, which may come from anywhere in the JVM, into Python's.

    Raises:
        MemoryError: the JVM has too little memory for what is done here.
    """
    import jpype

    try:
        yield
    except jpype.JException as problem:
        if isinstance(problem, jpype.JClass("java.lang.OutOfMemoryError")):
            raise MemoryError("the parse needs more memory than the JVM has") from problem
        raise


def java_class(name: str) -> Any:
    """One of gramspect's Java classes; starts the JVM if need be.

    Raises:
        MissingDependency: see `start`.
        AdapterError: the JVM does not start, or is too old for the class.
    """
    start()
    import jpype

    try:
        return jpype.JClass(name)
    except (TypeError, jpype.JException) as problem:
        raise AdapterError(f"the Java class {name} does not load: {problem}") from problem
