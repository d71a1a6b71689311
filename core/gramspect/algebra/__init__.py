"""Input algebras: patterns in derivation trees, and the grammars of the inputs that have them.

A *pattern* is a derivation tree some of whose nodes are abstract: any subtree of their non-terminal
fits there. Sets of inputs are described by expressions over patterns (`and`, `or`, `not`, numbers
of occurrences) and turned into grammars (Gopinath, "Specializing Grammars for Inducing Faults" and
"Input Algebras").

May use: `generation`, `running`, `recognition`, `kernel`, `lexical`, `yacc`, `grammars`, `suites`
and the ground floor.
"""
