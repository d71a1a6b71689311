"""What is wrong with a grammar, in one line with its place: Lark's words, our positions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lark.exceptions import UnexpectedInput

from gramspect.errors import AdapterError, GrammarError, GramspectError
from gramspect.source import SourceText, Span
from gramspect.surroundings import one_line
from gramspect_lark.sources import Loading

__all__ = ["described"]


def described(
    problem: BaseException, source: str, loading: Loading, start: str
) -> GramspectError:
    """The error for what Lark raised while it loaded a grammar."""
    return GrammarError(one_line(problem))
