"""What the first repairs are worth on real texts that no test shows, in the real parsers.

    python benchmarks/repairs_on_texts.py FOLDER... [--jobs N] [--keep FOLDER]

The folders hold cases of `release_cases.py`. `gramspect suggest` gets the one to three failing
texts and the ten that pass. Each of its first repairs is made in a copy of the parser, which then
gets texts that the search has not seen: those in ``held``, which the authors' mended parser accepts
and the faulty one rejects for the same reason, and those in ``wrong``, which neither accepts.

A repair *serves* the held texts if the parser then accepts all of them, and a *part* if some. The
columns "and right" and "or a part" count repairs that accept none of the wrong texts. Only cases
with at least `FEWEST` held texts, and some wrong ones, count. The table has the first repair and
the best of three, for all cases, for those whose first repair is in a rule to blame, and for the
others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from fault_cases import Told, arguments, loading_of, suite_of, told_of_each
from gramspect import suggest
from gramspect.edits.drafts import Draft
from gramspect.edits.suggestion import Suggestion
from gramspect.errors import GramspectError
from gramspect.running.loading import LoadSpec, load_parser
from release_cases import accepts

FEWEST = 3
AMONG = 3


def main() -> None:
    show(
        told_of_each(case, arguments("Judges repairs by texts that they do not know.").parse_args())
    )


def case(folder: Path) -> Told:
    """The first repairs of a case, each with what it makes of the texts."""
    head, source, options = loading_of(folder)
    held, wrong = texts_in(folder / "held"), texts_in(folder / "wrong")
    found: Told = {"name": head.name, "tool": head.tool, "problem": "", "repairs": []}
    found |= {"rules": sorted(head.rules), "n_held": len(held), "n_wrong": len(wrong)}
    if len(held) >= FEWEST and wrong and head.rules:
        try:
            suggestions = suggest(source, suite_of(folder), load=options, most=AMONG).suggestions
            spec = load_parser(source, options).loader
            if not isinstance(spec, LoadSpec):
                raise GramspectError("the parser is not loaded from a file")
            found["repairs"] = [judged(one, spec, held, wrong) for one in suggestions[:AMONG]]
        except GramspectError as problem:
            found["problem"] = str(problem)
    return found


def texts_in(folder: Path) -> list[str]:
    """The texts in the files of a folder, in order."""
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*"))]


def judged(
    suggestion: Suggestion, spec: LoadSpec, held: Sequence[str], wrong: Sequence[str]
) -> Told:
    """How many texts of each kind the repaired parser accepts; none where there is no such."""
    found: Told = {"rule": suggestion.nonterminal, "repair": suggestion.describe()}
    found |= {"held": None, "wrong": None}
    try:
        draft = Draft.of(spec, suggestion.grammar)
        for step in suggestion.steps:
            if step.change is None:
                return found
            draft = draft.with_change(step.change)
        parser = draft.load().recognizer
        found["held"] = accepts(parser, held).count(True)
        found["wrong"] = accepts(parser, wrong).count(True)
    except GramspectError as problem:
        found["problem"] = str(problem)
    return found


def show(cases: Sequence[Told]) -> None:
    """A line for all cases, and for those whose first repair is in a rule to blame, or is not."""
    these = [one for one in cases if one["rules"] and one["n_held"] >= FEWEST and one["n_wrong"]]
    print(f"{len(these)} of {len(cases)} cases have {FEWEST} held texts or more")
    print(f"{'':44}{'cases':>6}{'serves':>9}{'and right':>11}{'or a part':>11}")
    first = [(one, one["repairs"][:1]) for one in these]
    line("the first repair", first)
    line(f"one of the first {AMONG}", [(one, one["repairs"]) for one in these])
    in_rule = [bool(r) and r[0]["rule"] in one["rules"] for one, r in first]
    line("the first, in a rule to blame", [f for f, ok in zip(first, in_rule, strict=True) if ok])
    line("the first, in another rule", [f for f, ok in zip(first, in_rule, strict=True) if not ok])


def line(title: str, rows: Sequence[tuple[Told, Sequence[Told]]]) -> None:
    """How many cases have a repair that serves the held texts, is right too, or serves a part."""

    def share(holds: Callable[[Told, Told], bool]) -> str:
        n = sum(any(holds(one, repair) for repair in repairs) for one, repairs in rows)
        return f"{n / max(len(rows), 1):.1%}"

    cells = share(serves), share(is_right), share(is_part)
    print(f"{title:44}{len(rows):6}{cells[0]:>9}{cells[1]:>11}{cells[2]:>11}")


def serves(one: Told, repair: Told) -> bool:
    return bool(repair["held"] == one["n_held"])


def is_right(one: Told, repair: Told) -> bool:
    return serves(one, repair) and repair["wrong"] == 0


def is_part(_: Told, repair: Told) -> bool:
    return bool(repair["held"]) and repair["wrong"] == 0


if __name__ == "__main__":
    main()
