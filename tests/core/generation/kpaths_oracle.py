"""k-paths straight from the definitions of Havrikov, Kampmann and Zeller; no code of core's.

The grammar graph is built of EBNF definitions, with all its synthetic nodes. Symbolic nodes are
named by where they are written: (definition or block, alternative, position). Blocks have the names
that `gramspect.grammars.ebnf` documents, which is what lets derivations be compared; what is
repeated has the position "x", in whatever rule of the expansion it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from checker import Tree, tree_of

from gramspect.grammars.ebnf import Alternative, Block, Definition, Element, Reference
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Operator

Key = tuple[str, int | str, int]
Path = tuple[Key, ...]

GROUP, OPTION, STAR, PLUS = Operator.GROUP, Operator.OPTION, Operator.STAR, Operator.PLUS


@dataclass(eq=False)
class Node:
    """A node of the graph; synthetic ones have no key."""

    kind: str
    key: Key | None = None
    children: list[Node] = field(default_factory=list)


class PaperGraph:
    """Rules (1) to (6) of Section 2.2."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self.definitions = {each.name: each for each in definitions}
        self.productive = self._productive()
        self.made: dict[str, Node] = {}
        self.referring: list[tuple[Node, str]] = []
        self.root = self._definition(definitions[0].name)
        while self.referring:
            node, name = self.referring.pop()
            node.children = [self._definition(name)]

    def _productive(self) -> set[str]:
        self.productive = set()
        while True:
            found = {
                name
                for name, definition in self.definitions.items()
                if any(map(self._is_productive, definition.alternatives))
            }
            if found == self.productive:
                return found
            self.productive = found

    def _is_productive(self, alternative: Alternative) -> bool:
        return all(map(self._derives, alternative.elements))

    def _derives(self, element: Element) -> bool:
        if isinstance(element, Reference):
            return element.name not in self.definitions or element.name in self.productive
        if element.operator in (OPTION, STAR, Operator.ACTION):
            return True
        return any(map(self._is_productive, element.alternatives))

    def _definition(self, name: str) -> Node:
        if name not in self.made:
            made = self._alternation(name, self.definitions[name].alternatives)
            assert made is not None, f"{name} derives nothing"
            self.made[name] = made
        return self.made[name]

    def _alternation(self, name: str, alternatives: Sequence[Alternative]) -> Node | None:
        children = [
            self._concatenation(name, number, alternative)
            for number, alternative in enumerate(alternatives, start=1)
            if self._is_productive(alternative)
        ]
        if not children:
            return None
        return children[0] if len(children) == 1 else Node("|", None, children)

    def _concatenation(self, name: str, number: int, alternative: Alternative) -> Node:
        atoms, blocks = [], 0
        for position, element in enumerate(alternative.elements):
            key = (name, number, position)
            if isinstance(element, Reference):
                atoms.append(self._symbol(element.name, key))
                continue
            blocks += 1
            atom = self._block(f"{name}:{number}.{blocks}", element, key)
            if atom is not None:
                atoms.append(atom)
        return atoms[0] if len(atoms) == 1 else Node("~", None, atoms)

    def _symbol(self, name: str, key: Key) -> Node:
        node = Node("symbol", key)
        if name in self.definitions:
            self.referring.append((node, name))
        return node

    def _block(self, name: str, block: Block, key: Key) -> Node | None:
        if block.operator is Operator.ACTION:
            return None
        if block.operator is Operator.SET:
            return Node("symbol", key)
        if block.operator is GROUP:
            return self._alternation(name, block.alternatives)
        quantifier = Node(block.operator)
        below = (
            self._alternation(name, block.alternatives)
            if block.operator is OPTION
            else self._repeated(name, block)
        )
        if below is not None:
            quantifier.children.append(below)
        return quantifier

    def _repeated(self, name: str, block: Block) -> Node | None:
        first = block.alternatives[0]
        if len(block.alternatives) == 1 and len(first.elements) == 1:
            body = first.elements[0]
            if not self._derives(body):
                return None
            if isinstance(body, Reference):
                return self._symbol(body.name, (name, "x", 0))
            return self._block(f"{name}.1", body, (name, "x", 0))
        return self._alternation(f"{name}.1", block.alternatives)

    # --- paths ---------------------------------------------------------------------------

    def reachable(self) -> list[Node]:
        found = [self.root]
        for node in found:
            found += [c for c in node.children if all(c is not each for each in found)]
        return found

    def paths(self, k: int) -> set[Path]:
        """Definition 3.2, by walking along every edge."""
        return {path for node in self.reachable() for path in self._from(node, k)}

    def _from(self, node: Node, k: int) -> Iterator[Path]:
        if node.key is None:
            return
        if k == 1:
            yield (node.key,)
            return
        pending = list(node.children)
        while pending:
            child = pending.pop()
            if child.key is None:
                pending += child.children
            else:
                for path in self._from(child, k - 1):
                    yield (node.key, *path)

    # --- depth ---------------------------------------------------------------------------

    def fits(self, node: Node, room: int) -> bool:
        """Whether some subtree at the node has at most that depth."""
        if room < 0:
            return False
        if node.kind in (OPTION, STAR):
            return True
        choose = any if node.kind == "|" else all
        return choose(self.fits(child, room - 1) for child in node.children)

    def paths_within(self, k: int, depth: int) -> set[Path]:
        """The k-paths that trees of at most that depth contain."""
        found = set()
        start = (self.root, depth)
        seen = {(id(self.root), depth, ())}
        pending: list[tuple[Node, int, Path]] = [(*start, ())] if self.fits(*start) else []
        while pending:
            node, room, above = pending.pop()
            if node.key is not None:
                above = (*above, node.key)[-k:]
                if len(above) == k:
                    found.add(above)
            if node.kind == "~" and not all(self.fits(c, room - 1) for c in node.children):
                continue
            for child in node.children:
                state = (id(child), room - 1, above)
                if state not in seen and self.fits(child, room - 1):
                    seen.add(state)
                    pending.append((child, room - 1, above))
        return found


