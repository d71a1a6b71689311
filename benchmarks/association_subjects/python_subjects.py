"""Subjects that need more than a call."""

import simplejson

# The parser in Python, not the one in C, which cannot be watched.
simplejson._toggle_speedups(False)


def simple(text: str) -> object:
    return simplejson.dumps(simplejson.loads(text))
