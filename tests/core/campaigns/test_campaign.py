"""Campaigns as a whole: stores, engines, errors, and whoever is killed."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from small import config, written

from command import Command
from gramspect import campaign
from gramspect.campaigns.campaign import status
from gramspect.campaigns.export import SCHEMA, export
from gramspect.errors import GramspectError


def table(path: Path) -> bytes:
    """The exported table of the campaign in a folder."""
    export(str(path.with_suffix(".db")), str(path.with_suffix(".csv")))
    return path.with_suffix(".csv").read_bytes()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The table of the small campaign, computed in this process."""
    path = written(tmp_path_factory.mktemp("undisturbed"))
    assert campaign(str(path)).n_computed == 40
    return table(path)


def test_what_is_there_is_not_computed_again(tmp_path: Path, undisturbed: bytes) -> None:
    path = written(tmp_path, "sample = 15")
    assert campaign(str(path)).n_computed == 15
    assert campaign(str(path)).n_computed == 0
    grown = written(tmp_path, "sample = 40")
    assert campaign(str(grown)).n_computed == 25
    assert status(str(grown)).done == 40
    assert table(grown) == undisturbed


def test_another_configuration_is_refused(tmp_path: Path) -> None:
    campaign(config(tmp_path, "sample = 10"))
    for change, named in (
        ({'["mid", "worst", "kmax"]': '["mid"]'}, "methods.ties (10 results)"),
        ({"per-sentence = 3": "per-sentence = 2"}, "the tests (10 results)"),
        ({"sample = 10": "sample = 10\nseed = 5"}, "faults.seed (10 results)"),
        ({"sample = 10": "sample = 6"}, "faults.sample, which is smaller now (4 results)"),
        ({'["native"]': '["chart"]'}, "sums through native, which is left out (10 results)"),
    ):
        with pytest.raises(GramspectError) as refused:
            campaign(config(tmp_path, "sample = 10", change))
        assert named in str(refused.value)
    assert campaign(config(tmp_path, "sample = 10")).n_computed == 0
    added = config(tmp_path, "sample = 10", {'["native"]': '["native", "chart"]'})
    assert campaign(added).n_computed == 10


def test_stores_that_cannot_be_used(tmp_path: Path, command: Command) -> None:
    path = written(tmp_path, "sample = 3")
    store = path.with_suffix(".db")
    assert "there are no results yet" in command.fails("campaign", path, "status")
    store.write_text("This is a text of mine, and it is no store of results at all. " * 20)
    assert "not a database" in command.fails("campaign", path, "--quiet")
    store.unlink()
    with sqlite3.connect(store) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    assert "is not a store of a campaign" in command.fails("campaign", path, "--quiet")
    store.unlink()
    campaign(str(path))
    with sqlite3.connect(store) as old:
        old.execute("UPDATE about SET value = '0' WHERE name = 'version'")
    old.close()
    assert "is a store of version 0" in command.fails("campaign", path, "report")
    campaign(config(tmp_path, "sample = 3", {"recognizers": 'store = "new.db"\nrecognizers'}))


def test_two_campaigns_on_one_store(tmp_path: Path, command: Command) -> None:
    path = written(tmp_path, "sample = 4")
    messages = []

    def meanwhile(_: object) -> None:
        messages.append(command.fails("campaign", path, "--quiet"))
        assert command("campaign", path, "status").status == 0  # reading is allowed

    campaign(str(path), meanwhile)
    assert messages
    assert all("another campaign writes into this store" in message for message in messages)


