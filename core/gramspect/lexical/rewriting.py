"""Changes of token rules as changes of their text, in the notation of the part that they change.

A change is a few stretches of text to be put in the place of others. Each function gives None where
its change cannot be written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gramspect.lexical.parts import Call, Choice, Leaf, Part, Pattern, Quoted, Repeat, Row, Style
from gramspect.lexical.translated import translated
from gramspect.lexical.written import (
    JFLEX_SIGNS,
    NAMED,
    escaped,
    generalized,
    in_set,
    java_listed,
    java_members,
    quoted,
)
from gramspect.source import Span

__all__ = [
    "Rewriting",
    "also_repeated",
    "excluded",
    "ignoring_case",
    "inserted",
    "lazily",
    "of_whole_words",
    "optional",
    "preferred",
    "widened",
    "with_alternative",
    "with_escapes",
    "with_form",
    "without",
]

Rewriting = tuple[tuple[Span, str], ...]
"""New texts for stretches of the user's files, which do not overlap."""

_OPERATION = re.compile(r"&&|--|~~")
"""What JFlex's sets are intersections or differences by."""
_NO_WORD = r"(?!\w)"


# --- changes -------------------------------------------------------------------------------


def widened(leaf: Leaf, within: Quoted | None, members: str, plain: bool) -> Rewriting | None:
    """A leaf that reads more characters: single ones if `plain`, else ranges as in a set."""
    text = leaf.text
    if within is None and (text == "." or text.startswith(("[^", "~"))):
        return _listed_no_more(leaf, members) if plain else None
    if leaf.style is Style.LARK:
        others = [quoted(Style.LARK, c) for c in members] if plain else [f"/[{members}]/"]
        new = f"({' | '.join([_own_text(leaf, within), *others])})"
    else:
        ranges = java_members(members) if leaf.style is Style.JAVACC else members
        new = _set_with(leaf, within, in_set(members, leaf.style) if plain else ranges)
    return ((leaf.span, new),) if within is None else _split(within, leaf, leaf, new)


def _set_with(leaf: Leaf, within: Quoted | None, added: str) -> str:
    """A set of what a leaf reads and more."""
    if leaf.style is Style.JAVACC:
        own = leaf.text[1:-1].strip() if within is None else f'"{leaf.text}"'
        return f"[{added},{leaf.text[1:]}" if "//" in own else f"[{own},{added}]"
    if leaf.style is Style.JFLEX:
        return _jflex_set(leaf.text, added)
    if leaf.text.startswith("["):
        return f"{leaf.text[:-1]}{added}]"
    if leaf.style is Style.ANTLR and within is None:
        return f"({leaf.text} | [{added}])"
    return f"[{_as_member(leaf.text)}{added}]"


def _jflex_set(text: str, added: str) -> str:
    """The same in JFlex's notation, where sets may be inside of others."""
    if not text.startswith("["):
        member = f"\\{text}" if text in (*JFLEX_SIGNS, "-", "]") else text
        return f"[{member}{added}]"
    if _OPERATION.search(text):
        return f"[{text}{added}]"
    dash = "-" * (text.endswith("-]") and not text.endswith("\\-]"))  # which stays the last one
    return f"{text[: -1 - len(dash)]}{added}{dash}]"


def _own_text(leaf: Leaf, within: Quoted | None) -> str:
    return leaf.text if within is None else f'"{leaf.text}"{within.suffix}'


def _as_member(text: str) -> str:
    return f"\\{text}" if text in ("^", "-", "]") else text


def _listed_no_more(leaf: Leaf, members: str) -> Rewriting | None:
    """A set of all but some characters, without one of those."""
    if leaf.style is Style.JAVACC:
        return _java_listed_no_more(leaf, members)
    opening = leaf.text.find("[") + 1 + leaf.text.startswith("[^")
    listed = leaf.text[opening:-1]
    left = listed
    for character in members:
        spelled = (NAMED.get(character, ""), f"\\{character}", character)
        found = next((one for one in spelled if one and one in left), None)
        if found is None or opening == 0:
            return None
        left = left.replace(found, "", 1)
    if not left or left.startswith("-") or len(left) == len(listed):
        return None
    return ((leaf.span, f"{leaf.text[:opening]}{left}{leaf.text[-1]}"),)


