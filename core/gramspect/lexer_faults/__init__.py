"""Faults in token rules: which rule of the lexer could be wrong, and how strong the evidence is.

`search` finds hypotheses and judges them on the texts of failing tests: `candidates` are tokens
that could stand at an error, `costs` says how likely each is, and `relexing` reads the text with
it. `scores` weighs hypotheses against edits of the parser's rules. `repairs` turns them into edits:
`definitions` aligns texts with token rules as they are written, `changes` lets such a rule read
more, and `paths` finds a place in it.

May use: `edits`, `lexical`, `recognition` and what is below them.
"""