def test_a_full_disk(tmp_path: Path) -> None:
    """The size of files is limited, which is what a full disk is to SQLite."""
    path = written(tmp_path, "sample = 90")
    limited = f"""
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (90_000, 90_000))
import sys
sys.argv = ["gramspect", "campaign", {str(path)!r}, "--quiet"]
from gramspect.cli import main
main()
"""
    ended = subprocess.run(
        [sys.executable, "-c", limited], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert "make room and run the campaign again" in ended.stderr
    before = status(str(path)).done
    assert 0 < before < 90
    assert campaign(str(path)).n_computed == 90 - before


MISTAKES = {
    "a campaign has no key 'gramars'; did you mean 'grammars'?": {"[grammars]": "[gramars]"},
    "[methods] has no key 'spectrum'; did you mean 'spectra'?": {"spectra =": "spectrum ="},
    "[suites.mixed] has no key 'per_sentences'; did you mean 'per-sentence'?": {
        "per-sentence": "per_sentences"
    },
    "there is no 'itm'; did you mean 'item'?": {'"item"': '"itm"'},
    "there is no 'token'; did you mean 'tokens'?": {'"tokens"': '"token"'},
    "there is no 'nativ'; did you mean 'native'?": {'"native"': '"nativ"'},
    "sums.toml:20:1: there is no ranking metric 'ochai'": {
        'ties = ["mid"': 'metrics = ["ochai"]\nties = ["mid"'
    },
    "per-sentence must be a number from 0 on": {"= 3": '= "many"'},
    "the suite rule has no tests": {'criteria = ["rule"]': ""},
    "several faults together need a sample": {"sample = 40": "together = 2"},
    "a mutant has 1 to 5 faults, not 9": {"sample = 40": "sample = 4\ntogether = 9"},
}


@pytest.mark.parametrize("message", MISTAKES)
def test_mistakes_in_the_configuration(tmp_path: Path, command: Command, message: str) -> None:
    path = written(tmp_path, changes=MISTAKES[message])
    told = command.fails("campaign", path)
    assert message in told
    assert not path.with_suffix(".db").exists()


ABSENT = '''
"""An adapter whose tool is not there."""

from gramspect.builtin.native import NativeAdapter

class Absent(NativeAdapter):
    name = "absent"

    def missing(self):
        return "absent is not installed: pip install absent"

absent = Absent()
'''


def registered(folder: Path, name: str, code: str) -> dict[str, str]:
    """The environment in which the code is an installed adapter of that name."""
    (folder / f"{name}_adapter.py").write_text(code)
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "entry_points.txt").write_text(
        f"[gramspect.adapters]\n{name} = {name}_adapter:{name}\n"
    )
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    return {**os.environ, "PYTHONPATH": str(folder)}


def test_an_adapter_whose_tool_is_not_installed(tmp_path: Path) -> None:
    path = written(tmp_path, changes={'["native"]': '["native", "absent"]'})
    arguments = [sys.executable, "-m", "gramspect", "campaign", str(path), "--quiet"]
    surroundings = registered(tmp_path, "absent", ABSENT)
    ended = subprocess.run(arguments, capture_output=True, text=True, env=surroundings, check=False)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "the recognizer absent cannot be used: absent is not installed" in ended.stderr
    assert not path.with_suffix(".db").exists()


def test_a_campaign_that_does_not_resume(tmp_path: Path, command: Command) -> None:
    path = written(tmp_path, "sample = 3")
    assert "3 computed now" in command("campaign", path, "--no-resume").out
    assert "there are results in" in command.fails("campaign", path, "--no-resume")
    assert "all were there" in command("campaign", path, "--resume").out


# --- workers -------------------------------------------------------------------------------

EVIL = '''
"""An adapter that is the native one, but for some mutants, by the number of their rules."""

import os, time
from pathlib import Path
from gramspect.builtin.native import NativeAdapter

MARK = Path(__file__).parent

class Evil(NativeAdapter):
    name = "evil"

    def build(self, grammar):
        text = " ".join(str(rule.rhs) for rule in grammar.rules)
        kind = sum(map(ord, text)) % 10
        if kind == 0:
            os.kill(os.getpid(), 9)
        if kind == 1:
            time.sleep(1000)
        if kind == 2:
            bytearray(16 << 30)  # there is room for it but for the limit: nothing is written to it
        if kind == 3:
            raise ValueError("odd")
        if kind == 4:
            seen = MARK / str(sum(map(ord, text)))
            if not seen.exists():
                seen.touch()
                os._exit(3)
        return super().build(grammar)

evil = Evil()
'''


@pytest.mark.slow
def test_what_workers_do_costs_one_unit(tmp_path: Path) -> None:
    engine = 'backend = "loky"\ntimeout = 2.0\nretries = 2\nmemory = 8000'
    path = written(tmp_path, "sample = 12", engine, {'["native"]': '["native", "evil"]'})
    surroundings = registered(tmp_path, "evil", EVIL)
    arguments = [sys.executable, "-m", "gramspect", "campaign", str(path), "--quiet"]
    told = subprocess.run(arguments, check=True, capture_output=True, text=True, env=surroundings)
    assert told.stdout.endswith(": 24 units, 24 computed now\n")
    rows = [line.split(",") for line in table(path).decode().splitlines()[1:]]
    outcomes = {(row[1], row[7], row[8]) for row in rows}
    assert outcomes == {
        ("native", "ranked", ""),
        ("evil", "ranked", ""),
        ("evil", "failed", "the worker that computed it ended"),
        ("evil", "failed", "it took longer than 2 seconds"),
        ("evil", "failed", "it needed more memory than there is"),
        ("evil", "failed", "ValueError: odd"),
    }
    failed = {row[2] for row in rows if row[7] == "failed"}
    by = {
        name: {tuple(row[2:]) for row in rows if row[1] == name and row[2] not in failed}
        for name in ("native", "evil")
    }
    assert by["native"] == by["evil"]


