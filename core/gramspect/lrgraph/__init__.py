"""LR graphs: what a stack parser of a language can do (Rossouw and Fischer 2023).

* `graph`: the push and pop edges of an automaton; `conflicts`: their number;
* `embedding`: where reduction paths can be embedded into each other;
* `follow`, `stacks`, `analyses`: what can come next at a vertex, after a token, after a prefix.

May use: `grammars`, `lr` and the ground floor.
"""
