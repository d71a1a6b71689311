"""Black boxes: systems that only say whether they accept an input, and where a grammar is wrong.

* `answers`: what a system says of an input, and how its words are understood;
* `commands`, `callables`: systems that are programs, and Python functions;
* `asking`, `state`: many inputs at once; answers that are known from an earlier run;
* `places`: from the reported place of an error to the token;
* `campaign`, `deviations`: generate tests, ask, rank; one difference after the other.

May use: `localization`, `generation` and what is below them.
"""
