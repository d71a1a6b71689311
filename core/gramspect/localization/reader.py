"""A reader: a program that reads what is known and says which of the first definitions is at fault.

Where the same repair can be written in several rules, tokens and rules alone do not say in which
of them an author would write it; what the words mean, and how the rest of the grammar is written,
does. A language model that reads grammar and inputs knows more of that than any weight here;
docs/reader.md has the measurements.

The reader gets a question as a text on standard input (`question`), and names definitions by their
numbers or names in the last line of its answer that begins with ``ANSWER:`` (`answer`).
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gramspect.edits.confirmation import Agreement
from gramspect.errors import GramspectError
from gramspect.grammars.grammar_file import read_grammar_file
from gramspect.localization.conclusion import best_first
from gramspect.localization.results import Choice, Localization, Note, RankedElement
from gramspect.localization.settling import rescored
from gramspect.running.programs import program_words, run_program
from gramspect.running.recording import FailingTest
from gramspect.spectrum.kinds import SpectrumKind

__all__ = ["READER", "SECONDS", "Reader", "answer", "chosen_by", "question"]

READER = "reader"
"""The code of notes on a reader that gave no answer."""
SECONDS = 600.0
"""How long the command line lets a reader think."""
DEFINITIONS = 12
"""How many definitions the reader is shown; it may name others."""
TESTS = 4
"""How many failing tests it is shown."""
LINES_BEFORE, LINES_AFTER, LONGEST_LINE = 15, 5, 400
"""What it is shown of each: lines around the error, and so many characters of each."""
MOST_GRAMMAR = 200_000
"""How many characters of the grammar it is shown; of larger ones the definitions alone."""
_NO_ANSWER = "no line of its answer is such as 'ANSWER: 2, 1'"
_LESS = 0.999
"""A chosen definition has at most this part of the score of the one before it."""

_TASK = """\
A parser wrongly decides the tests below, because its grammar has a fault. One definition of the
grammar has to be changed, or the few that a maintainer would change for it. Say which.

Think about what the maintainers of this grammar would do: a change that is right for the language
and written like the rest of the grammar, not only one that lets these inputs pass. If a rule has to
be added, the definition to name is the one that must refer to it. The repairs that are named with
the definitions are the smallest that a search has found; what the maintainers would write there is
often more general.