def _java_listed_no_more(leaf: Leaf, members: str) -> Rewriting | None:
    listed = [] if "//" in leaf.text else java_listed(leaf.text)
    unwanted = [quoted(Style.JAVACC, character) for character in members]
    left = [one for one in listed if one not in unwanted]
    if len(left) + len(unwanted) != len(listed) or not left:
        return None
    return ((leaf.span, f"~[{','.join(left)}]"),)


def excluded(leaf: Leaf, character: str) -> Rewriting | None:
    """A leaf that reads nearly everything, without one character more."""
    added = in_set(character, leaf.style)
    if leaf.style is Style.JAVACC:
        return _java_excluded(leaf, added) if leaf.text.startswith("~") else None
    if leaf.style is Style.JFLEX:
        return _jflex_excluded(leaf, added)
    if leaf.style.is_regex and leaf.text.startswith("[^"):
        return ((leaf.span, f"{leaf.text[:-1]}{added}]"),)
    if leaf.style is Style.ANTLR and leaf.text.startswith("~["):
        return ((leaf.span, f"{leaf.text[:-1]}{added}]"),)
    if leaf.text != ".":
        return None
    return ((leaf.span, f"[^{added}\\n]" if leaf.style.is_regex else f"~[{added}]"),)


def _jflex_excluded(leaf: Leaf, added: str) -> Rewriting | None:
    if leaf.text == ".":
        return ((leaf.span, f"[^{added}\\r\\n]"),)
    if not leaf.text.startswith("[^") or _OPERATION.search(leaf.text):
        return None
    return ((leaf.span, _jflex_set(leaf.text, added)),)


def _java_excluded(leaf: Leaf, added: str) -> Rewriting:
    listed = leaf.text[leaf.text.index("[") + 1 : -1].strip()
    comma = "," * bool(listed)
    new = f"{added},{listed}\n" if "//" in listed else f"{listed}{comma}{added}"
    return ((leaf.span, f"~[{new}]"),)


def with_escapes(leaf: Leaf, mark: str, quote: str) -> Rewriting | None:
    """A leaf that reads nearly everything, or a quote after a mark: a backslash, or the quote."""
    rest = leaf.text
    if mark != quote:
        narrower = excluded(leaf, mark) if rest != "." else None
        if rest != "." and narrower is None:
            return None
        rest = narrower[0][1] if narrower is not None else rest
    if leaf.style.is_regex:
        pair = "\\\\." if mark != quote else escaped(quote, leaf.style) * 2
        return ((leaf.span, f"(?:{pair}|{rest})"),)
    if leaf.style is Style.LARK:
        return None
    anything = "~[]" if leaf.style is Style.JAVACC else "."
    pair = (
        f"{quoted(leaf.style, mark)} {anything}" if mark != quote else quoted(leaf.style, 2 * quote)
    )
    return ((leaf.span, f"({pair} | {rest})"),)


def inserted(path: Sequence[Part], after: bool, text: str, operator: str) -> Rewriting:
    """Something that may be left out (``?``), or be repeated (``*``), beside the last of `path`.

    `text` is in the notation of that part; without an operator it says all of that itself.
    """
    part = path[-1]
    new = _grouped(part.style, text) + operator if operator else text
    within = path[-2] if len(path) > 1 else None
    if isinstance(within, Quoted):
        assert isinstance(part, Leaf)
        own = f"{_quote(within)}{part.text}{_quote(within)}{within.suffix}"
        split = _split(within, part, part, f"{own} {new}" if after else f"{new} {own}")
        assert split is not None
        return split
    place = part.span.after() if after else part.span.before()
    if part.style.is_regex:
        return ((place, new),)
    return ((place, f" {new}" if after else f"{new} "),)


