"""The options with which a ``.lark`` file is loaded (``--option KEY=VALUE``)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from gramspect.adapter_api import AdapterError, MissingDependency, named_object

__all__ = ["NEEDS", "lark_options"]

NEEDS = {"lark": 'Lark, which is not installed: pip install "gramspect[lark]"'}
"""What to say of a module that cannot be imported without Lark."""

_LEXERS = {
    "earley": ("dynamic", "dynamic_complete", "basic"),
    "lalr": ("contextual", "basic"),
}
_PRIORITIES = ("auto", "normal", "invert")
_AMBIGUITIES = ("resolve", "explicit", "forest")
_REGEX = ("yes", "no")


def lark_options(parser: str, extra: Mapping[str, str]) -> dict[str, Any]:
    """The arguments for Lark that the options stand for; options of other adapters are left out.

    Raises:
        AdapterError: an option has a value that Lark does not know, or a postlexer is not found.
        MissingDependency: patterns are those of a package that is not installed.
    """
    found: dict[str, Any] = {"parser": parser}
    if "lexer" in extra:
        found["lexer"] = _choice("lexer", extra["lexer"], _LEXERS[parser])
    if "ambiguity" in extra and parser == "earley":
        found["ambiguity"] = _choice("ambiguity", extra["ambiguity"], _AMBIGUITIES)
    if "priority" in extra:
        found["priority"] = _choice("priority", extra["priority"], _PRIORITIES)
    if "regex" in extra:
        found["regex"] = _choice("regex", extra["regex"], _REGEX) == "yes"
        if found["regex"] and find_spec("regex") is None:
            raise MissingDependency(
                "regex=yes: the package regex is not installed: pip install regex"
            )
    if "imports" in extra:
        found["import_paths"] = extra["imports"].split(":")
    if "postlex" in extra:
        if ":" not in extra["postlex"]:
            raise AdapterError(
                f"{extra['postlex']}: name what is in the module: {extra['postlex']}:name"
            )
        found["postlex"] = named_object(extra["postlex"], NEEDS)
        if parser == "earley":
            found.setdefault("lexer", "basic")
    return found


def _choice(option: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise AdapterError(f"{option}={value}: there are {', '.join(choices)}")
    return value
