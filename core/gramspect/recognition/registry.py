"""The adapters that are installed, and which of them a source belongs to.

Adapters register under the entry-point group ``gramspect.adapters``; the entry point is an
object (or module) with the attributes of `Adapter`. A third party can ship one the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from gramspect.errors import AdapterError, GramspectError, NoSuchFile
from gramspect.recognition.recognizer import (
    Adapter,
    Holding,
    LoadOptions,
    Sheltering,
    SuiteKnowing,
)
from gramspect.recognition.surroundings import named_object, names_module, split_source

if TYPE_CHECKING:
    from gramspect.suites.suite import TestSuite

__all__ = ["adapter", "adapter_for", "adapters", "check_options", "claiming", "own_tests"]

GROUP = "gramspect.adapters"


@cache
def adapters() -> dict[str, EntryPoint]:
    """The registered adapters by name; loading one imports its package only."""
    return {entry.name: entry for entry in sorted(entry_points(group=GROUP))}


@cache
def adapter(name: str) -> Adapter:
    """The adapter of that name.

    Raises:
        AdapterError: there is none, or its package does not import.
    """
    found = adapters().get(name)
    if found is None:
        raise AdapterError(f"there is no adapter {name!r}; installed are: {', '.join(adapters())}")
    try:
        loaded: Adapter = found.load()
    except Exception as problem:
        what = f"{type(problem).__name__}: {problem}"
        raise AdapterError(f"the adapter {name!r} does not load ({what})") from problem
    return loaded


def adapter_for(source: str) -> Adapter:
    """The adapter that a source belongs to.

    If several claim it, as of ``module:name``, the user's code runs: it depends on the object.

    Raises:
        AdapterError: none takes it.
    """
    found = claiming(source)
    return found[0] if len(found) == 1 else _by_object(source, found)


def claiming(source: str) -> Sequence[Adapter]:
    """The adapters that claim a source: one, or those that its object decides between.

    One that does not load is passed over. Without a method ``holds`` an adapter knows its files by
    themselves.

    Raises:
        AdapterError: none does.
        NoSuchFile: none does, and there is no file of the name.
    """
    broken, found = "", list[Adapter]()
    for name in adapters():
        try:
            candidate = adapter(name)
        except AdapterError as problem:
            broken += f"; {problem}"
            continue
        if candidate.claims(source):
            found.append(candidate)
    for candidate in found:
        if not isinstance(candidate, Holding):
            return [candidate]
    if found:
        return found
    raise _unclaimed(source, broken)


def _unclaimed(source: str, broken: str) -> GramspectError:
    path = Path(source)
    module, attributes = split_source(source)
    is_name = names_module(source) and (attributes or module.count(".") > 1)  # x.y can be a file
    if is_name and not path.exists():
        return NoSuchFile(
            f"{source}: there is no such file, and no module {module.split('.')[0]!r} here or where"
            " Python looks for modules; install it beside gramspect, or set PYTHONPATH"
        )
    if path.suffix and not path.exists():
        return NoSuchFile(f"{source}: there is no such file; check the path")
    if path.is_dir():
        return AdapterError(
            f"{source}: this is a folder; name the grammar in it, or what makes the parser, as in"
            f" {path.name}.module:name"
        )
    kind = path.suffix or "no suffix"
    return AdapterError(
        f"{source}: no adapter takes this kind of grammar ({kind}); name one with --adapter{broken}"
    )


def _by_object(source: str, claiming: Sequence[Adapter]) -> Adapter:
    """The adapter for what a name in Python stands for: several take such names.

    If there is no such object, the last adapter says so when it loads it.

    Raises:
        AdapterError: none of them wants it.
    """
    try:
        with ExitStack() as shelters:
            for candidate in claiming:
                if isinstance(candidate, Sheltering):
                    shelters.enter_context(candidate.sheltered())
            thing = named_object(source, {})
    except GramspectError:
        return claiming[-1]
    for candidate in claiming:
        if isinstance(candidate, Holding) and candidate.holds(thing):
            return candidate
    names = ", ".join(each.name for each in claiming)
    what = "it" if isinstance(thing, ModuleType) else f"this {type(thing).__name__}"
    raise AdapterError(
        f"{source}: {what} holds no parser that gramspect knows ({names}); name the parser, or a"
        " class, method or function that makes it without arguments: module:name or"
        " module:Class.method; --adapter names another kind of parser"
    )


_FLAGS = {"case": "--case", "trailing": "--allow-trailing"}


def check_options(found: Adapter, options: LoadOptions) -> None:
    """Refuse options that would be ignored; one without a value is not given.

    Raises:
        AdapterError: the adapter does not know one of them.
    """
    for key in (key for key, value in options.extra.items() if value):
        if key not in found.options:
            known = ", ".join(sorted(found.options - _FLAGS.keys()))
            has = f"it has {known}" if known else "it has none"
            what = _FLAGS.get(key, f"--option {key}")
            raise AdapterError(f"the adapter {found.name} has no {what}; {has}")


def own_tests(source: str, name: str | None = None) -> TestSuite | None:
    """The tests that come with a source, if its adapter knows of any (`SuiteKnowing`).

    Raises:
        GramspectError: there is no such adapter, or the tests cannot be read.
    """
    found = claiming(source) if name is None else [adapter(name)]
    if len(found) == 1 and isinstance(found[0], SuiteKnowing):
        return found[0].tests(source)
    return None
