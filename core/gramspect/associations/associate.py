"""From inputs and what they do to a model of it, and what a model says of other inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from gramspect.associations.features import Labelled, Paths
from gramspect.associations.learning import FeatureTable, learned_trees
from gramspect.associations.model import Association, Model, identity_of
from gramspect.associations.targets import Found, Observer, Target
from gramspect.errors import GramspectError
from gramspect.recognition.recognizer import LoadOptions, Recognizer, Tokenizing
from gramspect.running.loading import load_parser
from gramspect.running.observing import tokens_of
from gramspect.suites.suite import TestCase, TestSuite

__all__ = [
    "Associations", "LeftOut", "Prediction", "associate", "associate_inputs", "predict",
    "predictions",
]  # fmt: skip

K = 4
"""How many nodes the paths of features have at most unless it is said."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An input that says nothing, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class Associations:
    """What was learned.

    Attributes:
        model: what is kept of it.
        left_out: the inputs that were not learned from.
        features: how many paths tell inputs apart.
        agreement: by target, the part of the inputs that its tree tells rightly.
    """

    model: Model
    left_out: tuple[LeftOut, ...]
    features: int
    agreement: dict[str, Fraction]


def associate(
    source: str,
    suite: TestSuite,
    observer: Observer,
    *,
    load: LoadOptions = LoadOptions(),
    k: int = K,
) -> Associations:
    """Learn what in the inputs of a grammar goes with what they do.

    Args:
        source: a grammar that an adapter loads; its derivations are the features.
        suite: the inputs. Those that are no sentences of the grammar are left out.
        observer: says what each does (`gramspect.associations.targets`).
        load: how the grammar is loaded.
        k: the most nodes in a path, up to 5.

    Raises:
        GramspectError: the grammar, the observer or no input at all can be used.
    """
    recognizer = load_parser(source, load).recognizer
    paths, inputs = features_of(recognizer, list(suite), k, source)
    return associate_inputs(paths, list(suite), inputs, observer)


def features_of(
    recognizer: Recognizer, tests: Sequence[TestCase], k: int, source: str
) -> tuple[Paths, list[frozenset[int] | None]]:
    """The numbers of the paths of each test; None if it is no sentence.

    Raises:
        GramspectError: the tokens of tests are not known to the adapter.
    """
    if not isinstance(recognizer, Tokenizing):
        raise GramspectError(
            f"{source}: features need the tokens of inputs, which this adapter cannot tell"
        )
    paths = Paths(recognizer.grammar, k)
    found = []
    for test in tests:
        tokens = tokens_of(recognizer, test)
        found.append(None if tokens is None else paths.of(tokens))
    return paths, found


def associate_inputs(
    paths: Paths,
    tests: Sequence[TestCase],
    inputs: Sequence[frozenset[int] | None],
    observer: Observer,
) -> Associations:
    """Learn from tests whose features are known.

    Raises:
        GramspectError: no input can be used.
    """
    left_out = []
    kept: list[tuple[frozenset[int], frozenset[Target]]] = []
    usable = [(test, has) for test, has in zip(tests, inputs, strict=True) if has is not None]
    for test, has in zip(tests, inputs, strict=True):
        if has is None:
            left_out.append(LeftOut(test.name, "it is no sentence of the grammar"))
    seen: Iterator[Found] = observer.observe([test for test, _ in usable])
    for (test, has), found in zip(usable, seen, strict=True):
        if found.lost is not None:
            left_out.append(LeftOut(test.name, found.lost))
        else:
            kept.append((has, found.targets))
    if not kept:
        first = left_out[0]
        raise GramspectError(
            f"nothing can be learned: none of the {len(tests):,} inputs can be used;"
            f" {first.name}: {first.reason}"
        )
    covering: dict[Target, set[int]] = {}
    for row, (_, targets) in enumerate(kept):
        for target in targets:
            covering.setdefault(target, set()).add(row)
    if not covering:
        raise GramspectError(
            f"nothing can be learned: none of the {len(kept):,} inputs has any of the targets"
        )
    table = FeatureTable(paths, [has for has, _ in kept])
    in_order = sorted(covering, key=lambda target: (target.kind, target.name))
    trees = learned_trees(table, {each.name: frozenset(covering[each]) for each in in_order})
    found_all = {
        each.name: Association(each.name, str(each.kind), trees[each.name]) for each in in_order
    }
    grammar = paths.grammar
    model = Model(grammar.name, identity_of(grammar), paths.k, len(kept), found_all)
    labelled = Labelled(paths)
    having = [labelled.has(has) for has, _ in kept]
    agreement = {
        each.name: Fraction(
            sum(
                found_all[each.name].foretold(has) == (row in covering[each])
                for row, has in enumerate(having)
            ),
            len(kept),
        )
        for each in in_order
    }
    return Associations(model, tuple(left_out), len(table.columns), agreement)


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a model says of one input: the targets that it is expected to have.

    It is None where the input is no sentence of the grammar.
    """

    name: str
    targets: tuple[str, ...] | None


def predict(
    source: str,
    model: Model,
    suite: TestSuite,
    *,
    load: LoadOptions = LoadOptions(),
    targets: Sequence[str] = (),
) -> list[Prediction]:
    """What a model foretells of inputs, without running anything.

    Raises:
        GramspectError: the grammar cannot be used or is not that of the model, or there is no such
            target in it.
    """
    recognizer = load_parser(source, load).recognizer
    model.check(recognizer.grammar, source)
    paths, inputs = features_of(recognizer, list(suite), model.k, source)
    found = predictions(paths, inputs, model, targets)
    return [Prediction(test.name, each) for test, each in zip(suite, found, strict=True)]


def predictions(
    paths: Paths,
    inputs: Sequence[frozenset[int] | None],
    model: Model,
    targets: Sequence[str] = (),
) -> list[tuple[str, ...] | None]:
    """The targets, of all or of some, that inputs with these features are expected to have."""
    chosen = [model.association(target) for target in targets or model.associations]
    labelled = Labelled(paths)
    found: list[tuple[str, ...] | None] = []
    for each in inputs:
        if each is None:
            found.append(None)
            continue
        has = labelled.has(each)
        found.append(tuple(one.target for one in chosen if one.foretold(has)))
    return found
