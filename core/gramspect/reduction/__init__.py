"""Inputs made smaller while something about them holds: that a parser rejects them, or crashes.

`inputs` reads an input as words with a derivation tree, `trees` has the tree and how parts leave
it, `deletion` finds out which parts may leave, `passes` does so over a whole tree, `predicates`
asks, `judging` remembers the answers, and `reduce` is all of it. `abstract` finds the pattern
behind what is left.

May use: `algebra`, `generation`, `running`, `recognition`, `suites`, `grammars` and
what is below them.
"""
