"""Parsers recorded where the user's program runs them: `session`.

May use: `localization`, `grammar_coverage`, `recordings` and what is below them.
"""
