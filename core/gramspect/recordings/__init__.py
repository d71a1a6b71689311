"""Runs of parsers as files: what happened in each parse of a program, and in each of its tests.

* `format`: the lines of such a file as values, and their JSON;
* `grammars`: a grammar as JSON, and what tells two grammars apart;
* `writing`: appends lines, so that a program that is killed loses the running parse at most;
* `reading`: the lines of a file up to the last whole one;
* `recorder`: makes lines of what a live parser does;
* `merging`: one file of those of several processes;
* `suites`: the tests of recorded runs with their observations, as if they had been run here.

May use: `running` and what is below it.
"""