def also_repeated(part: Repeat, text: str) -> Rewriting | None:
    """Another alternative of what is repeated, if that is a choice or the name of a definition."""
    body = part.body
    while isinstance(body, Row) and len(body.parts) == 1 and not isinstance(body, Quoted):
        body = body.parts[0]
    if part.most == 1 or not isinstance(body, Choice | Call):
        return None
    bar = "|" if body.style.is_regex else " | "
    new = f"{bar}{quoted(body.style, text)}"
    if isinstance(body, Choice) or body.style is Style.JAVACC:  # it is in parentheses
        last = body.rows[-1] if isinstance(body, Choice) else body
        return ((last.span.after(), new),)
    return ((body.span.before(), "("), (body.span.after(), f"{new})"))


def optional(path: Sequence[Part], last: Part) -> Rewriting | None:
    """The parts from the last of `path` to `last`, in the same row, may be left out."""
    part = path[-1]
    within = path[-2] if len(path) > 1 else None
    if isinstance(within, Quoted) and isinstance(part, Leaf) and isinstance(last, Leaf):
        leaves = [leaf for leaf in within.parts if isinstance(leaf, Leaf)]
        chosen = leaves[leaves.index(part) : leaves.index(last) + 1]
        quote = _quote(within)
        text = f"{quote}{''.join(leaf.text for leaf in chosen)}{quote}{within.suffix}"
        text = f"({text})?" if within.style is Style.JAVACC else f"{text}?"
        return _split(within, part, last, text)
    if part is last and isinstance(part, Repeat):
        if part.mark is None or part.least != 1 or part.most is not None:
            return None
        return ((part.mark, "*" + ("?" if part.lazy else "")),)
    if part is last and _is_atom(part) and part.style is not Style.JAVACC:
        return ((part.span.after(), "?"),)
    opening = "(?:" if part.style.is_regex else "("
    return ((part.span.before(), opening), (last.span.after(), ")?"))


def _is_atom(part: Part) -> bool:
    return isinstance(part, Leaf | Call | Quoted)


def with_alternative(pattern: Pattern, text: str, *, like: bool = False) -> Rewriting:
    """Another alternative of a definition; in a list of words it is another word of the list.

    It reads the text, or, with `like`, any text like it. A sign comes first in a regular
    expression, for it may begin with another one.
    """
    part = pattern.body
    while (inner := _innermost_list(part)) is not None:
        part = inner
    if not isinstance(part, Choice):
        part = pattern.body
    if like:
        new = generalized(part.style, text, ())[0]
    else:
        new = quoted(part.style, text) + _flags_of_words(part) * any(map(str.isalpha, text))
    if not part.style.is_regex:
        return ((part.span.after(), f" | {new}"),)
    if not like and not any(map(str.isalnum, text)):  # the first one is taken: `=` before `==`
        return ((part.span.before(), f"{new}|"),)
    return ((part.span.after(), f"|{new}"),)


def with_form(pattern: Pattern, expression: str) -> Rewriting | None:
    """Another alternative of a definition, given as a regular expression (`translated`).

    It comes first in a regular expression, for it may be longer than another one.
    """
    body = pattern.body
    new = translated(expression, body.style)
    if new is None:
        return None
    if body.style.is_regex:
        return ((body.span.before(), f"{new}|"),)
    if body.style is Style.ANTLR:  # commands belong to the last alternative
        last = body.rows[-1] if isinstance(body, Choice) else body
        return (last.span.before(), "("), (last.span.after(), f" | {new})")
    return ((body.span.after(), f" | {new}"),)


def _flags_of_words(part: Part) -> str:
    """The flags of the last word of a list of words."""
    if isinstance(part, Quoted):
        return part.suffix
    inner = part.rows if isinstance(part, Choice) else part.parts if isinstance(part, Row) else ()
    return _flags_of_words(inner[-1]) if inner else ""


def _innermost_list(part: Part) -> Part | None:
    """A choice inside of a part that is nothing else, perhaps between what reads nothing."""
    if not isinstance(part, Row) or isinstance(part, Quoted):
        return None
    reading = [p for p in part.parts if isinstance(p, Row | Choice)]
    leaves = [p for p in part.parts if isinstance(p, Leaf | Call | Repeat)]
    if len(reading) != 1 or leaves or isinstance(reading[0], Quoted):
        return None
    return reading[0]


