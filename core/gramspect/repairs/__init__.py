"""Repairs as users see them: diffs of their files, and one fault mended after the other.

May use: `localization` and what is below it.
"""
