"""Token rules: the texts that they read, and how near another text is to these.

* `rules`: token rules as adapters hand them over, and texts as a tool's lexer reads them;
* `characters`, `automaton`, `regular`: their automata, whatever notation a tool has;
* `parts`, `patterns`, `regextext`: definitions as they are written, and their automata;
* `rewriting`: changes of definitions as changes of their text;
* `nearness`: how much a rule would have to be changed to read a text.

May use: `grammars`, `suites` and what is below them.
"""
