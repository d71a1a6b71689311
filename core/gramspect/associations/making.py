"""Inputs made to order: such as a model expects to have a target.

Each way through the tree of a target to an answer *yes* is a constraint (Havrikov, Kampmann and
Zeller 2024, Section 5.3). Inputs are made by the exact solver, or searched where that would be too
large a task, from the ways in turn, and parsed again: in an ambiguous grammar an input may have a
forbidden path in another tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from gramspect.associations.features import Labelled, Paths
from gramspect.associations.model import Association, PathClause
from gramspect.associations.searching import Search
from gramspect.associations.solving import Constraint, Solver, feasibility
from gramspect.errors import GramspectError
from gramspect.generation.derivation import Derivation
from gramspect.generation.sampling import Sampling

__all__ = ["MadeInputs", "constraint_of", "inputs_for"]

ATTEMPTS = 50
"""How many derivations are drawn at most for each input that is wanted from one way."""


@dataclass(frozen=True)
class MadeInputs:
    """Inputs that a model expects to have a target, and notes on ways that gave none."""

    derivations: tuple[Derivation, ...]
    notes: tuple[str, ...]


def constraint_of(clauses: Sequence[PathClause], labelled: Labelled) -> Constraint:
    """The clauses of a way as paths of the grammar graph."""
    paths = [(labelled.path(clause.feature), clause.present) for clause in clauses]
    return Constraint(
        tuple(path for path, present in paths if present),
        tuple(path for path, present in paths if not present),
    )


def inputs_for(
    paths: Paths,
    association: Association,
    count: int,
    random: Random,
    sampling: Sampling | None = None,
) -> MadeInputs:
    """At most so many different inputs that are expected to have a target.

    Args:
        paths: the features of the grammar, with the k of the model.
        association: that of the target.
        count: how many inputs are wanted.
        random: draws them.
        sampling: how random derivations are made.

    Raises:
        GramspectError: the model knows no way to the target, or each is impossible.
    """
    ways = [clauses for clauses, _ in association.constraints()]
    if not ways:
        had = association.counts.covering
        why = "no input" if had == 0 else f"only {had} of {association.counts.inputs:,} inputs"
        raise GramspectError(
            f"the model has no way to {association.target!r}: {why} that it was learned from had"
            " it; learn from inputs more of which have it"
        )
    labelled, notes = Labelled(paths), list[str]()
    sources: list[Iterator[Derivation]] = []
    for number, clauses in enumerate(ways, start=1):
        constraint = constraint_of(clauses, labelled)
        try:
            solver = Solver(paths.graph, constraint)
        except GramspectError:  # its grammar would be too large
            notes.append(f"way {number} of {len(ways)} asks too much to be solved; it is searched")
            drawn = islice(_searched(paths, constraint, random), ATTEMPTS * count)
            sources.append(_checked(drawn, paths, association))
            continue
        if solver.grammar is None:
            known = feasibility(paths.graph, constraint)
            word = "impossible" if known.impossible else "not found"
            notes.append(f"way {number} of {len(ways)} is {word}: {known.reason}")
            continue
        drawn = islice(solver.derivations(random, sampling), ATTEMPTS * count)
        sources.append(_checked(drawn, paths, association))
    if not sources:
        raise GramspectError(f"no input can be made for {association.target!r}: {notes[0]}")
    made = dict[tuple[int, ...], Derivation]()
    while sources and len(made) < count:
        for source in list(sources):
            new = next((each for each in source if each.tokens not in made), None)
            if new is None:
                sources.remove(source)
            else:
                made[new.tokens] = new
    if len(made) < count:
        found = "different inputs were" if len(made) != 1 else "input was"
        notes.append(f"only {len(made)} {found} found")
    return MadeInputs(tuple(made.values())[:count], tuple(notes))


def _searched(paths: Paths, constraint: Constraint, random: Random) -> Iterator[Derivation]:
    """What the search finds, equals in another order each time, until it finds none."""
    while (found := Search(paths.graph, constraint, random).found().derivation) is not None:
        yield found


def _checked(
    drawn: Iterator[Derivation], paths: Paths, association: Association
) -> Iterator[Derivation]:
    """The derivations whose sentences, parsed again, are expected to have the target."""
    labelled = Labelled(paths)
    for each in drawn:
        found = paths.of(each.tokens)
        assert found is not None, "a derivation of the grammar is one of its sentences"
        if association.foretold(labelled.has(found)):
            yield each
