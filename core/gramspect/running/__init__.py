"""Running a suite: a parser is loaded, tests run here or in processes that can be stopped.

`recording` keeps the data for rankings and coverage, `spectra` keeps spectra for other tools.

May use: `spectrum` and what is below it.
"""