def lazily(repeat: Repeat) -> Rewriting | None:
    """A repetition that ends as soon as it can."""
    if (
        repeat.mark is None
        or repeat.lazy
        or repeat.style in (Style.LARK, Style.JAVACC, Style.JFLEX)
    ):
        return None
    return ((repeat.mark.after(), "?"),)


def preferred(own: Pattern, other: Pattern) -> Rewriting | None:
    """One token before another: by a higher number, or by its place in the file."""
    if own.priority is not None and other.priority is not None:
        return ((own.priority[0], f".{other.priority[1] + 1}"),)
    if own.ordered is None or other.ordered is None:
        return None
    (place, text), (first, later) = own.ordered, other.ordered
    if own.section != other.section:
        return None
    if own.body.style is Style.JAVACC:  # the other one goes behind it
        return ((first, ""), (own.named.after(), later)) if place > first else None
    if place.file != first.file or place.line <= first.line:
        return None
    return ((first.before(), text), (place, ""))


def of_whole_words(pattern: Pattern) -> Rewriting | None:
    """The definition, but not where a letter, a digit or ``_`` follows."""
    body = pattern.body
    inner = body
    while isinstance(inner, Row) and not isinstance(inner, Quoted) and len(inner.parts) == 1:
        (inner,) = inner.parts
    if inner.style.is_regex:
        opening, closing = ("(?:", ")") if isinstance(inner, Choice) else ("", "")
        closing, part = f"{closing}{_NO_WORD}", inner
    elif inner.style is Style.LARK:
        opening, closing = ("(", ")") if isinstance(body, Choice) else ("", "")
        closing, part = f"{closing} /{_NO_WORD}/", body
    else:
        return None
    return (*(((part.span.before(), opening),) * bool(opening)), (part.span.after(), closing))


def ignoring_case(pattern: Pattern) -> Rewriting | None:
    """The definition, in letters of either case."""
    if pattern.any_case is not None:
        return (pattern.any_case,)
    body = pattern.body
    while isinstance(body, Row) and not isinstance(body, Quoted) and len(body.parts) == 1:
        (body,) = body.parts
    if body.style.is_regex:
        return ((body.span.before(), "(?i:"), (body.span.after(), ")"))
    found: list[tuple[Span, str]] = []
    parts: list[Part] = [body]
    for part in parts:
        if isinstance(part, Quoted) and part.style is Style.LARK:
            found += [(part.span.after(), "i")] * (part.suffix == "")
        elif isinstance(part, Choice):
            parts.extend(part.rows)
        elif isinstance(part, Row) and part.style is Style.LARK:
            parts.extend(part.parts)
        else:
            return None
    return tuple(found) or None


def without(part: Part) -> Rewriting:
    """A part left out."""
    return ((part.span, ""),)


# --- strings in quotes ---------------------------------------------------------------------


def _quote(within: Quoted) -> str:
    return "'" if within.style is Style.ANTLR else '"'


def _split(within: Quoted, first: Leaf, last: Leaf, text: str) -> Rewriting | None:
    """A string with some of its characters replaced by what is no string."""
    leaves = [leaf for leaf in within.parts if isinstance(leaf, Leaf)]
    quote = _quote(within)
    before, after = leaves[: leaves.index(first)], leaves[leaves.index(last) + 1 :]
    parts = [
        f"{quote}{''.join(leaf.text for leaf in some)}{quote}{within.suffix}" if some else ""
        for some in (before, after)
    ]
    new = " ".join(filter(None, (parts[0], text, parts[1])))
    return ((within.span, f"({new})" if before or after else new),)


def _grouped(style: Style, text: str) -> str:
    """A text as something that a quantifier can follow."""
    if style.is_regex:
        single = len(text) == 1 or (len(text) == 2 and text[0] == "\\")
        return text if single else f"(?:{text})"
    if style is Style.JAVACC:
        return text if text.startswith("(") and text.endswith(")") else f"({text})"
    return text if _SINGLE.fullmatch(text) else f"({text})"


_SINGLE = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|/[^/]*/|\{\w+\}|\w+")
