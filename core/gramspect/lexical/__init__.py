"""Token rules: what they read, and how near a text is to that.

* `rules`: token rules as adapters hand them over, and texts as a tool's lexer reads them;
* `characters`, `automaton`, `regular`: what they read, whatever a tool writes them as;
* `parts`, `patterns`, `regextext`: definitions as they are written, and what they read;
* `rewriting`: changes of definitions as changes of their text;
* `nearness`: how much a rule would have to be changed to read a text.

May use: `grammars`, `suites` and what is below them.
"""
