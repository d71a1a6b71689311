"""The file of results: SQLite with a write-ahead log, one writer, a unit whole or not at all.

Tables:

* ``about (name, value)``: ``version``, that of this layout, and ``config``, what `described` says;
* ``contexts (grammar, recognizer, parts)``: what the results depend on;
* ``units``: a row for each unit that is done, see `Result`. ``totals`` is JSON, ``ranks`` are
  little-endian floats of 32 bits;
* ``rounds``: a row for each unit whose faults were mended one after the other. ``summaries`` is
  JSON, a list for each suite and method of what `Summary` has.

Whoever is killed leaves the units that were there. A file with results of another configuration is
never added to.
"""

from __future__ import annotations

import fcntl
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from gramspect.campaigns.plan import Context, UnitName
from gramspect.campaigns.rounds import Summary
from gramspect.campaigns.units import Outcome, Result, SuiteTotals
from gramspect.errors import GramspectError

__all__ = ["Store"]

VERSION = 1
APPLICATION = 0x47535043
"""SQLite's ``application_id`` of our files: GSPC."""

_LAYOUT = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE contexts (
    grammar TEXT, recognizer TEXT, parts TEXT NOT NULL, PRIMARY KEY (grammar, recognizer));
CREATE TABLE units (
    grammar TEXT, recognizer TEXT, number INTEGER, key TEXT NOT NULL, operator TEXT NOT NULL,
    position_one INTEGER NOT NULL, level INTEGER NOT NULL, outcome TEXT NOT NULL,
    reason TEXT NOT NULL, n_rules INTEGER NOT NULL, n_items INTEGER NOT NULL, totals TEXT NOT NULL,
    ranks BLOB NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (grammar, recognizer, number)
) WITHOUT ROWID;
"""
_ROUNDS = """
CREATE TABLE IF NOT EXISTS rounds (
    grammar TEXT, recognizer TEXT, number INTEGER, summaries TEXT NOT NULL,
    PRIMARY KEY (grammar, recognizer, number)) WITHOUT ROWID
