"""The texts that make up a Lark grammar: the main one, and what it imports.

Where imports are found and what imported names are called is Lark's business. So Lark's own loader
does the work, and each text that it reads is noted, with the function that renames its symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lark import load_grammar

from gramspect.adapter_api import SourceText
from gramspect_lark.syntax import GrammarText, read_grammar

__all__ = ["LoadedText", "Loading", "recorded_loading", "rename_nothing"]


@dataclass(frozen=True, eq=False)
class LoadedText:
    """One grammar text: what it says, and Lark's names for the names in it.

    `is_library` says whether it comes with Lark, so that no user can change it.
    """

    content: GrammarText
    renamed: Callable[[str], str]
    is_library: bool = False


@dataclass
class Loading:
    """What Lark's loader has read.

    `texts` are those that were read to the end, each after what it imports. `active` are the files
    that are being read, the main one first; after an error the last one is where it happened.
    """

    places: dict[str, tuple[SourceText, int, int]] = field(default_factory=dict)
    texts: list[LoadedText] = field(default_factory=list)
    active: list[SourceText] = field(default_factory=list)

    def place(self, text: str, name: object) -> tuple[SourceText, int, int]:
        """The file of a grammar text, and where in the file it begins and ends."""
        known = self.places.get(text)
        return known or (SourceText(_file_of(name), text), 0, len(text))


def rename_nothing(name: str) -> str:
    """How names of the main grammar are renamed."""
    return name


@contextmanager
def recorded_loading(places: dict[str, tuple[SourceText, int, int]]) -> Iterator[Loading]:
    """Note, while Lark loads a grammar, the texts that it reads.

    `places` tell where a text stands, if it is no file of its own (a string in a Python module).
    """
    loading = Loading(places)
    original = load_grammar.GrammarBuilder

    class Recording(original):  # type: ignore[misc,valid-type]
        def load_grammar(
            self,
            grammar_text: str,
            grammar_name: Any = "<?>",
            mangle: Callable[[str], str] | None = None,
        ) -> None:
            source, start, end = loading.place(grammar_text, grammar_name)
            loading.active.append(source)
            super().load_grammar(grammar_text, grammar_name, mangle)
            content = read_grammar(source, start, end)
            loading.texts.append(
                LoadedText(content, mangle or rename_nothing, _is_library(grammar_name))
            )
            loading.active.pop()

    load_grammar.GrammarBuilder = Recording  # type: ignore[misc]
    try:
        yield loading
    finally:
        load_grammar.GrammarBuilder = original  # type: ignore[misc]


def _is_library(name: object) -> bool:
    """Whether what Lark calls by that name comes with it (``common.lark``)."""
    return isinstance(name, load_grammar.PackageResource) and name.pkg_name == "lark"


def _file_of(name: object) -> str:
    """The file that Lark calls by that name: a path, or a resource of a package."""
    if not isinstance(name, load_grammar.PackageResource):
        return display_path(str(name))
    spec = find_spec(name.pkg_name)
    folders: Sequence[str] = (spec and spec.submodule_search_locations) or ()
    for folder in folders:
        if Path(folder, name.path).is_file():
            return display_path(str(Path(folder, name.path)))
    return f"{name.pkg_name}/{name.path}"


def display_path(file: str) -> str:
    """A path as reports show it: from the current folder if it lies below."""
    path = Path(file)
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
