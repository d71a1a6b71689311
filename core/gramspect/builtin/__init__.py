"""The adapters that come with core: ``native`` (LR tables) and ``chart``, both for yacc grammars.

May use: `running`, `yacc` and what is below them. They are adapters like all others, so nothing of
core should import them.
"""
