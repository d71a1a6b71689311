"""LR graphs: all moves that a stack parser of a language can make (Rossouw and Fischer 2023).

* `graph`: the push and pop edges of an automaton; `conflicts`: their number;
* `embedding`: where reduction paths can be embedded into each other;
* `follow`, `stacks`, `analyses`: the tokens that can come next at a vertex, after a token, after a
* prefix.

May use: `grammars`, `lr` and the ground floor.
"""
