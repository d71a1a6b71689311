"""Test suites from grammars.

* `derivation`, `generated`: derivations in preorder; tests that know where they come from;
* `minimal`, `spread`: shortest and shallowest derivations and embeddings;
* `criteria`, `pairs`, `sampling`: the positive tests, systematic and random;
* `kpaths_graph`, `kpaths`, `kpaths_cover`: the grammar graph, its k-paths, suites that cover them;
* `adjacency`, `token_mutation`, `rule_mutation`: the negative tests, without an oracle;
* `pop_edges`, `flooding`: sentences that cover the edges of an LR graph;
* `path_mutation`, `path_suite`: negative tests from mutated paths, as sequences with numbers;
* `distinct`: what has been seen before;
* `words`: how tokens become text;
* `generate`, `manifest`: whole suites as streams, and the file that holds one.

May use: `running`, `yacc`, `lrgraph` and what is below them.
"""
