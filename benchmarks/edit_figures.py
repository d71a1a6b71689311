"""What became of seeded faults for which edits were suggested, as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, median

from gramspect.grammars.seeding import Mutant, Mutation
from gramspect.localization.results import Localization

__all__ = ["Found", "missed", "print_tables", "rank_among"]


@dataclass(frozen=True)
class Found:
    """What became of one fault.

    `first` and `top_three`: whether the first, or one of the first three suggestions gives every
    test the right verdict. `undone`: whether the first one makes the rules of the correct grammar;
    `unseen`: whether it is right on other tests, too; `by_edits` and `by_both`: the rank of the
    faulty element by that evidence. None where that is not asked. `best` describes the first
    suggestion.
    """

    language: str
    mutant: Mutant
    first: bool
    top_three: bool
    undone: bool | None
    unseen: bool | None
    by_edits: float
    by_both: float | None
    seconds: float
    best: str = ""

    @property
    def token_lost(self) -> bool:
        """Whether a token that occurs in the correct grammar does not occur in the faulty one."""
        correct, faulty = (
            {s for rule in grammar.rules for s in rule.rhs if grammar.is_terminal(s)}
            for grammar in (self.mutant.original, self.mutant.grammar)
        )
        return not correct <= faulty


def rank_among(
    result: Localization, wanted: Iterable[int], name: Callable[[int], int], n_names: int
) -> float:
    """The best rank of wanted names among `n_names`, each ranked by the best of its elements.

    `name` gives the name of a rule. Members of a tie share its middle, as do those without a score,
    after the others.
    """
    best: dict[int, float] = {}
    for element in result.ranking:
        best.setdefault(name(element.rule), element.rank)
    own = min((best[each] for each in wanted if each in best), default=None)
    if own is None:
        return (len(best) + 1 + n_names) / 2
    ranks = list(best.values())
    return sum(rank < own for rank in ranks) + (ranks.count(own) + 1) / 2


_SHARES: dict[str, Callable[[Found], bool | None]] = {
    "first": lambda one: one.first,
    "top 3": lambda one: one.top_three,
    "undone": lambda one: one.undone,
    "unseen": lambda one: one.unseen,
    "rule 1": lambda one: one.by_edits <= 1,
    "rule 5": lambda one: one.by_edits <= 5,
    "both 1": lambda one: None if one.by_both is None else one.by_both <= 1,
    "both 5": lambda one: None if one.by_both is None else one.by_both <= 5,
}


def print_tables(found: Sequence[Found]) -> None:
    """Shares in percent: of all, by operator and by language; the same at position one alone."""
    for title, part in (
        ("all", found),
        ("position one", [one for one in found if one.mutant.position_one]),
        ("other positions", [one for one in found if not one.mutant.position_one]),
    ):
        print(f"\n{title:20} {'faults':>7}", *(f"{name:>7}" for name in _SHARES))
        for name, group in _groups(part):
            print(f"{name:20} {len(group):7}", *(_share(group, of) for of in _SHARES.values()))
    seconds = [each.seconds for each in found]
    print(f"\nseconds: median {median(seconds):.1f}, longest {max(seconds):.1f}")


def _share(group: Sequence[Found], of: Callable[[Found], bool | None]) -> str:
    flags = [flag for flag in map(of, group) if flag is not None]
    return f"{100 * mean(flags):6.1f}%" if flags else f"{'-':>7}"


def _groups(found: Sequence[Found]) -> Iterator[tuple[str, Sequence[Found]]]:
    """All, without and with a token lost, by operator and by language, as far as there are any."""
    for name, flags in ("all", (False, True)), ("no token lost", (False,)), ("token lost", (True,)):
        if of_kind := [one for one in found if one.token_lost in flags]:
            yield name, of_kind
    for operator in Mutation:
        if of_operator := [one for one in found if one.mutant.operator is operator]:
            yield operator.value, of_operator
    for language in dict.fromkeys(one.language for one in found):
        yield language, [one for one in found if one.language == language]


def missed(one: Found) -> str:
    """In words a fault that the first suggestion does not mend, and that suggestion."""
    where = " (top 3)" if one.top_three else ""
    return (
        f"missed: {one.language}: {one.mutant.description}{where}; "
        f"rule {one.by_edits:g}; first: {one.best or 'nothing'}"
    )
