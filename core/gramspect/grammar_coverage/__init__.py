"""What a suite uses of a grammar and what it does not: rules, positions, choices, paths.

May use: `generation`, `running` and what is below them.
"""
