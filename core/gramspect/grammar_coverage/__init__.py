"""Grammar coverage: the rules, positions, choices and paths that a suite uses, and the others.

May use: `generation`, `running` and what is below them.
"""
