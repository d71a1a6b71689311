"""What is wrong with a grammar, in one line with its place: Lark's words, our positions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import lark as lark_package
from lark import Lark
from lark.exceptions import UnexpectedInput, UnexpectedToken

from gramspect.adapter_api import (
    AdapterError,
    GrammarError,
    GramspectError,
    SourceText,
    Span,
    one_line,
    undecodable,
)
from gramspect_lark.definitions import Definitions
from gramspect_lark.finding import loading_again
from gramspect_lark.sources import Loading, display_path
from gramspect_lark.syntax import GrammarText, Literal, Name, all_elements, read_grammar

__all__ = ["Collision", "collisions", "described", "explained", "not_utf8"]

_PROPERTY = re.compile(r"\\[pPXR]")
"""What only the package regex has: properties of characters, graphemes, line ends."""
_FOR_REGEX = "; for patterns of the package regex use --option regex=yes"
_PLACE = re.compile(r",? at line (\d+) col(?:umn)? (\d+)(?: in [^:]*:?)?")
_USED = re.compile(r"'(\w+)' used but not defined \(in \w+ (\w+)\)")
_NAMED = re.compile(r"'(\w+)'|\b(?:defined|nonexisting \w+|extend \w+):? (\w+)|(?:\(|token )(\w+):")
_COLLISION = re.compile(r"collision in Terminal\('([^']+)'\)")
_RULE = re.compile(r"<(\S+) : ([^>]*)>")
_HELPER = re.compile(r"__(.+)_(?:star|plus|repeat_\w+)_\d+")
_HELPER_NAME = re.compile(r"__\S+_(?:star|plus|repeat_\w+)_\d+")
_MARKS = {
    "_LPAR": "'('",
    "_RPAR": "')'",
    "_LBRA": "'['",
    "_RBRA": "']'",
    "_LBRACE": "'{'",
    "_RBRACE": "'}'",
    "_COLON": "':'",
    "_COMMA": "','",
    "_DOT": "'.'",
    "_NL": "the end of the line",
}
"""What some terminals of Lark's own grammar look like."""


def described(problem: BaseException, source: str, loading: Loading, start: str) -> GramspectError:
    """The error for what Lark raised while it loaded a grammar."""
    if isinstance(problem, OSError):
        return _missing_import(problem, source, loading)
    if isinstance(problem, UnicodeDecodeError):
        return not_utf8(_imported(problem) or source, source)
    if collisions(str(problem)):
        return _collision_error(str(problem), source, loading, "use lark-earley")
    if isinstance(problem, TypeError) and (own := _own_error(loading)):
        return own
    message, span = _told(problem, loading, start)
    return GrammarError(message if span is not None else f"{source}: {message}", span)


def explained(problem: BaseException) -> GramspectError | None:
    """The error for what Lark raised while the user's code made a parser: reductions that collide.

    Lark tells of all collisions at length, in another order in every run.
    """
    if not collisions(str(problem)):
        return None
    lark, file = _in_the_making(problem)
    loading = None if lark is None else loading_again(lark, file, Path(file))
    if loading is None or not loading.texts or not _is_in_a_file(loading.texts[-1].content):
        loading = Loading()
    return _collision_error(str(problem), display_path(file), loading, 'use parser="earley"')


def _in_the_making(problem: BaseException) -> tuple[Lark | None, str]:
    """The object that was being made when Lark raised, and the file of the code that wanted it."""
    own = Path(lark_package.__file__).parent
    file, step = "Lark", problem.__traceback__
    while step is not None:
        frame = step.tb_frame
        if isinstance(made := frame.f_locals.get("self"), Lark):
            return made, file
        if own not in Path(frame.f_code.co_filename).parents:
            file = frame.f_code.co_filename
        step = step.tb_next
    return None, file


def _is_in_a_file(content: GrammarText) -> bool:
    return any(Path(each.name.span.file).is_file() for each in content.statements[:1])


