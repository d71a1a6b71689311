"""Runs Picireny for `reduction.py`, in an environment of its own, with the predicate over there.

Its command line runs with its own defaults; only the class that asks is another one. Lines of JSON
go both ways: the input comes first; then each text that Picireny asks about goes out and an answer
comes back; the result is last.
"""

import json
import shutil
import sys
from pathlib import Path

import picire.cli
import picireny.cli
from picire.outcome import Outcome

OUT = sys.stdout


class Asked:
    """Asks the other side of the pipe."""

    begun = False

    def __init__(self, *, test_builder: object, **_: object) -> None:
        self.test_builder = test_builder

    def __call__(self, config: object, config_id: object) -> object:
        if not Asked.begun:
            Asked.begun = True
            say("begin", "")
        say("ask", self.test_builder(config))
        return Outcome.FAIL if json.loads(sys.stdin.readline()) else Outcome.PASS


def say(kind: str, text: str) -> None:
    print(json.dumps([kind, text]), file=OUT, flush=True)


def main(grammar: str, antlr: str, work: str, phases: str) -> None:
    shutil.rmtree(work, ignore_errors=True)
    source = Path(work, "input.txt")
    source.parent.mkdir(parents=True)
    source.write_text(json.loads(sys.stdin.readline()), encoding="utf-8")
    out = Path(work, "out")
    Path(out, "tests").mkdir(parents=True)  # where its own class would write, which it removes
    sys.argv = [
        "picireny", "--input", str(source), "--out", str(out), "--test", shutil.which("true"),
        "--grammar", grammar, "--start", "start_", "--antlr", antlr, "--quiet",
        "--sys-recursion-limit", "20000", "--encoding", "utf-8",
        *(word for phase in phases.split(",") for word in ("--phase", phase)),
    ]  # fmt: skip
    picire.cli.SubprocessTest = Asked
    sys.stdout = sys.stderr
    picireny.cli.execute()
    say("result", Path(out, source.name).read_text(encoding="utf-8"))


main(*sys.argv[1:])
