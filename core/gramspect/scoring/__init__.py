"""From counts to ranks: metrics, kinds of evidence, ties.

May use: `spectrum` and what is below it.
"""
