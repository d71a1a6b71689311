"""The main job: from a suite and a parser to a ranking, and the edits to suggest with it.

May use: `edits`, `running`, `scoring` and what is below them.
"""
