"""The chart of an input that a top-down parser has rejected.

Such a parser may stop before the maximal viable prefix ends (a precedence, a predicate), after it
(a prediction that does not look at the callers runs on), or on an input that its grammar, read as a
context-free one, derives. The chart says where the prefix ends in the first two cases; in the third
it is cut off where the parser stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import Chart, parse_chart
from gramspect.recognition.tokens import TokenSequence
from gramspect.recognition.trace import ChartTrace

__all__ = ["chart_of_rejected", "end_of_input", "rejected_sequence"]


def end_of_input(grammar: Grammar, name: str) -> int | None:
    """The terminal that is the end of the input in rules (ANTLR's EOF), if a parse can read it.

    Where no rule that the start reaches does, the end is no token of an input either: a repair
    would insert it.
    """
    ends = (symbol.index for symbol in grammar.terminals if symbol.name == name)
    return next((end for end in ends if end in grammar.analysis.reachable), None)


def chart_of_rejected(
    grammar: Grammar,
    terminals: Sequence[int],
    stopped: int,
    *,
    end: int | None = None,
    lexical: bool = False,
    whole: bool = True,
) -> tuple[Chart, bool]:
    """The chart up to the error, and whether the grammar derives the input nevertheless.

    Args:
        grammar: the parser's grammar.
        terminals: the tokens, without the end of the input.
        stopped: the index of the token at which the parser stopped.
        end: the terminal that stands for the end of the input in rules (ANTLR's EOF), if any.
        lexical: whether the lexer rejected the input; the text after the error does not count then.
        whole: whether the terminals reach to the end of the input. If not, what follows is unknown:
            where they make a viable prefix, the parser is believed.
    """
    if not lexical and not whole:
        chart = parse_chart(grammar, list(terminals))
        if chart.end < len(terminals):
            return chart, False
    elif not lexical:
        sentence = [*terminals, end] if end is not None else list(terminals)
        chart = parse_chart(grammar, sentence)
        if not _derives(chart, len(terminals)):
            return chart, False
    return parse_chart(grammar, list(terminals[:stopped])), whole and not lexical


def rejected_sequence(tokens: TokenSequence, stopped: int, differs: str) -> ChartTrace:
    """The trace of a token sequence that a top-down parser has rejected at a token.

    `differs` is added to the message if the grammar derives the sequence nevertheless.
    """
    chart, derived = chart_of_rejected(tokens.grammar, tokens.terminals, stopped)
    error = tokens.error(chart.end)
    if derived:
        error = replace(error, message=error.message + differs)
    return ChartTrace(chart, error)


def _derives(chart: Chart, n_tokens: int) -> bool:
    """Whether the tokens are a sentence, with or without the end of the input after them."""
    if chart.accepted or chart.end != n_tokens:
        return chart.accepted
    grammar = chart.grammar
    complete = {
        grammar.item(rule, len(grammar.rules[rule].rhs)) for rule in grammar.rules_of[grammar.start]
    }
    return any(item in complete and origin == 0 for item, origin in chart.column(n_tokens))
