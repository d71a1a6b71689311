"""Small changes of a grammar that would make a rejected input pass."""

from gramspect.edits.model import Edit, EditKind, applied
from gramspect.edits.search import EditSearch, Outcome, search

__all__ = ["Edit", "EditKind", "EditSearch", "Outcome", "applied", "search"]
