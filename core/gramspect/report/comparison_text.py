"""The comparison for people to read: lines of styled text, or plain text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from textwrap import wrap

from gramspect.comparison.model import Comparison, Disagreement, Technique
from gramspect.recognition.trace import Verdict
from gramspect.report.words import WIDTH, Line, Piece, elided, plain, printable
from gramspect.suites.suite import Expectation

__all__ = [
    "columns_of",
    "comparison_lines",
    "comparison_text",
    "headline",
    "names_of",
    "spectra_lines",
]

_SHOWN = 5
_LONGEST_MESSAGE = 240
_NONE = "-"


def comparison_text(result: Comparison, *, verbose: bool = False) -> str:
    """The report as plain text; see `comparison_lines`."""
    return plain(comparison_lines(result, verbose=verbose))


def comparison_lines(result: Comparison, *, verbose: bool = False, mark: str = "•") -> list[Line]:
    """The report: who took part, who disagrees on what and why, ranks, agreement, times.

    With `verbose` all disagreements and the particulars of reasons and notes are shown.
    """
    parts = [
        _header(result),
        _notes(result, verbose),
        _techniques(result, verbose),
        _disagreements(result, verbose),
        _ranks(result, mark),
        _agreement(result),
        _times(result),
    ]
    lines: list[Line] = []
    for part in parts:
        found = list(part)
        if found and lines:
            lines.append([])
        lines += found
    return lines


def _header(result: Comparison) -> Iterator[Line]:
    for line, style in zip(headline(result), ("bold", "", "dim"), strict=True):
        yield [Piece(line, style)]


def headline(result: Comparison) -> tuple[str, str, str]:
    """What was compared, how large it is, and how it was ranked."""
    method, grammar, tests = result.method, result.grammar, _counted(len(result.suite), "test")
    sources = [technique.source or technique.name for technique in result.techniques]
    if grammar is not None:
        sources = list(grammar.files) or [grammar.name]
        tests = (
            f"{_counted(grammar.n_rules, 'rule')}, {grammar.n_nonterminals} non-terminals,"
            f" {_counted(len(grammar.terminals), 'terminal')}; {tests}"
        )
    kind = {"rule": "rules", "item": "items", "shift": "shift items"}[method.spectrum]
    ranked = f"non-terminals by their best {kind}" if method.grouped else kind
    return (
        printable(", ".join(dict.fromkeys(sources))),
        tests,
        f"ranked: {ranked}, extraction {method.extraction}, evidence {method.evidence},"
        f" metric {printable(method.metric)}, ties {method.ties}",
    )


def _notes(result: Comparison, verbose: bool) -> Iterator[Line]:
    for note in result.notes:
        more = " (-v shows them)" if note.details and not verbose else ""
        yield from _wrapped(Piece("note: ", "yellow"), printable(note.text) + more, "      ")
        if verbose:
            for detail in note.details:
                yield from ([Piece("  " + printable(x), "dim")] for x in detail.splitlines())


def _wrapped(head: Piece, text: str, indent: str) -> Iterator[Line]:
    """A text after a head, on as many lines as it takes; beside a very long head on one."""
    lines = wrap(
        head.text + text,
        WIDTH if len(head.text) < WIDTH // 2 else len(head.text) + len(text),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    yield [head, Piece(lines[0][len(head.text) :])]
    yield from ([Piece(line)] for line in lines[1:])


# --- the techniques ------------------------------------------------------------------------


def _techniques(result: Comparison, verbose: bool) -> Iterator[Line]:
    head = ("technique", "accepts", "rejects", "undecided", "failing", "elements", "executed",
            "per test")  # fmt: skip
    rows = [head, *map(_technique, result.techniques, names_of(result))]
    widths = _widths([row for row in rows if len(row) > 1])
    name_width = max(widths[0], *(len(row[0]) for row in rows))
    for row, technique in zip(rows, (None, *result.techniques), strict=True):
        name = row[0].ljust(name_width)
        if technique is not None and technique.localization is None:
            why = _shown(technique.refusal or "", verbose)
            beside = Piece(f"{name}  ", "bold cyan")
            yield from _wrapped(beside, f"cannot be compared: {why}", " " * len(beside.text))
            continue
        cells = "  ".join(x.rjust(w) for x, w in zip(row[1:], widths[1:], strict=True))
        style = "dim" if technique is None else ""
        yield [Piece(f"{name}  ", style or "bold cyan"), Piece(cells, style)]


def _shown(text: str, verbose: bool) -> str:
    """A message of a tool, which may be very long."""
    text = printable(text)
    if verbose or len(text) <= _LONGEST_MESSAGE:
        return text
    return f"{text[:_LONGEST_MESSAGE].rstrip()} ... (-v shows all)"


def _technique(technique: Technique, name: str) -> tuple[str, ...]:
    if technique.localization is None:
        return (name,)
    matrix = technique.matrix
    by_verdict = [int((matrix.verdicts == code).sum()) for code in range(3)]
    return (
        name, *map(str, by_verdict), str(matrix.n_failing), str(matrix.n_elements),
        str(technique.n_executed), f"{technique.mean_size:.1f}",
    )  # fmt: skip


# --- disagreements -------------------------------------------------------------------------


def _disagreements(result: Comparison, verbose: bool) -> Iterator[Line]:
    total = len(result.suite)
    found = result.disagreements
    if len(result.taking_part) > 1 and not found:
        yield [Piece(f"All techniques agree on all {_counted(total, 'test')}.", "green")]
    if not found:
        return
    yield [Piece(f"Verdicts differ on {len(found)} of {_counted(total, 'test')}:", "bold red")]
    for disagreement in found if verbose else found[:_SHOWN]:
        yield from _disagreement(result, disagreement, verbose)
    if not verbose and len(found) > _SHOWN:
        yield [Piece(f"  ... and {len(found) - _SHOWN} more (-v shows them)", "dim")]


def _disagreement(result: Comparison, disagreement: Disagreement, verbose: bool) -> Iterator[Line]:
    accept = disagreement.test.expectation is Expectation.ACCEPT
    wanted = "should be accepted" if accept else "should be rejected"
    yield [Piece(f"  {printable(disagreement.test.name)} "), Piece(wanted, "dim")]
    names = columns_of(result)
    for verdict in Verdict:
        group = [n for n, v in zip(names, disagreement.verdicts, strict=True) if v is verdict]
        if group:
            yield [Piece(f"    {verdict}: ", "dim"), Piece(", ".join(group))]
    if result.grammar is not None and disagreement.derivable[0] is not None:
        does = "derives" if disagreement.derivable[0] else "does not derive"
        yield [Piece(f"    the grammar {does} it", "dim")]
    reasons: dict[str, tuple[list[str], tuple[str, ...]]] = {}
    for name, explanation in zip(names, disagreement.explanations, strict=True):
        if explanation is not None:
            text = f"{explanation.cause}: {explanation.text}"
            reasons.setdefault(text, ([], explanation.details))[0].append(name)
    for text, (group, details) in reasons.items():
        yield from _wrapped(Piece(f"    {', '.join(group)}: ", "bold"), printable(text), " " * 6)
        if verbose:
            yield from ([Piece(f"      {printable(line)}", "dim")] for line in details)


# --- ranks ---------------------------------------------------------------------------------


def _ranks(result: Comparison, mark: str) -> Iterator[Line]:
    units, columns = result.top_units(), _ranking(result)
    if not units:
        if not result.any_failing:
            words = "No test fails in any technique, so there is nothing to rank."
            undecided = any(technique.result.undecided for technique in result.taking_part)
            yield [Piece(words, "" if undecided else "green")]
        return
    names = columns_of(result)
    what = "non-terminal" if result.method.grouped else "element"
    rows = [(what, *(names[column] for column in columns))]
    for unit in units:
        ranks = result.ranks[unit, columns].tolist()
        rows.append((printable(result.units[unit].label), *map(_rank, ranks)))
    widths = _widths(rows)
    yield [Piece(f"rank of what some technique has among its first {result.top}", "bold")]
    for number, row in enumerate(rows):
        label = row[0].ljust(widths[0])
        cells = "  ".join(x.rjust(w) for x, w in zip(row[1:], widths[1:], strict=True))
        if number == 0:
            yield [Piece(f"{label}  {cells}", "dim")]
            continue
        text = result.units[units[number - 1]].text
        room = WIDTH - len(label) - len(cells) - 4
        shown = _shortened(text, room, mark) if room >= 30 else ""
        yield [Piece(f"{label}  ", "bold cyan"), Piece(f"{cells}  "), Piece(shown, "dim")]
    silent = [name for column, name in enumerate(names) if column not in columns]
    if silent:
        yield [Piece(f"nothing is ranked where no test fails: {', '.join(silent)}", "dim")]


def _ranking(result: Comparison) -> list[int]:
    """The columns of techniques that rank something."""
    return [n for n, technique in enumerate(result.taking_part) if technique.result.ranking]


def columns_of(result: Comparison) -> list[str]:
    """Short names of the techniques that took part: their adapters, or numbers if these repeat."""
    return [_short(result, technique) for technique in result.taking_part]


def names_of(result: Comparison) -> list[str]:
    """The names of all techniques, with their numbers if these are their short names."""
    names = [
        (printable(technique.name), _short(result, technique)) for technique in result.techniques
    ]
    return [f"{short} {name}" if short.startswith("[") else name for name, short in names]


def _short(result: Comparison, technique: Technique) -> str:
    adapters = [other.adapter for other in result.techniques]
    if len(set(adapters)) == len(adapters):
        return printable(technique.adapter)
    return f"[{result.techniques.index(technique) + 1}]"


def _shortened(text: str, room: int, mark: str) -> str:
    words = [mark if word == "•" else printable(word) for word in text.split(" ")]
    place = words.index(mark) if mark in words else None
    return " ".join(elided(words, place, room)[0])


def _rank(rank: float) -> str:
    return _NONE if math.isnan(rank) else f"{rank:g}"


# --- agreement and time --------------------------------------------------------------------


def _agreement(result: Comparison) -> Iterator[Line]:
    columns = _ranking(result)
    if len(columns) > 1:
        yield from _matrix(result, columns)
    yield from ([Piece(line, "dim")] for line in spectra_lines(result))


def _matrix(result: Comparison, columns: Sequence[int]) -> Iterator[Line]:
    names = [columns_of(result)[column] for column in columns]
    place = {column: number for number, column in enumerate(columns)}
    cells = [[""] * len(names) for _ in names]
    for agreement in result.agreements:
        if agreement.first in place and agreement.second in place:
            first, second = place[agreement.first], place[agreement.second]
            cells[first][second] = _number(agreement.tau)
            cells[second][first] = _number(agreement.overlap)
    rows = [["", *names], *([name, *row] for name, row in zip(names, cells, strict=True))]
    widths = _widths(rows)
    yield [
        Piece("rank agreement", "bold"),
        Piece(": above the diagonal Kendall's tau-b, below it the overlap of the top "),
        Piece(str(result.top)),
    ]
    for number, row in enumerate(rows):
        line = "  ".join(x.rjust(w) for x, w in zip(row[1:], widths[1:], strict=True))
        style = "dim" if number == 0 else ""
        yield [Piece(f"{row[0].ljust(widths[0])}  ", style or "bold cyan"), Piece(line, style)]


def spectra_lines(result: Comparison) -> Iterator[str]:
    """Which techniques have the same spectra, if their elements are the same."""
    n_tests = len(result.suite)
    same = {(a.first, a.second): a.same_spectra for a in result.agreements}
    if not same or None in same.values():
        return
    classes: list[list[int]] = []
    for number in range(len(result.taking_part)):
        home = next((c for c in classes if same[c[0], number] == n_tests), None)
        if home is None:
            classes.append([number])
        else:
            home.append(number)
    names = columns_of(result)
    if len(classes) == 1:
        yield "the spectra of all techniques are identical"
        return
    for one, other in combinations(classes, 2):
        pair = " and ".join(", ".join(names[n] for n in group) for group in (one, other))
        tests = f"{same[one[0], other[0]]:,} of {_counted(n_tests, 'test')}"
        yield f"the same spectrum for {tests}: {pair}"


def _number(value: float | None) -> str:
    return _NONE if value is None else f"{value:.3f}"


def _times(result: Comparison) -> Iterator[Line]:
    times = [
        f"{printable(name)} {technique.seconds_per_test * 1e3:.3g} ms"
        for name, technique in zip(columns_of(result), result.taking_part, strict=True)
    ]
    yield [Piece("time per test: ", "bold"), Piece(", ".join(times))]


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
