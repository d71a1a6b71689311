"""The same campaign by every backend: is the exported table the same, though workers are killed?

    python benchmarks/campaign_backends.py [--sample N] [--kills N] [--backends here loky dask ray]

A small grammar, some of its mutants through `native`. `here` is this process, undisturbed; while
the others compute, N processes are killed (signal 9): two workers, then the campaign itself, which
is run again, and so on. Backends that are not installed are said to be so. Seconds are those of the
clock, with the start of the backend.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from gramspect.campaigns.export import export

GRAMMAR = """%token let id num
%%
list  : list line | line ;
line  : let id '=' sum ';' | sum ';' ;
sum   : sum '+' atom | atom ;
atom  : id | num | '(' sum ')' ;
"""
CONFIG = """recognizers = ["native"]
store = "{backend}.db"
[grammars]
sums = "sums.y"
[faults]
sample = {sample}
[suites.mixed]
criteria = ["cdrc"]
negative = ["tokens"]
[methods]
spectra = ["rule", "item", "shift"]
ties = ["mid", "worst", "kmax"]
[engine]
backend = "{backend}"
jobs = 2
batch = 4
"""
PACKAGES = {"loky": "loky", "dask": "distributed", "ray": "ray"}
WORKERS = {"loky": "popen_loky", "dask": "multiprocessing.spawn", "ray": "ray::work"}
"""What is in the command line of a process that computes. Ray has more, without which it ends."""


def main() -> None:
    arguments = argparse.ArgumentParser(description="The same campaign by every backend.")
    arguments.add_argument("--sample", type=int, default=500)
    arguments.add_argument("--backends", nargs="*", default=["here", *PACKAGES])
    arguments.add_argument("--kills", type=int, default=2)
    given = arguments.parse_args()
    tables = {}
    for backend in given.backends:
        package = PACKAGES.get(backend)
        if package is not None and importlib.util.find_spec(package) is None:
            print(f"{backend}: not installed")
            continue
        begin = time.monotonic()
        table, killed = computed(backend, given.sample, given.kills)
        tables[backend] = table
        seconds = time.monotonic() - begin
        checksum = sha256(table).hexdigest()[:12]
        print(f"{backend}: {len(table.splitlines()) - 1} rows, {checksum}, {killed} killed,"
              f" {seconds:.0f} s", flush=True)  # fmt: skip
    print("the tables are the same" if len(set(tables.values())) == 1 else "THE TABLES DIFFER")
    sys.exit(len(set(tables.values())) != 1)


def computed(backend: str, sample: int, kills: int) -> tuple[bytes, int]:
    """The table of a campaign, and how many processes were killed meanwhile.

    Every third time it is the campaign itself, which is then run again.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sums.y").write_text(GRAMMAR)
        (folder / "sums.toml").write_text(CONFIG.format(backend=backend, sample=sample))
        store, told = folder / f"{backend}.db", folder / "told.txt"
        wanted = 0 if backend == "here" else kills
        killed = 0
        while True:
            line = [sys.executable, "-m", "gramspect", "campaign", "sums.toml", "--quiet"]
            with (
                told.open("w") as told_to,
                subprocess.Popen(
                    line, cwd=folder, stdout=subprocess.DEVNULL, stderr=told_to
                ) as process,
            ):
                ended = killed
                while process.poll() is None:
                    time.sleep(0.02)
                    if killed < wanted and done(store) > killed * sample / (wanted + 1):
                        killed += kill_one(process.pid, backend, itself=killed % 3 == 2)
            if process.returncode == 0:
                break
            if process.returncode != -signal.SIGKILL or killed == ended:
                last = told.read_text()[-2000:]
                raise RuntimeError(f"{backend}: it ended with {process.returncode}: {last}")
        export(str(store), str(folder / "table.csv"))
        return (folder / "table.csv").read_bytes(), killed


def kill_one(campaign: int, backend: str, itself: bool) -> int:
    """Kill the campaign, or one of its workers, if there is one; how many were killed."""
    for victim in [campaign] if itself else workers(campaign, WORKERS[backend]):
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            continue
        return 1
    return 0


def done(store: Path) -> int:
    """How many units a store has."""
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
            return int(database.execute("SELECT count(*) FROM units").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def workers(parent: int, marked: str) -> Iterator[int]:
    """The processes below one, at any depth, that compute."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().decode(errors="replace")
            if marked in command and below(int(folder.name), parent):
                yield int(folder.name)
        except OSError:
            continue


def below(process: int, ancestor: int) -> bool:
    """Whether a process was started by another one, or by one that it started."""
    while process > 1:
        status = Path(f"/proc/{process}/stat").read_text()
        process = int(status.rpartition(")")[2].split()[1])
        if process == ancestor:
            return True
    return False


if __name__ == "__main__":
    main()
