"""What the user can say about how a ``.lark`` file is loaded (``--option KEY=VALUE``)."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from gramspect.adapter_api import AdapterError, import_file, import_name, one_line

__all__ = ["NEEDS", "attribute", "lark_options"]

NEEDS = {"lark": 'Lark, which is not installed: pip install "gramspect[lark]"'}
"""What to say of a module that cannot be imported without Lark."""

_LEXERS = {
    "earley": ("dynamic", "dynamic_complete", "basic"),
    "lalr": ("contextual", "basic"),
}
_PRIORITIES = ("auto", "normal", "invert")
_AMBIGUITIES = ("resolve", "explicit", "forest")


def lark_options(parser: str, extra: Mapping[str, str]) -> dict[str, Any]:
    """The arguments for Lark that the options stand for; options of other adapters are left out.

    Raises:
        AdapterError: an option has a value that Lark does not know, or a postlexer is not found.
    """
    found: dict[str, Any] = {"parser": parser}
    if "lexer" in extra:
        found["lexer"] = _choice("lexer", extra["lexer"], _LEXERS[parser])
    if "ambiguity" in extra and parser == "earley":
        found["ambiguity"] = _choice("ambiguity", extra["ambiguity"], _AMBIGUITIES)
    if "priority" in extra:
        found["priority"] = _choice("priority", extra["priority"], _PRIORITIES)
    if "imports" in extra:
        found["import_paths"] = extra["imports"].split(":")
    if "postlex" in extra:
        found["postlex"] = attribute(extra["postlex"])
        if parser == "earley":
            found.setdefault("lexer", "basic")
    return found


def _choice(option: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise AdapterError(f"{option}={value}: there are {', '.join(choices)}")
    return value


def attribute(source: str) -> Any:
    """What ``module:attribute`` or ``file.py:attribute`` names.

    Classes and functions are called without arguments.

    Raises:
        AdapterError: it does not import, or there is no such thing.
        MissingDependency: it needs Lark, which is not installed.
    """
    name, colon, path = source.rpartition(":")
    if not colon:
        raise AdapterError(f"{source}: name what is in the module: {source}:name")
    if name.endswith(".py"):
        module, surroundings = import_file(name, NEEDS)
        with surroundings.entered():
            return _followed(source, module, path)
    return _followed(source, import_name(name, NEEDS), path)


def _followed(source: str, thing: Any, path: str) -> Any:
    for name in path.split("."):
        if not hasattr(thing, name):
            near = get_close_matches(name, dir(thing), n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise AdapterError(f"{source}: there is no {name!r}{hint}")
        thing = getattr(thing, name)
        if inspect.isclass(thing) or inspect.isroutine(thing):
            try:
                thing = thing()
            except Exception as problem:
                raise AdapterError(f"{source}: {name}() raised {one_line(problem)}") from problem
    return thing
