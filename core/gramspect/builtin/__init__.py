"""The adapters that come with core: ``native`` (LR tables) and ``chart``, both for yacc grammars.

They are adapters like all others, found by their entry points; only `comparison` knows `native`,
whose tables stand in for those of tools that have none to show.

May use: `running`, `yacc` and what is below them.
"""