def _own_error(loading: Loading) -> GrammarError | None:
    """What is wrong with the grammar file that was being read, where Lark fails to say it.

    Lark 1.3.1 raises a TypeError for some texts with braces too many.
    """
    embedded = {source.file for source, _, _ in loading.places.values()}
    if not loading.active or loading.active[-1].file in embedded:
        return None
    try:
        read_grammar(loading.active[-1])
    except GrammarError as problem:
        return problem
    return None


def not_utf8(file: str, source: str) -> GrammarError:
    """The error for a file that is not UTF-8, `source` or one that it imports."""
    try:
        content = Path(file).read_bytes()
        content.decode()
    except UnicodeDecodeError as problem:
        what, span = undecodable(display_path(file), content, problem.start)
        return GrammarError(f"{what}; save the file as UTF-8", span)
    except OSError:
        pass
    return GrammarError(f"{source}: imports a file that is not UTF-8")


def _imported(problem: BaseException) -> str | None:
    """The file that Lark was about to import when it raised."""
    step = problem.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_name == "do_import":
            path = step.tb_frame.f_locals.get("joined_path")
            return path if isinstance(path, str) else None
        step = step.tb_next
    return None


def _told(problem: BaseException, loading: Loading, start: str) -> tuple[str, Span | None]:
    """An error in one line, and its place if it has one."""
    if isinstance(problem, RecursionError):
        return "the grammar is nested too deeply for Lark", None
    if f"undefined rule: NonTerminal('{start}')" in str(problem):
        return f"there is no rule {start!r} to start with; {_other_starts(loading)}", None
    pattern = getattr(problem, "pattern", None)  # of re.error, and of that of the package regex
    if isinstance(pattern, str):
        return f"no regular expression: {problem}{_hint(pattern)}", _written(pattern, loading)
    if isinstance(problem, UnexpectedToken):
        return _unexpected(problem), _position(problem, "", loading)
    paragraph = re.split(r"\n\s*\n", str(problem).strip())[0]
    message = " ".join(paragraph.split()).rstrip(" :") or one_line(problem)
    span = _position(problem, message, loading) or _named(message, loading)
    hint = _hint(message) if message.startswith("Cannot compile token") else ""
    return _PLACE.sub("", message) + hint, span


def _hint(pattern: str) -> str:
    """What to do about a pattern that is no regular expression of Python's own module."""
    return _FOR_REGEX if _PROPERTY.search(pattern) else ""


def _other_starts(loading: Loading) -> str:
    """What to start with instead: the rules of the main grammar that no other rule uses."""
    named = _unused_rules(loading)
    if not named:
        return "name one with --start"
    return f"name one with --start, such as {' or '.join(named[:_STARTS])}, which no other uses"


def _unused_rules(loading: Loading) -> list[str]:
    """The rules of the main grammar that no rule uses; templates are none."""
    if not loading.texts:
        return []
    statements = loading.texts[-1].content.statements
    used = {
        element.text
        for statement in statements
        for branch in statement.branches
        for element in all_elements(branch)
        if isinstance(element, Name)
    }
    rules = [each.name.text for each in statements if not each.parameters]
    return [name for name in rules if name.islower() and name not in used]


_STARTS = 3
"""How many rules are offered as a start."""


def _unexpected(problem: UnexpectedToken) -> str:
    """A token that Lark's own grammar does not expect."""
    at_end = problem.token.type == "_NL"
    what = "the line ends too early" if at_end else f"unexpected {str(problem.token)!r}"
    names = sorted(_MARKS.get(name, name.strip("_").lower()) for name in problem.expected)
    return f"{what}; Lark expects {' or '.join(names)}"


def _missing_import(problem: OSError, source: str, loading: Loading) -> GramspectError:
    """A grammar that is imported and not found; or whatever else Lark could not read."""
    wanted = str(problem.filename or "")
    if not loading.active:
        return AdapterError(f"{source}: {one_line(problem)}")
    for statement in _content(loading.active[-1]).imports:
        if str(Path(*statement.path)) + ".lark" == wanted:
            return GrammarError(
                f"the imported grammar {wanted} is not found; "
                "name the folder that has it with --option imports=FOLDER",
                statement.span,
            )
    return AdapterError(f"{source}: {one_line(problem)}")


