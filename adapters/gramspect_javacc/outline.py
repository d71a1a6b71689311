"""What a generated parser class consists of: from what crosses from Java to data.

The form of the numbers is described in ``ParserOutline.java``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gramspect_javacc.syntax import literal_text

__all__ = ["CALL", "TOKEN", "Compiled", "CompiledProduction", "Kinds", "Site", "read_outline"]

TOKEN, CALL = range(2)


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a production that consumes a token or calls a production.

    `argument` is the kind of the token or the number of the production, `line` the line in the
    generated Java file, 0 if it is not known.
    """

    code: int
    argument: int
    line: int


@dataclass(frozen=True, slots=True)
class CompiledProduction:
    """The sites of a production in the order of the code.

    `follow` says of the start (0) and of each site (from 1) what can come next: sites, and the
    end (0).
    """

    name: str
    sites: tuple[Site, ...]
    follow: tuple[frozenset[int], ...]


@dataclass(frozen=True)
class Kinds:
    """The kinds of tokens; kind 0 is the end of the input.

    `names` holds labels ("" for kinds without one), `images` what generated code shows: literals in
    quotes, labels in angle brackets. `deliverable` are those that the lexer passes on.
    """

    names: Sequence[str]
    images: Sequence[str]
    deliverable: frozenset[int]

    def __len__(self) -> int:
        return max(len(self.names), len(self.images), 1)

    def label(self, kind: int) -> str:
        """The label of a kind, or ""."""
        return self.names[kind] if kind < len(self.names) else ""

    def image(self, kind: int) -> str:
        return self.images[kind] if kind < len(self.images) else f"<token of kind {kind}>"

    def literal(self, kind: int) -> str | None:
        """The text of a kind that is nothing but a string."""
        image = self.image(kind)
        return literal_text(image) if image.startswith('"') else None


@dataclass(frozen=True)
class Compiled:
    """A generated parser class; `java` is its Java side (``LoadedParser.java``)."""

    name: str
    source_file: str
    productions: tuple[CompiledProduction, ...]
    kinds: Kinds
    java: Any


def read_outline(java: Any) -> Compiled:
    """Read a ``LoadedParser``."""
    names = [str(name) for name in java.productions()]
    numbers = np.asarray(java.outline()).tolist()
    productions = []
    at = 0
    for name in names:
        n_sites = numbers[at]
        at += 1
        sites = tuple(Site(*numbers[at + 3 * i : at + 3 * i + 3]) for i in range(n_sites))
        at += 3 * n_sites
        follow = []
        for _ in range(n_sites + 1):
            size = numbers[at]
            follow.append(frozenset(numbers[at + 1 : at + 1 + size]))
            at += 1 + size
        productions.append(CompiledProduction(name, sites, tuple(follow)))
    words = np.asarray(java.deliverable()).tolist()
    images = [str(image) for image in java.images()]
    bits = {64 * i + b for i, word in enumerate(words) for b in range(64) if word >> b & 1}
    kinds = Kinds(
        [str(name) for name in java.kindNames()],
        images,
        frozenset(bits or range(len(images))),
    )
    return Compiled(str(java.className()), str(java.sourceFile()), tuple(productions), kinds, java)
