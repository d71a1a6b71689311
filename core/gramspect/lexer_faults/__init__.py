"""Faults in token rules: which rule of the lexer could be wrong, and how much speaks for it.

`search` finds hypotheses and judges them on the texts of failing tests, `scores` says what they are
worth beside edits of the parser's rules, `repairs` makes changes of them.

May use: `edits`, `lexical`, `recognition` and what is below them.
"""