Answer with a line such as "ANSWER: 2, 1, other_rule": the numbers of the likeliest definitions,
best first, or the name of a rule of the grammar that is not among those with a number.
"""
_ANSWER = re.compile(r"^[^\w\n]*ANSWER[^\w\n]*:(?P<said>.+)$", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reader:
    """A command that answers questions, split as a POSIX shell would, and its seconds for each.

    Raises:
        GramspectError: there is no such program.
    """

    command: str
    seconds: float

    def __post_init__(self) -> None:
        program_words(self.command)

    def __call__(self, asked: str) -> str:
        """The answer.

        Raises:
            GramspectError: there is none.
        """
        with tempfile.TemporaryDirectory(prefix="gramspect-") as folder:
            path = Path(folder, "question.txt")
            path.write_text(asked, encoding="utf-8", errors="replace")
            ended = run_program(program_words(self.command), path, self.seconds)
        if ended.status is None:
            raise GramspectError(ended.message)
        if ended.status != 0:
            last = ended.message.splitlines()[-1:] or ["it says nothing"]
            raise GramspectError(f"exit status {ended.status}: {last[0][:LONGEST_LINE]}")
        return ended.message


def chosen_by(reader: Reader, result: Localization) -> Localization:
    """The result with the definitions first that a reader names, in its order.

    Those that it does not name follow as they were. If it gives no answer, a note says so.
    """
    own = _definitions(result)
    if not own:
        return result
    try:
        said = reader(question(result))
    except GramspectError as problem:
        return _noted(result, f"the reader {reader.command!r} gave no answer: {problem}")
    chosen = tuple(_named(result, own, answer(said)))
    if not chosen:
        line = answer(said)[:LONGEST_LINE]
        why = f"{line!r} names no definition" if line else _NO_ANSWER
        return _noted(result, f"the reader {reader.command!r} was not understood: {why}")
    unknown = [one for one in chosen if all(one.definition != other.definition for other in own)]
    factors = _factors([*own, *unknown], chosen)
    settled = result.basis.settled
    return replace(
        result,
        ranking=rescored((*result.ranking, *unknown), factors, result.method.ties),
        choice=Choice(reader.command, chosen, own),
        basis=replace(
            result.basis,
            settled={
                **settled,
                **{n: settled.get(n, 1.0) * factor for n, factor in factors.items()},
            },
        ),
    )


def answer(text: str) -> str:
    """What the last line with an answer says; an empty text if there is none."""
    lines = list(_ANSWER.finditer(text))
    return lines[-1]["said"].strip() if lines else ""


def _named(
    result: Localization, own: Sequence[RankedElement], said: str
) -> Iterator[RankedElement]:
    """The best elements of definitions that an answer names, each once.

    One without a score, which nothing but the reader speaks for, begins where its first alternative
    does. What is neither a number nor a name is passed over.
    """
    known = {one.nonterminal: one for one in reversed(own)}
    known |= {str(number): one for number, one in enumerate(own[:DEFINITIONS], start=1)}
    grammar = result.grammar
    written = (s for s in grammar.nonterminals if grammar.user_nonterminal(s.index) == s.index)
    symbols = {symbol.name: symbol.index for symbol in written}
    names = "|".join(map(re.escape, sorted({*known, *symbols}, key=len, reverse=True)))
    seen: set[int] = set()
    for found in re.finditer(rf"(?<!\w)(?:{names})(?!\w)", said):
        name = found.group()
        one = known.get(name) or _without_score(result, symbols[name])
        if one.definition not in seen:
            seen.add(one.definition)
            yield one


def _without_score(result: Localization, symbol: int) -> RankedElement:
    """The first element of a definition, with next to no score."""
    grammar, kind = result.grammar, result.method.spectrum
    rule = grammar.rules_of[symbol][0]
    element = rule if kind is SpectrumKind.RULE else grammar.item_start[rule]
    ef, ep, nf, np = (int(of_all[element]) for of_all in result.basis.matrices[kind].counts())
    least = min((one.score for one in result.ranking), default=1.0)
    return RankedElement(grammar, kind, element, 0.0, 1, _LESS * least, ef, ep, nf, np)


def question(result: Localization) -> str:
    """What a reader is asked: the failing tests, the first definitions, and the grammar."""
    return "\n".join(
        [
            _TASK,
            "## Tests that fail\n",
            *(_test(failing) for failing in result.failing[:TESTS]),
            *_counts(result),
            "\n## Definitions, the most suspicious first by the tests alone\n",
            *(f"{n}. {_definition(result, one)}" for n, one in enumerate(_shown(result), start=1)),
            "\n## The grammar\n",
            _grammar(result),
        ]
    )


def _definitions(result: Localization) -> tuple[RankedElement, ...]:
    """The best elements of all definitions."""
    best: dict[int, RankedElement] = {}
    for element in result.ranking:
        best.setdefault(element.definition, element)
    return tuple(best.values())


def _shown(result: Localization) -> Sequence[RankedElement]:
    """The best elements of the definitions that the reader is shown."""
    return _definitions(result)[:DEFINITIONS]


def _factors(own: Sequence[RankedElement], chosen: Sequence[RankedElement]) -> dict[int, float]:
    """By what to multiply the scores of definitions, so that the chosen ones are first.

    The scores of all definitions are dealt out again, the highest to the first chosen one.
    """
    named = {one.definition for one in chosen}
    order = [*chosen, *(one for one in own if one.definition not in named)]
    dealt: list[float] = []
    for score in sorted((one.score for one in own), reverse=True):
        less = _LESS if len(dealt) <= len(chosen) else 1.0
        dealt.append(min(score, less * dealt[-1]) if dealt else score)
    pairs = zip(order, dealt, strict=True)
    return {one.definition: score / one.score for one, score in pairs if score != one.score}


def _noted(result: Localization, text: str) -> Localization:
    note = Note(READER, f"{text}; the order is that of the tests alone")
    return replace(result, notes=(*result.notes, note))


def _test(failing: FailingTest) -> str:
    """A failing test: what is wrong, where, and the lines around."""
    test, error = failing.test, failing.error
    expected = f"it should be {test.expectation}ed and is {failing.verdict}"
    place = ""
    if error is not None:
        where = "" if error.line is None else f"line {error.line}, column {error.column}: "
        place = f"; {where}{error.message}"
    line = 1 if error is None else error.line or 1
    column = 1 if error is None else error.column or 1
    return f"### {test.name}: {expected}{place}\n{_around(test.text, line, column)}\n"


def _around(text: str, line: int, column: int) -> str:
    lines = text.splitlines() or [""]
    begin = max(0, line - 1 - LINES_BEFORE)
    left_out = max(0, column - LONGEST_LINE // 2)  # of lines so long that they cannot be shown
    shown = (
        one if len(one) <= LONGEST_LINE else f"... {one[left_out : left_out + LONGEST_LINE]} ..."
        for one in lines[begin : line + LINES_AFTER]
    )
    return "\n".join(f"{n:5} {one}" for n, one in enumerate(shown, begin + 1))


def _counts(result: Localization) -> Iterator[str]:
    more = len(result.failing) - TESTS
    if more > 0:
        yield f"({more} more tests fail.)"
    yield f"({result.n_passing} tests have the verdict that they should have.)"


def _definition(result: Localization, element: RankedElement) -> str:
    """The name of a definition, where it is, and the best repair of it."""
    kind = "rule" if element.definition >= 0 else "token"
    place = "" if element.span is None else f" ({element.span.file}:{element.span.line})"
    own = [one for one in result.suggestions if one.definition == element.definition]
    best = next(iter(best_first(result, element)), None) or next(iter(own), None)
    if best is not None:
        said = _in_one_line(best.describe())
        agreement = best.confirmation.agreement if best.confirmation is not None else None
        how = (
            {
                Agreement.CONFIRMED: "; the tool confirms it",
                Agreement.DIFFERS: "; with it the tool decides otherwise",
                Agreement.REFUSED: "; the tool refuses it",
            }.get(agreement, "")
            if agreement is not None
            else ""
        )
        return f"{kind} {element.nonterminal}{place}: {said}{how}"
    proposals = result.proposals_for(element)
    said = f": {_in_one_line(proposals[0].edit.describe(result.grammar))}" if proposals else ""
    return f"{kind} {element.nonterminal}{place}{said}"


def _in_one_line(text: str) -> str:
    return text.replace("\n", "\\n")


def _grammar(result: Localization) -> str:
    """The files of the grammar; of a large one, or one that is in no file, its rules."""
    texts = []
    for file in dict.fromkeys(result.grammar.files):
        try:
            texts.append(f"### {file}\n{read_grammar_file(file)[0].text}\n")
        except GramspectError:
            return _rules(result)
    whole = "\n".join(texts)
    return whole if whole and len(whole) <= MOST_GRAMMAR else _rules(result)


def _rules(result: Localization) -> str:
    """The first definitions, and those that they call or that call them, while there is room."""
    grammar = result.grammar
    first = [one.definition for one in _shown(result) if one.definition >= 0]
    near = [other for one in first for other in sorted(grammar.calls[one])]
    callers = [n for n in range(len(grammar.calls)) if grammar.calls[n].intersection(first)]
    lines, size = list[str](), 0
    for symbol in dict.fromkeys((*first, *near, *callers)):
        for rule in grammar.rules_of[symbol]:
            lines.append(f"{grammar.symbols[symbol].name}: {grammar.rule_text(rule)}")
            size += len(lines[-1])
        if size > MOST_GRAMMAR:
            break
    return "\n".join(lines)