def _content(text: SourceText) -> GrammarText:
    try:
        return read_grammar(text)
    except GrammarError:
        return GrammarText((), (), ())


def _position(problem: BaseException, message: str, loading: Loading) -> Span | None:
    """Where a text is no grammar; the text is the one that was being read."""
    found = _PLACE.search(message)
    if not loading.active:
        return None
    if found:
        line, column = int(found[1]), int(found[2])
    elif isinstance(problem, UnexpectedInput) and problem.line > 0:
        line, column = problem.line, problem.column
    else:
        return None
    return Span(loading.active[-1].file, line, column, line, column)


def _written(pattern: str, loading: Loading) -> Span | None:
    """Where a regular expression is written."""
    for text in loading.texts:
        for statement in text.content.statements:
            for branch in statement.branches:
                for element in all_elements(branch):
                    if isinstance(element, Literal) and pattern in element.text:
                        return element.span
    return None


def _named(message: str, loading: Loading) -> Span | None:
    """Where the rule or terminal stands that a message names."""
    if loading.active:  # the texts around the one with the error are not complete
        names = {name for found in _NAMED.finditer(message) for name in found.groups() if name}
        last = None
        for statement in _content(loading.active[-1]).statements:
            if statement.name.text in names:
                last = statement.name.span
        return last
    if not loading.texts:
        return None
    definitions = Definitions(loading.texts)
    used = _USED.search(message)
    if used:
        return definitions.use(used[1], used[2]) or definitions.span(used[2])
    named = (name for found in _NAMED.finditer(message) for name in found.groups() if name)
    spans = map(definitions.span, named)
    return next((span for span in spans if span is not None), None)


class Collision(NamedTuple):
    """Reductions that Lark cannot choose between: before a terminal, rules by their symbols."""

    terminal: str
    rules: tuple[tuple[str, str], ...]


def collisions(message: str) -> list[Collision]:
    """What an error of Lark's says about reductions that collide; nothing if it is another.

    Lark goes through sets, so both collisions and rules are sorted: messages are always the same.
    """
    return sorted(
        Collision(found[1], tuple(sorted(_RULE.findall(part))))
        for part in message.split("\n\n")
        if (found := _COLLISION.search(part))
    )


def _collision_error(message: str, source: str, loading: Loading, instead: str) -> GrammarError:
    """The error of a grammar with colliding reductions, with the places of the rules.

    `instead` says how to have another parser.
    """
    first, *others = collisions(message)
    definitions = Definitions(loading.texts)
    rules = [_user_rule(origin, expansion, definitions) for origin, expansion in first.rules]
    shown = " and ".join(f"{rule} ({span})" if span else rule for rule, span in rules)
    s = "" if len(others) == 1 else "s"
    more = f", and {len(others)} more such collision{s}" if others else ""
    span = next((span for _, span in rules if span is not None), None)
    return GrammarError(
        f"{'' if span else f'{source}: '}Lark cannot choose between reductions: reduce/reduce "
        f"collision before {first.terminal} between {shown}{more}; give one of the rules a higher "
        f"priority, or {instead}",
        span,
    )


def _user_rule(origin: str, expansion: str, definitions: Definitions) -> tuple[str, Span | None]:
    """A rule of Lark's as the user knows it, and where its rule is defined."""
    helper = _HELPER.fullmatch(origin)
    if helper is None:
        return f"{origin} -> {expansion or '(empty)'}", definitions.span(origin.partition("{")[0])
    own = _HELPER_NAME.sub("...", expansion)
    text = f"a repetition in {helper[1]}, of {own}" if own else f"a repetition in {helper[1]}"
    return text, definitions.span(helper[1].partition("{")[0])
