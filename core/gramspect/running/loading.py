"""Loads what the user names: by an adapter, and again in other processes."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from gramspect.errors import AdapterError, MissingDependency
from gramspect.recognition.recognizer import Adapter, CodeRunning, LoadOptions, Recognizer
from gramspect.recognition.registry import adapter as adapter_named
from gramspect.recognition.registry import adapter_for, check_options, claiming
from gramspect.recognition.surroundings import modules_first_in
from gramspect.running.alarm import TimeIsUp, until
from gramspect.running.hosts import is_expendable, too_slow
from gramspect.running.observing import silenced
from gramspect.running.options import Loader

if TYPE_CHECKING:
    from gramspect.running.isolated import IsolatedRecognizer

__all__ = ["LoadSpec", "Loaded", "load_parser", "runs_code", "spec_of"]


@dataclass(frozen=True, slots=True)
class LoadSpec:
    """A recognizer by the names of its adapter and source; calling it loads the recognizer.

    If that runs the user's Python code, it is in another process (`gramspect.running.isolated`),
    unless this one is there for that.

    Raises:
        AdapterError: there is no such adapter, it cannot load the source, that takes too long, or
            an option is unknown.
        GrammarError: the source's grammar is broken.
        MissingDependency: something the adapter needs is not installed.
    """

    adapter: str
    source: str
    options: LoadOptions = field(default_factory=LoadOptions)
    homes: tuple[str, ...] = ()
    """Folders where modules are looked for first, and not among those that are loaded."""

    def __call__(self) -> Recognizer:
        found = adapter_named(self.adapter)
        missing = found.missing()
        if missing is not None:
            raise MissingDependency(missing)
        check_options(found, self.options)
        if not is_expendable() and runs_code(found, self.source, self.options):
            return _isolated(self.source, self.options, self.adapter, self.homes)
        with modules_first_in(self.homes):
            return _loaded_in_time(found, self.source, self.options)


def runs_code(found: Adapter, source: str, options: LoadOptions) -> bool:
    """Whether loading that source, or parsing with it, runs Python code of the user."""
    return isinstance(found, CodeRunning) and found.runs_code(source, options)


def _loaded_in_time(found: Adapter, source: str, options: LoadOptions) -> Recognizer:
    deadline = time.monotonic() + options.seconds
    try:
        with until(deadline):
            return found.load(source, options)
    except TimeIsUp:
        if time.monotonic() < deadline:  # it is somebody else's alarm
            raise
        raise AdapterError(too_slow(source, options.seconds)) from None
    except RecursionError:
        raise AdapterError(
            f"{source}: it is nested too deeply to be loaded; give deeply nested parts names"
        ) from None


def _isolated(
    source: str, options: LoadOptions, adapter: str | None, homes: tuple[str, ...] = ()
) -> IsolatedRecognizer:
    from gramspect.running.isolated import isolated

    return isolated(source, _LoadNamed(source, options, adapter, homes), options.seconds)


@dataclass(frozen=True, slots=True)
class _LoadNamed:
    """Loads a source in the process where it is called; without a name, by the adapter that wants
    what the user's code has made."""

    source: str
    options: LoadOptions
    adapter: str | None
    homes: tuple[str, ...] = ()

    def __call__(self) -> tuple[str, Recognizer]:
        name = self.adapter or adapter_for(self.source).name
        return name, LoadSpec(name, self.source, self.options, self.homes)()


class Loaded(NamedTuple):
    """A recognizer, the name of the adapter that it is from, and what makes it again."""

    recognizer: Recognizer
    adapter: str | None
    loader: Loader | None


def load_parser(
    source: str | os.PathLike[str] | Recognizer,
    options: LoadOptions,
    loader: Loader | None = None,
) -> Loaded:
    """The recognizer of a source; one that is given is taken as it is, with its `loader`.

    Raises:
        GramspectError: the source cannot be used.
    """
    if not isinstance(source, str | os.PathLike):
        return Loaded(source, options.adapter, loader)
    source = os.fspath(source)
    with silenced():
        name = options.adapter
        if name is None and (is_expendable() or len(claiming(source)) == 1):
            name = adapter_for(source).name
        if name is not None:
            loader = LoadSpec(name, source, options)
            return Loaded(loader(), name, loader)
        recognizer = _isolated(source, options, None)
        return Loaded(recognizer, recognizer.adapter, LoadSpec(recognizer.adapter, source, options))


def spec_of(source: str, options: LoadOptions) -> LoadSpec:
    """The same without the recognizer, if which adapter it is does not depend on the user's code.

    Raises:
        GramspectError: no adapter takes the source, or its code cannot be run.
    """
    if options.adapter is not None:
        return LoadSpec(options.adapter, source, options)
    found = claiming(source)
    if len(found) == 1:
        return LoadSpec(found[0].name, source, options)
    loader = load_parser(source, options).loader
    assert isinstance(loader, LoadSpec)
    return loader
