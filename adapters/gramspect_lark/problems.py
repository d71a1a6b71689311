"""What is wrong with a grammar, in one line with its place: Lark's words, our positions."""

from __future__ import annotations

import re
from pathlib import Path

from lark.exceptions import UnexpectedInput

from gramspect.errors import AdapterError, GrammarError, GramspectError
from gramspect.source import SourceText, Span
from gramspect.surroundings import one_line
from gramspect_lark.definitions import Definitions
from gramspect_lark.sources import Loading
from gramspect_lark.syntax import GrammarText, read_grammar

__all__ = ["described"]

_PLACE = re.compile(r",? at line (\d+) col(?:umn)? (\d+)(?: in [^:]*:?)?")
_USED = re.compile(r"'(\w+)' used but not defined \(in \w+ (\w+)\)")
_NAMED = re.compile(r"'(\w+)'|\b(?:defined|nonexisting \w+|extend \w+):? (\w+)|\((\w+):")
_COLLISION = re.compile(r"collision in Terminal\('([^']+)'\)")
_RULE = re.compile(r"<(\S+) : ([^>]*)>")
_HELPER = re.compile(r"__(.+)_(?:star|plus|repeat_\w+)_\d+")
_HELPER_NAME = re.compile(r"__\S+_(?:star|plus|repeat_\w+)_\d+")


def described(problem: BaseException, source: str, loading: Loading, start: str) -> GramspectError:
    """The error for what Lark raised while it loaded a grammar."""
    if isinstance(problem, OSError):
        return _missing_import(problem, source, loading)
    if isinstance(problem, RecursionError):
        return GrammarError(f"{source}: the grammar is nested too deeply for Lark")
    if f"undefined rule: NonTerminal('{start}')" in str(problem):
        return GrammarError(
            f"{source}: there is no rule {start!r} to start with; name one with --start"
        )
    if "Reduce/Reduce" in str(problem):
        return _collisions(str(problem), source, loading)
    paragraph = re.split(r"\n\s*\n", str(problem).strip())[0]
    message = " ".join(paragraph.split()).rstrip(" :") or one_line(problem)
    span = _position(problem, message, loading) or _named(message, loading)
    message = _PLACE.sub("", message)
    return GrammarError(message if span is not None else f"{source}: {message}", span)


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


def _collisions(message: str, source: str, loading: Loading) -> GrammarError:
    """Reductions that Lark cannot choose between, with the places of the rules."""
    first, *others = message.split("\n\n")
    definitions = Definitions(loading.texts)
    terminal = _COLLISION.search(first)
    found = sorted(_RULE.findall(first))  # Lark has them in a set
    rules = [_user_rule(origin, expansion, definitions) for origin, expansion in found]
    where = f" before {terminal[1]}" if terminal else ""
    shown = " and ".join(f"{rule} ({span})" if span else rule for rule, span in rules)
    more = f", and {len(others)} more such collisions" if others else ""
    span = next((span for _, span in rules if span is not None), None)
    return GrammarError(
        f"{'' if span else f'{source}: '}Lark cannot choose between reductions: reduce/reduce "
        f"collision{where} between {shown}{more}; give one of the rules a higher priority, "
        "or use lark-earley",
        span,
    )


def _user_rule(origin: str, expansion: str, definitions: Definitions) -> tuple[str, Span | None]:
    """A rule of Lark's as the user knows it, and where its rule is defined."""
    helper = _HELPER.fullmatch(origin)
    if helper is None:
        return f"{origin} -> {expansion}".rstrip(), definitions.span(origin.partition("{")[0])
    own = _HELPER_NAME.sub("...", expansion)
    text = f"a repetition in {helper[1]}, of {own}" if own else f"a repetition in {helper[1]}"
    return text, definitions.span(helper[1].partition("{")[0])
