"""Which sentences the grammar's own parser rejects all the same.

A parser is less than its grammar where a conflict was resolved, a precedence or ``%nonassoc``
decided, choices are ordered, or its own code has a say. As tests that should be accepted such
sentences would only tell of that, once for each.
"""

from __future__ import annotations

from collections.abc import Sequence

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import ChartTrace, LRTrace
from gramspect.running.observing import silenced
from gramspect.suites.suite import Expectation, TestCase

__all__ = ["lr_parser", "rejects"]


def lr_parser(grammar: Grammar) -> Recognizer | None:
    """The parser of a yacc grammar; None if that accepts what the grammar derives."""
    from gramspect.lr import lalr_table

    return adapter("native").build(grammar) if lalr_table(grammar).conflicts else None


def rejects(parser: Recognizer, text: str, tokens: Sequence[str] | None) -> bool:
    """Whether the parser rejects a text, or its tokens; what it does not finish it does not."""
    names = None if tokens is None else tuple(tokens)
    test = TestCase("generated", Expectation.ACCEPT, text, names)
    try:
        with silenced():
            trace = parser.trace(test)
    except KeyboardInterrupt:
        raise
    except BaseException:  # the user's code may do anything; whoever runs the suite will see it
        return False
    return isinstance(trace, LRTrace | ChartTrace) and trace.error is not None
