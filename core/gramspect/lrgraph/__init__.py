"""LR graphs and the tests that cover them (Rossouw and Fischer 2023).

May use: `grammars`, `lr` and the ground floor.
"""
