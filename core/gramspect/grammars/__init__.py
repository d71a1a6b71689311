"""The grammar model: symbols, rules and items as small integers, and what follows from them alone.

`grammar` is what readers make and everything else takes; `ebnf` is what readers write it in;
`seeding` makes grammars with one fault each.

May use: the ground floor (`errors`, `source`, `files`).
"""