def workers(process: int) -> list[int]:
    """The processes below a process that compute; others keep an eye on them."""
    found = []
    for listed in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, listed.read_text().split()):
            command = Path(f"/proc/{child}/cmdline").read_text()
            if "popen_loky" in command or "spawn_main" in command:
                found.append(child)
            found += workers(child)
    return found


def killed_at_random(path: Path, random: Random, kills: int) -> int:
    """Run a campaign and kill it or workers of it; how many were killed."""
    done = 0
    while True:
        arguments = [sys.executable, "-m", "gramspect", "campaign", str(path), "--quiet"]
        with subprocess.Popen(arguments, stdout=subprocess.DEVNULL) as run:
            while run.poll() is None:
                if done < kills and path.with_suffix(".db").exists():
                    time.sleep(random.uniform(0.0, 0.7))
                    try:
                        victims = workers(run.pid) if done % 3 < 2 else [run.pid]
                        os.kill(random.choice(victims), signal.SIGKILL)
                    except (IndexError, OSError):  # there are none yet, or no more
                        continue
                    done += 1
                else:
                    time.sleep(0.05)
        if run.returncode == 0:
            return done


def test_whoever_is_killed_the_table_is_the_same(tmp_path: Path, undisturbed: bytes) -> None:
    path = written(tmp_path, "sample = 40", 'backend = "loky"')
    assert killed_at_random(path, Random(1), kills=4) >= 1
    assert table(path) == undisturbed


def there(path: Path) -> int:
    """How many results the store has, 0 before there is one."""
    try:
        return status(str(path)).done
    except GramspectError:
        return 0


@pytest.mark.slow
def test_a_cluster_computes_the_same_though_its_workers_are_killed(
    tmp_path: Path, undisturbed: bytes
) -> None:
    path = written(tmp_path, "sample = 90", 'backend = "dask"')
    arguments = [sys.executable, "-m", "gramspect", "campaign", str(path), "--quiet"]
    killed = 0
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        while run.poll() is None:
            time.sleep(0.02)
            if killed < 2 and there(path) > 4 * killed:
                try:
                    os.kill(workers(run.pid)[0], signal.SIGKILL)
                    killed += 1
                except (IndexError, OSError):
                    continue
    assert (run.returncode, killed) == (0, 2)
    rows = table(path).splitlines()
    assert rows[: len(undisturbed.splitlines())] == undisturbed.splitlines()
    assert not [row for row in rows if b"failed" in row]


# --- reports -------------------------------------------------------------------------------


def test_reports_comparisons_and_exports(tmp_path: Path, command: Command) -> None:
    path = written(tmp_path, "sample = 40")
    assert command("campaign", path).out.endswith(": 40 units, 40 computed now\n")
    text = command("campaign", path, "report", "--plot", tmp_path / "ranks.svg").out
    assert "| sums | native | ranked | 40 |" in text
    assert (tmp_path / "ranks.svg").read_text().count("sums, native") == 1
    value = command("campaign", path, "report", "--format", "json").json
    assert value["schema"] == "gramspect/campaign/1"
    first = value["chapters"][0]["tables"][0]["rows"]
    assert [row["suite"] for row in first[::4]] == ["rule", "mixed"]
    assert first[0]["killed"] <= first[4]["killed"]
    page = command("campaign", path, "report", "--format", "html").out
    assert page.count("<table ") == sum(len(c["tables"]) for c in value["chapters"]) + 1
    same = command("campaign", path, "compare", "ties=mid", "ties=mid").out
    assert "p = 1\n" in same
    assert "A12 = 0.500" in same
    told = command.fails("campaign", path, "compare", "tie=mid", "ties=kmax")
    assert "did you mean ties=...?" in told
    told = command.fails("campaign", path, "compare", "metric=barinel", "ties=kmax")
    assert "there is no metric 'barinel'" in told
    assert "export needs a file" in command.fails("campaign", path, "export")
    command("campaign", path, "export", "-o", tmp_path / "ranks.parquet")
    import pyarrow.parquet as pq

    read = pq.read_table(tmp_path / "ranks.parquet")
    assert read.column_names == list(SCHEMA)
    lines = table(path).decode().splitlines()
    assert read.num_rows == len(lines) - 1
    ranks = [line.split(",")[-2] for line in lines[1:]]
    assert ["" if r is None else str(r) for r in read["rule_rank"].to_pylist()] == ranks


def test_a_copy_of_the_store_is_a_store(tmp_path: Path, undisturbed: bytes) -> None:
    path = written(tmp_path)
    campaign(str(path))
    shutil.copy(path.with_suffix(".db"), tmp_path / "copy.db")
    export(str(tmp_path / "copy.db"), str(tmp_path / "copy.csv"))
    assert (tmp_path / "copy.csv").read_bytes() == undisturbed
