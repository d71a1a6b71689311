"""Loads what the user names: by an adapter, and again in other processes."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import NamedTuple

from gramspect.errors import MissingDependency
from gramspect.recognition.recognizer import (
    LoadOptions,
    Recognizer,
    adapter_for,
    check_options,
)
from gramspect.recognition.recognizer import adapter as adapter_named
from gramspect.running.observing import silenced
from gramspect.running.options import Loader

__all__ = ["LoadSpec", "Loaded", "load_parser"]


@dataclass(frozen=True, slots=True)
class LoadSpec:
    """A recognizer by the names of its adapter and source; calling it loads the recognizer.

    Raises:
        AdapterError: there is no such adapter, it cannot load the source, or an option is unknown.
        GrammarError: the source's grammar is broken.
        MissingDependency: something the adapter needs is not installed.
    """

    adapter: str
    source: str
    options: LoadOptions = field(default_factory=LoadOptions)

    def __call__(self) -> Recognizer:
        found = adapter_named(self.adapter)
        missing = found.missing()
        if missing is not None:
            raise MissingDependency(missing)
        check_options(found, self.options)
        return found.load(self.source, self.options)


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
        name = options.adapter or adapter_for(source).name
        loader = LoadSpec(name, source, options)
        return Loaded(loader(), name, loader)
