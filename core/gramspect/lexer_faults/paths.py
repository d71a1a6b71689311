"""Paths to the parts of a definition: the parts that lead from the whole to one that reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gramspect.lexical.parts import Call, Choice, Leaf, Part, Quoted, Repeat, Row

__all__ = [
    "common",
    "definition_of",
    "first_of",
    "in_root_row",
    "in_words",
    "is_repeated",
    "outermost_atom",
    "parts_of",
]  # fmt: skip


def definition_of(rule: str, path: Sequence[Part], depth: int) -> str:
    """The name of the definition that the first `depth` parts of a path lead into."""
    calls = [part.name for part in path[: depth - 1] if isinstance(part, Call)]
    return calls[-1] if calls else rule


def common(one: Sequence[Part], other: Sequence[Part]) -> Iterator[Part]:
    """The common beginning of two paths."""
    for part, also in zip(one, other, strict=False):
        if part is not also:
            return
        yield part


def is_repeated(path: Sequence[Part], *, by_name: bool = False) -> bool:
    """Whether a character is read in a repetition of nothing else, or of a name for just that."""
    for part in reversed(path[:-1]):
        if isinstance(part, Repeat):
            return part.most != 1
        alone = isinstance(part, Row) and len(part.parts) == 1
        if not (alone or isinstance(part, Choice) or (by_name and isinstance(part, Call))):
            return False
    return False


def outermost_atom(path: tuple[Part, ...]) -> tuple[Part, ...]:
    """The path to the largest part around a leaf that holds nothing else of its row: a name if the
    leaf is all that is defined by it."""
    depth = len(path) - 1
    while depth > 1:
        above = path[depth - 1]
        alone = isinstance(above, Row) and len(above.parts) == 1 and not isinstance(above, Quoted)
        if not (alone or isinstance(above, Repeat | Call)):
            break
        depth -= 1
    return path[: depth + 1]


def in_root_row(path: tuple[Part, ...]) -> tuple[Part, ...]:
    """The path to the part of the outermost row that a leaf is in."""
    for depth, part in enumerate(path[:-1]):
        if isinstance(part, Row):
            return path[: depth + 2]
    return path


def parts_of(body: Part | None) -> list[Part]:
    """The parts of a definition, outer ones first."""
    found = [] if body is None else [body]
    for part in found:
        match part:
            case Row(parts=inner) | Choice(rows=inner):
                found.extend(inner)
            case Repeat(body=only):
                found.append(only)
    return list(dict.fromkeys(found))


def first_of(part: Part) -> Part:
    """The first thing that a part is made of."""
    match part:
        case Repeat(body=inner) | Choice(rows=(inner, *_)):
            return first_of(inner)
        case Row(parts=(inner, *_)) if not isinstance(part, Quoted):
            return first_of(inner)
    return part


def in_words(part: Part) -> str:
    """A part in words."""
    match part:
        case Leaf(text=shown) | Call(name=shown):
            return shown
        case Quoted():
            return repr("".join(leaf.text for leaf in part.parts if isinstance(leaf, Leaf)))
        case Repeat(body=inner) | Row(parts=(inner,)):
            return in_words(inner)
        case Row(parts=(inner, *_)) | Choice(rows=(inner, *_)):
            return f"what begins with {in_words(inner)}"
    return "that"
