"""Suites from the LR graph of a real grammar, Lark's own, judged by Lark."""

from __future__ import annotations

from pathlib import Path

import lark

from lr_graph_suites import LRGraphSuites


class TestGrammarOfLark(LRGraphSuites):
    source = str(Path(lark.__file__).parent / "grammars" / "lark.lark")
