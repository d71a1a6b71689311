"""The grammar model: symbols, rules and items as small integers, and what follows from them alone.

`grammar` holds the model that readers make and all else takes, `ebnf` the form in which readers
describe it; `seeding` makes grammars with one fault each.

May use: the ground floor (`errors`, `source`, `files`).
"""
