"""Running a suite: a parser is loaded, tests run here or in processes that can be stopped.

`recording` keeps what rankings and coverage are made of; `spectra` keeps spectra for other tools.

May use: `spectrum` and what is below it.
"""
