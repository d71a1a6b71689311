"""What was learned about the inputs of a grammar: a tree of questions for each target.

A model is kept in one JSON file, which has all that is needed to foretell what an input does and to
make inputs that do it, but the grammar: that is loaded again and must be the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from gramspect.associations.trees import Clause, Leaf, Question, Tree, Way, foretold, ways
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.reading import read_whole

__all__ = ["SCHEMA", "Association", "Labels", "Model", "Node", "PathClause", "identity_of"]

SCHEMA = "gramspect/associations/1"

Labels = tuple[str, ...]
"""A path by the labels of the items that its nodes are at: ``expr:2:0``."""


Node = Tree[Labels]
PathClause = Clause[Labels]


@dataclass(frozen=True, slots=True)
class Association:
    """What one target goes with.

    Attributes:
        target: its name, unique in a model: a function, ``fails``.
        kind: what it is, as in ``--targets``.
        tree: the questions; a leaf alone where no input or all of them had the target.
    """

    target: str
    kind: str
    tree: Node

    def foretold(self, has: Callable[[Labels], bool]) -> bool:
        """Whether an input is expected to have the target; `has` answers questions about paths."""
        return foretold(self.tree, has)

    def constraints(self) -> list[Way[Labels]]:
        """The ways to a leaf that says yes, each as what must hold (Section 5.3.1)."""
        return ways(self.tree)

    @property
    def counts(self) -> Leaf:
        """The inputs that were learned from, all together."""
        return _total(self.tree)


def _total(node: Node) -> Leaf:
    if isinstance(node, Leaf):
        return node
    yes, no = _total(node.yes), _total(node.no)
    return Leaf(yes.covering + no.covering, yes.inputs + no.inputs)


@dataclass(frozen=True)
class Model:
    """The associations of one grammar with what its inputs do.

    Attributes:
        grammar: its name; `identity` is a hash of its rules.
        k: how many nodes the paths have at most.
        inputs: how many were learned from.
        associations: by target, in the order in which reports show them.
    """

    grammar: str
    identity: str
    k: int
    inputs: int
    associations: Mapping[str, Association]

    def association(self, target: str) -> Association:
        """The association of a target.

        Raises:
            GramspectError: there is no such target.
        """
        found = self.associations.get(target)
        if found is None:
            from difflib import get_close_matches

            near = get_close_matches(target, self.associations, n=1, cutoff=0.3)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise GramspectError(
                f"the model has no target {target!r}: none of the {self.inputs} inputs that it was"
                f" learned from executed it, or it is called something else{hint}"
            )
        return found

    def check(self, grammar: Grammar, source: str) -> None:
        """Refuse a grammar that the model is not of.

        Raises:
            GramspectError: it has other rules.
        """
        if identity_of(grammar) != self.identity:
            raise GramspectError(
                f"{source}: is not the grammar that the model was learned with ({self.grammar}):"
                " its rules differ; learn it again with gramspect associate"
            )

    def text(self) -> str:
        """The model as a file."""
        value = {
            "schema": SCHEMA,
            "grammar": self.grammar,
            "identity": self.identity,
            "k": self.k,
            "inputs": self.inputs,
            "associations": [
                {"target": each.target, "kind": each.kind, "tree": _written(each.tree)}
                for each in self.associations.values()
            ],
        }
        return json.dumps(value, indent=1) + "\n"

    @classmethod
    def read(cls, path: str) -> Model:
        """The model in a file.

        Raises:
            GramspectError: it cannot be read, is no model, or one of another version.
        """
        content = _content(path)
        schema = content.get("schema") if isinstance(content, dict) else None
        if schema != SCHEMA:
            if isinstance(schema, str) and schema.startswith(SCHEMA.rpartition("/")[0]):
                raise GramspectError(
                    f"{path}: is a model of version {schema.rpartition('/')[2]}, and this gramspect"
                    f" reads version {SCHEMA.rpartition('/')[2]}; learn it again with gramspect"
                    " associate"
                )
            raise GramspectError(f"{path}: is no model; gramspect associate writes one with -o")
        try:
            found = [
                Association(str(each["target"]), str(each["kind"]), _read(each["tree"]))
                for each in content["associations"]
            ]
            return cls(
                str(content["grammar"]),
                str(content["identity"]),
                int(content["k"]),
                int(content["inputs"]),
                {each.target: each for each in found},
            )
        except (KeyError, TypeError, ValueError, RecursionError) as problem:
            raise GramspectError(
                f"{path}: is no whole model ({type(problem).__name__}: {problem}); learn it again"
                " with gramspect associate"
            ) from None


def _content(path: str) -> Any:
    if Path(path).is_dir():
        raise GramspectError(f"{path}: is a folder; name the file of a model")
    if not Path(path).exists():
        raise GramspectError(f"{path}: there is no such file; gramspect associate writes it")
    try:
        return json.loads(read_whole(path))
    except ValueError:
        raise GramspectError(
            f"{path}: is no model; gramspect associate writes one with -o"
        ) from None


def _written(node: Node) -> dict[str, Any]:
    if isinstance(node, Leaf):
        return {"covering": node.covering, "inputs": node.inputs}
    return {"path": list(node.feature), "yes": _written(node.yes), "no": _written(node.no)}


def _read(value: Any) -> Node:
    if "path" in value:
        return Question(tuple(map(str, value["path"])), _read(value["yes"]), _read(value["no"]))
    return Leaf(int(value["covering"]), int(value["inputs"]))


def identity_of(grammar: Grammar) -> str:
    """A hash of the rules and the start symbol of a grammar, by the names of symbols."""
    names = [symbol.name for symbol in grammar.symbols]
    rules = [(names[rule.lhs], [names[symbol] for symbol in rule.rhs]) for rule in grammar.rules]
    return sha256(json.dumps([names[grammar.start], rules]).encode()).hexdigest()[:16]
