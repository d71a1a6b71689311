"""Campaigns: faults seeded into grammars, looked for by many methods, as experiments.

The design is that of Raselimo and Fischer (2024, Section 7): every mutant of a grammar is run on
several suites, and each way of ranking says where it puts the seeded fault.

* `config`: what a campaign is, read from a TOML file;
* `faults`: mutants by number, with one fault or several, and the rules and items to be found;
* `suites`: the tests of all suites, each once, encoded;
* `written`: faults written into the text of a grammar, which its own adapter loads;
* `plan`: all that a worker needs to know, made from the configuration;
* `making`: the parser of a mutant, built from rules or loaded from a text;
* `counting`: how often tests execute elements: the fast way for `native`, and the way for all;
* `placing`: from counts to the ranks of the faulty rule and item;
* `units`: a unit of work, one mutant through one recognizer, from its description to its results;
* `rounds`: several faults, mended one after the other;
* `store`: the file of results, one writer, a unit whole or not at all;
* `engine`: many units on the cores of a machine, a Dask cluster or Ray;
* `campaign`: all of that together;
* `tables`, `comparing`: what the results say; `export`: the results as tables of other programs.

May use: `edits`, `generation`, `builtin`, `running`, `scoring`, `spectrum`, `recognition` and what
is below them.
"""