# --- derivations and inputs ------------------------------------------------------------------


def key_of(grammar: Grammar, rule: int, position: int) -> Key | None:
    """The node that a symbol of a plain rule is, if it is symbolic."""
    described = grammar.rules[rule]
    symbol = grammar.symbols[described.rhs[position]]
    above = grammar.symbols[described.lhs]
    if symbol.operator not in (None, Operator.SET) or above.operator is Operator.SET:
        return None
    if above.operator in (STAR, PLUS):
        return (above.name, "x", 0)
    return (above.name, described.alternative, position)


def paths_in(grammar: Grammar, rules: Sequence[int], k: int) -> set[Path]:
    """The k-paths of a derivation tree."""
    found = set()
    pending: list[tuple[Tree, Path]] = [(tree_of(grammar, rules), ())]
    while pending:
        tree, above = pending.pop()
        if tree.rule is None:
            continue
        for position, child in enumerate(tree.children):
            key = key_of(grammar, tree.rule, position)
            path = above if key is None else (*above, key)[-k:]
            if key is not None and len(path) == k:
                found.add(path)
            pending.append((child, path))
    return found


Span = tuple[int, int, int]


def paths_of_input(grammar: Grammar, tokens: Sequence[int], k: int) -> set[Path] | None:
    """The k-paths of all derivation trees of an input; None if there is no tree."""
    constituents = _constituents(grammar, tokens)
    root = (grammar.start, 0, len(tokens))
    if root not in constituents:
        return None
    found: set[Path] = set()
    seen: set[tuple[Span, Path]] = {(root, ())}
    pending: list[tuple[Span, Path]] = [(root, ())]
    while pending:
        (symbol, start, end), above = pending.pop()
        for rule in grammar.rules_of.get(symbol, ()):
            for cuts in _divisions(grammar.rules[rule].rhs, start, end, constituents):
                for position, child in enumerate(cuts):
                    key = key_of(grammar, rule, position)
                    path = above if key is None else (*above, key)[-k:]
                    if key is not None and len(path) == k:
                        found.add(path)
                    if (child, path) not in seen:
                        seen.add((child, path))
                        pending.append((child, path))
    return found


def _constituents(grammar: Grammar, tokens: Sequence[int]) -> set[Span]:
    """What derives what, bottom up until nothing is new."""
    found = {(token, at, at + 1) for at, token in enumerate(tokens)}
    stretches = [(i, j) for i, j in product(range(len(tokens) + 1), repeat=2) if i <= j]
    while True:
        new = {
            (rule.lhs, i, j)
            for rule in grammar.rules
            for i, j in stretches
            if any(True for _ in _divisions(rule.rhs, i, j, found))
        } - found
        if not new:
            return found
        found |= new


def _divisions(
    rhs: Sequence[int], start: int, end: int, constituents: Iterable[Span]
) -> Iterator[tuple[Span, ...]]:
    """The ways to divide a stretch among the symbols of a rule."""
    if not rhs:
        if start == end:
            yield ()
        return
    for middle in range(start, end + 1):
        if (rhs[0], start, middle) in constituents:
            for rest in _divisions(rhs[1:], middle, end, constituents):
                yield ((rhs[0], start, middle), *rest)
