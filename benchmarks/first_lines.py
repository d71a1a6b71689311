"""How often the first lines of reports are right on real faults, as users get them.

    python benchmarks/first_lines.py FOLDER... [--jobs N] [--keep FOLDER] [--reader COMMAND]

The folders hold cases (`fault_cases.py`). Each is given to `localize` with all defaults: the suite
is run, edits and token rules are searched, and the tool is asked about the best repairs. A rule is
ranked by the best position of each, with the token rules among them; of several rules to blame the
first counts, ties by mean rank. The columns are the shares of cases where it is the first, or among
the first 3, 5 or 10:

* by the rules alone, without token rules and without what the tool says of repairs;
* with token rules;
* as the report has it, after what the tool says (`gramspect.localization.settling`), and with
  ``--reader`` after what that says (`gramspect.localization.reader`).

Faults in token definitions alone are listed with the ranks of these. ``--keep`` keeps what was
found, a file for each case, and does not run again what is there.
"""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from fault_cases import Told, arguments, loading_of, suite_of, told_of_each
from gramspect.errors import GramspectError
from gramspect.localization import localize as localization
from gramspect.localization.conclusion import conclusion
from gramspect.localization.reader import SECONDS, Reader
from gramspect.localization.results import Localization

TOP = (1, 3, 5, 10)


def main() -> None:
    parser = arguments("How often first lines are right.")
    parser.add_argument("--reader", metavar="COMMAND", help="as for gramspect localize")
    options = parser.parse_args()
    show(told_of_each(partial(case, options.reader), options))


def case(command: str | None, folder: Path) -> Told:
    """What the report on a case says first."""
    reader = None if command is None else Reader(command, SECONDS)
    head, source, options = loading_of(folder)
    found: Told = {"name": head.name, "tool": head.tool, "problem": ""}
    found |= {"rules": sorted(head.rules), "tokens": sorted(head.tokens)}
    try:
        result = localization.localize(source, suite_of(folder), load=options, reader=reader)
        found |= told(result)
    except GramspectError as problem:
        found["problem"] = str(problem)
    found["seconds"] = sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
    return found


def told(result: Localization) -> Told:
    """The definitions in the order of the ranking, with their scores before and after."""
    definitions: dict[int, tuple[bool, str, float, float]] = {}
    for one in result.ranking:
        before = one.score / result.basis.settled.get(one.definition, 1.0)
        is_token = one.definition < 0
        definitions.setdefault(one.definition, (is_token, one.nonterminal, before, one.score))
    first = conclusion(result)
    return {
        "ranking": list(definitions.values()),
        "confidence": first and first.confidence,
        "confirmed": first is not None and first.confirmed,
    }


def show(found: Sequence[Told]) -> None:
    """The tables."""
    cases = [one for one in found if one["rules"]]
    print(f"{'':12}{'':>5}  {'rules alone':30}{'with token rules':30}{'as reported':30}")
    for tool in ["all", *sorted({one["tool"] for one in cases})] if cases else ():
        these = [one for one in cases if tool in ("all", one["tool"])]
        columns = (
            [rank(one, "rules", tokens=False, settled=False) for one in these],
            [rank(one, "rules", tokens=True, settled=False) for one in these],
            [rank(one, "rules", tokens=True, settled=True) for one in these],
        )
        print(f"{tool:12}{len(these):5}  " + "".join(f"{shares(ranks):30}" for ranks in columns))
    stated = Counter((one["confidence"], rank(one, "rules") == 1) for one in cases if ranked(one))
    for degree in dict.fromkeys(degree for degree, _ in stated):
        right, wrong = stated[degree, True], stated[degree, False]
        print(f"{degree!s:12}{right:5} of {right + wrong} right")
    of_tokens = [one for one in found if not one["rules"]]
    for one in of_tokens:
        print(f"{one['name']}: token rule {', '.join(one['tokens'])}: {rank(one, 'tokens'):g}")
    if of_tokens:
        ranks = [rank(one, "tokens") for one in of_tokens]
        print(f"token rules {len(ranks):5}  {shares(ranks)}")
    seconds = [one["seconds"] for one in found]
    print(f"processor seconds: median {median(seconds):.1f}, longest {max(seconds):.1f}")


def ranked(one: Told) -> Sequence[tuple[bool, str, float, float]]:
    ranking: Sequence[tuple[bool, str, float, float]] = one.get("ranking", ())
    return ranking


def rank(one: Told, wanted: str, *, tokens: bool = True, settled: bool = True) -> float:
    """The rank of the best of the rules, or token rules, to blame; infinity if none is ranked."""
    scores = {
        (is_token, name): after if settled else before
        for is_token, name, before, after in ranked(one)
        if tokens or not is_token
    }
    ranks = _ranks(scores.values())
    of = dict(zip(scores, ranks, strict=True))
    names = ((wanted == "tokens", name) for name in one[wanted])
    return min((of[name] for name in names if name in of), default=float("inf"))


def _ranks(scores: Iterable[float]) -> list[float]:
    """Mean ranks of scores, the highest first."""
    values = list(scores)
    return [
        sum(other > one for other in values) + (sum(other == one for other in values) + 1) / 2
        for one in values
    ]


def shares(ranks: Sequence[float]) -> str:
    return " / ".join(f"{100 * sum(r <= top for r in ranks) / len(ranks):.1f}" for top in TOP)


if __name__ == "__main__":
    main()
