"""Faults in token rules: which rule of the lexer could be wrong, and how strong the evidence is.

`search` finds hypotheses and judges them on the texts of failing tests, `scores` weighs them
against edits of the parser's rules, and `repairs` turns them into changes.

May use: `edits`, `lexical`, `recognition` and what is below them.
"""
