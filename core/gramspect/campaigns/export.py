"""The results as one table for other programs, as CSV or Parquet.

A row is a mutant through a recognizer, on a suite, by a method; a unit without ranks has one row,
where what comes after `n_items` is empty. Rows are in the order of units, suites and methods, and
nothing in them depends on when and where they were computed.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import islice
from math import isnan
from pathlib import Path
from typing import Any

from gramspect.campaigns.placing import methods_of
from gramspect.campaigns.store import Store
from gramspect.campaigns.tables import method_config
from gramspect.campaigns.units import Outcome
from gramspect.errors import GramspectError, MissingDependency
from gramspect.files import check_writable, writing_bytes, writing_whole

__all__ = ["SCHEMA", "export"]

SCHEMA = {
    "grammar": ("string", "the name of the grammar"),
    "recognizer": ("string", "the adapter"),
    "mutant": ("int64", "the number of the mutant"),
    "fault": ("string", "operator, rule, position and symbol of each fault"),
    "operator": ("string", "the mutation operator, or how many faults there are"),
    "position_one": ("bool", "whether the first symbol of a rule was edited"),
    "level": ("int64", "how deep the faulty rule lies below the start symbol, -1: out of reach"),
    "outcome": ("string", "ranked, no parser, not written or failed"),
    "reason": ("string", "why there are no ranks"),
    "n_rules": ("int64", "the rules of the mutant"),
    "n_items": ("int64", "its items"),
    "suite": ("string", "the name of the suite"),
    "failing": ("int64", "the tests that fail"),
    "passing": ("int64", "those that pass"),
    "undecided": ("int64", "those without a verdict"),
    "spectrum": ("string", "rule, item or shift"),
    "extraction": ("string", "exact, all or stack"),
    "evidence": ("string", "spectrum, error or both"),
    "metric": ("string", "the ranking metric; - where there is none"),
    "ties": ("string", "mid, worst or kmax"),
    "rule_rank": ("double", "the rank of the faulty rule; empty if the suite does not kill it"),
    "item_rank": ("double", "that of the faulty item; empty, too, where a fault has none"),
}
"""The columns, each with its Parquet type and what it says."""

_ROWS = 50_000
"""How many rows of Parquet are written at once."""


def export(store: str, output: str) -> int:
    """Write the table of a store as CSV or Parquet, by the suffix of `output`; how many rows.

    Raises:
        GramspectError: the store cannot be read, or the output not be written, or its suffix is
            neither.
        MissingDependency: Parquet needs pyarrow.
    """
    check_writable(output)
    form = Path(output).suffix.lower()
    if form not in (".csv", ".parquet"):
        raise GramspectError(f"{output}: the name of a table ends in .csv or .parquet")
    if form == ".parquet" and find_spec("pyarrow") is None:
        raise MissingDependency('pyarrow is not installed: pip install "gramspect[parquet]"')
    with Store.reading(store) as opened:
        rows = _rows(opened)
        return _write_csv(rows, output) if form == ".csv" else _write_parquet(rows, output)


def _rows(store: Store) -> Iterator[tuple[Any, ...]]:
    config = store.config
    methods = methods_of(method_config(config["methods"]))
    suites = tuple(config["suites"])
    for result in store.results():
        unit = (
            *result.unit, result.key, result.operator, result.position_one, result.level,
            str(result.outcome), result.reason, result.n_rules, result.n_items,
        )  # fmt: skip
        if result.outcome is not Outcome.RANKED:
            yield *unit, *[None] * (len(SCHEMA) - len(unit))
            continue
        for suite, totals, of_suite in zip(suites, result.totals, result.ranks, strict=True):
            for method, ranks in zip(methods, of_suite.tolist(), strict=True):
                places = (None if isnan(rank) else rank for rank in ranks)
                yield *unit, suite, *totals, *map(str, method), *places


def _write_csv(rows: Iterator[tuple[Any, ...]], output: str) -> int:
    number = 0
    with writing_whole(output) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(SCHEMA)
        for row in rows:
            writer.writerow(["" if cell is None else cell for cell in row])
            number += 1
    return number


def _write_parquet(rows: Iterator[tuple[Any, ...]], output: str) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"string": pa.string(), "int64": pa.int64(), "bool": pa.bool_(), "double": pa.float64()}
    schema = pa.schema(
        [
            pa.field(name, types[kind], metadata={"description": text})
            for name, (kind, text) in SCHEMA.items()
        ]
    )
    number = 0
    with writing_bytes(output) as stream, pq.ParquetWriter(stream, schema) as writer:
        while block := list(islice(rows, _ROWS)):
            columns = [
                pa.array(column, field.type)
                for column, field in zip(zip(*block, strict=True), schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
            number += len(block)
    return number
