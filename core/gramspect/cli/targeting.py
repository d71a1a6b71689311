"""``gramspect generate --target``: inputs that a learned model expects to do something."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from gramspect.associations.features import Paths
from gramspect.associations.making import MadeInputs, inputs_for
from gramspect.associations.model import Model
from gramspect.errors import GramspectError
from gramspect.generation.generate import Plan
from gramspect.generation.generated import GeneratedTest
from gramspect.generation.sampling import Sampling
from gramspect.grammars.grammar import Grammar

__all__ = ["COUNT", "targeted_tests"]

COUNT = 10
"""How many inputs are made unless --random says it."""


def targeted_tests(
    grammar: Grammar, source: str, model: str | None, target: str, plan: Plan, sampling: Sampling
) -> tuple[Sequence[GeneratedTest], MadeInputs]:
    """The tests for one target of a model.

    Raises:
        GramspectError: options do not go together, the model is that of another grammar, or there
            is no way to the target.
    """
    if model is None:
        raise GramspectError("--target is one of a model; name its file with --model")
    asked = plan.criteria if not plan.n_random else ()
    if plan.negative or plan.base or asked not in ((), ("rule",)):
        raise GramspectError("--target goes with --random N only, which says how many are made")
    known = Model.read(model)
    known.check(grammar, source)
    found = inputs_for(
        Paths(grammar, known.k),
        known.association(target),
        plan.n_random or COUNT,
        Random(plan.seed or 0),
        sampling,
    )
    tests = [GeneratedTest(each.tokens, each, "target", target) for each in found.derivations]
    return tests, found
