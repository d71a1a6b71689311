"""Edits: small changes of a grammar that may be repairs, and all that can be known about one.

* `model`, `candidates`, `restriction`: what an edit is, and which ones can be made where;
* `search`, `sequences`, `attempts`, `trial`: which of them make an input pass, by its chart;
* `failing`, `weights`, `scores`: the same for a suite, as evidence for a ranking;
* `validation`, `generalizing`: what an edit does to all tests, and more general forms of it;
* `writing`, `drafts`, `confirmation`: edits in the user's files, and what the tool makes of them;
* `suggestion`: an edit with all of that;
* `questions`: inputs whose verdict tells edits apart.

May use: `generation`, `running`, `scoring`, `yacc` and what is below them.
"""

from gramspect.edits.model import Edit, EditKind, applied
from gramspect.edits.search import EditSearch, Outcome, search

__all__ = ["Edit", "EditKind", "EditSearch", "Outcome", "applied", "search"]
