"""New tokens of CUP grammars whose scanners are JFlex specifications.

The terminal is declared beside the others, and the rule is written like one of a single text: with
its states, its action, and before all rules around it, so that no other one reads the word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gramspect.edits.writing.files import Replacement, SourceFile, Unwritable
from gramspect.edits.writing.new_names import IN_QUOTES
from gramspect.lexical.parts import Style
from gramspect.lexical.written import in_set, quoted

__all__ = ["SUFFIXES", "declared", "new_rule"]

SUFFIXES = (".flex", ".jflex", ".lex")

_HIDDEN = re.compile(r"//[^\n]*|/\*.*?\*/|\{:.*?:\}", re.DOTALL)
_LIST = re.compile(r"(?<![\w$])(?<!non )terminal\s+\w+(?:\s*,\s*\w+)*(?=\s*;)")
_ANY = re.compile(r"(?<![\w$])(?<!non )terminal\s")
_PART = re.compile(r"^%%.*\n", re.MULTILINE)
_RULE = re.compile(
    r"""^(?P<states>[ \t]*(?:<[\w, ]+>[ \t]*)?)
        (?P<literal>"(?:[^"\\\n]|\\.)+") (?P<space>[ \t]+ | [ \t]*\n[ \t]+)
        (?P<action>\{[^\n]*\}) [ \t]*$""",
    re.MULTILINE | re.VERBOSE,
)


def declared(file: SourceFile, names: Sequence[str]) -> Replacement:
    """Terminals beside the others that have no type.

    Raises:
        Unwritable: no terminals are declared in the file.
    """
    plain = _HIDDEN.sub(lambda code: " " * len(code[0]), file.text)
    known = _LIST.search(plain)
    if known is not None:
        return Replacement(known.end(), known.end(), "".join(f", {name}" for name in names))
    first = _ANY.search(plain)
    if first is None:
        raise Unwritable("the grammar declares no terminals")
    return Replacement(first.start(), first.start(), f"terminal {', '.join(names)};\n")


@dataclass(frozen=True, slots=True)
class _Like:
    """A rule that reads one text and returns one terminal."""

    match: re.Match[str]
    terminal: str

    def written(self, literal: str, name: str) -> str:
        """The rule of another text, braces in the same column if there is room."""
        longer = len(literal) - len(self.match["literal"])
        space = self.match["space"]
        if set(space) == {" "}:
            space = " " * max(1, len(space) - longer)
        action = re.sub(rf"\b{self.terminal}\b", name, self.match["action"])
        return f"{self.match['states']}{literal}{space}{action}\n"


def new_rule(file: SourceFile, text: str, name: str, terminals: Collection[str]) -> Replacement:
    """A rule for a text, which returns a new terminal.

    Raises:
        Unwritable: there is no rule of a single text to write it like.
    """
    parts = list(_PART.finditer(file.text))
    rules = parts[1].end() if len(parts) > 1 else len(file.text)
    like = _likest(file.text, rules, text, terminals)
    if like is None:
        raise Unwritable("the specification of the scanner has no rule of a single text")
    place, _ = _around(file.text, rules, like.match.start())
    place = re.compile(r"(?:[ \t]*\n)*").match(file.text, place).end()  # type: ignore[union-attr]
    return Replacement(place, place, like.written(_expression(text), name))


def _likest(text: str, start: int, new: str, terminals: Collection[str]) -> _Like | None:
    """The rule that a new one is written like: one of the state in which scanners begin, without a
    value, and a word for a word."""
    found = list[tuple[bool, bool, bool, int, _Like]]()
    for match in _RULE.finditer(text, start):
        words = re.findall(r"\w+", re.sub(r'"(?:[^"\\]|\\.)*"', "", match["action"]))
        known = [word for word in words if word in terminals]
        if len(known) == 1:
            other_kind = match["literal"][1:-1].isalnum() != new.isalnum()
            valued = '"' in match["action"] or "," in match["action"]
            states = _around(text, start, match.start())[1] + match["states"]
            elsewhere = "<" in states and "YYINITIAL" not in states
            like = _Like(match, known[0])
            found.append((elsewhere, valued, other_kind, match.start(), like))
    return min(found, key=lambda one: one[:4])[4] if found else None


def _around(text: str, first: int, rule: int) -> tuple[int, str]:
    """Where the rules begin that stand in the same braces as one of them, and what is before the
    braces."""
    depth, place = 0, rule
    while place > first:
        line = text.rfind("\n", 0, place - 1) + 1
        written = text[line : place - 1].strip()
        depth += (written == "}") - written.endswith("{")
        if depth < 0:
            return place, written
        place = line
    return max(place, first), ""


def _expression(text: str) -> str:
    quote = IN_QUOTES.fullmatch(text)
    if quote is None:
        return quoted(Style.JFLEX, text)
    mark = quoted(Style.JFLEX, quote[1])
    return f"{mark} [^{in_set(quote[1], Style.JFLEX)}\\n]* {mark}"
