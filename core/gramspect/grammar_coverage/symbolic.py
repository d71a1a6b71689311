"""The symbolic nodes of a forest: what remains of derivation trees without the synthetic nodes.

See `gramspect.generation.kpaths_graph` for which nodes are symbolic.
"""

from __future__ import annotations

from gramspect.generation.kpaths_graph import GrammarGraph
from gramspect.recognition.forest import Forest, Part

__all__ = ["Children", "symbolic_children"]

Children = dict[Part, set[tuple[int, Part]]]
"""By part: the symbolic nodes next below it, each with its own part."""


def symbolic_children(forest: Forest, graph: GrammarGraph) -> Children:
    """The inner parts of all trees of a forest, from the root on; tokens are not inner ones."""
    node_of, below = graph.node_of, forest.below
    first_inner = forest.part(forest.grammar.n_terminals, 0, 0)
    found: Children = {}
    pending = [forest.root]
    while pending:
        part = pending.pop()
        if part in found:
            continue
        children = found[part] = set()
        entered = {part}
        synthetic = [part]
        for top in synthetic:  # grows
            for item, child in below(top):
                node = node_of[item]
                if node >= 0:
                    children.add((node, child))
                    if child >= first_inner and child not in found:
                        pending.append(child)
                elif child >= first_inner and child not in entered:
                    entered.add(child)
                    synthetic.append(child)
    return found
