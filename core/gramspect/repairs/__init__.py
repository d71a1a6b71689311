"""Repairs as users see them: diffs of their files, questions that tell which of them is right, and
one fault mended after the other.

May use: `localization` and what is below it.
"""
