"""Which features of an input go with what it does: learned, foretold, and inputs made to order.

May use: `generation`, `algebra`, `grammar_coverage`, `running` and what is below them.
"""
