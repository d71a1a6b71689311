"""Reports of associations and of what they foretell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from gramspect.associations.associate import Associations, LeftOut, Prediction
from gramspect.associations.features import Labelled, Paths
from gramspect.associations.model import Association, Model
from gramspect.associations.wording import clause_text, path_text
from gramspect.report.json import Json
from gramspect.report.words import counted, printable

__all__ = ["association_lines", "associations_value", "prediction_lines", "predictions_value"]

_NAMED = 3
"""How many of the inputs that were left out for one reason are named."""

_REASONS = 10
"""How many reasons are given."""


def association_lines(found: Associations, paths: Paths, top: int | None) -> Iterator[str]:
    """The targets with what they go with; those of all inputs last. With `top`, so many."""
    model = found.model
    yield (
        f"{counted(model.inputs, 'input')} of {model.grammar}, {counted(found.features, 'feature')}"
        f" that tell them apart, {counted(len(model.associations), 'target')}"
    )
    yield from _left_out(found.left_out)
    learned = [one for one in model.associations.values() if _varies(one, model)]
    for one in learned[:top]:
        yield ""
        yield from _target(one, paths, found.agreement[one.target], model)
    if top is not None and len(learned) > top:
        yield ""
        yield f"... and {counted(len(learned) - top, 'target')} more; --top says how many are shown"
    always = [one.target for one in model.associations.values() if not _varies(one, model)]
    if always:
        yield ""
        yield f"All inputs have: {_some(always)}"


def _varies(one: Association, model: Model) -> bool:
    return 0 < one.counts.covering < model.inputs


def _left_out(left_out: Sequence[LeftOut]) -> Iterator[str]:
    if left_out:
        yield f"{counted(len(left_out), 'input')} left out:"
        reasons: dict[str, list[str]] = {}
        for one in left_out:
            reasons.setdefault(one.reason, []).append(one.name)
        for reason, names in list(reasons.items())[:_REASONS]:
            yield f"  {_some(names)}: {printable(reason)}"
        if len(reasons) > _REASONS:
            yield f"  ... and {counted(len(reasons) - _REASONS, 'reason')} more"


def _some(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(map(printable, names[:_NAMED])) + more


def _target(one: Association, paths: Paths, agreement: Fraction, model: Model) -> Iterator[str]:
    labelled = Labelled(paths)
    share = f"{one.counts.covering:,} of {counted(model.inputs, 'input')}"
    yield f"{printable(one.target)}: {share}; the tree is right for {float(agreement):.1%}"
    ways = one.constraints()
    if not ways:
        yield "  no answers to its questions make it likely"
    for clauses, leaf in ways:
        yield f"  {leaf.covering} of {counted(leaf.inputs, 'input')}:"
        if not clauses:
            yield "    any"
        for clause in clauses:
            words = clause_text(paths.graph, labelled.path(clause.feature), clause)
            yield f"    {words}   ({path_text(clause.feature)})"


def associations_value(found: Associations, paths: Paths) -> dict[str, Json]:
    """The same as JSON."""
    labelled = Labelled(paths)
    targets: list[Json] = []
    for one in found.model.associations.values():
        ways: list[Json] = []
        for clauses, leaf in one.constraints():
            ways.append(
                {
                    "covering": leaf.covering,
                    "inputs": leaf.inputs,
                    "clauses": [
                        {
                            "text": clause_text(paths.graph, labelled.path(clause.feature), clause),
                            "path": list(clause.feature),
                            "present": clause.present,
                        }
                        for clause in clauses
                    ],
                }
            )
        targets.append(
            {
                "target": one.target,
                "kind": one.kind,
                "covering": one.counts.covering,
                "agreement": float(found.agreement[one.target]),
                "ways": ways,
            }
        )
    return {
        "schema": "gramspect/associate/1",
        "grammar": found.model.grammar,
        "inputs": found.model.inputs,
        "features": found.features,
        "left_out": [{"input": one.name, "reason": one.reason} for one in found.left_out],
        "targets": targets,
    }


def prediction_lines(found: Sequence[Prediction], n_targets: int) -> Iterator[str]:
    """What is foretold of each input."""
    for one in found:
        name = printable(one.name)
        if one.targets is None:
            yield f"{name}: it is no sentence of the grammar"
        elif n_targets == 1:
            yield f"{name}: {'yes' if one.targets else 'no'}"
        else:
            yield f"{name}: {', '.join(map(printable, one.targets)) or 'none'}"


def predictions_value(found: Sequence[Prediction]) -> dict[str, Json]:
    """The same as JSON; null for an input that is no sentence."""
    return {
        "schema": "gramspect/predict/1",
        "inputs": [
            {"input": one.name, "targets": None if one.targets is None else list(one.targets)}
            for one in found
        ],
    }
