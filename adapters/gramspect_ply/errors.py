"""Says where and why a PLY parser rejected a text."""

from __future__ import annotations

from types import FrameType

from gramspect.adapter_api import ErrorKind, ParseError
from gramspect_ply.outcomes import Failure
from gramspect_ply.shapes import Token
from gramspect_ply.surroundings import one_line

__all__ = ["offset_in_lexer", "parse_error"]


def parse_error(
    failure: Failure, index: int, text: str, given: str | None, rule: str | None
) -> ParseError:
    """The error of a test that was rejected.

    Positions are computed from the tokens' offsets if the parser was given the text as it is, else
    there is only the line that the lexer counted, if the text has as many.

    Args:
        failure: what the hook has seen.
        index: the number of the offending token.
        text: the test.
        given: the text that the parser was given, None if its lexer was.
        rule: the rule whose action signalled the error, if one did.
    """
    if failure.kind is ErrorKind.LEXICAL and failure.cause is not None:
        message = f"lexical error: {one_line(failure.cause)}"
        offset = offset_in_lexer(failure.cause)
        line, column = _position(text, offset) if offset is not None else (None, None)
        return ParseError(index, message, line, column, ErrorKind.LEXICAL)
    line, column = _token_position(failure.last, text, given)
    if rule is not None:
        return ParseError(index, f"syntax error signalled by the action of {rule}", line, column)
    return ParseError(index, f"syntax error at {_shown(failure.last)}", line, column)


def _shown(token: Token | None) -> str:
    """A token as messages show it: ``'x' (ID)``, ``'+'``."""
    if token is None:
        return "the end of the input"
    value = str(token.value)
    value = value if len(value) <= 40 else value[:37] + "..."
    return repr(value) if value == token.type else f"{value!r} ({token.type})"


def _token_position(
    token: Token | None, text: str, given: str | None
) -> tuple[int | None, int | None]:
    """Line and column of a token; `given` is the text that the parser was given, if any."""
    same = given is None or given == text
    if token is None:
        return _position(text, len(text)) if same else (None, None)
    offset, line = getattr(token, "lexpos", None), getattr(token, "lineno", None)
    if same and isinstance(offset, int) and 0 <= offset <= len(text):
        return _position(text, offset)
    known = isinstance(line, int) and 1 <= line <= text.count("\n") + 1
    return (line if known else None), None


def _position(text: str, offset: int) -> tuple[int, int]:
    """Line and column, from 1, of an offset."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def offset_in_lexer(problem: BaseException | None) -> int | None:
    """Where in the text PLY's lexer was when it raised; None if the exception is not from one.

    An exception raised in place of the lexer's own is followed back to that one.
    """
    while problem is not None:
        step = problem.__traceback__
        while step is not None:
            if _is_lexer_frame(step.tb_frame):
                known = step.tb_frame.f_locals
                # In a rule's function the lexer has passed the text already, its token has not.
                place = known.get("tok") if step.tb_next is not None else None
                offset = getattr(place, "lexpos", known["lexpos"])
                return offset if isinstance(offset, int) else None
            step = step.tb_next
        problem = problem.__cause__ or problem.__context__
    return None


def _is_lexer_frame(frame: FrameType) -> bool:
    return frame.f_code.co_name == "token" and {"lexdata", "lexpos"} <= frame.f_locals.keys()