"""
"""Made where it is not there: stores of this version that are older have none."""
_COLUMNS = (
    "grammar, recognizer, number, key, operator, position_one, level, outcome, reason, n_rules,"
    " n_items, totals, ranks, seconds"
)
_ADD = f"INSERT OR REPLACE INTO units ({_COLUMNS}) VALUES ({', '.join('?' * 14)})"


class Store:
    """An open store. Use `writing` or `reading`."""

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path = path
        self._database = connection

    @classmethod
    @contextmanager
    def writing(cls, path: str) -> Iterator[Store]:
        """Open for the one writer; the file is made if it is not there.

        Raises:
            GramspectError: another campaign writes into it, it is of another version or no store,
                or it cannot be written.
        """
        with _locked(path), _errors(path):
            store = cls(path, sqlite3.connect(path, isolation_level=None))
            try:
                store._begin()
                yield store
            finally:
                store._database.close()

    @classmethod
    @contextmanager
    def reading(cls, path: str) -> Iterator[Store]:
        """Open to be read, also while a campaign writes.

        Raises:
            GramspectError: there is no such file, or it is of another version or no store.
        """
        if not Path(path).is_file():
            raise GramspectError(f"{path}: there are no results yet; run the campaign first")
        with _errors(path):
            store = cls(path, sqlite3.connect(path, isolation_level=None))
            try:
                store._check()
                yield store
            finally:
                store._database.close()

    # --- what belongs together -----------------------------------------------------------

    def agree(self, config: str, contexts: Iterable[Context], keys: Mapping[str, int]) -> None:
        """Make sure that new results go with those that are there.

        `keys` are the numbers of mutants by grammar. Grammars and recognizers may be added, and
        samples may grow.

        Raises:
            GramspectError: results depend on something that has changed.
        """
        known = {(g, r): parts for g, r, parts in self.contexts()}
        wanted = list(contexts)
        changed: dict[str, int] = {}
        for grammar, recognizer, parts in wanted:
            before = known.get((grammar, recognizer), parts)
            for part in _differing(before, parts):
                count = self._count("grammar = ? AND recognizer = ?", grammar, recognizer)
                changed[part] = changed.get(part, 0) + count
            beyond = self._count("grammar = ? AND number >= ?", grammar, keys[grammar])
            if before == parts and beyond:
                changed["faults.sample, which is smaller now"] = beyond
        gone = known.keys() - {(g, r) for g, r, _ in wanted}
        for grammar, recognizer in gone:
            count = self._count("grammar = ? AND recognizer = ?", grammar, recognizer)
            changed[f"{grammar} through {recognizer}, which is left out"] = count
        if changed:
            what = "; ".join(
                f"{part} ({count:,} results)" for part, count in sorted(changed.items())
            )
            raise GramspectError(
                f"{self.path}: its results are of another configuration, these would be invalid:"
                f" {what}; name another store, or remove this one"
            )
        with self._transaction():
            self._database.executemany("INSERT OR REPLACE INTO contexts VALUES (?, ?, ?)", wanted)
            self._database.execute("INSERT OR REPLACE INTO about VALUES ('config', ?)", (config,))

    def contexts(self) -> list[Context]:
        """What the results depend on."""
        rows = self._database.execute("SELECT * FROM contexts ORDER BY grammar, recognizer")
        return [Context(*row) for row in rows]

    @property
    def config(self) -> Mapping[str, Any]:
        """The configuration that the results are of."""
        row = self._database.execute("SELECT value FROM about WHERE name = 'config'").fetchone()
        if row is None:
            raise GramspectError(f"{self.path}: there are no results yet; run the campaign first")
        found: Mapping[str, Any] = json.loads(row[0])
        return found

    # --- units ---------------------------------------------------------------------------

    def add(self, results: Sequence[Result]) -> None:
        """Keep results, all of them or none."""
        with self._transaction():
            self._database.executemany(_ADD, [_row(result) for result in results])

    def done(self) -> set[UnitName]:
        """The units that are there."""
        rows = self._database.execute("SELECT grammar, recognizer, number FROM units")
        return {UnitName(*row) for row in rows}

    def counts(self) -> dict[tuple[str, str, str], tuple[int, float]]:
        """Units and seconds by grammar, recognizer and outcome."""
        rows = self._database.execute(
            "SELECT grammar, recognizer, outcome, count(*), sum(seconds) FROM units"
            " GROUP BY grammar, recognizer, outcome ORDER BY grammar, recognizer, outcome"
        )
        return {(g, r, outcome): (number, seconds) for g, r, outcome, number, seconds in rows}

    def results(self) -> Iterator[Result]:
        """All results in the order of units."""
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM units ORDER BY grammar, recognizer, number"
        )
        yield from map(_result, rows)

    def add_rounds(self, unit: UnitName, found: Sequence[Summary]) -> None:
        """Keep how the faults of a mutant were mended one after the other."""
        with self._transaction():
            row = (*unit, json.dumps(found))
            self._database.execute("INSERT OR REPLACE INTO rounds VALUES (?, ?, ?, ?)", row)

    def rounds(self) -> dict[UnitName, list[Summary]]:
        """What `add_rounds` has kept."""
        rows = self._database.execute("SELECT grammar, recognizer, number, summaries FROM rounds")
        return {
            UnitName(*unit): [Summary(*each) for each in json.loads(text)] for *unit, text in rows
        }

    # --- SQLite --------------------------------------------------------------------------

    def _begin(self) -> None:
        empty = not self._database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not empty:
            self._check()
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = NORMAL")
        if empty:
            with self._transaction():
                for statement in _LAYOUT.split(";\n"):
                    self._database.execute(statement)
                self._database.execute("INSERT INTO about VALUES ('version', ?)", (VERSION,))
                self._database.execute(f"PRAGMA application_id = {APPLICATION}")
        self._database.execute(_ROUNDS)

    def _check(self) -> None:
        found = self._database.execute("PRAGMA application_id").fetchone()[0]
        if found != APPLICATION:
            raise GramspectError(f"{self.path}: is not a store of a campaign; name another file")
        row = self._database.execute("SELECT value FROM about WHERE name = 'version'").fetchone()
        if row != (str(VERSION),):
            raise GramspectError(
                f"{self.path}: is a store of version {row[0]}, this gramspect has version"
                f" {VERSION}; use the gramspect that made it, or name another store"
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def _count(self, where: str, *values: object) -> int:
        both = (
            self._database.execute(f"SELECT count(*) FROM {table} WHERE {where}", values)
            for table in ("units", "rounds")
        )
        return sum(int(row.fetchone()[0]) for row in both)


_PARTS = {"grammar": "the grammar", "tests": "the tests", "text": "the text of the grammar"}


def _differing(before: str, now: str) -> list[str]:
    """The named parts of two contexts that are not equal, ``faults.seed`` and the like."""
    old, new = json.loads(before), json.loads(now)
    found = []
    for part in sorted(new):
        if old.get(part) == new[part]:
            continue
        if isinstance(new[part], dict) and isinstance(old.get(part), dict):
            found += [f"{part}.{key}" for key in new[part] if old[part].get(key) != new[part][key]]
        else:
            found.append(_PARTS.get(part, part))
    return found


def _row(result: Result) -> tuple[object, ...]:
    return (
        *result.unit,
        result.key,
        result.operator,
        int(result.position_one),
        result.level,
        str(result.outcome),
        result.reason,
        result.n_rules,
        result.n_items,
        json.dumps(result.totals),
        result.ranks.astype("<f4").tobytes(),
        result.seconds,
    )


def _result(row: tuple[Any, ...]) -> Result:
    grammar, recognizer, number, key, operator, position_one, level, outcome, reason = row[:9]
    n_rules, n_items, totals, ranks, seconds = row[9:]
    of_suites = tuple(SuiteTotals(*each) for each in json.loads(totals))
    values = np.frombuffer(ranks, "<f4").astype(np.float32)
    return Result(
        UnitName(grammar, recognizer, number),
        key,
        operator,
        bool(position_one),
        level,
        Outcome(outcome),
        reason,
        n_rules,
        n_items,
        of_suites,
        values.reshape(len(of_suites), -1, 2) if of_suites else np.empty((0, 0, 2), np.float32),
        seconds,
    )


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """Be the only writer of a store; a lock of a process that is gone is gone, too."""
    try:
        file = Path(f"{path}.lock").open("w")  # noqa: SIM115
    except OSError as problem:
        raise GramspectError(f"{path}: cannot be written ({problem.strerror})") from problem
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise GramspectError(
                f"{path}: another campaign writes into this store; wait for it, or name another"
            ) from None
        yield


@contextmanager
def _errors(path: str) -> Iterator[None]:
    """What SQLite cannot do, as what the user can mend."""
    try:
        yield
    except sqlite3.DatabaseError as problem:
        told = str(problem)
        hint = "what is there is kept; make room and run the campaign again"
        if "full" not in told and "disk" not in told:
            hint = "name another store"
        raise GramspectError(f"{path}: the store cannot be used ({told}); {hint}") from problem
