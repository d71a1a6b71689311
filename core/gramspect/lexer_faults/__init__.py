"""Faults in token rules: which rule of the lexer could be wrong, and how much speaks for it."""
