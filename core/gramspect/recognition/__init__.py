"""Parsers under observation: recognizers, adapters and traces.

`recognizer` has the protocols that adapters implement and finds adapters; `trace` is what they
record; `chart` parses with any grammar. The rest is what several adapters share.

May use: `grammars`, `kernel`, `lexical`, `lr`, `suites`.
"""
