"""Suites from the LR graph of a grammar of real size, judged by ANTLR."""

from __future__ import annotations

from pathlib import Path

from lr_graph_suites import LRGraphSuites


class TestQuery(LRGraphSuites):
    source = str(Path(__file__).parents[3] / "fixtures" / "antlr" / "query" / "Query.g4")
