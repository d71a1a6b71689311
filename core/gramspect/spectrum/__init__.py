"""Spectra: of one test, made from its trace, and of a whole suite, as a matrix.

May use: `recognition` and what is below it.
"""
