"""Token rules: what they read, how near a text is to that, and which of them may be at fault.

Core knows token rules as automata (`gramspect.lexical.automaton`), whatever a tool writes them as.
"""
